"""The author's own logs: a bounded file for each match beside the terminal, which never keeps a bot from playing."""

from __future__ import annotations

import logging
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from bots import match_logs
from bots.match_logs import FILE_BYTES, MatchLogs


def kept(folder: Path) -> dict[str, str]:
    """The files of a folder and what is in them."""
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def test_prints_reach_the_terminal_and_the_file_of_their_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output and error each where they went before; what belongs to no match is in no file."""
    folder = tmp_path / "made" / "logs"
    with MatchLogs(folder) as logs:
        print("connected")
        logs.turn_to("one")
        print("thinking")
        logs.turn_to("two")
        print("trouble", file=sys.stderr)
        logs.over("two")
        logs.turn_to("one")
        sys.stdout.writelines(["more\n", "and more\n"])
        logs.over("one")
        print("goodbye")
    print("after")
    out, err = capsys.readouterr()

    assert out == "connected\nthinking\nmore\nand more\ngoodbye\nafter\n"
    assert err == "trouble\n"
    assert kept(folder) == {"match-one.log": "thinking\nmore\nand more\n", "match-two.log": "trouble\n"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())


def test_what_is_printed_between_calls_goes_to_every_running_match(tmp_path: Path) -> None:
    """A thread that thinks on while the bot waits; calls for several matches at once as well."""
    with MatchLogs(tmp_path) as logs:
        logs.turn_to("one", "two", "one")
        print("both")
        logs.turn_to("one")
        print("one alone")
        logs.turn_to()
        thread = threading.Thread(target=print, args=("pondering",))
        thread.start()
        thread.join()

    assert kept(tmp_path) == {"match-one.log": "both\none alone\npondering\n", "match-two.log": "both\npondering\n"}


def test_loggers_that_were_made_in_the_block_are_kept(tmp_path: Path) -> None:
    """A handler keeps the stream that it was made with."""
    logger = logging.getLogger("a bot of this test")
    with MatchLogs(tmp_path) as logs:
        handler = logging.StreamHandler()
        logger.addHandler(handler)
        try:
            logs.turn_to("one")
            logger.warning("no move looks good")
        finally:
            logger.removeHandler(handler)

    assert kept(tmp_path) == {"match-one.log": "no move looks good\n"}


@pytest.mark.parametrize("line", ["x" * 99 + "\n", "é\n", "x" * 1_000_000 + "\n"])
def test_a_file_never_grows_beyond_its_bound(tmp_path: Path, line: str) -> None:
    """The first and the last part are kept, with a line that says how much was left out; also after a restart."""
    path = tmp_path / "match-one.log"
    for _ in range(3):
        with MatchLogs(tmp_path) as logs:
            logs.turn_to("one")
            logs.add("begin\n")
            for _ in range(2 * FILE_BYTES // len(line) + 2):
                logs.add(line)
            logs.add("end\n")
        assert path.stat().st_size <= FILE_BYTES
    text = path.read_text(errors="replace")

    assert text.startswith("begin\n")
    assert "bytes left out]\n" in text
    assert text.endswith("end\n") or path.stat().st_size > FILE_BYTES - 200


def test_the_last_part_is_whole_where_a_match_is_played_in_one_go(tmp_path: Path) -> None:
    """What is kept and what is left out come to what was printed."""
    lines = [f"line {number:06d}\n" for number in range(60_000)]
    with MatchLogs(tmp_path) as logs:
        logs.turn_to("one")
        for line in lines:
            logs.add(line)
    text = (tmp_path / "match-one.log").read_text()
    first, _, rest = text.partition("\n[")
    count, _, last = rest.partition(" bytes left out]\n")

    assert "".join(lines).startswith(first)
    assert "".join(lines).endswith(last)
    assert len(first) + int(count) + len(last) == sum(map(len, lines))
    assert last.endswith("line 059999\n")


def test_only_the_newest_files_are_kept_and_no_other_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of matches that are running stay, however old, and so does what is not ours."""
    monkeypatch.setattr(match_logs, "MOST_FILES", 5)
    (tmp_path / "notes.log").write_text("mine")
    os.utime(tmp_path / "notes.log", (0, 0))
    with MatchLogs(tmp_path) as logs:
        logs.turn_to("running")
        print("x")
        os.utime(tmp_path / "match-running.log", (1, 1))
        for number in range(10):
            logs.turn_to(f"m{number}")
            print("x")
            os.utime(tmp_path / f"match-m{number}.log", (number + 2, number + 2))
            logs.over(f"m{number}")
    names = set(kept(tmp_path))

    assert {"notes.log", "match-running.log", "match-m9.log", "match-m6.log"} <= names
    assert len(names) <= 7
    assert "match-m0.log" not in names


@pytest.mark.parametrize("match", ["../../outside", "/etc/x", "a/b", "", "x" * 300, "\x00", "ä", "\ud800"])
def test_the_id_of_a_match_leads_to_no_other_folder(tmp_path: Path, match: str) -> None:
    """It is what a referee says: only plain letters and digits become a name as they are."""
    folder = tmp_path / "logs"
    with MatchLogs(folder) as logs:
        logs.turn_to(match)
        print("x")

    (path,) = folder.iterdir()
    assert path.name.startswith("match-")
    assert len(path.name) <= len("match-.log") + 64
    assert set(tmp_path.iterdir()) == {folder}


def test_a_folder_that_cannot_be_written_is_said_once_and_the_bot_plays_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The terminal has everything all the same."""
    (tmp_path / "logs").write_text("a file")
    with MatchLogs(tmp_path / "logs") as logs:
        logs.turn_to("one")
        print("first")
        print("second")
        logs.over("one")
    out, err = capsys.readouterr()

    assert out == "first\nsecond\n"
    assert err.count("\n") == 1
    assert "the bot's log cannot be kept" in err


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """Another user who can write to the folder cannot have the bot's prints appended to the author's files."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "match-one.log").symlink_to(tmp_path / "precious")
    with MatchLogs(tmp_path / "logs") as logs:
        logs.turn_to("one")
        print("x")

    assert not (tmp_path / "precious").exists()
