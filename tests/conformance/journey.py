"""One game played from start to end, with every moment kept, so that laws can look back at it.

A `Plan` is what chance does (a seed) and what the seats do (first the listed picks, then a habit). The same plan at the
same table is the same journey, in every process.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

from referee.kernel.chance import Chance, Outcome, Recording, Sealed, secret_from_seed
from referee.kernel.errors import KumiteError
from referee.kernel.game import Event, Option, Pending, Seat, timed_kinds
from referee.kernel.plain import fingerprint
from tests.conformance.tables import Table

T = TypeVar("T")

HABITS = ("random", "first", "last", "edges")


@dataclass(frozen=True)
class Plan:
    """How a journey goes."""

    seed: int = 0
    habit: str = "random"
    """What a seat answers when the picks are used up: any option, the first, the last, or one of these two."""
    picks: tuple[int, ...] = ()
    """Which option is answered, modulo the number of options, decision by decision."""


plans = st.builds(
    Plan,
    seed=st.integers(0, 2**20),
    habit=st.sampled_from(HABITS),
    picks=st.lists(st.integers(0, 5000), max_size=12).map(tuple),
)


class Chooser:
    """Answers asks according to a plan."""

    def __init__(self, plan: Plan) -> None:
        self._picks = list(reversed(plan.picks))
        self._habit = plan.habit
        self._random = random.Random(plan.seed)

    def choose(self, options: Sequence[Option]) -> Option:
        """One of the options."""
        count = len(options)
        if self._picks:
            return options[self._picks.pop() % count]
        edges = {"first": 0, "last": count - 1, "edges": self._random.choice((0, count - 1))}
        return options[edges.get(self._habit, self._random.randrange(count))]


@dataclass(frozen=True)
class Moment:
    """One state in which seats were asked, and what came of it."""

    number: int
    state: object
    """A clone, made before the answers were applied."""
    print: str
    """The fingerprint of the state itself at that time."""
    asks: tuple[Pending, ...]
    options: Mapping[Seat, Sequence[Option]]
    """The lists of the state itself, as they were handed out."""
    answers: Mapping[Seat, Option] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    """The luck that the step took."""
    arrivals: Mapping[Seat, int] = field(default_factory=dict)
    """When the answers to timed asks arrived, on virtual time; empty for every other ask."""


@dataclass(frozen=True)
class Journey:
    """A played game."""

    table: Table
    plan: Plan
    moments: tuple[Moment, ...]
    final: object
    """The state after the last step."""
    dealt: tuple[Outcome, ...]
    """The luck that the start took."""
    stuck: str | None = None
    """Why the journey could not go on to the end, if it could not."""
    effort: float = 1.0
    """How closely laws look at it: multiplies the number of moments they take."""

    @property
    def secret(self) -> bytes:
        """The secret that the journey's luck comes from."""
        return secret_from_seed(str(self.plan.seed))

    def rng(self, purpose: str) -> random.Random:
        """A generator for the choices of a law, the same in every run."""
        return random.Random(f"{self.table}/{self.plan}/{purpose}")

    def sample(self, count: int, purpose: str) -> list[Moment]:
        """Some moments in order, of as many sorts as possible, the last one among them."""
        rng, wanted = self.rng(purpose), max(2, round(count * self.effort))
        sorts: dict[object, list[Moment]] = {}
        for moment in self.moments:
            sorts.setdefault(self._sort(moment), []).append(moment)
        one_each = few([rng.choice(alike) for alike in sorts.values()], wanted, rng)
        chosen = {moment.number: moment for moment in (*one_each, *self.moments[-1:])}
        rest = [moment for moment in self.moments if moment.number not in chosen]
        extra = few(rest, max(0, wanted - len(chosen)), rng)
        return sorted([*chosen.values(), *extra], key=lambda moment: moment.number)

    def _sort(self, moment: Moment) -> object:
        """What sort of situation a moment is: which questions, to how many, and whether they were or will be asked on.

        The last part tells the beginning, the middle and the end of a chain of decisions from each other.
        """

        def kinds(number: int) -> frozenset[str]:
            here = self.moments[number : number + 1] if number >= 0 else ()
            return frozenset(ask.kind for other in here for ask in other.asks)

        now = kinds(moment.number)
        return (now, len(moment.asks), kinds(moment.number - 1) == now, kinds(moment.number + 1) == now)


def few(items: Sequence[T], count: int, rng: random.Random) -> list[T]:
    """All items if they are no more than `count`, otherwise a sample of them, in their order."""
    if len(items) <= count:
        return list(items)
    return [items[i] for i in sorted(rng.sample(range(len(items)), count))]


def print_of(table: Table, state: object) -> str:
    """The fingerprint of a state."""
    return fingerprint(table.game.dump(state))


def virtual_arrivals(table: Table, asks: Sequence[Pending], rng: random.Random) -> dict[Seat, int]:
    """Buckets for the answers to timed asks, few enough that some are shared; now and then a seat has none."""
    kinds = timed_kinds(table.game, table.variant)
    timed = [ask.seat for ask in asks if ask.kind in kinds]
    return {seat: rng.randrange(4) for seat in timed if rng.randrange(5)}


def carried_out(
    table: Table, state: object, answers: Mapping[Seat, Option], chance: Chance, arrivals: Mapping[Seat, int]
) -> list[Event]:
    """Apply answers as a driver does: with their arrivals where asks are timed, without that argument elsewhere."""
    if arrivals:
        return table.game.apply(state, answers, chance, {}, arrivals)
    return table.game.apply(state, answers, chance)


def travel(table: Table, plan: Plan, effort: float = 1.0) -> Journey:
    """Play a table as planned, forced decisions included, for as long as the declared bounds allow."""
    game, chooser = table.game, Chooser(plan)
    chance = Recording(Sealed(secret_from_seed(str(plan.seed))))
    state = game.start(table.seats, table.variant, chance)
    dealt = tuple(chance.take())
    times = random.Random(f"arrivals/{plan.seed}")
    moments: list[Moment] = []
    answered, stuck = 0, None
    while asks := game.pending(state):
        before = (len(moments), game.clone(state), print_of(table, state), asks)
        options = {ask.seat: game.options(state, ask.seat) for ask in asks}
        empty = [seat for seat, listed in options.items() if len(listed) == 0]
        answered += len(asks)
        if empty or answered > game.bounds.decisions:
            stuck = f"no option for seats {empty}" if empty else f"more than {game.bounds.decisions} decisions"
            moments.append(Moment(*before, options))
            break
        answers = {seat: chooser.choose(listed) for seat, listed in options.items()}
        arrivals = virtual_arrivals(table, asks, times)
        try:
            events = tuple(carried_out(table, state, answers, chance, arrivals))
        except KumiteError as error:
            stuck = f"step {len(moments)} with {answers} was refused: {error}"
            moments.append(Moment(*before, options))
            break
        moments.append(Moment(*before, options, answers, events, tuple(chance.take()), arrivals))
    return Journey(table, plan, tuple(moments), state, dealt, stuck, effort)


def play_on(table: Table, state: object, chance: Chance, rng: random.Random, steps: int | None = None) -> int:
    """Play a state on at random, to the end or for some steps; returns the number of answers."""
    game = table.game
    answered = 0
    while (steps is None or steps > 0) and (asks := game.pending(state)):
        answers = {ask.seat: rng.choice(game.options(state, ask.seat)) for ask in asks}
        carried_out(table, state, answers, chance, virtual_arrivals(table, asks, rng))
        answered += len(asks)
        if answered > game.bounds.decisions:
            break
        steps = None if steps is None else steps - 1
    return answered
