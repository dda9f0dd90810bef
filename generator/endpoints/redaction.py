"""Keep keys out of everything that is written, and half surrogates out of what must be UTF-8."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

REDACTED = "[redacted]"
SHORTEST_SECRET = 8
"""Characters. A shorter value (`EMPTY`, `test`) is a placeholder: to replace it everywhere would spoil replies."""

_SECRET_NAME = re.compile(r"_API_KEY$|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
# Settings such as TOKENIZERS_PARALLELISM=false or MAX_TOKENS=100000000 have such names and are no secrets.
_PLAIN_VALUE = re.compile(r"[\d.,]+|true|false|disabled|enabled", re.IGNORECASE)
_LOOKS_SECRET = re.compile(
    r"(?<![A-Za-z0-9])(?:sk|pk|rk|gsk|xai|hf)[-_][A-Za-z0-9_\-]{16,}|(?i:(?<=bearer )[^\s\"',;]+)"
)
_HALF = re.compile("[\ud800-\udfff]")


class Redactor:
    """Replaces secrets by `[redacted]`: the values of key variables, and those given."""

    def __init__(self, environ: Mapping[str, str] | None = None, used: Iterable[str] = ()) -> None:
        environ = os.environ if environ is None else environ
        used = [value for value in used if value]
        found = {
            value for name, value in environ.items() if _SECRET_NAME.search(name) and not _PLAIN_VALUE.fullmatch(value)
        } | set(used)
        # The longest first: one secret may be the beginning of another.
        self._values = sorted((v for v in found if len(v) >= SHORTEST_SECRET), key=lambda v: (-len(v), v))
        short = sorted({v for v in used if len(v) < SHORTEST_SECRET})
        self._short = re.compile("|".join(rf"(?<!\w){re.escape(v)}(?!\w)" for v in short)) if short else None

    def redact(self, text: str) -> str:
        """Return text in which no secret occurs."""
        for value in self._values:
            if value in text:
                text = text.replace(value, REDACTED)
        return text

    def redact_error(self, text: str) -> str:
        """Return the words of a server: also without what merely looks like a key, and without a short used key."""
        text = _LOOKS_SECRET.sub(REDACTED, self.redact(text))
        return self._short.sub(REDACTED, text) if self._short else text


def redact(text: str, environ: Mapping[str, str] | None = None) -> str:
    """Return text without the value of any `*_API_KEY`, `*TOKEN*`, `*SECRET*` or `*PASSWORD*` variable."""
    return Redactor(environ).redact(text)


def mend_surrogates(text: str) -> str:
    """Return text that can be written as UTF-8: surrogate pairs are joined, lone halves become U+FFFD."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
