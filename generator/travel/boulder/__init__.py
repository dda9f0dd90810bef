"""The original BOULDER release: reading its examples as a model sees them, and its files of results."""
