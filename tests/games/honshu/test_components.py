"""The cards and cubes in the box (section 1) and their geometry (section 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.games.honshu import components, geometry
from referee.games.honshu.components import FACES, KINDS, PROVINCE_FACES, province_face
from referee.games.honshu.options import code_of, placement
from referee.kernel.errors import RulesBug
from tests.games.honshu import reference
from tests.games.honshu.reference import codes, footprint


def test_no_two_cards_are_equal_even_turned() -> None:
    """All 60 cards and their half turns are 120 different faces (H-1.1)."""
    faces = [FACES[card] for card in components.CARDS]

    assert len(faces) == 60
    assert len({*faces, *(face[::-1] for face in faces)}) == 120


def test_the_a_sides_have_the_same_contents() -> None:
    """Two towns, two fields and two productions each, and every pair of colours once; B sides differ (H-1.2)."""
    a_sides = [sorted(codes(province_face("A", number))) for number in range(1, 7)]
    b_sides = [sorted(codes(province_face("B", number))) for number in range(1, 7)]
    colours = {tuple(code for code in side if code[0] == "p") for side in a_sides}

    assert all(side[:4] == ["T", "T", "W", "W"] for side in a_sides)
    assert len(colours) == 6
    assert all(len(set(pair)) == 2 for pair in colours)
    assert len({tuple(side) for side in b_sides}) == 6


def test_the_box_has_ten_cubes_of_each_colour_and_eight_scoring_cards() -> None:
    """40 cubes in four colours (H-1.3), scoring cards 1 to 8 (H-1.4)."""
    assert components.CUBES == (10, 10, 10, 10)
    assert components.COLOURS == ("blue", "brown", "grey", "yellow")
    assert list(range(1, 9)) == sorted(components.SCORING_CARDS)


def test_a_cell_is_one_of_twenty_kinds() -> None:
    """Four sorts of land, a production cell and three factories of each colour (H-1.5, H-R5)."""
    sorts = Counter(kind.what for kind in KINDS[1:])
    brown = {kind.code: (kind.what, kind.value) for kind in KINDS if kind.colour == components.COLOURS.index("brown")}

    assert Counter(forest=1, town=1, lake=1, field=1, production=4, factory=12) == sorts
    assert brown == {"pN": ("production", 0), "N2": ("factory", 2), "N3": ("factory", 3), "N4": ("factory", 4)}


def test_lakes_and_productions_per_card_are_as_printed() -> None:
    """28 cards have a lake, none two; four cards have two productions, 32 one, 24 none; B3 has two lakes (H-1.6)."""
    cards = [codes(card) for card in components.CARDS]
    productions = Counter(sum(code[0] == "p" for code in card) for card in cards)
    lakes = {name: codes(face).count("L") for name, face in PROVINCE_FACES.items()}

    assert Counter({0: 32, 1: 28}) == Counter(card.count("L") for card in cards)
    assert Counter({0: 24, 1: 32, 2: 4}) == productions
    assert [card for card in components.CARDS if sum(code[0] == "p" for code in codes(card)) == 2] == [1, 2, 3, 4]
    assert {name: count for name, count in lakes.items() if count > 1} == {"B3": 2}


def test_data_that_does_not_add_up_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost cell is found when the totals are checked (H-1.6)."""
    monkeypatch.setitem(components._TABLES["checks"]["map_cards"]["cells"], "T", 117)

    with pytest.raises(RulesBug, match="map_cards"):
        components._faces()


@pytest.mark.parametrize("k", range(4))
def test_a_rotation_turns_the_card_clockwise(k: int) -> None:
    """The cells of each rotation lie where the index layouts of the rules say (H-2.2, H-2.3, H-2.4)."""
    actual = {index: tuple(geometry.cell(geometry.position(5, -3) + geometry.OFFSETS[k][index])) for index in range(6)}

    assert footprint(k, 5, -3) == actual


def test_rotations_are_quarter_turns_of_the_printed_card() -> None:
    """Turning a picture clockwise three times gives the layouts of k = 1, 2 and 3 (H-2.3)."""
    picture = [[0, 1], [2, 3], [4, 5]]
    for k in range(4):
        assert [[int(index) for index in line.split()] for line in reference.ROWS[k]] == picture
        assert [list(line) for line in geometry.LAYOUT[k]] == picture
        picture = [list(line) for line in zip(*picture[::-1], strict=True)]


def test_rows_grow_downward_and_columns_to_the_right() -> None:
    """A position counts columns first, then rows, in both directions from the province (H-2.1)."""
    cells = [(-24, -24), (-24, 25), (0, 0), (0, 1), (1, -1), (26, 25)]
    positions = [geometry.position(*cell) for cell in cells]

    assert positions == sorted(positions)
    assert cells == [tuple(geometry.cell(at)) for at in positions]


def test_the_code_of_a_placement_packs_its_four_numbers() -> None:
    """The 20-bit code goes both ways and grows with (k, row, col, mask) (H-2.7)."""
    placements = [(0, -24, -24, 0), (0, -24, -24, 62), (0, -24, 23, 1), (1, -3, 5, 9), (3, 24, 23, 63)]
    packed = [code_of(*item) for item in placements]

    assert packed == sorted(packed)
    assert [((k * 64 + a + 32) * 64 + b + 32) * 64 + mask for k, a, b, mask in placements] == packed
    assert placements == [tuple(placement(code)) for code in packed]
