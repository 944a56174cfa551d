"""The games of a set of the gate: where the new bot sits, which job plays a game, and what the game counts.

One candidate sits once in every seat. Two candidates sit in every seat twice: at 4 seats both ways round in two of the
three divisions of the table into pairs (the division that is left out changes from set to set), at 5 seats all turns of
two neighbours, or in every other set of two seats that are no neighbours. So luck of the deal cancels within a set, and
over three sets, or two, every pair of seats holds the candidates equally often.

Everything follows from the seed s: set number k is what `kumite match GAME ... --seed s/k` plays (with independent
deals s/k/game), so every loss can be looked at. Each match has an id of its own, which tells no bot a seed that it
could not guess; the names at the table tell no bot which seats are the candidates'.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple, TypeAlias

from ladder.arena.gate.question import Question
from ladder.arena.jobs import Job
from ladder.arena.play import fresh_id, fresh_secret
from referee.match.clock import SECOND, duration
from referee.match.plan import MatchPlan

Seats: TypeAlias = tuple[int, ...]
"""Where the new bot sits, once or twice."""

DIVISIONS: tuple[tuple[Seats, Seats], ...] = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""A table of four divided into two pairs."""


class GameScore(NamedTuple):
    """One game of a set for the candidate, or the mean of two."""

    wins: float
    """Mean score against the baselines by place."""
    margin: float
    """Mean margin of points over the baselines; 0 where wins are tested."""
    answers: str
    """A fingerprint of all answers of all seats; empty if it was not needed."""


def seatings(seats: int, candidates: int, number: int) -> tuple[Seats, ...]:
    """The seats of the new bot in each game of a set: as many games as seats."""
    if candidates == 1:
        return tuple((seat,) for seat in range(seats))
    if seats == 4:
        left_out = number % len(DIVISIONS)
        return tuple(pair for at, division in enumerate(DIVISIONS) if at != left_out for pair in division)
    step = 1 + number % 2
    return tuple((seat, (seat + step) % seats) for seat in range(seats))


def seating(question: Question, number: int, game: int) -> Seats:
    """The seats of the new bot in one game of a set."""
    return seatings(question.seats, question.design.candidates, number)[game]


def names(seats: int) -> tuple[str, ...]:
    """Names at a table, which tell no bot where the candidates sit."""
    return tuple(f"seat{seat + 1}" for seat in range(seats))


def _luck(question: Question, number: int, game: int) -> str:
    """The seed of one game of a set: the set's, or one of its own."""
    return f"{question.seed}/{number}" if question.duplicate else f"{question.seed}/{number}/{game}"


def _specs(question: Question, number: int, game: int) -> tuple[str, ...]:
    new = seating(question, number, game)
    return tuple(question.new if seat in new else question.old for seat in range(question.seats))


def game_job(question: Question, number: int, game: int) -> Job:
    """One game of a set."""
    luck = _luck(question, number, game)
    return Job(
        _plan(question, f"{question.seed}/{number}/{game}", luck),
        specs=_specs(question, number, game),
        dice=fresh_id(luck, question.game),  # what `kumite match` throws for that seed
        limit=question.limit,
    )


def pilot_job(question: Question, number: int) -> Job:
    """A game of the baseline against itself, from which the scale of margins is measured."""
    seed = f"{question.seed}/scale/{number}"
    return Job(_plan(question, seed, seed), specs=(question.old,) * question.seats, limit=question.limit)


def _plan(question: Question, name: str, luck: str) -> MatchPlan:
    """The match whose id grows from one seed and whose luck from another."""
    players = names(question.seats)
    return MatchPlan(
        question.game, players, fresh_id(name, question.game), fresh_secret(luck), variant=question.variant
    )


def command(question: Question, number: int, game: int, options: str) -> str:
    """The command that plays one game of a set again."""
    bots = " ".join(_specs(question, number, game))
    settings = "".join(f" -v {key}={value}" for key, value in question.variant.items())
    return f"kumite match {question.game} {bots}{settings} --seed {_luck(question, number, game)}{options}"


def limit_option(question: Question) -> str:
    """The option of `kumite match` that limits decisions as the test does."""
    return "" if question.limit is None else f" --limit {duration(round(question.limit * SECOND))}"


def fingerprint(steps: str) -> str:
    """A fingerprint of who answered what in a game, without times and notes."""
    digest = hashlib.sha256()
    for line in steps.splitlines():
        entry = json.loads(line)
        digest.update(json.dumps([entry.get("answers"), entry.get("by")], sort_keys=True).encode())
    return digest.hexdigest()
