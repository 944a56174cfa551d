"""Games to test on: started, scripted, and played on at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from referee.games.edo_yashiki import GAME, State
from referee.games.edo_yashiki.components import NAMES
from referee.kernel.chance import Chance, Fast, Scripted
from referee.kernel.game import Event, Option, Seat

RULES = ("standard", "specialists")
DRAFTS = ("sealed", "reflex", "turn_order")
SEATS = (2, 3, 4, 5)

DECK = """
E58 E15 E42 E34 E40 E56 E24 E52 E48 E53 E21 E41 E30 E19 E47 E59
E26 E31 E23 E27 E22 E16 E57 E12 E29 E60 E37 E44 E05 E35 E63 E28
E39 E03 E43 E49 E38 E54 E55 E20 E10 E33 E06 E62 E45 E07 E46 E32
E04 E02 E64 E08 E14 E36 E50 E51 E17 E09 E01 E11 E13 E18 E25 E61
"""
FIRST = {2: 1, 3: 1, 4: 1, 5: 4}
PRIORITIES = {
    2: "01 01 10 10 01 01 10 01 10 01 10 01 01 10",
    3: "120 201 102 201 102 210 021",
    4: "1023 0123 3120 2310 1203 2013 1230 2103 0312",
    5: "13204 32140 34201 41302 34201 40213 42031 42103",
}
"""The scripted luck of section 16.8."""


def golden_chance(seats: int) -> Scripted:
    """The luck that section 16.8 writes down."""
    script: dict[str, list[int | Sequence[int]]] = {
        "deck": [[NAMES.index(name) for name in DECK.split()]],
        "first": [FIRST[seats]],
    }
    for number, order in enumerate(PRIORITIES[seats].split(), 1):
        script[f"priority/{number}"] = [[int(seat) for seat in order]]
    return Scripted(script)


def start(
    seats: int,
    rules: str = "standard",
    draft: str = "sealed",
    chance: Chance | None = None,
    covering: str = "seen",
) -> State:
    """A new game; its luck is the same in every run unless given."""
    return GAME.start(seats, {"rules": rules, "draft": draft, "covering": covering}, chance or Fast(7))


def random_answers(state: State, rng: random.Random) -> dict[Seat, Option]:
    """A legal answer of every pending seat."""
    answers = {}
    for ask in GAME.pending(state):
        options = GAME.options(state, ask.seat)
        answers[ask.seat] = options[rng.randrange(len(options))]
    return answers


def steps(state: State, seed: int) -> Iterator[tuple[State, Mapping[Seat, Option], list[Event]]]:
    """Play a state to its end at random; yields it after every step, with the answers and events of the step."""
    rng, chance = random.Random(seed), Fast(seed)
    while GAME.pending(state):
        answers = random_answers(state, rng)
        events = GAME.apply(state, answers, chance)
        yield state, answers, events


def play_until(state: State, kind: str, seed: int) -> bool:
    """Play at random until that decision is open; tells whether it came."""
    rng, chance = random.Random(seed), Fast(seed)
    while asks := GAME.pending(state):
        if asks[0].kind == kind:
            return True
        GAME.apply(state, random_answers(state, rng), chance)
    return False
