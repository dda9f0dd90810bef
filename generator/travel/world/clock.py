"""Minutes as people write them, and the minute of sunset."""

from __future__ import annotations

import datetime as dt
import math

from generator.travel.world.schema import DAY_MINUTES, Sky

# The sun's upper edge on the horizon: refraction and the sun's radius, as the NOAA calculator has them.
ZENITH = 90.833
UNIX_EPOCH_JULIAN = 2_440_587.5
J2000 = 2_451_545.0


def clock(minute: int) -> str:
    """Return "HH:MM" of a minute; 1440 and beyond run on as 24:00 and so forth."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def is_summer_time(day: dt.date) -> bool:
    """Return whether EU summer time holds at noon: last Sunday of March to last Sunday of October."""
    return _last_sunday(day.year, 3) <= day < _last_sunday(day.year, 10)


def _last_sunday(year: int, month: int) -> dt.date:
    last = dt.date(year, month, 31)
    return last - dt.timedelta(days=(last.weekday() + 1) % 7)


def sunset(sky: Sky, day: dt.date) -> int:
    """Return the local minute in which the sun sets, rounded down: at 19:57:59 it is 19:57.

    Source: NOAA Global Monitoring Laboratory, Solar Calculation Details, https://gml.noaa.gov/grad/solcalc/
    (the spreadsheet's formulas, after Meeus, Astronomical Algorithms, 2nd ed. 1998); that page states an
    accuracy of about one minute between 72 degrees north and south.
    """
    latitude, longitude = sky.latitude_e4 / 10_000, sky.longitude_e4 / 10_000
    offset = sky.utc_offset + (60 if sky.summer_time == "eu" and is_summer_time(day) else 0)
    midnight = (day - dt.date(1970, 1, 1)).days + UNIX_EPOCH_JULIAN - offset / DAY_MINUTES
    minute = 18 * 60.0
    # Declination and equation of time are wanted at sunset itself; two rounds settle to under a second.
    for _ in range(3):
        declination, equation = _sun((midnight + minute / DAY_MINUTES - J2000) / 36_525)
        phi = math.radians(latitude)
        cosine = math.cos(math.radians(ZENITH)) / (math.cos(phi) * math.cos(declination))
        hour_angle = math.degrees(math.acos(cosine - math.tan(phi) * math.tan(declination)))
        minute = 720 - 4 * (longitude - hour_angle) - equation + offset
    return math.floor(minute)


def _sun(century: float) -> tuple[float, float]:
    """Return declination (radians) and equation of time (minutes) at a Julian century from J2000."""
    mean_longitude = math.radians((280.46646 + century * (36_000.76983 + 0.0003032 * century)) % 360)
    anomaly = math.radians(357.52911 + century * (35_999.05029 - 0.0001537 * century))
    eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
    centre = (
        math.sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century))
        + math.sin(2 * anomaly) * (0.019993 - 0.000101 * century)
        + math.sin(3 * anomaly) * 0.000289
    )
    node = math.radians(125.04 - 1934.136 * century)
    apparent = mean_longitude + math.radians(centre - 0.00569 - 0.00478 * math.sin(node))
    seconds = 21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))
    obliquity = math.radians(23 + (26 + seconds / 60) / 60 + 0.00256 * math.cos(node))
    declination = math.asin(math.sin(obliquity) * math.sin(apparent))
    y = math.tan(obliquity / 2) ** 2
    equation = (
        y * math.sin(2 * mean_longitude)
        - 2 * eccentricity * math.sin(anomaly)
        + 4 * eccentricity * y * math.sin(anomaly) * math.cos(2 * mean_longitude)
        - 0.5 * y * y * math.sin(4 * mean_longitude)
        - 1.25 * eccentricity * eccentricity * math.sin(2 * anomaly)
    )
    return declination, 4 * math.degrees(equation)
