"""Information-set Monte Carlo tree search on the kernel's contract, for any game and any number of seats.

Every iteration plays one imagined world: a state drawn from those that look like the asked seat's view. Three ideas:

- **A tree for every seat** (`tree`). A node is what one seat knows: its own answers and the events it was told, in
  order. Each seat walks down its own tree and chooses by its own statistics, so no choice depends on what its
  seat cannot know, and seats that decide at once choose independently of each other (decoupled selection).
- **Wide lists.** The guide of the game names the answers worth a thought, with a prior worth; selection prefers what
  seems good and tries the rest as visits add up.
- **The question itself** (`contest`) is settled between a few contenders: every sweep plays each of them on the same
  world with the same luck, and as the budget is used up the worse half leaves, again and again (sequential halving).
  So most of the luck cancels out, and the close calls get most of the thought.

An iteration leaves the trees at the first node without a visit, plays on by quick answers to the guide's horizon,
and counts for each seat how well it then stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from random import Random
from typing import Generic, NamedTuple, TypeVar

from bots.bundled.ismcts.contest import Budget, Contender, Contest
from bots.bundled.ismcts.guide import Guide
from bots.bundled.ismcts.luck import Paired
from bots.bundled.ismcts.tree import Known, Node, Plans, Visit, select, widen
from referee.kernel.game import Event, Game, Option, Seat
from referee.kernel.turns import Turn, advance, settle

S = TypeVar("S")
T = TypeVar("T")
V = TypeVar("V")

MARGIN = 0.15
"""How much of the utility of a finished game is the margin; the rest is who won."""


class Settings(NamedTuple):
    """The knobs of a search."""

    explore: float
    """How much untried answers draw; 0: not at all."""
    depth: int
    """How many stages an iteration looks ahead."""
    width: int
    """How many candidates are compared."""


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
        """How many were made."""

    def run(self, worlds: Iterator[S], budget: Budget) -> list[Contender]:
        """The contenders that were left at the end, the best first."""
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
        """The next world and its question. The asked seat has a choice, so nothing is carried out on the way."""
        world = next(worlds)
        return world, settle(self._game, world, Paired(0), [])

    def _sweep(self, world: S, turn: Turn, contenders: Sequence[Contender], budget: Budget) -> None:
        """Play every contender on one world with one luck, against the same answers of those who are asked too."""
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
        """Play a world on: the line, the trees, the playout. Returns the utility of every seat."""
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
        """The answers of all who are asked, by their trees; None if it is time for a playout."""
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
        """What a seat does at a node: one of its lines that can be begun in this world."""
        edges = [edge for edge in node.edges.values() if edge.line[0] in options]
        if not edges or len(edges) < len(node.edges):
            # What the seat holds is not known to the one who searches, so another world offers other answers.
            widen(node, self._guide.answers(state, seat, kind, options))
            edges = [edge for edge in node.edges.values() if edge.line[0] in options]
        edge = select(node, edges, self._settings.explore)
        visits.append((node, edge, seat))
        return edge.line

    def _play_on(self, state: S, turn: Turn, until: int, chance: Paired, rng: Random) -> None:
        """Play on by quick answers to the horizon or the end of the game."""
        game, stage, reply = self._game, self._guide.stage, self._guide.reply
        events: list[Event] = []
        while reply is not None and turn.asks and stage(state) < until:
            options = turn.options
            answers = {seat: reply(state, seat, kind, options[seat], rng) for seat, kind in turn.asks}
            events.clear()
            turn = advance(game, state, turn, answers, chance, events)


def _utility(game: Game[S, V], guide: Guide[S], state: S) -> Sequence[float]:
    """For each seat the chance to be ahead of another one, from 0 to 1; in a finished game mostly whether it is."""
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
    """The chance to win with a lead."""
    return 1 / (1 + exp(-lead)) if lead > -50 else 0.0


def _but(values: Sequence[T], at: int) -> list[T]:
    return [*values[:at], *values[at + 1 :]]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.5
