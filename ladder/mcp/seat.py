"""One client's bot: the kit's session runs in a thread of its own, and its `decide` waits for a tool call.

The thread of the session and the threads of tool calls meet in `ModelSeat`, under one condition. A decision that gets
no answer before its time runs out raises `NoAnswer`: the kit reports it to the referee, whose stand-in plays as for
every bot that is late.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from bots.ask import AnyAsk, Table
from bots.bot import Bot, Rating
from bots.client import NO_TLS, Departure, sit_down
from bots.in_words import WordedAsk, event_line
from bots.redial import PATIENCE
from bots.session import Profile
from bots.tls import Trust
from referee.kernel.errors import IllegalAnswer, KumiteError
from referee.kernel.game import Event, Option, Result

MOST_LINES = 200
"""Most events, and most lines of the kit, that a seat keeps until its client reads them; the oldest are dropped."""
IDLE = 30 * 60.0
"""Seconds without a tool call after which a bot leaves the referee: its client is gone."""
MARGIN = 0.25
"""Seconds after the end of a decision's time at which the bot gives up: the referee's own clock ends it before."""
SOFTWARE = "kumite mcp"


class NoAnswer(Exception):
    """The model gave no answer to a decision."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where and as whom a bot goes to a referee."""

    address: str
    name: str
    """The name in the hello; empty: the token decides."""
    token: str | None = None
    trust: Trust = NO_TLS
    patience: float = PATIENCE
    """Seconds for which an address is dialled at which no referee has answered yet."""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """How a match ended."""

    table: Table
    result: Result | None
    """None: the match was stopped."""
    rating: Rating | None
    """None: the match was not rated."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a client is told: a snapshot of a seat."""

    name: str
    game: str
    table: Table | None
    """None: no match has begun."""
    ask: WordedAsk | None
    """The open decision; None: there is none."""
    events: Sequence[str]
    """What happened since the client's last answer."""
    news: Sequence[str]
    """Lines of the kit that the client was not told yet."""
    outcome: MatchOutcome | None
    """None: no match of this seat is over."""
    ended: str | None
    """Why the bot is no longer at the referee; None: it is there, or dials."""


class ModelSeat:
    """One client's bot, for one match."""

    def __init__(self, entry: Entry, game: str) -> None:
        self.entry = entry
        self.game = game
        self._changed = threading.Condition()
        self._departure = Departure()
        self._table: Table | None = None
        self._open: WordedAsk | None = None
        self._answer: tuple[int, str] | None = None
        self._answered: dict[int, str] = {}
        self._missed: set[int] = set()
        self._events: deque[str] = deque(maxlen=MOST_LINES)
        self._news: deque[str] = deque(maxlen=MOST_LINES)
        self._connected = False
        self._rating: Rating | None = None
        self._outcome: MatchOutcome | None = None
        self._ended: str | None = None
        self._called = time.monotonic()
        threading.Thread(target=self._play, name="kumite-mcp-seat", daemon=True).start()
        threading.Thread(target=self._watch, name="kumite-mcp-watch", daemon=True).start()

    @property
    def over(self) -> bool:
        """Whether the bot is no longer at the referee."""
        return self._ended is not None

    @property
    def playing(self) -> bool:
        """Whether a match has begun and is not over."""
        return self._table is not None and self._outcome is None and self._ended is None

    def greeted(self, seconds: float) -> None:
        """Wait at most so long until the referee has welcomed or refused the bot."""
        with self._changed:
            self._changed.wait_for(lambda: self._connected or self._ended is not None, seconds)

    def wait(self, seconds: float) -> Situation:
        """The situation once a decision is open or the bot has left the referee, at the latest after `seconds`."""
        with self._changed:
            self._called = time.monotonic()
            self._changed.wait_for(lambda: self._due() or self._ended is not None, seconds)
            return self._situation()

    def look(self) -> Situation:
        """The situation now."""
        return self.wait(0.0)

    def answer(self, number: int, text: str, note: str) -> str:
        """Answer the open decision; returns the option in words. Raises IllegalAnswer, and nothing is sent then."""
        with self._changed:
            self._called = time.monotonic()
            shown = self._asked(number)
            index = shown.found(text)
            words = shown.words(index)
            self._answer = (index, note)
            self._answered[number] = f"{index}: {words}"
            self._events.clear()
            self._changed.notify_all()
            return words

    def leave(self) -> None:
        """Leave the referee; a match that runs is left as when a connection breaks."""
        with self._changed:
            self._departure.leave()
            self._changed.notify_all()

    def _asked(self, number: int) -> WordedAsk:
        """The open decision; raises IllegalAnswer unless it has this number."""
        current = self._open if self._due() else None
        if current is None and self._answer is None and self._open is not None:
            self._missed.add(self._open.ask.number)
        if current is not None and current.ask.number == number:
            return current
        if number in self._answered:
            raise IllegalAnswer(f"ask {number} is answered already, with option {self._answered[number]}: call wait")
        if current is not None:
            late = "is over" if number in self._missed else "is not open"
            raise IllegalAnswer(f"ask {number} {late}: the open ask is {current.ask.number}: {current.question}")
        if number in self._missed:
            raise IllegalAnswer(f"ask {number} is over: its time ran out, and the referee played for you: call wait")
        raise IllegalAnswer("no decision is open: call wait")

    def _due(self) -> bool:
        """Whether a decision is open, not answered, and has time left."""
        shown = self._open
        return shown is not None and self._answer is None and shown.ask.clock.remaining != 0.0

    def _situation(self) -> Situation:
        news = tuple(self._news)
        self._news.clear()
        return Situation(
            self.entry.name,
            self.game,
            self._table,
            self._open if self._due() else None,
            tuple(self._events),
            news,
            self._outcome,
            self._ended,
        )

    # What follows is called by the thread of the session.

    def decided(self, ask: AnyAsk) -> Option:
        """The model's answer to an ask; raises NoAnswer if its time runs out, or the bot leaves."""
        remaining = ask.clock.remaining
        patience = None if remaining is None else remaining + MARGIN
        with self._changed:
            self._open, self._answer = WordedAsk(ask), None
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._answer is not None or self._departure.is_due(), patience)
            answer = self._taken()
            if answer is None:
                self._missed.add(ask.number)
                raise NoAnswer("the model has left" if self._departure.is_due() else "the model gave no answer in time")
            index, note = answer
            if note:
                ask.note(note)
            return index

    def _taken(self) -> tuple[int, str] | None:
        """The index and the note that the client gave, if any; the decision is closed."""
        answer, self._open, self._answer = self._answer, None, None
        return answer

    def begun(self, table: Table) -> None:
        """A match begins."""
        with self._changed:
            self._table = table

    def told(self, events: Sequence[Event]) -> None:
        """Keep events for the client."""
        with self._changed:
            if self._table is not None:
                self._events.extend(event_line(self._table, event) for event in events)

    def rated(self, rating: Rating) -> None:
        """Keep the rating for the outcome."""
        self._rating = rating

    def finished(self, result: Result | None) -> None:
        """The match is over."""
        with self._changed:
            if self._table is not None:
                self._outcome = MatchOutcome(self._table, result, self._rating)
            self._changed.notify_all()

    def _heard(self, line: str) -> None:
        """Keep a line of the kit; of the trace of an exception only the first line, which says what it is."""
        with self._changed:
            self._connected = self._connected or " connected (referee " in line or " its tables up again" in line
            if not line.startswith("the bot raised in decide"):
                self._news.append(line.splitlines()[0])
            self._changed.notify_all()

    def _play(self) -> None:
        entry = self.entry
        profile = Profile(name=entry.name, games=(self.game,), tables=1, matches=1, software=SOFTWARE)
        try:
            sit_down(
                profile,
                lambda: ModelBot(self),
                entry.address,
                token=entry.token,
                trust=entry.trust,
                patience=entry.patience,
                report=self._heard,
                departure=self._departure,
            )
            reason = "the match is over" if self._outcome is not None else "the bot has left the referee"
        except KumiteError as error:
            reason = str(error)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            reason = "the session failed; the program's standard error says why"
        with self._changed:
            self._ended = reason
            self._changed.notify_all()

    def _watch(self) -> None:
        """Leave when the client has been gone for `IDLE` seconds."""
        with self._changed:
            while self._ended is None and not self._departure.is_due():
                left = self._called + IDLE - time.monotonic()
                if left <= 0:
                    self._news.append(f"no tool was called for {IDLE / 60:.0f} minutes")
                    self._departure.leave()
                    self._changed.notify_all()
                self._changed.wait(max(left, 0.0))


class ModelBot(Bot):
    """The kit's bot of a seat: passes every call on."""

    def __init__(self, seat: ModelSeat) -> None:
        self._seat = seat

    def decide(self, ask: AnyAsk) -> Option:
        return self._seat.decided(ask)

    def seated(self, table: Table) -> None:
        self._seat.begun(table)

    def told(self, events: Sequence[Event]) -> None:
        self._seat.told(events)

    def rated(self, rating: Rating) -> None:
        self._seat.rated(rating)

    def over(self, result: Result | None) -> None:
        self._seat.finished(result)
