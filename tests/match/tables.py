"""Matches of the toy game, ready made for tests."""

from __future__ import annotations

from collections.abc import Iterable

from referee.kernel.chance import secret_from_seed
from referee.kernel.game import AnyGame
from referee.match.clock import SECOND, TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Faulted, Output, Stepped
from referee.match.plan import MatchPlan
from referee.match.policy import Fault, Policy
from referee.match.record import Final, Step
from tests.match.toy import GAME

CLOCK = TimeControl.parse("10s+1s/5s")
LENIENT = Policy(faults=3, start=30 * SECOND)


def new_match(
    players: int = 3,
    *,
    seed: str = "toy",
    clock: TimeControl = CLOCK,
    policy: Policy = LENIENT,
    variant: dict[str, str] | None = None,
    spectators: bool = False,
    game: AnyGame = GAME,
) -> Match:
    """A match that has not begun."""
    return Match(game, plan_of(players, seed, clock, policy, variant, game), spectators=spectators)


def plan_of(
    players: int = 3,
    seed: str = "toy",
    clock: TimeControl = CLOCK,
    policy: Policy = LENIENT,
    variant: dict[str, str] | None = None,
    game: AnyGame = GAME,
) -> MatchPlan:
    """Its plan."""
    names = tuple(f"bot{seat}" for seat in range(players))
    return MatchPlan(game.name, names, f"match-{seed}", secret_from_seed(seed), variant or {}, clock, policy)


def started(at: int = 0, **settings: object) -> Match:
    """A match whose seats are all ready and asked their first question; nothing is drained yet."""
    match = new_match(**settings)  # type: ignore[arg-type]
    match.begin(at)
    for seat in range(len(match.terms.players)):
        match.ready(seat, at)
    return match


def asks(outputs: Iterable[Output]) -> dict[int, Asked]:
    """The asks among outputs, by seat."""
    return {output.seat: output for output in outputs if isinstance(output, Asked)}


def steps(outputs: Iterable[Output]) -> list[Step]:
    """The steps among outputs."""
    return [output.step for output in outputs if isinstance(output, Stepped)]


def faults(outputs: Iterable[Output]) -> list[Fault]:
    """The faults among outputs."""
    return [output.fault for output in outputs if isinstance(output, Faulted)]


def finals(outputs: Iterable[Output]) -> list[Final]:
    """The ends among outputs."""
    return [output.final for output in outputs if isinstance(output, Ended)]
