"""Split a turn into clauses and replace names and typed numbers by class letters.

Typing happens before any normalisation: folding the full-width comma first would join
「1820，680」 to one number. Numbers that people mean loosely (三四把, a couple of dozen) are
a class of their own, which no form contains.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from generator.language import lexer_en, lexer_zh
from generator.language.lexicon import Lexicon
from generator.language.vocabulary import Vocabulary

# One private-use letter a class, so that no literal text can be taken for one.
ITEM, OWNER, CONDITION, SCOPE, FIELD = "\ue001", "\ue002", "\ue003", "\ue004", "\ue005"
NUMBER, COUNT, MONEY, PERCENT, DISCOUNT = "\ue006", "\ue007", "\ue008", "\ue009", "\ue00a"
MEASURE, CLOCK, DATE, EACH, VAGUE = "\ue00b", "\ue00c", "\ue00d", "\ue00e", "\ue00f"
NUMERIC = frozenset({NUMBER, COUNT, MONEY, PERCENT, DISCOUNT, MEASURE, CLOCK, DATE, VAGUE})
_BY_NAME = {
    "date": DATE, "clock": CLOCK, "percent": PERCENT, "discount": DISCOUNT, "money": MONEY,
    "measure": MEASURE, "count": COUNT, "number": NUMBER, "each": EACH, "vague": VAGUE,
}  # fmt: skip

STRONG, WEAK, ASKING = "strong", "weak", "asking"


class Token(NamedTuple):
    """One name or number of a clause: its class letter, its value, its unit word."""

    letter: str
    value: str | int | Decimal
    unit: str


class Clause(NamedTuple):
    """A stretch between two punctuation marks: skeleton, tokens, and the mark that ends it."""

    skeleton: str
    tokens: tuple[Token, ...]
    end: str


class Lexer:
    """Reads the words of one world; safe to share, since it keeps no state between calls."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon) -> None:
        self._zh = vocabulary.lang == "zh"
        self._names = _names(vocabulary)
        self._owners = _owner_pattern(vocabulary)
        self._people = [
            (re.compile(re.escape(o).replace("@", "(.+)"), re.IGNORECASE), o) for o in vocabulary.owners if "@" in o
        ]
        side = lexer_zh if self._zh else lexer_en
        self._parse: Callable[[str, re.Match[str]], tuple[str, str | int | Decimal, str]] = side.parser(vocabulary)
        parts = [("name", _alternation(list(self._names), word=not self._zh))]
        if self._owners:
            parts.insert(0, ("owner", self._owners))
        parts.append(("idiom", _alternation(list(lexicon.idioms), word=not self._zh)))
        parts += side.patterns(vocabulary, lexicon)
        parts.append(("mark", side.MARKS))
        self._pattern = re.compile("|".join(f"(?P<{name}>{source})" for name, source in parts if source))

    def split(self, text: str) -> list[Clause]:
        """Return the clauses of a turn, empty ones left out."""
        said, text = text, lexer_zh.fold(text) if self._zh else lexer_en.fold(text)
        clauses: list[Clause] = []
        chars: list[str] = []
        tokens: list[Token] = []
        at = 0
        for found in self._pattern.finditer(text):
            chars.append(text[at : found.start()])
            at = found.end()
            group = found.lastgroup or ""
            if group == "mark":
                self._close(clauses, chars, tokens, _end_of(found.group()))
                chars, tokens = [], []
            elif group == "idiom":
                chars.append(found.group())
            elif group == "owner":
                # A name keeps its capital, which folding takes away.
                token = Token(OWNER, self._owner(said[found.start() : found.end()]), "")
                tokens.append(token)
                chars.append(token.letter)
            else:
                token = self._token(group, found)
                tokens.append(token)
                chars.append(token.letter)
        chars.append(text[at:])
        self._close(clauses, chars, tokens, STRONG)
        return clauses

    def skeleton(self, literal: str) -> tuple[str, tuple[Token, ...]]:
        """Return the skeleton of a literal without marks, for compiling a form; and what it should not hold."""
        clauses = self.split(literal)
        return "，".join(c.skeleton for c in clauses), tuple(t for c in clauses for t in c.tokens)

    def tidy(self, text: str) -> str:
        """Return text with white space as skeletons have it."""
        return re.sub(r"\s+", "", text) if self._zh else re.sub(r"\s+", " ", text).strip()

    def _owner(self, said: str) -> str:
        """Return an owner as the vocabulary writes it, its own name put in."""
        for pattern, owner in self._people:
            found = pattern.fullmatch(said)
            if found is not None:
                return owner.replace("@", found.group(1))
        return said

    def _close(self, clauses: list[Clause], chars: list[str], tokens: list[Token], end: str) -> None:
        skeleton = self.tidy("".join(chars))
        if skeleton:
            clauses.append(Clause(skeleton, tuple(tokens), end))
        elif clauses and clauses[-1].end == WEAK:
            # Of two marks in a row the stronger one decides.
            clauses[-1] = clauses[-1]._replace(end=end)

    def _token(self, group: str, found: re.Match[str]) -> Token:
        if group == "name":
            said = found.group()
            letter, key = self._names.get(said) or self._names[said.removeprefix("the ")]
            return Token(letter, key, said)
        name, value, unit = self._parse(group, found)
        return Token(_BY_NAME[name], value, unit)


def _end_of(mark: str) -> str:
    """Of a run of marks the strongest decides; a line break ends a clause like a full stop."""
    if any(c in "?？" for c in mark):
        return ASKING
    return STRONG if any(c in "。；！!;.\n" for c in mark) else WEAK


def _names(vocabulary: Vocabulary) -> dict[str, tuple[str, str]]:
    english = vocabulary.lang == "en"
    names: dict[str, tuple[str, str]] = {}
    groups = (
        (CONDITION, vocabulary.conditions.items()),
        (SCOPE, vocabulary.scopes.items()),
        (ITEM, ((item.id, item.names) for item in vocabulary.items)),
        (FIELD, ((field.id, field.names) for field in vocabulary.fields)),
    )
    for letter, entries in groups:
        for key, wordings in entries:
            for wording in wordings:
                names.setdefault(wording.lower() if english else wording, (letter, key))
    for owner in vocabulary.owners:
        if "@" not in owner:
            names.setdefault(owner.lower() if english else owner, (OWNER, owner))
    return names


def _alternation(words: list[str], *, word: bool) -> str:
    """Longest first, since a name may begin with another; English names may carry an article."""
    source = "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))
    return rf"\b(?:the )?(?:{source})\b" if word and source else source


def _owner_pattern(vocabulary: Vocabulary) -> str:
    name = "[一-龥]" if vocabulary.lang == "zh" else "[a-z]{2,12}"
    owners = [o if vocabulary.lang == "zh" else o.lower() for o in vocabulary.owners if "@" in o]
    patterns = [re.escape(o).replace("@", name) for o in owners]
    return "|".join(sorted(patterns, key=lambda p: (-len(p), p)))
