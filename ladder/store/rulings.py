"""What organisers decided: bans, pauses, admission, pseudonyms, matches that do not count; and the list of their acts.

A ruling on a match stands in `matches.ruling`: `void` (it does not count and is not played again) or `again` (it is
played again, in a new attempt of its group). The record of a match never changes by a ruling.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from ladder.store.file import DatabaseFile, moment

VOID, AGAIN = "void", "again"
"""What was decided of a match."""
ADMISSION, CLOSED = "admission", "closed"


class BanRow(NamedTuple):
    """A bot that is kept out."""

    bot: str
    until: str | None
    """A moment in UTC; None: until it is lifted."""
    reason: str


class ActRow(NamedTuple):
    """What an organiser did."""

    moment: str
    actor: str
    action: str
    subject: str
    detail: str


class PlacedMatch(NamedTuple):
    """A match with its place in a season."""

    id: str
    state: str
    season: int | None
    pool: int | None
    group: int | None
    """The id of its group."""
    number: int | None
    """The number of its group in the pool."""
    rotation: int
    attempt: int
    latest: bool
    """Whether no later attempt of it was begun."""
    reason: str | None
    ruling: str | None
    players: tuple[str, ...]
    imported: bool


class RulingTable(DatabaseFile):
    """The organisers' decisions."""

    def audit(self, actor: str, action: str, subject: str, detail: str) -> None:
        """Note an act of an organiser."""
        with self.transaction():
            self._connection.execute(
                "insert into audit (moment, actor, action, subject, detail) values (?, ?, ?, ?, ?)",
                (moment(), actor, action, subject, detail),
            )

    def acts(self, limit: int) -> list[ActRow]:
        """The latest acts, the latest first."""
        rows = self._connection.execute(
            "select moment, actor, action, subject, detail from audit order by id desc limit ?", (limit,)
        )
        return [ActRow(*row) for row in rows]

    def bans(self) -> list[BanRow]:
        """Every ban that is stored, by name; one whose time has passed means nothing."""
        return [BanRow(*row) for row in self._connection.execute("select bot, until, reason from bans order by bot")]

    def ban(self, ban: BanRow) -> None:
        """Keep a bot out; an earlier ban of it is replaced."""
        with self.transaction():
            self._connection.execute("insert or replace into bans values (?, ?, ?, ?)", (*ban, moment()))

    def unban(self, bot: str) -> bool:
        """Admit a bot again; False: the bot was not banned."""
        with self.transaction():
            return self._connection.execute("delete from bans where bot = ?", (bot,)).rowcount > 0

    def paused_pools(self) -> set[int]:
        """The ids of the pools that are paused."""
        return {row[0] for row in self._connection.execute("select pool from pauses")}

    def pause_pools(self, pools: Sequence[int], paused: bool) -> None:
        """Pause pools, or let them go on."""
        with self.transaction():
            self._connection.executemany("delete from pauses where pool = ?", [(pool,) for pool in pools])
            if paused:
                self._connection.executemany("insert into pauses values (?, ?)", [(pool, moment()) for pool in pools])

    @property
    def admission_closed(self) -> bool:
        """Whether names that were never here are kept out."""
        found = self._connection.execute("select value from host where name = ?", (ADMISSION,)).fetchone()
        return found is not None and found[0] == CLOSED

    def close_admission(self, closed: bool) -> None:
        """Keep out names that were never here, or admit them."""
        with self.transaction():
            self._connection.execute("delete from host where name = ?", (ADMISSION,))
            if closed:
                self._connection.execute("insert into host values (?, ?)", (ADMISSION, CLOSED))

    def knows_bot(self, name: str) -> bool:
        """Whether a bot of that name was here, or has or had a token."""
        return self._connection.execute("select 1 from bots where name = ?", (name,)).fetchone() is not None

    def bot_names(self) -> list[str]:
        """Every bot that was ever here."""
        return [row[0] for row in self._connection.execute("select name from bots order by name")]

    def pseudonyms(self) -> dict[str, str]:
        """The names under which hidden bots are shown."""
        rows = self._connection.execute("select name, pseudonym from bots where pseudonym is not null")
        return dict(rows.fetchall())

    def hide(self, bot: str, pseudonym: str | None) -> None:
        """Show a bot under another name; None: under its own."""
        with self.transaction():
            self._connection.execute("update bots set pseudonym = ? where name = ?", (pseudonym, bot))

    def placed_match(self, match: str) -> PlacedMatch:
        """A match and its place; `match` is a whole id that is stored."""
        row = self._connection.execute(
            "select matches.id, state, season, pool, group_id, number, coalesce(rotation, 0), attempt, "
            "not exists (select 1 from matches later where later.group_id = matches.group_id "
            "and later.rotation = matches.rotation and later.attempt > matches.attempt), reason, ruling, "
            "source is not null, lineup from matches left join groups on groups.id = group_id "
            "left join pools on pools.id = pool where matches.id = ?",
            (match,),
        ).fetchone()
        latest, reason, ruling, imported, lineup = row[8:]
        # The automata of the rules stand behind the seats.
        most = -1 if lineup is None else len(json.loads(lineup))
        players = self._connection.execute(
            "select player from seats where match = ? order by seat limit ?", (match, most)
        )
        names = tuple(player for (player,) in players)
        return PlacedMatch._make((*row[:8], bool(latest), reason, ruling, names, bool(imported)))

    def rule(self, match: str, ruling: str, reason: str) -> None:
        """Let a match not count, or be played again. One that is running is marked, and void when it has ended."""
        with self.transaction():
            self._connection.execute(
                "update matches set ruling = ?, reason = ?, rated = 0, "
                "state = case state when 'running' then state else 'void' end where id = ?",
                (ruling, reason, match),
            )

    def ruled(self) -> dict[str, str]:
        """The running matches that an organiser ended just before the referee was killed, with the reasons."""
        rows = self._connection.execute(
            "select id, reason from matches where state = 'running' and ruling is not null"
        ).fetchall()
        return {match: reason or "" for match, reason in rows}

    def to_replay(self, pool: int) -> list[str]:
        """The matches of a pool that are to be played again, in the order of their groups."""
        rows = self._connection.execute(
            "select matches.id from matches join groups on groups.id = group_id where pool = ? and ruling = ? "
            "and state = 'void' and not exists (select 1 from matches later where later.group_id = groups.id "
            "and later.rotation = matches.rotation and later.attempt > matches.attempt) order by number, rotation",
            (pool, AGAIN),
        )
        return [row[0] for row in rows]

    def bot_totals(self, season: int, bot: str) -> tuple[int, int]:
        """Matches of a season that a bot played and that are over, and its faults in them."""
        count, faults = self._connection.execute(
            "select count(*), coalesce(sum(faults), 0) from seats join matches on matches.id = match "
            "join groups on groups.id = group_id join pools on pools.id = pool "
            "where player = ? and season = ? and state = 'finished'",
            (bot, season),
        ).fetchone()
        return int(count), int(faults)
