"""Information-set Monte Carlo tree search on the kernel's contract, for any game and any number of seats.

Every iteration plays one determinised state: a random full state that is consistent with the asked seat's view.

- **A tree for every seat** (`tree`). A node is what one seat knows: its own answers and the events that it was told, in
  order. Each seat walks down its own tree and chooses by its own statistics, so no choice depends on information that
  the seat does not have, and seats that decide at the same time choose independently (decoupled selection).
- **Wide lists.** The guide of the game names the answers to consider, with a prior worth; selection prefers answers of
  high worth and tries the others as visits add up.
- **The search's own decision** (`contest`) is settled between a few contenders: every sweep plays each of them on the
  same state with the same luck, and the worse half leaves each time a further share of the budget is used (sequential
  halving). Equal luck cancels most of the noise, and close decisions get most of the iterations.

An iteration leaves the trees at the first node without a visit, plays on with quick answers to the guide's horizon, and
counts the standing of each seat there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from random import Random
from typing import Generic, NamedTuple, TypeVar

from bots.bundled.ismcts.contest import Contender, Contest, SearchBudget
from bots.bundled.ismcts.guide import Guide
from bots.bundled.ismcts.luck import Paired
from bots.bundled.ismcts.tree import Known, Node, Plans, Visit, select, widen
from referee.kernel.game import Event, Game, Option, Seat
from referee.kernel.turns import Turn, advance, settle

S = TypeVar("S")
T = TypeVar("T")
V = TypeVar("V")

MARGIN = 0.15
"""Share of the margin in the utility of a finished game; the rest is the place."""


class Settings(NamedTuple):
    """The settings of a search."""

    explore: float
    """Weight of untried answers in selection; 0: none."""
    depth: int
    """Number of stages that an iteration looks ahead."""
    width: int
    """Number of candidates that are compared."""


class Search(Generic[S, V]):
    """One search for one answer."""

    def __init__(self, game: Game[S, V], guide: Guide[S], seat: Seat, settings: Settings, rng: Random) -> None:
        self._game = game
        self._guide = guide
        self._seat = seat
        self._settings = settings
        self._rng = rng
        self._nodes: dict[tuple[Seat, int, int], Node] = {}
        self.iterations = 0
        """Number of iterations so far."""

    def run(self, worlds: Iterator[S], budget: SearchBudget) -> list[Contender]:
        """The contenders that are left at the end, the best first."""
        guide, seat = self._guide, self._seat
        world, turn = self._open(worlds)
        kind = next(kind for asked, kind in turn.asks if asked == seat)
        judge = guide.answers if budget.hurried else guide.lines
        contest = Contest(judge(world, seat, kind, turn.options[seat])[: self._settings.width])
        while contest.open and budget.spent(self.iterations) < 1:
            self._sweep(world, turn, contest.alive, budget)
            contest.judge(budget.spent(self.iterations))
            if contest.open:
                world, turn = self._open(worlds)
        return contest.ranked()

    def _open(self, worlds: Iterator[S]) -> tuple[S, Turn]:
        """The next state and its open decision; `settle` carries nothing out, because the asked seat has a choice."""
        world = next(worlds)
        return world, settle(self._game, world, Paired(0), [])

    def _sweep(self, world: S, turn: Turn, contenders: Sequence[Contender], budget: SearchBudget) -> None:
        """Play every contender on one state with the same luck and the same answers of the other seats."""
        seed = self._rng.getrandbits(32)
        visits: list[Visit] = []
        others: dict[Seat, Option] = {}
        for seat, kind in turn.asks:
            if seat != self._seat:
                node = self._nodes.setdefault((seat, 0, 0), Node())
                others[seat] = self._choose(node, world, seat, kind, turn.options[seat], visits)[0]
        for contender in contenders:
            utility = self._iterate(world, turn, others, contender.line, visits, seed)
            contender.outcomes.append(utility[self._seat])
            self.iterations += 1
            if budget.spent(self.iterations) >= 1:
                return

    def _iterate(
        self,
        world: S,
        turn: Turn,
        others: Mapping[Seat, Option],
        line: tuple[Option, ...],
        begun: Sequence[Visit],
        seed: int,
    ) -> Sequence[float]:
        """Play a state on: first the line, then the trees, then the playout. Returns the utility of every seat."""
        game, guide = self._game, self._guide
        until = guide.horizon(world, self._settings.depth)
        state, chance = game.clone(world), Paired(seed)
        visits = list(begun)
        known, plans = Known(), Plans()
        answers: dict[Seat, Option] | None = {**others, self._seat: plans.make(self._seat, line)}
        events: list[Event] = []
        while answers is not None:
            events.clear()
            turn = advance(game, state, turn, answers, chance, events)
            if not turn.asks or guide.stage(state) >= until:
                break
            known.add(answers, events)
            answers = self._walk(state, turn, plans, known, visits)
        else:
            self._play_on(state, turn, until, chance, Random(seed))
        utility = _utility(game, guide, state)
        for node, edge, seat in visits:
            node.visits += 1
            node.total += utility[seat]
            if edge is not None:
                edge.visits += 1
                edge.total += utility[seat]
        return utility

    def _walk(self, state: S, turn: Turn, plans: Plans, known: Known, visits: list[Visit]) -> dict[Seat, Option] | None:
        """The answers of all asked seats by their trees; None: the playout begins."""
        answers: dict[Seat, Option] = {}
        here: list[Visit] = []
        fresh: list[Visit] = []
        for seat, kind in turn.asks:
            options = turn.options[seat]
            planned = plans.next(seat, options)
            if planned is not None:
                answers[seat] = planned
                continue
            key = known.key(seat)
            node = self._nodes.get(key)
            if node is None:
                node = self._nodes[key] = Node()
                if self._guide.reply is not None:
                    fresh.append((node, None, seat))
            if not fresh:
                answers[seat] = plans.make(seat, self._choose(node, state, seat, kind, options, here))
        if fresh:
            visits += fresh
            return None
        visits += here
        return answers

    def _choose(
        self, node: Node, state: S, seat: Seat, kind: str, options: Sequence[Option], visits: list[Visit]
    ) -> tuple[Option, ...]:
        """The line of a seat at a node, of those whose first answer is an option in this state."""
        edges = [edge for edge in node.edges.values() if edge.line[0] in options]
        if not edges or len(edges) < len(node.edges):
            # The hand of another seat differs from one determinised state to the next, and so do its options.
            widen(node, self._guide.answers(state, seat, kind, options))
            edges = [edge for edge in node.edges.values() if edge.line[0] in options]
        edge = select(node, edges, self._settings.explore)
        visits.append((node, edge, seat))
        return edge.line

    def _play_on(self, state: S, turn: Turn, until: int, chance: Paired, rng: Random) -> None:
        """Play on with quick answers to the horizon or the end of the game."""
        game, stage, reply = self._game, self._guide.stage, self._guide.reply
        events: list[Event] = []
        while reply is not None and turn.asks and stage(state) < until:
            options = turn.options
            answers = {seat: reply(state, seat, kind, options[seat], rng) for seat, kind in turn.asks}
            events.clear()
            turn = advance(game, state, turn, answers, chance, events)


def _utility(game: Game[S, V], guide: Guide[S], state: S) -> Sequence[float]:
    """For each seat its mean chance to be ahead of another seat, from 0 to 1; in a finished game mostly its place."""
    standing = guide.standing(state)
    result = game.result(state)
    if result is None:
        return _ahead(standing)
    places = result.places
    won = [
        _mean([(place < other) + (place == other) / 2 for other in _but(places, at)]) for at, place in enumerate(places)
    ]
    if not standing:
        return won
    return [(1 - MARGIN) * sure + MARGIN * lead for sure, lead in zip(won, _ahead(standing), strict=True)]


def _ahead(standing: Sequence[float]) -> list[float]:
    return [_mean([_chance(mine - other) for other in _but(standing, at)]) for at, mine in enumerate(standing)]


def _chance(lead: float) -> float:
    """The chance to win with a lead, in units of standing."""
    return 1 / (1 + exp(-lead)) if lead > -50 else 0.0


def _but(values: Sequence[T], at: int) -> list[T]:
    return [*values[:at], *values[at + 1 :]]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.5
