"""One ladder with real processes: bots that connect are paired, rated and ranked, and nothing is lost on the way."""

from __future__ import annotations

import json
import random
import re
import signal
import sys
import time
from collections.abc import Iterator
from math import comb
from pathlib import Path

import pytest

from ladder.cli import run
from ladder.cli.serve import Admit
from ladder.config.offers import every_table
from ladder.store.database import Store
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from referee.v1 import play_pb2 as pb
from tests.ladder.arena import (
    PATIENCE,
    Arena,
    check_records,
    check_standings,
    meetings,
)
from tests.ladder.test_migration import luck_and_answers
from tests.ladder.test_served import Season
from tests.transport.house import GoodBot, Wire

pytestmark = pytest.mark.processes

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal")


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A folder of its own, left without a process."""
    found = Arena(tmp_path)
    yield found
    found.close()


@pytest.mark.parametrize("bots", [4, pytest.param(6, marks=pytest.mark.slow), pytest.param(8, marks=pytest.mark.slow)])
def test_bots_that_join_meet_in_all_pairs_and_are_rated_from_the_first_match(arena: Arena, bots: int) -> None:
    """Within three times the ideal number of matches; standings are the fold over what is stored, records verify."""
    ideal = comb(bots, 2)
    referee = arena.serve("--table", "honshu:2")
    joined = [arena.join(name) for name in NAMES[:bots]]
    arena.until(lambda: meetings(arena, bots).opened >= 3 * ideal + bots)
    referee.send_signal(signal.SIGTERM)

    assert referee.wait(PATIENCE) == 0, arena.log()
    assert [bot.poll() for bot in joined] == [None] * bots, arena.log()
    took = meetings(arena, bots).until_all_met
    assert took is not None
    assert took <= 3 * ideal
    check_standings(arena)
    check_records(arena)
    held = dict(re.findall(r"(pairing|rating) ([0-9.]+) ms", arena.errors(referee)))
    assert set(held) == {"pairing", "rating"}


def until_ended(arena: Arena, ends: int) -> None:
    """Wait until `ends` further matches are over and a match is running."""
    before = arena.ended()
    arena.until(lambda: arena.ended() >= before + ends and arena.running())


def interrupted(arena: Arena, bots: int, ends: int, signals: list[signal.Signals]) -> None:
    """Interrupt the referee of an open season again and again; no match is lost or played twice, no bot leaves."""
    words = ("--table", "edo_yashiki:2", "--clock", "60s+1s")
    dice = random.Random(len(signals))
    referee = arena.serve(*words)
    joined = [arena.join(name) for name in NAMES[:bots]]
    seen: set[str] = set()
    for number in signals:
        until_ended(arena, ends)
        time.sleep(dice.random() * 0.1)
        seen |= arena.running()
        referee.send_signal(number)
        code = referee.wait(PATIENCE)
        assert code == (0 if number is signal.SIGTERM else -number), arena.log()
        referee = arena.serve(*words)
    last = f"select player from seats join matches on id = match where end_number > {arena.ended()}"
    arena.until(lambda: {row[0] for row in arena.query(last)} == set(NAMES[:bots]))
    arena.until(lambda: seen.isdisjoint(arena.running()))
    referee.send_signal(signal.SIGTERM)
    assert referee.wait(PATIENCE) == 0, arena.log()

    assert [bot.poll() for bot in joined] == [None] * bots, arena.log()
    finished = {row[0] for row in arena.query("select id from matches where state = 'finished'")}
    assert seen <= finished
    assert arena.query("select 1 from seats where faults > 0") == [], arena.log()
    check_standings(arena)
    check_records(arena)


def test_sigterm_and_kill_9_in_mid_season_lose_no_match_and_no_bot(arena: Arena) -> None:
    """Three bots, one signal of each sort."""
    interrupted(arena, 3, 2, [signal.SIGTERM, signal.SIGKILL])


@pytest.mark.slow
@pytest.mark.parametrize("bots", [6, 8])
def test_many_signals_in_mid_season_lose_no_match_and_no_bot(arena: Arena, bots: int) -> None:
    """Six and eight bots, eight signals."""
    interrupted(arena, bots, 6, [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL] * 2)


def welcome_after(arena: Arena, token: str, limit: float) -> float:
    """Seconds until a token admits."""
    started = time.monotonic()
    while time.monotonic() - started < limit:
        with Wire(arena.address, token) as wire:
            wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1)))
            message = wire.read()
            if message is not None and message.HasField("welcome"):
                return time.monotonic() - started
    raise AssertionError(f"the token did not admit within {limit} s:\n{arena.log()}")


def test_tokens_made_and_revoked_while_the_referee_runs_count_at_once(arena: Arena) -> None:
    """--closed without tokens admits no bot; a new token does within a second; a revoked one closes its stream."""
    arena.serve("--table", "honshu:2", "--closed")
    arena.until(lambda: (arena.folder / "r").exists() and arena.database.exists())
    stranger = arena.join("eve")
    with Store(arena.database) as organiser:
        token = organiser.new_token("ann")
        other = organiser.new_token("bob")
    took = welcome_after(arena, token, 10.0)
    entrant = arena.join("ann", "--token", token)
    with GoodBot(arena.address, "", other) as bob:
        arena.until(lambda: arena.ended() >= 1)
        assert stranger.wait(PATIENCE) == 2
        assert "token" in arena.errors(stranger)
        with Store(arena.database) as organiser:
            organiser.revoke("ann")
            organiser.revoke("bob")
        revoked = time.monotonic()
        bob.finish()
        closed = time.monotonic() - revoked

        assert entrant.wait(PATIENCE) == 2, arena.log()
        assert [fault.code for fault in bob.faults] == [pb.FAULT_CODE_REVOKED]
    assert took < 2.0
    assert closed < 4.0
    assert "revoked" in arena.errors(entrant)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--bind", "0.0.0.0:0"], "can be reached from other machines"),
        (["--bind", "127.0.0.1:0", "--bind", "[::]:0"], "can be reached from other machines"),
        (["--open", "--closed"], "exclude each other"),
        (["--table", "honshu:9"], "2 to 5 seats"),
        (["--clock", "none"], "need a clock"),
        (["--records", "r"], "leave --records and --tokens out"),
    ],
)
def test_a_referee_that_would_be_a_mistake_does_not_start(
    tmp_path: Path, words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Off loopback without tokens and without --open, and options that contradict each other: one line, code 2."""
    assert run(["serve", "--db", str(tmp_path / "cup.sqlite"), *words]) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert expected in line


@pytest.mark.parametrize("admit", [Admit(open_names=True), Admit(closed=True), Admit()])
def test_a_referee_off_loopback_may_start_if_it_is_open_by_intent_or_needs_tokens(admit: Admit) -> None:
    """--open says so, --closed and the first token of a database make tokens necessary; otherwise it is refused."""
    admit.check(["0.0.0.0:0"], needs_token=admit.needs_tokens is not False, where="cup.sqlite")
    admit.check(["127.0.0.1:0", "[::1]:0", "localhost:0", "unix:/x"], needs_token=False, where="cup.sqlite")
    if not admit.open_names:
        with pytest.raises(
            BadSetting, match=r"0\.0\.0\.0:0 can be reached from other machines, and cup\.sqlite has no"
        ):
            admit.check(["127.0.0.1:0", "0.0.0.0:0"], needs_token=False, where="cup.sqlite")


def test_a_referee_off_loopback_starts_with_open(arena: Arena) -> None:
    """It listens, and a first signal ends it with code 0."""
    referee = arena.start("serve", "--db", str(arena.database), "--bind", "0.0.0.0:0", "--open")
    arena.until(lambda: "referee at 0.0.0.0:" in arena.errors(referee) or referee.poll() is not None)
    referee.send_signal(signal.SIGINT)

    assert referee.wait(PATIENCE) == 0, arena.log()


HOUSE = """
[[bots]]
name = "house"
spec = "random:seed=1"

[[bots]]
name = "guest"
spec = "random:seed=2"

[[pools]]
game = "honshu"
bots = ["house", "guest"]
rounds = 2
"""
PLANNED = (
    'season = "night"\ndatabase = "cup.sqlite"\npatience = "{patience}"\n'
    + HOUSE
    + """
[[bots]]
spec = "remote:ann"

[[bots]]
spec = "remote:bob"

[[pools]]
game = "edo_yashiki"
bots = ["ann", "bob", "house"]
clock = "60s+1s"
"""
)


def test_a_planned_season_waits_for_its_remote_bots_plays_and_ends(arena: Arena) -> None:
    """All line-ups are played and rated, the bots are sent home, and house line-ups are those of workers alone."""
    (arena.folder / "night.toml").write_text(PLANNED.replace("{patience}", "2m"))
    words = ("--seed", "s", "--workers", "1", "--json")
    referee = arena.start("ladder", "run", "night.toml", "--bind", arena.address, *words)
    arena.until(lambda: len(arena.query("select 1 from matches where game = 'honshu' and state = 'finished'")) == 4)
    assert referee.poll() is None
    bots = [arena.join(name) for name in ("ann", "bob")]

    assert referee.wait(PATIENCE) == 0, arena.log()
    assert [bot.wait(PATIENCE) for bot in bots] == [0, 0], arena.log()
    report = json.loads(arena.output(referee))
    assert (report["complete"], report["matches"]) == (True, 4 + 6)
    games = {entry["player"]: entry["games"] for entry in report["pools"][1]["players"]}
    assert games == {"ann": 4, "bob": 4, "house": 4}
    told = arena.query("select count(rating_after) from seats join matches on id = match where game = 'edo_yashiki'")
    assert told == [(12,)]

    alone = arena.folder / "alone"
    alone.mkdir()
    (alone / "night.toml").write_text('season = "night"\ndatabase = "cup.sqlite"\n' + HOUSE)
    assert run(["ladder", "run", str(alone / "night.toml"), "--seed", "s", "--workers", "0", "--json"]) == 0
    assert records(alone / "cup.sqlite", "honshu") == records(arena.database, "honshu") != []


def records(path: Path, game: str) -> list[tuple[object, ...]]:
    """The matches of a game without times, by id."""
    with Store(path) as store:
        rows = store._connection.execute("select id from matches where game = ? order by id", (game,)).fetchall()
        return [luck_and_answers(store.record(match)) for (match,) in rows]


def test_a_planned_season_whose_bot_does_not_come_ends_after_its_patience(arena: Arena) -> None:
    """Code 2 and the names of those that were missing; what could be played is stored, and the next run goes on."""
    (arena.folder / "night.toml").write_text(PLANNED.replace("{patience}", "1s"))
    words = ("ladder", "run", "night.toml", "--bind", arena.address, "--workers", "1")
    first = arena.start(*words)
    assert first.wait(PATIENCE) == 2, arena.log()
    assert "ann was away for longer" in arena.errors(first)
    assert "to be continued" in arena.output(first)
    assert arena.ended() == 4

    (arena.folder / "night.toml").write_text(PLANNED.replace("{patience}", "2m"))
    bots = [arena.join(name) for name in ("ann", "bob")]
    second = arena.start(*words)
    assert second.wait(PATIENCE) == 0, arena.log()
    assert "is complete" in arena.output(second)
    assert [bot.wait(PATIENCE) for bot in bots] == [0, 0]
    assert arena.ended() == 10


OPEN = """
season = "cup"
database = "cup.sqlite"
fill = ["filler"]

[[bots]]
name = "filler"
spec = "random:seed=1"

[[bots]]
spec = "greedy"

[[bots]]
spec = "./rubybot"

[[pools]]
game = "honshu"
pairing = "open"
clock = "60s+1s"
"""
HOSTED = """
import os

from bots import Bot, run


class First(Bot):
    def decide(self, ask):
        return 0


run(First, os.environ["KUMITE_ADDRESS"])
"""


def test_an_open_file_is_served_with_house_hosted_fill_and_remote_bots(arena: Arena) -> None:
    """All stand in one table; a folder has its own name; the names of the file are reserved; fill bots fill."""
    folder = arena.folder / "rubybot"
    folder.mkdir()
    (folder / "bot.py").write_text(HOSTED)
    python = json.dumps(sys.executable)
    (folder / "bot.toml").write_text(f'command = [{python}, "bot.py"]\n')
    (arena.folder / "cup.toml").write_text(OPEN)
    referee = arena.start("serve", "cup.toml", "--bind", arena.address)
    arena.until(lambda: (arena.folder / "r").exists())
    with Wire(arena.address) as thief:
        thief.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="rubybot")))
        assert thief.fault(pb.FAULT_CODE_NAME_TAKEN).closes_stream
    remote = arena.join("ann")

    def pairs() -> set[frozenset[str]]:
        rows = arena.query("select lineup from groups join matches on group_id = groups.id where state = 'finished'")
        return {frozenset(json.loads(str(row[0]))) for row in rows}

    wanted = [frozenset(pair) for pair in (("ann", "greedy"), ("ann", "rubybot"), ("greedy", "rubybot"))]
    arena.until(lambda: pairs().issuperset(wanted) and any("filler" in pair for pair in pairs()))
    referee.send_signal(signal.SIGTERM)
    assert referee.wait(PATIENCE) == 0, arena.log()
    assert remote.poll() is None
    (pool,) = arena.standings()
    players = {entry["player"]: entry["unproven"] for entry in pool["players"]}  # type: ignore[attr-defined]

    assert players == {"ann": True, "filler": False, "greedy": False, "rubybot": False}
    assert [row[0] for row in arena.query("select name from seasons")] == ["cup"]
    assert not arena.query("select 1 from seats where player = 'filler' group by match having count(*) > 1")


def test_a_restart_with_other_tables_adds_pools_to_the_season(arena: Arena) -> None:
    """The first pool keeps its results, a changed clock is a pool of its own, and nothing is refused."""
    usual, short = TimeControl.parse("60s+500ms/30s"), TimeControl.parse("30s")
    for game, clock in (("honshu", usual), ("edo_yashiki", usual), ("honshu", short)):
        season = Season(arena.database, every_table([game], seats=[2], clock=clock), matches=1)
        bots = [GoodBot(season.address, name) for name in ("ann", "bob")]
        season.join()
        for bot in bots:
            bot.finish()
    pools = arena.standings()

    assert [(pool["game"], pool["clock"]) for pool in pools] == [
        ("honshu", "1m+500ms/30s"),
        ("edo_yashiki", "1m+500ms/30s"),
        ("honshu", "30s"),
    ]
    assert [len(pool["players"]) for pool in pools] == [2, 2, 2]  # type: ignore[arg-type]
    assert len(arena.query("select distinct id from matches")) == 3


def test_a_season_file_of_another_kind_is_one_clear_line(arena: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    """An open season is not gone on with as a planned one, and the other way round; --for is needed for an open one."""
    file = arena.folder / "cup.toml"
    file.write_text(OPEN.replace('[[bots]]\nspec = "./rubybot"\n', ""))
    assert run(["ladder", "run", str(file)]) == 2
    assert "an open season has no end" in capsys.readouterr().err
    assert run(["ladder", "run", str(file), "--for", "0s", "--bind", arena.address, "--json"]) == 0
    capsys.readouterr()
    file.write_text('season = "cup"\ndatabase = "cup.sqlite"\n' + HOUSE)
    assert run(["ladder", "run", str(file), "--workers", "0"]) == 2
    assert "is an open season" in capsys.readouterr().err
    assert run(["ladder", "run", str(file), "--bind", arena.address]) == 2
    assert "no bot of this ladder connects" in capsys.readouterr().err


def test_a_remote_bot_that_could_not_be_admitted_is_named_before_the_season_begins(
    arena: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    """The database has tokens, and none for ann: the command that makes one is in the message."""
    with Store(arena.database) as store:
        store.new_token("bob")
    (arena.folder / "night.toml").write_text(PLANNED.replace("{patience}", "1s"))

    assert run(["ladder", "run", str(arena.folder / "night.toml"), "--bind", arena.address]) == 2
    assert "kumite token new ann --db" in capsys.readouterr().err
