"""Laws about events: what a seat is told and what it sees must be the same story.

From one moment the game can go on in many ways that a viewer p cannot tell apart beforehand: p's own answer is given,
but the hidden rest of the state, the answers of the others and the luck may be anything. Each way ends with what p was
told and what p sees then. If two ways end with the same sight but different words, the words gave away what the view
keeps hidden (or the view forgets what p may remember). If they end with the same words but different sights, the view
shows what p was never told (or the log has a hole).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.kernel.chance import Sealed, secret_from_seed
from referee.kernel.game import Event, Option, Seat
from tests.conformance.journey import Journey, Moment, carried_out, few, virtual_arrivals
from tests.conformance.laws.law import Law, demand_none
from tests.conformance.laws.secrets import imagined
from tests.conformance.values import differences

MOMENTS = 12


class Way(NamedTuple):
    """One way to go on from a moment: from the true state or an imagined one, with these answers and this luck."""

    state: object
    answers: Mapping[Seat, Option]
    luck: str


class Ending(NamedTuple):
    """What a viewer got from one way."""

    told: tuple[Event, ...]
    seen: object
    way: Way


def told_to(viewer: Seat | None, events: Sequence[Event]) -> tuple[Event, ...]:
    """What a viewer hears of some events; the public hears only what is said to everybody."""
    return tuple(event for event in events if event.audience is None or viewer in event.audience)


def ways(journey: Journey, moment: Moment, viewer: Seat | None) -> Iterator[Way]:
    """Ways to go on that the viewer cannot tell apart beforehand; its own answer is the same in all of them."""
    game = journey.table.game
    rng = journey.rng(f"ways/{moment.number}/{viewer}")
    own = {seat: answer for seat, answer in moment.answers.items() if seat == viewer}
    yield Way(moment.state, moment.answers, "a")
    yield Way(moment.state, moment.answers, "b")
    yield Way(moment.state, moment.answers, "c")
    for seat, listed in moment.options.items():
        if seat != viewer:
            for option in few([option for option in few(listed, 9, rng) if option != moment.answers[seat]], 3, rng):
                yield Way(moment.state, {**moment.answers, seat: option}, "a")
    for world in imagined(journey, moment, viewer):
        options = {ask.seat: game.options(world, ask.seat) for ask in game.pending(world)}
        same = {s: moment.answers.get(s) if moment.answers.get(s) in options[s] else options[s][0] for s in options}
        yield Way(world, same | own, "a")
        yield Way(world, {seat: rng.choice(listed) for seat, listed in options.items()} | own, "a")


def endings(journey: Journey, moment: Moment, viewer: Seat | None) -> list[Ending]:
    """What the viewer is told and sees at the end of each way."""
    game = journey.table.game
    found = []
    rng = journey.rng(f"arrivals/{moment.number}/{viewer}")
    for number, way in enumerate(ways(journey, moment, viewer)):
        state = game.clone(way.state)
        # The first two ways differ in their luck alone; the others also in when the answers to timed asks arrive.
        arrivals = moment.arrivals if number < 2 else virtual_arrivals(journey.table, game.pending(state), rng)
        events = carried_out(journey.table, state, way.answers, Sealed(secret_from_seed(way.luck)), arrivals)
        found.append(Ending(told_to(viewer, events), game.view(state, viewer), way))
    return found


def _sample(journey: Journey, purpose: str) -> list[Moment]:
    return [moment for moment in journey.sample(MOMENTS, purpose) if moment.answers]


def equal_sights_come_with_equal_words(journey: Journey) -> None:
    """Events tell a seat nothing that its view keeps from it: same sight, same words."""
    for moment in _sample(journey, "equal_sights"):
        for viewer in journey.table.viewers:
            first: dict[object, Ending] = {}
            for ending in endings(journey, moment, viewer):
                other = first.setdefault(ending.seen, ending)
                place = ("the words to", viewer, "at", moment.asks, "tell more than its view")
                demand_none(differences(other.told, ending.told), *place)


def equal_words_come_with_equal_sights(journey: Journey) -> None:
    """Views show a seat nothing that it was not told: same words, same sight."""
    for moment in _sample(journey, "equal_words"):
        for viewer in journey.table.viewers:
            first: dict[object, Ending] = {}
            for ending in endings(journey, moment, viewer):
                other = first.setdefault(ending.told, ending)
                place = ("the view of", viewer, "at", moment.asks, "shows more than it was told")
                demand_none(differences(other.seen, ending.seen), *place)


LAWS: tuple[Law, ...] = (
    equal_sights_come_with_equal_words,
    equal_words_come_with_equal_sights,
)
