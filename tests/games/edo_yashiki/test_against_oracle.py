"""The bit boards against the plain oracle, over random games: legality, lines, points, and what never changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.edo_yashiki.components import CARDS
from referee.games.edo_yashiki.house import House, drawn, first, options, place
from referee.games.edo_yashiki.placement_points import placement_points
from referee.games.edo_yashiki.scoring import points
from tests.games.edo_yashiki import oracle
from tests.games.edo_yashiki.pictures import anchors, picture, protected_cells

seeds = st.integers(0, 2**32)
pictures = st.lists(st.text("FTPG.", min_size=1, max_size=9), min_size=1, max_size=9).filter(
    lambda rows: any(row.strip(".") for row in rows)
)


def letters(card: int, turn: int) -> str:
    """The six letters of a card one way up, row by row."""
    return b"".join(CARDS[card].faces[turn]).decode()


@pytest.mark.parametrize("covering", ["seen", "all"])
def test_every_house_of_a_random_game_is_as_the_oracle_says(covering: str) -> None:
    """Visible cells, legal anchors, protected cells and made lines agree after every placement (E-3, E-7.2, E-7.6)."""
    for seed in range(6):
        rng = random.Random(seed)
        deck = rng.sample(range(len(CARDS)), 24)
        built, plane = first(deck[0], covering), oracle.Plane(covering=covering)
        plane.lay(letters(deck[0], 0), 0, 0)
        for card in deck[1:]:
            assert plane.legal() == anchors(built)
            listed = options(built, card)
            at = listed[rng.randrange(len(listed))]
            built = place(built, card, at)
            made = plane.lay(letters(card, at.rot // 180), at.x, at.y)

            assert plane.cells == picture(built)
            assert plane.protected() == protected_cells(built)
            assert made == [tuple(line) for line in built.made]
            assert oracle.points(made) == points(built.made)


def test_a_crowded_house_frees_the_anchors_that_the_oracle_frees() -> None:
    """Cards that are laid over cards wherever the rules allow hide some of them, whose anchors come back (E-7.2 c)."""
    freed = 0
    for seed in range(12):
        rng = random.Random(seed)
        deck = rng.sample(range(len(CARDS)), 30)
        built, plane = first(deck[0]), oracle.Plane()
        plane.lay(letters(deck[0], 0), 0, 0)
        for card in deck[1:]:
            anchored = [at for at in options(built, card) if at.rot == 0 and abs(at.x) + abs(at.y) < 4]
            if not anchored:
                break
            at = rng.choice(anchored)
            built = place(built, card, at)
            plane.lay(letters(card, 0), at.x, at.y)
            freed += len(set(plane.laid) & anchors(built))

            assert plane.legal() == anchors(built)
    assert freed > 0


def test_lines_never_vanish_and_made_lines_are_new() -> None:
    """A line stays or is part of a longer one, and no made line was there before (E-3.9, invariant)."""
    for seed in range(8):
        rng = random.Random(seed)
        built, plane = grown_greedily(rng, 8)
        for card in rng.sample(range(len(CARDS)), 6):
            before = plane.lines()
            listed = options(built, card)
            at = listed[rng.randrange(len(listed))]
            built = place(built, card, at)
            made = plane.lay(letters(card, at.rot // 180), at.x, at.y)
            after = plane.lines()

            assert not set(made) & set(before)
            for line in before:
                assert any(line[0] == longer[0] and within(line, longer) for longer in after)


def within(line: oracle.Run, longer: oracle.Run) -> bool:
    """Whether all cells of a line belong to another one."""
    return set(oracle.cells_of(line)) <= set(oracle.cells_of(longer))


def grown_greedily(rng: random.Random, cards: int) -> tuple[House, oracle.Plane]:
    """A house with many lines, and its twin."""
    deck = rng.sample(range(len(CARDS)), cards)
    built, plane = first(deck[0]), oracle.Plane()
    plane.lay(letters(deck[0], 0), 0, 0)
    for card in deck[1:]:
        worth = placement_points(built, card)
        at = options(built, card)[worth.index(max(worth))]
        built = place(built, card, at)
        plane.lay(letters(card, at.rot // 180), at.x, at.y)
    return built, plane


@given(seeds)
def test_the_points_of_every_placement_are_known_beforehand(seed: int) -> None:
    """`placement_points` is parallel to the options and says of each what placing the card there then scores (E-8)."""
    rng = random.Random(seed)
    built, _ = grown_greedily(rng, rng.randrange(2, 9))
    card = rng.randrange(len(CARDS))
    expected = [points(place(built, card, at).made) for at in options(built, card)]

    assert expected == placement_points(built, card)


@given(pictures, st.integers(-50, 50), st.integers(-50, 50))
def test_a_drawn_house_is_as_the_oracle_says(rows: list[str], x: int, y: int) -> None:
    """Any picture, reachable or not: cells, protection and legal anchors (E-3.4 to E-3.6, E-7.2)."""
    built = drawn(rows, x, y)
    cells = {
        (x + column, y + row): kind for row, text in enumerate(rows) for column, kind in enumerate(text) if kind != "."
    }
    plane = oracle.Plane(cells)

    assert cells == picture(built)
    assert plane.protected() == protected_cells(built)
    assert plane.legal() == anchors(built)


@pytest.mark.parametrize("x0", [-40, 0, 40])
def test_ten_anchors_around_an_extreme_cell_are_always_legal(x0: int) -> None:
    """The argument of E-7.4: beside, above and below the outermost cells nothing can be protected or taken."""
    built = drawn(["GGGGGG", "G....G", "GGGGGG"], x0, 0)
    legal = anchors(built)
    left = {(x0 - 2, y) for y in (-2, -1, 0)}
    right = {(x0 + 6, y) for y in (-2, -1, 0)}
    above = {(x0 - 1, -3), (x0, -3)}
    below = {(x0 - 1, 3), (x0, 3)}

    assert left | right | above | below <= legal
