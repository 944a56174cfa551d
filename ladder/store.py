"""The ladder's database: the only module that opens it.

One SQLite file in WAL mode, written by one process at a time (a lock file's worth of care: a second writer is
refused). Everything that a season does goes through here in small transactions, so the file is whole after `kill -9`
at any moment. Two rhythms of writing:

- **Served matches** (the referee's `Recorder`): each step is committed before its consequences are sent, so a
  restarted referee goes on exactly where it was.
- **Hosted matches**: a whole match at a time. Commits are gathered for a fraction of a second, because a match that
  was lost with the last of them is scheduled, and is played again, with the same secret, by whoever resumes the
  season.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from sqlite_utils import Database

from ladder import schema
from ladder.rows import (
    GroupRow,
    Played,
    PoolRow,
    RatingRow,
    ResultRow,
    RunRow,
    SeasonRow,
    automata_of,
    end_of,
    outcomes_of,
)
from ladder.sessions import Sessions
from referee.kernel.errors import BadSetting, CallerFault, UnknownName
from referee.kernel.plain import canonical
from referee.match.record import Chain, Final, Header, Record, Step, from_lines

BUSY_SECONDS = 10.0
"""How long a writer waits for another program that has the file locked."""


class StoreProblem(CallerFault):
    """The database cannot be used as it is; the message says why and what to do."""


def _moment() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Store:
    """An open database."""

    def __init__(self, path: Path | str) -> None:
        """Open a file, or create it; raises StoreProblem with one clear line."""
        self.path = Path(path)
        _create(self.path)
        try:
            self._connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._db = Database(self._connection)
            self._prepare()
        except sqlite3.Error as error:
            raise _problem(self.path, error) from None
        self.sessions = Sessions(self._connection)
        self._chains: dict[str, Chain] = {}
        self._lock: IO[str] | None = None

    def _prepare(self) -> None:
        if schema.foreign(self._db):
            raise StoreProblem(f"{self.path} is the database of another program; use another file")
        schema.enable_wal(self._db, BUSY_SECONDS)
        for pragma in ("foreign_keys = on", "synchronous = normal", f"busy_timeout = {int(BUSY_SECONDS * 1000)}"):
            self._connection.execute(f"pragma {pragma}")
        newer = schema.unknown(self._db)
        if newer:
            raise StoreProblem(
                f"{self.path} was written by a newer version of kumite (it has {', '.join(newer)}); "
                f"update kumite, or use another file"
            )
        if schema.migrations.pending(self._db):
            # Two programs may open a new file at the same moment: the second one looks again when it has its turn.
            with self.transaction():
                schema.migrations.apply(self._db)

    def lock(self) -> None:
        """Become the one writer for as long as the store is open; raises StoreProblem if there is another.

        The lock lies beside the file and dies with the process, however that ends; readers do not need it.
        """
        self._lock = open(f"{self.path}.lock", "w")  # noqa: SIM115
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreProblem(f"{self.path}: another kumite is playing this ladder; wait for it or end it") from None

    def close(self) -> None:
        """Close the file; what was not committed is rolled back."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything in the block or nothing of it; blocks may nest."""
        if self._connection.in_transaction:
            yield
            return
        try:
            self._connection.execute("begin immediate")
            with self._connection:
                yield
        except sqlite3.OperationalError as error:
            raise _problem(self.path, error) from None

    def build(self, bot: str, spec: str, digest: str) -> int:
        """The id of a bot's build; a bot whose digest changed is a new build."""
        with self.transaction():
            self._connection.execute("insert or ignore into bots values (?, ?)", (bot, _moment()))
            self._connection.execute(
                "insert or ignore into builds (bot, digest, spec, created) values (?, ?, ?, ?)",
                (bot, digest, spec, _moment()),
            )
            row = self._connection.execute(
                "select id from builds where bot = ? and digest = ?", (bot, digest)
            ).fetchone()
        return int(row[0])

    def new_token(self, bot: str) -> str:
        """A fresh token for an entrant; only its hash is kept, so it cannot be shown again."""
        token = secrets.token_urlsafe(32)
        with self.transaction():
            self._connection.execute("insert or ignore into bots values (?, ?)", (bot, _moment()))
            self._connection.execute("insert into tokens values (?, ?, ?, null)", (_hashed(token), bot, _moment()))
        return token

    def tokens(self) -> list[tuple[str, str, str | None]]:
        """Every token: the entrant, when it was made, when it was revoked."""
        return list(self._connection.execute("select bot, created, revoked from tokens order by bot, created"))

    def revoke(self, bot: str) -> int:
        """Revoke all tokens of an entrant; returns how many were valid."""
        known = [row[0] for row in self._connection.execute("select distinct bot from tokens")]
        if bot not in known:
            raise UnknownName.of("entrant with a token", bot, known)
        with self.transaction():
            changed = self._connection.execute(
                "update tokens set revoked = ? where bot = ? and revoked is null", (_moment(), bot)
            )
            return changed.rowcount

    def entrant(self, token: str) -> str | None:
        """The name of the entrant that a token belongs to; None: unknown or revoked."""
        row = self._connection.execute(
            "select bot from tokens where hash = ? and revoked is null", (_hashed(token),)
        ).fetchone()
        return None if row is None else str(row[0])

    def season(self, name: str, config: str, secret: bytes) -> SeasonRow:
        """The season of that name, created with this secret if it is new; raises BadSetting if its rules differ."""
        with self.transaction():
            self._connection.execute(
                "insert or ignore into seasons (name, config, secret, created) values (?, ?, ?, ?)",
                (name, config, secret, _moment()),
            )
        found = self.find_season(name)
        if found.config != config:
            raise BadSetting(
                f"season {name!r} in {self.path} was begun with other pools or pairings; "
                f"give the changed ladder another season name, or go on with the old settings"
            )
        return found

    def find_season(self, name: str | None) -> SeasonRow:
        """The season of that name, or the latest one; raises UnknownName."""
        rows = self._connection.execute("select id, name, config, secret from seasons order by id").fetchall()
        for row in reversed(rows):
            if name is None or row[1] == name:
                return SeasonRow(*row)
        raise UnknownName.of(f"season of {self.path}", name or "", [row[1] for row in rows])

    def pool(
        self, season: int, game: str, seats: int, variant: Mapping[str, str], rules_version: int, components: str
    ) -> PoolRow:
        """The pool of a season, created if it is new; rules and components must not change inside a season."""
        settings = canonical(dict(variant)).decode()
        with self.transaction():
            self._connection.execute(
                "insert or ignore into pools (season, game, seats, variant, rules_version, components) "
                "values (?, ?, ?, ?, ?, ?)",
                (season, game, seats, settings, rules_version, components),
            )
        for row in self.pools(season):
            if (row.game, row.seats, row.variant) == (game, seats, dict(variant)):
                if (row.rules_version, row.components) != (rules_version, components):
                    raise BadSetting(
                        f"the rules or components of {game} have changed since this season began; begin a new season"
                    )
                return row
        raise StoreProblem(f"{self.path}: the pool of {game} was not stored")

    def pools(self, season: int) -> list[PoolRow]:
        """All pools of a season, in order of creation."""
        rows = self._connection.execute(
            "select id, game, seats, variant, rules_version, components from pools where season = ? order by id",
            (season,),
        )
        return [PoolRow(row[0], row[1], row[2], json.loads(row[3]), row[4], row[5]) for row in rows]

    def schedule(
        self, pool: int, batch: int, lineups: Sequence[tuple[str, ...]], builds: Mapping[str, int], duplicate: bool
    ) -> None:
        """Append a batch to a pool's schedule, all of it or nothing."""
        with self.transaction():
            first = self._connection.execute(
                "select coalesce(max(number), -1) + 1 from groups where pool = ?", (pool,)
            ).fetchone()[0]
            self._connection.executemany(
                "insert into groups (pool, number, batch, lineup, builds, duplicate) values (?, ?, ?, ?, ?, ?)",
                [
                    (
                        pool,
                        first + offset,
                        batch,
                        json.dumps(lineup),
                        json.dumps([builds[name] for name in lineup]),
                        int(duplicate),
                    )
                    for offset, lineup in enumerate(lineups)
                ],
            )

    def groups(self, pool: int, batch: int = 0) -> list[GroupRow]:
        """The schedule of a pool from a batch on, in order."""
        rows = self._connection.execute(
            "select id, number, batch, lineup, builds, duplicate from groups "
            "where pool = ? and batch >= ? order by number",
            (pool, batch),
        )
        return [
            GroupRow(row[0], row[1], row[2], tuple(json.loads(row[3])), tuple(json.loads(row[4])), bool(row[5]))
            for row in rows
        ]

    def results(self, pool: int, batch: int = 0) -> list[ResultRow]:
        """What is stored of a pool's matches from a batch on, in the order of the schedule."""
        rows = self._connection.execute(
            "select matches.id, groups.number, rotation, state, rated, seat, player, build, place, points "
            "from groups join matches on group_id = groups.id join seats on match = matches.id "
            "where pool = ? and batch >= ? order by groups.number, rotation, seat",
            (pool, batch),
        )
        found: dict[str, tuple[tuple[int, int, str, bool], list[tuple[str, int | None, int, int]]]] = {}
        for match, group, rotation, state, rated, _, player, build, place, points in rows:
            _, seats = found.setdefault(match, ((group, rotation, state, bool(rated)), []))
            seats.append((player, build, place or 0, points or 0))
        return [
            ResultRow(match, *about, *(tuple(column) for column in zip(*seats, strict=True)))
            for match, (about, seats) in found.items()
        ]

    def save_ratings(self, pool: int, rows: Sequence[RatingRow], history: Sequence[tuple[int, str, float]]) -> None:
        """Replace the stored standings of a pool and their history; both can be rebuilt from its results."""
        with self.transaction():
            self._connection.execute("delete from ratings where pool = ?", (pool,))
            self._connection.executemany(
                "insert into ratings (pool, player, elo, low, high, se_model, se_robust, live, games, points) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(pool, *row) for row in rows],
            )
            self._save_history(pool, sorted(history))

    def _save_history(self, pool: int, history: Sequence[tuple[int, str, float]]) -> None:
        """Write the history from the first group on that is not stored as it is: mostly, the groups that are new."""
        known = self._connection.execute(
            "select group_number, player, live from rating_history where pool = ? order by group_number, player",
            (pool,),
        ).fetchall()
        same = 0
        for stored, entry in zip(known, history, strict=False):
            if stored != entry:
                break
            same += 1
        changed = [entry[0] for entry in (*known[same : same + 1], *history[same : same + 1])]
        if changed:
            first = min(changed)
            self._connection.execute("delete from rating_history where pool = ? and group_number >= ?", (pool, first))
            self._connection.executemany(
                "insert into rating_history values (?, ?, ?, ?)",
                [(pool, *entry) for entry in history if entry[0] >= first],
            )

    def ratings(self, pool: int) -> list[RatingRow]:
        """The stored standings of a pool, best first."""
        rows = self._connection.execute(
            "select player, elo, low, high, se_model, se_robust, live, games, points from ratings "
            "where pool = ? order by elo desc, player",
            (pool,),
        )
        return [RatingRow(*row) for row in rows]

    def begin_run(self, season: int) -> int:
        """A run of a season begins; returns its id."""
        with self.transaction():
            made = self._connection.execute("insert into runs (season, started) values (?, ?)", (season, _moment()))
        return int(made.lastrowid or 0)

    def end_run(self, run: int, matches: int, reason: str) -> None:
        """A run has ended: keep the standings it ended with."""
        with self.transaction():
            self._connection.execute(
                "update runs set ended = ?, matches = ?, reason = ? where id = ?", (_moment(), matches, reason, run)
            )
            self._connection.execute(
                "insert or replace into run_standings (run, pool, player, elo, low, high, games) "
                "select runs.id, pool, player, elo, low, high, games "
                "from runs join pools on pools.season = runs.season join ratings on pool = pools.id where runs.id = ?",
                (run,),
            )

    def runs(self) -> list[RunRow]:
        """All runs that ended with standings, latest first."""
        rows = self._connection.execute(
            "select runs.id, name, started, ended, matches, reason from runs join seasons on seasons.id = season "
            "where ended is not null order by runs.id desc"
        )
        return [RunRow(*row) for row in rows]

    def run_standings(self, run: int) -> dict[tuple[str, int, str, str], tuple[float, float | None, float | None]]:
        """The ratings at the end of a run: (game, seats, variant, player) to (elo, low, high)."""
        rows = self._connection.execute(
            "select game, seats, variant, player, elo, low, high from run_standings join pools on pools.id = pool "
            "where run = ? order by game, seats, variant, player",
            (run,),
        )
        return {
            (game, seats, variant, player): (elo, low, high) for game, seats, variant, player, elo, low, high in rows
        }

    def save(
        self, group: int | None, rotation: int | None, builds: Sequence[int], secret: bytes, played: Played
    ) -> None:
        """Store a hosted match that is over, with all its steps in one row."""
        match = played.header.match
        with self.transaction():
            self._insert(played.header, played.first, secret, group, rotation, builds, played)
            self._connection.execute("insert into steps values (?, 0, ?)", (match, played.steps))

    def void(self, group: int, rotation: int, match: str, header: Header, secret: bytes, reason: str) -> None:
        """Store that a scheduled match could not be played, and why; its group never counts."""
        with self.transaction():
            self._insert(header, Chain().header(header).decode(), secret, group, rotation, ())
            self._connection.execute("update matches set state = 'void', reason = ? where id = ?", (reason, match))

    def begin(self, header: Header, secret: bytes) -> None:
        """A served match begins (`Recorder`)."""
        chain = self._chains[header.match] = Chain()
        with self.transaction():
            self._insert(header, chain.header(header).decode(), secret, None, None, ())

    def step(self, match: str, step: Step) -> None:
        """A served match has moved on (`Recorder`): committed when this returns."""
        line = self._chains[match].step(step)
        self._connection.execute("insert into steps values (?, ?, ?)", (match, step.n, line.decode()))

    def end(self, match: str, final: Final) -> None:
        """A served match is over (`Recorder`)."""
        line = self._chains.pop(match).final(final)
        with self.transaction():
            self._finish(match, final, line.decode())

    def running(self) -> list[tuple[Record, bytes]]:
        """The served matches that were going on when the referee stopped, with their secrets, ready to be continued."""
        found = []
        for match, secret in self._connection.execute(
            "select id, secret from matches where state = 'running' order by started, id"
        ).fetchall():
            record = self.record(match)
            self._chains[match] = Chain(record.hashes[-1])
            found.append((record, secret))
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

    def _insert(
        self,
        header: Header,
        line: str,
        secret: bytes,
        group: int | None,
        rotation: int | None,
        builds: Sequence[int],
        played: Played | None = None,
    ) -> None:
        """A match that begins, or one that is over."""
        end = ("running", 0, None, None, None) if played is None else end_of(played.final, played.last)
        settings = canonical(dict(header.variant)).decode()
        self._connection.execute(
            "insert into matches (id, group_id, rotation, game, variant, secret, header, started, "
            "state, rated, reason, final, duration_us) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (header.match, group, rotation, header.game, settings, secret, line, _moment(), *end),
        )
        unknown = [(None, None, None, None)] * len(header.players)
        outcomes = unknown if played is None or played.final.result is None else outcomes_of(played.final)
        names = (*header.players, *automata_of(None if played is None else played.final))
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
            "update matches set state = ?, rated = ?, reason = ?, final = ?, duration_us = ? where id = ?",
            (*end_of(final, line), match),
        )
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


def _create(path: Path) -> None:
    """Make a new file for its owner alone; SQLite gives its companions the same mode. One that is there keeps its own.

    It holds the secrets of running matches and the resume tokens of their bots.
    """
    with suppress(OSError):  # SQLite meets the same obstacle, and it is explained then
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _problem(path: Path, error: sqlite3.Error) -> StoreProblem:
    text = str(error)
    if "locked" in text:
        text = f"another program is writing to it; wait for it or end it ({text})"
    elif "full" in text:
        text = f"the disk is full; free some room and run the same command again, nothing is lost ({text})"
    elif "not a database" in text:
        text = "this file is no database of kumite"
    elif "unable to open" in text:
        text = "cannot be opened: does its folder exist, and may you write there?"
    return StoreProblem(f"{path}: {text}")
