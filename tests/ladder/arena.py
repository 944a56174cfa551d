"""Referees and bots as real processes in a folder, and a second opinion on what their database says."""

from __future__ import annotations

import json
import math
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import NamedTuple

from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import FinishedGame, collect
from ladder.store.database import Store
from referee.match.verify import verify
from tests.forked import Forked

Process = Forked | subprocess.Popen[bytes]
PATIENCE = 90.0
"""Seconds after which something that should have happened is given up."""
INITIAL, FIRST_DEVIATION = 1500.0, 350.0
"""The quick rating of a new bot, and its deviation."""


class Arena:
    """A folder in which a referee and bots run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "cup.sqlite"
        self.address = f"unix:{folder / 'r'}"
        self.processes: list[Process] = []

    def start(self, *words: str) -> Process:
        """Run `kumite` with these words; what it prints goes to a log of its own."""
        return self.python("-m", "ladder", *words)

    def python(self, *words: str) -> Process:
        """Run Python with these words; what it prints goes to a log of its own."""
        out, err = self._logs()
        process = Forked(*words, folder=self.folder, environment=self._environment(), out=out, err=err)
        self.processes.append(process)
        return process

    def program(self, *command: str) -> Process:
        """Run any other program; what it prints goes to a log of its own."""
        out, err = self._logs()
        with out.open("wb") as output, err.open("wb") as errors:
            process = subprocess.Popen(command, cwd=self.folder, env=self._environment(), stdout=output, stderr=errors)
        self.processes.append(process)
        return process

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KUMITE_")}
        return kept | {"KUMITE_STATE": str(self.folder / "state"), "PYTHONPATH": str(Path(__file__).parents[2])}

    def _logs(self) -> tuple[Path, Path]:
        """The files for what the next process prints to its standard output and error."""
        number = len(self.processes)
        return self.folder / f"out-{number}", self.folder / f"err-{number}"

    def serve(self, *words: str) -> Process:
        """A referee with the database of the arena."""
        return self.start("serve", "--db", str(self.database), "--bind", self.address, *words)

    def join(self, name: str, *words: str) -> Process:
        """A bot that plays at random under a name."""
        own = () if "--token" in words else ("--name", name)
        return self.start("join", f"random:seed={len(self.processes)}", "--address", self.address, *own, *words)

    def output(self, process: Process) -> str:
        """What a process has printed to its standard output."""
        return (self.folder / f"out-{self.processes.index(process)}").read_text()

    def errors(self, process: Process) -> str:
        """What a process has printed to its standard error."""
        return (self.folder / f"err-{self.processes.index(process)}").read_text()

    def log(self) -> str:
        """All that was printed to standard error."""
        return "\n".join(f"--- {path.name}\n{path.read_text()}" for path in sorted(self.folder.glob("err-*")))

    def until(self, condition: Callable[[], object]) -> None:
        """Wait for something to come true."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.log()
            time.sleep(0.02)

    def query(self, text: str) -> list[tuple[object, ...]]:
        """Rows of the database; none while it is not there yet."""
        if not self.database.exists():
            return []
        connection = sqlite3.connect(self.database, timeout=PATIENCE)
        try:
            return connection.execute(text).fetchall()
        except sqlite3.OperationalError:
            return []
        finally:
            connection.close()

    def ended(self) -> int:
        """Matches that are over."""
        return len(self.query("select 1 from matches where state = 'finished'"))

    def running(self) -> set[str]:
        """The ids of the matches that are going on."""
        return {str(row[0]) for row in self.query("select id from matches where state = 'running'")}

    def standings(self) -> list[dict[str, object]]:
        """The pools of the latest season as `ladder standings --json` tells them."""
        process = self.start("ladder", "standings", str(self.database), "--json")
        assert process.wait(PATIENCE) == 0, self.log()
        found: list[dict[str, object]] = json.loads(self.output(process))["pools"]
        return found

    def close(self) -> None:
        """End what still runs."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait(30)


class Seat(NamedTuple):
    """One seat of a finished match."""

    player: str
    build: int
    place: int
    before: float
    after: float
    games: int


def matches_in_order(arena: Arena, pool: int = 1) -> list[list[Seat]]:
    """The rated matches of a pool in the order of their ends, by seat."""
    rows = arena.query(
        "select end_number, player, build, place, rating_before, rating_after, rating_games from seats "
        "join matches on matches.id = match join groups on groups.id = group_id "
        f"where pool = {pool} and state = 'finished' and rated = 1 order by end_number, seat"
    )
    matches: dict[object, list[Seat]] = {}
    for end, *seat in rows:
        matches.setdefault(end, []).append(Seat(*seat))  # type: ignore[arg-type]
    return list(matches.values())


def quick_ratings(matches: Sequence[Sequence[Seat]]) -> dict[int, float]:
    """The quick rating of each build after all matches; every seat must have been told what comes out here."""
    known: dict[int, tuple[float, float]] = {}
    games: dict[int, int] = {}
    q = math.log(10.0) / 400.0
    for seats in matches:
        before = [known.get(seat.build, (INITIAL, FIRST_DEVIATION)) for seat in seats]
        weight = 3.0 / (len(seats) + 1)
        for mine, seat in enumerate(seats):
            rating, deviation = before[mine]
            precision, surprise = deviation**-2, 0.0
            for theirs, other in enumerate(seats):
                if theirs != mine:
                    g = (1.0 + 3.0 * (q * before[theirs][1] / math.pi) ** 2) ** -0.5
                    expected = 1.0 / (1.0 + 10.0 ** (-g * (rating - before[theirs][0]) / 400.0))
                    score = 0.5 * (1 + (seat.place < other.place) - (seat.place > other.place))
                    precision += weight * (q * g) ** 2 * expected * (1.0 - expected)
                    surprise += weight * g * (score - expected)
            known[seat.build] = rating + q * surprise / precision, precision**-0.5
            games[seat.build] = games.get(seat.build, 0) + 1
            assert abs(seat.before - rating) < 1e-6
            assert abs(seat.after - known[seat.build][0]) < 1e-6
            assert seat.games == games[seat.build]
    return {build: rating for build, (rating, _) in known.items()}


def check_standings(arena: Arena) -> None:
    """Standings of one open pool are the fold over its results: Glicko by own code, and the batch fit."""
    matches = matches_in_order(arena)
    ratings = quick_ratings(matches)
    names = {seat.build: seat.player for seats in matches for seat in seats}
    assert len(set(names.values())) == len(names), "the test expects one build of each bot"
    (pool,) = arena.standings()
    players = {entry["player"]: entry for entry in pool["players"]}  # type: ignore[attr-defined]
    games = [
        FinishedGame(tuple(seat.player for seat in seats), tuple(seat.place for seat in seats)) for seats in matches
    ]
    found = fit(collect(games), offset=INITIAL)

    assert set(players) == set(names.values())
    for build, rating in ratings.items():
        assert abs(players[names[build]]["live"] - rating) < 1e-6
    for index, name in enumerate(found.names):
        assert abs(players[name]["elo"] - found.elo[index]) < 1e-6
        assert players[name]["games"] == sum(name in game.players for game in games)
    ranked = [entry for entry in pool["players"] if entry["rank"] is not None]  # type: ignore[attr-defined]
    assert [entry["rank"] for entry in ranked] == list(range(1, len(ranked) + 1))
    assert {entry["player"] for entry in ranked} == {name for name, entry in players.items() if entry["games"] >= 10}


def check_records(arena: Arena) -> None:
    """Every finished record verifies, no match is void, groups are counted without a gap, and each has one match."""
    with Store(arena.database) as store:
        rows = store._connection.execute("select id, state from matches").fetchall()
        for match, state in rows:
            assert state != "void", arena.log()
            if state == "finished":
                verify(store.record(match))
        numbers = [row[0] for row in store._connection.execute("select number from groups order by pool, number")]
        assert numbers == list(range(len(rows)))
        ends = [row[0] for row in store._connection.execute("select end_number from matches order by end_number")]
        assert [end for end in ends if end is not None] == list(range(1, 1 + len(rows) - ends.count(None)))


class Meetings(NamedTuple):
    """What happened in an open season since all of its bots had come, counted in matches that were opened."""

    opened: int
    until_all_met: int | None
    """Matches after which every pair had met; None: some pair has not."""


def meetings(arena: Arena, bots: int) -> Meetings:
    """Count from the first match of the bot that came last: processes do not start at one moment."""
    met: set[frozenset[str]] = set()
    seen: set[str] = set()
    opened, all_met = 0, None
    for (text,) in arena.query("select lineup from groups order by number"):
        lineup = json.loads(str(text))
        seen |= set(lineup)
        met |= {frozenset(pair) for pair in combinations(lineup, 2)}
        opened += len(seen) == bots
        if len(met) == comb(bots, 2) and all_met is None:
            all_met = opened
    return Meetings(opened, all_met)
