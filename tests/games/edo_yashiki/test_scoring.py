"""Lines and their points in the standard game: sections 3 and 8, vectors E-RB1 to E-RB3 and E-SC1 to E-SC17."""

from __future__ import annotations

import pytest

from referee.games.edo_yashiki import lines_made
from referee.games.edo_yashiki.house import HouseLine
from referee.games.edo_yashiki.scoring import bonus, line_points, points, scorable
from tests.games.edo_yashiki.pictures import face, house, lines, may_place

VECTORS = [
    ("E-RB1", "..PF/..FG/GGTT/FP../TT..", (0, -2), "GG/PP/TF", (2, 0), "H(0,0)x4 G, H(1,1)x3 P, H(0,2)x3 T", 4, 4),
    ("E-RB2", "FT.../PG.FT/TF.TF/...GP", (0, 0), "GT/GG/PF", (1, 2), "H(1,3)x3 G, V(1,1)x3 G", 2, 0),
    ("E-RB3", "..FT/..FG/GTPT/PP../TT..", (0, 0), "FG/PF/TG", (2, 2), "H(0,3)x3 P, H(0,4)x3 T, V(2,0)x3 F", 3, 4),
    ("E-SC1", "GGG/FTP/TPF", (0, 0), "GP/FT/PF", (3, 0), "H(0,0)x4 G", 2, 0),
    ("E-SC2", "GGGG/FTPF/TPFT", (0, 0), "GP/FT/PF", (4, 0), "H(0,0)x5 G", 4, 0),
    ("E-SC3", "GGGGG/FTPFP/TPFTP", (0, 0), "GF/PT/TF", (5, 0), "H(0,0)x6 G", 0, 0),
    ("E-SC4", "GGGGG/FTFPP/TPFTF", (0, 0), "GF/PT/TF", (5, 0), "H(0,0)x6 G, H(3,1)x3 P", 1, 0),
    ("E-SC5", "GGGG/FTPF/TPFT", (0, 0), "GG/FT/PF", (4, 0), "H(0,0)x6 G", 0, 0),
    ("E-SC6", "PP..PT/FT..TF/TF..FT", (0, 0), "PP/TG/FG", (2, 0), "H(0,0)x5 P", 4, 0),
    ("E-SC7", "PPP..PP/FTF..FT/TFG..TF", (0, 0), "PP/GT/FG", (3, 0), "H(0,0)x7 P", 0, 0),
    ("E-SC8", "FF..PP/TG..GT/GT..TG", (0, 0), "FP/PF/FP", (2, 0), "H(0,0)x3 F, H(3,0)x3 P", 2, 2),
    ("E-SC9", "GF/GT/../../../PT/PF", (0, 0), "GT/FG/PF", (0, 2), "V(0,0)x3 G, V(0,4)x3 P", 2, 2),
    ("E-SC10", "FGG/TPF/PFT", (0, 0), "GG/FT/TP", (2, 0), "H(1,0)x3 G", 1, 0),
    ("E-SC11", "GGG/FTP/TPF", (0, 0), "FT/PF/FP", (0, 3), "", 0, 0),
    ("E-SC12", "GG../FT../TPFT", (0, 0), "FG/TP/PF", (3, 0), "", 0, 0),
    ("E-SC13", "GF/FG/TP", (0, 0), "TF/FP/GT", (2, 0), "", 0, 0),
    (
        "E-SC14", "FF..PP/TT..FT/GG..PF", (0, 0), "FP/TF/GT", (2, 0),
        "H(0,0)x3 F, H(3,0)x3 P, H(0,1)x3 T, H(0,2)x3 G", 4, 6,
    ),
    (
        "E-SC15", "FF..PP/TT..TG/GG..FT", (0, 0), "FP/TP/GP", (2, 0),
        "H(0,0)x3 F, H(3,0)x3 P, H(0,1)x3 T, H(0,2)x3 G, V(3,0)x3 P", 5, 6,
    ),
    ("E-SC16", "FPP/TGF/PPP", (0, 0), "PF/GT/PF", (3, 0), "H(1,0)x3 P, H(0,2)x4 P", 3, 0),
    ("E-SC17", "FT/GP/GT", (0, 0), "GF/GP/TF", (0, 3), "V(0,1)x4 G", 2, 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("picture", "at", "card", "anchor", "made", "base", "extra"),
    [vector[1:] for vector in VECTORS],
    ids=[vector[0] for vector in VECTORS],
)
def test_a_placement_scores_the_lines_it_makes(
    picture: str, at: tuple[int, int], card: str, anchor: tuple[int, int], made: str, base: int, extra: int
) -> None:
    """Every scoring vector: lines made, in canonical order, points and bonus (E-3.7, E-3.8, E-8.1, E-R7, E-R20)."""
    built = house(picture, *at)
    found = lines_made(built, face(card), *anchor)

    assert may_place(built, *anchor)
    assert lines(made) == found
    assert base == sum(map(line_points, found))
    assert extra == bonus(scorable(found))
    assert base + extra == points(found)


def test_a_half_turn_can_make_the_difference() -> None:
    """E-PL9: upright the card makes nothing, upside down it lengthens a pair to a line of four."""
    built = house("FGG/TPF/PFT")

    assert lines_made(built, face("PT/TF/GG"), 3, 0) == ()
    assert face("GG/FT/TP") == face("PT/TF/GG", 180)
    assert lines("H(1,0)x4 G") == lines_made(built, face("PT/TF/GG", 180), 3, 0)
    assert points(lines_made(built, face("PT/TF/GG", 180), 3, 0)) == 2


def test_points_go_by_the_length_of_a_line() -> None:
    """Three pay 1, four 2, five 4, six and more nothing (E-8.2, E-R6)."""
    paid = [line_points(HouseLine("H", 0, 0, length, "F")) for length in range(3, 13)]

    assert paid == [1, 2, 4, 0, 0, 0, 0, 0, 0, 0]


def test_the_bonus_goes_by_the_number_of_kinds() -> None:
    """Nothing for one kind, then 2, 4 and 6; several lines of a kind count once (E-8.3, E-8.4)."""
    made = [HouseLine("H", 0, y, 3, kind) for y, kind in enumerate("FTPG")]

    assert [bonus(made[:kinds]) for kinds in range(5)] == [0, 0, 2, 4, 6]
    assert bonus([made[0]] * 4) == 0
    assert bonus([made[0], made[0], made[1]]) == 2


def test_a_column_of_three_on_one_card_is_a_line() -> None:
    """A card that makes a line on its own would score it, though the list has none (E-3.7, section 13)."""
    card = face("FG/FP/FG")

    assert lines("V(1,0)x3 F") == lines_made(house("T"), card, 1, 0)
    assert lines("V(1,0)x4 F") == lines_made(house("TF"), card, 1, 1)


def test_lines_stand_in_canonical_order() -> None:
    """All rows before all columns, then from the top, then from the left (E-3.8)."""
    built = house(".T../FT../FT../..TT")

    assert lines("H(1,3)x3 T, V(1,0)x4 T, V(0,1)x3 F") == lines_made(built, face("FT/GP/TG"), 0, 3)


def test_a_line_that_nobody_extends_is_not_scored_again() -> None:
    """Old lines score only if the new card has a cell in them (E-3.7, E-SC11), at their full length (E-8.2, E-R5)."""
    built = house("GGG/FTP/TPF")

    assert lines_made(built, face("TP/PF/FP"), 0, 3) == ()
    assert points(lines_made(built, face("GP/FT/PF"), 3, 0)) == 2
