"""Give a world its voice: vocabulary, forms of its own, and the lint of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generator.content import ContentRoot
from generator.errors import GenError
from generator.language.forms import FormGroup, FormSource, number_lines
from generator.language.people import People
from generator.language.speech import Groups, SharedForms, Speech, load_shared
from generator.language.vocabulary import FieldName, ItemName, Vocabulary
from generator.records import Event, Lang
from generator.seeds import stream
from generator.states.update_chain.world import World, to_typed

HOME = "ground_truth/update_chains"
MAX_FAILING = 0.02
# What a form of an event must say; the row may be missing where an ellipsis is allowed.
REQUIRED: dict[str, frozenset[str]] = {
    "intro": frozenset({"item", "values"}),
    "rule": frozenset({"values"}),
    **{k: frozenset({"value"}) for k in ("set", "adjust.up", "adjust.down", "percent.up", "percent.down", "correct")},
    **{f"bulk.{k}": frozenset({"value"}) for k in ("adjust.up", "adjust.down", "percent.up", "percent.down")},
    **{k: frozenset({"item"}) for k in ("cancel", "restore", "question")},
    **{k: frozenset({"item", "other"}) for k in ("copy", "swap")},
    **{k: frozenset({"item", "value"}) for k in ("hypo", "hearsay", "echo", "answer")},
    **{k: frozenset({"item", "value", "tag"}) for k in ("cond", "scoped", "foreign")},
    "waver": frozenset({"item", "first", "value"}),
}


def load_worlds(content: ContentRoot, lang: Lang, split: str | None = None) -> list[World]:
    """Return the worlds of a language in order of name, of one split or of both.

    Raises:
        GenError: A file is invalid, or two worlds share an id.
    """
    worlds: list[World] = []
    for name in content.files(f"{HOME}/{lang}"):
        worlds.append(content.load(name, World))
        if not name.endswith(f"/{worlds[-1].id}.yaml"):
            raise GenError(name, f"the world in it is called {worlds[-1].id!r}", "name the file after the world")
    for world in worlds:
        if world.lang != lang:
            raise GenError(f"{HOME}/{lang}", f"world {world.id!r} says lang: {world.lang}", "move the file")
        if [w.id for w in worlds].count(world.id) > 1:
            raise GenError(f"{HOME}/{lang}", f"two worlds are called {world.id!r}", "rename one")
    return [w for w in worlds if split is None or w.split == split]


def load_speech(content: ContentRoot, world: World) -> Speech:
    """Return the world's language, checked form against form."""
    text = content.text(f"{HOME}/{world.lang}/{world.id}.yaml")
    return make_speech(world, load_shared(content, world.lang, "update_chain"), text)


def make_speech(world: World, shared: SharedForms, text: str = "") -> Speech:
    """Return the world's language over shared forms already loaded; `text` is the world's file, for line numbers.

    Raises:
        GenError: A form is refused, or leaves out something that its event must say.
    """
    speech = Speech(vocabulary_of(world), shared, _own_forms(world, text), [])
    check_bindings(speech)
    return speech


def check_bindings(speech: Speech) -> None:
    """Check that every form says all that its event must say.

    Raises:
        GenError: A form leaves something out.
    """
    fields = frozenset(f.id for f in speech.vocabulary.fields if not f.is_rule)
    for wording in (*speech.wordings, *speech.replies):
        missing = sorted(REQUIRED.get(wording.kind, frozenset()) - wording.attributes)
        if wording.kind == "intro":
            missing += sorted(fields - wording.fields)
        if missing:
            raise GenError(
                wording.form, f"no slot says the {missing[0]}", "add the slot, or move the form to another event"
            )


def vocabulary_of(world: World) -> Vocabulary:
    """Return the world's public vocabulary."""
    fields = [
        FieldName(f.id, f.family, f.names, f.units if f.family != "money" else (), _scale(f.family, f.scale))
        for f in world.fields
    ]
    rules = [
        FieldName(r.id, r.family, (), r.units, 100 if r.family == "percent" else 1, is_rule=True) for r in world.rules
    ]
    return Vocabulary(
        lang=world.lang,
        year=world.year,
        currency=world.currency,
        items=tuple(ItemName(i.id, i.names, i.classifier) for i in world.items),
        fields=(*fields, *rules),
        owners=world.owners,
        conditions={c.id: c.said for c in world.conditions},
        scopes={s.id: s.names for s in world.scopes},
    )


def _scale(family: str, scale: int) -> int:
    return 100 if family == "money" else scale


def near_form_ids(world: World) -> list[frozenset[str]]:
    """Return, for each near topic, the ids of its own forms: only those fit the chat that follows it."""
    ids, number = [], 0
    for topic in world.near:
        mine = range(number + 1, number + 1 + len(topic.forms))
        number += len(topic.forms)
        ids.append(frozenset(f"{HOME}/{world.lang}/{world.id}.yaml: foreign no. {n}" for n in mine))
    return ids


def _own_forms(world: World, text: str) -> Groups:
    where = f"{HOME}/{world.lang}/{world.id}.yaml"
    # Forms of a world stand under several keys, so each kind is searched from the top of the file.
    return [(where, number_lines(text, [group])[0]) for group in _groups(world)]


def _groups(world: World) -> Iterator[FormGroup]:
    yield FormGroup(event="intro", forms=tuple(FormSource(text=t) for t in world.intros))
    rules = [FormSource(text=t, tag="first") for rule in world.rules for t in rule.forms]
    rules += [FormSource(text=t, tag="again") for rule in world.rules for t in rule.again]
    if rules:
        yield FormGroup(event="rule", forms=tuple(rules))
    for condition in world.conditions:
        for kind, sentences in (("cond.met", condition.met), ("cond.unmet", condition.unmet)):
            yield FormGroup(
                event=kind, forms=tuple(FormSource(text=t, reason=True, tag=condition.id) for t in sentences)
            )
    for topic in world.near:
        forms = tuple(
            FormSource.model_validate({"text": t, "for": topic.families, "reason": True}) for t in topic.forms
        )
        yield FormGroup(event="foreign", forms=forms)


def check_voice(world: World, speech: Speech, draws: int = 4) -> list[str]:
    """Return what is wrong with the world's wordings: those that do not read back over drawn values.

    Every wording is rendered `draws` times with values from the trade's bands. One or two in
    a hundred may glue a numeral to a classifier by chance; a wording that fails more is named.
    """
    faults = []
    for reply, wordings in ((False, speech.wordings), (True, speech.replies)):
        for wording in wordings:
            rng = stream(0, wording.skeleton_id, world.id)
            failed = []
            for _ in range(draws):
                event = _sample_event(world, wording.kind, wording.family, wording, rng)
                elliptical = "item" not in wording.attributes and event.item is not None
                if not _can_render(speech, event, wording.tag):
                    continue
                text = speech.render(wording, event, rng)
                if not speech.is_read_back(text, event, elliptical=elliptical, reply=reply):
                    failed.append(text)
            if len(failed) > max(1, MAX_FAILING * draws):
                faults.append(f"{wording.form}: does not read back, e.g. {failed[0]!r}")
    return faults


def _can_render(speech: Speech, event: Event, tag: str | None) -> bool:
    return tag is None or event.tag == tag


def _sample_event(world: World, kind: str, family: str | None, wording: object, rng: Random) -> Event:
    attributes: frozenset[str] = wording.attributes  # type: ignore[attr-defined]
    named: frozenset[str] = wording.fields  # type: ignore[attr-defined]
    item = rng.choice(world.items)
    field = next((f for f in world.fields if f.family == family), None)
    values = []
    for name in [f.id for f in world.fields] + [r.id for r in world.rules]:
        if name in named:
            values.append((name, _draw(world, item.id, name, rng)))
    value = None
    if field is not None and "value" in attributes:
        value = _amount(world, item.id, field.id, kind, rng)
    others = [i.id for i in world.items if i.id != item.id]
    tags = {"cond": [c.id for c in world.conditions], "scoped": [s.id for s in world.scopes]}
    owner = People(world.lang).fill(rng.choice(world.owners), rng)
    tag = (
        rng.choice(tags[kind])
        if kind in tags
        else getattr(wording, "tag", None) or (owner if "tag" in attributes else None)
    )
    return Event(
        kind=kind,
        item=None if kind in {"rule", "cond.met", "cond.unmet"} or kind.startswith("bulk") else item.id,
        field=field.id if field else None,
        value=value,
        other=rng.choice(others) if "other" in attributes else None,
        tag=tag,
        first=_draw(world, item.id, field.id, rng) if field and "first" in attributes else None,
        values=tuple(values),
    )


def _amount(world: World, item: str, field: str, kind: str, rng: Random) -> int:
    definition = world.field_by_id[field]
    if "percent" in kind:
        return 100 * rng.choice(definition.percents or (5, 10, 15))
    if "adjust" in kind:
        scale = 1 if definition.family in {"clock", "date"} else _scale(definition.family, definition.scale)
        return round(rng.choice(definition.changes) * (scale if definition.family in {"money", "measure"} else 1))
    return _draw(world, item, field, rng)


def _draw(world: World, item: str, name: str, rng: Random) -> int:
    rule = next((r for r in world.rules if r.id == name), None)
    if rule is not None:
        return rng.choice(rule.values) * (100 if rule.family == "percent" else 1)
    field = world.field_by_id[name]
    low, high = (to_typed(field.family, field.scale, world.year, b) for b in world.item_by_id[item].bands[name])
    return rng.randrange(low, high + 1, step_of(field.family, field.scale, field.step))


def step_of(family: str, scale: int, step: float) -> int:
    """Return a step of the trade as a typed integer; clock steps are minutes, date steps days."""
    return max(1, round(step * {"money": 100, "measure": scale}.get(family, 1)))
