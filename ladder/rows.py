"""The rows of a ladder's database, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season as it is stored."""

    id: int
    name: str
    config: str
    secret: bytes


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A rating pool: one game, one number of seats, one variant, in one season."""

    id: int
    game: str
    seats: int
    variant: dict[str, str]
    rules_version: int
    components: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A scheduled set of matches of one lineup."""

    id: int
    number: int
    batch: int
    lineup: tuple[str, ...]
    builds: tuple[int, ...]
    duplicate: bool


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What became of one match of a group."""

    match: str
    group: int
    rotation: int
    state: str
    rated: bool
    players: tuple[str, ...]
    builds: tuple[int | None, ...]
    """Which build of each player's bot; None: an automaton of the rules."""
    places: tuple[int, ...]
    points: tuple[int, ...]


class RatingRow(NamedTuple):
    """The standing of one player in one pool."""

    player: str
    elo: float
    low: float | None
    high: float | None
    se_model: float | None
    se_robust: float | None
    live: float
    games: int
    points: float


class RunRow(NamedTuple):
    """One run of a season."""

    id: int
    season: str
    started: str
    ended: str
    matches: int
    reason: str
