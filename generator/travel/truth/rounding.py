"""Rounding of exact values, once and half up."""

from __future__ import annotations

from fractions import Fraction


def round_half_up(value: Fraction) -> int:
    """Return the nearest integer; a half goes up, away from zero where the value is positive."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def is_tie(value: Fraction) -> bool:
    """Return whether the value lies exactly between two integers: rules of rounding then differ."""
    return value.denominator == 2
