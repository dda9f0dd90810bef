"""Judge replies: ask, check every quote, keep what is whole, join several judges, and merge into the result."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from generator.content import ContentRoot, default_root
from generator.endpoints import Client
from generator.records import Item, Key, Lang, Message, Reply, Result, SheetView, Task, Verdict, digest_of
from generator.runner.judge.asking import Asked, ask, is_refused_format
from generator.runner.judge.billing import billed
from generator.runner.judge.fence import holds_quote, make_token, show_reply
from generator.runner.judge.keeping import JudgedItem, JudgeStore, Place
from generator.runner.judge.prompt import template_name, write_prompt
from generator.runner.judge.ruling import Ruling, ruling_for
from generator.runner.judge.wants import wants_of
from generator.runner.spend import Budget
from generator.scoring.checks import view_of
from generator.scoring.metrics import score_reply, weigh
from generator.scoring.plain import judged_extras
from generator.scoring.statistics import Agreement, krippendorff_alpha

LANGS: tuple[Lang, ...] = ("zh", "en")
FORMAT = 1
"""Moves when a kept ruling would be read otherwise."""

Which = Literal["unsure", "all"]
Judged = dict[str, JudgedItem]


class Judge:
    """A judge behind a client. Give all judgements of a run to one, so that it remembers what its server can do.

    Args:
        client: Open; its configuration names the judge.
        store: Keeps rulings; None asks every time.
        content: Holds the prompts.
    """

    def __init__(self, client: Client, store: JudgeStore | None = None, content: ContentRoot | None = None) -> None:
        self.client, self.store, self.content = client, store, content or default_root()
        self.budget: Budget | None = None
        self.is_plain = False
        # A prompt that is missing is told now, and not after a thousand paid replies.
        for lang in LANGS:
            self.content.text(template_name(lang))

    @property
    def name(self) -> str:
        """The name of its configuration."""
        return self.client.configuration.name

    async def judge(self, key: Key, reply: Reply, which: Which = "unsure", result: Result | None = None) -> Judged:
        """Return what the judge says, by item; empty if there is nothing to ask. See `judge_reply`."""
        result = result or score_reply(key, reply)
        items = items_to_judge(key, result, which)
        if not items:
            return {}
        view = view_of(key.state)
        wants = wants_of(items, view)
        shown = show_reply(reply.reply or "")
        token = make_token(shown, [list(w) for w in wants])
        messages = write_prompt(self.content, _lang_of(view, items), wants, shown, token)
        model = ruling_for(token, [item.id for item in items])
        digest = digest_of([FORMAT, self.client.configuration.identity(), [m.content for m in messages]])
        kept = self.store.find(digest) if self.store else None
        if kept is not None:
            return self._read(model.model_validate_json(kept), items, shown)
        asked = await self._ask(messages, model)
        if asked.ruling is None:
            lost = JudgedItem(item="", verdict=Verdict.ERROR, judge=self.name, error=asked.error)
            return {item.id: lost.model_copy(update={"item": item.id}) for item in items}
        judged = self._read(asked.ruling, items, shown)
        if self.store and not any(one.error for one in judged.values()):
            self.store.keep(digest, asked.ruling.model_dump_json())
        return judged

    async def _ask(self, messages: Sequence[Message], model: type[Ruling]) -> Asked:
        async with billed(self.client, self.store, self.budget, messages) as heard:
            asked = await ask(self.client, messages, model, plain=self.is_plain, heard=heard)
            if not self.is_plain and is_refused_format(asked):
                second = await ask(self.client, messages, model, plain=True, heard=heard)
                self.is_plain = second.asked > 0
                return second if self.is_plain else asked
            return asked

    def _read(self, ruling: Ruling, items: Sequence[Item], shown: str) -> Judged:
        said = {one.item: one for one in ruling.verdicts}
        found: Judged = {}
        for item in items:
            one = said[item.id]
            verdict, error = Verdict(one.verdict), ""
            if verdict is Verdict.HIT and not holds_quote(shown, one.quote):
                what = "the quote is not in the reply" if one.quote.strip() else "no quote"
                verdict, error = Verdict.ERROR, f"a hit without proof: {what}"
            found[item.id] = JudgedItem(
                item=item.id, verdict=verdict, quote=one.quote, reason=one.reasoning, judge=self.name, error=error
            )
        return found


def _lang_of(view: SheetView | None, items: Sequence[Item]) -> Lang:
    """Return the language of a task whose key may hold no sheet: that of its items' notes."""
    if view is not None:
        return view.lang
    return "zh" if any("\u4e00" <= c <= "\u9fff" for item in items for c in item.clarification) else "en"


def items_to_judge(key: Key, result: Result, which: Which) -> tuple[Item, ...]:
    """Return the items that a judge is asked about: none of a reply that failed or has no answer in it."""
    if result.status != "ok":
        return ()
    return tuple(i for i in key.items if which == "all" or result.items.get(i.id) is Verdict.UNSURE)


async def judge_reply(
    client: Client, key: Key, reply: Reply, which: Which = "unsure", *, result: Result | None = None,
    store: JudgeStore | None = None, content: ContentRoot | None = None,
) -> Judged:  # fmt: skip
    """Return what a judge says of the items of one reply, by item id.

    An item whose hit has no quote of the reply is an error; so are all items of an answer that cannot be read, or
    never came. Errors are not kept: the next call asks again.

    Args:
        client: An open client of the judge.
        key: Holds the items; the judge sees what they want, nothing else of it.
        reply: Its text is judged; task, roll and condition are not shown.
        which: "unsure": items on which the checks could not decide. "all": every item.
        result: The scored reply, where it is at hand.
        store: Keeps rulings by content.
        content: Holds the prompts.

    Raises:
        GenError: The extra `run` is not installed, or a prompt is faulty.
    """
    return await Judge(client, store, content).judge(key, reply, which, result)


def join_judges(judged: Sequence[Judged]) -> Judged:
    """Return one verdict per item: what more than half of the judges that gave one say.

    Without such a majority the item is unsure; it is an error if no judge gave a verdict. Quote and reason are those
    of the first judge of the majority.
    """
    found: Judged = {}
    for item in dict.fromkeys(name for one in judged for name in one):
        ones = [one[item] for one in judged if item in one]
        valid = [one for one in ones if one.verdict is not Verdict.ERROR]
        names = "+".join(one.judge for one in ones)
        if not valid:
            reasons = "; ".join(dict.fromkeys(one.error for one in ones))
            found[item] = JudgedItem(item=item, verdict=Verdict.ERROR, judge=names, error=reasons)
            continue
        verdict, count = Counter(one.verdict for one in valid).most_common(1)[0]
        if 2 * count <= len(valid):
            found[item] = JudgedItem(item=item, verdict=Verdict.UNSURE, judge=names, reason="the judges disagree")
        else:
            first = next(one for one in valid if one.verdict is verdict)
            found[item] = first.model_copy(update={"judge": names})
    return found


def merge_judged(key: Key, result: Result, judged: Mapping[str, JudgedItem]) -> Result:
    """Return the result with the judge's verdicts in it, weighed anew.

    A hit, a miss and an error stand; where the judge is unsure, what the checks said stays.
    """
    verdicts = dict(result.items)
    for item, one in judged.items():
        if one.verdict is not Verdict.UNSURE:
            verdicts[item] = one.verdict
    importance, upper, strict = weigh(key.items, verdicts)
    changed = {"items": verdicts, "importance": importance, "importance_upper": upper, "strict": strict}
    if result.metrics and strict is not None and strict != result.strict:
        changed |= judged_extras(result, is_hit=bool(strict))
    return Result.model_validate(result.model_dump() | changed)


class RunJudge:
    """What `Work` takes as its judge: asks all judges of a run, and leaves their notes in `store`.

    budget: What their calls must fit, where their prices are known; the session sets it.
    """

    def __init__(self, judges: Sequence[Judge], which: Which, store: JudgeStore | None) -> None:
        self._judges, self._which, self._store = tuple(judges), which, store
        self._budget: Budget | None = None

    @property
    def budget(self) -> Budget | None:
        """The budget of the run."""
        return self._budget

    @budget.setter
    def budget(self, budget: Budget | None) -> None:
        self._budget = budget
        for judge in self._judges:
            judge.budget = budget

    async def __call__(self, task: Task, key: Key, reply: Reply, result: Result) -> Result:
        """Return the result with the judges' verdicts in it.

        Raises:
            LimitReachedError: What a judge would cost does not fit; the others have ended.
        """
        asked = (judge.judge(key, reply, self._which, result) for judge in self._judges)
        judged: list[Judged] = []
        # All end before one's exception goes on: none may be left to write into a store that is closed.
        for one in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(one, BaseException):
                raise one
            judged.append(one)
        if self._store is not None:
            place = Place(task.id, reply.condition, reply.roll)
            self._store.note(place, [one for each in judged for one in each.values()])
        return merge_judged(key, result, join_judges(judged))


def make_run_judge(judges: Sequence[Judge], which: Which = "unsure", store: JudgeStore | None = None) -> RunJudge:
    """Return what `Work` takes as its judge; notes of every judge go to `store`."""
    return RunJudge(judges, which, store)


def judge_agreement(notes: Iterable[tuple[Place, JudgedItem]]) -> Agreement:
    """Return Krippendorff's alpha of the judges over every item that two of them gave a verdict on."""
    units: dict[tuple[Place, str], list[str | None]] = {}
    for place, one in notes:
        said = None if one.verdict is Verdict.ERROR else one.verdict.value
        units.setdefault((place, one.item), []).append(said)
    return krippendorff_alpha(list(units.values()))
