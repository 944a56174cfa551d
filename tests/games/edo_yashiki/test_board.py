"""What people are shown: figures against the rules' own scoring, words of every kind, options as clicks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple, cast

import pytest

from referee.games.edo_yashiki import GAME, STOP, House, HouseLine, PickCard, PlaceCard, RankCards, ScoreLine, View
from referee.games.edo_yashiki.board import BOARD
from referee.games.edo_yashiki.components import ALL_TOKENS, CARDS, KINDS, NAMES, TOKEN
from referee.games.edo_yashiki.facts import CATEGORIES, finished_lines, made_lines
from referee.games.edo_yashiki.house import drawn, place, protected
from referee.games.edo_yashiki.scoring import bonus, points, scorable
from referee.games.edo_yashiki.state import ScoringChain
from referee.kernel.board import board
from referee.kernel.chance import Fast
from referee.kernel.game import TABLE, Event, Option, Seat, Verb
from tests.games.edo_yashiki.greedy import answer as greedy
from tests.games.edo_yashiki.tables import DRAFTS, RULES, SEATS, random_answers, start

KEYS = {"rank_cards": {"card"}, "pick_card": {"card"}, "place_card": {"turn", "at"}, "score_line": {"line", "stop"}}
"""By kind of ask: what stands before the first colon of the keys of its parts."""


class Asked(NamedTuple):
    """One ask of a game: the view of the seat and its options."""

    kind: str
    view: View
    options: Sequence[Option]


class Step(NamedTuple):
    """One step of a game: its asks, its events, and the public view after it."""

    asks: list[Asked]
    events: list[Event]
    after: View


@cache
def game(seats: int, rules: str, draft: str, play: str = "random") -> list[Step]:
    """A whole game, played at random or greedily."""
    state, chance, rng = start(seats, rules, draft), Fast(seats), random.Random(seats)
    found = []
    while asks := GAME.pending(state):
        asked = [Asked(ask.kind, GAME.view(state, ask.seat), GAME.options(state, ask.seat)) for ask in asks]
        answers = random_answers(state, rng)
        if play == "greedy":
            answers = {cast(Seat, ask.view.seat): greedy(ask.view, ask.options) for ask in asked}
        events = GAME.apply(state, answers, chance)
        found.append(Step(asked, events, GAME.view(state, None)))
    return found


def few_asks() -> Iterator[Asked]:
    """The asks of games at every seat count with every set of rules and draft."""
    for seats, rules, draft in product(SEATS, RULES, DRAFTS):
        for step in game(seats, rules, draft)[:: 1 + seats]:
            yield from step.asks


@pytest.mark.parametrize("play", ["random", "greedy"])
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", SEATS)
def test_points_by_category_are_the_score(seats: int, rules: str, play: str) -> None:
    """After every step the categories of each seat add up to its score, which the rules counted (E-8.5, E-9.7)."""
    for step in game(seats, rules, "sealed", play):
        shown: Any = BOARD.facts(step.after, step.events)["points"]

        assert [row["category"] for row in shown] == list(CATEGORIES)
        assert [sum(points) for points in zip(*[row["points"] for row in shown], strict=True)] == list(
            step.after.scores
        )


def test_categories_follow_the_events_of_scoring() -> None:
    """The points of each kind are those of the line events of that kind, the bonus those of the bonus events."""
    for rules in RULES:
        totals = [[0] * len(CATEGORIES) for _ in range(3)]
        for step in game(3, rules, "sealed", "greedy"):
            for verb, seat, subject, items, amount, _ in step.events:
                if verb is Verb.SCORED:
                    totals[seat][KINDS.index(str(items[-1])) if subject == "line" else -1] += amount
        shown: Any = BOARD.facts(game(3, rules, "sealed", "greedy")[-1].after, ())["points"]

        assert [list(row) for row in zip(*[category["points"] for category in shown], strict=True)] == totals
        assert sum(map(sum, totals)) > 20


def test_the_last_step_is_told_by_its_events() -> None:
    """Scored lines in the order of their events; what each seat gained is the growth of its score (E-8.5)."""
    before: tuple[int, ...] = (0, 0, 0)
    for step in game(3, "standard", "sealed", "greedy"):
        shown: Any = BOARD.facts(step.after, step.events)
        lines = [event for event in step.events if event.subject == "line"]

        assert shown["gained"] == [now - then for now, then in zip(step.after.scores, before, strict=True)]
        assert [row["points"] for row in shown["scored"]] == [event.amount for event in lines]
        assert all(row["seat"] == event.seat for row, event in zip(shown["scored"], lines, strict=True))
        assert [sum(row["points"] for row in shown["scored"] if row["seat"] == seat) for seat in range(3)] == [
            gain - extra for gain, extra in zip(shown["gained"], shown["bonus"], strict=True)
        ]
        before = step.after.scores


def test_made_lines_are_those_of_the_house() -> None:
    """A house that is laid again card by card makes the lines that it made in play, whichever cards are hidden."""
    for step in game(2, "standard", "sealed"):
        for house in step.after.houses:
            assert made_lines(house.cards)[-1:] in ((house.made,), ())


def test_finished_lines_are_the_protected_cells() -> None:
    """The lines of a house cover exactly the cells that no card may cover, those of six and more too (E-3.6)."""
    examples = [drawn(["GGGGGG", "FTPFTP", "F.....", "F....P"], -2, 5)]
    houses = [house for step in game(2, "standard", "sealed") for house in step.after.houses] + examples
    for house in houses:
        cells = 0
        for line in finished_lines(house):
            step = 1 if line.axis == "H" else house.stride
            first = (line.y - house.top) * house.stride + line.x - house.left
            for number in range(line.length):
                cells |= 1 << first + number * step

        assert cells == protected(house)
        assert list(finished_lines(house)) == sorted(
            finished_lines(house), key=lambda line: (line.axis, line.y, line.x)
        )


def test_a_line_is_named_by_its_maximal_run() -> None:
    """Rows before columns, by their left or top end, at their whole length (E-3.5, E-3.8)."""
    house = drawn(["FGGGG", "F...P", "F...P", "TTT.P"], -1, 2)

    assert finished_lines(house) == (
        HouseLine("H", 0, 2, 4, "G"),
        HouseLine("H", -1, 5, 3, "T"),
        HouseLine("V", -1, 2, 3, "F"),
        HouseLine("V", 3, 3, 3, "P"),
    )


def test_facts_have_the_faces_of_all_open_cards_and_no_others() -> None:
    """A drawing needs no list of cards: each card of row and houses has its name and rows, none of the deck has."""
    step = game(4, "standard", "sealed")[6]
    cards: Any = BOARD.facts(step.after, ())["cards"]
    unseen = set(step.after.unseen)

    assert sorted(map(int, cards)) == [card for card in range(len(CARDS)) if card not in unseen]
    assert all(cards[key]["name"] == NAMES[int(key)] for key in cards)
    assert all([row.encode() for row in cards[key]["rows"]] == list(CARDS[int(key)].faces[0]) for key in cards)


def test_every_option_is_a_choice_of_its_own() -> None:
    """In every kind of ask: as many choices as options, words as `answer` says them, keys unique and prefix-free."""
    kinds = set()
    for kind, view, options in few_asks():
        kinds.add(kind)
        shown = BOARD.choices(view, kind, options)
        paths = sorted([part.key for part in choice.path] for choice in shown)

        assert [choice.words for choice in shown] == [BOARD.answer(view, kind, option) for option in options]
        assert len({choice.words for choice in shown}) == len(options)
        assert all(choice.path for choice in shown)
        # Sorted, a path stands right before those that it begins.
        assert all(one != two[: len(one)] for one, two in pairwise(paths))
        assert {part.key.split(":")[0] for choice in shown for part in choice.path} <= KEYS[kind]
        assert all(part.words and part.key for choice in shown for part in choice.path)
        assert BOARD.question(view, kind).endswith("?")
    assert kinds == set(KEYS)


def test_clicks_name_cards_as_the_view_numbers_them() -> None:
    """A ranking is one click less than the row has cards, since the last card follows (E-6.1)."""
    asked = game(3, "standard", "sealed")[0].asks[0]
    shown = BOARD.choices(asked.view, asked.kind, asked.options)
    one, two, three = asked.view.row
    option = RankCards((1, 2, 0))
    chosen = shown[list(asked.options).index(option)]

    assert [part.key for part in chosen.path] == [f"card:{two}", f"card:{three}"]
    assert chosen.words == f"card {NAMES[two]}, then {NAMES[three]}, then {NAMES[one]}"
    assert chosen.path[0].place == {"card": two, "row": 1}


def test_a_placement_says_what_it_brings() -> None:
    """The points of a choice are those that the rules pay for the lines that the placement makes (E-8.1)."""
    seen = 0
    for step in game(2, "standard", "sealed", "greedy"):
        for kind, view, options in step.asks:
            if kind != "place_card":
                continue
            for choice, option in zip(BOARD.choices(view, kind, options), options, strict=True):
                after = _laid(view, cast(PlaceCard, option))
                target: Any = choice.path[-1].place
                worth = points(after.made)

                assert choice.brings.split(":")[0] == ("" if not after.made else _counted(worth))
                assert [
                    HouseLine(line["axis"], line["x"], line["y"], line["length"], line["kind"])
                    for line in target.get("lines", ())
                ] == list(after.made)
                assert target.get("brings", "") == choice.brings
                assert ("bonus" in choice.brings) == bool(bonus(scorable(after.made)))
                seen += bool(worth)
    assert seen > 50


def _laid(view: View, option: PlaceCard) -> House:
    """The house of a view's seat after a placement, by the rules."""
    assert view.seat is not None
    assert view.card is not None
    return place(view.houses[view.seat], view.card, option)


def _counted(worth: int) -> str:
    return f"{worth} point" if worth == 1 else f"{worth} points"


def test_a_card_without_a_second_way_up_has_one_click() -> None:
    """A card that equals its half-turn is laid by its place alone (E-7.1); every other by way up and place."""
    for kind, view, options in few_asks():
        if kind == "place_card":
            assert view.card is not None
            clicks = {len(choice.path) for choice in BOARD.choices(view, kind, options)}

            assert clicks == {len(CARDS[view.card].faces)}


def test_words_of_lines_and_tokens_under_the_specialists_rules() -> None:
    """A placement names the lines without a token; a line of the chain its place and points; stop has words (E-9.3)."""
    line = HouseLine("V", 4, -1, 4, "P")
    state = start(2, "specialists")
    view = GAME.view(state, 0)._replace(
        phase="score_line", chain=ScoringChain((HouseLine("H", 0, 2, 3, "F"), line), (0,), TOKEN["P"], False)
    )
    shown = BOARD.choices(view, "score_line", (ScoreLine(1), STOP))
    spent = view._replace(tokens=(ALL_TOKENS & ~TOKEN["G"],) * 2, got=(0, 1), row=(NAMES.index("E09"), 1))
    house = drawn(["GGF", "FTP", "FPT"], 0, 0)
    brings = {
        choice.brings
        for choice in BOARD.choices(
            spent._replace(houses=(house, house)), "place_card", (PlaceCard(-2, 1, 0), PlaceCard(2, -3, 0))
        )
    }

    assert [choice.words for choice in shown] == ["column of 4 pond at (4, -1), 2 points", "score no more lines"]
    assert [choice.path[0].key for choice in shown] == ["line:1", "stop"]
    assert all(text == "" or text.startswith("up to ") for text in brings)


def test_a_line_without_a_token_is_said_to_have_none() -> None:
    """What a placement brings depends on the tokens of the asked seat (E-9.3)."""
    state = start(2, "specialists")
    house = drawn(["GGF", "TPT"], 0, 0)
    card = next(n for n, card in enumerate(CARDS) if card.faces[0][0] == b"GG")
    view = GAME.view(state, 0)._replace(houses=(house, house), row=(card, 0), got=(0, 1), phase="place_card")
    at = PlaceCard(-2, 0, 0)
    (with_token,) = BOARD.choices(view, "place_card", (at,))
    (without,) = BOARD.choices(view._replace(tokens=(ALL_TOKENS & ~TOKEN["G"],) * 2), "place_card", (at,))

    assert with_token.brings == "up to 2 points: row of 4 garden (2)"
    assert without.brings == "up to 2 points: row of 4 garden (no token now)"


def test_every_event_has_words() -> None:
    """The words of each event that any game emits; none of them is the kernel's plain sentence of verb and items."""
    events = {
        event
        for seats, rules, draft in product(SEATS, RULES, DRAFTS)
        for s in game(seats, rules, draft)
        for event in s.events
    }
    kinds = {(event.verb, event.subject) for event in events}

    assert all(BOARD.event(event) for event in events)
    assert len(kinds) >= 11


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event(Verb.PHASE, TABLE, "round", (3,)), "round 3 began"),
        (Event(Verb.PHASE, TABLE, "end", ("target",)), "the game ended: a seat has 25 points or more"),
        (Event(Verb.PHASE, TABLE, "end", ("deck",)), "the game ended: the deck cannot fill another row"),
        (Event(Verb.REVEALED, TABLE, "row", ("E17", "E35")), "the row is E17, E35"),
        (Event(Verb.ORDER, TABLE, "first player", (1,)), "the first player is seat 2"),
        (Event(Verb.ORDER, TABLE, "priority", (1, 0, 2)), "clashes were won in the order seat 2, seat 1, seat 3"),
        (
            Event(Verb.ORDER, TABLE, "arrivals", (4, -1)),
            "answers arrived, in twentieths of a second: seat 1 4, seat 2 never",
        ),
        (Event(Verb.CHOSE, 0, "reach", (2, "E17")), "reached for card E17 in pass 2"),
        (Event(Verb.GAINED, 0, "card", ("E17",)), "took card E17"),
        (Event(Verb.MOVED, 0, "card", ("E17", 9, -2, 180)), "laid card E17 at (9, -2), turned"),
        (Event(Verb.MOVED, 0, "card", ("E17", 9, -2, 0)), "laid card E17 at (9, -2)"),
        (Event(Verb.SCORED, 0, "line", ("H", -1, 2, 3, "T"), 1), "scored 1 point: row of 3 tatami at (-1, 2)"),
        (Event(Verb.SCORED, 0, "bonus", (), 4), "scored 4 points: bonus for lines of 3 kinds"),
        (Event(Verb.REVEALED, 0, "tokens", ("F", "G"), 2), "has the tokens floor, garden"),
    ],
    ids=lambda value: value.subject if isinstance(value, Event) else "",
)
def test_words_of_events(event: Event, words: str) -> None:
    """Cards by name, seats from 1, lines by their direction, length and kind."""
    assert BOARD.event(event) == words


def test_answers_are_told_as_their_events_are() -> None:
    """One card has one name, and one place one form, in the answer and in the event that follows."""
    for step in game(2, "standard", "sealed", "greedy")[1:8:2]:
        for kind, view, options in step.asks:
            words = BOARD.answer(view, kind, options[3])
            assert view.seat is not None
            told = Event(Verb.MOVED, view.seat, "card", (NAMES[cast(int, view.card)], *cast(PlaceCard, options[3])))

            assert BOARD.event(told) == f"laid {words}"


def test_the_words_of_picks() -> None:
    """A card of the row is picked by its name (E-6.12)."""
    view = GAME.view(start(3, draft="turn_order"), 0)

    assert BOARD.answer(view, "pick_card", PickCard(2)) == f"card {NAMES[view.row[2]]}"


def test_a_board_is_described_in_few_rows() -> None:
    """A greedy game of two seats stays under 60 rows from the beginning to the end, by every set of rules."""
    for rules, draft in product(RULES, DRAFTS):
        sections = [BOARD.describe(step.after) for step in game(2, rules, draft, "greedy")]

        assert max(sum(len(part.rows) for part in described) for described in sections) < 60
        assert all(
            len(row) == len(part.columns or row) for described in sections for part in described for row in part.rows
        )


def test_a_house_is_described_as_a_picture() -> None:
    """Small letters can be covered, capital letters belong to a line; the numbers are those of the plane."""
    state = start(2)
    house = drawn(["GGG.", "FTPF", "F..P"], -1, 4)
    view = GAME.view(state, None)._replace(houses=(house._replace(cards=state.houses[0].cards), state.houses[1]))
    titles = {part.title: part for part in BOARD.describe(view)}
    section = titles["House of seat 1"]

    assert section.columns == ("y", "x from -1 to 2")
    assert section.rows == (("4", "GGG."), ("5", "ftpf"), ("6", "f..p"))


GOLDEN = """\
Game
  what | now
  round | 4 of at most 31
  phase | the seats lay their cards
  first player | seat 1
  deck | 54 cards
  end | 25 points, or too few cards for a row
  rules | Specialists: a line costs the token of its kind
  draft | all seats rank the row in secret
Row
  card | rows, top first | who
  E12 | GF/PT/TG | taken by seat 2
  E26 | TG/TP/GF | taken by seat 1
Seats
  seat | points | floor lines | tatami lines | pond lines | garden lines | bonus | tokens | card of this round
  seat 1 (you) | 3 | 2 | 0 | 1 | 0 | 0 | tatami, garden | E26
  seat 2 | 3 | 1 | 1 | 0 | 1 | 0 | pond | E12
House of seat 1
  y | x from -1 to 2
  -6 | ..gf
  -5 | ..ft
  -4 | PPPg
  -3 | tF..
  -2 | gF..
  -1 | gF..
  0 | .Ft.
  1 | .gt.
  2 | .tp.
House of seat 1, cards as laid, later ones on top
  E57 (0, 0); E07 (-1, -3); E35 (-1, -4); E04 (1, -6)
House of seat 2
  y | x from -2 to 1
  -8 | pf..
  -7 | ft..
  -6 | Gp..
  -5 | Gp..
  -4 | Gf..
  -3 | TTTp
  -2 | ..Fg
  -1 | ..Ft
  0 | ..Ft
  1 | ..gp
  2 | ..pf
House of seat 2, cards as laid, later ones on top
  E09 (0, 0); E22 (0, -3); E34 (-2, -5) turned; E11 (-2, -8) turned
"""
"""The view of seat 1 in round 4 of a greedy game by the Specialists rules."""


def told(view: View) -> str:
    """A description as text."""
    lines = []
    for title, columns, rows in BOARD.describe(view):
        lines.append(title)
        lines += [f"  {' | '.join(row)}" for row in (*([columns] if columns else []), *rows)]
    return "\n".join(lines) + "\n"


def test_the_words_of_one_board() -> None:
    """The whole description of one view, as a person or a program reads it."""
    assert told(game(2, "specialists", "sealed", "greedy")[10].asks[0].view) == GOLDEN


def test_the_board_of_a_game_is_the_one_of_its_package() -> None:
    """The kernel finds it by the name of the game."""
    assert board("edo_yashiki") is BOARD
