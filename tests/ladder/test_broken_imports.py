"""Imports that cannot be done: one clear line each, and nothing half done, whatever happens in the middle of one."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from ladder.exchange import importing
from ladder.exchange.exporting import Export
from ladder.exchange.importing import Import
from ladder.exchange.match_lines import LONGEST
from ladder.store.database import Store
from ladder.store.records import Selection
from tests.ladder.exchanging import Kumite, Line, content, environment, lines_of, record_of, refused, rehash, write


def changed_answer(line: Line) -> None:
    """Let a seat have answered something else."""
    step = next(step for step in line["record"][1:-1] if step.get("answers"))
    seat = next(iter(step["answers"]))
    step["answers"][seat] += 1


def changed_result(line: Line) -> None:
    """Let another seat win, and make the hashes anew."""
    line["record"][-1]["result"]["places"].reverse()
    rehash(line)


def without_end(line: Line) -> None:
    """Leave the final line out."""
    del line["record"][-1]


def other_id(line: Line) -> None:
    """Name another match."""
    line["match"] = "0" * 32


def other_pool(line: Line) -> None:
    """Pretend that the match had a clock."""
    line["place"]["pool"]["clock"] = "10s"


def other_seats(line: Line) -> None:
    """Pretend that another bot sat there than in the set's other games."""
    line["seats"][0]["player"] = "stranger"


def no_offset(line: Line) -> None:
    """Leave the offset of a time out."""
    line["started"] = "2026-11-18T03:19:32"


def future(line: Line) -> None:
    """Let a match begin in a thousand years."""
    line["started"] = "3026-11-18T03:19:32+00:00"


def unknown_field(line: Line) -> None:
    """Say something that no version knows."""
    line["tokens"] = []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed_answer, "does not hold"),
        (changed_result, "the result must be places"),
        (without_end, "is unfinished"),
        (other_id, "'match' must be the id that the record names"),
        (other_pool, "'pool' is not that of the record"),
        (other_seats, "'group' is none that these seats"),
        (no_offset, "'started' must be a time with its offset"),
        (future, "'started' lies in the future"),
        (unknown_field, "unknown field 'tokens'"),
        (lambda line: line.update(format="kumite/export/9"), "no file of matches"),
        (lambda line: line.update(seats=[]), "'seats' must have"),
        (lambda line: line.update(record=[]), "no header line"),
        (lambda line: line["place"]["season"].update(tempo="rubato"), "'tempo' must be open or planned"),
        (lambda line: line["place"]["season"].update(tempo="open"), "is planned in north.sqlite and open in the file"),
        (lambda line: line["seats"][1].update(player="a\nb"), "'player' must be one line"),
        (lambda line: line["seats"][1]["build"].update(remote=1), "'remote' must be true or false"),
    ],
)
def test_a_broken_record_is_one_line_and_nothing_is_imported(
    at_referees: Kumite, change: Callable[[Line], object], words: str
) -> None:
    """The sixth of nine matches: file, line and fault are named, and the eight others are not taken either."""
    lines = lines_of("south.jsonl")
    change(lines[5])
    write("broken.jsonl", lines)
    before = content("north.sqlite")

    refused(at_referees("import", "north.sqlite", "broken.jsonl", "--merge"), "broken.jsonl: line 6: ", words)
    assert content("north.sqlite") == before
    refused(at_referees("import", "new.sqlite", "north.jsonl", "broken.jsonl", "--merge"), "broken.jsonl: ")
    assert not list(Path().glob("new.*"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\0" * 5000, "line 1: not JSON"),
        (b"[" * 100_000, "line 1: not JSON"),
        (b"{}\n", "line 1: this is no file of matches"),
        (b'{"format":"kumite/record/1"}\n', "line 1: this is no file of matches"),
        (b" " * (LONGEST + 2), "line 1 has more than"),
        (b"\xff\xfe", "line 1: not JSON"),
    ],
)
def test_a_file_of_something_else_is_one_line(at_referees: Kumite, data: bytes, words: str) -> None:
    """Whatever bytes it has."""
    Path("else").write_bytes(data)

    refused(at_referees("import", "north.sqlite", "else"), f"else: {words}")


def test_a_file_that_was_cut_off_is_refused(at_referees: Kumite) -> None:
    """In the middle of its last line; what stands before is not taken."""
    Path("cut.jsonl").write_bytes(Path("south.jsonl").read_bytes()[:-2000])
    before = content("north.sqlite")

    refused(at_referees("import", "north.sqlite", "cut.jsonl", "--merge"), "cut.jsonl: line 9: not JSON")
    assert content("north.sqlite") == before


@pytest.mark.parametrize("place", ["nowhere.jsonl", ".", "/dev/zero"])
def test_what_is_no_file_is_one_line(at_referees: Kumite, place: str) -> None:
    """A file that is missing, a folder, a device."""
    refused(at_referees("import", "north.sqlite", place), place)


def test_another_record_under_a_known_id_is_refused(at_referees: Kumite) -> None:
    """Here with another time of an answer and every hash made anew: it holds, and it is not what is stored."""
    lines = lines_of("north.jsonl")
    step = next(step for step in lines[2]["record"] if step.get("spent"))
    seat = next(iter(step["spent"]))
    step["spent"][seat] = max(0, step["spent"][seat] - 1)
    rehash(lines[2])
    write("other.jsonl", lines)

    refused(at_referees("import", "north.sqlite", "other.jsonl"), "line 3", lines[2]["match"], "in north.sqlite")
    refused(at_referees("import", "new.sqlite", "north.jsonl", "other.jsonl"), "earlier in the import")


def test_a_match_that_runs_here_is_not_overwritten(at_referees: Kumite) -> None:
    """A record under the id of a match that is not over is refused."""
    line = lines_of("south.jsonl")[0]
    record = record_of(line)
    assert record.final is not None
    with Store("new.sqlite") as store:
        store.lock()
        store.begin(record.header, bytes.fromhex(record.final.secret))

    refused(at_referees("import", "new.sqlite", "south.jsonl", "--merge"), "is not over in new.sqlite")


@pytest.mark.processes
def test_a_kill_in_the_middle_leaves_everything_or_nothing(at_referees: Kumite) -> None:
    """At many moments of an import, kill -9: the file is whole, has none of the matches, and takes them afterwards."""
    before = content("north.sqlite")
    script = (
        "import os, signal, sys\n"
        "from ladder.store.imports import ImportTable\n"
        "real, left = ImportTable.{where}, int(sys.argv.pop())\n"
        "def dying(self, *arguments, **rest):\n"
        "    global left\n"
        "    left -= 1\n"
        "    if left < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return real(self, *arguments, **rest)\n"
        "ImportTable.{where} = dying\n"
        "from ladder.cli import main\n"
        "main()\n"
    )
    for where, count in (("has_match", 4), ("take", 0), ("take", 5), ("order_ends", 1)):
        command = [sys.executable, "-c", script.format(where=where), "import", "north.sqlite", "south.jsonl", "--merge"]
        done = subprocess.run([*command, str(count)], env=environment(), timeout=120, capture_output=True)
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert content("north.sqlite") == before
    code, out, _ = at_referees("import", "north.sqlite", "south.jsonl", "--merge")

    assert (code, out.splitlines()[0]) == (0, "imported 9 matches into north.sqlite")
    connection = sqlite3.connect("north.sqlite")
    assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    assert connection.execute("pragma foreign_key_check").fetchall() == []
    connection.close()


@pytest.mark.parametrize("pages", [1, 4, 8])
def test_a_full_disk_is_one_line_and_nothing_is_imported(
    at_referees: Kumite, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    """The database can grow by some pages and no more: the import is refused; with room again it is done."""
    before = content("north.sqlite")
    real = Store.lock

    def lock(self: Store) -> None:
        real(self)
        (count,) = self._connection.execute("pragma page_count").fetchone()
        self._connection.execute(f"pragma max_page_count = {count + pages}")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "lock", lock)
        refused(at_referees("import", "north.sqlite", "south.jsonl", "--merge"), "north.sqlite: the disk is full; free")
    assert content("north.sqlite") == before
    assert at_referees("import", "north.sqlite", "south.jsonl", "--merge")[0] == 0


@pytest.mark.processes
def test_files_that_cannot_grow_are_one_line(at_referees: Kumite) -> None:
    """No file of the process can be larger than 16 KiB, as on a disk without room for the log."""
    before = content("north.sqlite")

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**14, 2**14))

    command = [sys.executable, "-m", "ladder", "import", "north.sqlite", "south.jsonl", "--merge"]
    done = subprocess.run(
        command, env=environment(), preexec_fn=limited, timeout=120, capture_output=True, text=True, check=False
    )

    refused((done.returncode, done.stdout, done.stderr), "kumite: north.sqlite: ")
    assert content("north.sqlite") == before


def test_a_full_disk_leaves_no_half_export(at_referees: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was exported before stays as it was, and no part of another is left behind."""
    earlier = Path("north.jsonl").read_bytes()
    real = Export.lines

    def lines(self: Export, wanted: Selection) -> Iterator[bytes]:
        yield from islice(real(self, wanted), 3)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    refused(
        at_referees("export", "north.sqlite", "--out", "/dev/full"),
        "--out /dev/full: cannot be written: No space left on device",
    )
    monkeypatch.setattr(Export, "lines", lines)
    refused(
        at_referees("export", "north.sqlite", "--out", "north.jsonl"),
        "--out north.jsonl: cannot be written: No space left on device",
    )
    assert Path("north.jsonl").read_bytes() == earlier
    assert not list(Path().glob("*.part"))


def test_a_file_that_changes_while_it_is_read_is_refused(at_referees: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored is what was verified."""
    before = content("north.sqlite")
    real = Import._name_players

    def meanwhile(self: Import) -> None:
        real(self)
        lines = lines_of("south.jsonl")
        changed_answer(lines[0])
        write("south.jsonl", lines)

    monkeypatch.setattr(importing.Import, "_name_players", meanwhile)

    refused(
        at_referees("import", "north.sqlite", "south.jsonl", "--merge"), "south.jsonl: it changed while it was read"
    )
    assert content("north.sqlite") == before


def test_a_ladder_that_is_being_played_is_left_alone(at_referees: Kumite) -> None:
    """The one writer is the referee; an export may be made all the same."""
    with Store("north.sqlite") as store:
        store.lock()

        refused(
            at_referees("import", "north.sqlite", "south.jsonl", "--merge"), "another kumite is playing this ladder"
        )
        assert at_referees("export", "north.sqlite")[2] == "exported 9 matches\n"
