"""A session under test without a server, the bots that sit in it, and the messages that it is fed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypedDict, TypeVar, Unpack

from bots.ask import AnyAsk, Table
from bots.bot import Bot
from bots.session import ClientSession, Profile
from referee.kernel.game import Event, Option, Result
from referee.v1 import common_pb2, play_pb2

GAME = "a_game_of_tomorrow"

B = TypeVar("B", bound=Bot)
Part = play_pb2.Seated | play_pb2.Told | play_pb2.Ask | play_pb2.Over | play_pb2.Fault


class ProfileFields(TypedDict, total=False):
    """Fields of a profile that tests set."""

    name: str
    games: tuple[str, ...] | None
    tables: int
    matches: int | None
    events: bool
    software: str
    seed: int | str | None
    development: bool


class SeatedFields(TypedDict, total=False):
    """Fields of a seated message that tests set."""

    variant: Mapping[str, str]
    development: bool
    is_ready: bool


class AskFields(TypedDict, total=False):
    """Fields of an ask that tests set, times in microseconds."""

    bank_us: int
    budget_us: int
    charged_us: int
    network_us: int
    queued_us: int
    events: Iterable[common_pb2.Event]


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


class Bench(Generic[B]):
    """A session under test, with the bots it made and the lines it reported."""

    def __init__(self, make: Callable[[], B], **profile: Unpack[ProfileFields]) -> None:
        self.made: list[B] = []
        self.lines: list[str] = []
        profile.setdefault("name", "scribe")
        self.session = ClientSession(Profile(**profile), self._make(make), self.lines.append)

    def _make(self, make: Callable[[], B]) -> Callable[[], B]:
        def made() -> B:
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

    def message(self, *parts: Part, at: float = 0.0) -> play_pb2.PlayRequest | None:
        """Deliver a bundle, decide what it asks, and return what the session sends."""
        message = play_pb2.PlayResponse(
            seated=[part for part in parts if isinstance(part, play_pb2.Seated)],
            told=[part for part in parts if isinstance(part, play_pb2.Told)],
            asks=[part for part in parts if isinstance(part, play_pb2.Ask)],
            over=[part for part in parts if isinstance(part, play_pb2.Over)],
            faults=[part for part in parts if isinstance(part, play_pb2.Fault)],
        )
        for bundle in self.session.bundles(self.session.receive(message, at)):
            self.session.decide(bundle)
        return self.session.take()

    def reply(self, *parts: Part, at: float = 0.0) -> play_pb2.PlayRequest:
        """Deliver a bundle that the session must send something for, and return what it sends."""
        sent = self.message(*parts, at=at)
        assert sent is not None
        return sent


def seated(match: str = "m1", seat: int = 0, **more: Unpack[SeatedFields]) -> play_pb2.Seated:
    return play_pb2.Seated(match_id=match, game=GAME, seat=seat, players=["scribe", "other"], **more)


def asked(number: int = 1, match: str = "m1", seat: int = 0, **more: Unpack[AskFields]) -> play_pb2.Ask:
    return play_pb2.Ask(match_id=match, ask=number, seat=seat, option_count=5, kind="choose", **more)


def over(match: str = "m1", seat: int = 0) -> play_pb2.Over:
    return play_pb2.Over(
        match_id=match, seat=seat, result=common_pb2.Result(places=[1, 2], points=[9, 4], reason="end")
    )
