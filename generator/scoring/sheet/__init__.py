"""Reading a reply that is, or carries, the current sheet: rows by columns, and figures of the whole."""

from generator.scoring.sheet.parse import MAX_CHARS, parse_sheet
from generator.scoring.sheet.reading import Cell, Mention, Settled, SheetReading, Strength, Value

__all__ = ["MAX_CHARS", "Cell", "Mention", "Settled", "SheetReading", "Strength", "Value", "parse_sheet"]
