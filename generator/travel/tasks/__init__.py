"""The travel tasks. One line here is all that the rest of the program needs to know of a new one."""

from generator.errors import ExitCode, GenError
from generator.travel.tasks.protocol import TravelTask
from generator.travel.tasks.ticket_price import TASK as TICKET_PRICE

TASKS: tuple[TravelTask, ...] = (TICKET_PRICE,)


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
