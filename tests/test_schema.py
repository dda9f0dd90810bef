"""The JSON Schemas in the documents are those of the records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from generator.records import Key, Reply, Result, Task

HOME = Path(__file__).parents[1] / "docs" / "schema"


@pytest.mark.parametrize("model", [Task, Key, Reply, Result], ids=lambda m: m.__name__)
def test_schema_in_the_documents_is_current(model: type[BaseModel]) -> None:
    """Renew with `make schema`."""
    assert (
        json.loads((HOME / f"{model.__name__.lower()}.json").read_text(encoding="utf-8")) == model.model_json_schema()
    )
