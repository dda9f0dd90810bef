"""Where the readers of lines, tables and JSON put what they find."""

from __future__ import annotations

from generator.scoring.sheet.lexicon import Lexicon
from generator.scoring.sheet.numbers import Num, convert
from generator.scoring.sheet.reading import Mention, Settled, SheetReading, Strength, Value, settle


class Sink:
    """Collects mentions while a reply is read, and settles them at the end."""

    def __init__(self, lex: Lexicon) -> None:
        self.lex = lex
        self.mentions: dict[tuple[str | None, str, str | None], list[Mention]] = {}
        self.listed: dict[str, Strength] = {}
        self.cancelled: set[str] = set()

    def read(self, num: Num, field: str, *, told: bool) -> Value | None:
        """Return a number read as a value of a column or figure, None if its marks forbid it."""
        return convert(num, self.lex.fields[field], self.lex.today, told=told)

    def put(
        self,
        row: str | None,
        field: str,
        value: Value,
        strength: Strength,
        where: int,
        *,
        labelled: bool,
        scope: str | None = None,
        corrected: bool = False,
        doubtful: bool = False,
        backup: bool = False,
    ) -> None:
        """Record one mention; a row that gets a value is listed."""
        mention = Mention(row, field, value, strength, labelled, where, scope, corrected, doubtful, backup)
        self.mentions.setdefault((row, field, scope), []).append(mention)
        if row is not None:
            self.list_row(row, strength)

    def list_row(self, row: str, strength: Strength) -> None:
        """Record that the reply has this row, with or without values."""
        self.listed[row] = max(strength, self.listed.get(row, strength))

    def _move_subtotal(self) -> None:
        """Give a "total" that only sums the lines, above a later total, to the figure of the goods.

        People write 合计 under the rows, then the fee, then 总计; both are labels of the total.
        """
        lex = self.lex
        if lex.total is None or lex.goods is None or lex.line is None or lex.total == lex.goods:
            return
        totals = self.mentions.get((None, lex.total, None), [])
        if len({m.value.sure for m in totals}) < 2:
            return
        lines = [settle(found) for (row, name, _), found in self.mentions.items() if row and name == lex.line]
        values = [min(cell.value.sure) for cell in lines if cell is not None and len(cell.value.sure) == 1]
        if len(values) != len(lines) or not lines:
            return
        sums = [m for m in totals if m.value.sure == frozenset({sum(values)})]
        if len(sums) == len(totals):
            return
        self.mentions[(None, lex.total, None)] = [m for m in totals if m not in sums]
        if (None, lex.goods, None) not in self.mentions:
            self.mentions[(None, lex.goods, None)] = sums

    def finish(self) -> SheetReading:
        """Return the settled reading."""
        reading = SheetReading(cancelled=self.cancelled)
        self._move_subtotal()
        for (row, field, scope), mentions in self.mentions.items():
            cell = settle(mentions)
            if cell is None:
                continue
            if row is None:
                if scope is None or field not in reading.figures:
                    reading.figures[field] = cell
                continue
            reading.cells[(row, field, scope)] = cell
            if field == self.lex.qty and cell.state == Settled.ONE and cell.value.sure == {0}:
                reading.zero.add(row)
        is_sheet = any(strength >= Strength.LINE for strength in self.listed.values())
        for row, strength in self.listed.items():
            # beside a sheet, running text only talks about rows; by itself it is the sheet
            if strength >= (Strength.LINE if is_sheet else Strength.PROSE):
                reading.live.add(row)
        reading.live -= reading.zero
        return reading
