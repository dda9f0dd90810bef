"""The travel tasks. One line here is all that the rest of the program needs to know of a new one."""

from generator.errors import ExitCode, GenError
from generator.travel.tasks.booking_price import TASK as BOOKING_PRICE
from generator.travel.tasks.direction import TASK as DIRECTION
from generator.travel.tasks.distance import TASK as DISTANCE
from generator.travel.tasks.frequency import TASK as FREQUENCY
from generator.travel.tasks.opening_hours import TASK as OPENING_HOURS
from generator.travel.tasks.protocol import TravelTask
from generator.travel.tasks.sunset_train import TASK as SUNSET_TRAIN
from generator.travel.tasks.ticket_price import TASK as TICKET_PRICE
from generator.travel.tasks.walking_order import TASK as WALKING_ORDER

TASKS: tuple[TravelTask, ...] = (
    TICKET_PRICE,
    BOOKING_PRICE,
    SUNSET_TRAIN,
    OPENING_HOURS,
    FREQUENCY,
    DIRECTION,
    DISTANCE,
    WALKING_ORDER,
)


def known_tasks() -> tuple[TravelTask, ...]:
    """Return every task, in the order in which a build takes them in turn."""
    return TASKS


def find_task(name: str) -> TravelTask:
    """Return a task by its name.

    Raises:
        GenError: There is none.
    """
    for task in TASKS:
        if task.name == name:
            return task
    known = ", ".join(t.name for t in TASKS)
    raise GenError(f"task {name!r}", "no such travel task", f"choose one of: {known}", ExitCode.USAGE)
