"""System prompts and padding: content of `templates/travel/<lang>/prompts.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from pydantic import Field

from generator.content import ContentRoot
from generator.records import Frozen, Lang
from generator.travel.tools import DOMAINS, Domain, load_tools
from generator.travel.wording import Book, split_sentences


class Prompts(Frozen):
    """Blocks of a system prompt.

    role: who the assistant is, {domains} being what it helps with. style: how it talks. tools: how it uses them.
    context: what the data below it are. concise: with {n} for the number of sentences. reasoning: to think first.
    domains: words for a domain. padding: sentences that say nothing, for the length-matched setup.
    """

    role: str = Field(pattern=r"\{domains\}")
    style: str
    tools: str
    context: str
    concise: str = Field(pattern=r"\{n\}")
    concise_sentences: int = Field(ge=1, le=5)
    reasoning: str
    domains: dict[Domain, str]
    comma: str
    last: str
    padding: tuple[str, ...] = Field(min_length=12)


@dataclass(frozen=True)
class Stationery:
    """Everything that setups arrange instances with, in one language; `screen` are words of the travel trade."""

    book: Book
    prompts: Prompts
    tools: dict[tuple[Domain, ...], tuple[dict[str, Any], ...]]
    screen: tuple[str, ...] = ()

    def role(self, domains: Sequence[Domain] = DOMAINS) -> str:
        """Return the role for some domains."""
        words = [self.prompts.domains[d] for d in DOMAINS if d in domains]
        listed = words[0] if len(words) == 1 else self.prompts.comma.join(words[:-1]) + self.prompts.last + words[-1]
        return self.prompts.role.replace("{domains}", listed).strip()

    def concise(self) -> str:
        """Return the limit on sentences, with its number."""
        return self.prompts.concise.replace("{n}", str(self.prompts.concise_sentences)).strip()

    @cached_property
    def inert(self) -> frozenset[str]:
        """Every sentence of the padding."""
        return frozenset(s for text in self.prompts.padding for s in split_sentences(text, self.book.lang))

    @cached_property
    def known_blocks(self) -> dict[str, str]:
        """Every block that may stand in a system prompt, by its text: what it is."""
        fixed = {n: str(getattr(self.prompts, n)).strip() for n in ("style", "tools", "context", "reasoning")}
        found = {text: name for name, text in fixed.items()}
        found[self.concise()] = "concise"
        for domains in self.tools:
            found[self.role(domains)] = "role"
        return found


class Screen(Frozen):
    """Words that chat about other things may not hold: content of `templates/travel/<lang>/screen.yaml`."""

    words: tuple[str, ...] = Field(min_length=10)


@lru_cache(maxsize=8)
def load_screen(content: ContentRoot, lang: Lang) -> tuple[str, ...]:
    """Return the words of the travel trade, in lower case.

    Raises:
        GenError: The file is faulty.
    """
    screen: Screen = content.load(f"templates/travel/{lang}/screen.yaml", Screen)
    return tuple(word.lower() for word in screen.words)


@lru_cache(maxsize=8)
def load_prompts(content: ContentRoot, lang: Lang) -> Prompts:
    """Return the prompts of a language.

    Raises:
        GenError: The file is faulty.
    """
    prompts: Prompts = content.load(f"templates/travel/{lang}/prompts.yaml", Prompts)
    return prompts


def open_stationery(content: ContentRoot, book: Book, wanted: Sequence[tuple[Domain, ...]]) -> Stationery:
    """Return the stationery of a language; `wanted` are the sets of domains that tasks reduce to."""
    sets = dict.fromkeys([DOMAINS, *wanted])
    tools = {d: load_tools(content, book.lang, d) for d in sets}
    return Stationery(book, load_prompts(content, book.lang), tools, load_screen(content, book.lang))
