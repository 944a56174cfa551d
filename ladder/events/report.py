"""How an event stands or ended: standings with tie-breaks, the cross table, every round, and the winner.

A report is made from what is stored, so it can be had while the event goes on, and from the file alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

from ladder.config.event_rules import EventFormat
from ladder.events.loading import load
from ladder.events.ranking import EventStanding, standings
from ladder.events.rounds import round_count
from ladder.events.state import NOTHING, EventGame, EventRound, RoundTable, Tournament
from ladder.store.database import Store
from referee.kernel.errors import BadSetting

DIGITS = 4
"""Decimals of figures that are told to programs."""


@dataclass(frozen=True, slots=True)
class EventReport:
    """An event and who stands where in it."""

    name: str
    game: str
    event: Tournament
    standings: tuple[EventStanding, ...]

    @property
    def over(self) -> bool:
        """Whether the standings are the last ones."""
        return self.event.state == "over"

    @property
    def winner(self) -> str | None:
        """Who won; None: the event is not over, or no entrant came."""
        first = self.standings[0] if self.standings else None
        came = first is not None and any(first.name in _seen(found) for found in self.event.rounds)
        return first.name if self.over and first is not None and came else None

    @property
    def ranks(self) -> dict[str, int]:
        """The line of each bot in the standings, from 1: how the cross table names opponents."""
        return {standing.name: line for line, standing in enumerate(self.standings, 1)}


def _seen(found: EventRound) -> set[str]:
    return {name for table in found.tables for name in table.bots} | set(found.byes)


def report(store: Store, season: str | None = None) -> EventReport:
    """The report of a season, or of the file's latest event; raises BadSetting or UnknownName."""
    if season is not None:
        row = store.find_season(season)
    else:
        latest = store.latest_event()
        row = next((found for found in store.seasons() if found.id == latest), None)  # type: ignore[assignment]
    if row is None:
        raise BadSetting(f"{store.path} has no event; an event's ladder file has a table [event]")
    event = load(store, row.id)
    found = store.event(row.id)
    game = next(pool.game for pool in store.pools(row.id) if found is not None and pool.id == found.pool)
    shown = _shown(event, store.pseudonyms())
    return EventReport(row.name, game, shown, tuple(standings(shown)))


def _shown(event: Tournament, pseudonyms: Mapping[str, str]) -> Tournament:
    """The event with hidden bots under their pseudonyms."""
    if not pseudonyms:
        return event

    def names(bots: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(pseudonyms.get(bot, bot) for bot in bots)

    def game(found: EventGame) -> EventGame:
        absent = None if found.absent is None else names(found.absent)
        return found._replace(players=names(found.players), absent=absent)

    def table(found: RoundTable) -> RoundTable:
        return found._replace(bots=names(found.bots), games=tuple(map(game, found.games)))

    return replace(
        event,
        entrants=tuple(entrant._replace(name=pseudonyms.get(entrant.name, entrant.name)) for entrant in event.entrants),
        rounds=tuple(
            found._replace(tables=tuple(map(table, found.tables)), byes=names(found.byes), missed=names(found.missed))
            for found in event.rounds
        ),
    )


def cross(event: Tournament) -> dict[str, dict[str, tuple[Fraction, int]]]:
    """By two bots: the score of the first against the second in games that were played, and how many these were."""
    found: dict[str, dict[str, tuple[Fraction, int]]] = {name: {} for name in event.names}
    for game in event.games():
        if not game.played:
            continue
        for name, other in permutations(game.players, 2):
            score, games = found[name].get(other, (NOTHING, 0))
            found[name][other] = (score + game.against(name, other), games + 1)
    return found


def plain(report: EventReport) -> dict[str, object]:
    """A report for a program to read."""
    event = report.event
    reasons = {entrant.name: entrant for entrant in event.entrants}
    table = cross(event)
    knockout = event.rules.format is EventFormat.KNOCKOUT
    return {
        "event": report.name,
        "game": report.game,
        **event.rules.plain(),
        "rounds": round_count(event),
        "rounds_played": len(event.rounds),
        "state": event.state,
        "paused": event.paused,
        "winner": report.winner,
        "standings": [
            {
                "rank": standing.rank,
                "bot": standing.name,
                "seed": standing.seed,
                "points": _figure(standing.points),
                "direct_encounter": _figure(standing.direct),
                "buchholz": _figure(standing.buchholz),
                "sonneborn_berger": _figure(standing.sonneborn_berger),
                **({"reached": standing.reached} if knockout else {}),
                "entered": reasons[standing.name].entered,
                "out": reasons[standing.name].reason or None,
            }
            for standing in report.standings
        ],
        "cross_table": {
            name: {other: {"score": _figure(score), "games": games} for other, (score, games) in row.items()}
            for name, row in table.items()
        },
        "round_list": [_round(found) for found in event.rounds],
    }


def _round(found: EventRound) -> dict[str, object]:
    return {
        "round": found.number,
        "tables": [_table(table) for table in found.tables],
        "byes": list(found.byes),
        "missed": list(found.missed),
    }


def _table(table: RoundTable) -> dict[str, object]:
    return {
        "bots": list(table.bots),
        "scores": {name: _figure(table.score(name)) for name in table.bots} if table.over else None,
        "games": [_game(game) for game in table.games],
    }


def _game(game: EventGame) -> dict[str, object]:
    return {
        "match": game.match or None,
        "players": list(game.players),
        "places": None if game.places is None else list(game.places),
        "points": list(game.points),
        "absent": None if game.absent is None else list(game.absent),
        "given_up": game.given_up,
    }


def _figure(value: Fraction) -> float:
    return round(float(value), DIGITS)
