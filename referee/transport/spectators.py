"""The readers that follow one table, and the messages that they share.

`Spectators` is the table's player for the public (`referee.match.table.RunningTable`): the object takes each position
that the match shows, writes it once, and hands the same bytes to every follower. A table without followers writes
nothing: its match then shows only the positions before a delay (`referee.match.showing`).

A follower keeps at most `QUEUE` positions that it has not sent. One more, and all but the newest are dropped, so a
reader that never reads costs a bounded amount of memory and no time of the match.

Spectators may be shown positions later, by a number of positions (`delay`): the newest ones wait here, and lists, first
messages and followers know nothing of them until further ones have come, or the match is over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from referee.codec import encoding
from referee.codec.protobuf_bytes import Fields
from referee.kernel.game import Seat
from referee.match.match import Match
from referee.match.outputs import Ended, Output, Shown
from referee.match.terms import Terms
from referee.transport.messages import fill_clock, fill_endings, fill_events, fill_result
from referee.v1 import watch_pb2 as pb

QUEUE = 16
"""Most positions that wait to be sent to one follower."""
FOLLOW = Fields(pb.FollowTableResponse)
SNAPSHOT = FOLLOW.number("snapshot", 1)
BEFORE = Shown(0, (), None, (), ())
"""What spectators of a delayed table have before its first position."""


class Summary(NamedTuple):
    """What a list of tables says about the position of a table."""

    number: int
    awaited: tuple[Seat, ...]
    left: tuple[int, ...]


class ShownTable(Protocol):
    """The part of `referee.match.table.RunningTable` that spectators need."""

    @property
    def told(self) -> bool:
        """Whether every output that follows from the state of the match has been carried out."""

    @property
    def delaying(self) -> bool:
        """Whether outputs are delayed to hide a decision without a choice."""


class Follower:
    """One reader of a table: the messages that wait for it."""

    __slots__ = ("_end", "_fresh", "_waiting", "_wake", "ended")

    def __init__(self, wake: Callable[[], None]) -> None:
        """`wake` is called when there is something to take."""
        self._wake = wake
        self._waiting: deque[bytes] = deque()
        self._end = b""
        self._fresh = True
        """Whether the next position does not follow from the one that was taken last."""
        self.ended = False
        """Whether the message with the end was taken."""

    def put(self, position: bytes) -> None:
        """Add a position; if `QUEUE` of them wait, those are dropped."""
        if len(self._waiting) >= QUEUE:
            self._waiting.clear()
            self._fresh = True
        self._waiting.append(position)
        self._wake()

    def finish(self, end: bytes) -> None:
        """Add the message with the end of the match."""
        self._end = end
        self._wake()

    def take(self) -> bytes | None:
        """The next message; None: there is none yet."""
        if self._waiting:
            position = self._waiting.popleft()
            if self._fresh:
                self._fresh = False
                return position + SNAPSHOT
            return position
        if self._end and not self.ended:
            self.ended = True
            return self._end
        return None


class Spectators:
    """The public side of one table."""

    def __init__(self, match: Match, rated: bool = True, shown: Callable[[str], str] = str, delay: int = 0) -> None:
        """`shown` returns the name under which others see a bot; `delay` is the number of positions that wait."""
        self._match = match
        self._delay = delay
        self._held: deque[Shown] = deque()
        """The newest positions, which spectators do not know yet."""
        self._rated = rated
        self._name = shown
        self._encode: Callable[[object], bytes] | None = None
        self._table: ShownTable | None = None
        self._followers: dict[Follower, None] = {}
        self._latest: Shown | None = None
        """The last position that the match put out. Later positions may exist unless the table delays."""
        self._snapshot = (-1, b"")
        """The number of a position and its message without events."""
        self._end = b""
        if delay:
            self._latest = BEFORE
        match.public.show(delay > 0)

    @property
    def terms(self) -> Terms:
        """The terms of the match."""
        return self._match.terms

    def attend(self, table: ShownTable) -> None:
        """Look at the table of the match from now on."""
        self._table = table

    def send(self, output: Output) -> None:
        """Take what the table has for the public."""
        if isinstance(output, Shown):
            self._held.append(output)
            self._let_go(self._delay)
        elif isinstance(output, Ended):
            self._let_go(0)
            self._end = self._written_end(output)
            for follower in self._followers:
                follower.finish(self._end)

    def _let_go(self, most: int) -> None:
        """Show what no longer waits: all positions but the newest `most`."""
        while len(self._held) > most:
            self._latest = self._held.popleft()
            if self._followers:
                self._publish(self._written(self._latest))

    def follow(self, wake: Callable[[], None]) -> Follower:
        """A new reader, with the present position waiting for it unless the position is not known yet."""
        follower = Follower(wake)
        if not self._followers:
            self._match.public.show(True)
        self._followers[follower] = None
        self.offer(follower)
        return follower

    def offer(self, follower: Follower) -> bool:
        """Give a reader the present position; False: not known, because the table is about to tell more."""
        position = self._position()
        if position is None:
            return False
        if position.number != self._snapshot[0]:
            self._snapshot = position.number, self._written(position._replace(events=()))
        follower.put(self._snapshot[1])
        if self._end:
            follower.finish(self._end)
        return True

    def leave(self, follower: Follower) -> None:
        """Forget a reader."""
        self._followers.pop(follower, None)
        if not self._followers:
            self._match.public.show(self._delay > 0)

    def summary(self) -> Summary:
        """The present position in short, without making its view."""
        public = self._match.public
        if self._delay and self._latest is not None:
            return Summary(self._latest.number, tuple(seat for seat, _ in self._latest.pending), self._latest.left)
        if self._table is not None and self._table.told:
            return Summary(public.shown_number, public.awaited(), public.banks())
        if self._table is not None and self._table.delaying and self._latest is not None:
            latest = self._latest
            return Summary(latest.number, tuple(seat for seat, _ in latest.pending), latest.left)
        return Summary(0, (), ())

    def fill(self, message: pb.LiveTable, pool: int) -> None:
        """Fill in the table as lists and first messages show it."""
        terms, summary = self.terms, self.summary()
        message.match_id = terms.match
        message.game = terms.game
        message.players.extend(map(self._name, terms.players))
        message.variant.update(terms.variant)
        fill_clock(message.clock, terms.clock)
        message.rated = self._rated
        message.pool = pool
        message.number = summary.number
        message.awaited.extend(summary.awaited)
        message.bank_us.extend(summary.left)
        message.followers = len(self._followers)

    def _position(self) -> Shown | None:
        """The position that followers have now; None: not known, because outputs of the match wait."""
        if self._delay:
            return self._latest
        if self._table is not None and self._table.told:
            return self._match.public.shown()
        return self._latest if self._table is not None and self._table.delaying else None

    def _publish(self, position: bytes) -> None:
        for follower in self._followers:
            follower.put(position)

    def _written(self, shown: Shown) -> bytes:
        """A position as bytes of a `FollowTableResponse`."""
        message = pb.FollowTableResponse(number=shown.number, bank_us=shown.left)
        for seat, kind in shown.pending:
            message.awaited.append(seat)
            message.kinds.append(kind)
        fill_events(message.events, shown.events)
        data = message.SerializeToString()
        if shown.view is None:
            return data
        if self._encode is None:
            self._encode = encoding.public(self.terms.game)
        return data + FOLLOW.chunk(self.terms.game, self._encode(shown.view))

    def _written_end(self, ended: Ended) -> bytes:
        final, players = ended.final, self.terms.players
        message = pb.FollowTableResponse(number=self._match.public.shown_number)
        end = message.end
        if final.result is not None:
            fill_result(end.result, final.result)
        named = all(self._name(name) == name for name in players)
        fill_endings(end.endings, final.endings, texts=named)
        end.rated = self._rated and final.rated
        end.record_hash = ended.settled.record_hash
        return message.SerializeToString()
