"""Plain text from a reply: widths, scripts, emphasis and strikes, before anything is bound to a sheet."""

from __future__ import annotations

import re
from functools import lru_cache

import opencc

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if code != 0xFF0C}
_ONE_TO_ONE = {
    "\u3000": "  ", "\u00a0": " ", "\u2007": " ", "\u2002": " ", "\u2003": " ", "\u200b": "", "\u200c": "",
    "\u200d": "", "\u2060": "", "\ufeff": "", "\ufe0f": "", "\u2212": "-", "\u2013": "-", "\u2010": "-",
    "\u2011": "-", "\u2012": "-", "\u2015": "—", "✕": "×", "✖": "×", "╳": "×", "⨯": "×", "➜": "→", "➡": "→",
    "⇒": "→", "￥": "¥", "￡": "£", "℃": "°c", "㎡": "m2", "﹪": "%", "│": "|", "┃": "|", "’": "'", "‘": "'",
    "【": "(", "】": ")", "〔": "(", "〕": ")", "［": "(", "］": ")", "≈": " ", "`": "",
}  # fmt: skip
_TABLE = str.maketrans({**{chr(k): chr(v) for k, v in _WIDE.items()}, **_ONE_TO_ONE})

_WIDE_THOUSANDS = re.compile(r"(?<=[０-９])，(?=[０-９]{3}(?![０-９]))")
_SIGNED_THOUSANDS = re.compile(r"([¥￥£$€]\s?[0-9]{1,3}(?:，[0-9]{3})+)(?![0-9])")
_THIN = re.compile("(?<=[0-9])[\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_LATEX = re.compile(r"\\(times|cdot|rightarrow|to|text|mathrm|boxed|quad|,|\$|%|£)")
_LATEX_SIGNS = {"times": "×", "cdot": "×", "rightarrow": "→", "to": "→", "$": "$", "%": "%", "£": "£"}
_MATH = re.compile(r"\$\$?([^$\n]{0,300}[\\=][^$\n]{0,300})\$\$?(?!\d)")
_ARROW = re.compile(r"[-=]{1,2}>")
_STRUCK = re.compile(r"~~[^~\n]{0,2000}~~|<(?:del|s|strike)>[^<\n]{0,2000}</(?:del|s|strike)>", re.IGNORECASE)
_HTML_CELL = re.compile(r"<t[dh][^>\n]{0,200}>", re.IGNORECASE)
_HTML_ROW = re.compile(r"<tr[^>\n]{0,200}>", re.IGNORECASE)
_HTML_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_BREAK = re.compile(r"<br\s?/?>", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*\*|__|\*(?=[^\s*\d][^*\n]{0,80}\*)|(?<=[^\s*\d(])\*(?!\*|\s{0,3}[\d£¥$€])")
# The joiner of a struck-out passage: a reader of rows must see that something stood here, but no value.
_BLANK = " "


@lru_cache(maxsize=1)
def _simplifier() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def simplify(text: str) -> str:
    """Return the text in simplified characters."""
    return text if text.isascii() else str(_simplifier().convert(text))


def fold(text: str, lang: str) -> str:
    """Return a name, label or unit as it is looked for: half width, simplified, lower case, single spaces."""
    folded = text.translate(_TABLE).replace("，", ",")
    if lang == "zh":
        folded = simplify(folded)
    return " ".join(folded.lower().split())


def flatten(text: str, lang: str, *, dollars: bool = False) -> str:
    """Return the reply as the sheet reader wants it: what is struck out removed, signs and widths made one.

    With `dollars`, "$" is money; otherwise it is a mark of mathematics and goes. Line structure is kept; `，`
    survives as such, because between figures it separates more often than it groups.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\\" in text:
        text = _MATH.sub(r"\1", text)
        text = _LATEX.sub(lambda found: _LATEX_SIGNS.get(found[1], _BLANK), text).replace("{,}", ",")
    if "$" in text:
        text = _MATH.sub(r"\1", text) if dollars else text.replace("$", "")
    if "~~" in text or "<" in text:
        text = _STRUCK.sub(_BLANK, text)
    if "<" in text:
        text = _strip_html(text)
    if "，" in text:
        text = _SIGNED_THOUSANDS.sub(lambda found: found[1].replace("，", ","), _WIDE_THOUSANDS.sub(",", text))
    text = _THIN.sub(",", text).replace("\u2009", " ").replace("\u202f", " ")
    text = _ARROW.sub("→", text.translate(_TABLE))
    text = _EMPHASIS.sub("", text) if "*" in text or "__" in text else text
    if lang == "zh":
        text = simplify(text)
    return text.lower()


def _strip_html(text: str) -> str:
    if "<t" in text.lower():
        text = _HTML_ROW.sub("\n|", _HTML_CELL.sub("", text))
        text = re.sub(r"</t[dh]>\s{0,20}", "|", text, flags=re.IGNORECASE)
    return _HTML_TAG.sub("", _BREAK.sub(" ; ", text))


_MARKER = re.compile(
    r"[\s>]*(?:#{1,6}\s+|[-*+•·▪◦●○■□✅✔☑❌➤▶–—]\s*|\(?\d{1,2}[.)、](?!\d)\s*|\(\d{1,2}\)\s*|\d\u20e3\s*|[①-⑳]\s*"
    r"|\(?[一二三四五六七八九十]{1,3}[、)]\s*|\[[ xX]\]\s*|[^\w\s(|¥£$€+\-=×@~→\"'\[{.,:;%]\s*){0,4}"
)


def strip_marker(line: str) -> tuple[str, bool, bool]:
    """Return the line without bullet, number, heading or emoji; whether it had one; whether it is a heading."""
    found = _MARKER.match(line)
    end = found.end() if found else 0
    head = line[:end].strip()
    return line[end:], bool(head), head.startswith("#")


def variants(name: str, lang: str) -> set[str]:
    """Return a folded name with its English plural, singular and unhyphenated forms."""
    if lang != "en" and not name.isascii():
        return {name, name.replace(" ", "")}
    forms = {name, name.replace("-", " "), name.replace(" ", "-"), name.replace("-", "")}
    for form in tuple(forms):
        if len(form) < 3 or not form[-1].isalpha():
            continue
        if form.endswith("ies"):
            forms.add(form[:-3] + "y")
        elif form.endswith("y") and form[-2] not in "aeiou":
            forms.add(form[:-1] + "ies")
        elif form.endswith(("ches", "shes", "xes", "sses")):
            forms.add(form[:-2])
        elif form.endswith("s") and not form.endswith("ss"):
            forms.add(form[:-1])
        else:
            forms.add(form + ("es" if form.endswith(("ch", "sh", "x", "ss")) else "s"))
            if form.endswith("f"):
                forms.add(form[:-1] + "ves")
    return forms
