"""Greedy at Edo Yashiki: the card and the place that score most now.

A card of the row is worth the largest number of points that any placement of it brings at once; under the Specialists
rules, those of the best chain that the own tokens allow. Among placements of equal points the better one leaves the
house with more open ends, each counted with what the line would pay that the right cell there makes. That look ahead is
what lifts it over the plain policy of section 16.8: two seats, standard rules, it scored 75% of 400 games on duplicate
deals that had no part in choosing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from bots.ask import Ask
from referee.games.edo_yashiki import house as houses
from referee.games.edo_yashiki.components import LINE, LINE_POINTS
from referee.games.edo_yashiki.house import House, HouseLine
from referee.games.edo_yashiki.options import STOP, RankCards, ScoreLine
from referee.games.edo_yashiki.placement_points import placement_points
from referee.games.edo_yashiki.scoring import chain_points, extended, open_lines, opened, points
from referee.games.edo_yashiki.state import ScoringChain, State
from referee.games.edo_yashiki.view import View


class BestPlacement(NamedTuple):
    """The best placement of a card."""

    worth: int
    prospects: int
    """The open ends it leaves."""
    option: int
    """Its index."""


def choose(ask: Ask[State, View]) -> int:
    """The index of the greedy answer."""
    return _CHOICES[ask.kind](ask)


def _rank_cards(ask: Ask[State, View]) -> int:
    """Row cards by falling worth, ties by smaller index."""
    view = ask.view
    found = [_best(view, card)[:2] for card in view.row]
    order = sorted(range(len(found)), key=lambda index: found[index], reverse=True)
    return ask.index(RankCards(tuple(order)))


def _pick_card(ask: Ask[State, View]) -> int:
    """The best card that is left, by what it would bring in the own house."""
    view = ask.view
    left = [card for index, card in enumerate(view.row) if index not in view.got]
    found = [_best(view, card)[:2] for card in left]
    return found.index(max(found))


def _place_card(ask: Ask[State, View]) -> int:
    view = ask.view
    return _best(view, view.row[view.got[ask.seat]]).option


def _score_line(ask: Ask[State, View]) -> int:
    """The next line of the best chain, or to stop if it goes no further."""
    chain = ask.view.chain
    if chain is None:
        return ask.index(STOP)
    best = max(_chains(chain), key=chain_points)
    done = len(chain.scored)
    return ask.index(ScoreLine(best.scored[done]) if len(best.scored) > done else STOP)


_CHOICES: dict[str, Callable[[Ask[State, View]], int]] = {
    "rank_cards": _rank_cards,
    "pick_card": _pick_card,
    "place_card": _place_card,
    "score_line": _score_line,
}


def _best(view: View, card: int) -> BestPlacement:
    """The best placement of a card in the own house."""
    seat = view.seat
    if seat is None:
        return BestPlacement(0, 0, 0)
    return _best_in(view.houses[seat], card, view.tokens[seat] if view.tokens else None)


@lru_cache(maxsize=64)
def _best_in(house: House, card: int, tokens: int | None) -> BestPlacement:
    """The best placement of a card, of equals the first; kept, because a card that was ranked is placed next."""
    worths = placement_points(house, card, points if tokens is None else partial(_chain_value, tokens))
    most = max(worths)
    options = houses.options(house, card)
    equals = [index for index, worth in enumerate(worths) if worth == most]
    ends = [prospects(houses.place(house, card, options[index])) for index in equals]
    return BestPlacement(most, max(ends), equals[ends.index(max(ends))])


def prospects(house: House) -> int:
    """The open ends of the house's runs, each with what the line pays that one more cell would make."""
    protected = houses.protected(house)
    total = 0
    for cells in houses.boards(house.cells).values():
        for step in (1, house.stride):
            begins = cells & ~(cells << step)
            longer = begins & cells >> step
            for length in range(LINE - 1, len(LINE_POINTS) - 2):
                here, longer = longer, longer & cells >> length * step
                runs = here & ~longer
                ends = (runs >> step & ~protected).bit_count() + (runs << length * step & ~protected).bit_count()
                total += ends * LINE_POINTS[length + 1]
    return total


def _chain_value(tokens: int, made: Sequence[HouseLine]) -> int:
    """The most points that the lines of a placement bring with these tokens."""
    return max(map(chain_points, _chains(opened(made, tokens))))


def _chains(chain: ScoringChain) -> Iterator[ScoringChain]:
    """The chain and all that it can become."""
    yield chain
    for number in open_lines(chain):
        yield from _chains(extended(chain, ScoreLine(number)))
