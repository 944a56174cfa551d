"""The greedy policy of section 16.8: take what brings the most points at once.

The value of a card is the largest round total that any legal placement of it reaches; under the Specialists rules with
the own tokens and the chain that always scores the lowest-numbered line on offer.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.edo_yashiki import STOP, HouseLine, RankCards, ScoreLine, View, placement_points
from referee.games.edo_yashiki.scoring import chain_points, extended, open_lines, opened, points
from referee.kernel.game import Option


def values(view: View, card: int) -> list[int]:
    """What each placement of a card is worth to the seat, in the order of the options."""
    seat = view.seat or 0

    def worth(made: tuple[HouseLine, ...]) -> int:
        if not view.tokens:
            return points(made)
        chain = opened(made, view.tokens[seat])
        while offered := open_lines(chain):
            chain = extended(chain, ScoreLine(offered[0]))
        return chain_points(chain)

    return placement_points(view.houses[seat], card, worth)


def answer(view: View, options: Sequence[Option]) -> Option:
    """The greedy answer of a seat."""
    if view.phase == "rank_cards":
        best = [max(values(view, card)) for card in view.row]
        return RankCards(tuple(sorted(range(len(best)), key=lambda card: -best[card])))
    if view.phase == "place_card":
        scores = values(view, view.row[view.got[view.seat or 0]])
        return options[scores.index(max(scores))]
    return next(option for option in options if option != STOP)
