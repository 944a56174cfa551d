"""The ladder file: which bots play which games, how they are paired, and what a night must not lose.

    season = "autumn"                     # resumed under this name; {date} stands for the day
    database = "ladder.sqlite"            # beside this file

    patience = "10m"                      # planned, with remote bots: how long `ladder run` waits for one that is away
    fill = ["greedy"]                     # open: house bots that only complete tables

    [[bots]]
    name = "greedy"                       # what tables call it; the default name of its spec if left out
    spec = "greedy"                       # or py:module:Class, a folder with a bot.toml, remote:NAME
    tables = 1                            # tables at a time where it plays at the referee; for house bots

    [[pools]]
    game = "edo_yashiki"
    seats = 2
    variant = { rules = "standard" }      # the game's defaults if left out
    pairing = "round_robin"               # or swiss, gauntlet, matchmaking; or open
    rounds = 10                           # gauntlet also: candidates; matchmaking: sets, floor; open: weight
    clock = "none"                        # bots in process need none; 60s+500ms/30s where bots connect
    rated = true                          # false: played, but not rated
    bots = ["greedy"]                     # all bots that play the game if left out; not with open

    [hosting]                             # optional: bots of folders
    trust = false                         # true: they may run without walls where this machine has none
    runtime = ["/opt/jdk"]                # folders that they see beside the system's own, read-only
    limits = { memory_mib = 512 }         # the most that a bot.toml may ask for

    [watch]                               # optional: the run's exit code is 1 if one of these regressed
    bots = ["greedy"]
    drop = 30                             # Elo below the previous run that count as a regression

A table `[event]` makes the season an event, in rounds and with a winner (`ladder.config.event_file`); its one pool has
neither pairing nor rounds. A season has one tempo: all its pools are `open`, or none is. Every mistake is an error that
names the file, the line, the key and what is allowed.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from ladder.arena.entrants import Entrant, EntrantKind, find_entrant
from ladder.config.event_file import read_event
from ladder.config.event_rules import EventEntry
from ladder.config.offers import TableOffer
from ladder.config.toml_reading import TomlReader
from ladder.times import seconds
from referee.hosting.limits import CAPS, Hosting, read_limits
from referee.kernel import registry
from referee.kernel.bounded import read_text
from referee.kernel.errors import BadSetting, CallerFault, UnknownName
from referee.kernel.game import settle_variant
from referee.match.clock import NO_CLOCK, Clock
from referee.transport.auth import bad_name
from referee.transport.limits import Limits

OPEN = "open"
PAIRINGS = {
    "round_robin": ("rounds",),
    "swiss": ("rounds",),
    "gauntlet": ("rounds", "candidates"),
    "matchmaking": ("sets", "floor"),
    OPEN: ("weight",),
}
"""Each pairing and the keys it takes."""
EVENT = "event"
"""The pairing of an event's pool, with the format behind it."""
CONNECTED_CLOCK = "60s+500ms/30s"
"""The clock of a pool in which bots connect from outside, if its file names none."""
PATIENCE = "10m"
"""How long a remote bot may be away, if the file does not say."""
MOST_WEIGHT = 1_000_000
MOST_TABLES = 256
MOST_DROP = 100_000
"""Elo; no rating falls further."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot of the ladder."""

    name: str
    spec: str
    tables: int = 1
    """Tables that a house bot plays at a time where it connects to the referee."""

    @property
    def entrant(self) -> Entrant:
        """What the spec stands for."""
        return find_entrant(self.spec)


@dataclass(frozen=True, slots=True)
class PoolEntry:
    """One rating pool and how it is played."""

    game: str
    seats: int
    variant: dict[str, str]
    pairing: str
    bots: tuple[str, ...]
    rounds: int = 1
    sets: int = 100
    floor: int = 10
    candidates: tuple[str, ...] = ()
    clock: Clock = NO_CLOCK
    weight: float = 1.0
    rated: bool = True

    @property
    def offer(self) -> TableOffer:
        """The sort of table that an open pool is."""
        return TableOffer(self.game, self.seats, self.variant, self.clock, weight=self.weight, rated=self.rated)

    def identity(self) -> str:
        """What must not change inside a season: the game and how it is paired, but not the bots or the length."""
        settings = ",".join(f"{key}={value}" for key, value in sorted(self.variant.items()))
        return f"{self.game}/{self.seats}/{settings}/{self.pairing}/{self.clock}"


@dataclass(frozen=True, slots=True)
class WatchRules:
    """What a run is judged by."""

    bots: tuple[str, ...]
    drop: float = 30.0


@dataclass(frozen=True, slots=True)
class Ladder:
    """A whole ladder file."""

    season: str
    database: Path
    bots: tuple[BotEntry, ...]
    pools: tuple[PoolEntry, ...]
    watch: WatchRules | None = field(default=None)
    patience: float = 600.0
    """Seconds that a remote bot may be away before a planned run ends without it."""
    fill: tuple[str, ...] = ()
    """House bots that only complete tables of an open season."""
    hosting: Hosting = field(default_factory=Hosting)
    """How bots of folders are run."""
    event: EventEntry | None = None
    """How the season is played as an event; None: it is none."""

    @property
    def tempo(self) -> str:
        """`open` or `planned`."""
        return "open" if self.pools[0].pairing == OPEN else "planned"

    @property
    def remote(self) -> tuple[str, ...]:
        """The names of the bots that connect from outside and play in some pool."""
        playing = {name for pool in self.pools for name in pool.bots}
        return tuple(
            bot.name
            for bot in self.bots
            if bot.entrant.kind is EntrantKind.REMOTE and (self.tempo == "open" or bot.name in playing)
        )

    def identity(self) -> str:
        """The part of the file that a season is bound to."""
        return "\n".join(pool.identity() for pool in self.pools)


def read(path: Path, today: date | None = None) -> Ladder:
    """The ladder in a file; raises BadSetting or UnknownName."""
    try:
        text = read_text(path)
        tables = tomllib.loads(text)
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise BadSetting(f"{path}: brackets within brackets without end") from None
    except ValueError as error:  # no UTF-8, no TOML, or a number of thousands of digits
        raise BadSetting(f"{path}: {error}") from None
    return _LadderReader(path, text).ladder(tables, today or date.today())


class _LadderReader(TomlReader):
    """Checks one file."""

    def ladder(self, tables: dict[str, Any], today: date) -> Ladder:
        """The whole file."""
        self.known(
            tables, "", 0, ("season", "database", "patience", "fill", "bots", "pools", "hosting", "watch", "event")
        )
        season = self.text(tables, "season", "", 0, default="season").replace("{date}", today.isoformat())
        bots = self._bots(tables)
        listed = self.listed(tables, "pools")
        if not bots and not listed:
            raise self.wrong("", 0, "bots", 'there is no [[bots]]; a ladder needs at least two, spec = "greedy"')
        is_open = [entry.get("pairing") == OPEN for entry in listed]
        if any(is_open) and not all(is_open):
            text = 'a season is open or planned: give all pools pairing = "open", or none of them'
            raise self.wrong("pools", is_open.index(False), "pairing", text)
        if not listed:
            raise self.wrong("", 0, "pools", 'there is no [[pools]]; a ladder plays at least one, game = "edo_yashiki"')
        if not bots and not any(is_open):
            raise self.wrong("", 0, "bots", 'there is no [[bots]]; a ladder needs at least two, spec = "greedy"')
        if "event" in tables:
            self._check_event(listed, any(is_open))
        pools = tuple(self._pool(entry, number, bots, "event" in tables) for number, entry in enumerate(listed))
        if is_open[0]:
            self._check_games(bots, {pool.game for pool in pools})
        seen: dict[str, int] = {}
        for number, pool in enumerate(pools):
            key = f"{pool.game}/{pool.seats}/{sorted(pool.variant.items())}" + (f"/{pool.clock}" if is_open[0] else "")
            if key in seen:
                raise self.wrong("pools", number, "game", "another pool has the same game, seats and variant")
            seen[key] = number
        database = self.path.parent / self.text(tables, "database", "", 0, default="ladder.sqlite")
        fill = self._fill(tables, bots, is_open[0])
        patience = self._patience(tables, is_open[0])
        event = None
        if "event" in tables:
            (pool,) = pools
            event = read_event(self, tables["event"], pool.seats, pool.bots, pool.game)
            pools = (replace(pool, pairing=f"{EVENT}-{event.rules.format}"),)
        watch, hosting = self._watch(tables, bots), self._hosting(tables, database)
        return Ladder(season, database, tuple(bots.values()), pools, watch, patience, fill, hosting, event)

    def _check_event(self, listed: list[dict[str, Any]], is_open: bool) -> None:
        """Refuse pools that no event can have."""
        if is_open:
            raise self.wrong("pools", 0, "pairing", "an event is planned: leave pairing out, [event] says the format")
        if len(listed) > 1:
            raise self.wrong("pools", 1, "game", "an event has one pool; play others as events of their own")

    def _check_games(self, bots: dict[str, BotEntry], played: set[str]) -> None:
        """Refuse a bot of an open season that plays none of its games: it would be started in vain, for ever."""
        for number, bot in enumerate(bots.values()):
            games = bot.entrant.games
            if games is not None and played.isdisjoint(games):
                listed = ", ".join(sorted(played))
                text = (
                    f"{bot.name!r} plays none of the pools' games ({listed}); it plays {', '.join(games) or 'nothing'}"
                )
                raise self.wrong("bots", number, "spec", text)

    def _fill(self, tables: dict[str, Any], bots: dict[str, BotEntry], is_open: bool) -> tuple[str, ...]:
        names = self.names(tables, "fill", "", 0, bots)
        if names and not is_open:
            text = "fill bots complete the tables of an open season; a planned one names who plays whom"
            raise self.wrong("", 0, "fill", text)
        for name in names:
            if bots[name].entrant.kind is not EntrantKind.HOUSE:
                text = f"{name!r} is a {bots[name].entrant.kind} bot; only a house bot can complete tables"
                raise self.wrong("", 0, "fill", text)
        return names

    def _patience(self, tables: dict[str, Any], is_open: bool) -> float:
        if "patience" in tables and is_open:
            raise self.wrong("", 0, "patience", "an open season waits for no bot in particular; leave patience out")
        found = seconds(self.text(tables, "patience", "", 0, default=PATIENCE))
        if found is None:
            raise self.wrong("", 0, "patience", 'patience is a time such as "90s", "10m" or "2h"')
        return found

    def _bots(self, tables: dict[str, Any]) -> dict[str, BotEntry]:
        bots: dict[str, BotEntry] = {}
        for number, entry in enumerate(self.listed(tables, "bots")):
            self.known(entry, "bots", number, ("name", "spec", "tables"))
            spec = self.text(entry, "spec", "bots", number)
            try:
                entrant = find_entrant(spec)
            except CallerFault as error:
                raise self.wrong("bots", number, "spec", str(error)) from None
            name = self.text(entry, "name", "bots", number, default=entrant.name)
            wrong = bad_name(name, Limits().name_characters) if entrant.kind is not EntrantKind.HOUSE else None
            if entrant.kind is EntrantKind.REMOTE and name != entrant.name:
                wrong = f"a remote bot is called as it connects: {entrant.name!r}; leave its name out"
            if wrong is not None:
                raise self.wrong("bots", number, "name" if "name" in entry else "spec", wrong)
            if name in bots:
                raise self.wrong("bots", number, "name", f"two bots are called {name!r}; give one another name")
            tables_at_once = self.whole(entry, "tables", "bots", number, default=1)
            if tables_at_once > MOST_TABLES or (tables_at_once > 1 and entrant.kind is not EntrantKind.HOUSE):
                text = f"tables is for house bots, 1 to {MOST_TABLES}; other bots say themselves how many they play"
                raise self.wrong("bots", number, "tables", text)
            bots[name] = BotEntry(name, spec, tables_at_once)
        return bots

    def _pool(self, entry: dict[str, Any], number: int, bots: dict[str, BotEntry], event: bool) -> PoolEntry:
        pairing = self.text(entry, "pairing", "pools", number, default="round_robin")
        if event:
            pairing = EVENT
        elif pairing not in PAIRINGS:
            raise self.wrong("pools", number, "pairing", str(UnknownName.of("pairing", pairing, PAIRINGS)))
        common = ("game", "seats", "variant", "clock", "rated")
        also = ("bots",) if event else ("pairing", *PAIRINGS[pairing])
        self.known(entry, "pools", number, (*common, *also, *(() if event or pairing == OPEN else ("bots",))))
        try:
            game = registry.game(self.text(entry, "game", "pools", number))
        except UnknownName as error:
            raise self.wrong("pools", number, "game", str(error)) from None
        seats = self.whole(entry, "seats", "pools", number, default=game.seats.start)
        settings = entry.get("variant", {})
        if not isinstance(settings, dict):
            raise self.wrong("pools", number, "variant", 'variant must be a table: { rules = "standard" }')
        try:
            variant = settle_variant(game, seats, {key: str(value) for key, value in settings.items()})
        except CallerFault as error:
            raise self.wrong("pools", number, "variant" if "variant" in entry else "seats", str(error)) from None
        chosen = self._players(entry, number, game.name, bots) if pairing != OPEN else ()
        connected = pairing == OPEN or any(bots[name].entrant.kind is EntrantKind.REMOTE for name in chosen)
        clock = self._clock(entry, number, connected)
        if connected and pairing == "matchmaking":
            text = 'matchmaking is for bots of the house; with remote bots use "round_robin", "swiss" or "gauntlet"'
            raise self.wrong("pools", number, "pairing", text)
        candidates = self.names(entry, "candidates", "pools", number, chosen)
        if pairing == "gauntlet" and not candidates:
            raise self.wrong("pools", number, "candidates", 'a gauntlet names its candidates, for example ["new"]')
        if len(chosen) < seats and pairing not in (OPEN, EVENT):
            text = f"a table of {seats} seats needs {seats} different bots; {len(chosen)} play {game.name} here"
            raise self.wrong("pools", number, "bots" if "bots" in entry else "seats", text)
        return PoolEntry(
            game.name,
            seats,
            variant,
            pairing,
            chosen,
            rounds=self.whole(entry, "rounds", "pools", number, default=1),
            sets=self.whole(entry, "sets", "pools", number, default=100),
            floor=self.whole(entry, "floor", "pools", number, default=10),
            candidates=candidates,
            clock=clock,
            weight=self._weight(entry, number),
            rated=self.flag(entry, "rated", "pools", number, default=True),
        )

    def _clock(self, entry: dict[str, Any], number: int, connected: bool) -> Clock:
        control = self.text(entry, "clock", "pools", number, default=CONNECTED_CLOCK if connected else "none")
        try:
            clock = Clock.parse(control)
        except CallerFault as error:
            raise self.wrong("pools", number, "clock", str(error)) from None
        if connected and clock.unlimited:
            text = f'bots that connect need a clock, such as "{CONNECTED_CLOCK}"; a silent one would hold its table'
            raise self.wrong("pools", number, "clock", text)
        return clock

    def _weight(self, entry: dict[str, Any], number: int) -> float:
        value = entry.get("weight", 1)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= MOST_WEIGHT:
            raise self.wrong("pools", number, "weight", f"weight must be a number above 0, at most {MOST_WEIGHT}")
        return float(value)

    def _players(self, entry: dict[str, Any], number: int, game: str, bots: dict[str, BotEntry]) -> tuple[str, ...]:
        if "bots" not in entry:
            playing = []
            for bot in bots.values():
                games = bot.entrant.games
                if games is None or game in games:
                    playing.append(bot.name)
            return tuple(sorted(playing))
        names = self.names(entry, "bots", "pools", number, bots)
        for name in names:
            try:
                bots[name].entrant.check(game)
            except CallerFault as error:
                raise self.wrong("pools", number, "bots", str(error)) from None
        return tuple(sorted(names))

    def _hosting(self, tables: dict[str, Any], database: Path) -> Hosting:
        """How bots of folders are run. No bot ever sees the database's folder."""
        entry = tables.get("hosting", {})
        if not isinstance(entry, dict):
            raise self.wrong("", 0, "hosting", "hosting must be a table: [hosting]")
        self.known(entry, "hosting", 0, ("trust", "runtime", "limits"))
        runtime = entry.get("runtime", [])
        if not isinstance(runtime, list) or not all(isinstance(path, str) and path.startswith("/") for path in runtime):
            raise self.wrong("hosting", 0, "runtime", 'runtime must be a list of full paths, for example ["/opt/jdk"]')
        try:
            caps = read_limits("", entry.get("limits", {}), CAPS)
        except CallerFault as error:
            raise self.wrong("hosting", 0, "limits", str(error)) from None
        trust = self.flag(entry, "trust", "hosting", 0, default=False)
        return Hosting(trust, caps, tuple(map(Path, runtime)), hidden=(database.resolve().parent,))

    def _watch(self, tables: dict[str, Any], bots: dict[str, BotEntry]) -> WatchRules | None:
        if "watch" not in tables:
            return None
        entry = tables["watch"]
        if not isinstance(entry, dict):
            raise self.wrong("", 0, "watch", "watch must be a table: [watch]")
        self.known(entry, "watch", 0, ("bots", "drop"))
        drop = entry.get("drop", 30)
        if not isinstance(drop, (int, float)) or isinstance(drop, bool) or not 0 <= drop <= MOST_DROP:
            raise self.wrong("watch", 0, "drop", f"drop must be a number of Elo, 0 or more, at most {MOST_DROP}")
        return WatchRules(self.names(entry, "bots", "watch", 0, bots), float(drop))
