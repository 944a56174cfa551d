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
    spectator_delay = 20                  # where bots connect: spectators see positions so many later; 0 if left out
    bots = ["greedy"]                     # all bots that play the game if left out; not with open

    [hosting]                             # optional: bots of folders
    trust = false                         # true: they may run without walls where this machine has none
    runtime = ["/opt/jdk"]                # folders that they see beside the system's own, read-only
    limits = { memory_mib = 512 }         # the most that a bot.toml may ask for

    [watch]                               # optional: the run's exit code is 1 if one of these regressed
    bots = ["greedy"]
    drop = 30                             # Elo below the previous run that count as a regression

    [people]                              # optional, open: people play in the browser (`ladder.config.people`)
    bots = ["greedy", "random"]           # the referee's own bots that they may play against

A table `[event]` makes the season an event, in rounds and with a winner (`ladder.config.event_file`); its one pool has
neither pairing nor rounds. A season has one tempo: all its pools are `open`, or none is. Every mistake is an error that
names the file, the line, the key and what is allowed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from ladder.arena.entrants import Entrant, EntrantKind, find_entrant
from ladder.config.event_file import read_event
from ladder.config.event_rules import EventEntry
from ladder.config.offers import TableOffer
from ladder.config.people import PeopleSettings, read_people
from ladder.config.toml_reading import TomlTable
from referee.hosting.limits import CAPS, Hosting, read_limits
from referee.kernel import registry
from referee.kernel.bounded import read_text
from referee.kernel.errors import BadSetting, CallerFault
from referee.kernel.game import settle_variant, timed_kinds
from referee.match.clock import NO_CLOCK, TimeControl
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
MOST_DELAY = 1000
"""Positions; more than any match has before its end is hidden altogether."""
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
    clock: TimeControl = NO_CLOCK
    weight: float = 1.0
    rated: bool = True
    spectator_delay: int = 0
    """Number of positions by which spectators are shown the matches later."""

    @property
    def offer(self) -> TableOffer:
        """The sort of table that an open pool is."""
        return TableOffer(self.game, self.seats, self.variant, self.clock, weight=self.weight, rated=self.rated)

    def identity(self) -> str:
        """What must not change inside a season: the game and how it is paired, but not the bots or the length."""
        return _identity(self.game, self.seats, self.variant, self.pairing, str(self.clock))


def _identity(game: str, seats: int, variant: Mapping[str, str], pairing: str, clock: str) -> str:
    settings = ",".join(f"{key}={value}" for key, value in sorted(variant.items()))
    return f"{game}/{seats}/{settings}/{pairing}/{clock}"


def present_identity(stored: str) -> str:
    """The identity that a season was stored with, in the settings of the present rules.

    A setting of an earlier edition of a game stands for those that took its place, and a setting that was added since
    has its default, as in a ladder file that does not name the setting.
    """
    lines = []
    for line in stored.splitlines():
        game, seats, settings, pairing, clock = line.split("/", 4)
        chosen = dict(setting.split("=", 1) for setting in settings.split(",") if setting)
        try:
            variant = settle_variant(registry.game(game), int(seats), chosen)
        except CallerFault:  # a game or setting that is gone: the line equals no line of a present ladder file
            lines.append(line)
        else:
            lines.append(_identity(game, int(seats), variant, pairing, clock))
    return "\n".join(lines)


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
    """How the season is played as an event; None: the season is no event."""
    people: PeopleSettings | None = None
    """What people may do at the referee of an open season; None: they do not play there."""

    @property
    def tempo(self) -> str:
        """`open` or `planned`."""
        return "open" if self.pools[0].pairing == OPEN else "planned"

    @property
    def awaits_bots(self) -> bool:
        """Whether bots that the referee does not start itself may connect."""
        return self.tempo == "open" or bool(self.remote) or self.event is not None

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
    return _ladder(TomlTable.whole_file(path, text, tables), today or date.today())


def _ladder(file: TomlTable, today: date) -> Ladder:
    """The ladder of a whole file."""
    file.only(("season", "database", "patience", "fill", "bots", "pools", "hosting", "watch", "event", "people"))
    season = file.text("season", default="season").replace("{date}", today.isoformat())
    bots = _bots(file)
    listed = file.tables("pools")
    if not bots and not listed:
        raise file.wrong("bots", 'there is no [[bots]]; a ladder needs at least two, spec = "greedy"')
    is_open = [entry.entries.get("pairing") == OPEN for entry in listed]
    if any(is_open) and not all(is_open):
        text = 'a season is open or planned: give all pools pairing = "open", or none of them'
        raise listed[is_open.index(False)].wrong("pairing", text)
    if not listed:
        raise file.wrong("pools", 'there is no [[pools]]; a ladder plays at least one, game = "edo_yashiki"')
    if not bots and not any(is_open):
        raise file.wrong("bots", 'there is no [[bots]]; a ladder needs at least two, spec = "greedy"')
    if "event" in file:
        _check_event(listed, any(is_open))
    pools = tuple(_pool(entry, bots, "event" in file) for entry in listed)
    if is_open[0]:
        _check_games(file, bots, {pool.game for pool in pools})
    seen = set()
    for entry, pool in zip(listed, pools, strict=True):
        key = f"{pool.game}/{pool.seats}/{sorted(pool.variant.items())}" + (f"/{pool.clock}" if is_open[0] else "")
        if key in seen:
            raise entry.wrong("game", "another pool has the same game, seats and variant")
        seen.add(key)
    database = file.path.parent / file.text("database", default="ladder.sqlite")
    fill = _fill(file, bots, is_open[0])
    if "patience" in file and is_open[0]:
        raise file.wrong("patience", "an open season waits for no bot in particular; leave patience out")
    patience = file.seconds("patience", default=PATIENCE)
    event = None
    if "event" in file:
        (pool,) = pools
        event = read_event(file, listed[0], pool.seats, pool.bots, pool.game)
        pools = (replace(pool, pairing=f"{EVENT}-{event.rules.format}"),)
    watch, hosting = _watch(file, bots), _hosting(file, database)
    people = read_people(file)
    if people is not None and not is_open[0]:
        raise file.wrong("people", "people play beside an open season; a planned one ends with its schedule")
    return Ladder(season, database, tuple(bots.values()), pools, watch, patience, fill, hosting, event, people)


def _check_event(listed: Sequence[TomlTable], is_open: bool) -> None:
    """Refuse pools that no event can have."""
    if is_open:
        raise listed[0].wrong("pairing", "an event is planned: leave pairing out, [event] says the format")
    if len(listed) > 1:
        raise listed[1].wrong("game", "an event has one pool; play others as events of their own")


def _check_games(file: TomlTable, bots: dict[str, BotEntry], played: set[str]) -> None:
    """Refuse a bot of an open season that plays none of its games: the bot would be started in vain, for ever."""
    for entry, bot in zip(file.tables("bots"), bots.values(), strict=True):
        games = bot.entrant.games
        if games is not None and played.isdisjoint(games):
            listed = ", ".join(sorted(played))
            text = f"{bot.name!r} plays none of the pools' games ({listed}); it plays {', '.join(games) or 'nothing'}"
            raise entry.wrong("spec", text)


def _fill(file: TomlTable, bots: dict[str, BotEntry], is_open: bool) -> tuple[str, ...]:
    names = file.names("fill", bots)
    if names and not is_open:
        text = "fill bots complete the tables of an open season; a planned one names who plays whom"
        raise file.wrong("fill", text)
    for name in names:
        if bots[name].entrant.kind is not EntrantKind.HOUSE:
            text = f"{name!r} is a {bots[name].entrant.kind} bot; only a house bot can complete tables"
            raise file.wrong("fill", text)
    return names


def _bots(file: TomlTable) -> dict[str, BotEntry]:
    bots: dict[str, BotEntry] = {}
    for entry in file.tables("bots"):
        entry.only(("name", "spec", "tables"))
        spec = entry.text("spec")
        with entry.blamed("spec"):
            entrant = find_entrant(spec)
        name = entry.text("name", default=entrant.name)
        wrong = bad_name(name, Limits().name_characters) if entrant.kind is not EntrantKind.HOUSE else None
        if entrant.kind is EntrantKind.REMOTE and name != entrant.name:
            wrong = f"a remote bot is called as it connects: {entrant.name!r}; leave its name out"
        if wrong is not None:
            raise entry.wrong("name" if "name" in entry else "spec", wrong)
        if name in bots:
            raise entry.wrong("name", f"two bots are called {name!r}; give one another name")
        tables_at_once = entry.whole("tables", default=1)
        if tables_at_once > MOST_TABLES or (tables_at_once > 1 and entrant.kind is not EntrantKind.HOUSE):
            text = f"tables is for house bots, 1 to {MOST_TABLES}; other bots say themselves how many they play"
            raise entry.wrong("tables", text)
        bots[name] = BotEntry(name, spec, tables_at_once)
    return bots


def _pool(entry: TomlTable, bots: dict[str, BotEntry], event: bool) -> PoolEntry:
    pairing = entry.text("pairing", default="round_robin")
    if event:
        pairing = EVENT
    else:
        entry.check_known("pairing", "pairing", pairing, PAIRINGS)
    common = ("game", "seats", "variant", "clock", "rated", "spectator_delay")
    also = ("bots",) if event else ("pairing", *PAIRINGS[pairing])
    entry.only((*common, *also, *(() if event or pairing == OPEN else ("bots",))))
    name = entry.text("game")
    with entry.blamed("game"):
        game = registry.game(name)
    seats = entry.whole("seats", default=game.seats.start)
    settings = entry.table("variant", '{ rules = "standard" }').entries
    with entry.blamed("variant" if "variant" in entry else "seats"):
        variant = settle_variant(game, seats, {key: str(value) for key, value in settings.items()})
    chosen = _players(entry, game.name, bots) if pairing != OPEN else ()
    connected = pairing == OPEN or any(bots[name].entrant.kind is EntrantKind.REMOTE for name in chosen)
    clock = _clock(entry, connected)
    if connected and pairing == "matchmaking":
        text = 'matchmaking is for bots of the house; with remote bots use "round_robin", "swiss" or "gauntlet"'
        raise entry.wrong("pairing", text)
    candidates = entry.names("candidates", chosen)
    if pairing == "gauntlet" and not candidates:
        raise entry.wrong("candidates", 'a gauntlet names its candidates, for example ["new"]')
    if len(chosen) < seats and pairing not in (OPEN, EVENT):
        text = f"a table of {seats} seats needs {seats} different bots; {len(chosen)} play {game.name} here"
        raise entry.wrong("bots" if "bots" in entry else "seats", text)
    return PoolEntry(
        game.name,
        seats,
        variant,
        pairing,
        chosen,
        rounds=entry.whole("rounds", default=1),
        sets=entry.whole("sets", default=100),
        floor=entry.whole("floor", default=10),
        candidates=candidates,
        clock=clock,
        weight=_weight(entry),
        spectator_delay=entry.whole("spectator_delay", 0, MOST_DELAY) if "spectator_delay" in entry else 0,
        rated=_rated(entry, timed=bool(timed_kinds(game, variant)), distant=connected and pairing != OPEN),
    )


def _rated(entry: TomlTable, *, timed: bool, distant: bool) -> bool:
    """Whether a pool is rated. One that goes by times of arrival is not, if a remote bot is to play in it.

    In an open season that is decided match by match.
    """
    unfair = timed and distant
    rated = entry.flag("rated", default=not unfair)
    if rated and unfair:
        text = "times of arrival are rated only among bots on the referee's own machine; a remote bot plays here"
        raise entry.wrong("rated", text)
    return rated


def _clock(entry: TomlTable, connected: bool) -> TimeControl:
    control = entry.text("clock", default=CONNECTED_CLOCK if connected else "none")
    with entry.blamed("clock"):
        clock = TimeControl.parse(control)
    if connected and clock.unlimited:
        text = f'bots that connect need a clock, such as "{CONNECTED_CLOCK}"; a silent one would hold its table'
        raise entry.wrong("clock", text)
    return clock


def _weight(entry: TomlTable) -> float:
    value = entry.decimal("weight", 1.0)
    if value is None or not 0 < value <= MOST_WEIGHT:
        raise entry.wrong("weight", f"weight must be a number above 0, at most {MOST_WEIGHT}")
    return value


def _players(entry: TomlTable, game: str, bots: dict[str, BotEntry]) -> tuple[str, ...]:
    if "bots" not in entry:
        playing = []
        for bot in bots.values():
            games = bot.entrant.games
            if games is None or game in games:
                playing.append(bot.name)
        return tuple(sorted(playing))
    names = entry.names("bots", bots)
    for name in names:
        with entry.blamed("bots"):
            bots[name].entrant.check(game)
    return tuple(sorted(names))


def _hosting(file: TomlTable, database: Path) -> Hosting:
    """How bots of folders are run. No bot ever sees the database's folder."""
    entry = file.table("hosting", "[hosting]")
    entry.only(("trust", "runtime", "limits"))
    runtime = entry.entries.get("runtime", [])
    if not isinstance(runtime, list) or not all(isinstance(path, str) and path.startswith("/") for path in runtime):
        raise entry.wrong("runtime", 'runtime must be a list of full paths, for example ["/opt/jdk"]')
    with entry.blamed("limits"):
        caps = read_limits("", entry.entries.get("limits", {}), CAPS)
    trust = entry.flag("trust", default=False)
    return Hosting(trust, caps, tuple(map(Path, runtime)), hidden=(database.resolve().parent,))


def _watch(file: TomlTable, bots: dict[str, BotEntry]) -> WatchRules | None:
    if "watch" not in file:
        return None
    entry = file.table("watch", "[watch]")
    entry.only(("bots", "drop"))
    drop = entry.decimal("drop", 30.0)
    if drop is None or not 0 <= drop <= MOST_DROP:
        raise entry.wrong("drop", f"drop must be a number of Elo, 0 or more, at most {MOST_DROP}")
    return WatchRules(entry.names("bots", bots), drop)
