"""Personal domain rows (W-9.5, W-5.6)."""

from __future__ import annotations

import pytest

from referee.games.white_castle.components import CARDS, EFFECTS
from tests.games.white_castle.situations import Situation, cards


def test_e4_the_coral_row_with_three_courtiers_away() -> None:
    """W-E4: coral 3 on the own domain, S10, five coins: pay 3, +3 food, +2 coins, then a seal and a free pearl."""
    table = Situation.in_round_one(2)
    table.away(0, gate=3)
    table.clan(0, coin=5).action = cards("S10")[0]
    table.place("domain_coral", "coral", 3).answer("pearl")

    assert table.goods() == {"food": 3, "pearl": 1, "coin": 4, "seal": 1}
    assert table.clan(0).dice == [3, 0, 0]


def test_t13_the_black_row_with_three_gardeners_away() -> None:
    """W-T13: three iron and the lantern of R7, DV, S01 in one batch."""
    table = Situation.in_round_one(2)
    table.clan(0).home[1] = 2
    table.clan(0).lantern = cards("R7", "DV", "S01")
    table.ask("domain_row", 0, 1)

    assert table.goods() == {"iron": 3, "food": 1, "vp": 1, "coin": 1}


def test_t13_the_white_row_with_all_warriors_away() -> None:
    """W-T13: four pearls, one of the lantern, a seal."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=4).home[2] = 0
    table.clan(0).lantern = cards("R3")
    table.clan(0).action = cards("A3")[0]
    table.ask("domain_row", 0, 2)

    assert table.goods() == {"pearl": 5, "seal": 5}


@pytest.mark.parametrize(
    ("card", "blocks"),
    [
        ("D10", ("D10:0", "D10:0", "D10:1")),
        ("D08", ("D08:0", "D08:1", "D08:1")),
        ("S05", ("S05:0", "S05:1", "S05:2")),
        ("A5", ("A5:0",) * 3),
    ],
)
def test_t14_the_block_that_serves_each_row(card: str, blocks: tuple[str, ...]) -> None:
    """W-T14: D10 serves coral and black with its first block, D08 black and white with its second (W-5.6)."""
    actual = tuple(EFFECTS[number].source for number in CARDS[cards(card)[0]].domain)

    assert blocks == actual


def test_t14_d10_gives_coins_and_lantern_on_the_coral_row() -> None:
    """W-T14: two coins and the lantern; the white row is a warrior action (W-9.5)."""
    table = Situation.in_round_one(2)
    table.clan(0, iron=1).action = cards("D10")[0]
    table.clan(0).lantern = cards("S01")
    table.ask("domain_row", 0, 0)

    assert table.goods() == {"iron": 1, "food": 1, "coin": 3}

    table.ask("domain_row", 0, 2)

    assert table.kind == "place_warrior"


def test_the_base_icon_comes_with_everybody_at_home() -> None:
    """With no member away a row gives its base icon, then the card's block (W-9.5)."""
    for row, good in enumerate(("food", "iron", "pearl")):
        table = Situation.in_round_one(2)
        table.clan(0).action = cards("A5")[0]
        table.ask("domain_row", 0, row)

        assert table.goods()[good] == 1


def test_the_domain_effect_needs_no_die_and_no_coins() -> None:
    """`domain:white` does the row as if a die had been placed; dice and coins stay (W-9.5)."""
    table = Situation.in_round_one(2)
    table.clan(0, coin=0).dice[2] = 5
    table.do("Y8:action").answer("domain:white")

    assert (table.goods(), table.clan(0).dice) == ({"pearl": 1}, [0, 0, 5])
