"""Sheets in replies: model-style replies with hand-made verdicts, and properties over random sheets."""

from __future__ import annotations

import datetime
import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import GenError
from generator.records import FieldView, Item, RowView, SheetView, Verdict
from generator.scoring.checks import CHECKS, ReplyContext, register, run_check
from generator.scoring.reword import (
    REWORDINGS,
    add_row,
    drop_row,
    list_everything,
    mutate_value,
    rerender,
    shift_value,
    swap_rows,
)
from generator.scoring.sheet import parse_sheet
from generator.scoring.witness import STYLES, SURFACES, format_value, write_sheet

HIT, MISS, UNSURE = Verdict.HIT, Verdict.MISS, Verdict.UNSURE


def field(name: str, labels: str, family: str, units: str = "", scale: int = 1) -> FieldView:
    return FieldView.model_validate(
        {"id": name, "labels": tuple(labels.split("|")), "family": family, "units": tuple(units.split()), "scale": scale}
    )


ZH = SheetView(
    lang="zh",
    today="2026-05-01",
    currency="CNY",
    rows=(
        RowView(id="chair", names=("人体工学椅", "椅子"), units=("把",)),
        RowView(id="desk", names=("升降桌", "桌子"), units=("张",)),
        RowView(id="lamp", names=("台灯", "灯"), units=("盏",)),
    ),
    columns=(
        field("qty", "数量", "count"),
        field("price", "单价", "money", "元", 100),
        field("line", "小计", "money", "元", 100),
    ),
    figures=(
        field("goods", "货款合计|货款", "money", "元", 100),
        field("fee", "安装费", "money", "元", 100),
        field("total", "总计|总价|合计", "money", "元", 100),
    ),
)
EN = SheetView(
    lang="en",
    today="2026-05-01",
    currency="GBP",
    rows=(
        RowView(id="chair", names=("task chair", "chair")),
        RowView(id="desk", names=("sit-stand desk", "desk")),
        RowView(id="lamp", names=("desk lamp", "lamp")),
    ),
    columns=(
        field("qty", "how many|quantity", "count"),
        field("price", "each|unit price", "money", "pounds", 100),
        field("line", "line total", "money", "pounds", 100),
    ),
    figures=(
        field("goods", "goods total|goods", "money", "pounds", 100),
        field("fee", "fitting", "money", "pounds", 100),
        field("total", "total|grand total", "money", "pounds", 100),
    ),
)
ZH_VALUES = {
    "chair.qty": 10, "chair.price": 68000, "chair.line": 680000, "desk.qty": 12, "desk.price": 150000,
    "desk.line": 1800000, "sheet.goods": 2480000, "sheet.fee": 124000, "sheet.total": 2604000,
}  # fmt: skip
ZH_STALE = {
    "chair.qty": (12,), "chair.price": (64000,), "chair.line": (816000, 640000), "desk.price": (138000,),
    "desk.line": (1656000,), "sheet.goods": (2336000,), "sheet.fee": (116800,), "sheet.total": (2452800, 2746800),
}  # fmt: skip
EN_VALUES = {
    "chair.qty": 10, "chair.price": 11800, "chair.line": 118000, "desk.qty": 12, "desk.price": 26500,
    "desk.line": 318000, "sheet.goods": 436000, "sheet.fee": 21800, "sheet.total": 457800,
}  # fmt: skip
EN_STALE = {
    "chair.qty": (12,), "chair.price": (10400,), "chair.line": (141600, 104000), "desk.price": (23900,),
    "desk.line": (286800,), "sheet.goods": (404800,), "sheet.fee": (20240,), "sheet.total": (425040,),
}  # fmt: skip


def make_items(values: dict[str, int], paths: list[str], stale: dict[str, tuple[int, ...]] | None = None) -> tuple[Item, ...]:
    items = []
    for path in paths:
        row, _, name = path.partition(".")
        where = {"figure": name} if row == "sheet" else {"row": row, "column": name}
        items.append(
            Item(
                id=path,
                kind="value",
                weight=2,
                check="figure" if row == "sheet" else "cell",
                params={**where, "value": values[path]},
                truth_path=path,
                stale=(stale or {}).get(path, ()),
            )
        )
    return tuple(items)


def absent(row: str) -> Item:
    return Item(id=f"no {row}", kind="absent", weight=1, check="absent", params={"row": row}, truth_path=row)


ITEMS = {
    "zh": (*make_items(ZH_VALUES, list(ZH_VALUES), ZH_STALE), absent("lamp")),
    "en": (*make_items(EN_VALUES, list(EN_VALUES), EN_STALE), absent("lamp")),
}
VIEWS = {"zh": ZH, "en": EN}


def ends(text: str, view: SheetView, items: tuple[Item, ...]) -> dict[str, Verdict]:
    context = ReplyContext(text, view, items)
    return {item.id: run_check(item, context) for item in items}


def not_hit(text: str, view: SheetView, items: tuple[Item, ...]) -> dict[str, Verdict]:
    return {name: end for name, end in ends(text, view, items).items() if end != HIT}


# id, language, reply, what is not a hit ("?" after a name: unsure)
REPLIES: list[tuple[str, str, str, str]] = [
    ("zh table with notes", "zh", """好的，单子定稿如下，可以直接转发 📋

| 品名 | 数量 | 单价（元） | 小计（元） |
|:---|:---:|---:|---:|
| 人体工学椅 | 10 把 | 680 | 6,800 |
| 升降桌 | 12 张 | 1,500 | 18,000 |
| **货款合计** | 22 | | **24,800** |
| 安装费（货款 5%） | — | — | 1,240 |
| **总计** | | | **26,040** |

**说明：**
- 椅子按您说的少了两把（原 12 把），实习生用旧椅子；
- 桌子恢复到最早的 1500，预付优惠 1,380 元没谈成；
- 640 那款椅子只是询价，没有换；
- 台灯已取消，不在单子里。

需要我再导出一份 Excel 吗？😊""", ""),
    ("zh arithmetic list", "zh", """**部门搬家采购清单**

1. 人体工学椅：10 把 × 680 元 = 6,800 元
2. 升降桌：12 张 × 1,500 元 = 18,000 元

货款合计：6,800 + 18,000 = **24,800 元**
安装费：24,800 × 5% = **1,240 元**
总计：24,800 + 1,240 = **26,040 元**""", ""),
    ("zh nested list", "zh", """### 采购清单

**1. 人体工学椅**
- 数量：10 把
- 单价：¥680/把
- 小计：¥6,800

**2. 升降桌**
- 数量：12 张
- 单价：¥1,500/张
- 小计：¥18,000

### 费用汇总
- 货款：¥24,800
- 安装费（5%）：¥1,240
- **总计：¥26,040**""", ""),
    ("zh message", "zh", """各位好：

这次搬家采购定下来了。人体工学椅 10 把，每把 680 元，小计 6,800 元；升降桌 12 张，单价 1,500 元，小计 18,000 元。货款合计 24,800 元，安装费按货款的 5% 计 1,240 元，总价 2.604 万元。原来的台灯不要了。

麻烦安排，谢谢！""", ""),
    ("zh stale desk", "zh", """整理好了：

| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6800 |
| 升降桌 | 12 | 1380 | 16560 |

货款合计 23360 元，安装费 1168 元，总计 24528 元。""", "desk.price desk.line sheet.goods sheet.fee sheet.total"),
    ("zh missed adjustment", "zh", """- 人体工学椅 12 把，680 元/把，小计 8,160 元
- 升降桌 12 张，1,500 元/张，小计 18,000 元
- 货款合计 26,160 元
- 安装费 1,308 元
- 总计 27,468 元""", "chair.qty chair.line sheet.goods sheet.fee sheet.total"),
    ("zh lamp kept", "zh", """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 椅子 | 10把 | 680元 | 6800元 |
| 桌子 | 12张 | 1500元 | 18000元 |
| 台灯 | 5盏 | 90元 | 450元 |
| 货款合计 | | | 24800元 |
| 安装费 | | | 1240元 |
| 合计 | | | 26040元 |""", "no lamp"),
    ("zh transposed", "zh", """| 项目 | 人体工学椅 | 升降桌 |
|---|---|---|
| 数量 | 10 把 | 12 张 |
| 单价 | 680 元 | 1,500 元 |
| 小计 | 6,800 元 | 18,000 元 |

货款合计：24,800 元；安装费：1,240 元；总计：26,040 元""", ""),
    ("zh json", "zh", """```json
{
  "明细": [
    {"品名": "人体工学椅", "数量": 10, "单价": 680, "小计": 6800},
    {"品名": "升降桌", "数量": 12, "单价": 1500, "小计": 18000}
  ],
  "货款合计": 24800,
  "安装费": 1240,
  "总计": 26040
}
```""", ""),
    ("zh json english keys", "zh", """{"items": [{"name": "人体工学椅", "quantity": 10, "unit_price": 680.0, "subtotal": "¥6,800.00"},
{"name": "升降桌", "quantity": 12, "unit_price": 1500, "subtotal": 18000}, {"name": "台灯", "quantity": 0, "unit_price": 90, "subtotal": 0}],
"货款": 24800, "安装费": {"比例": "5%", "金额": 1240}, "grand_total": 26040}""", ""),
    ("zh tabs", "zh", "品名\t数量\t单价\t小计\n人体工学椅\t10\t680\t6800\n升降桌\t12\t1500\t18000\n货款合计\t\t\t24800\n安装费\t\t\t1240\n总计\t\t\t26040", ""),
    ("zh aligned", "zh", """品名          数量    单价      小计
人体工学椅    10      680       6,800
升降桌        12      1,500     18,000
货款合计                        24,800
安装费                          1,240
总计                            26,040""", ""),
    ("zh csv", "zh", '品名,数量,单价,小计\n人体工学椅,10,680,"6,800"\n升降桌,12,1500,"18,000"\n货款合计,,,"24,800"\n安装费,,,"1,240"\n总计,,,"26,040"', ""),
    ("zh correction at end", "zh", """- 人体工学椅：12 把，单价 680 元，小计 8,160 元
- 升降桌：12 张，单价 1,500 元，小计 18,000 元

更正：人体工学椅数量应为 10 把，小计应为 6,800 元。
货款合计 24,800 元，安装费 1,240 元，总计 26,040 元。""", ""),
    ("zh words and arrows", "zh", """- 椅子：12 把 → 10 把，单价六百八十元，小计六千八百元
- 桌子：十二张，单价由 1,380 元恢复为 1,500 元，小计一万八千元
- 货款合计两万四千八百元；安装费一千二百四十元；总计两万六千零四十元""", ""),
    ("zh struck", "zh", """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 椅子 | ~~12~~ 10 | 680 | ~~8160~~ 6800 |
| 桌子 | 12 | ~~1380~~ **1500** | 18000 |
| ~~台灯~~ | ~~5~~ | ~~90~~ | ~~450~~ |

货款合计 24800，安装费 1240，总计 26040。""", ""),
    ("zh cancelled row shown", "zh", """| 品名 | 数量 | 单价 | 小计 | 备注 |
|---|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 | 原12把，实习生用旧椅，减2 |
| 升降桌 | 12 | 1,500 | 18,000 | 优惠取消，恢复原价 |
| 台灯 | 0 | 90 | 0 | 已取消 |
| 货款合计 | 22 | | 24,800 | |
| 安装费 | | | 1,240 | 24,800×5% |
| 总计 | | | 26,040 | |""", ""),
    ("zh everything at once", "zh", """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 12 / 10 | 680 / 640 | 6,800 / 6,400 / 8,160 |
| 升降桌 | 12 | 1,500（或 1,380） | 18,000 或 16,560 |
| 台灯 | 5 | 90 | 450 |

货款合计 24,800 / 23,360；安装费 1,240 / 1,168；总计 26,040 / 24,528""",
     "chair.qty chair.price chair.line desk.line sheet.goods sheet.fee sheet.total no-lamp"),
    ("zh two tables, old and new", "zh", """**变更前：**

| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 12 | 680 | 8,160 |
| 升降桌 | 12 | 1,380 | 16,560 |

**变更后：**

| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 |
| 升降桌 | 12 | 1,500 | 18,000 |
| 货款合计 | | | 24,800 |
| 安装费 | | | 1,240 |
| 总计 | | | 26,040 |""", ""),
    ("zh conflict without correction", "zh", """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 |
| 人体工学椅 | 12 | 680 | 8,160 |
| 升降桌 | 12 | 1,500 | 18,000 |
| 货款合计 | | | 24,800 |
| 安装费 | | | 1,240 |
| 总计 | | | 26,040 |""", "chair.qty chair.line"),
    ("zh note contradicts the table", "zh", """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 |
| 升降桌 | 12 | 1,500 | 18,000 |
| 货款合计 | | | 24,800 |
| 安装费 | | | 1,240 |
| 总计 | | | 26,040 |

另外，升降桌单价按 1,380 元执行。""", "desk.price"),
    ("zh ambiguous sum", "zh", """椅子 10 把 680 元，小计 6,800 元。
桌子 12 张，1500 元。
货款 24,800 元，安装费 1,240 元，总价 26,040 元。""", "desk.price? desk.line"),
    ("zh think and missing row", "zh", """<think>椅子 12-2=10，小计 6800；桌子 12×1500=18000</think>
| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 |

货款合计 24,800 元，安装费 1,240 元，总计 26,040 元""", "desk.qty desk.price desk.line"),
    ("zh traditional", "zh", """| 品名 | 數量 | 單價 | 小計 |
|---|---|---|---|
| 人體工學椅 | １０ 把 | ６８０ 元 | ６，８００ 元 |
| 升降桌 | １２ 張 | １，５００ 元 | １８，０００ 元 |

貨款合計：２４，８００ 元，安裝費：１，２４０ 元，總計：２６，０４０ 元。檯燈已經取消。""", ""),
    ("zh brackets", "zh", """- 人体工学椅（10 把）：680 元/把，小计 6,800 元
- 升降桌（12 张，每张 1,500 元）：18,000 元
- 货款合计（6,800+18,000）：24,800 元
- 安装费（货款的 5%）：1,240 元
- 总计（货款 24,800 + 安装费 1,240）：26,040 元""", ""),
    ("en table with notes", "en", """Here's the list, ready to forward to Priya:

| Item | How many | Each | Line total |
|------|---------:|-----:|-----------:|
| Task chairs | 10 | £118.00 | £1,180.00 |
| Sit-stand desks | 12 | £265.00 | £3,180.00 |
| **Goods total** | 22 | | **£4,360.00** |
| Fitting (5%) | | | £218.00 |
| **Grand total** | | | **£4,578.00** |

Notes:
- Chairs are down two, as the interns are keeping their old ones (was 12).
- Desks are back at the original £265; the £239 offer fell through.
- The £104 chair was only a query, so I haven't changed anything.
- The desk lamps have been removed.

Want me to put it in a spreadsheet?""", ""),
    ("en arithmetic list", "en", """- Task chairs: 10 at £118 each = £1,180
- Sit-stand desks: 12 at £265 each = £3,180
- Goods total: £1,180 + £3,180 = £4,360
- Fitting: 5% of £4,360 = £218
- **Total: £4,578**""", ""),
    ("en message", "en", """Hi Priya,

We need ten task chairs at £118 each (£1,180) and twelve sit-stand desks at £265 each (£3,180). The goods come to £4,360, fitting is £218, and the grand total is £4,578.

Thanks""", ""),
    ("en leading counts", "en", """Final list:

• 10 × Task chair @ £118 = £1,180
• 12 × Sit-stand desk @ £265 = £3,180

Goods: £4,360
Fitting (5%): £218
Total: £4,578""", ""),
    ("en stale desk", "en", """| Item | Quantity | Unit price | Line total |
|---|---|---|---|
| Task chair | 10 | £118 | £1,180 |
| Sit-stand desk | 12 | £239 | £2,868 |
| Goods | | | £4,048 |
| Fitting | | | £202.40 |
| Total | | | £4,250.40 |""", "desk.price desk.line sheet.goods sheet.fee sheet.total"),
    ("en missed couple", "en", """1. **Task chairs** – 12 × £118 = £1,416
2. **Sit-stand desks** – 12 × £265 = £3,180

**Goods total:** £4,596
**Fitting (5%):** £229.80
**Total:** £4,825.80""", "chair.qty chair.line sheet.goods sheet.fee sheet.total"),
    ("en words", "en", """Ten task chairs at 118 pounds each, line total 1180 pounds. Twelve desks at 265 pounds each, line total 3180 pounds. Goods total 4360 pounds, fitting 218 pounds, total 4578 pounds.""", ""),
    ("en nested", "en", """**Task chair**
  - Quantity: 10
  - Unit price: £118
  - Line total: £1,180

**Sit-stand desk**
  - Quantity: 12
  - Unit price: £265 (was £239)
  - Line total: £3,180

**Summary**
  - Goods total: £4,360
  - Fitting: £218
  - Grand total: £4,578""", ""),
    ("en json", "en", """Sure — here you go:

```json
{"items": [
  {"item": "Task chair", "quantity": 10, "unit_price": 118, "line_total": 1180},
  {"item": "Sit-stand desk", "quantity": 12, "unit_price": 265, "line_total": 3180}],
 "goods_total": 4360, "fitting": 218, "grand_total": 4578}
```""", ""),
    ("en object of objects", "en", """{"task chair": {"qty": 10, "price": "£118", "line total": "£1,180"}, "sit-stand desk": {"qty": 12, "price": "£265", "line total": "£3,180"}, "totals": {"goods": 4360, "fitting": 218, "total": 4578}}""", ""),
    ("en lamp kept", "en", """| Item | How many | Each | Line total |
|---|---|---|---|
| Task chairs | 10 | 118 | 1180 |
| Sit-stand desks | 12 | 265 | 3180 |
| Desk lamps | 6 | 20 | 120 |
| Goods total | | | 4360 |
| Fitting | | | 218 |
| Total | | | 4578 |""", "no lamp"),
    ("en corrected", "en", """Task chairs: 12 at £118 each = £1,416
Sit-stand desks: 12 at £265 each = £3,180

Correction: task chairs should be 10 at £118 each = £1,180.

Goods total £4,360, fitting £218, total £4,578.""", ""),
    ("en not x but y", "en", """- Task chairs: quantity 10 (not 12), unit price £118, line total £1,180
- Sit-stand desks: quantity 12, unit price £265 rather than £239, line total £3,180
- Goods total: £4,360 (up from £4,048)
- Fitting: £218
- Total: £4,578""", ""),
    ("en off by a pound", "en", """- Task chairs: 10 at £118 each = £1,180
- Sit-stand desks: 12 at £265 each = £3,180
- Goods total £4,360
- Fitting £218
- Total £4,579""", "sheet.total"),
    ("en swapped rows", "en", """| Item | How many | Each | Line total |
|---|---|---|---|
| Task chairs | 12 | £265 | £3,180 |
| Sit-stand desks | 10 | £118 | £1,180 |
| Goods total | | | £4,360 |
| Fitting | | | £218 |
| Total | | | £4,578 |""", "chair.qty chair.price chair.line desk.qty desk.price desk.line"),
    ("en transposed", "en", """| | Task chairs | Sit-stand desks | Total |
|---|---|---|---|
| Quantity | 10 | 12 | 22 |
| Unit price | £118 | £265 | – |
| Line total | £1,180 | £3,180 | £4,360 |

Goods total: £4,360. Fitting: £218. Grand total: £4,578.""", ""),
    ("en no figures", "en", "All set! I've updated the list with the chairs and desks as you asked. Let me know if you need anything else.",
     "chair.qty chair.price chair.line desk.qty desk.price desk.line sheet.goods sheet.fee sheet.total no-lamp"),
]


def read_expectation(text: str) -> dict[str, Verdict]:
    wanted = {}
    for word in text.replace("no lamp", "no-lamp").split():
        wanted[word.rstrip("?").replace("no-lamp", "no lamp")] = UNSURE if word.endswith("?") else MISS
    return wanted


@pytest.mark.parametrize(("lang", "text", "expected"), [case[1:] for case in REPLIES], ids=[case[0] for case in REPLIES])
def test_model_reply(lang: str, text: str, expected: str) -> None:
    assert not_hit(text, VIEWS[lang], ITEMS[lang]) == read_expectation(expected)
