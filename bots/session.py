"""A bot's side of the protocol, without any I/O: messages go in, asks and messages come out.

The driver of a session opens a stream and sends `hello()`, passes every message to `receive`, calls `decide` for each
of the `bundles` of asks that `receive` returned, and sends what `take` returns. When a stream has ended, `closing` says
what to do next; a new stream begins with `hello()` again, and the bot's matches continue.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from bots.ask import AnyAsk, Ask, Table
from bots.bot import Bot, Rating
from bots.clock import UNLIMITED, ClockSettings
from bots.errors import BotFailed
from bots.match_logs import MatchLogs
from bots.seated_bot import MICROSECOND, SeatedBot, Spent, clock_of, together
from referee.codec import decoding
from referee.kernel.game import Seat
from referee.kernel.raised import described, trace
from referee.v1 import common_pb2, play_pb2

PROTOCOL_VERSION = 1
NOTE_BYTES = 1024
"""Most bytes of a note in UTF-8, unless the referee's welcome names another limit."""
FAILURES, FAILURES_WITHIN = 20, 60.0
"""The session reports at most `FAILURES` failures outside of decisions to the referee in `FAILURES_WITHIN` seconds."""


class Next(Enum):
    """What the driver does when a stream has ended."""

    RESUME = "open a new stream after a pause"
    STOP = "leave: this is a good end"
    REFUSED = "leave: it will not get better"


_NEXT = {
    play_pb2.FAULT_CODE_BAD_HELLO: Next.REFUSED,
    play_pb2.FAULT_CODE_VERSION: Next.REFUSED,
    play_pb2.FAULT_CODE_UNAUTHENTICATED: Next.REFUSED,
    play_pb2.FAULT_CODE_NAME_TAKEN: Next.REFUSED,
    play_pb2.FAULT_CODE_OUT_OF_ORDER: Next.REFUSED,
    play_pb2.FAULT_CODE_NO_GAME: Next.REFUSED,
    play_pb2.FAULT_CODE_REVOKED: Next.REFUSED,
    play_pb2.FAULT_CODE_KICKED: Next.REFUSED,
    play_pb2.FAULT_CODE_TAKEN_OVER: Next.STOP,
    play_pb2.FAULT_CODE_SHUTDOWN: Next.STOP,
}
"""The next step after a fault that closes a stream; after every other fault, also one of an unknown code, RESUME."""

_HARMLESS = frozenset(
    (play_pb2.FAULT_CODE_DUPLICATE, play_pb2.FAULT_CODE_STALE, play_pb2.FAULT_CODE_UNKNOWN_MATCH),
)
"""Faults of an answer that was sent twice because of a break, or that arrived after the end of the match."""

_NEWS = frozenset(
    (play_pb2.FAULT_CODE_VOIDED, play_pb2.FAULT_CODE_PAUSED, play_pb2.FAULT_CODE_SET_ASIDE),
)
"""Faults that tell of an organiser's act; the bot has nothing to correct."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Why the referee closed a stream."""

    next: Next
    message: str
    code: play_pb2.FaultCode = play_pb2.FAULT_CODE_UNSPECIFIED
    address: str = ""
    """The address to dial next, if the code is FAULT_CODE_REDIRECTED."""
    retry_after: float = 0.0
    """Least seconds to wait before the next stream."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a bot's hello says, and the settings of its session."""

    name: str
    """The name in the hello; empty: the bearer token decides the name."""
    games: tuple[str, ...] | None = None
    """The games that the bot offers to play; None: all games."""
    tables: int = 1
    """Most tables at a time."""
    matches: int | None = None
    """Number of matches before the bot leaves; None: no limit."""
    events: bool = True
    """Whether the referee sends events with asks."""
    plays_people: bool = False
    """Whether the bot also plays at tables where a person sits."""
    software: str = ""
    """The text that tells this build of the bot from others."""
    seed: int | str | None = None
    """The seed that makes `ask.rng` of every match reproducible; None: random."""
    development: bool = False
    """Whether the first exception or fault ends the session."""


class _Seat:
    """One bot at one table, with its last answer, which is sent again if the ask comes again."""

    __slots__ = ("answer", "player")

    def __init__(self, player: SeatedBot) -> None:
        self.player = player
        self.answer: play_pb2.Answer | None = None


class ClientSession:
    """One bot's tables and its unsent messages, across any number of streams."""

    def __init__(
        self,
        profile: Profile,
        make: Callable[[], Bot],
        report: Callable[[str], None],
        resume_token: str = "",
        logs: MatchLogs | None = None,
    ) -> None:
        """`make` gives the bot of each match; `report` gets lines for people; `resume_token` gives running matches
        back.

        `logs` is told for which match the bot is being called.
        """
        self._profile = profile
        self._logs = logs
        self._make = make
        self._report = report
        self._seats: dict[tuple[str, Seat], _Seat] = {}
        self._out = play_pb2.PlayRequest()
        self.resume_token = resume_token
        """The token with which a new stream, or a new process, gets the bot's tables back."""
        self._note_bytes = NOTE_BYTES
        self._at = 0.0
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._unseated: dict[tuple[str, Seat], str] = {}
        """Tables at which the bot's `seated` raised, and the exception in one line."""
        self.name = profile.name
        """The name under which the bot plays; before the welcome, the name in its hello."""
        self.known = False
        """Whether a referee has ever welcomed the bot."""
        self._started = 0
        self.finished = 0
        """Number of matches that are over."""
        self.welcomed = False
        """Whether the referee has sent its welcome on the current stream."""
        self.closing: Closing | None = None
        """Why the referee closes the current stream; None: no closing fault has come."""

    @property
    def done(self) -> bool:
        """Whether the bot has played the wanted number of matches."""
        wanted = self._profile.matches
        return wanted is not None and self._started >= wanted and not self._seats

    @property
    def idle(self) -> bool:
        """Whether a referee has welcomed the bot and no match is running, so that the bot has none to resume."""
        return self.known and not self._seats

    def hello(self) -> play_pb2.PlayRequest:
        """The first message of a new stream. Unsent messages are dropped, because the referee asks again."""
        profile = self._profile
        self._out = play_pb2.PlayRequest()
        self.welcomed = False
        self.closing = None
        message = play_pb2.PlayRequest()
        hello = message.hello
        hello.protocol_version = PROTOCOL_VERSION
        hello.name = profile.name
        hello.software = profile.software
        hello.tables = profile.tables if profile.matches is None else min(profile.tables, profile.matches)
        hello.events = profile.events
        hello.plays_people = profile.plays_people
        hello.resume_token = self.resume_token
        for game in profile.games or ():
            hello.offers.add().game = game
        return message

    def receive(self, message: play_pb2.PlayResponse, at: float) -> list[AnyAsk]:
        """Handle a message in the order that the protocol gives to its parts; returns the asks to decide.

        `at` is the `time.monotonic()` of the message's arrival.
        """
        self._at = at
        if message.HasField("welcome"):
            self._welcome(message.welcome)
        for seated in message.seated:
            self._seated(seated)
        for told in message.told:
            seat = self._seats.get((told.match_id, told.seat))
            if seat is not None:
                self._print_for(told.match_id)
                self._guard(seat.player.table, "told", partial(seat.player.told, decoding.events(told.events)))
        asks = [ask for ask in (self._ask(asked, at) for asked in message.asks) if ask is not None]
        for over in message.over:
            self._over(over)
        for fault in message.faults:
            self._fault(fault)
        self._print_for()
        return asks

    def _print_for(self, *matches: str) -> None:
        """Assign what is printed from now on to the logs of these matches; without a match, to all logs."""
        if self._logs is not None:
            self._logs.turn_to(*matches)

    def _end_log(self, match: str) -> None:
        if self._logs is not None:
            self._logs.over(match)

    def bundles(self, asks: Sequence[AnyAsk]) -> list[list[AnyAsk]]:
        """The asks in the groups in which they are decided: for a bot with `decide_many` all at once, else one by one.

        Of two asks to one seat only the later one still waits for an answer.
        """
        latest = {(ask.match, ask.seat): ask for ask in asks}
        found: list[list[AnyAsk]] = []
        shared: dict[int, list[AnyAsk]] = {}
        for key, ask in latest.items():
            seat = self._seats.get(key)
            if seat is None:
                continue
            bundle = shared.get(id(seat.player.bot)) if seat.player.bundles else None
            if bundle is None:
                bundle = shared[id(seat.player.bot)] = []
                found.append(bundle)
            bundle.append(ask)
        return found

    def decide(self, asks: Sequence[AnyAsk]) -> None:
        """Let a bot decide a bundle and keep its answers, or a report of its exception, for `take`."""
        self._print_for(*(ask.match for ask in asks))
        self._decide(asks)
        self._print_for()

    def _decide(self, asks: Sequence[AnyAsk]) -> None:
        players = [self._seats[ask.match, ask.seat].player for ask in asks]
        bot = players[0].bot
        try:
            for player, ask in zip(players, asks, strict=True):
                player.hear(ask)
            choices = together(bot, asks) if players[0].bundles else [bot.decide(ask) for ask in asks]
        except Exception as error:
            more = f" and {len(asks) - 1} more" if len(asks) > 1 else ""
            for ask in asks:
                self._cannot_answer(ask.match, ask.seat, ask.number, _described(error))
            self._failed(asks[0].table, f"decide, at {asks[0]!r}{more}", error)
            return
        for player, ask, choice in zip(players, asks, choices, strict=True):
            try:
                self._answer(ask, player.answer(ask, choice))
            except Exception as error:  # an IllegalAnswer, or an exception of comparing the choice with the options
                self._cannot_answer(ask.match, ask.seat, ask.number, _described(error))
                self._failed(ask.table, f"decide, at {ask!r}", error)

    def _answer(self, ask: AnyAsk, index: int) -> None:
        answer = self._out.answers.add()
        answer.match_id = ask.match
        answer.ask = ask.number
        answer.option = index
        answer.seat = ask.seat
        if ask.noted:
            answer.note = _cut(ask.noted, self._note_bytes)
        self._seats[ask.match, ask.seat].answer = answer

    @property
    def failing(self) -> bool:
        """Whether the next message reports a failure, for which a table may be waiting."""
        return bool(self._out.failures)

    def take(self) -> play_pb2.PlayRequest | None:
        """The next message to send; None: there is nothing to send."""
        message = self._out
        if not message.ByteSize():
            return None
        self._out = play_pb2.PlayRequest()
        return message

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        self.welcomed = self.known = True
        self._note_bytes = welcome.limits.note_bytes or NOTE_BYTES
        if self._seats and not welcome.resumed and welcome.resume_token != self.resume_token:
            self._report(f"the referee has forgotten {len(self._seats)} running matches")
            for match, _ in self._seats:
                self._end_log(match)
            self._seats.clear()
        self.resume_token = welcome.resume_token
        self.name = welcome.name or self.name
        self._limit_tables()
        how = "took its tables up again" if welcome.resumed else "connected"
        self._report(f"{self.name} {how} (referee {welcome.referee_version})")

    def _seated(self, seated: play_pb2.Seated) -> None:
        key = (seated.match_id, seated.seat)
        if key not in self._seats:
            table = Table(
                seated.match_id,
                seated.game,
                seated.seat,
                tuple(seated.players),
                dict(seated.variant),
                seated.development,
                _control(seated.clock) if seated.HasField("clock") else None,
            )
            self._print_for(table.match)
            seat = self._sit(table)
            reason = self._guard(table, "seated", seat.player.seated)
            if reason:
                del self._seats[key]
                self._unseated[key] = reason
                return
        if not seated.is_ready:
            ready = self._out.ready.add()
            ready.match_id = seated.match_id
            ready.seat = seated.seat

    def _sit(self, table: Table) -> _Seat:
        bot = self._make()
        base = bot.seed if self._profile.seed is None else self._profile.seed
        seed = None if base is None else f"{base}/{table.match}/{table.seat}"
        seat = self._seats[table.match, table.seat] = _Seat(SeatedBot(bot, table, seed))
        self._started += 1
        self._limit_tables()
        return seat

    def _limit_tables(self) -> None:
        """Ask for no further tables once the wanted number of matches has begun."""
        if self._profile.matches is not None and self._started >= self._profile.matches:
            self._out.availability.tables = 0

    def _ask(self, asked: play_pb2.Ask, at: float) -> AnyAsk | None:
        seat = self._seats.get((asked.match_id, asked.seat))
        if seat is None:
            reason = self._unseated.get((asked.match_id, asked.seat))
            if reason is None:
                self._report(f"asked at an unknown table, match {asked.match_id}")
            known = "the bot knows no such table" if reason is None else f"CannotPlay: {reason}"
            self._cannot_answer(asked.match_id, asked.seat, asked.ask, known)
            return None
        if seat.answer is not None and seat.answer.ask == asked.ask:
            self._out.answers.add().CopyFrom(seat.answer)
            return None
        clock = UNLIMITED
        if asked.HasField("bank_us"):
            budget = asked.budget_us if asked.HasField("budget_us") else None
            spent = Spent(asked.charged_us, asked.network_us, asked.queued_us)
            clock = clock_of(seat.player.table, asked.ask, asked.bank_us, budget, spent, at)
        return Ask(
            seat.player.table,
            asked.ask,
            asked.kind,
            asked.option_count,
            decoding.Received(asked),
            rng=seat.player.rng,
            events=decoding.events(asked.events) if asked.events else (),
            clock=clock,
        )

    def _over(self, over: play_pb2.Over) -> None:
        seat = self._seats.pop((over.match_id, over.seat), None)
        self._unseated.pop((over.match_id, over.seat), None)
        if seat is None:
            self._end_log(over.match_id)
            return
        self._print_for(over.match_id)
        self.finished += 1
        result = decoding.result(over.result) if over.HasField("result") else None
        table = seat.player.table
        if result is None:
            outcome = "stopped"
        else:
            place, points = result.places[table.seat], result.points[table.seat]
            outcome = f"place {place} of {len(result.places)}, {points} points"
        rating = _rating(over, table.seat)
        moved = [] if rating is None else [_moved(rating)]
        endings = [ending.message for ending in over.endings if ending.message]
        self._report("; ".join([f"match {table.match} ({table.game_name}) is over: {outcome}", *moved, *endings]))
        if rating is not None:
            self._guard(table, "rated", partial(seat.player.bot.rated, rating))
        self._guard(table, "over", partial(seat.player.over, result))
        self._end_log(over.match_id)

    def _fault(self, fault: play_pb2.Fault) -> None:
        if fault.closes_stream:
            if fault.code == play_pb2.FAULT_CODE_UNKNOWN_RESUME:
                self.resume_token = ""
            self.closing = Closing(
                _NEXT.get(fault.code, Next.RESUME),
                _one_line(fault.message) or f"the referee closes the stream with code {fault.code}",
                fault.code,
                fault.address,
                fault.retry_after_us * MICROSECOND,
            )
            return
        if fault.code in _HARMLESS:
            return
        if (fault.match_id, fault.seat) in self._seats:
            self._print_for(fault.match_id)
        if fault.code in _NEWS:
            where = f"match {fault.match_id}: " if fault.match_id else ""
            self._report(f"{where}{_one_line(fault.message)}")
            return
        where = f"match {fault.match_id}, seat {fault.seat}, ask {fault.ask}: " if fault.match_id else ""
        line = f"fault: {where}{_one_line(fault.message)}"
        seat = self._seats.get((fault.match_id, fault.seat))
        if fault.counted and (self._profile.development or (seat is not None and seat.player.table.development)):
            raise BotFailed(line)
        self._report(line)

    def _guard(self, table: Table, what: str, call: Callable[[], None]) -> str:
        """Call into the bot; returns the exception in one line, which the next message reports; empty: no exception."""
        try:
            call()
        except Exception as error:
            reason = _described(error)
            if len(self._failures) < FAILURES or self._at - self._failures[0] >= FAILURES_WITHIN or what == "seated":
                self._failures.append(self._at)
                self._cannot_answer(table.match, table.seat, 0, reason)
            self._failed(table, what, error)
            return reason
        return ""

    def _cannot_answer(self, match: str, seat: Seat, ask: int, reason: str) -> None:
        """Report a failure with the next message; the referee's stand-in then answers the ask, if one is named."""
        failure = self._out.failures.add()
        failure.match_id = match
        failure.seat = seat
        failure.ask = ask
        failure.message = _cut(reason, self._note_bytes)

    def _failed(self, table: Table, what: str, error: Exception) -> None:
        """Report the bot's exception with its trace; raises BotFailed in a run for development."""
        line = f"the bot raised in {what} (match {table.match}, {table.game_name}, seat {table.seat})"
        if self._profile.development or table.development:
            raise BotFailed(f"{line}: {_described(error)}") from error
        self._report(f"{line}:\n{trace(error)}")


def pong(message: play_pb2.PlayResponse) -> play_pb2.PlayRequest | None:
    """The reply to a ping; not a part of the session, so that the reading thread replies while the bot thinks."""
    if not message.HasField("ping"):
        return None
    reply = play_pb2.PlayRequest()
    reply.pong.nonce = message.ping.nonce
    return reply


def _control(clock: common_pb2.Clock) -> ClockSettings:
    cap = clock.cap_us * MICROSECOND if clock.cap_us else None
    return ClockSettings(clock.bank_us * MICROSECOND, clock.increment_us * MICROSECOND, cap)


def _rating(over: play_pb2.Over, seat: Seat) -> Rating | None:
    """The rating of a seat's bot before and after a match; None: the match was not rated."""
    if seat >= len(over.ratings):
        return None
    told = over.ratings[seat]
    return Rating(told.rating_before, told.rating_after, told.deviation, told.games, told.rank)


def _moved(rating: Rating) -> str:
    games = f"{rating.games} game{'' if rating.games == 1 else 's'}"
    rank = f"rank {rating.rank}" if rating.rank else "not ranked yet"
    return f"rating {rating.before:.0f} -> {rating.after:.0f}, {games}, {rank}"


def _described(error: Exception) -> str:
    """The type, the message and the author's line of an exception, in one line."""
    return _one_line(described(error))


def _one_line(text: str) -> str:
    """The text without line breaks and without control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _cut(text: str, limit: int) -> str:
    """The text, cut to a number of bytes of UTF-8; characters that UTF-8 cannot encode become question marks."""
    return text.encode(errors="replace")[:limit].decode(errors="ignore")
