"""Write the JSON Schema of every public record to docs/schema/ (`make schema`)."""

from __future__ import annotations

import json
from pathlib import Path

from generator.records import Key, Reply, Result, Task

HOME = Path(__file__).parent / "schema"


def main() -> None:
    """Write one file a record."""
    for model in (Task, Key, Reply, Result):
        text = json.dumps(model.model_json_schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        (HOME / f"{model.__name__.lower()}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
