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
import shlex
from typing import NamedTuple, TypeAlias

from ladder.arena.gate.question import GateQuestion
from ladder.arena.jobs import Job
from ladder.arena.play import fresh_id, fresh_secret
from ladder.ratings.sprt import SequentialDesign
from referee.match.clock import SECOND, duration
from referee.match.plan import MatchPlan
from referee.match.supervision import DECISION_SECONDS

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
    record: str = ""
    """The lines of the game's record; empty unless records are kept for a report."""


def seatings(seats: int, candidates: int, number: int) -> tuple[Seats, ...]:
    """The seats of the new bot in each game of a set: as many games as seats."""
    if candidates == 1:
        return tuple((seat,) for seat in range(seats))
    if seats == 4:
        left_out = number % len(DIVISIONS)
        return tuple(pair for at, division in enumerate(DIVISIONS) if at != left_out for pair in division)
    step = 1 + number % 2
    return tuple((seat, (seat + step) % seats) for seat in range(seats))


def seating(question: GateQuestion, number: int, game: int) -> Seats:
    """The seats of the new bot in one game of a set."""
    return seatings(question.seats, question.design.candidates, number)[game]


def names(seats: int) -> tuple[str, ...]:
    """Names at a table, which tell no bot where the candidates sit."""
    return tuple(f"seat{seat + 1}" for seat in range(seats))


def _luck(question: GateQuestion, number: int, game: int) -> str:
    """The seed of one game of a set: the set's, or one of its own."""
    return f"{question.seed}/{number}" if question.duplicate else f"{question.seed}/{number}/{game}"


def specs(question: GateQuestion, number: int, game: int) -> tuple[str, ...]:
    """The bots of one game of a set, by seat."""
    new = seating(question, number, game)
    return tuple(question.new if seat in new else question.old for seat in range(question.seats))


def game_job(question: GateQuestion, number: int, game: int) -> Job:
    """One game of a set."""
    luck = _luck(question, number, game)
    return Job(
        _plan(question, f"{question.seed}/{number}/{game}", luck),
        specs=specs(question, number, game),
        dice=fresh_id(luck, question.game),  # what `kumite match` throws for that seed
        limit=question.limit,
    )


def pilot_job(question: GateQuestion, number: int) -> Job:
    """A game of the baseline against itself, from which the scale of margins is measured."""
    seed = f"{question.seed}/scale/{number}"
    return Job(_plan(question, seed, seed), specs=(question.old,) * question.seats, limit=question.limit)


def _plan(question: GateQuestion, name: str, luck: str) -> MatchPlan:
    """The match whose id grows from one seed and whose luck from another."""
    players = names(question.seats)
    return MatchPlan(
        question.game, players, fresh_id(name, question.game), fresh_secret(luck), variant=question.variant
    )


def command(question: GateQuestion, number: int, game: int, options: str) -> str:
    """The command that plays one game of a set again."""
    words = ["kumite", "match", question.game, *specs(question, number, game), *_settings(question)]
    return f"{shlex.join([*words, '--seed', _luck(question, number, game)])}{options}"


def gate_command(question: GateQuestion) -> str:
    """The command that asks the same question again, with the same luck."""
    design, usual = question.design, SequentialDesign(question.design.elo0, question.design.elo1)
    words = ["kumite", "gate", question.new, question.old, "--game", question.game]
    if question.seats != 2:
        words += ["--seats", str(question.seats)]
    if question.pair:
        words.append("--pair")
    words += [*_settings(question), "--elo0", f"{design.elo0:g}", "--elo1", f"{design.elo1:g}"]
    for option, value, default in (
        ("--model", design.model, usual.model),
        ("--alpha", f"{design.alpha:g}", f"{usual.alpha:g}"),
        ("--beta", f"{design.beta:g}", f"{usual.beta:g}"),
    ):
        if value != default:
            words += [option, value]
    words += ["--score", question.score, "--stop", question.stop, "--max-sets", str(question.max_sets)]
    if question.budget is not None:
        words += ["--budget", f"{question.budget:g}s"]
    if question.allow_faults:
        words += ["--allow-faults", str(question.allow_faults)]
    if question.limit != DECISION_SECONDS:
        words += ["--limit", "none" if question.limit is None else duration(round(question.limit * SECOND))]
    return shlex.join([*words, "--seed", question.seed])


def _settings(question: GateQuestion) -> list[str]:
    """The options of a command that fix the variant."""
    return [word for key, value in question.variant.items() for word in ("-v", f"{key}={value}")]


def limit_option(question: GateQuestion) -> str:
    """The option of `kumite match` that limits decisions as the test does."""
    return "" if question.limit is None else f" --limit {duration(round(question.limit * SECOND))}"


def fingerprint(steps: str) -> str:
    """A fingerprint of who answered what in a game, without times and notes."""
    digest = hashlib.sha256()
    for line in steps.splitlines():
        entry = json.loads(line)
        digest.update(json.dumps([entry.get("answers"), entry.get("by")], sort_keys=True).encode())
    return digest.hexdigest()
