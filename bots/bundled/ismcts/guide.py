"""What the search has to be told about a game: which answers are worth a thought, how to play on, how things stand.

The search knows the kernel's contract and nothing else. Everything that is particular to a game is a **guide**, one
module beside this one and one line in `GUIDES`; a game without one is played by `Blind`, which knows nothing. Worth
and standing share one unit: a lead of 1 is reckoned to win with odds of e to 1.
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
    """An answer worth a thought, with those that the same seat means to give after it."""

    line: tuple[Option, ...]
    worth: float


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates by falling worth; of equals the first stays first."""
    return sorted(candidates, key=lambda candidate: candidate.worth, reverse=True)


class Reply(Protocol[S_contra]):
    """A quick answer to any question."""

    def __call__(self, state: S_contra, seat: Seat, kind: str, options: Sequence[Option], rng: Random) -> Option:
        """One of the options."""


class Guide(Protocol[S_contra]):
    """What is particular to a game. A guide only ever sees imagined states."""

    @property
    def depth(self) -> int:
        """How many stages an iteration looks ahead unless told otherwise."""

    @property
    def width(self) -> int:
        """How many answers a search compares unless told otherwise."""

    @property
    def reply(self) -> Reply[S_contra] | None:
        """How playouts go on from a node without a visit. None: there are none; such a node is thought about
        at once, which pays where the same positions come up again and again."""

    def stage(self, state: S_contra) -> int:
        """How far a game has come: a number that never falls and rises at good moments to take stock."""

    def horizon(self, state: S_contra, depth: int) -> int:
        """The stage at which to take stock of what comes of a state, looking so many stages ahead."""

    def lines(self, state: S_contra, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        """The answers to the question of the search itself, the most promising first, judged with care."""

    def answers(self, state: S_contra, seat: Seat, kind: str, options: Sequence[Option]) -> list[Candidate]:
        """The answers to a question that comes up in the search, the most promising first, judged in haste."""

    def standing(self, state: S_contra) -> Sequence[float]:
        """How well each seat stands, and behind the seats the automata, as in a result; empty: only the end tells."""


class Blind:
    """A guide for any game: all answers are alike, and only the end tells."""

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
