"""`gen show` and `gen worlds`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from generator.content import default_root
from generator.engine.loaded import Build, load_build
from generator.errors import ExitCode, GenError
from generator.modes import find_mode
from generator.records import Key, Lang, Task

NAMES = {"zh": ("用", "助"), "en": ("U", "A")}


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
        row = {"id": task.id, "turns": sum(m.role == "user" for m in task.messages), "asks": task.messages[-1].content}
        if key is not None:
            row |= {"world": key.factors.world, "items": len(key.items)}
        rows.append(row)
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        head = f"{row['id']}  {row['turns']:>2} turns  {row.get('items', '-'):>3} items"
        print(f"{head}  {row.get('world', ''):<18} {str(row['asks'])[:60]}")


def render_task(task: Task, key: Key | None = None) -> str:
    """Return a task as a person would read it; with its key, the evidence is marked and the answer follows."""
    user, assistant = NAMES[task.lang]
    groups = {e.turn: (e.group, e.duty) for e in key.evidence} if key else {}
    lines, turn = [f"# {task.id}  ({task.mode}, {task.lang})", ""], -1
    for message in task.messages:
        turn += message.role == "user"
        mark = ""
        if key and message.role == "user" and turn in groups:
            mark = f"   ⟦{' '.join(groups[turn])}⟧"
        lines.append(
            f"{user if message.role == 'user' else assistant}：{message.content}{mark}"
            if task.lang == "zh"
            else f"{user if message.role == 'user' else assistant}: {message.content}{mark}"
        )
        if message.role == "assistant":
            lines.append("")
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
    """Print the worlds of a mode; with `check`, what is wrong with their wording."""
    mode = find_mode(mode_number)
    root = default_root(content)
    rows: list[dict[str, Any]] = []
    faults: list[str] = []
    for lang in get_args(Lang):
        if lang not in langs:
            continue
        for kit in mode.load(root, lang, None):
            found = mode.check(kit, root) if check else []
            faults += [f"{kit.lang}/{kit.id}: {fault}" for fault in found]
            rows.append({
                "lang": kit.lang, "id": kit.id, "split": kit.split, "wordings": len(kit.voice.speech.wordings),
                "faults": found,
            })  # fmt: skip
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
