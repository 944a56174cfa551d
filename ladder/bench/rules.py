"""How fast the rules are, and what the match around them costs.

Everything is measured in short slices that take turns, so that a slow moment of the machine hits all of them; a ratio
is the median over the turns. Whatever else a machine does can only slow a slice down, so an absolute figure is that of
the best one. `yardstick` is a fixed loop of plain Python, measured alike: figures of different machines can be compared
as multiples of it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from referee.kernel import gc_pause, registry
from referee.kernel.chance import SECRET_BYTES, Fast
from referee.kernel.game import AnyGame, Event, Option, Pending, settle_variant
from referee.kernel.turns import advance, playout, settle
from referee.match.clock import NO_CLOCK, TimeControl
from referee.match.inprocess import play
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.match.record import Record

CLOCK = TimeControl.parse("1h+1s")
SLICE = 0.25
"""Seconds that one slice lasts at least."""


@dataclass(frozen=True, slots=True)
class RulesFigures:
    """One game at one number of seats."""

    game: str
    seats: int
    decisions: float
    """Decisions per second of the rules alone, random play: the best slice."""
    match: float
    """Cost of a decision in the match loop with a view per ask, over the rules alone."""
    clocked: float
    """The same of a match with a time limit."""
    record: float
    """Matches per second with every record written out, over without."""
    clone_us: float
    view_us: float
    """Time of a view in the middle of a game."""


def yardstick() -> float:
    """Seconds that a fixed loop of plain Python takes here: the best of five."""
    return min(_loop() for _ in range(5))


def _loop() -> float:
    begun = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number * number % 7
    return time.process_time() - begun


def measure(name: str, seats: int, turns: int = 5) -> RulesFigures:
    """The figures of one game."""
    game = registry.game(name)
    variant = settle_variant(game, seats, {})
    rng = random.Random(1)
    alone, matched, clocked, recorded = [], [], [], []
    with gc_pause.resting():  # as in every program that plays many games
        for _ in range(turns):
            alone.append(_rate(lambda: _rules_alone(game, seats, variant, rng)))
            matched.append(_rate(lambda: _match(game, seats, variant, rng)))
            clocked.append(_rate(lambda: _match(game, seats, variant, rng, clock=CLOCK)))
            recorded.append(_rate(lambda: _match(game, seats, variant, rng, written=True)))
    clone_us, view_us = _middle(game, seats, variant, rng)
    return RulesFigures(
        game=name,
        seats=seats,
        decisions=max(alone),
        match=median(a / m for a, m in zip(alone, matched, strict=True)),
        clocked=median(a / c for a, c in zip(alone, clocked, strict=True)),
        record=median(r / m for r, m in zip(recorded, matched, strict=True)),
        clone_us=clone_us,
        view_us=view_us,
    )


def _rate(play_one: Callable[[], int]) -> float:
    """Decisions per second of a slice of games."""
    decisions = 0
    begun = time.process_time()
    while time.process_time() - begun < SLICE:
        decisions += play_one()
    return decisions / (time.process_time() - begun)


def _rules_alone(game: AnyGame, seats: int, variant: dict[str, str], rng: random.Random) -> int:
    draw = rng.random

    def choose(ask: Pending, options: Sequence[Option]) -> Option:
        return options[int(draw() * len(options))]

    chance = Fast(rng.getrandbits(64))
    _, decisions = playout(game, game.start(seats, variant, chance), chance, choose)
    return decisions


def _match(
    game: AnyGame,
    seats: int,
    variant: dict[str, str],
    rng: random.Random,
    *,
    clock: TimeControl = NO_CLOCK,
    written: bool = False,
) -> int:
    """One match of random players with a view per ask, as `kumite match` plays it; `written`: its record too."""
    draw = rng.random

    def answer(asked: Asked) -> int:
        return int(draw() * len(asked.options))

    secret = rng.randbytes(SECRET_BYTES)
    plan = MatchPlan(game.name, ("random",) * seats, "0" * 32, secret, variant, clock)
    record = play(game, plan, [answer] * seats)
    if written:
        for _ in record.lines():
            pass
    return _decisions(record)


def _decisions(record: Record) -> int:
    return sum(len(step.answers) for step in record.steps)


def _middle(game: AnyGame, seats: int, variant: dict[str, str], rng: random.Random) -> tuple[float, float]:
    """Microseconds of a clone and of a view, over states from the middle of games."""
    states = []
    for _ in range(8):
        chance = Fast(rng.getrandbits(64))
        length = _rules_alone(game, seats, variant, rng) // 2
        state = game.start(seats, variant, chance)
        events: list[Event] = []
        turn = settle(game, state, chance, events)
        while turn.asks and length > 0:
            length -= len(turn.asks)
            answers = {seat: rng.choice(turn.options[seat]) for seat, _ in turn.asks}
            turn = advance(game, state, turn, answers, chance, events)
        states.append(state)
    clone = min(_each(states, game.clone) for _ in range(5))
    view = min(_each(states, lambda state: game.view(state, 0)) for _ in range(5))
    return clone, view


def _each(states: Sequence[object], work: Callable[[object], object]) -> float:
    begun = time.process_time()
    for _ in range(100):
        for state in states:
            work(state)
    return (time.process_time() - begun) / (100 * len(states)) * 1e6
