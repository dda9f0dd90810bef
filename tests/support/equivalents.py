"""Mutants that no chain can tell from the original, each with the reason.

An entry names function, statement and change, as `Mutant.name` writes them.
"""

LENIENT = "only a lenient sheet differs, and answers are read off exact ones; test_update_chain tests the lenient"
TIE = "the only value that tells the two comparisons apart is a tie, which the line before refuses"
LAST = "falling off the end of the function gives a false value as well"
NEVER = "defence in depth: no caller gets here"
SIGN = "the step is 1 or -1, and no days at all take no step"
BULK = "redundant: a row that is not introduced yet is not live either, which the next line asks"

_INTRODUCED = (
    "_touches: introduced = any((e.kind == 'intro' and e.item == row for e in self.events[:at])): "
)  # fmt: skip
_WALK = "_walk: at = at + dt.timedelta(days=7 - at.weekday() if step > 0 else 4 - at.weekday()): "

EQUIVALENT: dict[str, dict[str, str]] = {
    "forward": {
        "_column: if rest and sheet.exact:: without operand 2": LENIENT,
        "_share: if rest and formula.round is None and exact:: without operand 3": LENIENT,
        "_share: if 2 * rest == 10000 * unit and exact:: without operand 2": LENIENT,
        "_moved: if rest and self.exact:: without operand 2": LENIENT,
        "_share: return (whole + (2 * rest >= 10000 * unit)) * unit: GtE to Gt": TIE,
        "_push: if cell not in self.history:: dropped": NEVER,
        "_push: raise InvalidChainError(f'{item}.{field} has no value'): dropped": NEVER,
    },
    "backward": {
        "is_live: return False: False to True": NEVER,
        "is_live: return False: dropped": NEVER,
        "touched: return None: dropped": LAST,
        "_touches: return False: dropped": LAST,
        _INTRODUCED + "And to Or": BULK,
        _INTRODUCED + "without operand 1": BULK,
        _INTRODUCED + "without operand 2": BULK,
        _INTRODUCED + "slice without upper": BULK,
        "_touches: return event.field == field and event.other != row and introduced and self.is_live(row, at): "
        "without operand 3": BULK,
        "base: if changed is None or self.events[changed].kind == 'intro':: without operand 2": (
            "before an introduction there is no value, which is refused all the same"
        ),
        "base: raise InvalidChainError(f'unknown event {event.kind}'): dropped": NEVER,
        "cell: units = [Fraction(part, self._scale(argument)) for part, argument in "
        "zip(parts, formula.args, strict=True)]: True to False": "one part is made for each argument",
        "_rounded: return (below if part < Fraction(1, 2) else below + 1) * grain: Lt to LtE": TIE,
        "_walk: step = 1 if days > 0 else -1: Gt to GtE": SIGN,
        "_walk: step = 1 if days > 0 else -1: 0 - 1": SIGN,
        _WALK + "Gt to GtE": SIGN,
        _WALK + "0 - 1": SIGN,
    },
}
