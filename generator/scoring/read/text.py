"""Replies made plain: reasoning, invisible characters, markup and containers taken away."""

import json
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache
from typing import Any

from opencc import OpenCC

MAX_CHARS = 200_000

_THINK = r"(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)"
# One pass over single tags; a pattern spanning a block would be quadratic on many unclosed openings.
_THINK_TAG = re.compile(
    rf"<\s?(/?)\s?(?:[a-z]{{1,12}}:)?{_THINK}\s?>|<\|(?:begin|(end))_of_thought\|>|"
    rf"\[(/?){_THINK}\]|◁(/?)think▷",
    re.IGNORECASE,
)
_CHANNEL = re.compile(r"<\|channel\|>\s?(\w{1,20})|<\|(?:start|end|message|return|im_start|im_end)\|>")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_reply(text: str) -> str:
    """Return the text that may be graded: the first 200,000 characters without reasoning or invisible characters.

    A block that is never closed takes everything after it; text before a lone closing tag is reasoning too.
    Line breaks and full-width forms stay. The result is empty if nothing but reasoning was said.
    """
    text = _INVISIBLE.sub("", _SURROGATE.sub("\ufffd", text[:MAX_CHARS])).replace("\r\n", "\n")
    return _drop_thoughts(_keep_final_channel(text)).strip()


def _keep_final_channel(text: str) -> str:
    """Return the final channel of a reply in the channel format, or the text as it is."""
    marks = list(_CHANNEL.finditer(text))
    if not any(mark[1] for mark in marks):
        return text
    kept, is_final = [], False
    for mark, end in zip(marks, [m.start() for m in marks[1:]] + [len(text)], strict=True):
        is_final = mark[1] == "final" if mark[1] else is_final
        if is_final:
            kept.append(text[mark.end() : end])
    return "".join(kept)


def _drop_thoughts(text: str) -> str:
    kept, depth, last = list[str](), 0, 0
    for tag in _THINK_TAG.finditer(text):
        is_closing = any(tag.groups())
        if depth == 0:
            # A closing tag without an opening one: the template had opened the block before the reply.
            kept = [] if is_closing else [*kept, text[last : tag.start()]]
        depth = max(0, depth - 1) if is_closing else depth + 1
        last = tag.end()
    return "".join(kept) + (text[last:] if depth == 0 else "")


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def simplify(text: str) -> str:
    """Return the text in simplified characters."""
    return str(_converter().convert(text))


# Sentence marks keep their full width, so that 1，2 stays two clauses.
_DIGITS = {0xFF10 + i: ord("0") + i for i in range(10)}
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "，；！？～"} | {
    0x3000: " ",
    0x00A0: " ",
    0x202F: " ",
    0x2009: " ",
    0x2007: " ",
    0xFFE5: "¥",
    0xFFE1: "£",
    0x2019: "'",
}
_HISTORY_MARKUP = re.compile(r"~~[^~\n]{1,400}~~|<(?:del|s|strike)>[^<]{0,400}</(?:del|s|strike)>", re.IGNORECASE)
_SCRIPT = re.compile(r"<(?:script|style)\b[^<]{0,2000}</(?:script|style)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_NUMBER_SPACE = "\u2009\u202f\u00a0\u2007"
_GROUPS = re.compile(
    rf"(?<![0-9])[0-9]{{1,3}}(?:(?:[，,{_NUMBER_SPACE}'\u2019]|\{{,\}}|\\[,!])[0-9]{{3}}){{1,5}}(?![0-9])"
)
# Plain spaces group digits only where a currency says that this is one number; "3 500" may be two.
_SPACED = re.compile(
    r"(?:\b(?:USD|GBP|EUR|CNY|RMB)|[$£€¥])\s?[0-9]{1,3}(?: [0-9]{3}){1,4}(?![0-9])"
    r"|(?<![0-9])(?<![0-9] )[0-9]{1,3}(?: [0-9]{3}){1,4}(?:\.[0-9]{2})?(?=\s?(?:元|€|dollars|pounds|euros|EUR|USD|"
    r"GBP|CNY)\b)"
)
_MATH = re.compile(r"\$([^$\n\s](?:[^$\n]{0,400}[^$\n\s])?)\$(?![0-9])")
_FRACTION = re.compile(r"\\[dt]?frac\{([0-9]{1,12})\}\{([0-9]{1,12})\}")
_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__")
_LATEX_WORD = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\{([^{}\n]{0,200})\}")


@dataclass(frozen=True, slots=True)
class Plain:
    """A reply ready for reading: half width, simplified, without markup; `bold` holds what was emphasised."""

    text: str
    bold: str
    boxed: str | None


def make_plain(text: str) -> Plain:
    """Return the plain form of a reply; struck-through text is gone, tables and JSON have become lines."""
    text = _GROUPS.sub(_join_groups, clean_reply(text).translate(_DIGITS))
    text = simplify(text.translate(_HALF_WIDTH))
    text = _HISTORY_MARKUP.sub(" ", text)
    if "<" in text:
        text = _TAG.sub("", _SCRIPT.sub("", text))
    text = _SPACED.sub(lambda found: re.sub(r"(?<=[0-9]) (?=[0-9])", "", found[0]), text)
    text = re.sub(r"(?<=[0-9]) (?=[百千万亿])", "", text)
    text = _FRACTION.sub(_write_fraction, _LATEX_WORD.sub(r"\1", text))
    text = _MATH.sub(_open_math, text).replace("\\$", "$").replace("\\times", "×").replace("\\%", "%")
    boxed = _last_box(text)
    bold = "\n".join(m[1] or m[2] for m in _BOLD.finditer(text))
    text = _BOLD.sub(lambda m: m[1] or m[2], text)
    text = _lay_out_tables(_lay_out_json(text).replace("`", ""))
    return Plain(text, bold, boxed)


def _join_groups(found: re.Match[str]) -> str:
    digits = "".join(char for char in found[0] if char.isdigit())
    head = len(digits) % 3
    return ",".join(filter(None, [digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))]))


def _write_fraction(found: re.Match[str]) -> str:
    below = int(found[2])
    return f"{int(found[1]) / below:.10g}" if below else " "


def _open_math(found: re.Match[str]) -> str:
    """Return the inside of $…$ if it is mathematics; two dollar prices in a line are not."""
    return f" {found[1]} " if re.search(r"[\\=+^]|^[a-zA-Z0-9., ]{1,12}$", found[1]) else found[0]


def _last_box(text: str) -> str | None:
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth, begin = 1, start + len("\\boxed{")
    for position in range(begin, min(len(text), begin + 2000)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[begin:position]
    return None


_FENCE = re.compile(r"^\s{0,3}```.*$", re.MULTILINE)


def _lay_out_json(text: str) -> str:
    """Return the text with each JSON object or array on its own lines as `key: value` lines."""
    parts = _FENCE.split(text)
    return "\n".join(_write_json(part) or part for part in parts)


def _write_json(part: str) -> str | None:
    body = part.strip()
    if not body.startswith(("{", "[")) or len(body) > 20_000:
        return None
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return "\n" + "\n".join(_flatten(value, "")) + "\n"


def _flatten(value: Any, key: str) -> list[str]:
    if isinstance(value, dict):
        return [line for name, inner in value.items() for line in _flatten(inner, str(name).replace("_", " "))]
    if value == []:
        return [f"{key}: []"]
    if isinstance(value, list):
        return [line for inner in value for line in _flatten(inner, key)]
    return [f"{key}: {value}"] if value is not None else []


# A line that came from a table: its values are offers side by side, not a statement.
TABLE_MARK = "\u2502 "
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*$")
_TOTAL_ROW = re.compile(r"总|合计|共计|\btotal\b", re.IGNORECASE)
_TOTAL_HEAD = re.compile(r"总价|总额|合计|金额|\btotal\b|\bamount\b", re.IGNORECASE)


def _lay_out_tables(text: str) -> str:
    """Return the text with every table cell on a line of its own: row name, column name, value.

    The cells of a total row carry 合计 instead; in a table of several rows a column 总价 holds parts.
    """
    lines, out, index = text.split("\n"), list[str](), 0
    while index < len(lines):
        if lines[index].count("|") < 2:
            out.append(lines[index])
            index += 1
            continue
        block = []
        while index < len(lines) and lines[index].count("|") >= 2:
            block.append(lines[index])
            index += 1
        out.extend(_write_table(block))
    return "\n".join(out)


def _write_table(block: list[str]) -> list[str]:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
    has_head = len(block) > 1 and _TABLE_RULE.match(block[1]) is not None
    head, body = (rows[0], rows[2:]) if has_head else ([], rows)
    out: list[str] = []
    for row in body:
        name = row[0]
        if _TOTAL_ROW.search(name):
            out.extend(f"{TABLE_MARK}合计: {cell}" for cell in row[1:] if cell)
            continue
        for column, cell in enumerate(row[1:], 1):
            label = head[column] if column < len(head) else ""
            if len(body) > 1 and _TOTAL_HEAD.search(label):
                label = "小计"
            out.append(f"{TABLE_MARK}{name} {label}: {cell}")
    return out


_STOP = r"\.(?=\s{1,4}[A-Z\"'(]|\s{0,4}$|\s{0,4}[一-龥])"
_CLAUSE_END = re.compile(rf"[，。；！？;!?\n()…]|,(?![0-9]{{3}}(?![0-9]))|——|\s[–—-]\s|{_STOP}")
_SENTENCE_END = re.compile(rf"[。；！？;!?\n]|{_STOP}")


class Clauses:
    """Where the clauses and sentences of a text begin and end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._clause_ends = [m.end() for m in _CLAUSE_END.finditer(text)]
        self._sentence_ends = [m.end() for m in _SENTENCE_END.finditer(text)]

    def clause(self, position: int) -> tuple[int, int]:
        """Return start and end of the clause around a position, its closing mark included."""
        return _around(self._clause_ends, position, len(self.text))

    def sentence(self, position: int) -> tuple[int, int]:
        """Return start and end of the sentence around a position, its closing mark included."""
        return _around(self._sentence_ends, position, len(self.text))


def _around(ends: list[int], position: int, length: int) -> tuple[int, int]:
    index = bisect_right(ends, position)
    after = bisect_left(ends, position + 1)
    return (ends[index - 1] if index else 0, ends[after] if after < len(ends) else length)
