"""Where a reply says outright what its answer is: after a label, or in a line of its own at the top."""

import re
from itertools import dropwhile, takewhile

from generator.scoring.read.context import correction_ends
from generator.scoring.read.text import Plain

_LABEL = re.compile(
    r"(?:^|(?<=[\n。！!;；.]))[ \t#>*•·-]{0,6}(?:so,? |therefore,? |hence,? )?"
    r"(?:(?:(?:the|my|your) )?(?:final |short |correct |overall )?(?:answer|result|conclusion)(?: is)?|"
    r"in (?:conclusion|short)|"
    r"(?:所以|因此|那么?)?(?:最终|最后|正确)?的?(?:答案|结论|结果|答)(?:就?是|为)?)[ \t]{0,2}[:：][ \t]{0,3}"
    r"|(?:^|(?<=[\n。！!;；.，,]))[ \t]{0,3}(?:所以|因此|那么?)?(?:最终|最后|正确)?的?(?:答案|结论)(?:就?是|"
    r"应该?是|应?为)[ \t]{0,2}",
    re.IGNORECASE,
)
_SHORT_LINE = 24
_LIST_LINE = re.compile(r"\s{0,8}(?:[-*•·]|[0-9]{1,2}[.)、])\s")


def stated_answer(plain: Plain) -> Plain | None:
    """Return what follows the last label such as "Answer:" or "答案是"; None without one, or if taken back later.

    That is the rest of the line, or, where nothing follows in the line, the block of lines below it.
    """
    found = list(_LABEL.finditer(plain.text))
    if not found or any(end > found[-1].end() for end in correction_ends(plain.text)):
        return None
    return _part(plain, found[-1].end())


def headline(plain: Plain) -> Plain | None:
    """Return the first line where it stands alone, being short or emphasised as a whole; None otherwise."""
    first, _, rest = plain.text.partition("\n")
    line = first.strip(" \t#*>")
    is_short = len(line) <= _SHORT_LINE and rest.startswith("\n")
    is_alone = bool(rest) and (is_short or line in plain.bold.split("\n"))
    if not line or not is_alone or _LIST_LINE.match(plain.text) or line[-1] in ":：?？":
        return None
    return None if correction_ends(plain.text[len(line) :]) else Plain(line, plain.bold, None)


def _part(plain: Plain, start: int) -> Plain | None:
    lines = plain.text[start:].split("\n")
    body = lines[0].strip()
    if not body.strip(" .:：*"):
        below = dropwhile(lambda line: not line.strip(), lines[1:])
        body = "\n".join(takewhile(str.strip, below))
    return Plain(body, plain.bold, None) if body.strip() else None
