"""Play time: standstills are taken off, it never goes back, and a stopped one stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.match.clock import SECOND, TimeControl
from referee.match.outputs import Asked
from referee.match.playtime import STRETCH, PlayTime
from tests.match.tables import asks, started, steps


class Raw:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.at = 5 * SECOND

    def __call__(self) -> int:
        return self.at


def test_a_stretch_counts_up_to_its_allowance() -> None:
    """A loop that is prompt loses no time; one that stands still for three seconds loses all but the allowance."""
    raw = Raw()
    time = PlayTime(raw, STRETCH)
    begin = time()
    for _ in range(100):
        raw.at += STRETCH
        time.turn()
    prompt = time() - begin
    raw.at += 3 * SECOND
    inside = time() - begin
    time.turn()

    assert prompt == 100 * STRETCH
    assert inside == time() - begin == 101 * STRETCH
    assert time.lost == 3 * SECOND - STRETCH
    assert time.stood == time()


def test_a_stopped_time_goes_on_where_it_stood() -> None:
    """However long it stood, and however often the loop turned meanwhile; stopping twice is stopping once."""
    raw = Raw()
    time = PlayTime(raw, STRETCH)
    time.stop()
    at = time()
    for _ in range(10):
        raw.at += SECOND
        time.turn()
        time.stop()
    stopped = time()
    time.go()
    raw.at += 7

    assert (stopped, time()) == (at, at + 7)


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), st.integers(0, 3 * SECOND)),
        st.tuples(st.sampled_from(["turn", "stop", "go", "read"]), st.just(0)),
    ),
    max_size=60,
)


@given(MOVES)
def test_play_time_never_goes_back_and_never_outruns_the_clock(moves: list[tuple[str, int]]) -> None:
    """Whatever happens in whatever order: no step back, no step longer than real time, none above a stretch a turn."""
    raw = Raw()
    time = PlayTime(raw, STRETCH)
    last, since, turns = time(), raw.at, 1
    first = last
    for move, span in moves:
        raw.at += span
        if move != "pass" and move != "read":
            getattr(time, move)()
            turns += 1
        at = time()

        assert last <= at <= last + (raw.at - since)
        last, since = at, raw.at
    assert last - first <= turns * STRETCH


@given(st.integers(1, 60 * SECOND), st.integers(0, 2 * SECOND - STRETCH), st.booleans())
def test_a_standstill_costs_a_seat_at_most_a_stretch(standstill: int, thought: int, in_the_turn: bool) -> None:
    """A bot thinks, the referee stands still, the answer lies in the socket: charged is the thinking and no more.

    The answer is stamped when the loop notices it, in the turn that stood still or in the one after it.
    """
    raw = Raw()
    time = PlayTime(raw, STRETCH)
    match = started(at=time(), players=1, clock=TimeControl.parse("60s/2s"))
    ask = next(output for output in asks(match.drain()).values() if isinstance(output, Asked))
    for part in range(0, thought, STRETCH):
        raw.at += min(STRETCH, thought - part)
        time.turn()
    raw.at += standstill
    if not in_the_turn:
        time.turn()
    match.tick(time())
    match.answer(0, ask.ask, 0, time())
    (step,) = steps(match.drain())

    assert not step.by
    assert thought <= step.spent[0] <= thought + STRETCH
