"""Audits of what is irrelevant and of form: inert and shape."""

from __future__ import annotations

import re

from generator.audit.case import Case
from generator.language.screen import screen
from generator.records import AuditFinding

CANARY_MARK = "turnproof-canary"
_PERSONAL = re.compile(
    r"(?<!\d)(?:\+44 ?|0)7\d{3} ?\d{3} ?\d{3}(?!\d)|(?<!\d)1[3-9]\d{9}(?!\d)|(?<!\d)\d{17}[\dXx](?!\d)|[\w.]+@[\w-]+\.\w{2,}|https?://"
)
# Jinja's marks, and a slot that nobody filled; a topic about code may hold braces of its own.
_BRACES = re.compile(r"\{\{|\}\}|\{%|%\}|\{[a-z_]+\}")


def audit_inert(case: Case) -> list[AuditFinding]:
    """Reject when a distractor reads as anything but an inert type, touches the trade, or names a gold value."""
    found = []
    speech = case.kit.voice.speech
    gold = {(path.split(".")[1], value) for path, value in case.key.answer.items()}
    for run in case.runs:
        for turn in run:
            where = f"{case.task.id} exchange {turn + 1}"
            text = case.users[turn]
            reply = case.replies[turn] if turn < len(case.replies) else ""
            events = case.exchanges[turn].user.events
            active = [e for e in events if e.kind not in case.mode.inert_kinds]
            if active:
                found.append(case.finding("inert", f"it reads as {active[0].kind}: {text!r}", where))
            for event in events:
                if (event.field, event.value) in gold:
                    found.append(case.finding("inert", f"it names a value of the answer: {text!r}", where))
            if not events:
                why = screen(speech, text)
                if why:
                    found.append(case.finding("inert", f"{why}: {text!r}", where))
            why = screen(speech, reply)
            if why:
                found.append(case.finding("inert", f"the reply: {why}: {reply!r}", where))
    return found


def audit_shape(case: Case) -> list[AuditFinding]:
    """Reject wrong roles, lengths outside the policy, unrendered braces, empty turns, personal data, a canary."""
    found = []
    roles = [m.role for m in case.task.messages]
    if (
        roles[::2] != ["user"] * len(roles[::2])
        or roles[1::2] != ["assistant"] * len(roles[1::2])
        or len(roles) % 2 == 0
    ):
        found.append(case.finding("shape", "user and assistant do not alternate from the first to the last message"))
    factors = case.key.factors
    bounds = case.policy.turns
    if not bounds.min <= len(case.users) <= bounds.max:
        found.append(case.finding("shape", f"{len(case.users)} turns, outside {bounds.min} to {bounds.max}"))
    if factors.turns != len(case.users) or factors.core != len(case.group_of):
        found.append(case.finding("shape", "the factors do not describe this dialogue"))
    for number, message in enumerate(case.task.messages, 1):
        where = f"{case.task.id} message {number}"
        if not message.content.strip():
            found.append(case.finding("shape", "an empty message", where))
        if _BRACES.search(message.content):
            found.append(case.finding("shape", f"unrendered words: {message.content!r}", where))
        if _PERSONAL.search(message.content):
            found.append(case.finding("shape", "something that looks like personal data", where))
        if CANARY_MARK in message.content:
            found.append(case.finding("shape", "the canary inside a dialogue", where))
    return found
