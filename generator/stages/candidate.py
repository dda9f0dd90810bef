"""One candidate, from anchor to finished dialogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from generator.modes.protocol import AnswerValues, Kit, Mode, RedrawError
from generator.records import Alternative, Factors, Item, Key, Message, Task, freeze
from generator.seeds import opaque_id, stream
from generator.stages.s1_anchor import Anchor
from generator.stages.s3_dialogue import Dialogue, write_dialogue
from generator.stages.s5_distractors import Assembled, Noise, Segment, assemble, spread_segments
from generator.stages.topics import Topic


@dataclass(frozen=True)
class Candidate:
    """A task with everything that was used to make it."""

    mode: Mode
    anchor: Anchor
    state: Any
    record: dict[str, Any]
    answer: AnswerValues
    alternatives: tuple[Alternative, ...]
    items: tuple[Item, ...]
    digest: str
    dialogue: Dialogue
    segments: tuple[Segment, ...]
    assembled: Assembled
    seed: int
    attempt: int = 0
    twin_of: str | None = None
    twin_reply: str | None = None

    @property
    def kit(self) -> Kit:
        """The world."""
        return self.anchor.kit

    @property
    def messages(self) -> tuple[Message, ...]:
        """The finished dialogue."""
        return self.assembled.messages

    @property
    def id(self) -> str:
        """The public id: an opaque hash."""
        part = "twin" if self.twin_of else "base"
        return opaque_id(self.seed, self.mode.number, self.kit.lang, str(self.anchor.number), part)

    def task(self) -> Task:
        """Return the public part."""
        return Task(
            id=self.id,
            mode=self.mode.number,
            lang=self.kit.lang,
            messages=self.messages,
            instance_id=opaque_id(self.seed, self.mode.number, self.kit.lang, str(self.anchor.number), "instance"),
        )

    def key(self) -> Key:
        """Return the private part."""
        return Key(
            id=self.id,
            digest=self.digest,
            state=self.record,
            answer=dict(sorted(self.answer.items())),
            alternatives=self.alternatives,
            items=self.items,
            evidence=self.assembled.evidence,
            factors=self.factors(),
            split=self.kit.split,
            twin_of=self.twin_of,
            twin_reply=self.twin_reply,
        )

    def factors(self) -> Factors:
        """Return the factors as they came out."""
        first = next((e.turn for e in self.assembled.evidence), 0)
        turns = sum(m.role == "user" for m in self.messages)
        distractors = sum(count for _, count in self.assembled.spans)
        after = sum(len(s.exchanges) for s in self.segments if s.gap == len(self.dialogue.turns))
        return Factors(
            world=self.kit.id,
            profile=self.anchor.profile,
            register_name=self.anchor.register,
            core=len(self.dialogue.turns),
            distractors=distractors,
            gap_share=round(after / distractors, 3) if distractors else 0.0,
            turns=turns,
            distance=turns - 1 - first,
            mechanisms=tuple(m for m in self.mode.failure_names if m in self.mode.diagnose(self.kit, self.state)),
        )


def make_candidate(mode: Mode, anchor: Anchor, topics: Sequence[Topic], seed: int, attempt: int = 0) -> Candidate:
    """Return the candidate of an anchor, not yet audited.

    Raises:
        RedrawError: No state, or no wording of it, was found.
    """
    name = f"{mode.number}/{anchor.kit.lang}/{anchor.number}/{attempt}"
    kit = anchor.kit
    state = mode.draw(kit, anchor.factor, stream(seed, name, "s2"))
    answer = mode.answer(kit, state)
    if mode.resolve(kit, state) != answer:
        raise RedrawError("the two code paths differ")
    record = mode.state_record(kit, state)
    dialogue = write_dialogue(mode, kit, state, anchor.register, stream(seed, name, "s3"))
    items = mode.items(kit, state)
    # The freeze: from here on, answer and items are read, never written.
    digest = freeze(record, answer, items)
    rng = stream(seed, name, "s5")
    noise = Noise(anchor.distractors, anchor.gap_share, anchor.register)
    segments = tuple(spread_segments(kit, state, dialogue, topics, noise, rng))
    assembled = assemble(kit, dialogue, segments, mode.duties(kit, state), stream(seed, name, "s5-openers"))
    return Candidate(
        mode,
        anchor,
        state,
        record,
        answer,
        mode.alternatives(kit, state),
        items,
        digest,
        dialogue,
        segments,
        assembled,
        seed,
        attempt,
    )
