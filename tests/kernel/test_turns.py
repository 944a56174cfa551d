"""The loop around the rules: decisions without a choice are carried out unasked."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.kernel.chance import Chance, Fast, Sealed, secret_from_seed
from referee.kernel.errors import BadPlain, RulesBug
from referee.kernel.game import (
    Bounds,
    Choices,
    Edition,
    Event,
    Option,
    Pending,
    Result,
    Seat,
    Variant,
    Verb,
    settle_variant,
)
from referee.kernel.plain import Plain
from referee.kernel.turns import advance, playout, settle
from tests.conformance.toy import GAME, State


class Corridor:
    """A game on rails: each step of the script says how many options each seat has; a state is how far one got."""

    name = title = "corridor"
    rules_version = 1
    digest = "0" * 64
    seats = range(1, 4)
    variants: Mapping[str, Choices] = {}
    bounds = Bounds(decisions=10, options=10)
    hidden: tuple[str, ...] = ()
    earlier: tuple[Edition, ...] = ()
    secret_choices: frozenset[str] = frozenset()
    secret_pending: frozenset[str] = frozenset()

    def __init__(self, *script: Mapping[Seat, int]) -> None:
        self.script = script

    def start(self, seats: int, variant: Variant, chance: Chance) -> list[int]:
        return [0]

    def pending(self, state: list[int]) -> tuple[Pending, ...]:
        step = self.script[state[0]] if state[0] < len(self.script) else {}
        return tuple(Pending(seat, "go") for seat in sorted(step))

    def options(self, state: list[int], seat: Seat) -> Sequence[Option]:
        return range(self.script[state[0]][seat])

    def apply(self, state: list[int], answers: Mapping[Seat, Option], chance: Chance, *options: object) -> list[Event]:
        events = []
        for seat in sorted(answers):
            answer = answers[seat]
            assert isinstance(answer, int)
            events.append(Event(Verb.CHOSE, seat, f"step {state[0]}", (answer,)))
        state[0] += 1
        return events

    def result(self, state: list[int]) -> Result | None:
        return Result((1,), (0,), "the end") if state[0] == len(self.script) else None

    def view(self, state: list[int], seat: Seat | None) -> int:
        return state[0]

    def determinise(self, view: int, chance: Chance) -> list[int]:
        return [view]

    def clone(self, state: list[int]) -> list[int]:
        return state[:]

    def dump(self, state: list[int]) -> Plain:
        return state[0]

    def load(self, plain: Plain) -> list[int]:
        if not isinstance(plain, int):
            raise BadPlain("a state of the corridor is a number")
        return [plain]


def test_settling_stops_at_the_first_real_choice() -> None:
    """Steps with one option each are applied, and their events kept, until somebody can choose."""
    state = [0]
    events: list[Event] = []
    turn = settle(Corridor({0: 1}, {0: 1, 1: 1}, {1: 3}), state, Fast(0), events)

    assert turn.asks == (Pending(1, "go"),)
    assert {seat: list(listed) for seat, listed in turn.options.items()} == {1: [0, 1, 2]}
    assert turn.forced == {}
    assert state == [2]
    assert [(event.seat, event.subject) for event in events] == [(0, "step 0"), (0, "step 1"), (1, "step 1")]


def test_a_seat_without_a_choice_is_not_asked_beside_one_that_has_one() -> None:
    """Its only answer is kept and handed in with the others'."""
    game = Corridor({0: 1, 1: 2, 2: 1}, {0: 2})
    state = [0]
    events: list[Event] = []
    turn = settle(game, state, Fast(0), events)
    after = advance(game, state, turn, {1: 1}, Fast(0), events)

    assert turn.asks == (Pending(1, "go"),)
    assert turn.forced == {0: 0, 2: 0}
    assert [(event.seat, event.items) for event in events] == [(0, (0,)), (1, (1,)), (2, (0,))]
    assert after.asks == (Pending(0, "go"),)


def test_settling_a_finished_game_asks_nobody() -> None:
    """A turn without asks is the end."""
    turn = settle(Corridor(), [0], Fast(0), [])

    assert (turn.asks, turn.options, turn.forced) == ((), {}, {})


def test_a_seat_that_is_asked_and_has_no_option_is_a_bug_of_the_rules() -> None:
    """The message names the seat and the question."""
    with pytest.raises(RulesBug, match="seat 1 is asked go and has no option"):
        settle(Corridor({0: 2, 1: 0}), [0], Fast(0), [])


def test_an_end_without_a_result_is_a_bug_of_the_rules() -> None:
    """Nobody is asked, and nobody has won."""

    class Fog(Corridor):
        def result(self, state: list[int]) -> Result | None:
            return None

    with pytest.raises(RulesBug, match="no result"):
        playout(Fog({0: 2}), [0], Fast(0), lambda ask, options: options[0])


def test_a_playout_counts_real_decisions_only() -> None:
    """Forced answers are no decisions; the result is the game's."""
    game = Corridor({0: 1}, {0: 2, 1: 1}, {0: 2, 1: 2}, {1: 1})

    assert playout(game, [0], Fast(0), lambda ask, options: options[-1]) == (Result((1,), (0,), "the end"), 3)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_settled_play_is_the_same_game_as_play_step_by_step(seed: int, seats: int) -> None:
    """With the same luck and choices, asking for forced answers as well leads to the same events and state."""
    variant = settle_variant(GAME, seats, {"rounds": "long"})
    secret = secret_from_seed(str(seed))

    def settled() -> tuple[State, list[Event]]:
        rng, chance = random.Random(seed), Sealed(secret)
        events: list[Event] = []
        state = GAME.start(seats, variant, chance)
        turn = settle(GAME, state, chance, events)
        while turn.asks:
            answers = {ask.seat: rng.choice(turn.options[ask.seat]) for ask in turn.asks}
            turn = advance(GAME, state, turn, answers, chance, events)
        return state, events

    def stepped() -> tuple[State, list[Event]]:
        rng, chance = random.Random(seed), Sealed(secret)
        events: list[Event] = []
        state = GAME.start(seats, variant, chance)
        while asks := GAME.pending(state):
            lists = {ask.seat: GAME.options(state, ask.seat) for ask in asks}
            answers = {seat: rng.choice(listed) if len(listed) > 1 else listed[0] for seat, listed in lists.items()}
            events += GAME.apply(state, answers, chance)
        return state, events

    assert stepped() == settled()
