"""Harmless rewordings of a reply, which must lose no item, and targeted mutations, which must lose exactly theirs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import opencc

from generator.errors import GenError
from generator.language.numerals import write_en, write_zh
from generator.records import SheetView
from generator.scoring.witness import STYLES, currency_sign, format_value, write_sheet

Rewording = Callable[[str, SheetView, random.Random], str]
REWORDINGS: dict[str, Rewording] = {}

_NUMBER = re.compile(
    r"(?<![\d,./:年月\-\w])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d/:年月-])|\d+(?:\.\d+)?(?![\d,/:年月-]))"
)
_BIG = re.compile(r"(?<![\d,./:年\-])\d{4,}(?![\d/:年-])")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
_WIDE_MARKS = str.maketrans(":()%=+", "：（）％＝＋")
_WIDE_DIGITS = str.maketrans({str(d): chr(0xFF10 + d) for d in range(10)})


def rewording(name: str) -> Callable[[Rewording], Rewording]:
    """Return a decorator that enters a rewording under a name."""

    def enter(change: Rewording) -> Rewording:
        REWORDINGS[name] = change
        return change

    return enter


def _is_code(text: str) -> bool:
    return "```" in text or text.lstrip().startswith(("{", "["))


def _is_zh(view: SheetView) -> bool:
    return view.lang == "zh"


@rewording("full-width-digits")
def widen_digits(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with full-width digits, and full-width commas within them."""
    if _is_code(text):
        return text
    text = re.sub(r"(?m)^(\d+)\. ", "\\1\ufdd0 ", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "，", text) if _is_zh(view) else text
    wide = re.sub(r"(?<=\d)\.(?=\d)", "．", text).translate(_WIDE_DIGITS)
    narrow = {0xFF10 + d: str(d) for d in range(10)}
    return re.sub(r"([０-９]+)\ufdd0", lambda found: found[1].translate(narrow) + ".", wide)


@rewording("full-width-marks")
def widen_marks(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with full-width colons, brackets, signs and bars' neighbours as Chinese typing has them."""
    if _is_code(text):
        return text
    return text.translate(_WIDE_MARKS)


@lru_cache(maxsize=1)
def _traditional() -> opencc.OpenCC:
    return opencc.OpenCC("s2t")


@rewording("traditional")
def write_traditional(text: str, view: SheetView, rng: random.Random) -> str:
    """Return a Chinese text in traditional characters."""
    return str(_traditional().convert(text)) if _is_zh(view) else text


@rewording("number-words")
def write_number_words(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with counts before their classifiers (zh) or small figures before "×" (en) in words."""
    if _is_code(text):
        return text
    if not _is_zh(view):
        return re.sub(r"(?<![\d,.:/£$€-])([2-9]|1\d)(?= × )", lambda found: write_en(int(found[1])), text)
    units = sorted({unit for row in view.rows for unit in row.units}, key=len, reverse=True)
    if not units:
        return text
    pattern = re.compile(rf"(?<![\d,./:])(\d{{1,4}}) ?({'|'.join(map(re.escape, units))})")
    return pattern.sub(lambda found: write_zh(int(found[1])) + found[2], text)


@rewording("bold-numbers")
def bold_numbers(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with its numbers in bold."""
    if _is_code(text):
        return text
    return _NUMBER.sub(lambda found: f"**{found[0]}**", text)


@rewording("bold-names")
def bold_names(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with row names in bold."""
    if _is_code(text) or "**" in text:
        return text
    names = sorted((row.names[0] for row in view.rows), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, names)), lambda found: f"**{found[0]}**", text)


@rewording("row-order")
def shuffle_rows(text: str, view: SheetView, rng: random.Random) -> str:
    """Return a table or list with its entries in another order; running text stays."""
    lines = text.split("\n")
    names = [row.names[0] for row in view.rows]
    at = [
        i for i, line in enumerate(lines)
        if line.startswith(("| ", "- ")) and any(line[2:].lstrip("*").startswith(n) for n in names)
    ]  # fmt: skip
    if len(at) < 2 or at != list(range(at[0], at[-1] + 1)):
        return text
    entries = [lines[i] for i in at]
    rng.shuffle(entries)
    return "\n".join([*lines[: at[0]], *entries, *lines[at[-1] + 1 :]])


@rewording("crlf")
def end_lines_as_windows(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with CRLF line ends."""
    return text.replace("\n", "\r\n")


@rewording("nbsp")
def harden_spaces(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with a no-break space between number and unit."""
    return text if _is_code(text) else re.sub(r"(?<=\d) (?=[^\s\d|])", "\u00a0", text)


def _group(found: re.Match[str]) -> str:
    # 3 May 2026 has a year, not a figure
    is_year = found[0][:2] in {"19", "20"} and len(found[0]) == 4 and found.string[: found.start()][-2:-1].isalpha()
    return found[0] if is_year else f"{int(found[0]):,}"


@rewording("separators-on")
def group_thousands(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with thousands separators in figures of four digits and more."""
    return text if _is_code(text) else _BIG.sub(_group, text)


@rewording("separators-off")
def ungroup_thousands(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text without thousands separators."""
    return _GROUPED.sub(lambda found: found[0].replace(",", ""), text)


@rewording("decimals")
def add_decimals(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with .00 after whole sums of money."""
    sign = re.escape(currency_sign(view.currency))
    return re.sub(
        rf"({sign}\s?\d[\d,]*)(?![\d.,万])|(?<![\d.,])(\d[\d,]*)(?= ?元)", lambda f: f"{f[1] or f[2]}.00", text
    )


@rewording("money-words")
def vary_money_units(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with another way of saying the currency."""
    if _is_zh(view):
        return re.sub(r"(\d[\d,.]*) 元", rng.choice([r"\1元", r"¥\1", r"人民币 \1 元", r"\1 块"]), text)
    sign = re.escape(currency_sign(view.currency))
    word = {"GBP": "pounds", "USD": "dollars", "EUR": "euros"}.get(view.currency.upper())
    return re.sub(rf"{sign}(\d[\d,]*(?:\.\d+)?)", rf"\1 {word}", text) if word else text


@rewording("opening")
def add_opening(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text after a polite sentence."""
    lines = ["好的，已按您最后定的整理如下：", "没问题，最新清单在这里👇"] if _is_zh(view) else [
        "Of course — here's the current list:", "Sure! This is where things stand now."]  # fmt: skip
    return f"{rng.choice(lines)}\n\n{text}"


@rewording("closing")
def add_closing(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text before a question."""
    lines = ["需要我再导出成 Excel 吗？", "您看还有哪里要改吗？😊"] if _is_zh(view) else [
        "Would you like this as a spreadsheet?", "Anything else you'd like changed? 🙂"]  # fmt: skip
    return f"{text}\n\n{rng.choice(lines)}"


@rewording("thoughts")
def add_thoughts(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text after a block of reasoning that holds other values."""
    name, label = view.rows[0].names[0], (view.columns or view.figures)[0].labels[0]
    return f"<think>{name} {label} 99; {name} {label} 98…</think>\n{text}"


@rewording("heading")
def add_heading(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text under a heading."""
    return f"## {'最新清单' if _is_zh(view) else 'Current sheet'}\n\n{text}"


@rewording("fence")
def fence(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text in a code fence."""
    return text if "```" in text else f"```\n{text}\n```"


@rewording("trailing-space")
def trail_spaces(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with spaces at line ends and a blank line or two more."""
    return "\n\n" + "  \n".join(text.split("\n")) + "\n\n\n"


@rewording("past-note")
def add_past_note(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text before a note that tells old values as history."""
    row = view.rows[0].names[0] if view.rows else ""
    unit = view.rows[0].units[0] if view.rows and view.rows[0].units else ""
    if _is_zh(view):
        return f"{text}\n\n备注：{row}原定 97 {unit}，之前报过 9,701 元，以上面为准。"
    old = f"97 at {currency_sign(view.currency)}9,701"
    return f"{text}\n\nNote: the {row} was originally {old}; the figures above stand."


@rewording("struck")
def add_struck(text: str, view: SheetView, rng: random.Random) -> str:
    """Return the text with a struck-out value before the first bold or plain number of each table row."""
    return re.sub(r"(?m)^(\| [^|\n\d]+ \| )(?=\d)", r"\1~~97~~ ", text)


def rerender(
    view: SheetView, values: Mapping[str, int], requested: Sequence[str], rng: random.Random,
    scopes: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """Return the same values in a style drawn at random."""
    return write_sheet(view, values, requested, rng.choice(STYLES), rng, scopes)


# --- mutations -----------------------------------------------------------------------------------------------


def mutate_value(values: Mapping[str, int], path: str, wrong: int) -> dict[str, int]:
    """Return the values with one of them wrong.

    Raises:
        GenError: The path has no value, or `wrong` is the value it has.
    """
    if values.get(path, wrong) == wrong:
        raise GenError("reword", f"{path!r} cannot become {wrong!r}", "name a path with another value")
    return {**values, path: wrong}


def shift_value(values: Mapping[str, int], path: str, step: int = 1) -> dict[str, int]:
    """Return the values with one of them off by `step` in the integer's own unit."""
    return mutate_value(values, path, values[path] + step)


def drop_row(values: Mapping[str, int], requested: Sequence[str], row: str) -> tuple[dict[str, int], list[str]]:
    """Return values and paths without those of one row."""
    lead = f"{row}."
    return {p: v for p, v in values.items() if not p.startswith(lead)}, [p for p in requested if not p.startswith(lead)]


def swap_rows(values: Mapping[str, int], left: str, right: str) -> dict[str, int]:
    """Return the values with those of two rows exchanged, where both have one."""
    swapped = dict(values)
    for path in values:
        row, _, rest = path.partition(".")
        other = f"{right}.{rest}"
        if row == left and other in values:
            swapped[path], swapped[other] = values[other], values[path]
    return swapped


def add_row(
    values: Mapping[str, int], requested: Sequence[str], row: str, cells: Mapping[str, int]
) -> tuple[dict[str, int], list[str]]:
    """Return values and paths with a row that should be gone, such as a cancelled one; `cells` by column id."""
    extra = {f"{row}.{column}": value for column, value in cells.items()}
    return {**values, **extra}, [*requested, *extra]


def list_everything(
    view: SheetView, values: Mapping[str, int], stale: Mapping[str, Sequence[int]], requested: Sequence[str]
) -> str:
    """Return the negative control that names every value a cell ever had: "12 / 14 / 10"."""
    fields = {field.id: field for field in (*view.columns, *view.figures)}
    names = {row.id: row.names[0] for row in view.rows}
    lines = []
    for path in requested:
        row, _, name = path.partition("@")[0].partition(".")
        every = [*stale.get(path, ()), values[path]]
        if len(every) < 2:
            every = [values[path] + 1, values[path]]
        field = fields[name]
        texts = [format_value(field.family, v, field, view.lang, view.currency, "grouped") for v in every]
        name = f"{names[row]} " if row in names else ""
        lines.append(f"- {name}{field.labels[0]}：{' / '.join(texts)}")
    return "\n".join(lines)
