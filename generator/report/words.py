"""Make foreign text harmless to look at, and numbers readable."""

from __future__ import annotations

import re

from generator.stages.travel import MODE as TRAVEL

UNDEFINED = "not defined"
DIALOGUE = "dialogue"
"""The setup of every mode but travel, where it need not be named."""

# Bidi controls, zero-width and other invisible format characters, control characters: each would change how the
# text around it looks without being seen. Tab and line feed stay; the joiners that emoji and scripts need go too,
# since a report must show what was said, not how it was styled.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def mend(text: str) -> str:
    """Return text that can be written as UTF-8: a lone surrogate becomes the replacement character."""
    return _SURROGATE.sub("\ufffd", text)


def show_marks(text: str) -> str:
    """Return text with every invisible control written out, so that none acts on the page."""
    return INVISIBLE.sub(lambda m: f"[U+{ord(m.group()):04X}]", mend(text))


def show_share(value: float | None, digits: int = 3) -> str:
    """Return a figure with fixed digits; one that would round to nothing says what it is below."""
    if value is None:
        return UNDEFINED
    if 0 < abs(value) < 0.5 * 10**-digits:
        return f"<{10**-digits:.{digits}f}" if value > 0 else f">\u2212{10**-digits:.{digits}f}"
    return f"{value + 0.0:.{digits}f}".replace("-", "\u2212")


def show_difference(value: float | None, digits: int = 3) -> str:
    """Return a signed figure; the minus is a real one, so that columns line up."""
    if value is None:
        return UNDEFINED
    if abs(value) < 0.5 * 10**-digits:
        return show_share(value, digits)
    return f"{value:+.{digits}f}".replace("-", "\u2212")


def show_money(value: float | None, currency: str) -> str:
    """Return money with enough digits to tell cheap calls apart."""
    if value is None:
        return UNDEFINED
    digits = 0 if not value else 2 if abs(value) >= 1 else 4 if abs(value) >= 0.001 else 6
    return f"{value:,.{digits}f} {currency}".strip()


def mode_words(mode: str) -> str:
    """Return a mode as it is written: numbers of modes are Roman, travel is a word."""
    return mode if mode == TRAVEL else mode.upper()


def setup_words(mode: str, setup: str) -> str:
    """Return a setup as it follows a condition or a language; nothing where there is but one."""
    return f", {setup}" if mode == TRAVEL or setup != DIALOGUE else ""
