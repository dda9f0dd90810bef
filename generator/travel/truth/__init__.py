"""What is true in the eight travel tasks: pure functions on small frozen inputs of integers.

Every module offers the same four, and nothing in it knows a world, a text or a setup:

`solve`         the answer
`resolve`       the answer again, by a path that shares nothing with `solve` but the input
`edges`         names of what puts an instance on an edge; an empty tuple is a sound instance
`alternatives`  wrong answers by the name of the failure that gives them; some may equal the answer

Units: clock times are minutes after the midnight that begins the day (above 1440: the day after), places are
whole metres east (x) and north (y), money is in minor units, discounts in basis points.
"""
