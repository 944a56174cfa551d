"""An evening with real processes: check-in, rounds, a bot that never comes, one that leaves, a killed referee."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.ladder.arena import PATIENCE, Arena, Process
from tests.ladder.event_check import check_swiss
from tests.languages.harness import build

pytestmark = pytest.mark.processes

OWN = """
import sys

from bots import Bot, run


class Last(Bot):
    def decide(self, ask):
        return ask.count - 1


run(Last, sys.argv[1], name=sys.argv[2])
"""
FILE = """
season = "evening"
database = "cup.sqlite"

[event]
format = "swiss"
rounds = {rounds}
start = "{start}"
grace = "{grace}"
{more}

{bots}

[[pools]]
game = "honshu"
seats = {seats}
clock = "60s+1s"
"""


def remote(*names: str) -> str:
    """Entries of bots that connect."""
    return "\n".join(f'[[bots]]\nspec = "remote:{name}"\n' for name in names)


class Evening(Arena):
    """An arena with an event."""

    def write(
        self,
        names: Sequence[str],
        *,
        rounds: int,
        start: str = "all",
        grace: str = "30s",
        house: str = "",
        seats: int = 2,
        more: str = "",
    ) -> None:
        """Write the ladder file."""
        text = FILE.format(rounds=rounds, start=start, grace=grace, bots=remote(*names) + house, seats=seats, more=more)
        (self.folder / "evening.toml").write_text(text)

    def play(self, seed: str = "evening") -> Process:
        """A referee that plays the event."""
        return self.start("ladder", "run", "evening.toml", "--bind", self.address, "--seed", seed, "--workers", "1")

    def run(self, *words: str) -> Process:
        """A command on the event that has ended."""
        process = self.start("event", *words, "--db", "cup.sqlite")
        process.wait(PATIENCE)
        return process

    def told(self, *words: str) -> dict[str, object]:
        """What `kumite event` says, as JSON."""
        process = self.run(*words, "--json")
        assert process.returncode == 0, self.log()
        found: dict[str, object] = json.loads(self.output(process))
        return found

    def own(self, name: str) -> Process:
        """A bot of another make: a program of its own with the kit."""
        (self.folder / "own.py").write_text(OWN)
        return self.python("own.py", self.address, name)

    def round(self) -> int:
        """The round that was paired last."""
        rows = self.query("select coalesce(max(round), 0) from event_places")
        return int(str(rows[0][0])) if rows else 0

    def checked_in(self) -> int:
        """How many entrants have checked in."""
        return len(self.query("select 1 from event_entrants where checked_in is not null"))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A folder of its own, left without a process."""
    found = Evening(tmp_path)
    yield found
    found.close()


PLAYED = (
    "select 1 from event_games join matches using (group_id) join seats on match = matches.id "
    "where player = '{name}' and round = {round} and state = 'finished'"
)
"""The match of a bot in a round, if it is over."""


def an_evening(evening: Evening, second: Process) -> None:
    """Play the story with a bot of a second language that has joined as `dora`."""
    referee = evening.processes[0]
    joined = [evening.join(name) for name in ("ann", "bob", "eve")]
    leaving = evening.own("cid")
    evening.until(lambda: evening.checked_in() == 6)
    early = evening.told("status")
    assert (early["state"], early["round"]) == ("EVENT_STATE_WAITING", 0)
    assert evening.run("start").returncode == 0, evening.log()
    evening.until(lambda: evening.round() == 2 and evening.running())
    referee.send_signal(signal.SIGKILL)
    referee.wait(PATIENCE)
    before = evening.query("select * from event_places")
    referee = evening.play()
    evening.until(lambda: "referee at" in evening.errors(referee))
    evening.until(lambda: evening.query(PLAYED.format(name="cid", round=2)))
    assert evening.run("pause").returncode == 0, evening.log()
    evening.until(lambda: not evening.running())
    leaving.send_signal(signal.SIGKILL)
    leaving.wait(PATIENCE)
    assert evening.run("resume").returncode == 0, evening.log()

    assert referee.wait(PATIENCE) == 0, evening.log()
    assert [bot.wait(PATIENCE) for bot in (*joined, second)] == [0] * 4, evening.log()
    assert evening.query("select * from event_places where round <= 2") == before
    found = evening.told("report")
    check_swiss(found)
    assert found["state"] == "over"
    outs = {entry["bot"]: entry["out"] for entry in found["standings"]}  # type: ignore[attr-defined]
    assert outs["ghost"] == "missed rounds 1 and 2"
    assert outs["cid"] in ("missed rounds 3 and 4", "missed rounds 4 and 5")
    assert [name for name, reason in outs.items() if reason] == sorted(["ghost", "cid"], key=list(outs).index)
    assert found["winner"] not in ("ghost", "cid", None)
    rated = {row[0] for row in evening.query("select player from ratings")}
    assert rated == {"ann", "bob", "eve", "dora", "cid", "greedy"}
    assert "winner: " in evening.output(referee)


GREEDY = '\n[[bots]]\nspec = "greedy"\n'


def test_an_evening_from_check_in_to_the_winner(evening: Evening) -> None:
    """Remote bots of two makes and a house bot: who misses two rounds is out; kill -9 in round 2 loses nothing."""
    names = ("ann", "bob", "eve", "dora", "cid", "ghost")
    evening.write(names, rounds=5, start="organiser", grace="3s", house=GREEDY)
    evening.play()
    an_evening(evening, evening.own("dora"))


@pytest.mark.slow
def test_an_evening_with_a_bot_in_go(evening: Evening) -> None:
    """The same story with a compiled bot of another language."""
    manifest = build("go", tools=("go",))
    names = ("ann", "bob", "eve", "dora", "cid", "ghost")
    evening.write(names, rounds=5, start="organiser", grace="3s", house=GREEDY)
    evening.play()
    command = [str(manifest.folder / manifest.command[0]), "--name", "dora", "--address", evening.address]
    an_evening(evening, evening.program(*command, "--bot", "honshu", "--state", str(evening.folder)))


def results(evening: Evening) -> dict[str, object]:
    """The report, and the answers of every match."""
    found = evening.told("report")
    connection = sqlite3.connect(evening.database)
    try:
        found["places"] = connection.execute(
            "select match, seat, player, place, points from seats order by match, seat"
        ).fetchall()
    finally:
        connection.close()
    return found


def steps(evening: Evening) -> int:
    """Steps of matches that are stored."""
    rows = evening.query("select count(*) from steps")
    return int(str(rows[0][0])) if rows else 0


def until_stepped(evening: Evening, count: int) -> None:
    """Wait until more than `count` further steps are stored and a match is running."""
    before = steps(evening)
    evening.until(lambda: steps(evening) > before + count and evening.running())


def disturbed(evening: Evening, names: Sequence[str], kills: int) -> dict[str, object]:
    """The results of an event whose referee is killed so often."""
    evening.folder.mkdir()
    try:
        evening.write(names, rounds=3, more="withdrawals = { dan = 3 }")
        referee = evening.play()
        for seed, name in enumerate(names):
            evening.start("join", f"random:seed={seed}", "--address", evening.address, "--name", name)
        for _ in range(kills):
            until_stepped(evening, 3)
            referee.send_signal(signal.SIGKILL)
            assert referee.wait(PATIENCE) == -signal.SIGKILL, evening.log()
            referee = evening.play()
        assert referee.wait(PATIENCE) == 0, evening.log()
        found = results(evening)
        check_swiss(found)
        return found
    finally:
        evening.close()


@pytest.mark.slow
@pytest.mark.parametrize("kills", [8])
def test_kills_do_not_change_the_result(tmp_path: Path, kills: int) -> None:
    """Deterministic bots and one secret: the event of a referee that is killed again and again ends as one in peace."""
    names = ("ann", "bob", "cid", "dan", "eve")
    reports = [disturbed(Evening(tmp_path / str(number)), names, number) for number in (0, kills)]

    assert reports[0] == reports[1]
    assert {entry["bot"]: entry["out"] for entry in reports[0]["standings"]}["dan"] == "withdrawn"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("bots", "seats", "rounds"),
    [
        (9, 2, 4),
        (9, 3, 3),
        pytest.param(16, 2, 5, marks=pytest.mark.slow),
        pytest.param(33, 2, 6, marks=pytest.mark.slow),
    ],
)
def test_a_swiss_event_over_the_wire_is_what_an_own_computation_says(
    evening: Evening, bots: int, seats: int, rounds: int
) -> None:
    """Rounds, byes, rematches, points and tie-breaks of an event between bots that connect."""
    names = [f"bot-{number:02}" for number in range(bots)]
    evening.write(names, rounds=rounds, seats=seats)
    referee = evening.play()
    evening.python("-m", "tests.ladder.many_bots", evening.address, *names)

    assert referee.wait(3 * PATIENCE) == 0, evening.log()
    found = evening.told("report")
    check_swiss(found)
    assert found["rounds_played"] == rounds
    assert len(found["standings"]) == bots  # type: ignore[arg-type]


def test_an_event_is_paused_and_goes_on_and_a_bot_is_withdrawn(evening: Evening) -> None:
    """A pause survives a restart; nothing is opened meanwhile; a withdrawal counts at once; each act is noted."""
    names = ("ann", "bob", "cid", "dan")
    evening.write(names, rounds=3, start="organiser")
    referee = evening.play()
    for name in names:
        evening.join(name)
    evening.until(lambda: evening.checked_in() == 4)
    assert evening.run("pause").returncode == 0
    assert evening.run("pause").returncode == 2
    assert evening.run("start").returncode == 0
    referee.send_signal(signal.SIGKILL)
    referee.wait(PATIENCE)
    referee = evening.play()
    evening.until(lambda: "referee at" in evening.errors(referee))
    status = evening.told("status")
    assert (status["paused"], status["state"], status["round"]) == (True, "EVENT_STATE_RUNNING", 0)
    assert evening.run("withdraw", "dan").returncode == 0
    stranger = evening.run("withdraw", "dam")
    assert stranger.returncode == 2
    assert evening.round() == 0
    assert evening.run("resume").returncode == 0

    assert referee.wait(PATIENCE) == 0, evening.log()
    (line,) = evening.errors(stranger).splitlines()
    assert "unknown entrant of event 'evening' 'dam'; did you mean 'dan'?" in line
    found = evening.told("report")
    check_swiss(found)
    assert {entry["bot"]: entry["out"] for entry in found["standings"]}["dan"] == "withdrawn by the organiser"  # type: ignore[attr-defined]
    acts = [row[0] for row in evening.query("select action from audit order by id")]
    assert acts == ["event pause", "event start", "event withdraw", "event resume"]
    after = evening.run("status")
    assert after.returncode == 2
    assert "no referee is running on" in evening.errors(after)
