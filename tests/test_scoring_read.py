"""Replies as people and models write them, and the one value each commits to."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.language.numerals import write_en, write_zh
from generator.scoring.read import KINDS, clean_reply, read

CNY, GBP, USD = {"currency": "CNY"}, {"currency": "GBP"}, {"currency": "USD"}


def amount(text: str, expected: float | str | None, ask: str = "总价", currency: str = "CNY", **params: str) -> Any:
    return pytest.param(text, expected, {"ask": ask, "currency": currency, **params}, id=text[:40])


AMOUNTS = [
    amount("合计３，４５０元整。", 3450),
    amount("总价 ¥12,800.00，含早餐。", 12800),
    amount("一共1'250元", 1250),
    amount("所以总额为 $\\boxed{4{,}080}$。", 4080),
    amount("三个人总共六百八。", 680),
    amount("全部算下来是一千零五十块。", 1050),
    amount("一共两万三千元", 23000),
    amount("总价壹仟贰佰叁拾元整", 1230),
    amount("总共三块五。", "3.5"),
    amount("共计十二元五角", "12.5"),
    amount("一共五毛钱", "0.5"),
    amount("总价2.35万元", 23500),
    amount("全包一口价，1万8。", 18000),
    amount("总价：\n\n**2,468 元**", 2468),
    amount("押金500元，总价1,880元。", 1880),
    amount("押金500元，总价1,880元。", 500, "押金"),
    amount("总价1,880元（含押金500元）。", 1880),
    amount("首付30万，尾款70万，总价100万。", 700000, "尾款"),
    amount("首付30万，尾款70万，总价100万。", 1000000),
    amount("首付30万，尾款70万，总价100万。", 300000, "首付"),
    amount("每人 150 元，4 人合计 600 元。", 150, "人均"),
    amount("单价 45 元/张，买 6 张，共 270 元。", 270),
    amount("单价 45 元/张，买 6 张，共 270 元。", 45, "单价"),
    amount("原价1,200元，优惠200元，实付1,000元。", 1000),
    amount("原价1,200元，优惠200元，实付1,000元。", 200, "优惠金额"),
    amount("原价1,200元，优惠200元，实付1,000元。", 1200, "原价"),
    amount("之前说的是3,000元，现在改为2,700元。", 2700),
    amount("总价从4,800元改为4,200元。", 4200),
    amount("总价不是1,500元，是1,650元。", 1650),
    amount("总价是1,650元，而不是1,500元。", 1650),
    amount("~~总价 900 元~~ 总价 820 元", 820),
    amount("总价是520元。等等，漏了早餐，应该是580元。", 580),
    amount("总价至少要2,000元。", None),
    amount("总价不超过3000元。", None),
    amount("总价2000元以上。", None),
    amount("大概两三千块吧", None),
    amount("总价大约二十多万", None),
    amount("总价几百块", None),
    amount("总价在500到600元之间", None),
    amount("总价在500到600元之间", 550, range="mid"),
    amount("总价300-400元", 350, range="mid"),
    amount("100+200+300=600元", 600),
    amount("费用：房费 800 + 餐费 200 = 1,000 元", 1000),
    amount("总价：3 × 120 + 2 × 60 = 480 元。", 480),
    amount("您的订单号是 88231045，客服电话 400-820-8820。", None),
    amount("G1024次列车，二等座553元。", 553),
    amount("房费打八折，共640元", 640),
    amount("您好，请问您需要几张票？", None),
    amount("成人票80元，儿童票40元。", None),
    amount("费用全免，一共0元。", 0),
    amount("该项目不收费。", 0),
    amount("可免费取消。", None),
    amount("总价是100美元，折合人民币720元。", 720),
    amount("| 项目 | 金额 |\n|---|---|\n| 机票 | 1,200 |\n| 酒店 | 800 |\n| 总计 | 2,000 |", 2000),
    amount('{"items": [{"name": "票", "price": 90}], "total_price": 270}', 270),
    amount("<think>总价应该是 900</think>总价 990 元", 990),
    amount("總價為３，２００圓", 3200),
    amount("1280", 1280),
    amount("如果您确认预订，总价是 1,300 元。", 1300),
    amount("总价 1,300 元，如果加接机另加 200 元。", 1300),
    amount("The total comes to £1,234.56.", "1234.56", "total price", "GBP"),
    amount("That's $12 each, so $48 in total.", 48, "total price", "USD"),
    amount("That's $12 each, so $48 in total.", 12, "price per person", "USD"),
    amount("Altogether it is three hundred and twenty pounds.", 320, "total price", "GBP"),
    amount("You'll pay 2.5k USD all in.", 2500, "total price", "USD"),
    amount("The deposit is £200 and the total £950.", 200, "deposit", "GBP"),
    amount("The deposit is £200 and the total £950.", 950, "total price", "GBP"),
    amount("It was £500 but is now £450.", 450, "total price", "GBP"),
    amount("Not £500 but £450.", 450, "total price", "GBP"),
    amount("The price went from £400 to £450.", 450, "total price", "GBP"),
    amount("The total is $1.2 million.", 1200000, "total price", "USD"),
    amount("Between £50 and £60.", None, "total price", "GBP"),
    amount("Between £50 and £60.", 55, "total price", "GBP", range="mid"),
    amount("No more than £80.", None, "total price", "GBP"),
    amount("It costs $9.99.", "9.99", "total price", "USD"),
    amount("Adults £12, children £6.", None, "total price", "GBP"),
    amount("I don't have that price, sorry.", None, "total price", "GBP"),
    amount("It's completely free.", 0, "total price", "GBP"),
    amount("Feel free to ask about the price.", None, "total price", "GBP"),
    amount("£20 + £30 = £50", 50, "total price", "GBP"),
    amount(
        "| Item | Cost |\n|---|---|\n| Room | £80 |\n| Meal | £25 |\n| **Total** | **£105** |",
        105,
        "total price",
        "GBP",
    ),
    amount("Total: £350 (that is £175 per person).", 350, "total price", "GBP"),
    amount("Sorry, I miscounted: the total is $310, not $290.", 310, "total price", "USD"),
    amount("The refund is £35.50 and you keep the £10 voucher.", "35.5", "refund", "GBP"),
    amount("Twelve pounds fifty.", "12.5", "price", "GBP"),
    amount("75 pence", "0.75", "price", "GBP"),
    amount("Your total is 1,250 for the two of you.", 1250, "total price", "USD"),
    amount("A couple of hundred pounds.", None, "total price", "GBP"),
]


@pytest.mark.parametrize(("text", "expected", "params"), AMOUNTS)
def test_amount(text: str, expected: float | str | None, params: dict[str, str]) -> None:
    assert read("amount", text, **params) == (None if expected is None else Decimal(str(expected)))


NUMBERS = [
    ("一共来了二十三位客人。", "客人数", 23),
    ("报名人数：１５６人", "报名人数", 156),
    ("还剩３个座位，每个座位45元。", "座位数", 3),
    ("会议室在3楼，能坐40人。", "人数", 40),
    ("G7532次还有12张票。", "张数", 12),
    ("共有五间房可用，房号是301、302、303、305、306。", "可用房间数", 5),
    ("大约两三个人", "人数", None),
    ("十来个人", "人数", None),
    ("二十多人报名", "报名人数", None),
    ("至少30人", "人数", None),
    ("原来是12人，现在是15人。", "人数", 15),
    ("不是12箱，是21箱。", "箱数", 21),
    ("共12箱。更正：共14箱。", "箱数", 14),
    ("成人3人，儿童2人，一共5人。", "人数", 5),
    ("3+4=7人", "人数", 7),
    ("一千二百件", "件数", 1200),
    ("总件数为1.2万件", "总件数", 12000),
    ("\\boxed{42}", "人数", 42),
    ("答案是 17。", "人数", 17),
    ("17", "人数", 17),
    ("没有查到相关信息。", "人数", None),
    ("请在6月3日前回复，名额8个。", "名额", 8),
    ("完成率为95%，共38份。", "份数", 38),
    ("There are twenty-four seats left.", "number of seats", 24),
    ("We have 3 rooms with 12 beds.", "number of beds", 12),
    ("We have 3 rooms with 12 beds.", "number of rooms", 3),
    ("Room 204 has 6 chairs.", "number of chairs", 6),
    ("At least 10 people.", "number of people", None),
    ("Not 10 people but 12 people.", "number of people", 12),
    ("It was 10 people; it is now 14 people.", "number of people", 14),
    ("A dozen eggs.", "number of eggs", 12),
    ("Between two and three guests.", "number of guests", None),
    ("1,250 leaflets on 4 May.", "number of leaflets", 1250),
    ("The answer is 7.", "number of tickets", 7),
    ("I count 5 tickets. Correction: 6 tickets.", "number of tickets", 6),
    ("Three adults and two children, five people in all.", "number of people", 5),
]


@pytest.mark.parametrize(("text", "ask", "expected"), NUMBERS)
def test_number(text: str, ask: str, expected: int | None) -> None:
    assert read("number", text, ask=ask) == expected


TIMES = [
    ("早上7点20分出发", "时间", "07:20"),
    ("上午十点整", "时间", "10:00"),
    ("下午两点半", "时间", "14:30"),
    ("下午的三点一刻", "时间", "15:15"),
    ("晚上九点三刻", "时间", "21:45"),
    ("差五分九点", "时间", "08:55"),
    ("八点差一刻", "时间", "07:45"),
    ("晚上12点", "时间", "00:00"),
    ("凌晨12点", "时间", "00:00"),
    ("中午12点半", "时间", "12:30"),
    ("半夜1点", "时间", "01:00"),
    ("夜里11点", "时间", "23:00"),
    ("晚上11点05分", "时间", "23:05"),
    ("傍晚6点", "时间", "18:00"),
    ("明晚8点见", "时间", "20:00"),
    ("二十二时零五分", "时间", "22:05"),
    ("24:30到站", "时间", "00:30"),
    ("末班车 ０７：３０ 发车", "发车时间", "07:30"),
    ("列车 08:05 发车，11:40 到达。", "到达时间", "11:40"),
    ("到达时间：11:40；发车时间：08:05", "发车时间", "08:05"),
    ("不是8点15，是8点45。", "时间", "08:45"),
    ("原定15:00，改为15:30。", "时间", "15:30"),
    ("建议坐 9:10 的车。哦不对，应该是 9:40。", "时间", "09:40"),
    ("9点或者10点都行", "时间", None),
    ("全程2小时15分钟", "时间", None),
    ("请注意以下三点：带伞、带水、带票。", "时间", None),
    ("入住14:00，退房12:00。", "退房时间", "12:00"),
    ("入住14:00，退房12:00。", "入住时间", "14:00"),
    ("营业时间9:00-18:00", "关门时间", "18:00"),
    ("营业时间9:00-18:00", "开门时间", "09:00"),
    ("3点半", "下午集合时间", "15:30"),
    ("| 车次 | 发车 |\n|---|---|\n| K11 | 10:05 |\n| K13 | 12:25 |\n\n建议乘坐 K13。", "发车时间", "12:25"),
    ("1. G1 08:00发车\n2. G3 09:00发车\n所以推荐 G1。", "发车时间", "08:00"),
    ("1. G1 08:00发车\n2. G3 09:00发车", "发车时间", None),
    ("<think>8:00?</think>8:20 出发", "出发时间", "08:20"),
    ("It leaves at 6:45 p.m.", "departure time", "18:45"),
    ("6.45pm", "time", "18:45"),
    ("7 pm", "time", "19:00"),
    ("seven in the evening", "time", "19:00"),
    ("half past three in the afternoon", "time", "15:30"),
    ("quarter past eight in the morning", "time", "08:15"),
    ("ten to nine tonight", "time", "20:50"),
    ("twenty past four p.m.", "time", "16:20"),
    ("12 a.m.", "time", "00:00"),
    ("12:30 p.m.", "time", "12:30"),
    ("Midnight exactly.", "time", "00:00"),
    ("at midday", "time", "12:00"),
    ("0830 hrs", "time", "08:30"),
    ("8 o'clock at night", "time", "20:00"),
    ("2 at night", "time", "02:00"),
    ("It departs at 10:05 and arrives at 11:50.", "arrival time", "11:50"),
    ("It departs at 10:05 and arrives at 11:50.", "departure time", "10:05"),
    ("Not 5 pm but 6 pm.", "time", "18:00"),
    ("It was 9:15; it has moved to 9:45.", "time", "09:45"),
    ("Check-in is from 15:00, check-out by 11:00.", "check-out time", "11:00"),
    ("Sunset is at 19:20; the last boat leaves at 18:50.", "departure time", "18:50"),
    ("There is no train that evening.", "departure time", None),
    ("Either 9:00 or 10:00.", "time", None),
    ("The trip takes 45 minutes.", "time", None),
    ("The score was 3 to 2.", "time", None),
]


@pytest.mark.parametrize(("text", "ask", "expected"), TIMES)
def test_time(text: str, ask: str, expected: str | None) -> None:
    assert read("time", text, ask=ask, lang="mix") == expected


TIME_RANGES = [
    ("营业时间 08:30–17:30", ["08:30", "17:30"]),
    ("营业时间 08:30—17:30", ["08:30", "17:30"]),
    ("营业时间 08:30 - 17:30", ["08:30", "17:30"]),
    ("营业时间 08:30~17:30", ["08:30", "17:30"]),
    ("营业时间 08:30〜17:30", ["08:30", "17:30"]),
    ("营业时间 08:30−17:30", ["08:30", "17:30"]),
    ("８：３０至１７：３０", ["08:30", "17:30"]),
    ("早上八点半到晚上十点", ["08:30", "22:00"]),
    ("下午2点到4点", ["14:00", "16:00"]),
    ("下午两点半至五点", ["14:30", "17:00"]),
    ("上午9点到12点", ["09:00", "12:00"]),
    ("晚上10点到凌晨2点", ["22:00", "02:00"]),
    ("21:00至次日06:00", ["21:00", "06:00"]),
    ("从14:00到15:30开会", ["14:00", "15:30"]),
    ("原来是9:00-10:00，现在改为10:00-11:00。", ["10:00", "11:00"]),
    ("不是9:00-10:00，是9:30-10:30。", ["09:30", "10:30"]),
    ("9点开门。", None),
    ("暂不开放。", None),
    ("10am to 4pm", ["10:00", "16:00"]),
    ("10 am – 4:30 pm", ["10:00", "16:30"]),
    ("from 9 to 11 a.m.", ["09:00", "11:00"]),
    ("from 9 a.m. until 5 p.m.", ["09:00", "17:00"]),
    ("between 10:00 and 12:00", ["10:00", "12:00"]),
    ("2–4 p.m.", ["14:00", "16:00"]),
    ("11 to 2 p.m.", ["11:00", "14:00"]),
    ("10 p.m. to 2 a.m.", ["22:00", "02:00"]),
    ("Noon to 3 p.m.", ["12:00", "15:00"]),
    ("22:00 to 06:00 the next day", ["22:00", "06:00"]),
    ("It was 9:00-17:00, but is now 10:00-18:00.", ["10:00", "18:00"]),
    ("We close at 5 pm.", None),
]


@pytest.mark.parametrize(("text", "expected"), TIME_RANGES)
def test_time_range(text: str, expected: list[str] | None) -> None:
    assert read("time_range", text, ask="opening hours", lang="mix") == expected


# 2025-06-11 is a Wednesday.
DATES: list[tuple[str, str | None, dict[str, str]]] = [
    ("就定在下周五。", "2025-06-20", {}),
    ("这周五", "2025-06-13", {}),
    ("本周日", "2025-06-15", {}),
    ("上周一", "2025-06-02", {}),
    ("下下周二", "2025-06-24", {}),
    ("下个星期天", "2025-06-22", {}),
    ("明天下午", "2025-06-12", {}),
    ("后天", "2025-06-13", {}),
    ("前天", "2025-06-09", {}),
    ("大前天", "2025-06-08", {}),
    ("三天后", "2025-06-14", {}),
    ("两周后", "2025-06-25", {}),
    ("月底之前交", "2025-06-30", {}),
    ("下月5号", "2025-07-05", {}),
    ("6月30日", "2025-06-30", {}),
    ("六月二十八号", "2025-06-28", {}),
    ("28号", "2025-06-28", {}),
    ("5号", "2025-07-05", {}),
    ("二〇二五年七月一日", "2025-07-01", {}),
    ("2025年7月1日（周二）", "2025-07-01", {}),
    ("２０２５－０７－０１", "2025-07-01", {}),
    ("2025.7.1", "2025-07-01", {}),
    ("不是6月12日，是6月13日。", "2025-06-13", {}),
    ("原定6月12日，改到6月19日。", "2025-06-19", {}),
    ("先说错了，6月12日不对，更正为6月14日。", "2025-06-14", {}),
    ("6月12日或6月13日都可以", None, {}),
    ("还没定日期。", None, {}),
    ("周五", "2025-06-13", {}),
    ("周五", "2025-06-20", {"week": "next"}),
    ("入住6月12日，退房6月15日。", "2025-06-15", {"ask": "退房日期"}),
    ("1月3日", "2026-01-03", {"today": "2025-12-28"}),
    ("next Friday", "2025-06-20", {}),
    ("this Friday", "2025-06-13", {}),
    ("last Monday", "2025-06-09", {}),
    ("in three days", "2025-06-14", {}),
    ("in two weeks", "2025-06-25", {}),
    ("10 days from now", "2025-06-21", {}),
    ("tomorrow", "2025-06-12", {}),
    ("the day after tomorrow", "2025-06-13", {}),
    ("yesterday", "2025-06-10", {}),
    ("July 4th", "2025-07-04", {}),
    ("4 July 2026", "2026-07-04", {}),
    ("the 4th of July", "2025-07-04", {}),
    ("Friday, July 4, 2025", "2025-07-04", {}),
    ("the 20th", "2025-06-20", {}),
    ("07/04/2025", None, {}),
    ("07/04/2025", "2025-07-04", {"locale": "en-US"}),
    ("25/12/2025", "2025-12-25", {}),
    ("Not Thursday but Friday.", "2025-06-13", {}),
    ("It was 12 June but has moved to 19 June.", "2025-06-19", {}),
    ("by the end of the month", "2025-06-30", {}),
    ("Feb 30", None, {}),
]


@pytest.mark.parametrize(("text", "expected", "params"), DATES)
def test_date(text: str, expected: str | None, params: dict[str, str]) -> None:
    assert read("date", text, **{"today": "2025-06-11", **params}) == expected


DURATIONS = [
    ("全程3小时", 180),
    ("一个半小时", 90),
    ("两个半小时左右", 150),
    ("两小时一刻", 135),
    ("1小时20分钟", 80),
    ("半小时", 30),
    ("半个钟头", 30),
    ("四十五分钟", 45),
    ("一刻钟", 15),
    ("90分钟", 90),
    ("2.5小时", 150),
    ("９０分钟", 90),
    ("两三个小时", None),
    ("至少2小时", None),
    ("2到3小时", None),
    ("不是40分钟，是50分钟。", 50),
    ("原来要2小时，现在只要1小时10分。", 70),
    ("09:00发车，10:00到达", None),
    ("8点20分出发，车程35分钟", 35),
    ("2 hours 15 minutes", 135),
    ("an hour and a half", 90),
    ("two and a half hours", 150),
    ("half an hour", 30),
    ("three quarters of an hour", 45),
    ("a quarter of an hour", 15),
    ("1h20", 80),
    ("1h 20m", 80),
    ("2 hrs", 120),
    ("about 45 min", 45),
    ("at least 2 hours", None),
    ("one hour and ten minutes", 70),
    ("90-minute ride", 90),
    ("It leaves at 10:30.", None),
    ("an hour", 60),
]


@pytest.mark.parametrize(("text", "expected"), DURATIONS)
def test_duration(text: str, expected: int | None) -> None:
    assert read("duration", text, lang="mix") == expected


FREQUENCIES = [
    ("每15分钟一班", 15),
    ("每隔二十分钟发一班车", 20),
    ("半小时一趟", 30),
    ("每半小时一班", 30),
    ("每小时4班", 15),
    ("每小时一班", 60),
    ("一小时两趟", 30),
    ("间隔10分钟", 10),
    ("发车间隔约12分钟", 12),
    ("两个小时一班", 120),
    ("平均45分钟一班", 45),
    ("每10到15分钟一班", None),
    ("共30班车", None),
    ("首班6:00，末班22:00", None),
    ("全程40分钟", None),
    ("原来每30分钟一班，现在改为每20分钟一班。", 20),
    ("车程25分钟，每15分钟一班。", 15),
    ("Every 10 minutes.", 10),
    ("every half hour", 30),
    ("every half an hour", 30),
    ("every hour", 60),
    ("hourly", 60),
    ("twice an hour", 30),
    ("three trains per hour", 20),
    ("4 buses an hour", 15),
    ("at 20-minute intervals", 20),
    ("every hour and a half", 90),
    ("There are twelve trains a day.", None),
    ("Every two and a half hours.", 150),
    ("The ride takes 20 minutes.", None),
]


@pytest.mark.parametrize(("text", "expected"), FREQUENCIES)
def test_frequency(text: str, expected: int | None) -> None:
    assert read("frequency", text, lang="mix") == expected


DISTANCES: list[tuple[str, float | None]] = [
    ("大约3公里", 3000),
    ("1.5 km", 1500),
    ("八百米", 800),
    ("两里地", 1000),
    ("三公里半", 3500),
    ("一公里300米", 1300),
    ("半公里", 500),
    ("１２００米", 1200),
    ("1,200米", 1200),
    ("2千米", 2000),
    ("5英里", 8046.72),
    ("步行20分钟", None),
    ("走路大概一刻钟，开车5分钟", None),
    ("至少500米", None),
    ("500到800米", None),
    ("不是500米，是800米。", 800),
    ("身高1.2米以下儿童免票", None),
    ("骑车10分钟，2.4公里。", 2400),
    ("half a mile", 804.672),
    ("a mile and a half", 2414.016),
    ("2 miles", 3218.688),
    ("500 yards", 457.2),
    ("300 ft", 91.44),
    ("1,200 m", 1200),
    ("750 metres", 750),
    ("a ten-minute walk", None),
    ("about 0.8 kilometers", 800),
    ("less than 2 km", None),
    ("It was 3 km, but the new route is 2.5 km.", 2500),
    ("It's next door.", None),
]


@pytest.mark.parametrize(("text", "expected"), DISTANCES)
def test_distance(text: str, expected: float | None) -> None:
    value = read("distance", text, lang="mix")
    assert value is None if expected is None else value == Decimal(str(expected))


HOTELS = ["如家", "如家精选", "汉庭", "全季"]
TOWNS = ["York", "New York", "Leeds", "Hull"]
NAMES: list[tuple[str, list[str], str | None]] = [
    ("建议住如家精选。", HOTELS, "如家精选"),
    ("我推荐汉庭，因为近。", HOTELS, "汉庭"),
    ("不是汉庭，是全季。", HOTELS, "全季"),
    ("不选如家，选全季。", HOTELS, "全季"),
    ("汉庭已满房，所以给您订全季。", HOTELS, "全季"),
    ("汉庭或者全季都可以", HOTELS, None),
    ("汉庭和全季都不错", HOTELS, None),
    ("之前订的是汉庭，现在换成全季了。", HOTELS, "全季"),
    ("全季比汉庭更近，建议全季。", HOTELS, "全季"),
    ("推荐汉庭。更正：推荐全季。", HOTELS, "全季"),
    ("**全季**", HOTELS, "全季"),
    ("您想住哪一家？", HOTELS, None),
    ("推薦漢庭", HOTELS, "汉庭"),
    ("全\u200b季", HOTELS, "全季"),
    ("~~汉庭~~ 全季", HOTELS, "全季"),
    ("如家、汉庭都不合适，选全季吧。", HOTELS, "全季"),
    ("I'd ship it to New York.", TOWNS, "New York"),
    ("York, not Leeds.", TOWNS, "York"),
    ("Not York but Hull.", TOWNS, "Hull"),
    ("Leeds is closer than York.", TOWNS, "Leeds"),
    ("Leeds instead of York.", TOWNS, "Leeds"),
    ("Leeds is fully booked, so I booked Hull.", TOWNS, "Hull"),
    ("Either Leeds or Hull.", TOWNS, None),
    ("leeds", TOWNS, "Leeds"),
    ("ＬＥＥＤＳ", TOWNS, "Leeds"),
    ("A yorkshire pudding.", TOWNS, None),
    ("You used to live in Leeds; you are in Hull now.", TOWNS, "Hull"),
    ("I recommend Hull rather than Leeds.", TOWNS, "Hull"),
    ("Actually, make that Hull.", TOWNS, "Hull"),
    ("<think>York?</think>Leeds", TOWNS, "Leeds"),
]


@pytest.mark.parametrize(("text", "candidates", "expected"), NAMES)
def test_name(text: str, candidates: list[str], expected: str | None) -> None:
    assert read("name", text, candidates=candidates) == expected


def test_name_takes_any_right_one() -> None:
    assert read("name", "Leeds or Hull.", candidates=TOWNS, any_of=["Leeds", "Hull"]) == "Leeds"
    assert read("name", "Leeds or York.", candidates=TOWNS, any_of=["Leeds", "Hull"]) is None


SHOPS = ["春风楼", "秋水阁", "夏荷轩", "冬雪居"]
CAFES = ["Blue Door", "Red Lion", "Green Man", "White Hart"]
LISTS: list[tuple[str, list[str], list[str] | None]] = [
    ("春风楼和夏荷轩符合。", SHOPS, ["春风楼", "夏荷轩"]),
    ("符合的有春风楼、秋水阁、夏荷轩。", SHOPS, ["春风楼", "秋水阁", "夏荷轩"]),
    ("除了冬雪居，其他都可以。", SHOPS, ["春风楼", "秋水阁", "夏荷轩"]),
    ("除春风楼和冬雪居外，其余都营业。", SHOPS, ["秋水阁", "夏荷轩"]),
    ("- 春风楼 ✅\n- 夏荷轩 ✅\n- ❌ 秋水阁", SHOPS, ["春风楼", "夏荷轩"]),
    ("春风楼已关门，只有秋水阁开着。", SHOPS, ["秋水阁"]),
    ("春风楼、秋水阁都不营业，夏荷轩和冬雪居可以。", SHOPS, ["夏荷轩", "冬雪居"]),
    ("没有一家符合条件。", SHOPS, []),
    ("都不符合。", SHOPS, []),
    ("请问您几位？", SHOPS, None),
    ("四家都符合。", SHOPS, SHOPS),
    ("排除春风楼，剩下秋水阁、夏荷轩、冬雪居。", SHOPS, ["秋水阁", "夏荷轩", "冬雪居"]),
    ("春风楼太远，秋水阁太贵，因此是夏荷轩。", SHOPS, ["夏荷轩"]),
    ("1. 春風樓\n2. 秋水閣", SHOPS, ["春风楼", "秋水阁"]),
    ("春风楼。更正：秋水阁和夏荷轩。", SHOPS, ["秋水阁", "夏荷轩"]),
    ('["春风楼", "冬雪居"]', SHOPS, ["春风楼", "冬雪居"]),
    ("~~春风楼~~、秋水阁", SHOPS, ["秋水阁"]),
    ("Blue Door and Red Lion.", CAFES, ["Blue Door", "Red Lion"]),
    ("All except the Red Lion.", CAFES, ["Blue Door", "Green Man", "White Hart"]),
    ("None of them.", CAFES, []),
    ("Could you tell me the date?", CAFES, None),
    ("All four.", CAFES, CAFES),
    ("Blue Door, Green Man and White Hart; the Red Lion is closed.", CAFES, ["Blue Door", "Green Man", "White Hart"]),
    ("The Blue Door and the Red Lion are both closed, so only Green Man.", CAFES, ["Green Man"]),
    ("* blue door\n* white hart", CAFES, ["Blue Door", "White Hart"]),
    ("Not the Blue Door, but the Green Man.", CAFES, ["Green Man"]),
]


@pytest.mark.parametrize(("text", "candidates", "expected"), LISTS)
def test_list(text: str, candidates: list[str], expected: list[str] | None) -> None:
    value = read("list", text, candidates=candidates)
    assert value is None if expected is None else isinstance(value, list) and sorted(value) == sorted(expected)


SIGHTS = ["塔", "寺", "湖"]
STOPS = ["museum", "castle", "harbour"]
ORDERS: list[tuple[str, list[str], list[str] | None]] = [
    ("先去寺，再去塔，最后去湖。", SIGHTS, ["寺", "塔", "湖"]),
    ("寺→湖→塔", SIGHTS, ["寺", "湖", "塔"]),
    ("寺 -> 湖 -> 塔", SIGHTS, ["寺", "湖", "塔"]),
    ("1. 湖\n2. 塔\n3. 寺", SIGHTS, ["湖", "塔", "寺"]),
    ("最后去塔，先去湖，中间去寺。", SIGHTS, ["湖", "寺", "塔"]),
    ("第一站是湖，第三站是寺，第二站是塔。", SIGHTS, ["湖", "塔", "寺"]),
    ("去塔之前先去湖，最后去寺。", SIGHTS, ["湖", "塔", "寺"]),
    ("湖、塔、寺", SIGHTS, ["湖", "塔", "寺"]),
    ("塔放最后，寺第一，湖第二。", SIGHTS, ["寺", "湖", "塔"]),
    ("首先参观湖，其次参观寺，最后参观塔。", SIGHTS, ["湖", "寺", "塔"]),
    ("您想什么时候出发？", SIGHTS, None),
    ("先湖后塔", SIGHTS, ["湖", "塔"]),
    ("先去湖再去塔。更正：先去塔再去湖。", SIGHTS, ["塔", "湖"]),
    ("不去寺，先去湖，再去塔。", SIGHTS, ["湖", "塔"]),
    ("Start with the castle, then the museum, and finally the harbour.", STOPS, ["castle", "museum", "harbour"]),
    ("castle → harbour → museum", STOPS, ["castle", "harbour", "museum"]),
    ("1) harbour 2) castle 3) museum", STOPS, ["harbour", "castle", "museum"]),
    ("The harbour comes last, the museum first, the castle second.", STOPS, ["museum", "castle", "harbour"]),
    ("Visit the castle after the museum, and end with the harbour.", STOPS, ["museum", "castle", "harbour"]),
    ("The museum before the castle.", STOPS, ["museum", "castle"]),
    ("Before the castle, see the museum.", STOPS, ["museum", "castle"]),
    ("First the harbour, second the castle, third the museum.", STOPS, ["harbour", "castle", "museum"]),
    ("harbour > museum > castle", STOPS, ["harbour", "museum", "castle"]),
    ('["castle", "museum", "harbour"]', STOPS, ["castle", "museum", "harbour"]),
    ("When would you like to go?", STOPS, None),
]


@pytest.mark.parametrize(("text", "candidates", "expected"), ORDERS)
def test_order(text: str, candidates: list[str], expected: list[str] | None) -> None:
    assert read("order", text, candidates=candidates) == expected


YESNO = [
    ("是的，可以。", "yes"),
    ("可以的。", "yes"),
    ("有停车位。", "yes"),
    ("对，就在西边。", "yes"),
    ("没错。", "yes"),
    ("没问题，可以带。", "yes"),
    ("不可以。", "no"),
    ("不行哦。", "no"),
    ("没有停车位。", "no"),
    ("否", "no"),
    ("这家不允许带宠物。", "no"),
    ("很遗憾，不提供早餐。", "no"),
    ("不是不可以，只是要加钱。", "yes"),
    ("并非没有座位。", "yes"),
    ("我不清楚。", "unknown"),
    ("不一定，要看天气。", "unknown"),
    ("无法判断。", "unknown"),
    ("您说过要靠窗的座位，我这边没有相关信息。", "unknown"),
    ("有。更正：没有。", "no"),
    ("**是**", "yes"),
    ("答案：否", "no"),
    ("Yes.", "yes"),
    ("Sure, it does.", "yes"),
    ("It is allowed.", "yes"),
    ("No.", "no"),
    ("No, it isn't.", "no"),
    ("Unfortunately not.", "no"),
    ("It does not have parking.", "no"),
    ("It's not impossible.", "yes"),
    ("I can't say there's no parking.", "yes"),
    ("I'm not sure.", "unknown"),
    ("It depends on the day.", "unknown"),
    ("No information is available about that.", "unknown"),
    ("No problem, dogs are welcome.", "yes"),
    ("Yes. Wait, actually no.", "no"),
    ("", "unknown"),
]


@pytest.mark.parametrize(("text", "expected"), YESNO)
def test_yesno(text: str, expected: str) -> None:
    assert read("yesno", text, ask="", lang="mix") == expected


CHOICES = [
    ("B", "B"),
    ("B.", "B"),
    ("(C)", "C"),
    ("**D**", "D"),
    ("选A", "A"),
    ("答案是 B", "B"),
    ("答案：C", "C"),
    ("正确答案为（D）。", "D"),
    ("应选 B 项。", "B"),
    ("\\boxed{C}", "C"),
    ("本题选Ｃ。", "C"),
    ("不选A，选B。", "B"),
    ("答案是A。不对，应该是D。", "D"),
    ("A、B、D均错误，所以只剩C。", "C"),
    ("排除A和B，D也不对。", "C"),
    ("我不知道。", None),
    ("B项正确，其余错误。", "B"),
    ("<think>答案是A</think>答案是B", "B"),
    ("The answer is B.", "B"),
    ("Answer: C", "C"),
    ("The correct option is (D).", "D"),
    ("I'd go with A.", "A"),
    ("I choose B because it is cheaper.", "B"),
    ("A, B and C are wrong, which leaves D.", "D"),
    ("The answer is not A but B.", "B"),
    ("A tough question. I cannot tell.", None),
    ("Answer: A. Correction: Answer: D", "D"),
    ("B is correct.", "B"),
    ("C. The museum", "C"),
    ("Dear customer, all lines are busy.", None),
]


@pytest.mark.parametrize(("text", "expected"), CHOICES)
def test_choice(text: str, expected: str | None) -> None:
    assert read("choice", text, options="ABCD", lang="mix") == expected


ABSTAINS = [
    ("您之前没有告诉过我生日。", True),
    ("这个信息您还没提供。", True),
    ("对话里没有提到过这件事。", True),
    ("我不知道您的车牌号。", True),
    ("抱歉，没有关于航班号的记录。", True),
    ("您从未说过猫的名字。", True),
    ("查不到这条信息。", True),
    ("您没说过具体日期，只说了月份。", True),
    ("您的生日是5月1日。", False),
    ("您的猫叫咪咪。", False),
    ("航班号是CA1234。", False),
    ("没有问题，您的车牌是京A12345。", False),
    ("您没提过，不过应该是周三。", False),
    ("无法得知您的预算。", True),
    ("You never told me your birthday.", True),
    ("You haven't mentioned a cat.", True),
    ("That wasn't mentioned in our chat.", True),
    ("I have no record of your flight.", True),
    ("I don't know your budget.", True),
    ("There's no information about that here.", True),
    ("I'm not sure; you didn't say.", True),
    ("Your birthday is on 1 May.", False),
    ("Your cat is called Milo.", False),
    ("The flight is CA1234.", False),
    ("No problem: the booking is on 3 June.", False),
    ("You didn't say, but it is probably Tuesday.", False),
]


@pytest.mark.parametrize(("text", "expected"), ABSTAINS)
def test_abstain(text: str, expected: bool) -> None:
    assert read("abstain", text, lang="mix") is expected


FINAL_TEXTS = [
    ("<think>a</think>b", "b"),
    ("<think>a</think>\n\nb\n", "b"),
    ("<thinking>a</thinking>b", "b"),
    ("<THINK>a</THINK>b", "b"),
    ("<reasoning>a</reasoning>b", "b"),
    ("a</think>b", "b"),
    ("b<think>a", "b"),
    ("<think>a", ""),
    ("<think>a<think>b</think>c</think>d", "d"),
    ("<think>a</think>b<think>c</think>d", "bd"),
    ("◁think▷a◁/think▷b", "b"),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "b"),
    ("[THINK]a[/THINK]b", "b"),
    ("全\u200b季", "全季"),
    ("\ufeffb", "b"),
    ("b\r\nc", "b\nc"),
    ("x \ud83d y", "x \ufffd y"),
    ("１２，３", "１２，３"),
    ("", ""),
    ("  \n ", ""),
    ("I think 5.", "I think 5."),
    ("a < b and c > d", "a < b and c > d"),
    ("<thought>a</thought>b", "b"),
    ("<think></think>b", "b"),
    ("<b>think</b>", "<b>think</b>"),
]


@pytest.mark.parametrize(("text", "expected"), FINAL_TEXTS)
def test_final_text(text: str, expected: str) -> None:
    assert read("final_text", text) == expected == clean_reply(text)


STATUSES: list[tuple[str, dict[str, Any], str]] = [
    ("好的，已为您预订。", {}, "ok"),
    ("", {}, "empty"),
    ("\n\u3000\u200b", {}, "empty"),
    ("<think>a</think>", {"finish_reason": "stop"}, "empty"),
    ("abc", {"finish_reason": "length"}, "truncated"),
    ("", {"finish_reason": "max_tokens"}, "truncated"),
    ("", {"finish_reason": "content_filter"}, "refusal"),
    ("", {"refusal": "no"}, "refusal"),
    ("", {"error": {"code": 500}}, "error"),
    ("", {"finish_reason": "error"}, "error"),
    ("", {"content": "hello"}, "ok"),
    ("", {"content": None, "reasoning": "x"}, "truncated"),
    ("抱歉，我不能协助处理这个请求。", {}, "refusal"),
    ("对不起，我无法提供这方面的帮助。", {}, "refusal"),
    ("作为人工智能，我不能回答这个问题。", {}, "refusal"),
    ("很抱歉，恕难从命。", {}, "refusal"),
    ("抱歉回复晚了，票已订好。", {}, "ok"),
    ("很抱歉，原来的车次已停运，改坐 G12，10:05 发车。", {}, "ok"),
    ("不好意思，您没有告诉我日期。", {}, "ok"),
    ("I can't assist with that.", {}, "refusal"),
    ("Sorry, but I cannot comply with this request.", {}, "refusal"),
    ("I’m sorry, I can’t help with that.", {}, "refusal"),
    ("I must decline to answer.", {}, "refusal"),
    ("Sorry about the delay. Your room is 12.", {}, "ok"),
    ("I'm sorry, there is no train after 22:00.", {}, "ok"),
    ("I can't help with trains, but the bus leaves at 10:05.", {}, "ok"),
    ("Sure!", {"finish_reason": "stop"}, "ok"),
]


@pytest.mark.parametrize(("text", "params", "expected"), STATUSES)
def test_reply_status(text: str, params: dict[str, Any], expected: str) -> None:
    assert read("reply_status", text, **params) == expected


# Longer replies, and traps of every kind in one table: kind, text, parameters, what is read.
TRAPS: list[tuple[str, str, dict[str, Any], Any]] = [
    (
        "amount",
        "已为您算好：\n\n- 一等座 2 张 × 933 元\n- 儿童票 1 张 × 466.5 元\n\n"
        "三张票共计 **2,332.5 元**，请于 18:30 前付款。",
        {"ask": "总价", "currency": "CNY"},
        2332.5,
    ),
    ("amount", "Sum total: EUR 2 350.75", {"ask": "total price", "currency": "EUR"}, 2350.75),
    (
        "amount",
        "| 项目 | 数量 | 小计 |\n|---|---|---|\n| 门票 | 3 | ¥180 |\n| 缆车 | 3 | ¥240 |\n| **总计** | | **¥420** |",
        {"ask": "总价", "currency": "CNY"},
        420,
    ),
    ("amount", '{"单价": 88, "数量": 3, "总价": 264}', {"ask": "单价", "currency": "CNY"}, 88),
    ("amount", "不用付钱，全程免费。", {"ask": "总价", "currency": "CNY"}, 0),
    ("amount", "There's nothing to pay.", {"ask": "total price", "currency": "GBP"}, 0),
    ("amount", "尾款还剩八万五。", {"ask": "尾款", "currency": "CNY"}, 85000),
    ("amount", "人民币壹万贰仟叁佰肆拾伍元陆角柒分", {"ask": "总价", "currency": "CNY"}, 12345.67),
    ("amount", "差不多上千块", {"ask": "总价", "currency": "CNY"}, None),
    ("amount", "找零三元两角。", {"ask": "找零", "currency": "CNY"}, 3.2),
    ("amount", "价格不会低于200元。", {"ask": "总价", "currency": "CNY"}, None),
    ("amount", "Fifteen hundred dollars in all.", {"ask": "total price", "currency": "USD"}, 1500),
    ("amount", "每位128元，三位共384元。", {"ask": "每位价格", "currency": "CNY"}, 128),
    ("amount", "大概在1200-1500元", {"ask": "总价", "currency": "CNY", "range": "mid"}, 1350),
    ("amount", "先前报价 5,600 元，取消一晚后，最新总价为 4,900 元。", {"ask": "总价", "currency": "CNY"}, 4900),
    (
        "amount",
        "You were quoted £300 before; with two fewer guests the total is now £220.",
        {"ask": "total price", "currency": "GBP"},
        220,
    ),
    ("amount", "总价约1千2", {"ask": "总价", "currency": "CNY"}, 1200),
    ("amount", "小计 100 元，运费 10 元，应付 110 元。", {"ask": "运费", "currency": "CNY"}, 10),
    ("amount", "每晚400元，住3晚，总共需要支付1200元，其中押金200元。", {"ask": "总价", "currency": "CNY"}, 1200),
    ("amount", "Your total is £85, which includes a £10 booking fee.", {"ask": "booking fee", "currency": "GBP"}, 10),
    ("amount", "I can't see the price.", {"ask": "total price", "currency": "GBP"}, None),
    ("amount", "总价一千二百块钱整", {"ask": "总价", "currency": "CNY"}, 1200),
    ("amount", "人均 120 元，总价 480 元，您看可以吗？", {"ask": "总价", "currency": "CNY"}, 480),
    ("amount", "总价：四百八", {"ask": "总价", "currency": "CNY"}, 480),
    ("amount", "合计金额为 3 500 元", {"ask": "总价", "currency": "CNY"}, 3500),
    ("amount", "按 7 折算是 560 元", {"ask": "总价", "currency": "CNY"}, 560),
    ("amount", "共计：免费", {"ask": "总价", "currency": "CNY"}, 0),
    ("number", "\\boxed{8} 算错了，应为 \\boxed{9}", {"ask": "人数"}, 9),
    ("number", "大概六七个人。", {"ask": "所需人数"}, None),
    ("number", "The answer: twelve", {"ask": "number of seats"}, 12),
    ("number", "剩余座位：零", {"ask": "剩余座位数"}, 0),
    ("number", "12人报名，实到10人。", {"ask": "实到人数"}, 10),
    ("time", "晚8点开始", {"ask": "时间"}, "20:00"),
    ("time", "晚上八点差五分", {"ask": "时间"}, "19:55"),
    ("time", "午夜12点", {"ask": "时间"}, "00:00"),
    ("time", "登机：０９：０５", {"ask": "时间"}, "09:05"),
    ("time", "quarter past six this evening", {"ask": "时间"}, "18:15"),
    ("time", "At 12 noon", {"ask": "时间"}, "12:00"),
    ("time", "seven thirty pm", {"ask": "时间"}, "19:30"),
    ("time", "D2345次 13:05开，15:20到。", {"ask": "发车时间"}, "13:05"),
    ("time", "不是下午3点，是下午4点。", {"ask": "时间"}, "16:00"),
    ("time", "The meeting has been moved from 10:00 to 11:00.", {"ask": "时间"}, "11:00"),
    ("time", "最晚 21:10 出发，全程 50 分钟，22:00 到。", {"ask": "出发时间"}, "21:10"),
    ("time", "晚上9点半左右", {"ask": "时间"}, "21:30"),
    ("time", "17:20（下午5点20分）", {"ask": "时间"}, "17:20"),
    ("time", "08:30 → 10:00", {"ask": "出发时间"}, "08:30"),
    ("time", "二十点", {"ask": "时间"}, "20:00"),
    ("time", "晚九点半", {"ask": "时间"}, "21:30"),
    ("time", "17点30分，共3人", {"ask": "时间"}, "17:30"),
    ("time_range", "KTV 20:00～次日6:00", {"ask": "时间"}, ["20:00", "06:00"]),
    ("time_range", "八点到十点半", {"ask": "时间"}, ["08:00", "10:30"]),
    ("time_range", "between 2 and 4 p.m.", {"ask": "时间"}, ["14:00", "16:00"]),
    ("time_range", "开始 14:00，结束 16:00", {"ask": "时间"}, ["14:00", "16:00"]),
    ("time_range", "晚上七点到九点", {"ask": "时间"}, ["19:00", "21:00"]),
    ("time_range", "午餐11:30-14:00，晚餐17:00-21:00", {"ask": "晚餐时间"}, ["17:00", "21:00"]),
    ("date", "十一月五号", {"today": "2025-10-10"}, "2025-11-05"),
    ("date", "You met her last Monday.", {"today": "2024-03-19"}, "2024-03-18"),
    ("date", "不是周二，是周五。", {"today": "2025-10-10", "week": "next"}, "2025-10-17"),
    ("date", "去年12月25日", {"today": "2025-10-10"}, "2024-12-25"),
    ("date", "一周后", {"today": "2025-10-10"}, "2025-10-17"),
    ("date", "a fortnight from now", {"today": "2025-10-10"}, None),
    ("date", "on Saturday", {"today": "2025-10-10"}, "2025-10-11"),
    ("date", "昨天", {"today": "2025-10-10"}, "2025-10-09"),
    ("date", "本月15号", {"today": "2025-10-10"}, "2025-10-15"),
    ("date", "2025-10-15或2025-10-16", {"today": "2025-10-10"}, None),
    ("date", "10/18", {"today": "2025-10-10"}, "2025-10-18"),
    ("duration", "大约三个小时", {}, 180),
    ("duration", "two hours and a quarter", {}, 135),
    ("duration", "75 minutes in all", {}, 75),
    ("duration", "an hour or two", {}, None),
    ("duration", "5 to 10 minutes", {}, None),
    ("frequency", "每隔15分钟一班", {}, 15),
    ("frequency", "Buses run every ten minutes.", {}, 10),
    ("frequency", "There are 5 departures a day, first 7:00.", {}, None),
    ("frequency", "每3小时一班", {}, 180),
    ("frequency", "大约10分钟就有一班", {}, 10),
    ("frequency", "高峰每5分钟一班，平峰每10分钟一班", {"ask": "平峰班次间隔"}, 10),
    ("distance", "距离大约800米", {}, 800),
    ("distance", "1公里多", {}, None),
    ("distance", "开车10分钟", {}, None),
    ("distance", "0.5km", {}, 500),
    ("distance", "两三百米", {}, None),
    ("distance", "1.2 miles (1.9 km)", {}, 1931.2128),
    ("distance", "1公里左右，步行15分钟", {}, 1000),
    ("name", "不是王明，而是李华明。", {"candidates": ["李华", "李华明", "王明"]}, "李华明"),
    ("name", "A1 Hotel is too far, so B2 Inn it is.", {"candidates": ["A1 Hotel", "B2 Inn"]}, "B2 Inn"),
    ("name", "You switched from A1 Hotel to B2 Inn.", {"candidates": ["A1 Hotel", "B2 Inn"]}, "B2 Inn"),
    ("name", "在汉庭和全季之间，我选全季。", {"candidates": ["汉庭", "全季"]}, "全季"),
    (
        "name",
        "| 酒店 | 距离 |\n|---|---|\n| 汉庭 | 2km |\n| 全季 | 1km |\n\n推荐全季。",
        {"candidates": ["汉庭", "全季"]},
        "全季",
    ),
    ("name", "您订的是全季，汉庭是备选。", {"candidates": ["汉庭", "全季"]}, "全季"),
    (
        "list",
        "全部四家都开门。",
        {"candidates": ["春风楼", "秋水阁", "夏荷轩", "冬雪居"]},
        ["春风楼", "秋水阁", "夏荷轩", "冬雪居"],
    ),
    (
        "list",
        "春风楼可以，秋水阁不行，夏荷轩可以，冬雪居不行。",
        {"candidates": ["春风楼", "秋水阁", "夏荷轩", "冬雪居"]},
        ["春风楼", "夏荷轩"],
    ),
    (
        "list",
        "不符合的有：秋水阁、冬雪居。符合的有：春风楼、夏荷轩。",
        {"candidates": ["春风楼", "秋水阁", "夏荷轩", "冬雪居"]},
        ["春风楼", "夏荷轩"],
    ),
    (
        "list",
        "There are three: Blue Door, Red Lion, and White Hart. Green Man doesn't open on Mondays.",
        {"candidates": ["Blue Door", "Red Lion", "Green Man", "White Hart"]},
        ["Blue Door", "Red Lion", "White Hart"],
    ),
    (
        "list",
        "- Blue Door: open\n- Red Lion: closed\n- Green Man: open\n- White Hart: closed",
        {"candidates": ["Blue Door", "Red Lion", "Green Man", "White Hart"]},
        ["Blue Door", "Green Man"],
    ),
    ("list", "None.", {"candidates": ["Blue Door", "Red Lion", "Green Man", "White Hart"]}, []),
    (
        "order",
        "第一天古镇，第二天博物馆，第三天植物园",
        {"candidates": ["植物园", "古镇", "博物馆"]},
        ["古镇", "博物馆", "植物园"],
    ),
    (
        "order",
        "逛完博物馆再去古镇，最后植物园",
        {"candidates": ["植物园", "古镇", "博物馆"]},
        ["博物馆", "古镇", "植物园"],
    ),
    (
        "order",
        "不是先去古镇，而是先去博物馆，再去古镇，最后植物园。",
        {"candidates": ["植物园", "古镇", "博物馆"]},
        ["博物馆", "古镇", "植物园"],
    ),
    (
        "order",
        "museum, castle, harbour",
        {"candidates": ["museum", "castle", "harbour"]},
        ["museum", "castle", "harbour"],
    ),
    ("yesno", "不是。", {}, "no"),
    ("yesno", "不能，抱歉。", {}, "no"),
    ("yesno", "当然可以！", {}, "yes"),
    ("yesno", "同一个区，没法判断哪个更靠西。", {}, "unknown"),
    ("yesno", "It doesn't.", {}, "no"),
    ("yesno", "That is not correct.", {}, "no"),
    ("yesno", "I have no information on that.", {}, "unknown"),
    ("yesno", "It is not true that there is no lift.", {}, "yes"),
    ("yesno", "不支持退款。", {}, "no"),
    ("yesno", "好的，可以。", {}, "yes"),
    ("yesno", "可能吧，我没法确定。", {}, "unknown"),
    ("yesno", "False", {}, "no"),
    ("yesno", "无解。", {}, "no"),
    ("choice", "答案为C选项", {"options": "ABCD"}, "C"),
    ("choice", "Option C", {"options": "ABCD"}, "C"),
    ("choice", "Eliminating A, C and D leaves B.", {"options": "ABCD"}, "B"),
    ("choice", "A", {"options": "ABCD"}, "A"),
    ("choice", "选项A不对，选项B也不对。", {"options": "ABCD"}, None),
    ("choice", "Initially I thought A, but the answer is C.", {"options": "ABCD"}, "C"),
    ("choice", "综上，答案选 A。", {"options": "ABCD"}, "A"),
    ("choice", "答案：$\\boxed{\\text{D}}$", {"options": "ABCD"}, "D"),
    ("choice", "服务器繁忙，请稍后再试。", {"options": "ABCD"}, None),
    ("abstain", "您没告诉我宠物的名字。", {}, True),
    ("abstain", "您还没有说要几点出发。", {}, True),
    ("abstain", "您没有提到，所以我猜是豆豆。", {}, False),
    ("abstain", "I'm not aware of any parrot.", {}, True),
    ("abstain", "Your parrot's name is Bean.", {}, False),
    ("abstain", "You've not shared your booking date.", {}, True),
    ("abstain", "这一点您尚未说明。", {}, True),
    ("reply_status", "很抱歉，我不能帮您做这件事。", {"finish_reason": "stop"}, "refusal"),
    ("reply_status", "I cannot fulfill this request.", {"finish_reason": "stop"}, "refusal"),
    ("reply_status", "抱歉，今晚没有房间了。", {"finish_reason": "stop"}, "ok"),
    ("reply_status", "抱歉让您久等，订单已取消。", {"finish_reason": "stop"}, "ok"),
    ("reply_status", "I'm not able to comply.", {"finish_reason": "stop"}, "refusal"),
    ("reply_status", "抱歉，我无法回答，因为您没有告诉我日期。", {"finish_reason": "stop"}, "ok"),
    ("amount", "您好！总价为：￥ 9,800（玖仟捌佰元整）。", {"ask": "总价", "currency": "CNY"}, 9800),
    ("amount", "全款十二万八", {"ask": "总价", "currency": "CNY"}, 128000),
    ("amount", "总价在八千到一万之间", {"ask": "总价", "currency": "CNY", "range": "mid"}, 9000),
    ("amount", "¥200~¥300", {"ask": "总价", "currency": "CNY", "range": "mid"}, 250),
    ("amount", "£50–60", {"ask": "total price", "currency": "GBP", "range": "mid"}, 55),
    (
        "amount",
        "三晚房费990元，早餐120元，合计1110元；若续住一晚，则为1440元。",
        {"ask": "总价", "currency": "CNY"},
        1110,
    ),
    ("amount", "定金：200元\n尾款：800元\n总计：1000元", {"ask": "总价", "currency": "CNY"}, 1000),
    ("amount", "- **合计**：¥3,456", {"ask": "总价", "currency": "CNY"}, 3456),
    ("amount", "刚才说的1000元有误，应该是1200元。", {"ask": "总价", "currency": "CNY"}, 1200),
    ("amount", "It'll be $320 rather than $300.", {"ask": "total price", "currency": "USD"}, 320),
    (
        "amount",
        "The total price is 1,200 USD, of which 200 USD is a deposit.",
        {"ask": "total price", "currency": "USD"},
        1200,
    ),
    ("amount", "$200 deposit, $1,200 total", {"ask": "deposit", "currency": "USD"}, 200),
    ("amount", "4 tickets at $15 each = $60", {"ask": "total price", "currency": "USD"}, 60),
    ("amount", "约合人民币320元（45美元）", {"ask": "总价", "currency": "CNY"}, 320),
    (
        "amount",
        "The hotel is at 221 Baker Street. Call 020 7946 0958.",
        {"ask": "total price", "currency": "GBP"},
        None,
    ),
    ("amount", "£3m", {"ask": "budget", "currency": "GBP"}, 3000000),
    ("amount", "0元", {"ask": "总价", "currency": "CNY"}, 0),
    ("amount", "No fee applies.", {"ask": "total price", "currency": "GBP"}, 0),
    ("amount", "一千零八", {"ask": "总价", "currency": "CNY"}, 1008),
    ("amount", "六十五块八毛", {"ask": "总价", "currency": "CNY"}, 65.8),
    ("amount", "3块5", {"ask": "总价", "currency": "CNY"}, 3.5),
    ("amount", "总价=单价×数量=45×6=270元", {"ask": "总价", "currency": "CNY"}, 270),
    ("amount", "合计 ¥1,659，比一等座便宜 1,140 元", {"ask": "总价", "currency": "CNY"}, 1659),
    ("amount", "退款金额为 88 元，手续费 12 元。", {"ask": "手续费", "currency": "CNY"}, 12),
    ("amount", "年费 365 元，月费 35 元", {"ask": "月费", "currency": "CNY"}, 35),
    ("number", "１２人", {"ask": "人数"}, 12),
    ("number", "有3个，不对，是4个。", {"ask": "个数"}, 4),
    ("number", "30 minus 5 leaves 25 seats.", {"ask": "number of seats"}, 25),
    ("number", "I don't know how many.", {"ask": "number of people"}, None),
    ("number", "2024年共招收48人", {"ask": "招收人数"}, 48),
    ("number", "3-5人", {"ask": "人数"}, None),
    ("number", "-3", {"ask": "temperature"}, -3),
    ("number", "x = 15", {"ask": "x"}, 15),
    ("number", "周一卖了45张，周二卖了30张，共75张。", {"ask": "总张数"}, 75),
    ("time", "晚间10点", {"ask": "时间"}, "22:00"),
    ("time", "晚上10:30", {"ask": "时间"}, "22:30"),
    ("time", "明天中午十一点半", {"ask": "时间"}, "11:30"),
    ("time", "at 5:05 in the morning", {"ask": "时间"}, "05:05"),
    ("time", "11 o'clock at night", {"ask": "时间"}, "23:00"),
    ("time", "nine forty-five p.m.", {"ask": "时间"}, "21:45"),
    ("time", "8.30am", {"ask": "时间"}, "08:30"),
    ("time", "2359 hrs", {"ask": "时间"}, "23:59"),
    ("time", "The 9:15 was cancelled; take the 9:45.", {"ask": "departure time"}, "09:45"),
    ("time", "18:05发，20:10到", {"ask": "到达时间"}, "20:10"),
    ("time", "您的航班CA1831于07:40起飞，10:15落地", {"ask": "落地时间"}, "10:15"),
    ("time", "会议9点开始", {"ask": "上午会议时间"}, "09:00"),
    ("time", "9点的会取消了，改10点。", {"ask": "会议时间"}, "10:00"),
    ("time", "24:00", {"ask": "时间"}, "00:00"),
    ("time", '{"departure": "09:26", "arrival": "10:41"}', {"ask": "arrival time"}, "10:41"),
    ("time", "票价30元，2小时到", {"ask": "到达时间"}, None),
    ("time", "有三点需要注意", {"ask": "时间"}, None),
    ("time_range", "十点半到十二点", {"ask": "时间"}, ["10:30", "12:00"]),
    ("time_range", "8:00∼18:00", {"ask": "时间"}, ["08:00", "18:00"]),
    ("time_range", "6-8pm", {"ask": "时间"}, ["18:00", "20:00"]),
    ("time_range", "上午9点—11点半", {"ask": "时间"}, ["09:00", "11:30"]),
    ("time_range", "between half past two and four p.m.", {"ask": "时间"}, ["14:30", "16:00"]),
    ("date", "这礼拜六", {"today": "2025-10-10"}, "2025-10-11"),
    ("date", "十天后", {"today": "2025-10-10"}, "2025-10-20"),
    ("date", "本月底", {"today": "2025-10-10"}, "2025-10-31"),
    ("date", "十月二十", {"today": "2025-10-10"}, "2025-10-20"),
    ("date", "2025-10-16T09:00", {"today": "2025-10-10"}, "2025-10-16"),
    ("date", "10/16/2025", {"today": "2025-10-10"}, "2025-10-16"),
    ("date", "16 Oct", {"today": "2025-10-10"}, "2025-10-16"),
    ("date", "next Saturday", {"today": "2025-10-10"}, "2025-10-18"),
    ("date", "in a week", {"today": "2025-10-10"}, "2025-10-17"),
    ("date", "end of next month", {"today": "2025-10-10"}, "2025-11-30"),
    ("date", "Sorry, I meant the 18th, not the 17th.", {"today": "2025-10-10"}, "2025-10-18"),
    ("date", "原来是周三，现在改成周四。", {"today": "2025-10-10", "week": "next"}, "2025-10-16"),
    ("date", "31/10/2025", {"today": "2025-10-10"}, "2025-10-31"),
    ("date", "今年12月1日", {"today": "2025-10-10"}, "2025-12-01"),
    ("date", "十一月三十号", {"today": "2025-10-10"}, "2025-11-30"),
    ("duration", "车程1个小时", {}, 60),
    ("duration", "大概两个多小时", {}, None),
    ("duration", "3天", {}, 4320),
    ("duration", "2h15min", {}, 135),
    ("duration", "超过3小时", {}, None),
    ("duration", "08:00到09:30，共1小时30分", {}, 90),
    ("duration", "十分钟", {}, 10),
    ("frequency", "班次间隔是25分钟", {}, 25),
    ("frequency", "高峰期3分钟一趟", {}, 3),
    ("frequency", "Trains run every 12 minutes.", {}, 12),
    ("frequency", "There's one every 90 minutes.", {}, 90),
    ("frequency", "每天早上8点一班", {}, None),
    ("frequency", "班车很多", {}, None),
    ("distance", "3.2公里", {}, 3200),
    ("distance", "两站地铁", {}, None),
    ("distance", "two to three miles", {"range": "mid"}, 4023.36),
    ("distance", "a 15-minute drive", {}, None),
    ("distance", "步行20分钟，约1.5公里", {}, 1500),
    ("distance", "20 minutes on foot (1.6 km)", {}, 1600),
    ("distance", "原来是3公里，修路后要绕行5公里", {}, 5000),
    ("name", "不建议如家，建议汉庭", {"candidates": ["如家", "汉庭", "全季", "如家精选"]}, "汉庭"),
    ("name", "汉庭不行，太贵；全季可以。", {"candidates": ["如家", "汉庭", "全季", "如家精选"]}, "全季"),
    ("name", "只有全季还有房", {"candidates": ["如家", "汉庭", "全季", "如家精选"]}, "全季"),
    ("name", "排除如家和汉庭，选全季", {"candidates": ["如家", "汉庭", "全季", "如家精选"]}, "全季"),
    ("name", '{"hotel": "汉庭"}', {"candidates": ["如家", "汉庭", "全季", "如家精选"]}, "汉庭"),
    ("name", "全季没有汉庭方便，选汉庭", {"candidates": ["如家", "汉庭", "全季", "如家精选"]}, "汉庭"),
    (
        "name",
        "I'd choose Pizza Hut over Prezzo.",
        {"candidates": ["Pizza Express", "Pizza Hut", "Prezzo", "The Prezzo Lounge"]},
        "Pizza Hut",
    ),
    (
        "name",
        "You wanted Prezzo at first, then changed to Pizza Hut.",
        {"candidates": ["Pizza Express", "Pizza Hut", "Prezzo", "The Prezzo Lounge"]},
        "Pizza Hut",
    ),
    (
        "name",
        "My recommendation: Prezzo.",
        {"candidates": ["Pizza Express", "Pizza Hut", "Prezzo", "The Prezzo Lounge"]},
        "Prezzo",
    ),
    (
        "name",
        "The pizzas here are good.",
        {"candidates": ["Pizza Express", "Pizza Hut", "Prezzo", "The Prezzo Lounge"]},
        None,
    ),
    (
        "list",
        "甲馆、乙馆、丙馆都开放，丁馆闭馆。",
        {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]},
        ["甲馆", "乙馆", "丙馆"],
    ),
    ("list", "全都开放。", {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]}, ["甲馆", "乙馆", "丙馆", "丁馆"]),
    ("list", "甲馆 ✓ 乙馆 ✗ 丙馆 ✓ 丁馆 ✗", {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]}, ["甲馆", "丙馆"]),
    (
        "list",
        "不包括甲馆：乙馆、丙馆、丁馆",
        {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]},
        ["乙馆", "丙馆", "丁馆"],
    ),
    ("list", "无", {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]}, []),
    ("order", "甲馆-丙馆-乙馆", {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]}, ["甲馆", "丙馆", "乙馆"]),
    ("order", "从甲馆出发，经乙馆到丙馆", {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]}, ["甲馆", "乙馆", "丙馆"]),
    ("order", "Step 1: 丙馆\nStep 2: 甲馆", {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]}, ["丙馆", "甲馆"]),
    (
        "order",
        "原来先去甲馆再去乙馆，现在改成先去乙馆再去甲馆。",
        {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]},
        ["乙馆", "甲馆"],
    ),
    ("yesno", "它就在餐厅西侧。", {"ask": "在餐厅西边吗"}, "yes"),
    ("yesno", "两者在同一地区，无法比较。", {"ask": "在西边吗"}, "unknown"),
    ("yesno", "带宠物是不允许的。", {}, "no"),
    ("yesno", "没戏", {}, "no"),
    ("yesno", "对的", {}, "yes"),
    ("yesno", "您的问题我不太清楚", {}, "unknown"),
    ("yesno", "They do not.", {}, "no"),
    ("yesno", "I do not know.", {}, "unknown"),
    ("yesno", "Sorry, no.", {}, "no"),
    ("yesno", "No pets allowed.", {}, "no"),
    ("yesno", "最终答案：是", {}, "yes"),
    ("yesno", "I would say no.", {}, "no"),
    ("yesno", "A valid arrangement exists.", {}, "yes"),
    ("choice", "选 C 吧", {"options": "ABCD"}, "C"),
    ("choice", "The answer should be C.", {"options": "ABCD"}, "C"),
    ("choice", "I'm going with C", {"options": "ABCD"}, "C"),
    ("choice", "C，因为它最便宜", {"options": "ABCD"}, "C"),
    ("choice", "B可以排除，A、D也可以排除。", {"options": "ABCD"}, "C"),
    ("choice", "选A或B", {"options": "ABCD"}, None),
    ("choice", "Answer: None", {"options": "ABCD"}, None),
    ("choice", "答案是B（不是A）", {"options": "ABCD"}, "B"),
    ("choice", "<think>D</think>\n\n(A)", {"options": "ABCD"}, "A"),
    ("choice", "本题答案为Ｄ", {"options": "ABCD"}, "D"),
    ("choice", "D is the only one that works", {"options": "ABCD"}, "D"),
    ("choice", "So the answer must be (A).", {"options": "ABCD"}, "A"),
    ("abstain", "您的资料里没有鹦鹉。", {}, True),
    ("abstain", "您并未提到生日。", {}, True),
    ("abstain", "对话中未提供该信息", {}, True),
    ("abstain", "您说过是周三。", {}, False),
    ("abstain", "That was never specified.", {}, True),
    ("abstain", "No date was given.", {}, True),
    ("abstain", "The conversation doesn't say.", {}, True),
    ("abstain", "You mentioned Bean, but that is the dog; no parrot came up.", {}, True),
    ("reply_status", "对不起，这超出了我的能力范围，我无法完成。", {"finish_reason": "stop"}, "refusal"),
    ("reply_status", "I’m really sorry, but I can’t help with that.", {"finish_reason": "stop"}, "refusal"),
    ("reply_status", "Sorry for the wait! Your train is at 10:05.", {"finish_reason": "stop"}, "ok"),
    ("reply_status", "抱歉，这家店周二不营业。", {"finish_reason": "stop"}, "ok"),
    ("reply_status", "null", {"finish_reason": "stop"}, "ok"),
    ("reply_status", "abc", {"finish_reason": None}, "ok"),
    ("final_text", "<thinking>x</thinking>\n答案：7", {}, "答案：7"),
    ("final_text", "<|begin_of_thought|>x<|end_of_thought|>y", {}, "y"),
    (
        "amount",
        "好的，以下是为您重新规划的方案：\n\n**交通**：高铁往返 2 × 553 = 1,106 元\n"
        "**住宿**：3 晚 × 420 元 = 1,260 元\n**门票**：2 × 80 = 160 元\n\n**总预算：2,526 元**\n\n"
        "如需升级房型，每晚需加 100 元。",
        {"ask": "总价", "currency": "CNY"},
        2526,
    ),
    (
        "amount",
        "根据您的要求，我把住宿从 4 晚改为 3 晚，房费由 1,680 元降至 1,260 元，总价相应从 3,000 元降到 2,580 元。",
        {"ask": "总价", "currency": "CNY"},
        2580,
    ),
    (
        "amount",
        "目前的报价是 5,200 元。您之前提到的 4,800 元是没有含接机的价格。",
        {"ask": "报价", "currency": "CNY"},
        5200,
    ),
    (
        "amount",
        "没问题！更新后的订单：\n- 数量：12 箱（原为 10 箱）\n- 单价：45 元\n- 总价：540 元（原为 450 元）",
        {"ask": "总价", "currency": "CNY"},
        540,
    ),
    (
        "amount",
        "没问题！更新后的订单：\n- 数量：12 箱（原为 10 箱）\n- 单价：45 元\n- 总价：540 元（原为 450 元）",
        {"ask": "单价", "currency": "CNY"},
        45,
    ),
    (
        "amount",
        "Here's the updated quote:\n\n- Venue: £600 (was £550)\n- Catering: £25 x 40 = £1,000\n"
        "- **Total: £1,600** (was £1,550)\n\nLet me know if you want to confirm.",
        {"ask": "total price", "currency": "GBP"},
        1600,
    ),
    (
        "amount",
        "The catering comes to £1,000 and the venue is £600, giving a grand total of £1,600.",
        {"ask": "total price", "currency": "GBP"},
        1600,
    ),
    (
        "amount",
        "Sure! For 3 nights at £95 per night, plus a £15 cleaning fee, you'd pay £300 in total.",
        {"ask": "total price", "currency": "GBP"},
        300,
    ),
    (
        "amount",
        "Sure! For 3 nights at £95 per night, plus a £15 cleaning fee, you'd pay £300 in total.",
        {"ask": "price per night", "currency": "GBP"},
        95,
    ),
    (
        "amount",
        "Your deposit of £50 is refundable. The stay costs £285.",
        {"ask": "price of the stay", "currency": "GBP"},
        285,
    ),
    ("amount", "That'd be £45 for two.", {"ask": "total price", "currency": "GBP"}, 45),
    ("amount", "I can do it for £45, but not for £40.", {"ask": "total price", "currency": "GBP"}, 45),
    (
        "amount",
        "您好，3张票总计是1659元，您可以用微信支付，订单号E202506180001，请在30分钟内付款。",
        {"ask": "总价", "currency": "CNY"},
        1659,
    ),
    ("amount", "总价1659元（3张×553元/张）", {"ask": "总价", "currency": "CNY"}, 1659),
    ("amount", "3张×553元/张=1659元", {"ask": "总价", "currency": "CNY"}, 1659),
    ("amount", "553元×3=1659元", {"ask": "总价", "currency": "CNY"}, 1659),
    ("amount", "553×3＝1659元", {"ask": "总价", "currency": "CNY"}, 1659),
    ("amount", "$553 \\times 3 = 1659$ 元", {"ask": "总价", "currency": "CNY"}, 1659),
    (
        "amount",
        "A方案 3000 元，B方案 3500 元，按您的要求选 B，总价 3500 元。",
        {"ask": "总价", "currency": "CNY"},
        3500,
    ),
    ("amount", "A方案 3000 元，B方案 3500 元，建议选A。", {"ask": "总价", "currency": "CNY"}, None),
    ("amount", "押金 500 元，租金 2000 元/月，首月合计需付 2500 元。", {"ask": "总价", "currency": "CNY"}, 2500),
    ("amount", "押金 500 元，租金 2000 元/月，首月合计需付 2500 元。", {"ask": "押金", "currency": "CNY"}, 500),
    ("amount", "预算上限改为 8000 元。", {"ask": "预算", "currency": "CNY"}, 8000),
    ("amount", "预算不变，还是 8000 元。", {"ask": "预算", "currency": "CNY"}, 8000),
    ("amount", "预算由 6000 元提高到 8000 元。", {"ask": "预算", "currency": "CNY"}, 8000),
    ("amount", "预算 6000 → 8000 元", {"ask": "预算", "currency": "CNY"}, 8000),
    ("amount", "最新价：￥1,280（昨日价 ￥1,350）", {"ask": "总价", "currency": "CNY"}, 1280),
    ("amount", "昨天是1350元，今天是1280元。", {"ask": "总价", "currency": "CNY"}, 1280),
    ("amount", "共需 2 间房，每间 380 元，两间共 760 元，3 晚共 2280 元。", {"ask": "总价", "currency": "CNY"}, 2280),
    ("amount", "价格：¥380/晚 × 3晚 = ¥1,140", {"ask": "总价", "currency": "CNY"}, 1140),
    ("amount", "380/晚*3=1140", {"ask": "总价", "currency": "CNY"}, 1140),
    ("amount", "总价1140（含税）", {"ask": "总价", "currency": "CNY"}, 1140),
    ("amount", "总价约为1140左右", {"ask": "总价", "currency": "CNY"}, 1140),
    ("amount", "总价:1140.", {"ask": "总价", "currency": "CNY"}, 1140),
    ("amount", "总价 1140 元起", {"ask": "总价", "currency": "CNY"}, None),
    ("amount", "Nothing has been charged yet.", {"ask": "total price", "currency": "GBP"}, None),
    ("amount", "It would cost £30.", {"ask": "total price", "currency": "GBP"}, 30),
    ("amount", "If there are four of you, it's £80.", {"ask": "total price", "currency": "GBP"}, 80),
    ("amount", "The cost hasn't been confirmed.", {"ask": "total price", "currency": "GBP"}, None),
    ("amount", "I was wrong: it's £80, not £90.", {"ask": "total price", "currency": "GBP"}, 80),
    ("amount", "Total 80", {"ask": "total price", "currency": "GBP"}, 80),
    ("amount", "Total: GBP 80", {"ask": "total price", "currency": "GBP"}, 80),
    ("amount", "80 GBP", {"ask": "total price", "currency": "GBP"}, 80),
    ("amount", "GBP80", {"ask": "total price", "currency": "GBP"}, 80),
    ("amount", "It's eighty-five pounds fifty pence.", {"ask": "total price", "currency": "GBP"}, 85.5),
    ("amount", "£1.2k", {"ask": "total price", "currency": "GBP"}, 1200),
    ("amount", "$1,234,567.89", {"ask": "total price", "currency": "USD"}, 1234567.89),
    ("number", "本次活动共有 3 个分会场，总人数为 1,280 人，其中志愿者 80 人。", {"ask": "总人数"}, 1280),
    ("number", "本次活动共有 3 个分会场，总人数为 1,280 人，其中志愿者 80 人。", {"ask": "志愿者人数"}, 80),
    ("number", "本次活动共有 3 个分会场，总人数为 1,280 人，其中志愿者 80 人。", {"ask": "分会场数"}, 3),
    ("number", "原计划 20 箱，后来加了 5 箱，现在一共 25 箱。", {"ask": "箱数"}, 25),
    ("number", "从20箱加到25箱", {"ask": "箱数"}, 25),
    ("number", "20箱改成25箱", {"ask": "箱数"}, 25),
    ("number", "您现在的订单是 25 箱（之前 20 箱）。", {"ask": "箱数"}, 25),
    ("number", "显示器：12 台\n键盘：15 个\n鼠标：18 个", {"ask": "键盘数量"}, 15),
    ("number", "显示器：12 台\n键盘：15 个\n鼠标：18 个", {"ask": "显示器台数"}, 12),
    ("number", "| 物品 | 数量 |\n|---|---|\n| 显示器 | 12 |\n| 键盘 | 15 |", {"ask": "键盘数量"}, 15),
    ("number", "- monitors: 12\n- keyboards: 15", {"ask": "number of keyboards"}, 15),
    ("number", "| Item | Qty |\n|---|---|\n| Monitors | 12 |\n| Keyboards | 15 |", {"ask": "number of monitors"}, 12),
    ("number", '{"monitors": 12, "keyboards": 15}', {"ask": "keyboards"}, 15),
    ("number", "12 monitors, 15 keyboards and 18 mice", {"ask": "mice"}, 18),
    ("number", "You now have 25 boxes (up from 20 boxes).", {"ask": "boxes"}, 25),
    ("number", "I've changed it from 20 boxes to 25 boxes.", {"ask": "boxes"}, 25),
    ("number", "That's 20 + 5 = 25 boxes.", {"ask": "boxes"}, 25),
    ("number", "Twenty boxes? No, twenty-five boxes.", {"ask": "boxes"}, 25),
    ("number", "共有三十把椅子和六张桌子。", {"ask": "桌子数"}, 6),
    ("number", "共有三十把椅子和六张桌子。", {"ask": "椅子数"}, 30),
    ("number", "没有空位了。", {"ask": "空位数"}, None),
    ("number", "十把", {"ask": "椅子数"}, 10),
    (
        "time",
        "为您查到以下车次：\n\n| 车次 | 发车时间 | 到达时间 |\n|---|---|---|\n| G101 | 08:00 | "
        "12:30 |\n| G103 | 09:00 | 13:30 |\n\n按照您“13:00 前到”的要求，"
        "建议您乘坐 **G101**（08:00 发车，12:30 到达）。",
        {"ask": "发车时间"},
        "08:00",
    ),
    ("time", "按您13:00前到的要求，建议08:00的G101，12:30到达。", {"ask": "到达时间"}, "12:30"),
    ("time", "会议改在周四下午3点，地点不变，预计5点结束。", {"ask": "会议开始时间"}, "15:00"),
    ("time", "会议改在周四下午3点，地点不变，预计5点结束。", {"ask": "会议结束时间"}, "17:00"),
    ("time", "Your check-up has been rescheduled from 9:00 to 10:30.", {"ask": "check-up time"}, "10:30"),
    ("time", "The new time is 10:30 (previously 9:00).", {"ask": "time"}, "10:30"),
    ("time", "10:30 instead of 9:00", {"ask": "time"}, "10:30"),
    ("time", "提前到了8:40", {"ask": "时间"}, "08:40"),
    ("time", "比原定的9:00晚半小时，是9:30。", {"ask": "时间"}, "09:30"),
    ("time", "请提前15分钟，即8:45到场。", {"ask": "时间"}, "08:45"),
    ("time", "15:00 (3 p.m.)", {"ask": "时间"}, "15:00"),
    ("time", "3 p.m. (15:00)", {"ask": "时间"}, "15:00"),
    ("time", "下午3点（15:00）", {"ask": "时间"}, "15:00"),
    ("time", "早上8点出发，晚上8点返回", {"ask": "返回时间"}, "20:00"),
    ("time", "8 a.m. departure, 8 p.m. return", {"ask": "departure time"}, "08:00"),
    ("time", "出发：早上8点；返回：晚上8点", {"ask": "出发时间"}, "08:00"),
    ("time", "闹钟设在六点四十", {"ask": "时间"}, "06:40"),
    ("time", "我会在17:00提醒您，会议是18:00。", {"ask": "会议时间"}, "18:00"),
    ("time", "约在下午2点（不是1点）", {"ask": "时间"}, "14:00"),
    ("time", "下午1点半？不行，改成2点吧", {"ask": "时间"}, "14:00"),
    ("time", "两点钟", {"ask": "时间"}, "02:00"),
    ("time", "约下午2点到2点半之间", {"ask": "时间"}, None),
    ("time_range", "会议室可用时段：14:00–16:00（原 13:00–15:00）", {"ask": "可用时段"}, ["14:00", "16:00"]),
    (
        "time_range",
        "The shop is open 9:00-17:30, and the café 8:00-16:00.",
        {"ask": "café opening hours"},
        ["08:00", "16:00"],
    ),
    (
        "time_range",
        "The shop is open 9:00-17:30, and the café 8:00-16:00.",
        {"ask": "shop opening hours"},
        ["09:00", "17:30"],
    ),
    ("time_range", "周一到周五早9点到晚6点", {"ask": "时间"}, ["09:00", "18:00"]),
    ("time_range", "9月1日至10月1日", {"ask": "时间"}, None),
    ("time_range", "上午9:00-11:30，下午休息", {"ask": "时间"}, ["09:00", "11:30"]),
    ("time_range", "从上午10点开始，到下午3点结束", {"ask": "时间"}, ["10:00", "15:00"]),
    ("time_range", "下午两点到五点之间", {"ask": "时间"}, ["14:00", "17:00"]),
    ("time_range", "between 9 and 10:30 in the morning", {"ask": "时间"}, ["09:00", "10:30"]),
    (
        "date",
        "体检已改约到10月22日（下周三），原来的10月15日作废。",
        {"today": "2025-10-10", "ask": "体检日期"},
        "2025-10-22",
    ),
    ("date", "面试定在10月20日，笔试在10月13日。", {"today": "2025-10-10", "ask": "面试日期"}, "2025-10-20"),
    (
        "date",
        "The interview is on 20 October; the written test is on 13 October.",
        {"today": "2025-10-10", "ask": "written test date"},
        "2025-10-13",
    ),
    ("date", "不是这周五，是下周五", {"today": "2025-10-10"}, "2025-10-17"),
    ("date", "不是10号，是20号", {"today": "2025-10-10"}, "2025-10-20"),
    ("date", "10月12号上午不行，改13号吧", {"today": "2025-10-10"}, "2025-10-13"),
    ("date", "Not the 12th; the 13th.", {"today": "2025-10-10"}, "2025-10-13"),
    ("date", "It's moved from Monday to Wednesday.", {"today": "2025-10-10"}, "2025-10-15"),
    ("date", "提前到本周日", {"today": "2025-10-10"}, "2025-10-12"),
    ("date", "延期一周，到10月24日", {"today": "2025-10-10"}, "2025-10-24"),
    ("date", "后天（10月12日）", {"today": "2025-10-10"}, "2025-10-12"),
    ("date", "day after tomorrow", {"today": "2025-10-10"}, "2025-10-12"),
    ("date", "three weeks from now", {"today": "2025-10-10"}, "2025-10-31"),
    ("date", "Let's do Tuesday.", {"today": "2025-10-10"}, "2025-10-14"),
    ("date", "Next Wednesday, 15 October.", {"today": "2025-10-10"}, "2025-10-15"),
    ("date", "就这个月25号", {"today": "2025-10-10"}, "2025-10-25"),
    ("date", "下个月8号", {"today": "2025-10-10"}, "2025-11-08"),
    ("date", "11月8号或9号", {"today": "2025-10-10"}, None),
    (
        "name",
        "根据您的要求（预算200以内），如家太贵，全季也超了，最合适的是汉庭。",
        {"candidates": ["如家", "全季", "汉庭"]},
        "汉庭",
    ),
    ("name", "考虑过全季，最后定了汉庭。", {"candidates": ["如家", "全季", "汉庭"]}, "汉庭"),
    ("name", "您之前定的如家已经取消，新订的是汉庭。", {"candidates": ["如家", "全季", "汉庭"]}, "汉庭"),
    ("name", "1. 如家：太远\n2. 全季：满房\n3. 汉庭：合适 ✅", {"candidates": ["如家", "全季", "汉庭"]}, "汉庭"),
    ("name", "**推荐：汉庭**\n\n备选：全季", {"candidates": ["如家", "全季", "汉庭"]}, "汉庭"),
    ("name", "除如家外都满房了，所以只能订如家。", {"candidates": ["如家", "全季", "汉庭"]}, "如家"),
    ("name", "Leeds would be too cold, Hull too far: York.", {"candidates": ["York", "Leeds", "Hull"]}, "York"),
    ("name", "You asked me to forget Leeds, so York it is.", {"candidates": ["York", "Leeds", "Hull"]}, "York"),
    ("name", "Your booking is now with York (Leeds was cancelled).", {"candidates": ["York", "Leeds", "Hull"]}, "York"),
    ("name", "由韩梅梅负责（不再是李雷）。", {"candidates": ["李雷", "韩梅梅"]}, "韩梅梅"),
    ("name", "接手人：韩梅梅", {"candidates": ["李雷", "韩梅梅"]}, "韩梅梅"),
    ("name", "李雷请假了，由韩梅梅代替。", {"candidates": ["李雷", "韩梅梅"]}, "韩梅梅"),
    (
        "list",
        "甲馆、乙馆可以；丙馆不行（太贵）；丁馆需要预约，也排除。",
        {"candidates": ["甲馆", "乙馆", "丙馆", "丁馆"]},
        ["甲馆", "乙馆"],
    ),
    (
        "list",
        "There are only two: A-One and B-Two. C-Three is too far and D-Four is fully booked.",
        {"candidates": ["A-One", "B-Two", "C-Three", "D-Four"]},
        ["A-One", "B-Two"],
    ),
    ("list", "A-One ✅, B-Two ❌, C-Three ✅", {"candidates": ["A-One", "B-Two", "C-Three"]}, ["A-One", "C-Three"]),
    ("list", "✅ A-One, ❌ B-Two, ✅ C-Three", {"candidates": ["A-One", "B-Two", "C-Three"]}, ["A-One", "C-Three"]),
    ("list", "已为您移除甲馆，目前行程包括乙馆和丙馆。", {"candidates": ["甲馆", "乙馆", "丙馆"]}, ["乙馆", "丙馆"]),
    ("list", "甲馆取消了，剩乙馆和丙馆。", {"candidates": ["甲馆", "乙馆", "丙馆"]}, ["乙馆", "丙馆"]),
    (
        "list",
        "I removed A-One; the list is now B-Two and C-Three.",
        {"candidates": ["A-One", "B-Two", "C-Three"]},
        ["B-Two", "C-Three"],
    ),
    (
        "list",
        "Not available: A-One. Available: B-Two, C-Three.",
        {"candidates": ["A-One", "B-Two", "C-Three"]},
        ["B-Two", "C-Three"],
    ),
    ("amount", "月底前付清共3000元", {"ask": "总价", "currency": "CNY"}, 3000),
    ("amount", "不含税 1000 元，含税 1130 元", {"ask": "总价", "currency": "CNY"}, None),
    ("amount", "您还需补交 200 元，总价变为 1200 元。", {"ask": "总价", "currency": "CNY"}, 1200),
    ("amount", "每人再加50元", {"ask": "总价", "currency": "CNY"}, None),
    ("amount", "合计(大写):壹万元整 ¥10,000.00", {"ask": "总价", "currency": "CNY"}, 10000),
    ("amount", "一分钱不用花", {"ask": "总价", "currency": "CNY"}, None),
    ("amount", "约合 5 千元", {"ask": "总价", "currency": "CNY"}, 5000),
    ("amount", "九百九十九块九毛九", {"ask": "总价", "currency": "CNY"}, 999.99),
    ("amount", "总计 12 件商品，888 元", {"ask": "总价", "currency": "CNY"}, 888),
    ("amount", "共2晚，房价合计1,036.00元，已含服务费15%", {"ask": "总价", "currency": "CNY"}, 1036),
    ("amount", "价格 88 折后是 880 元", {"ask": "总价", "currency": "CNY"}, 880),
    ("amount", "总价还是1500元", {"ask": "总价", "currency": "CNY"}, 1500),
    ("amount", "the total stays at £1,500", {"ask": "total price", "currency": "GBP"}, 1500),
    ("amount", "没有额外费用，总价1500元", {"ask": "总价", "currency": "CNY"}, 1500),
    ("amount", "不用担心，总价只要 90 元", {"ask": "总价", "currency": "CNY"}, 90),
    ("amount", "Don't worry, the total is £90.", {"ask": "total price", "currency": "GBP"}, 90),
    ("amount", "不含早餐，总价 90 元", {"ask": "总价", "currency": "CNY"}, 90),
    ("amount", "I haven't forgotten: the total is £90.", {"ask": "total price", "currency": "GBP"}, 90),
    ("amount", "不便宜，要900元。", {"ask": "总价", "currency": "CNY"}, 900),
    ("amount", "要不要加保险？总价 900 元。", {"ask": "总价", "currency": "CNY"}, 900),
    ("amount", "The price includes breakfast and comes to £90.", {"ask": "total price", "currency": "GBP"}, 90),
    ("amount", "原价100元，您付80元。", {"ask": "总价", "currency": "CNY"}, 80),
    ("amount", "I quoted £100 by mistake; it's £80.", {"ask": "total price", "currency": "GBP"}, 80),
    ("time", "别忘了带票，9:40发车", {"ask": "发车时间"}, "09:40"),
    ("time", "没有9点的车，最早是9点40的。", {"ask": "时间"}, "09:40"),
    ("time", "没问题，已改为下午4点。", {"ask": "时间"}, "16:00"),
    ("time", "现在是8:00，您的车9:10开。", {"ask": "发车时间"}, "09:10"),
    ("time", "8:30 检票，9:00 发车", {"ask": "检票时间"}, "08:30"),
    ("time", "Gates open at 19:00, the show starts at 19:30.", {"ask": "start time"}, "19:30"),
    ("number", "不是人数不够，一共 12 人。", {"ask": "人数"}, 12),
    ("number", "别担心，有12个座位", {"ask": "座位数"}, 12),
    ("number", "Not counting the driver, 12 people.", {"ask": "number of people"}, 12),
    ("number", "总数没变，还是12人", {"ask": "人数"}, 12),
    ("date", "不要忘记，10月20日", {"today": "2025-10-10"}, "2025-10-20"),
    ("date", "现在约的是10月20日，之前是10月15日", {"today": "2025-10-10"}, "2025-10-20"),
    ("distance", "不远，800米", {}, 800),
    ("duration", "不久，20分钟", {}, 20),
    ("duration", "不堵车的话40分钟", {}, 40),
    ("name", "不用担心，汉庭有房。", {"candidates": ["如家", "汉庭"]}, "汉庭"),
    ("name", "York isn't cheap, but it's the best choice.", {"candidates": ["York", "Leeds"]}, "York"),
    ("name", "汉庭不错", {"candidates": ["如家", "汉庭"]}, "汉庭"),
    ("name", "York, not too far.", {"candidates": ["York", "Leeds"]}, "York"),
    ("list", "甲馆不远，乙馆也不贵，都符合。", {"candidates": ["甲馆", "乙馆"]}, ["甲馆", "乙馆"]),
    ("yesno", "不用担心，可以带。", {}, "yes"),
    ("yesno", "不仅可以，而且免费。", {}, "yes"),
    ("yesno", "没有限制，可以带。", {}, "yes"),
    ("yesno", "抱歉，可以倒是可以，但要加钱。", {}, "yes"),
]


@pytest.mark.parametrize(("kind", "text", "params", "expected"), TRAPS)
def test_trap(kind: str, text: str, params: dict[str, Any], expected: Any) -> None:
    value = read(kind, text, **params)
    if isinstance(value, Decimal):
        assert value == Decimal(str(expected))
    elif kind == "list" and isinstance(value, list):
        assert sorted(value) == sorted(expected)
    else:
        assert value == expected


# --- properties --------------------------------------------------------------------------------------------

_FULL = str.maketrans("0123456789,.", "０１２３４５６７８９，．")
SURFACES = {
    "plain": "总价 {n} 元。",
    "bold": "合计：**{n}元**。",
    "sign": "一共¥{n}",
    "code": "总价为 RMB {n}",
    "think": "<think>总价 1 元</think>总价 {n} 元",
    "denied": "总价不是 7 元，是 {n} 元。",
    "history": "原来的总价是 7 元，现在总价是 {n} 元。",
    "table": "| 项目 | 金额 |\n|---|---|\n| 甲 | 7元 |\n| 合计 | {n}元 |",
    "json": '```json\n{{"unit_price": 7, "total": "{n}元"}}\n```',
    "box": "\\boxed{{{n}}}",
    "parts": "单价7元，押金9元，总价{n}元。",
}


@given(
    st.integers(10, 99_999_999),
    st.sampled_from(sorted(SURFACES)),
    st.sampled_from(["plain", "grouped", "wide", "words"]),
)
def test_an_amount_reads_back_from_any_surface(n: int, surface: str, figures: str) -> None:
    written = {"plain": str(n), "grouped": f"{n:,}", "wide": f"{n:,}".translate(_FULL), "words": write_zh(n)}[figures]
    assert read("amount", SURFACES[surface].format(n=written), ask="总价", currency="CNY") == n


@given(st.integers(1, 999_999))
def test_an_english_amount_reads_back(n: int) -> None:
    for text in (f"The total is £{n:,}.", f"It comes to {write_en(n)} pounds.", f"£{n} altogether; the deposit is £7."):
        assert read("amount", text, ask="total price", currency="GBP", lang="en") == n


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_time_reads_back(hour: int, minute: int) -> None:
    expected = f"{hour:02d}:{minute:02d}"
    for text in (f"{expected}出发", f"{hour}点{minute:02d}分", f"{hour}:{minute:02d}", f"It leaves at {expected}."):
        assert read("time", text) == expected
    half = "a.m." if hour < 12 else "p.m."
    assert read("time", f"at {hour % 12 or 12}:{minute:02d} {half}") == expected


@given(st.dates())
def test_a_date_reads_back(day: Any) -> None:
    for text in (day.isoformat(), f"{day.year:04d}年{day.month}月{day.day}日"):
        assert read("date", text, today="2025-01-01") == day.isoformat()


# --- the shell ---------------------------------------------------------------------------------------------

PARAMS: dict[str, dict[str, Any]] = {
    kind: {"candidates": ["甲店", "Red Lion"]} if kind in ("name", "list", "order") else {"today": "2025-06-11"}
    for kind in KINDS
}
FLOODS = [
    "1", "一", "1,", "12:", "<think>", "~~", "| ", "甲店，", "不是100元，", "(", "$1 ", "至少", " ", "not ", "A、",
    "1小时", "**",
    "one hundred and ", "\n- 9:00", "a", "每", "除了",
    "{", "=1", "从1到", "between 1 and ",
]  # fmt: skip


def read_floods(kind: str, length: int) -> None:
    for flood in FLOODS:
        read(kind, flood * (length // len(flood)), **PARAMS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_any_flood_is_read(kind: str) -> None:
    read_floods(kind, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_flood_is_read(kind: str) -> None:
    read_floods(kind, 200_000)


@settings(max_examples=60)
@given(st.text(max_size=80), st.sampled_from(KINDS))
def test_no_text_breaks_a_reader(text: str, kind: str) -> None:
    read(kind, text, **PARAMS[kind])


def test_errors_name_what_is_valid() -> None:
    with pytest.raises(ValueError, match="final_text"):
        read("amounts", "1")
    with pytest.raises(ValueError, match="mix"):
        read("amount", "1", lang="fr")
    with pytest.raises(TypeError, match="candidates"):
        read("amount", "1", candidate=["x"])
    with pytest.raises(TypeError, match="needs candidates"):
        read("name", "x")


def test_only_the_first_200000_characters_count() -> None:
    assert read("amount", "总价 5 元。" + " " * 200_000 + "更正：总价 6 元。", ask="总价") == 5
