"""Greedy at The White Castle: it beats random and the easy rival, thinks about its whole turn, and looks no further.

The full measurement, also printed by `python -m tests.bots.duel white_castle greedy random --pairs 200` and, for the
rival, `python -m tests.bots.duel white_castle greedy random --field --seats 1 --variant rival=hard --pairs 200`.
"""

from __future__ import annotations

from random import Random

import pytest

from bots.ask import AnyAsk, Ask, Given
from bots.ask import Table as Place
from bots.bundled.greedy import white_castle as greedy
from referee.games.white_castle import GAME
from referee.games.white_castle.view import View
from referee.kernel.chance import Fast
from tests.bots.duel import duel, field
from tests.games.white_castle.situations import Situation, cards


def asked(table: Situation) -> AnyAsk:
    """The open question of a table, as a bot gets it."""
    view, options = GAME.view(table.state, table.seat), GAME.options(table.state, table.seat)
    place = Place("test", "white_castle", table.seat)
    return Ask(place, 1, table.kind, len(options), Given[View](view, options), rng=Random(1))


def answer(table: Situation) -> str:
    """What greedy answers."""
    return table.options[greedy.choose(asked(table))]


def test_greedy_beats_random_with_two_players() -> None:
    """A small part of the full measurement below, with room to spare."""
    score = duel("white_castle", "greedy", "random", 2)

    assert score.pairs.won == 2


def test_greedy_comes_first_among_random_bots() -> None:
    """One greedy bot against two random ones wins from every seat."""
    score = field("white_castle", "greedy", "random", 1, seats=3)

    assert score.place == 1.0


def test_greedy_beats_the_easy_rival_in_most_games() -> None:
    """A small part of the full measurement below: more wins than losses on fixed deals."""
    score = field("white_castle", "greedy", "random", 6, seats=1)

    assert score.games.won > score.games.lost


@pytest.mark.slow
def test_greedy_beats_random_in_nearly_every_pair() -> None:
    """At least 97% of 200 duplicate pairs."""
    score = duel("white_castle", "greedy", "random", 200)

    assert score.pairs.won >= 194


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_places_clearly_first(seats: int) -> None:
    """Mean place close to 1 over 30 deals from every seat."""
    score = field("white_castle", "greedy", "random", 30, seats=seats)

    assert score.place < 1.05


@pytest.mark.slow
@pytest.mark.parametrize(("level", "share"), [("easy", 0.6), ("medium", 0.55), ("hard", 0.3)])
def test_greedy_against_the_rival(level: str, share: float) -> None:
    """The share of 200 solo games that greedy wins at each level; the docstring of the bot has the figures."""
    score = field("white_castle", "greedy", "random", 200, seats=1, variant={"rival": level})

    assert score.games.share > share


def test_greedy_is_deterministic() -> None:
    """The same deal takes the same course, to the last point."""
    first, second = (field("white_castle", "greedy", "random", 1, seats=1) for _ in range(2))

    assert (first.points, first.other_points) == (second.points, second.other_points)


def test_it_plans_the_whole_turn() -> None:
    """With pearls and a courtier on floor 2 it takes the die that leads to floor 3, and then goes there."""
    table = Situation.in_round_one(2)
    table.state.round, table.state.stack = 3, [("turns", 5), ("take_die", 0)]
    table.away(0, floor2=1)
    table.clan(0, pearl=2)
    table.state.bridges = [(0, (), 1), (0, (), 5), (0, (), 2)]
    table.ask("take_die", 0)
    table.state.stack[0] = ("turns", 5)

    assert answer(table) == "die:black:right"

    table.answer("die:black:right")

    assert answer(table) in ("space:outside_1", "space:outside_2")

    table.answer("space:outside_1")

    assert answer(table) == "courtier"

    table.answer("courtier")

    assert answer(table) == "climb:floor2:1:favour"


def test_it_exchanges_seals_for_what_they_open() -> None:
    """Two seals become the food for a garden when nothing else can be paid."""
    table = Situation.in_round_one(2)
    table.state.round = 3
    table.clan(0, food=3, seal=2)
    table.state.board = table.state.board.lay(2, table.state.board.tiles, 0, (1, 5, 2, 6, 3, 7), (0, 1, 2, 3))
    table.clan(0).gardens = 0b0011100000
    table.clan(0).home[1] = 2
    table.ask("place_gardener", 0)
    table.state.stack[0] = ("turns", 5)

    assert table.options[0] == "skip"
    assert answer(table) == "x:food"


def test_it_looks_at_the_view_alone() -> None:
    """Two states that differ in what is hidden get the same answer."""
    table = Situation.new(3, Fast(2))
    while table.kind != "take_die":
        table.answer(table.options[0])
    first = answer(table)
    table.state.stewards = table.state.stewards[::-1]
    table.state.diplomats = table.state.diplomats[::-1]

    assert first == answer(table)


@pytest.mark.parametrize(
    ("number", "begun", "order", "expected"),
    [(1, 1, (0, 1), 8), (1, 2, (0, 1), 8), (1, 3, (0, 1), 7), (1, 1, (1, 0), 9), (1, 2, (1, 0), 8), (3, 6, (1, 0), 0)],
)
def test_it_knows_how_many_turns_are_left(number: int, begun: int, order: tuple[int, int], expected: int) -> None:
    """Turns of seat 0 that have not begun, by round, turns begun and its place in the order."""
    table = Situation.in_round_one(2)
    table.state.round, table.state.order = number, order
    table.state.stack = [("turns", begun), ("take_die", 0)]

    assert greedy.turns_left(table.state, 0) == expected


def test_at_the_end_only_points_count() -> None:
    """With no turn left goods are worth what they score."""
    table = Situation.in_round_one(2)
    table.state.round, table.state.stack = 3, [("turns", 6), ("take_die", 1)]
    table.clan(0, food=7, vp=5).lantern = cards("R7")

    assert greedy.worth(table.state, 0) == 7.0
