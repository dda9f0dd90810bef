"""`gen lab boulder` and `gen lab score-boulder`: the original BOULDER release, checked and scored."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from generator.cli.progress import say
from generator.errors import ExitCode
from generator.travel.boulder.lab import LabReport, compare_folder
from generator.travel.boulder.results import Cell, ResultsReport, score_results


def lab_boulder(folder: Path, as_json: bool) -> int:
    """Print, per task, how many stored targets our solvers reach, and each disagreement with its reason.

    The exit code is 1 if one has no reason or a task has no file.
    """
    report = compare_folder(folder)
    if as_json:
        print(json.dumps(_lab_object(report), ensure_ascii=False))
    else:
        _print_lab(report)
    findings = [f for task in report.tasks for f in task.findings if f.counts]
    unexplained = sum(f.reason is None for f in findings)
    for task in report.absent:
        say(f"{task}: no file of it in {folder}")
    say(f"{len(findings)} disagreements, {unexplained} without a known reason, {len(report.absent)} tasks absent")
    return ExitCode.GOOD if report.is_explained else ExitCode.FINDINGS


def score_boulder(file: Path, labels: Path | None, as_json: bool) -> int:
    """Print the scores of a result file of the original project, by task, model and setup."""
    report = score_results(file, labels)
    if as_json:
        cells = [_cell_object(c) for c in report.cells]
        print(json.dumps({"cells": cells, "skipped": report.skipped}, ensure_ascii=False))
    else:
        _print_scores(report)
    rows = sum(cell.n for cell in report.cells)
    skipped = "".join(f", {count} skipped ({reason})" for reason, count in sorted(report.skipped.items()))
    say(f"{rows} answers in {len(report.cells)} cells{skipped}")
    return ExitCode.GOOD


def _cell_object(cell: Cell) -> dict[str, object]:
    corrected = cell.corrected._asdict() if cell.corrected else None
    return {**cell._asdict(), "scores": {k: asdict(s) for k, s in cell.scores.items()}, "corrected": corrected}


def _lab_object(report: LabReport) -> dict[str, object]:
    tasks = [
        {
            "task": task.task,
            "examples": task.examples,
            "agreements": task.agreements,
            "findings": [asdict(finding) for finding in task.findings],
            "other_readings": task.other_readings,
        }
        for task in report.tasks
    ]
    return {"explained": report.is_explained, "absent": report.absent, "tasks": tasks}


def _print_lab(report: LabReport) -> None:
    for task in report.tasks:
        print(f"{task.task}: {task.agreements} of {task.examples} agree")
        for finding in task.findings:
            verdict = "disagrees" if finding.counts else "agrees with one reading"
            reason = finding.reason or "NO KNOWN REASON"
            views = "+".join(finding.views)
            print(f"  id {finding.id} ({views}) {verdict}: ours {finding.ours}, stored {finding.stored}: {reason}")
        for name, agreements in task.other_readings.items():
            print(f"  read otherwise ({name}): {agreements} of {task.examples}")


def _print_scores(report: ResultsReport) -> None:
    for cell in report.cells:
        length = "" if cell.mean_length is None else f", {cell.mean_length:.0f} characters a reply"
        print(f"{cell.task} | {cell.model} | {cell.setup}: n {cell.n}{length}")
        for line in _score_lines(cell):
            print(f"  {line}")


def _score_lines(cell: Cell) -> list[str]:
    lines = []
    for parser, summary in cell.scores.items():
        figures = [f"{name} {mean:.3f}" for name, mean in summary.means.items()]
        for name, error in (
            ("median error", summary.median_absolute_error),
            ("median relative error", summary.median_relative_error),
        ):
            figures += [f"{name} {error:.3g}"] if error is not None else []
        lines.append(f"{parser}: {', '.join(figures)}; missing {summary.missing}, abstained {summary.abstained}")
    lines += [f"{pair} in {same} of {cell.n}" for pair, same in cell.same.items()]
    found = cell.corrected
    if found is not None and found.estimate is not None:
        ends = f" [{found.interval.low:.3f}, {found.interval.high:.3f}]" if found.interval else ""
        caution = f"; {found.caution}" if found.caution else ""
        lines.append(f"{cell.metric} corrected by {found.n_labelled} labels (PPI): {found.estimate:.3f}{ends}{caution}")
    return lines
