"""The search's guide to The White Castle: whole turns are compared, not single answers.

A turn is a chain of decisions of one seat with hardly any luck, so a candidate is a line: the answers of a whole turn,
found by trying all answers and valuing the states after them as the greedy bot does. Dice lie open until the end of the
round, so the same turns of the same seats come up in many iterations. Each turn is therefore searched once, instead of
being played at random, and the state is valued at the next roll of the dice.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias, cast

from bots.bundled.greedy.white_castle import candidates, situation, turns_left, worth
from bots.bundled.ismcts.guide import Candidate
from referee.games.white_castle import GAME, scoring
from referee.games.white_castle.components import ROUNDS, TURNS_PER_ROUND
from referee.games.white_castle.options import CastleOption
from referee.games.white_castle.state import RIVAL, State
from referee.kernel.chance import Fast
from referee.kernel.game import Option, Seat

POINT = 0.1
"""Value of a point in the search."""
RIVAL_TURN = 4.0
"""Points that the solo rival makes in a turn, on average."""
CAREFUL, HASTY = 6000, 800
"""Most answers tried to find the lines of the own turn, and of a later turn."""
REPLIES = 4
"""Lines considered for each later turn."""
ALIKE = 3
"""Most lines that begin with the same die on the same space."""


class Guide:
    """The guide of the search at The White Castle."""

    depth = 4
    width = 12
    reply = None

    def stage(self, state: State) -> int:
        """Number of turns begun; the draft counts up to 0."""
        turns = TURNS_PER_ROUND * len(state.order)
        if not state.stack:
            return ROUNDS * turns + 1
        kind: str = state.stack[0][0]
        number: int = state.stack[0][1]
        if kind == "draft":
            return -2 - number
        return (state.round - 1) * turns + number if kind == "turns" else state.round * turns

    def horizon(self, state: State, depth: int) -> int:
        """The stage so many turns ahead, at most that of the next roll of the dice."""
        turns = TURNS_PER_ROUND * len(state.order)
        stage = self.stage(state)
        begun = max(0, stage - 1) // turns if stage > 0 else -1
        return min(stage + depth, (begun + 1) * turns + 1)

    def lines(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        return Thought(state, seat, self.width, CAREFUL).lines()

    def answers(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        return Thought(state, seat, REPLIES, HASTY).lines()

    def standing(self, state: State) -> Sequence[float]:
        if not state.stack:
            return [POINT * scoring.total(state, number) for number in range(len(state.clans))]
        found = [POINT * worth(state, seat) for seat in range(state.board.seats)]
        if state.board.solo:
            found.append(POINT * (scoring.total(state, RIVAL) + RIVAL_TURN * turns_left(state, RIVAL)))
        return found


Ways: TypeAlias = list[tuple[float, tuple[CastleOption, ...]]]
"""Ways to play the rest of a turn: the worth of the state at the end, and the answers; best first."""


class Thought:
    """The ways to play the rest of a turn, within a budget of answers."""

    __slots__ = ("_chance", "_count", "_known", "_left", "_phase", "_seat", "_state")

    def __init__(self, state: State, seat: Seat, count: int, nodes: int) -> None:
        """`count` is the number of ways wanted, `nodes` the most answers tried."""
        self._state = state
        self._seat = seat
        self._count = count
        self._left = nodes
        self._phase = state.stack[0]
        self._chance = Fast(1)
        self._known: dict[Hashable, Ways] = {}

    def lines(self) -> list[Candidate]:
        """The best ways as candidates, best first."""
        return [Candidate(line, POINT * value) for value, line in self._ways(self._state)]

    def _ways(self, state: State) -> Ways:
        """The best ways to play the rest of the turn from a decision of the seat."""
        seat = self._seat
        listed = cast(Sequence[CastleOption], GAME.options(state, seat))
        # The match asks no decision with a single option, so a line has no answer to one.
        asked = len(listed) > 1
        found: Ways = []
        for option in candidates(state, listed):
            after = state.clone()
            GAME.apply(after, {seat: option}, self._chance)
            self._left -= 1
            for value, line in self._after(after):
                found.append((value, (option, *line) if asked else line))
        return _different(found, self._count if state.stack[-1][0] == "take_die" else ALIKE)

    def _after(self, state: State) -> Ways:
        """The best ways from any state; at the end of the turn or of the budget the state is valued as it is."""
        stack = state.stack
        if self._left <= 0 or not stack or stack[0] != self._phase or stack[-1][1] != self._seat:
            return [(worth(state, self._seat), ())]
        here = situation(state, self._seat)
        known = self._known.get(here)
        if known is None:
            known = self._known[here] = self._ways(state)
        return known


def _different(ways: Ways, count: int) -> Ways:
    """The best ways that differ in worth; ways of equal worth mostly lead to equal states."""
    chosen: Ways = []
    for way in sorted(ways, key=lambda way: way[0], reverse=True):
        if not chosen or way[0] != chosen[-1][0]:
            chosen.append(way)
            if len(chosen) == count:
                break
    return chosen


GUIDE = Guide()
