"""Effects: what is mandatory, what is optional, and the payment in front of some (W-5, W-10.7)."""

from __future__ import annotations

import pytest

from referee.games.white_castle.components import EFFECTS
from referee.games.white_castle.effects import OPS
from tests.games.white_castle.situations import Situation, cards


def test_every_icon_has_its_line_in_the_table() -> None:
    """Each op that a component uses is in the one table of what ops do, and no more (W-5.1)."""
    assert {its.op for its in EFFECTS} == set(OPS)


def test_a_row_is_instant_or_a_single_action() -> None:
    """Batches hold gains only; actions hold none (W-5.2)."""
    for its in EFFECTS:
        assert (its.op == "batch") == bool(its.gains or its.lanterns or its.wells), its


def test_instant_effects_are_applied_without_a_question() -> None:
    """A pure gain cannot be declined (W-5.3, W-R5)."""
    table = Situation.in_round_one(2)
    table.do("Y6:reward")

    assert (table.kind, table.goods()) == ("take_die", {"coin": 5})


@pytest.mark.parametrize(
    ("source", "has", "kind", "out"),
    [
        ("A1:0", {"coin": 2}, "courtier", "done"),
        ("A3:0", {"iron": 1}, "place_warrior", "skip"),
        ("A5:0", {"food": 1}, "place_gardener", "skip"),
        ("S02:0", {"seal": 1}, "pay_optional", "skip"),
        ("Y7:action", {}, "choose_castle_action", "skip"),
        ("Y7:reward", {}, "choose_castle_action", "skip"),
        ("Y8:action", {}, "choose_domain_row", "skip"),
    ],
)
def test_every_action_can_be_declined_at_its_first_question(
    source: str, has: dict[str, int], kind: str, out: str
) -> None:
    """Declining changes nothing (W-5.3)."""
    table = Situation.in_round_one(2)
    table.clan(0, **has)
    table.do(source)

    assert kind == table.kind

    table.answer(out)

    assert ("take_die", has) == (table.kind, table.goods())


def test_a_payment_is_listed_only_if_it_can_be_made_now() -> None:
    """Two coins and a seal reach a price of three; `pay` appears after the exchange (W-10.7)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=2, seal=1)
    table.do("GP3")

    assert (table.kind, table.options) == ("pay_optional", ["skip", "x:coin"])

    table.answer("x:coin")

    assert (table.kind, table.options) == ("pay_optional", ["pay", "skip"])


def test_an_unreachable_payment_is_not_asked() -> None:
    """With coins and seals short of the price the effect ends silently (W-10, W-10.7)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=1, seal=1)

    assert table.do("GP3").kind == "take_die"


@pytest.mark.parametrize(("source", "member"), [("GP2", 1), ("GP4", 2), ("GP3", 0)])
def test_a_payment_for_an_impossible_action_is_not_asked(source: str, member: int) -> None:
    """Without a member that could act the purchase is not offered (W-10.7)."""
    table = Situation.in_round_one(2)
    clan = table.clan(0, coin=9)
    clan.home[member] = 0
    if member == 0:
        clan.court[6] = 5

    assert table.do(source).kind == "take_die"


def test_a_courtier_in_the_castle_makes_the_purchase_possible() -> None:
    """None at home, one at the gate: a courtier action could still climb (W-10.7)."""
    table = Situation.in_round_one(2)
    table.away(0, gate=1, floor3=4)
    table.clan(0, coin=3)

    assert table.do("GP3").kind == "pay_optional"


def test_other_purchases_are_always_possible() -> None:
    """A castle row or a domain row can always be bought (W-10.7)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=4)

    assert table.do("GP1").options == ["pay", "skip"]

    table.answer("pay")

    assert (table.kind, table.goods()) == ("choose_castle_action", {})


def test_t26_castle_light_lists_eight_rows_and_any_row_thirteen() -> None:
    """W-T26: two light rows per steward, one per diplomat; every row of the castle (W-5.7)."""
    table = Situation.in_round_one(2)

    light = table.do("GS4").options
    everything = table.do("Y7:action").options

    assert (len(light), len(everything)) == (8 + 1, 13 + 1)
    assert "skip" == light[-1] == everything[-1]
    assert set(light) < set(everything)


def test_a_castle_row_effect_lists_the_rows_facing_its_colour() -> None:
    """Rows by room and number, of the cards that lie there now; dice in the room do not matter (W-5.7)."""
    table = Situation.in_round_one(2)
    table.state.spaces[0] = ((0, 3),)

    assert table.do("Y4:action").options == [
        "row:steward_1:0",
        "row:steward_2:1",
        "row:steward_3:1",
        "row:diplomat_1:1",
        "skip",
    ]


def test_a_dark_steward_row_still_costs_its_seal() -> None:
    """Chosen from afar, S10's dark row asks for the seal; without one it ends (W-5.7, W-17.4)."""
    table = Situation.in_round_one(2, castle={"steward_1": "S10"})
    table.clan(0, seal=1, coin=2)
    table.do("Y7:action").answer("row:steward_1:1")

    assert (table.kind, table.options) == ("pay_optional", ["pay", "skip", "x:coin"])

    table = Situation.in_round_one(2, castle={"steward_1": "S10"})
    table.do("Y7:action").answer("row:steward_1:1")

    assert table.kind == "take_die"


def test_rows_of_domain_cards_are_not_castle_rows() -> None:
    """The effect reads the castle, never a domain: after a climb the new card of the room counts (W-5.7)."""
    table = Situation.in_round_one(2, castle={"diplomat_1": "D10"})
    table.clan(0).action = cards("D03")[0]
    table.do("Y7:action").answer("row:diplomat_1:0")

    assert table.goods() == {"coin": 2}
