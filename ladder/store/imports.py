"""Matches that were played at another referee: where they came from, what their bots are called, and their places.

Groups that were played elsewhere keep their identity (`origin`), so that the games of a set find each other over
several files. They get numbers below 0 and a batch of their own: no schedule counts them, ratings do. A pool with such
groups is folded in the order in which its matches ended; `order_ends` numbers its ends so, by time and id, which is the
same order in every file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ladder.store.file import moment
from ladder.store.listed_matches import ENDED, PlayedTable
from ladder.store.matches import SeasonPlace
from ladder.store.records import BuildRow, Played, PoolRow, SeasonRow, end_of
from ladder.store.seasons import IMPORTED
from referee.kernel.errors import BadSetting
from referee.kernel.plain import canonical


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """A match that was played elsewhere."""

    place: SeasonPlace
    played: Played
    names: tuple[str, ...]
    """What its players are called here, by seat."""
    void: str | None
    """Why the match does not count, if the other referee made it void; None: its record says whether it counts."""
    rated: bool
    started: str
    source: int


class ImportTable(PlayedTable):
    """Takes matches in."""

    def last_hash(self, match: str) -> str | None:
        """The last hash of a stored record; None: its end is not stored, or is sealed."""
        row = self._connection.execute("select final from matches where id = ?", (match,)).fetchone()
        if row is None or not row[0] or not row[0].startswith("{"):
            return None
        return str(json.loads(row[0])["hash"])

    def known_names(self, names: Iterable[str]) -> set[str]:
        """The names among `names` under which a bot is known here."""
        rows = self._connection.execute(
            "select value from json_each(?) where value in (select name from bots) "
            "or exists (select 1 from seats where player = value)",
            (json.dumps(sorted(names)),),
        )
        return {row[0] for row in rows}

    def import_names(self, referee: str) -> dict[str, str]:
        """What the bots of another referee are called here, by their names there."""
        rows = self._connection.execute("select name, player from import_names where referee = ?", (referee,))
        return dict(rows.fetchall())

    def last_prefix(self, referee: str) -> str:
        """What was put before the names of another referee's bots in the last import from it; empty: nothing."""
        row = self._connection.execute(
            "select prefix from import_sources where referee = ? order by id desc limit 1", (referee,)
        ).fetchone()
        return "" if row is None else str(row[0])

    def keep_name(self, referee: str, name: str, player: str) -> None:
        """Remember what a bot of another referee is called here."""
        self._connection.execute("insert or replace into import_names values (?, ?, ?)", (referee, name, player))

    def add_source(self, referee: str, digest: str, file: str, prefix: str, matches: int) -> int:
        """Store that so many matches of a referee came with a file; returns the id of that."""
        made = self._connection.execute(
            "insert into import_sources (referee, digest, file, prefix, matches, imported) values (?, ?, ?, ?, ?, ?)",
            (referee, digest, file, prefix, matches, moment()),
        )
        return int(made.lastrowid or 0)

    def imported_season(self, name: str, config: str, tempo: str, pairing_version: int) -> SeasonRow:
        """The season of that name, made if it is new; raises BadSetting if the one here has another tempo."""
        found = next((row for row in self.seasons() if row.name == name), None)
        if found is None:
            return self.season(name, config, None, tempo=tempo, pairing_version=pairing_version)
        if found.tempo != tempo:
            raise BadSetting(
                f"season {name!r} is {found.tempo} in {self.path} and {tempo} in the file; import it into another "
                f"database"
            )
        return found

    def imported_pool(
        self,
        season: int,
        game: str,
        seats: int,
        variant: dict[str, str],
        clock: str,
        rules_version: int,
        components: str,
        *,
        rated: bool,
        current: bool,
    ) -> PoolRow:
        """The pool of a season, made if it is new; one that is there stays as it is.

        `current` False: the rules of the pool are earlier ones, and the pool is made as an archived one.
        """
        found = self._pool_like(season, (game, seats, variant, clock, rules_version, components))
        return found or self.pool(
            season, game, seats, variant, clock, rules_version, components, rated=rated, current=current
        )

    def imported_build(self, bot: str, build: BuildRow) -> int:
        """The id of a bot's build, stored if it is new; its moment is the earliest that any referee has for it."""
        run = self._connection.execute
        run("insert or ignore into bots (name, created) values (?, ?)", (bot, moment()))
        run(
            "insert or ignore into builds (bot, digest, spec, created, remote) values (?, ?, ?, ?, ?)",
            (bot, build.digest, build.spec, build.created, int(build.remote)),
        )
        run(
            "update builds set created = ? where bot = ? and digest = ? and created > ?",
            (build.created, bot, build.digest, build.created),
        )
        return self._build(bot, build.digest) or 0

    def imported_group(
        self, pool: int, origin: str, lineup: Sequence[str], builds: Sequence[int], *, duplicate: bool, games: int
    ) -> int:
        """The id of a group that was played elsewhere, made if it is new; raises BadSetting if it is another one."""
        row = self._connection.execute(
            "select id, lineup, duplicate, games from groups where pool = ? and origin = ?", (pool, origin)
        ).fetchone()
        if row is not None:
            if (json.loads(row[1]), bool(row[2]), row[3]) != (list(lineup), duplicate, games):
                raise BadSetting(f"its set {origin} is stored already, with other players or games")
            return int(row[0])
        first = self._connection.execute("select min(number) from groups where pool = ?", (pool,)).fetchone()[0]
        group = self.add_group(pool, min(first or 0, 0) - 1, IMPORTED, lineup, builds, duplicate, games)
        self._connection.execute("update groups set origin = ? where id = ?", (origin, group))
        return group

    def take(self, arrival: ImportedMatch) -> None:
        """Store a match that was played elsewhere; raises BadSetting if another one has its place."""
        place, header, final = arrival.place, arrival.played.header, arrival.played.final
        run = self._connection.execute
        if place.group is not None:
            taken = run(
                "select id from matches where group_id = ? and rotation = ? and attempt = ?",
                (place.group, place.rotation, place.attempt),
            ).fetchone()
            if taken is not None:
                raise BadSetting(f"match {taken[0]} has its place in its set")
        state, _, reason, line, duration = end_of(final, arrival.played.last)
        if arrival.void is not None:
            state, reason = "void", arrival.void
        run(
            "insert into matches (id, group_id, rotation, attempt, game, variant, state, rated, reason, secret, "
            "header, final, started, duration_us, end_number, source) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                header.match, place.group, place.rotation, place.attempt, header.game,
                canonical(dict(header.variant)).decode(), state, int(arrival.rated), reason,
                bytes.fromhex(final.secret), arrival.played.first, line, arrival.started, duration, self._next_end(),
                arrival.source,
            ),
        )  # fmt: skip
        run("insert into steps values (?, 0, ?)", (header.match, arrival.played.steps))
        self._insert_seats(header.match, arrival.names, place.builds, final)

    def pools_with_builds(self) -> set[int]:
        """The pools in whose standings builds are numbered: an older build that comes in changes the numbers."""
        return {row[0] for row in self._connection.execute("select distinct pool from ratings where player like '%@%'")}

    def order_ends(self, pool: int) -> None:
        """Number the ends of a pool's matches anew, by time and id: the same order in every file that holds them."""
        first = self._next_end()
        self._connection.execute(
            f"with ends as (select matches.id as match, row_number() over (order by {ENDED}, matches.id) as place "
            "from matches join groups on groups.id = group_id where pool = ? and end_number is not null) "
            "update matches set end_number = ? + place - 1 from ends where id = match",
            (pool, first),
        )
