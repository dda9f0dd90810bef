"""A mode that is no part of the program: lamps whose brightness is set, raised, lowered and wondered about.

It shows that a mode is a state module, a mode module and content, and nothing else.
"""
