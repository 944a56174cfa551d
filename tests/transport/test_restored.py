"""Matches of an earlier run: from the first moment their seats are their bots', and lost ones stay lost."""

from __future__ import annotations

import pytest
import trio

from referee.kernel import registry
from referee.match.clock import TimeControl
from referee.match.match import Match
from referee.match.outputs import Stepped
from referee.match.plan import MatchPlan
from referee.match.playtime import PlayTime
from referee.match.record import Record
from referee.transport.connections import Connections
from referee.transport.lobby import Lobby, Unfinished
from referee.transport.resume import hashed
from referee.transport.server import Unrecorded
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb

SECRET = bytes(32)
TOKENS = {"ann": "token-of-ann", "bob": "token-of-bob"}


def unfinished(faults: int = 0) -> Unfinished:
    """A match that stopped after its first step, in which ann had given so many illegal answers."""
    game = registry.game("edo_yashiki")
    match = Match(game, MatchPlan(game.name, ("ann", "bob"), "m1", SECRET, clock=TimeControl.parse("60s/30s")))
    match.begin(0)
    match.ready(0, 0)
    match.ready(1, 0)
    for _ in range(faults):
        match.answer(0, 1, 999, 0)
    match.answer(0, 1, 0, 0)
    match.answer(1, 1, 0, 0)
    steps = tuple(output.step for output in match.drain() if isinstance(output, Stepped))
    return Unfinished(Record(match.terms, steps, None), SECRET)


def greeted(connections: Connections, name: str, token: str = "") -> tuple[BotStream, pb.PlayResponse]:
    """A stream that has said hello, and what it was sent."""
    stream = connections.open("", 1, lambda: None)
    hello = pb.Hello(protocol_version=1, name=name, resume_token=token)
    connections.receive(stream, pb.PlayRequest(hello=hello).SerializeToString(), 1)
    return stream, read(stream)


def read(stream: BotStream) -> pb.PlayResponse:
    """All that waits to be sent."""
    whole = pb.PlayResponse()
    while (data := stream.take(1)) is not None:
        whole.MergeFromString(data)
    return whole


def hall_with(match: Unfinished) -> Connections:
    """Connections that go on with a match, before its lobby has had its first turn."""
    both: list[Connections] = []

    async def main() -> None:
        connections = Connections(PlayTime(lambda: 1))
        Lobby(connections, Unrecorded()).restore(match, {name: hashed(token) for name, token in TOKENS.items()})
        both.append(connections)

    trio.run(main)
    return both[0]


def test_a_seat_of_a_restored_match_is_its_bots_from_the_first_moment() -> None:
    """Nobody else can take the name, and the bot itself is asked at once."""
    connections = hall_with(unfinished())

    _, stranger = greeted(connections, "ann")
    _, ann = greeted(connections, "ann", TOKENS["ann"])

    assert [fault.code for fault in stranger.faults] == [pb.FAULT_CODE_NAME_TAKEN]
    assert ann.welcome.resumed
    assert [(seated.match_id, seated.seat, seated.is_ready) for seated in ann.seated] == [("m1", 0, True)]
    assert [(ask.match_id, ask.ask) for ask in ann.asks] == [("m1", 2)]


@pytest.mark.parametrize(("before", "after"), [(3, 1), (4, 0)])
def test_a_seat_that_is_lost_after_a_restart_or_was_lost_before_is_told_so(before: int, after: int) -> None:
    """Three faults are forgiven in a match, not in each run of the referee."""
    connections = hall_with(unfinished(before))
    stream, first = greeted(connections, "ann", TOKENS["ann"])
    for ask in first.asks:
        answers = [pb.Answer(match_id="m1", ask=ask.ask, option=999)] * after
        connections.receive(stream, pb.PlayRequest(answers=answers).SerializeToString(), 1)
    rest = read(stream)

    codes = [fault.code for fault in (*first.faults, *rest.faults)]
    assert codes == [pb.FAULT_CODE_ILLEGAL] * after + [pb.FAULT_CODE_FORFEITED]
    assert len(first.asks) == after
