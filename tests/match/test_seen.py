"""A seat that watches its match is shown every position: as many as the public, its own view at each."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.kernel import registry
from referee.kernel.game import Seat
from referee.match.clock import NO_CLOCK
from referee.match.match import Match
from referee.match.outputs import Asked, Output, Seen, Shown, Stepped, Told
from referee.match.policy import Policy
from referee.match.record import Record, from_lines
from referee.match.verify import verify
from tests.match.tables import new_match, started
from tests.match.test_skipped import Whispered
from tests.match.toy import GAME

GAMES = registry.names()


def played(match: Match, seed: int = 1) -> list[Output]:
    """All outputs of a match whose seats choose at random."""
    rng = Random(seed)
    outputs: list[Output] = []
    while True:
        now = match.drain()
        outputs += now
        asks = [output for output in now if isinstance(output, Asked)]
        if not asks:
            return outputs
        for ask in asks:
            match.answer(ask.seat, ask.ask, rng.randrange(len(ask.options)), 1)


def watched(name: str, *seats: Seat, spectators: bool = True) -> Match:
    """A match of two that these seats watch; all seats are ready."""
    match = new_match(2, game=registry.game(name), clock=NO_CLOCK, spectators=spectators)
    for seat in seats:
        match.listen(seat, True, watches=True)
    match.begin(0)
    for seat in (0, 1):
        match.ready(seat, 0)
    return match


def seen(outputs: list[Output], seat: Seat) -> list[Shown]:
    """The positions that a seat was shown."""
    return [output.shown for output in outputs if isinstance(output, Seen) and output.seat == seat]


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_shown_as_many_positions_as_the_public(name: str) -> None:
    """Numbers, awaited seats and banks are those of the public; the view is the seat's, as an ask brings it."""
    outputs = played(watched(name, 1))
    public = [output for output in outputs if isinstance(output, Shown)]
    own = seen(outputs, 1)
    asked = [output.view for output in outputs if isinstance(output, Asked) and output.seat == 1]

    assert [shown.number for shown in own] == [shown.number for shown in public]
    assert [(shown.pending, shown.left) for shown in own] == [(shown.pending, shown.left) for shown in public]
    assert all(view in [shown.view for shown in own] for view in asked)
    assert not seen(outputs, 0)


@pytest.mark.parametrize("name", GAMES)
def test_a_watching_seat_changes_nothing_for_others(name: str) -> None:
    """The public's positions, the asks and the record are the same with and without a seat that watches."""

    def others(match: Match) -> list[Output]:
        return [
            output._replace(options=tuple(output.options)) if isinstance(output, Asked) else output
            for output in played(match)
            if not isinstance(output, Seen)
        ]

    assert others(watched(name)) == others(watched(name, 0, 1))


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_told_its_own_events_and_no_others(name: str) -> None:
    """The events of all positions are those of the asks and the end together, without a private one of another seat."""
    outputs = played(watched(name, 0, spectators=False))
    told = Counter(event for shown in seen(outputs, 0) for event in shown.events)
    asked = Counter(
        event for output in outputs if isinstance(output, Asked | Told) and output.seat == 0 for event in output.events
    )

    assert told == asked
    assert all(event.audience is None or 0 in event.audience for event in told)


def test_decisions_without_a_choice_are_shown_one_by_one() -> None:
    """Where the number of options is secret a step is shown as several positions, with the delays of the table."""
    match = new_match(3, game=Whispered(), clock=NO_CLOCK)
    match.listen(2, True, watches=True)
    match.begin(0)
    for seat in range(3):
        match.ready(seat, 0)
    numbers = [shown.number for shown in seen(played(match), 2)]

    assert numbers == list(range(1, len(numbers) + 1))


def test_a_seat_that_comes_back_is_shown_the_present_position() -> None:
    """The position is repeated without events, before the ask."""
    match = watched("honshu", 0)
    first = match.drain()
    match.gone(0, 2)
    match.back(0, 3)
    again = match.drain()
    (position,) = seen(again, 0)

    assert position == seen(first, 0)[-1]._replace(events=())
    assert [type(output) for output in again] == [Seen, Asked]


def test_a_match_of_people_never_counts_and_its_record_says_so() -> None:
    """The policy stands in the header, the end is not rated, and the record verifies; one that claims more does not."""
    match = started(policy=Policy(rated=False), clock=NO_CLOCK)
    steps = [output.step for output in played(match) if isinstance(output, Stepped)]
    assert match.final is not None
    record = from_lines(Record(match.terms, tuple(steps), match.final).lines())
    verify(record, GAME)

    assert record.header.policy == Policy(rated=False)
    assert record.final is not None
    assert not record.final.rated
    assert "rated" not in Policy().to_plain()
