"""The state machine of a match: readiness, asks, answers, sealed simultaneity, events and spectators."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting, BrokenRecord, UnknownName
from referee.match.clock import NO_CLOCK, SECOND, AnswerTiming, TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Seated, Shown, Stepped, Told, Verdict
from referee.match.plan import MatchPlan
from referee.match.policy import EndingKind, FaultKind
from tests.match.seats import Honest
from tests.match.simulation import Simulation
from tests.match.tables import asks, faults, finals, new_match, plan_of, started, steps
from tests.match.toy import GAME


def test_the_table_is_offered_to_every_seat_first() -> None:
    """Before anybody is ready there is no game and no running clock, only the start budget."""
    match = new_match(3)

    before = match.begun
    match.begin(5 * SECOND)
    assert [Seated(0), Seated(1), Seated(2)] == match.drain()
    assert (before, match.begun) == (False, True)
    assert match.deadline == 35 * SECOND


def test_the_clock_starts_when_all_are_ready_and_not_before() -> None:
    """Seat 0 waits 20 seconds for seat 1, and is charged for its own second only."""
    match = new_match(2)
    match.begin(0)
    match.ready(0, 0)
    match.drain()
    match.ready(1, 20 * SECOND)
    outputs = match.drain()

    assert isinstance(outputs[0], Stepped)
    assert {0, 1} == asks(outputs).keys()
    assert asks(outputs)[0].budget == 5 * SECOND
    match.answer(0, 1, 0, 21 * SECOND)
    match.answer(1, 1, 0, 22 * SECOND)
    assert steps(match.drain())[0].spent == {0: SECOND, 1: 2 * SECOND}


def test_saying_ready_again_changes_nothing() -> None:
    """Readiness is idempotent, before the start and after it."""
    match = new_match(2)
    match.begin(0)
    match.ready(0, 0)
    match.ready(0, 1)
    match.drain()

    assert match.drain() == []
    match.ready(1, 2)
    match.drain()
    match.ready(1, 3)
    assert match.drain() == []


def test_a_match_begins_once() -> None:
    """A second begin is a mistake of the driver."""
    match = new_match(2)
    match.begin(0)

    with pytest.raises(BadSetting, match="has begun"):
        match.begin(1)


def test_nothing_counts_before_the_beginning() -> None:
    """Answers, faults and ticks of a match that has not begun have no effect."""
    match = new_match(2)
    match.ready(0, 0)
    match.tick(10**12)
    match.malformed(0, 0, "rubbish")
    match.back(0, 0)

    assert match.answer(0, 1, 0, 0) == Verdict.UNKNOWN
    assert match.drain() == []


def test_an_ask_carries_view_options_and_clock() -> None:
    """Everything that a seat needs to decide is in the ask."""
    match = started(at=7 * SECOND, players=2)
    asked = asks(match.drain())[1]

    assert (asked.seat, asked.ask, asked.kind) == (1, 1, "bid")
    assert len(asked.options) == 4
    assert asked.view.seat == 1  # type: ignore[attr-defined]
    assert (asked.left, asked.budget, asked.timing) == (11 * SECOND, 5 * SECOND, None)
    assert 12 * SECOND + 100_000 == asked.deadline == match.deadline


def test_without_a_clock_nothing_is_ever_due() -> None:
    """An unlimited match has no deadline once it has started, and its asks say so."""
    match = started(players=2, clock=NO_CLOCK)
    asked = asks(match.drain())[0]

    assert (asked.left, asked.deadline, asked.budget) == (None, None, None)
    assert match.deadline is None
    match.tick(10**15)
    assert match.drain() == []


def test_answers_wait_sealed_until_the_last_one_is_in() -> None:
    """Nothing comes out, and nothing changes, before everybody has answered."""
    match = started(players=3)
    match.drain()

    assert match.answer(2, 1, 3, 10) == Verdict.ACCEPTED
    assert match.answer(0, 1, 1, 20) == Verdict.ACCEPTED
    assert match.drain() == []
    assert match.answer(1, 1, 2, 30) == Verdict.ACCEPTED
    assert steps(match.drain())[0].answers == {0: 1, 1: 2, 2: 3}


def test_the_order_of_arrival_changes_nothing() -> None:
    """Whoever answers first, the step and the asks that follow are the same."""
    results = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        match = started(players=3)
        match.drain()
        for seat in order:
            match.answer(seat, 1, seat, 50)
        results.append(match.drain())

    assert results[0] == results[1] == results[2]


def test_each_seats_clock_stops_at_its_own_answer() -> None:
    """In a simultaneous phase a quick seat does not pay for a slow one."""
    match = started(players=3)
    match.drain()
    match.answer(0, 1, 0, 1 * SECOND)
    match.answer(1, 1, 0, 4 * SECOND)
    match.answer(2, 1, 0, 2 * SECOND)
    (step,) = steps(match.drain())

    assert step.spent == {0: 1 * SECOND, 1: 4 * SECOND, 2: 2 * SECOND}
    assert step.left == {0: 10 * SECOND, 1: 7 * SECOND, 2: 9 * SECOND}
    assert step.at == 4 * SECOND


def test_the_next_ask_tells_where_the_time_went() -> None:
    """Charge, forgiven lag and queueing of the previous answer come with the next ask."""
    simulation = Simulation(new_match(2), [Honest(SECOND), Honest(SECOND)]).run()
    timings = [asked.timing for asked in simulation.asked(0)]

    assert timings[0] is None
    assert {AnswerTiming(SECOND, 0, 0)} == set(timings[1:])

    match = started(players=1)
    match.drain()
    match.answer(0, 1, 0, SECOND, lag=60_000, queued=33)
    outputs = match.drain()
    assert AnswerTiming(SECOND - 60_000, 60_000, 33) == asks(outputs)[0].timing
    assert steps(outputs)[0].lag == {0: 60_000}


def test_ask_numbers_count_for_each_seat_by_itself() -> None:
    """They run 1, 2, 3 without a gap, so they tell nothing about the decisions of others."""
    simulation = Simulation(new_match(4), [Honest() for _ in range(4)]).run()

    for seat in range(4):
        numbers = [asked.ask for asked in simulation.asked(seat)]
        assert list(range(1, len(numbers) + 1)) == numbers
    assert len({len(simulation.asked(seat)) for seat in range(4)}) > 1


def test_forced_decisions_are_neither_asked_nor_recorded() -> None:
    """The last card of every hand is bid without asking; the record leaves it to the rules."""
    simulation = Simulation(new_match(3), [Honest() for _ in range(3)]).run()

    for seat in range(3):
        assert all(len(asked.options) > 1 for asked in simulation.asked(seat))
        assert sum(asked.kind == "bid" for asked in simulation.asked(seat)) == 3


def test_repeating_an_answer_is_harmless() -> None:
    """The same ask answered twice, even differently, is a duplicate and no fault."""
    match = started(players=2)
    match.drain()
    match.answer(0, 1, 2, 10)

    assert match.answer(0, 1, 3, 20) == Verdict.DUPLICATE
    assert match.drain() == []
    match.answer(1, 1, 0, 30)
    assert steps(match.drain())[0].answers[0] == 2


def test_answers_to_other_asks_are_told_apart_and_do_no_harm() -> None:
    """Older asks are stale, asks that never were are unknown; neither is a fault."""
    match = started(players=1)
    match.drain()
    match.answer(0, 1, 0, 10)
    match.drain()

    assert [match.answer(0, ask, 0, 20) for ask in (1, 0, 3)] == [Verdict.STALE, Verdict.UNKNOWN, Verdict.UNKNOWN]
    assert match.answer(0, -1, 0, 20) == Verdict.UNKNOWN
    assert match.drain() == []
    assert match.owes(0) == 2


def test_an_answer_after_the_end_changes_nothing() -> None:
    """A finished match judges by the numbers it knows."""
    simulation = Simulation(new_match(2), [Honest(), Honest()]).run()
    match = simulation.match
    last = len(simulation.asked(0))

    assert match.answer(0, last, 0, 10**12) == Verdict.DUPLICATE
    assert match.answer(0, last - 1, 0, 10**12) == Verdict.STALE
    assert match.answer(0, last + 1, 0, 10**12) == Verdict.UNKNOWN
    match.malformed(0, 10**12, "rubbish")
    match.crashed(0, 10**12, "dead")
    match.tick(10**12)
    match.abort(10**12, "too late")
    assert match.drain() == []
    assert match.deadline is None


def test_a_step_comes_before_everything_that_follows_from_it() -> None:
    """Whoever stores steps as they come has stored the cause before its consequence is sent."""
    match = started(players=2)
    kinds = []
    for ask in (1, 2):
        for seat in range(2):
            match.answer(seat, ask, 0, 0)
    kinds = [type(output) for output in match.drain()]

    assert [Seated, Seated, Stepped, Asked, Asked, Stepped] == kinds[:6]
    assert kinds.count(Stepped) >= 3


def test_events_go_only_to_those_who_may_know_them() -> None:
    """A private event reaches its audience with the next ask, and nobody else."""
    simulation = Simulation(new_match(4), [Honest() for _ in range(4)]).run()
    private = 0
    for seat in range(4):
        for output in simulation.received[seat]:
            for event in output.events if isinstance(output, Asked | Told) else ():
                assert event.audience is None or seat in event.audience
                private += event.audience is not None

    assert private > 0


def test_every_seat_is_told_every_public_event_exactly_once() -> None:
    """Asks carry what happened since the last message, the rest comes after the end."""
    simulation = Simulation(new_match(3, spectators=True), [Honest() for _ in range(3)]).run()

    assert len(simulation.public) > 20
    for seat in range(3):
        told = [e for o in simulation.received[seat] if isinstance(o, Asked | Told) for e in o.events]
        assert simulation.public == [event for event in told if event.audience is None]


def test_spectators_cost_nothing_unless_wanted() -> None:
    """Without the flag nothing is put out for the public."""
    match = started(players=2)

    assert not any(isinstance(output, Told | Shown) for output in match.drain())


def test_the_public_view_is_there_once_the_game_is() -> None:
    """It is the game's view for nobody in particular."""
    match = new_match(2)

    assert match.public.shown().view is None
    view = started(players=2).public.shown().view
    assert view.seat is None  # type: ignore[attr-defined]
    assert view.hand == ()  # type: ignore[attr-defined]


def test_the_end_is_told_after_the_last_events() -> None:
    """The last outputs are the last step, what each seat has not heard yet, and the end."""
    match = new_match(2)
    simulation = Simulation(match, [Honest(), Honest()]).run()

    for seat in range(2):
        assert [Told, Ended] == [type(output) for output in simulation.received[seat][-2:]]
    assert simulation.final is not None
    assert [ending.kind for ending in simulation.final.endings] == [EndingKind.FINISHED] * 2
    assert simulation.final.rated
    assert secret_from_seed("toy").hex() == simulation.final.secret


def test_notes_are_kept_in_the_step_and_cut() -> None:
    """A note stands beside its answer in the record, bounded and valid text."""
    match = started(players=2)
    match.drain()
    match.answer(0, 1, 0, 10, note="x" * 5000)
    match.answer(1, 1, 0, 10, note="half \ud83d")
    (step,) = steps(match.drain())

    assert step.notes == {0: "x" * 1024, 1: "half  "}


def test_an_ask_says_at_which_moment_it_is_put_out() -> None:
    """The arrival of the answer before it, and the moment of the return for one that is put out again."""
    match = started(at=100, players=2)
    first = asks(match.drain())
    match.answer(0, first[0].ask, 0, 150)
    match.answer(1, first[1].ask, 0, 140)
    second = asks(match.drain())
    seat = next(iter(second))
    match.gone(seat, 160)
    match.back(seat, 170)
    again = asks(match.drain())

    assert {asked.at for asked in first.values()} == {100}
    assert {asked.at for asked in second.values()} == {150}
    assert {asked.at for asked in again.values()} == {170}


def test_a_match_is_restored_with_the_secret_that_its_header_is_committed_to() -> None:
    """A slip of the driver cannot lead to luck that nobody can verify."""
    with pytest.raises(BadSetting, match="another secret"):
        Match.restore(GAME, plan_of(2, "toy").header(GAME), secret_from_seed("other"), (), 0)


def test_the_header_of_another_game_is_refused() -> None:
    """Rules, components and variant of a restored match must be those that its header names."""
    header = plan_of(2).header(GAME)
    for changed in (
        replace(header, game="chess"),
        replace(header, rules_version=9),
        replace(header, components="f" * 64),
        replace(header, variant={}),
    ):
        with pytest.raises(BrokenRecord):
            Match.restore(GAME, changed, secret_from_seed("toy"), (), 0)


def test_the_plan_of_another_game_is_refused() -> None:
    """A match is played by the rules that its plan names."""
    with pytest.raises(BadSetting, match="is one of 'chess', not of 'lantern_auction'"):
        Match(GAME, replace(plan_of(2), game="chess"))


def test_a_plan_shows_no_secret() -> None:
    """Not in its text, which may stand in an error or a log."""
    plan = plan_of(2)

    assert str(plan.secret) not in repr(plan)
    assert "secret" not in repr(plan)


def test_plans_have_ids_and_secrets_of_their_own() -> None:
    """A plan that names neither has both at random."""
    one, other = (MatchPlan(GAME.name, ("a", "b")) for _ in range(2))

    assert one.match != other.match
    assert one.secret != other.secret


def test_bad_settings_are_refused_when_the_header_is_made() -> None:
    """Seat counts, settings and values that do not fit are named."""
    with pytest.raises(BadSetting, match="1 to 5 seats"):
        MatchPlan(GAME.name, ("a",) * 6).header(GAME)
    with pytest.raises(UnknownName, match="rivals"):
        MatchPlan(GAME.name, ("a",), variant={"rivals": "yes"}).header(GAME)
    with pytest.raises(UnknownName, match="maybe"):
        MatchPlan(GAME.name, ("a",), variant={"rival": "maybe"}).header(GAME)


def test_an_answer_that_arrived_in_time_counts_even_if_it_is_handed_in_later() -> None:
    """The stamp of arrival decides, not the moment of processing; and time in the record never runs back."""
    match = started(players=2)
    match.drain()
    match.answer(0, 1, 0, 4 * SECOND)
    match.answer(1, 1, 0, 3 * SECOND)
    (step,) = steps(match.drain())

    assert step.spent == {0: 4 * SECOND, 1: 3 * SECOND}
    assert step.at == 4 * SECOND


def test_the_late_answer_of_one_seat_lets_the_deadlines_of_others_pass() -> None:
    """Time is one: an answer long after everybody's deadline finds everybody late."""
    match = started(players=2, clock=TimeControl.parse("10s/5s"))
    match.drain()

    assert match.answer(1, 1, 0, 60 * SECOND) == Verdict.STALE
    outputs = match.drain()
    assert [(fault.seat, fault.kind) for fault in faults(outputs)] == [(0, FaultKind.LATE), (1, FaultKind.LATE)]
    assert finals(outputs) == []


def test_a_seat_that_does_not_listen_is_told_no_events() -> None:
    """Neither with an ask nor at the end; the others are."""
    match = started(players=2)
    match.listen(0, wanted=False)
    told: dict[int, int] = {0: 0, 1: 0}
    first = True
    while not match.over:
        for output in match.drain():
            if isinstance(output, Asked):
                if not first:
                    told[output.seat] += len(output.events)
                match.answer(output.seat, output.ask, 0, match.last + 1)
            elif isinstance(output, Told):
                told[output.seat] += len(output.events)
        first = False

    assert told[0] == 0
    assert told[1] > 0
