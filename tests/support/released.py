"""Examples in the format of the original BOULDER release, made up here: two of each task, one with a known fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Example = dict[str, Any]
VAGUE = " Two people in double rooms will check in one day later."
HELLO = {"role": "assistant", "content": "Hello, what can I do for you?"}


def write_release(folder: Path) -> Path:
    """Write a file of each task into the folder and return it."""
    for task, examples in release().items():
        metadata = {"task_name": task, "answer_type": "x"} if "frequency" not in task else {"task_type": "frequency"}
        (folder / f"{task}.json").write_text(json.dumps({"examples": examples, "metadata": metadata}))
    return folder


def release() -> dict[str, list[Example]]:
    """Return the examples by task; the second of some has a fault that the lab knows."""
    return {
        "train_ticket_price": [_tickets()],
        "accommodation_price": [_rooms("", 540.0), _rooms(VAGUE, 540.0)],
        "train_departure_time": [_sunset("19:20", "17:30"), _sunset("20:10", "17:30")],
        "restaurants_opening_hours": [_hours()],
        "train_departure_frequency": [_frequency(20.0), _frequency(30.0)],
        "directional_relations": [_direction()],
        "hotel_to_restaurant_distance": [_distance()],
        "shortest_walking_path": [_walk(["gate", "mill"]), _walk(["mill", "gate"], tie=True)],
    }  # fmt: skip


def _example(number: int, prompt: str, turns: list[Example], **rest: Any) -> Example:
    messages = [{"role": "system", "content": prompt}, HELLO, *turns]
    return {"id": number, "current_date": "2025-05-05", "current_time": "09:00", "messages": messages, **rest}


def _user(text: str) -> Example:
    return {"role": "user", "content": text}


def _assistant(text: str) -> Example:
    return {"role": "assistant", "content": text}


def _call(tool: str, result: Any, **arguments: Any) -> list[Example]:
    call = {"id": f"c-{tool}-{arguments}", "type": "function", "function": {"name": tool, "arguments": arguments}}
    text = result if isinstance(result, str) else json.dumps(result)
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": call["id"], "content": text},
    ]


def _train(leaves: str, arrives: str) -> Example:
    return {"trainID": leaves, "leaveAt": leaves, "arriveBy": arrives, "price_standard": "10.00 pounds",
            "price_first_class": "15.00 pounds"}  # fmt: skip


def _place(name: str, x: int, y: int, **rest: Any) -> Example:
    return {"id": name, "name": name, "location": [x, y], **rest}


def _tickets() -> Example:
    words = (
        "A friend and I want return tickets, one first class with a 33% discount, and one regular class."
        " Another person needs a one-way ticket with a 50% discount."
    )
    train = _train("10:00", "11:00")
    prompt = (
        f"Given the trains in JSON format below, compute the total price for train tickets for three people. {words}\n"
        f"A return ticket costs exactly twice the price of a single ticket.\n\nTrains:\n{json.dumps(train)}"
    )
    turns = [*_call("find_train", train), _user(f"There are three of us. {words} How much would it cost?")]
    return _example(0, prompt, turns, total_price=45.1)


def _rooms(extra: str, total: float) -> Example:
    hotels = [_place("inn", 0, 0, price={"single": "50", "double": "40"}), _place("old inn", 9, 9, price={})]
    split = f"Two people will each stay in their own single room and the others will share double rooms.{extra}"
    prompt = (
        "Given the hotel information in JSON format below, calculate the total cost for booking Inn for three nights"
        f" for six people. {split}\n\nHotels:\n{json.dumps(hotels)}"
    )
    turns = [
        *_call("search_hotels", hotels),
        _assistant("How about the Inn?"),
        _user(f"It's for six people staying for three nights. {split} How much would it cost?"),
    ]
    return _example(int(bool(extra)), prompt, turns, total_price=total)


def _sunset(sunset: str, stored: str) -> Example:
    trains = [_train("17:30", "18:10"), _train("18:45", "19:20"), _train("19:05", "19:50"), _train("23:30", "00:10")]
    prompt = (
        "Given the list of trains in JSON format below, select departure time of the latest train that arrives in"
        f" Ely before sunset.\n\nCurrent date is 2025-05-05. Sunset time is {sunset}.\n\nTrains:\n{json.dumps(trains)}"
    )
    turns = [*_call("search_trains", trains), _user("What is the last departure that gets me to Ely before sunset?")]
    rows = {"last_departure_time": stored if sunset == "19:20" else "18:45", "sunset_time": sunset}
    return _example(int(sunset != "19:20"), prompt, turns, **rows)


def _hours() -> Example:
    week = {"friday": {"open": "12:00", "close": "23:00"}, "saturday": {"open": "00:30", "close": "03:00"}}
    rows = [_place("wok", 1, 1, openhours=week), _place("grill", 2, 2, openhours={"monday": week["friday"]})]
    asked = "open on Friday for at least an hour between 22:15 and 01:00"
    prompt = (
        f"Given the list of restaurants in JSON format below, select those that are {asked}:\n\nRestaurants:\n{rows}"
    )
    turns = [*_call("search_restaurants", rows), _user(f"Which of them are {asked}?")]
    return _example(0, prompt, turns, matching_restaurants=rows[:1])


def _frequency(stored: float) -> Example:
    times = ["12:00", "12:10", "12:40", "13:10"] if stored == 30 else ["12:05", "12:25", "12:45", "13:05"]
    trains = [_train(t, "14:00") for t in ["11:00", *times, "15:00"]]
    prompt = (
        f"Given the list of trains in JSON format below, answer the user's questions.\n\nTrains:\n{json.dumps(trains)}"
    )
    question = _user("How often on average do trains run between noon and 14:00?")
    targets = {"departure_times": times, "average_interval_minutes": stored}
    return _example(int(stored == 30), prompt, [question], targets=targets)


def _direction() -> Example:
    cafes, sights = [_place("cafe", 100, 100)], [_place("mill of the north", 90, 900)]
    asked = "Mill Of The North north of Cafe"
    stated = asked.replace(" north of", " is north of")
    prompt = (
        f"Given the data below, determine if {stated}. Spatial coordinates are given in meters."
        f"\n\nRestaurants:\n{json.dumps(cafes)}\n\nAttractions:\n{json.dumps(sights)}"
    )
    turns = [
        *_call("search_restaurants", cafes), *_call("search_attractions", sights, name="mill"), _user(f"Is {asked}?"),
    ]  # fmt: skip
    return _example(0, prompt, turns, targets={"asked_direction": "north", "is_correct": True})


def _distance() -> Example:
    hotels = [_place("inn", 0, 0), _place("old inn", 9, 9)]
    places = [_place("nina's", 300, 400), _place("nina's city centre", 600, 800)]
    prompt = (
        "Given the data below, calculate the distance from Nina's City Centre to Old Inn. Spatial coordinates are"
        f" in meters.\n\nHotels:\n{json.dumps(hotels)}\n\nRestaurants:\n{json.dumps(places)}"
    )
    turns = [
        *_call("search_hotels", hotels), *_call("book_hotel", {"success": True}, hotel_id="old inn"),
        *_call("search_restaurants", places), _assistant("What about Nina's City Centre?"),
        _user("How far is it from the hotel to the restaurant?"),
    ]  # fmt: skip
    return _example(0, prompt, turns, targets={"distance": (591**2 + 791**2) ** 0.5})


def _walk(order: list[str], *, tie: bool = False) -> Example:
    hotels = [_place("inn", 0, 0)]
    sights = [_place("mill", 0, 1000), _place("gate", 1000 if tie else 400, 0)]
    prompt = (
        "Given the data below, determine the optimal walking order to visit Gate and Mill from Inn. The user will walk"
        f" there.\n\nHotels:\n{json.dumps(hotels)}\n\nAttractions:\n{json.dumps(sights)}"
    )
    turns = [*_call("search_hotels", hotels), *_call("book_hotel", "Hotel booked successfully", hotel_id="inn")]
    for sight in sights:
        turns += _call("search_attractions", sight, name=sight["name"])
    turns.append(_user("I want to visit Gate and Mill. What order should I visit them in?"))
    return _example(int(tie), prompt, turns, targets={"optimal_route_order": order})
