"""The judge's messages, from templates in content. User text enters as a value and is never read as a template."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.content import ContentRoot
from generator.errors import GenError
from generator.records import Lang, Message
from generator.runner.judge.wants import Want


def template_name(lang: Lang) -> str:
    """Return the content name of a language's prompt."""
    return f"templates/prompts/judge_{lang}.md.j2"


@lru_cache(maxsize=8)
def _compile(text: str) -> Template:
    # Prompts are plain text: escaping would spoil the reply that is to be quoted.
    env = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    env.filters.pop("random", None)
    return env.from_string(text)


def write_prompt(
    content: ContentRoot, lang: Lang, wants: Sequence[Want], shown: str, token: str
) -> tuple[Message, Message]:
    """Return the system and the user message.

    Args:
        content: Holds the templates.
        lang: Language of the task, and of the prompt.
        wants: The items, in words.
        shown: The reply, as `show_reply` returns it.
        token: The token of the fence.

    Raises:
        GenError: The template is missing or faulty.
    """
    name = template_name(lang)
    try:
        template = _compile(content.text(name))
        fields = {"wants": wants, "reply": shown, "token": token}
        system, user = (template.render(part=part, **fields) for part in ("system", "user"))
    except TemplateError as error:
        raise GenError(name, f"the template cannot be rendered: {error}", "mend the template") from error
    return Message(role="system", content=system), Message(role="user", content=user)
