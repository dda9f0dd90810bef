"""The state of a line while it is read: open rows, waiting labels, the expression so far."""

from __future__ import annotations

from generator.scoring.sheet.binding import Group, Label, Place, Term, place_expression
from generator.scoring.sheet.clauses import Flags
from generator.scoring.sheet.lex import Tok
from generator.scoring.sheet.numbers import Num
from generator.scoring.sheet.reading import Strength
from generator.scoring.sheet.sink import Sink
from generator.scoring.sheet.unlabelled import flush_group


class LineState:
    """State and its transitions; `context`, `sticky`, `order` and `scope` outlive a line, the rest does not."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.lex = sink.lex
        self.context: tuple[str, ...] = ()
        self.sticky: Label | None = None
        self.order: tuple[str, ...] | None = None
        self.scope: str | None = None
        self.begin([], "", Strength.PROSE)

    def begin(self, tokens: list[Tok], text: str, strength: Strength) -> None:
        """Forget the last line and take up the tokens of a new one."""
        self.tokens, self.text = tokens, text
        self.place = Place(strength, scope=self.scope)
        self.flags = Flags()
        self.group: Group | None = None
        self.pending: list[Label] = []
        self.terms: list[Term] = []
        self.ops: list[str] = []
        self.each = False
        self.stack: list[tuple[Group | None, list[Label], Flags, str | None]] = []
        self.ahead: Term | None = None
        self.dropped = False
        self.summing = False
        self.skipped: set[int] = set()
        self.plain: set[int] = set()

    def _gap(self, left: Tok | Num, right: Tok) -> str:
        return self.text[left.end : right.start]

    def _finish(self) -> None:
        """Place the expression that has been gathered."""
        if self.terms:
            del self.ops[len(self.terms) - 1 :]
            place_expression(self.sink, self.group, self.terms, self.ops, self.place)
        self.terms, self.ops = [], []

    def _use_spares(self) -> None:
        for label in self.pending:
            if label.spare is not None:
                place_expression(self.sink, self.group, [Term(label.spare, label)], [], self.place)
                label.spare = None

    def _flush(self, *, keep: bool = False) -> None:
        if self.group is not None:
            flush_group(self.sink, self.group, self.place, self.order)
            if self.group.rows:
                self.context = self.group.rows
            if not keep:
                self.group = None

    def _end_clause(self) -> None:
        self._finish()
        self._use_spares()
        self.flags = Flags(hypo=self.flags.hypo)
        if not self.dropped:
            self.pending = [label for label in self.pending if label.colon or label.held]

    def _end_sentence(self) -> None:
        self._finish()
        self._use_spares()
        self._flush()
        self.pending, self.dropped, self.each, self.summing = [], False, False, False
        self.flags = Flags()
        self.place = Place(self.place.strength, scope=self.scope)
