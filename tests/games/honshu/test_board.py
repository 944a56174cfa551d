"""What people are shown: figures, words and clicks, all from a view alone (`referee.kernel.board`)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from referee.games.honshu import GAME, Placement, State, View
from referee.games.honshu.areas import areas_of, points_now
from referee.games.honshu.board import BOARD
from referee.games.honshu.components import CARDS
from referee.games.honshu.facts import layers
from referee.games.honshu.geometry import OFFSETS, position
from referee.games.honshu.words import CATEGORIES, QUESTIONS
from referee.kernel.board import Choice, Section
from referee.kernel.chance import Fast
from referee.kernel.game import TABLE, Event, Option, Pending, Verb
from tests.games.honshu.tables import EXAMPLE, SEATS, laid_out, own, play_until, random_answers, start

VARIANTS: Sequence[dict[str, str]] = (
    {},
    {"province_side": "B", "layering": "flat"},
    {"factories": "3-4-5", "scoring_card": "7"},
    *({"scoring_card": str(number)} for number in range(1, 9)),
    {"scoring_card": "4", "equals_cards": "replace", "province_side": "B"},
    {"scoring_card": "5", "equals_cards": "replace"},
)
TABLES = [(seats, variant) for number, variant in enumerate(VARIANTS) for seats in (SEATS[number % 4],)]
"""Every seat count and every scoring card at least once."""
tables = pytest.mark.parametrize(("seats", "variant"), TABLES)
PLACES = {
    "card": {"card"},
    "cube": {"seat", "row", "column"},
    "pair": {"pair", "cards"},
    "turn": {"card", "turn", "within"},
    "at": {"card", "turn", "row", "column", "ways", "under"},
    "way": {"card", "turn", "row", "column", "hidden"},
}
"""By the first word of a key: what its place names. A cell with one way names its hidden cells too."""


def moments(seats: int, variant: dict[str, str], seed: int = 11) -> Iterator[tuple[State, list[Event]]]:
    """Every position of a random game, the last one included, with the events that led to it."""
    state = start(seats, Fast(seed), **variant)
    rng = random.Random(seed)
    events: list[Event] = []
    while GAME.pending(state):
        yield state, events
        events = GAME.apply(state, random_answers(state, rng), Fast(0))
    yield state, events


def asks(seats: int, variant: dict[str, str]) -> Iterator[tuple[View, Pending, Sequence[Option], Sequence[Choice]]]:
    """Every ask of a random game with its options and its choices."""
    for state, _ in moments(seats, variant):
        for ask in GAME.pending(state):
            view = GAME.view(state, ask.seat)
            options = GAME.options(state, ask.seat)
            yield view, ask, options, BOARD.choices(view, ask.kind, options)


def written(sections: Sequence[Section]) -> str:
    """A board in words as one text."""
    lines = []
    for section in sections:
        lines += [f"## {section.title}", *(" | ".join(row).rstrip() for row in (section.columns, *section.rows))]
    return "\n".join(lines)


@tables
def test_points_by_category_are_those_of_the_rules(seats: int, variant: dict[str, str]) -> None:
    """At the end the categories of the facts add up to the result of the game, and name the places of its ranking."""
    *_, (state, events) = moments(seats, variant)
    view = GAME.view(state, None)
    facts = BOARD.facts(view, events)
    result = GAME.result(state)
    rows = cast(list[dict[str, Any]], facts["points"])

    assert result is not None
    assert list(result.points) == [sum(row["points"][seat] for row in rows) for seat in range(seats)]
    assert [row["category"] for row in rows] == list(CATEGORIES if "scoring_card" in variant else CATEGORIES[:-1])
    assert list(result.places) == facts["places"]
    assert points_now(view) == list(view.scores)


@tables
def test_areas_add_up_to_the_points(seats: int, variant: dict[str, str]) -> None:
    """At every moment, forests, town, lakes, deliveries and payments of the card sum to what `scoring.score` counts."""
    compared = 0
    for state, _ in moments(seats, variant):
        view = GAME.view(state, None)
        for domain, score in zip(view.domains, points_now(view), strict=True):
            found = areas_of(view, domain)

            assert (found.forest.points, found.town.points) == (score.forest, score.town)
            assert sum(area.points for area in found.lakes) == score.lake
            assert sum(delivery.points for delivery in found.deliveries) == score.factory
            assert sum(area.points for area in found.bonus) == score.bonus

            compared += score.total > 0

    assert compared > 20


def test_the_example_shows_its_areas() -> None:
    """H-TV8: a town of 17, a lake of 5 for 12 points, five cubes at factories worth 3, 2, 4, 2 and 3."""
    state = start(2)
    own(state, 0, laid_out("A1", *EXAMPLE), (1, 0), (-2, 8), (2, 3), (3, 4), (3, 7))
    domain = GAME.view(state, None).domains[0]
    found = areas_of(GAME.view(state, None), domain)

    assert (len(found.town.cells), found.town.points) == (17, 17)
    assert [(len(lake.cells), lake.points) for lake in found.lakes] == [(5, 12)]
    assert sorted(delivery.points for delivery in found.deliveries) == [2, 2, 3, 3, 4]


@pytest.mark.parametrize("layering", ["free", "flat"])
def test_cards_drawn_whole_in_their_order_show_the_visible_cells(layering: str) -> None:
    """The layers of the facts reproduce, card by card, which card each cell shows (H-2.6, H-7.6)."""
    for seed in range(4):
        *_, (state, _) = moments(3, {"layering": layering}, seed)
        for domain in GAME.view(state, None).domains:
            cells: dict[int, int] = {}
            placed = [(0, 0, 0), *((laid.k, laid.row, laid.col) for laid in domain.laid)]
            for number in layers(domain.laid):
                k, row, col = placed[number]
                cells.update((position(row, col) + offset, number) for offset in OFFSETS[k])
            expected = zip((position(*at) for at in domain.picture.cells), domain.picture.slots, strict=True)

            assert dict(expected) == cells


def test_faces_are_those_of_the_cards_that_the_seat_knows() -> None:
    """Cards in other hands and in the pile have no face in the facts; a factory shows what a cube scores there."""
    state = start(3, factories="3-4-5")
    play_until(state, 3, "play", 2)
    views = [GAME.view(state, seat) for seat in (None, 0, 1, 2)]
    faces = [cast(dict[str, str], BOARD.facts(view, [])["faces"]) for view in views]
    table = {laid.card for domain in views[0].domains for laid in domain.laid} | set(views[0].faceup)

    assert [{int(card) for card in found} for found in faces] == [table, *(table | set(hand) for hand in state.hands)]
    assert {code for found in faces for face in found.values() for code in face.split() if code[-1].isdigit()} <= {
        f"{colour}{worth}" for colour in "BNGY" for worth in (3, 4, 5)
    }
    assert set(faces[1]) < {str(card) for card in CARDS}


@tables
def test_choices_are_the_options_in_order_and_no_path_begins_another(seats: int, variant: dict[str, str]) -> None:
    """As many choices as options, in the words of `answer`, with paths of which none is the beginning of another."""
    kinds = set()
    for view, ask, options, choices in asks(seats, variant):
        paths = [tuple(part.key for part in choice.path) for choice in choices]
        beginnings = {path[:length] for path in paths for length in range(len(path))}

        assert [BOARD.answer(view, ask.kind, option) for option in options] == [choice.words for choice in choices]
        assert len(set(paths)) == len(options)
        assert beginnings.isdisjoint(paths)
        assert len({choice.words for choice in choices}) == len(options)

        kinds.add(ask.kind)

    assert kinds == ({"play2", "override", "pair", "keep", "place"} if seats == 2 else {"play", "pick", "place"})


@tables
def test_every_part_has_words_and_the_place_that_its_key_promises(seats: int, variant: dict[str, str]) -> None:
    """Parts with the same key after the same clicks are equal, and their places name what `choices` documents."""
    for _, ask, _, choices in asks(seats, variant):
        seen: dict[tuple[str, ...], Any] = {}
        for choice in choices:
            before: tuple[str, ...] = ()
            for part in choice.path:
                named = set(part.place)
                wanted = set() if part.key in ("decline", "cube:none") else PLACES[part.key.partition(":")[0]]

                assert part.words
                assert seen.setdefault((*before, part.key), part) == part
                assert named - {"hidden"} == wanted - {"hidden"}
                assert ("hidden" in named) == (ask.kind == "place" and part is choice.path[-1])

                before = (*before, part.key)


@pytest.mark.parametrize("scoring_card", ["none", "1", "2", "3", "6", "8"])
def test_a_placement_brings_what_it_says(scoring_card: str) -> None:
    """The points that a choice names are the difference that the rules make when the card is laid."""
    compared = 0
    for seats, seed in ((2, 1), (3, 2)):
        state = start(seats, Fast(seed), scoring_card=scoring_card)
        rng = random.Random(seed)
        while pending := GAME.pending(state):
            answers = random_answers(state, rng)
            said = {}
            before = points_now(GAME.view(state, None))
            if pending[0].kind == "place":
                for ask in pending:
                    options = GAME.options(state, ask.seat)
                    (choice,) = BOARD.choices(GAME.view(state, ask.seat), "place", [answers[ask.seat]])
                    number = options.index(answers[ask.seat])
                    every = BOARD.choices(GAME.view(state, ask.seat), "place", options)

                    assert every[number].brings == choice.brings

                    said[ask.seat] = choice.brings
            GAME.apply(state, answers, Fast(0))
            after = points_now(GAME.view(state, None))
            for seat, brings in said.items():
                found = re.match(r"([+-]\d+) points?:|no points", brings)

                assert found is not None
                if "if one is left" not in brings:
                    assert int(found[1] or 0) == after[seat].total - before[seat].total

                    compared += 1

    assert compared > 40


def test_a_scarce_cube_is_promised_only_if_the_supply_surely_has_it() -> None:
    """With one cube left, the first seat in order gets it for sure, a later seat only if no earlier one takes it."""
    state = start(3)
    play_until(state, 5, "place", 2)
    state.taken = [8, 8, 8]
    state.order = (1, 0, 2)
    state.supply = (1, 9, 9, 9)
    own(state, 0, laid_out("A5"))
    own(state, 1, laid_out("A5"))
    option = Placement(0, -2, -1, 0)
    words = [BOARD.choices(GAME.view(state, seat), "place", [option])[0].brings for seat in (1, 0)]
    state.supply = (0, 9, 9, 9)
    none = BOARD.choices(GAME.view(state, 1), "place", [option])[0].brings

    assert "brings a blue cube" in words[0]
    assert "if one is left" not in words[0]
    assert "brings a blue cube if one is left" in words[1]
    assert "cube" not in none


def test_bids_name_their_value_and_what_the_cube_costs() -> None:
    """H-TV34: cards ascending, each without a cube and with each; a cube makes the card worth 60 more."""
    state = start(3)
    own(state, state.order[0], laid_out("A1", (17, 0, 2, 0, 0)), (1, 0), (1, 1))
    seat = state.order[0]
    state.hands[seat] = (7, 9)
    view = GAME.view(state, seat)
    choices = BOARD.choices(view, "play", GAME.options(state, seat))

    assert [choice.words for choice in choices[:3]] == [
        "card 7 without a cube",
        "card 7 with the blue cube at row 1, column 0",
        "card 7 with the brown cube at row 1, column 1",
    ]
    assert [choice.brings.partition(";")[0] for choice in choices] == [
        "value 7", "value 67", "value 67", "value 9", "value 69", "value 69",
    ]  # fmt: skip
    assert [part.key for part in choices[1].path] == ["card:7", "cube:1:0"]
    assert "factory -3" in choices[1].brings


def test_a_placement_says_what_it_lies_over_and_under() -> None:
    """H-TV14: under card 50 and over the province, in one sentence; the way is a click of its own."""
    state = start(2)
    play_until(state, 5, "place", 2)
    own(state, 0, laid_out("A1", (50, 0, 2, 1, 0)))
    state.taken[0] = 51
    choice = next(
        choice
        for choice in BOARD.choices(GAME.view(state, 0), "place", GAME.options(state, 0))
        if [part.key for part in choice.path] == ["turn:1", "at:1:1", "way:40"]
    )

    assert choice.words == "card 51 turned right at row 1, column 1, over the province, under card 50"
    assert [part.words for part in choice.path] == [
        "turned right", "at row 1, column 1", "over the province, under card 50",
    ]  # fmt: skip


EVENTS = (
    (Event(Verb.PHASE, TABLE, "round", (4,)), "began round 4"),
    (Event(Verb.REVEALED, TABLE, "deck pair", (3, 9)), "turned up the deck pair, cards 3 and 9"),
    (Event(Verb.ORDER, TABLE, "turn order", (2, 0, 1)), "set the turn order: seat 3, seat 1, seat 2"),
    (Event(Verb.ORDER, TABLE, "leader", (1, 0)), "made seat 2 the leader"),
    (Event(Verb.CHOSE, 0, "card", (16,)), "played card 16"),
    (Event(Verb.PAID, 0, "blue cube", (1, 2), 1), "paid the blue cube at row 1, column 2"),
    (Event(Verb.GAINED, 0, "card", (16,)), "took card 16"),
    (Event(Verb.GAINED, 0, "grey cube", (1, -2), 1), "got a grey cube at row 1, column -2"),
    (Event(Verb.MOVED, TABLE, "blue cube to the supply", (), 1), "put a blue cube back into the supply"),
    (
        Event(Verb.MOVED, 0, "blue cube to the supply", (1, 2), 1),
        "covered the blue cube at row 1, column 2, which went back to the supply",
    ),
    (
        Event(Verb.CHOSE, 0, "placement", (16, 3, -1, 1, 5)),
        "laid card 16 turned left at row -1, column 1, with 2 cells under the domain",
    ),
    (Event(Verb.CHOSE, 0, "override"), "paid two cubes to choose the pair"),
    (Event(Verb.CHOSE, 0, "no override"), "left the choice of the pair to the leader"),
    (Event(Verb.CHOSE, 0, "deck pair", (12, 40)), "took the deck pair, cards 12 and 40"),
    (Event(Verb.CHOSE, 0, "hand pair", (12, 40)), "took the hand pair, cards 12 and 40"),
    (Event(Verb.GAINED, 1, "other pair", (12, 40)), "got the other pair, cards 12 and 40"),
    (Event(Verb.CHOSE, 0, "card to keep", (5,)), "kept card 5"),
    (Event(Verb.MOVED, 0, "card to the discards", (9,)), "discarded card 9"),
    (Event(Verb.MOVED, 0, "hand to the left", (), 3), "passed 3 cards to the left"),
    (Event(Verb.MOVED, 0, "hand to the right", (), 3), "passed 3 cards to the right"),
    (Event(Verb.MOVED, 0, "cards to seat 1", (3, 5, 9), audience=(0, 1)), "passed cards 3, 5 and 9 to seat 2"),
    (Event(Verb.DREW, 0, "map cards", (), 6), "drew 6 cards"),
    (Event(Verb.DREW, 0, "map cards in hand", (1, 2), audience=(0,)), "drew cards 1 and 2"),
    (Event(Verb.SCORED, 0, "lake", (), 12), "scored 12 points for lake"),
    (Event(Verb.SCORED, 0, "town", (), 1), "scored 1 point for town"),
)


@pytest.mark.parametrize(("told", "words"), EVENTS, ids=[words for _, words in EVENTS])
def test_an_event_in_words(told: Event, words: str) -> None:
    """Seats are numbered from one, cards by their print, cells by row and column."""
    assert words == BOARD.event(told)


def test_every_event_of_a_game_is_of_a_kind_that_is_tested() -> None:
    """Games at every seat count tell exactly the verbs and subjects of EVENTS, up to seats, colours and categories."""

    def kind(told: Event) -> tuple[str, str, bool]:
        subject = re.sub("brown|grey|yellow", "blue", re.sub(r"seat \d", "seat", told.subject))
        return told.verb, "points" if told.verb is Verb.SCORED else subject, told.seat == TABLE

    known = {kind(told) for told, _ in EVENTS}
    told = {
        kind(event) for seats in SEATS for seed in (1, 2) for _, found in moments(seats, {}, seed) for event in found
    }

    assert known - {("drew", "map cards in hand", False)} <= told | known
    assert told <= known


def test_questions_are_asked_of_every_kind() -> None:
    """Each kind of ask has a question with a question mark; that of a placement names the card."""
    kinds = {ask.kind: BOARD.question(view, ask.kind) for seats in (2, 3) for view, ask, _, _ in asks(seats, {})}

    assert set(kinds) == {*QUESTIONS, "place"}
    assert all(words.endswith("?") for words in kinds.values())
    assert re.fullmatch(r"Where do you lay card \d+\?", kinds["place"])


def test_a_board_of_two_seats_has_fewer_than_sixty_rows() -> None:
    """The text twin stays short in random games, whose domains sprawl, to the last round."""
    for seed in range(3):
        for state, _ in moments(2, {}, seed):
            for seat in (None, 0):
                assert sum(len(section.rows) for section in BOARD.describe(GAME.view(state, seat))) < 60


@tables
def test_tables_in_words_have_a_cell_for_every_column(seats: int, variant: dict[str, str]) -> None:
    """Screen readers get rectangular tables, of the public view and of a seat's."""
    for state, _ in moments(seats, variant):
        for seat in (None, 1):
            for section in BOARD.describe(GAME.view(state, seat)):
                assert {len(row) for row in section.rows} == {len(section.columns)}


GOLDEN = """\
## Table
what | now
round | 4 of 12: the highest bid takes a card first
turn order | seat 2, seat 3, seat 1
cubes in the supply | 9 blue, 8 brown, 8 grey, 9 yellow
cards in hand | seat 1 2, seat 2 2, seat 3 2; draw pile 42
cells | F forest, T town, L lake, W field, pB production, pB* with its cube, B2 factory worth 2
colours | B blue, N brown, G grey, Y yellow
## Trick
played by | card | cube | value | face | taken by
seat 2 | 57 | brown cube | 117 | W F / T T / T N2 |
seat 1 | 1 | no cube | 1 | L pB / F T / pG T |
seat 3 | 4 | brown cube | 64 | pN T / pG T / W F |
## Your hand
card | face
51 | T W / F T / F W
59 | F T / T W / G2 W
## Hand of seat 2, which you passed on
card | face
40 | pY B2 / T F / T W
58 | T B2 / T T / F W
## Points if the game ended now
seat | forest | town | factory | lake | bonus | total | visible fields
seat 1 | 6 | 2 | 0 | 0 | 0 | 8 | 3
seat 2 | 0 | 4 | 0 | 0 | 0 | 4 | 6
seat 3 | 4 | 2 | 0 | 0 | 0 | 6 | 5
## What scores
category | points
forest | 2 for each cell
town | 1 for each cell of the largest
factory | 2, 3 or 4 for a cube of its colour
lake | 3 for each cell after its first
bonus | scoring card 2, 4 for each line of three forests
## Domain of seat 1: province A5, cards laid 3, newest card 3
row | -1 | 0 | 1 | 2
-1 | F | T | T |
0 | F | L | pG* | pY*
1 |  | W | L | T
2 |  | W | F | B3
3 |  |  | T | W
## Domain of seat 2: province A2, cards laid 3, newest card 5
row | 0 | 1 | 2 | 3 | 4
-1 |  | L | pY |  |
0 | T | T | T | pY |
1 | W | W | T | L | pN
2 | W | pB* | W | W | W
## Domain of seat 3: province A4, cards laid 3, newest card 39
row | -1 | 0 | 1 | 2 | 3 | 4 | 5
0 | T | W | W | T | L |  |
1 | pG* | F | T | W | N3 | pN | Y2
2 | L | W | T |  | T | W | F
## Your domain, seat 1: the visible cards (pr: the province)
row | -1 | 0 | 1 | 2
-1 | 49 | 49 | 49 |
0 | 49 | 3 | 3 | 3
1 |  | 3 | 17 | 17
2 |  | pr | 17 | 17
3 |  |  | 17 | 17"""


def test_a_board_in_words() -> None:
    """One position of three seats, written down to be read."""
    state = start(3, Fast(4), scoring_card="2")
    play_until(state, 4, "pick", 4)

    assert written(BOARD.describe(GAME.view(state, 0))) == GOLDEN
