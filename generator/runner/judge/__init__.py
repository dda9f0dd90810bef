"""The judge: rules on what the checks could not decide, by a verbatim quote, blind to who replied.

    async with Client(configuration) as client:
        with JudgeStore(run_folder / JUDGE_STORE) as store:
            judge = make_run_judge([Judge(client, store)], "unsure", store)   # what `Work` takes
            judged = await judge_reply(client, key, reply)                    # one reply alone

`instructor` and `openai` are imported when a judge is asked, not before.
"""

from generator.runner.judge.calibration import Calibration, KindRates, calibrate_judge, correct_run
from generator.runner.judge.judging import (
    Judge,
    Judged,
    RunJudge,
    Which,
    items_to_judge,
    join_judges,
    judge_agreement,
    judge_reply,
    make_run_judge,
    merge_judged,
)
from generator.runner.judge.keeping import JudgedItem, JudgeStore, Place, read_notes
from generator.runner.judge.labelling import LABELS, LabelReport, draw_sample, read_labels
from generator.runner.schema import JUDGE_STORE

__all__ = [
    "JUDGE_STORE", "LABELS", "Calibration", "Judge", "JudgeStore", "Judged", "JudgedItem", "KindRates", "LabelReport",
    "Place", "RunJudge", "Which", "calibrate_judge", "correct_run", "draw_sample", "items_to_judge", "join_judges",
    "judge_agreement", "judge_reply", "make_run_judge", "merge_judged", "read_labels", "read_notes",
]  # fmt: skip
