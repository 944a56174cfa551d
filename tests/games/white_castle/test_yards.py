"""Warriors and the training yards (W-10.2)."""

from __future__ import annotations

from tests.games.white_castle.situations import Situation, effect


def test_e5_the_dear_yard_has_two_tiles_in_free_order() -> None:
    """W-E5: iron 5 to `yard_5` with Y6 (castle row black) and Y2 (two steps); Y6 first, a row with VP and well."""
    table = Situation.in_round_one(
        2, castle={"diplomat_1": "D08"}, rooms={"diplomat_1": ("black", "coral")}, yards=("Y6", "Y2", "Y3", "Y4")
    )
    table.clan(0, iron=5)
    table.do("A3:0").answer("yard:yard_5")

    assert (table.goods(), table.kind, table.options) == ({}, "next_action", ["act:0", "act:1"])
    assert (effect("Y6:action"), effect("Y2:reward")) == table.frame[2:]

    table.answer("act:0", "row:diplomat_1:0")

    assert table.goods() == {"vp": 2, "seal": 1, "pearl": 1, "iron": 1}
    assert table.clan(0).space == 2


def test_yards_that_can_be_paid_are_offered_in_board_order() -> None:
    """One, three and five iron; the yard may hold any number of warriors (W-10.2)."""
    table = Situation.in_round_one(2)
    table.clan(0).yards = [3, 0, 0]
    table.clan(0).home[2] = 2

    for iron, expected in [
        (1, ["yard:yard_1", "skip"]),
        (3, ["yard:yard_3", "yard:yard_1", "skip"]),
        (5, ["yard:yard_5", "yard:yard_3", "yard:yard_1", "skip"]),
    ]:
        table.clan(0, iron=iron)
        assert expected == table.do("A3:0").options


def test_a_single_tile_starts_by_itself() -> None:
    """`yard_1` has one tile, reward side up (W-10.2)."""
    table = Situation.in_round_one(2, yards=("Y1", "Y2", "Y3", "Y6"))
    table.clan(0, iron=1)
    table.do("A3:0").answer("yard:yard_1")

    assert table.goods() == {"coin": 5}
    assert (table.clan(0).yards, table.home()["warrior"]) == ([0, 0, 1], 4)


def test_the_middle_yard_shows_the_action_side() -> None:
    """`yard_3` has an action; a second warrior may follow from it (W-10.2)."""
    table = Situation.in_round_one(2, yards=("Y1", "Y3", "Y2", "Y6"))
    table.clan(0, iron=6)
    table.do("A3:0").answer("yard:yard_3")

    assert (table.kind, table.goods()) == ("place_warrior", {"iron": 3})


def test_a_warrior_needs_iron_within_reach() -> None:
    """No iron and one seal: skipped; two seals: asked with nothing to place yet (W-10)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=1)

    assert table.do("A3:0").kind == "take_die"

    table.clan(0, seal=2)

    assert table.do("A3:0").options == ["skip", "x:coin", "x:food", "x:iron", "x:pearl"]


def test_no_warrior_at_home_skips_the_action() -> None:
    """All five away (W-19)."""
    table = Situation.in_round_one(2)
    table.clan(0, iron=7).home[2] = 0

    assert table.do("A3:0").kind == "take_die"
