"""The interface between the search and a game: the answers to consider, quick answers, and the standing of seats.

The search itself uses the kernel's contract alone. Everything particular to a game is a **guide**, one module beside
this one and one line in `GUIDES`; a game without a guide is played with `Blind`. Worth and standing share one unit: a
lead of 1 is estimated to win with odds of e to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from referee.kernel.game import AnyGame, Option, Seat

S_contra = TypeVar("S_contra", contravariant=True)

GUIDES = {
    "edo_yashiki": "bots.bundled.ismcts.edo_yashiki",
    "honshu": "bots.bundled.ismcts.honshu",
    "ninjato": "bots.bundled.ismcts.ninjato",
    "white_castle": "bots.bundled.ismcts.white_castle",
}
"""Name of each game, and the module with its guide; loaded on first use."""


class Candidate(NamedTuple):
    """An answer to consider, with the answers that the same seat plans to give after it."""

    line: tuple[Option, ...]
    worth: float


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates by falling worth; equal ones keep their order."""
    return sorted(candidates, key=lambda candidate: candidate.worth, reverse=True)


class Reply(Protocol[S_contra]):
    """A function that gives a quick answer to any decision."""

    def __call__(self, state: S_contra, seat: Seat, kind: str, options: Sequence[Option], rng: Random) -> Option:
        """One of the options."""


class Guide(Protocol[S_contra]):
    """What the search needs to know of a game. Every state that a guide gets is a determinisation."""

    @property
    def depth(self) -> int:
        """Default number of stages that an iteration looks ahead."""

    @property
    def width(self) -> int:
        """Default number of answers that a search compares."""

    @property
    def reply(self) -> Reply[S_contra] | None:
        """The quick answers of playouts from a node without a visit. None: there are no playouts, and such a node gets
        its candidates at once, which pays if the same positions come up in many iterations."""

    def stage(self, state: S_contra) -> int:
        """The progress of a game: a number that never falls, and rises where a state can be valued well."""

    def horizon(self, state: S_contra, depth: int) -> int:
        """The stage at which a search from this state values states, `depth` stages ahead."""

    def lines(self, state: S_contra, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        """The candidates for the search's own decision, judged with care, the most promising first."""

    def answers(self, state: S_contra, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        """The candidates for a later decision, judged in haste, the most promising first."""

    def standing(self, state: S_contra) -> Sequence[float]:
        """The standing of each seat and then of the automata, as in a result; empty: only results have a value."""


class Blind:
    """A guide for any game: all answers are equal, and only results have a value."""

    depth = 1
    width = 16

    def reply(self, state: object, seat: Seat, kind: str, options: Sequence[Option], rng: Random) -> Option:
        return options[int(rng.random() * len(options))]

    def stage(self, state: object) -> int:
        return 0

    def horizon(self, state: object, depth: int) -> int:
        return 1

    def lines(self, state: object, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        return [Candidate((option,), 0.0) for option in options]

    answers = lines

    def standing(self, state: object) -> Sequence[float]:
        return ()


def guide_of(game: AnyGame) -> Guide[Any]:
    """The guide of a game."""
    if game.name not in GUIDES:
        return Blind()
    found: Guide[Any] = import_module(GUIDES[game.name]).GUIDE
    return found
