"""When a failed attempt is tried again, and how long to wait before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from random import Random

from generator.endpoints.completion import Status


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Bounds of the retries of one call. All times are seconds.

    max_retries: of everything but 429; a 429 says that nothing is wrong, so its own bound is three times that.
    first_s, longest_s: upper end of the first and of the longest back-off; the wait is drawn evenly from zero to
        it (full jitter), so that calls that failed together do not come back together.
    retry_after_cap_s: the longest that a server may make us wait.
    """

    max_retries: int = 6
    first_s: float = 0.5
    longest_s: float = 30.0
    retry_after_cap_s: float = 120.0

    def allows(self, status: Status, failed: int, limited: int) -> bool:
        """Tell whether a call may go on after `failed` failures and `limited` 429s, this one included."""
        if not status.is_retried:
            return False
        if status is Status.RATE_LIMIT:
            return limited <= 3 * self.max_retries
        return failed <= self.max_retries

    def delay(self, tries: int, retry_after: float | None, rng: Random) -> float:
        """Return the wait after the `tries`-th attempt; a server's own wish is a lower bound, up to the cap."""
        backoff = rng.uniform(0, min(self.longest_s, self.first_s * 2 ** min(tries - 1, 30)))
        if retry_after is None:
            return backoff
        asked = min(retry_after, self.retry_after_cap_s)
        return asked + min(backoff, asked / 10)


class RetryBudget:
    """Retries that a whole run may spend: `floor` and a share of its calls. Beyond it, failures are final.

    It keeps an outage from being answered with many times the load. Waits for 429s do not draw on it: they
    are paced by the limiter.
    """

    def __init__(self, floor: int = 100, share: float = 0.5) -> None:
        self.floor, self.share = floor, share
        self.calls = 0
        self.used = 0

    def note_call(self) -> None:
        """Count a call."""
        self.calls += 1

    def take(self) -> bool:
        """Spend one retry; False if none is left."""
        if self.used >= self.floor + self.share * self.calls:
            return False
        self.used += 1
        return True


def read_retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that a response asks to wait; None if it does not say, or not intelligibly.

    Args:
        headers: Case-insensitive, or with lower-case names.
        now: Seconds since the epoch, for HTTP dates.
    """
    for name, scale in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / scale
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - now)
    except (TypeError, ValueError, OverflowError):
        return None
