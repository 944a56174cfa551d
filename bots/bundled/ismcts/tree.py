"""The trees: what each seat knows, which answers it has tried there, and how they turned out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import TypeAlias

from bots.bundled.ismcts.guide import Candidate
from referee.kernel.game import Event, Option, Seat

SHARPNESS = 4.0
"""How much a better prior worth counts in selection."""


class Edge:
    """What one seat has learned about one of its lines at one node."""

    __slots__ = ("line", "prior", "total", "visits")

    def __init__(self, line: tuple[Option, ...], prior: float) -> None:
        self.line = line
        """The answer here, and those that the seat means to give after it."""
        self.prior = prior
        self.total = 0.0
        self.visits = 0


class Node:
    """What one seat knows at one point, and what it has learned there."""

    __slots__ = ("edges", "total", "visits")

    def __init__(self) -> None:
        self.edges: dict[tuple[Option, ...], Edge] = {}
        self.total = 0.0
        self.visits = 0


Visit: TypeAlias = tuple[Node, Edge | None, Seat]
"""A node that an iteration came through, what was chosen there if the seat had a choice already, and whose it was."""


def widen(node: Node, candidates: Sequence[Candidate]) -> None:
    """Add lines to a node that it does not have yet; the better a line seems, the larger its prior."""
    most = max(candidate.worth for candidate in candidates)
    weights = [exp(SHARPNESS * (candidate.worth - most)) for candidate in candidates]
    whole = sum(weights)
    for candidate, weight in zip(candidates, weights, strict=True):
        if candidate.line not in node.edges:
            node.edges[candidate.line] = Edge(candidate.line, weight / whole)


def select(node: Node, edges: Sequence[Edge], explore: float) -> Edge:
    """The line that draws most: by what it brought so far, its prior, and how seldom it was tried."""
    untried = node.total / node.visits if node.visits else 0.5
    draw = explore * sqrt(node.visits + 1)
    best, most = edges[0], -1.0
    for edge in edges:
        tries = edge.visits
        value = (edge.total / tries if tries else untried) + draw * edge.prior / (1 + tries)
        if value > most:
            best, most = edge, value
    return best


class Plans:
    """The answers that seats mean to give after their last one."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left: dict[Seat, list[Option]] = {}

    def make(self, seat: Seat, line: tuple[Option, ...]) -> Option:
        """Take a line up; returns its first answer."""
        if len(line) > 1:
            self._left[seat] = list(reversed(line[1:]))
        return line[0]

    def next(self, seat: Seat, options: Sequence[Option]) -> Option | None:
        """The next answer of a seat, or None where its plan is at an end, or luck has crossed it."""
        left = self._left.get(seat)
        if left:
            option = left.pop()
            if option in options:
                return option
            left.clear()
        return None


class Known:
    """What each seat has learned since the beginning of an iteration, as keys of nodes."""

    __slots__ = ("_own", "_public")

    def __init__(self) -> None:
        self._public = 0
        self._own: dict[Seat, int] = {}

    def add(self, answers: Mapping[Seat, Option], events: Sequence[Event]) -> None:
        """One step: everybody's own answer, and what each was told."""
        own = self._own
        for seat, option in answers.items():
            own[seat] = hash((own.get(seat, 0), option))
        public = [event for event in events if event.audience is None]
        self._public = hash((self._public, *public))
        if len(public) < len(events):
            for event in events:
                for seat in event.audience or ():
                    own[seat] = hash((own.get(seat, 0), event))

    def key(self, seat: Seat) -> tuple[Seat, int, int]:
        """Where the seat is in its tree."""
        return seat, self._public, self._own.get(seat, 0)
