"""The castle: audience, climb, room cards and favours (W-10.3 to W-10.6, W-10.8)."""

from __future__ import annotations

from referee.games.white_castle.components import NOTHING
from referee.kernel.game import Verb
from tests.games.white_castle.situations import Situation, cards


def test_e7_audience_then_climb_to_a_diplomat() -> None:
    """W-E7: two coins to the gate, two pearls from floor 1 to `diplomat_1` with D05: three free resources (W-10.4)."""
    table = Situation.in_round_one(2, castle={"diplomat_1": "D05"})
    table.away(0, floor1=1)
    table.clan(0, coin=2, pearl=2)
    refill = table.state.diplomats[0]
    table.do("A1:0").answer("audience")

    assert table.clan(0).court[:2] == [1, 1]

    table.answer("climb:floor1:1:diplomat_1")

    assert (cards("D05")[0], cards("A1")) == (table.clan(0).action, table.clan(0).lantern)
    assert (table.kind, table.state.castle[3]) == ("choose_resource", NOTHING)

    table.answer("food", "food", "iron")

    assert table.goods() == {"food": 2, "iron": 1}
    assert refill == table.state.castle[3]
    assert refill not in table.state.diplomats
    assert table.clan(0).court == [1, 0, 0, 0, 1, 0, 0]


def test_e8_two_floors_to_the_daimyo() -> None:
    """W-E8: five pearls from floor 1 to floor 3: lantern, then a slot of F1; slot 2 gives two seals (W-10.6)."""
    table = Situation.in_round_one(2, daimyo="F1")
    table.away(0, floor1=1)
    table.clan(0, pearl=5).lantern = cards("R7")
    table.do("A1:0").answer("climb:floor1:2:favour")

    assert (table.kind, table.options) == ("daimyo_slot", ["slot:0", "slot:1", "slot:2"])
    assert table.goods() == {"food": 1}

    table.answer("slot:2")

    assert table.goods() == {"food": 1, "seal": 2}
    assert table.state.favours == [NOTHING, NOTHING, 0]
    assert (cards("A1")[0], cards("R7")) == (table.clan(0).action, table.clan(0).lantern)


def test_t10_two_floors_from_the_gate_touch_no_steward() -> None:
    """W-T10: five pearls from the gate to `diplomat_2`: only the floor where the move ends counts (W-10.3)."""
    table = Situation.in_round_one(2, castle={"diplomat_2": "D11"})
    table.away(0, gate=1)
    table.clan(0, pearl=5)
    stewards = table.state.castle[:3]
    table.do("A1:0").answer("climb:gate:2:diplomat_2")

    assert stewards == table.state.castle[:3]
    assert cards("D11")[0] == table.clan(0).action


def test_t11_the_lantern_counts_the_card_just_laid_down() -> None:
    """W-T11: audience, climb to S05, row 2: the lantern already holds A1 (W-10.4)."""
    table = Situation.in_round_one(2, castle={"steward_1": "S05"})
    table.clan(0, coin=2, pearl=2).lantern = cards("R8")
    table.do("A1:0").answer("audience", "climb:gate:1:steward_1")

    assert (table.kind, table.options) == ("choose_light", ["row:1", "row:2"])

    table.answer("row:2")

    assert table.goods() == {"iron": 1, "food": 1}
    assert table.clan(0).space == 1
    assert (cards("S05")[0], cards("R8", "A1")) == (table.clan(0).action, table.clan(0).lantern)


def test_t12_with_an_empty_deck_only_the_light_row_is_done() -> None:
    """W-T12: S07 stays in its room, own card and lantern area unchanged (W-10.5)."""
    table = Situation.in_round_one(2, castle={"steward_2": "S07"})
    table.away(0, gate=1)
    table.state.stewards = ()
    table.clan(0, pearl=2).lantern = cards("R8")
    table.do("A1:0").answer("climb:gate:1:steward_2")

    assert table.options == ["row:0", "row:2"]

    table.answer("row:2")

    assert table.goods() == {"food": 2}
    assert cards("S07")[0] == table.state.castle[1]
    assert (cards("A1")[0], cards("R8")) == (table.clan(0).action, table.clan(0).lantern)


def test_either_order_and_the_same_courtier_may_do_both() -> None:
    """Climb first, audience after; the courtier of the audience may climb at once (W-10.3, W-R8)."""
    table = Situation.in_round_one(2, castle={"steward_1": "S03"})
    table.away(0, gate=1)
    table.clan(0, coin=2, pearl=2)
    table.do("A1:0").answer("climb:gate:1:steward_1", "row:2")

    assert (table.kind, table.options) == ("courtier", ["audience", "done"])

    table.answer("audience")

    assert (table.kind, table.clan(0).court[:2]) == ("take_die", [1, 1])


def test_each_sub_action_happens_once() -> None:
    """After an audience no second one is offered, whatever the coins (W-10.3)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=9, pearl=2)
    table.do("A1:0").answer("audience")

    assert table.options == [
        "climb:gate:1:steward_1",
        "climb:gate:1:steward_2",
        "climb:gate:1:steward_3",
        "done",
    ]


def test_a_courtier_action_with_nothing_reachable_is_skipped() -> None:
    """No coins, no pearls, no seals: no question (W-10)."""
    table = Situation.in_round_one(2)

    assert table.do("A1:0").kind == "take_die"


def test_seals_make_an_audience_or_a_climb_reachable() -> None:
    """A coin and a seal reach the audience, four seals a climb; the list first holds no sub-action (W-10)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=1, seal=1)

    assert table.do("A1:0").options == ["done", "x:coin"]
    assert table.answer("x:coin").options == ["audience", "done"]

    table = Situation.in_round_one(2)
    table.away(0, gate=1, floor3=4)
    table.clan(0, seal=4)

    assert table.do("A1:0").options == ["done", "x:coin", "x:food", "x:iron", "x:pearl"]

    table = Situation.in_round_one(2)
    table.away(0, gate=1, floor3=4)
    table.clan(0, seal=3)

    assert table.do("A1:0").kind == "take_die"


def test_no_courtier_at_home_means_no_audience() -> None:
    """The audience is not offered without a courtier at home (W-19)."""
    table = Situation.in_round_one(2)
    table.away(0, gate=5)
    table.clan(0, coin=9, pearl=2)

    assert "audience" not in table.do("A1:0").options


def test_climbs_are_listed_by_origin_floors_and_room() -> None:
    """With five pearls and courtiers everywhere the whole list appears in canonical order (W-10.3, W-17.5)."""
    table = Situation.in_round_one(2)
    table.away(0, gate=1, floor1=1, floor2=1, floor3=1)
    table.clan(0, coin=2, pearl=5)

    assert table.do("A1:0").options == [
        "audience",
        "climb:gate:1:steward_1",
        "climb:gate:1:steward_2",
        "climb:gate:1:steward_3",
        "climb:gate:2:diplomat_1",
        "climb:gate:2:diplomat_2",
        "climb:floor1:1:diplomat_1",
        "climb:floor1:1:diplomat_2",
        "climb:floor1:2:favour",
        "climb:floor2:1:favour",
        "done",
    ]


def test_a_single_free_slot_is_taken_by_itself() -> None:
    """With two slots occupied the third is not asked for, seals or not (W-10.6, W-17)."""
    table = Situation.in_round_one(2, daimyo="F1")
    table.away(0, floor2=1)
    table.clan(0, pearl=2, seal=1)
    table.state.favours = [1, NOTHING, 1]
    table.do("A1:0").answer("climb:floor2:1:favour")

    assert table.state.favours == [1, 0, 1]
    assert table.goods()["vp"] == 2


def test_full_slots_give_nothing_more() -> None:
    """The lantern still comes; there is no slot (W-10.6, W-19)."""
    table = Situation.in_round_one(3, daimyo="F1")
    table.away(0, floor2=1)
    table.clan(0, pearl=2).lantern = cards("R7")
    table.state.favours = [1, 2, 1]
    table.do("A1:0").answer("climb:floor2:1:favour")

    assert table.goods() == {"food": 1}
    assert table.state.favours == [1, 2, 1]
    assert table.clan(0).court[6] == 1


def test_a_diplomat_has_one_light_row_which_is_done_without_a_question() -> None:
    """`choose_light` is asked only for two light rows (W-10.4)."""
    table = Situation.in_round_one(2, castle={"diplomat_1": "D02"})
    table.away(0, floor1=1)
    table.clan(0, pearl=2)
    table.do("A1:0").answer("climb:floor1:1:diplomat_1")

    assert table.clan(0).space == 2


def test_the_refill_is_revealed_and_moves_no_tile_or_die() -> None:
    """Everybody learns the new card; dice and tiles stay (W-10.4, W-10.8)."""
    table = Situation.in_round_one(2, castle={"steward_1": "S03"})
    table.away(0, gate=1)
    table.clan(0, pearl=2)
    table.state.spaces[0] = ((0, 3),)
    before = (table.state.board, table.state.spaces[:])
    top = table.state.stewards[0]
    table.do("A1:0").answer("climb:gate:1:steward_1", "row:2")

    assert before == (table.state.board, table.state.spaces)
    assert top == table.state.castle[0]
    assert table.said(Verb.REVEALED)[-1].subject == "steward_1"


def test_courtiers_of_a_floor_are_interchangeable() -> None:
    """Leaving floor 1 takes the courtier shown in its first occupied room (W-3.5)."""
    table = Situation.in_round_one(2, castle={"diplomat_1": "D02"})
    clan = table.away(0)
    clan.court, clan.home[0] = [0, 0, 1, 1, 0, 0, 0], 3
    table.clan(0, pearl=2)
    table.do("A1:0").answer("climb:floor1:1:diplomat_1")

    assert clan.court == [0, 0, 0, 1, 1, 0, 0]
