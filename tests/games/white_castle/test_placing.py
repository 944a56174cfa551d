"""Placing dice: which spaces, which price, which rows (W-7, W-9)."""

from __future__ import annotations

import pytest

from referee.games.white_castle.components import COLOURS
from tests.games.white_castle.situations import Situation, cards, effect


def spaces(table: Situation, colour: str, value: int, seat: int = 0) -> list[str]:
    """The spaces offered to a die, without exchanges."""
    table.ask("place_die", seat, COLOURS.index(colour), value, 2)
    return [text.removeprefix("space:") for text in table.options if text.startswith("space:")]


def test_e1_a_room_with_two_tiles_of_the_colour_gives_two_rows_in_free_order() -> None:
    """W-E1: white 5 on `steward_3` with S02 and tiles white, coral, white: +2 coins, rows 0 and 2 pending (W-9.2)."""
    table = Situation.in_round_one(2, castle={"steward_3": "S02"}, rooms={"steward_3": ("white", "coral", "white")})
    table.place("steward_3", "white", 5)

    assert table.goods() == {"coin": 2}
    assert (table.kind, table.options) == ("next_action", ["act:0", "act:1"])
    assert (effect("S02:0"), effect("S02:2")) == table.frame[2:]

    table.answer("act:1")

    assert table.goods() == {"coin": 2, "iron": 2}


def test_e2_outside_two_dice_fill_a_space_with_three_players() -> None:
    """W-E2: a full `outside_1` is not offered (W-9.1)."""
    table = Situation.in_round_one(3)
    table.clan(0, coin=9)
    table.state.spaces[5] = ((0, 5), (1, 5))

    assert "outside_1" not in spaces(table, "black", 4)
    assert "outside_2" in spaces(table, "black", 4)


@pytest.mark.parametrize("below", [(), ((0, 5),)])
def test_e2_a_lower_die_outside_pays_the_difference(below: tuple[tuple[int, int], ...]) -> None:
    """W-E2: black 4 on `outside_2`, empty or on a 5, costs one coin; then its two actions or skip (W-7.2, W-9.3)."""
    table = Situation.in_round_one(3)
    table.clan(0, coin=3, iron=1)
    table.state.spaces[6] = below
    table.place("outside_2", "black", 4)

    assert table.goods() == {"coin": 2, "iron": 1}
    assert (table.kind, table.options) == ("outside_action", ["courtier", "warrior", "skip"])


def test_outside_spaces_offer_their_own_two_actions() -> None:
    """`outside_1` has gardener and courtier; skipping ends the turn (W-9.3, W-7.5)."""
    table = Situation.in_round_one(2)
    table.place("outside_1", "black", 5)

    assert table.options == ["gardener", "courtier", "skip"]

    table.answer("skip")

    assert (table.kind, table.seat) == ("take_die", 1)


def test_t8_with_two_players_a_room_takes_one_die() -> None:
    """W-T8: a room with a die is not offered to two players (W-9.1)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=9)
    free = spaces(table, "coral", 3)
    table.state.spaces[0] = ((0, 3),)

    assert [name for name in free if name not in spaces(table, "coral", 3)] == ["steward_1"]


def test_t8_a_stacked_die_covers_the_die_below() -> None:
    """W-T8: on a 6 a 2 costs four coins; with three and a seal the space appears after `x:coin` (W-6.4, W-9.1)."""
    table = Situation.in_round_one(3)
    table.clan(0, coin=3, seal=1)
    table.state.spaces[0] = ((0, 6),)

    assert "steward_1" not in spaces(table, "coral", 2)

    table.answer("x:coin")

    assert "space:steward_1" in table.options

    table.answer("space:steward_1")

    assert table.goods().get("coin", 0) == 0
    assert table.state.spaces[0] == ((0, 6), (0, 2))


def test_t9_the_well_is_always_worth_one() -> None:
    """W-T9: a 6 on a well with two dice gains five coins (W-9.1)."""
    table = Situation.in_round_one(2)
    table.state.spaces[7] = ((0, 6), (1, 6))
    table.place("well", "white", 6)

    assert table.goods()["coin"] == 5
    assert len(table.state.spaces[7]) == 3


def test_t9_a_domain_row_takes_one_die_per_round() -> None:
    """W-T9: the row is not offered again, but the `domain` effect may use it (W-9.1, W-9.5)."""
    table = Situation.in_round_one(2)
    table.place("domain_coral", "coral", 6)

    assert "domain_coral" not in spaces(table, "coral", 6)

    table.do("Y8:action")

    assert (
        table.kind,
        table.options,
    ) == ("choose_domain_row", ["domain:coral", "domain:black", "domain:white", "skip"])


def test_rooms_take_only_colours_their_tiles_show() -> None:
    """A colour shown by no tile of a room is not accepted there; outside, well and the own row are (W-9.1, W-19)."""
    table = Situation.in_round_one(
        2,
        rooms={
            "steward_1": ("white", "black", "white"),
            "steward_2": ("white", "black", "white"),
            "steward_3": ("white", "black", "white"),
            "diplomat_1": ("white", "black"),
            "diplomat_2": ("white", "black"),
        },
    )

    assert spaces(table, "coral", 6) == ["outside_1", "outside_2", "well", "domain_coral"]


def test_spaces_stand_in_board_order() -> None:
    """Rooms, outside, well, own domain row of the die's colour (W-9.1, W-17.5)."""
    table = Situation.in_round_one(2)

    assert spaces(table, "coral", 6) == [
        "steward_1",
        "steward_2",
        "steward_3",
        "diplomat_1",
        "outside_1",
        "outside_2",
        "well",
        "domain_coral",
    ]


def test_the_well_takes_every_die_without_a_coin() -> None:
    """With nothing in hand a 1 goes to the well alone, so there is always a legal move (W-1.3)."""
    table = Situation.in_round_one(2)

    assert spaces(table, "white", 1) == ["well"]


def test_the_difference_must_be_there_in_coins() -> None:
    """A space is legal only if covered minus value is at most the coins held (W-9.1, W-7.2)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=1)

    assert spaces(table, "white", 2) == ["steward_1", "steward_2", "steward_3", "well"]


def test_placing_where_nothing_can_be_used_is_legal() -> None:
    """A room whose only facing row cannot be paid still takes the die; the turn then ends (W-9.1, W-10.7)."""
    table = Situation.in_round_one(2, castle={"steward_3": "S02"}, rooms={"steward_3": ("black", "coral", "white")})
    table.place("steward_3", "black", 3)

    assert (table.kind, table.seat) == ("take_die", 1)


def test_t15_the_second_row_is_read_from_the_card_at_placement() -> None:
    """W-T15: the first row's climb takes the room's card, the second row is still the old card's (W-9.2, W-R7)."""
    table = Situation.in_round_one(2, castle={"steward_3": "S02"}, rooms={"steward_3": ("white", "coral", "white")})
    table.clan(0, coin=2, pearl=2, seal=1)
    table.place("steward_3", "white", 5).answer("act:0", "pay", "audience", "climb:gate:1:steward_3", "row:1")

    assert cards("S02")[0] == table.clan(0).action
    assert cards("S02")[0] != table.state.castle[2]
    assert table.goods()["iron"] == 2


def test_t27_lantern_coins_come_too_late_for_the_placement() -> None:
    """W-T27: left die, two coins, a lantern of one: a space costing three is not legal (W-7.3)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=2).lantern = cards("S01")
    table.ask("place_die", 0, 0, 2, 0)

    assert "space:outside_1" not in table.options

    table.answer("space:steward_1")

    assert table.goods()["coin"] == 2


def test_a_left_die_brings_the_lantern_before_the_space() -> None:
    """Coins first, then the lantern, then the space (W-7.3, W-7.4)."""
    table = Situation.in_round_one(2)
    table.clan(0).lantern = cards("S01", "R7")
    table.place("outside_1", "black", 5, position=0)

    assert (table.kind, table.goods()) == ("outside_action", {"coin": 1, "food": 1})


def test_t29_outside_lists_both_actions_even_if_nothing_can_be_done() -> None:
    """W-T29: nothing at hand: the list is complete and either action ends without a question (W-17.4, W-10)."""
    for chosen in ("courtier", "warrior"):
        table = Situation.in_round_one(2)
        table.clan(0).home[2] = 0
        table.clan(0).yards[0] = 5
        table.place("outside_2", "black", 5)

        assert table.options == ["courtier", "warrior", "skip"]

        table.answer(chosen)

        assert (table.kind, table.seat) == ("take_die", 1)


def test_nested_effects_end_before_the_surrounding_one_goes_on() -> None:
    """A garden bought inside the first row resolves its own effect before the second row (W-5.8)."""
    table = Situation.in_round_one(
        2,
        castle={"steward_3": "S13"},
        rooms={"steward_3": ("coral", "white", "white")},
        gardens=("GP3", "GS1", "GP1", "GS2", "GP2", "GS4"),
    )
    table.clan(0, food=1, seal=1).lantern = cards("R7")
    table.place("steward_3", "white", 3).answer("act:1", "pay", "garden:GS1")

    assert (table.kind, table.goods()) == ("choose_resource", {})

    table.answer("iron", "iron")

    assert table.goods() == {"iron": 2, "food": 1}


def test_a_turn_ends_without_a_question_and_the_next_player_follows() -> None:
    """After the space is carried out the next in order takes a die; no seat can pass (W-7.5)."""
    table = Situation.in_round_one(3)
    table.state.order = (0, 2, 1)
    table.place("well", "white", 1)

    assert (table.kind, table.seat) == ("take_die", 2)
