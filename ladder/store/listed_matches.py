"""What was played, as it is listed and exported: matches by bot, pool, faults and time, with seats, builds and places.

Nothing here needs the host's key: what is sealed stays so, and is said to be.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import groupby

from ladder.store.host_key import SEALED
from ladder.store.matches import MatchTable
from ladder.store.records import BuildRow, GroupRow, MatchRow, PoolRow, SeasonRow, SeatRow, Selection, SourceRow
from ladder.store.sealed import OPEN_SETS
from referee.kernel.errors import UnknownName
from referee.match.record import Header, Record, from_lines

_MATCHES = f"""
select matches.id, state,
    coalesce(final like '{SEALED}%', 0) or exists
        (select 1 from steps where match = matches.id and n = 0 and line like '{SEALED}%')
        or case when :in_the_open then group_id in ({OPEN_SETS}) else 0 end as sealed,
    coalesce(final, '') != '' as ended, seasons.name, groups.pool, groups.number, rotation, attempt, matches.game,
    matches.variant, coalesce(pools.clock, json_extract(header, '$.clock')), matches.rated, reason, started,
    duration_us, matches.source, player, build, place, points, ending, seats.faults
from matches join seats on match = matches.id
    left join groups on groups.id = group_id left join pools on pools.id = pool left join seasons on seasons.id = season
"""
_EDITION = """
select (select max(rowid) from matches), (select max(end_number) from matches),
    (select count(*) from matches where state = 'running'), (select sum(published) from pools),
    (select max(id) from audit), (select max(id) from faults), (select max(id) from groups),
    (select group_concat(hex(pseudonym)) from bots), (select count(*) from bots),
    (select max(id) from runs), (select sum(length(state)) from events),
    (select count(*) from event_places)
"""
_SEAT = len(SeatRow._fields)
ENDED = "julianday(started) + coalesce(duration_us, 0) / 86400000000.0"
"""When a match ended, in days."""
_SINCE = f"(state = 'running' or {ENDED} >= julianday(:since))"


class PlayedTable(MatchTable):
    """Reads matches back."""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read in the block is the file as it is at one moment, whatever others write meanwhile."""
        with self.explained():
            self._connection.execute("begin")
            try:
                yield
            finally:
                with suppress(sqlite3.Error):
                    self._connection.rollback()

    def edition(self) -> str:
        """A text that changes with what pages show: ends, tables that open, ratings, rulings, faults, events.

        The steps of running matches do not change the text.
        """
        with self.explained():
            row = self._connection.execute(_EDITION).fetchone()
        return "-".join(str(value or 0) for value in row)

    def played(self, wanted: Selection, *, whole_sets: bool = False) -> Iterator[MatchRow]:
        """The matches that are wanted, in the order in which they began.

        `whole_sets`: a set of which one match ended late enough is wanted altogether.
        """
        conditions, values = _conditions(wanted, whole_sets=whole_sets)
        where = f"where {' and '.join(conditions)}" if conditions else ""
        with self.explained():
            values["in_the_open"] = self.in_the_open()
            rows = self._connection.execute(f"{_MATCHES} {where} order by started, matches.id, seat", values)
            for about, seats in groupby(rows, key=lambda row: row[:-_SEAT]):
                yield _match_row(about, tuple(SeatRow(*row[-_SEAT:]) for row in seats))

    def newest(self, wanted: Selection, first: int, count: int) -> tuple[list[MatchRow], int]:
        """At most `count` of the wanted matches from number `first` on (0 is the newest), and how many there are."""
        conditions, values = _conditions(wanted, whole_sets=False)
        where = f"where {' and '.join(conditions)}" if conditions else ""
        with self.explained():
            values["in_the_open"] = self.in_the_open()
            (total,) = self._connection.execute(f"select count(*) from matches {where}", values).fetchone()
            page = (
                f"select id from matches {where} order by started desc, id desc limit {int(count)} offset {int(first)}"
            )
            rows = self._connection.execute(
                f"{_MATCHES} where matches.id in ({page}) order by started desc, matches.id desc, seat", values
            ).fetchall()
        found = groupby(rows, key=lambda row: row[:-_SEAT])
        return [_match_row(about, tuple(SeatRow(*row[-_SEAT:]) for row in seats)) for about, seats in found], total

    def match_row(self, match: str) -> MatchRow:
        """One match, by its whole id."""
        with self.explained():
            rows = self._connection.execute(
                f"{_MATCHES} where matches.id = :match order by seat",
                {"match": match, "in_the_open": self.in_the_open()},
            ).fetchall()
        return _match_row(rows[0][:-_SEAT], tuple(SeatRow(*row[-_SEAT:]) for row in rows))

    def header(self, match: str) -> Header:
        """The terms of a match, by its whole id; they are public from its beginning."""
        (line,) = self._connection.execute("select header from matches where id = ?", (match,)).fetchone()
        return from_lines([line.encode()]).header

    def told_ratings(self, match: str) -> list[tuple[float, float] | None]:
        """The quick ratings of each seat before and after a match; None where none were stored."""
        rows = self._connection.execute(
            "select rating_before, rating_after from seats where match = ? order by seat", (match,)
        )
        return [None if after is None else (before, after) for before, after in rows]

    def shown_record(self, match: str) -> Record:
        """The record of a match, by its whole id, if every reader may see it; raises SealedRecord otherwise.

        `record` reads what an earlier version stored in the open; this does not.
        """
        row = self.match_row(match)
        if row.state == "running" or row.sealed:
            raise self._sealed_record(match)
        return self.record(match)

    def played_so_far(self, match: str) -> Record:
        """The record of a match, by its whole id, as far as it was played, also while it runs.

        The steps of a running match are unsealed with the host's key: a caller shows of them what spectators may know,
        and nothing else. Raises SealedRecord for a match that is over while its set is not.
        """
        if self.match_row(match).state != "running":
            return self.shown_record(match)
        header = self._connection.execute("select header from matches where id = ?", (match,)).fetchone()[0]
        steps = "".join([line for line, _, _ in self._opened_steps(match)])
        return from_lines([header.encode(), *steps.encode().splitlines(keepends=True)])

    def players(self) -> list[str]:
        """The names of all that played."""
        return [row[0] for row in self._connection.execute("select distinct player from seats order by player")]

    def tables_played(self) -> list[tuple[str, int]]:
        """Every game and number of seats that was played."""
        rows = self._connection.execute(
            "select distinct game, json_array_length(header, '$.players') from matches order by 1, 2"
        )
        return rows.fetchall()

    def build_row(self, build: int) -> BuildRow:
        """A build, by its id."""
        digest, spec, remote, created = self._connection.execute(
            "select digest, spec, remote, created from builds where id = ?", (build,)
        ).fetchone()
        return BuildRow(digest, spec, bool(remote), created)

    def builds_of(self, bot: str) -> list[BuildRow]:
        """The builds of a bot, in the order in which they were made: number 1 is the first."""
        rows = self._connection.execute(
            "select digest, spec, remote, created from builds where bot = ? order by created, digest", (bot,)
        )
        return [BuildRow(digest, spec, bool(remote), created) for digest, spec, remote, created in rows]

    def build_number(self, build: int) -> int:
        """The number of a build among the builds of its bot, by its id; see `build_numbers`."""
        (number,) = self._connection.execute(
            "select count(*) from builds join builds found on found.id = ? "
            "where builds.bot = found.bot and (builds.created, builds.digest) <= (found.created, found.digest)",
            (build,),
        ).fetchone()
        return int(number)

    def build_of(self, bot: str, number: int) -> int:
        """The id of a bot's build by its number among them; raises UnknownName."""
        ids = [row[0] for row in self._connection.execute("select id from builds where bot = ?", (bot,))]
        numbers = self.build_numbers()
        for build in ids:
            if numbers[build] == number:
                return int(build)
        raise UnknownName(f"{bot!r} has {len(ids)} build{'' if len(ids) == 1 else 's'} in {self.path}, not {number}")

    def source(self, number: int) -> SourceRow:
        """The imported file of that id."""
        row = self._connection.execute(
            "select id, referee, digest, file, prefix, matches, imported from import_sources where id = ?", (number,)
        )
        return SourceRow(*row.fetchone())

    def group(self, pool: int, number: int) -> GroupRow:
        """A group, by its number in its pool."""
        found, lineup, builds, batch, duplicate, games, origin = self._connection.execute(
            "select id, lineup, builds, batch, duplicate, games, origin from groups where pool = ? and number = ?",
            (pool, number),
        ).fetchone()
        names = tuple(json.loads(lineup))
        return GroupRow(found, number, batch, names, tuple(json.loads(builds)), bool(duplicate), games, origin)

    def pools_of_seasons(self) -> dict[int, tuple[SeasonRow, PoolRow]]:
        """Every pool of the file by its id, with its season."""
        return {pool.id: (season, pool) for season in self.seasons() for pool in self.pools(season.id)}

    def referee_id(self) -> str:
        """What tells the referee of this file from others."""
        return self._noted("referee") or ""


def _conditions(wanted: Selection, *, whole_sets: bool) -> tuple[list[str], dict[str, object]]:
    """The conditions of a query for matches, and the values in them."""
    found: list[str] = []
    values: dict[str, object] = {}
    if wanted.bot is not None:
        build = "" if wanted.build is None else " and build = :build"
        found.append(f"matches.id in (select match from seats where player = :bot{build})")
        values |= {"bot": wanted.bot, "build": wanted.build}
    if wanted.against is not None:
        found.append("matches.id in (select match from seats where player = :against)")
        values["against"] = wanted.against
    if wanted.pool is not None:
        found.append("group_id in (select id from groups where pool = :pool)")
        values["pool"] = wanted.pool
    if wanted.game is not None:
        found.append("matches.game = :game")
        values["game"] = wanted.game
    if wanted.seats is not None:
        found.append("json_array_length(header, '$.players') = :seats")
        values["seats"] = wanted.seats
    if wanted.clock is not None:
        found.append("json_extract(header, '$.clock') = :clock")
        values["clock"] = wanted.clock
    for number, (key, value) in enumerate(wanted.variant):
        found.append(f"json_extract(matches.variant, :key{number}) = :value{number}")
        values |= {f"key{number}": f'$."{key}"', f"value{number}": value}
    if wanted.faults:
        found.append(
            "(state = 'void' or matches.id in (select match from seats where faults > 0 or ending != 'finished'))"
        )
    if wanted.running:
        found.append("state = 'running'")
    if wanted.since is not None:
        late = f"select group_id from matches where group_id is not null and {_SINCE}"
        found.append(f"({_SINCE} or group_id in ({late}))" if whole_sets else _SINCE)
        values["since"] = wanted.since
    return found, values


def _match_row(about: tuple[object, ...], seats: tuple[SeatRow, ...]) -> MatchRow:
    """A row of `_MATCHES` without its seat, with all seats of the match."""
    found = dict(zip(MatchRow.__slots__, (*about, seats), strict=True))
    for flag in ("sealed", "ended", "rated"):
        found[flag] = bool(found[flag])
    found["variant"] = json.loads(str(found["variant"]))
    return MatchRow(**found)  # type: ignore[arg-type]
