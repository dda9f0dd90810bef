"""The lexical screen: free distractor text must not touch the trade, whatever the forms say."""

from __future__ import annotations

from generator.language import lexer as lx
from generator.language.speech import Speech

_TRADE = frozenset(
    {lx.ITEM, lx.FIELD, lx.CONDITION, lx.SCOPE, lx.COUNT, lx.MONEY, lx.MEASURE, lx.DATE, lx.CLOCK, lx.OWNER}
)


def screen(speech: Speech, text: str) -> str | None:
    """Return what keeps `text` from being free chat in this world, or None.

    Names of items, fields, conditions, scopes and owners, amounts with the trade's classifiers,
    units or currency, and bare verbs of change are kept out.
    """
    for clause in speech.lexer.split(text):
        for token in clause.tokens:
            if token.letter in _TRADE:
                return f"{token.value!r} belongs to the trade"
    folded = text.lower()
    for verb in speech.lexicon.change_verbs:
        if verb in folded:
            return f"{verb!r} is a verb of change"
    reading = speech.reader.read(text)
    if reading.events:
        return f"it reads as {reading.events[0].kind}"
    return None
