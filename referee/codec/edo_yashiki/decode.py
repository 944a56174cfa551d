"""Edo Yashiki from the wire: see `proto/referee/v1/edo_yashiki.proto` for what each field means.

The wire carries the cards of every house; what is visible and where a card may lie follows by laying them again, in
their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from referee.codec.edo_yashiki.encode import DRAFTS, KINDS, PHASES
from referee.games.edo_yashiki import house as houses
from referee.games.edo_yashiki.house import House, HouseLine
from referee.games.edo_yashiki.options import PICKS, RANKINGS, SCORES, STOP, PlaceCard, placement
from referee.games.edo_yashiki.state import (
    PICK_CARD,
    PLACE_CARD,
    RANK_CARDS,
    REFLEX,
    SCORE_LINE,
    SEALED,
    SPECIALISTS,
    STANDARD,
    TURN_ORDER,
    Draft,
    ScoringChain,
)
from referee.games.edo_yashiki.view import View
from referee.kernel.errors import UnknownName
from referee.kernel.game import Option
from referee.v1 import edo_yashiki_pb2 as pb
from referee.v1 import play_pb2

_DRAFTS = {number: draft for draft, number in DRAFTS.items()}
_DRAFTING = {SEALED: RANK_CARDS, REFLEX: RANK_CARDS, TURN_ORDER: PICK_CARD}
"""The phase of a draft, which is one number on the wire."""
_PHASES = {number: phase for phase, number in PHASES.items() if phase not in _DRAFTING.values()}
_LETTERS = {number: letter for letter, number in KINDS.items()}


class WirePlacements(Sequence[PlaceCard]):
    """The placements on offer; an option is made from the wire's lists when it is asked for."""

    __slots__ = ("_turns", "_x", "_y")

    def __init__(self, x: Sequence[int], y: Sequence[int], turns: int) -> None:
        self._x = x
        self._y = y
        self._turns = turns

    def __len__(self) -> int:
        return len(self._x) * self._turns

    @overload
    def __getitem__(self, at: int) -> PlaceCard: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[PlaceCard]: ...
    def __getitem__(self, at: int | slice) -> PlaceCard | Sequence[PlaceCard]:
        if isinstance(at, slice):
            return tuple([self[index] for index in range(*at.indices(len(self)))])
        number, turn = divmod(range(len(self))[at], self._turns)
        return placement(self._x[number], self._y[number], turn)

    def __iter__(self) -> Iterator[PlaceCard]:
        turns = range(self._turns)
        for x, y in zip(self._x, self._y, strict=True):
            for turn in turns:
                yield placement(x, y, turn)


def options(ask: play_pb2.Ask) -> Sequence[Option]:
    """The options of an ask."""
    if ask.kind not in _OPTIONS:
        raise UnknownName.of("decision of Edo Yashiki", ask.kind, _OPTIONS)
    return _OPTIONS[ask.kind](ask.edo_yashiki)


_OPTIONS: dict[str, Callable[[pb.EdoYashikiAsk], Sequence[Option]]] = {
    RANK_CARDS: lambda message: RANKINGS[len(message.view.row)],
    PICK_CARD: lambda message: [PICKS[index] for index in message.picks],
    PLACE_CARD: lambda message: WirePlacements(message.anchor_x, message.anchor_y, message.orientations),
    SCORE_LINE: lambda message: [*(SCORES[number] for number in message.lines), STOP],
}


def view(ask: play_pb2.Ask) -> View:
    """The view of an ask."""
    return decode_view(ask.edo_yashiki.view)


def decode_view(message: pb.EdoYashikiView) -> View:
    """The view that a message holds, of a seat or of the public."""
    draft = _DRAFTS[message.draft]
    phase = _PHASES.get(message.phase, _DRAFTING[draft])
    seat = message.seat if message.HasField("seat") else None
    return View(
        seat,
        SPECIALISTS if message.specialists else STANDARD,
        draft,
        houses.SEEN if message.hidden_anchors_free else houses.ALL,
        phase,
        message.round,
        message.first_player,
        message.deck_count,
        tuple(message.row),
        tuple(message.taken),
        tuple(_drafts(message)),
        tuple(_houses(message)),
        tuple(message.scores),
        tuple(message.tokens),
        _chain(message) if seat is not None and phase == SCORE_LINE else None,
        tuple(_scored(message)),
    )


def _drafts(message: pb.EdoYashikiView) -> Iterator[Draft]:
    """The rows of all rounds and how they were shared out."""
    seats = len(message.row)
    rows = _chunks(message.history_rows, seats)
    taken = _chunks(message.history_taken, seats)
    if not message.history_passes:
        for row, got in zip(rows, taken, strict=True):
            yield Draft(row, got)
        return
    reaches = _chunks(message.history_reaches, seats)
    priorities = _chunks(message.history_priority, seats)
    arrivals = _chunks(message.history_arrivals, seats) or [()] * len(rows)
    done = 0
    rounds = zip(rows, taken, priorities, message.history_passes, arrivals, strict=True)
    for row, got, priority, passes, times in rounds:
        yield Draft(row, got, priority, tuple(reaches[done : done + passes]), times)
        done += passes


def _chunks(values: Sequence[int], size: int) -> list[tuple[int, ...]]:
    return [tuple(values[start : start + size]) for start in range(0, len(values), size)]


def _houses(message: pb.EdoYashikiView) -> Iterator[House]:
    """The houses, built again card by card."""
    laid = zip(message.house_cards, message.house_x, message.house_y, message.house_turned, strict=True)
    for size in message.house_sizes:
        card, *_ = next(laid)
        house = houses.first(card, houses.SEEN if message.hidden_anchors_free else houses.ALL)
        for _ in range(size - 1):
            card, x, y, turned = next(laid)
            house = houses.place(house, card, placement(x, y, int(turned)))
        yield house


def _scored(message: pb.EdoYashikiView) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The lines that every seat has scored, round by round."""
    numbers = iter(message.history_scored_lines)
    for counts in _chunks(message.history_scored_counts, len(message.row)):
        yield tuple([tuple([next(numbers) for _ in range(count)]) for count in counts])


def _chain(message: pb.EdoYashikiView) -> ScoringChain:
    """The seat's own scoring."""
    lines = zip(
        message.line_vertical,
        message.line_x,
        message.line_y,
        message.line_length,
        message.line_kind,
        strict=True,
    )
    return ScoringChain(
        tuple(
            [
                HouseLine("V" if vertical else "H", x, y, length, _LETTERS[kind])
                for vertical, x, y, length, kind in lines
            ]
        ),
        tuple(message.lines_scored),
        message.chain_tokens,
        message.chain_ended,
    )
