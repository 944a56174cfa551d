"""Play with real processes: the pages are killed in mid-match, and `kumite play` from its start to its end."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.store.database import Store
from referee.match import files
from referee.match.verify import verify
from tests.ladder.arena import PATIENCE, Arena
from tests.ladder.test_orphans import command, family
from tests.web.people import Person

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"),
]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A folder with processes, which are ended at the end."""
    found = Arena(tmp_path)
    yield found
    found.close()


def test_a_person_comes_back_after_the_pages_were_killed(arena: Arena) -> None:
    """The cookie alone brings the seat back at another process of the pages; the match is played to its end."""
    referee = arena.serve("--people", "--web", "127.0.0.1:0")
    arena.until(lambda: "pages at http" in arena.errors(referee))
    found = re.search(r"pages at http://([\d.]+):(\d+)/", arena.errors(referee))
    assert found is not None
    person = Person((found[1], int(found[2])))
    person.open("honshu", "you", "house:random", clock="none")
    person.play(most=5)
    before = {child for child, line in family(referee.pid or 0).items() if " web " in line and command(child)}
    for child in before:
        os.kill(child, signal.SIGKILL)
    arena.until(lambda: not any(map(command, before)))
    over = person.play()
    arena.until(lambda: arena.ended() == 1)
    with Store(arena.database) as store:
        record = store.shown_record(person.match)
    verify(record)

    assert over["over"]["places"]
    assert not [seat for step in record.steps for seat in step.by]
    assert person.cookies["kumite_seat"][1] not in arena.log()


def test_kumite_play_has_a_table_and_ends_with_all_it_started(arena: Arena) -> None:
    """The printed address leads to a seat; Ctrl-C leaves no process and no file."""
    process = arena.start("play", "honshu", "random", "--no-browser", "--people", "2")
    arena.until(lambda: "link for person 2" in arena.output(process))
    found = re.search(r"your seat: http://([\d.]+):(\d+)/play/join#([0-9a-f.]+)~you", arena.output(process))
    other = re.search(r"link for person 2: http://\S+/play/join#([0-9a-f.]+)$", arena.output(process), re.MULTILINE)
    assert found is not None
    assert other is not None
    place = (found[1], int(found[2]))
    first, second = Person(place), Person(place)
    first.join(found[3], "you")
    second.join(other[1], "ben")
    state = first.until(lambda state: "sight" in state)
    started = set(family(process.pid or 0))
    process.send_signal(signal.SIGINT)

    assert state["names"] == ["you", "ben", "random"]
    assert process.wait(PATIENCE) == 0, arena.log()
    arena.until(lambda: not any(map(command, started)))
    assert "the first question came" in arena.errors(process)
    assert found[3] not in arena.errors(process)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["honshu"], "Honshu has 2 to 5 seats, and you and the bots are 1"),
        (["hunshu", "greedy"], "honshu"),
        (["honshu", "gredy"], "greedy"),
        (["honshu", "greedy", "--clock", "soon"], "bad clock"),
        (["honshu", "greedy", "--terminal", "--people", "2"], "--terminal has one person"),
        (["honshu", "greedy", "--record", "x"], "--record is for --terminal"),
    ],
)
def test_kumite_play_says_in_one_line_what_is_wrong(arena: Arena, words: list[str], said: str) -> None:
    """Nothing is started."""
    process = arena.start("play", *words)

    assert process.wait(PATIENCE) == 2
    assert said in arena.errors(process)
    assert "Traceback" not in arena.errors(process)


def test_a_match_is_played_in_the_terminal(arena: Arena) -> None:
    """Numbers choose, words narrow down, a page ends in the next one; the record verifies and is not rated."""
    typed = arena.folder / "typed"
    typed.write_text("\ncard\n?\nb\nh\n99999\nno such words\n" + "1\n" * 400)
    record = arena.folder / "match.jsonl"
    words = ["play", "honshu", "random", "--terminal", "--record", str(record)]
    script = arena.folder / "person.py"
    script.write_text(
        f"import sys\nfrom ladder.cli import run\nsys.stdin = open({str(typed)!r})\nsys.exit(run({words!r}))\n"
    )
    process = arena.python(str(script))

    assert process.wait(PATIENCE) == 0, arena.log()
    told = arena.output(process)
    played = files.read(record)
    verify(played)
    assert played.final is not None
    assert not played.final.rated
    assert "Which card do you play?" in told
    assert "greedy would:" in told
    assert "no option has the words" in told
    assert "there are options 1 to 6" in told
