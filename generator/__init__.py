"""Turnproof: author, prove, select and run multi-turn dialogue benchmarks."""

__version__ = "0.1.0"
