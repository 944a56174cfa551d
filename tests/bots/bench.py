"""A session under test without a server, the bots that sit in it, and the messages that it is fed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bots.ask import AnyAsk, Table
from bots.bot import Bot
from bots.session import Profile, Session
from referee.kernel.game import Event, Option, Result
from referee.v1 import common_pb2, play_pb2

GAME = "a_game_of_tomorrow"


class Scribe(Bot):
    """Answers with the ask's number modulo the count and writes everything down."""

    def __init__(self) -> None:
        self.heard: list[object] = []
        self.asks: list[AnyAsk] = []

    def seated(self, table: Table) -> None:
        self.heard.append(table)

    def decide(self, ask: AnyAsk) -> Option:
        self.asks.append(ask)
        ask.note(f"thought about {ask.kind}")
        return ask.number % ask.count

    def told(self, events: Sequence[Event]) -> None:
        self.heard.append(tuple(events))

    def over(self, result: Result | None) -> None:
        self.heard.append(result)


class Faulty(Scribe):
    """Raises at every even ask."""

    def decide(self, ask: AnyAsk) -> Option:
        if ask.number % 2 == 0:
            raise RuntimeError("out of ideas")
        return super().decide(ask)


class Bench:
    """A session under test, with the bots it made and the lines it reported."""

    def __init__(self, make: Callable[[], Bot] = Scribe, **profile: object) -> None:
        self.made: list[Bot] = []
        self.lines: list[str] = []
        self.session = Session(Profile(**{"name": "scribe", **profile}), self._make(make), self.lines.append)

    def _make(self, make: Callable[[], Bot]) -> Callable[[], Bot]:
        def made() -> Bot:
            bot = make()
            self.made.append(bot)
            return bot

        return made

    def open(self, resumed: bool = False, token: str = "again") -> play_pb2.Hello:
        """Begin a stream; returns the hello."""
        hello = self.session.hello().hello
        limits = play_pb2.Limits(note_bytes=20)
        welcome = play_pb2.Welcome(
            protocol_version=1,
            referee_version="9",
            name="scribe",
            resume_token=token,
            resumed=resumed,
            limits=limits,
        )
        self.session.receive(play_pb2.PlayResponse(welcome=welcome), 0.0)
        return hello

    def message(self, *parts: object, at: float = 0.0) -> play_pb2.PlayRequest | None:
        """Deliver a bundle, decide what it asks, and return what the session sends."""
        message = play_pb2.PlayResponse()
        fields = {
            play_pb2.Seated: message.seated,
            play_pb2.Told: message.told,
            play_pb2.Ask: message.asks,
            play_pb2.Over: message.over,
            play_pb2.Fault: message.faults,
        }
        for part in parts:
            fields[type(part)].append(part)
        for bundle in self.session.bundles(self.session.receive(message, at)):
            self.session.decide(bundle)
        return self.session.take()


def seated(match: str = "m1", seat: int = 0, **more: object) -> play_pb2.Seated:
    return play_pb2.Seated(match_id=match, game=GAME, seat=seat, players=["scribe", "other"], **more)


def asked(number: int = 1, match: str = "m1", seat: int = 0, **more: object) -> play_pb2.Ask:
    return play_pb2.Ask(match_id=match, ask=number, seat=seat, option_count=5, kind="choose", **more)


def over(match: str = "m1", seat: int = 0) -> play_pb2.Over:
    return play_pb2.Over(
        match_id=match, seat=seat, result=common_pb2.Result(places=[1, 2], points=[9, 4], reason="end")
    )
