"""What every number of the report means: one definition each, shown on hover and in the list at the end."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """One entry: `id` is what pages link to."""

    id: str
    name: str
    text: str


GLOSSARY: tuple[Term, ...] = tuple(
    Term(*row)
    for row in (
        ("run", "run", "One configuration (endpoint, model, settings) answering one build. Its label is the model's "
         "name, with a number where several runs share it."),
        ("instrument", "instrument, not a model", "A simulated respondent: a program that answers from the text by a "
         "fixed rule, right or wrong in a known way. It checks tasks and scoring. Its figures say nothing about any "
         "model and are never ranked with models."),
        ("mode", "mode", "The failure mechanism that a task isolates. I constraint memory, II precise execution, III "
         "constraint synthesis, IV object localization, V action suppression, VI reference resolution; travel tasks "
         "have a mode of their own."),
        ("condition", "condition", "What the respondent was shown. full: the dialogue as released. user-only: the "
         "assistant's turns replaced by a neutral word. own: the model wrote every assistant turn itself. Figures of "
         "different conditions are not comparable."),
        ("setup", "setup", "How the task was posed: dialogue, isolated, or one of the travel ablations."),
        ("estimand", "estimand", "What a figure estimates: whose average, over what."),
        ("importance", "importance", "Weight of the items hit over the weight of all items of a task (weights 1 to 3); "
         "a missed gate makes it 0. Rolls are averaged within a task, then tasks. Unsure counts as a miss."),
        ("upper", "upper bound", "The same figure with every unsure item counted as a hit: no judgement of the unsure "
         "items can lead above it."),
        ("equal", "equal weights", "Importance with every weight set to 1: shows how much the weights matter."),
        ("strict", "strict", "Share of replies that miss no item at all; averaged over the rolls of a task, then over "
         "tasks. Unsure counts as a miss."),
        ("gap", "gap", "Importance less strict: how much is right in replies that are not right throughout."),
        ("gate", "gate rate", "Share of replies that hit the gate item, the core conclusion. Not defined for modes "
         "without a gate."),
        ("coverage", "coverage", "Share of planned replies that were scored. Transport, server and judge failures are "
         "left out of all figures; below 98 % nothing is ranked."),
        ("interval", "interval", "95 % bootstrap interval over clusters: a world with all its tasks, twins and setups is "
         "drawn as one. With fewer than ten clusters it is too narrow, and the report says so."),
        ("taskinterval", "task interval", "95 % bootstrap interval over tasks, worlds taken as fixed."),
        ("clusters", "clusters", "Worlds that the tasks come from. They are what the interval draws again."),
        ("roll", "roll", "One of several independent replies to the same task."),
        ("bestof", "best of k, all of k", "Mean over tasks of the best roll's figure and of the worst: bounds on what "
         "choosing among k rolls can do."),
        ("passk", "pass^k", "Share of tasks that are strictly right in all k rolls."),
        ("hit", "hit", "The reply states the right value for the item and no other."),
        ("miss", "miss", "The value is wrong, missing, or contradicted elsewhere in the reply."),
        ("unsure", "unsure", "A person would have to ask what the reply means. Counts as a miss in headline figures."),
        ("error", "error", "The call or the judge failed: no score, left out of all means, counted in coverage."),
        ("status", "status", "What became of a reply. ok: answered. Empty, refused and truncated replies miss every item "
         "and are counted apart. error: the call failed for good. pending: not yet run."),
        ("kind", "item kind", "What an item asks for, such as a cell, a derived value, a total, a row that must not "
         "appear, or the gate."),
        ("stale", "stale value", "A value that was once right, or is someone else's, or was only considered: what a "
         "reply gives when it lost track. Named by the failure that produces it."),
        ("evidence", "evidence", "Turns that the answer rests on. Needed: without it the answer changes or cannot be "
         "derived. Bait: without it the wrong answer of a named failure changes."),
        ("cost", "cost", "Money by the configuration's prices per million tokens, currency as configured. Final turn: "
         "the scored reply with its tool rounds. All turns: everything the model wrote for the task."),
        ("tokens", "tokens", "As the endpoint counts them, over the whole run, repeats included; cached is part of "
         "input."),
        ("pareto", "Pareto front", "Runs for which no other run of the same condition is both cheaper per task and "
         "better in importance. Differences within the intervals decide nothing."),
        ("effect", "factor effect", "Mean importance at this level of the factor less the mean at its other levels. "
         "Factors are balanced by design, so effects can be read one at a time."),
        ("pcorrect", "p_correct", "Difficulty of a task: mean strict over the configurations, roll 1. Higher is easier."),
        ("rrest", "r_rest", "Discrimination of a task: correlation over configurations of its strict score with the "
         "total without it. Needs at least eight real configurations."),
        ("screen", "screen_p, screen_r", "The same two from simulated respondents. Never called difficulty or "
         "discrimination."),
        ("composite", "per-mode-leader composite", "Mean over modes of the best run's importance: an upper reference that "
         "no single run need reach, and biased upwards by choosing the best."),
        ("stability", "rank stability", "How often the order of two runs stays the same over rolls and bootstrap "
         "samples."),
        ("paired", "paired difference", "Difference of two runs on the tasks that both answered, with its interval."),
        ("holm", "Holm correction", "p values raised so that the chance of any false claim in the declared family stays "
         "below 5 %."),
        ("pairs", "pair consistency", "Share of twin pairs, one decisive event apart, in which both tasks are strictly "
         "right: an answer that ignores the event cannot get both."),
        ("probes", "probes", "Where a violated constraint was lost: knowledge (fact alone), recall (remark alone), "
         "task. Did not know, forgot, or knew but violated."),
        ("agreement", "agreement", "Krippendorff's alpha between judges, with the number of items judged."),
        ("judge", "judge", "A model that settles unsure items. It must quote the reply for a hit and does not see which "
         "model replied."),
        ("undefined", "not defined", "The figure has no value here; the reason stands beside it. It is not zero."),
    )
)  # fmt: skip

TERMS = {term.id: term for term in GLOSSARY}
