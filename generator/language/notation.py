"""The notation of forms: a small, invertible part of Jinja2.

Literal text, `{{ slot|filter }}`, `{{ ['one','other']|pick }}` and comments; every other node
is refused at load, and so are braces inside literals. Jinja2 is the notation only: its own
`render` is slower than a list of parts and cannot be inverted.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from jinja2 import Environment, TemplateSyntaxError, nodes

from generator.errors import GenError

FILTERS = ("item", "rows", "value", "delta", "percent", "discount", "owner", "cond", "scope", "field", "each")
_NUMERIC = frozenset({"value", "delta", "percent", "discount"})
MAX_WORDINGS = 48

_ENVIRONMENT = Environment(autoescape=False)


class Slot(NamedTuple):
    """A typed gap in a form."""

    name: str
    filter: str


Part = str | Slot
FIX = "use literal text, {{ slot|filter }}, {{ ['a','b']|pick }} and comments only; see docs/forms.md"


def parse_form(
    where: str, text: str, filters: tuple[str, ...] = FILTERS, numeric: frozenset[str] = _NUMERIC
) -> list[tuple[Part, ...]]:
    """Return every wording of a form, as literals and slots in order.

    `filters` are the names that a slot may have; two slots of `numeric` filters may not touch.

    Raises:
        GenError: The text is outside the notation; `where` names file and form.
    """
    # Every world compiles the same shared forms; reading a text once is most of the saving.
    found = _parse_once(text, filters, numeric)
    if isinstance(found, GenError):
        raise GenError(where, found.what, found.fix)
    return list(found)


@lru_cache(maxsize=16_384)
def _parse_once(
    text: str, filters: tuple[str, ...], numeric: frozenset[str]
) -> tuple[tuple[Part, ...], ...] | GenError:
    try:
        return tuple(_parse("", text, filters, numeric))
    except GenError as error:
        return error


def _parse(where: str, text: str, filters: tuple[str, ...], numeric: frozenset[str]) -> list[tuple[Part, ...]]:
    if re.search(r"\{%[-+]?\s*(?:end)?raw\b", text):
        raise GenError(where, "a raw block", FIX)
    try:
        tree = _ENVIRONMENT.parse(text)
    except TemplateSyntaxError as error:
        raise GenError(where, f"not readable: {error.message}", FIX) from error
    choices: list[list[Part]] = []
    for node in tree.body:
        if not isinstance(node, nodes.Output):
            raise GenError(where, f"a {type(node).__name__} statement", FIX)
        choices += [_choices_of(where, part, filters) for part in node.nodes]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MAX_WORDINGS:
        raise GenError(
            where, f"{count} wordings of one form", f"keep picks to {MAX_WORDINGS} wordings, or split the form"
        )
    wordings = [_merge(parts) for parts in product(*choices)]
    for wording in wordings:
        _check_slots(where, wording, numeric)
    return wordings


def _choices_of(where: str, node: nodes.Expr, filters: tuple[str, ...]) -> list[Part]:
    if isinstance(node, nodes.TemplateData):
        return [_literal(where, node.data)]
    if not isinstance(node, nodes.Filter) or node.args or node.kwargs or node.dyn_args or node.dyn_kwargs:
        raise GenError(where, f"a {type(node).__name__} expression", FIX)
    if isinstance(node.node, nodes.List) and node.name == "pick":
        values = [entry.value if isinstance(entry, nodes.Const) else None for entry in node.node.items]
        strings = [_literal(where, v) for v in values if isinstance(v, str)]
        if len(strings) != len(values) or len(set(strings)) != len(strings) or len(strings) < 2:
            raise GenError(where, "a pick that is not a list of two or more different strings", FIX)
        return list(strings)
    if isinstance(node.node, nodes.Name) and node.name in filters:
        return [Slot(node.node.name, node.name)]
    raise GenError(where, f"an unknown filter or argument at {node.name!r}", FIX)


def _literal(where: str, text: str) -> str:
    if "{" in text or "}" in text:
        raise GenError(where, f"a brace inside literal {text!r}", "write the slot outside the string")
    return text


def _merge(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return tuple(merged)


def _check_slots(where: str, parts: tuple[Part, ...], numeric: frozenset[str]) -> None:
    names = [part.name for part in parts if isinstance(part, Slot)]
    for name in names:
        if names.count(name) > 1:
            raise GenError(where, f"slot {name!r} used twice", "a slot binds one value; name the second one otherwise")
    for left, right in pairwise(parts):
        if isinstance(left, Slot) and isinstance(right, Slot) and {left.filter, right.filter} <= numeric:
            raise GenError(where, f"numbers {left.name!r} and {right.name!r} touch", "put words between them")
