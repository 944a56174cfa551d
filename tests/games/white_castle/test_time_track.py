"""The passage-of-time track (W-11) and the order that follows from it (W-12.1)."""

from __future__ import annotations

import pytest

from referee.games.white_castle.time_track import arrive, new_order
from tests.games.white_castle.situations import Situation


def on_space(space: int, seals: int = 0) -> Situation:
    """A table whose seat 0 stands on a space."""
    table = Situation.in_round_one(2)
    clan = table.clan(0, seal=seals)
    clan.space = space
    return table


@pytest.mark.parametrize(
    ("vector", "space", "seals", "end", "left"),
    [
        ("T1", 4, 1, 6, 0),
        ("T2", 5, 3, 7, 2),
        ("T2", 10, 2, 12, 0),
        ("T3", 13, 5, 15, 2),
        ("T3", 14, 3, 16, 0),
    ],
)
def test_t1_t2_t3_paying_a_gate_takes_its_seals_and_the_move_goes_on(
    vector: str, space: int, seals: int, end: int, left: int
) -> None:
    """W-T1, T2, T3: two steps over a gate, `pay` when asked (W-11.1, W-11.2)."""
    table = on_space(space, seals).ask("influence", 0, 2)

    assert table.kind == "pay_gate"
    assert table.options[:2] == ["pay", "stop"]

    table.answer("pay")

    assert (end, left) == (table.clan(0).space, table.goods().get("seal", 0))


def test_t1_stopping_before_a_gate_loses_the_steps_left() -> None:
    """W-T1: from 4 with one seal, `stop` leaves the marker on 5 and the seal in hand (W-11.2)."""
    table = on_space(4, 1).ask("influence", 0, 2).answer("stop")

    assert (table.clan(0).space, table.goods()["seal"]) == (5, 1)


@pytest.mark.parametrize(("vector", "space", "seals", "end"), [("T1", 4, 0, 5), ("T2", 10, 1, 10), ("T2", 14, 2, 14)])
def test_t1_t2_with_too_few_seals_the_move_ends_without_a_question(
    vector: str, space: int, seals: int, end: int
) -> None:
    """W-T1, T2: too few seals for the gate end the move (W-11.2)."""
    table = on_space(space, seals).ask("influence", 0, 2)

    assert table.kind == "take_die"
    assert end == table.clan(0).space


def test_t2_a_marker_that_did_not_move_keeps_its_height() -> None:
    """W-T2: seat 0 below seat 1 on space 10 cannot pay the gate and stays below (W-11.3)."""
    table = on_space(10, 1)
    table.clan(1).space = 10
    table.state.track = [1, 0]
    table.ask("influence", 0, 2)

    assert table.state.track == [1, 0]


def test_t3_steps_beyond_the_last_space_are_lost() -> None:
    """W-T3: from 19 two steps end on 20, worth 15 points (W-11.2)."""
    table = on_space(19).ask("influence", 0, 2)

    assert table.clan(0).space == 20

    table.ask("influence", 0, 1)

    assert table.clan(0).space == 20


def test_a_marker_that_moved_lies_on_top_of_its_new_stack() -> None:
    """Arriving on a space where others lie puts the marker above them, also after paying a gate (W-11.3)."""
    table = on_space(5, 1)
    table.clan(1).space = 6
    table.state.track = [1, 0]
    table.ask("influence", 0, 1).answer("pay")

    assert table.state.track == [0, 1]


def test_every_gate_is_asked_separately_and_nothing_else() -> None:
    """Two steps between gates are made without a question; no published move meets two gates (W-11.4, W-R9)."""
    table = on_space(6, 5).ask("influence", 0, 2)

    assert table.kind == "take_die"
    assert table.clan(0).space == 8


def test_an_exchange_that_makes_the_gate_unpayable_stops_the_move() -> None:
    """After `x:coin` the last seal is gone, so the move ends before the gate (W-6.4, W-17)."""
    table = on_space(5, 1).ask("influence", 0, 1)

    assert table.options == ["pay", "stop", "x:coin"]

    table.answer("x:coin")

    assert table.kind == "take_die"
    assert (table.clan(0).space, table.goods()) == (5, {"coin": 1})


def test_an_exchange_at_a_gate_that_stays_payable_asks_again() -> None:
    """With seals to spare the same question comes back with refreshed options (W-6.4)."""
    table = on_space(5, 2).ask("influence", 0, 1).answer("x:coin")

    assert (table.kind, table.options) == ("pay_gate", ["pay", "stop", "x:coin"])


def test_t17_turn_order_is_by_space_then_from_the_top_of_the_stack() -> None:
    """W-T17: spaces 7 [A bottom, B top], 9 [C], 5 [D] give C, B, A, D (W-12.1)."""
    table = Situation.in_round_one(4)
    for clan, space in [(0, 7), (1, 7), (2, 9), (3, 5)]:
        arrive(table.state, clan, space, table.events)
    new_order(table.state, table.events)

    assert table.state.order == (2, 1, 0, 3)
    assert table.events[-1].items == (2, 1, 0, 3)
