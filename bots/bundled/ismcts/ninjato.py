"""The search's guide to Ninjato: the greedy bot's judgement for the answers, its prices for what a player has.

A stage is a turn. Playouts answer as the greedy bot would, but look at a few spaces only, and beat a guard in the
cheapest way whenever they can. A player stands as well as the honor so far and what hand, treasures, skills, envoys,
rumors and trophies promise for the rest of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.bundled.greedy.ninjato import JUDGES
from bots.bundled.greedy.ninjato.raids import cost
from bots.bundled.greedy.ninjato.worth import SCORING, USE, Outlook, power
from bots.bundled.ismcts.guide import Candidate, best_first
from referee.games.ninjato.components import (
    CLANS,
    ELITES,
    FOES_HONOR,
    HENSOJUTSU,
    RUMOR_COUNTS_WHAT,
    SHURIKEN,
    SKILLS,
)
from referee.games.ninjato.final import cards_of_type, multiplier
from referee.games.ninjato.game import GAME
from referee.games.ninjato.options import Play
from referee.games.ninjato.state import State
from referee.kernel.game import Option, Seat

HONOR = 0.08
"""What a point of honor is worth."""
SPACES = 4
"""Spaces that a playout looks at before it places a shuriken."""


class Guide:
    """What the search is told about Ninjato."""

    depth = 4
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
        if not state.stack:
            return [HONOR * honor for honor in state.honor]
        return [HONOR * promise(state, seat) for seat in range(state.seats)]


def promise(state: State, seat: Seat) -> float:
    """The honor that a seat has, and what it may expect of everything else that it has."""
    outlook = Outlook(GAME.view(state, seat), seat)
    skills = [ready + used for ready, used in zip(state.ready[seat], state.used[seat], strict=True)]
    uses = sum(
        count * USE[SKILLS[skill].effect] for skill, count in enumerate(skills) if count and skill not in HENSOJUTSU
    )
    return (
        state.honor[seat]
        + outlook.loot(state.treasures[seat])
        + outlook.card * power(state.hands[seat])
        + sum([ELITES[elite].honor for elite in state.trophies[seat]])
        + sum([_rumors(state, outlook, sort) for sort in range(len(RUMOR_COUNTS_WHAT))])
        + sum(outlook.phases) * sum([outlook.incomes(clan)[seat] for clan in range(len(CLANS))])
        + uses * outlook.left / SHURIKEN
    )


def _rumors(state: State, outlook: Outlook, sort: int) -> float:
    """What the rumors of one type will bring."""
    cards = cards_of_type(state.rumors[outlook.seat], sort)
    if not cards:
        return 0.0
    what = RUMOR_COUNTS_WHAT[sort]
    if what == "owners":
        return cards * FOES_HONOR[sum(cards_of_type(rumors, sort) > 0 for rumors in state.rumors)]
    return multiplier(cards) * outlook.expected(what)


GUIDE = Guide()
