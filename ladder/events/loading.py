"""An event out of the database: what is stored of it, and the results of its games, as one value."""

from __future__ import annotations

from ladder.config.event_rules import EventRules
from ladder.events.state import EventEntrant, EventGame, EventRound, RoundTable, Tournament
from ladder.store.database import Store
from ladder.store.events import EventRow, GameRow, PlaceRow
from ladder.store.records import ResultRow
from referee.kernel.errors import BadSetting


def load(store: Store, season: int) -> Tournament:
    """The event of a season; raises BadSetting if the season is none."""
    row = store.event(season)
    if row is None:
        raise BadSetting(f"{store.path}: that season is no event; an event's ladder file has a table [event]")
    return _event(store, row)


def _event(store: Store, row: EventRow) -> Tournament:
    entrants = tuple(
        EventEntrant(found.bot, found.seed, found.checked_in is not None, found.entered, found.out_before, found.reason)
        for found in store.event_entrants(row.season)
    )
    results = {result.group: result for result in store.results(row.pool)}
    games: dict[tuple[int, int], list[EventGame]] = {}
    for game in store.event_games(row.season):
        games.setdefault((game.round, game.slot), []).append(_game(game, results.get(game.number)))
    places: dict[int, list[PlaceRow]] = {}
    for place in store.event_places(row.season):
        places.setdefault(place.round, []).append(place)
    rounds = tuple(_round(number, places[number], games) for number in sorted(places))
    return Tournament(EventRules.of(row.rules), entrants, rounds, row.state, row.paused)


def _game(game: GameRow, result: ResultRow | None) -> EventGame:
    plain = EventGame(game.number, game.lineup, game.absent, match="" if result is None else result.match)
    if result is None or game.absent is not None:
        return plain
    if result.state == "finished":
        return plain._replace(places=result.places, points=result.points)
    return plain._replace(given_up=result.state == "void" and not result.to_replay)


def _round(number: int, places: list[PlaceRow], games: dict[tuple[int, int], list[EventGame]]) -> EventRound:
    slots: dict[int, list[str]] = {}
    for place in places:
        if place.role == "table" and place.slot is not None:
            slots.setdefault(place.slot, []).append(place.bot)
    byes = [place for place in places if place.role == "bye"]
    return EventRound(
        number,
        tuple(RoundTable(slot, tuple(slots[slot]), tuple(games.get((number, slot), ()))) for slot in sorted(slots)),
        tuple(place.bot for place in byes),
        tuple(place.slot or 0 for place in byes),
        tuple(place.bot for place in places if place.role == "missed"),
    )
