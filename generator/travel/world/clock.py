"""Minutes as people write them, and the minute of sunset."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

from generator.travel.world.schema import Sky


def clock(minute: int) -> str:
    """Return "HH:MM" of a minute; 1440 and beyond run on as 24:00 and so forth."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def is_summer_time(day: dt.date) -> bool:
    """Return whether EU summer time holds at noon: last Sunday of March to last Sunday of October."""
    return _last_sunday(day.year, 3) <= day < _last_sunday(day.year, 10)


def _last_sunday(year: int, month: int) -> dt.date:
    last = dt.date(year, month, 31)
    return last - dt.timedelta(days=(last.weekday() + 1) % 7)


@lru_cache(maxsize=4096)
def sunset(sky: Sky, day: dt.date) -> int:
    """Return the local minute in which the sun sets at sea level, cut to the minute: at 19:57:59 it is 19:57.

    The sun's upper edge on the horizon, refraction included, as the package astral has it (0.833 degrees below).
    """
    offset = sky.utc_offset + (60 if sky.summer_time == "eu" and is_summer_time(day) else 0)
    zone = dt.timezone(dt.timedelta(minutes=offset))
    # Imported when first asked for: `gen --help` must not load it.
    from astral import Observer  # noqa: PLC0415
    from astral.sun import sunset as sunset_at  # noqa: PLC0415

    found = sunset_at(Observer(sky.latitude_e4 / 10_000, sky.longitude_e4 / 10_000), day, tzinfo=zone)
    return found.hour * 60 + found.minute
