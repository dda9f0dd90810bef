"""Sheets in replies: model-style replies with hand-made verdicts, and properties over random sheets."""

# ruff: noqa: E501 (replies are data: their line breaks count)
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
from generator.scoring.sheet.shortening import short_labels, short_rows
from generator.scoring.witness import STYLES, SURFACES, format_value, write_sheet

HIT, MISS, UNSURE = Verdict.HIT, Verdict.MISS, Verdict.UNSURE


def field(name: str, labels: str, family: str, units: str = "", scale: int = 1) -> FieldView:
    return FieldView.model_validate(
        {
            "id": name,
            "labels": tuple(labels.split("|")),
            "family": family,
            "units": tuple(units.split()),
            "scale": scale,
        }
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


def make_items(
    values: dict[str, int], paths: list[str], stale: dict[str, tuple[int, ...]] | None = None
) -> tuple[Item, ...]:
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
    (
        "zh table with notes",
        "zh",
        """好的，单子定稿如下，可以直接转发 📋

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

需要我再导出一份 Excel 吗？😊""",
        "",
    ),
    (
        "zh arithmetic list",
        "zh",
        """**部门搬家采购清单**

1. 人体工学椅：10 把 × 680 元 = 6,800 元
2. 升降桌：12 张 × 1,500 元 = 18,000 元

货款合计：6,800 + 18,000 = **24,800 元**
安装费：24,800 × 5% = **1,240 元**
总计：24,800 + 1,240 = **26,040 元**""",
        "",
    ),
    (
        "zh nested list",
        "zh",
        """### 采购清单

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
- **总计：¥26,040**""",
        "",
    ),
    (
        "zh message",
        "zh",
        """各位好：

这次搬家采购定下来了。人体工学椅 10 把，每把 680 元，小计 6,800 元；升降桌 12 张，单价 1,500 元，小计 18,000 元。货款合计 24,800 元，安装费按货款的 5% 计 1,240 元，总价 2.604 万元。原来的台灯不要了。

麻烦安排，谢谢！""",
        "",
    ),
    (
        "zh stale desk",
        "zh",
        """整理好了：

| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6800 |
| 升降桌 | 12 | 1380 | 16560 |

货款合计 23360 元，安装费 1168 元，总计 24528 元。""",
        "desk.price desk.line sheet.goods sheet.fee sheet.total",
    ),
    (
        "zh missed adjustment",
        "zh",
        """- 人体工学椅 12 把，680 元/把，小计 8,160 元
- 升降桌 12 张，1,500 元/张，小计 18,000 元
- 货款合计 26,160 元
- 安装费 1,308 元
- 总计 27,468 元""",
        "chair.qty chair.line sheet.goods sheet.fee sheet.total",
    ),
    (
        "zh lamp kept",
        "zh",
        """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 椅子 | 10把 | 680元 | 6800元 |
| 桌子 | 12张 | 1500元 | 18000元 |
| 台灯 | 5盏 | 90元 | 450元 |
| 货款合计 | | | 24800元 |
| 安装费 | | | 1240元 |
| 合计 | | | 26040元 |""",
        "no lamp",
    ),
    (
        "zh transposed",
        "zh",
        """| 项目 | 人体工学椅 | 升降桌 |
|---|---|---|
| 数量 | 10 把 | 12 张 |
| 单价 | 680 元 | 1,500 元 |
| 小计 | 6,800 元 | 18,000 元 |

货款合计：24,800 元；安装费：1,240 元；总计：26,040 元""",
        "",
    ),
    (
        "zh json",
        "zh",
        """```json
{
  "明细": [
    {"品名": "人体工学椅", "数量": 10, "单价": 680, "小计": 6800},
    {"品名": "升降桌", "数量": 12, "单价": 1500, "小计": 18000}
  ],
  "货款合计": 24800,
  "安装费": 1240,
  "总计": 26040
}
```""",
        "",
    ),
    (
        "zh json english keys",
        "zh",
        """{"items": [{"name": "人体工学椅", "quantity": 10, "unit_price": 680.0, "subtotal": "¥6,800.00"},
{"name": "升降桌", "quantity": 12, "unit_price": 1500, "subtotal": 18000}, {"name": "台灯", "quantity": 0, "unit_price": 90, "subtotal": 0}],
"货款": 24800, "安装费": {"比例": "5%", "金额": 1240}, "grand_total": 26040}""",
        "",
    ),
    (
        "zh tabs",
        "zh",
        "品名\t数量\t单价\t小计\n人体工学椅\t10\t680\t6800\n升降桌\t12\t1500\t18000\n货款合计\t\t\t24800\n安装费\t\t\t1240\n总计\t\t\t26040",
        "",
    ),
    (
        "zh aligned",
        "zh",
        """品名          数量    单价      小计
人体工学椅    10      680       6,800
升降桌        12      1,500     18,000
货款合计                        24,800
安装费                          1,240
总计                            26,040""",
        "",
    ),
    (
        "zh aligned, a long name one space from its value",
        "zh",
        """品名       数量    单价      小计
人体工学椅 10      680       6,800
升降桌     12      1,500     18,000
货款合计                     24,800
安装费                       1,240
总计                         26,040""",
        "",
    ),
    (
        "zh csv",
        "zh",
        '品名,数量,单价,小计\n人体工学椅,10,680,"6,800"\n升降桌,12,1500,"18,000"\n货款合计,,,"24,800"\n安装费,,,"1,240"\n总计,,,"26,040"',
        "",
    ),
    (
        "zh correction at end",
        "zh",
        """- 人体工学椅：12 把，单价 680 元，小计 8,160 元
- 升降桌：12 张，单价 1,500 元，小计 18,000 元

更正：人体工学椅数量应为 10 把，小计应为 6,800 元。
货款合计 24,800 元，安装费 1,240 元，总计 26,040 元。""",
        "",
    ),
    (
        "zh words and arrows",
        "zh",
        """- 椅子：12 把 → 10 把，单价六百八十元，小计六千八百元
- 桌子：十二张，单价由 1,380 元恢复为 1,500 元，小计一万八千元
- 货款合计两万四千八百元；安装费一千二百四十元；总计两万六千零四十元""",
        "",
    ),
    (
        "zh struck",
        "zh",
        """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 椅子 | ~~12~~ 10 | 680 | ~~8160~~ 6800 |
| 桌子 | 12 | ~~1380~~ **1500** | 18000 |
| ~~台灯~~ | ~~5~~ | ~~90~~ | ~~450~~ |

货款合计 24800，安装费 1240，总计 26040。""",
        "",
    ),
    (
        "zh cancelled row shown",
        "zh",
        """| 品名 | 数量 | 单价 | 小计 | 备注 |
|---|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 | 原12把，实习生用旧椅，减2 |
| 升降桌 | 12 | 1,500 | 18,000 | 优惠取消，恢复原价 |
| 台灯 | 0 | 90 | 0 | 已取消 |
| 货款合计 | 22 | | 24,800 | |
| 安装费 | | | 1,240 | 24,800×5% |
| 总计 | | | 26,040 | |""",
        "",
    ),
    (
        "zh everything at once",
        "zh",
        """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 12 / 10 | 680 / 640 | 6,800 / 6,400 / 8,160 |
| 升降桌 | 12 | 1,500（或 1,380） | 18,000 或 16,560 |
| 台灯 | 5 | 90 | 450 |

货款合计 24,800 / 23,360；安装费 1,240 / 1,168；总计 26,040 / 24,528""",
        "chair.qty chair.price chair.line desk.line sheet.goods sheet.fee sheet.total no-lamp",
    ),
    (
        "zh two tables, old and new",
        "zh",
        """**变更前：**

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
| 总计 | | | 26,040 |""",
        "",
    ),
    (
        "zh conflict without correction",
        "zh",
        """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 |
| 人体工学椅 | 12 | 680 | 8,160 |
| 升降桌 | 12 | 1,500 | 18,000 |
| 货款合计 | | | 24,800 |
| 安装费 | | | 1,240 |
| 总计 | | | 26,040 |""",
        "chair.qty chair.line",
    ),
    (
        "zh note contradicts the table",
        "zh",
        """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 |
| 升降桌 | 12 | 1,500 | 18,000 |
| 货款合计 | | | 24,800 |
| 安装费 | | | 1,240 |
| 总计 | | | 26,040 |

另外，升降桌单价按 1,380 元执行。""",
        "desk.price",
    ),
    (
        "zh ambiguous sum",
        "zh",
        """椅子 10 把 680 元，小计 6,800 元。
桌子 12 张，1500 元。
货款 24,800 元，安装费 1,240 元，总价 26,040 元。""",
        "desk.price? desk.line",
    ),
    (
        "zh think and missing row",
        "zh",
        """<think>椅子 12-2=10，小计 6800；桌子 12×1500=18000</think>
| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 | 680 | 6,800 |

货款合计 24,800 元，安装费 1,240 元，总计 26,040 元""",
        "desk.qty desk.price desk.line",
    ),
    (
        "zh traditional",
        "zh",
        """| 品名 | 數量 | 單價 | 小計 |
|---|---|---|---|
| 人體工學椅 | １０ 把 | ６８０ 元 | ６，８００ 元 |
| 升降桌 | １２ 張 | １，５００ 元 | １８，０００ 元 |

貨款合計：２４，８００ 元，安裝費：１，２４０ 元，總計：２６，０４０ 元。檯燈已經取消。""",
        "",
    ),
    (
        "zh brackets",
        "zh",
        """- 人体工学椅（10 把）：680 元/把，小计 6,800 元
- 升降桌（12 张，每张 1,500 元）：18,000 元
- 货款合计（6,800+18,000）：24,800 元
- 安装费（货款的 5%）：1,240 元
- 总计（货款 24,800 + 安装费 1,240）：26,040 元""",
        "",
    ),
    (
        "en table with notes",
        "en",
        """Here's the list, ready to forward to Priya:

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

Want me to put it in a spreadsheet?""",
        "",
    ),
    (
        "en arithmetic list",
        "en",
        """- Task chairs: 10 at £118 each = £1,180
- Sit-stand desks: 12 at £265 each = £3,180
- Goods total: £1,180 + £3,180 = £4,360
- Fitting: 5% of £4,360 = £218
- **Total: £4,578**""",
        "",
    ),
    (
        "en message",
        "en",
        """Hi Priya,

We need ten task chairs at £118 each (£1,180) and twelve sit-stand desks at £265 each (£3,180). The goods come to £4,360, fitting is £218, and the grand total is £4,578.

Thanks""",
        "",
    ),
    (
        "en leading counts",
        "en",
        """Final list:

• 10 × Task chair @ £118 = £1,180
• 12 × Sit-stand desk @ £265 = £3,180

Goods: £4,360
Fitting (5%): £218
Total: £4,578""",
        "",
    ),
    (
        "en stale desk",
        "en",
        """| Item | Quantity | Unit price | Line total |
|---|---|---|---|
| Task chair | 10 | £118 | £1,180 |
| Sit-stand desk | 12 | £239 | £2,868 |
| Goods | | | £4,048 |
| Fitting | | | £202.40 |
| Total | | | £4,250.40 |""",
        "desk.price desk.line sheet.goods sheet.fee sheet.total",
    ),
    (
        "en missed couple",
        "en",
        """1. **Task chairs** – 12 × £118 = £1,416
2. **Sit-stand desks** – 12 × £265 = £3,180

**Goods total:** £4,596
**Fitting (5%):** £229.80
**Total:** £4,825.80""",
        "chair.qty chair.line sheet.goods sheet.fee sheet.total",
    ),
    (
        "en words",
        "en",
        """Ten task chairs at 118 pounds each, line total 1180 pounds. Twelve desks at 265 pounds each, line total 3180 pounds. Goods total 4360 pounds, fitting 218 pounds, total 4578 pounds.""",
        "",
    ),
    (
        "en nested",
        "en",
        """**Task chair**
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
  - Grand total: £4,578""",
        "",
    ),
    (
        "en json",
        "en",
        """Sure — here you go:

```json
{"items": [
  {"item": "Task chair", "quantity": 10, "unit_price": 118, "line_total": 1180},
  {"item": "Sit-stand desk", "quantity": 12, "unit_price": 265, "line_total": 3180}],
 "goods_total": 4360, "fitting": 218, "grand_total": 4578}
```""",
        "",
    ),
    (
        "en object of objects",
        "en",
        """{"task chair": {"qty": 10, "price": "£118", "line total": "£1,180"}, "sit-stand desk": {"qty": 12, "price": "£265", "line total": "£3,180"}, "totals": {"goods": 4360, "fitting": 218, "total": 4578}}""",
        "",
    ),
    (
        "en lamp kept",
        "en",
        """| Item | How many | Each | Line total |
|---|---|---|---|
| Task chairs | 10 | 118 | 1180 |
| Sit-stand desks | 12 | 265 | 3180 |
| Desk lamps | 6 | 20 | 120 |
| Goods total | | | 4360 |
| Fitting | | | 218 |
| Total | | | 4578 |""",
        "no lamp",
    ),
    (
        "en corrected",
        "en",
        """Task chairs: 12 at £118 each = £1,416
Sit-stand desks: 12 at £265 each = £3,180

Correction: task chairs should be 10 at £118 each = £1,180.

Goods total £4,360, fitting £218, total £4,578.""",
        "",
    ),
    (
        "en not x but y",
        "en",
        """- Task chairs: quantity 10 (not 12), unit price £118, line total £1,180
- Sit-stand desks: quantity 12, unit price £265 rather than £239, line total £3,180
- Goods total: £4,360 (up from £4,048)
- Fitting: £218
- Total: £4,578""",
        "",
    ),
    (
        "en off by a pound",
        "en",
        """- Task chairs: 10 at £118 each = £1,180
- Sit-stand desks: 12 at £265 each = £3,180
- Goods total £4,360
- Fitting £218
- Total £4,579""",
        "sheet.total",
    ),
    (
        "en swapped rows",
        "en",
        """| Item | How many | Each | Line total |
|---|---|---|---|
| Task chairs | 12 | £265 | £3,180 |
| Sit-stand desks | 10 | £118 | £1,180 |
| Goods total | | | £4,360 |
| Fitting | | | £218 |
| Total | | | £4,578 |""",
        "chair.qty chair.price chair.line desk.qty desk.price desk.line",
    ),
    (
        "en transposed",
        "en",
        """| | Task chairs | Sit-stand desks | Total |
|---|---|---|---|
| Quantity | 10 | 12 | 22 |
| Unit price | £118 | £265 | – |
| Line total | £1,180 | £3,180 | £4,360 |

Goods total: £4,360. Fitting: £218. Grand total: £4,578.""",
        "",
    ),
    (
        "en no figures",
        "en",
        "All set! I've updated the list with the chairs and desks as you asked. Let me know if you need anything else.",
        "chair.qty chair.price chair.line desk.qty desk.price desk.line sheet.goods sheet.fee sheet.total no-lamp",
    ),
]


def read_expectation(text: str) -> dict[str, Verdict]:
    wanted = {}
    for word in text.replace("no lamp", "no-lamp").split():
        wanted[word.rstrip("?").replace("no-lamp", "no lamp")] = UNSURE if word.endswith("?") else MISS
    return wanted


@pytest.mark.parametrize(
    ("lang", "text", "expected"), [case[1:] for case in REPLIES], ids=[case[0] for case in REPLIES]
)
def test_model_reply(lang: str, text: str, expected: str) -> None:
    assert not_hit(text, VIEWS[lang], ITEMS[lang]) == read_expectation(expected)


# Replies in which every item is right.
RIGHT: list[tuple[str, str, str]] = [
    (
        "zh 合计 then 总计",
        "zh",
        """| 物品 | 数量 | 单价 | 金额 |
|---|---|---|---|
| 椅子 | 10 | 680 | 6800 |
| 桌子 | 12 | 1500 | 18000 |
| 合计 | 22 | | 24800 |
| 安装费 | 5% | | 1240 |
| 总计 | | | 26040 |""",
    ),
    (
        "zh prose 2",
        "zh",
        """您好，最终采购单：人体工学椅10把，单价680元，共6800元；升降桌12张，单价1500元，共18000元。两项货款24800元，加上5%的安装费1240元，总共26040元。""",
    ),
    (
        "zh slash",
        "zh",
        """最终版（品名 / 数量 / 单价 / 小计）：
- 人体工学椅 / 10 / 680 / 6,800
- 升降桌 / 12 / 1,500 / 18,000

货款小计 24,800，安装费（5%）1,240，最后总数 **26,040 元**。""",
    ),
    (
        "zh pos comma",
        "zh",
        """人体工学椅，10把，680元，6800元
升降桌，12张，1500元，18000元
安装费：1240元（24800×5%）
货款：24800元
总计：26040元（24800+1240）""",
    ),
    (
        "zh heading sections",
        "zh",
        """【数量】
椅子：10把
桌子：12张
【单价】
椅子：680元
桌子：1500元
【小计】
椅子：6800元
桌子：18000元
【汇总】
货款：24800元
安装费：1240元
总价：26040元""",
    ),
    (
        "zh emoji",
        "zh",
        """✅ 人体工学椅 ×10 ｜ 680元/把 ｜ 小计 6,800元
✅ 升降桌 ×12 ｜ 1,500元/张 ｜ 小计 18,000元
❌ 台灯：取消
💰 货款合计：24,800元
🔧 安装费（5%）：1,240元
🧾 总计：26,040元""",
    ),
    (
        "zh kv one line",
        "zh",
        """品名：人体工学椅；数量：10；单价：680；小计：6800
品名：升降桌；数量：12；单价：1500；小计：18000
货款合计：24800；安装费：1240；总计：26040""",
    ),
    (
        "zh blocks",
        "zh",
        """品名：人体工学椅
数量：10 把
单价：680 元
小计：6,800 元

品名：升降桌
数量：12 张
单价：1,500 元
小计：18,000 元

货款合计：24,800 元
安装费：1,240 元
总计：26,040 元""",
    ),
    (
        "zh latex",
        "zh",
        """椅子：$10 \\times 680 = 6800$ 元
桌子：$12 \\times 1500 = 18000$ 元
货款：$6800 + 18000 = 24800$ 元
安装费：$24800 \\times 5\\% = 1240$ 元
总计：$24800 + 1240 = 26040$ 元""",
    ),
    (
        "zh changes section then list",
        "zh",
        """根据沟通，变动如下：
1. 椅子数量从 12 把减到 10 把；
2. 升降桌价格从 1380 元恢复到 1500 元；
3. 台灯取消。

最终清单：
1. 椅子 10 把，单价 680 元，小计 6800 元
2. 升降桌 12 张，单价 1500 元，小计 18000 元
3. 货款 24800 元
4. 安装费 1240 元
5. 总计 26040 元""",
    ),
    (
        "zh total sentence",
        "zh",
        """| 品名 | 数量 | 单价 | 小计 |
|:--|--:|--:|--:|
| 人体工学椅 | 10 | ¥680.00 | ¥6,800.00 |
| 升降桌 | 12 | ¥1,500.00 | ¥18,000.00 |

货款合计为 **¥24,800.00**，安装费按 5% 计为 **¥1,240.00**，最终总价为 **¥26,040.00**。

如果椅子换成 640 元那款，椅子小计可降到 6,400 元，总计 25,620 元。""",
    ),
    (
        "en slash total",
        "en",
        """Task chairs (10 @ £118): £1,180
Sit-stand desks (12 @ £265): £3,180
Goods total: £4,360
Fitting @ 5%: £218
TOTAL: £4,578""",
    ),
    (
        "en para",
        "en",
        """We're taking 10 task chairs at £118 apiece, which comes to £1,180, plus 12 sit-stand desks at £265 apiece, which comes to £3,180. That makes £4,360 for the goods, £218 for fitting and £4,578 in total.""",
    ),
    (
        "en emdash",
        "en",
        """- **Task chairs** — 10 — £118 — £1,180
- **Sit-stand desks** — 12 — £265 — £3,180

**Goods** £4,360 · **Fitting** £218 · **Total** £4,578""",
    ),
    (
        "en qty first",
        "en",
        """| Qty | Item | Unit | Amount |
|--|--|--|--|
| 10 | Task chair | 118.00 | 1,180.00 |
| 12 | Sit-stand desk | 265.00 | 3,180.00 |
| | Goods total | | 4,360.00 |
| | Fitting (5% of goods) | | 218.00 |
| | **Total** | | **4,578.00** |""",
    ),
    (
        "en sub",
        "en",
        """Item | How many | Each | Line total
Task chair | 10 | £118 | £1,180
Sit-stand desk | 12 | £265 | £3,180
Subtotal | | | £4,360
Fitting (5%) | | | £218
Total | | | £4,578""",
    ),
    (
        "en changes",
        "en",
        """**What changed**
- Task chairs: 12 → 10
- Sit-stand desks: £239 → £265
- Desk lamps: dropped

**Current list**
- Task chairs: 10 at £118 = £1,180
- Sit-stand desks: 12 at £265 = £3,180
- Goods total: £4,360
- Fitting: £218
- Total: £4,578""",
    ),
    (
        "en if",
        "en",
        """| Item | How many | Each | Line total |
|---|---|---|---|
| Task chairs | 10 | £118 | £1,180 |
| Sit-stand desks | 12 | £265 | £3,180 |
| Goods total | | | £4,360 |
| Fitting at 5% | | | £218 |
| **Total** | | | **£4,578** |

If you'd gone for the £104 chair, the total would have been £4,431. I've left that out. The desk price of £239 no longer applies because finance said no to paying up front.""",
    ),
    (
        "en mail",
        "en",
        """Subject: Leeds move – final order

Hi Priya,

Please find the final order below:

Task chairs
Quantity: 10
Each: £118
Line total: £1,180

Sit-stand desks
Quantity: 12
Each: £265
Line total: £3,180

Goods total: £4,360
Fitting (5%): £218
Total: £4,578

Kind regards,""",
    ),
    (
        "zh joint",
        "zh",
        """椅子和桌子数量分别为 10 把和 12 张，单价分别为 680 元和 1500 元，小计分别为 6800 元和 18000 元。货款合计 24800 元，安装费 1240 元，总价 26040 元。""",
    ),
    (
        "zh html",
        "zh",
        """<table><tr><th>品名</th><th>数量</th><th>单价</th><th>小计</th></tr><tr><td>椅子</td><td>10</td><td>680</td><td>6800</td></tr><tr><td>桌子</td><td>12</td><td>1500</td><td>18000</td></tr></table>
货款24800元，安装费1240元，总计26040元""",
    ),
    (
        "zh long table",
        "zh",
        """| 品名 | 项目 | 值 |
|---|---|---|
| 椅子 | 数量 | 10 |
| 椅子 | 单价 | 680 |
| 椅子 | 小计 | 6800 |
| 桌子 | 数量 | 12 |
| 桌子 | 单价 | 1500 |
| 桌子 | 小计 | 18000 |
| 货款合计 | | 24800 |
| 安装费 | | 1240 |
| 总计 | | 26040 |""",
    ),
    (
        "zh calc col",
        "zh",
        """| 品名 | 数量 × 单价 | 小计 |
|---|---|---|
| 椅子 | 10 把 × 680 元 | 6,800 元 |
| 桌子 | 12 张 × 1,500 元 | 18,000 元 |
| 货款合计 | | 24,800 元 |
| 安装费 | 24,800 × 5% | 1,240 元 |
| 总计 | 24,800 + 1,240 | 26,040 元 |""",
    ),
]
ZH_RIGHT: list[str] = [
    """📦 **部门搬家采购单（终版）**

| 序号 | 品名 | 数量 | 单价 | 小计 |
|:--:|:--|--:|--:|--:|
| 1 | 人体工学椅 | 10把 | 680.00 | 6800.00 |
| 2 | 升降桌 | 12张 | 1500.00 | 18000.00 |
| | **货款合计** | **22** | | **24800.00** |
| 3 | 安装费（5%） | 1项 | 1240.00 | 1240.00 |
| | **总计** | | | **26040.00** |

> 备注：1. 椅子已减 2 把；2. 升降桌按原价 1500 元；3. 台灯不采购。""",
    """采购单如下：

品名：人体工学椅
- 数量 10
- 单价 680
- 小计 6800
品名：升降桌
- 数量 12
- 单价 1500
- 小计 18000
安装费 1240
货款合计 24800
总计 26040""",
    """我帮您核了一遍：

人体工学椅：12 把减 2 把，共 10 把，680 元一把，小计 6,800 元。
升降桌：12 张，优惠取消后恢复 1,500 元一张，小计 18,000 元。
货款合计：6,800 + 18,000 = 24,800 元。
安装费：24,800 的 5%，即 1,240 元。
总计：26,040 元。""",
    """| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 人体工学椅 | 10 把（12 − 2） | 680 元 | 6,800 元 |
| 升降桌 | 12 张 | 1,500 元（恢复原价） | 18,000 元 |
| 安装费 | — | 货款 × 5% | 1,240 元 |
| 合计 | | | 26,040 元 |

注：货款 24,800 元。""",
    """按之前说的，整理如下：

| 品名 | 数量 | 单价 | 小计 |
|---|---|---|---|
| 椅子 | 10 | 680 | 6800 |
| 桌子 | 12 | 1500 | 18000 |

货款 24800 元，安装费 1240 元，总计 26040 元""",
    """| 品名 | 原数量 | 调整 | 现数量 | 单价(元/把) | 小计（=数量×单价） |
|---|---|---|---|---|---|
| 人体工学椅（黑色，带头枕） | 12 | -2 | 10 | 680 | 6,800 |
| 升降桌 | 12 | 0 | 12 | 1,500 | 18,000 |

共计 22 件，26,040 元，其中货款 24,800 元，安装费 1,240 元。""",
    """1. 人体工学椅 × 10 把 @ 680 元/把 = 6,800 元
2. 升降桌 × 12 张 @ 1,500 元/张 = 18,000 元
合计金额（含安装费 1,240 元）：26,040 元
货款合计（不含安装费）：24,800 元""",
    """椅子 10 把、单价 680 元，总价 6,800 元；
桌子 12 张、单价 1,500 元，总价 18,000 元。
货款 24,800 元，安装费 1,240 元，总价 26,040 元。""",
    """张姐，采购单发您：
椅子10把*680=6800元，桌子12张*1500=18000元，货款24800，安装费5%是1240，总共26040。台灯不买了。""",
    """> **采购单**
>
> | 品名 | 数量 | 单价 | 小计 |
> |---|---|---|---|
> | 椅子 | 10 | 680 | 6800 |
> | 桌子 | 12 | 1500 | 18000 |
>
> 货款合计 24800 元 + 安装费 1240 元 = **总计 26040 元**""",
    """人体工学椅，数量 10 把，单价 680 元，小计 6,800 元。
升降桌，数量 12 张，单价 1,500 元，小计 18,000 元。
以上货款合计 24,800 元。
安装费（按货款 5% 计算）为 1,240 元。
总计金额：26,040 元。
注：椅子数量由 12 把调整为 10 把；升降桌单价由优惠价 1,380 元恢复为 1,500 元；640 元的椅子未采用；台灯 5 盏已取消。""",
    """| | 数量 | 单价 | 小计 |
|---|---|---|---|
| 椅子 | 10把 | ¥680 | ¥6,800 |
| 桌子 | 12张 | ¥1,500 | ¥18,000 |
| **合计** | **22** | | **¥24,800** |

安装费（5%）：¥1,240
**最终总价：¥26,040**""",
    """{"采购清单":{"人体工学椅":{"数量":"10把","单价":"680元","小计":"6800元"},"升降桌":{"数量":"12张","单价":"1500元","小计":"18000元"}},"费用":{"货款合计":"24800元","安装费":"1240元","总计":"26040元"},"备注":"台灯已取消，原 5 盏"}""",
    """[{"品名":"人体工学椅","数量":10,"单价":680,"小计":6800},{"品名":"升降桌","数量":12,"单价":1500,"小计":18000},{"品名":"安装费","数量":null,"单价":null,"小计":1240},{"品名":"货款合计","小计":24800},{"品名":"总计","小计":26040}]""",
]
EN_RIGHT: list[str] = [
    """Here's a version you can forward as is:

---

**Leeds office move – order summary**

| # | Item | How many | Each | Line total |
|---|------|---------:|-----:|-----------:|
| 1 | Task chair | 10 | £118.00 | £1,180.00 |
| 2 | Sit-stand desk | 12 | £265.00 | £3,180.00 |
| | **Goods total** | | | **£4,360.00** |
| 3 | Fitting (5%) | 1 | £218.00 | £218.00 |
| | **Total** | | | **£4,578.00** |

---

A couple of things to flag:
1. Chairs are at 10, not 12, because two interns are keeping theirs.
2. Desks are at £265 rather than the £239 offer.
3. Lamps are off the list.""",
    """So that's ten chairs at £118, which is £1,180, and twelve desks at £265, which is £3,180. Goods total £4,360; with fitting at five per cent (£218) the grand total is £4,578.""",
    """Task chairs: 12 - 2 = 10 @ £118 = £1,180
Desks: 12 @ £265 = £3,180 (back to the first price, £239 deal is off)
Goods: £4,360
Fitting: £218
Total: £4,578""",
    """**Task chair:** 10 × £118.00 = **£1,180.00**
**Sit-stand desk:** 12 × £265.00 = **£3,180.00**
**Goods:** **£4,360.00**
**Fitting (5%):** **£218.00**
**Grand total:** **£4,578.00**""",
    """Task chairs (x10): £118 each → £1,180
Sit-stand desks (x12): £265 each → £3,180
Goods total → £4,360
Fitting → £218
Grand total (inc. fitting) → £4,578""",
    """- Task chairs: £1,180.00 (10 × £118.00)
- Sit-stand desks: £3,180.00 (12 × £265.00)
- Goods: £4,360.00
- Fitting at 5 per cent: £218.00
- Total (goods + fitting): £4,578.00""",
    """Of course! Here's the final version 👇

**Item / How many / Each / Line total**
Task chairs / 10 / £118 / £1,180
Sit-stand desks / 12 / £265 / £3,180

Goods total £4,360
Fitting (5%) £218
**Bottom line £4,578**""",
    """Task chairs x 10 @ £118 = £1,180
Sit-stand desks x 12 @ £265 = £3,180
Goods = £4,360
Fitting = 5% x £4,360 = £218
Total = £4,360 + £218 = £4,578

(The lamps came off the list, and I've ignored the £104 chair since you were only asking.)""",
    """Item            How many   Each      Line total
Task chair      10         £118      £1,180
Sit-stand desk  12         £265      £3,180
--------------------------------------------
Goods total                          £4,360
Fitting                              £218
Total                                £4,578""",
    """Hi Priya, here's the order. Task chairs: 10 at £118 each, £1,180 in all. Sit-stand desks: 12 at £265 each, £3,180 in all. Goods total: £4,360. Fitting at 5%: £218. Total: £4,578. Originally we had 12 chairs, but the interns are keeping theirs. The desk price was going to be £239 with upfront payment, but finance said no. Thanks!""",
    """```
Item,How many,Each,Line total
Task chair,10,118.00,1180.00
Sit-stand desk,12,265.00,3180.00
Goods total,,,4360.00
Fitting,,,218.00
Total,,,4578.00
```""",
    """| Item | Qty | Each (£) | Line total (£) |
|:-----|----:|---------:|---------------:|
| Task chair | 10 | 118 | 1,180 |
| Sit-stand desk | 12 | 265 | 3,180 |
| ~~Desk lamp~~ (cancelled) | – | – | – |
| **Subtotal** | **22** | | **4,360** |
| Fitting (5% of £4,360) | | | 218 |
| **Total** | | | **4,578** |

- Two chairs dropped for the interns (12 → 10)
- Desks reverted from £239 to £265""",
]


@pytest.mark.parametrize(("lang", "text"), [case[1:] for case in RIGHT], ids=[case[0] for case in RIGHT])
def test_right_reply(lang: str, text: str) -> None:
    assert not_hit(text, VIEWS[lang], ITEMS[lang]) == {}


@pytest.mark.parametrize("text", ZH_RIGHT)
def test_right_reply_zh(text: str) -> None:
    assert not_hit(text, ZH, ITEMS["zh"]) == {}


@pytest.mark.parametrize("text", EN_RIGHT)
def test_right_reply_en(text: str) -> None:
    assert not_hit(text, EN, ITEMS["en"]) == {}


def _day(month: int, day: int) -> int:
    return datetime.date(2026, month, day).toordinal()


KITCHEN = SheetView(
    lang="zh",
    today="2026-05-01",
    currency="CNY",
    rows=(
        RowView(id="fish", names=("清蒸鲈鱼", "鱼"), units=("条",)),
        RowView(id="duck", names=("烤鸭", "鸭子"), units=("只",)),
        RowView(id="soup", names=("老火汤", "汤"), units=("份", "盆")),
    ),
    columns=(
        field("qty", "份数|数量", "count"),
        field("time", "时长|烹饪时间", "measure", "分钟", 1),
        field("temp", "温度|炉温", "measure", "度 ℃", 10),
        field("start", "下锅时间|开始时间", "clock"),
        field("day", "试菜日期|日期", "date"),
    ),
    figures=(
        field("guests", "人数|总人数", "count", "位 人"),
        field("deposit", "定金", "money", "元", 100),
        field("deadline", "截止日期|回复截止", "date"),
        field("open", "开席时间", "clock"),
        field("svc", "服务费率", "percent"),
    ),
)
KITCHEN_VALUES = {
    "fish.qty": 6,
    "fish.time": 12,
    "fish.temp": 1000,
    "fish.start": 17 * 60 + 30,
    "fish.day": _day(5, 9),
    "duck.qty": 3,
    "duck.time": 55,
    "duck.temp": 1855,
    "duck.start": 16 * 60 + 15,
    "duck.day": _day(5, 10),
    "sheet.guests": 48,
    "sheet.deposit": 150000,
    "sheet.deadline": _day(5, 6),
    "sheet.open": 18 * 60 + 30,
    "sheet.svc": 1000,
}
KITCHEN_ITEMS = (*make_items(KITCHEN_VALUES, list(KITCHEN_VALUES)), absent("soup"))
VENUE = SheetView(
    lang="en",
    today="2026-05-01",
    currency="GBP",
    rows=(
        RowView(id="a", names=("main hall", "hall")),
        RowView(id="b", names=("marquee",)),
        RowView(id="c", names=("cart barn", "barn")),
    ),
    columns=(
        field("chairs", "chairs", "count"),
        field("hire", "hire fee|fee", "money", "pounds", 100),
        field("set", "set-up|set-up time", "measure", "minutes min", 1),
        field("doors", "doors|doors open", "clock"),
        field("day", "date", "date"),
    ),
    figures=(
        field("guests", "guests|headcount", "count", "guests people"),
        field("deposit", "deposit", "money", "", 100),
        field("due", "balance due|deadline", "date"),
        field("total", "total", "money", "", 100),
    ),
)
VENUE_VALUES = {
    "a.chairs": 80,
    "a.hire": 45000,
    "a.set": 90,
    "a.doors": 14 * 60,
    "a.day": _day(6, 13),
    "b.chairs": 120,
    "b.hire": 128050,
    "b.set": 150,
    "b.doors": 15 * 60 + 30,
    "b.day": _day(6, 14),
    "sheet.guests": 140,
    "sheet.deposit": 34610,
    "sheet.due": _day(5, 22),
    "sheet.total": 173050,
}
VENUE_ITEMS = (*make_items(VENUE_VALUES, list(VENUE_VALUES)), absent("c"))
FAMILIES: list[tuple[str, SheetView, tuple[Item, ...], str]] = [
    (
        "k table",
        KITCHEN,
        KITCHEN_ITEMS,
        """| 菜品 | 份数 | 时长 | 温度 | 下锅时间 | 试菜日期 |
|---|---|---|---|---|---|
| 清蒸鲈鱼 | 6 条 | 12 分钟 | 100℃ | 17:30 | 5月9日（周六） |
| 烤鸭 | 3 只 | 55 分钟 | 185.5℃ | 16:15 | 5月10日（周日） |

- 总人数：48 位
- 定金：1,500 元
- 回复截止：5月6日
- 开席时间：晚上六点半
- 服务费率：10%
- 老火汤已取消""",
    ),
    (
        "k prose",
        KITCHEN,
        KITCHEN_ITEMS,
        """清蒸鲈鱼 6 条，蒸 12 分钟，温度 100 度，下午五点半下锅，5 月 9 号试菜；烤鸭 3 只，55 分钟，185.5 度，下午四点一刻下锅，5 月 10 号试菜。人数 48 人，定金 1500 元，截止日期 5 月 6 日，开席时间 18:30，服务费率百分之十。""",
    ),
    (
        "k json",
        KITCHEN,
        KITCHEN_ITEMS,
        """{"菜品":[{"名称":"清蒸鲈鱼","份数":6,"时长":"12分钟","温度":"100℃","下锅时间":"17:30","试菜日期":"2026-05-09"},{"名称":"烤鸭","份数":"3只","时长":55,"温度":185.5,"下锅时间":"16:15","试菜日期":"2026/5/10"}],"总人数":48,"定金":"1500元","截止日期":"2026年5月6日","开席时间":"18:30","服务费率":"10%"}""",
    ),
    (
        "k ranges",
        KITCHEN,
        KITCHEN_ITEMS,
        """1. 清蒸鲈鱼（6 条）：时长 12 分钟，温度 100 ℃，开始时间 17:30，日期 5/9
2. 烤鸭（3 只）：时长 55 分钟，温度 185.5 ℃，开始时间 16:15，日期 5/10
人数 48；定金 1500；截止日期 5/6；开席时间 18:30；服务费率 10%""",
    ),
    (
        "e table",
        VENUE,
        VENUE_ITEMS,
        """| Space | Chairs | Hire fee | Set-up | Doors | Date |
|---|---|---|---|---|---|
| Main hall | 80 | £450 | 90 min | 2pm | Sat 13 June |
| Marquee | 120 | £1,280.50 | 2.5 hours | 3.30pm | Sun 14 June |

Headcount: 140. Deposit: £346.10. Balance due: 22 May. Total: £1,730.50.""",
    ),
    (
        "e list",
        VENUE,
        VENUE_ITEMS,
        """- Main hall: 80 chairs, fee £450, set-up 1 hour 30 minutes, doors at 2:00 pm, date 13/06/2026
- Marquee: 120 chairs, fee £1,280.50, set-up 150 minutes, doors at 15:30, date 14/6
- 140 guests
- Deposit: £346.10
- Deadline: May 22nd
- Total: £1,730.50
- The cart barn is no longer needed.""",
    ),
    (
        "e prose",
        VENUE,
        VENUE_ITEMS,
        """The main hall has 80 chairs and a hire fee of £450; set-up takes 90 minutes, doors open at 2pm, and the date is 13 June 2026. The marquee has 120 chairs with a hire fee of £1,280.50; set-up takes 150 minutes, doors open at half past three in the afternoon, and the date is 14 June 2026. We're expecting 140 guests. The deposit is £346.10, the balance due date is 22 May and the total is £1,730.50.""",
    ),
]


@pytest.mark.parametrize(("view", "items", "text"), [case[1:] for case in FAMILIES], ids=[case[0] for case in FAMILIES])
def test_every_family(view: SheetView, items: tuple[Item, ...], text: str) -> None:
    assert not_hit(text, view, items) == {}


SCOPE_ITEMS = (
    *make_items({"chair.qty": 10, "chair.price": 68000}, ["chair.qty", "chair.price"]),
    Item(
        id="s1",
        kind="v",
        weight=1,
        check="scoped_cell",
        params={"row": "chair", "column": "qty", "scope_names": ["第一批", "首批"], "value": 6},
        truth_path="x",
    ),
    Item(
        id="s2",
        kind="v",
        weight=1,
        check="scoped_cell",
        params={"row": "chair", "column": "qty", "scope_names": ["第二批"], "value": 4},
        truth_path="x",
    ),
)
SCOPED: list[str] = [
    """椅子共 10 把，单价 680 元；第一批到 6 把椅子，第二批椅子 4 把。""",
    """| 品名 | 数量 | 单价 | 第一批 | 第二批 |
|---|---|---|---|---|
| 椅子 | 10 | 680 | 6 | 4 |""",
    """椅子 10 把，单价 680 元（首批 6 把，第二批 4 把）""",
    """### 第一批
- 椅子：6 把

### 第二批
- 椅子：4 把

### 总表
- 椅子：数量 10 把，单价 680 元""",
    """- 椅子：10 把，单价 680 元
  - 第一批：6 把
  - 第二批：4 把""",
    """| 批次 | 品名 | 数量 |
|---|---|---|
| 第一批 | 椅子 | 6 |
| 第二批 | 椅子 | 4 |
| 合计 | 椅子 | 10 |

单价：椅子 680 元""",
]


@pytest.mark.parametrize("text", SCOPED)
def test_scoped_values(text: str) -> None:
    assert not_hit(text, ZH, SCOPE_ITEMS) == {}


def test_scoped_value_of_the_other_batch_is_a_miss() -> None:
    text = "椅子共 10 把，单价 680 元；第一批到 4 把椅子，第二批椅子 6 把。"
    assert not_hit(text, ZH, SCOPE_ITEMS) == {"s1": MISS, "s2": MISS}


BENCH = SheetView(
    lang="en",
    today="2026-05-01",
    currency="GBP",
    rows=(
        RowView(id="acetate", names=("acetate buffer",)),
        RowView(id="citrate", names=("citrate buffer",)),
        RowView(id="saline", names=("normal saline",)),
        RowView(id="jam", names=("peach jam jars",)),
        RowView(id="print", names=("blue print", "blueprints")),
    ),
    columns=(field("vol", "fill volume", "measure", "ml", 10), field("time", "incubation", "measure", "minutes", 1),
             field("slots", "slots", "measure", "slots slot", 1), field("stock", "stock", "count")),
    figures=(field("all", "total slots", "measure", "slots slot", 1),
             field("same", "same-day slots", "measure", "slots slot", 1)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Acetate buffer is 28 ml per tube with a 40-minute incubation.", {"acetate.vol": 280, "acetate.time": 40}),
        ("Citrate is 30 ml at 35 minutes.", {"citrate.vol": 300, "citrate.time": 35}),
        ("Acetate buffer: 28 millilitres, 40 minutes", {"acetate.vol": 280, "acetate.time": 40}),
        ("| Buffer | Slots |\n|---|---|\n| Acetate | 21 |\n| Citrate | 7 |\n| **Total** | **28** |",
         {"acetate.slots": 21, "citrate.slots": 7, "sheet.all": 28}),
        ("- Same-day (10%, rounded): 9\n- Total: 88", {"sheet.same": 9, "sheet.all": 88}),
        ("That makes 88 slots in total.", {"sheet.all": 88}),
        ("- 52 jars of peach jam", {"jam.stock": 52}),
        ("Acetate at 30 ml with 14 slots; citrate at 28 ml with 9 slots.",
         {"acetate.slots": 14, "citrate.slots": 9, "acetate.vol": 300, "citrate.vol": 280}),
        ("We have 52 peach jam and 8 blueprints.", {"jam.stock": 52, "print.stock": 8}),
    ],
)  # fmt: skip
def test_shortened_english_names(text: str, values: dict[str, int]) -> None:
    items = make_items(values, list(values))
    assert not_hit(text, BENCH, items) == {}


def test_a_slashed_date_may_end_a_sentence() -> None:
    days = {"sheet.last": datetime.date(2026, 8, 2).toordinal(), "sheet.review": datetime.date(2026, 8, 9).toordinal()}
    text = "Last delivery is 2/8. The review date is 9/8."
    assert not_hit(text, COUNTED_EN, make_items(days, list(days))) == {}
    assert not_hit("The review date is 9/8.5", COUNTED_EN, make_items(days, ["sheet.review"])) != {}


def test_a_label_that_runs_into_another_is_the_later_one() -> None:
    view = EN.model_copy(
        update={
            "columns": (field("rent", "monthly rent", "money", "", 100),),
            "figures": (field("roll", "rent roll", "money", "", 100), field("fee", "agency fee", "money", "", 100)),
        }
    )
    text = "Task chairs – £1,155 monthly rent\nThe monthly rent roll comes to £72,518. Agency fee £98 → rent roll as above."
    values = {"chair.rent": 115500, "sheet.roll": 7251800, "sheet.fee": 9800}
    assert not_hit(text, view, make_items(values, list(values))) == {}


def test_names_are_not_shortened_where_that_would_be_open_to_doubt() -> None:
    shorts = dict(short_rows(BENCH))
    assert shorts == {"acetate": "acetate", "citrate": "citrate", "peach jam": "jam"}
    twice = BENCH.model_copy(
        update={"rows": tuple(RowView(id=i, names=(f"ear {w}",)) for i, w in (("a", "clinic"), ("b", "clinics")))}
    )
    assert short_rows(twice) == []
    assert dict(short_labels(EN)).get("total") is None  # money sheets tell goods total and grand total apart


def test_a_part_named_after_a_row_is_no_value() -> None:
    text = "Acetate buffer: 28 ml with 2 ml spare"
    assert not_hit(text, BENCH, make_items({"acetate.vol": 280}, ["acetate.vol"])) == {}
    assert not_hit(text, BENCH, make_items({"acetate.vol": 20}, ["acetate.vol"])) != {}


PHRASES: list[tuple[str, dict[str, int], SheetView]] = [
    ("椅子和桌子各 12 把/张", {"chair.qty": 12, "desk.qty": 12}, ZH),
    ("12 of each: chairs and desks", {"chair.qty": 12, "desk.qty": 12}, EN),
    ("Chairs and desks: 12 of each", {"chair.qty": 12, "desk.qty": 12}, EN),
    ("椅子、桌子数量均为 12", {"chair.qty": 12, "desk.qty": 12}, ZH),
    ("Both chairs and desks: 12 each", {"chair.qty": 12, "desk.qty": 12}, EN),
    ("椅子：不是 12 把，是 10 把", {"chair.qty": 10}, ZH),
    ("椅子 10 把（含 2 把备用）", {"chair.qty": 10}, ZH),
    ("椅子数量改为 10", {"chair.qty": 10}, ZH),
    ("总计：￥26,040.00元", {"sheet.total": 2604000}, ZH),
    ("总计 2.6040 万元", {"sheet.total": 2604000}, ZH),
    ("总价原来 24,528 元，现 26,040 元", {"sheet.total": 2604000}, ZH),
    ("total was £4,250.40, now £4,578", {"sheet.total": 457800}, EN),
    ("Desk price goes back to £265 from £239", {"desk.price": 26500}, EN),
    ("桌子单价从 1380 调回 1500", {"desk.price": 150000}, ZH),
    ("椅子数量：10（12-2）", {"chair.qty": 10}, ZH),
    ("椅子数量：12-2=10 把", {"chair.qty": 10}, ZH),
    ("680*10=6800（椅子）", {}, ZH),
    ("椅子 680*10=6800", {"chair.line": 680000, "chair.qty": 10, "chair.price": 68000}, ZH),
    ("£118 per task chair, 10 of them, £1,180 line total", {"chair.price": 11800}, EN),
    ("total of £4,578", {"sheet.total": 457800}, EN),
    ("总计两万六千零四十元整", {"sheet.total": 2604000}, ZH),
    ("安装费：¥1,240（5%）", {"sheet.fee": 124000}, ZH),
    ("安装费（按货款 24,800 元的 5%）：1,240 元", {"sheet.fee": 124000}, ZH),
    ("安装费 = 24,800 × 5% = 1,240", {"sheet.fee": 124000}, ZH),
    ("Fitting is 5% of the goods total, i.e. £218", {"sheet.fee": 21800}, EN),
    ("Fitting: £218 (5% of £4,360)", {"sheet.fee": 21800}, EN),
    ("The grand total comes to £4,578.00.", {"sheet.total": 457800}, EN),
    ("总计：约 26,040 元", {"sheet.total": 2604000}, ZH),
]


COUNTED = ZH.model_copy(update={"figures": (field("last", "最晚到货", "date"), field("review", "复核日", "date"))})
COUNTED_EN = VENUE.model_copy(
    update={"figures": (field("last", "last delivery", "date"), field("review", "review date", "date"))}
)


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("最晚到货：8月2日\n复核日：最晚到货后第 5 个工作日，即 8月9日", COUNTED),
        ("最晚到货 8月2日\n- 复核日：按最晚到货日期往后数 5 个工作日，为 2026-08-09", COUNTED),
        ("Last delivery: 2 August\nReview date: five working days after the last delivery, so 9 August", COUNTED_EN),
        ("最晚到货：8月2日；复核日：8月9日", COUNTED),
    ],
)
def test_a_label_that_another_is_counted_from_takes_no_value(text: str, view: SheetView) -> None:
    days = {"sheet.last": datetime.date(2026, 8, 2).toordinal(), "sheet.review": datetime.date(2026, 8, 9).toordinal()}
    assert not_hit(text, view, make_items(days, list(days))) == {}


@pytest.mark.parametrize(("text", "values", "view"), PHRASES, ids=[case[0] for case in PHRASES])
def test_phrase(text: str, values: dict[str, int], view: SheetView) -> None:
    assert not_hit(text, view, make_items(values, list(values))) == {}


# --- sheets without money ------------------------------------------------------------------------------------

STOCK = SheetView(
    lang="zh",
    today="2026-01-01",
    currency="CNY",
    rows=(
        RowView(id="a", names=("洗衣液", "洗衣液大瓶装"), units=("箱",)),
        RowView(id="b", names=("抽纸",), units=("箱",)),
    ),
    columns=(
        field("boxes", "箱数|数量", "count", "箱"),
        field("unit", "单箱重量|箱重", "measure", "公斤", 10),
        field("weight", "总重|合计重量", "measure", "公斤", 10),
        field("due", "到仓日期|到仓", "date"),
    ),
    figures=(
        field("boxes_total", "总箱数", "count", "箱"),
        field("w", "总重量", "measure", "公斤", 10),
        field("last", "最晚到仓", "date"),
    ),
)
STOCK_VALUES = {
    "a.boxes": 40,
    "a.unit": 125,
    "a.weight": 5000,
    "a.due": _day(3, 5),
    "b.boxes": 30,
    "b.unit": 80,
    "b.weight": 2400,
    "b.due": _day(3, 9),
    "sheet.boxes_total": 70,
    "sheet.w": 7400,
    "sheet.last": _day(3, 9),
}
STOCK_REPLIES: list[str] = [
    """- 洗衣液：40 箱 × 12.5 公斤 = 500 公斤，3月5日到仓
- 抽纸：30 箱 × 8 公斤 = 240 公斤，3月9日到仓
总箱数 70 箱，总重量 740 公斤，最晚到仓 3月9日""",
    """| 品名 | 箱数 | 单箱重量（公斤） | 总重（公斤） | 到仓日期 |
|---|---|---|---|---|
| 洗衣液 | 40 | 12.5 | 500 | 3/5 |
| 抽纸 | 30 | 8 | 240 | 3/9 |
| **合计** | **70** | — | **740** | — |

总箱数：70；总重量：0.74 吨；最晚到仓：3月9日（抽纸）""",
    """洗衣液 40 箱，每箱 12.5kg，总重 500kg，3 月 5 号到仓；抽纸 30 箱，每箱 8kg，总重 240kg，3 月 9 号到仓。总箱数 70，总重量 740kg，最晚 3 月 9 号到仓。""",
    """| 品名 | 箱数 | 箱重 | 合计重量 | 到仓 |
|---|---|---|---|---|
| 洗衣液 | 40箱 | 12.5公斤 | 500公斤 | 2026-03-05 |
| 抽纸 | 30箱 | 8公斤 | 240公斤 | 2026-03-09 |
| 总计 | 70箱 | | 740公斤 | 最晚 2026-03-09 |""",
]
CLINIC = SheetView(
    lang="zh",
    today="2026-01-01",
    currency="CNY",
    rows=(RowView(id="a", names=("儿科",)), RowView(id="b", names=("口腔科", "口腔"))),
    columns=(
        field("doctors", "出诊医生|医生|医生数", "count", "名"),
        field("start", "开诊时间|开诊", "clock"),
        field("slots", "号源|放号数", "measure", "个号"),
    ),
    figures=(
        field("dt", "医生合计|出诊医生合计", "count", "名"),
        field("st", "总号源|号源合计", "measure", "个号"),
        field("on", "现场号|窗口号", "measure", "个号"),
        field("off", "线上号|网上号", "measure", "个号"),
        field("first", "最早开诊", "clock"),
    ),
)
CLINIC_VALUES = {
    "a.doctors": 5,
    "a.start": 480,
    "a.slots": 100,
    "b.doctors": 4,
    "b.start": 510,
    "b.slots": 60,
    "sheet.dt": 9,
    "sheet.st": 160,
    "sheet.on": 32,
    "sheet.off": 128,
    "sheet.first": 480,
}
CLINIC_REPLIES: list[str] = [
    """| 科室 | 出诊医生 | 开诊时间 | 号源 |
|---|---|---|---|
| 儿科 | 5 名 | 8:00 | 100 |
| 口腔科 | 4 名 | 8:30 | 60 |
| **合计** | **9 名** | 最早 8:00 | **160** |

- 医生合计：9 名
- 总号源：160 个（现场号 32 个，线上号 128 个）
- 最早开诊：8:00（儿科）""",
    """儿科：医生 5 名，8:00 开诊，放号 100 个；口腔科：医生 4 名，8:30 开诊，放号 60 个。医生合计 9 名，总号源 160，其中现场号 32（20%），线上号 128。最早开诊 8 点。""",
    """**门诊排班**
1. 儿科：5名医生，上午8点开诊，100个号
2. 口腔科：4名医生，上午8点半开诊，60个号

合计：医生9名，总号源160个号；现场号160×20%=32个号，线上号160-32=128个号；最早开诊08:00。""",
]
RELEASE = SheetView(
    lang="en",
    today="2026-01-01",
    currency="GBP",
    rows=(
        RowView(id="a", names=("single sign-on work", "single sign-on")),
        RowView(id="b", names=("payment retries", "retries")),
    ),
    columns=(
        field("effort", "Effort|Person-days", "measure", "person-days person-day", 1),
        field("due", "Due|Due date", "date"),
        field("cases", "Test cases|Cases", "count"),
    ),
    figures=(
        field("te", "Total effort|Effort in all", "measure", "person-days"),
        field("c", "Contingency|Buffer", "measure", "person-days"),
        field("p", "Planned effort", "measure", "person-days"),
        field("tc", "Total test cases|Test cases in all", "count"),
        field("ld", "Last due|Latest due date", "date"),
        field("cf", "Code freeze|Freeze", "date"),
    ),
)
RELEASE_VALUES = {
    "a.effort": 12,
    "a.due": _day(4, 20),
    "a.cases": 40,
    "b.effort": 8,
    "b.due": _day(4, 27),
    "b.cases": 25,
    "sheet.te": 20,
    "sheet.c": 3,
    "sheet.p": 23,
    "sheet.tc": 65,
    "sheet.ld": _day(4, 27),
    "sheet.cf": _day(5, 1),
}
RELEASE_REPLIES: list[str] = [
    """| Feature | Effort (person-days) | Due | Test cases |
|---|---|---|---|
| Single sign-on work | 12 | Mon 20 April | 40 |
| Payment retries | 8 | Mon 27 April | 25 |
| **Total** | **20** | | **65** |

- **Total effort:** 20 person-days
- **Contingency (15%):** 3 person-days
- **Planned effort:** 23 person-days
- **Total test cases:** 65
- **Last due:** 27 April
- **Code freeze:** 1 May""",
    """Single sign-on: 12 person-days, due 20 April, 40 test cases. Payment retries: 8 person-days, due 27 April, 25 test cases. Total effort is 20 person-days, plus contingency of 3 person-days, so planned effort is 23 person-days. Total test cases: 65. The last due date is 27 April and code freeze is 1 May.""",
]


def check_all_right(view: SheetView, values: dict[str, int], text: str, unread: frozenset[str] = frozenset()) -> None:
    assert set(not_hit(text, view, make_items(values, list(values)))) == unread, text


@pytest.mark.parametrize(
    ("text", "unread"), list(zip(STOCK_REPLIES, ["", "", "sheet.last", "sheet.last"], strict=True))
)
def test_stock_sheet(text: str, unread: str) -> None:
    # "最晚 3 月 9 号到仓" splits the label 最晚到仓: known to be missed
    check_all_right(STOCK, STOCK_VALUES, text, frozenset(unread.split()))


@pytest.mark.parametrize("text", CLINIC_REPLIES)
def test_clinic_rota(text: str) -> None:
    check_all_right(CLINIC, CLINIC_VALUES, text)


@pytest.mark.parametrize("text", RELEASE_REPLIES)
def test_release_plan(text: str) -> None:
    check_all_right(RELEASE, RELEASE_VALUES, text)


# What the reply says, a cell or figure, and how an item with the value given must end.
WRONG: list[tuple[str, SheetView, str, int, Verdict]] = [
    ("椅子 12 / 14 / 10", ZH, "chair.qty", 10, MISS),
    ("椅子数量 12 或 10", ZH, "chair.qty", 10, MISS),
    ("椅子数量：10-12 把", ZH, "chair.qty", 10, MISS),
    ("椅子原来 10 把，现在 12 把", ZH, "chair.qty", 10, MISS),
    ("椅子数量不是 10 把，是 12 把", ZH, "chair.qty", 10, MISS),
    ("椅子少了 10 把", ZH, "chair.qty", 10, MISS),
    ("如果椅子要 10 把，小计 6,800 元", ZH, "chair.qty", 10, MISS),
    ("椅子数量 10.5 把", ZH, "chair.qty", 10, MISS),
    ("椅子 10 把取消", ZH, "chair.qty", 10, MISS),
    ("总计 26,040.5 元", ZH, "sheet.total", 2604000, MISS),
    ("安装费 5%", ZH, "sheet.fee", 500, MISS),
    ("总计 24,800 + 1,240", ZH, "sheet.total", 2604000, MISS),
    ("总计：26,040 / 24,528", ZH, "sheet.total", 2604000, MISS),
    ("总计 2.6 万元", ZH, "sheet.total", 2604000, MISS),
    ("桌子单价：~~1500~~ 1380", ZH, "desk.price", 150000, MISS),
    ("台灯 10 盏", ZH, "chair.qty", 10, MISS),
    ("Chairs: 12 (was 10)", EN, "chair.qty", 10, MISS),
    ("Desk price £239 instead of £265", EN, "desk.price", 26500, MISS),
    ("Desks: 12 → 10", EN, "desk.qty", 12, MISS),
    ("Chairs: two fewer than 12", EN, "chair.qty", 2, MISS),
    ("If we took 10 chairs at £118 each it would be £1,180", EN, "chair.qty", 10, MISS),
    ("Total: £4,578 or £4,250.40", EN, "sheet.total", 457800, MISS),
]  # fmt: skip


@pytest.mark.parametrize(("text", "view", "path", "value", "end"), WRONG, ids=[case[0] for case in WRONG])
def test_wrong_phrase(text: str, view: SheetView, path: str, value: int, end: Verdict) -> None:
    assert ends(text, view, make_items({path: value}, [path])) == {path: end}


def test_twelve_hour_clock_without_part_of_day_is_unsure() -> None:
    items = make_items({"fish.start": 17 * 60 + 30}, ["fish.start"])
    assert ends("清蒸鲈鱼下锅时间 5:30", KITCHEN, items) == {"fish.start": UNSURE}
    assert ends("清蒸鲈鱼下锅时间 05:30", KITCHEN, items) == {"fish.start": MISS}


def test_english_date_in_the_other_order_is_unsure() -> None:
    value = datetime.date(2026, 6, 5).toordinal()
    assert ends("Marquee date: 6/5", VENUE, make_items({"b.day": value}, ["b.day"])) == {"b.day": UNSURE}
    assert ends("Marquee date: 5/6", VENUE, make_items({"b.day": value}, ["b.day"])) == {"b.day": HIT}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("椅子 10 把，台灯已取消", HIT),
        ("- 椅子 10 把\n- 台灯 0 盏", HIT),
        ("- 椅子 10 把\n- 台灯：取消", HIT),
        ("- 椅子 10 把\n- 台灯（已取消）：2 盏", HIT),
        ("- 椅子 10 把\n- 台灯 2 盏", MISS),
        ("- 椅子 10 把\n- 台灯", MISS),
        ("| 品名 | 数量 |\n|---|---|\n| 椅子 | 10 |\n| 台灯 | 取消 |", HIT),
        ("| 品名 | 数量 |\n|---|---|\n| 椅子 | 10 |\n| 台灯 | 2 |", MISS),
        ("台灯的事您再想想。", MISS),
    ],
)
def test_absent_row(text: str, end: Verdict) -> None:
    items = (*make_items({"chair.qty": 10}, ["chair.qty"]), absent("lamp"))
    assert ends(text, ZH, items)["no lamp"] == end


# --- registry ------------------------------------------------------------------------------------------------


def test_unknown_check_is_an_error() -> None:
    item = Item(id="x", kind="value", weight=1, check="cel", params={}, truth_path="x")
    with pytest.raises(GenError, match="unknown check 'cel'"):
        run_check(item, ReplyContext("椅子 10 把", ZH, (item,)))


def test_missing_parameter_is_an_error() -> None:
    item = Item(id="x", kind="value", weight=1, check="cell", params={"row": "chair"}, truth_path="x")
    with pytest.raises(GenError, match="lacks parameter"):
        run_check(item, ReplyContext("椅子 10 把", ZH, (item,)))


def test_check_names_are_taken_once() -> None:
    with pytest.raises(GenError, match="twice"):
        register("cell")(CHECKS["cell"])


def test_no_view_is_an_error() -> None:
    item = make_items({"chair.qty": 10}, ["chair.qty"])[0]
    with pytest.raises(GenError, match="no view"):
        run_check(item, ReplyContext("椅子 10 把", None, (item,)))


# --- properties over random sheets ---------------------------------------------------------------------------

ZH_NAMES = ["人体工学椅/把/椅子", "电动升降桌/张/桌子", "文件柜/个/柜子", "台灯/盏/灯", "白板/块/", "打印纸/箱/纸", "绿植/盆/",
            "饮水机/台/", "地毯/条/", "挂钟/只/钟", "三门书柜/组/", "两人沙发/张/沙发"]  # fmt: skip
EN_NAMES = ["task chair", "sit-stand desk", "filing cabinet", "desk lamp", "whiteboard", "box of paper", "pot plant",
            "coat stand", "rug", "wall clock", "bookshelf", "two-seat sofa"]  # fmt: skip
COLUMNS = {
    "zh": [
        field("qty", "数量", "count"), field("price", "单价", "money", "元", 100), field("line", "小计|金额", "money", "元", 100),
        field("time", "安装时长|时长", "measure", "分钟"), field("temp", "温度", "measure", "度 ℃", 10),
        field("start", "开始时间", "clock"), field("due", "交货日期", "date"), field("disc", "折扣率", "percent"),
    ],
    "en": [
        field("qty", "quantity|how many", "count"), field("price", "unit price|each", "money", "pounds", 100),
        field("line", "line total", "money", "pounds", 100), field("time", "fitting time", "measure", "minutes min"),
        field("temp", "temperature", "measure", "degrees °C", 10), field("start", "start time", "clock"),
        field("due", "delivery date", "date"), field("disc", "discount", "percent"),
    ],
}  # fmt: skip
FIGURES = {
    "zh": [
        field("goods", "货款合计|货款", "money", "元", 100), field("fee", "安装费", "money", "元", 100),
        field("total", "总计|合计", "money", "元", 100), field("deposit", "定金", "money", "元", 100),
        field("deadline", "截止日期", "date"), field("doors", "入场时间", "clock"), field("heads", "总人数", "count", "人"),
    ],
    "en": [
        field("goods", "goods total|goods", "money", "pounds", 100), field("fee", "fitting charge", "money", "pounds", 100),
        field("total", "grand total|total", "money", "pounds", 100), field("deposit", "deposit", "money", "pounds", 100),
        field("deadline", "deadline", "date"), field("doors", "doors open", "clock"), field("heads", "headcount", "count", "people"),
    ],
}  # fmt: skip
Sheet = tuple[SheetView, dict[str, int], list[str]]


def draw_value(family: str, rng: random.Random) -> int:
    if family == "money":
        return rng.choice([rng.randint(1, 300) * 100, rng.randint(1, 3000) * 1000, rng.randint(100, 999_999)])
    if family == "percent":
        return rng.choice([100, 500, 750, 1000, 1250, 3300])
    low, high = {
        "count": (1, 60), "measure": (5, 900), "clock": (0, 1439),
        "date": (datetime.date(2026, 5, 1).toordinal(), datetime.date(2027, 3, 1).toordinal()),
    }[family]  # fmt: skip
    return rng.randint(low, high)


def draw_sheet(rng: random.Random) -> Sheet:
    lang = rng.choice(["zh", "en"])
    names = [name.split("/") for name in ZH_NAMES] if lang == "zh" else [[name, "", ""] for name in EN_NAMES]
    rows = tuple(
        RowView(id=f"r{i}", names=tuple(n for n in (full, alias) if n), units=(unit,) if unit else ())
        for i, (full, unit, alias) in enumerate(rng.sample(names, rng.randint(2, 8)))
    )
    columns = tuple(c for c in COLUMNS[lang] if rng.random() < 0.6) or tuple(COLUMNS[lang][:2])
    figures = tuple(f for f in FIGURES[lang] if rng.random() < 0.5)
    view = SheetView.model_validate(
        {"lang": lang, "today": "2026-05-01", "currency": "CNY" if lang == "zh" else "GBP", "rows": rows,
         "columns": columns, "figures": figures}
    )  # fmt: skip
    values = {f"{row.id}.{column.id}": draw_value(column.family, rng) for row in rows for column in columns}
    values |= {f"sheet.{figure.id}": draw_value(figure.family, rng) for figure in figures}
    kept = {column.id for column in columns if rng.random() < 0.8} or {columns[0].id}
    return view, values, [p for p in values if p.startswith("sheet.") or p.split(".")[1] in kept]


sheets = st.integers(0, 10**9).map(random.Random)
PROPERTY = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("style", STYLES)
@given(rng=sheets)
@PROPERTY
def test_witness_and_rewordings_are_all_hits(style: str, rng: random.Random) -> None:
    view, values, requested = draw_sheet(rng)
    items = make_items(values, requested)
    text = write_sheet(view, values, requested, style, rng)
    assert not_hit(text, view, items) == {}, text
    for name, change in REWORDINGS.items():
        changed = change(text, view, rng)
        assert not_hit(changed, view, items) == {}, (name, changed)


@pytest.mark.parametrize("style", STYLES)
@given(rng=sheets)
@PROPERTY
def test_mutation_loses_its_item_and_no_other(style: str, rng: random.Random) -> None:
    view, values, requested = draw_sheet(rng)
    items = make_items(values, requested)
    for path in rng.sample(requested, min(3, len(requested))):
        family = {f.id: f.family for f in (*view.columns, *view.figures)}[path.split(".")[1]]
        wrong = (
            (values[path] + rng.choice([1, 7, 61])) % 1440 if family == "clock" else values[path] + rng.choice([1, 7])
        )
        text = write_sheet(view, mutate_value(values, path, wrong), requested, style, rng)
        assert not_hit(text, view, items) == {path: MISS}, text


@given(rng=sheets)
@PROPERTY
def test_dropped_swapped_shifted_and_added_rows(rng: random.Random) -> None:
    view, values, requested = draw_sheet(rng)
    items = make_items(values, requested)
    left, right = (row.id for row in view.rows[:2])
    style = rng.choice(STYLES)
    kept, paths = drop_row(values, requested, left)
    lost = {p for p in requested if p.startswith(f"{left}.")}
    assert set(not_hit(write_sheet(view, kept, paths, style, rng), view, items)) == lost
    swapped = swap_rows(values, left, right)
    lost = {p for p in requested if values[p] != swapped[p]}
    assert set(not_hit(write_sheet(view, swapped, requested, style, rng), view, items)) == lost
    path = rng.choice([p for p in requested if not p.endswith((".start", ".doors"))] or [""])
    if path:
        assert set(not_hit(write_sheet(view, shift_value(values, path), requested, style, rng), view, items)) == {path}
    assert not_hit(rerender(view, values, requested, rng), view, items) == {}
    gone = make_items(values, paths)
    column = next(p.split(".")[1] for p in requested if p.startswith(f"{left}."))
    extra, shown = add_row(kept, paths, left, {column: values[f"{left}.{column}"]})
    assert ends(write_sheet(view, extra, shown, style, rng), view, (*gone, absent(left)))[f"no {left}"] == MISS
    assert not_hit(write_sheet(view, kept, paths, style, rng), view, (*gone, absent(left))) == {}


@given(rng=sheets)
@PROPERTY
def test_list_everything_scores_nothing(rng: random.Random) -> None:
    view, values, requested = draw_sheet(rng)
    families = {f.id: f.family for f in (*view.columns, *view.figures)}
    stale = {p: [(values[p] + 3) % 1440 if families[p.split(".")[1]] == "clock" else values[p] + 3] for p in requested}
    text = list_everything(view, values, stale, requested)
    assert HIT not in ends(text, view, make_items(values, requested)).values(), text


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_echo_and_empty_score_nothing(lang: str) -> None:
    echo = {
        "zh": "单子定了，帮我整理一下，我直接转到行政群里：品名、数量、单价、小计，安装费，最后一个总数。",
        "en": "That's us. Can you set it out so I can forward it to Priya: item, how many, each, line total, then fitting, "
        "then the figure at the bottom.",
    }[lang]
    for text in ("", "   \n", echo):
        assert HIT not in ends(text, VIEWS[lang], ITEMS[lang]).values()


@pytest.mark.parametrize("surface", SURFACES)
def test_scoped_witness(surface: str) -> None:
    values = {
        "chair.qty": 10,
        "chair.price": 68000,
        "chair.qty@b1": 6,
        "chair.qty@b2": 4,
        "desk.qty": 12,
        "desk.price": 150000,
    }
    for style in STYLES:
        for seed in range(4):
            text = write_sheet(ZH, values, list(values), style, random.Random(seed), {"b1": "第一批", "b2": "第二批"})
            assert not_hit(text, ZH, SCOPE_ITEMS) == {}, text


def test_format_value() -> None:
    price = field("price", "单价", "money", "元", 100)
    assert format_value("money", 680050, price, "zh", "CNY", "unit") == "6,800.50 元"
    assert format_value("money", 680000, price, "en", "GBP", "sign") == "£6,800"
    assert format_value("measure", 585, field("t", "t", "measure", "度", 10), "zh", "CNY", "unit") == "58.5 度"
    assert format_value("clock", 510, field("c", "c", "clock"), "en", "GBP", "unit") == "08:30"
    with pytest.raises(GenError, match="unknown style"):
        write_sheet(ZH, {}, [], "poem", random.Random(0))
    with pytest.raises(GenError, match="no value"):
        write_sheet(ZH, {}, ["chair.qty"], "table", random.Random(0))
    with pytest.raises(GenError, match="cannot become"):
        mutate_value({"chair.qty": 1}, "chair.qty", 1)


HOSTILE = ["1", "1,111", "(", "椅子chair ", "单价each ", "10=", "1×", "[\n", '{"a":', "~~a", "$=", "|", "| 1 |\n", "*a", "一",
           "-", "<", "one hundred and ", "5月", "椅子 单价 10 元，", "10 or ", "1/1 ", "\\", "\n", "  a", '[[{"a":1e999}]]\n']  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_reply_is_read_in_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.perf_counter()
    for view in (ZH, EN):
        parse_sheet(text, view)
    assert time.perf_counter() - start < 8
