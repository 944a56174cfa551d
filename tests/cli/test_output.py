"""What commands print: foreign text is shown as it is, and a terminal obeys none of it."""

from __future__ import annotations

import json

import pytest

from ladder.cli.output import print_json
from ladder.escaping import visible
from ladder.terminal_tables import print_table


@pytest.mark.parametrize("text", ["[/INST]", "[red]", "[bold]x[/bold]", ":smile:", "[link=x]", "a\\[b"])
def test_a_table_shows_cells_as_they_are(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """What looks like markup is text: of a bot's error, of a name."""
    print_table("", ("name", text), [(text, 1)])
    heading, row = capsys.readouterr().out.splitlines()

    assert heading.split() == ["name", *text.split()]
    assert row.split() == [*text.split(), "1"]


def test_a_table_has_one_line_for_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters in cells are escaped, line feeds too."""
    print_table("", ("name",), [("two\nlines",), ("\x1b[31mred",), ("\u202ebackwards",)])

    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "name", "two\\nlines", "\\x1b[31mred", "\\u202ebackwards",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["\x1b[2J", "\x9b", "\x7f", "\u2028", "\U000e0001", "\udcff", "Kōkō 日本 é\xa0x"])
def test_json_means_what_it_says_and_shows_what_it_holds(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """The value survives, and of what a terminal obeys nothing is printed raw."""
    print_json({"text": text})
    out = capsys.readouterr().out

    assert json.loads(out) == {"text": text}
    assert all(sign.isprintable() or sign in "\n\xa0" for sign in out)


def test_plain_text_is_shown_unchanged() -> None:
    """Letters of all scripts, spaces of all widths and signs of all sorts."""
    for text in ("greedy", "Kōkō 日本", "a\u3000b", "50 % [x] \\ ✓"):
        assert visible(text) == text
