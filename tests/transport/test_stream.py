"""One stream: bundles, bounds, rate, pings."""

from __future__ import annotations

import pytest

from referee.match.clock import SECOND
from referee.transport.limits import Bucket, Limits
from referee.transport.share import CROWD, LONGEST
from referee.transport.stream import PINGS_AT_ONCE, UNCONFIRMED, BotStream, RoundTrip
from referee.v1 import play_pb2 as pb
from tests.transport.room import Room, play_out


def new_stream(wake: list[int] | None = None, **limits: int) -> BotStream:
    """A stream at time 0 that counts how often it wakes its writer."""
    woken = [] if wake is None else wake
    return BotStream(Limits(**limits), "", 0, lambda: woken.append(1))


def taken(stream: BotStream, at: int = 0) -> pb.PlayResponse:
    """The message that waits to be sent."""
    data = stream.take(at)
    assert data is not None
    return pb.PlayResponse.FromString(data)


def test_what_is_due_at_once_travels_in_one_message() -> None:
    """The writer is woken once and takes everything."""
    woken: list[int] = []
    stream = new_stream(woken)

    for number in range(3):
        stream.fault(pb.FAULT_CODE_STALE, "", ask=number)
    message = taken(stream)

    assert [fault.ask for fault in message.faults] == [0, 1, 2]
    assert stream.take(0) is None
    assert len(woken) == 1


def test_a_bundle_has_a_limit() -> None:
    """More things than that are sent in several messages, in order."""
    stream = new_stream(bundle=2)

    for number in range(5):
        stream.fault(pb.FAULT_CODE_STALE, "", ask=number)
    bundles = []
    while (data := stream.take(0)) is not None:
        bundles.append([fault.ask for fault in pb.PlayResponse.FromString(data).faults])

    assert bundles == [[0, 1], [2, 3], [4]]


def test_a_bot_that_does_not_read_is_cut_off() -> None:
    """When too much waits, all of it is dropped and the stream ends with its reason."""
    stream = new_stream(outbox=10)

    for _ in range(11):
        stream.fault(pb.FAULT_CODE_STALE, "")
    message = taken(stream)
    stream.fault(pb.FAULT_CODE_STALE, "")

    assert [fault.code for fault in message.faults] == [pb.FAULT_CODE_BACKLOG]
    assert stream.closing is not None
    assert stream.closing.closes_stream
    assert stream.take(0) is None


def test_what_was_due_before_the_end_is_still_sent() -> None:
    """Closing does not swallow the result that was on its way."""
    stream = new_stream()

    stream.bundle().over.add(match_id="m")
    stream.close(pb.FAULT_CODE_SHUTDOWN, "the end")
    message = taken(stream)

    assert [over.match_id for over in message.over] == ["m"]
    assert [fault.code for fault in message.faults] == [pb.FAULT_CODE_SHUTDOWN]


def test_only_the_first_reason_for_closing_counts() -> None:
    """A stream ends once."""
    stream = new_stream()

    stream.close(pb.FAULT_CODE_RATE, "first")
    stream.close(pb.FAULT_CODE_SHUTDOWN, "second")

    assert stream.closing is not None
    assert stream.closing.message == "first"


def test_asks_and_other_things_share_a_message() -> None:
    """Serialised asks are joined to the rest of the bundle, and who asked is told when it was taken."""

    class Who:
        sent_at = 0

        def handed(self, at: int) -> None:
            self.sent_at = at

    who = Who()
    stream = new_stream()
    ask = pb.PlayResponse(asks=[pb.Ask(match_id="m", ask=7)]).SerializeToString()

    stream.ask(ask, who)
    stream.bundle().seated.add(match_id="n")
    message = taken(stream, 55)

    assert [(ask.match_id, ask.ask) for ask in message.asks] == [("m", 7)]
    assert [seated.match_id for seated in message.seated] == ["n"]
    assert who.sent_at == 55


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    """Two at once, then one for each half second."""
    bucket = Bucket(2, 2, at=0)

    taken = [bucket.take(at) for at in (0, 0, 0, SECOND // 4, SECOND // 2, SECOND // 2, 10 * SECOND)]

    assert taken == [True, True, False, False, True, False, True]


def test_a_bucket_runs_over_at_its_burst() -> None:
    """What comes in beyond that is lost, whether it was given or time has passed."""
    bucket = Bucket(1, 2, at=0)
    bucket.give(100)

    taken = [bucket.take(1000 * SECOND) for _ in range(4)]

    assert taken == [True, True, False, False]


def test_a_flood_is_cut_off() -> None:
    """Beyond the burst the stream is closed with the limits in the message; what follows is not even read."""
    room = Room(message_burst=50, messages_per_second=1)
    ann = room.bot("ann")

    for _ in range(1000):
        ann.send(pb.PlayRequest())
    fault = ann.fault()

    assert fault.code == pb.FAULT_CODE_RATE
    assert "50 at once" in fault.message


def test_useless_answers_count_like_messages() -> None:
    """A flood within one message is a flood too, and what comes back stays bounded."""
    room = Room(message_burst=50, messages_per_second=1)
    ann = room.bot("ann")

    ann.send(pb.PlayRequest(answers=[pb.Answer(match_id="m")] * 500))
    faults = ann.read().faults

    assert len(faults) <= 51
    assert faults[-1].code == pb.FAULT_CODE_RATE


def test_whoever_only_answers_is_never_too_fast() -> None:
    """A whole match in no time at all, with a limit of hardly any message besides."""
    room = Room(message_burst=20, messages_per_second=1)
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.started(ann, bob)

    play_out(table, ann, bob)

    assert table.end.result is not None
    assert not [message for message in ann.received if message.faults]


def test_the_shortest_of_the_last_round_trips_counts() -> None:
    """Delays add to a round trip and never shorten it, so the least is the network's; old samples are forgotten."""
    trip = RoundTrip(kept=3)

    seen = []
    for sample in (50, 20, 70, 80, 90):
        trip.add(sample)
        seen.append(trip.best)

    assert seen == [50, 20, 20, 20, 70]


def test_pings_follow_each_other_at_first_and_then_at_their_interval() -> None:
    """Four round trips are measured at once, so that the first match finds them; then one every five seconds."""
    room = Room()
    ann = room.stream()
    ann.hello("ann")

    pings = 0
    while (message := ann.read()).HasField("ping"):
        pings += 1
        room.wait(0.01)
        ann.pong(message.ping)
    room.wait(4)
    early = ann.read()
    room.wait(1)
    later = ann.read()

    assert pings == 4
    assert not early.HasField("ping")
    assert later.ping.round_trip_us == 10_000


def test_while_a_crowd_arrives_no_further_round_trips_are_measured() -> None:
    """Its pings and pongs would keep the streams waiting that are still to be opened; they follow when all are in."""
    room = Room()
    crowd = [room.stream() for _ in range(CROWD)]
    ann = crowd[0]
    ann.hello("ann")
    ann.pong(ann.read().ping)
    during = ann.read()
    room.wait(LONGEST / SECOND)

    pings = 0
    while (message := ann.read()).HasField("ping"):
        pings += 1
        ann.pong(message.ping)

    assert not during.HasField("ping")
    assert pings == PINGS_AT_ONCE - 1


@pytest.mark.parametrize("wrong", [0, 1 << 63])
def test_a_pong_that_returns_no_ping_is_passed_over(wrong: int) -> None:
    """An invented nonce measures nothing."""
    room = Room()
    ann = room.stream()
    ann.hello("ann")
    ann.read()

    ann.send(pb.PlayRequest(pong=pb.Pong(nonce=wrong)))

    assert len(ann.stream.round_trip) == 0


def test_a_round_trip_begins_when_the_ping_is_handed_to_grpc() -> None:
    """What a ping waits in the outbox is not the network's."""
    room = Room()
    ann = room.stream()
    ann.hello("ann")

    room.wait(0.3)
    ping = ann.read().ping
    room.wait(0.004)
    ann.pong(ping)

    assert ann.stream.round_trip.best == 4_000


def test_a_stream_that_falls_silent_is_closed() -> None:
    """Without any message for the time of silence the stream ends; each message puts it off."""
    room = Room()
    ann = room.bot("ann")

    room.wait(59)
    ann.send(pb.PlayRequest())
    room.wait(59)
    alive = ann.stream.closing is None
    room.wait(1)

    assert alive
    assert ann.read().faults[-1].code == pb.FAULT_CODE_SILENT


def test_ends_that_are_never_confirmed_are_bounded() -> None:
    """A bot that reads and never returns a ping costs no more memory with every match; the newest ends are kept."""
    stream = new_stream()
    for number in range(UNCONFIRMED + 10):
        stream.over(pb.Over(match_id=str(number)))
        stream.take(number)

    assert [over.match_id for over in stream.unconfirmed] == [str(number) for number in range(10, UNCONFIRMED + 10)]


def test_a_late_pong_confirms_only_ends_that_were_sent_before_its_ping() -> None:
    """Also where ends from before the ping were dropped meanwhile: what came after the ping stays unconfirmed."""
    stream = new_stream()
    stream.over(pb.Over(match_id="first"))
    nonce = taken(stream).ping.nonce
    for number in range(UNCONFIRMED):
        stream.over(pb.Over(match_id=str(number)))
        stream.take(number + 1)

    assert stream.pong(nonce, SECOND) == []
    assert len(stream.unconfirmed) == UNCONFIRMED
