"""Real duplicate sets of bots whose difference is known: greedy with slips of the hand against greedy.

Sets of one range of seeds (`TUNING`) gave the ratios of effect sizes in `ladder.arena.gate.set_scores`, sets of another
(`TABLE`) the figures of `kumite bench gate`. `python -m ladder.bench.slips RANGE SETS FILE [GAME]` plays either
for every game and number of seats and appends one JSON line for each set, with places and points of all games;
`python -m ladder.bench.gate_table FILE` reads them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.bundled.greedy import policy
from ladder.arena.gate.question import PAIR_SEATS
from ladder.arena.gate.set_scores import PILOT_GAMES
from ladder.arena.gate.sets import Seats, names, seatings
from ladder.arena.jobs import Job
from ladder.arena.play import fresh_id, fresh_secret
from ladder.arena.workers import carry_out
from referee.kernel import registry
from referee.kernel.game import Option
from referee.match.plan import MatchPlan

SLIPPING = "py:ladder.bench.slips:Slipping"
SLIPS = 50
"""Of a thousand decisions: a candidate near the bounds of a usual test."""


class Range(StrEnum):
    """Ranges of seeds; none of their deals are the same."""

    TUNING = "slips"
    TABLE = "table"


class Slipping(Bot):
    """Greedy, but so many of a thousand decisions are any option at all."""

    events = False

    def __init__(self, slips: int = 0) -> None:
        self.slips = slips

    def decide(self, ask: AnyAsk) -> Option:
        if ask.rng.random() * 1000 < self.slips:
            return int(ask.rng.random() * ask.count)
        return policy(ask.game_name)(ask)


class PlayedGame(NamedTuple):
    """One game of a set: the candidate's seats, and the places and points of all seats."""

    new: Seats
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetSource:
    """Which sets: a game, a number of seats, how many of them are the candidate's, and where seeds come from."""

    game: str
    seats: int
    candidates: int = 1
    range: Range = Range.TABLE


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """A set of greedy with slips and greedy."""

    line: SetSource
    new: int
    """Slips of the candidate, of a thousand decisions."""
    old: int
    """Slips of the baseline."""
    number: int
    games: tuple[PlayedGame, ...]


def specs(new: int, old: int) -> tuple[str, str]:
    """The candidate and the baseline with so many slips."""
    return f"{SLIPPING}:slips={new},seed=1", f"{SLIPPING}:slips={old},seed=2"


def play_game(line: SetSource, bots: tuple[str, ...], seed: str, name: str) -> PlayedGame:
    """One game of bots by seat; the candidate's seats are left empty."""
    plan = MatchPlan(line.game, names(line.seats), fresh_id(name, line.game), fresh_secret(seed))
    result = carry_out(Job(plan, specs=bots, dice=fresh_id(seed))).final.result
    if result is None:
        raise RuntimeError(f"{line.game} of {bots} ended without a result")
    return PlayedGame((), result.places[: line.seats], result.points[: line.seats])


def play_set(line: SetSource, new: int, old: int, number: int) -> PlayedSet:
    """One deal, the candidate in the seats of a set of the gate."""
    candidate, baseline = specs(new, old)
    seed = f"{line.range}/{new}/{old}/{number}"
    played = []
    for game, seating in enumerate(seatings(line.seats, line.candidates, number)):
        bots = tuple(candidate if seat in seating else baseline for seat in range(line.seats))
        played.append(play_game(line, bots, seed, f"{seed}/{game}")._replace(new=seating))
    return PlayedSet(line, new, old, number, tuple(played))


def pilot(line: SetSource) -> list[tuple[int, ...]]:
    """Points of games of the baseline against itself, as many as the gate plays before a soft test."""
    seeds = [f"{Range.TUNING}/scale/{number}" for number in range(PILOT_GAMES)]
    return [play_game(line, (specs(0, 0)[1],) * line.seats, seed, seed).points for seed in seeds]


def play_sets(line: SetSource, most: int, seconds: float | None = None) -> Iterator[PlayedSet]:
    """Sets with the slips on either side in turn, at most so many, and at least two in so much processor time."""
    began = time.process_time()
    for count in range(most):
        if count >= 2 and seconds is not None and time.process_time() - began > seconds:
            return
        new, old = (0, SLIPS) if count % 2 == 0 else (SLIPS, 0)
        yield play_set(line, new, old, count // 2)


def lines(chosen: Range, games: tuple[str, ...]) -> list[SetSource]:
    """Every number of seats of these games, with one candidate and where that can be with two."""
    return [
        SetSource(game, seats, candidates, chosen)
        for game in games
        for seats in registry.game(game).seats
        for candidates in (1, 2)
        if seats > 1 and (candidates == 1 or seats in PAIR_SEATS)
    ]


def as_json(played: PlayedSet) -> str:
    """One line of a file."""
    line = played.line
    where = {"game": line.game, "seats": line.seats, "candidates": line.candidates, "range": line.range}
    return json.dumps({**where, "new": played.new, "old": played.old, "number": played.number, "games": played.games})


def read(file: str) -> list[PlayedSet]:
    """All sets of a file."""
    found = []
    with open(file, encoding="utf-8") as rows:
        for row in rows:
            entry = json.loads(row)
            line = SetSource(entry["game"], entry["seats"], entry["candidates"], Range(entry["range"]))
            games = tuple(PlayedGame(*(tuple(part) for part in game)) for game in entry["games"])
            found.append(PlayedSet(line, entry["new"], entry["old"], entry["number"], games))
    return found


def main(chosen: Range, sets: int, file: str, only: str | None) -> None:
    """Play sets and append them to a file."""
    for line in lines(chosen, (only,) if only else tuple(registry.names())):
        for played in play_sets(line, sets):
            with open(file, "a", encoding="utf-8") as rows:
                rows.write(as_json(played) + "\n")


if __name__ == "__main__":
    main(Range(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None)
