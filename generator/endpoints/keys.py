"""Where keys come from, and where they may go: from the environment only, and never unencrypted over a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from generator.endpoints.configuration import REFERENCE, Configuration
from generator.errors import ExitCode, GenError


class Keys(NamedTuple):
    """The secrets that a configuration sends.

    bearer: the key, "" for none. headers: all extra headers, references replaced. values: every value that was
    taken from the environment, to be redacted.
    """

    bearer: str
    headers: dict[str, str]
    values: tuple[str, ...]


def keys_of(configuration: Configuration, environ: Mapping[str, str]) -> Keys:
    """Return what a configuration sends of secrets; a loopback address may be called without a key.

    Raises:
        GenError: Exit code 2; a variable is not set or holds what no header can, or a secret would travel unencrypted.
    """
    where = f"configuration {configuration.name!r}"
    values: dict[str, str] = {}
    for header, text in configuration.headers.items():
        for name in REFERENCE.findall(text):
            values[name] = _value(environ, name)
            if not values[name]:
                raise GenError(f"{where}, header {header}", f"{name} is not set", f"export {name}=…", ExitCode.USAGE)
    headers = {h: REFERENCE.sub(lambda m: values[m[1]], text) for h, text in configuration.headers.items()}
    bearer = ""
    name_of_key = configuration.api_key_env
    if name_of_key and not any(header.lower() == "authorization" for header in headers):
        bearer = _value(environ, name_of_key)
        if bearer:
            values[name_of_key] = bearer
        elif not configuration.is_loopback:
            fix = f"export {name_of_key}=…, or name another variable with --api-key-env"
            raise GenError(where, f"no key: the environment variable {name_of_key} is not set", fix, ExitCode.USAGE)
    is_open = urlsplit(configuration.base_url).scheme == "http" and not configuration.is_loopback
    if values and is_open and not configuration.allow_insecure:
        fix = "use https://, or allow it with --allow-insecure if the network is your own"
        raise GenError(where, "a key would be sent unencrypted over http://", fix, ExitCode.USAGE)
    return Keys(bearer, headers, tuple(values.values()))


def _value(environ: Mapping[str, str], name: str) -> str:
    value = environ.get(name, "").strip()
    if not (value.isascii() and (value.isprintable() or not value)):
        fix = "set it again, without quotes, line ends or other marks around it"
        raise GenError(name, "the value of this variable cannot be sent in a header", fix, ExitCode.USAGE)
    return value
