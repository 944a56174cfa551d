"""The service of the admin socket: what an organiser can do to a running referee.

The calls are coroutines of the asyncio side, in the thread of everything else, so they act by plain calls. What is
played here comes as a protocol (`EventDesk`): the referee knows nothing of seasons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message

from referee.kernel.errors import CallerFault, StorageTrouble, UnknownName
from referee.v1 import admin_pb2 as pb

ADMIN = pb.DESCRIPTOR.services_by_name["AdminService"].full_name
STATES = {
    "waiting": pb.EVENT_STATE_WAITING,
    "running": pb.EVENT_STATE_RUNNING,
    "over": pb.EVENT_STATE_OVER,
}
NO_EVENT = "this referee plays no event; start it with a ladder file that has a table [event]"

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"


class EntrantStatus(NamedTuple):
    """An entrant of an event."""

    name: str
    seed: int
    present: bool
    checked_in: bool
    points: float
    out: str
    """Why it is out; empty: it is in."""


class TableStatus(NamedTuple):
    """A table of the present round."""

    bots: tuple[str, ...]
    games: int
    over: int
    """How many of its games are over."""


class EventStatus(NamedTuple):
    """An event as it stands."""

    name: str
    game: str
    seats: int
    format: str
    state: str
    """`waiting`, `running` or `over`."""
    paused: bool
    start: str
    round: int
    rounds: int
    entrants: tuple[EntrantStatus, ...]
    tables: tuple[TableStatus, ...]
    byes: tuple[str, ...]


class EventDesk(Protocol):
    """What an organiser can do to an event. Each act is stored when its call returns.

    Raises CallerFault with one line if it cannot be done, StorageTrouble if it cannot be stored now.
    """

    def status(self) -> EventStatus:
        """The event as it stands."""

    def start(self) -> None:
        """Begin now."""

    def pause(self) -> None:
        """Open no further table."""

    def resume(self) -> None:
        """Go on after a pause."""

    def withdraw(self, name: str) -> None:
        """Take an entrant out."""


class AdminService:
    """Answers the calls of `AdminService`."""

    def __init__(self, event: EventDesk | None) -> None:
        self._event = event

    def handler(self) -> grpc.GenericRpcHandler[bytes, bytes]:
        """What a gRPC server needs to know."""
        calls: dict[str, tuple[type[Message], Callable[[EventDesk, Message], None]]] = {
            "GetEvent": (pb.GetEventRequest, lambda desk, request: None),
            "StartEvent": (pb.StartEventRequest, lambda desk, request: desk.start()),
            "PauseEvent": (pb.PauseEventRequest, lambda desk, request: desk.pause()),
            "ResumeEvent": (pb.ResumeEventRequest, lambda desk, request: desk.resume()),
            "WithdrawEntrant": (pb.WithdrawEntrantRequest, _withdraw),
        }
        return grpc.method_handlers_generic_handler(
            ADMIN,
            {name: grpc.unary_unary_rpc_method_handler(self._call(name, *call)) for name, call in calls.items()},
        )

    def _call(self, name: str, kind: type[Message], act: Callable[[EventDesk, Message], None]):  # type: ignore[no-untyped-def]
        """The coroutine behind one call on the event: act, then answer with the event as it stands."""
        response = getattr(pb, f"{name}Response")

        async def answer(data: bytes, context: Context) -> bytes:
            try:
                request = kind.FromString(data)
            except DecodeError:
                text = f"that is no {kind.DESCRIPTOR.name} of package referee.v1"
                await context.abort(grpc.StatusCode.INVALID_ARGUMENT, text)
            if self._event is None:
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, NO_EVENT)
            try:
                act(self._event, request)
                event = _event(self._event.status())
            except StorageTrouble as error:
                await context.abort(grpc.StatusCode.UNAVAILABLE, f"the referee cannot store now: {error}")
            except UnknownName as error:
                await context.abort(grpc.StatusCode.NOT_FOUND, str(error))
            except CallerFault as error:
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
            answered: bytes = response(event=event).SerializeToString()
            return answered

        return answer


def _withdraw(desk: EventDesk, request: Message) -> None:
    if isinstance(request, pb.WithdrawEntrantRequest):
        desk.withdraw(request.name)


def _event(status: EventStatus) -> pb.EventStatus:
    event = pb.EventStatus(
        name=status.name,
        game=status.game,
        seats=status.seats,
        format=status.format,
        state=STATES[status.state],
        paused=status.paused,
        start=status.start,
        round=status.round,
        rounds=status.rounds,
        byes=status.byes,
    )
    for entrant in status.entrants:
        event.entrants.add(**entrant._asdict())
    for table in status.tables:
        event.tables.add(bots=table.bots, games=table.games, games_over=table.over)
    return event
