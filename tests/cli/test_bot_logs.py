"""`kumite matches DB:MATCH --log SEAT`: what it shows, and every reason for which it shows nothing, in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.arena.play import fresh_id, fresh_secret, play_match
from ladder.cli import run
from ladder.store.database import Store
from ladder.store.host_key import key_path
from ladder.store.matches import SeasonPlace
from ladder.store.records import BotLog, Played
from referee.kernel import registry
from referee.match.plan import MatchPlan
from referee.match.record import Record
from tests.ladder.test_safe_to_show import pool_of

Kumite = Callable[..., tuple[int, str, str]]
GAME = registry.game("edo_yashiki")
DB = Path("cup.sqlite")


@pytest.fixture
def kumite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kumite:
    """Runs a command line in a folder of its own; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def refused(answer: tuple[int, str, str], *words: str) -> None:
    """Check that a command was refused with one line that has these words."""
    code, out, err = answer

    assert (code, out) == (2, ""), err
    assert err.count("\n") == 1, err
    assert all(word in err for word in words), err


def played(seed: str, secret: bytes | None = None) -> tuple[Record, bytes]:
    """A finished match between ann and bob, and its secret."""
    luck = secret or fresh_secret(seed)
    bots = [resolve("random")] * 2
    return play_match(MatchPlan(GAME.name, ("ann", "bob"), fresh_id(seed), luck), bots), luck


def stored(*logs: BotLog | None, seed: str = "one") -> str:
    """The place of a match that is stored with the logs of its seats."""
    record, secret = played(seed)
    with Store(DB) as store:
        store.lock()
        store.save(SeasonPlace(), secret, Played.of(record, logs=logs))
    return f"{DB}:{record.header.match[:12]}"


def test_a_log_is_printed_with_a_line_that_says_whose_it_is(kumite: Kumite) -> None:
    """Line by line as the bot wrote it; an empty one is said to be empty."""
    place = stored(BotLog(b"ask 1\nask 2\n\nresigning"), BotLog(b""))
    first, second = kumite("matches", place, "--log", "0"), kumite("matches", place, "--log", "1")
    match = fresh_id("one")

    assert first == (0, f"match {match}: seat 0 (ann) printed 22 bytes\nask 1\nask 2\n\nresigning\n", "")
    assert second == (0, f"match {match}: seat 1 (bob) printed nothing\n", "")


def test_what_was_left_out_is_said_where_it_was(kumite: Kumite) -> None:
    """And so is what a reader has to know: other matches at the same time, a beginning that is lost."""
    code, out, _ = kumite("matches", stored(BotLog(b"first\n", 12345, b"last\n", True, True)), "--log", "0")
    head, shared, late, *lines = out.splitlines()

    assert code == 0
    assert head.endswith("printed 12356 bytes")
    assert "other matches at the same time" in shared
    assert "restarted" in late
    assert lines == ["first", "[12345 bytes left out]", "last"]


def test_no_terminal_obeys_a_log(kumite: Kumite) -> None:
    """Control characters and bytes that are no UTF-8 are shown escaped, also in JSON, which stays valid."""
    place = stored(BotLog(b"\x1b]0;owned\x07\x1b[2J\xff\xfe\x9b31m\r\nna\xc3\xafve \xe2\x80\xae\x00\n"))
    _, out, _ = kumite("matches", place, "--log", "0")
    _, as_json, _ = kumite("matches", place, "--log", "0", "--json")

    assert out.splitlines()[1:] == [r"\x1b]0;owned\x07\x1b[2J\xff\xfe\x9b31m", r"naïve \u202e\x00"]
    for text in (out, as_json):
        assert all(sign == "\n" or sign.isprintable() for sign in text)
    assert json.loads(as_json)["first"] == "\x1b]0;owned\x07\x1b[2J\\xff\\xfe\\x9b31m\nnaïve \u202e\x00"


def test_a_program_gets_all_of_it(kumite: Kumite) -> None:
    """Both parts, and what is known of them."""
    code, out, _ = kumite("matches", stored(None, BotLog(b"a\n", 3, b"b\n", shared=True)), "--log", "1", "--json")

    assert code == 0
    assert json.loads(out) == {
        "match": fresh_id("one"),
        "seat": 1,
        "player": "bob",
        "bytes": 7,
        "left_out": 3,
        "shared": True,
        "late": False,
        "first": "a",
        "last": "b",
    }


def test_a_seat_without_a_log_is_one_line(kumite: Kumite) -> None:
    """A seat that is not there, a bot that was not hosted, no match, other options beside it."""
    place = stored(BotLog(b"x"))

    refused(kumite("matches", place, "--log", "2"), "has no seat 2", "0 to 1")
    refused(kumite("matches", place, "--log", "1"), "no log of seat 1 (bob)", "was not hosted", "keeps its own log")
    refused(kumite("matches", str(DB), "--log", "0"), "one match", f"{DB}:MATCH")
    refused(kumite("matches", place, "--log", "0", "--faults"), "names one match")
    refused(kumite("matches", f"{DB}:ffff", "--log", "0"), "no match begins with 'ffff'")
    assert kumite("matches", place, "--log", "-1")[0] == 2


def test_the_log_of_a_match_that_is_not_over_is_not_shown(kumite: Kumite) -> None:
    """Neither of one that is running, nor of a game of a set of which another is still to be played."""
    running, secret = played("running")
    first, shared = played("first")
    second, _ = played("second", shared)
    log = [BotLog(b"my hand"), BotLog(b"my hand")]
    with Store(DB) as store:
        store.lock()
        store.begin(running.header, secret)
        store.keep_logs(running.header.match, dict(enumerate(log)))
        season = store.season("s", "", None, tempo="planned", pairing_version=1).id
        store.build("ann", "x", "d")
        store.build("bob", "x", "d")
        group = store.add_group(pool_of(store, season), 0, 0, ["ann", "bob"], [1, 2], True, 2)
        store.save(SeasonPlace(group, 0), shared, Played.of(first, logs=log), sealed=True)
    refused(kumite("matches", f"{DB}:{running.header.match}", "--log", "0"), "is running", "when it is over")
    refused(kumite("matches", f"{DB}:{first.header.match}", "--log", "0"), "other games of its set are not")
    with Store(DB) as store:
        store.lock()
        store.save(SeasonPlace(group, 1), shared, Played.of(second, logs=log), sealed=True)
        store.reveal([group])

    assert kumite("matches", f"{DB}:{first.header.match}", "--log", "0")[1].endswith("my hand\n")


def test_a_log_that_may_tell_of_another_running_match_waits_for_it(kumite: Kumite) -> None:
    """A process that played both at the same time; a match that the bot began later is no reason to wait."""
    over = [stored(BotLog(b"both hands", shared=shared), seed=str(shared)) for shared in (False, True)]
    other, secret = played("other")
    with Store(DB) as store:
        store.lock()
        store.begin(other.header, secret)
        store._connection.execute("update matches set started = '2020-01-01' where id = ?", (other.header.match,))
    alone, waits = (kumite("matches", place, "--log", "0") for place in over)
    with Store(DB) as store:
        store._connection.execute("update matches set started = '2999-01-01' where id = ?", (other.header.match,))
    later = kumite("matches", over[1], "--log", "0")

    assert alone[0] == later[0] == 0
    refused(waits, f"match {other.header.match} at the same time", "not over")


def test_logs_are_left_out_of_an_export(kumite: Kumite) -> None:
    """The file has nothing of them, and a match that was imported says why it has none."""
    place = stored(BotLog(b"the secret of my strength"))
    assert kumite("export", str(DB), "--out", "all.jsonl")[0] == 0
    assert kumite("import", "other.sqlite", "all.jsonl")[0] == 0

    assert "strength" not in Path("all.jsonl").read_text()
    assert "strength" in kumite("matches", place, "--log", "0")[1]
    answer = kumite("matches", f"other.sqlite:{fresh_id('one')}", "--log", "0")
    refused(answer, "played at another referee", "logs are not exported")


def test_a_log_needs_the_key_and_says_so(kumite: Kumite) -> None:
    """Without the key, with another one, and after the host has gone on without it."""
    place = stored(BotLog(b"x"))
    path = key_path(DB)
    key = path.read_bytes()
    path.unlink()
    refused(kumite("matches", place, "--log", "0"), "its key", "is missing")
    assert kumite("matches", place)[0] == 0
    path.write_text("00" * 32 + "\n")
    refused(kumite("matches", place, "--log", "0"), "is not the key of")
    path.unlink()
    with Store(DB) as store:
        store.lock()

    assert path.read_bytes() != key
    refused(kumite("matches", place, "--log", "0"), "any more", "256 MiB", "the host's key is lost")
