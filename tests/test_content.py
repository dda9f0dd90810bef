"""The content loader: what it refuses, where it says so, and what an overlay does."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.content import ContentRoot, default_root
from generator.content.loader import MAX_BYTES
from generator.errors import ExitCode, GenError
from generator.language.forms import FormGroup
from generator.language.lexicon import Lexicon
from generator.records import Frozen, Lang
from generator.states.update_chain.world import World

Make = Callable[..., ContentRoot]
NAME = "templates/a.yaml"


class Small(Frozen):
    """A file of two fields."""

    name: str
    parts: tuple[int, ...] = ()


def refusal(content: ContentRoot, name: str = NAME, model: object = Small) -> str:
    with pytest.raises(GenError) as caught:
        content.load(name, model)
    assert caught.value.code is ExitCode.CONTENT
    return str(caught.value)


def test_a_sound_file_is_loaded(content_folder: Make) -> None:
    assert content_folder({NAME: "name: a\nparts: [1, 2]\n"}).load(NAME, Small) == Small(name="a", parts=(1, 2))


def test_a_byte_order_mark_is_no_part_of_the_text(content_folder: Make) -> None:
    assert content_folder({NAME: b"\xef\xbb\xbfname: a\n"}).load(NAME, Small).name == "a"


def test_aliases_are_refused_with_file_and_line(content_folder: Make) -> None:
    text = refusal(content_folder({NAME: "name: &a x\nother: y\nparts: *a\n"}))
    assert text.startswith(f"{NAME}:3:")
    assert "alias" in text


def test_nested_aliases_do_not_unfold(content_folder: Make) -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{y}: &{y} [*{x}, *{x}]\n" for x, y in zip("abcdefgh", "bcdefghi", strict=True))
    assert f"{NAME}:2:" in refusal(content_folder({NAME: bomb}))


def test_signs_of_aliases_inside_text_are_text(content_folder: Make) -> None:
    assert content_folder({NAME: "name: 'R&D *now*'\n"}).load(NAME, Small).name == "R&D *now*"


def test_a_file_over_the_limit_is_refused_unread(content_folder: Make) -> None:
    text = refusal(content_folder({NAME: b"#" * (MAX_BYTES + 1)}))
    assert text.startswith(NAME)
    assert f"{MAX_BYTES:,}" in text


def test_a_file_at_the_limit_is_read(content_folder: Make) -> None:
    head = b"name: a\n#"
    content = content_folder({NAME: head + b"#" * (MAX_BYTES - len(head))})
    assert len(content.text(NAME)) == MAX_BYTES


def test_what_is_not_utf8_is_refused_with_its_place(content_folder: Make) -> None:
    text = refusal(content_folder({NAME: "name: 椅子\n".encode("gb18030")}))
    assert text.startswith(NAME)
    assert "UTF-8 at byte 6" in text


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_link_out_of_its_folder_is_refused(tmp_path: Path, content_folder: Make, is_folder: bool) -> None:
    content = content_folder({NAME: "name: a\n"})
    secret = tmp_path / "outside" / "secret.yaml"
    secret.parent.mkdir()
    secret.write_text("name: secret\n", encoding="utf-8")
    link = content.base / "templates" / ("sub" if is_folder else "b.yaml")
    link.symlink_to(secret.parent if is_folder else secret)
    # A link to a folder may be refused or not followed; what lies behind it is never content.
    try:
        names = content.files("templates")
    except GenError as error:
        assert str(error).startswith("templates/b.yaml" if not is_folder else "templates/sub")
        assert "leaves its folder" in str(error)
    else:
        assert is_folder
        assert names == [NAME]


def test_a_link_within_its_folder_is_followed(content_folder: Make) -> None:
    content = content_folder({NAME: "name: a\n"})
    (content.base / "templates" / "b.yaml").symlink_to(content.base / NAME)
    assert content.load("templates/b.yaml", Small).name == "a"


@pytest.mark.parametrize("name", ["../outside.yaml", "templates/../../outside.yaml", "/etc/passwd"])
def test_a_name_that_climbs_out_is_no_content(tmp_path: Path, content_folder: Make, name: str) -> None:
    (tmp_path / "outside.yaml").write_text("name: secret\n", encoding="utf-8")
    assert "no such content file" in refusal(content_folder({NAME: "name: a\n"}), name)


def test_an_unknown_field_is_named_with_its_line(content_folder: Make) -> None:
    text = refusal(content_folder({NAME: "name: a\nparts: [1]\nnmae: b\n"}))
    assert text.startswith(NAME)
    assert "line 3, nmae:" in text
    assert "fix:" in text


def test_every_fault_of_a_file_is_told_at_once(content_folder: Make) -> None:
    text = refusal(content_folder({NAME: "parts:\n- 1\n- x\nmore: 1\n"}))
    assert "line 3, parts.1:" in text
    assert "(got 'x')" in text
    assert "name: Field required" in text
    assert "line 4, more:" in text


def test_a_fault_deep_in_a_list_of_forms_has_its_own_line(content_folder: Make) -> None:
    text = refusal(
        content_folder({NAME: "- event: set\n  forms:\n  - {text: a}\n  - {text: b, for: [colour]}\n"}),
        model=list[FormGroup],
    )
    assert "line 4, 0.forms.1.for.0:" in text


@pytest.mark.parametrize(
    ("text", "line"),
    [("name: [a\nparts: 1\n", 2), ("name: a\n\tparts: 1\n", 2), ("a: b: c\n", 1), ("!!python/object:os.system x\n", 1)],
)
def test_unreadable_yaml_is_refused_with_its_line(content_folder: Make, text: str, line: int) -> None:
    assert refusal(content_folder({NAME: text})).startswith(f"{NAME}:{line}:")


@pytest.mark.parametrize("text", ["", "# nothing\n", "just words\n", "[]\n"])
def test_a_file_of_another_shape_is_refused(content_folder: Make, text: str) -> None:
    assert refusal(content_folder({NAME: text})).startswith(NAME)


def test_a_key_said_twice_is_refused(content_folder: Make) -> None:
    """YAML lets the later one win, silently: a form or a band would be lost."""
    assert NAME in refusal(content_folder({NAME: "name: a\nparts: [1]\nname: b\n"}))


def test_an_overlay_replaces_and_adds(content_folder: Make) -> None:
    content = content_folder(
        {NAME: "name: base\n", "templates/b.yaml": "name: b\n"},
        {NAME: "name: private\n", "ground_truth/c.yaml": "name: c\n"},
    )
    assert content.load(NAME, Small).name == "private"
    assert content.load("templates/b.yaml", Small).name == "b"
    assert content.load("ground_truth/c.yaml", Small).name == "c"
    assert content.files("templates") == ["templates/a.yaml", "templates/b.yaml"]


def test_digests_are_of_what_is_used(content_folder: Make) -> None:
    content = content_folder({NAME: "name: base\n"}, {NAME: "name: private\n"})
    assert content.digests() == {NAME: hashlib.sha256(b"name: private\n").hexdigest()}


def test_only_content_counts(content_folder: Make) -> None:
    content = content_folder(
        {NAME: "name: a\n", "templates/a.pyc": "x", "audits/review/ledger.yaml": "x", "audits/faults/zh.yaml": "x"}
    )
    assert list(content.index()) == [NAME]


def test_an_overlay_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GenError, match="the overlay is no folder"):
        default_root(tmp_path / "missing")


def test_a_missing_file_is_named(content_folder: Make) -> None:
    text = refusal(content_folder({}))
    assert text.startswith(NAME)
    assert "no such content file" in text


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_content_file_of_a_language_is_valid(content: ContentRoot, lang: Lang) -> None:
    for name in content.files(f"ground_truth/update_chains/{lang}"):
        assert content.load(name, World).lang == lang
    for name in content.files(f"templates/forms/{lang}"):
        content.load(name, Lexicon if name.endswith("lexicon.yaml") else list[FormGroup])
