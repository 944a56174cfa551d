"""Rounds and their end (W-7.5, W-12, W-17.1, W-18)."""

from __future__ import annotations

import random

import pytest

from referee.games.white_castle import GAME
from referee.games.white_castle.bridges import active
from referee.kernel.chance import Fast
from referee.kernel.game import Event, Verb, settle_variant
from tests.games.white_castle.situations import Situation


def play_through(seats: int, seed: int, **variant: str) -> list[Event]:
    """All events of a random game."""
    rng, chance = random.Random(seed), Fast(seed)
    state = GAME.start(seats, settle_variant(GAME, seats, variant), chance)
    events: list[Event] = []
    while asks := GAME.pending(state):
        assert len(asks) == 1
        options = GAME.options(state, asks[0].seat)
        events += GAME.apply(state, {asks[0].seat: options[rng.randrange(len(options))]}, chance)
    return events


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_player_has_nine_turns(seats: int) -> None:
    """Three rounds of three turns; exactly one player decides at any time (W-1.1, W-17.3, W-18.4)."""
    events = play_through(seats, 11)
    turns = [event.seat for event in events if event.verb is Verb.CHOSE and str(event.items[0]).startswith("space:")]

    assert [9] * seats == [turns.count(seat) for seat in range(seats)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_phases_follow_each_other(seats: int) -> None:
    """Round, gardens, round, gardens, round, final exchange; no garden step after round 3 (W-12.2, W-13.1, W-17.1)."""
    events = play_through(seats, 12)
    phases = [(event.subject, *event.items) for event in events if event.verb is Verb.PHASE]

    assert phases == [
        ("round", 1),
        ("gardens", 1),
        ("round", 2),
        ("gardens", 2),
        ("round", 3),
        ("final exchange",),
    ]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_three_dice_are_left_at_the_end_of_a_round(seats: int) -> None:
    """After three turns each exactly three dice lie on the bridges (W-12)."""
    rng, chance = random.Random(5), Fast(5)
    state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
    while asks := GAME.pending(state):
        left = sum(len([die for die in (b[0], *b[1], b[2]) if die]) for b in state.bridges)
        if state.stack[0][0] in ("gardens", "final"):
            assert left == 3
            assert any(active(bridge) for bridge in state.bridges)
        options = GAME.options(state, asks[0].seat)
        GAME.apply(state, {asks[0].seat: options[rng.randrange(len(options))]}, chance)


def test_turns_go_round_the_table_three_times() -> None:
    """In turn order, three times, then the round is over (W-7.5)."""
    table = Situation.in_round_one(3)
    table.state.order = (2, 0, 1)
    table.state.stack = [("turns", 0)]
    table.run()
    seen = []
    while table.state.round == 1 and table.kind == "take_die":
        seen.append(table.seat)
        table.answer(table.options[0])
        if table.kind == "place_die":
            table.answer("space:well")
        while table.kind == "choose_resource":
            table.answer("food")

    assert seen == [2, 0, 1] * 3


def test_the_new_order_holds_for_the_next_round() -> None:
    """Who stands further on the time track begins (W-12.1)."""
    table = Situation.in_round_one(2)
    table.clan(1).space = 4
    table.state.track = [1, 0]
    table.state.stack = [("turns", 6)]
    table.run()

    assert (table.state.order, table.state.round, table.seat) == ((1, 0), 2, 1)


def test_after_round_three_comes_the_end() -> None:
    """Round 3 ends with the new order and, without seals, the score (W-12.2, W-13.1)."""
    table = Situation.in_round_one(2)
    table.state.round = 3
    table.clan(1).space = 4
    table.state.track = [1, 0]
    table.state.stack = [("turns", 6)]
    table.run()

    assert (table.kind, table.state.order) == ("", (1, 0))
    assert GAME.result(table.state) is not None
