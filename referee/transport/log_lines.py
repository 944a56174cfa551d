"""The referee's log: a line for each bot that connects, disconnects or is refused, and for each match and its seats.

Each line is a record of the standard library's `logging` with its `event` and fields as `extra`: match, bot, build,
seat, code and so on; the command chooses the format. No line holds a view, an option, a note, a secret or a token: the
fields are named here one by one, and of the texts that bots send only names, software and addresses are repeated, cut
and made printable. A refused name that has the form of a token is left out, because a bot's author may have sent the
token as the name.

Bots decide how often they dial, so a token bucket bounds each of the kinds connect, disconnect and refusal: `AT_ONCE`
lines, then `PER_SECOND`. Lines that were left out are counted, and the count is a line of its own.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from referee.kernel.game import Seat
from referee.match.clock import SECOND
from referee.match.playtime import monotonic
from referee.match.policy import Fault, clean, printable
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.auth import bad_name
from referee.transport.counters import HUNG_UP, Counters
from referee.transport.limits import Bucket
from referee.transport.messages import cut
from referee.v1 import play_pb2 as pb

if TYPE_CHECKING:
    from referee.transport.stream import BotStream

AT_ONCE = 20
"""Most lines of one bounded kind at once."""
PER_SECOND = 5
"""Lines of one bounded kind a second over a longer time."""
TOLD_EVERY = 5 * SECOND
"""Microseconds from the first line that was left out to the line with their count."""
SHOWN = 100
"""Most characters of a bot's own text in a field."""
REASON = 400
"""Most characters of the reason of a refusal or an end."""
LONGEST_NAME = 64
"""Most characters of a bot's name."""
UNIX = "unix"
"""The address of a caller on a unix socket."""
GOODBYES = (pb.FAULT_CODE_SHUTDOWN, pb.FAULT_CODE_RESTARTING)
"""The codes with which every stream is closed when the referee ends."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}|[A-Za-z0-9_-]{43}")
"""The form of a resume token or a bearer token."""
_logger = logging.getLogger(__name__)


def code_name(code: pb.FaultCode) -> str:
    """The name of a fault code in logs and metrics: NAME_TAKEN for FAULT_CODE_NAME_TAKEN."""
    return pb.FaultCode.Name(code).removeprefix("FAULT_CODE_")


class LogLines:
    """Writes the log lines of one referee, and counts the same happenings."""

    def __init__(
        self,
        counters: Counters,
        *,
        build: Callable[[str], str] = lambda name: "",
        is_token: Callable[[str], bool] = lambda text: False,
        now: Callable[[], int] = monotonic,
    ) -> None:
        """`build` returns the build of a bot that has just said hello, by name; empty: the software that it declares.

        `is_token`: whether a text is the bearer token of an entrant. `now` is a clock in microseconds.
        """
        self._counters = counters
        self._build = build
        self._is_token = is_token
        self._now = now
        self._buckets: dict[str, Bucket] = {}
        self._untold: dict[str, Counter[str]] = {}
        """Lines that were left out and not told yet: their number by event and code."""
        self._since: dict[str, int] = {}
        """When the first of those lines was left out, by event."""

    def welcomed(self, stream: BotStream) -> None:
        """The hello on a stream was answered with a welcome."""
        session = stream.session
        if session is None:
            return
        session.build = self._build(session.name) or session.software
        resumed = session.tables > 0
        self._counters.connects += 1
        self._counters.resumes += resumed
        if not self._admit("connect"):
            return
        again = " again, and its tables have waited" if resumed else ""
        self._write(
            "connect",
            f"{session.name} is here{again}",
            bot=session.name,
            software=shown(session.software),
            build=shown(session.build),
            resumed=resumed,
            proven=session.proven,
            address=stream.origin or UNIX,
        )

    def left(self, stream: BotStream, at: int) -> None:
        """A stream has ended; a line is written if a bot had said hello on the stream."""
        code = HUNG_UP if stream.closing is None else code_name(stream.closing.code)
        self._counters.closed[code] += 1
        session = stream.session
        if session is None or not self._admit("disconnect", code):
            return
        why = "its stream ended" if stream.closing is None else shown(stream.closing.message, REASON)
        self._write(
            "disconnect",
            f"{session.name} is gone: {why}",
            bot=session.name,
            build=shown(session.build),
            code=code,
            tables=session.tables,
            seconds=round((at - stream.opened) / SECOND, 3),
        )

    def closes(self, stream: BotStream) -> None:
        """The referee closes a stream: without a welcome this is a refusal, unless the referee itself ends."""
        fault, name = stream.closing, stream.said_name
        if fault is None or stream.session is not None or (name is None and fault.code in GOODBYES):
            return
        hidden = name if name and self._is_token(name) else ""
        self.refused(fault.code, fault.message, stream.origin, name or "", (stream.token, hidden))

    def refused(self, code: pb.FaultCode, text: str, origin: str, name: str = "", hidden: tuple[str, ...] = ()) -> None:
        """A stream or a call was refused.

        `name`: the unproven name of the hello. `hidden`: texts that the line must not hold, such as the call's token.
        """
        self._counters.refusals[code_name(code)] += 1
        if not self._admit("refusal", code_name(code)):
            return
        if _TOKEN.fullmatch(name):
            hidden = (*hidden, name)
        reason = cut(text, REASON, hidden)
        bot = name if name not in hidden and bad_name(name, LONGEST_NAME) is None else ""
        self._write(
            "refusal",
            f"{bot or 'a caller'} was refused: {shown(reason, REASON)}",
            bot=bot,
            code=code_name(code),
            address=origin or UNIX,
        )

    def started(self, terms: Terms, builds: tuple[str, ...], *, rated: bool, restored: bool) -> None:
        """A match begins, or goes on after a restart: one line for the match and one for each seat."""
        self._counters.matches_restored += restored
        self._counters.matches_started += not restored
        if not _logger.isEnabledFor(logging.INFO):
            return
        self._write(
            "start",
            f"{', '.join(terms.players)} {'go on with' if restored else 'begin'} {terms.game}",
            match=terms.match,
            game=terms.game,
            seats=len(terms.players),
            variant=written(terms.variant),
            rated=rated,
            restored=restored,
        )
        for seat, bot in enumerate(terms.players):
            self._seated(terms, seat, bot, builds[seat])

    def _seated(self, terms: Terms, seat: Seat, bot: str, build: str) -> None:
        text = f"{bot} has seat {seat}"
        self._write("seat", text, match=terms.match, bot=bot, build=shown(build), seat=seat)

    def faulted(self, fault: Fault) -> None:
        """Count a fault of a seat; the table writes the log line."""
        self._counters.faults[fault.kind.value] += 1

    def ended(self, terms: Terms, final: Final, *, rated: bool) -> None:
        """A match is over."""
        result = final.result
        self._counters.matches_stopped += result is None
        self._counters.matches_finished += result is not None
        if result is None:
            reason = shown(final.endings[0].message, REASON)
            text = f"{terms.game} ended without a result: {reason}"
            places = ""
        else:
            names = (*terms.players, *result.automata)
            ranked = sorted(zip(result.places, names, result.points, strict=True))
            text = f"{terms.game} is over: " + ", ".join(
                f"{place}. {name} ({points})" for place, name, points in ranked
            )
            places = " ".join(map(str, result.places))
        self._write(
            "end",
            text,
            match=terms.match,
            game=terms.game,
            places=places,
            rated=rated and final.rated,
            endings=" ".join(ending.kind.value for ending in final.endings),
            faults=sum(ending.faults for ending in final.endings),
        )

    def tick(self) -> None:
        """Tell the lines that were left out `TOLD_EVERY` ago; to be called at a steady pace."""
        at = self._now()
        for event in [event for event, since in self._since.items() if at - since >= TOLD_EVERY]:
            self._tell(event)

    def close(self) -> None:
        """Tell all lines that were left out, at the end of the referee."""
        for event in tuple(self._since):
            self._tell(event)

    def _admit(self, event: str, code: str = "") -> bool:
        """Whether a line of a bounded kind is written now; otherwise the line is counted as left out."""
        if not _logger.isEnabledFor(logging.INFO):
            return False
        at = self._now()
        bucket = self._buckets.get(event)
        if bucket is None:
            bucket = self._buckets[event] = Bucket(PER_SECOND, AT_ONCE, at)
        if bucket.take(at):
            return True
        self._since.setdefault(event, at)
        self._untold.setdefault(event, Counter())[code] += 1
        self._counters.left_out[event] += 1
        return False

    def _tell(self, event: str) -> None:
        counts = self._untold.pop(event)
        del self._since[event]
        codes = ", ".join(f"{count} {code}" for code, count in sorted(counts.items()) if code)
        number = counts.total()
        text = f"{number} more of the kind {event} left out, so many came at once{': ' if codes else ''}{codes}"
        self._write("left_out", text, kind=event, count=number)

    @staticmethod
    def _write(event: str, text: str, **fields: object) -> None:
        """Write a line without its empty fields."""
        extra = {name: value for name, value in fields.items() if value != ""}
        _logger.info("%s", text, extra={"event": event, **extra})


def shown(text: str, limit: int = SHOWN) -> str:
    """A bot's own text for a field: cut, in one line, printable."""
    return printable(clean(text, limit))


def written(variant: Mapping[str, str]) -> str:
    """The settings of a match in one text."""
    return " ".join(f"{name}={value}" for name, value in variant.items())
