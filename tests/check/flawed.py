"""A bot over plain gRPC that does everything right, and its flawed children, each with one thing wrong.

`FLAWS` says which steps each must fail. They run in threads of the test's own process (see `threaded`).
"""

from __future__ import annotations

import random
import struct
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import NamedTuple

import grpc
from google.protobuf.unknown_fields import UnknownFieldSet

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

NAME = "subject"
GAME = "edo_yashiki"
SEATS = (4, 5)
"""The shorter matches of the game, so that a check takes a second."""
REFUSALS = (pb.FAULT_CODE_VERSION, pb.FAULT_CODE_BAD_HELLO, pb.FAULT_CODE_NAME_TAKEN, pb.FAULT_CODE_REVOKED)
Send = Callable[[pb.PlayRequest], None]


class Honest:
    """Plays at random and keeps to the protocol."""

    bearer = ""
    """The token that it was given; empty: none."""

    def __init__(self, address: str) -> None:
        self._home = self._address = address
        self._call: grpc.Call | None = None
        self._luck = random.Random(1)
        self.stopped = threading.Event()
        self.token = ""

    def run(self) -> int:
        """Play until the referee says goodbye or refuses; returns the exit code of the process that this stands for."""
        while not self.stopped.wait(0.01):
            code = self._stream()
            if code is not None:
                return code
        return 0

    def stop(self) -> None:
        """End it from outside."""
        self.stopped.set()
        if self._call is not None:
            self._call.cancel()

    def _stream(self) -> int | None:
        with grpc.insecure_channel(self._address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            outbox: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
            call = self._call = RefereeServiceStub(channel).Play(iter(outbox.get, None), metadata=self.metadata())
            outbox.put(pb.PlayRequest(hello=self.hello()))
            answered = False
            try:
                for message in call:
                    answered = True
                    code = self.receive(message, outbox.put)
                    if code is not None:
                        return code
            except grpc.RpcError:
                pass
            finally:
                outbox.put(None)
                call.cancel()
        if not answered:
            self.absent()
        return self.broken()

    def metadata(self) -> list[tuple[str, str]]:
        """What goes with the call."""
        return [("authorization", f"Bearer {self.bearer}")] if self.bearer else []

    def hello(self) -> pb.Hello:
        offer = pb.Offer(game=GAME, seat_counts=SEATS)
        name = "" if self.bearer else NAME
        return pb.Hello(protocol_version=1, name=name, offers=[offer], tables=2, events=True, resume_token=self.token)

    def absent(self) -> None:
        """No referee answers at the address."""
        self._address = self._home

    def receive(self, message: pb.PlayResponse, send: Send) -> int | None:
        """Act on a message; returns an exit code if it is the last."""
        if message.HasField("ping"):
            self.pong(message.ping, send)
        if message.HasField("welcome"):
            self.token = message.welcome.resume_token
        for seated in message.seated:
            self.seated(seated, send)
        for number, ask in enumerate(message.asks):
            self.asked(ask, send, number)
        for fault in message.faults:
            code = self.fault(fault)
            if code is not None:
                return code
        return None

    def seated(self, seated: pb.Seated, send: Send) -> None:
        if not seated.is_ready:
            send(pb.PlayRequest(ready=[pb.Ready(match_id=seated.match_id)]))

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        """The ask is the `number`-th of its message."""
        option = self._luck.randrange(ask.option_count)
        send(pb.PlayRequest(answers=[pb.Answer(match_id=ask.match_id, ask=ask.ask, option=option)]))

    def pong(self, ping: pb.Ping, send: Send) -> None:
        send(pb.PlayRequest(pong=pb.Pong(nonce=ping.nonce)))

    def fault(self, fault: pb.Fault) -> int | None:
        if not fault.closes_stream:
            return None
        if fault.code == pb.FAULT_CODE_UNKNOWN_RESUME:
            self.token = ""
        if fault.code == pb.FAULT_CODE_REDIRECTED:
            self._address = fault.address
        if fault.code == pb.FAULT_CODE_SHUTDOWN:
            return 0
        return 2 if fault.code in REFUSALS else None

    def broken(self) -> int | None:
        """The connection broke; None: dial again."""
        return None


class OtherVersion(Honest):
    """Speaks another protocol."""

    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.protocol_version = 2
        return hello


class OtherName(Honest):
    """Does not call itself what it was told to."""

    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.name = "somebody"
        return hello


class NoHello(Honest):
    """Begins with something else."""

    def _stream(self) -> int | None:
        with grpc.insecure_channel(self._address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            call = self._call = RefereeServiceStub(channel).Play(iter([pb.PlayRequest()]))
            for _ in call:
                pass
        return 0


class LosesInterest(Honest):
    """Does not even dial."""

    def run(self) -> int:
        return 3


class Illegal(Honest):
    """Counts options from 1 where five sit at the table."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._crowded: set[str] = set()

    def seated(self, seated: pb.Seated, send: Send) -> None:
        if len(seated.players) == 5:
            self._crowded.add(seated.match_id)
        super().seated(seated, send)

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        if ask.match_id not in self._crowded:
            super().asked(ask, send, number)
            return
        answer = pb.Answer(match_id=ask.match_id, ask=ask.ask, option=ask.option_count)
        send(pb.PlayRequest(answers=[answer]))


class NeverReady(Honest):
    """Never says that it is ready where five sit at the table."""

    def seated(self, seated: pb.Seated, send: Send) -> None:
        if len(seated.players) != 5:
            super().seated(seated, send)


class FirstAskOnly(Honest):
    """Takes each message for one ask."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        if not number:
            super().asked(ask, send, number)


class NeedsClock(Honest):
    """Cannot do without a clock."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        if ask.ask and not ask.HasField("bank_us") and ask.WhichOneof("game"):
            raise ValueError("no clock")
        super().asked(ask, send, number)


class SmallNumbers(Honest):
    """Has 32 bits for a time."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        struct.pack("=i", ask.bank_us)
        super().asked(ask, send, number)


class Ponders(Honest):
    """Takes its time, however little there is."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        if ask.HasField("bank_us") and ask.bank_us < 2_000_000:
            self.stopped.wait(0.6)
        super().asked(ask, send, number)


class NeverPongs(Honest):
    """Keeps pings."""

    def pong(self, ping: pb.Ping, send: Send) -> None:
        return


class Rounds(Honest):
    """Keeps nonces in a double."""

    def pong(self, ping: pb.Ping, send: Send) -> None:
        send(pb.PlayRequest(pong=pb.Pong(nonce=int(float(ping.nonce)) % (1 << 64))))


class AnswersTwice(Honest):
    """Repeats itself."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        answer = pb.Answer(match_id=ask.match_id, ask=ask.ask, option=0)
        send(pb.PlayRequest(answers=[answer]))
        send(pb.PlayRequest(answers=[answer]))


class OnlyForward(Honest):
    """Gives up when a number is lower than the one before."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._latest: dict[str, int] = {}

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        if ask.ask < self._latest.get(ask.match_id, 0):
            raise ValueError("an old ask")
        self._latest[ask.match_id] = ask.ask
        super().asked(ask, send, number)


class Touchy(Honest):
    """Leaves at the first fault."""

    def fault(self, fault: pb.Fault) -> int | None:
        return 1 if not fault.closes_stream and fault.code != pb.FAULT_CODE_UNSPECIFIED else super().fault(fault)


class Strict(Honest):
    """Does not suffer fields that it does not know."""

    def receive(self, message: pb.PlayResponse, send: Send) -> int | None:
        if len(UnknownFieldSet(message)):
            raise ValueError("an unknown field")
        return super().receive(message, send)


class KnowsItsGame(Honest):
    """Looks into a view that may not be there."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        getattr(ask, ask.WhichOneof("game"))
        super().asked(ask, send, number)


class Amnesiac(Honest):
    """Comes back as if it had never been there."""

    def broken(self) -> int | None:
        self.token = ""
        return None


class Confused(Honest):
    """Comes back with a token that it made up."""

    def broken(self) -> int | None:
        self.token = f"not-{self.token}" if self.token else ""
        return None


class GivesUp(Honest):
    """Leaves when the connection breaks."""

    def broken(self) -> int | None:
        return 0


class Clings(Honest):
    """Never forgets its resume token."""

    def fault(self, fault: pb.Fault) -> int | None:
        return None if fault.code == pb.FAULT_CODE_UNKNOWN_RESUME else super().fault(fault)


class Sulks(Honest):
    """Takes a goodbye for a failure."""

    def fault(self, fault: pb.Fault) -> int | None:
        return 1 if fault.code == pb.FAULT_CODE_SHUTDOWN else super().fault(fault)


class Lingers(Honest):
    """Dials on after a goodbye."""

    def fault(self, fault: pb.Fault) -> int | None:
        return None if fault.code == pb.FAULT_CODE_SHUTDOWN else super().fault(fault)


class Insists(Honest):
    """Dials on after a refusal."""

    def fault(self, fault: pb.Fault) -> int | None:
        return None if fault.code == pb.FAULT_CODE_VERSION else super().fault(fault)


class Cheerful(Honest):
    """Takes a refusal for a good end."""

    def fault(self, fault: pb.Fault) -> int | None:
        return 0 if fault.code == pb.FAULT_CODE_VERSION else super().fault(fault)


class Homebound(Honest):
    """Takes a restart for the end."""

    def fault(self, fault: pb.Fault) -> int | None:
        return 0 if fault.code == pb.FAULT_CODE_RESTARTING else super().fault(fault)


class Forgetful(Honest):
    """Loses its resume token at a restart."""

    def fault(self, fault: pb.Fault) -> int | None:
        if fault.code == pb.FAULT_CODE_RESTARTING:
            self.token = ""
        return super().fault(fault)


class KnowsAllCodes(Honest):
    """Leaves at a closing code that it does not know."""

    def fault(self, fault: pb.Fault) -> int | None:
        unknown = fault.closes_stream and fault.code not in pb.FaultCode.values()
        return 2 if unknown else super().fault(fault)


class Settled(Honest):
    """Leaves when it is sent elsewhere."""

    def fault(self, fault: pb.Fault) -> int | None:
        return 2 if fault.code == pb.FAULT_CODE_REDIRECTED else super().fault(fault)


class Lost(Honest):
    """Dials for ever where it was sent."""

    def absent(self) -> None:
        return


class Stubborn(Honest):
    """Dials on without a good token."""

    def fault(self, fault: pb.Fault) -> int | None:
        return None if fault.code == pb.FAULT_CODE_REVOKED else super().fault(fault)


class Unmoved(Honest):
    """Takes the loss of its token for a good end."""

    def fault(self, fault: pb.Fault) -> int | None:
        return 0 if fault.code == pb.FAULT_CODE_REVOKED else super().fault(fault)


class OwnName(Honest):
    """Has a name of its own beside its token."""

    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.name = "somebody" if self.bearer else hello.name
        return hello


class OtherToken(Honest):
    """Shows another token than the one it was given."""

    def metadata(self) -> list[tuple[str, str]]:
        return [("authorization", "Bearer mine")] if self.bearer else []


class OpenOnly(Honest):
    """Knows nothing of tokens: no flaw, but it cannot play everywhere."""

    def metadata(self) -> list[tuple[str, str]]:
        return []

    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.name = NAME
        return hello


class Homing(Honest):
    """Dials its first address again where it is sent to a second one, which does no harm."""

    def fault(self, fault: pb.Fault) -> int | None:
        return None if fault.code == pb.FAULT_CODE_REDIRECTED else super().fault(fault)


class Flaw(NamedTuple):
    """A flawed bot and what the report must say of it."""

    kind: type[Honest]
    steps: tuple[str, ...]
    """The steps that it fails."""
    words: str
    """From the remark on the first of them."""
    message: str = ""
    """From the message that broke it: the bot's own, or the one that it did not stand."""


COMEBACKS = ("restarting", "unknown-closing", "redirected")
"""The steps that a bot fails, too, which does not come back with its resume token after a break."""

FLAWS = (
    Flaw(OtherVersion, ("handshake",), "speaks protocol version 2; this one is 1", "hello { protocol_version: 2"),
    Flaw(OtherName, ("handshake",), "says hello as 'somebody'"),
    Flaw(NoHello, ("handshake",), "must carry a hello"),
    Flaw(LosesInterest, ("handshake",), "ended with code 3 and did not connect"),
    Flaw(Illegal, ("edo_yashiki/5",), "and the answer was", "answers {"),
    Flaw(NeverReady, ("edo_yashiki/5",), "no ready for match", "seated {"),
    Flaw(FirstAskOnly, ("tables",), "no answer to ask"),
    Flaw(NeedsClock, ("no-clock",), "ended with code 1", "asks {"),
    Flaw(SmallNumbers, ("slow-clock",), "ended with code 1"),
    Flaw(Ponders, ("low-clock",), "late at match"),
    Flaw(NeverPongs, ("pings",), "no pong with nonce 18446744073709551615", "ping { nonce: 18446744073709551615 }"),
    Flaw(Rounds, ("pings",), "which was in no ping", "pong {"),
    Flaw(AnswersTwice, ("asked-twice",), "twice; it was sent once", "answers {"),
    Flaw(OnlyForward, ("stale-ask",), "ended with code 1", "ask: 3 "),
    Flaw(Touchy, ("faults",), "ended with code 1", "faults {"),
    Flaw(Strict, ("unknown-fields",), "ended with code 1", '9003: "later"'),
    Flaw(KnowsItsGame, ("unknown-game",), "ended with code 1", "option_count: 3"),
    Flaw(Amnesiac, ("resume", *COMEBACKS), "came back with a hello without resume_token", "hello {"),
    Flaw(Confused, ("resume", *COMEBACKS), "came back with resume_token 'not-"),
    Flaw(GivesUp, ("resume", "refused-resume", *COMEBACKS), "ended with code 0 and did not connect"),
    Flaw(Clings, ("refused-resume",), "that was refused with FAULT_CODE_UNKNOWN_RESUME"),
    Flaw(Homebound, ("restarting",), "ended with code 0 and did not connect", "code: FAULT_CODE_RESTARTING"),
    Flaw(Forgetful, ("restarting",), "came back with a hello without resume_token"),
    Flaw(KnowsAllCodes, ("unknown-closing",), "ended with code 2 and did not connect", "code: 99"),
    Flaw(Settled, ("redirected",), "ended with code 2 and did not connect", "code: FAULT_CODE_REDIRECTED"),
    Flaw(Lost, ("redirected",), "did not connect within 3 s", "dead.sock"),
    Flaw(Stubborn, ("revoked",), "was refused with FAULT_CODE_REVOKED and still runs", "code: FAULT_CODE_REVOKED"),
    Flaw(Unmoved, ("revoked",), "was refused with FAULT_CODE_REVOKED and ended with code 0"),
    Flaw(OwnName, ("token",), "with a token leave it empty, the token is the name", "hello {"),
    Flaw(OtherToken, ("token",), "shows the token 'mine'; it was given"),
    Flaw(Sulks, ("shutdown",), "ended with code 1; a good end is code 0", "code: FAULT_CODE_SHUTDOWN"),
    Flaw(Lingers, ("shutdown",), "was told FAULT_CODE_SHUTDOWN and still runs"),
    Flaw(Insists, ("refusal",), "was refused with FAULT_CODE_VERSION and still runs", "code: FAULT_CODE_VERSION"),
    Flaw(Cheerful, ("refusal",), "ended with code 0, as if all were well"),
)
"""Every flaw."""
