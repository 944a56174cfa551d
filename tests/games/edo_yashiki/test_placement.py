"""Where a card may go: section 7, vectors E-RB4 and E-PL1 to E-PL10, and the lazy option list."""

from __future__ import annotations

import pytest

from referee.games.edo_yashiki import GAME
from referee.games.edo_yashiki.components import CARDS, NAMES
from referee.games.edo_yashiki.house import first, options, place
from referee.games.edo_yashiki.options import PlaceCard, Placements, placement
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Verb
from tests.games.edo_yashiki.pictures import anchors, face, house, may_place, picture, protected_cells
from tests.games.edo_yashiki.tables import SEATS, play_until, start, steps
from tests.games.option_types import all_of


def named(name: str) -> int:
    """The card of that name."""
    return NAMES.index(name)


def test_lines_are_protected() -> None:
    """E-RB4: no card may cover a cell of a line, not even with the same kind (E-3.6, E-7.2 b)."""
    built = house("FTP/GGG/PTF")

    assert {(0, 1), (1, 1), (2, 1)} == protected_cells(built)
    for anchor in [(0, 2), (1, 2), (2, 2), (-1, 2), (0, -2), (0, -3), (3, 0), (3, 2)]:
        assert may_place(built, *anchor), anchor
    for anchor in [(0, 1), (1, 1), (0, 0), (2, -1), (2, 0), (3, 3), (-2, -3)]:
        assert not may_place(built, *anchor), anchor


def test_a_single_card_leaves_thirty_anchors() -> None:
    """E-PL1: around one card there are 30 legal anchors, each both ways up (E-7.1)."""
    built = first(0)

    assert len(anchors(built)) == 30
    assert len(options(built, 1)) == 60


@pytest.mark.parametrize(
    ("x", "y", "legal"),
    [
        (0, 0, False), (1, 0, True), (0, 1, True), (1, 2, True),
        (2, 2, True), (2, -2, True), (1, 3, True), (-1, -3, True),
        (2, 3, False), (2, -3, False), (-2, 3, False), (-2, -3, False),
        (3, 0, False), (0, 4, False),
    ],
)  # fmt: skip
def test_a_card_must_touch_the_house_with_an_edge(x: int, y: int, legal: bool) -> None:
    """E-PL2 to E-PL5: overlap or a common edge is contact, a common corner is not; an anchor is used once (E-7.2)."""
    assert legal == may_place(first(0), x, y)


def test_a_half_turn_reverses_rows_and_cells() -> None:
    """E-PL6: rows in reverse order, each row reversed; there are no quarter-turns (E-3.2, E-R1)."""
    turned = tuple(row.encode() for row in ("FG", "PT", "TF"))

    assert turned == face("FT/TP/GF", 180)
    assert (face("FT/TP/GF"), turned) == CARDS[named("E01")].faces


@pytest.mark.parametrize(("x", "y", "legal"), [(5, -2, False), (6, -2, True), (0, 1, True), (4, -3, True)])
def test_a_line_of_six_is_protected_too(x: int, y: int, legal: bool) -> None:
    """E-PL7: long lines pay nothing and still protect their cells (E-3.6, E-R8)."""
    assert legal == may_place(house("GGGGGG/FTPFTP"), x, y)


def test_a_card_may_cover_six_cells_of_several_cards() -> None:
    """E-PL8: the house need not grow, but no card may lie exactly on another (E-7.2 c, E-7.3, E-R3, E-R4)."""
    built = place(first(named("E02")), named("E03"), PlaceCard(2, 0, 0))

    assert may_place(house("FTPG/TPGF/PGFT"), 1, 0)
    assert (may_place(built, 1, 0), may_place(built, 0, 0), may_place(built, 2, 0)) == (True, False, False)
    assert set(picture(built)) == set(picture(place(built, named("E01"), PlaceCard(1, 0, 0))))


@pytest.mark.parametrize(("covering", "free"), [("seen", True), ("all", False)])
def test_a_hidden_card_bars_its_anchor_only_where_all_cards_count(covering: str, free: bool) -> None:
    """E-PL10: the anchor of a card that others have covered wholly is free under `seen` (E-1.5, E-7.2 c, E-R3)."""
    built = first(named("E01"), covering)
    built = place(built, named("E06"), PlaceCard(1, 0, 0))
    built = place(built, named("E11"), PlaceCard(-1, 0, 0))

    assert (may_place(built, 0, 0), may_place(built, 0, 1), may_place(built, 1, 0)) == (free, True, False)


def test_an_anchor_is_free_as_often_as_its_card_is_hidden() -> None:
    """E-PL11: a further card bars the anchor again until its last visible cell is covered (E-7.2 c)."""
    built = first(named("E01"))
    free = []
    for name, x, y in (
        ("E06", 1, 0), ("E11", -1, 0), ("E42", 0, 0), ("E20", 1, 1), ("E51", -1, 1), ("E07", 1, -1), ("E10", -1, -1),
    ):  # fmt: skip
        assert may_place(built, x, y)
        built = place(built, named(name), PlaceCard(x, y, 0))
        free.append(may_place(built, 0, 0))

        assert built.made == ()
    assert free == [False, True, False, False, False, False, True]


def test_a_freed_anchor_stays_barred_where_a_line_lies() -> None:
    """The anchor of a hidden card is free only if no cell of a line would be covered there (E-7.2 b)."""
    built = place(first(named("E01")), named("E06"), PlaceCard(1, 0, 0))
    found = 0
    for card in range(len(CARDS)):
        covered = place(built, card, PlaceCard(-1, 0, 0))
        if covered.made:
            found += 1

            assert not may_place(covered, 0, 0)
    assert found


def test_a_house_keeps_its_reading_in_a_wider_window() -> None:
    """Cards far away in every direction move the window; freed and barred anchors move with it (E-7.2 c)."""
    built = first(named("E01"))
    built = place(built, named("E06"), PlaceCard(1, 0, 0))
    built = place(built, named("E11"), PlaceCard(-1, 0, 0))
    used = iter(card for card in range(len(CARDS)) if NAMES[card] not in ("E01", "E06", "E11"))
    for step in range(1, 12):
        for x, y in ((1 + 2 * step, 0), (-1 - 2 * step, 0)):
            built = place(built, next(used), PlaceCard(x, y, 0))
    for step in range(1, 8):
        for y in (3 * step, -3 * step):
            built = place(built, next(used), PlaceCard(0, y, 0))
    barred = [(x, y) for _, x, y, _ in built.cards[1:]]

    assert not any(may_place(built, *anchor) for anchor in barred)
    assert sum(built.owners.count(number) for number in range(1, 256)) == len(picture(built))
    assert built.owners.count(1) == 0


def test_the_latest_card_lies_on_top() -> None:
    """A cell shows what the last card over it shows (E-3.1, E-3.3)."""
    built = place(first(named("E01")), named("E48"), PlaceCard(1, 1, 180))

    assert picture(built) == {
        (0, 0): "F", (1, 0): "T",
        (0, 1): "T", (1, 1): "P", (2, 1): "T",
        (0, 2): "G", (1, 2): "T", (2, 2): "P",
        (1, 3): "G", (2, 3): "G",
    }  # fmt: skip
    assert [(named("E01"), 0, 0, 0), (named("E48"), 1, 1, 180)] == [tuple(card) for card in built.cards]


def test_a_card_that_equals_its_half_turn_has_one_way_up() -> None:
    """Such a card, of which the list has none, would have rot 0 only (E-7.1)."""
    single = Placements(0b1011, 5, 7, 4, turns=1)
    expected = [PlaceCard(5, 7, 0), PlaceCard(6, 7, 0), PlaceCard(8, 7, 0)]

    assert expected == list(single)
    assert expected == [single[0], single[1], single[2]]
    assert PlaceCard(5, 7, 180) not in single


def test_options_stand_in_canonical_order() -> None:
    """By y, then x, then rot (E-5.5, E-7.5)."""
    listed = list(options(place(first(0), 1, PlaceCard(1, 2, 0)), 2))

    assert sorted(listed, key=lambda at: (at.y, at.x, at.rot)) == listed


def test_the_lazy_list_agrees_with_a_plain_one() -> None:
    """Length, items, slices, search and membership are those of the list that the options stand for (E-7.5)."""
    lazy = options(place(first(0), 1, PlaceCard(1, 2, 0)), 2)
    plain = list(lazy)

    assert len(plain) == len(lazy)
    assert plain == [lazy[index] for index in range(len(plain))]
    assert plain == [lazy[index - len(plain)] for index in range(len(plain))]
    assert list(range(len(plain))) == [lazy.index(at) for at in plain]
    assert tuple(plain[3:40:5]) == lazy[3:40:5]
    assert all(at in lazy for at in plain)
    assert plain[::-1] == list(reversed(lazy))


def test_nothing_else_is_an_option() -> None:
    """Places outside the window, other rotations and things that are no placement are not in the list."""
    lazy = options(first(0), 1)
    strangers: list[object] = [
        PlaceCard(0, 0, 0), PlaceCard(1, 0, 90), PlaceCard(1 + 30, -1, 0), PlaceCard(-29, 1, 0), PlaceCard(0, -500, 0),
        PlaceCard(0, 500, 0), (1, 0, 0, 0), None, "place", 5,
    ]  # fmt: skip

    assert [stranger for stranger in strangers if stranger in lazy] == []
    for stranger in strangers:
        with pytest.raises(ValueError, match="no such option"):
            lazy.index(stranger)
    for index in (60, -61):
        with pytest.raises(IndexError):
            lazy[index]


def test_options_are_shared() -> None:
    """The same place is the same object wherever it is offered."""
    assert options(first(0), 1)[17] is options(first(3), 4)[17]
    assert placement(1, 2, 1) is placement(1, 2, 1)


def test_lists_of_equal_places_are_equal() -> None:
    """Two option lists are equal exactly when they offer the same."""
    house_of_two = place(first(0), 1, PlaceCard(1, 2, 0))

    assert options(first(0), 1) == options(first(2), 3)
    assert hash(options(first(0), 1)) == hash(options(first(2), 3))
    assert options(first(0), 1) != options(house_of_two, 3)
    assert options(first(0), 1) != list(options(first(0), 1))


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)])
def test_a_house_may_stretch_across_the_whole_plane(direction: tuple[int, int]) -> None:
    """32 cards in one direction, the most a house can hold, find room, and nothing wraps around (E-7.3)."""
    dx, dy = direction
    built = first(0)
    for card in range(1, 32):
        at = PlaceCard(2 * card * dx, 3 * card * dy if not dx else 2 * card * dy, 0)
        assert at in options(built, card)
        built = place(built, card, at)

    expected = {(x + c, y + r) for _, x, y, _ in built.cards for c in range(2) for r in range(3)}
    assert expected == set(picture(built))


@pytest.mark.parametrize("seats", SEATS)
def test_there_is_always_a_place(seats: int) -> None:
    """At every placement of a random game there are at least 20 options (E-7.4)."""
    state = start(seats)
    counts = [
        len(GAME.options(state, ask.seat))
        for state, _, _ in steps(state, seats)
        for ask in GAME.pending(state)
        if ask.kind == "place_card"
    ]

    assert min(counts) >= 20
    assert max(counts) <= GAME.bounds.options


def test_placements_are_published_together() -> None:
    """All seats place at once, and the events tell card, anchor and rot of each (E-7.1, E-7.7, E-R19)."""
    state = start(3)
    play_until(state, "place_card", 1)
    cards = [state.row[card] for card in state.got]
    answers = {seat: all_of(PlaceCard, GAME.options(state, seat))[10 * seat + 1] for seat in range(3)}
    events = GAME.apply(state, answers, Fast(1))
    moved = [(event.seat, event.items, event.audience) for event in events if event.verb == Verb.MOVED]

    assert [(seat, (NAMES[cards[seat]], *answers[seat]), None) for seat in range(3)] == moved
    assert [cards[seat] for seat in range(3)] == [house.cards[-1].card for house in state.houses]


def test_an_illegal_placement_changes_nothing() -> None:
    """One illegal answer, and no card at all is laid (E-5.2)."""
    state = start(2)
    play_until(state, "place_card", 1)
    before = GAME.dump(state)
    answers = {0: GAME.options(state, 0)[0], 1: PlaceCard(0, 0, 0)}

    with pytest.raises(IllegalAnswer, match="seat 1's answer to place_card"):
        GAME.apply(state, answers, Fast(1))
    assert before == GAME.dump(state)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_nobody_can_pass(missing: int) -> None:
    """A round does not go on before every seat has placed its card (E-5.1)."""
    state = start(3)
    play_until(state, "place_card", 2)
    answers = {seat: GAME.options(state, seat)[0] for seat in range(3) if seat != missing}

    with pytest.raises(IllegalAnswer):
        GAME.apply(state, answers, Fast(1))


@pytest.mark.parametrize("seats", SEATS)
def test_every_house_gains_one_card_a_round(seats: int) -> None:
    """Each seat takes one card and places one card in every round (E-5.1)."""
    counted = {
        (state.round, len(built.cards))
        for state, _, _ in steps(start(seats), seats)
        for built in state.houses
        if GAME.pending(state) and GAME.pending(state)[0].kind == "rank_cards"
    }

    assert {(number, number) for number in range(2, 1 + len(counted) + 1)} == counted
