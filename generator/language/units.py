"""Words of money, of shifts in time and of months: shared by writing and reading."""

from __future__ import annotations

from generator.records import Lang

MONEY_WORDS: dict[str, tuple[str, ...]] = {
    "CNY": ("块", "元", "块钱"),
    "GBP": ("pounds", "quid"),
    "USD": ("dollars", "bucks"),
    "EUR": ("euros", "euro"),
    "AUD": ("dollars", "bucks"),
}
MONEY_SIGNS = {"CNY": "¥", "GBP": "£", "USD": "$", "EUR": "€", "AUD": "$"}

# Minutes in each word that a clock time may be moved by, the usual word first.
CLOCK_SHIFTS: dict[Lang, dict[str, int]] = {
    "zh": {"分钟": 1, "个小时": 60, "小时": 60, "刻钟": 15},
    "en": {"minutes": 1, "minute": 1, "mins": 1, "hours": 60, "hour": 60},
}
# Days in each word that a date may be moved by.
DATE_SHIFTS: dict[Lang, dict[str, int]] = {
    "zh": {"天": 1, "周": 7, "个星期": 7},
    "en": {"days": 1, "day": 1, "weeks": 7, "week": 7},
}
HALF_HOUR: dict[Lang, tuple[str, ...]] = {"zh": ("半个小时", "半小时"), "en": ("half an hour",)}

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS_EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKDAYS_ZH = "一二三四五六日"
