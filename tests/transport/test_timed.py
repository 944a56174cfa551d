"""Asks whose answers are timed, at a whole referee and on the streams of two bots (E-6.9)."""

from __future__ import annotations

from pathlib import Path

from ladder.config.offers import every_table
from referee.games.edo_yashiki import GAME
from referee.match import files
from referee.match.clock import TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.match.replay import replay
from referee.match.verify import verify
from tests.transport.house import GoodBot, House, socket_in

REFLEX = every_table(["edo_yashiki"], seats=[2], variant={"draft": "reflex"}, clock=TimeControl.parse("60s"))


def test_a_reflex_draft_is_played_over_grpc_and_verifies(tmp_path: Path) -> None:
    """The referee times the rankings of both bots, the record holds the buckets, and it verifies (E-6.9, E-6.11)."""
    journal = files.Journal(tmp_path)
    with (
        House(socket_in(tmp_path), wanted=REFLEX, matches=1, recorder=journal) as house,
        GoodBot(house.address, "ann") as ann,
        GoodBot(house.address, "bob") as bob,
    ):
        ann.finish()
        bob.finish()
        house.join()
    journal.close()
    record = files.read(journal.path(ann.overs[0].match_id))
    *_, last = replay(record)
    timed = [step.arrivals for step in record.steps if step.arrivals]

    verify(record)
    assert [tuple(arrivals[seat] for seat in range(2)) for arrivals in timed] == [
        draft.arrivals for draft in last.state.drafts
    ]
    assert len(timed) == last.state.round


def test_the_asks_of_all_seats_are_put_out_together() -> None:
    """One call of the match puts out every seat's ask, so that all leave in one turn of the loop (E-6.9)."""
    match = Match(GAME, MatchPlan("edo_yashiki", ("a", "b", "c"), variant={"draft": "reflex"}))
    match.begin(0)
    match.drain()
    match.ready(0, 0)
    match.ready(1, 0)
    before = match.drain()
    match.ready(2, 5)
    asked = [output for output in match.drain() if isinstance(output, Asked)]

    assert before == []
    assert [(ask.seat, ask.kind, ask.at) for ask in asked] == [(seat, "rank_cards", 5) for seat in range(3)]
