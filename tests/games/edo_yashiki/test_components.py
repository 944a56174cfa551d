"""The data: sections 2 and 17. The balance of the card set is counted, not repeated."""

from __future__ import annotations

from collections import Counter

from referee.games.edo_yashiki import GAME
from referee.games.edo_yashiki.components import BONUS, CARDS, KINDS, LINE_POINTS, NAMES, SETUPS, TARGET, half_turn

PRINTED = [card.faces[0] for card in CARDS]
LETTERS = [b"".join(rows).decode() for rows in PRINTED]
BESIDE = [(0, 1), (2, 3), (4, 5)]
BELOW = [(0, 2), (2, 4), (1, 3), (3, 5)]


def test_cards_are_two_wide_and_three_high() -> None:
    """64 cards of 2 x 3 cells in four kinds, each with a name of its own (E-2.1, E-2.2)."""
    assert 64 == len(CARDS) == len(set(NAMES))
    assert {(3, 2)} == {(len(rows), len(row)) for rows in PRINTED for row in rows}
    assert KINDS == "FTPG"
    assert PRINTED[NAMES.index("E01")] == (b"FT", b"TP", b"GF")


def test_no_card_equals_another_or_its_own_half_turn() -> None:
    """So every card has two ways up (E-17.1, E-R1)."""
    ways = [way for card in CARDS for way in card.faces]

    assert 128 == len(ways) == len(set(ways))
    assert all(half_turn(card.faces[0]) == card.faces[1] for card in CARDS)


def test_the_kinds_are_balanced() -> None:
    """Each kind 16 times in each of the six positions; 36, 12 and 16 cards by kind counts (E-17.1)."""
    by_position = Counter((position, kind) for text in LETTERS for position, kind in enumerate(text))
    by_counts = Counter(tuple(sorted(Counter(text).values(), reverse=True)) for text in LETTERS)

    assert {16} == set(by_position.values())
    assert len(by_position) == 24
    assert by_counts == {(2, 2, 1, 1): 36, (2, 2, 2): 12, (3, 1, 1, 1): 16}


def test_equal_neighbours_are_balanced() -> None:
    """24, 28 and 12 cards with 0, 1 and 2 equal pairs; 13 pairs of each kind, 66 of each two kinds (E-17.1)."""
    pairs = [sorted((text[a], text[b])) for text in LETTERS for a, b in BESIDE + BELOW]
    equal = Counter(a for a, b in pairs if a == b)
    unequal = Counter((a, b) for a, b in pairs if a != b)
    by_card = Counter(sum(text[a] == text[b] for a, b in BESIDE + BELOW) for text in LETTERS)

    assert by_card == {0: 24, 1: 28, 2: 12}
    assert dict.fromkeys(KINDS, 13) == equal
    assert {66} == set(unequal.values())
    assert len(unequal) == 6


def test_the_set_is_sixteen_patterns_in_four_shifts() -> None:
    """Four cards in a row of the list are one pattern with the kinds shifted by one each (E-17.2)."""
    shift = str.maketrans("FTPG", "TPGF")

    for base in range(0, 64, 4):
        for step in range(3):
            assert LETTERS[base + step].translate(shift) == LETTERS[base + step + 1]


def test_no_card_makes_a_line_alone() -> None:
    """No column of a card holds three equal kinds (E-17.1)."""
    assert not [text for text in LETTERS if text[0] == text[2] == text[4] or text[1] == text[3] == text[5]]


def test_numbers_come_from_the_data() -> None:
    """Line points, bonus, target and the table of section 4 are read, and what they imply holds (E-2.3, E-4.6)."""
    assert LINE_POINTS == (0, 0, 0, 1, 2, 4, 0)
    assert BONUS == (0, 0, 2, 4, 6)
    assert TARGET == 25
    assert {seats: tuple(setup) for seats, setup in SETUPS.items()} == {
        2: (62, 31, 32),
        3: (61, 20, 21),
        4: (60, 15, 16),
        5: (59, 11, 12),
    }
    assert len(GAME.digest) == 64
