"""Connections without a wire: bots send and receive bytes by plain calls, and time passes when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict, TypeVar, Unpack

from referee.kernel import registry
from referee.kernel.game import Seat
from referee.match.clock import NO_CLOCK, SECOND, TimeControl
from referee.match.delivery import deliver
from referee.match.match import Match
from referee.match.outputs import Verdict
from referee.match.plan import MatchPlan
from referee.match.playtime import PlayTime
from referee.match.policy import Policy
from referee.match.protocols import Directory, Pairing
from referee.match.record import Final, Step
from referee.transport.connections import Connections
from referee.transport.limits import Limits
from referee.transport.messages import Asker
from referee.transport.session import BotSession
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb
from tests.transport.hello_fields import HelloFields

Done = TypeVar("Done")

SECRET = bytes(range(32))


class PolicyFields(TypedDict, total=False):
    """The fields of `Policy` that tests choose."""

    faults: int
    start: int


class Clockwork:
    """The time, moved by hand."""

    def __init__(self) -> None:
        self.at = 1_000_000_000

    def __call__(self) -> int:
        return self.at


class RoomTable:
    """Drives one match at once, as `referee.match.table` does, but without an event loop."""

    def __init__(self, room: Room, names: Sequence[str], clock: TimeControl, policy: Policy) -> None:
        game = registry.game("edo_yashiki")
        plan = MatchPlan(game.name, tuple(names), f"{room.tables:032x}", SECRET, clock=clock, policy=policy)
        self._now = room.connections.time
        self.match = Match(game, plan)
        agreed = self.match.terms
        self.steps: list[Step] = []
        asker = Asker(agreed)
        bots = [room.session(name) for name in names]
        self.places = [bot.sit(agreed, seat, asker) for seat, bot in enumerate(bots)]
        for place in self.places:
            place.take(self, is_ready=False)
        self.id = agreed.match
        self._do(lambda: self.match.begin(self._now()))

    @property
    def final(self) -> Final | None:
        return self.match.final

    @property
    def end(self) -> Final:
        """How the match ended; an error while the match goes on."""
        assert self.match.final is not None
        return self.match.final

    def ready(self, seat: Seat, at: int) -> None:
        self._do(lambda: self.match.ready(seat, at))

    def answer(
        self, seat: Seat, ask: int, index: int, at: int, *, lag: int = 0, queued: int = 0, note: str = ""
    ) -> Verdict:
        return self._do(lambda: self.match.answer(seat, ask, index, at, lag=lag, queued=queued, note=note))

    def unanswered(self, seat: Seat, ask: int, at: int, message: str) -> Verdict:
        return self._do(lambda: self.match.unanswered(seat, ask, at, message))

    def crashed(self, seat: Seat, at: int, message: str) -> None:
        self._do(lambda: self.match.crashed(seat, at, message))

    def malformed(self, seat: Seat, at: int, message: str) -> None:
        self._do(lambda: self.match.malformed(seat, at, message))

    def remove(self, seat: Seat, at: int, message: str) -> None:
        self._do(lambda: self.match.remove(seat, at, message))

    def gone(self, seat: Seat, at: int) -> None:
        self._do(lambda: self.match.gone(seat, at))

    def back(self, seat: Seat, at: int) -> None:
        self._do(lambda: self.match.back(seat, at))

    def tick(self) -> None:
        self._do(lambda: self.match.tick(self._now()))

    def _do(self, action: Callable[[], Done]) -> Done:
        value = action()
        deliver(self.match, self.places, stepped=self.steps.append)
        return value


class Peer:
    """A bot's end of one stream."""

    def __init__(self, room: Room, token: str, peer: str = "") -> None:
        self._room = room
        self.woken = 0
        self.stream: BotStream = room.connections.open(token, room.now(), self._wake, peer)
        self.received: list[pb.PlayResponse] = []
        """Everything that was ever read."""

    @property
    def session(self) -> BotSession:
        """The session of a bot that was welcomed."""
        assert self.stream.session is not None
        return self.stream.session

    def _wake(self) -> None:
        self.woken += 1

    def send(self, message: pb.PlayRequest | bytes, queued: int = 0) -> None:
        """Send a message, or anything else; it waited for so long inside the referee."""
        data = message if isinstance(message, bytes) else message.SerializeToString()
        self._room.connections.receive(self.stream, data, self._room.now() - queued, queued)

    def hello(self, name: str, version: int = 1, **fields: Unpack[HelloFields]) -> None:
        """Introduce the bot."""
        self.send(pb.PlayRequest(hello=pb.Hello(protocol_version=version, name=name, **fields)))

    def read(self) -> pb.PlayResponse:
        """All that waits to be sent, in one message."""
        whole = pb.PlayResponse()
        while (data := self.stream.take(self._room.now())) is not None:
            message = pb.PlayResponse.FromString(data)
            self.received.append(message)
            whole.MergeFrom(message)
            self.stream.writing = False
        return whole

    def fault(self) -> pb.Fault:
        """The only fault that waits."""
        (fault,) = self.read().faults
        return fault

    def ready(self, match: str, **fields: int) -> None:
        self.send(pb.PlayRequest(ready=[pb.Ready(match_id=match, **fields)]))

    def answer(
        self,
        match: str,
        ask: int,
        option: int = 0,
        queued: int = 0,
        *,
        seat: int | None = None,
        note: str | None = None,
    ) -> None:
        answer = pb.Answer(match_id=match, ask=ask, option=option, seat=seat, note=note)
        self.send(pb.PlayRequest(answers=[answer]), queued)

    def pong(self, ping: pb.Ping) -> None:
        self.send(pb.PlayRequest(pong=pb.Pong(nonce=ping.nonce)))

    def close(self) -> None:
        """The stream is gone."""
        self._room.connections.left(self.stream, self._room.now())


class Room:
    """Connections and their tables on virtual time."""

    def __init__(self, directory: Directory | None = None, pairing: Pairing | None = None, **limits: int) -> None:
        self.now = Clockwork()
        self.changes = 0
        self.tables = 0
        self.connections = Connections(
            PlayTime(self.now), limits=Limits(**limits), directory=directory, pairing=pairing, changed=self._changed
        )
        self._tables: list[RoomTable] = []

    def _changed(self) -> None:
        self.changes += 1

    def stream(self, token: str = "", peer: str = "") -> Peer:
        """A new stream; `peer` is gRPC's name of the other side, empty: a unix socket."""
        return Peer(self, token, peer)

    def session(self, name: str) -> BotSession:
        """The session of a bot that is connected or remembered."""
        session = self.connections.session(name)
        assert session is not None
        return session

    def bot(self, name: str, peer: str = "", **fields: Unpack[HelloFields]) -> Peer:
        """A bot that was welcomed, its welcome read."""
        bot = self.stream(peer=peer)
        bot.hello(name, **fields)
        bot.read()
        return bot

    def table(self, *names: str, clock: str = "none", **policy: Unpack[PolicyFields]) -> RoomTable:
        """A table for connected bots."""
        self.tables += 1
        parsed = NO_CLOCK if clock == "none" else TimeControl.parse(clock)
        table = RoomTable(self, names, parsed, Policy(**policy))
        self._tables.append(table)
        return table

    def started(self, *peers: Peer, clock: str = "none", **policy: Unpack[PolicyFields]) -> RoomTable:
        """A table of these bots, all ready, their first asks not yet read."""
        names = [peer.session.name for peer in peers]
        table = self.table(*names, clock=clock, **policy)
        for peer in peers:
            peer.read()
        for peer in peers:
            peer.ready(table.id)
        return table

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now.at += round(seconds * SECOND)
        for table in self._tables:
            table.tick()
        self.connections.tick(self.now.at)


def play_out(table: RoomTable, *peers: Peer) -> None:
    """Let bots answer 0 to everything until the match is over."""
    while table.final is None:
        for peer in peers:
            for ask in peer.read().asks:
                peer.answer(ask.match_id, ask.ask, 0, seat=ask.seat)
