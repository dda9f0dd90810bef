"""`gen show` and `gen worlds`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from generator.content import ContentRoot, default_root
from generator.engine.loaded import Build, load_build
from generator.engine.specs import TRAVEL_NAMES
from generator.errors import ExitCode, GenError
from generator.modes import find_mode
from generator.records import Key, Lang, Task
from generator.seeds import stream

NAMES = {
    "zh": {"system": "系", "user": "用", "assistant": "助", "tool": "具"},
    "en": {"system": "S", "user": "U", "assistant": "A", "tool": "T"},
}


def show(folder: Path, task_id: str | None, *, nth: int | None, with_key: bool, pool: bool, as_json: bool) -> int:
    """Print a task, or the list of tasks."""
    build = load_build(folder, pool=pool)
    if nth is not None and nth > len(build.tasks):
        what = f"the build has {len(build.tasks)} tasks"
        raise GenError(f"--nth {nth}", what, "choose a smaller number", ExitCode.USAGE)
    if task_id is None and nth is None:
        _list(build, as_json)
        return ExitCode.GOOD
    task = build.tasks[nth - 1] if nth is not None else build.task(str(task_id))
    key = build.key(task.id) if with_key else None
    if as_json:
        record: dict[str, Any] = {"task": task.model_dump(mode="json")}
        if key is not None:
            record["key"] = key.model_dump(mode="json")
        print(json.dumps(record, ensure_ascii=False))
    else:
        print(render_task(task, key))
    return ExitCode.GOOD


def _list(build: Build, as_json: bool) -> None:
    rows = []
    for task in build.tasks:
        key = build.keys.get(task.id)
        asks = task.messages[-1].content.rpartition("\n")[2]
        row = {"id": task.id, "turns": sum(m.role == "user" for m in task.messages), "asks": asks}
        if key is not None:
            row |= {"world": key.factors.world, "items": len(key.items)}
            if "travel" in key.state:
                # An isolated prompt ends with all the facts: what tells tasks apart is the setup and the question.
                row |= {"world": f"{key.state['travel']} {task.setup}", "asks": asks[-40:]}
        rows.append(row)
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        head = f"{row['id']}  {row['turns']:>2} turns  {row.get('items', '-'):>3} items"
        print(f"{head}  {row.get('world', ''):<18} {str(row['asks'])[:60]}")


def render_task(task: Task, key: Key | None = None) -> str:
    """Return a task as a person would read it; with its key, the evidence is marked and the answer follows."""
    names, colon = NAMES[task.lang], "：" if task.lang == "zh" else ": "
    groups = {e.turn: (e.group, e.duty) for e in key.evidence} if key else {}
    setup = f", {task.setup}" if task.tools or task.setup != "dialogue" else ""
    lines, turn = [f"# {task.id}  ({task.mode}, {task.lang}{setup})", ""], -1
    for message in task.messages:
        turn += message.role == "user"
        is_marked = key is not None and message.role == "user" and turn in groups
        mark = f"   ⟦{' '.join(groups[turn])}⟧" if is_marked else ""
        calls = [f"{call.function.name}({call.function.arguments})" for call in message.tool_calls]
        said = " ".join(part for part in (message.content, *calls) if part)
        lines.append(f"{names[message.role]}{colon}{said}{mark}")
        if message.role in {"assistant", "system"} and not calls:
            lines.append("")
    if task.tools:
        lines += ["", "tools: " + ", ".join(tool["function"]["name"] for tool in task.tools)]
    if key is not None:
        lines += ["", *_render_key(key)]
    return "\n".join(lines)


def _render_key(key: Key) -> list[str]:
    lines = [
        f"digest {key.digest}",
        f"factors {key.factors.model_dump_json()}",
        "",
        "items (weight, path, value, must not be confused with)",
    ]
    for item in key.items:
        value = item.params.get("value", "must not appear")
        stale = ", ".join(map(str, item.stale))
        lines.append(f"  {item.id}  {item.weight}  {item.truth_path:<24} {value!s:<12} {stale}")
    lines += ["", "alternatives"]
    for alternative in key.alternatives:
        wrong = {p: v for p, v in alternative.value.items() if key.answer.get(p) != v}
        lines.append(f"  {alternative.name}: " + ", ".join(f"{p} {v}" for p, v in sorted(wrong.items())))
    return lines


def worlds(mode_number: str, langs: list[str], *, check: bool, content: Path | None, as_json: bool) -> int:
    """Print the worlds of a mode, or the towns of the travel tasks; with `check`, what is wrong with their wording."""
    root = default_root(content)
    list_rows = _towns if mode_number in TRAVEL_NAMES else _mode_worlds
    rows = [row for lang in get_args(Lang) if lang in langs for row in list_rows(mode_number, root, lang, check)]
    faults = [f"{row['lang']}/{row['id']}: {fault}" for row in rows for fault in row["faults"]]
    if not rows:
        raise GenError("ground_truth", "no worlds", "add one")
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
    else:
        for row in rows:
            print(f"{row['lang']}  {row['id']:<20} {row['split']:<6} {row['wordings']:>5} wordings")
        for fault in faults:
            print(f"fault: {fault}")
    return ExitCode.FINDINGS if faults else ExitCode.GOOD


def _mode_worlds(mode_number: str, root: ContentRoot, lang: Lang, check: bool) -> list[dict[str, Any]]:
    mode = find_mode(mode_number)
    return [
        {
            "lang": kit.lang, "id": kit.id, "split": kit.split, "wordings": len(kit.voice.speech.wordings),
            "faults": mode.check(kit, root) if check else [],
        }
        for kit in mode.load(root, lang, None)
    ]  # fmt: skip


def _towns(_: str, root: ContentRoot, lang: Lang, check: bool) -> list[dict[str, Any]]:
    from generator.travel.wording import check_book, load_book  # noqa: PLC0415 - a mode needs none of it
    from generator.travel.world.synthetic import fill_town  # noqa: PLC0415
    from generator.travel.world.town import load_towns  # noqa: PLC0415

    rows = []
    for town in load_towns(root, lang):
        book = load_book(root, lang, town.currency)
        world = fill_town(town, "standard", stream(0, town.id, "check"))
        faults = list(check_book(book, world, stream(1, town.id, "check"))) if check else []
        rows.append({
            "lang": lang, "id": town.id, "split": town.split, "wordings": sum(1 for _ in book.all_forms()),
            "faults": faults,
        })  # fmt: skip
    return rows
