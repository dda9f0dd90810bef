"""Units and classifiers that may follow a number, and the words that name kinds of columns."""

from __future__ import annotations

import re
from fractions import Fraction

# kind, and how many of the kind's base unit one is
UNITS: dict[str, tuple[str, Fraction]] = {}


def _add(kind: str, factor: Fraction | int | str, words: str) -> None:
    for word in words.split():
        UNITS[word] = (kind, Fraction(factor))


_add("money", 1, "元 块钱 块 圆 元整 元钱 人民币 rmb cny yuan £")
_add("money", 1, "pounds pound quid gbp usd dollars dollar eur euros euro")
_add("money", Fraction(1, 100), "pence p cents cent")
_add("money", 1, "€ ¥")
_add("percent", 1, "% percent 个百分点")
_add("count", 1, "个 件 把 张 台 套 只 条 盏 份 箱 包 本 支 瓶 盒 袋 组 卷 桶 副 双 棵 朵 束 幅 扇 顶")
_add("count", 1, "根 辆 间 桌 席 盆 盘 打 片 枚 面 架 部")
_add("count", 1, "pcs pc pieces piece units unit items sets set nos no. pairs pair boxes box ea.")
_add("time", 1, "分钟 分 min mins minute minutes")
_add("time", 60, "小时 个小时 钟头 个钟头 h hr hrs hour hours")
_add("time", Fraction(1, 60), "秒 秒钟 s sec secs second seconds")
_add("time", 1440, "天 day days")
_add("time", 10080, "周 星期 week weeks")
_add("month", 1, "个月 月 month months")
_add("month", 12, "年 year years")
_add("mass", 1, "克 g gram grams")
_add("mass", 1000, "公斤 千克 kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes")
_add("mass", 500, "斤 市斤")
_add("mass", 1_000_000, "吨 t tonne tonnes ton tons")
_add("length", 1, "毫米 mm millimetre millimetres millimeter millimeters")
_add("length", 10, "厘米 公分 cm centimetre centimetres centimeter centimeters")
_add("length", 1000, "米 m metre metres meter meters")
_add("length", 1_000_000, "公里 千米 km kilometre kilometres kilometer kilometers")
_add("volume", 1, "毫升 ml millilitre millilitres milliliter milliliters")
_add("volume", 1000, "升 l litre litres liter liters")
_add("temperature", 1, "°c ° 度 摄氏度 degrees degree")
_add("area", 1, "m2 平米 平方米 平方")
_add("people", 1, "人 位 名 people guests persons pax")
_add("energy", 1, "度电 kwh")

# What is counted by what holds it: "peach jam jars", "52 jars of peach jam".
CONTAINERS = {
    "jar": "jars", "bottle": "bottles", "bag": "bags", "box": "boxes", "tub": "tubs", "pack": "packs", "can": "cans",
    "tin": "tins", "tray": "trays", "crate": "crates", "carton": "cartons", "sachet": "sachets",
}  # fmt: skip
SUM_WORDS = re.compile(r"总|合计|共|\btotal\b|\bin all\b")

CURRENCY_SIGNS = "¥£$€"
# A currency named in a view: what its day-first habit is in dates.
MONTH_FIRST = {"usd", "$", "us$", "dollar", "dollars"}

# Kinds of columns and figures by what they are usually called; used only where no label of the view says otherwise.
COLUMN_ROLES: dict[str, tuple[str, ...]] = {
    "qty": ("数量", "件数", "个数", "数目", "quantity", "qty", "how many", "number", "count", "no."),
    "price": (
        "单价", "价格", "报价", "单位价格", "unit price", "price", "each", "price each", "unit cost", "cost each",
        "rate", "price per unit", "per unit", "unit", "price / unit",
    ),
    "line": (
        "小计", "金额", "行小计", "合计", "总价", "line total", "subtotal", "sub total", "sub-total", "amount", "total",
        "line cost", "total price", "line amount",
    ),
}  # fmt: skip
FIGURE_ROLES: dict[str, tuple[str, ...]] = {
    "goods": (
        "货款", "货款合计", "货款小计", "货品合计", "商品小计", "商品合计", "物品合计", "goods", "goods total",
        "goods subtotal", "subtotal", "sub-total", "sub total", "items total", "小计", "小计合计",
        "货款总计", "total goods",
    ),
    "total": (
        "总计", "合计", "总价", "总额", "总金额", "总数", "总合计", "共计", "总共", "应付总额", "总费用",
        "总款", "总付款", "grand total", "total", "overall total", "total cost", "overall", "total due",
        "total price", "all in", "bottom line", "figure at the bottom",
    ),
    "deposit": ("定金", "订金", "押金", "deposit"),
    "deadline": ("截止", "截止日期", "截止时间", "deadline", "due date", "due"),
}  # fmt: skip
