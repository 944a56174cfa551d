"""Points: delivery, forests, towns, lakes, scoring cards and the ranking (H-8.5 to H-8.8, section 9)."""

from __future__ import annotations

import random

import pytest

from referee.games.honshu import GAME
from referee.games.honshu.components import COLOUR_LETTERS
from referee.games.honshu.scoring import land_of, score
from referee.games.honshu.state import SeatScore
from referee.kernel.chance import Fast
from referee.kernel.game import variant_of
from tests.games.honshu.reference import grid, groups
from tests.games.honshu.tables import EXAMPLE, laid_out, painted, start


def points(text: str, cubes: str = "", card: int = 0, equals_cards: str = "add", factories: str = "2-3-4") -> SeatScore:
    """The score of a small grid with cubes of these colour letters."""
    counts = [cubes.count(letter) for letter in COLOUR_LETTERS]
    return score(land_of(painted(grid(text)).cells), counts, card, equals_cards, factories)


def example(card: int, cubes: str) -> SeatScore:
    """The score of the rulebook's example."""
    counts = [cubes.count(letter) for letter in COLOUR_LETTERS]
    return score(land_of(laid_out("A1", *EXAMPLE).cells), counts, card, "add")


def test_tv_8_the_example_scores_63() -> None:
    """H-TV8: forest 20, town 17, factory 14, lake 12, five fields, with 1 blue, 1 brown, 2 grey, 1 yellow cube left."""
    picture = laid_out("A1", *EXAMPLE).picture
    shown = list(zip(picture.cells, picture.codes, strict=True))
    sizes = {
        kind: sorted((len(group) for group in groups({cell for cell, code in shown if code == kind})), reverse=True)
        for kind in "TL"
    }

    assert SeatScore(forest=20, town=17, factory=14, lake=12, bonus=0, fields=5) == example(0, "BNGGY")
    assert example(0, "BNGGY").total == 63
    assert sizes == {"T": [17, 2, 1, 1, 1, 1, 1], "L": [5, 1]}


@pytest.mark.parametrize(
    ("card", "total"), [(0, 63), (1, 65), (2, 63), (3, 63), (4, 75), (5, 66), (6, 83), (7, 67), (8, 69)]
)
def test_tv_9_the_example_with_each_scoring_card(card: int, total: int) -> None:
    """H-TV9: the totals of the example under each card."""
    assert total == example(card, "BNGGY").total


@pytest.mark.parametrize(("card", "total"), [(0, 63), (1, 75), (6, 73)])
def test_tv_9_the_example_with_all_ten_cubes(card: int, total: int) -> None:
    """H-TV9: surplus cubes are worth nothing, fill double factories, and are no empty cells for card 6."""
    assert total == example(card, "BBNNGGGYYY").total


def test_tv_18_lakes_and_towns_count_by_group() -> None:
    """H-TV18: diagonals do not connect, all lake groups count, only the largest town does (H-2.5, H-8.6, H-R14)."""
    assert points("L W / W L").lake == 0
    assert points("L L / W L").lake == 6
    assert points("T W / W T").town == 1
    assert points("T T T / W W W / T T T").town == 3
    assert points("L L L W L L").lake == 9
    assert points("W").town == 0


def test_tv_19_cubes_go_to_the_best_factories_of_their_colour() -> None:
    """H-TV19: greedy delivery by colour (H-8.5)."""
    assert points("B2 B4 B3 pB pB", "BB").factory == 7
    assert points("B2 B4 B3 pB pB", "B").factory == 4
    assert points("N4 G2 pB pB", "BB").factory == 0


def test_tv_35_factories_of_the_printed_text_score_one_more() -> None:
    """H-TV35: with `factories = 3-4-5` each delivered cube scores one more; nothing else changes (H-8.8, H-R5)."""
    assert points("B2 B4 B3 pB pB", "BB", factories="3-4-5").factory == 9
    assert points("B2 B4 B3 pB pB", "B", factories="3-4-5").factory == 5
    assert points("N4 G2 pB pB", "BB", factories="3-4-5").factory == 0
    assert points("B4 B2 pB pB pB pB pB", "BBB", 1, factories="3-4-5").factory == 13
    assert points("B3 B2 Y2 G4 pB pB pY pG", "BBYG", 7, factories="3-4-5")[2:5] == (15, 0, 6)


def test_a_game_scores_by_its_setting() -> None:
    """The same game is worth one point more for every cube that it delivers under 3-4-5 (H-8.8)."""
    totals = []
    for factories in ("2-3-4", "3-4-5"):
        state = start(2, factories=factories)
        chance, rng = Fast(5), random.Random(5)
        while asks := GAME.pending(state):
            GAME.apply(state, {ask.seat: rng.choice(GAME.options(state, ask.seat)) for ask in asks}, chance)
        totals.append([score.factory for score in state.scores])
    printed, other = totals

    assert sum(printed) > 0
    assert all(low < high <= 2 * low or low == high == 0 for low, high in zip(printed, other, strict=True))


def test_records_from_before_the_setting_imply_the_printed_values() -> None:
    """A header with the earlier components names four settings and stands for 2-3-4 (H-8.8)."""
    (first,) = GAME.earlier
    named = {"province_side": "A", "scoring_card": "1", "layering": "free", "equals_cards": "add"}

    assert variant_of(GAME, 1, first.digest, 2, named) == {**named, "factories": "2-3-4"}
    assert first.digest != GAME.digest


def test_tv_20_card_1_makes_factories_take_two_cubes() -> None:
    """H-TV20: each delivered cube scores the value; the effect is no bonus (H-9.3)."""
    assert (points("B4 B2 pB pB pB pB pB", "BBB", 1).factory, points("B4", "BB", 1).bonus) == (10, 0)
    assert points("B4 B2 pB pB pB pB pB", "BBBBB", 1).factory == 12


def test_tv_21_cards_7_and_8_count_delivered_cubes_of_their_colours() -> None:
    """H-TV21: blue and yellow for card 7, grey and brown for card 8."""
    text, cubes = "B3 B2 Y2 G4 pB pB pY pG", "BBYG"

    assert (points(text, cubes, 7).factory, points(text, cubes, 7).bonus) == (11, 6)
    assert (points(text, cubes, 8).factory, points(text, cubes, 8).bonus) == (11, 2)


def test_tv_22_card_6_counts_production_cells_without_a_cube_after_delivery() -> None:
    """H-TV22: delivered, spent and never filled cells count, surplus cubes block theirs (H-9.2, H-R13)."""
    first = points("pB pB pY pG pN B3 Y2", "BBY", 6)
    second = points("pB pB pY B2", "BBY", 6)

    assert (first.factory, first.bonus) == (5, 8)
    assert (second.factory, second.bonus) == (2, 2)


@pytest.mark.parametrize(
    ("text", "forest", "bonus"),
    [
        ("F F F F", 8, 8),
        ("F F F / F F F / F F F", 18, 24),
        ("F W F F", 6, 0),
        ("F F F / F W W / F W W", 10, 8),
        ("F F W / F F F", 10, 4),
    ],
)
def test_tv_23_card_2_counts_every_line_of_three_forests(text: str, forest: int, bonus: int) -> None:
    """H-TV23: windows may overlap (H-9.1, H-R12)."""
    assert (forest, bonus) == points(text, card=2)[0:5:4]


@pytest.mark.parametrize(("text", "bonus"), [("W W W / W W W", 10), ("W W W / W W W / W W W", 20), ("W W / W T", 0)])
def test_tv_24_card_3_counts_every_square_of_fields(text: str, bonus: int) -> None:
    """H-TV24: 2x2 windows may overlap (H-9.1, H-R12)."""
    assert bonus == points(text, card=3).bonus


def test_tv_25_card_4_adds_two_for_every_lake_cell() -> None:
    """H-TV25: on top of the lake points (H-R11)."""
    square, line = points("L L / L L", card=4), points("L L W L", card=4)

    assert (square.lake, square.bonus, square.total) == (9, 8, 17)
    assert (line.lake, line.bonus, line.total) == (3, 6, 9)


PLUS = ". T . / T T T / . T ."
BLOCK = "T T T / T T T / T T T"
APART = ". T . W T T T / T T T W T T T / . T . W T T T"


@pytest.mark.parametrize(("text", "town", "bonus"), [(PLUS, 5, 3), (BLOCK, 9, 3), (APART, 9, 6)])
def test_tv_26_card_5_counts_surrounded_towns_everywhere(text: str, town: int, bonus: int) -> None:
    """H-TV26: in the largest town and in any other."""
    result = points(text, card=5)

    assert (town, bonus) == (result.town, result.bonus)


def test_replace_makes_card_4_the_lake_line() -> None:
    """Under `equals_cards = replace` card 4 replaces the lake line by two for each lake cell (H-R11)."""
    result = points("L L W L", card=4, equals_cards="replace")

    assert (result.lake, result.bonus) == (6, 0)
    assert points("L L W L", card=3, equals_cards="replace").lake == 3


def test_replace_makes_a_surrounded_town_worth_three_in_total() -> None:
    """Under `replace` a surrounded cell adds two in the largest town, three in any other (H-R11)."""
    assert points(PLUS, card=5, equals_cards="replace").bonus == 2
    assert points(APART, card=5, equals_cards="replace").bonus == 2 + 3
    assert points("W", card=5, equals_cards="replace").bonus == 0


def test_of_two_largest_towns_the_better_one_counts() -> None:
    """Under `replace` the largest town among equals is the one that leaves the most points (H-R11)."""
    row_and_plus = "T T T T T / W W W W W / . T . . . / T T T . . / . T . . ."

    assert points(row_and_plus, card=5).town == 5
    assert points(row_and_plus, card=5, equals_cards="replace").bonus == 3


def test_fields_empty_cells_and_unsupplied_factories_score_nothing() -> None:
    """What H-8.6 says is worth nothing."""
    assert SeatScore(0, 0, 0, 0, 0, 2) == points("W W / pB G4 / N3 pY")


@pytest.mark.parametrize(
    ("results", "places"),
    [
        ([(70, 4), (70, 6), (65, 9)], (2, 1, 3)),
        ([(70, 5), (70, 5), (60, 1)], (1, 1, 3)),
    ],
)
def test_tv_27_fields_break_ties_and_then_the_place_is_shared(
    results: list[tuple[int, int]], places: tuple[int, ...]
) -> None:
    """H-TV27: more points, then more visible fields, else a shared place (H-8.7, H-R8)."""
    state = start(3)
    state.scores = tuple(SeatScore(total, 0, 0, 0, 0, fields) for total, fields in results)
    state.stack.clear()
    result = GAME.result(state)

    assert result is not None
    assert places == result.places
    assert tuple(total for total, _ in results) == result.points


def test_there_is_no_result_before_the_end() -> None:
    """The outcome is None while the game goes on (H-8.4)."""
    assert GAME.result(start(2)) is None
