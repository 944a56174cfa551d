"""Laws about the course of a game: it describes itself, ends in time, asks properly and says properly what happened."""

from __future__ import annotations

import re

from referee.kernel.chance import Fast
from referee.kernel.errors import KumiteError
from referee.kernel.game import TABLE, Event, Pending, Result, Verb
from tests.conformance.journey import Journey, few
from tests.conformance.laws.law import Broken, Law, demand

MANY = 12
"""How many options of one list are tried out at a moment."""


def a_game_describes_itself(journey: Journey) -> None:
    """Name, title, version, digest, seats, settings, bounds and what is hidden are there and make sense."""
    game = journey.table.game
    demand(re.fullmatch(r"[a-z][a-z0-9_]*", game.name) is not None, "the name", game.name, "is no identifier")
    demand(bool(game.title.strip()), "there is no title")
    demand(game.rules_version >= 1, "the rules version is", game.rules_version)
    demand(re.fullmatch(r"[0-9a-f]{64}", game.digest) is not None, "the digest", game.digest, "is no SHA-256")
    demand(game.seats.step == 1 and game.seats.start >= 1 and len(game.seats) > 0, "the seats are", game.seats)
    demand(game.bounds.decisions > 0 and game.bounds.options > 0, "the bounds are", game.bounds)
    demand(all(isinstance(line, str) and line for line in game.hidden), "what is hidden is not said in lines")
    for key, choices in game.variants.items():
        demand(choices.default in choices.values, key, "has no value", choices.default)
        demand(len(set(choices.values)) == len(choices.values) > 1, key, "has the values", choices.values)
        demand(bool(choices.meaning), key, "is not explained")
        demand(choices.seats is None or set(choices.seats) <= set(game.seats), key, "is for seats", choices.seats)


def a_game_ends_within_its_bounds(journey: Journey) -> None:
    """Every game ends, after no more decisions and with no longer option list than it declares."""
    bounds = journey.table.game.bounds
    demand(journey.stuck is None, "the game does not end:", journey.stuck)
    answered = sum(len(moment.asks) for moment in journey.moments)
    demand(0 < answered <= bounds.decisions, answered, "decisions, declared are at most", bounds.decisions)
    for moment in journey.moments:
        for seat, listed in moment.options.items():
            demand(len(listed) <= bounds.options, "seat", seat, "has", len(listed), "options, declared are", bounds)


def asks_are_in_order(journey: Journey) -> None:
    """Those who are asked are seats of the table, in order, once each, and the question has a name."""
    table = journey.table
    for moment in journey.moments:
        seats = [ask.seat for ask in moment.asks]
        demand(all(type(ask) is Pending for ask in moment.asks), "asks are", moment.asks)
        demand(all(seat in range(table.seats) for seat in seats), "seats", seats, "are asked at", table)
        demand(seats == sorted(set(seats)), "seats are asked in the order", seats)
        demand(all(re.fullmatch(r"[a-z][a-z0-9_]*", ask.kind) for ask in moment.asks), "kinds are", moment.asks)
        again = table.game.pending(moment.state)
        demand(moment.asks == again, "asked again, pending is", again, "instead of", moment.asks)


def a_result_comes_exactly_at_the_end(journey: Journey) -> None:
    """There is no result while somebody is asked, and a proper one, with shared places, when nobody is."""
    table = journey.table
    for moment in journey.moments:
        demand(table.game.result(moment.state) is None, "there is a result while", moment.asks, "are open")
    result = table.game.result(journey.final)
    demand(type(result) is Result, "at the end the result is", result)
    assert result is not None
    ranked = table.seats + len(result.automata)
    demand(len(result.places) == len(result.points) == ranked, ranked, "ranked, but", result)
    shared = tuple(1 + sum(other < place for other in result.places) for place in result.places)
    demand(result.places == shared, "places are", result.places, "and should be shared as", shared)
    demand(bool(result.reason), "the end has no reason")


def every_option_can_be_played(journey: Journey) -> None:
    """Each option of each asked seat is carried out on a clone, and leads to a state that is open or over."""
    table, game = journey.table, journey.table.game
    rng = journey.rng("every_option_can_be_played")
    for moment in journey.sample(8, "every_option_can_be_played"):
        for seat, listed in moment.options.items():
            for option in few(listed, MANY, rng):
                state = game.clone(moment.state)
                answers = {other: rng.choice(options) for other, options in moment.options.items()} | {seat: option}
                try:
                    events = game.apply(state, answers, Fast(moment.number))
                except KumiteError as error:
                    raise Broken(
                        f"seat {seat} may answer {option} at {moment.asks}, and is refused: {error}"
                    ) from error
                _check_events(events, table.seats)
                over = game.result(state) is not None
                demand(over == (game.pending(state) == ()), "after", option, "nobody is asked and nothing is over")


def events_are_well_formed(journey: Journey) -> None:
    """Every event has a verb of the vocabulary, a seat or the table, plain items and an audience of seats in order."""
    for moment in journey.moments:
        _check_events(list(moment.events), journey.table.seats)


def _check_events(events: list[Event], seats: int) -> None:
    for event in events:
        demand(type(event) is Event and type(event.verb) is Verb, event, "is no event of the vocabulary")
        demand(event.seat == TABLE or event.seat in range(seats), event, "is about nobody at the table")
        demand(bool(event.subject) and type(event.amount) is int, event, "says not what or how much")
        demand(
            isinstance(event.items, tuple) and all(type(i) in (int, str) for i in event.items), event, "holds objects"
        )
        if event.audience is not None:
            told = list(event.audience)
            demand(type(event.audience) is tuple and bool(told), event, "is told to nobody")
            demand(told == sorted(set(told)) and set(told) <= set(range(seats)), event, "is told to", told)


def components_are_conserved(journey: Journey) -> None:
    """The game's own count of all its components is the same at every moment, and in every world that is imagined."""
    table = journey.table
    if table.census is None:
        return
    first = dict(table.census(journey.moments[0].state))
    demand(bool(first) and all(count > 0 for count in first.values()), "the census counts nothing:", first)
    for state in (*(moment.state for moment in journey.moments), journey.final):
        demand(first == dict(table.census(state)), "the census was", first, "and is", table.census(state))
    for moment in journey.sample(6, "components_are_conserved"):
        for viewer in table.viewers:
            world = table.game.determinise(table.game.view(moment.state, viewer), Fast(moment.number))
            counted = dict(table.census(world))
            demand(first == counted, "the census was", first, "and in a world imagined by", viewer, "it is", counted)


LAWS: tuple[Law, ...] = (
    a_game_describes_itself,
    a_game_ends_within_its_bounds,
    asks_are_in_order,
    a_result_comes_exactly_at_the_end,
    every_option_can_be_played,
    events_are_well_formed,
    components_are_conserved,
)
