"""What a call costs."""

from __future__ import annotations

from decimal import Decimal

from generator.endpoints.completion import Usage
from generator.endpoints.configuration import Prices

_MILLION = Decimal(1_000_000)


def cost_of(usage: Usage, prices: Prices | None) -> Decimal | None:
    """Return the price of a call in the currency of `prices`; None if prices, input or output tokens are unknown.

    Reasoning tokens are part of the output. Cached tokens are taken off the input; more of them than
    there is input are a server's slip and count as all of it.
    """
    if prices is None or usage.input is None or usage.output is None:
        return None
    cached = min(usage.cached or 0, usage.input)
    cached_price = prices.input if prices.cached is None else prices.cached
    total = (usage.input - cached) * prices.input + cached * cached_price + usage.output * prices.output
    return total / _MILLION
