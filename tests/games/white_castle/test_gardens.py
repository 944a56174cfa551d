"""Gardeners and the garden step (W-10.1, W-12.3)."""

from __future__ import annotations

from tests.games.white_castle.situations import GARDEN_NUMBERS, Situation, effect


def plant(table: Situation, seat: int, *names: str) -> None:
    """Put gardeners of a seat on cards."""
    clan = table.state.clans[seat]
    for name in names:
        clan.gardens |= 1 << GARDEN_NUMBERS[name]
        clan.home[1] -= 1


def test_e6_a_gardener_pays_food_and_may_buy_a_courtier_action() -> None:
    """W-E6: own GS3 is not offered; GP3 takes four food; three coins buy a courtier action (W-10.1)."""
    table = Situation.in_round_one(2)
    plant(table, 0, "GS3")
    table.clan(0, food=4, coin=3)
    table.do("A5:0")

    assert "garden:GS3" not in table.options
    assert "garden:GP3" in table.options

    table.answer("garden:GP3")

    assert (table.kind, table.options, table.goods()) == ("pay_optional", ["pay", "skip"], {"coin": 3})

    table.clan(0, coin=5)
    table.answer("pay")

    assert (table.kind, table.options) == ("courtier", ["audience", "done"])


def test_several_clans_share_a_card() -> None:
    """Another clan's gardener does not close a card (W-10.1)."""
    table = Situation.in_round_one(2)
    plant(table, 1, "GS1")
    table.clan(0, food=1)

    assert table.do("A5:0").options == ["garden:GS1", "garden:GS2", "skip"]


def test_a_gardener_must_be_at_home() -> None:
    """With all five away the action is skipped (W-10.1, W-19)."""
    table = Situation.in_round_one(2)
    plant(table, 0, "GP2", "GS1", "GP3", "GS2", "GP5")
    table.clan(0, food=7)

    assert table.do("A5:0").kind == "take_die"


def test_t30_a_card_within_reach_of_an_exchange_is_asked_for() -> None:
    """W-T30: one food, two seals, the cheapest card costs two: skip and exchanges; after `x:food` GS3 is there."""
    table = Situation.in_round_one(2, gardens=("GP2", "GS3", "GP3", "GS4", "GP5", "GS5"))
    table.clan(0, food=1, seal=2)
    table.do("A5:0")

    assert (table.kind, table.options) == ("place_gardener", ["skip", "x:coin", "x:food", "x:iron", "x:pearl"])

    table.answer("x:food")

    assert table.options == ["garden:GS3", "garden:GS4", "skip"]

    table = Situation.in_round_one(2, gardens=("GP2", "GS3", "GP3", "GS4", "GP5", "GS5"))
    table.clan(0, food=1, seal=1)

    assert table.do("A5:0").kind == "take_die"


def end_of_round(table: Situation, bridges: list[tuple[int, tuple[int, ...], int]]) -> Situation:
    """Let the last turn of the round be over, with these dice left."""
    table.state.bridges = bridges
    table.state.stack = [("turns", 3 * len(table.state.order))]
    table.run()
    return table


def test_e10_only_gardens_under_bridges_with_dice_are_activated() -> None:
    """W-E10: dice left coral 2, black 1, white 0: gardeners on coral and black cards act, on white none (W-12.3)."""
    table = Situation.in_round_one(2)
    table.state.round = 2
    plant(table, 0, "GP2", "GS2", "GP5")
    table.clan(0, coin=9)
    end_of_round(table, [(1, (), 3), (0, (), 2), (0, (), 0)])

    assert (table.kind, table.options) == ("next_action", ["act:0", "act:1"])
    assert (effect("GP2"), effect("GS2")) == table.frame[2:]


def test_t16_a_gardener_placed_in_the_garden_step_is_not_activated_again() -> None:
    """W-T16: GP2 buys a gardener on active GS1: its effect happens once, on placement (W-12.3, W-R10)."""
    table = Situation.in_round_one(2)
    plant(table, 0, "GP2")
    table.clan(0, coin=3, food=1)
    end_of_round(table, [(1, (), 3), (0, (), 2), (0, (), 0)])
    table.answer("pay", "garden:GS1", "iron", "iron")

    assert table.goods() == {"iron": 2}
    assert (table.kind, table.state.round) == ("take_die", 2)


def test_t31_pending_gardens_close_up_and_the_last_starts_by_itself() -> None:
    """W-T31: of [GS1, GS2, GS3] `act:1` does GS2; then `act:0` is GS1, `act:1` GS3 (W-17.6)."""
    table = Situation.in_round_one(2)
    plant(table, 0, "GS1", "GS2", "GS3")
    end_of_round(table, [(1, (), 0), (1, (), 0), (1, (), 0)])

    assert (effect("GS1"), effect("GS2"), effect("GS3")) == table.frame[2:]

    table.answer("act:1")

    assert (table.goods(), table.options) == ({"coin": 3}, ["act:0", "act:1"])
    assert (effect("GS1"), effect("GS3")) == table.frame[2:]

    table.answer("act:1")

    assert (table.kind, table.goods()) == ("choose_resource", {"coin": 3, "seal": 2})


def test_gardens_are_activated_in_the_new_turn_order() -> None:
    """The order of W-12.1 holds for the garden step, and influence gained there does not change it (W-R11)."""
    table = Situation.in_round_one(2)
    plant(table, 0, "GS1")
    plant(table, 1, "GS1")
    table.clan(1).space = 3
    table.state.track = [1, 0]
    end_of_round(table, [(1, (), 0), (1, (), 0), (1, (), 0)])

    assert (table.kind, table.seat) == ("choose_resource", 1)

    table.answer("food", "food")

    assert (table.kind, table.seat) == ("choose_resource", 0)


def test_influence_in_the_garden_step_does_not_change_the_order_just_set() -> None:
    """A light row done by GS4 moves the marker, not the order (W-12.3)."""
    table = Situation.in_round_one(2, castle={"steward_1": "S07"}, gardens=("GP2", "GS4", "GP3", "GS2", "GP5", "GS3"))
    plant(table, 1, "GS4")
    end_of_round(table, [(1, (), 0), (0, (), 0), (0, (), 0)])
    table.answer("row:steward_1:0")

    assert (table.state.order, table.state.track) == ((0, 1), [1, 0])
    assert (table.kind, table.seat) == ("take_die", 0)
