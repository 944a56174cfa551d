"""Whole games of the greedy policy with written luck: section 16.8."""

from __future__ import annotations

from typing import TypedDict

import pytest

from referee.games.edo_yashiki import GAME, RankCards, State
from referee.games.edo_yashiki.components import KINDS, NAMES, TOKEN
from referee.kernel.chance import Chance
from referee.kernel.game import Option
from tests.games.edo_yashiki.greedy import answer, values
from tests.games.edo_yashiki.pictures import lines
from tests.games.edo_yashiki.tables import golden_chance, start


def greedy_answers(state: State) -> dict[int, Option]:
    """What the greedy policy answers for every pending seat."""
    return {ask.seat: answer(GAME.view(state, ask.seat), GAME.options(state, ask.seat)) for ask in GAME.pending(state)}


def play(state: State, chance: Chance, until: int | None = None) -> None:
    """Let all seats play greedily, to the end or to the beginning of a round."""
    while GAME.pending(state) and state.round != until:
        GAME.apply(state, greedy_answers(state), chance)


def letters(mask: int) -> str:
    """The letters of a set of tokens."""
    return "".join(kind for kind in KINDS if mask & TOKEN[kind])


@pytest.mark.parametrize(
    ("rules", "seats", "rounds", "scores", "tokens"),
    [
        ("standard", 2, 7, (20, 26), ""),
        ("standard", 3, 7, (25, 15, 24), ""),
        ("standard", 4, 7, (28, 22, 22, 20), ""),
        ("standard", 5, 6, (14, 28, 16, 15, 21), ""),
        ("specialists", 2, 14, (26, 28), "FTPG; TPG"),
        ("specialists", 3, 7, (6, 25, 12), "FTP; PG; P"),
        ("specialists", 4, 9, (27, 24, 24, 28), "G; FG; T; F"),
        ("specialists", 5, 8, (28, 14, 12, 13, 25), "G; FTPG; T; FTPG; G"),
    ],
)
def test_a_golden_game_ends_as_written(
    rules: str, seats: int, rounds: int, scores: tuple[int, ...], tokens: str
) -> None:
    """Rounds, final scores and tokens of the eight golden games."""
    chance = golden_chance(seats)
    state = start(seats, rules, chance=chance)
    play(state, chance)

    assert rounds == state.round
    assert scores == state.scores
    assert tokens == "; ".join(map(letters, state.tokens))


def test_the_first_placements_of_two_are_as_written() -> None:
    """Cards, anchors and points of the first two rounds, standard, two seats."""
    chance = golden_chance(2)
    state = start(2, chance=chance)
    play(state, chance, until=2)

    assert [(NAMES[h.cards[1][0]], *h.cards[1][1:]) for h in state.houses] == [("E42", -2, -1, 180), ("E34", 1, -3, 0)]
    assert state.scores == (1, 1)
    play(state, chance, until=3)
    assert [(NAMES[h.cards[2][0]], *h.cards[2][1:]) for h in state.houses] == [("E40", 1, -1, 180), ("E56", 3, -3, 180)]
    assert state.scores == (3, 5)


class Worked(TypedDict):
    """One round, as section 16.8 writes it: by seat, `row` and `reaches` excepted."""

    row: list[str]
    values: list[list[int]]
    rankings: list[tuple[int, ...]]
    priority: tuple[int, ...]
    reaches: tuple[tuple[int, ...], ...]
    got: tuple[int, ...]
    placed: list[tuple[str, int, int, int]]
    made: list[str]
    scores: tuple[int, ...]


WORKED: dict[int, Worked] = {
    1: {
        "row": ["E34", "E40", "E56"],
        "values": [[2, 1, 1], [1, 1, 1], [1, 0, 1]],
        "rankings": [(0, 1, 2), (0, 1, 2), (0, 2, 1)],
        "priority": (1, 2, 0),
        "reaches": ((0, 0, 0), (1, -1, 2)),
        "got": (1, 0, 2),
        "placed": [("E40", 2, -2, 180), ("E34", 1, -3, 0), ("E56", -1, -1, 180)],
        "made": ["H(0,0)x3 T", "V(1,-1)x3 P", "H(-1,1)x3 G"],
        "scores": (1, 1, 1),
    },
    2: {
        "row": ["E24", "E52", "E48"],
        "values": [[2, 2, 5], [4, 1, 4], [2, 2, 4]],
        "rankings": [(2, 0, 1), (0, 2, 1), (2, 0, 1)],
        "priority": (2, 0, 1),
        "reaches": ((2, 0, 2), (1, -1, -1)),
        "got": (1, 0, 2),
        "placed": [("E52", 3, -2, 180), ("E24", 1, -4, 0), ("E48", -3, -1, 180)],
        "made": ["H(0,0)x4 T", "V(1,-3)x5 P", "H(-3,1)x5 G"],
        "scores": (3, 5, 5),
    },
}


@pytest.mark.parametrize("number", WORKED)
def test_a_worked_round_goes_as_written(number: int) -> None:
    """Values, rankings, priority, passes, placements, lines and scores of two sealed rounds (E-6.4, E-8.1, E-8.5)."""
    worked = WORKED[number]
    chance = golden_chance(3)
    state = start(3, chance=chance)
    play(state, chance, until=number)
    ranked = greedy_answers(state)

    assert worked["row"] == [NAMES[card] for card in state.row]
    assert worked["values"] == [[max(values(GAME.view(state, seat), card)) for card in state.row] for seat in range(3)]
    assert [RankCards(order) for order in worked["rankings"]] == [ranked[seat] for seat in range(3)]

    GAME.apply(state, ranked, chance)
    draft = state.drafts[-1]
    assert (worked["priority"], worked["reaches"], worked["got"]) == (draft.priority, draft.reaches, draft.got)

    GAME.apply(state, greedy_answers(state), chance)
    placed = [house.cards[-1] for house in state.houses]
    assert worked["placed"] == [(NAMES[card], x, y, rot) for card, x, y, rot in placed]
    assert [lines(made) for made in worked["made"]] == [house.made for house in state.houses]
    assert worked["scores"] == state.scores
