"""Honshu from the wire: see `proto/referee/v1/honshu.proto` for what each field means.

The wire carries the cards of every domain with their placements and, for bots without these rules, the visible cells.
This decoder lays the cards again, which gives the same cells; `domain_of` keeps what was laid for earlier asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from referee.codec.honshu.encode import PHASES
from referee.games.honshu.components import PROVINCE_FACES
from referee.games.honshu.domain import Laid, domain_of
from referee.games.honshu.geometry import Cell, cell, position
from referee.games.honshu.options import (
    DECLINE,
    PAIRS,
    Placement,
    code_of,
    keep_option,
    override_option,
    pick_option,
    placement,
    play_option,
)
from referee.games.honshu.state import KEEP, OVERRIDE, PAIR, PICK, PLACE, PLAY, PLAY2, Bid, SeatScore, Switches
from referee.games.honshu.view import DomainView, View
from referee.kernel.errors import UnknownName
from referee.kernel.game import Option
from referee.v1 import honshu_pb2 as pb
from referee.v1 import play_pb2

_PHASES = {number: phase for phase, number in PHASES.items()}


class WirePlacements(Sequence[Placement]):
    """The placements on offer; an option is made from the wire's lists when it is asked for."""

    __slots__ = ("_columns", "_masks", "_rotations", "_rows")

    def __init__(self, message: pb.HonshuAsk) -> None:
        self._rotations = message.place_rotations
        self._rows = message.place_rows
        self._columns = message.place_columns
        self._masks = message.place_masks

    def __len__(self) -> int:
        return len(self._rotations)

    @overload
    def __getitem__(self, at: int) -> Placement: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Placement]: ...
    def __getitem__(self, at: int | slice) -> Placement | Sequence[Placement]:
        if isinstance(at, slice):
            return tuple([self[index] for index in range(*at.indices(len(self)))])
        return placement(code_of(self._rotations[at], self._rows[at], self._columns[at], self._masks[at]))

    def __iter__(self) -> Iterator[Placement]:
        for numbers in zip(self._rotations, self._rows, self._columns, self._masks, strict=True):
            yield placement(code_of(*numbers))


def options(ask: play_pb2.Ask) -> Sequence[Option]:
    """The options of an ask."""
    if ask.kind not in _OPTIONS:
        raise UnknownName.of("decision of Honshu", ask.kind, _OPTIONS)
    return _OPTIONS[ask.kind](ask.honshu)


def _plays(message: pb.HonshuAsk) -> Sequence[Option]:
    cubes = [position(*at) for at in zip(message.play_cube_rows, message.play_cube_columns, strict=True)]
    return [play_option(card, at) for card in message.play_cards for at in (-1, *cubes)]


def _overrides(message: pb.HonshuAsk) -> Sequence[Option]:
    own = _cubes(message.view)[message.view.seat]
    pairs = zip(message.override_first, message.override_second, strict=True)
    return [DECLINE, *(override_option(position(*own[one]), position(*own[two])) for one, two in pairs)]


_OPTIONS: dict[str, Callable[[pb.HonshuAsk], Sequence[Option]]] = {
    PLAY: _plays,
    PLAY2: _plays,
    PICK: lambda message: [pick_option(card) for card in message.picks],
    KEEP: lambda message: [keep_option(card) for card in message.keeps],
    OVERRIDE: _overrides,
    PAIR: lambda message: PAIRS,
    PLACE: WirePlacements,
}


def view(ask: play_pb2.Ask) -> View:
    """The view of an ask."""
    return decode_view(ask.honshu.view)


def decode_view(message: pb.HonshuView) -> View:
    """The view that a message holds, of a seat or of the public."""
    seat = message.seat if message.HasField("seat") else None
    trick = zip(message.trick_seats, message.trick_cards, message.trick_cubes, strict=True)
    offers = tuple(message.offers)
    return View(
        seat=seat,
        known_hands=_known_hands(message),
        rules=_rules(message),
        scoring_card=message.scoring_card,
        phase=_PHASES[message.phase],
        round=message.round,
        order=tuple(message.order),
        hand_sizes=tuple(message.hand_sizes),
        pile=message.pile_count,
        supply=tuple(message.supply),
        domains=_domains(message),
        taken=tuple(message.taken),
        trick=tuple([Bid(bidder, card, colour - 1) for bidder, card, colour in trick]),
        faceup=tuple(message.face_up),
        revealed=tuple(message.revealed),
        offers=(offers[:2], offers[2:]) if offers else (),
        discards=tuple(message.discards),
        scores=tuple([SeatScore(s.forest, s.town, s.factory, s.lake, s.bonus, s.fields) for s in message.scores]),
    )


def _rules(message: pb.HonshuView) -> Switches:
    chosen = "random" if message.scoring_card_drawn else str(message.scoring_card or "none")
    return Switches(
        "B" if message.side_b else "A",
        chosen,
        "flat" if message.flat else "free",
        "replace" if message.equals_replace else "add",
        "3-4-5" if message.factories_3_4_5 else "2-3-4",
    )


def _known_hands(message: pb.HonshuView) -> tuple[tuple[int, ...], ...]:
    """By seat: the hand, if the view shows it: the seat's own, and the hand that it passed on."""
    hands: list[tuple[int, ...]] = [()] * len(message.hand_sizes)
    if message.HasField("seat"):
        hands[message.seat] = tuple(message.hand)
    if message.HasField("passed_to"):
        hands[message.passed_to] = tuple(message.passed_cards)
    return tuple(hands)


def _cubes(message: pb.HonshuView) -> list[tuple[Cell, ...]]:
    """The cells with cubes, by seat."""
    cells = zip(message.cube_rows, message.cube_columns, strict=True)
    return [tuple([cell(position(*next(cells))) for _ in range(count)]) for count in message.cube_counts]


def _domains(message: pb.HonshuView) -> tuple[DomainView, ...]:
    """The domains, laid again."""
    laid = zip(
        message.laid_cards,
        message.laid_rotations,
        message.laid_rows,
        message.laid_columns,
        message.laid_masks,
        strict=True,
    )
    side = "B" if message.side_b else "A"
    found = []
    for number, size, cubes in zip(message.provinces, message.domain_sizes, _cubes(message), strict=True):
        name = f"{side}{number}"
        cards = tuple([Laid(*next(laid)) for _ in range(size)])
        domain = domain_of(PROVINCE_FACES[name], cards, not message.flat)
        found.append(DomainView(name, domain.laid, domain.picture, cubes))
    return tuple(found)
