"""Matches with their records. Two rhythms of writing:

- **Served matches** (`begin`, `step`, `end`): each step is committed before its consequences are sent, so a restarted
  referee goes on exactly where it was.
- **Matches on workers** (`save`): a whole match at a time.

What is not over is sealed with the host's key: the lines of a running match, and those of a game of a duplicate set
until the whole set is over (`reveal`), because its games share one secret. The secret of a running match of a season is
not stored at all: it derives from the season's. Only duplicate sets are played with a shared secret, and only by house
bots on workers: a served match has a secret of its own, which is told with its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ladder.store.bot_logs import BotLogTable
from ladder.store.derivation import match_secret, open_secret
from ladder.store.file import StoreProblem, moment
from ladder.store.host_key import SEALED
from ladder.store.records import Played, Running, automata_of, end_of, outcomes_of
from ladder.store.sealed import final_purpose, secret_purpose, step_purpose
from ladder.store.seasons import SeasonTable
from referee.kernel.chance import commitment
from referee.kernel.errors import SHOWN, UnknownName
from referee.kernel.plain import canonical
from referee.match.outputs import SeatRating, Settled, StoredEnd
from referee.match.record import Chain, Final, Header, Record, Step, from_lines, read_final

MOST_UNCONFIRMED = 512
"""Ends that a bot is told at once when it comes back."""


class SealedRecord(StoreProblem):
    """A record cannot be read yet: its match, or its duplicate set, is not over."""


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """Where a match stands in a season."""

    group: int | None = None
    """The id of its group; None: it belongs to no season."""
    rotation: int | None = None
    attempt: int = 0
    builds: tuple[int | None, ...] = ()
    """The build of each seat's bot; None: the build is not known, and the seat is not rated."""


NOWHERE = SeasonPlace()
CANDIDATES = 4
"""Ids of matches that an error names."""


class MatchTable(SeasonTable, BotLogTable):
    """Every match: running, finished or void."""

    def __init__(self, path: Path | str, *, reading: bool = False, any_thread: bool = False) -> None:
        super().__init__(path, reading=reading, any_thread=any_thread)
        self._chains: dict[str, Chain] = {}

    def save(self, place: SeasonPlace, secret: bytes, played: Played, *, sealed: bool = False) -> None:
        """Store a match of a worker that is over, with all its steps in one row.

        `sealed`: other games of its set are still to be played, so it stays sealed until `reveal`.
        """
        match = played.header.match
        steps = played.steps
        if sealed:
            steps = self.key.seal_text(steps, step_purpose(match, 0))
            played = played._replace(last=self.key.seal_text(played.last, final_purpose(match)))
        with self.transaction():
            self._insert(played.header, played.first, place, played)
            self._keep_secret(match, secret, sealed=sealed)
            self._connection.execute("insert into steps values (?, 0, ?)", (match, steps))
            self.keep_logs(match, dict(enumerate(played.logs)))

    def void(self, place: SeasonPlace, header: Header, secret: bytes, reason: str, *, sealed: bool = False) -> None:
        """Store that a scheduled match could not be played, and why; its group does not count."""
        with self.transaction():
            self._insert(header, Chain().header(header).decode(), place)
            self._keep_secret(header.match, secret, sealed=sealed)
            self._connection.execute(
                "update matches set state = 'void', reason = ?, end_number = ? where id = ?",
                (reason, self._next_end(), header.match),
            )

    def reveal(self, groups: Iterable[int]) -> None:
        """Open the records and secrets of duplicate sets that are over, or will never be."""
        run = self._connection.execute
        with self.transaction():
            for group in groups:
                rows = run(
                    "select id, sealed_secret, final from matches "
                    "where group_id = ? and sealed_secret is not null and state != 'running'",
                    (group,),
                ).fetchall()
                for match, sealed, final in rows:
                    secret = self.key.unseal(sealed, secret_purpose(match))
                    last = None if final is None else self.key.unseal_text(final, final_purpose(match))
                    self._open_steps(match)
                    run(
                        "update matches set secret = ?, sealed_secret = null, final = ? where id = ?",
                        (secret, last, match),
                    )

    def sealed_groups(self, pool: int, before: int) -> list[int]:
        """The duplicate sets of a pool's batches before this one of which something is still sealed."""
        rows = self._connection.execute(
            "select distinct group_id from matches join groups on groups.id = group_id "
            "where sealed_secret is not null and state != 'running' and pool = ? and batch < ? order by group_id",
            (pool, before),
        )
        return [row[0] for row in rows]

    def begin(self, header: Header, secret: bytes, place: SeasonPlace = NOWHERE, *, derived: bool = False) -> None:
        """A served match begins. `derived`: its secret is that of its place in its season, and need not be stored."""
        chain = Chain()
        with self.transaction():
            self._insert(header, chain.header(header).decode(), place)
            if not derived:
                self._keep_secret(header.match, secret, sealed=True)
        self._chains[header.match] = chain

    def step(self, match: str, step: Step) -> None:
        """A served match has moved on: committed when this returns. If it raises, nothing has changed."""
        chain = self._chains[match]
        before = chain.hash
        line = chain.step(step)
        try:
            sealed = self.key.seal_text(line.decode(), step_purpose(match, step.n))
            self._connection.execute("insert into steps values (?, ?, ?)", (match, step.n, sealed))
        except BaseException:
            chain.hash = before
            with self.explained():
                raise

    def end(self, match: str, final: Final, ratings: Sequence[SeatRating] = (), *, counts: bool = True) -> str:
        """A served match is over; returns the last hash of its record.

        `ratings` are what its seats are told. `counts` False: its pool is not rated, and the match never counts. Its
        seats are marked until `confirm` says that their bots have read the end. If it raises, nothing has changed.
        """
        chain = self._chains[match]
        before = chain.hash
        line = chain.final(final)
        try:
            with self.transaction():
                self._finish(match, final if counts else replace(final, rated=False), line.decode())
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

    def stop(self, match: str, reason: str) -> None:
        """A running match cannot be gone on with: the match is void, and its record stays without an end."""
        with self.transaction():
            self._connection.execute(
                "update matches set state = 'void', reason = ?, end_number = ? where id = ? and state = 'running'",
                (reason, self._next_end(), match),
            )
        self._chains.pop(match, None)

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
            "select matches.id, header, group_id, pool from matches left join groups on groups.id = group_id "
            "where state = 'running' order by started, matches.id"
        ).fetchall()
        found = []
        for match, header, group, pool in rows:
            steps = "".join([line for line, _, _ in self._opened_steps(match)])
            record = from_lines([header.encode(), *steps.encode().splitlines(keepends=True)])
            secret = self._running_secret(match)
            if commitment(secret, match) != record.header.commitment:
                raise StoreProblem(f"{self.path}: the secret of the running match {match} is not the one it began with")
            self._chains[match] = Chain(record.hashes[-1])
            builds = self._connection.execute(
                "select build from seats where match = ? order by seat limit ?", (match, len(record.header.players))
            )
            found.append(Running(record, secret, group, pool, tuple(row[0] for row in builds)))
        return found

    def _running_secret(self, match: str) -> bytes:
        """The secret of a match that is not over: unsealed, or derived from its season's."""
        plain, sealed, rotation, attempt, pool, number, duplicate, season = self._connection.execute(
            "select secret, sealed_secret, rotation, attempt, pool, number, duplicate, season from matches "
            "left join groups on groups.id = group_id left join pools on pools.id = pool where matches.id = ?",
            (match,),
        ).fetchone()
        if plain is not None:
            return bytes(plain)
        if sealed is not None:
            return self.key.unseal(sealed, secret_purpose(match))
        of_season = self.season_secret(season)
        if self.draws_by_match(season):
            return open_secret(of_season, match)
        row = next(row for row in self.pools(season) if row.id == pool)
        return match_secret(of_season, row, number, rotation, duplicate=bool(duplicate), attempt=attempt)

    def lines(self, match: str) -> list[bytes]:
        """The record of a match as the lines of its file; `match` may be the beginning of an id.

        Raises SealedRecord for a match that is sealed because it, or its set, is not over.
        """
        full = self.full_id(match)
        header, final = self._connection.execute("select header, final from matches where id = ?", (full,)).fetchone()
        steps = self._connection.execute("select line from steps where match = ? order by n", (full,))
        pieces = (header, *(row[0] for row in steps), final or "")
        if any(piece.startswith(SEALED) for piece in pieces):
            raise self._sealed_record(full)
        return "".join(pieces).encode().splitlines(keepends=True)

    def _sealed_record(self, match: str) -> SealedRecord:
        return SealedRecord(f"match {match} in {self.path} is sealed until it, and every game of its set, is over")

    def _opened_steps(self, match: str) -> list[tuple[str, str, int]]:
        """The lines of a match's steps, unsealed, each with the key of its row."""
        rows = self._connection.execute("select n, line from steps where match = ? order by n", (match,)).fetchall()
        unseal = self.key.unseal_text
        return [(unseal(line, step_purpose(match, n)), match, n) for n, line in rows]

    def _open_steps(self, match: str) -> None:
        """Make the steps of a match that is over readable."""
        self._connection.executemany("update steps set line = ? where match = ? and n = ?", self._opened_steps(match))

    def _keep_secret(self, match: str, secret: bytes, *, sealed: bool) -> None:
        value = self.key.seal(secret, secret_purpose(match)) if sealed else secret
        column = "sealed_secret" if sealed else "secret"
        self._connection.execute(f"update matches set {column} = ? where id = ?", (value, match))

    def record(self, match: str) -> Record:
        """The record of a match."""
        return from_lines(self.lines(match))

    def full_id(self, match: str) -> str:
        """The id of the one match whose id begins so; raises UnknownName that names candidates."""
        run = self._connection.execute
        shown = f"{match[:SHOWN]}..." if len(match) > SHOWN else match
        with self.explained():
            span = (match, match + "\U0010ffff")
            rows = run("select id from matches where id >= ? and id < ? order by id limit ?", (*span, CANDIDATES + 1))
            found = [str(row[0]) for row in rows]
            if len(found) == 1 or match in found:
                return match if match in found else found[0]
            if found:
                more = ", ..." if len(found) > CANDIDATES else ""
                listed = ", ".join(found[:CANDIDATES]) + more
                raise UnknownName(f"several matches begin with {shown!r} in {self.path}: {listed}")
            latest = run("select id from matches order by started desc, id limit ?", (CANDIDATES,)).fetchall()
        listed = f"the latest are {', '.join(row[0] for row in latest)}" if latest else "nothing was played yet"
        raise UnknownName(f"no match begins with {shown!r} in {self.path}; {listed}")

    def has_match(self, match: str) -> bool:
        """Whether a match is stored under this id."""
        return self._connection.execute("select 1 from matches where id = ?", (match,)).fetchone() is not None

    def _next_end(self) -> int:
        """The number of the next end: ends are counted over the whole file."""
        return int(self._connection.execute("select coalesce(max(end_number), 0) + 1 from matches").fetchone()[0])

    def _insert(self, header: Header, line: str, place: SeasonPlace, played: Played | None = None) -> None:
        """A match that begins, or one that is over."""
        end: tuple[object, ...] = ("running", 0, None, None, None, None)
        if played is not None:
            end = (*end_of(played.final, played.last), self._next_end())
        settings = canonical(dict(header.variant)).decode()
        about = (header.match, place.group, place.rotation, place.attempt, header.game, settings)
        self._connection.execute(
            "insert into matches (id, group_id, rotation, attempt, game, variant, header, started, state, "
            "rated, reason, final, duration_us, end_number) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*about, line, moment(), *end),
        )
        self._insert_seats(header.match, header.players, place.builds, None if played is None else played.final)

    def _insert_seats(
        self, match: str, players: Sequence[str], builds: Sequence[int | None], final: Final | None
    ) -> None:
        """The seats of a match that begins (`final` None) or is over; the automata of the rules come last."""
        unknown = [(None, None, None, None)] * len(players)
        outcomes = unknown if final is None or final.result is None else outcomes_of(final)
        names = (*players, *automata_of(final))
        self._connection.executemany(
            "insert into seats (match, seat, player, build, place, points, ending, faults) "
            "values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (match, seat, name, builds[seat] if seat < len(builds) else None, *outcome)
                for seat, (name, outcome) in enumerate(zip(names, outcomes, strict=True))
            ],
        )

    def _finish(self, match: str, final: Final, line: str) -> None:
        """A match that was stored when it began is over, and readable from here on."""
        self._open_steps(match)
        self._connection.execute(
            "update matches set state = ?, rated = ?, reason = ?, final = ?, duration_us = ?, end_number = ?, "
            "secret = ?, sealed_secret = null where id = ?",
            (*end_of(final, line), self._next_end(), bytes.fromhex(final.secret), match),
        )
        self._connection.execute(
            "update matches set state = 'void', rated = 0 where id = ? and ruling is not null", (match,)
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
