"""Events as they are stored: entrants, rounds and forfeits; the results of their games are those of their groups."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ladder.store.file import moment
from ladder.store.matches import MatchTable

WAITING, RUNNING, OVER = "waiting", "running", "over"


class EventRow(NamedTuple):
    """An event."""

    season: int
    pool: int
    rules: dict[str, object]
    state: str
    """`waiting`, `running` or `over`."""
    paused: bool
    begun: str | None
    ended: str | None


class EntrantRow(NamedTuple):
    """A bot of an event."""

    bot: str
    seed: int
    checked_in: str | None
    entered: int | None
    out_before: int | None
    reason: str


class PlaceRow(NamedTuple):
    """Where a bot is in a round."""

    round: int
    bot: str
    role: str
    """`table`, `bye` or `missed`."""
    slot: int | None


class GameRow(NamedTuple):
    """A game of a table, played or not."""

    group: int
    """The id of its group."""
    number: int
    """The number of its group in the pool."""
    round: int
    slot: int
    lineup: tuple[str, ...]
    """Bots by seat."""
    absent: tuple[str, ...] | None


class PlannedGame(NamedTuple):
    """A game that is to be stored."""

    slot: int
    lineup: tuple[str, ...]
    absent: tuple[str, ...] | None = None


class EventTable(MatchTable):
    """The events of a file, at most one for each season."""

    def event(self, season: int) -> EventRow | None:
        """The event of a season; None: the season is none."""
        row = self._connection.execute(
            "select season, pool, rules, state, paused, begun, ended from events where season = ?", (season,)
        ).fetchone()
        if row is None:
            return None
        return EventRow(row[0], row[1], json.loads(row[2]), row[3], bool(row[4]), row[5], row[6])

    def event_state(self, season: str) -> str | None:
        """How the event of a season of that name stands; None: there is none."""
        row = self._connection.execute(
            "select state from events join seasons on seasons.id = season where name = ?", (season,)
        ).fetchone()
        return None if row is None else str(row[0])

    def latest_event(self) -> int | None:
        """The season of the file's latest event; None: the file has none."""
        row = self._connection.execute("select max(season) from events").fetchone()
        return None if row[0] is None else int(row[0])

    def enter_event(self, season: int, pool: int, rules: Mapping[str, object], seeds: Sequence[str]) -> None:
        """Store an event and its entrants, by seed; one that is stored gets its rules and new entrants.

        Before the event has begun its entrants are exactly these; later ones come behind the others.
        """
        run = self._connection.execute
        with self.transaction():
            run(
                "insert into events (season, pool, rules, state) values (?, ?, ?, 'waiting') "
                "on conflict (season) do update set pool = excluded.pool, rules = excluded.rules where state != 'over'",
                (season, pool, json.dumps(dict(rules))),
            )
            if run("select state from events where season = ?", (season,)).fetchone()[0] == WAITING:
                run(
                    "delete from event_entrants where season = ? and bot not in (select value from json_each(?))",
                    (season, json.dumps(list(seeds))),
                )
                for seed, bot in enumerate(seeds, 1):
                    run(
                        "insert into event_entrants (season, bot, seed) values (?, ?, ?) "
                        "on conflict (season, bot) do update set seed = excluded.seed",
                        (season, bot, seed),
                    )
                return
            known = {row.bot for row in self.event_entrants(season)}
            for seed, bot in enumerate((bot for bot in seeds if bot not in known), len(known) + 1):
                run("insert into event_entrants (season, bot, seed) values (?, ?, ?)", (season, bot, seed))

    def event_entrants(self, season: int) -> list[EntrantRow]:
        """The entrants of an event, by seed."""
        rows = self._connection.execute(
            "select bot, seed, checked_in, entered, out_before, reason from event_entrants where season = ? "
            "order by seed",
            (season,),
        )
        return [EntrantRow(*row) for row in rows]

    def check_in(self, season: int, bots: Iterable[str]) -> None:
        """Note that bots have checked in; those that had keep their moment."""
        with self.transaction():
            self._connection.executemany(
                "update event_entrants set checked_in = ? where season = ? and bot = ? and checked_in is null",
                [(moment(), season, bot) for bot in bots],
            )

    def begin_event(self, season: int, entered: Iterable[str], outs: Iterable[tuple[str, str]]) -> None:
        """The event begins: these are in from the first round, those are out, each with the reason."""
        with self.transaction():
            self._connection.execute(
                "update events set state = 'running', begun = ? where season = ?", (moment(), season)
            )
            self._enter(season, 1, entered)
            self._put_out(season, 1, outs)

    def pause_event(self, season: int, paused: bool) -> None:
        """Note that the event rests, or goes on."""
        with self.transaction():
            self._connection.execute("update events set paused = ? where season = ?", (int(paused), season))

    def end_event(self, season: int, before: int, outs: Iterable[tuple[str, str]]) -> None:
        """The event is over; `outs` left before the round that is not played any more."""
        with self.transaction():
            self._connection.execute("update events set state = 'over', ended = ? where season = ?", (moment(), season))
            self._put_out(season, before, outs)

    def withdraw(self, season: int, bot: str, before: int, reason: str) -> None:
        """A bot leaves the event."""
        with self.transaction():
            self._put_out(season, before, [(bot, reason)])

    def add_round(
        self,
        row: EventRow,
        number: int,
        places: Iterable[PlaceRow],
        games: Iterable[PlannedGame],
        outs: Iterable[tuple[str, str]],
        builds: Mapping[str, int],
    ) -> None:
        """Store a round as it was paired, all of it or nothing; bots that are in it have entered."""
        with self.transaction():
            listed = list(places)
            self._connection.executemany(
                "insert into event_places (season, round, bot, role, slot) values (?, ?, ?, ?, ?)",
                [(row.season, *place) for place in listed],
            )
            self._enter(row.season, number, [place.bot for place in listed if place.role != "missed"])
            self._put_out(row.season, number, outs)
            self.add_games(row, number, games, builds)

    def add_games(self, row: EventRow, number: int, games: Iterable[PlannedGame], builds: Mapping[str, int]) -> None:
        """Store games of a round, each as a group of one match."""
        with self.transaction():
            for next_group, game in enumerate(games, self.next_group(row.pool)):
                known = [builds[name] for name in game.lineup]
                group = self.add_group(row.pool, next_group, number, game.lineup, known, False, 1)
                self._connection.execute(
                    "insert into event_games (group_id, season, round, slot, absent) values (?, ?, ?, ?, ?)",
                    (group, row.season, number, game.slot, None if game.absent is None else json.dumps(game.absent)),
                )

    def forfeit(self, group: int, absent: Sequence[str]) -> None:
        """Bots did not come to a game, which is not played any more."""
        with self.transaction():
            self._connection.execute(
                "update event_games set absent = ? where group_id = ?", (json.dumps(list(absent)), group)
            )

    def event_places(self, season: int) -> list[PlaceRow]:
        """Where every bot was in every round, by round and slot."""
        rows = self._connection.execute(
            "select round, bot, role, slot from event_places where season = ? order by round, slot, bot", (season,)
        )
        return [PlaceRow(*row) for row in rows]

    def event_games(self, season: int) -> list[GameRow]:
        """The games of an event, in the order of planning."""
        rows = self._connection.execute(
            "select groups.id, number, round, slot, lineup, absent from event_games "
            "join groups on groups.id = group_id where season = ? order by number",
            (season,),
        )
        return [
            GameRow._make((*row[:4], tuple(json.loads(row[4])), None if row[5] is None else tuple(json.loads(row[5]))))
            for row in rows
        ]

    def _enter(self, season: int, number: int, bots: Iterable[str]) -> None:
        self._connection.executemany(
            "update event_entrants set entered = ? where season = ? and bot = ? and entered is null",
            [(number, season, bot) for bot in bots],
        )

    def _put_out(self, season: int, before: int, outs: Iterable[tuple[str, str]]) -> None:
        self._connection.executemany(
            "update event_entrants set out_before = ?, reason = ? where season = ? and bot = ? and out_before is null",
            [(before, reason, season, bot) for bot, reason in outs],
        )
