"""The rows of a ladder's database, as values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.kernel.errors import BadPlain, BadSetting
from referee.kernel.plain import parse
from referee.kernel.reading import Reader
from referee.match.policy import Fault
from referee.match.record import Final, Header, Record
from referee.match.supervision import Trouble

PLAYED = "finished"
"""The ending of an automaton, which has no faults and never leaves."""


ATTEMPTS = 5
"""How often a match of a planned season is begun that the referee has to stop each time."""


LONGEST_LOG = 1 << 18
"""Bytes of one bot's log that are taken from a worker; no more than a quarter is kept of what a bot prints."""

_LOGS = Reader(BadSetting, "that is no log of a bot: ")


class BotLog(NamedTuple):
    """What the process of a seat's bot printed during a match, within a bound: for the organiser's eyes alone."""

    first: bytes
    left_out: int = 0
    """Bytes between the first and the last part that were not kept."""
    last: bytes = b""
    """Empty if nothing is left out."""
    shared: bool = False
    """Whether the process played other matches at the same time, so that what it printed may be about those."""
    late: bool = False
    """Whether the beginning is missing, because the referee was restarted while the match was going on."""

    @property
    def printed(self) -> int:
        """Bytes that the bot printed."""
        return len(self.first) + self.left_out + len(self.last)

    def pack(self) -> bytes:
        """The log as bytes: a line of JSON, then its two parts."""
        about = {"first": len(self.first), "left_out": self.left_out, "shared": self.shared, "late": self.late}
        return b"%s\n%s%s" % (json.dumps(about).encode(), self.first, self.last)

    @classmethod
    def unpack(cls, packed: bytes) -> BotLog:
        """What `pack` made; raises BadSetting for anything else."""
        if len(packed) > LONGEST_LOG:
            raise _LOGS.wrong(f"it has more than {LONGEST_LOG} bytes")
        line, _, text = packed.partition(b"\n")
        try:
            about = _LOGS.table(parse(line), "its first line")
        except BadPlain as error:
            raise _LOGS.wrong(str(error)) from None
        size = _LOGS.integer(about.get("first"), "'first'", 0, len(text))
        left_out, shared, late = _LOGS.whole(about, "left_out"), _LOGS.flag(about, "shared"), _LOGS.flag(about, "late")
        return cls(text[:size], left_out, text[size:], shared, late)


@dataclass(slots=True)
class Printed:
    """What the processes of a match's bots printed."""

    logs: list[BotLog] = field(default_factory=list)
    """By seat; empty: the bots were no processes of their own."""
    at_fault: dict[int, BotLog] = field(default_factory=dict)
    """The log of a seat as it was when the seat's first fault was recorded."""


class Played(NamedTuple):
    """A match that is over: its record as it is stored, and the two ends of it as values."""

    header: Header
    final: Final
    first: str
    """The line of the header."""
    steps: str
    """The lines of all steps."""
    last: str
    """The line of the end."""
    faults: tuple[Fault, ...] = ()
    """All faults of the record, in their order."""
    troubles: tuple[Trouble, ...] = ()
    """What bots of the worker's process raised, with traces; no part of the record, and not stored."""
    logs: tuple[BotLog | None, ...] = ()
    """What the bots of the seats printed, no part of the record; empty: no bot was a process of its own."""

    @classmethod
    def of(cls, record: Record, troubles: Iterable[Trouble] = (), logs: Sequence[BotLog | None] = ()) -> Played:
        """A record that is written now; raises BadSetting if the match is not over."""
        if record.final is None:
            raise BadSetting(f"match {record.header.match} is not over")
        first, *steps, last = record.lines()
        faults = faults_of(record)
        lines = (first.decode(), b"".join(steps).decode(), last.decode())
        return cls(record.header, record.final, *lines, faults, tuple(troubles), tuple(logs))


def faults_of(record: Record) -> tuple[Fault, ...]:
    """Every fault of a match, in order."""
    late = () if record.final is None else record.final.faults
    return (*(fault for step in record.steps if step.faults for fault in step.faults), *late)


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season as it is stored."""

    id: int
    name: str
    tempo: str
    """`planned` or `open`."""
    pairing_version: int
    """Version of the pairing with which the season was begun."""
    config: str


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A rating pool: one game, seat count, variant, clock and version of the rules, in one season."""

    id: int
    game: str
    seats: int
    variant: dict[str, str]
    clock: str
    """The clock as the ladder file or the command line named it."""
    rules_version: int
    components: str
    rated: bool = True
    edition: int = 0
    """Number of earlier pools of the season with the same game, seats and variant: keeps their match ids apart."""
    archived: str | None = None
    """When a newer version of the rules took the pool's place."""
    published: int = 0
    """The stamp of the results to which the stored standings belong."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A scheduled set of matches of one lineup."""

    id: int
    number: int
    batch: int
    lineup: tuple[str, ...]
    builds: tuple[int, ...]
    duplicate: bool
    games: int
    """How many matches the group has."""
    origin: str | None = None
    """The group's place at the referee that played it, if that was another one; None: the group was played here."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What became of one match of a group."""

    match: str
    group: int
    rotation: int
    state: str
    rated: bool
    end_number: int | None = field(compare=False)
    """The place of its end among all ends of the file; None: the match is running."""
    started: str = field(compare=False)
    """When it began, in UTC."""
    attempt: int
    stopped: bool
    """Whether the match is void because the referee stopped it after it had begun."""
    ruling: str
    """What an organiser decided: `void`, `again` (it is played again); empty: nothing."""
    players: tuple[str, ...]
    builds: tuple[int | None, ...]
    """Which build of each player's bot; None: an automaton of the rules."""
    places: tuple[int, ...]
    points: tuple[int, ...]
    faults: tuple[int, ...] = ()
    """Faults of each player; empty: not known."""

    @property
    def to_replay(self) -> bool:
        """Whether the match is to be played again, in a new attempt."""
        return self.ruling == "again" or (self.stopped and self.attempt + 1 < ATTEMPTS)


class Running(NamedTuple):
    """A served match that was going on when the referee stopped."""

    record: Record
    secret: bytes
    group: int | None
    pool: int | None
    """The ids of its group and pool; None: it belongs to no season."""
    builds: tuple[int | None, ...]
    """The build of each seat's bot."""


class BuildRow(NamedTuple):
    """A build of a bot."""

    digest: str
    spec: str
    remote: bool
    created: str


class SeatRow(NamedTuple):
    """What became of one seat of a match; None where that is not known."""

    player: str
    build: int | None
    place: int | None
    points: int | None
    ending: str | None
    faults: int | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as it is listed."""

    id: str
    state: str
    """`running`, `finished` or `void`."""
    sealed: bool
    """Whether its record cannot be read: the match, or its duplicate set, is not over."""
    ended: bool
    """Whether its record has a final line."""
    season: str | None
    pool: int | None
    group: int | None
    """The number of its group in its pool."""
    rotation: int | None
    attempt: int
    game: str
    variant: dict[str, str]
    clock: str
    rated: bool
    reason: str | None
    started: str
    """In UTC."""
    duration_us: int | None
    source: int | None
    """The id of the imported file that the match came from; None: the match was played here."""
    seats: tuple[SeatRow, ...]
    """The automata of the rules come last."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A file that matches were imported from."""

    id: int
    referee: str
    """The id of the referee that played them."""
    digest: str
    """SHA-256 of the file."""
    file: str
    prefix: str
    matches: int
    imported: str


@dataclass(frozen=True, slots=True)
class Selection:
    """Which matches are wanted."""

    bot: str | None = None
    build: int | None = None
    """A build of that bot."""
    game: str | None = None
    seats: int | None = None
    clock: str | None = None
    variant: tuple[tuple[str, str], ...] = ()
    faults: bool = False
    """Only matches with faults or forfeits, or without a result."""
    since: str | None = None
    """Only matches that are running, or ended at this moment (in UTC) or later."""
    pool: int | None = None
    """The id of a pool."""
    against: str | None = None
    """A second bot that sat at the same table."""
    running: bool = False
    """Only matches that are being played."""


class RatingRow(NamedTuple):
    """The standing of one player in one pool. Ratings are Elo, the reference of the player's island 1500."""

    player: str
    elo: float
    """The published rating, from a batch fit of all games."""
    low: float | None
    """Lower end of its 95% interval; None: the player never beat the reference, even indirectly."""
    high: float | None
    se_model: float | None
    se_robust: float | None
    live: float
    """The quick rating, updated after every match."""
    games: int
    points: float
    """Sum over games of the mean score against the others of the table."""
    deviation: float | None = None
    """Deviation of the quick rating."""
    wins: int | None = None
    """Opponents placed behind the player, summed over games."""
    draws: int | None = None
    losses: int | None = None
    faults: int | None = None
    island: int = 0
    """Players of different islands never met, directly or through others: nothing compares them."""
    exact: bool = False
    """Whether the player is the whole reference of its island, so that its rating is 1500 by definition."""


class RunRow(NamedTuple):
    """One run of a season."""

    id: int
    season: str
    started: str
    ended: str
    matches: int
    reason: str


def end_of(final: Final, line: str) -> tuple[str, int, str, str, int]:
    """State, rated, reason, final line and duration of a match that is over."""
    result = final.result
    if result is None:
        return "void", int(final.rated), final.endings[0].message, line, final.at
    return "finished", int(final.rated), result.reason, line, final.at


def outcomes_of(final: Final) -> list[tuple[int | None, int | None, str, int]]:
    """Place, points, ending and faults of every seat, then of the automata."""
    result = final.result
    if result is None:
        return []
    ends = [(str(end.kind), end.faults) for end in final.endings] + [(PLAYED, 0)] * len(result.automata)
    return [(place, points, *end) for place, points, end in zip(result.places, result.points, ends, strict=True)]


def automata_of(final: Final | None) -> tuple[str, ...]:
    """The players of the rules' own, who have places behind the seats."""
    return () if final is None or final.result is None else final.result.automata
