"""The trees: the knowledge of each seat, the answers that it has tried there, and their utilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import TypeAlias

from bots.bundled.ismcts.guide import Candidate
from referee.kernel.game import Event, Option, Seat

SHARPNESS = 4.0
"""Weight of the prior worth in selection."""


class Edge:
    """The statistics of one line of a seat at one node."""

    __slots__ = ("line", "prior", "total", "visits")

    def __init__(self, line: tuple[Option, ...], prior: float) -> None:
        self.line = line
        """The answer here, and the answers that the seat plans to give after it."""
        self.prior = prior
        self.total = 0.0
        self.visits = 0


class Node:
    """What one seat knows at one point, and the statistics of its lines there."""

    __slots__ = ("edges", "total", "visits")

    def __init__(self) -> None:
        self.edges: dict[tuple[Option, ...], Edge] = {}
        self.total = 0.0
        self.visits = 0


Visit: TypeAlias = tuple[Node, Edge | None, Seat]
"""A node on the way of an iteration, the chosen edge (None: the node had no edges yet), and the seat."""


def widen(node: Node, candidates: Sequence[Candidate]) -> None:
    """Add missing lines to a node; a line of higher worth gets a larger prior."""
    most = max(candidate.worth for candidate in candidates)
    weights = [exp(SHARPNESS * (candidate.worth - most)) for candidate in candidates]
    whole = sum(weights)
    for candidate, weight in zip(candidates, weights, strict=True):
        if candidate.line not in node.edges:
            node.edges[candidate.line] = Edge(candidate.line, weight / whole)


def select(node: Node, edges: Sequence[Edge], explore: float) -> Edge:
    """The line of the highest upper bound: its mean utility, its prior, and a bonus for few visits."""
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
    """The answers that seats plan to give after their last one."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left: dict[Seat, list[Option]] = {}

    def make(self, seat: Seat, line: tuple[Option, ...]) -> Option:
        """Begin a line; returns its first answer."""
        if len(line) > 1:
            self._left[seat] = list(reversed(line[1:]))
        return line[0]

    def next(self, seat: Seat, options: Sequence[Option]) -> Option | None:
        """The next planned answer of a seat; None: the plan has ended, or its next answer is not an option."""
        left = self._left.get(seat)
        if left:
            option = left.pop()
            if option in options:
                return option
            left.clear()
        return None


class Known:
    """The knowledge of each seat since the beginning of an iteration, as keys of nodes."""

    __slots__ = ("_own", "_public")

    def __init__(self) -> None:
        self._public = 0
        self._own: dict[Seat, int] = {}

    def add(self, answers: Mapping[Seat, Option], events: Sequence[Event]) -> None:
        """Add one step: each seat's own answer, and the events that the seat was told."""
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
        """The key of the seat's node in its tree."""
        return seat, self._public, self._own.get(seat, 0)
