"""Write a report as one HTML file that needs nothing else and trusts nothing in it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from generator.content import ContentRoot
from generator.report.charts import draw_effect, draw_gap, draw_pareto, draw_scatter, heat_step
from generator.report.glossary import load_glossary
from generator.report.payload import payload_of
from generator.report.setup_view import CLEAR, MEASURES, OVERALL, TESTS, setup_views
from generator.report.setups import setup_place
from generator.report.structure import Cost, Effect, Figure, Headline, ItemCount, Report
from generator.report.words import (
    DIALOGUE,
    INVISIBLE,
    mend,
    setup_words,
    show_difference,
    show_marks,
    show_money,
    show_share,
)
from generator.stages.travel import MODE as TRAVEL

HOME = "templates/pages/"
SETUPS = "setups"
ROMAN = {"i": "I", "ii": "II", "iii": "III", "iv": "IV", "v": "V", "vi": "VI"}


def render_page(report: Report, root: ContentRoot) -> str:
    """Return the page; the same report gives the same bytes."""
    env = _environment(root)
    terms = load_glossary(root, {SETUPS} if report.setups else set())
    script = root.text(HOME + "report.js.j2") + root.text(HOME + "browse.js.j2")
    style = env.get_template("report.css.j2").render()
    page = env.get_template("report.html.j2").render(
        report=report, terms=terms, glossary=list(terms.values()), sections=_sections(report),
        sims={run.label for run in report.runs if run.is_instrument}, heat=_heat(report.headline),
        cost_groups=_cost_groups(report.costs), effect_groups=_effect_groups(report.effects),
        reach=_reach([row.difference for row in report.effects]),
        scatters=[(s, draw_scatter(s)) for s in report.scatters if s.points],
        no_scatter=next((s.why for s in report.scatters), "no run answers a task"),
        setup_views=setup_views(report),
        setup_reach=_reach([test.difference for test in report.setup_tests if test.task == OVERALL]),
        measures=MEASURES, tests=TESTS, clear=CLEAR, item_groups=_item_groups(report.item_counts),
        payload=Markup(embed_json(payload_of(report, ROMAN))), script=Markup(script), script_hash=_hash(script),
        style=Markup(style), style_hash=_hash(style),
    )  # fmt: skip
    return mend(page) + "\n"


def _environment(root: ContentRoot) -> Environment:
    env = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=False,
        loader=FunctionLoader(lambda name: root.text(HOME + name)),
    )  # fmt: skip
    env.filters.update(
        marks=show_marks, share=show_share, signed=show_difference, money=show_money, shade=heat_step,
        roman=_roman, setup=lambda row: setup_words(row.mode, row.setup),
        gap_strip=lambda row: draw_gap(row.importance, row.strict), effect_strip=draw_effect,
    )  # fmt: skip
    return env


def _roman(mode: str) -> str:
    return "all modes" if mode == "all" else ROMAN.get(mode, show_marks(mode))


def _hash(text: str) -> str:
    """Return a source for a content security policy that allows exactly this inline text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def embed_json(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in, nor a line of it."""
    text = mend(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    # Bidi and other invisible controls would act on whoever reads the page's source.
    return INVISIBLE.sub(lambda m: json.dumps(m.group())[1:-1], text)


def _sections(report: Report) -> list[tuple[str, str]]:
    found = [("headline", "Headline"), ("heat", "Modes")]
    found += [("setups", "Setups")] if report.setups else []
    found += [
        ("gap", "Importance and strict"), ("cost", "Cost"), ("factors", "Factors"), ("scatter", "Discrimination"),
        ("items", "Items"),
    ]  # fmt: skip
    found += [("judged", "Judge")] if report.judged else []
    found += [("more", "Statistics")] if report.tables else []
    found += [("runs", "Runs")]
    found += [("browse", "Replies and misses")] if report.tasks else []
    return [*found, ("glossary", "Glossary")]


def _heat(rows: Iterable[Headline]) -> dict[str, Any]:
    """Return columns (mode, language, setup) and, per run and condition, a value or None for each."""
    cells: dict[tuple[str, str, bool], dict[tuple[str, str, str], float | None]] = {}
    columns: dict[tuple[str, str, str], None] = {}
    for row in rows:
        place = (row.mode, row.lang, row.setup)
        columns[place] = None
        cells.setdefault((row.run, row.condition, row.is_instrument), {})[place] = row.importance.value
    order = sorted(
        columns,
        key=lambda c: (
            c[1], c[0] == "all", list(ROMAN).index(c[0]) if c[0] in ROMAN else len(ROMAN), c[0], setup_place(c[2])
        ),
    )  # fmt: skip
    names = [f"{_roman(mode)} {lang}{setup_words(mode, setup)}" for mode, lang, setup in order]
    listed = [
        {"run": run, "condition": condition, "sim": sim, "values": [found.get(c) for c in order]}
        for (run, condition, sim), found in cells.items()
    ]
    return {"columns": names, "rows": listed}


def _cost_groups(costs: Iterable[Cost]) -> list[tuple[str, list[Cost], Markup, str]]:
    """Return (heading, rows, plot, why there is none): what can be compared on one axis."""
    groups: dict[tuple[str, str, str, str], list[Cost]] = {}
    for row in costs:
        groups.setdefault((row.lang, row.setup, row.condition, row.currency), []).append(row)
    found = []
    is_single = all(setup == DIALOGUE for _, setup, _, _ in groups)
    for (lang, setup, condition, currency), rows in groups.items():
        parts = (lang, "" if is_single else setup, f"condition {condition}", currency)
        head = ", ".join(part for part in parts if part)
        placed = sum(row.whole.value is not None and row.importance.value is not None for row in rows)
        why = "fewer than two runs have both a price and a figure" if currency else "no configuration here has prices"
        found.append((head, rows, draw_pareto(rows, currency) if placed > 1 else Markup(""), why))
    return found


def _item_groups(rows: Iterable[ItemCount]) -> tuple[list[ItemCount], list[ItemCount]]:
    """Return the rows of modes, and those of travel tasks: many, since there is one per setup."""
    listed = list(rows)
    return [row for row in listed if row.mode != TRAVEL], [row for row in listed if row.mode == TRAVEL]


def _effect_groups(effects: Iterable[Effect]) -> list[tuple[str, str, list[Effect]]]:
    groups: dict[tuple[str, str], list[Effect]] = {}
    for row in effects:
        head = f"mode {_roman(row.mode)}, {row.lang}{setup_words(row.mode, row.setup)}, condition {row.condition}"
        groups.setdefault((row.run, head), []).append(row)
    return [(run, head, rows) for (run, head), rows in groups.items()]


def _reach(differences: Iterable[Figure]) -> float:
    """Return how far the strips reach to either side: the largest bound, rounded up to 0.05, at least 0.1."""
    bounds = [
        abs(bound) for figure in differences for bound in (figure.value, figure.low, figure.high) if bound is not None
    ]
    return max(0.1, min(1.0, -(-max(bounds, default=0.0) // 0.05) * 0.05))
