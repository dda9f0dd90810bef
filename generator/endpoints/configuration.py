"""Configurations: which model behind which address, with which settings and prices. No key is ever part of one."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from generator.records import Frozen, digest_of

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_KEY_ENV = "OPENAI_API_KEY"

# What the client writes itself, and what would change how a reply must be read.
_OWN_FIELDS = frozenset({"messages", "model", "tools", "seed", "stream", "stream_options", "n"})
_KEY_HEADER = re.compile(r"auth|key|token|secret|cookie|password", re.IGNORECASE)
_KEY_FIELD = re.compile(r"(^|[_-])(api_?key|secret|password|authorization|(access|auth)_?token)$", re.IGNORECASE)
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

Price = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]


class Prices(Frozen):
    """Money per million tokens. Without a price for cached tokens they cost what input costs."""

    input: Price
    output: Price
    cached: Price | None = None
    currency: Annotated[str, Field(min_length=1, max_length=8)] = "USD"


class Configuration(Frozen):
    """One model behind one address, as a run uses it.

    settings: fields of the request body, e.g. temperature. extra_body: the same for what is not
    of the OpenAI API, merged over them. headers: extra ones; `${NAME}` in a value is replaced by that
    environment variable when a call is made. seed: of roll 1; roll k sends seed + k - 1.
    timeout_s: the longest one attempt may take, first byte to last. pair: the configuration it is
    compared with. api_key_env: the variable that holds the key; None sends no key.
    """

    name: Annotated[str, Field(pattern=r"^[^\s/\\][^/\\\n]*$", max_length=100)]
    model: Annotated[str, Field(min_length=1, max_length=300)]
    base_url: str = DEFAULT_BASE_URL
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = DEFAULT_KEY_ENV
    headers: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    extra_body: dict[str, Any] = Field(default_factory=dict)
    timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 600.0
    connect_timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 10.0
    seed: int | None = None
    prices: Prices | None = None
    concurrency: Annotated[int, Field(ge=1, le=4096)] = 16
    max_retries: Annotated[int, Field(ge=0, le=100)] = 6
    allow_insecure: bool = False
    pair: str | None = None

    @field_validator("base_url")
    @classmethod
    def _check_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("an address is http:// or https://, a host, and usually /v1")
        if parts.username or parts.password:
            raise ValueError("a user or password in the address would be stored: use the key variable or a header")
        if parts.query or parts.fragment:
            raise ValueError("an address has no ? or # part")
        return value.rstrip("/")

    @field_validator("headers")
    @classmethod
    def _check_headers(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not _HEADER_NAME.fullmatch(name) or not text.isprintable():
                raise ValueError(f"header {name!r} is not one")
            if _KEY_HEADER.search(name) and not REFERENCE.search(text):
                raise ValueError(f"header {name!r} holds a secret: write ${{NAME}} and put it in that variable")
        return value

    @field_validator("settings", "extra_body")
    @classmethod
    def _check_fields(cls, value: dict[str, Any]) -> dict[str, Any]:
        own = sorted(_OWN_FIELDS & value.keys())
        if own:
            raise ValueError(f"{', '.join(own)}: not a setting; the program writes it (seed has an option of its own)")
        secret = next((name for name in _names(value) if _KEY_FIELD.search(name)), None)
        if secret:
            raise ValueError(f"{secret!r} holds a secret that would be stored: use the key variable or a header")
        return value

    @model_validator(mode="after")
    def _check_pair(self) -> Configuration:
        if self.pair == self.name:
            raise ValueError("pair: a configuration cannot be compared with itself")
        return self

    @property
    def is_loopback(self) -> bool:
        """Tell whether the address is this machine."""
        return is_loopback(urlsplit(self.base_url).hostname or "")

    def identity(self) -> str:
        """Return the SHA-256 of all that a reply may depend on: what a stored reply is found by, with task and roll."""
        kept = ("base_url", "model", "headers", "settings", "extra_body", "seed")
        return digest_of(self.model_dump(mode="json", include=set(kept)))


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, below in value.items():
            yield str(name)
            yield from _names(below)
    elif isinstance(value, list):
        for below in value:
            yield from _names(below)


def is_loopback(host: str) -> bool:
    """Tell whether a host name or address is this machine."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
