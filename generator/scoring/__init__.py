"""Reading and checking replies."""

from generator.scoring.read import read

__all__ = ["read"]
