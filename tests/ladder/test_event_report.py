"""Standings, tie-breaks and sheets of events, on examples that are worked out by hand."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction

import pytest

from ladder.config.event_rules import MOST_EXTRA, EventFormat, EventRules, TieDecision
from ladder.events import report_grid
from ladder.events.ranking import EventStanding, standings
from ladder.events.report import EventReport, plain
from ladder.events.state import EventEntrant, EventGame, EventRound, RoundTable, Tournament
from ladder.events.ties import decided, final_order

HALF = Fraction(1, 2)


def entrants(names: str) -> tuple[EventEntrant, ...]:
    """Entrants by seed, all in from the first round."""
    return tuple(EventEntrant(name, seed, True, 1) for seed, name in enumerate(names, 1))


def won(*order: str) -> EventGame:
    """A game that ended in this order, best first."""
    places = tuple(range(1, len(order) + 1))
    return EventGame(0, tuple(order), None, places, tuple(10 - place for place in places))


def level(*bots: str) -> EventGame:
    """A game without a winner."""
    return EventGame(0, bots, None, (1,) * len(bots), (5,) * len(bots))


def table(number: int, *games: EventGame) -> RoundTable:
    """A table of these games."""
    return RoundTable(number, tuple(sorted(games[0].players)), games)


def swiss(names: str, *rounds: EventRound, seats: int = 2, games: int = 1) -> Tournament:
    """A Swiss event that is over."""
    return Tournament(EventRules(EventFormat.SWISS, seats, len(rounds), games), entrants(names), rounds, "over")


FIVE = swiss(
    "abcde",
    EventRound(1, (table(0, won("a", "b")), table(1, won("c", "d"))), ("e",)),
    EventRound(2, (table(0, level("a", "c")), table(1, won("e", "b"))), ("d",)),
    EventRound(3, (table(0, won("e", "a")), table(1, EventGame(0, ("c", "b"), ("b",)))), (), (), ("d",)),
)
"""Points: a 1.5, b 0, c 2.5 (one without play), d 1 (a bye), e 3 (a bye)."""


def by_name(event: Tournament) -> dict[str, EventStanding]:
    """The standing of each bot."""
    return {standing.name: standing for standing in standings(event)}


def test_points_and_tie_breaks_of_an_event_worked_out_by_hand() -> None:
    """Byes and forfeits count as met with a bot of one's own points."""
    found = by_name(FIVE)

    assert [standing.name for standing in standings(FIVE)] == ["e", "c", "a", "d", "b"]
    assert found["e"].points == 3
    assert found["e"].buchholz == 3 + 0 + Fraction(3, 2)
    assert found["e"].sonneborn_berger == 3 + 0 + Fraction(3, 2)
    assert found["c"].buchholz == 1 + Fraction(3, 2) + Fraction(5, 2)
    assert found["c"].sonneborn_berger == 1 + HALF * Fraction(3, 2) + Fraction(5, 2)
    assert found["d"].buchholz == Fraction(5, 2) + 1 + 1
    assert found["d"].sonneborn_berger == 0 + 1 + 0
    assert found["b"].buchholz == Fraction(3, 2) + 3 + 0
    assert found["b"].sonneborn_berger == 0


def test_the_direct_encounter_counts_only_where_all_have_met() -> None:
    """Two level bots that met are ordered by that; of three, one pair that has not met leaves it out."""
    met = swiss("ab", EventRound(1, (table(0, won("b", "a")),)), EventRound(2, (table(0, won("a", "b")),)))
    assert [standing.direct for standing in standings(met)] == [1, 1]
    two = swiss(
        "abcd",
        EventRound(1, (table(0, won("b", "a")), table(1, won("c", "d")))),
        EventRound(2, (table(0, won("a", "c")), table(1, won("d", "b")))),
    )
    assert {standing.points for standing in standings(two)} == {Fraction(1)}
    assert {standing.direct for standing in standings(two)} == {Fraction(0)}
    one = swiss(
        "abc", EventRound(1, (table(0, won("b", "a")),), ("c",)), EventRound(2, (table(0, won("a", "c")),), ("b",))
    )
    found = by_name(replace(one, rounds=(*one.rounds, EventRound(3, (table(0, won("c", "b")),), ("a",)))))

    assert {name: standing.direct for name, standing in found.items()} == {"a": 1, "b": 1, "c": 1}


def test_more_seats_have_means_over_the_table() -> None:
    """The score is the mean against the others; Buchholz the mean of their points."""
    event = swiss("abc", EventRound(1, (table(0, won("b", "a", "c")),)), seats=3)
    found = by_name(event)

    assert {name: standing.points for name, standing in found.items()} == {"a": HALF, "b": 1, "c": 0}
    assert found["b"].buchholz == (HALF + 0) / 2
    assert found["a"].sonneborn_berger == (0 * 1 + 1 * 0) / Fraction(2)
    assert found["b"].sonneborn_berger == (HALF + 0) / 2


def test_a_forfeit_at_a_larger_table_leaves_those_who_came_level() -> None:
    """They are ahead of the one that did not come, who scores nothing."""
    game = EventGame(0, ("a", "b", "c", "d"), ("d",))

    assert [game.score(name) for name in "abcd"] == [Fraction(2, 3)] * 3 + [Fraction(0)]
    assert EventGame(0, ("a", "b"), ("a", "b")).score("a") == 0
    assert EventGame(0, ("a", "b"), given_up=True).score("a") == HALF


KNOCKOUT = EventRules(EventFormat.KNOCKOUT, 2, 0, 3)


@pytest.mark.parametrize(
    ("level_rule", "games", "over", "winner"),
    [
        (TieDecision.PLAY_ON, [won("a", "b"), won("b", "a")], False, None),
        (TieDecision.PLAY_ON, [won("b", "a"), won("b", "a")], True, "b"),
        (TieDecision.PLAY_ON, [level("a", "b")] * 3, False, None),
        (TieDecision.PLAY_ON, [*[level("a", "b")] * 3, won("b", "a")], True, "b"),
        (TieDecision.PLAY_ON, [level("a", "b")] * (3 + MOST_EXTRA), True, "a"),
        (TieDecision.SEED, [level("a", "b")] * 3, True, "a"),
        (
            TieDecision.POINTS,
            [level("a", "b"), won("a", "b"), EventGame(0, ("b", "a"), None, (1, 2), (99, 1))],
            True,
            "b",
        ),
        (TieDecision.SEED, [won("a", "b"), EventGame(0, ("b", "a"), ("a",))], True, "b"),
        (TieDecision.SEED, [EventGame(0, ("b", "a"), ("a", "b"))], True, "a"),
    ],
)
def test_a_tie_is_decided_as_the_rules_say(
    level_rule: TieDecision, games: list[EventGame], over: bool, winner: str | None
) -> None:
    """Best of three: early wins, level ties, bots that do not come."""
    tie = RoundTable(0, ("a", "b"), tuple(games))
    event = Tournament(replace(KNOCKOUT, level=level_rule), entrants("ab"), (EventRound(1, (tie,)),), "running")

    assert decided(event, tie) is over
    if winner is not None:
        assert final_order(event, tie)[0] == winner


def test_a_larger_table_of_a_knockout_is_ordered_by_score_then_points_then_seed() -> None:
    """Level scores are decided by the points that were made in the games."""
    games = (
        EventGame(0, ("a", "b", "c"), None, (1, 2, 2), (9, 4, 5)),
        EventGame(0, ("a", "b", "c"), None, (3, 1, 1), (0, 3, 3)),
    )
    event = Tournament(EventRules(EventFormat.KNOCKOUT, 3, 0, 2), entrants("abc"), (), "running")

    assert final_order(event, RoundTable(0, ("a", "b", "c"), games)) == ["a", "c", "b"]


def test_the_sheet_of_a_swiss_event_names_opponents_by_line() -> None:
    """Wins, level matches, losses, forfeits, byes and missed rounds; the same cells as CSV and Markdown."""
    report = EventReport("evening", "honshu", FIVE, tuple(standings(FIVE)))
    rows = {row[2]: row[3:6] for row in report_grid.rows(report)}

    assert rows == {
        "e": ["bye", "+5", "+3"],
        "c": ["+4", "=3", "+5f"],
        "a": ["+5", "=2", "-1"],
        "d": ["-2", "bye", "missed"],
        "b": ["-3", "-1", "-2f"],
    }
    read = list(csv.reader(io.StringIO(report_grid.as_csv(report))))
    assert read == [report_grid.columns(report), *report_grid.rows(report)]
    assert report_grid.as_markdown(report).splitlines()[4].startswith("| 1 | 1 | e | bye | +5 | +3 | 3 |")
    assert report_grid.verdict(report) == "winner: e"
    assert plain(report)["winner"] == "e"


def test_the_sheet_of_a_round_robin_is_a_matrix() -> None:
    """A column for each opponent, in the order of the standings."""
    rounds = tuple(EventRound(n, (table(0, won(*pair)),)) for n, pair in enumerate(("ba", "bc", "ac"), 1))
    event = Tournament(EventRules(EventFormat.ROUND_ROBIN, 2, 1), entrants("abc"), rounds, "over")
    report = EventReport("evening", "honshu", event, tuple(standings(event)))

    assert [row[2:6] for row in report_grid.rows(report)] == [
        ["b", "x", "1", "1"],
        ["a", "0", "x", "1"],
        ["c", "0", "0", "x"],
    ]


def test_an_event_that_is_not_over_has_no_winner() -> None:
    """It says which round is played."""
    event = replace(FIVE, state="running", paused=True)
    report = EventReport("evening", "honshu", event, tuple(standings(event)))

    assert report.winner is None
    assert report_grid.verdict(report) == "round 3 is played (paused)"
