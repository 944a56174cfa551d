"""Cubes in the domain phase: covered ones first, new ones in turn order, as far as the supply goes (H-7.8, H-7.9)."""

from __future__ import annotations

from referee.games.honshu.options import Placement
from referee.games.honshu.state import PLACE, State
from referee.kernel.game import Event, Verb
from tests.games.honshu.tables import EXAMPLE, answer, cubes_of, laid_out, own, province, set_supply, start, supply_of

FAR = Placement(0, 2, -1, 2)
"""A placement on a province alone that hides one cell of the new card under (2, 0) and covers nothing."""

SHOWN = Placement(0, 2, 1, 0)
"""A placement that covers the town of A1 at (2, 1) and shows the whole new card."""


def placing(*cards: int, order: tuple[int, ...] | None = None) -> State:
    """Every seat has A1 with its cubes and is about to place its card."""
    state = start(len(cards))
    state.order = order or tuple(range(len(cards)))
    state.taken = list(cards)
    state.stack = [(PLACE,)]
    state.supply = (5, 5, 5, 5)
    for seat in range(len(cards)):
        own(state, seat, province("A1"), (1, 0), (1, 1))
    return state


def change(state: State, before: dict[str, int]) -> dict[str, int]:
    """How the supply has changed, colours without change left out."""
    after = supply_of(state)
    return {letter: after[letter] - before[letter] for letter in after if after[letter] != before[letter]}


def test_tv_8_the_cubes_of_the_example() -> None:
    """H-TV8: the number of cubes after each card when nothing is spent (H-7.8, H-7.9)."""
    state = placing(1, 57)
    state.supply = (10, 10, 10, 10)
    for card, k, row, col, mask, _, _, cubes in EXAMPLE:
        state.taken = [card, 57]
        state.stack = [(PLACE,)]
        state.round = 1
        state.domains[1] = province("A1")
        answer(state, {0: Placement(k, row, col, mask), 1: FAR})

        assert cubes == len(state.cubes[0])
    assert {letter: list(cubes_of(state, 0).values()).count(letter) for letter in "BNGY"} == {
        "B": 2,
        "N": 2,
        "G": 3,
        "Y": 3,
    }


def test_tv_11_a_buried_province_gives_its_cubes_back() -> None:
    """H-TV11: (0,1,0,0) covers both production cells, (0,0,0,0) buries A1 wholly: both cubes return (H-7.8, H-R3)."""
    for placement in (Placement(0, 1, 0, 0), Placement(0, 0, 0, 0)):
        state = placing(49, 57)
        before = supply_of(state)
        events = answer(state, {0: placement, 1: FAR})

        assert change(state, before) == {"B": 1, "N": 1}
        assert cubes_of(state, 0) == {}
        assert Event(Verb.MOVED, 0, "blue cube to the supply", (1, 0), 1) in events


def test_tv_12_a_hidden_production_cell_gets_no_cube() -> None:
    """H-TV12: card 8 over A1 adds a blue cube at (0, 0), under it none (H-7.9, H-R4)."""
    over, under = placing(8, 57), placing(8, 57)
    answer(over, {0: Placement(0, -2, -1, 0), 1: FAR})
    answer(under, {0: Placement(0, -2, -1, 32), 1: FAR})

    assert cubes_of(over, 0) == {(0, 0): "B", (1, 0): "B", (1, 1): "N"}
    assert cubes_of(under, 0) == {(1, 0): "B", (1, 1): "N"}


def test_tv_15_covering_returns_a_cube_before_new_ones_are_taken() -> None:
    """H-TV15: card 1 of the example hides the brown cell: brown +1, then blue -1 and grey -1."""
    state = placing(1, 57)
    before = supply_of(state)
    answer(state, {0: Placement(3, 1, 1, 0), 1: FAR})

    assert change(state, before) == {"N": 1, "B": -1, "G": -1}


def test_tv_16_an_own_covered_cube_fills_the_new_cell() -> None:
    """H-TV16: grey supply 0, a grey cube is covered and a grey cell shown: the cube moves (H-7.9)."""
    state = placing(11, 57)
    own(state, 0, province("A2"), (1, 1))
    set_supply(state, grey=0)
    answer(state, {0: Placement(0, 1, 1, 0), 1: FAR})

    assert cubes_of(state, 0) == {(2, 1): "G"}
    assert supply_of(state)["G"] == 0


def test_tv_17_a_shortage_is_settled_by_turn_order_for_good() -> None:
    """H-TV17: the last yellow cube goes to turn order 1; the other cell stays empty for ever (H-R7, H-7.10)."""
    state = placing(40, 57, 42, order=(2, 1, 0))
    set_supply(state, yellow=1)
    answer(state, {0: SHOWN, 1: FAR, 2: SHOWN})

    assert cubes_of(state, 2) == {(1, 0): "B", (1, 1): "N", (3, 2): "Y"}
    assert cubes_of(state, 0) == {(1, 0): "B", (1, 1): "N"}
    state.taken, state.stack = [57, 56, 58], [(PLACE,)]
    set_supply(state, yellow=3)
    answer(state, {0: FAR, 1: Placement(0, -2, -1, 32), 2: FAR})
    assert cubes_of(state, 0) == {(1, 0): "B", (1, 1): "N"}


def test_tv_32_a_later_player_s_covered_cube_serves_an_earlier_one() -> None:
    """H-TV32: yellow supply 0; P2 covers a yellow cube, P0 gets it; P2's own new yellow cell stays empty (H-R6)."""
    state = placing(40, 57, 42)
    set_supply(state, yellow=0)
    own(state, 2, province("A5"), (0, 1), (1, 1))
    cover = Placement(0, 1, 1, 0)
    answer(state, {0: SHOWN, 1: FAR, 2: cover})

    assert cubes_of(state, 0) == {(1, 0): "B", (1, 1): "N", (2, 1): "Y"}
    assert cubes_of(state, 2) == {(0, 1): "G"}
    assert supply_of(state)["Y"] == 0


def test_covering_an_empty_production_cell_has_no_effect() -> None:
    """Nothing returns where no cube lies (H-7.8)."""
    state = placing(49, 57)
    own(state, 0, province("A1"), (1, 1))
    before = supply_of(state)
    answer(state, {0: Placement(0, 1, 0, 0), 1: FAR})

    assert change(state, before) == {"N": 1}


def test_placements_are_revealed_together() -> None:
    """All placements stand in one step, each told to everybody; nobody's changes another's options (H-7.1, H-R6)."""
    state = placing(49, 57, 50)
    events = answer(state, {0: Placement(0, 1, 0, 0), 1: FAR, 2: Placement(1, 2, 1, 0)})
    placed = [event for event in events if event.subject == "placement"]

    assert [event.seat for event in placed] == [0, 1, 2]
    assert [(49, 0, 1, 0, 0), (57, *FAR), (50, 1, 2, 1, 0)] == [event.items for event in placed]
    assert all(event.audience is None for event in placed)


def test_production_cells_never_refill() -> None:
    """A cell whose cube was spent stays empty in later rounds (H-7.10)."""
    state = placing(49, 57)
    own(state, 0, laid_out("A1"), (1, 1))
    answer(state, {0: Placement(0, 2, 1, 1), 1: FAR})

    assert cubes_of(state, 0) == {(1, 1): "N"}
