"""Where a card may go: touching, over and under, lakes, layering (H-7.1 to H-7.7)."""

from __future__ import annotations

import random

import pytest

from referee.games.honshu.components import CARDS
from referee.games.honshu.domain import Laid, domain_of
from referee.games.honshu.geometry import position
from referee.games.honshu.layering import OPEN
from referee.games.honshu.options import Placement, Placements, code_of
from tests.games.honshu.reference import codes, footprint, grid
from tests.games.honshu.tables import EXAMPLE, laid_out, province

FINAL = """
.  .  .  .  T  F  .  .  . /
.  .  .  .  pN T  .  .  . /
pY F  W  F  W  L  T  W  Y3 /
T  N2 T  pG L  L  T  F  pN /
T  B3 pY L  L  T  T  F  T /
W  T  F  T  T  T  T  T  T /
pB pB T  T  T  T  G2 F  . /
T  L  F  pG F  T  T  F  . /
.  .  .  .  pG G4 W  pY .
"""


@pytest.mark.parametrize(("layering", "column"), [("free", 5), ("flat", 6)])
def test_tv_8_every_card_of_the_example_has_the_stated_number_of_placements(layering: str, column: int) -> None:
    """H-TV8: the counts before each card of the rulebook's example; its own placement is legal under free layering."""
    domain = province("A1", layering)
    for step in EXAMPLE:
        listed = Placements(domain, step[0])

        assert step[column] == len(listed)
        assert layering == "flat" or Placement(*step[1:5]) in listed
        domain = domain.lay(Laid(*step[:5]))


def test_tv_8_the_example_ends_with_the_printed_grid() -> None:
    """H-TV8: what is visible after the twelve cards is the grid of the rules document (H-2.6)."""
    picture = laid_out("A1", *EXAMPLE).picture
    expected = {(row - 5, col): code for (row, col), code in grid(FINAL).items()}

    assert expected == {tuple(cell): code for cell, code in zip(picture.cells, picture.codes, strict=True)}


@pytest.mark.parametrize(
    ("name", "card", "count"),
    [
        ("A1", 49, 122),
        ("A1", 1, 100),
        ("A1", 9, 100),
        ("B3", 49, 76),
        ("B3", 1, 54),
        ("B3", 9, 54),
        ("B4", 1, 76),
        ("B6", 60, 122),
    ],
)
@pytest.mark.parametrize("layering", ["free", "flat"])
def test_tv_10_the_first_card_has_the_stated_number_of_placements(
    name: str, card: int, count: int, layering: str
) -> None:
    """H-TV10: around a province alone both layerings are the same."""
    assert count == len(Placements(province(name, layering), card))


def legal(name: str, card: int, *placement: int) -> bool:
    """Whether a card may go there on a province alone."""
    return Placement(*placement) in Placements(province(name), card)


def test_tv_11_a_card_must_touch_and_must_stay_visible() -> None:
    """H-TV11: overlap is needed (H-7.2), one visible cell is needed (H-7.4), burying the province is allowed (H-R3)."""
    assert legal("A1", 49, 0, 1, 0, 0)
    assert legal("A1", 49, 0, 0, 0, 0)
    assert not legal("A1", 49, 0, 0, 0, 63)
    assert not legal("A1", 49, 0, 2, 2, 0)
    assert legal("A1", 49, 1, 2, 1, 0)


def test_tv_12_a_lake_of_the_new_card_stays_visible() -> None:
    """H-TV12: card 8 may not hide its lake, nor lie over and under the province at once (H-7.3, H-7.5 a)."""
    assert legal("A1", 8, 0, -2, -1, 0)
    assert legal("A1", 8, 0, -2, -1, 32)
    assert not legal("A1", 8, 0, 0, -1, 42)
    assert not legal("A1", 8, 0, 0, -1, 2)
    assert not legal("A1", 8, 0, 0, -1, 10)
    assert legal("A1", 8, 0, 2, -1, 0)
    assert not legal("A1", 8, 0, 2, -1, 2)
    assert not legal("A1", 8, 0, 3, 0, 0)


def test_tv_13_a_visible_lake_stays_visible() -> None:
    """H-TV13: nothing covers the lakes of B3, and a lake can never meet a lake (H-7.5)."""
    assert not legal("B3", 49, 0, 1, 0, 0)
    assert not legal("B3", 49, 0, 2, 1, 0)
    assert legal("B3", 49, 0, 2, 1, 1)
    assert legal("B3", 49, 0, 1, 0, 15)
    assert not legal("B3", 49, 0, 1, 0, 8)
    assert not legal("B3", 1, 0, 2, 1, 0)
    assert not legal("B3", 1, 0, 2, 1, 1)


@pytest.mark.parametrize(("layering", "masks", "count"), [("free", [0, 40, 56], 216), ("flat", [0, 56], 196)])
def test_tv_14_a_card_slides_in_where_flat_cards_can(layering: str, masks: list[int], count: int) -> None:
    """H-TV14: between a card and the province under it, but not the other way round (H-7.6, H-R2)."""
    listed = Placements(laid_out("A1", (50, 0, 2, 1, 0), layering=layering), 51)

    assert masks == [mask for mask in range(64) if Placement(1, 1, 1, mask) in listed]
    assert count == len(listed)


def test_tv_34_placements_come_in_ascending_order() -> None:
    """H-TV34: card 49 on A1, the first two and the last with their codes (H-4.3)."""
    listed = Placements(province("A1"), 49)

    assert len(listed) == 122
    assert listed[:2] == [(0, -2, -1, 0), (0, -2, -1, 32)]
    assert listed[-1] == (3, 2, 1, 2)
    assert (code_of(*listed[0]), code_of(*listed[-1])) == (124864, 927810)


def test_an_order_that_arises_later_holds_everywhere() -> None:
    """A card under X and over Y puts X above Y, also where the card itself is not seen (H-7.6).

    Cards 56 and 60 lie side by side on A1 without an order. Card 50 goes under 56 and over 60. A card that then meets
    only 56 and 60, at (-2, 1) and (-2, 0), may still go under 56 alone, but no longer under 60 alone.
    """
    side_by_side = laid_out("A1", (56, 0, -2, 1, 0), (60, 0, -2, -1, 0))
    before = Placements(side_by_side, 49)
    after = Placements(side_by_side.lay(Laid(50, 1, -1, -1, 3)), 49)

    assert [mask for mask in range(64) if Placement(0, -4, 0, mask) in before] == [0, 16, 32, 48]
    assert [mask for mask in range(64) if Placement(0, -4, 0, mask) in after] == [0, 32, 48]


def test_every_domain_takes_every_card() -> None:
    """The corner trick of H-7.7: the cell of a corner without lake under the first cell of the domain is legal."""
    rng = random.Random(5)
    for seed in range(12):
        domain = province("B3" if seed % 2 else "A4")
        for card in rng.sample(CARDS, 12):
            listed = Placements(domain, card)
            first = min(domain.picture.cells)
            k, index = (0, 5) if codes(card)[5] != "L" else (2, 0)
            anchor = (first.row - 2, first.col - 1)

            assert tuple(first) == footprint(k, *anchor)[index]
            assert Placement(k, *anchor, 1 << index) in listed
            domain = domain.lay(Laid(card, *listed[rng.randrange(len(listed))]))


def test_a_list_of_placements_is_a_sequence_that_decodes_on_demand() -> None:
    """Length, item, membership, index, slice and iteration agree with each other."""
    listed = Placements(laid_out("A1", *EXAMPLE[:11]), 12)
    whole = list(listed)

    assert len(whole) == len(listed) == len(set(whole))
    assert sorted(whole) == whole
    assert whole == [listed[i] for i in range(len(listed))]
    assert list(range(len(whole))) == [listed.index(option) for option in whole]
    assert whole[::-1] == list(reversed(listed)) == listed[::-1]
    assert whole[-1] == listed[-1] == listed[len(listed) - 1]
    assert all(option in listed for option in whole)


@pytest.mark.parametrize("card", [8, 12, 49])
def test_columns_hold_all_placements_side_by_side(card: int) -> None:
    """The four rows of bytes that go on the wire are the placements in order, coordinates shifted by 32."""
    listed = Placements(laid_out("A1", *EXAMPLE[:7]), card)
    columns = listed.columns()
    rows, cols = [byte - 32 for byte in columns.row], [byte - 32 for byte in columns.col]

    assert list(listed) == list(zip(columns.k, rows, cols, columns.mask, strict=True))
    assert len(listed) == sum(len(masks) for _, _, masks in listed.by_anchor())


@pytest.mark.parametrize(
    "stranger",
    [
        Placement(0, 20, 20, 0),
        Placement(4, 0, 0, 0),
        Placement(-1, 0, 0, 0),
        Placement(0, -1, 63, 0),
        Placement(0, 0, 0, 64),
        Placement(0, 0, 0, -1),
        Placement(0, 40, 0, 0),
        (0, 0),
        "over",
        None,
    ],
)
def test_what_is_no_placement_is_not_in_the_list(stranger: object) -> None:
    """Foreign values and numbers out of range are refused, none of them wraps around to a legal placement."""
    listed = Placements(province("A1"), 49)

    assert stranger not in listed
    with pytest.raises(ValueError, match="not among"):
        listed.index(stranger)


@pytest.mark.parametrize("index", [122, -123])
def test_a_number_beyond_the_list_is_an_index_error(index: int) -> None:
    """The list of card 49 on A1 ends after 122 placements, from both sides."""
    with pytest.raises(IndexError):
        Placements(province("A1"), 49)[index]


def test_index_respects_its_range() -> None:
    """`index` finds a placement only between start and stop, as lists do."""
    listed = Placements(province("A1"), 49)

    assert listed.index(listed[7], 7, 8) == 7
    with pytest.raises(ValueError, match="not among"):
        listed.index(listed[7], 8)
    with pytest.raises(ValueError, match="not among"):
        listed.index(listed[7], 0, 7)


def test_laying_a_card_leaves_the_domain_as_it_was() -> None:
    """Domains are values: the old one has the same cells and placements after the new one was made (H-7.10)."""
    before = laid_out("A1", *EXAMPLE[:5])
    cells, options = dict(before.cells), list(Placements(before, 48))
    after = before.lay(Laid(*EXAMPLE[5][:5]))
    len(Placements(after, 32))

    assert cells == before.cells
    assert options == list(Placements(before, 48))
    assert before != after
    assert after == laid_out("A1", *EXAMPLE[:6])
    assert hash(after) == hash(laid_out("A1", *EXAMPLE[:6]))
    assert after != "domain"


def test_a_domain_follows_from_its_cards() -> None:
    """`domain_of` rebuilds a domain from the placements alone, with the same options."""
    domain = laid_out("A1", *EXAMPLE[:9])
    again = domain_of(domain.province, domain.laid, domain.free)

    assert domain == again
    assert domain.picture == again.picture
    assert list(Placements(domain, 15)) == list(Placements(again, 15))


def test_away_from_the_domain_there_is_no_place() -> None:
    """The window that meets no cell has no placement (H-7.2)."""
    assert OPEN.packed == 0
    assert position(0, 0) in province("A1").sites[0].windows
    assert position(5, 5) not in province("A1").sites[0].windows


def test_first_round_positions_are_at_most_62_and_grow_by_38_at_most() -> None:
    """The bound of H-11.5 on positions, and of H-11.4 and H-11.6 on the plane and the options, in sprawling play."""
    for seed in range(8):
        rng = random.Random(seed)
        domain = province("A1")
        for number, card in enumerate(rng.sample(CARDS, 12), 1):
            listed = Placements(domain, card)
            positions = 2 * sum(len(sites.windows) for sites in domain.sites)
            choice = max((listed[rng.randrange(len(listed))] for _ in range(6)), key=lambda p: abs(p.row) + abs(p.col))

            assert positions <= 62 + 38 * (number - 1)
            assert 54 <= len(listed) <= 30_240
            assert -24 <= choice.row <= 24
            assert -24 <= choice.col <= 23
            domain = domain.lay(Laid(card, *choice))
        assert len(domain.cells) <= 66
