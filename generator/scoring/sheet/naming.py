"""Names and labels in a line: which rows are open, and which label a number answers."""

from __future__ import annotations

import re

from generator.scoring.sheet.binding import Group, Label, Term
from generator.scoring.sheet.lex import Tok
from generator.scoring.sheet.line_state import LineState
from generator.scoring.sheet.numbers import Num
from generator.scoring.sheet.units import CONTAINERS

EACH = {"each", "apiece", "per unit", "per item", "unit"}
_MAX_PENDING = 12
OF = re.compile(r"\sof\s(?:the\s)?")
_LABEL_AFTER = re.compile(r"\s?(?:的|for(?: the)?\s|in\s|as(?: the)?\s|of\s)?")
_LIGHT_GAP = re.compile(rf"[\s\-]*(?:(?:{'|'.join(CONTAINERS.values())}|of|the|new|x|×|\*|的|新)[\s\-]*){{0,3}}")
_TIGHT = re.compile(r"[\s:]{0,3}(?:the\s)?")
_COUNTED_FROM = re.compile(r"(?:日期?|那天|之日)?(?:之?[后前]|以[后前]|往[后前]|起)")
_AFTER_WORDS = re.compile(r"\b(?:after|before|from|following)(?: the)?\s")


class Naming(LineState):
    """Opens rows, queues labels, and hands a number the label it belongs to."""

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
        lead = self._leading_number(index, tok)
        joins = before is not None and before.kind in {"join", "list", "slash", "plus", "all"}
        if joins and index > 1 and self.group is not None and not self.group.loose and lead is None:
            previous = self.tokens[index - 2]
            is_row = previous.word is not None and bool(previous.word.rows)
            if is_row and (self.group.every or not self.terms):
                self.group.rows = tuple(dict.fromkeys((*self.group.rows, *rows)))
                return
        kept = self.ops[-1:] if lead is not None and len(self.ops) == len(self.terms) else []
        if lead is not None:
            lead.foreign = False
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
        follows_row = before is not None and before.word is not None and bool(before.word.rows)
        if before is not None and follows_row and _TIGHT.fullmatch(self._gap(before, self.tokens[position])):
            return None
        return last

    def _label(self, index: int, tok: Tok) -> None:
        word = tok.word
        if word is None or self.flags.hypo:
            return
        # "其中货款 24,800 元": a part with a name of its own is a value
        self.flags.part = False
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if tok.text in EACH and self.terms and len(self.ops) < len(self.terms) and self.terms[-1].label is None:
            self._per(tok)
            return
        colon = after is not None and (after.kind in {"colon", "eq"} or after.kind == "now")
        if self.terms and len(self.ops) != len(self.terms):
            self._finish()
        columns, figures = word.columns, word.figures
        before = self.tokens[index - 1] if index else None
        if before is not None and (self._is_tail(before, tok) or self._is_reference(before, tok)):
            return
        if columns and self.group is None and self.summing and not figures:
            # "合计：医生 9 名" is about no row
            figure = self.lex.sums.get(columns[0])
            columns, figures = (), (figure,) if figure else ()
            if not figures:
                return
        if columns and self.group is None and self.context and (index == 0 or not figures):
            self.group = Group(self.context, self.place.strength, scope=self.place.scope, only_labelled=True)
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
            return before.num.kind == "percent" and OF.fullmatch(gap) is not None
        word = before.word
        return bool(word and word.figures and not word.columns and self.pending and not gap.strip())

    def _is_reference(self, before: Tok, tok: Tok) -> bool:
        """Return whether a label only says where another one is counted from ("审核日：最晚到货后第 5 天，即 …")."""
        if not any(label.colon for label in self.pending):
            return False
        lead = self.text[before.end : tok.start]
        return _COUNTED_FROM.match(self.text, tok.end) is not None or _AFTER_WORDS.search(lead) is not None

    def _is_full(self) -> bool:
        """Return whether the row already has as many unlabelled money values as are asked for."""
        if self.group is None:
            return False
        money = [c for c in self.lex.requested if self.lex.fields[c].family == "money" and c not in self.group.bound]
        waiting = [t for t in (*self.group.loose, *self.terms) if t.num.kind in {"money", "bare"}]
        return len(waiting) >= max(1, len(money)) and bool(money)

    def _label_after(self, index: int, num: Num) -> Label | None:
        """Return the label of "£218 for fitting" and "1240 元安装费", unless that label has a number of its own."""
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if after is None or after.word is None or after.word.rows or after.text in EACH:
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

    def _per(self, tok: Tok) -> None:
        if self.terms and len(self.ops) < len(self.terms) and tok.start - self.terms[-1].num.end <= 3:
            last = self.terms[-1]
            if self.group is not None and len(self.group.rows) > 1 and last.num.kind in {"bare", "count"}:
                self.group.every = True
            elif last.num.kind in {"bare", "money"}:
                last.each = True
        else:
            self.each = True
