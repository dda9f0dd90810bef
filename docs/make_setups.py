"""Write the table of setups into docs/travel.md (`make setups`): what each carries, by comparing what it writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.content import default_root
from generator.records import Message
from generator.travel.factory import load_knobs, open_factory
from generator.travel.hearing import hear
from generator.travel.instance import make_instance
from generator.travel.options import TravelOptions
from generator.travel.setups import SETUPS
from generator.travel.tasks import find_task

PAGE = Path(__file__).parent / "travel.md"
MARK = "<!-- table of setups: written by docs/make_setups.py -->"
HEADS = (
    "setup", "instructions", "conventions, date", "data", "bookings", "facts", "question", "user turns",
    "assistant turns", "errands", "claims", "calls", "tools", "padding",
)  # fmt: skip


def table() -> str:
    """Return the table in Markdown, of one instance whose history has errands, calls and claims."""
    root = default_root()
    factory = open_factory(root, "en", "eval")
    task = find_task("direction")
    stage = factory.stage(1, TravelOptions(), 0)
    made = make_instance(task, stage, load_knobs(root, task, "standard"), 0, 1, "docs", factory.dates())
    kit = factory.stationery(stage.world.currency)
    lines = ["| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)]
    for name, setup in SETUPS.items():
        messages, tools = setup(made, kit)
        heard = hear(kit, messages)
        roles = [m.role for m in messages]
        lines.append(
            "| " + " | ".join([
                f"`{name}`",
                ", ".join(heard.blocks) or "–",
                _where(messages, [line.text for line in (*made.rules, *made.today)]),
                _where(messages, [call.result for call in made.calls if call.rows is not None]),
                _where(messages, [call.result for call in made.calls if call.rows is None]),
                _where(messages, [line.text for line in made.facts]),
                _where(messages, [made.question.text]),
                str(roles.count("user")),
                str(sum(m.role == "assistant" and not m.tool_calls for m in messages)),
                str(len(heard.lines("errand"))),
                str(len(heard.lines("claim"))),
                str(len(heard.calls)),
                str(len(tools)) if tools else "–",
                "yes" if heard.padding else "–",
            ]) + " |"
        )  # fmt: skip
    return "\n".join(lines)


def _where(messages: Sequence[Message], texts: Sequence[str]) -> str:
    """Return the roles of the messages that hold all of some texts between them."""
    found = {text: [m.role for m in messages if text in m.content] for text in texts}
    if not all(found.values()):
        return "–"
    return ", ".join(dict.fromkeys(role for roles in found.values() for role in roles))


def main() -> None:
    """Renew the table in its page."""
    before, _, after = PAGE.read_text(encoding="utf-8").split(MARK)
    PAGE.write_text(f"{before}{MARK}\n\n{table()}\n\n{MARK}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
