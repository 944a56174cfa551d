"""Games to test on: started, arranged by hand, and played on at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from copy import copy

from referee.games.honshu import GAME
from referee.games.honshu.components import COLOUR_LETTERS, COLOURS, KIND_OF, PROVINCE_FACES
from referee.games.honshu.domain import Domain, Laid, empty_domain
from referee.games.honshu.geometry import position
from referee.games.honshu.layering import SLOT_UNIT
from referee.games.honshu.state import State
from referee.kernel.chance import Chance, Fast
from referee.kernel.game import Event, Option, Seat, settle_variant

SEATS = (2, 3, 4, 5)
EXAMPLE = (
    (1, 3, 1, 1, 0, 100, 100, 3),
    (16, 3, -1, 1, 0, 133, 116, 4),
    (47, 2, -3, 0, 1, 234, 164, 5),
    (26, 1, -1, 3, 48, 232, 168, 5),
    (55, 3, 0, 5, 0, 386, 262, 5),
    (48, 0, 1, 4, 0, 478, 332, 6),
    (32, 1, 2, 5, 0, 562, 356, 7),
    (19, 0, -3, 5, 16, 425, 290, 7),
    (50, 3, -1, 6, 7, 670, 412, 7),
    (15, 0, -5, 4, 0, 499, 342, 8),
    (11, 3, -3, 2, 0, 540, 384, 9),
    (12, 1, -3, 6, 0, 814, 468, 10),
)
"""H-TV8: card, k, row, col, mask, placements under free and flat layering before it, cubes after it."""


def start(seats: int, chance: Chance | None = None, **variant: str) -> State:
    """A new game; its luck is the same in every run unless given."""
    return GAME.start(seats, settle_variant(GAME, seats, variant), chance or Fast(7))


def province(name: str, layering: str = "free") -> Domain:
    """A province alone."""
    return empty_domain(PROVINCE_FACES[name], layering == "free")


def laid_out(name: str, *cards: tuple[int, ...], layering: str = "free") -> Domain:
    """A province with cards laid: (card, k, row, col, mask) each."""
    domain = province(name, layering)
    for card in cards:
        domain = domain.lay(Laid(*card[:5]))
    return domain


def painted(cells: Mapping[tuple[int, int], str]) -> Domain:
    """A domain that shows these codes, whatever cards may lie there."""
    domain = copy(province("A1"))
    domain.cells = {position(*cell): SLOT_UNIT + KIND_OF[code] for cell, code in cells.items()}
    return domain


def own(state: State, seat: Seat, domain: Domain, *cubes: tuple[int, int]) -> None:
    """Give a seat a domain with cubes on these cells."""
    state.domains[seat] = domain
    state.cubes[seat] = tuple(sorted(position(*cube) for cube in cubes))


def cubes_of(state: State, seat: Seat) -> dict[tuple[int, int], str]:
    """The cubes on a domain: cell and colour letter."""
    view = GAME.view(state, None).domains[seat]
    codes = dict(zip(view.picture.cells, view.picture.codes, strict=True))
    return {(cube.row, cube.col): codes[cube][1] for cube in view.cubes}


def set_supply(state: State, **counts: int) -> None:
    """Put that many cubes of these colours into the supply."""
    state.supply = tuple(counts.get(name, old) for name, old in zip(COLOURS, state.supply, strict=True))


def supply_of(state: State) -> dict[str, int]:
    """The supply by colour letter."""
    return dict(zip(COLOUR_LETTERS, state.supply, strict=True))


def answer(state: State, answers: Mapping[Seat, Option]) -> list[Event]:
    """Apply answers that need no luck."""
    return GAME.apply(state, answers, Fast(0))


def random_answers(state: State, rng: random.Random) -> dict[Seat, Option]:
    """A legal answer of every pending seat."""
    options = {ask.seat: GAME.options(state, ask.seat) for ask in GAME.pending(state)}
    return {seat: listed[rng.randrange(len(listed))] for seat, listed in options.items()}


def steps(state: State, seed: int) -> Iterator[tuple[Mapping[Seat, Option], list[Event]]]:
    """Play a state to its end at random; yields the answers and events of every step after it was taken."""
    rng = random.Random(seed)
    while GAME.pending(state):
        answers = random_answers(state, rng)
        yield answers, answer(state, answers)


def play_until(state: State, seed: int, kind: str, round_number: int) -> None:
    """Play at random until that decision of that round is open."""
    rng = random.Random(seed)
    while (state.round, GAME.pending(state)[0].kind) != (round_number, kind):
        answer(state, random_answers(state, rng))


def seats_of(asks: Sequence[tuple[Seat, str]]) -> list[Seat]:
    """Who is asked."""
    return [seat for seat, _ in asks]
