"""The search's guide to Ninjato: the greedy bot's judgement for the answers, a calibrated promise for the outcome.

A stage is a turn, and an iteration looks at the rest of the own one and at the next. Playouts answer as the greedy bot
would, but look at a few spaces only, and beat a guard in the cheapest way whenever they can. How well a player stands
is said by `ninjato_promise`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.bundled.greedy.ninjato import JUDGES
from bots.bundled.greedy.ninjato.raids import cost
from bots.bundled.greedy.ninjato.worth import SCORING, Outlook
from bots.bundled.ismcts.guide import Candidate, best_first
from bots.bundled.ismcts.ninjato_promise import standings
from referee.games.ninjato.components import SHURIKEN
from referee.games.ninjato.game import GAME
from referee.games.ninjato.options import Play
from referee.games.ninjato.state import State
from referee.kernel.game import Option, Seat

HONOR = 0.08
"""What a point of honor is worth to the judges."""
SPACES = 4
"""Spaces that a playout looks at before it places a shuriken."""


class Guide:
    """What the search is told about Ninjato."""

    depth = 2
    width = 12

    def stage(self, state: State) -> int:
        """Turns that are over; a scoring phase belongs to the last turn of its round."""
        turns = SHURIKEN * state.seats
        if not state.stack:
            return state.round * turns
        kind: str = state.stack[-1][0]
        if kind in SCORING:
            return state.round * turns - 1
        return (state.round - 1) * turns + len(state.placed) - (kind != "place")

    def horizon(self, state: State, depth: int) -> int:
        return self.stage(state) + depth

    def lines(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        judge = JUDGES[kind](Outlook(GAME.view(state, seat), seat))
        return best_first(Candidate((option,), HONOR * judge(option)) for option in options)

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
