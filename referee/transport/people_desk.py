"""Tables at which people sit, as the calls of the pages see them; the program that opens them implements `PeopleDesk`.

A person's seat is an ordinary session: the referee makes a token for the seat, and the holder of the token plays it.
The invitation to a seat is a secret of its own, which the person trades for the token once.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, Protocol

from referee.kernel.errors import BadSetting
from referee.transport.control import BadRequest
from referee.v1 import admin_pb2 as pb


class TooMany(BadSetting):
    """No further table of people may be opened now."""


class SeatKind(Enum):
    """Who sits at a seat."""

    PERSON = pb.PEOPLE_SEAT_KIND_PERSON
    HOUSE = pb.PEOPLE_SEAT_KIND_HOUSE
    CONNECTED = pb.PEOPLE_SEAT_KIND_CONNECTED


class TableState(Enum):
    """The stage of a table."""

    WAITING = pb.PEOPLE_TABLE_STATE_WAITING
    RUNNING = pb.PEOPLE_TABLE_STATE_RUNNING
    OVER = pb.PEOPLE_TABLE_STATE_OVER
    CLOSED = pb.PEOPLE_TABLE_STATE_CLOSED


class WantedSeat(NamedTuple):
    """Who shall sit at a seat."""

    kind: SeatKind
    name: str = ""
    """The bot; empty: a person."""


class WantedTable(NamedTuple):
    """A table that a person asks for."""

    game: str
    variant: Mapping[str, str]
    clock: str
    """The clock in short; "none": no clock."""
    seats: tuple[WantedSeat, ...]
    address: str = ""
    """The network address of the person; empty: not counted."""

    @classmethod
    def of(cls, request: pb.OpenPeopleTableRequest) -> WantedTable:
        """The table of a request; raises BadRequest for a seat of no known kind."""
        kinds = {kind.value: kind for kind in SeatKind}
        seats = []
        for number, seat in enumerate(request.seats):
            if seat.kind not in kinds:
                known = ", ".join(f"PEOPLE_SEAT_KIND_{kind.name}" for kind in SeatKind)
                raise BadRequest(f"seat {number} has no kind; use one of {known}")
            seats.append(WantedSeat(kinds[seat.kind], seat.name))
        return cls(request.game, dict(request.variant), request.clock or "none", tuple(seats), request.address)


class SeatStatus(NamedTuple):
    """A seat as it is now."""

    kind: SeatKind
    name: str
    """The name in the match; empty: the person has not joined."""
    present: bool


class PeopleTable(NamedTuple):
    """A table as it is now."""

    match: str
    game: str
    variant: Mapping[str, str]
    clock: str
    seats: tuple[SeatStatus, ...]
    state: TableState
    message: str
    """Why the table was closed, or what is waited for."""


class OpenedTable(NamedTuple):
    """A table that was opened, with its invitations by seat; empty: a bot sits there."""

    table: PeopleTable
    invitations: tuple[str, ...]


class TakenSeat(NamedTuple):
    """A seat that a person has taken."""

    match_id: str
    seat: int
    token: str
    name: str


class Opponent(NamedTuple):
    """A bot that people may play against."""

    name: str
    kind: SeatKind
    games: tuple[str, ...]
    """The games that the bot plays; empty: all."""


class PeopleRules(NamedTuple):
    """What people may do at a referee."""

    tables: int
    address_tables: int
    open: int
    """Number of open tables."""
    opponents: tuple[Opponent, ...]
    wait_us: int
    idle_us: int

    def message(self) -> pb.GetPeopleRulesResponse:
        """The rules as a protobuf message."""
        return pb.GetPeopleRulesResponse(
            tables=self.tables,
            address_tables=self.address_tables,
            open=self.open,
            opponents=[
                pb.PeopleOpponent(name=found.name, kind=found.kind.value, games=found.games) for found in self.opponents
            ],
            wait_us=self.wait_us,
            idle_us=self.idle_us,
        )


class PeopleDesk(Protocol):
    """What the pages do for people. Every call raises CallerFault with one line if it is impossible."""

    def rules(self) -> PeopleRules:
        """What people may do here now."""

    def open(self, wanted: WantedTable) -> OpenedTable:
        """Open a table; raises TooMany if too many are open."""

    def join(self, invitation: str, name: str) -> TakenSeat:
        """Take the seat of an invitation."""

    def table(self, match: str) -> PeopleTable:
        """A table as it is now; raises UnknownName."""

    def close(self, match: str, reason: str) -> None:
        """Close a table; a running match ends without a result."""


def table_message(table: PeopleTable) -> pb.PeopleTable:
    """A table as a protobuf message."""
    return pb.PeopleTable(
        match_id=table.match,
        game=table.game,
        variant=table.variant,
        clock=table.clock,
        seats=[pb.PeopleSeatStatus(kind=seat.kind.value, name=seat.name, present=seat.present) for seat in table.seats],
        state=table.state.value,
        message=table.message,
    )
