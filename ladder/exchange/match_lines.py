"""Matches on their way from one referee's file to another's: JSON lines, one match in each.

A line stands alone, so files may be cut, filtered and put together line by line. The line is an object with

    format    "kumite/export/1"
    referee   the id of the referee that played the match
    match     the match's id
    started   when it began, in UTC
    void      why that referee made it void although it has a result, or null
    rated     whether it counts there
    seats     by seat: the player's name there, and its build (digest, spec, remote, created) or null
    place     null, or where it stands: season (name, tempo, pairing_version, config), pool (game, seats, variant,
              clock, rated), group (id, lineup, duplicate, games), rotation and attempt
    record    the lines of its record, as objects: header, steps, final line

The record is proved by its secret and the rules. Everything else is the word of the referee that wrote the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ladder.store.records import BuildRow, MatchRow
from referee.kernel.bounded import Lines, lines
from referee.kernel.errors import BadPlain, BadRecord, BadSetting
from referee.kernel.plain import Plain, canonical, parse
from referee.kernel.reading import RECORDS
from referee.match.clock import TimeControl
from referee.match.policy import clean
from referee.match.record import Header, Record, from_lines, read_final

FORMAT = "kumite/export/1"
MARK = b'{"format":"kumite/export/'
"""How every line begins, also those of later versions."""
LONGEST = 8 * 2**20
"""Bytes of one line, and so of one match."""
LONGEST_NAME = 200
"""Characters of a bot's name, a season's name or a set's id."""
AHEAD = timedelta(days=1)
"""How far the clock of another referee may be ahead."""

_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat at a seat, by the word of the referee."""

    player: str
    build: BuildRow | None


@dataclass(frozen=True, slots=True)
class ForeignPlace:
    """Where a match stands at the referee that played it."""

    season: str
    tempo: str
    pairing_version: int
    config: str
    clock: str
    pool_rated: bool
    set_id: str
    lineup: tuple[str, ...]
    duplicate: bool
    games: int
    rotation: int
    attempt: int

    def to_plain(self, game: str, seats: int, variant: dict[str, str]) -> dict[str, Plain]:
        """As the field `place` of the line of a match."""
        return {
            "season": {
                "name": self.season,
                "tempo": self.tempo,
                "pairing_version": self.pairing_version,
                "config": self.config,
            },
            "pool": {
                "game": game,
                "seats": seats,
                "variant": dict(variant),
                "clock": self.clock,
                "rated": self.pool_rated,
            },
            "group": {
                "id": self.set_id,
                "lineup": list(self.lineup),
                "duplicate": self.duplicate,
                "games": self.games,
            },
            "rotation": self.rotation,
            "attempt": self.attempt,
        }


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match of a file."""

    referee: str
    started: str
    void: str | None
    rated: bool
    seats: tuple[Seat, ...]
    place: ForeignPlace | None
    record: Record
    """Without steps, if they were verified before."""
    lines: tuple[bytes, ...]
    """The lines of the record."""

    @property
    def match(self) -> str:
        """The match's id."""
        return self.record.header.match

    @property
    def last_hash(self) -> str:
        """The last hash of the record, as it stands there."""
        return self.record.hashes[-1]


def to_line(
    row: MatchRow,
    lines: Sequence[bytes],
    *,
    referee: str,
    seats: Sequence[Seat],
    place: ForeignPlace | None,
    void: str | None,
) -> bytes:
    """A match as a line of a file; `lines` are those of its record."""
    about: dict[str, Plain] = {
        "format": FORMAT,
        "referee": referee,
        "match": row.id,
        "started": row.started,
        "void": void,
        "rated": row.rated,
        "seats": [
            {"player": seat.player, "build": None if seat.build is None else dict(seat.build._asdict())}
            for seat in seats
        ],
        "place": None if place is None else place.to_plain(row.game, len(seats), row.variant),
    }
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()
    return text[:-1] + b',"record":[' + b",".join(line.rstrip(b"\n") for line in lines) + b"]}\n"


def read_file(file: Lines, *, again: bool = False) -> Iterator[MatchLine]:
    """The matches of a file, one at a time; raises BadRecord with the number of the line that is no match.

    `again`: the file was read and verified before, so the steps of records are not looked into.
    """
    found = lines(file, LONGEST)
    number = 0
    while True:
        number += 1
        try:
            line = next(found, None)
            if line is None:
                return
            yield from_line(line, again=again)
        except BadSetting as error:  # a line without end
            raise BadRecord(str(error)) from None
        except BadRecord as error:
            raise type(error)(f"line {number}: {error}") from None


def from_line(line: bytes, *, again: bool = False) -> MatchLine:
    """The match of a line, read but not verified; raises BadRecord. `again`: see `read_file`."""
    try:
        about = RECORDS.table(parse(line), "a line of a file of matches")
    except BadPlain as error:
        raise BadRecord(f"{error}; kumite export writes a match in each line") from None
    if about.get("format") != FORMAT:
        raise BadRecord(f"this is no file of matches: each line must say that its format is {FORMAT!r}")
    RECORDS.only(about, ("format", "match", "place", "rated", "record", "referee", "seats", "started", "void"))
    listed = tuple(canonical(item) + b"\n" for item in RECORDS.items(about, "record"))
    try:
        record = _ends(listed) if again and len(listed) > 1 else from_lines(listed)
    except BadRecord as error:
        raise BadRecord(f"the record of match {str(about.get('match'))[:64]!r}: {error}") from None
    header = record.header
    if about.get("match") != header.match or not _ID.fullmatch(header.match):
        raise BadRecord(f"'match' must be the id that the record names, {header.match[:64]!r}")
    referee = RECORDS.text(about, "referee")
    if not _ID.fullmatch(referee):
        raise BadRecord("'referee' must be the id of a referee")
    seats = tuple(_seat(item) for item in RECORDS.items(about, "seats"))
    if len(seats) != len(header.players):
        raise BadRecord(f"'seats' must have {len(header.players)} entries, one for each seat, not {len(seats)}")
    void = about.get("void")
    return MatchLine(
        referee=referee,
        started=_moment(about, "started"),
        void=None if void is None else _line(about, "void", 1000),
        rated=RECORDS.flag(about, "rated"),
        seats=seats,
        place=None if about.get("place") is None else _place(about, header, seats),
        record=record,
        lines=listed,
    )


def _ends(listed: Sequence[bytes]) -> Record:
    """A record without its steps."""
    header = RECORDS.table(parse(listed[0]), "the header")
    first = RECORDS.text(header, "hash")
    del header["hash"]
    final, last = read_final(listed[-1])
    return Record(Header.from_plain(header), (), final, (first, last))


def _seat(plain: Plain) -> Seat:
    seat = RECORDS.table(plain, "a seat")
    RECORDS.only(seat, ("build", "player"))
    player = _name(seat, "player")
    if seat.get("build") is None:
        return Seat(player, None)
    build = RECORDS.table(seat.get("build"), "'build'")
    RECORDS.only(build, BuildRow._fields)
    return Seat(
        player,
        BuildRow(
            digest=_line(build, "digest", LONGEST_NAME),
            spec=_line(build, "spec", 4096),
            remote=RECORDS.flag(build, "remote"),
            created=_moment(build, "created"),
        ),
    )


def _place(about: dict[str, Plain], header: Header, seats: tuple[Seat, ...]) -> ForeignPlace:
    place = RECORDS.table(about.get("place"), "'place'")
    RECORDS.only(place, ("attempt", "group", "pool", "rotation", "season"))
    season = RECORDS.table(place.get("season"), "'season'")
    RECORDS.only(season, ("config", "name", "pairing_version", "tempo"))
    group = RECORDS.table(place.get("group"), "'group'")
    RECORDS.only(group, ("duplicate", "games", "id", "lineup"))
    tempo = RECORDS.text(season, "tempo")
    if tempo not in ("open", "planned"):
        raise BadRecord("'tempo' must be open or planned")
    clock, rated = _pool(place, header)
    lineup = RECORDS.texts(group.get("lineup"), "'lineup'")
    games, rotation = RECORDS.whole(group, "games"), RECORDS.whole(place, "rotation")
    names = tuple(seat.player for seat in seats)
    turned = lineup[rotation % len(lineup) :] + lineup[: rotation % len(lineup)] if lineup else ()
    if turned != names or not rotation < games <= len(lineup):
        raise BadRecord("'group' is none that these seats can have been a game of")
    return ForeignPlace(
        season=_name(season, "name"),
        tempo=tempo,
        pairing_version=RECORDS.whole(season, "pairing_version"),
        config=RECORDS.text(season, "config"),
        clock=clock,
        pool_rated=rated,
        set_id=_name(group, "id"),
        lineup=lineup,
        duplicate=RECORDS.flag(group, "duplicate"),
        games=games,
        rotation=rotation,
        attempt=RECORDS.whole(place, "attempt"),
    )


def _pool(place: dict[str, Plain], header: Header) -> tuple[str, bool]:
    """Clock and rating of a pool, which must be that of the record."""
    pool = RECORDS.table(place.get("pool"), "'pool'")
    RECORDS.only(pool, ("clock", "game", "rated", "seats", "variant"))
    about = (pool.get("game"), pool.get("seats"), pool.get("variant"))
    clock = RECORDS.text(pool, "clock")
    try:
        fitting = TimeControl.parse(clock) == header.clock
    except BadSetting:
        fitting = False
    if about != (header.game, len(header.players), header.variant) or not fitting:
        raise BadRecord("'pool' is not that of the record: game, seats, variant and clock must be the same")
    return clock, RECORDS.flag(pool, "rated")


def _line(table: dict[str, Plain], key: str, longest: int) -> str:
    value = RECORDS.text(table, key)
    if len(value) > longest or clean(value, longest) != value:
        raise BadRecord(f"{key!r} must be one line of at most {longest} characters")
    return value


def _name(table: dict[str, Plain], key: str) -> str:
    value = _line(table, key, LONGEST_NAME)
    if not value.strip():
        raise BadRecord(f"{key!r} must not be empty")
    return value


def _moment(table: dict[str, Plain], key: str) -> str:
    """A moment as it is stored: in UTC, with milliseconds."""
    text = RECORDS.text(table, key)
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            raise ValueError
        found = found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRecord(f"{key!r} must be a time with its offset, such as 2026-11-18T03:19:32.125+00:00") from None
    if found > datetime.now(UTC) + AHEAD:
        raise BadRecord(f"{key!r} lies in the future: {text[:40]}")
    return found.isoformat(timespec="milliseconds")
