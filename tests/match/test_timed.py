"""Asks whose answers are timed: what the match measures, stores and verifies, on virtual time (E-6.9 to E-6.11)."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.games.edo_yashiki import GAME, View
from referee.kernel.errors import BadSetting, BrokenRecord
from referee.kernel.game import BUCKET, Seat
from referee.match.clock import SECOND, TimeControl
from referee.match.inprocess import play
from referee.match.match import Match
from referee.match.outputs import Asked, Stepped, Verdict
from referee.match.plan import MatchPlan
from referee.match.policy import Policy
from referee.match.record import STAND_IN, Record, Step, from_lines
from referee.match.replay import replay
from referee.match.verify import verify

SECRET = bytes(range(32))
REFLEX = {"draft": "reflex"}
Delay = Callable[[Seat, int], int]
"""How long a seat takes for its ask of that number, in microseconds."""


def begun(seats: int = 2, clock: str = "none", policy: Policy | None = None, variant: dict[str, str] = REFLEX) -> Match:
    """A match in which every seat is asked for its first ranking, at moment 0."""
    names = tuple(f"bot-{seat}" for seat in range(seats))
    plan = MatchPlan("edo_yashiki", names, "m", SECRET, variant, TimeControl.parse(clock), policy or Policy())
    match = Match(GAME, plan)
    match.begin(0)
    for seat in range(seats):
        match.ready(seat, 0)
    return match


def stepped(match: Match) -> list[Step]:
    """The steps that are due."""
    return [output.step for output in match.drain() if isinstance(output, Stepped)]


def played(match: Match, delay: Delay, seed: int = 1) -> Record:
    """A match played to its end, every seat answering after its own delay."""
    rng = random.Random(seed)
    steps: list[Step] = []
    while match.final is None:
        asks = []
        for output in match.drain():
            if isinstance(output, Asked):
                asks.append((output.at + delay(output.seat, output.ask), output.seat, output))
            elif isinstance(output, Stepped):
                steps.append(output.step)
        for at, seat, asked in sorted(asks, key=lambda item: item[:2]):
            assert match.answer(seat, asked.ask, rng.randrange(len(asked.options)), at) is Verdict.ACCEPTED
    steps += stepped(match)
    return Record(match.terms, tuple(steps), match.final)


def stored(record: Record) -> Record:
    """The record as read from its lines."""
    return from_lines(record.lines())


def drifting(seat: Seat, ask: int) -> int:
    """A delay that differs from seat to seat and from ask to ask."""
    return (37_000 * (seat + 1) * ask) % 400_000


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_arrivals_are_recorded_and_decide_who_gets_what(seats: int) -> None:
    """The buckets stand in the steps of the rankings, and the replay of the record gives the same cards (E-6.9)."""
    record = stored(played(begun(seats), drifting))
    timed = [step for step in record.steps if step.arrivals]
    positions = list(replay(record))
    drafts = positions[-1].state.drafts

    assert len(timed) == len(drafts) > 3
    assert [tuple(step.arrivals[seat] for seat in range(seats)) for step in timed] == [d.arrivals for d in drafts]
    assert any(len(set(draft.arrivals)) > 1 for draft in drafts)
    assert all(step.arrivals[seat] == step.spent[seat] // BUCKET for step in timed for seat in range(seats))
    verify(record)


def test_a_changed_arrival_does_not_verify() -> None:
    """`verify` holds every bucket against the times of the step, and the cards against the buckets (E-6.10)."""
    record = played(begun(), drifting)
    number = next(step.n for step in record.steps if step.arrivals)
    step = record.steps[number]

    def with_arrivals(arrivals: dict[Seat, int]) -> Record:
        steps = (*record.steps[:number], step._replace(arrivals=arrivals), *record.steps[number + 1 :])
        return replace(record, steps=steps)

    for arrivals, said in (
        ({**step.arrivals, 0: step.arrivals[0] + 1}, "did not take"),
        ({0: step.arrivals[0]}, "seats 0, 1 had to have a time of arrival, and seat 0 did"),
        ({}, "seats 0, 1 had to have a time of arrival, and no seat did"),
    ):
        with pytest.raises(BrokenRecord, match=said):
            verify(with_arrivals(arrivals))


def test_an_arrival_where_no_ask_is_timed_does_not_verify() -> None:
    """A placement has no time of arrival, and neither has a ranking of the sealed draft."""
    for variant in (REFLEX, {"draft": "sealed"}):
        record = played(begun(variant=variant), drifting)
        number = next(step.n for step in record.steps if step.n and not step.arrivals)
        bad = record.steps[number]._replace(arrivals=dict.fromkeys(record.steps[number].answers, 0))
        steps = (*record.steps[:number], bad, *record.steps[number + 1 :])

        with pytest.raises(BrokenRecord, match=r"no seat had to have a time of arrival|did not take"):
            verify(replace(record, steps=steps))


def test_no_lag_is_forgiven_in_a_bucket() -> None:
    """The clock forgives 90 ms of network, and the answer still counts as arrived after 120 ms (E-6.9, E-R24)."""
    match = begun(clock="10s", policy=Policy(lag_per_decision=SECOND, lag_total=10 * SECOND))
    match.drain()
    match.answer(0, 1, 0, 120_000, lag=90_000)
    match.answer(1, 1, 0, 49_999, lag=49_999)
    (step,) = stepped(match)

    assert (step.spent, step.lag) == ({0: 30_000, 1: 0}, {0: 90_000, 1: 49_999})
    assert step.arrivals == {0: 2, 1: 0}


def test_time_inside_the_referee_does_not_count() -> None:
    """An ask that left 80 ms late is timed from there, and what an answer waits after its arrival is not counted."""
    match = begun()
    match.drain()
    match.sent(0, 1, 80_000, 80_000)
    match.answer(0, 1, 0, 120_000)
    match.answer(1, 1, 0, 120_000, queued=70_000)
    (step,) = stepped(match)

    assert step.arrivals == {0: 0, 1: 2}


def test_a_late_seat_is_served_last() -> None:
    """The clock is the deadline: the stand-in answers, the seat has no arrival and takes what is left (E-6.10)."""
    match = begun(3, clock="1s")
    match.drain()
    match.answer(2, 1, 0, 900_000)
    match.answer(1, 1, 0, 10_000)
    match.tick(match.deadline or 0)
    (step,) = stepped(match)
    view = match.public.shown().view
    assert isinstance(view, View)
    (draft,) = view.drafts

    assert (step.by, step.arrivals) == ({0: STAND_IN}, {1: 0, 2: 18})
    # Seats 1 and 2 both ranked 0, 1, 2: whatever the priority, the bucket decides, and seat 0 gets the last card.
    assert (draft.got, draft.arrivals) == ((2, 0, 1), (-1, 0, 18))


def test_a_match_with_arrivals_goes_on_after_a_restart() -> None:
    """The steps hold all that decided, so a restored match stands where it stood, to the last hash."""
    whole = played(begun(3), drifting)
    half = len(whole.steps) // 2
    again = Match.restore(GAME, whole.header, SECRET, whole.steps[:half], 10**9)
    position = next(position for position in replay(whole) if position.step.n == half - 1)
    untimed = [step._replace(arrivals={}) for step in whole.steps[:half]]

    assert again.public.shown().view == GAME.view(position.state, None)
    with pytest.raises(BrokenRecord, match="had to have a time of arrival"):
        Match.restore(GAME, whole.header, SECRET, untimed, 10**9)


def test_no_answer_shows_before_the_last_one_is_in() -> None:
    """While a seat has not answered, nothing goes out to any seat, whoever was first (E-6.11)."""
    match = begun(3)
    match.drain()
    match.answer(1, 1, 0, 10_000)
    match.answer(2, 1, 0, 20_000)

    assert match.drain() == []


def test_a_match_within_one_process_is_refused() -> None:
    """Bots of one process are called one after the other: one clear line, and nothing is played (E-6.9)."""
    plan = MatchPlan("edo_yashiki", ("a", "b"), "m", SECRET, REFLEX)

    with pytest.raises(BadSetting, match=r"draft=reflex goes by when answers arrive, .* play it at a referee"):
        play(GAME, plan, [lambda asked: 0] * 2)
