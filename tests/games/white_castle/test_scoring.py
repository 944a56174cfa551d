"""The end of the game: last exchanges, points, ranking (W-13)."""

from __future__ import annotations

import pytest

from referee.games.white_castle import GAME, scoring
from referee.kernel.game import Verb
from tests.games.white_castle.situations import GARDEN_NUMBERS, Situation


def test_e11_the_worked_example_scores_76() -> None:
    """W-E11: 8 + 1 + 3 + 6 + 25 + 18 + 15 = 76 (W-13.3)."""
    table = Situation.in_round_one(2)
    clan = table.away(0, gate=2, floor1=1, floor3=2)
    table.clan(0, vp=8, coin=6, food=7, iron=3)
    clan.space = 12
    clan.yards = [2, 1, 1]
    for name in ("GP2", "GS5", "GS3"):
        clan.gardens |= 1 << GARDEN_NUMBERS[name]

    assert scoring.breakdown(table.state, 0) == (8, 1, 3, 6, 25, 18, 15)
    assert scoring.total(table.state, 0) == 76


def test_t18_resources_score_by_three_and_seven() -> None:
    """W-T18: 2, 6, 7 left give 0 + 1 + 2 (W-13.3, item 2)."""
    table = Situation.in_round_one(2)

    assert scoring.resource_points(table.clan(0, food=2, iron=6, pearl=7)) == 3


def test_t18_coins_and_seals_count_together() -> None:
    """W-T18: four coins and five seals give one point (item 1)."""
    table = Situation.in_round_one(2)

    assert scoring.money_points(table.clan(0, coin=4, seal=5)) == 1


def test_t18_warriors_need_courtiers_inside() -> None:
    """W-T18: four warriors and courtiers only at the gate score nothing (item 5)."""
    table = Situation.in_round_one(2)
    clan = table.away(0, gate=5)
    clan.yards = [2, 1, 1]

    assert scoring.warrior_points(clan) == 0


@pytest.mark.parametrize(
    ("space", "points"), [(0, 0), (5, 0), (6, 3), (10, 3), (11, 6), (14, 6), (15, 10), (16, 11), (19, 14), (20, 15)]
)
def test_t18_time_scores_by_season(space: int, points: int) -> None:
    """W-T18: space 14 is worth 6, space 15 is worth 10; T3: space 20 is worth 15 (item 3)."""
    table = Situation.in_round_one(2)
    table.clan(0).space = space

    assert points == scoring.time_points(table.clan(0))


def last_seals(table: Situation) -> Situation:
    """The end of round 3."""
    table.state.round = 3
    table.state.stack = [("turns", 3 * len(table.state.order))]
    table.run()
    return table


def test_t19_the_last_exchange_can_win_and_lose_points() -> None:
    """W-T19: five seals, food 2, iron 6: exchanging both gives 1 + 2 and 0, not exchanging 0 + 1 and 1 (W-13.2)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=5, food=2, iron=6)
    last_seals(table)

    assert (table.kind, table.options) == ("final_exchange", ["x:food", "x:iron", "x:pearl", "done"])
    assert _money_and_resources(table) == (0, 1, 1)

    table.answer("x:food", "x:iron")

    assert (scoring.money_points(table.clan(0)), scoring.resource_points(table.clan(0))) == (0, 3)
    assert table.kind == ""


def _money_and_resources(table: Situation) -> tuple[int, int, int]:
    clan = table.clan(0)
    return (scoring.breakdown(table.state, 0)[0], scoring.money_points(clan), scoring.resource_points(clan))


def test_final_exchange_ends_with_done() -> None:
    """`done` keeps the seals; the next in order follows (W-13.2)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=2)
    table.clan(1, seal=3)
    last_seals(table)

    assert table.seat == 0

    table.answer("done")

    assert (table.kind, table.seat) == ("final_exchange", 1)


@pytest.mark.parametrize("has", [{"seal": 1}, {"seal": 5, "food": 7, "iron": 7, "pearl": 7}])
def test_final_exchange_is_not_asked_when_nothing_can_be_exchanged(has: dict[str, int]) -> None:
    """One seal, or three full resources: nothing to ask (W-13.2)."""
    table = Situation.in_round_one(2)
    table.clan(0, **has)

    assert last_seals(table).kind == ""


def test_t17_ties_are_broken_by_the_final_turn_order() -> None:
    """W-T17: of two equal scores the one earlier in the order of W-13.1 ranks higher (W-13.4)."""
    table = Situation.in_round_one(2)
    table.clan(0).space = table.clan(1).space = 7
    table.state.track = [1, 0]
    last_seals(table)
    result = GAME.result(table.state)

    assert result is not None
    assert (result.places, result.points, result.automata) == ((2, 1), (3, 3), ())


def test_places_follow_points() -> None:
    """More points, better place; there are no shared places (W-13.4)."""
    table = Situation.in_round_one(4)
    for seat, vp in enumerate((5, 9, 5, 1)):
        table.clan(seat, vp=vp)
    last_seals(table)
    result = GAME.result(table.state)

    assert result is not None
    assert result.places == (2, 1, 3, 4)


def test_the_score_is_told_with_its_parts() -> None:
    """Everybody is told each clan's total and the parts of W-13.3."""
    table = Situation.in_round_one(2)
    table.clan(1, vp=4, coin=5)
    last_seals(table)
    scored = table.said(Verb.SCORED)

    assert [(event.seat, event.amount) for event in scored] == [(0, 0), (1, 5)]
    assert scored[1].items == (4, 1, 0, 0, 0, 0, 0)


def test_there_is_no_result_before_the_end() -> None:
    """A game in progress has no result (W-13)."""
    assert GAME.result(Situation.new(2).state) is None
