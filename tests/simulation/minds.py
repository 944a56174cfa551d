"""What runs in a bot's process: a lean mind that can misbehave in every way, and one made with the kit."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.errors import BotFailed
from bots.session import ClientSession, Next, Profile, pong
from referee.v1 import play_pb2 as pb
from tests.simulation.machine import policy
from tests.simulation.world import SECOND, Wrong

if TYPE_CHECKING:
    from tests.simulation.machine import Machine

TABLES = 8


class LeanMind:
    """Speaks the protocol without the kit, with the manners of its machine."""

    def __init__(self, machine: Machine, name: str, token: str) -> None:
        self.resume_token = token
        self._machine = machine
        self._name = name
        self._manners = machine.manners
        self._rng = machine.world.rng
        self._stream = 0
        self._given: dict[tuple[str, int, int], int] = {}

    def hello(self) -> pb.PlayRequest:
        """The first message of a new stream."""
        self._stream += 1
        request = pb.PlayRequest()
        request.hello.protocol_version = 1
        request.hello.name = self._name
        request.hello.tables = TABLES
        request.hello.events = self._manners.events
        request.hello.resume_token = self.resume_token
        return request

    def receive(self, message: pb.PlayResponse) -> None:
        """Answer whatever came, each thing after a while."""
        if message.HasField("welcome"):
            self.resume_token = message.welcome.resume_token
        for seated in message.seated:
            if not seated.is_ready and not self._manners.never_ready:
                ready = pb.PlayRequest()
                ready.ready.add(match_id=seated.match_id, seat=seated.seat)
                self._later(self._think(), ready)
        for ask in message.asks:
            self._ask(ask)
        for fault in message.faults:
            if fault.code == pb.FAULT_CODE_UNKNOWN_RESUME:
                self.resume_token = ""
        if message.HasField("ping") and not self._does(self._manners.deaf):
            reply = pb.PlayRequest()
            reply.pong.nonce = message.ping.nonce
            self._machine.send(reply)

    def closed(self) -> bool:
        """The process stays."""
        return False

    def _ask(self, ask: pb.Ask) -> None:
        manners, rng, count = self._manners, self._rng, ask.option_count
        if self._does(manners.malformed):
            self._machine.later(self._think() // 2, lambda: self._machine.send(b"\xff\xff no message"))
        if self._does(manners.illegal):
            self._answer(ask, ask.ask, count + rng.randint(0, 5), self._think() // 2)
        if self._does(manners.stale):
            self._again(ask, max(1, ask.ask - rng.randint(1, 3)))
        if self._does(manners.early):
            self._answer(ask, ask.ask + rng.randint(1, 3), 0, self._think())
        if self._does(manners.stray):
            self._answer(ask, ask.ask, 0, self._think(), seat=rng.choice((ask.seat + 7, 40)))
        if self._does(manners.silent):
            return
        delay = self._think()
        if ask.HasField("budget_us") and self._does(manners.late):
            delay = ask.budget_us + rng.randint(-SECOND // 20, 2 * SECOND)
        option = policy(ask.match_id, ask.seat, ask.ask, count)
        self._given[ask.match_id, ask.seat, ask.ask] = option
        self._answer(ask, ask.ask, option, max(0, delay))
        if self._does(manners.twice):
            self._answer(ask, ask.ask, option, delay + rng.randint(0, 50_000))
        if self._does(manners.fickle):
            self._answer(ask, ask.ask, rng.randrange(count), delay + rng.randint(0, 50_000))

    def _again(self, ask: pb.Ask, number: int) -> None:
        """Repeat the answer to an older ask."""
        option = self._given.get((ask.match_id, ask.seat, number))
        if option is not None:
            self._answer(ask, number, option, self._think())

    def _answer(self, ask: pb.Ask, number: int, option: int, delay: int, seat: int | None = None) -> None:
        request = pb.PlayRequest()
        request.answers.add(
            match_id=ask.match_id, ask=number, option=option, seat=ask.seat if seat is None else seat, note="n"
        )
        self._later(delay, request)

    def _later(self, delay: int, request: pb.PlayRequest) -> None:
        """Send after a while; mostly only on the same stream, for the next one brings the question again."""
        stream = self._stream
        anyway = self._rng.random() < 0.2

        def send() -> None:
            if anyway or stream == self._stream:
                self._machine.send(request)

        self._machine.later(delay, send)

    def _think(self) -> int:
        return self._rng.randint(0, self._manners.thinking)

    def _does(self, odds: float) -> bool:
        return odds > 0 and self._rng.random() < odds


class Policy(Bot):
    """A bot of the kit that answers as every well-behaved bot does."""

    seed = 1

    def decide(self, ask: AnyAsk) -> int:
        """The answer of the policy."""
        return policy(ask.match, ask.seat, ask.number, ask.count)


class KitMind:
    """The kit's session, driven as its client drives it: one message at a time, pings returned at once."""

    def __init__(self, machine: Machine, name: str, token: str) -> None:
        profile = Profile(name, tables=TABLES, events=machine.manners.events)
        self._session = ClientSession(profile, Policy, self._report, token)
        self._machine = machine
        self._inbox: deque[pb.PlayResponse] = deque()
        self._stream = 0
        self._thinking: list[list[AnyAsk]] = []

    @property
    def resume_token(self) -> str:
        """The token that the session holds."""
        return self._session.resume_token

    def hello(self) -> pb.PlayRequest:
        """The first message of a new stream."""
        self._stream += 1
        self._inbox.clear()
        return self._session.hello()

    def receive(self, message: pb.PlayResponse) -> None:
        """Take a message in, now or when the bot has thought to an end."""
        reply = pong(message)
        if reply is not None:
            self._machine.send(reply)
        self._inbox.append(message)
        try:
            self._work()
        except BotFailed:  # at a table for development the first fault ends the program
            self._machine.die()

    def closed(self) -> bool:
        """Whether the kit gives up. It thinks to an end before it looks at what came meanwhile."""
        self._decide()
        try:
            while self._inbox:
                self._session.receive(self._inbox.popleft(), self._seconds())
        except BotFailed:
            return True
        closing = self._session.closing
        return closing is not None and closing.next is not Next.RESUME

    def _work(self) -> None:
        while self._inbox and not self._thinking:
            asks = self._session.receive(self._inbox.popleft(), self._seconds())
            self._thinking = self._session.bundles(asks)
            self._send()
            if self._thinking:
                thought = self._thinking
                delay = self._machine.world.rng.randint(0, self._machine.manners.thinking)
                self._machine.later(delay, lambda thought=thought: self._thought(thought))  # type: ignore[misc]

    def _thought(self, bundles: list[list[AnyAsk]]) -> None:
        if bundles is self._thinking:  # otherwise the stream has ended meanwhile
            self._decide()
            self._send()
            try:
                self._work()
            except BotFailed:
                self._machine.die()

    def _decide(self) -> None:
        bundles, self._thinking = self._thinking, []
        for bundle in bundles:
            self._session.decide(bundle)

    def _send(self) -> None:
        message = self._session.take()
        if message is not None:
            self._machine.send(message)

    def _seconds(self) -> float:
        return self._machine.world.now() / SECOND

    def _report(self, line: str) -> None:
        if "the bot raised" in line:
            raise Wrong(f"{self._machine.name}: {line}")
        if self._machine.world.tracing:
            self._machine.world.say(f"{self._machine.name}: {line}")
