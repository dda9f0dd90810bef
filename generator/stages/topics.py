"""Irrelevant chat: content of `templates/distractors/<lang>/`."""

from __future__ import annotations

from pydantic import Field, model_validator

from generator.content import ContentRoot
from generator.errors import GenError
from generator.language.screen import screen
from generator.modes.protocol import Kit
from generator.records import Frozen, Lang, Split


class TopicExchange(Frozen):
    """One exchange: interchangeable wordings of the user and of the assistant."""

    user: tuple[str, ...] = Field(min_length=1)
    assistant: tuple[str, ...] = Field(min_length=1)


class Topic(Frozen):
    """A topic of one to four exchanges. `back` are openers for when it is taken up again."""

    id: str
    kind: str
    split: Split
    splittable: bool = False
    back: tuple[str, ...] = ()
    exchanges: tuple[TopicExchange, ...] = Field(min_length=1, max_length=4)

    @model_validator(mode="after")
    def _can_come_back(self) -> Topic:
        if self.splittable and (len(self.exchanges) < 2 or not self.back):
            raise ValueError("a splittable topic needs two exchanges and a way back")
        return self


def load_topics(content: ContentRoot, lang: Lang) -> list[Topic]:
    """Return all topics of a language.

    Raises:
        GenError: There is none, one is invalid, or two share an id.
    """
    home = f"templates/distractors/{lang}"
    topics: list[Topic] = [t for name in content.files(home) for t in content.load(name, list[Topic])]
    if not topics:
        raise GenError(home, "no topics", "add a YAML file of topics")
    seen: set[str] = set()
    for topic in topics:
        if topic.id in seen:
            raise GenError(home, f"two topics are called {topic.id!r}", "rename one")
        seen.add(topic.id)
    return topics


def fit_topics(kit: Kit, topics: list[Topic], split: Split) -> list[Topic]:
    """Return the topics of a split as this world may hear them: wordings that fail its screen are left out.

    Raises:
        GenError: Fewer than ten topics are left.
    """
    speech = kit.voice.speech
    fitting = []
    for topic in topics:
        if topic.split != split:
            continue
        exchanges = []
        for exchange in topic.exchanges:
            user = tuple(t for t in exchange.user if screen(speech, t) is None)
            assistant = tuple(t for t in exchange.assistant if screen(speech, t) is None)
            if not user or not assistant:
                break
            exchanges.append(TopicExchange(user=user, assistant=assistant))
        # What is left of a topic still makes sense up to where it breaks off.
        if exchanges:
            whole = len(exchanges) == len(topic.exchanges)
            keeps = topic.splittable and len(exchanges) > 1
            fitting.append(
                topic if whole and exchanges == list(topic.exchanges)
                else Topic(
                    id=topic.id, kind=topic.kind, split=topic.split, splittable=keeps,
                    back=topic.back if keeps else (), exchanges=tuple(exchanges),
                )
            )  # fmt: skip
    if len(fitting) < 10:
        raise GenError(
            f"world {kit.id}", f"only {len(fitting)} topics pass its lexical screen", "rename rows or add topics"
        )
    return fitting
