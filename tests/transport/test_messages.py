"""Asks on the wire: what is written by hand is what protobuf would write."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.kernel import registry
from referee.kernel.chance import Fast
from referee.kernel.game import Event, Verb
from referee.match.clock import AnswerTiming
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.transport.messages import Asker, fill_events
from referee.v1 import play_pb2 as pb

EDO = registry.game("edo_yashiki")
AGREED = MatchPlan(EDO.name, ("a",) * 5, "m" * 32, bytes(32)).header(EDO)
STATE = EDO.start(5, {"rules": "standard", "draft": "sealed", "covering": "seen"}, Fast(1))
TIMES = st.integers(0, 1 << 40)
TOLD = (Event(Verb.PHASE, -1, "round", (1,)), Event(Verb.GAINED, 0, "card", ("E01",), 2))


@given(
    seat=st.integers(0, 4),
    ask=st.integers(1, 1 << 20),
    limits=st.none() | st.tuples(TIMES, TIMES),
    timing=st.none() | st.builds(AnswerTiming, TIMES, TIMES, TIMES),
    events=st.sampled_from([(), TOLD]),
)
def test_an_ask_is_what_protobuf_would_write(
    seat: int, ask: int, limits: tuple[int, int] | None, timing: AnswerTiming | None, events: tuple[Event, ...]
) -> None:
    """Whoever is asked, with a clock or without, after an answer or before the first: as many bytes, and the same."""
    options, view = EDO.options(STATE, seat), EDO.view(STATE, seat)
    left, budget = limits or (None, None)
    expected = pb.PlayResponse()
    message = expected.asks.add(match_id="m" * 32, ask=ask, seat=seat, option_count=len(options), kind="rank_cards")
    if limits is not None:
        message.bank_us, message.budget_us = limits
    if timing is not None:
        message.charged_us, message.network_us, message.queued_us = timing
    fill_events(message.events, events)

    written = Asker(AGREED)(Asked(seat, ask, "rank_cards", options, view, events, left, None, budget, timing, 0))
    told = pb.PlayResponse.FromString(written)
    message.edo_yashiki.CopyFrom(told.asks[0].edo_yashiki)

    assert told == expected
    assert told.asks[0].edo_yashiki.view.seat == seat
    assert len(written) == expected.ByteSize()
