"""Results in the form that the statistics read: who sat where, who placed how, which games shared a deal."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, isfinite, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ELO = 400.0 / log(10.0)
"""Elo points per unit of the natural logarithm of strength."""
Z95 = 1.959963984540054
"""The normal quantile of a two-sided 95% interval."""


class FinishedGame(NamedTuple):
    """One finished game."""

    players: tuple[str, ...]
    """By seat."""
    places: tuple[int, ...]
    group: str | None = None
    """Games of one group shared their luck (a duplicate set), so they are not independent. None: a group of its own."""


class Term(NamedTuple):
    """One logarithm of a Plackett-Luce likelihood: weight * ln(sum of strengths of these seats)."""

    seats: tuple[int, ...]
    weight: float


def terms(places: Sequence[int]) -> tuple[Term, ...]:
    """The logarithms that a finishing order subtracts from the sum of its utilities.

    A strict order is a sequence of choices, each among those still there. Shared places stand for the average of the
    log-likelihood over all strict orders that agree with them: inside a tied group every subset of a size is equally
    likely to be the one still there.
    """
    found: list[Term] = []
    remaining = set(range(len(places)))
    for place in sorted(set(places)):
        tied = [seat for seat in sorted(remaining) if places[seat] == place]
        worse = remaining.difference(tied)
        for size in range(len(tied), 0, -1):
            if size + len(worse) == 1:
                continue
            weight = 1.0 / comb(len(tied), size)
            found.extend(Term(tuple(sorted(worse.union(subset))), weight) for subset in combinations(tied, size))
        remaining = worse
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Batch:
    """Games with the same number of seats and the same pattern of places, as arrays."""

    seats: int
    places: tuple[int, ...]
    players: Ints
    """Games x seats: index of each player."""
    groups: Ints
    """Games: index of each group."""


@dataclass(frozen=True, slots=True)
class Results:
    """All games of one rating pool."""

    names: tuple[str, ...]
    batches: tuple[Batch, ...]
    groups: int
    """How many independent groups there are."""
    games: int


def collect(games: Iterable[FinishedGame]) -> Results:
    """Index games by player, group and pattern of places; players in order of their names."""
    index: dict[str, int] = {}
    groups: dict[str, int] = {}
    count = total = 0
    patterns: dict[tuple[int, ...], tuple[array[int], array[int]]] = {}
    rows: dict[tuple[int, ...], tuple[array[int], array[int]]] = {}
    for game in games:
        total += 1
        if game.places not in patterns or len(game.players) != len(game.places):
            check(game)
            patterns[game.places] = rows.setdefault(dense(game.places), (array("q"), array("q")))
        players, numbers = patterns[game.places]
        if game.group is None:
            numbers.append(count)
            count += 1
        else:
            number = groups.setdefault(game.group, count)
            count += number == count
            numbers.append(number)
        players.extend([index.setdefault(name, len(index)) for name in game.players])
    names = tuple(sorted(index))
    order = np.empty(len(names), dtype=np.int64)
    order[[index[name] for name in names]] = np.arange(len(names))
    batches = tuple(
        Batch(
            len(places),
            places,
            order[np.array(players, dtype=np.int64)].reshape(-1, len(places)),
            np.array(numbers, dtype=np.int64),
        )
        for places, (players, numbers) in sorted(rows.items())
    )
    return Results(names, batches, count, total)


def assemble(names: Sequence[str], tables: Iterable[tuple[Ints, Ints, Ints]]) -> Results:
    """Results from arrays, for those that have them: of each seat count the players, places and sets of all games.

    Players (games x seats) are indices into the names, which must be sorted, places are without gaps (1, 2, 2, 3),
    sets are numbered from 0 over all seat counts.
    """
    batches, sets, games = [], 0, 0
    for players, places, groups in tables:
        seats = players.shape[1]
        patterns, which = np.unique(places @ (np.int64(seats + 1) ** np.arange(seats)), return_inverse=True)
        for pattern in range(len(patterns)):
            rows = np.flatnonzero(which == pattern)
            batches.append(Batch(seats, tuple(places[rows[0]].tolist()), players[rows], groups[rows]))
        sets = max(sets, int(groups.max(initial=-1)) + 1)
        games += len(players)
    return Results(tuple(names), tuple(batches), sets, games)


class Attendance(NamedTuple):
    """Who sat in which set: one entry for every set and player of it, sets in order."""

    first: Ints
    """Where the entries of each set begin, and where the last ends."""
    players: Ints
    entries: tuple[np.ndarray, ...]
    """For every block of finishing orders, ranks x games: the entry of the player of that set."""


def check(game: FinishedGame) -> None:
    """Raise ValueError unless the game has two or more players and one possible list of places."""
    if len(game.players) < 2:
        raise ValueError("a game needs at least two players")
    if len(game.places) != len(game.players):
        raise ValueError(f"{len(game.players)} players need as many places, not {len(game.places)}")
    for place in game.places:
        if place != 1 + sum(other < place for other in game.places):
            listed = ", ".join(map(str, game.places))
            raise ValueError(f"places {listed} cannot be: place 1 is best, shared places skip the next (1, 2, 2, 4)")


def dense(places: Sequence[int]) -> tuple[int, ...]:
    """Places without gaps (1, 2, 2, 4 -> 1, 2, 2, 3): one name for each pattern."""
    levels = sorted(set(places))
    return tuple(1 + levels.index(place) for place in places)


def score(place: int, other: int) -> float:
    """The score of a seat against another of its table: 1, 1/2 or 0 as its place is better, equal or worse."""
    return 1.0 if place < other else 0.5 if place == other else 0.0


def scores_against(places: Sequence[int], seat: int) -> list[float]:
    """The scores of a seat against each other seat of its table; their mean is the seat's score in the game."""
    return [score(places[seat], place) for other, place in enumerate(places) if other != seat]


def pair_scores(places: Sequence[int]) -> Floats:
    """S_ij: the score of seat i against seat j; 0 on the diagonal."""
    scores: Floats = np.array([[score(place, other) for other in places] for place in places])
    np.fill_diagonal(scores, 0.0)
    return scores


def finite(value: float | np.floating) -> float | None:
    """The number; None: the value is infinite or not a number."""
    return float(value) if isfinite(value) else None


def expectation(difference: float) -> float:
    """L(x): the score expected of a player rated `difference` Elo above the other."""
    return 1.0 / (1.0 + float(10.0 ** (-difference / 400.0)))
