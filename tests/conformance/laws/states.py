"""Laws about states: clones share nothing, storing loses nothing, luck decides all, refused answers change nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TypeVar

from referee.kernel.chance import Chance, Fast, Replayed, Sealed
from referee.kernel.errors import BadPlain, BrokenRecord, IllegalAnswer
from referee.kernel.game import Event, Option, Seat, timed_kinds
from referee.kernel.plain import Plain, canonical, parse
from tests.conformance.journey import Journey, Moment, carried_out, few, play_on, print_of
from tests.conformance.laws.law import Broken, Law, demand, demand_none
from tests.conformance.laws.options import strangers
from tests.conformance.tables import Table
from tests.conformance.values import differences

T = TypeVar("T")


class NoLuck:
    """A source that must not be asked: a refused answer takes no luck."""

    def pick(self, stream: str, n: int) -> int:
        raise Broken(f"luck of stream {stream!r} was taken")

    def order(self, stream: str, n: int) -> list[int]:
        raise Broken(f"luck of stream {stream!r} was taken")

    def shuffled(self, stream: str, items: Sequence[T]) -> list[T]:
        raise Broken(f"luck of stream {stream!r} was taken")


def face(table: Table, state: object) -> tuple[object, ...]:
    """All that can be seen of a state from outside: fingerprint, asks, options, result and every view."""
    game = table.game
    asks = game.pending(state)
    options = tuple(tuple(game.options(state, ask.seat)) for ask in asks)
    views = tuple(game.view(state, viewer) for viewer in table.viewers)
    return (print_of(table, state), asks, options, game.result(state), views)


def clones_are_independent(journey: Journey) -> None:
    """Playing on leaves every earlier clone as it was, and playing a clone leaves its original as it was."""
    table, game = journey.table, journey.table.game
    for moment in journey.moments:
        demand(moment.print == print_of(table, moment.state), "the clone of step", moment.number, "is not what it was")
    rng = journey.rng("clones_are_independent")
    for moment in journey.sample(5, "clones_are_independent"):
        before = face(table, moment.state)
        twin = game.clone(moment.state)
        demand_none(differences(before, face(table, twin)), "a clone differs from its original")
        play_on(table, game.clone(moment.state), Fast(moment.number), rng)
        demand_none(differences(before, face(table, moment.state)), "playing a clone changed its original")
        demand_none(differences(before, face(table, twin)), "playing a clone changed another one")


def stored_states_are_the_same(journey: Journey) -> None:
    """A dump is plain data; what is loaded from it looks alike, plays on alike, and shares nothing with it."""
    table, game = journey.table, journey.table.game
    states = [(m.number, m.state) for m in journey.sample(8, "stored")] + [(len(journey.moments), journey.final)]
    for number, state in states:
        plain = game.dump(state)
        demand_none(_not_plain(plain), "the dump of step", number)
        before = face(table, state)
        loaded = game.load(parse(canonical(plain)))
        demand_none(differences(before, face(table, loaded)), "the stored state of step", number, "differs")
        own = game.load(plain)
        _scramble(plain)
        demand(before[0] == print_of(table, state), "a dump shares parts with its state")
        demand(before[0] == print_of(table, own), "a loaded state shares parts with the dump")
        original = game.clone(state)
        for copy in (original, loaded):
            play_on(table, copy, Fast(number), random.Random(number))
        demand_none(differences(face(table, original), face(table, loaded)), "a stored state plays on differently")


def _not_plain(value: object, path: str = "dump") -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{path} has the key {key!r}" for key in value if type(key) is not str)
        for key, item in value.items():
            yield from _not_plain(item, f"{path}[{key!r}]")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _not_plain(item, f"{path}[{i}]")
    elif type(value) not in (bool, int, str, type(None)):
        yield f"{path} is a {type(value).__name__}"


def _scramble(value: Plain) -> None:
    """Change every list and object inside a plain value."""
    for item in list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        _scramble(item)
    if isinstance(value, dict):
        value.clear()
    elif isinstance(value, list):
        value.append("scrambled")


NONSENSE: tuple[Plain, ...] = (None, True, -1, 10**9, "nonsense", [], ["nonsense"], {}, {"nonsense": 1})


def nonsense_is_not_loaded(journey: Journey) -> None:
    """What is no dump of the game is refused as BadPlain, and a damaged dump never raises anything else."""
    game = journey.table.game
    for plain in NONSENSE:
        demand(_refused(game.load, deepcopy(plain)), "the nonsense", plain, "is loaded")
    rng = journey.rng("nonsense_is_not_loaded")
    for moment in journey.sample(3, "nonsense_is_not_loaded"):
        whole = game.dump(moment.state)
        if isinstance(whole, dict):
            for key in whole:
                without = {other: item for other, item in whole.items() if other != key}
                demand(_refused(game.load, without), "a dump without", key, "is loaded")
        for _ in range(12):
            damaged = deepcopy(whole)
            place = _damage(damaged, rng)
            try:
                _refused(game.load, damaged)
            except Exception as error:
                raise Broken(f"a dump damaged at {place} raises {type(error).__name__}: {error}") from error


def _refused(load: Callable[[Plain], object], plain: Plain) -> bool:
    try:
        load(plain)
    except BadPlain:
        return True
    return False


def _damage(value: Plain, rng: random.Random, path: str = "dump") -> str:
    """Replace some part of a plain value by nonsense; returns where."""
    if isinstance(value, dict):
        name = rng.choice(list(value))
        place, inner = f"{path}[{name!r}]", value[name]
    else:
        assert isinstance(value, list)
        index = rng.choice(range(len(value)))
        place, inner = f"{path}[{index!r}]", value[index]
    if isinstance(inner, (dict, list)) and inner and rng.random() < 0.7:
        return _damage(inner, rng, place)
    nonsense = deepcopy(rng.choice(NONSENSE))
    if isinstance(value, dict):
        value[name] = nonsense
    else:
        value[index] = nonsense
    return f"{place} = {nonsense!r}"


Step = tuple[str, list[Event]]


def _again(journey: Journey, chance: Chance, between: Callable[[Moment], None] = lambda moment: None) -> Iterator[Step]:
    """The journey's answers once more with some luck: the fingerprint before each step, and what it told."""
    table, game = journey.table, journey.table.game
    state = game.start(table.seats, table.variant, chance)
    for moment in journey.moments:
        before = print_of(table, state)
        if not moment.answers:
            return
        between(moment)
        yield before, carried_out(table, state, moment.answers, chance, moment.arrivals)
    yield print_of(table, state), []


def _compare(journey: Journey, steps: Iterator[Step], how: str) -> None:
    told = [(moment.print, list(moment.events)) for moment in journey.moments if moment.answers]
    told += [(print_of(journey.table, journey.final), [])] if journey.stuck is None else []
    for number, (expected, actual) in enumerate(zip(told, steps, strict=True)):
        demand_none(differences(expected, actual), how, "differs at step", number)


def luck_and_answers_decide_all(journey: Journey) -> None:
    """The same secret and the same answers give the same states and events, step by step, and so does the record."""
    _compare(journey, _again(journey, Sealed(journey.secret)), "a second game of the same secret")
    replayed = Replayed(journey.dealt)
    steps = _again(journey, replayed, lambda moment: replayed.feed(moment.outcomes))
    try:
        _compare(journey, steps, "the replay of the record")
    except BrokenRecord as error:
        raise Broken(f"the replay asks for other luck: {error}") from error
    demand(replayed.drained(), "the replay left recorded luck unused")


def games_do_not_disturb_each_other(journey: Journey) -> None:
    """Another game played in between changes nothing: all that a game knows is in its state."""
    table, game = journey.table, journey.table.game
    chance = Fast(journey.plan.seed)
    rng = journey.rng("games_do_not_disturb_each_other")
    other = game.start(table.seats, table.variant, chance)

    def between(moment: Moment) -> None:
        play_on(table, other, chance, rng, steps=1)
        for viewer in table.viewers:
            game.view(other, viewer)

    _compare(journey, _again(journey, Sealed(journey.secret), between), "a game with another one beside it")


def answers_have_no_order(journey: Journey) -> None:
    """It does not matter in which order the answers of one moment are handed over."""
    table, game = journey.table, journey.table.game
    for moment in [m for m in journey.moments if len(m.answers) > 1][:12]:
        outcomes = []
        for turned in (list, reversed):
            state = game.clone(moment.state)
            answers = dict(turned([*moment.answers.items()]))
            arrivals = dict(turned([*moment.arrivals.items()]))
            events = carried_out(table, state, answers, Sealed(journey.secret), arrivals)
            outcomes.append((events, print_of(table, state)))
        one, two = outcomes
        demand_none(differences(one, two), "answers in another order at", moment.asks, "make a difference")


def a_refused_answer_changes_nothing(journey: Journey) -> None:
    """Missing, surplus, foreign and late answers raise IllegalAnswer, take no luck and leave the state as it was."""
    table, game = journey.table, journey.table.game
    for moment in journey.sample(6, "a_refused_answer_changes_nothing"):
        state = game.clone(moment.state)
        before = face(table, state)
        for why, answers in refusable(journey, moment):
            _refuse(journey, state, why, answers)
        demand_none(differences(before, face(table, state)), "refused answers at", moment.asks, "changed the state")
    if journey.stuck is None:
        late = journey.moments[-1].answers
        for answers in ({}, late):
            _refuse(journey, game.clone(journey.final), "the game is over", answers)


def times_count_where_they_are_declared(journey: Journey) -> None:
    """A time of arrival of an ask that is not timed, of a seat that is not asked, or before the ask is refused."""
    table, game = journey.table, journey.table.game
    kinds = timed_kinds(game, table.variant)
    for moment in journey.sample(6, "times_count_where_they_are_declared"):
        if not moment.answers:
            continue
        state = game.clone(moment.state)
        stranger = next(seat for seat in range(table.seats + 1) if seat not in moment.answers)
        _refuse(journey, state, f"seat {stranger} is not asked and has a time", moment.answers, {stranger: 0})
        for seat, kind in moment.asks:
            _refuse(
                journey, state, f"the answer of seat {seat} to {kind} came before the ask", moment.answers, {seat: -1}
            )
            if kind not in kinds:
                _refuse(journey, state, f"the answer of seat {seat} to {kind} has a time", moment.answers, {seat: 0})


def refusable(journey: Journey, moment: Moment) -> Iterator[tuple[str, Mapping[Seat, Option]]]:
    """Answers that must be refused at a moment, each with the reason."""
    table = journey.table
    rng = journey.rng(f"refusable/{moment.number}")
    legal = {seat: rng.choice(listed) for seat, listed in moment.options.items()}
    some = next(iter(legal.values()))
    yield "nobody answers", {}
    for seat in legal:
        yield f"seat {seat} is missing", {other: answer for other, answer in legal.items() if other != seat}
    for seat in (*(seat for seat in range(table.seats) if seat not in legal), table.seats, -1):
        yield f"seat {seat} is not asked", legal | {seat: some}
        if len(legal) == 1:
            yield f"seat {seat} answers for another", {seat: some}
    for seat, listed in moment.options.items():
        for stranger in few(strangers(journey, moment, listed), 6, rng):
            yield f"{stranger} is no option of seat {seat}", legal | {seat: stranger}


def _refuse(
    journey: Journey,
    state: object,
    why: str,
    answers: Mapping[Seat, Option],
    arrivals: Mapping[Seat, int] | None = None,
) -> None:
    table = journey.table
    before = print_of(table, state)
    try:
        carried_out(table, state, answers, NoLuck(), arrivals or {})
    except IllegalAnswer:
        demand(before == print_of(table, state), why, "- and the refused answer changed the state")
    except Broken as error:
        raise Broken(f"{why} - and {error}") from None
    except Exception as error:
        raise Broken(f"{why} - and that raises {type(error).__name__}: {error}") from error
    else:
        raise Broken(f"{why} - and that is accepted: {answers}")


LAWS: tuple[Law, ...] = (
    clones_are_independent,
    stored_states_are_the_same,
    nonsense_is_not_loaded,
    luck_and_answers_decide_all,
    games_do_not_disturb_each_other,
    answers_have_no_order,
    a_refused_answer_changes_nothing,
    times_count_where_they_are_declared,
)
