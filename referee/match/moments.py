"""The decisions of a record, each with what its seat knew: for authors who look into a match, and for training data.

    for moment in record.moments(seat=0):
        print(moment.number, moment.kind, len(moment.options), moment.chosen)

The match is played again from its record, one step at a time, so a moment is made when it is asked for and nothing of
the other moments stays in memory. Views and events are those that the seat itself had.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.kernel.errors import BadSetting
from referee.kernel.game import Event, Option, Seat
from referee.kernel.turns import Turn
from referee.match.record import STAND_IN, Record, Step
from referee.match.replay import named, replay


@dataclass(frozen=True, slots=True)
class RecordMoment:
    """One decision of one seat, as the seat was asked, and the recorded answer."""

    step: int
    """The number of the step that holds the answer, as `kumite replay` counts steps."""
    seat: Seat
    number: int
    """The number of the decision among the decisions of the seat, counted from 1, as `Ask.number`."""
    kind: str
    """The kind of decision in the words of the rules."""
    view: object
    """What the seat knew, as the game's own type."""
    options: Sequence[Option]
    """The legal answers in canonical order."""
    index: int
    """The index of the chosen option."""
    events: tuple[Event, ...]
    """The events since the decision before, as far as the seat was told them."""
    stand_in: bool
    """Whether the stand-in answered in place of the seat's bot."""
    note: str
    """What the bot noted beside its answer; empty: nothing."""
    at: int
    """Microseconds from the beginning of the match to the step."""
    spent: int | None
    """Microseconds that were charged for the answer; None: the record does not say."""
    lag: int
    """Microseconds of lag that were not charged."""
    left: int | None
    """Microseconds in the bank after the answer; None: the match has no clock."""

    @property
    def chosen(self) -> Option:
        """The option that was chosen."""
        return self.options[self.index]


@dataclass(slots=True)
class _Heard:
    """What a seat was asked and told so far."""

    asks: int = 0
    events: list[Event] = field(default_factory=list)
    """The events since its last ask."""


def moments(record: Record, seat: Seat | None = None) -> Iterator[RecordMoment]:
    """The decisions of a seat, or of all seats (None) in the order of steps and seats; raises BrokenRecord.

    Raises BadSetting for a seat that the match does not have. Of a match that is not finished: the decisions so far.
    """
    seats = range(len(record.header.players))
    if seat is not None and seat not in seats:
        raise BadSetting(f"seat {seat}: the seats of this match are 0 to {len(seats) - 1}")
    return _moments(record, seats if seat is None else (seat,))


def _moments(record: Record, seats: Sequence[Seat]) -> Iterator[RecordMoment]:
    game = named(record.header)
    heard = {seat: _Heard() for seat in seats}
    turn, views = Turn((), {}, {}), dict[Seat, object]()
    for position in replay(record, game):
        step = position.step
        for seat, kind in turn.asks:
            if seat in heard:
                yield _moment(step, seat, kind, turn, views[seat], heard[seat])
                heard[seat].events = []
        for seat, known in heard.items():
            known.events += [event for event in position.events if event.audience is None or seat in event.audience]
        turn = position.turn
        views = {ask.seat: game.view(position.state, ask.seat) for ask in turn.asks if ask.seat in heard}


def _moment(step: Step, seat: Seat, kind: str, turn: Turn, view: object, heard: _Heard) -> RecordMoment:
    heard.asks += 1
    return RecordMoment(
        step=step.n,
        seat=seat,
        number=heard.asks,
        kind=kind,
        view=view,
        options=turn.options[seat],
        index=step.answers[seat],
        events=tuple(heard.events),
        stand_in=step.by.get(seat) == STAND_IN,
        note=step.notes.get(seat, ""),
        at=step.at,
        spent=step.spent.get(seat),
        lag=step.lag.get(seat, 0),
        left=step.left.get(seat),
    )
