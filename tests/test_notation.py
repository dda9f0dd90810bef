"""What forms may hold: everything outside the notation is refused, and the error says where and why."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from generator.errors import GenError
from generator.language.notation import Slot, parse_form

WHERE = "templates/forms/zh/x.yaml: set no. 7"


class Probe(NamedTuple):
    """A text that is no form, and a word that the refusal must hold."""

    name: str
    text: str
    says: str


REFUSED = [
    Probe("if", "{% if x %}a{% endif %}", "If"),
    Probe("for", "{% for a in b %}a{% endfor %}", "For"),
    Probe("set", "{% set a = 1 %}a", "Assign"),
    Probe("set block", "{% set a %}b{% endset %}", "AssignBlock"),
    Probe("macro", "{% macro m() %}a{% endmacro %}", "Macro"),
    Probe("call block", "{% call m() %}a{% endcall %}", "CallBlock"),
    Probe("block", "{% block b %}a{% endblock %}", "Block"),
    Probe("include", "{% include 'a' %}", "Include"),
    Probe("import", "{% import 'a' as b %}", "Import"),
    Probe("from", "{% from 'a' import b %}", "FromImport"),
    Probe("extends", "{% extends 'a' %}", "Extends"),
    Probe("filter block", "{% filter upper %}a{% endfilter %}", "FilterBlock"),
    Probe("with", "{% with %}a{% endwith %}", "With"),
    Probe("autoescape", "{% autoescape true %}a{% endautoescape %}", "Scope"),
    Probe("do", "{% do x %}", "not readable"),
    Probe("raw with braces", "{% raw %}{{ x|item }}{% endraw %}", "raw"),
    Probe("raw without braces", "{% raw %}改成{% endraw %}", "raw"),
    Probe("raw with white space control", "{%- raw -%}改成{%- endraw -%}", "raw"),
    Probe("raw without spaces", "{%raw%}改成{%endraw%}", "raw"),
    Probe("bare name", "{{ x }}改成{{ v|value }}", "Name"),
    Probe("attribute", "{{ x.names }}", "Getattr"),
    Probe("attribute under a filter", "{{ x.names|item }}", "item"),
    Probe("subscript", "{{ x[0] }}", "Getitem"),
    Probe("filter chain", "{{ x|item|owner }}", "owner"),
    Probe("filter argument", "{{ v|value(2) }}", "Filter"),
    Probe("filter keyword", "{{ v|value(short=true) }}", "Filter"),
    Probe("filter star", "{{ v|value(*a) }}", "Filter"),
    Probe("filter of a constant", "{{ 12|value }}", "value"),
    Probe("test", "{{ x is defined }}", "Test"),
    Probe("concatenation", "{{ x ~ y }}", "Concat"),
    Probe("sum", "{{ x + y }}", "Add"),
    Probe("comparison", "{{ x == y }}", "Compare"),
    Probe("negation", "{{ not x }}", "Not"),
    Probe("conditional expression", "{{ x if y else z }}", "CondExpr"),
    Probe("call", "{{ x() }}", "Call"),
    Probe("call under a filter", "{{ x()|item }}", "item"),
    Probe("string constant", "{{ '12' }}", "TemplateData|Const"),
    Probe("number constant", "{{ 12 }}", "Const"),
    Probe("bare list", "{{ ['a','b'] }}", "List"),
    Probe("bare dict", "{{ {'a': 1} }}", "Dict"),
    Probe("unknown filter", "{{ x|upper }}", "upper"),
    Probe("Jinja's own random", "{{ ['a','b']|random }}", "random"),
    Probe("no filter name", "{{ x| }}", "not readable"),
    Probe("empty braces", "{{ }}", "not readable"),
    Probe("open braces", "改成{{ v|value ", "not readable"),
    Probe("slot twice", "{{ x|item }}改成{{ v|value }}，是{{ v|value }}", "used twice"),
    Probe("item twice", "{{ x|item }}换{{ x|item }}", "used twice"),
    Probe("numbers touch", "{{ x|item }}{{ u|value }}{{ v|value }}", "touch"),
    Probe("value and delta touch", "{{ v|value }}{{ n|delta }}", "touch"),
    Probe("percent and discount touch", "{{ r|percent }}{{ d|discount }}", "touch"),
    Probe("numbers touch over a comment", "{{ u|value }}{# 到 #}{{ v|value }}", "touch"),
    Probe("numbers touch in the first wording", "{{ u|value }}{{ ['','到']|pick }}{{ v|value }}", "touch"),
    Probe("numbers touch in a later wording", "{{ u|value }}{{ ['到','']|pick }}{{ v|value }}", "touch"),
    Probe("brace in a literal", "改成 { v }", "brace"),
    Probe("closing brace", "改成}{{ v|value }}", "brace"),
    Probe("slot inside a pick", "{{ ['一{{u}}','']|pick }}", "brace"),
    Probe("brace inside a pick", "{{ ['{','a']|pick }}", "brace"),
    Probe("one-string pick", "{{ ['谈到']|pick }}", "pick"),
    Probe("empty pick", "{{ []|pick }}", "pick"),
    Probe("the same string twice", "{{ ['谈到','谈到']|pick }}", "pick"),
    Probe("name in a pick", "{{ ['谈到', x]|pick }}", "pick"),
    Probe("number in a pick", "{{ ['谈到', 1]|pick }}", "pick"),
    Probe("pick of a tuple", "{{ ('谈到','谈成')|pick }}", "pick"),
    Probe("pick of a name", "{{ x|pick }}", "pick"),
    Probe("pick with an argument", "{{ ['a','b']|pick(1) }}", "Filter"),
    Probe("pick and then a filter", "{{ ['a','b']|pick|item }}", "item"),
    Probe("list under a slot filter", "{{ ['a','b']|item }}", "item"),
]


@pytest.mark.parametrize("probe", REFUSED, ids=lambda p: p.name)
def test_what_is_outside_the_notation_is_refused_with_file_and_reason(probe: Probe) -> None:
    with pytest.raises(GenError) as caught:
        parse_form(WHERE, probe.text)
    text = str(caught.value)
    assert text.startswith(WHERE)
    assert any(word in text for word in probe.says.split("|"))
    assert "fix:" in text


def test_probes_are_many_and_each_is_another() -> None:
    assert len({p.text for p in REFUSED}) == len(REFUSED) >= 30


def test_literals_slots_and_picks_become_parts() -> None:
    assert parse_form(WHERE, "{{ x|item }}少要{{ n|delta }}") == [(Slot("x", "item"), "少要", Slot("n", "delta"))]
    assert parse_form(WHERE, "{{ ['谈到','谈成']|pick }}{{ v|value }}") == [
        ("谈到", Slot("v", "value")),
        ("谈成", Slot("v", "value")),
    ]


def test_an_empty_pick_joins_its_neighbours() -> None:
    assert parse_form(WHERE, "价{{ ['','格']|pick }}定了") == [("价定了",), ("价格定了",)]


def test_comments_and_white_space_control_leave_nothing() -> None:
    assert parse_form(WHERE, "{# 备注 #}{{- x|item -}} 不要了") == [(Slot("x", "item"), "不要了")]


def test_picks_multiply_up_to_a_limit() -> None:
    pick = "{{ ['a','b']|pick }}"
    assert len(parse_form(WHERE, pick * 5)) == 32
    with pytest.raises(GenError, match="64 wordings"):
        parse_form(WHERE, pick * 6)
