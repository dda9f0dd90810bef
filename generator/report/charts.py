"""Charts as inline SVG. Horizontal places are percentages, so that text and dots keep their size at any width."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from generator.report.structure import Cost, Figure, Scatter
from generator.report.words import show_marks, show_money, show_share

LEFT, RIGHT = 2.0, 98.0


def _place(share: float) -> str:
    """Return a place on the horizontal axis for a share of it in [0, 1]."""
    return f"{LEFT + (RIGHT - LEFT) * min(1.0, max(0.0, share)):.2f}%"


def _line(x1: str, y1: float, x2: str, y2: float, kind: str) -> Markup:
    return Markup('<line class="{}" x1="{}" y1="{:.1f}" x2="{}" y2="{:.1f}"/>').format(kind, x1, y1, x2, y2)


def _dot(x: str, y: float, radius: float, kind: str) -> Markup:
    return Markup('<circle class="{}" cx="{}" cy="{:.1f}" r="{}"/>').format(kind, x, y, radius)


def _text(x: str, y: float, text: str, kind: str, anchor: str = "start") -> Markup:
    mark = Markup('<text class="{}" x="{}" y="{:.1f}" text-anchor="{}">{}</text>')
    return mark.format(kind, x, y, anchor, show_marks(text))


def _frame(height: float, label: str, parts: Sequence[Markup], kind: str = "chart") -> Markup:
    return Markup('<svg class="{}" role="img" aria-label="{}" width="100%" height="{:.0f}">{}</svg>').format(
        kind, show_marks(label), height, Markup("").join(parts)
    )


def draw_gap(importance: Figure, strict: Figure) -> Markup:
    """Return a strip from 0 to 1: strict and importance as dots, their intervals and the gap between as lines."""
    if importance.value is None or strict.value is None:
        return Markup("")
    label = f"strict {show_share(strict.value)}, importance {show_share(importance.value)} on a scale from 0 to 1"
    a, b = _place(strict.value), _place(importance.value)
    parts = [
        *(_line(_place(x), 2, _place(x), 34, "grid") for x in (0.0, 0.25, 0.5, 0.75, 1.0)),
        _line(a, 18, b, 18, "gapline"),
        *_whisker(importance, 11, "range-a"),
        *_whisker(strict, 25, "range-b"),
        _dot(a, 18, 5, "dot-b"),
        _dot(b, 18, 5, "dot-a"),
    ]
    return _frame(36, label, parts, "strip")


def _whisker(figure: Figure, y: float, kind: str) -> list[Markup]:
    if figure.low is None or figure.high is None:
        return []
    return [_line(_place(figure.low), y, _place(figure.high), y, kind)]


def draw_effect(difference: Figure, reach: float) -> Markup:
    """Return a strip from -reach to +reach with a zero line, the difference and its interval."""
    if difference.value is None:
        return Markup("")

    def place(value: float) -> str:
        return _place(0.5 + value / (2 * reach))

    parts = [_line("50%", 2, "50%", 22, "zero")]
    if difference.low is not None and difference.high is not None:
        parts.append(_line(place(difference.low), 12, place(difference.high), 12, "range-a"))
    parts.append(_dot(place(difference.value), 12, 4.5, "dot-a"))
    return _frame(
        24, f"difference {difference.value:+.3f} on a scale from {-reach:+.2f} to {reach:+.2f}", parts, "strip"
    )


def draw_pareto(costs: Sequence[Cost], currency: str) -> Markup:
    """Return cost per task against importance, numbered as in the table below it; "" where nothing can be placed."""
    points = [
        (number, row.whole.value, row.importance.value, row)
        for number, row in enumerate(costs, 1)
        if row.whole.value is not None and row.importance.value is not None
    ]
    if not points:
        return Markup("")
    most = max(cost for _, cost, _, _ in points) or 1.0
    top, bottom = 36.0, 250.0

    def at(cost: float, value: float) -> tuple[str, float]:
        return f"{8 + 86 * cost / most:.2f}%", bottom - (bottom - top) * value

    parts = _axes(top, bottom, "importance", "cost per reply, all turns")
    parts += [
        _text(f"{8 + 86 * share:.0f}%", bottom + 15, show_money(most * share, currency), "tick", anchor)
        for share, anchor in ((0.0, "middle"), (0.5, "middle"), (1.0, "end"))
    ]
    front = sorted((c, v) for _, c, v, row in points if row.is_on_front)
    for (c1, v1), (c2, v2) in pairwise(front):
        (x1, y1), (x2, y2) = at(c1, v1), at(c2, v2)
        parts += [_line(x1, y1, x2, y1, "front"), _line(x2, y1, x2, y2, "front")]
    for number, cost, value, row in points:
        x, y = at(cost, value)
        low, high = row.importance.low, row.importance.high
        if low is not None and high is not None:
            parts.append(_line(x, at(cost, low)[1], x, at(cost, high)[1], "range-a"))
        parts.append(_dot(x, y, 10, "badge-sim" if row.is_instrument else "badge"))
        parts.append(_text(x, y + 4, str(number), "badge-text-sim" if row.is_instrument else "badge-text", "middle"))
    label = "Importance against cost per reply: " + "; ".join(
        f"{n} {row.run}, {row.condition}: {show_share(v)} at {show_money(c, currency)}" for n, c, v, row in points
    )
    return _frame(290, label, parts)


def _axes(
    top: float, bottom: float, vertical: str, horizontal: str, low: float = 0.0, high: float = 1.0
) -> list[Markup]:
    """Return grid lines with figures above them, inside the plot; both axes are named."""
    parts = [_text("0%", 12, vertical, "axis"), _text("100%", bottom + 32, horizontal, "axis", "end")]
    for step in range(5):
        share = step / 4
        y = bottom - (bottom - top) * share
        parts.append(_line("0%", y, "100%", y, "zero" if step == 0 else "grid"))
        parts.append(_text("0%", y - 3, f"{low + (high - low) * share:.2f}".replace("-", "\u2212"), "tick"))
    return parts


def draw_scatter(scatter: Scatter) -> Markup:
    """Return difficulty against discrimination, a dot a task."""
    if not scatter.points:
        return Markup("")
    top, bottom = 36.0, 290.0
    parts = _axes(top, bottom, "r_rest (discrimination)", "p_correct (higher is easier)", -1.0, 1.0)
    parts += [
        _text(f"{8 + 86 * share:.0f}%", bottom + 15, f"{share:.2f}", "tick", "middle") for share in (0.0, 0.5, 1.0)
    ]
    for point in scatter.points:
        y = bottom - (bottom - top) * (point.r_rest + 1) / 2
        title = Markup("<title>{}</title>").format(
            f"{point.task}: p_correct {point.p_correct:.2f}, r_rest {point.r_rest:.2f}"
        )
        dot = Markup('<circle class="speck" cx="{}" cy="{:.1f}" r="4">{}</circle>')
        parts.append(dot.format(f"{8 + 86 * point.p_correct:.2f}%", y, title))
    label = (
        f"Discrimination against difficulty of {len(scatter.points)} tasks over {scatter.configurations} configurations"
    )
    return _frame(330, label, parts)


def heat_step(value: float) -> int:
    """Return the shade of a share: 0 to 10."""
    return min(10, max(0, round(value * 10)))
