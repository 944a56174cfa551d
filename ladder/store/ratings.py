"""Standings as they are published, their history, and the runs of a season."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.store.file import DatabaseFile, moment
from ladder.store.records import RatingRow, RunRow

_COLUMNS = ", ".join(RatingRow._fields)


class RatingTable(DatabaseFile):
    """What can be thrown away and rebuilt from results: ratings, and what each run ended with."""

    def save_ratings(
        self, pool: int, rows: Sequence[RatingRow], stamp: int, history: Sequence[tuple[int, str, float]] | None = None
    ) -> None:
        """Replace the stored standings of a pool, and their history if it is given; both can be rebuilt from results.

        `stamp` names the results that they belong to.
        """
        with self.transaction():
            self._connection.execute("update pools set published = ? where id = ?", (stamp, pool))
            self._connection.execute("delete from ratings where pool = ?", (pool,))
            self._connection.executemany(
                f"insert into ratings (pool, {_COLUMNS}) values (?{', ?' * len(RatingRow._fields)})",
                [(pool, *row) for row in rows],
            )
            if history is not None:
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
            f"select {_COLUMNS} from ratings where pool = ? order by island, elo desc, player", (pool,)
        )
        return [RatingRow(*row)._replace(exact=bool(row[-1])) for row in rows]

    def begin_run(self, season: int) -> int:
        """A run of a season begins; returns its id."""
        with self.transaction():
            made = self._connection.execute("insert into runs (season, started) values (?, ?)", (season, moment()))
        return int(made.lastrowid or 0)

    def end_run(self, run: int, matches: int, reason: str) -> None:
        """A run has ended: keep the standings it ended with."""
        with self.transaction():
            self._connection.execute(
                "update runs set ended = ?, matches = ?, reason = ? where id = ?", (moment(), matches, reason, run)
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

    def run_starts(self, pool: int, most: int) -> list[tuple[str, int]]:
        """The latest runs of a pool's season, latest first: when each began, and the pool's rated matches before."""
        rows = self._connection.execute(
            "select runs.started, (select count(*) from matches join groups on groups.id = group_id "
            "where groups.pool = pools.id and state = 'finished' and rated and matches.started < runs.started) "
            "from runs join pools on pools.season = runs.season where pools.id = ? order by runs.id desc limit ?",
            (pool, most),
        )
        return [(started, before) for started, before in rows]

    def run_standings(self, run: int) -> dict[tuple[str, int, str, str], tuple[float, float | None, float | None]]:
        """The ratings at the end of a run: (game, seats, variant, player) to (elo, low, high)."""
        rows = self._connection.execute(
            "select game, seats, variant, player, elo, low, high from run_standings join pools on pools.id = pool "
            "where run = ? order by game, seats, variant, player",
            (run,),
        )
        return {row[:4]: row[4:] for row in rows}
