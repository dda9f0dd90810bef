"""The reply as data: marks it cannot know, nothing in it that looks like a mark, and quotes checked against it."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from generator.records import digest_of
from generator.scoring.read.text import clean_reply

TOKEN_CHARS = 20

# What a serving template may take for a turn of its own, or what looks like our marks.
_MARKS = re.compile(
    r"<{3,}|>{3,}|<\s?[|｜]|[|｜]\s?>|</?s>|</?(?:system|user|assistant|human|tool)>|<(?:start|end)_of_turn>"
    r"|<<\s?/?SYS\s?>>|\[\s?/?INST\s?\]",
    re.IGNORECASE,
)
_BENT = str.maketrans("<>[]", "‹›⟦⟧")
_STRAIGHT = str.maketrans("‹›⟦⟧", "<>[]")
_HIDDEN = {"Cf", "Cc", "Co", "Cs", "Cn"}
_SPACE = re.compile(r"\s+")


def show_reply(text: str) -> str:
    """Return a reply as a judge is shown it.

    Reasoning, invisible and control characters are gone (tag and bidi characters among them); role tags, chat-template
    marks and rows of angle brackets have their brackets bent, so that neither a server nor a judge takes them for real.
    """
    # Compatibility forms first bent, then looked at: ＜｜ would otherwise come through as a mark.
    kept = "".join(c for c in clean_reply(text) if c in "\n\t" or unicodedata.category(c) not in _HIDDEN)
    wide = kept.translate(str.maketrans("＜＞", "<>")) if "＜" in kept or "＞" in kept else kept
    return _MARKS.sub(lambda found: found[0].translate(_BENT), wide).replace("\u2028", "\n").replace("\u2029", "\n")


def make_token(shown: str, wants: object) -> str:
    """Return the token of a fence: a digest of what it encloses, which therefore cannot hold it.

    The same reply and items have the same token, so that a judgement can be found again.
    """
    for turn in range(100):
        token = digest_of([turn, wants, shown])[:TOKEN_CHARS]
        if token not in shown:
            return token
    raise AssertionError("a text that holds a hundred digests of itself")


@lru_cache(maxsize=4)
def flatten(text: str) -> str:
    """Return a text with one width of letters and digits, single spaces, and straight brackets."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).translate(_STRAIGHT)).strip()


def holds_quote(shown: str, quote: str) -> bool:
    """Tell whether a quote stands in a reply word for word; one without any letter or digit is none."""
    wanted = flatten("".join(c for c in quote if c in "\n\t" or unicodedata.category(c) not in _HIDDEN))
    return any(c.isalnum() for c in wanted) and wanted in flatten(shown)
