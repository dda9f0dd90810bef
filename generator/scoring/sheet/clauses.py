"""What the words of a clause do to its numbers: history, negation, parts, suppositions, cancellations."""

from __future__ import annotations

from dataclasses import dataclass

from generator.scoring.sheet.lex import Tok

_CLAUSE = {"comma", "stop", "open", "close"}


@dataclass(slots=True)
class Flags:
    """What the words of the clause so far do to its numbers."""

    hist: bool = False
    neg: bool = False
    part: bool = False
    hypo: bool = False
    off: bool = False

    @property
    def drops(self) -> bool:
        """Whether a number here commits the reply to nothing."""
        return self.hist or self.neg or self.part or self.hypo or self.off


def plain_brackets(tokens: list[Tok]) -> set[int]:
    """Return the positions of brackets that only group arithmetic, as in (10 × 680) + (12 × 1500)."""
    plain, opened = set[int](), list[int]()
    for index, tok in enumerate(tokens):
        if tok.kind == "open":
            opened.append(index)
        elif tok.kind == "close" and opened:
            start = opened.pop()
            before = tokens[start - 1].kind if start else ""
            after = tokens[index + 1].kind if index + 1 < len(tokens) else ""
            if before in {"times", "plus"} or (after in {"times", "plus", "eq"} and before != "word"):
                plain |= {start, index}
    return plain


def cancelled_clauses(tokens: list[Tok]) -> set[int]:
    """Return the positions of tokens in clauses that say that something is off."""
    offs, clause, is_off = set[int](), list[int](), False
    for index, tok in enumerate((*tokens, Tok("stop", 0, 0))):
        if tok.kind in _CLAUSE:
            if is_off:
                offs.update(clause)
            clause, is_off = [], False
            continue
        if tok.kind == "now" and is_off:
            offs.update(clause)
            clause, is_off = [], False
        clause.append(index)
        is_off = is_off or tok.kind == "cancel"
    return offs
