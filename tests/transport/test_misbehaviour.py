"""Bots that misbehave, over real gRPC: typed faults, at worst their own seat, and another match that does not notice.

Two tables run at one referee: the bad bot and its opponent draft sealed, two witnesses draft in turn, match after
match. The witnesses must not meet a single fault, whatever happens at the other table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest

from ladder.config.offers import every_table
from referee.match.clock import TimeControl
from referee.match.policy import Ending, EndingKind, Owner, Policy
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.limits import Limits
from referee.v1 import play_pb2 as pb
from tests.transport.house import GoodBot, House, Wire, reply, socket_in

SEALED, IN_TURN = ("sealed",), ("turn_order",)


def only(draft: tuple[str, ...]) -> list[pb.Offer]:
    """An offer for one sort of table."""
    setting = pb.AcceptedSetting(name="draft", values=draft)
    return [pb.Offer(game="edo_yashiki", settings=[setting])]


class Scene:
    """The referee, and how matches at it ended."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._finals: dict[tuple[str, ...], list[tuple[Terms, Final]]] = {}

    def bad(self) -> Wire:
        """The bad bot's stream."""
        wire = Wire(self.house.address)
        wire.hello("bad", offers=only(SEALED))
        return wire

    def asked(self, wire: Wire) -> pb.Ask:
        """The bad bot's first question, its seat taken."""
        seated = wire.until(lambda message: message.seated)
        wire.send(reply(seated))
        return wire.until(lambda message: message.asks).asks[0]

    def final(self, *players: str) -> tuple[Terms, Final]:
        """How the first match between these players ended."""
        while players not in self._finals:
            terms, final = self.house.final()
            self._finals.setdefault(tuple(sorted(terms.players)), []).append((terms, final))
        return self._finals[players][0]

    def ending(self) -> Ending:
        """The bad bot's ending; the good one must have finished without a fault."""
        terms, final = self.final("bad", "good")
        mine, others = final.endings[terms.players.index("bad")], final.endings[terms.players.index("good")]
        assert (others.kind, others.faults) == (EndingKind.FINISHED, 0)
        return mine

    def check_witnesses(self) -> None:
        """At least one match of theirs is over, and none has met a fault."""
        self.final("w1", "w2")
        for _, final in self._finals["w1", "w2"]:
            assert [(ending.kind, ending.faults) for ending in final.endings] == [(EndingKind.FINISHED, 0)] * 2


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """Two tables at once; the witnesses play while the test does what it does."""
    clock, hasty = TimeControl.parse("60s/3s"), Policy(faults=1)
    wanted = (
        *every_table(["edo_yashiki"], seats=[2], variant={"draft": "sealed"}, clock=clock, policy=hasty),
        *every_table(["edo_yashiki"], seats=[2], variant={"draft": "turn_order"}, clock=TimeControl.parse("60s")),
    )
    with House(socket_in(tmp_path), wanted=wanted, limits=Limits(message_bytes=4096)) as house, ExitStack() as stack:
        drafts = {"good": SEALED, "w1": IN_TURN, "w2": IN_TURN}
        bots = [stack.enter_context(GoodBot(house.address, name, offers=only(drafts[name]))) for name in drafts]
        scene = Scene(house)
        yield scene
        scene.check_witnesses()
        house.stop()
        for bot in bots:
            bot.finish()

    for bot in bots:
        assert {fault.code for fault in bot.faults} == {pb.FAULT_CODE_SHUTDOWN}


def summary(ending: Ending) -> tuple[EndingKind, int]:
    """How a seat ended and with how many faults."""
    return ending.kind, ending.faults


FORFEITED = (EndingKind.FORFEITED, 2)
FINISHED = (EndingKind.FINISHED, 0)


def play_on(wire: Wire, ask: pb.Ask) -> pb.Over:
    """Answer this and everything else properly, to the end."""
    wire.send(reply(pb.PlayResponse(asks=[ask])))
    while (message := wire.read()) is not None:
        if message.over:
            return message.over[0]
        wire.send(reply(message))
    raise AssertionError("the stream ended before the match")


def test_a_bot_that_sends_garbage_loses_its_own_seat(scene: Scene) -> None:
    """Each unreadable message is a typed, counted fault; past the budget the seat is forfeited."""
    with scene.bad() as wire:
        scene.asked(wire)
        for _ in range(2):
            wire.send(b"\xff\xfe garbage")
        fault = wire.fault(pb.FAULT_CODE_MALFORMED)
        wire.fault(pb.FAULT_CODE_FORFEITED)

        assert fault.counted
        assert summary(scene.ending()) == FORFEITED


def test_a_bot_that_floods_is_cut_off(scene: Scene) -> None:
    """The stream ends with the reason in it and in its status; the seat is lost by the clock."""
    with scene.bad() as wire:
        scene.asked(wire)
        for _ in range(2000):
            wire.send(pb.PlayRequest(availability=pb.Availability(tables=1)))
        fault = wire.fault(pb.FAULT_CODE_RATE)

        assert fault.closes_stream
        assert wire.status() == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert summary(scene.ending()) == FORFEITED


def test_a_bot_that_answers_twice_harms_nobody(scene: Scene) -> None:
    """The second answer gets a notice and does not count."""
    with scene.bad() as wire:
        ask = scene.asked(wire)
        wire.send(pb.PlayRequest(answers=[pb.Answer(match_id=ask.match_id, ask=ask.ask, option=1)] * 2))
        message = wire.until(lambda message: message.faults)
        codes = [fault.code for fault in message.faults]
        following = message.asks[0] if message.asks else wire.until(lambda message: message.asks).asks[0]
        play_on(wire, following)

        assert codes in ([pb.FAULT_CODE_DUPLICATE], [pb.FAULT_CODE_STALE])
        assert summary(scene.ending()) == FINISHED


def test_a_bot_that_answers_for_another_match_is_told_that_it_has_none(scene: Scene) -> None:
    """Another match is out of reach, whether it exists or not."""
    with scene.bad() as wire:
        ask = scene.asked(wire)
        wire.send(pb.PlayRequest(answers=[pb.Answer(match_id="0" * 32, ask=1)]))
        fault = wire.fault(pb.FAULT_CODE_UNKNOWN_MATCH)
        play_on(wire, ask)

        assert not fault.counted
        assert summary(scene.ending()) == FINISHED


def test_a_bot_that_answers_for_another_seat_is_told_which_is_its_own(scene: Scene) -> None:
    """The opponent's question stays the opponent's."""
    with scene.bad() as wire:
        ask = scene.asked(wire)
        wire.send(pb.PlayRequest(answers=[pb.Answer(match_id=ask.match_id, ask=1, seat=1 - ask.seat)]))
        fault = wire.fault(pb.FAULT_CODE_NOT_YOUR_SEAT)
        play_on(wire, ask)

        assert not fault.counted
        assert summary(scene.ending()) == FINISHED


def test_a_bot_that_never_answers_is_played_by_a_stand_in(scene: Scene) -> None:
    """It is told each time, and then that its seat is lost; the match ends for its opponent as it should."""
    with scene.bad() as wire:
        scene.asked(wire)
        late = wire.fault(pb.FAULT_CODE_LATE)
        wire.fault(pb.FAULT_CODE_FORFEITED)
        over = wire.until(lambda message: message.over).over[0]

        assert late.counted
        assert over.result.places[over.seat] == 2
        assert summary(scene.ending()) == FORFEITED


def test_a_bot_whose_answers_are_illegal_loses_its_own_seat(scene: Scene) -> None:
    """It is told which options there are, twice, and then that its seat is lost."""
    with scene.bad() as wire:
        ask = scene.asked(wire)
        for _ in range(2):
            wire.send(pb.PlayRequest(answers=[pb.Answer(match_id=ask.match_id, ask=ask.ask, option=1 << 31)]))
        fault = wire.fault(pb.FAULT_CODE_ILLEGAL)
        wire.fault(pb.FAULT_CODE_FORFEITED)

        assert "0 to 1" in fault.message
        assert summary(scene.ending()) == FORFEITED


def test_a_message_that_is_too_large_is_refused_and_the_bot_plays_on(scene: Scene) -> None:
    """Above the referee's limit, below gRPC's: a typed fault in a stream that stays up."""
    with scene.bad() as wire:
        ask = scene.asked(wire)
        wire.send(pb.PlayRequest(answers=[pb.Answer(note="x" * 5000)]))
        fault = wire.fault(pb.FAULT_CODE_OVERSIZED)
        play_on(wire, ask)

        assert not fault.closes_stream
        assert summary(scene.ending()) == FINISHED


def test_a_message_that_is_far_too_large_breaks_its_own_stream(scene: Scene) -> None:
    """gRPC does not even read it; the bot comes back with its token and plays on."""
    with Wire(scene.house.address) as wire:
        token = wire.hello("bad", offers=only(SEALED)).resume_token
        scene.asked(wire)
        wire.send(b"x" * 100_000)
        status = wire.status()
    with Wire(scene.house.address) as again:
        welcome, ask = resume(again, token)
        play_on(again, ask)

        assert status == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert welcome.resumed
        assert summary(scene.ending()) == FINISHED


def resume(wire: Wire, token: str) -> tuple[pb.Welcome, pb.Ask]:
    """Come back; returns the welcome and the question that waits."""
    hello = pb.Hello(protocol_version=1, name="bad", offers=only(SEALED), resume_token=token)
    wire.send(pb.PlayRequest(hello=hello))
    message = wire.until(lambda message: message.HasField("welcome"))
    asks = message.asks or wire.until(lambda message: message.asks).asks
    return message.welcome, asks[0]


def test_a_bot_that_was_cut_off_continues_its_match(scene: Scene) -> None:
    """The connection breaks off in mid-match without a word; a new stream with the token plays on to the end."""
    with Wire(scene.house.address) as wire:
        token = wire.hello("bad", offers=only(SEALED)).resume_token
        ask = scene.asked(wire)
        for _ in range(5):
            wire.send(reply(pb.PlayResponse(asks=[ask])))
            ask = wire.until(lambda message: message.asks).asks[0]
    with Wire(scene.house.address) as again:
        welcome, owed = resume(again, token)
        over = play_on(again, owed)

        assert welcome.resumed
        assert (owed.match_id, owed.ask) == (ask.match_id, ask.ask)
        assert over.match_id == ask.match_id
        assert summary(scene.ending()) == FINISHED


def test_a_second_stream_takes_over_and_the_first_is_told_why(scene: Scene) -> None:
    """The old stream ends with a typed fault and status, the new one has the table."""
    with Wire(scene.house.address) as wire, Wire(scene.house.address) as again:
        token = wire.hello("bad", offers=only(SEALED)).resume_token
        scene.asked(wire)
        _, ask = resume(again, token)
        fault = wire.fault(pb.FAULT_CODE_TAKEN_OVER)
        play_on(again, ask)

        assert fault.closes_stream
        assert wire.status() == grpc.StatusCode.ABORTED
        assert summary(scene.ending()) == FINISHED


@pytest.mark.parametrize("leave", [Wire.close, lambda wire: wire.send(b"") or wire.close()], ids=["cut", "half"])
def test_a_bot_that_leaves_for_good_is_played_by_a_stand_in(scene: Scene, leave: Callable[[Wire], None]) -> None:
    """Its faults are the network's, and its opponent's match comes to its end."""
    wire = scene.bad()
    scene.asked(wire)

    leave(wire)

    assert summary(scene.ending()) == FORFEITED
    assert scene.ending().owner == Owner.NETWORK
