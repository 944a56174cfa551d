"""A check that cannot fail proves nothing: every law is broken on purpose here, and must notice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.conformance import toy, toy_board
from tests.conformance.breaches import BREACHES, Breach
from tests.conformance.journey import HABITS, Plan, travel
from tests.conformance.laws import LAWS, Broken
from tests.conformance.tables import Table, cover, tables_in

PLANS = [Plan(seed, HABITS[seed % len(HABITS)]) for seed in range(8)]
TOY_TABLES = [replace(table, board=toy_board.BOARD) for table in cover(tables_in(toy.__name__))]


def keep(law: str, tables: Iterable[Table], plans: Iterable[Plan] = PLANS) -> None:
    """Hold some journeys at all these tables against a law."""
    for table in tables:
        for plan in plans:
            LAWS[law](travel(table, plan))


@pytest.mark.parametrize("breach", BREACHES, ids=str)
def test_a_breach_is_noticed_by_its_law(breach: Breach) -> None:
    """On some journey of the broken game the law complains, and about this very breach."""
    with pytest.raises(Broken, match=re.escape(breach.complaint)):
        keep(breach.law, breach.tables())


@pytest.mark.parametrize("law", LAWS)
def test_every_law_has_a_breach_that_it_notices(law: str) -> None:
    """No law stands here without the proof that it can fail."""
    assert law in {breach.law for breach in BREACHES}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("table", TOY_TABLES, ids=str)
def test_the_sound_game_breaks_no_law(table: Table, law: str) -> None:
    """The toy itself keeps every law on such journeys, so it is the breach that is noticed."""
    keep(law, [table], PLANS[:3])
