"""Configurations from a file of them, or from options of the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generator.content.loader import ContentRoot
from generator.endpoints.configuration import DEFAULT_BASE_URL, Configuration
from generator.endpoints.redaction import Redactor
from generator.errors import ExitCode, GenError
from generator.records import Frozen

EXTRA_BODY = "extra_body"


class _File(Frozen):
    """A file of configurations."""

    configurations: tuple[Configuration, ...]


def read_configurations(path: Path) -> dict[str, Configuration]:
    """Return the configurations of a YAML file by name, in its order.

    The file holds one list, `configurations:`; see `Configuration` for the fields.

    Raises:
        GenError: With file, line and field of every fault; or a name is used twice, a pair does not exist.
    """
    name = path.name
    if not path.is_file():
        raise GenError(str(path), "no such file", "name a YAML file with a list `configurations:`")
    root = ContentRoot(path.parent, None, {name: path})
    try:
        listed = root.load(name, _File).configurations
    except GenError as error:
        # The loader quotes what it refuses, and that may be a key somebody wrote into the file.
        words = Redactor().redact_error(error.what)
        raise GenError(error.where, words, error.fix, error.code) from None
    found: dict[str, Configuration] = {}
    for one in listed:
        if one.name in found:
            raise GenError(str(path), f"two configurations are named {one.name!r}", "rename one")
        found[one.name] = one
    for one in listed:
        if one.pair is not None and one.pair not in found:
            fix = f"name one of: {', '.join(found)}"
            raise GenError(str(path), f"configuration {one.name!r}: its pair {one.pair!r} is not there", fix)
    if not found:
        raise GenError(str(path), "no configurations", "list at least one below `configurations:`")
    return found


def from_options(
    model: str | None = None,
    *,
    base: Configuration | None = None,
    base_url: str | None = None,
    headers: Sequence[str] = (),
    sets: Sequence[str] = (),
    **fields: Any,
) -> Configuration:
    """Return a configuration from options; what is None keeps what `base` has, or the default.

    Args:
        model: Needed without `base`; it is the name too, where none is given.
        base: A configuration of a file, to be changed in places.
        base_url: Without it, and without `base`, `OPENAI_BASE_URL`, else OpenAI's own address.
        headers: `Name: value`; the value may hold `${NAME}`, an environment variable.
        sets: `temperature=0`, `extra_body.think=false`: fields of the request body.
        fields: Other fields of `Configuration` by name.

    Raises:
        GenError: Exit code 2; an option is not readable, or the configuration is not valid.
    """
    values: dict[str, Any] = base.model_dump() if base else {}
    values |= {name: value for name, value in fields.items() if value is not None}
    if model is not None:
        values["model"] = model
    if "model" not in values:
        raise GenError("--model", "no model is named", "add --model NAME", ExitCode.USAGE)
    if base_url is not None or base is None:
        values["base_url"] = base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
    values.setdefault("name", values["model"].replace("/", "_").replace("\\", "_"))
    values["headers"] = values.get("headers", {}) | read_headers(headers)
    chosen = read_settings(sets)
    extra = chosen.pop(EXTRA_BODY, {})
    if not isinstance(extra, dict):
        raise GenError("--set extra_body", "it is no field itself", "write --set extra_body.NAME=VALUE", ExitCode.USAGE)
    values["settings"] = merge(values.get("settings", {}), chosen)
    values[EXTRA_BODY] = merge(values.get(EXTRA_BODY, {}), extra)
    try:
        return Configuration.model_validate(values, strict=False)
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, f['loc'])) or 'configuration'}: {f['msg']}" for f in error.errors()]
        what = Redactor().redact_error("; ".join(faults))
        raise GenError("configuration", what, "mend the options named above", ExitCode.USAGE) from None


def read_settings(sets: Sequence[str]) -> dict[str, Any]:
    """Return the tree that `a.b=1` options stand for; values are JSON where they are, else text.

    Raises:
        GenError: Exit code 2; no `=`, an empty name, a field set twice, or a field that is a value and a group.
    """
    tree: dict[str, Any] = {}
    for text in sets:
        path, sign, value = text.partition("=")
        names = path.strip().split(".")
        if not sign or not all(names):
            fix = "write --set NAME=VALUE, for example --set temperature=0 or --set extra_body.think=false"
            raise GenError(f"--set {text}", "not of the form NAME=VALUE", fix, ExitCode.USAGE)
        place = tree
        for name in names[:-1]:
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                raise GenError(f"--set {text}", f"{name!r} has a value already", "set one of the two", ExitCode.USAGE)
        if names[-1] in place:
            raise GenError(f"--set {text}", "it is set twice", "set it once", ExitCode.USAGE)
        place[names[-1]] = _typed(value)
    return tree


def read_headers(headers: Sequence[str]) -> dict[str, str]:
    """Return the headers that `Name: value` options stand for.

    Raises:
        GenError: Exit code 2; one has no colon.
    """
    found = {}
    for text in headers:
        name, sign, value = text.partition(":")
        if not sign or not name.strip():
            raise GenError("--header", "not of the form NAME: VALUE", "write --header 'Name: value'", ExitCode.USAGE)
        found[name.strip()] = value.strip()
    return found


def merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return two trees as one; where both have a value the second wins."""
    merged = dict(under)
    for name, value in over.items():
        below = merged.get(name)
        merged[name] = merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _typed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except ValueError:
        return text


def _refuse(word: str) -> Any:
    raise ValueError(word)  # NaN and Infinity are not JSON: a server would refuse the body
