"""What a drawing of the houses needs beyond a view: points by kind, finished lines, what the last step scored.

A view has each seat's total. How it came about follows from the house: the cards in the order in which they were laid
make the same lines again, and under the Specialists rules the view says which of these were scored (E-9.9).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from referee.games.edo_yashiki.components import BONUS, CARDS, KIND_NAMES, KINDS, LINE, SETUPS, TARGET
from referee.games.edo_yashiki.house import ALL, House, HouseLine, PlacedCard, first, place
from referee.games.edo_yashiki.options import PlaceCard
from referee.games.edo_yashiki.scoring import bonus, line_points, scorable
from referee.games.edo_yashiki.state import OVER, PICK_CARD, PLACE_CARD, RANK_CARDS, SCORE_LINE, SPECIALISTS
from referee.games.edo_yashiki.view import View
from referee.kernel.game import Event, Seat, Verb, rank
from referee.kernel.plain import Plain

CATEGORIES = (*(f"{KIND_NAMES[kind]} lines" for kind in KINDS), "bonus")
"""What points come from: the lines of each kind, and the bonus for several kinds."""
PHASES = {
    RANK_CARDS: "the seats rank the cards of the row",
    PICK_CARD: "the seats pick cards of the row in turn",
    PLACE_CARD: "the seats lay their cards",
    SCORE_LINE: "the seats choose the lines that they score",
    OVER: "the game is over",
}
"""By phase: what happens."""
_RUN = re.compile(rb"([%s])\1{%d,}" % ("".join(KINDS).encode(), LINE - 1))


def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
    """Points by category, finished lines, the faces of all open cards, and what `events` scored.

    `cards` has every card of the row and of the houses by its number; `lines` the lines of each house, which no card
    may cover (E-3.6); `scored` the lines of the last step in the order of their events, `bonus` and `gained` what each
    seat got for several kinds and in all; `phase` says what happens now; `places` the ranking by points (E-10.3).
    """
    seats = range(len(view.houses))
    scored = [event for event in events if event.verb is Verb.SCORED]
    return {
        "points": _categories([points_by_category(view, seat) for seat in seats]),
        "places": list(rank([(score,) for score in view.scores])),
        "phase": PHASES[view.phase],
        "target": TARGET,
        "rounds": SETUPS[len(seats)].rounds,
        "cards": {str(card): face(card) for card in sorted(_open_cards(view))},
        "lines": [[line_plain(line) for line in finished_lines(house)] for house in view.houses],
        "scored": [_scored_plain(event) for event in scored if event.subject == "line"],
        "bonus": [sum(event.amount for event in scored if _is_bonus(event, seat)) for seat in seats],
        "gained": [sum(event.amount for event in scored if event.seat == seat) for seat in seats],
    }


def points_by_category(view: View, seat: Seat) -> list[int]:
    """The points of a seat in the order of `CATEGORIES`; together they are its score (E-8.5, E-9.7)."""
    totals = [0] * len(CATEGORIES)
    for number, made in enumerate(made_lines(view.houses[seat].cards)):
        paying = scorable(made)
        if view.rules == SPECIALISTS:
            # A round that is still being scored has no published lines yet.
            published = view.scored[number][seat] if number < len(view.scored) else ()
            paying = tuple([paying[line] for line in published])
        for line in paying:
            totals[KINDS.index(line.kind)] += line_points(line)
        totals[-1] += bonus(paying)
    return totals


def made_lines(cards: tuple[PlacedCard, ...]) -> tuple[tuple[HouseLine, ...], ...]:
    """By round: the lines that a house's card of that round made (E-3.7); the starting card makes none (E-4.5)."""
    return _built(cards)[1]


@lru_cache(maxsize=1024)
def _built(cards: tuple[PlacedCard, ...]) -> tuple[House, tuple[tuple[HouseLine, ...], ...]]:
    """A house laid again card by card, and the lines of each card but the first.

    Which anchors are free makes no difference here, so the house follows no hidden cards.
    """
    if len(cards) == 1:
        return first(cards[0].card, ALL), ()
    before, made = _built(cards[:-1])
    card, x, y, rot = cards[-1]
    house = place(before, card, PlaceCard(x, y, rot))
    return house, (*made, house.made)


@lru_cache(maxsize=256)
def finished_lines(house: House) -> tuple[HouseLine, ...]:
    """All lines that a house shows, those of 6 and more too, in canonical order (E-3.5, E-3.8)."""
    cells, left, top, stride = house.cells, house.left, house.top, house.stride
    rows = [
        HouseLine("H", left + found.start(), top + row, len(found[0]), found[1].decode())
        for row in range(len(cells) // stride)
        for found in _RUN.finditer(cells[row * stride : (row + 1) * stride])
    ]
    columns = [
        HouseLine("V", left + column, top + found.start(), len(found[0]), found[1].decode())
        for column in range(stride)
        for found in _RUN.finditer(cells[column::stride])
    ]
    return (*rows, *sorted(columns, key=lambda line: (line.y, line.x)))


def line_plain(line: HouseLine) -> dict[str, Plain]:
    """A line as facts and targets name it; `points` is what a line of its length pays when it is made (E-8.2)."""
    return {**line._asdict(), "points": line_points(line)}


def face(card: int) -> dict[str, Plain]:
    """A card's name and its rows as printed, top first."""
    return {"name": CARDS[card].name, "rows": [row.decode() for row in CARDS[card].faces[0]]}


def bonus_kinds(points: int) -> int:
    """The number of different kinds that a bonus was paid for (E-8.4)."""
    return BONUS.index(points)


def _categories(by_seat: Sequence[Sequence[int]]) -> list[Plain]:
    return [
        {"category": category, "points": [points[index] for points in by_seat]}
        for index, category in enumerate(CATEGORIES)
    ]


def _open_cards(view: View) -> set[int]:
    return {*view.row, *(placed.card for house in view.houses for placed in house.cards)}


def _scored_plain(event: Event) -> dict[str, Plain]:
    parts: Any = event.items
    return {"seat": event.seat, **HouseLine(*parts)._asdict(), "points": event.amount}


def _is_bonus(event: Event, seat: Seat) -> bool:
    return event.seat == seat and event.subject == "bonus"
