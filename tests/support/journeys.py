"""Travel instances for tests: drawn once, told in every setup, and how to plant faults in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from generator.audit.travel import TravelCase
from generator.engine.travel_line import TravelLine
from generator.records import Key, Lang, Message, Task
from generator.stages.pipeline import Spec
from generator.stages.travel import TravelShop, draw_index, open_travel, records_of, shapes_of
from generator.travel.instance import Instance
from generator.travel.options import TravelOptions
from generator.travel.scene import RedrawError, Stage
from generator.travel.setups import SETUPS
from generator.travel.tasks import known_tasks

SEED = 20_261_130
ALL = tuple(SETUPS)
NAMES = tuple(task.name for task in known_tasks())
LANGS: tuple[Lang, ...] = ("en", "zh")


@lru_cache(maxsize=4)
def shop(lang: Lang) -> TravelShop:
    return open_travel(lang, "eval")


def line(lang: Lang) -> TravelLine:
    return TravelLine(shop(lang))


def spec_of(lang: Lang, task: str, setups: tuple[str, ...] = ALL, **fields: object) -> Spec:
    options = TravelOptions(setups=setups, tasks=(task,))
    return Spec.model_validate({"mode": "travel", "lang": lang, "n": 1, "pool": 1, "travel": options, **fields})


@lru_cache(maxsize=64)
def drawn(lang: Lang, task: str, number: int = 0) -> tuple[Instance, Stage]:
    """Return an instance and its world; the attempt that succeeds."""
    for attempt in range(4):
        try:
            return draw_index(shop(lang), spec_of(lang, task), SEED, number, attempt)
        except RedrawError:
            continue
    raise AssertionError(f"no {task} in {lang}")


def case_of(lang: Lang, task: str, number: int = 0, setups: tuple[str, ...] = ALL) -> TravelCase:
    """Return a sound instance as the audits see it."""
    instance, stage = drawn(lang, task, number)
    tasks, keys = records_of(
        instance, stage, shapes_of(shop(lang), instance, stage, setups), spec_of(lang, task, setups), SEED, number
    )
    kit = shop(lang).factory.stationery(stage.world.currency)
    return TravelCase.of(tasks, keys, kit, stage, shop(lang).policy)


def cases(tasks: tuple[str, ...] = NAMES, langs: tuple[Lang, ...] = LANGS) -> Iterator[TravelCase]:
    for lang in langs:
        for task in tasks:
            yield case_of(lang, task)


def with_messages(case: TravelCase, setup: str, change: Callable[[list[Message]], list[Message]]) -> TravelCase:
    """Return the case with other messages in one setup."""
    task = case.tasks[setup]
    changed = task.model_copy(update={"messages": tuple(change(list(task.messages)))})
    return remade(case, tasks={**case.tasks, setup: changed})


def with_text(case: TravelCase, old: str, new: str, setups: tuple[str, ...] | None = None) -> TravelCase:
    """Return the case with a text replaced in contents and call arguments, in all setups or in some; it must occur."""
    tasks = dict(case.tasks)
    for setup in setups or tuple(tasks):
        messages = tuple(_replaced(m, old, new) for m in tasks[setup].messages)
        assert messages != tasks[setup].messages, (setup, old)
        tasks[setup] = tasks[setup].model_copy(update={"messages": messages})
    return remade(case, tasks=tasks)


def with_key(case: TravelCase, **fields: object) -> TravelCase:
    """Return the case with other fields in all keys."""
    return remade(case, keys={s: k.model_copy(update=fields) for s, k in case.keys.items()})


def remade(case: TravelCase, tasks: dict[str, Task] | None = None, keys: dict[str, Key] | None = None) -> TravelCase:
    """Return a case of other records, nothing of it heard yet."""
    return replace(case, tasks=tasks or case.tasks, keys=keys or case.keys, _caches={})


def _replaced(message: Message, old: str, new: str) -> Message:
    calls = tuple(
        call.model_copy(
            update={
                "function": call.function.model_copy(update={"arguments": call.function.arguments.replace(old, new)})
            }
        )
        for call in message.tool_calls
    )
    return message.model_copy(update={"content": message.content.replace(old, new), "tool_calls": calls})
