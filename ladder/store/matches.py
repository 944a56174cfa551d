"""Matches with their records. Two rhythms of writing:

- **Served matches** (`begin`, `step`, `end`): each step is committed before its consequences are sent, so a restarted
  referee goes on exactly where it was.
- **Matches on workers** (`save`): a whole match at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ladder.rows import Played, Running, automata_of, end_of, outcomes_of
from ladder.store.file import DatabaseFile, moment
from referee.kernel.errors import UnknownName
from referee.kernel.plain import canonical
from referee.match.outputs import SeatRating, Settled, StoredEnd
from referee.match.record import Chain, Final, Header, Record, Step, from_lines, read_final

MOST_UNCONFIRMED = 512
"""Ends that a bot is told at once when it comes back."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match stands in a season."""

    group: int | None = None
    """The id of its group; None: it belongs to no season."""
    rotation: int | None = None
    attempt: int = 0
    builds: tuple[int | None, ...] = ()
    """The build of each seat's bot; None: it is not known, and the seat is not rated."""


NOWHERE = Place()


class MatchTable(DatabaseFile):
    """Every match: running, finished or void."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path)
        self._chains: dict[str, Chain] = {}

    def save(self, place: Place, secret: bytes, played: Played) -> None:
        """Store a match of a worker that is over, with all its steps in one row."""
        match = played.header.match
        with self.transaction():
            self._insert(played.header, played.first, secret, place, played)
            self._connection.execute("insert into steps values (?, 0, ?)", (match, played.steps))

    def void(self, place: Place, header: Header, secret: bytes, reason: str) -> None:
        """Store that a scheduled match could not be played, and why; its group does not count."""
        with self.transaction():
            self._insert(header, Chain().header(header).decode(), secret, place)
            self._connection.execute(
                "update matches set state = 'void', reason = ?, end_number = ? where id = ?",
                (reason, self._next_end(), header.match),
            )

    def begin(self, header: Header, secret: bytes, place: Place = NOWHERE) -> None:
        """A served match begins."""
        chain = Chain()
        with self.transaction():
            self._insert(header, chain.header(header).decode(), secret, place)
        self._chains[header.match] = chain

    def step(self, match: str, step: Step) -> None:
        """A served match has moved on: committed when this returns. If it raises, nothing has changed."""
        chain = self._chains[match]
        before = chain.hash
        line = chain.step(step)
        try:
            self._connection.execute("insert into steps values (?, ?, ?)", (match, step.n, line.decode()))
        except BaseException:
            chain.hash = before
            with self.explained():
                raise

    def end(self, match: str, final: Final, ratings: Sequence[SeatRating] = ()) -> str:
        """A served match is over; returns the last hash of its record. `ratings` are what its seats are told.

        Its seats are marked until `confirm` says that their bots have read the end. If it raises, nothing has changed.
        """
        chain = self._chains[match]
        before = chain.hash
        line = chain.final(final)
        try:
            with self.transaction():
                self._finish(match, final, line.decode())
                self._connection.executemany(
                    "update seats set rating_before = ?, rating_after = ?, rating_deviation = ?, rating_games = ?, "
                    "rating_rank = ? where match = ? and seat = ?",
                    [(*rating, match, seat) for seat, rating in enumerate(ratings)],
                )
        except BaseException:
            chain.hash = before
            raise
        del self._chains[match]
        return chain.hash

    def confirm(self, seats: Sequence[tuple[str, int]]) -> None:
        """The bots of these seats, each named by its match and number, have read the end of their match."""
        with self.transaction():
            self._connection.executemany("update seats set unconfirmed = 0 where match = ? and seat = ?", seats)

    def unconfirmed(self, player: str) -> list[StoredEnd]:
        """The ends that a bot may not have read, in their order, at most the latest `MOST_UNCONFIRMED`."""
        with self.explained():
            rows = self._connection.execute(
                "select match, seat, final, coalesce(pools.rated, 1) from seats "
                "join matches on matches.id = match left join groups on groups.id = group_id "
                "left join pools on pools.id = pool where player = ? and unconfirmed = 1 and final is not null "
                "order by end_number desc limit ?",
                (player, MOST_UNCONFIRMED),
            ).fetchall()
            return [self._stored_end(*row) for row in reversed(rows)]

    def _stored_end(self, match: str, seat: int, line: str, rated: int) -> StoredEnd:
        final, last = read_final(line.encode())
        ratings = self._connection.execute(
            "select rating_before, rating_after, rating_deviation, rating_games, rating_rank from seats "
            "where match = ? and rating_after is not null order by seat",
            (match,),
        ).fetchall()
        return StoredEnd(match, seat, final, Settled(last, tuple(SeatRating(*row) for row in ratings)), bool(rated))

    def running(self) -> list[Running]:
        """The served matches that were going on when the referee stopped, ready to be continued."""
        rows = self._connection.execute(
            "select matches.id, matches.secret, group_id, pool from matches left join groups on groups.id = group_id "
            "where state = 'running' order by started, matches.id"
        ).fetchall()
        found = []
        for match, secret, group, pool in rows:
            record = self.record(match)
            self._chains[match] = Chain(record.hashes[-1])
            builds = self._connection.execute(
                "select build from seats where match = ? order by seat limit ?", (match, len(record.header.players))
            )
            found.append(Running(record, secret, group, pool, tuple(row[0] for row in builds)))
        return found

    def count_matches(self) -> int:
        """How many matches are stored, running ones included."""
        return int(self._connection.execute("select count(*) from matches").fetchone()[0])

    def lines(self, match: str) -> list[bytes]:
        """The record of a match as the lines of its file; `match` may be the beginning of an id."""
        full = self._full_id(match)
        header, final = self._connection.execute("select header, final from matches where id = ?", (full,)).fetchone()
        steps = self._connection.execute("select line from steps where match = ? order by n", (full,))
        pieces = (header, *(row[0] for row in steps), final or "")
        return "".join(pieces).encode().splitlines(keepends=True)

    def record(self, match: str) -> Record:
        """The record of a match."""
        return from_lines(self.lines(match))

    def _full_id(self, match: str) -> str:
        rows = self._connection.execute(
            "select id from matches where id >= ? and id < ? limit 2", (match, match + "\U0010ffff")
        ).fetchall()
        if len(rows) != 1:
            raise UnknownName(
                f"{'no match begins' if not rows else 'several matches begin'} with {match!r} in {self.path}"
            )
        return str(rows[0][0])

    def _next_end(self) -> int:
        """The number of the next end: ends are counted over the whole file."""
        return int(self._connection.execute("select coalesce(max(end_number), 0) + 1 from matches").fetchone()[0])

    def _insert(self, header: Header, line: str, secret: bytes, place: Place, played: Played | None = None) -> None:
        """A match that begins, or one that is over."""
        end: tuple[object, ...] = ("running", 0, None, None, None, None)
        if played is not None:
            end = (*end_of(played.final, played.last), self._next_end())
        settings = canonical(dict(header.variant)).decode()
        about = (header.match, place.group, place.rotation, place.attempt, header.game, settings)
        self._connection.execute(
            "insert into matches (id, group_id, rotation, attempt, game, variant, secret, header, started, state, "
            "rated, reason, final, duration_us, end_number) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*about, secret, line, moment(), *end),
        )
        unknown = [(None, None, None, None)] * len(header.players)
        outcomes = unknown if played is None or played.final.result is None else outcomes_of(played.final)
        names = (*header.players, *automata_of(None if played is None else played.final))
        builds = place.builds
        self._connection.executemany(
            "insert into seats (match, seat, player, build, place, points, ending, faults) "
            "values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (header.match, seat, name, builds[seat] if seat < len(builds) else None, *outcome)
                for seat, (name, outcome) in enumerate(zip(names, outcomes, strict=True))
            ],
        )

    def _finish(self, match: str, final: Final, line: str) -> None:
        """A match that was stored when it began is over."""
        self._connection.execute(
            "update matches set state = ?, rated = ?, reason = ?, final = ?, duration_us = ?, end_number = ? "
            "where id = ?",
            (*end_of(final, line), self._next_end(), match),
        )
        self._connection.execute("update seats set unconfirmed = 1 where match = ?", (match,))
        if final.result is None:
            return
        outcomes = outcomes_of(final)
        self._connection.executemany(
            "update seats set place = ?, points = ?, ending = ?, faults = ? where match = ? and seat = ?",
            [(*outcomes[seat], match, seat) for seat in range(len(final.endings))],
        )
        self._connection.executemany(
            "insert into seats (match, seat, player, place, points, ending, faults) values (?, ?, ?, ?, ?, ?, ?)",
            [(match, seat, name, *outcomes[seat]) for seat, name in enumerate(automata_of(final), len(final.endings))],
        )
