"""Determinisation: a full state from the information set of one seat, given as its view."""

from __future__ import annotations

from referee.games.edo_yashiki.scoring import opened
from referee.games.edo_yashiki.state import OVER, SCORE_LINE, ScoringChain, State
from referee.games.edo_yashiki.view import View
from referee.kernel.chance import Chance


def determinise(view: View, chance: Chance) -> State:
    """A random full state that shows `view` to its seat: the cards that no seat has seen lie in random order.

    The view says nothing about the other seats' chains, and chains do not affect each other, so every other seat is
    given a chain that has just been opened.
    """
    state = State()
    state.rules = view.rules
    state.draft = view.draft
    state.covering = view.covering
    state.deck = tuple(chance.shuffled("deck", view.unseen))
    state.round = view.round
    state.first = view.first
    state.row = view.row
    state.got = view.got
    state.drafts = view.drafts
    state.houses = view.houses
    state.scores = view.scores
    state.tokens = view.tokens
    state.scored = view.scored
    state.chains = _chains(view) if view.phase == SCORE_LINE else ()
    state.stack = [] if view.phase == OVER else [(view.phase,)]
    return state


def _chains(view: View) -> tuple[ScoringChain, ...]:
    """The chain of the view's seat as seen; every other chain as it was opened (E-9.9)."""
    chains = [opened(house.made, tokens) for house, tokens in zip(view.houses, view.tokens, strict=True)]
    if view.seat is not None and view.chain is not None:
        chains[view.seat] = view.chain
    return tuple(chains)
