"""The ladder file: which bots play which games, how they are paired, and what a night must not lose.

    season = "autumn"                     # resumed under this name; {date} stands for the day
    database = "ladder.sqlite"            # beside this file

    [[bots]]
    name = "greedy"                       # what tables call it; its spec if left out
    spec = "greedy"

    [[pools]]
    game = "edo_yashiki"
    seats = 2
    variant = { rules = "standard" }      # the game's defaults if left out
    pairing = "round_robin"               # or swiss, gauntlet, matchmaking
    rounds = 10                           # gauntlet also: candidates; matchmaking: sets, floor
    clock = "none"                        # bots in process need none
    bots = ["greedy"]                     # all bots that play the game if left out

    [watch]                               # optional: the run's exit code is 1 if one of these regressed
    bots = ["greedy"]
    drop = 30                             # Elo below the previous run that count as a regression

Every mistake is an error that names the file, the line, the key and what is allowed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from ladder.entrants import find
from referee.kernel import registry
from referee.kernel.errors import BadSetting, CallerFault, UnknownName
from referee.kernel.game import settle_variant
from referee.match.clock import NO_CLOCK, Clock

PAIRINGS = {
    "round_robin": ("rounds",),
    "swiss": ("rounds",),
    "gauntlet": ("rounds", "candidates"),
    "matchmaking": ("sets", "floor"),
}
"""Each pairing and the keys it takes."""
MOST_DROP = 100_000
"""Elo; no rating falls further."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot of the ladder."""

    name: str
    spec: str


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

    def identity(self) -> str:
        """The part of the file that a season is bound to."""
        return "\n".join(pool.identity() for pool in self.pools)


def read(path: Path, today: date | None = None) -> Ladder:
    """The ladder in a file; raises BadSetting or UnknownName."""
    try:
        text = path.read_text(encoding="utf-8")
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
        self._known(tables, "", 0, ("season", "database", "bots", "pools", "watch"))
        season = self._text(tables, "season", "", 0, default="season").replace("{date}", today.isoformat())
        bots = self._bots(tables)
        listed = self._list(tables, "pools")
        if not listed:
            raise self._wrong(
                "", 0, "pools", 'there is no [[pools]]; a ladder plays at least one, game = "edo_yashiki"'
            )
        pools = tuple(self._pool(entry, number, bots) for number, entry in enumerate(listed))
        seen: dict[str, int] = {}
        for number, pool in enumerate(pools):
            key = f"{pool.game}/{pool.seats}/{sorted(pool.variant.items())}"
            if key in seen:
                raise self._wrong("pools", number, "game", "another pool has the same game, seats and variant")
            seen[key] = number
        database = self._path.parent / self._text(tables, "database", "", 0, default="ladder.sqlite")
        return Ladder(season, database, tuple(bots.values()), pools, self._watch(tables, bots))

    def _bots(self, tables: dict[str, Any]) -> dict[str, BotEntry]:
        bots: dict[str, BotEntry] = {}
        for number, entry in enumerate(self._list(tables, "bots")):
            self._known(entry, "bots", number, ("name", "spec"))
            spec = self._text(entry, "spec", "bots", number)
            try:
                find(spec)
            except CallerFault as error:
                raise self._wrong("bots", number, "spec", str(error)) from None
            name = self._text(entry, "name", "bots", number, default=spec)
            if name in bots:
                raise self._wrong("bots", number, "name", f"two bots are called {name!r}; give one another name")
            bots[name] = BotEntry(name, spec)
        if not bots:
            raise self._wrong("", 0, "bots", 'there is no [[bots]]; a ladder needs at least two, spec = "greedy"')
        return bots

    def _pool(self, entry: dict[str, Any], number: int, bots: dict[str, BotEntry]) -> PoolEntry:
        pairing = self._text(entry, "pairing", "pools", number, default="round_robin")
        if pairing not in PAIRINGS:
            raise self._wrong("pools", number, "pairing", str(UnknownName.of("pairing", pairing, PAIRINGS)))
        common = ("game", "seats", "variant", "pairing", "bots", "clock")
        self._known(entry, "pools", number, (*common, *PAIRINGS[pairing]))
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
        control = self._text(entry, "clock", "pools", number, default="none")
        try:
            clock = Clock.parse(control)
        except CallerFault as error:
            raise self._wrong("pools", number, "clock", str(error)) from None
        chosen = self._players(entry, number, game.name, bots)
        candidates = self._names(entry, "candidates", "pools", number, chosen)
        if pairing == "gauntlet" and not candidates:
            raise self._wrong("pools", number, "candidates", 'a gauntlet names its candidates, for example ["new"]')
        if len(chosen) < seats:
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
        )

    def _players(self, entry: dict[str, Any], number: int, game: str, bots: dict[str, BotEntry]) -> tuple[str, ...]:
        if "bots" not in entry:
            playing = []
            for bot in bots.values():
                games = find(bot.spec).games
                if games is None or game in games:
                    playing.append(bot.name)
            return tuple(sorted(playing))
        names = self._names(entry, "bots", "pools", number, bots)
        for name in names:
            try:
                find(bots[name].spec).check(game)
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
