"""The search's guide to Edo Yashiki: the points of a placement, and the open ends that the placement leaves.

A stage is a round. The worth of points and open ends was fitted to the results of some 2600 games between greedy bots:
an open end counts the same in the whole game, a point counts more the nearer the leader is to the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from heapq import nlargest
from random import Random
from typing import cast

from bots.bundled.greedy.edo_yashiki import prospects
from bots.bundled.ismcts.guide import Candidate, best_first
from referee.games.edo_yashiki import house as houses
from referee.games.edo_yashiki.house import House, HouseLine
from referee.games.edo_yashiki.options import STOP, PickCard, PlaceCard, RankCards, ScoreLine
from referee.games.edo_yashiki.placement_points import placement_points
from referee.games.edo_yashiki.scoring import chain_points, extended, open_lines, opened, points
from referee.games.edo_yashiki.state import ScoringChain, State
from referee.kernel.game import Option, Seat

POINT, NEARER = 0.15, 0.02
"""Worth of a point at the beginning, and the increase of that worth with every point of the leader."""
PROSPECT = 0.09
"""Worth of an open end for every point that its line would pay."""
CAREFUL, HASTY = 60, 8
"""Number of placements whose open ends are counted, at the search's own question and at later ones."""
FADE = 0.5
"""Weight of each rank of a card, relative to the rank before."""


class Guide:
    """The guide of the search at Edo Yashiki."""

    depth = 2
    width = 12

    def stage(self, state: State) -> int:
        """The number of the round."""
        return state.round

    def horizon(self, state: State, depth: int) -> int:
        return state.round + depth

    def lines(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        return best_first(_JUDGES[kind](state, seat, options, CAREFUL))

    def answers(self, state: State, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        return best_first(_JUDGES[kind](state, seat, options, HASTY))[:HASTY]

    def reply(self, state: State, seat: Seat, kind: str, options: Sequence[Option], rng: Random) -> Option:
        """A random one of the placements that score most; at other kinds of decision the best answer."""
        if kind != "place_card":
            return max(_JUDGES[kind](state, seat, options, HASTY), key=lambda candidate: candidate.worth).line[0]
        worths = _worths(state.houses[seat], state.row[state.got[seat]], _tokens(state, seat))
        most = max(worths)
        best = [index for index, worth in enumerate(worths) if worth == most]
        return options[best[int(rng.random() * len(best))]]

    def standing(self, state: State) -> Sequence[float]:
        point = _point(state)
        houses = zip(state.scores, state.houses, strict=True)
        return [point * score + PROSPECT * prospects(house) for score, house in houses]


def _point(state: State) -> float:
    """Worth of a point in a state."""
    return POINT + NEARER * max(state.scores)


def _tokens(state: State, seat: Seat) -> int | None:
    """The tokens of a seat under the Specialists rules; None: other rules."""
    return state.tokens[seat] if state.tokens else None


@lru_cache(maxsize=4096)
def _worths(house: House, card: int, tokens: int | None) -> list[int]:
    """The points of every placement."""
    return placement_points(house, card, points if tokens is None else partial(_chain_value, tokens))


def _chain_value(tokens: int, made: Sequence[HouseLine]) -> int:
    """The most points that the lines of a placement score with these tokens."""
    return chain_points(_best_chain(opened(made, tokens)))


def _best_chain(chain: ScoringChain) -> ScoringChain:
    """The continuation of a chain that scores most."""
    longer = [_best_chain(extended(chain, ScoreLine(number))) for number in open_lines(chain)]
    return max([chain, *longer], key=chain_points)


def _rank_cards(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    """Orders judged by the best placement of each card; the first ranks weigh most."""
    house, tokens = state.houses[seat], _tokens(state, seat)
    worths = [max(_worths(house, card, tokens)) for card in state.row]
    weights = [_point(state) * FADE**rank for rank in range(len(worths))]
    return [
        Candidate((option,), sum(weight * worths[card] for weight, card in zip(weights, option.order, strict=True)))
        for option in cast(Sequence[RankCards], options)
    ]


def _pick_card(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    house, tokens, point = state.houses[seat], _tokens(state, seat), _point(state)
    return [
        Candidate((option,), point * max(_worths(house, state.row[option.card], tokens)))
        for option in cast(Sequence[PickCard], options)
    ]


def _place_card(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    """The placements that score most, judged with the open ends that they leave."""
    house, card, point = state.houses[seat], state.row[state.got[seat]], _point(state)
    worths = _worths(house, card, _tokens(state, seat))
    found = []
    for index in nlargest(effort, range(len(worths)), key=worths.__getitem__):
        option = cast(PlaceCard, options[index])
        ahead = prospects(houses.place(house, card, option))
        found.append(Candidate((option,), point * worths[index] + PROSPECT * ahead))
    return found


def _score_line(state: State, seat: Seat, options: Sequence[Option], effort: int) -> list[Candidate]:
    """Lines judged by the best chain that follows."""
    chain, point = state.chains[seat], _point(state)
    found = []
    for option in cast(Sequence[ScoreLine], options):
        best = chain if option == STOP else _best_chain(extended(chain, option))
        found.append(Candidate((option,), point * chain_points(best)))
    return found


_JUDGES: dict[str, Callable[[State, Seat, Sequence[Option], int], list[Candidate]]] = {
    "rank_cards": _rank_cards,
    "pick_card": _pick_card,
    "place_card": _place_card,
    "score_line": _score_line,
}


GUIDE = Guide()
