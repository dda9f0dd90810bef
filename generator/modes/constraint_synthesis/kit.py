"""Make a world ready: voice, amounts, and the near-domain topics that it lends to stage 5."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from generator.content import ContentRoot
from generator.errors import GenError
from generator.language.people import People
from generator.language.screen import screen
from generator.language.speech import load_shared
from generator.modes.constraint_synthesis.amounts import Amounts
from generator.modes.constraint_synthesis.requests import make_patterns, read_request, write_request
from generator.modes.constraint_synthesis.state import ChainState
from generator.modes.constraint_synthesis.voice import HOME, check_voice, load_worlds, make_speech, near_form_ids
from generator.modes.protocol import Kit, NearSegment, Voice
from generator.records import Event, Lang, Split
from generator.states.update_chain.chain import Request
from generator.states.update_chain.forward import replay
from generator.states.update_chain.world import World


def load_kits(content: ContentRoot, lang: Lang, split: Split | None) -> list[Kit]:
    """Return the worlds of a language, ready for use.

    Raises:
        GenError: There is none, or one is invalid.
    """
    worlds = load_worlds(content, lang, split)
    if not worlds:
        raise GenError(
            f"ground_truth/update_chains/{lang}", f"no world of split {split!r}", "add one, or use another --lang"
        )
    shared = load_shared(content, lang, "update_chain")
    return [make_kit(world, Voice(
        speech=make_speech(world, shared, content.text(f"{HOME}/{lang}/{world.id}.yaml")),
        openings=world.openings,
        asides=world.asides,
        reasons=lambda event, world=world: reasons_for(world, event),  # type: ignore[misc]
        clarify=tuple((c.ask, c.answer, c.thanks) for c in world.clarify),
        request=lambda state, rng: "",
        near=lambda state, rng: None,
    )) for world in worlds]  # fmt: skip


def make_kit(world: World, voice: Voice) -> Kit:
    """Return a kit over a world whose voice is ready."""
    kit = Kit(
        id=world.id, lang=world.lang, split=world.split, world=world, voice=voice,
        extra={"amounts": Amounts(world), "people": People(world.lang), "patterns": make_patterns(world)},
    )  # fmt: skip
    ready = Voice(
        speech=voice.speech, openings=voice.openings, asides=voice.asides, reasons=voice.reasons, clarify=voice.clarify,
        request=lambda state, rng: write_request(kit, state.request, rng),
        near=lambda state, rng: near_segment(kit, state, rng),
    )  # fmt: skip
    return Kit(id=kit.id, lang=kit.lang, split=kit.split, world=world, voice=ready, extra=kit.extra)


def reasons_for(world: World, event: Event) -> Sequence[str]:
    """Return why such a thing may happen: reasons of the kind and field, else of the kind."""
    kinds = [event.kind]
    if event.kind.startswith("bulk"):
        kinds = [f"bulk.{event.kind.rpartition('.')[2]}", "bulk"]
    for kind in kinds:
        found = world.reasons.get(f"{kind}@{event.field}") or world.reasons.get(kind)
        if found:
            return found
    return ()


def near_segment(kit: Kit, state: ChainState, rng: Random) -> NearSegment | None:
    """Return something near the trade that belongs to somebody else: a value that no cell ever has.

    None if the draw finds no such value.
    """
    world: World = kit.world
    at = rng.randrange(len(world.near))
    topic = world.near[at]
    fitting = [f for f in world.fields if f.family in topic.families]
    field = rng.choice(fitting) if fitting else None
    events = state.chain.events
    # Rows that carry a trap or are the control are left alone: there the wrong answer must stay as it was frozen.
    reserved = {path.split(".")[0] for path in state.gadgets.values()} | {state.control}
    reserved |= {str(e.item) for e in events if e.kind in {"foreign", "scoped", "hypo", "hearsay"}}
    rows = sorted({str(e.item) for e in events if e.kind == "intro"} - reserved)
    if field is None or not rows:
        return None
    item = rng.choice(rows)
    said = {e.value for e in events if e.value is not None} | {v for e in events for _, v in e.values}
    said |= {v for (_, name), past in replay(world, events).history.items() if name == field.id for v in past}
    amounts: Amounts = kit.extra["amounts"]
    value = amounts.near(item, field.id, amounts.first(item, field.id, rng), said, rng)
    if value is None:
        return None
    owner = kit.extra["people"].fill(rng.choice(world.owners), rng)
    return NearSegment(
        Event("foreign", item, field.id, value, tag=owner),
        near_form_ids(world)[at],
        topic.assistant,
        tuple((f.user, f.assistant) for f in topic.follow),
    )


def check_kit(kit: Kit, content: ContentRoot) -> list[str]:
    """Return what is wrong with a world's wording beyond what loading refuses."""
    world: World = kit.world
    faults = check_voice(world, kit.voice.speech)
    read = kit.voice.speech.reader.read
    free = [*world.openings, *world.asides]
    free += [reason for reasons in world.reasons.values() for reason in reasons]
    free += [t for topic in world.near for chat in topic.follow for t in chat.user]
    free += [t for c in world.clarify for t in c.answer]
    for text in free:
        reading = read(text)
        if reading.events or reading.residue or reading.named:
            faults.append(f"free text reads as more than chat: {text!r}")
    replies = [
        t for topic in world.near for t in (*topic.assistant, *(a for chat in topic.follow for a in chat.assistant))
    ]
    for text in replies:
        why = screen(kit.voice.speech, text)
        if why:
            faults.append(f"a reply to a near topic: {why}: {text!r}")
    rng = Random(0)
    for definition in world.requests:
        rows = tuple(i.id for i in world.items[:3]) if definition.kind == "part" else ()
        wanted = Request(id=definition.id, rows=rows, columns=definition.columns, figures=definition.figures)
        for _ in range(6):
            text = write_request(kit, wanted, rng)
            if read_request(kit, text) != wanted:
                faults.append(f"request {definition.id} does not read back: {text!r}")
                break
    return faults
