"""Whole games for tests: answers at random, or eager ones, which rarely decline, so that every rule has its turn."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from referee.games.white_castle import GAME, CastleOption
from referee.games.white_castle.state import State
from referee.kernel.chance import Fast
from referee.kernel.game import Event, Seat, settle_variant

_WEIGHTS = {"skip": 0.2, "done": 0.2, "stop": 1.0, "x": 0.3, "climb": 9.0, "audience": 6.0, "pay": 8.0}
"""By the first word of an option's text; every other option weighs 3."""


def moments(
    seats: int, seed: int, variant: Mapping[str, str] = {}, eager: bool = True
) -> Iterator[tuple[State, Sequence[Event]]]:
    """Every position of a game, the end included, with the events that led to it; the same state object each time."""
    chance, chooser = Fast(seed), random.Random(seed)
    state = GAME.start(seats, settle_variant(GAME, seats, variant), chance)
    events: Sequence[Event] = ()
    while asks := GAME.pending(state):
        yield state, events
        seat = asks[0].seat
        events = GAME.apply(state, {seat: _chosen(state, seat, chooser, eager)}, chance)
    yield state, events


def _chosen(state: State, seat: Seat, chooser: random.Random, eager: bool) -> CastleOption:
    options = cast("Sequence[CastleOption]", GAME.options(state, seat))
    weights = [_WEIGHTS.get(option.text.partition(":")[0], 3.0) if eager else 1.0 for option in options]
    return chooser.choices(options, weights)[0]
