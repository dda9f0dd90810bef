"""Travel builds: what is in them, the same bytes everywhere, their commands, and tools answered from their worlds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from support.builds import gen_apart
from support.draws import SOURCE, imported_only
from support.journeys import ALL, LANGS, NAMES

import generator
from generator.cli import run as command
from generator.endpoints import Completion, Status
from generator.engine.build import make_build
from generator.engine.files import read_json, sha256_of
from generator.engine.loaded import audit_build, load_build
from generator.errors import GenError
from generator.records import Lang, Message, Task
from generator.runner import Options, load_run, make_plan, run_session
from generator.runner.travel_tools import TravelTools, has_tools
from generator.stages.pipeline import Spec
from generator.travel.options import TravelOptions

SEED = 77


def spec_of(lang: Lang, n: int, setups: tuple[str, ...] = ("isolated", "dialogue"), **options: object) -> Spec:
    travel = TravelOptions.model_validate({"setups": setups, **options})
    return Spec(mode="travel", lang=lang, n=n, pool=n + n // 2, travel=travel)


@pytest.fixture(scope="module", params=LANGS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a build of two instances a task in every setup."""
    out = tmp_path_factory.mktemp("travel") / str(request.param)
    report = make_build(spec_of(request.param, 16, ALL), out, seed=SEED)
    assert (report.released, report.missing) == (16, 0)
    return out


def test_tasks_are_spread_evenly_and_setups_are_matched(built: Path) -> None:
    made = load_build(built)
    names = Counter(str(made.key(t.id).state["travel"]) for t in made.tasks)
    assert names == dict.fromkeys(NAMES, 2 * len(ALL))
    groups: dict[str, list[Task]] = {}
    for task in made.tasks:
        groups.setdefault(task.instance_id, []).append(task)
    assert len(groups) == 16
    for own in groups.values():
        assert sorted(t.setup for t in own) == sorted(ALL)
        assert len({made.key(t.id).digest for t in own}) == 1
        assert len({t.id for t in own}) == len(ALL)


def test_the_lowest_numbers_are_released_so_that_designed_rates_hold(built: Path) -> None:
    """Every other number of a task has another class: leaving some out at will would spoil the rates."""
    made = load_build(built)
    numbers = Counter((str(k.state["travel"]), k.state["number"]) for k in made.keys.values())
    assert set(numbers) == {(name, n) for name in NAMES for n in (0, 1)}
    classes = {k.state["cell"]["class"] for k in made.keys.values() if k.state["travel"] == "direction"}
    assert classes == {"yes", "no"}


def test_the_world_goes_with_the_build_and_nothing_tells_the_answer(built: Path) -> None:
    manifest = read_json(built / "manifest.json")
    worlds = [name for name in manifest["files"] if name.startswith("worlds/")]
    assert worlds == ["worlds/w0.jsonl"]
    assert all(sha256_of(built / name) == digest for name, digest in manifest["files"].items())
    public = (built / "tasks.jsonl").read_text(encoding="utf-8")
    assert '"answer"' not in public
    card = (built / "README.md").read_text(encoding="utf-8")
    assert "not selected on model results" in card
    assert "What trivial strategies score" in card


def test_every_audit_holds_from_the_files_alone(built: Path) -> None:
    assert audit_build(load_build(built)) == []
    assert command(["verify", str(built), "--workers", "1", "--quiet"]) == 0


def test_an_altered_world_is_seen(built: Path, tmp_path: Path) -> None:
    import shutil  # noqa: PLC0415

    copy = tmp_path / "copy"
    shutil.copytree(built, copy)
    world = copy / "worlds" / "w0.jsonl"
    text = world.read_text(encoding="utf-8")
    world.write_text(text.replace('"price":', '"price":1', 1), encoding="utf-8")
    found = {f.audit for f in audit_build(load_build(copy))}
    assert "digest" in found
    world.unlink()
    with pytest.raises(GenError, match="missing"):
        audit_build(load_build(copy))
    with pytest.raises(GenError, match="missing"):
        TravelTools(load_build(copy), tmp_path / "run")


def test_the_oracle_answers_everything_and_failures_nothing_of_theirs(built: Path, tmp_path: Path) -> None:
    made = load_build(built)
    oracle = run_session(make_plan(made, "sim/oracle", None, ["full"], 1), tmp_path / "oracle")
    assert oracle.summary["travel"]["strict"] == 1.0
    setups = oracle.summary["setups"]["setups"]
    assert tuple(setups) == ALL
    assert all(blocks["all"]["strict"] == 1.0 and set(blocks["tasks"]) == set(NAMES) for blocks in setups.values())
    silent = run_session(make_plan(made, "sim/no-dialogue", None, ["full"], 1), tmp_path / "silent")
    assert silent.summary["travel"]["strict"] == 0.0
    near = run_session(make_plan(made, "sim/nearest-neighbour", None, ["full"], 1), tmp_path / "near")
    for row in near.view.rows():
        state = made.key(row.task_id).state
        assert row.result is not None
        is_wrong = state["travel"] == "walking-order" and "nearest-neighbour" not in state["harmless"]
        assert row.result.strict == int(not is_wrong)
        if is_wrong:
            assert "nearest-neighbour" in row.result.tags


# The same bytes ----------------------------------------------------------------------------------------------------


def test_bytes_do_not_depend_on_workers_or_hash_seed(tmp_path: Path) -> None:
    digests = []
    for number, (workers, hash_seed) in enumerate([(1, 0), (2, 7), (1, 4711)]):
        out = tmp_path / str(number)
        done = gen_apart(
            "build", "--mode", "travel", "--lang", "en", "--n", 16, "--pool", 24, "--seed", SEED, "--setups", "all",
            "--distractors", 2, "--history", 3, "--perturb", "retime,rename", "--workers", workers, "--out", out,
            "--quiet", hash_seed=hash_seed,
        )  # fmt: skip
        assert done.code == 0, done.err
        digests.append(read_json(out / "manifest.json")["files"])
    assert digests[0] == digests[1] == digests[2]
    log = (tmp_path / "0" / "worlds" / "w0.perturbations.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["name"] for line in log] == ["retime", "rename"]


def test_other_seeds_and_perturbations_give_other_instances(tmp_path: Path) -> None:
    plain = make_build(spec_of("en", 8), tmp_path / "a", seed=1)
    assert plain.released == 8
    make_build(spec_of("en", 8), tmp_path / "b", seed=2)
    make_build(spec_of("en", 8, perturb=("reprice",), strength=1.0), tmp_path / "c", seed=1)
    digests = [{k.digest for k in load_build(tmp_path / name).keys.values()} for name in "abc"]
    assert not digests[0] & digests[1]
    assert not digests[0] & digests[2]


def test_asides_stand_in_the_history_and_nowhere_else(tmp_path: Path) -> None:
    options = TravelOptions(setups=ALL, history=4)
    spec = Spec(mode="travel", lang="zh", n=8, pool=8, travel=options, distractors=3)
    make_build(spec, tmp_path / "a", seed=4)
    made = load_build(tmp_path / "a")
    assert audit_build(made) == []
    for task in made.tasks:
        factors = made.key(task.id).factors
        has_history = task.setup in {*(s for s in ALL if s.startswith("dialogue")), "isolated-multi-turn"}
        has_history = has_history and task.setup != "dialogue-single-turn"
        assert factors.distractors == (7 if has_history else 0)
        assert factors.turns == sum(m.role == "user" for m in task.messages)


@imported_only
@pytest.mark.parametrize("lang", LANGS)
def test_an_imported_world_gives_sound_instances_in_both_languages(lang: Lang, tmp_path: Path) -> None:
    out = tmp_path / "imported"
    arguments = ["--n", "2", "--per-task", "--world", str(SOURCE), "--lang", lang, "--seed", "5", "--setups", "all"]
    assert command(["build", "--mode", "boulder", *arguments, "--out", str(out), "--quiet", "--workers", "1"]) == 0
    made = load_build(out)
    assert audit_build(made) == []
    assert len(made.tasks) == 2 * len(NAMES) * len(ALL)
    assert "MultiWOZ" in (out / "README.md").read_text(encoding="utf-8")
    assert {name for name in made.manifest["files"] if name.startswith("worlds/")} >= {
        "worlds/w0.jsonl", "worlds/w0-retime.jsonl", "worlds/w0-retime.perturbations.jsonl",
    }  # fmt: skip
    anomalies = (out / "worlds" / "import.txt").read_text(encoding="utf-8")
    assert "train-without-price" in anomalies or "hours-unknown" in anomalies
    assert "import.txt" in (out / "README.md").read_text(encoding="utf-8")
    assert str(SOURCE) not in (out / "manifest.json").read_text(encoding="utf-8")
    assert command(["verify", str(out), "--world", str(SOURCE), "--workers", "1", "--quiet"]) == 0
    assert command(["verify", str(out), "--workers", "1", "--quiet"]) == 2


# Tools -------------------------------------------------------------------------------------------------------------


class Caller:
    """A model that looks everything up again, makes one senseless call, and then answers."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def answer(self, task: Task, roll: int, messages: Sequence[Message], *, is_final: bool) -> Completion:
        done = [m for m in messages[len(task.messages) :] if m.role == "tool"]
        self.told = [m.content for m in done] or self.told
        if not task.tools or done:
            return Completion(Status.OK, "Done.", finish_reason="stop")
        calls = [c for m in task.messages for c in m.tool_calls] or []
        rows = [
            {
                "id": f"own-{n}",
                "type": "function",
                "function": {"name": c.function.name, "arguments": c.function.arguments},
            }
            for n, c in enumerate(calls)
        ]
        rows.append({"id": "own-x", "type": "function", "function": {"name": "search_hotels", "arguments": '{"x": 1}'}})
        return Completion(Status.OK, "", tool_calls=tuple(rows), finish_reason="tool_calls")


def test_tools_answer_from_the_cache_as_the_history_does(built: Path, tmp_path: Path) -> None:
    made = load_build(built)
    assert has_tools(made)
    caller = Caller()
    run = tmp_path / "run"
    with TravelTools(made, run) as tools:
        asked: dict[str, list[str]] = {}

        def answer(task: Task, call: dict[str, object]) -> str:
            told = tools.answer(task, call)
            asked.setdefault(task.id, []).append(told)
            return told

        plan = make_plan(made, "sim/oracle", None, ["full"], 1)
        run_session(plan, run, Options(concurrency=1), opening=lambda: nullcontext(caller), answer_tool=answer)
    for task in made.tasks:
        wanted = [m.content for m in task.messages if m.role == "tool"]
        assert asked.get(task.id, []) == wanted
    assert any(text.startswith("error") for text in caller.told)
    assert (run / "worlds" / "w0.sqlite").is_file()
    assert load_run(run).about["counts"]["scored"] == len(made.tasks)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"function": {"name": "search_trains", "arguments": "{"}}, "no JSON"),
        ({"function": {"name": "search_trains", "arguments": "[]"}}, "no JSON object"),
        ({"function": {"name": "drop_table", "arguments": "{}"}}, "no tool"),
        ({"function": {"name": "search_trains", "arguments": '{"origin": "x"}'}}, "Field required"),
        ({"function": {"name": "search_hotels", "arguments": '{"area": 3}'}}, "valid string"),
    ],
)
def test_a_senseless_call_is_told_so(built: Path, tmp_path: Path, call: dict[str, object], words: str) -> None:
    made = load_build(built)
    task = next(t for t in made.tasks if t.setup == "dialogue")
    with TravelTools(made, tmp_path) as tools, pytest.raises(GenError, match=words):
        tools.answer(task, call)


# Commands ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--setups", "isolatd"], 2, "no such setup"),
        (["--tasks", "ticket"], 2, "no such travel task"),
        (["--twins"], 2, "not twins"),
        (["--turns", "12"], 2, "no such factor"),
        (["--register", "formal"], 2, "no such factor"),
        (["--perturb", "shuffle"], 2, "unknown"),
        (["--world", "no-such-folder"], 3, "no-such-folder"),
    ],
)
def test_wrong_options_are_told(
    arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "none"
    assert command(["build", "--mode", "travel", "--n", "1", "--out", str(out), *arguments]) == code
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told
    assert not out.exists()


def test_travel_options_do_not_go_with_a_mode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command(["build", "--mode", "iii", "--n", "1", "--setups", "all", "--out", str(tmp_path / "x")]) == 2
    assert "--setups" in capsys.readouterr().err


def test_what_concerns_dialogue_pools_is_refused(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["audit", str(built), "--pool"]) == 2
    assert "base rates" in capsys.readouterr().err
    out = built.parent / "never"
    assert command(["run", str(built), "--model", "sim/oracle", "--condition", "own", "--out", str(out)]) == 2
    assert not out.exists()


def test_show_tells_setups_calls_and_results(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = load_build(built)
    task = next(t for t in made.tasks if t.setup == "dialogue")
    assert command(["show", str(built), task.id, "--key"]) == 0
    shown = capsys.readouterr().out
    assert "search_" in shown
    assert '{"total":' in shown
    assert "tools: search_trains" in shown
    assert command(["show", str(built)]) == 0
    assert "dialogue-concise" in capsys.readouterr().out


def test_the_python_interface_builds_and_streams_travel(tmp_path: Path) -> None:
    report = generator.build("travel", n=4, lang="en", pool=4, seed=9, out=tmp_path / "x", setups=("isolated",))
    assert report.released == 4
    stream = generator.dataset("travel", "en", 5)
    task, key = stream[3]
    assert (task.mode, key.split) == ("travel", "train")
    assert stream[3] == (task, key)
    assert stream[4][0].id != task.id
    with pytest.raises(IndexError):
        stream[-1]
