"""Every registered game, and the template that new games are copied from, against every law.

The quick suite holds a few tables of each game, with every seat count and setting among them, against all laws on one
journey each, and plays more tables, with every pair of settings among them, once. The slow suite holds all combinations
against all laws, and those few on many more journeys that hypothesis draws.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import pytest
from hypothesis import given, settings

from referee.codec import encoding
from referee.kernel import registry
from tests.conformance.journey import HABITS, Journey, Plan, plans, travel
from tests.conformance.laws import LAWS, play, secrets
from tests.conformance.tables import Table, cover, every_table

TABLES = every_table()
COVER = cover(TABLES, least=5)
PAIRS = cover(TABLES, least=len(TABLES))
"""Tables in which every pair of settings occurs that occurs in any."""
PLANS = {
    str(table): Plan(seed=number, habit=HABITS[number % len(HABITS)], picks=tuple(range(number)))
    for number, table in enumerate(COVER)
}
"""The journey of each table in the quick suite: neighbours in the list differ in luck and habit."""
COURSE = (
    play.a_game_ends_within_its_bounds,
    play.asks_are_in_order,
    play.a_result_comes_exactly_at_the_end,
    play.events_are_well_formed,
    play.components_are_conserved,
    secrets.imagined_worlds_look_the_same,
)


@lru_cache(maxsize=8)
def _travelled(name: str, plan: Plan, effort: float) -> Journey:
    table = next(table for table in TABLES if str(table) == name)
    return travel(table, plan, effort)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("table", COVER, ids=str)
def test_a_game_keeps_a_law(table: Table, law: str) -> None:
    """The law, which says itself what it proves, holds on a journey of this game at this table."""
    LAWS[law](_travelled(str(table), PLANS[str(table)], 0.3))


@pytest.mark.parametrize("table", PAIRS, ids=str)
def test_every_pair_of_settings_can_be_played(table: Table) -> None:
    """Each seat count with each setting, and each two settings together: the game takes its course, and views hide."""
    journey = travel(table, Plan(seed=len(str(table))), effort=0.1)
    for law in COURSE:
        law(journey)


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("table", COVER, ids=str)
@settings(max_examples=15)
@given(plan=plans)
def test_a_game_keeps_a_law_on_many_journeys(table: Table, law: str, plan: Plan) -> None:
    """The law holds on more journeys and at more of their moments."""
    LAWS[law](_travelled(str(table), plan, 1.5))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_combination_of_settings_keeps_every_law(table: Table) -> None:
    """All laws hold for each seat count with each combination of settings."""
    journey = travel(table, Plan(seed=len(str(table)), habit="edges"), effort=0.5)
    for law in LAWS.values():
        law(journey)


@pytest.mark.parametrize("name", registry.names())
def test_a_game_counts_its_components_has_a_form_on_the_wire_and_a_board(name: str) -> None:
    """No law is passed by leaving out what it looks at: every game has a census, a translation and a board."""
    own = [table for table in TABLES if table.game.name == name]

    assert all(table.census is not None for table in own)
    assert all(table.board is not None for table in own)
    assert name in encoding.ENCODERS


def test_the_cover_has_every_seat_count_and_every_value() -> None:
    """The quick suite leaves out combinations, but no setting, no pair of settings, and no habit of any game."""

    def facts(tables: list[Table], together: int) -> set[object]:
        return {(table.game.name, some) for table in tables for some in combinations(table.facts, together)}

    habits = {name: {PLANS[str(t)].habit for t in COVER if t.game.name == name} for name in registry.names()}

    assert facts(COVER, 1) == facts(TABLES, 1)
    assert facts(PAIRS, 2) == facts(TABLES, 2)
    assert all(len(found) >= 3 for found in habits.values())
