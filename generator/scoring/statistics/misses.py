"""Misses of single items: by item kind, and by the failure that explains them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from generator.records import Item, Verdict
from generator.scoring.statistics.basic import LEVEL
from generator.scoring.statistics.proportions import wilson
from generator.scoring.statistics.rows import Row


def item_misses(rows: Sequence[Row], level: float = LEVEL) -> dict[str, Any]:
    """Return misses of single items, over all scored replies: by item kind, and by failure.

    `by_kind`: n, misses, unsure and the Wilson interval of the miss rate (items of a task are not independent: it is
    too narrow, and says `interval_of` independent items). `by_failure`: `exposed` items are those where the failure's
    wrong answer would miss, `misses` of them; `taken` of these misses have just its wrong value, None where replies
    were not looked into. An item may be exposed to several failures. `unexplained`: misses of items exposed to none,
    and of those whose value is no failure's, where known.
    """
    kinds: dict[str, Counter[str]] = {}
    failures: dict[str, Counter[str]] = {}
    loose: Counter[str] = Counter()
    looked = any(row.taken is not None for row in rows)
    for row in rows:
        if row.result.importance is None:
            continue
        for item in row.items:
            end = row.result.items.get(item.id, Verdict.ERROR)
            count = kinds.setdefault(_kind_of(item), Counter())
            count.update({"n": 1, str(end.value): 1})
            is_miss = end == Verdict.MISS
            for failure in row.exposed.get(item.id, ()):
                failures.setdefault(failure, Counter()).update({"exposed": 1, "misses": is_miss})
            if not is_miss:
                continue
            loose["misses"] += 1
            loose["unexposed"] += not row.exposed.get(item.id)
            for failure in (row.taken or {}).get(item.id, ()):
                failures.setdefault(failure, Counter())["taken"] += 1
            loose["other_value"] += row.taken is not None and not row.taken.get(item.id)
    return {
        "by_kind": {
            kind: {
                "n": c["n"], "misses": c["miss"], "unsure": c["unsure"], "rate": c["miss"] / c["n"],
                "interval": wilson(c["miss"], c["n"], level), "interval_of": "independent items",
            } for kind, c in sorted(kinds.items())
        },
        "by_failure": {
            failure: {
                "exposed": c["exposed"], "misses": c["misses"], "taken": c["taken"] if looked else None,
                "rate": c["misses"] / c["exposed"] if c["exposed"] else None,
            } for failure, c in sorted(failures.items())
        },
        "misses": loose["misses"],
        "unexplained": {"unexposed": loose["unexposed"], "other_value": loose["other_value"] if looked else None},
    }  # fmt: skip


def _kind_of(item: Item) -> str:
    return f"{item.kind} (gate)" if item.gate and item.kind != "gate" else item.kind
