"""Forms: what loading refuses, how many there are, and that every wording of every world reads back."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import opencc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.content import ContentRoot, default_root
from generator.errors import GenError
from generator.language.forms import FormGroup, FormSource, Wording
from generator.language.lexicon import Lexicon
from generator.language.notation import Slot, parse_form
from generator.language.screen import screen
from generator.language.speech import Groups, SharedForms, Speech, load_shared
from generator.language.units import MONEY_SIGNS
from generator.language.vocabulary import FieldName, ItemName, Vocabulary
from generator.modes.acknowledge import reply_type
from generator.modes.constraint_synthesis.voice import (
    _can_render,
    _groups,
    _sample_event,
    check_bindings,
    check_voice,
    load_speech,
    load_worlds,
    vocabulary_of,
)
from generator.modes.protocol import Kit
from generator.records import Event, Lang
from generator.seeds import stream
from generator.stages.pipeline import Workshop
from generator.stages.topics import load_topics
from generator.states.update_chain.chain import INERT
from generator.states.update_chain.world import World

LANGS: tuple[Lang, ...] = ("zh", "en")
HOME = Path(__file__).resolve().parents[1] / "ground_truth" / "update_chains"
WORLDS = [(lang, path.stem) for lang in LANGS for path in sorted((HOME / lang).glob("*.yaml"))]
ENDS = "。？！?!."
SEEDS = st.integers(min_value=0, max_value=2**32)
GetKit = Callable[[Lang, str], Kit]

each_world = pytest.mark.parametrize(("lang", "world"), WORLDS, ids=str)
few = settings(max_examples=40, deadline=None)


class Case(NamedTuple):
    """A wording with an event that it says, and how it is heard."""

    wording: Wording
    event: Event
    text: str
    reply: bool

    @property
    def elliptical(self) -> bool:
        return "item" not in self.wording.attributes and self.event.item is not None

    @property
    def heard(self) -> Event:
        return self.event._replace(item=None) if self.elliptical else self.event


def has_discount(wording: Wording) -> bool:
    return any(isinstance(p, Slot) and p.filter == "discount" for p in wording.parts)


def case_of(kit: Kit, wording: Wording, rng: Random, *, wide: bool = False, reply: bool = False) -> Case | None:
    """Return a drawn case; None where the draw's condition or rule is not the wording's."""
    event = _sample_event(kit.world, wording.kind, wording.family, wording, rng)
    if not _can_render(kit.voice.speech, event, wording.tag):
        return None
    if wide:
        event = widen(kit.world, event, has_discount(wording), rng)
    return Case(wording, event, kit.voice.speech.render(wording, event, rng), reply)


def widen(world: World, event: Event, discount: bool, rng: Random) -> Event:
    """Return the event with values far outside the bands of the trade, in whole units and broken ones."""
    if event.field is None or event.value is None:
        return event
    field = world.field_by_id[event.field]

    def draw() -> int:
        if "percent" in event.kind:
            return 100 * rng.randint(1, 89) if discount or rng.random() < 0.7 else 50 * rng.randint(1, 190)
        if "adjust" in event.kind and field.family in {"clock", "date"}:
            return rng.randint(1, 600 if field.family == "clock" else 120)
        if field.family == "count":
            return rng.randint(2, 400)
        if field.family == "money":
            return rng.choice([100 * rng.randint(2, 30_000), 1_000 * rng.randint(1, 3_000), rng.randint(1, 3_000_000)])
        if field.family == "measure":
            return rng.randint(1, 400 * field.scale)
        if field.family == "clock":
            return rng.randint(0, 1439)
        return dt.date(world.year, 1, 1).toordinal() + rng.randint(0, 364)

    return event._replace(value=draw(), first=draw() if event.first is not None else None)


def drawn(kit: Kit, seed: int, *, wide: bool = False) -> Iterator[Case]:
    """Return an endless stream of cases of a world's user wordings."""
    rng, wordings = Random(seed), kit.voice.speech.wordings
    while True:
        case = case_of(kit, rng.choice(wordings), rng, wide=wide)
        if case is not None:
            yield case


# --- every wording reads back ---------------------------------------------------------------------------------------


@each_world
def test_every_wording_reads_back(kit: GetKit, lang: Lang, world: str) -> None:
    """Several values of the trade per wording; not one may be read otherwise."""
    speech, missed = kit(lang, world).voice.speech, []
    for reply, wordings in ((False, speech.wordings), (True, speech.replies)):
        for wording in wordings:
            for draw in range(3):
                case = case_of(kit(lang, world), wording, stream(draw, wording.skeleton_id, world), reply=reply)
                if case and not speech.is_read_back(case.text, case.event, elliptical=case.elliptical, reply=reply):
                    missed.append((case.text, wording.form))
    assert missed == []


@each_world
@few
@given(seed=SEEDS)
def test_any_value_reads_back(kit: GetKit, lang: Lang, world: str, seed: int) -> None:
    """Also values that the trade does not know: every family to its limits."""
    one = kit(lang, world)
    for case in islice(drawn(one, seed, wide=True), 12):
        reading = one.voice.speech.reader.read(case.text)
        assert reading.events == (case.heard,), case.text
        assert not reading.residue, case.text


@each_world
def test_the_mode_s_own_lint_finds_nothing(kit: GetKit, content: ContentRoot, lang: Lang, world: str) -> None:
    assert check_voice(kit(lang, world).world, kit(lang, world).voice.speech) == []


# --- what may be done to a turn without changing what it says -------------------------------------------------------


@pytest.mark.parametrize("world", [w for lang, w in WORLDS if lang == "zh"])
@few
@given(seed=SEEDS)
def test_full_width_digits_read_the_same(kit: GetKit, world: str, seed: int) -> None:
    wide = {ord("0") + i: 0xFF10 + i for i in range(10)} | {ord("%"): 0xFF05}
    reader = kit("zh", world).voice.speech.reader
    for case in islice(drawn(kit("zh", world), seed), 8):
        assert reader.read(case.text.translate(wide)) == reader.read(case.text), case.text


@pytest.mark.parametrize("world", [w for lang, w in WORLDS if lang == "zh"])
@few
@given(seed=SEEDS)
def test_a_turn_made_traditional_and_back_reads_the_same(kit: GetKit, world: str, seed: int) -> None:
    there, back = _converter("s2t"), _converter("t2s")
    reader = kit("zh", world).voice.speech.reader
    for case in islice(drawn(kit("zh", world), seed), 8):
        assert reader.read(back(there(case.text))).events == (case.heard,), case.text


_CONVERTERS: dict[str, Any] = {}


def _converter(name: str) -> Callable[[str], str]:
    if name not in _CONVERTERS:
        _CONVERTERS[name] = opencc.OpenCC(name)
    return _CONVERTERS[name].convert  # type: ignore[no-any-return]


@each_world
@few
@given(seed=SEEDS)
def test_case_spaces_and_stops_change_nothing(kit: GetKit, lang: Lang, world: str, seed: int) -> None:
    reader = kit(lang, world).voice.speech.reader
    for case in islice(drawn(kit(lang, world), seed), 6):
        ends = [] if case.text[-1] in ENDS else (["。", "！", "…"] if lang == "zh" else [".", "!", " "])
        variants = [case.text + end for end in ends]
        variants.append(case.text.replace("，", " ， ") if lang == "zh" else case.text[:1].upper() + case.text[1:])
        for text in variants:
            assert reader.read(text).events == (case.heard,), text


@each_world
@few
@given(seed=SEEDS, count=st.integers(2, 3))
def test_joined_turns_read_as_their_events_in_order(kit: GetKit, lang: Lang, world: str, seed: int, count: int) -> None:
    """Sentences never run into each other, whatever stands beside whatever."""
    reader = kit(lang, world).voice.speech.reader
    for joint in "。；" if lang == "zh" else ".;":
        cases = list(islice(drawn(kit(lang, world), seed), count))
        ended = [c.text + ("" if c.text[-1] in ENDS else joint) for c in cases]
        text = ("" if lang == "zh" else " ").join(ended)
        reading = reader.read(text)
        assert reading.events == tuple(c.heard for c in cases), text
        assert not reading.residue, text


@each_world
def test_commas_seldom_glue_two_clauses(kit: GetKit, lang: Lang, world: str) -> None:
    """「，」 between two events is drawn again when it glues them; more than one in fifty would be a fault of forms."""
    one, glued = kit(lang, world), []
    pairs = list(islice(drawn(one, 5), 600))
    for left, right in zip(pairs[::2], pairs[1::2], strict=True):
        if left.text[-1] not in ENDS:
            text = left.text + ("，" if lang == "zh" else ", ") + right.text
            reading = one.voice.speech.reader.read(text)
            if reading.events != (left.heard, right.heard) or reading.residue:
                glued.append(text)
    assert len(glued) <= 6, glued


@each_world
@few
@given(seed=SEEDS)
def test_a_clause_left_over_is_noticed(kit: GetKit, lang: Lang, world: str, seed: int) -> None:
    """Beside an event, an unread clause with a name, a bare number or a loose one rejects the turn."""
    one = kit(lang, world)
    reader, rng = one.voice.speech.reader, Random(seed)
    name = rng.choice(rng.choice(one.voice.speech.vocabulary.items).names)
    money, sign = any(f.family == "money" for f in one.world.fields), MONEY_SIGNS[one.world.currency]
    zh = [f"{name}你知道的", f"还有{name}那个事", "137", "三四十来个", *["四百五"] * money]
    en = [f"you know what the {name} are like", f"mind the {name}", "137", "a couple of dozen", *[f"{sign}450"] * money]
    rests = zh if lang == "zh" else en
    for case in islice(drawn(one, seed), 4):
        for rest in rests:
            for text in _beside(case.text, rest, lang):
                reading = reader.read(text)
                assert reading.residue or reading.events != (case.heard,), text
                assert reading.residue or reading.events == (), text


def _beside(text: str, rest: str, lang: Lang) -> list[str]:
    stop = "。" if lang == "zh" else ". "
    gap = " " if lang == "en" else ""
    return [f"{rest}{stop}{text}", (text if text[-1] in ENDS else text + stop.strip()) + gap + rest]


# --- free text says nothing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_no_topic_wording_says_anything_in_any_world(
    kits: Callable[[Lang], list[Kit]], content: ContentRoot, lang: Lang
) -> None:
    """Even wordings that a world's screen keeps out are no events there."""
    texts = [t for topic in load_topics(content, lang) for e in topic.exchanges for t in (*e.user, *e.assistant)]
    assert len(texts) > 200
    for kit in kits(lang):
        read = kit.voice.speech.reader.read
        assert [(kit.id, t) for t in texts if read(t).events] == []


@pytest.mark.parametrize("lang", LANGS)
def test_topics_as_a_world_hears_them_leave_nothing(workshop: Callable[[Lang], Workshop], lang: Lang) -> None:
    shop = workshop(lang)
    for kit in shop.kits:
        for topic in shop.topics[kit.id]:
            for text in (t for e in topic.exchanges for t in (*e.user, *e.assistant)):
                reading = kit.voice.speech.reader.read(text)
                assert (reading.events, reading.residue, reading.named) == ((), (), ()), (kit.id, text)
                assert screen(kit.voice.speech, text) is None


@each_world
def test_free_text_of_a_world_says_nothing(kit: GetKit, content: ContentRoot, lang: Lang, world: str) -> None:
    one = kit(lang, world)
    definition: World = one.world
    user = [*definition.openings, *definition.asides, *(r for rs in definition.reasons.values() for r in rs)]
    user += [t for topic in definition.near for chat in topic.follow for t in chat.user]
    user += [t for c in definition.clarify for t in c.answer]
    user += [*one.voice.speech.lexicon.back_openers, *one.voice.speech.lexicon.chat_openers]
    for text in user:
        reading = one.voice.speech.reader.read(text)
        assert (reading.events, reading.residue, reading.named) == ((), (), ()), text
    assistant = [t for topic in definition.near for t in topic.assistant]
    assistant += [t for topic in definition.near for chat in topic.follow for t in chat.assistant]
    assistant += [t for c in definition.clarify for t in (*c.ask, *c.thanks)]
    for text in assistant:
        reading = one.voice.speech.reply_reader.read(text)
        assert (reading.residue, reading.named) == ((), ()), text
        assert not [e for e in reading.events if not e.kind.startswith("ack.")], text


@pytest.mark.parametrize("lang", LANGS)
def test_near_topics_are_foreign_and_nothing_else(kits: Callable[[Lang], list[Kit]], lang: Lang) -> None:
    for kit in kits(lang):
        for wording in kit.voice.speech.wordings:
            if any(isinstance(p, Slot) and p.filter == "owner" for p in wording.parts):
                assert wording.kind in INERT, wording.form


# --- how many forms there are ---------------------------------------------------------------------------------------

WORLD_KINDS = {"intro", "rule", "cond.met", "cond.unmet"}


@pytest.mark.parametrize("lang", LANGS)
def test_every_kind_of_event_has_twelve_wordings_and_six_forms(content: ContentRoot, lang: Lang) -> None:
    forms: dict[str, set[str]] = defaultdict(set)
    wordings: dict[str, set[tuple[object, ...]]] = defaultdict(set)
    groups = [group for _, group in load_shared(content, lang, "update_chain").user]
    groups += [group for world in load_worlds(content, lang) for group in _groups(world)]
    for group in groups:
        for source in group.forms:
            forms[group.event].add(source.text)
            wordings[group.event].update(parse_form(lang, source.text))
    assert set(DOCUMENTED) <= set(forms)
    assert {k: len(v) for k, v in wordings.items() if len(v) < 12} == {}
    assert {k: len(v) for k, v in forms.items() if len(v) < 6} == {}


DOCUMENTED = (
    "set", "adjust.up", "adjust.down", "percent.up", "percent.down", "copy", "swap", "revert.prev", "revert.first",
    "cancel", "restore", "bulk.percent.up", "bulk.percent.down", "bulk.adjust.up", "bulk.adjust.down", "cond",
    "correct", "waver", "scoped", "hypo", "hearsay", "question", "foreign", "rule", "cond.met", "cond.unmet", "intro",
)  # fmt: skip


@each_world
def test_every_world_can_say_everything_about_its_own_fields(kit: GetKit, lang: Lang, world: str) -> None:
    """A family without wordings for a kind of event would bar that event, silently, from that world."""
    one = kit(lang, world)
    said = {(w.kind, w.family) for w in one.voice.speech.wordings}
    for field in one.world.fields:
        for kind in ("set", "adjust.up", "adjust.down", "revert.prev", "revert.first", "correct", "waver", "hypo"):
            assert (kind, field.family) in said, (kind, field.id)


@pytest.mark.parametrize("lang", LANGS)
def test_every_acknowledgement_can_be_true(content: ContentRoot, lang: Lang) -> None:
    """`ack.TYPE.KIND` is only ever said after events of KIND, so TYPE must be what such events call for."""
    dead = []
    for where, group in load_shared(content, lang, "update_chain").assistant:
        if group.event.startswith("ack."):
            kind, _, narrow = group.event.removeprefix("ack.").partition(".")
            if narrow and reply_type([Event(narrow)]) != kind:
                dead.append(f"{where}: {group.event}")
    assert dead == []


# --- what loading refuses -------------------------------------------------------------------------------------------

WORDS = Vocabulary(
    lang="zh",
    year=2027,
    currency="CNY",
    items=(ItemName("chair", ("椅子",), "把"), ItemName("desk", ("升降桌", "桌子"), "张")),
    fields=(FieldName("qty", "count", ("数量",)), FieldName("price", "money", ("单价",), (), 100)),
    owners=("隔壁公司",),
    conditions={"lift": ("货梯用不了",)},
    scopes={"first": ("首批",)},
)
NO_REPLIES: Groups = [("assistant.yaml", FormGroup(event="ack.applied", forms=(FormSource(text="好"),)))]


def speak(*forms: tuple[str, dict[str, Any]], words: Vocabulary = WORDS) -> Speech:
    groups = [
        ("templates/forms/zh/x.yaml", FormGroup(event=event, forms=(FormSource.model_validate(form, strict=False),)))
        for event, form in forms
    ]
    lexicon = default_root().load("templates/forms/zh/lexicon.yaml", Lexicon)
    return Speech(words, SharedForms(groups, NO_REPLIES, lexicon), [], [])


def refusal(*forms: tuple[str, dict[str, Any]]) -> str:
    with pytest.raises(GenError) as caught:
        speak(*forms)
    return str(caught.value)


SET = ("set", {"for": ["count"], "text": "{{ x|item }}改成{{ v|value }}"})


def test_a_hand_made_world_speaks() -> None:
    speech = speak(SET)
    assert speech.reader.read("椅子改成十二把").events == (Event("set", "chair", "qty", 12),)


def test_two_meanings_of_one_skeleton_are_refused_with_both_places() -> None:
    text = refusal(SET, ("hypo", {"for": ["count"], "text": "{{ x|item }}改成{{ v|value }}"}))
    assert "templates/forms/zh/x.yaml: hypo no. 1" in text
    assert "already means 'set' in templates/forms/zh/x.yaml: set no. 1" in text
    assert "'I改成C'" in text


def test_the_same_skeleton_with_slots_the_other_way_round_is_refused() -> None:
    text = refusal(
        ("copy", {"for": ["money"], "text": "{{ x|item }}跟{{ y|item }}同价"}),
        ("copy", {"for": ["money"], "text": "{{ y|item }}跟{{ x|item }}同价"}),
    )
    assert "already means 'copy'" in text


def test_a_clash_hidden_in_a_pick_is_found() -> None:
    assert "already means" in refusal(
        SET, ("adjust.up", {"for": ["count"], "text": "{{ x|item }}{{ ['加','改成']|pick }}{{ n|delta }}"})
    )


def test_the_same_form_twice_is_harmless() -> None:
    assert len(speak(SET, SET).wordings) == 2


@pytest.mark.parametrize(("text", "shows"), [
    ("椅子改成{{ v|value }}", "chair"), ("把升降桌改成{{ v|value }}", "desk"),
    ("{{ x|item }}的单价是{{ v|value }}", "price"),
    ("隔壁公司的{{ x|item }}改成{{ v|value }}", "隔壁公司"), ("首批的{{ x|item }}{{ v|value }}", "first"),
    ("货梯用不了，{{ x|item }}改成{{ v|value }}", "lift"),
])  # fmt: skip
def test_a_name_in_a_literal_is_refused(text: str, shows: str) -> None:
    told = refusal(("set", {"for": ["count"], "text": text}))
    assert "a name or number inside the literal text" in told
    assert shows in told


@pytest.mark.parametrize("text", [
    "{{ x|item }}改成{{ v|value }}，省两百", "{{ x|item }}12改成{{ v|value }}", "{{ x|item }}打九折，要{{ v|value }}",
    "{{ x|item }}{{ v|value }}，降5%", "{{ x|item }}{{ ['改成','三百改成']|pick }}{{ v|value }}",
    "{{ x|item }}每把{{ v|value }}", "{{ x|item }}三四把，要{{ v|value }}",
])  # fmt: skip
def test_a_number_in_a_literal_is_refused(text: str) -> None:
    assert "a name or number inside the literal text" in refusal(("set", {"for": ["count"], "text": text}))


def test_a_slot_that_is_no_field_is_refused() -> None:
    text = refusal(("intro", {"text": "{{ x|item }}要{{ qty|value }}，{{ colour|value }}"}))
    assert "'colour' is neither a slot name nor a field" in text


def test_a_value_without_a_family_is_refused() -> None:
    assert "a value without a family" in refusal(("set", {"text": "{{ x|item }}改成{{ v|value }}"}))


@pytest.mark.parametrize(("event", "form"), [
    ("bulk.adjust.up", {"for": ["count"], "text": "每样都多来一份"}),
    ("adjust.down", {"for": ["count"], "text": "{{ x|item }}少要点"}),
    ("set", {"for": ["count"], "text": "{{ x|item }}就这么定"}),
    ("copy", {"for": ["money"], "text": "{{ x|item }}照抄"}),
    ("cond", {"for": ["count"], "text": "{{ x|item }}改成{{ v|value }}"}),
    ("waver", {"for": ["count"], "text": "{{ x|item }}要{{ v|value }}"}),
    ("scoped", {"for": ["count"], "text": "{{ x|item }}只要{{ v|value }}"}),
    ("foreign", {"for": ["count"], "text": "{{ x|item }}要了{{ v|value }}"}),
    ("intro", {"text": "{{ x|item }}要{{ qty|value }}"}),
], ids=lambda v: v if isinstance(v, str) else "")  # fmt: skip
def test_a_field_that_no_slot_binds_is_refused(event: str, form: dict[str, Any]) -> None:
    """「每样都多来一份」: how many is lost, and the event would be read without its value."""
    with pytest.raises(GenError) as caught:
        check_bindings(speak((event, form)))
    assert "templates/forms/zh/x.yaml" in str(caught.value)


@pytest.mark.parametrize("text", ["{{ x|value }}改成{{ v|value }}", "{{ v|item }}改成", "{{ o|scope }}的{{ x|item }}"])
def test_a_slot_under_a_filter_of_another_kind_is_refused(text: str) -> None:
    assert "templates/forms/zh/x.yaml" in refusal(("set", {"for": ["count"], "text": text}))


def test_all_faults_of_all_forms_are_told_at_once() -> None:
    text = refusal(
        ("set", {"for": ["count"], "text": "椅子改成{{ v|value }}"}),
        ("set", {"text": "{{ x|item }}改成{{ v|value }}"}),
        SET,
    )
    assert "2 forms are refused" in text
    assert "set no. 1" in text
    assert "set no. 2" in text


@pytest.mark.parametrize("text", [
    "{{ x|item }}变了呀。改成{{ v|value }}", "{{ x|item }}变了呀；改成{{ v|value }}",
    "{{ x|item }}呀{{ v|value }}左右吧", "{{ x|item }}，嗯，啊，呀，就{{ v|value }}",
])  # fmt: skip
def test_the_lint_names_a_form_that_does_not_read_back(content: ContentRoot, text: str) -> None:
    """Sentences are looked up one by one, at most four clauses at a time, and a loose amount is no amount."""
    world = next(w for w in load_worlds(content, "zh") if w.id == "office_purchasing")
    shared = load_shared(content, "zh", "update_chain")
    source = FormSource.model_validate({"for": ["count"], "text": text}, strict=False)
    bad = ("planted.yaml", FormGroup(event="set", forms=(source,)))
    speech = Speech(vocabulary_of(world), SharedForms([*shared.user, bad], shared.assistant, shared.lexicon), [], [])
    faults = check_voice(world, speech)
    assert len(faults) == 1
    assert faults[0].startswith("planted.yaml: set no. 1: does not read back")


def test_a_refused_form_is_named_with_file_and_line(tmp_path: Path) -> None:
    home = tmp_path / "templates" / "forms" / "zh" / "update_chain" / "user"
    home.mkdir(parents=True)
    lines = ["- event: set", "  forms:", '    - {for: [count], text: "{{ x|item }}妥妥定{{ v|value }}"}']
    lines.append('    - {for: [count], text: "{% if a %}{{ x|item }}{% endif %}"}')
    (home / "mine.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    content = default_root(tmp_path)
    with pytest.raises(GenError) as caught:
        load_speech(content, load_worlds(content, "zh")[0])
    assert "templates/forms/zh/update_chain/user/mine.yaml:4: set no. 2: a If statement" in str(caught.value)
