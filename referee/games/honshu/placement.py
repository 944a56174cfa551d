"""The domain phase: all seats lay the card that they received, at once (section 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games.honshu.domain import Laid
from referee.games.honshu.options import Placement, Placements, ask_all
from referee.games.honshu.rounds import end_round
from referee.games.honshu.state import PLACE, State
from referee.games.honshu.supply import cover, produce
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import Event, Option, Pending, Seat, Verb


def _place_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """All seats at once (H-7.1, H-R6)."""
    return ask_all(PLACE, len(state.hands))


def _place_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """Every legal placement of the card received (H-7.1)."""
    return Placements(state.domains[seat], state.taken[seat])


def _place(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Lay all cards, return all covered cubes, then produce new ones in turn order (H-7.8, H-7.9, H-R6)."""
    laid = [Laid(card, *cast(Placement, answers[seat])) for seat, card in enumerate(state.taken)]
    for seat, card in enumerate(laid):
        events.append(Event(Verb.CHOSE, seat, "placement", tuple(card)))
        cover(state, seat, card, events)
    for seat in state.order:
        produce(state, seat, laid[seat].card, laid[seat], events)
    state.taken = [0] * len(laid)
    end_round(state, events)


HANDLERS = {PLACE: Handler(_place_asks, _place_options, _place)}
