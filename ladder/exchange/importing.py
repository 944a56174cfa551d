"""`kumite import`: matches of another referee's file, each verified, all of them stored or none.

The files are read twice, one match in memory at a time. First every record is played again from its secret, while
nothing is changed and nothing is locked but the role of the writer; then all that is new is stored, and the ratings of
the pools that it belongs to are folded anew, in one transaction. A file that changed in between is refused.

A record proves that rules and luck were kept. A record cannot prove who sat where: names, builds and places in a season
are the word of the referee that wrote the file. So the caller says how equal names are meant, and every match keeps a
mark of where it came from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ladder.exchange.match_lines import LONGEST_NAME, MatchLine, read_file
from ladder.seasons.standings import publish
from ladder.store.database import Store
from ladder.store.imports import ImportedMatch
from ladder.store.matches import SeasonPlace
from ladder.store.records import Played, PoolRow, SeasonRow
from referee.kernel import registry
from referee.kernel.errors import BadRecord, BadSetting
from referee.match.policy import clean
from referee.match.record import check_chain
from referee.match.verify import verify

NAMES_SHOWN = 3
"""Names that an error repeats."""

Told = Callable[[int], None]
"""Hears how many matches were looked at so far."""


class NamePolicy(NamedTuple):
    """How names of a file that are known here are meant."""

    prefix: str = ""
    """Put before the name of every bot of the file."""
    merge: bool = False
    """Whether equal names are the same bot."""


@dataclass(slots=True)
class Taken:
    """What an import did."""

    imported: int = 0
    known: int = 0
    """Matches that were there already."""
    referees: list[str] = field(default_factory=list)
    pools: list[tuple[SeasonRow, PoolRow]] = field(default_factory=list)
    """The pools whose ratings were folded anew."""


@dataclass(slots=True)
class _File:
    """What the first reading of a file found."""

    path: Path
    digest: str = ""
    new: dict[str, int] = field(default_factory=dict)
    """New matches by the referee that played them."""


class Import:
    """One import into an open database, whose one writer the caller is."""

    def __init__(self, store: Store, paths: Sequence[Path], names: NamePolicy, told: Told = lambda count: None) -> None:
        _check_prefix(names.prefix)
        self._store = store
        self._names = names
        self._told = told
        self._own = store.referee_id()
        self._files = [_File(path) for path in dict.fromkeys(paths)]
        self._hashes: dict[str, str] = {}
        """The last hash of each new match, by its id."""
        self._players: dict[tuple[str, str], str] = {}
        """What a bot of a referee is called here."""
        self._seen = 0
        self.taken = Taken()

    def run(self) -> Taken:
        """Verify everything, then store it; raises BadRecord, BadSetting or StoreProblem, and nothing has changed."""
        for file in self._files:
            with _opened(file.path) as reading:
                for number, entry in enumerate(read_file(reading), 1):
                    with _at(number):
                        self._check(entry, file)
                file.digest = reading.digest()
        self._name_players()
        if self._hashes:
            self._write()
        return self.taken

    def _check(self, entry: MatchLine, file: _File) -> None:
        """Refuse a match that does not hold, or is another one than that which has its id."""
        self._seen += 1
        self._told(self._seen)
        match = entry.match
        known = self._hashes.get(match)
        stored = known is None and self._store.has_match(match)
        if stored:
            known = self._store.last_hash(match)
            if known is None:
                raise BadSetting(f"match {match} is not over in {self._store.path}, or has no end there")
        if known is not None:
            check_chain(entry.record)
            if entry.last_hash != known:
                where = f"in {self._store.path}" if stored else "earlier in the import"
                raise BadSetting(
                    f"match {match} is another one than that of this id {where}: its last hash begins with "
                    f"{entry.last_hash[:16]}, not with {known[:16]}; one of the two is not what was played"
                )
            self.taken.known += 1
            return
        try:
            verify(entry.record)
        except BadRecord as error:
            raise type(error)(f"the record of match {match} does not hold: {error}") from None
        self._hashes[match] = entry.last_hash
        file.new[entry.referee] = file.new.get(entry.referee, 0) + 1
        for seat in entry.seats:
            self._players.setdefault((entry.referee, seat.player), "")

    def _name_players(self) -> None:
        """Decide what every bot is called here; raises BadSetting where the caller has to say how a name is meant."""
        chosen: dict[str, str] = {}
        clashes: list[str] = []
        for referee, name in sorted(self._players):
            target, decided = self._target(referee, name)
            if len(target) > LONGEST_NAME:
                raise BadSetting(f"--prefix: {target[:40]!r}... would have more than {LONGEST_NAME} characters")
            taken = chosen.get(target, referee) != referee or bool(self._store.known_names([target]))
            if taken and not decided and not self._names.merge:
                clashes.append(target)
            chosen[target] = referee
            self._players[referee, name] = target
        if clashes:
            raise BadSetting(self._question(clashes))

    def _target(self, referee: str, name: str) -> tuple[str, bool]:
        """What a bot is called here, and whether that was decided before; raises BadSetting if otherwise."""
        prefix = self._names.prefix
        if referee == self._own:
            return name, True
        earlier = self._store.import_names(referee).get(name)
        if earlier is None:
            return f"{self._prefix(referee)}{name}", False
        if prefix and f"{prefix}{name}" != earlier:
            raise BadSetting(
                f"{name!r} of referee {referee} was imported as {earlier!r} before: leave --prefix {prefix} out"
            )
        return earlier, True

    def _prefix(self, referee: str) -> str:
        """What is put before the names of a referee's bots: as the caller says, or as in the last import from it."""
        return self._names.prefix or ("" if self._names.merge else self._store.last_prefix(referee))

    def _question(self, clashes: Sequence[str]) -> str:
        listed = ", ".join(map(repr, clashes[:NAMES_SHOWN]))
        more = len(clashes) - NAMES_SHOWN
        others = f" and {more} more" if more > 0 else ""
        return (
            f"bots are called so in {self._store.path} or another file already: {listed}{others}; --merge says that "
            f"equal names are the same bots, --prefix north- enters the file's bots as north-NAME; nothing was imported"
        )

    def _write(self) -> None:
        pools: dict[int, tuple[SeasonRow, PoolRow]] = {}
        with self._store.transaction():
            for (referee, name), player in sorted(self._players.items()):
                if referee != self._own:
                    self._store.keep_name(referee, name, player)
            for file in self._files:
                self._write_file(file, pools)
            for pool in pools:
                self._store.order_ends(pool)
            touched = pools.keys() | self._store.pools_with_builds()
            for season, row in self._store.pools_of_seasons().values():
                if row.id in touched:
                    publish(self._store, row.id, by_end=season.tempo == "open")
        self.taken.pools = list(pools.values())
        self.taken.referees = sorted({referee for file in self._files for referee in file.new})

    def _write_file(self, file: _File, pools: dict[int, tuple[SeasonRow, PoolRow]]) -> None:
        if not file.new:
            return
        sources = {
            referee: self._store.add_source(referee, file.digest, str(file.path), self._prefix(referee), count)
            for referee, count in sorted(file.new.items())
        }
        with _opened(file.path) as reading:
            for number, entry in enumerate(read_file(reading, again=True), 1):
                with _at(number):
                    if entry.match in self._hashes and not self._store.has_match(entry.match):
                        self._take(entry, sources.get(entry.referee, 0), pools)
                        self.taken.imported += 1
            if reading.digest() != file.digest:
                raise BadSetting("it changed while it was read; nothing was imported")

    def _take(self, entry: MatchLine, source: int, pools: dict[int, tuple[SeasonRow, PoolRow]]) -> None:
        """Store one match in its place."""
        store = self._store
        names = tuple(self._players[entry.referee, seat.player] for seat in entry.seats)
        builds = tuple(
            None if seat.build is None else store.imported_build(name, seat.build)
            for name, seat in zip(names, entry.seats, strict=True)
        )
        place = SeasonPlace(builds=builds)
        about = entry.place
        if about is not None:
            header = entry.record.header
            game = registry.game(header.game)
            season = store.imported_season(about.season, about.config, about.tempo, about.pairing_version)
            pool = store.imported_pool(
                season.id,
                header.game,
                len(header.players),
                dict(header.variant),
                about.clock,
                header.rules_version,
                header.components,
                rated=about.pool_rated,
                current=(header.rules_version, header.components) == (game.rules_version, game.digest),
            )
            pools.setdefault(pool.id, (season, pool))
            turn = -about.rotation % len(names)
            group = store.imported_group(
                pool.id,
                about.set_id,
                names[turn:] + names[:turn],
                [build or 0 for build in builds[turn:] + builds[:turn]],
                duplicate=about.duplicate,
                games=about.games,
            )
            place = SeasonPlace(group, about.rotation, about.attempt, builds)
        final = entry.record.final
        first, *steps, last = (line.decode() for line in entry.lines)
        if final is None:
            raise BadRecord(f"match {entry.match} is not over")
        store.take(
            ImportedMatch(
                place=place,
                played=Played(entry.record.header, final, first, "".join(steps), last),
                names=names,
                void=entry.void,
                rated=entry.rated and final.rated,
                started=entry.started,
                source=source,
            )
        )


def _check_prefix(prefix: str) -> None:
    if clean(prefix) != prefix or "@" in prefix or prefix != prefix.lstrip() or len(prefix) > LONGEST_NAME:
        raise BadSetting(f"--prefix {prefix[:40]!r}: use a few letters, digits and dashes, such as north-")


class _Digesting:
    """A file that is read line by line, and the digest of what was read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def readline(self, size: int, /) -> bytes:
        """The next line, or its first `size` bytes."""
        line = self._file.readline(size)
        self._hash.update(line)
        return line

    def digest(self) -> str:
        """SHA-256 of everything that was read."""
        return self._hash.hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[_Digesting]:
    """A file of matches; what is wrong with it is said with its name."""
    try:
        if path.exists() and not path.is_file():
            raise BadSetting("that is no plain file; it is read twice, so write it down first")
        with path.open("rb") as file:
            yield _Digesting(file)
    except OSError as error:
        raise BadSetting(f"{path}: cannot be read: {error.strerror or error}") from None
    except (BadRecord, BadSetting) as error:
        raise type(error)(f"{path}: {error}") from None


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Name the line of what is wrong in the block."""
    try:
        yield
    except (BadRecord, BadSetting) as error:
        raise type(error)(f"line {number}: {error}") from None
