"""Tables that are sought at once among many free bots."""

from __future__ import annotations

from ladder.config.offers import every_table
from ladder.pairing.open import NextTable
from ladder.seasons import open_tables
from ladder.seasons.open_tables import OpenTables
from referee.transport.offers import HelloOffers
from tests.ladder.test_open_season import FakeBot

TWO = dict(enumerate(every_table(["edo_yashiki"], seats=[2])))


def crowd(tables: OpenTables, count: int = 2 * open_tables.MANY) -> dict[str, FakeBot]:
    """Free bots by name, all of which have said hello."""
    bots = {f"bot-{number}": FakeBot(f"bot-{number}") for number in range(count)}
    for name in bots:
        tables.arrived(name, HelloOffers())
    return bots


def take(tables: OpenTables, bots: dict[str, FakeBot], at: int) -> NextTable | int | None:
    """Seat the next table."""
    found = tables.find(list(bots.values()), at)
    if isinstance(found, NextTable):
        tables.began(f"match-{at}", found, at)
        for name in found.players:
            bots[name].tables += 1
    return found


def test_all_bots_of_a_crowd_are_seated_once() -> None:
    """Whether a table was found alone or with others."""
    tables = OpenTables(TWO)
    bots = crowd(tables)

    for at in range(len(bots) // 2):
        assert isinstance(take(tables, bots, at), NextTable)

    assert not isinstance(take(tables, bots, 999), NextTable)
    assert {bot.tables for bot in bots.values()} == {1}


def test_most_questions_about_a_crowd_look_at_no_bot() -> None:
    """The tables that were found with the last one are still good."""
    tables = OpenTables(TWO)
    bots = crowd(tables)
    assert isinstance(take(tables, bots, 0), NextTable)

    assert isinstance(tables.find([], 1), NextTable)


def test_a_table_found_before_is_not_opened_if_a_bot_has_left_or_wants_it_no_more() -> None:
    """Nor in a pool that is held, nor after a while: then all are looked at anew."""
    tables = OpenTables(TWO)
    bots = crowd(tables)
    assert isinstance(take(tables, bots, 0), NextTable)
    for bot in bots.values():
        bot.capacity = 0
    assert tables.find(list(bots.values()), 1) is None

    for bot in bots.values():
        bot.capacity = 1
    assert isinstance(take(tables, bots, 2), NextTable)
    tables.held = frozenset(TWO)
    assert tables.find(list(bots.values()), 3) is None

    tables.held = frozenset()
    assert isinstance(take(tables, bots, 4), NextTable)
    for name in bots:
        tables.forget(name)
    assert tables.find(list(bots.values()), 5) is None

    tables = OpenTables(TWO)
    bots = crowd(tables)
    assert isinstance(take(tables, bots, 6), NextTable)
    assert tables.find([], 6 + open_tables.SOON) is None
