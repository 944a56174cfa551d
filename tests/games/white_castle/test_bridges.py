"""Bridges: rolling, laying out and taking dice (W-8)."""

from __future__ import annotations

import pytest

from referee.games.white_castle import bridges
from referee.games.white_castle.components import CENTRE, LEFT, RIGHT
from referee.kernel.chance import Fast, Scripted
from referee.kernel.game import Event, Verb
from tests.games.white_castle.situations import Situation


@pytest.mark.parametrize(("seats", "count"), [(1, 3), (2, 3), (3, 4), (4, 5)])
def test_every_bridge_has_dice_for_the_seats_sorted_from_left_to_right(seats: int, count: int) -> None:
    """Three, four or five dice of each colour lie ascending on their bridge (W-4.7, W-8.1)."""
    state = Situation.new(seats).state

    for left, centre, right in state.bridges:
        dice = [left, *centre, right]
        assert count == len(dice)
        assert sorted(dice) == dice


def test_rolls_come_from_a_stream_of_their_own_per_round_and_colour() -> None:
    """The black dice of round 2 are those of stream `dice/2/black`, whatever was rolled elsewhere (W-14)."""
    table = Situation.in_round_one(2)
    table.state.round = 2
    events: list[Event] = []
    bridges.roll(table.state, Scripted({"dice/2/black": [5, 0, 2]}, otherwise=Fast(1)), events)

    assert table.state.bridges[1] == (1, (3,), 6)
    assert next(event.items for event in events if event.subject == "black") == (1, 3, 6)


def test_t6_the_last_die_stays_in_its_slot() -> None:
    """W-T6: after two left dice of 1, 4, 6 the left slot is empty and 6 stays right (W-8.2)."""
    first, bridge = bridges.take((1, (4,), 6), LEFT)
    second, bridge_after = bridges.take(bridge, LEFT)

    assert (first, bridge) == (1, (4, (), 6))
    assert (second, bridge_after) == (4, (0, (), 6))
    assert bridges.take(bridge_after, RIGHT) == (6, (0, (), 0))


def test_t6_the_last_die_is_only_offered_on_the_right_and_gives_no_lantern() -> None:
    """W-T6: the die left in the right slot is `die:coral:right`; taking it brings no lantern (W-7.3, W-8.3)."""
    table = Situation.in_round_one(2)
    table.state.bridges = [(0, (), 6), (1, (2,), 3), (0, (), 0)]
    table.clan(0).lantern = (table.clan(0).action,)
    table.ask("take_die", 0)

    assert table.options == ["die:coral:right", "die:black:left", "die:black:right"]

    table.answer("die:coral:right")

    assert table.kind == "place_die"

    table.answer("space:well")

    assert table.clan(0).space == 0


def test_t7_the_centre_slides_into_an_emptied_end() -> None:
    """W-T7: from 1, 2, 3, 5, 6 the 6 goes, then the 1; neighbours slide, values stay (W-8.2)."""
    six, bridge = bridges.take((1, (2, 3, 5), 6), RIGHT)
    one, bridge_after = bridges.take(bridge, LEFT)

    assert (six, bridge) == (6, (1, (2, 3), 5))
    assert (one, bridge_after) == (1, (2, (3,), 5))


def test_a_centre_die_leaves_the_ends_as_they_are() -> None:
    """Only the rival takes from the centre; the ends do not move (W-16.5)."""
    assert bridges.take((1, (4,), 6), CENTRE) == (4, (1, (), 6))


def test_take_die_offers_every_occupied_end_and_no_centre_die() -> None:
    """Six ends at most, colours in order, left before right (W-8.3, W-17.5)."""
    table = Situation.in_round_one(2)
    table.state.bridges = [(1, (2,), 3), (0, (), 4), (5, (), 0)]
    table.ask("take_die", 0)

    assert table.options == ["die:coral:left", "die:coral:right", "die:black:right", "die:white:left"]


def test_a_taken_die_must_be_placed_with_its_value() -> None:
    """`take_die` leads to `place_die` with colour, value and end (W-7.1)."""
    table = Situation.in_round_one(2)
    table.state.bridges = [(1, (2,), 3), (4, (5,), 6), (1, (1,), 1)]
    table.ask("take_die", 0).answer("die:black:right")

    assert table.frame == ("place_die", 0, 1, 6, RIGHT)
    assert table.state.bridges[1] == (4, (), 5)


def test_a_new_round_clears_all_dice_and_rolls_all_again() -> None:
    """Dice leave spaces, well and domains, and every bridge is full again (W-12.4)."""
    table = Situation.in_round_one(3)
    state = table.state
    state.spaces[0] = ((0, 3),)
    state.spaces[7] = ((1, 3), (2, 2))
    state.clans[1].dice[2] = 6
    bridges.roll(state, table.chance, table.events)

    assert state.spaces == [()] * 8
    assert [clan.dice for clan in state.clans] == [[0, 0, 0]] * 3
    assert [len(event.items) for event in table.said(Verb.ROLLED)] == [4, 4, 4]
