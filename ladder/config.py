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

    [hosting]                             # optional: how bots of folders are run
    trust = false                         # true: without walls where this machine has none
    runtime = ["/opt/julia"]              # folders beside /usr and Python's that bots may see
    limits = { memory_mib = 512 }         # caps on what a bot.toml may ask for, by the names of its limits

    [watch]                               # optional: the run's exit code is 1 if one of these regressed
    bots = ["greedy"]
    drop = 30                             # Elo below the previous run that count as a regression

A season has one tempo: all its pools are `open`, or none is. Every mistake is an error that names the file, the line,
the key and what is allowed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from ladder.entrants import Entrant, Kind, find_entrant
from ladder.offers import TableOffer
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
class Watch:
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
    watch: Watch | None = field(default=None)
    patience: float = 600.0
    """Seconds that a remote bot may be away before a planned run ends without it."""
    fill: tuple[str, ...] = ()
    """House bots that only complete tables of an open season."""
    hosting: Hosting = field(default_factory=Hosting)
    """How bots of folders are run."""

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
            if bot.entrant.kind is Kind.REMOTE and (self.tempo == "open" or bot.name in playing)
        )

    def identity(self) -> str:
        """The part of the file that a season is bound to."""
        return "\n".join(pool.identity() for pool in self.pools)


def seconds(text: str) -> float | None:
    """A time such as 90s, 30m or 8h in seconds; None: the text is none."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(s|m|h)", text)
    return None if found is None else float(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


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
    return _Reader(path, text).ladder(tables, today or date.today())


class _Reader:
    """Checks one file; knows where each key stands."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = _positions(text)

    def ladder(self, tables: dict[str, Any], today: date) -> Ladder:
        """The whole file."""
        self._known(tables, "", 0, ("season", "database", "patience", "fill", "bots", "pools", "watch", "hosting"))
        season = self._text(tables, "season", "", 0, default="season").replace("{date}", today.isoformat())
        bots = self._bots(tables)
        listed = self._list(tables, "pools")
        if not bots and not listed:
            raise self._wrong("", 0, "bots", 'there is no [[bots]]; a ladder needs at least two, spec = "greedy"')
        is_open = [entry.get("pairing") == OPEN for entry in listed]
        if any(is_open) and not all(is_open):
            text = 'a season is open or planned: give all pools pairing = "open", or none of them'
            raise self._wrong("pools", is_open.index(False), "pairing", text)
        if not listed:
            raise self._wrong(
                "", 0, "pools", 'there is no [[pools]]; a ladder plays at least one, game = "edo_yashiki"'
            )
        if not bots and not any(is_open):
            raise self._wrong("", 0, "bots", 'there is no [[bots]]; a ladder needs at least two, spec = "greedy"')
        pools = tuple(self._pool(entry, number, bots) for number, entry in enumerate(listed))
        if is_open[0]:
            self._check_games(bots, {pool.game for pool in pools})
        seen: dict[str, int] = {}
        for number, pool in enumerate(pools):
            key = f"{pool.game}/{pool.seats}/{sorted(pool.variant.items())}" + (f"/{pool.clock}" if is_open[0] else "")
            if key in seen:
                raise self._wrong("pools", number, "game", "another pool has the same game, seats and variant")
            seen[key] = number
        database = self._path.parent / self._text(tables, "database", "", 0, default="ladder.sqlite")
        fill = self._fill(tables, bots, is_open[0])
        patience = self._patience(tables, is_open[0])
        hosting = self._hosting(tables, database)
        return Ladder(season, database, tuple(bots.values()), pools, self._watch(tables, bots), patience, fill, hosting)

    def _check_games(self, bots: dict[str, BotEntry], played: set[str]) -> None:
        """Refuse a bot of an open season that plays none of its games: it would be started in vain, for ever."""
        for number, bot in enumerate(bots.values()):
            games = bot.entrant.games
            if games is not None and played.isdisjoint(games):
                listed = ", ".join(sorted(played))
                text = (
                    f"{bot.name!r} plays none of the pools' games ({listed}); it plays {', '.join(games) or 'nothing'}"
                )
                raise self._wrong("bots", number, "spec", text)

    def _fill(self, tables: dict[str, Any], bots: dict[str, BotEntry], is_open: bool) -> tuple[str, ...]:
        names = self._names(tables, "fill", "", 0, bots)
        if names and not is_open:
            text = "fill bots complete the tables of an open season; a planned one names who plays whom"
            raise self._wrong("", 0, "fill", text)
        for name in names:
            if bots[name].entrant.kind is not Kind.HOUSE:
                text = f"{name!r} is a {bots[name].entrant.kind} bot; only a house bot can complete tables"
                raise self._wrong("", 0, "fill", text)
        return names

    def _patience(self, tables: dict[str, Any], is_open: bool) -> float:
        if "patience" in tables and is_open:
            raise self._wrong("", 0, "patience", "an open season waits for no bot in particular; leave patience out")
        found = seconds(self._text(tables, "patience", "", 0, default=PATIENCE))
        if found is None:
            raise self._wrong("", 0, "patience", 'patience is a time such as "90s", "10m" or "2h"')
        return found

    def _bots(self, tables: dict[str, Any]) -> dict[str, BotEntry]:
        bots: dict[str, BotEntry] = {}
        for number, entry in enumerate(self._list(tables, "bots")):
            self._known(entry, "bots", number, ("name", "spec", "tables"))
            spec = self._text(entry, "spec", "bots", number)
            try:
                entrant = find_entrant(spec)
            except CallerFault as error:
                raise self._wrong("bots", number, "spec", str(error)) from None
            name = self._text(entry, "name", "bots", number, default=entrant.name)
            wrong = bad_name(name, Limits().name_characters) if entrant.kind is not Kind.HOUSE else None
            if entrant.kind is Kind.REMOTE and name != entrant.name:
                wrong = f"a remote bot is called as it connects: {entrant.name!r}; leave its name out"
            if wrong is not None:
                raise self._wrong("bots", number, "name" if "name" in entry else "spec", wrong)
            if name in bots:
                raise self._wrong("bots", number, "name", f"two bots are called {name!r}; give one another name")
            tables_at_once = self._whole(entry, "tables", "bots", number, default=1)
            if tables_at_once > MOST_TABLES or (tables_at_once > 1 and entrant.kind is not Kind.HOUSE):
                text = f"tables is for house bots, 1 to {MOST_TABLES}; other bots say themselves how many they play"
                raise self._wrong("bots", number, "tables", text)
            bots[name] = BotEntry(name, spec, tables_at_once)
        return bots

    def _pool(self, entry: dict[str, Any], number: int, bots: dict[str, BotEntry]) -> PoolEntry:
        pairing = self._text(entry, "pairing", "pools", number, default="round_robin")
        if pairing not in PAIRINGS:
            raise self._wrong("pools", number, "pairing", str(UnknownName.of("pairing", pairing, PAIRINGS)))
        common = ("game", "seats", "variant", "pairing", "clock", "rated")
        also = PAIRINGS[pairing] if pairing == OPEN else ("bots", *PAIRINGS[pairing])
        self._known(entry, "pools", number, (*common, *also))
        try:
            game = registry.game(self._text(entry, "game", "pools", number))
        except UnknownName as error:
            raise self._wrong("pools", number, "game", str(error)) from None
        seats = self._whole(entry, "seats", "pools", number, default=game.seats.start)
        settings = entry.get("variant", {})
        if not isinstance(settings, dict):
            raise self._wrong("pools", number, "variant", 'variant must be a table: { rules = "standard" }')
        try:
            variant = settle_variant(game, seats, {key: str(value) for key, value in settings.items()})
        except CallerFault as error:
            raise self._wrong("pools", number, "variant" if "variant" in entry else "seats", str(error)) from None
        chosen = self._players(entry, number, game.name, bots) if pairing != OPEN else ()
        connected = pairing == OPEN or any(bots[name].entrant.kind is Kind.REMOTE for name in chosen)
        clock = self._clock(entry, number, connected)
        if connected and pairing == "matchmaking":
            text = 'matchmaking is for bots of the house; with remote bots use "round_robin", "swiss" or "gauntlet"'
            raise self._wrong("pools", number, "pairing", text)
        candidates = self._names(entry, "candidates", "pools", number, chosen)
        if pairing == "gauntlet" and not candidates:
            raise self._wrong("pools", number, "candidates", 'a gauntlet names its candidates, for example ["new"]')
        if len(chosen) < seats and pairing != OPEN:
            text = f"a table of {seats} seats needs {seats} different bots; {len(chosen)} play {game.name} here"
            raise self._wrong("pools", number, "bots" if "bots" in entry else "seats", text)
        return PoolEntry(
            game.name,
            seats,
            variant,
            pairing,
            chosen,
            rounds=self._whole(entry, "rounds", "pools", number, default=1),
            sets=self._whole(entry, "sets", "pools", number, default=100),
            floor=self._whole(entry, "floor", "pools", number, default=10),
            candidates=candidates,
            clock=clock,
            weight=self._weight(entry, number),
            rated=self._flag(entry, "rated", "pools", number, default=True),
        )

    def _clock(self, entry: dict[str, Any], number: int, connected: bool) -> Clock:
        control = self._text(entry, "clock", "pools", number, default=CONNECTED_CLOCK if connected else "none")
        try:
            clock = Clock.parse(control)
        except CallerFault as error:
            raise self._wrong("pools", number, "clock", str(error)) from None
        if connected and clock.unlimited:
            text = f'bots that connect need a clock, such as "{CONNECTED_CLOCK}"; a silent one would hold its table'
            raise self._wrong("pools", number, "clock", text)
        return clock

    def _weight(self, entry: dict[str, Any], number: int) -> float:
        value = entry.get("weight", 1)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= MOST_WEIGHT:
            raise self._wrong("pools", number, "weight", f"weight must be a number above 0, at most {MOST_WEIGHT}")
        return float(value)

    def _flag(self, entry: dict[str, Any], key: str, table: str, number: int, default: bool) -> bool:
        value = entry.get(key, default)
        if not isinstance(value, bool):
            raise self._wrong(table, number, key, f"{key} must be true or false")
        return value

    def _players(self, entry: dict[str, Any], number: int, game: str, bots: dict[str, BotEntry]) -> tuple[str, ...]:
        if "bots" not in entry:
            playing = []
            for bot in bots.values():
                games = bot.entrant.games
                if games is None or game in games:
                    playing.append(bot.name)
            return tuple(sorted(playing))
        names = self._names(entry, "bots", "pools", number, bots)
        for name in names:
            try:
                bots[name].entrant.check(game)
            except CallerFault as error:
                raise self._wrong("pools", number, "bots", str(error)) from None
        return tuple(sorted(names))

    def _watch(self, tables: dict[str, Any], bots: dict[str, BotEntry]) -> Watch | None:
        if "watch" not in tables:
            return None
        entry = tables["watch"]
        if not isinstance(entry, dict):
            raise self._wrong("", 0, "watch", "watch must be a table: [watch]")
        self._known(entry, "watch", 0, ("bots", "drop"))
        drop = entry.get("drop", 30)
        if not isinstance(drop, (int, float)) or isinstance(drop, bool) or not 0 <= drop <= MOST_DROP:
            raise self._wrong("watch", 0, "drop", f"drop must be a number of Elo, 0 or more, at most {MOST_DROP}")
        return Watch(self._names(entry, "bots", "watch", 0, bots), float(drop))

    def _hosting(self, tables: dict[str, Any], database: Path) -> Hosting:
        """How bots of folders are run; none ever sees the database's folder."""
        entry = tables.get("hosting", {})
        if not isinstance(entry, dict):
            raise self._wrong("", 0, "hosting", "hosting must be a table: [hosting]")
        self._known(entry, "hosting", 0, ("trust", "runtime", "limits"))
        runtime = entry.get("runtime", [])
        if not isinstance(runtime, list) or not all(isinstance(path, str) and path for path in runtime):
            raise self._wrong("hosting", 0, "runtime", 'runtime must be a list of folders: ["/opt/julia"]')
        return Hosting(
            trust=self._flag(entry, "trust", "hosting", 0, False),
            caps=read_limits(f"{self._path}: [hosting] ", entry.get("limits", {}), CAPS),
            runtime=tuple(map(Path, runtime)),
            hidden=(database.resolve().parent,),
        )

    def _list(self, tables: dict[str, Any], key: str) -> list[dict[str, Any]]:
        value = tables.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self._wrong("", 0, key, f"write each of them under its own [[{key}]]")
        return value

    def _names(self, entry: dict[str, Any], key: str, table: str, number: int, known: Iterable[str]) -> tuple[str, ...]:
        value = entry.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self._wrong(table, number, key, f"{key} must be a list of names")
        for name in value:
            if name not in known:
                raise self._wrong(table, number, key, str(UnknownName.of("bot", name, known)))
        if len(set(value)) < len(value):
            raise self._wrong(table, number, key, f"{key} names a bot twice")
        return tuple(value)

    def _text(self, entry: dict[str, Any], key: str, table: str, number: int, default: str | None = None) -> str:
        value = entry.get(key, default)
        if not isinstance(value, str) or not value:
            raise self._wrong(table, number, key, f"{key} must be a text" if key in entry else f"{key} is missing")
        return value

    def _whole(self, entry: dict[str, Any], key: str, table: str, number: int, default: int) -> int:
        value = entry.get(key, default)
        if type(value) is not int or value < 1:
            raise self._wrong(table, number, key, f"{key} must be a whole number above 0")
        return value

    def _known(self, entry: dict[str, Any], table: str, number: int, keys: tuple[str, ...]) -> None:
        for key in entry:
            if key not in keys:
                raise self._wrong(table, number, key, str(UnknownName.of("key", key, keys)))

    def _wrong(self, table: str, number: int, key: str, text: str) -> BadSetting:
        line = self._lines.get((table, number, key)) or self._lines.get((table, number, "")) or 1
        where = f"{table}.{key}" if table else key
        return BadSetting(f"{self._path}, line {line}, {where}: {text}")


def _positions(text: str) -> dict[tuple[str, int, str], int]:
    """The line of every table header (key "") and of every key in it."""
    found: dict[tuple[str, int, str], int] = {}
    counts: dict[str, int] = {}
    table, number = "", 0
    for line_number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*([\w-]+)", line)
        key = re.match(r"\s*([\w-]+)\s*=", line)
        if header:
            table = header[1]
            number = counts.get(table, 0)
            counts[table] = number + 1
            found[table, number, ""] = line_number
            found.setdefault(("", 0, table), line_number)
        elif key:
            found.setdefault((table, number, key[1]), line_number)
    return found
