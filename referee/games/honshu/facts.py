"""What a drawing of the board needs beyond the view: faces, the order of the cards, values, points area by area.

Nothing here knows more than the view. Cells are lists of a row and a column; the codes of faces are those of the data
file, except that a factory bears what a cube scores there under the setting `factories` (H-8.8).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.honshu.areas import Area, areas_of, points_now
from referee.games.honshu.components import FACTORY_SCORES, PROVINCE_FACES
from referee.games.honshu.domain import Laid
from referee.games.honshu.geometry import OFFSETS, position
from referee.games.honshu.state import OVER, OVERRIDE, PAIR, SeatScore
from referee.games.honshu.tricks import value
from referee.games.honshu.view import View
from referee.games.honshu.words import CATEGORIES, PHASES, face_codes, scoring_rules
from referee.kernel.game import Event, rank
from referee.kernel.plain import Plain


def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
    """Points, faces, values of bids, the turn, and for each domain the order of its cards and what scores there."""
    scores = points_now(view)
    return {
        "phase": PHASES[view.phase],
        "points": points(view, scores),
        "fields": [score.fields for score in scores],
        "places": list(rank([(score.total, score.fields) for score in scores])) if view.phase == OVER else [],
        "worths": [*FACTORY_SCORES[view.rules.factories].values()],
        "scoring": [{"category": category, "words": words} for category, words in scoring_rules(view)],
        "faces": {str(card): face_codes(card, view.rules.factories) for card in known_cards(view)},
        "turns": _turns(view),
        "trick": [
            {
                "seat": bid.seat,
                "card": bid.card,
                "value": value(bid),
                "taken": view.taken.index(bid.card) if bid.card in view.taken else None,
            }
            for bid in view.trick
        ],
        "domains": [_domain(view, seat) for seat in range(len(view.domains))],
    }


def points(view: View, scores: Sequence[SeatScore]) -> list[Plain]:
    """By category, in the order of H-8.6, the points of each seat; the bonus only with a scoring card."""
    wanted = CATEGORIES if view.scoring_card else CATEGORIES[:-1]
    return [{"category": name, "points": [getattr(score, name) for score in scores]} for name in wanted]


def known_cards(view: View) -> list[int]:
    """The map cards whose faces the view shows or allows to know, ascending."""
    cards = {laid.card for domain in view.domains for laid in domain.laid}
    for held in (*view.known_hands, *view.offers, view.faceup, view.revealed, view.discards, view.taken):
        cards.update(held)
    cards.update(bid.card for bid in view.trick)
    return sorted(cards - {0})


def _turns(view: View) -> list[Plain]:
    """By seat, the place in the turn order, or with two players who leads; empty words where no order counts."""
    if view.phase == OVER:
        return [""] * len(view.order)
    if len(view.order) > 2:
        return [f"turn {view.order.index(seat) + 1}" for seat in range(len(view.order))]
    if view.phase == OVERRIDE:
        return ["leader" if view.order[0] == seat else "challenger" for seat in range(2)]
    if view.phase == PAIR:
        return ["chooser" if view.order[0] == seat else "" for seat in range(2)]
    return ["", ""]


def _domain(view: View, seat: int) -> dict[str, Plain]:
    domain = view.domains[seat]
    found = areas_of(view, domain)
    return {
        "province": domain.province,
        "face": face_codes(PROVINCE_FACES[domain.province], view.rules.factories),
        "layers": list(layers(domain.laid)),
        "forest": _area(found.forest),
        "town": _area(found.town),
        "lakes": [_area(lake) for lake in found.lakes],
        "deliveries": [
            {"source": list(source), "factory": list(factory), "points": points}
            for source, factory, points in found.deliveries
        ],
        "bonus": [_area(area) for area in found.bonus],
    }


def _area(area: Area) -> dict[str, Plain]:
    return {"cells": [list(at) for at in area.cells], "points": area.points}


def layers(laid: Sequence[Laid]) -> tuple[int, ...]:
    """The cards of a domain from the lowest to the highest: 0 the province, n the n-th card laid.

    Drawn whole in this order, the cards show exactly the visible cells (H-7.6): again and again the oldest card comes
    next that lies over none of those left.
    """
    visible: dict[int, int] = {}
    below: list[set[int]] = []
    for number, (_, k, row, col, mask) in enumerate((Laid(0, 0, 0, 0, 0), *laid)):
        below.append(set())
        for index, offset in enumerate(OFFSETS[k]):
            at = position(row, col) + offset
            if mask >> index & 1:
                below[visible[at]].add(number)
                continue
            if at in visible:
                below[number].add(visible[at])
            visible[at] = number
    order: list[int] = []
    left = list(range(len(below)))
    while left:
        lowest = next(card for card in left if below[card].isdisjoint(left))
        order.append(lowest)
        left.remove(lowest)
    return tuple(order)
