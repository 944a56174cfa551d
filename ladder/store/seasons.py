"""Seasons with their pools, the builds of bots, and the groups of matches that were scheduled or opened."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from ladder.store.file import StoreProblem, moment
from ladder.store.host_key import SealBroken, key_path
from ladder.store.records import GroupRow, PoolRow, ResultRow, SeasonRow
from ladder.store.sealed import SealedFile, season_purpose
from referee.kernel.errors import BadSetting, UnknownName
from referee.kernel.plain import canonical

_POOL = "id, game, seats, variant, clock, rules_version, components, rated, edition, archived, published"
_GROUP = "id, number, batch, lineup, builds, duplicate, games, origin"
IMPORTED = -1
"""The batch of groups that were played elsewhere: no schedule counts them. Their numbers are below 0, too."""


class SeasonTable(SealedFile):
    """What is played: seasons, pools, groups, and the results in them."""

    def build(self, bot: str, spec: str, digest: str, *, remote: bool = False) -> int:
        """The id of a bot's build; a changed digest is a new build. The spec of a remote bot is its software."""
        with self.transaction():
            self._connection.execute("insert or ignore into bots (name, created) values (?, ?)", (bot, moment()))
            self._connection.execute(
                "insert or ignore into builds (bot, digest, spec, created, remote) values (?, ?, ?, ?, ?)",
                (bot, digest, spec, moment(), int(remote)),
            )
        return self._build(bot, digest) or 0

    def _build(self, bot: str, digest: str) -> int | None:
        row = self._connection.execute("select id from builds where bot = ? and digest = ?", (bot, digest)).fetchone()
        return None if row is None else int(row[0])

    def remote_build(self, bot: str, software: str, digest: str, most_per_day: int) -> int | None:
        """The id of a remote bot's build; None: the build is new, and the bot has had too many new ones in 24 hours."""
        found = self._build(bot, digest)
        if found is not None:
            return found
        recent = self._connection.execute(
            "select count(*) from builds where bot = ? and julianday(created) > julianday('now') - 1", (bot,)
        ).fetchone()[0]
        return None if recent >= most_per_day else self.build(bot, software, digest, remote=True)

    def unproven(self) -> set[str]:
        """The names of remote bots that never had a token: any bot may have played under them."""
        rows = self._connection.execute(
            "select distinct bot from builds where remote = 1 "
            "and bot not in (select bot from tokens where role = 'entrant')"
        )
        return {row[0] for row in rows}

    def last_builds(self, bots: Iterable[str]) -> dict[str, int]:
        """The build of each bot that was made last, of those that have one."""
        rows = self._connection.execute(
            "select bot, id from builds where bot in (select value from json_each(?)) order by created, id",
            (json.dumps(list(bots)),),
        )
        return dict(rows.fetchall())

    def build_numbers(self) -> dict[int, int]:
        """The number of every build among the builds of its bot, in the order in which they were made, by its id.

        The number is the same in every file that holds the same builds.
        """
        rows = self._connection.execute(
            "select id, row_number() over (partition by bot order by created, digest) from builds"
        )
        return dict(rows.fetchall())

    def season(
        self,
        name: str,
        config: str,
        secret: bytes | None,
        *,
        tempo: str,
        pairing_version: int,
        present: Callable[[str], str] = str,
    ) -> SeasonRow:
        """The season of that name, created if it is new; raises BadSetting if it is another kind.

        `secret` fixes the luck of a new season and is stored sealed; None: it derives from the host's key. A planned
        season is bound to its `config`; an open one may get other pools at any time. `present` translates a stored
        `config` into the settings of the present rules.
        """
        sealed = None if secret is None else self.key.seal(secret, season_purpose(name))
        with self.transaction():
            self._connection.execute(
                "insert or ignore into seasons (name, tempo, pairing_version, config, sealed_secret, created) "
                "values (?, ?, ?, ?, ?, ?)",
                (name, tempo, pairing_version, config, sealed, moment()),
            )
        found = self.find_season(name)
        if found.tempo != tempo:
            raise BadSetting(
                f"season {name!r} in {self.path} is {'an open' if found.tempo == 'open' else 'a planned'} season, and "
                f"this would go on with it as {'an open' if tempo == 'open' else 'a planned'} one; use another season "
                f"name or another database"
            )
        if tempo == "planned" and present(found.config) != config:
            raise BadSetting(
                f"season {name!r} in {self.path} was begun with other pools or pairings; "
                f"give the changed ladder another season name, or go on with the old settings"
            )
        return found

    def seasons(self) -> list[SeasonRow]:
        """All seasons, in order of creation."""
        rows = self._connection.execute("select id, name, tempo, pairing_version, config from seasons order by id")
        return [SeasonRow(*row) for row in rows]

    def find_season(self, name: str | None) -> SeasonRow:
        """The season of that name, or the latest one; raises UnknownName."""
        rows = self.seasons()
        for row in reversed(rows):
            if name is None or row.name == name:
                return row
        if not rows:
            raise BadSetting(f"{self.path} has no season yet: kumite serve --db and kumite ladder run begin one")
        raise UnknownName.of(f"season of {self.path}", name or "", [row.name for row in rows])

    def season_secret(self, season: int) -> bytes:
        """What the luck of a season's matches derives from; raises StoreProblem if its key is lost."""
        name, created, plain, sealed = self._connection.execute(
            "select name, created, secret, sealed_secret from seasons where id = ?", (season,)
        ).fetchone()
        if plain is not None:
            return bytes(plain)
        if sealed is None:
            return self.key.derive("season", name, created)
        try:
            return self.key.unseal(sealed, season_purpose(name))
        except SealBroken:
            raise StoreProblem(
                f"the secret of season {name!r} in {self.path} is sealed with another key than {key_path(self.path)}; "
                f"put database and key back from a backup, or begin a season under another name"
            ) from None

    def draws_by_match(self, season: int) -> bool:
        """Whether the secrets of a season's matches derive from their ids, which are random.

        Then no luck ever comes twice, also not after an older state of the file was put back. In planned seasons, and
        those with a secret of their own, secrets derive from places in the schedule.
        """
        tempo, plain, sealed = self._connection.execute(
            "select tempo, secret, sealed_secret from seasons where id = ?", (season,)
        ).fetchone()
        return tempo == "open" and plain is None and sealed is None

    def pool(
        self,
        season: int,
        game: str,
        seats: int,
        variant: Mapping[str, str],
        clock: str,
        rules_version: int,
        components: str,
        *,
        rated: bool = True,
        current: bool = True,
    ) -> PoolRow:
        """The pool of a season, created if it is new.

        If the rules or components of its game have changed since, the season's pools under the old ones are archived,
        whatever their settings: the settings of a game may have changed with its rules. `current` False: the pool
        itself is one of earlier rules, and is archived at once.
        """
        settings = canonical(dict(variant)).decode()
        key = (season, game, seats, settings)
        with self.transaction():
            edition = self._connection.execute(
                "select count(*) from pools where season = ? and game = ? and seats = ? and variant = ?", key
            ).fetchone()[0]
            self._connection.execute(
                "insert or ignore into pools (season, game, seats, variant, clock, rules_version, components, edition) "
                "values (?, ?, ?, ?, ?, ?, ?, ?)",
                (*key, clock, rules_version, components, edition),
            )
            self._connection.execute(
                "update pools set archived = ?, rated = ? where season = ? and game = ? and seats = ? and variant = ? "
                "and clock = ? and rules_version = ? and components = ?",
                (None if current else moment(), int(rated), *key, clock, rules_version, components),
            )
            if current:
                self._connection.execute(
                    "update pools set archived = ? where season = ? and game = ? and archived is null "
                    "and (rules_version != ? or components != ?)",
                    (moment(), season, game, rules_version, components),
                )
        found = self._pool_like(season, (game, seats, dict(variant), clock, rules_version, components))
        if found is None:
            raise StoreProblem(f"{self.path}: the pool of {game} was not stored")
        return found

    def pools(self, season: int) -> list[PoolRow]:
        """All pools of a season, archived ones included, in order of creation."""
        rows = self._connection.execute(f"select {_POOL} from pools where season = ? order by id", (season,))
        return [
            PoolRow(pool, game, seats, json.loads(variant), clock, rules, components, bool(rated), *rest)
            for pool, game, seats, variant, clock, rules, components, rated, *rest in rows
        ]

    def _pool_like(self, season: int, about: tuple[object, ...]) -> PoolRow | None:
        """The pool of a season with this game, seats, variant, clock, rules version and components."""
        for row in self.pools(season):
            if about == (row.game, row.seats, row.variant, row.clock, row.rules_version, row.components):
                return row
        return None

    def schedule(
        self,
        pool: int,
        batch: int,
        lineups: Sequence[tuple[str, ...]],
        builds: Mapping[str, int],
        duplicate: Iterable[bool],
    ) -> None:
        """Append a batch to a pool's schedule, all of it or nothing; each line-up plays every rotation of its seats."""
        with self.transaction():
            for number, (lineup, shared) in enumerate(zip(lineups, duplicate, strict=True), self.next_group(pool)):
                self.add_group(pool, number, batch, lineup, [builds[name] for name in lineup], shared, len(lineup))

    def next_group(self, pool: int) -> int:
        """The number of a pool's next group."""
        row = self._connection.execute("select coalesce(max(number), -1) + 1 from groups where pool = ?", (pool,))
        return int(row.fetchone()[0])

    def add_group(
        self,
        pool: int,
        number: int,
        batch: int,
        lineup: Sequence[str],
        builds: Sequence[int],
        duplicate: bool,
        games: int,
    ) -> int:
        """Store a group; returns its id."""
        made = self._connection.execute(
            "insert into groups (pool, number, batch, lineup, builds, duplicate, games) values (?, ?, ?, ?, ?, ?, ?)",
            (pool, number, batch, json.dumps(lineup), json.dumps(builds), int(duplicate), games),
        )
        return int(made.lastrowid or 0)

    def groups(self, pool: int, batch: int = IMPORTED) -> list[GroupRow]:
        """The groups of a pool from a batch on, in order; without one, those that were played elsewhere as well."""
        rows = self._connection.execute(
            f"select {_GROUP} from groups where pool = ? and batch >= ? order by number", (pool, batch)
        )
        return [
            GroupRow(group, number, of, tuple(json.loads(lineup)), tuple(json.loads(builds)), bool(shared), *rest)
            for group, number, of, lineup, builds, shared, *rest in rows
        ]

    def due(self, bot: str, most: int) -> list[tuple[int, tuple[str, ...]]]:
        """The scheduled groups of planned seasons in which a bot has a match to come: pool and line-up, in order.

        Groups of events are not among them: whether those are still played is known to the event alone.
        """
        rows = self._connection.execute(
            "select pool, lineup from groups join pools on pools.id = pool join seasons on seasons.id = season "
            "where tempo = 'planned' and archived is null and origin is null "
            "and season not in (select season from events) "
            "and exists (select 1 from json_each(lineup) where value = :bot) "
            "and (select count(distinct rotation) from matches where group_id = groups.id) < games "
            "order by season desc, pool, number limit :most",
            {"bot": bot, "most": most},
        )
        return [(pool, tuple(json.loads(lineup))) for pool, lineup in rows]

    def results(self, pool: int, batch: int = IMPORTED) -> list[ResultRow]:
        """What is stored of a pool's matches from a batch on, in the order of groups; of each the latest attempt.

        Without a batch, matches that were played elsewhere are among them.
        """
        rows = self._connection.execute(
            "select matches.id, groups.number, rotation, state, rated, end_number, started, attempt, "
            "state = 'void' and final is not null and ruling is null, coalesce(ruling, ''), "
            "seat, player, build, place, points, faults "
            "from groups join matches on group_id = groups.id join seats on match = matches.id "
            "where pool = ? and batch >= ? and not exists "
            "(select 1 from matches later where later.group_id = groups.id and later.rotation = matches.rotation "
            "and later.attempt > matches.attempt) "
            "order by groups.number, rotation, seat",
            (pool, batch),
        )
        found: dict[str, tuple[tuple[object, ...], list[tuple[str, int | None, int, int, int]]]] = {}
        for match, group, rotation, state, rated, end, started, attempt, stopped, ruling, *seat in rows:
            about = (group, rotation, state, bool(rated), end, started, attempt, bool(stopped), ruling)
            _, seats = found.setdefault(match, (about, []))
            _, player, build, place, points, faults = seat
            seats.append((player, build, place or 0, points or 0, faults or 0))
        return [
            ResultRow(match, *about, *(tuple(column) for column in zip(*seats, strict=True)))  # type: ignore[arg-type]
            for match, (about, seats) in found.items()
        ]

    def stamp(self, pool: int) -> int:
        """A number that changes with the pool's results, and so tells whether published standings are up to date."""
        finished, last = self._connection.execute(
            "select count(*), coalesce(max(end_number), 0) from groups join matches on group_id = groups.id "
            "where pool = ? and state = 'finished'",
            (pool,),
        ).fetchone()
        return int(finished) * 2**31 + int(last)
