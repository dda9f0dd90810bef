"""Replies that give one plain answer: a sum, a time, an interval, a distance, yes or no, names, an order."""

from generator.scoring.plain.answers import KINDS, Given, candidates_of, decode, is_same, read_given, target_of
from generator.scoring.plain.checks import check_plain
from generator.scoring.plain.extras import is_travel, judged_extras, score_given, travel_extras
from generator.scoring.plain.tags import NO_ANSWER, NOT_IN_DATA, SWAPPED, tags_of

__all__ = [
    "KINDS",
    "NOT_IN_DATA",
    "NO_ANSWER",
    "SWAPPED",
    "Given",
    "candidates_of",
    "check_plain",
    "decode",
    "is_same",
    "is_travel",
    "judged_extras",
    "read_given",
    "score_given",
    "tags_of",
    "target_of",
    "travel_extras",
]
