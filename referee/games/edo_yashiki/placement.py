"""Placing: all seats lay their card of the round into their own house, at once (section 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games.edo_yashiki.components import NAMES
from referee.games.edo_yashiki.house import options, place
from referee.games.edo_yashiki.options import PlaceCard, asks_of_all
from referee.games.edo_yashiki.scoring import score
from referee.games.edo_yashiki.state import PLACE_CARD, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import Event, Option, Pending, Seat, Verb
from referee.kernel.tuples import new_tuple

_ALL = asks_of_all(PLACE_CARD)


def _asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    return _ALL[len(state.houses)]


def _options(state: State, frame: Frame, seat: Seat) -> Sequence[PlaceCard]:
    """The places for the card received this round (E-7.1); there are always some (E-7.4)."""
    return options(state.houses[seat], state.row[state.got[seat]])


def _apply(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Lay all cards and publish them together (E-7.7), then score."""
    chosen = cast("Mapping[Seat, PlaceCard]", answers)
    row = state.row
    houses = []
    for seat, house in enumerate(state.houses):
        card = row[state.got[seat]]
        at = chosen[seat]
        houses.append(place(house, card, at))
        events.append(new_tuple(Event, (Verb.MOVED, seat, "card", (NAMES[card], *at), 0, None)))
    state.houses = tuple(houses)
    score(state, events)


PLACE: Handler[State] = Handler(_asks, _options, _apply)
