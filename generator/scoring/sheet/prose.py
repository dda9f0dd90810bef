"""Lines, list entries and running text: a left-to-right binder of numbers to rows, columns and figures."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.scoring.sheet.binding import Group, Label, Place, Term, flush_group, place_expression
from generator.scoring.sheet.lex import Tok
from generator.scoring.sheet.numbers import Num
from generator.scoring.sheet.reading import Strength
from generator.scoring.sheet.sink import Sink

_EACH = {"each", "apiece", "per unit", "per item", "unit"}
_CLAUSE = {"comma", "stop", "open", "close"}
_OPS = {"times", "at", "eq", "plus", "slash", "dash", "or", "list"}
_MAX_PENDING = 12
_OF = re.compile(r"\sof\s(?:the\s)?")
_LABEL_AFTER = re.compile(r"\s?(?:的|for(?: the)?\s|in\s|as(?: the)?\s|of\s)?")
_LIGHT_GAP = re.compile(r"[\s\-]*(?:(?:of|the|new|x|×|\*|的|新)[\s\-]*){0,3}")
_TIGHT = re.compile(r"[\s:]{0,3}(?:the\s)?")


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


class LineReader:
    """Reads the tokens of one line (or table cell) after another; rows carry over to lines that open with a label."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.lex = sink.lex
        self.context: tuple[str, ...] = ()
        self.sticky: Label | None = None
        self.order: tuple[str, ...] | None = None
        self.scope: str | None = None

    def read_line(
        self,
        tokens: list[Tok],
        text: str,
        strength: Strength,
        *,
        group: Group | None = None,
        label: Label | None = None,
    ) -> None:
        """Bind the numbers of one line, or of a cell whose row (`group`) or label is known beforehand."""
        self.tokens, self.text = tokens, text
        self.place = Place(strength, scope=self.scope)
        self.flags = Flags()
        self.group = group
        self.pending = [label] if label is not None else []
        self.terms: list[Term] = []
        self.ops: list[str] = []
        self.each = False
        self.stack: list[tuple[Group | None, list[Label], Flags, str | None]] = []
        self.ahead: Term | None = None
        self.dropped = False
        self.skipped: set[int] = set()
        self.line_rows: list[str] = []
        self.plain = _plain_brackets(tokens)
        offs = _cancelled_clauses(tokens)
        if offs and group is None:
            self._cancel_rows(offs)
        for index, tok in enumerate(tokens):
            self.flags.off = index in offs
            if index in self.skipped:
                continue
            if tok.kind == "num":
                self._number(index, tok)
            elif tok.kind == "word":
                self._word(index, tok)
            elif tok.kind in _OPS:
                self._operator(index, tok)
            else:
                self._mark(index, tok)
        while self.stack:
            self._close()
        self._end_sentence()

    def _cancel_rows(self, offs: set[int]) -> None:
        """Note the rows of cancelled clauses; a lone "cancelled" takes the whole line with its one row."""
        words = [(i, t.word.rows[0]) for i, t in enumerate(self.tokens) if t.word is not None and t.word.rows]
        self.sink.cancelled.update(row for index, row in words if index in offs)
        inside = [self.tokens[i].kind for i in offs]
        if len({row for _, row in words}) == 1 and not {"num", "word"} & set(inside):
            later = [t.kind for t in self.tokens[max(offs) + 1 :]]
            if "num" not in later or min(offs) < words[0][0]:
                self.sink.cancelled.add(words[0][1])
                offs.update(range(len(self.tokens)))

    def _gap(self, left: Tok | Num, right: Tok) -> str:
        return self.text[left.end : right.start]

    # --- numbers -----------------------------------------------------------------------------------------

    def _number(self, index: int, tok: Tok) -> None:
        num = tok.num
        if num is None:
            return
        before = self.tokens[index - 1] if index else None
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if before is not None and num.amount == 1 and num.kind == "count" and before.kind == "num" and self.terms:
            last = self.terms[-1]
            if last.num.kind in {"bare", "money"} and not self._gap(before, tok).strip():
                last.each = True
                return
        is_past = after is not None and after.kind == "arrow" and not self._is_product()
        is_delta = tok.delta or (before is not None and before.kind == "delta" and tok.start - before.end <= 2)
        if self.flags.drops or is_delta or is_past:
            self.dropped = True
            self._finish()
            if is_past:
                self.flags.hist = False
            return
        label = self._label_after(index, num) or self._take_label(num)
        if tok.weak and label is None and not (self.group and (self.group.every or self.group.sticky)):
            return
        if self.terms and len(self.ops) != len(self.terms):
            self._finish()
        self.terms.append(Term(num, label, self.each, bool(self.stack), tok.foreign, tok.weak))
        self.each = False

    def _is_product(self) -> bool:
        """Return whether an arrow here would stand for "=", as in "10 × £118 → £1,180"."""
        return len(self.ops) == len(self.terms) > 0 and self.ops[-1] in {"times", "at"}

    def _label_after(self, index: int, num: Num) -> Label | None:
        """Return the label of "£218 for fitting" and "1240 元安装费", unless that label has a number of its own."""
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if after is None or after.word is None or after.word.rows or after.text in _EACH:
            return None
        then = self.tokens[index + 2].kind if index + 2 < len(self.tokens) else "stop"
        if then in {"num", "colon", "eq", "open", "at"} or not _LABEL_AFTER.fullmatch(self._gap(num, after)):
            return None
        names = after.word.figures or (after.word.columns if self.group is not None else ())
        if not any(self.sink.read(num, name, told=True) is not None for name in names[:1]):
            return None
        self.skipped.add(index + 1)
        return Label(() if after.word.figures else after.word.columns, after.word.figures)

    def _take_label(self, num: Num) -> Label | None:
        # "fitting = 5% × £4,360 = £218": a later factor does not take the label of the whole
        is_later = len(self.ops) == len(self.terms) > 0 and self.ops[-1] != "eq"
        for position in range(len(self.pending) - 1, -1, -1):
            label = self.pending[position]
            if is_later and label.at < self.terms[-1].num.end:
                break
            names = label.columns if label.columns and self.group is not None else label.figures
            if any(self.sink.read(num, name, told=True) is not None for name in names[:1]):
                del self.pending[position]
                return label
            if label.figures and num.kind in {"count", "people"}:
                label.held = True
            if num.kind == "percent":
                if len(self.pending) > 1:
                    del self.pending[position]
                self.pending[-1].held = True
                return None
        return None

    def _finish(self) -> None:
        """Place the expression that has been gathered."""
        if self.terms:
            del self.ops[len(self.terms) - 1 :]
            place_expression(self.sink, self.group, self.terms, self.ops, self.place)
        self.terms, self.ops = [], []

    # --- words of the view -------------------------------------------------------------------------------

    def _word(self, index: int, tok: Tok) -> None:
        word = tok.word
        if word is None:
            return
        if word.scope is not None:
            self._enter_scope(index, word.scope)
            return
        if word.rows:
            self._row(index, tok, word.rows if len(word.rows) == 1 else ())
        else:
            self._label(index, tok)

    def _enter_scope(self, index: int, scope: str) -> None:
        """Let what follows hold for a batch or day; the row, if one is open or the line names none, stays."""
        self._finish()
        rows = self.group.rows if self.group is not None else ()
        if not rows and index == 0 and not any(t.word is not None and t.word.rows for t in self.tokens):
            rows = self.context
        self._flush()
        self.place.scope = scope
        if rows:
            self.group = Group(rows, self.place.strength, self.sticky, scope=scope)
        if index == 0 and not any(t.kind == "num" for t in self.tokens):
            self.scope = scope

    def _row(self, index: int, tok: Tok, rows: tuple[str, ...]) -> None:
        before = self.tokens[index - 1] if index else None
        if before is not None and before.kind == "per" and self.group is not None and self.group.rows == rows:
            return
        if rows and not (self.flags.hypo or self.flags.neg):
            self.line_rows.extend(rows)
        lead = self._leading_number(index, tok)
        joins = before is not None and before.kind in {"join", "list", "slash", "plus", "all"}
        if joins and index > 1 and self.group is not None and not self.group.loose and lead is None:
            previous = self.tokens[index - 2]
            if previous.kind == "word" and previous.word is not None and previous.word.rows and (self.group.every or not self.terms):
                self.group.rows = tuple(dict.fromkeys((*self.group.rows, *rows)))
                return
        kept = self.ops[-1:] if lead is not None and len(self.ops) == len(self.terms) else []
        if lead is not None:
            self.terms.pop()
            del self.ops[max(len(self.terms) - 1, 0) :]
        self._finish()
        self._flush()
        sticky = self.sticky
        if lead is None and self.pending and self.pending[-1].columns:
            sticky = self.pending[-1]
            self.pending = self.pending[:-1]
        elif self.group is not None and self.group.sticky is not None:
            sticky = self.group.sticky
        self.group = Group(rows, self.place.strength, sticky, scope=self.place.scope)
        if before is not None and before.kind == "all":
            self.group.every = True
        if self.ahead is not None:
            self.group.every, lead, self.ahead = True, self.ahead, None
        if lead is not None:
            self.terms, self.ops = [lead], kept

    def _leading_number(self, index: int, tok: Tok) -> Term | None:
        """Return the number that belongs to the row named after it, as in "10 task chairs"."""
        if not self.terms or self.terms[-1].label is not None:
            return None
        last = self.terms[-1]
        if last.each:
            # "£118 per task chair"
            return last if self.tokens[index - 1].kind == "per" else None
        if last.num.kind not in {"bare", "count"} or not _LIGHT_GAP.fullmatch(self._gap(last.num, tok)):
            return None
        position = index - 1
        while position >= 0 and self.tokens[position].kind in {"times", "per"}:
            position -= 1
        before = self.tokens[position - 1] if position >= 1 else None
        if before is not None and before.kind == "word" and before.word is not None and before.word.rows:
            if _TIGHT.fullmatch(self._gap(before, self.tokens[position])):
                return None
        return last

    def _label(self, index: int, tok: Tok) -> None:
        word = tok.word
        if word is None or self.flags.hypo:
            return
        # "其中货款 24,800 元": a part with a name of its own is a value
        self.flags.part = False
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if tok.text in _EACH and self.terms and len(self.ops) < len(self.terms) and self.terms[-1].label is None:
            self._per(tok)
            return
        colon = after is not None and (after.kind in {"colon", "eq"} or after.kind == "now")
        if self.terms and len(self.ops) != len(self.terms):
            self._finish()
        columns, figures = word.columns, word.figures
        before = self.tokens[index - 1] if index else None
        if before is not None and self._is_tail(before, tok):
            return
        if columns and self.group is None and self.context and (index == 0 or not figures):
            self.group = Group(self.context, self.place.strength, scope=self.place.scope)
        if figures and (self.group is None or not columns or columns[0] in self.group.bound or self._is_full()):
            if columns:
                columns = ()
            self._flush(keep=True)
        elif columns and self.group is not None:
            figures = ()
        self.pending = [*self.pending[-_MAX_PENDING:], Label(columns, figures, colon, at=tok.start)]

    def _is_tail(self, before: Tok, tok: Tok) -> bool:
        """Return whether a label only belongs to another ("balance due date") or to a rate ("5% of the goods")."""
        gap = self._gap(before, tok)
        if before.num is not None:
            return before.num.kind == "percent" and _OF.fullmatch(gap) is not None
        word = before.word
        return bool(word and word.figures and not word.columns and self.pending and not gap.strip())

    def _is_full(self) -> bool:
        """Return whether the row already has as many unlabelled money values as are asked for."""
        if self.group is None:
            return False
        money = [c for c in self.lex.requested if self.lex.fields[c].family == "money" and c not in self.group.bound]
        waiting = [t for t in (*self.group.loose, *self.terms) if t.num.kind in {"money", "bare"}]
        return len(waiting) >= max(1, len(money)) and bool(money)

    # --- marks -------------------------------------------------------------------------------------------

    def _operator(self, index: int, tok: Tok) -> None:
        if tok.kind == "dash" and (tok.text.startswith("—") or self._is_spaced(tok)) or tok.kind == "list":
            self._finish()
        elif self.terms and len(self.ops) < len(self.terms):
            self.ops.append(tok.kind)
        elif tok.kind == "at":
            self.each = True

    def _is_spaced(self, tok: Tok) -> bool:
        return self.text[tok.start - 1 : tok.start] == " " and self.text[tok.end : tok.end + 1] == " "

    def _mark(self, index: int, tok: Tok) -> None:
        kind = tok.kind
        if kind == "stop":
            self._end_sentence()
        elif kind == "comma":
            self._end_clause()
        elif kind in {"open", "close"}:
            if index not in self.plain:
                if kind == "open":
                    self._finish()
                    self.stack.append((self.group, self.pending, self.flags, self.place.scope))
                    self.pending, self.flags = [], Flags(hypo=self.flags.hypo)
                elif self.stack:
                    self._close()
        elif kind == "per":
            self._per(tok)
        elif kind == "arrow":
            if self.terms and len(self.ops) < len(self.terms) and {"times", "at"} & set(self.ops):
                self.ops.append("eq")
        elif kind == "all":
            if self.group is not None:
                self.group.every = True
            elif self.terms and len(self.ops) < len(self.terms):
                self.ahead = self.terms.pop()
        elif kind == "resp" and self.group is not None:
            self.group.apart = True
        elif kind == "now":
            self.flags.hist = self.flags.neg = self.flags.part = False
        elif kind == "correct":
            self.place.corrected = True
            self.flags.hist = self.flags.neg = False
        elif kind in {"hist", "neg", "part", "hypo"}:
            if kind == "neg" and self.flags.hist:
                return
            self._finish()
            setattr(self.flags, kind, True)

    def _per(self, tok: Tok) -> None:
        if self.terms and len(self.ops) < len(self.terms) and tok.start - self.terms[-1].num.end <= 3:
            last = self.terms[-1]
            if self.group is not None and len(self.group.rows) > 1 and last.num.kind in {"bare", "count"}:
                self.group.every = True
            elif last.num.kind in {"bare", "money"}:
                last.each = True
        else:
            self.each = True

    def _close(self) -> None:
        """Leave a bracket: what was open outside goes on."""
        inner = self.terms[0] if len(self.terms) == 1 and self.terms[0].label is None else None
        group, pending, flags, scope = self.stack.pop()
        if inner is not None and pending and pending[-1].spare is None:
            names = pending[-1].columns if group is not None and pending[-1].columns else pending[-1].figures
            if any(self.sink.read(inner.num, name, told=True) is not None for name in names[:1]):
                pending[-1].spare = inner.num
                self.terms = []
        self._finish()
        if self.group is not group:
            self._flush()
        self.group, self.pending, self.flags, self.place.scope = group, pending, flags, scope

    def _use_spares(self) -> None:
        for label in self.pending:
            if label.spare is not None:
                place_expression(self.sink, self.group, [Term(label.spare, label)], [], self.place)
                label.spare = None

    def _end_clause(self) -> None:
        self._finish()
        self._use_spares()
        self.flags = Flags(hypo=self.flags.hypo)
        if not self.dropped:
            self.pending = [label for label in self.pending if label.colon or label.held]

    def _flush(self, *, keep: bool = False) -> None:
        if self.group is not None:
            flush_group(self.sink, self.group, self.place, self.order)
            if self.group.rows:
                self.context = self.group.rows
            if not keep:
                self.group = None

    def _end_sentence(self) -> None:
        self._finish()
        self._use_spares()
        self._flush()
        self.pending, self.dropped, self.each = [], False, False
        self.flags = Flags()
        self.place = Place(self.place.strength, scope=self.scope)


def _plain_brackets(tokens: list[Tok]) -> set[int]:
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


def _cancelled_clauses(tokens: list[Tok]) -> set[int]:
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
