"""Instant batches, seal exchange and free resources (W-3.2, W-5.4, W-5.5, W-6)."""

from __future__ import annotations

import pytest

from referee.kernel.game import Verb
from tests.games.white_castle.situations import Situation, cards


def test_e3_the_well_gives_a_seal_and_both_tiles() -> None:
    """W-E3: black 3 on the well beside a coral die: +2 coins, +1 seal, +1 pearl, one free resource (W-5.5, W-9.4)."""
    table = Situation.in_round_one(2, well=("K03", "K04"))
    table.state.spaces[7] = ((0, 5),)
    table.place("well", "black", 3)

    assert table.goods() == {"coin": 2, "seal": 1, "pearl": 1}
    assert (table.kind, table.options) == ("choose_resource", ["food", "iron", "pearl", "x:coin"])

    table.answer("iron")

    assert table.goods() == {"coin": 2, "seal": 1, "pearl": 1, "iron": 1}


def test_e9_the_lantern_gives_the_back_of_every_card() -> None:
    """W-E9: R7, DV, A1, S01, D02 give a food, a coin, 2 VP and one step (W-5.4, W-6.1)."""
    table = Situation.in_round_one(2)
    table.clan(0).lantern = cards("R7", "DV", "A1", "S01", "D02")
    table.do("lantern")

    assert table.goods() == {"food": 1, "coin": 1, "vp": 2}
    assert table.clan(0).space == 1


def test_t4_seals_before_influence_can_pay_the_gate() -> None:
    """W-T4: space 5, no seals, a batch of one seal and one step: `seals` then `pay` enters 6 (W-6.2)."""
    table = Situation.in_round_one(2)
    table.clan(0).space = 5
    table.clan(0).lantern = cards("DS", "A1")
    table.do("lantern")

    assert (table.kind, table.options) == ("seal_order", ["seals", "influence"])

    table.answer("seals", "pay")

    assert (table.clan(0).space, table.goods()) == (6, {})


def test_t4_influence_before_seals_stops_at_the_gate() -> None:
    """W-T4: `influence` first cannot pay; the seal is kept (W-6.2)."""
    table = Situation.in_round_one(2)
    table.clan(0).space = 5
    table.clan(0).lantern = cards("DS", "A1")
    table.do("lantern").answer("influence")

    assert (table.clan(0).space, table.goods()) == (5, {"seal": 1})


def test_t4_a_full_hand_pays_first_and_gains_after() -> None:
    """W-T4: with five seals `influence`, `pay` leaves four, then the gained seal fits (W-6.2)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=5).space = 5
    table.clan(0).lantern = cards("DS", "A1")
    table.do("lantern").answer("influence", "pay")

    assert (table.clan(0).space, table.goods()) == (6, {"seal": 5})


def test_seal_order_is_asked_whatever_seals_are_held_and_only_at_a_gate() -> None:
    """Away from gates the order does not matter and is not asked (W-6.1, W-6.2, W-R6)."""
    table = Situation.in_round_one(2)
    table.clan(0).space = 6
    table.clan(0).lantern = cards("DS", "A1")
    table.do("lantern")

    assert table.kind == "take_die"
    assert (table.clan(0).space, table.goods()) == (7, {"seal": 1})


def test_t5_the_seal_window_makes_room_by_exchange() -> None:
    """W-T5: five seals and a gain of two: `x:iron` brings iron and room for both (W-6.5)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=5)
    table.do("GS3")

    assert (table.kind, table.options) == ("seal_window", ["x:coin", "x:food", "x:iron", "x:pearl", "continue"])

    table.answer("x:iron")

    assert table.goods() == {"seal": 5, "iron": 1}
    assert table.kind == "take_die"


def test_t5_continuing_loses_the_excess() -> None:
    """W-T5: four seals, a gain of two, `continue`: five seals, one lost (W-3.2, W-6.5)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=4)
    table.do("GS3").answer("continue")

    assert table.goods() == {"seal": 5}


def test_the_seal_window_is_asked_until_the_gain_fits() -> None:
    """One coin makes room for one of two seals; the window comes again (W-6.5)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=5)
    table.do("GS3").answer("x:coin")

    assert (table.kind, table.goods()) == ("seal_window", {"seal": 4, "coin": 1})


def test_t32_a_lantern_with_seal_and_influence_at_a_gate_asks_the_order() -> None:
    """W-T32: R4, DS, A3 on space 10 with one seal; `seals` reaches 11, `influence` stays with two seals."""
    for first, rest, space, seals in [("seals", ["pay"], 11, 0), ("influence", [], 10, 2)]:
        table = Situation.in_round_one(2)
        table.clan(0, seal=1).space = 10
        table.clan(0).lantern = cards("R4", "DS", "A3")
        table.place("well", "black", 1, position=0)

        assert table.kind == "seal_order"

        table.answer(first, *rest)

        assert space == table.clan(0).space
        # The well that follows gave its own seal, pearl and iron.
        assert (seals + 1, 1 + 1) == (table.goods()["seal"], table.goods()["iron"])


@pytest.mark.parametrize(("name", "cap"), [("food", 7), ("iron", 7), ("pearl", 7)])
def test_a_resource_above_seven_is_lost(name: str, cap: int) -> None:
    """Three more of a resource held six times make seven (W-3.2)."""
    source = {"food": "Y3:reward", "iron": "S02:2", "pearl": "Y1:reward"}[name]
    table = Situation.in_round_one(2)
    table.clan(0, **{name: 6})
    table.do(source)

    assert {name: cap} == table.goods()


def test_what_is_lost_is_not_told_as_gained() -> None:
    """Full hands gain nothing, and no event says so (W-3.2)."""
    table = Situation.in_round_one(2)
    table.clan(0, food=7, seal=5)
    table.do("Y3:reward").do("Y5:reward").answer("continue")

    assert table.goods() == {"food": 7, "seal": 5}
    assert table.said(Verb.GAINED) == []


def test_coins_and_points_have_no_limit() -> None:
    """A hundred coins and points grow on; laps of the VP track are not modelled (W-3.3, W-3.4, W-R1)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=100, vp=100)
    table.do("GS2").do("Y8:reward")

    assert table.goods() == {"coin": 103, "vp": 102}


def test_a_free_resource_offers_what_is_below_seven() -> None:
    """Full resources are not offered; each unit is chosen separately (W-6.3)."""
    table = Situation.in_round_one(2)
    table.clan(0, food=7, iron=6)
    table.do("GS1")

    assert (table.kind, table.options) == ("choose_resource", ["iron", "pearl"])

    table.answer("iron")

    assert table.goods() == {"food": 7, "iron": 7, "pearl": 1}


def test_a_free_resource_is_lost_when_all_are_full() -> None:
    """With three sevens the unit is lost without a question (W-6.3)."""
    table = Situation.in_round_one(2)
    table.clan(0, food=7, iron=7, pearl=7)
    table.do("GS1")

    assert table.kind == "take_die"


def test_an_exchange_that_fills_the_last_resource_loses_the_unit() -> None:
    """If `x:food` makes the third seven, nothing is left to choose (W-6.3, W-6.4)."""
    table = Situation.in_round_one(2)
    table.clan(0, food=6, iron=7, pearl=7, seal=2)
    table.do("GS1").answer("x:food")

    assert (table.kind, table.goods()) == ("take_die", {"food": 7, "iron": 7, "pearl": 7})


@pytest.mark.parametrize(
    ("seals", "food", "expected"),
    [
        (0, 0, []),
        (1, 0, ["x:coin"]),
        (2, 0, ["x:coin", "x:food", "x:iron", "x:pearl"]),
        (5, 7, ["x:coin", "x:iron", "x:pearl"]),
    ],
)
def test_exchanges_stand_behind_the_options(seals: int, food: int, expected: list[str]) -> None:
    """One seal buys a coin, two a resource that is below seven; the same question is asked again (W-6.4)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=seals, food=food)
    table.ask("take_die", 0)

    assert expected == [text for text in table.options if text.startswith("x:")]
    assert expected == table.options[len(table.options) - len(expected) :]


def test_exchanges_take_seals_and_give_one_thing() -> None:
    """A coin costs one seal, a resource two, and there is no way back (W-6.4)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=5)
    table.ask("take_die", 0).answer("x:coin", "x:pearl")

    assert table.goods() == {"seal": 2, "coin": 1, "pearl": 1}
    assert table.kind == "take_die"

    table.answer("x:coin", "x:coin")

    assert table.goods() == {"coin": 3, "pearl": 1}
    assert not any(text.startswith("x:") for text in table.options)


def test_a_row_may_hold_gains_lantern_and_well_in_one_batch() -> None:
    """D03's light row: 2 VP and the well, together (W-6.1); S05's: iron and lantern."""
    table = Situation.in_round_one(2)
    table.do("D03:1")

    assert table.goods() == {"vp": 2, "seal": 1, "pearl": 1, "iron": 1}

    table = Situation.in_round_one(2)
    table.clan(0).lantern = cards("R8")
    table.do("S05:2")

    assert table.goods() == {"iron": 1, "food": 1}
