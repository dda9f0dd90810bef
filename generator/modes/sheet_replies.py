"""Replies in the shape of a sheet: what the witness, the respondents and the checker audit write."""

from __future__ import annotations

from random import Random

from generator.modes.protocol import AnswerValues
from generator.records import Key, SheetView, canonical_json
from generator.scoring.reword import REWORDINGS, list_everything
from generator.scoring.witness import STYLES, write_sheet

REWORDING_NAMES: tuple[str, ...] = tuple(REWORDINGS)


def view_in(key: Key) -> SheetView:
    """Return the view that a key stores."""
    return SheetView.model_validate_json(canonical_json(key.state["view"]))


def write_reply(view: SheetView, values: AnswerValues, rng: Random) -> str:
    """Return a reply that shows `values`, in a style drawn at random; empty if there is nothing to show.

    Rows are those the values name: a row that must not appear is not mentioned.
    """
    shown = [p for p in values if not p.endswith(".absent")]
    return write_sheet(view, values, shown, rng.choice(STYLES), rng) if shown else ""


def reword_reply(view: SheetView, text: str, name: str, rng: Random) -> str:
    """Return a harmless rewording of a reply, by the name of the rewording."""
    return REWORDINGS[name](text, view, rng)


def control_replies(key: Key, last_message: str) -> dict[str, str]:
    """Return the standing negative controls: replies that must score nothing."""
    stale = {i.truth_path: [v for v in i.stale if isinstance(v, int)] for i in key.items}
    requested = [i.truth_path for i in key.items if i.truth_path in key.answer and "value" in i.params]
    return {
        "empty": "",
        "echo": last_message,
        "list-everything": list_everything(view_in(key), key.answer, stale, requested),
    }
