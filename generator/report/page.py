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
from generator.report.structure import Cost, Effect, Headline, Report
from generator.report.words import INVISIBLE, mend, show_difference, show_marks, show_money, show_share

HOME = "templates/pages/"
ROMAN = {"i": "I", "ii": "II", "iii": "III", "iv": "IV", "v": "V", "vi": "VI"}


def render_page(report: Report, root: ContentRoot) -> str:
    """Return the page; the same report gives the same bytes."""
    env = _environment(root)
    terms = load_glossary(root)
    script = root.text(HOME + "report.js.j2") + root.text(HOME + "browse.js.j2")
    style = env.get_template("report.css.j2").render()
    page = env.get_template("report.html.j2").render(
        report=report, terms=terms, glossary=list(terms.values()), sections=_sections(report),
        sims={run.label for run in report.runs if run.is_instrument}, heat=_heat(report.headline),
        cost_groups=_cost_groups(report.costs), effect_groups=_effect_groups(report.effects),
        reach=_reach(report.effects), scatters=[(s, draw_scatter(s)) for s in report.scatters if s.points],
        no_scatter=next((s.why for s in report.scatters), "no run answers a task"),
        payload=Markup(embed_json(_payload(report))), script=Markup(script), script_hash=_hash(script),
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
        roman=_roman,
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
    found = [
        ("headline", "Headline"), ("heat", "Modes"), ("gap", "Importance and strict"), ("cost", "Cost"),
        ("factors", "Factors"), ("scatter", "Discrimination"), ("items", "Items"),
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
        columns, key=lambda c: (c[1], c[0] == "all", list(ROMAN).index(c[0]) if c[0] in ROMAN else len(ROMAN), c)
    )
    names = [f"{_roman(mode)} {lang}" + ("" if setup == "dialogue" else f", {setup}") for mode, lang, setup in order]
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
    for (lang, setup, condition, currency), rows in groups.items():
        head = ", ".join(
            part for part in (lang, setup, f"condition {condition}", currency) if part != "dialogue" and part
        )
        placed = sum(row.whole.value is not None and row.importance.value is not None for row in rows)
        why = "fewer than two runs have both a price and a figure" if currency else "no configuration here has prices"
        found.append((head, rows, draw_pareto(rows, currency) if placed > 1 else Markup(""), why))
    return found


def _effect_groups(effects: Iterable[Effect]) -> list[tuple[str, str, list[Effect]]]:
    groups: dict[tuple[str, str], list[Effect]] = {}
    for row in effects:
        place = [row.lang, row.setup] if row.setup != "dialogue" else [row.lang]
        head = f"mode {_roman(row.mode)}, {', '.join(place)}, condition {row.condition}"
        groups.setdefault((row.run, head), []).append(row)
    return [(run, head, rows) for (run, head), rows in groups.items()]


def _reach(effects: Iterable[Effect]) -> float:
    """Return how far the strips reach to either side: the largest bound, rounded up to 0.05, at least 0.1."""
    bounds = [
        abs(bound)
        for row in effects
        for bound in (row.difference.value, row.difference.low, row.difference.high)
        if bound is not None
    ]
    return max(0.1, min(1.0, -(-max(bounds, default=0.0) // 0.05) * 0.05))


def _payload(report: Report) -> dict[str, Any]:
    """Return what the browser of replies reads: short names, since a report has thousands of replies."""
    places = {task.id: n for n, task in enumerate(report.tasks)}
    runs = {run.label: n for n, run in enumerate(report.runs)}
    return {
        "runs": [[run.label, int(run.is_instrument)] for run in report.runs],
        "tasks": [
            {
                "id": task.id, "mode": ROMAN.get(task.mode, task.mode), "lang": task.lang, "setup": task.setup,
                "world": task.world, "factors": task.factors,
                "turns": [[t.role, t.turn, t.text, t.group, t.duty] for t in task.turns],
                "items": [
                    [i.id, i.kind, i.weight, int(i.is_gate), i.label, i.expected,
                     [[s.shown, list(s.failures)] for s in i.stale], i.note]
                    for i in task.items
                ],
            }
            for task in report.tasks
        ],
        "replies": [
            {
                "t": places[r.task], "r": runs[r.run], "k": r.roll, "c": r.condition, "s": r.status, "v": r.verdicts,
                "i": r.importance, "x": r.strict, "a": r.text,
            } | {
                name: value for name, value in (
                    ("cut", r.cut), ("think", r.reasoning), ("refusal", r.refusal), ("finish", r.finish),
                    ("calls", list(r.calls)), ("fault", r.fault),
                    ("read", dict(r.read_as)), ("own", list(r.own)),
                    ("judged", [[j.item, j.verdict, j.quote, j.reason, j.judge] for j in r.judged]),
                ) if value
            }
            for r in report.replies
            if r.task in places
        ],
    }  # fmt: skip
