"""The search's guide to Ninjato: the greedy bot judges options, a fitted promise (`ninjato_promise`) judges states.

A stage is a turn, and an iteration looks at the rest of the own turn and at the next turn. Playouts answer as the
greedy bot does, but compare a few spaces only, and beat a guard in the cheapest way whenever a play exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.bundled.greedy.ninjato import JUDGES
from bots.bundled.greedy.ninjato.raids import cost
from bots.bundled.greedy.ninjato.worth import Outlook
from bots.bundled.ismcts.guide import Candidate, best_first
from bots.bundled.ismcts.ninjato_promise import standings
from referee.games.ninjato.components import SHURIKEN
from referee.games.ninjato.game import GAME
from referee.games.ninjato.options import Play
from referee.games.ninjato.state import SCORING_KINDS, State
from referee.kernel.game import Option, Seat

ODDS_PER_HONOR = 0.08
"""Odds that a point of honor of the greedy bot's judges is worth."""
SPACES = 4
"""Number of spaces that a playout compares before it places a shuriken."""


class Guide:
    """The guide of the search at Ninjato."""

    depth = 2
    width = 12

    def stage(self, state: State) -> int:
        """Number of turns that are over; a scoring phase belongs to the last turn of its round."""
        turns = SHURIKEN * state.seats
        if not state.stack:
            return state.round * turns
        kind: str = state.stack[-1][0]
        if kind in SCORING_KINDS:
            return state.round * turns - 1
        return (state.round - 1) * turns + len(state.placed) - (kind != "place")

    def horizon(self, state: State, depth: int) -> int:
        return self.stage(state) + depth

    def lines(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        judge = JUDGES[kind](Outlook(GAME.view(state, seat), seat))
        return best_first(Candidate((option,), ODDS_PER_HONOR * judge(option)) for option in options)

    answers = lines

    def reply(self, state: State, seat: Seat, kind: str, options: Sequence[Option], rng: Random) -> Option:
        if kind == "fight":
            hand = state.hands[seat]
            plays = [option for option in options if isinstance(option, Play)]
            if plays:
                return min(plays, key=lambda play: cost(hand, play))
        if kind == "place" and len(options) > SPACES:
            options = rng.sample(options, SPACES)
        return max(options, key=JUDGES[kind](Outlook(GAME.view(state, seat), seat)))

    def standing(self, state: State) -> Sequence[float]:
        return standings(state)


GUIDE = Guide()
