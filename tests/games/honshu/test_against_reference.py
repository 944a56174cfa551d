"""The fast placement and scoring code against the plain one, on random domains."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.honshu.components import CARDS, COLOUR_LETTERS, PROVINCE_FACES
from referee.games.honshu.domain import Laid
from referee.games.honshu.layering import look
from referee.games.honshu.options import Placement, Placements
from referee.games.honshu.scoring import land_of, score
from tests.games.honshu import reference
from tests.games.honshu.tables import painted, province

NAMES = sorted(PROVINCE_FACES)
CODES = ["F", "T", "L", "W", "pB", "pN", "pG", "pY", "B2", "B3", "N4", "G2", "Y3", "Y4"]


def compare(name: str, layering: str, seed: int, rounds: int) -> None:
    """Lay random cards in both; compare all placements and everything visible before each."""
    rng = random.Random(seed)
    fast, plain = province(name, layering), reference.Plain(name, layering)
    for card in rng.sample(CARDS, rounds):
        listed = Placements(fast, card)
        expected = list(plain.placements(card))

        assert expected == [tuple(option) for option in listed]
        assert len(expected) == len(listed)
        mixed = [option for option in expected if option[3] and not reference_flat(plain, option)]
        chosen = rng.choice(mixed if mixed and rng.random() < 0.5 else expected)
        fast = fast.lay(Laid(card, *chosen))
        plain.place(card, *chosen)
        picture = fast.picture
        shown = {tuple(cell): code for cell, code in zip(picture.cells, picture.codes, strict=True)}
        cards = [name, *(str(laid.card) for laid in fast.laid)]
        tops = {tuple(cell): cards[slot] for cell, slot in zip(picture.cells, picture.slots, strict=True)}

        assert plain.visible() == shown
        assert {cell: plain.top(cell)[0] for cell in plain.piles} == tops
        assert plain.stacking()


def reference_flat(plain: reference.Plain, option: tuple[int, int, int, int]) -> bool:
    """Whether a placement goes under everything that it meets."""
    k, a, b, mask = option
    met = {index for index, cell in reference.footprint(k, a, b).items() if cell in plain.piles}
    return all(mask >> index & 1 for index in met)


@pytest.mark.parametrize("layering", ["free", "flat"])
@pytest.mark.parametrize("name", NAMES)
def test_placements_are_those_of_the_plain_rules(name: str, layering: str) -> None:
    """Five random cards: lists and pictures are those of the plain rules, and a real pile can show them (H-R2)."""
    compare(name, layering, seed=NAMES.index(name), rounds=5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_placements_are_those_of_the_plain_rules_to_the_end(seed: int) -> None:
    """The same for whole domains of twelve cards."""
    compare(NAMES[seed % len(NAMES)], "flat" if seed % 5 == 4 else "free", seed=100 + seed, rounds=12)


@pytest.mark.parametrize("seed", range(2))
def test_a_whole_domain_is_that_of_the_plain_rules(seed: int) -> None:
    """Twelve random cards under free layering, a few of them in every quick run."""
    compare(("A2", "B3")[seed], "free", seed=40 + seed, rounds=12)


def test_slot_order_survives_long_mixed_play() -> None:
    """After many placements in between, windows renewed step by step equal windows looked at afresh (H-7.6)."""
    rng = random.Random(9)
    for _ in range(40):
        domain = province("A3")
        for card in rng.sample(CARDS, 12):
            listed = Placements(domain, card)
            mixed = [option for option in listed if option.mask and option.mask.bit_count() < 3]
            domain = domain.lay(Laid(card, *rng.choice(mixed or list(listed))))
            for shape, sites in enumerate(domain.sites):
                for anchor, window in sites.windows.items():
                    fresh, slots = look(domain.cells, domain.above, shape, anchor)

                    assert sorted(fresh.masks) == sorted(window.masks)
                    assert slots & ~sites.slots[anchor] == 0


grids = st.dictionaries(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), st.sampled_from(CODES), min_size=1, max_size=40
)


@given(cells=grids, counts=st.tuples(*[st.integers(0, 5)] * 4), card=st.integers(0, 8), replace=st.booleans())
def test_scores_are_those_of_the_plain_rules(
    cells: dict[tuple[int, int], str], counts: tuple[int, ...], card: int, replace: bool
) -> None:
    """Any land with any cubes and any scoring card (H-8.5, H-8.6, H-9.1 to H-9.3, H-R11 to H-R14)."""
    cubes = dict(zip(COLOUR_LETTERS, counts, strict=True))
    actual = score(land_of(painted(cells).cells), counts, card, "replace" if replace else "add")

    assert reference.score(cells, cubes, card, replace) == list(actual)
    assert sum(actual[:5]) == actual.total


def test_membership_is_the_plain_legality() -> None:
    """Around a province every position and mask is judged alike, legal or not."""
    listed, plain = Placements(province("B1"), 29), reference.Plain("B1", "free")
    for k in range(4):
        for row in range(-4, 5):
            for col in range(-4, 4):
                for mask in range(64):
                    expected = plain.legal(29, k, row, col, mask)

                    assert expected == (Placement(k, row, col, mask) in listed)
