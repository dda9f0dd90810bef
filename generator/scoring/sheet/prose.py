"""Lines, list entries and running text: a left-to-right binder of numbers to rows, columns and figures."""

from __future__ import annotations

from generator.scoring.sheet.binding import Group, Label, Term
from generator.scoring.sheet.clauses import Flags, cancelled_clauses, plain_brackets
from generator.scoring.sheet.lex import Tok
from generator.scoring.sheet.naming import OF, Naming
from generator.scoring.sheet.numbers import Num
from generator.scoring.sheet.reading import Strength

_OPS = {"times", "at", "eq", "plus", "slash", "dash", "or", "list"}


class LineReader(Naming):
    """Reads the tokens of one line (or table cell) after another; rows carry over to lines that open with a label."""

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
        self.begin(tokens, text, strength)
        self.group = group
        self.pending = [label] if label is not None else []
        self.plain = plain_brackets(tokens)
        offs = cancelled_clauses(tokens)
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
            first = min(offs)
            named = first >= 2 and self.tokens[first - 1].kind == "open" and first - 2 == words[0][0]
            if named or "num" not in later or first < words[0][0]:
                self.sink.cancelled.add(words[0][1])
                offs.update(range(len(self.tokens)))

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
        if is_past and index + 2 < len(self.tokens) and (then := self.tokens[index + 2].word) is not None:
            # "card fee $98 → net $4,784": what follows has a name of its own
            is_past = not then.figures
        is_delta = tok.delta or (before is not None and before.kind == "delta" and tok.start - before.end <= 2)
        is_base = bool(before and self._is_rate(before, tok)) or bool(after and self._is_rate(tok, after))
        if is_delta and before is not None and self.terms and before.start - self.terms[-1].num.end <= 1:
            # "12 把减 2 把": what is taken from is not the value either
            base = self.terms.pop()
            if base.label is not None:
                self.pending.append(base.label)
        told = self._label_after(index, num) if self.flags.part else None
        if told is not None or (self.flags.part and self._tells_column(num)):
            # "28 ml with a 40-minute incubation": a part with a name of its own is a value
            self.flags.part = False
        if self.flags.drops or is_delta or is_past or is_base:
            self.dropped = True
            self._finish()
            if is_past:
                self.flags.hist = False
            return
        label = told or self._label_after(index, num) or self._take_label(num)
        if tok.weak and label is None and not (self.group and (self.group.every or self.group.sticky)):
            return
        if self.terms and len(self.ops) != len(self.terms):
            self._finish()
        self.terms.append(Term(num, label, self.each, bool(self.stack), tok.foreign, tok.weak))
        self.each = False

    def _tells_column(self, num: Num) -> bool:
        """Return whether a number's unit is itself the name of a column, and that one is still open in the row."""
        word = self.lex.words.get(num.unit) if num.unit else None
        return bool(word and word.columns and self.group is not None and word.columns[0] not in self.group.bound)

    def _is_rate(self, left: Tok, right: Tok) -> bool:
        """Return whether two numbers read "5% of £4,360" or "24,800 的 5%": a rate and its base, no value."""
        if left.num is None or right.num is None:
            return False
        gap = self._gap(left, right)
        if left.num.kind == "percent":
            return OF.fullmatch(gap) is not None and right.num.kind in {"money", "bare"}
        return right.num.kind == "percent" and gap.strip() == "的"

    def _is_product(self) -> bool:
        """Return whether an arrow here would stand for "=", as in "10 × £118 → £1,180"."""
        return len(self.ops) == len(self.terms) > 0 and self.ops[-1] in {"times", "at"}

    def _operator(self, index: int, tok: Tok) -> None:
        if tok.kind == "list" or (tok.kind == "dash" and self._is_break(index, tok)):
            self._finish()
        elif self.terms and len(self.ops) < len(self.terms):
            self.ops.append(tok.kind)
        elif tok.kind == "at":
            num = self.tokens[index + 1].num if index + 1 < len(self.tokens) else None
            self.each = tok.text != "at" or (num is not None and num.kind == "money")

    def _is_break(self, index: int, tok: Tok) -> bool:
        """Return whether a dash parts two values rather than subtracting or spanning, as in "12 - 2 = 10"."""
        then = [after.kind for after in self.tokens[index + 1 : index + 3]]
        is_spaced = self.text[tok.start - 1 : tok.start] == " " and self.text[tok.end : tok.end + 1] == " "
        return tok.text.startswith("—") or (is_spaced and then != ["num", "eq"])

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
        elif kind == "sum":
            self.summing = self.summing or self.group is None
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
