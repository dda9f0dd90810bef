"""Runs: a model answers a build, every call is kept, and a killed run goes on with the same command.

plan = make_plan(build, "sim/oracle", None, ["full"], rolls=3)
session = run_session(plan, Path("runs/oracle"))
for row in load_run(Path("runs/oracle")).rows(): ...
"""

from generator.runner.conditions import is_allowed, shown_messages
from generator.runner.plan import Forecast, Plan, forecast, make_plan
from generator.runner.schema import CONDITIONS
from generator.runner.session import Judging, Options, Session, run_session
from generator.runner.view import RunRow, RunView, load_run
from generator.runner.work import Outcome, Tally

__all__ = [
    "CONDITIONS", "Forecast", "Judging", "Options", "Outcome", "Plan", "RunRow", "RunView", "Session", "Tally",
    "forecast", "is_allowed", "load_run", "make_plan", "run_session", "shown_messages",
]  # fmt: skip
