"""Playing: seats, asks, answers, and what comes back when something cannot be used. Virtual time, no wire."""

from __future__ import annotations

from referee.kernel.chance import commitment
from referee.match.policy import EndingKind
from referee.v1 import common_pb2 as common
from referee.v1 import play_pb2 as pb
from tests.transport.room import SECRET, Peer, Room, RoomTable, play_out


def pair(room: Room, clock: str = "none", **policy: int) -> tuple[Peer, Peer, RoomTable]:
    """Two bots with their first asks open and read."""
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.started(ann, bob, clock=clock, **policy)
    ann.read()
    bob.read()
    return ann, bob, table


def test_a_seat_is_offered_with_everything_that_is_fixed_before_the_match() -> None:
    """Seated carries game, seat, players, variant, clock, commitment, versions and what is forgiven."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.table("bob", "ann", clock="10s+100ms/5s", faults=2, start=7_000_000)

    (seated,) = ann.read().seated

    assert (seated.match_id, seated.game, seated.seat) == (table.id, "edo_yashiki", 1)
    assert list(seated.players) == ["bob", "ann"]
    assert dict(seated.variant) == {"rules": "standard", "draft": "sealed", "covering": "seen"}
    assert (seated.clock.bank_us, seated.clock.increment_us, seated.clock.cap_us) == (10_000_000, 100_000, 5_000_000)
    assert seated.clock.text == "10s+100ms/5s"
    assert (seated.tolerated_faults, seated.start_budget_us) == (2, 7_000_000)
    assert seated.commitment == commitment(SECRET, table.id)
    assert seated.rules_version >= 1
    assert len(seated.components_digest) == 64
    assert not seated.is_ready
    assert bob.read().seated[0].seat == 0


def test_nobody_is_asked_before_all_are_ready() -> None:
    """The first ready brings nothing, the last one brings asks to both in one go."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.table("ann", "bob")
    ann.read(), bob.read()

    ann.ready(table.id)
    early = ann.read()
    bob.ready(table.id)

    assert not early.asks
    assert [ask.ask for ask in ann.read().asks] == [1]
    assert [ask.ask for ask in bob.read().asks] == [1]


def test_an_ask_says_how_many_options_there_are_and_what_time_is_left() -> None:
    """A random bot needs the option count only; a careful one finds bank and budget."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.started(ann, bob, clock="10s+100ms/5s")

    (ask,) = ann.read().asks

    assert (ask.match_id, ask.ask, ask.seat, ask.kind) == (table.id, 1, 0, "rank_cards")
    assert ask.option_count == 2
    assert (ask.bank_us, ask.budget_us) == (10_100_000, 5_000_000)
    assert ask.WhichOneof("game") == "edo_yashiki"


def test_without_a_clock_an_ask_says_nothing_of_time() -> None:
    """Bank and budget are absent, which differs from zero."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    room.started(ann, bob)

    (ask,) = ann.read().asks

    assert not ask.HasField("bank_us")
    assert not ask.HasField("budget_us")


def test_a_match_is_played_to_its_end_and_its_secret_revealed() -> None:
    """Over carries result, endings and the secret that the commitment stands for."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.started(ann, bob)

    play_out(table, ann, bob)
    (over,) = ann.read().over

    assert commitment(over.secret, table.id) == table.match.terms.commitment
    result = table.end.result
    assert result is not None
    assert list(over.result.places) == list(result.places)
    assert list(over.result.points) == list(result.points)
    assert over.result.reason in ("deck", "target")
    assert [ending.kind for ending in over.endings] == [common.ENDING_KIND_FINISHED] * 2
    assert over.rated
    assert (over.seat, bob.read().over[0].seat) == (0, 1)
    assert not [message for message in ann.received if message.faults]


def test_one_message_may_hold_answers_for_many_tables() -> None:
    """A bundle is worked off as a whole, and the asks that follow come as one bundle too."""
    room = Room()
    ann, bob = room.bot("ann", tables=3), room.bot("bob", tables=3)
    tables = [room.started(ann, bob) for _ in range(3)]
    ann.read(), bob.read()

    ann.send(pb.PlayRequest(answers=[pb.Answer(match_id=table.id, ask=1) for table in tables]))
    bob.send(pb.PlayRequest(answers=[pb.Answer(match_id=table.id, ask=1) for table in tables]))
    ann.read()

    assert [ask.match_id for ask in ann.received[-1].asks] == [table.id for table in tables]


def test_a_repeated_answer_is_harmless() -> None:
    """The first answer counts; the second gets a notice that is no fault of the seat."""
    room = Room()
    ann, _, table = pair(room)

    ann.answer(table.id, 1, 0)
    ann.answer(table.id, 1, 1)
    fault = ann.fault()

    assert (fault.code, fault.ask, fault.counted) == (pb.FAULT_CODE_DUPLICATE, 1, False)
    assert not fault.closes_stream


def test_an_answer_to_an_earlier_ask_is_stale() -> None:
    """The notice says which ask is open."""
    room = Room()
    ann, bob, table = pair(room)
    ann.answer(table.id, 1)
    bob.answer(table.id, 1)
    ann.read()

    ann.answer(table.id, 1)
    fault = ann.fault()

    assert (fault.code, fault.counted) == (pb.FAULT_CODE_STALE, False)
    assert "ask 2 is open" in fault.message


def test_an_answer_to_an_ask_that_never_was_is_refused() -> None:
    """Answering ahead does not work."""
    room = Room()
    ann, _, table = pair(room)

    ann.answer(table.id, 2)
    fault = ann.fault()

    assert (fault.code, fault.counted) == (pb.FAULT_CODE_UNKNOWN_ASK, False)


def test_an_option_out_of_range_counts_and_the_ask_stays_open() -> None:
    """An illegal answer is a fault of the seat; a legal one is still welcome afterwards."""
    room = Room()
    ann, bob, table = pair(room)

    ann.answer(table.id, 1, 2)
    fault = ann.fault()
    ann.answer(table.id, 1, 1)
    bob.answer(table.id, 1)

    assert (fault.code, fault.counted, fault.ask) == (pb.FAULT_CODE_ILLEGAL, True, 1)
    assert "0 to 1" in fault.message
    assert table.steps[-1].answers == {0: 1, 1: 0}


def test_one_fault_too_many_forfeits_the_seat_and_its_bot_is_told() -> None:
    """After the tolerated faults the next one is followed by a notice that the seat is lost."""
    room = Room()
    ann, bob, table = pair(room, faults=1)

    ann.answer(table.id, 1, 99)
    ann.answer(table.id, 1, 99)
    codes = [fault.code for fault in ann.read().faults]
    play_out_alone(table, bob)

    assert codes == [pb.FAULT_CODE_ILLEGAL, pb.FAULT_CODE_ILLEGAL, pb.FAULT_CODE_FORFEITED]
    assert [ending.kind for ending in table.end.endings] == [EndingKind.FORFEITED, EndingKind.FINISHED]


def play_out_alone(table: RoomTable, peer: Peer) -> None:
    """Answer the first open ask, then play on."""
    peer.answer(table.id, 1)
    play_out(table, peer)


def test_a_match_that_is_not_the_bots_is_unknown_to_it() -> None:
    """Whether it exists elsewhere is not told."""
    room = Room()
    ann, _, _ = pair(room)
    cid, dan = room.bot("cid"), room.bot("dan")
    other = room.started(cid, dan)

    ann.answer(other.id, 1)
    theirs = ann.fault()
    ann.answer("f" * 32, 1)
    nobodys = ann.fault()

    assert theirs.code == nobodys.code == pb.FAULT_CODE_UNKNOWN_MATCH
    assert theirs.message.replace(other.id, "") == nobodys.message.replace("f" * 32, "")
    assert not theirs.counted
    assert not other.match.over


def test_a_bot_cannot_answer_for_another_seat() -> None:
    """An answer that names a seat of somebody else is refused, and that seat's ask stays open."""
    room = Room()
    ann, bob, table = pair(room)

    ann.answer(table.id, 1, seat=1)
    fault = ann.fault()
    bob.answer(table.id, 1, seat=1)

    assert (fault.code, fault.counted) == (pb.FAULT_CODE_NOT_YOUR_SEAT, False)
    assert "you have seat 0" in fault.message
    assert not bob.read().faults


def test_a_bot_with_two_seats_says_which_one_answers() -> None:
    """Without a seat its answer is refused; with one it counts."""
    room = Room()
    ann = room.bot("ann")
    table = room.table("ann", "ann")
    ann.read()
    ann.ready(table.id, seat=0)
    ann.ready(table.id, seat=1)
    ann.read()

    ann.answer(table.id, 1)
    fault = ann.fault()
    ann.answer(table.id, 1, seat=0)
    ann.answer(table.id, 1, 1, seat=1)

    assert fault.code == pb.FAULT_CODE_NOT_YOUR_SEAT
    assert table.steps[-1].answers == {0: 0, 1: 1}
    assert room.session("ann").tables == 1


def test_garbage_counts_where_an_answer_is_owed_and_the_stream_stays_up() -> None:
    """Bytes that are no message are a fault at the table that waits; the bot can still answer."""
    room = Room()
    ann, bob, table = pair(room)

    ann.send(b"\xff\xff\xff")
    codes = [(fault.code, fault.counted) for fault in ann.read().faults]
    ann.answer(table.id, 1)
    bob.answer(table.id, 1)

    assert codes == [(pb.FAULT_CODE_MALFORMED, True), (pb.FAULT_CODE_MALFORMED, False)]
    assert ann.stream.closing is None
    assert table.steps[-1].faults[0].message == "that is no PlayRequest of package referee.v1"


def test_garbage_counts_at_no_table_that_does_not_wait() -> None:
    """After its answer a seat owes nothing, so nothing is held against it."""
    room = Room()
    ann, _, table = pair(room)
    ann.answer(table.id, 1)

    ann.send(b"\xff\xff\xff")

    assert [fault.counted for fault in ann.read().faults] == [False]


def test_too_much_garbage_closes_the_stream() -> None:
    """Whoever sends nothing readable has to come back on a new stream."""
    room = Room(unreadable=3)
    ann = room.bot("ann")

    for _ in range(3):
        ann.send(b"\xff")
    faults = ann.read().faults

    assert [fault.closes_stream for fault in faults] == [False, False, True]
    assert faults[-1].code == pb.FAULT_CODE_MALFORMED


def test_a_message_that_is_too_large_is_not_read() -> None:
    """It gets a typed fault with the limit in it, and the ask stays open."""
    room = Room(message_bytes=1000)
    ann, bob, table = pair(room)

    ann.answer(table.id, 1, note="x" * 1000)
    fault = ann.fault()
    ann.answer(table.id, 1)
    bob.answer(table.id, 1)

    assert fault.code == pb.FAULT_CODE_OVERSIZED
    assert "1000" in fault.message
    assert len(table.steps) == 2


def test_a_message_from_a_later_protocol_is_read_as_far_as_it_is_known() -> None:
    """Unknown fields are ignored: v1 may grow."""
    room = Room()
    ann, bob, table = pair(room)
    later = b"\xaa\x3e\x03abc"  # field 997, three bytes

    ann.send(pb.PlayRequest(answers=[pb.Answer(match_id=table.id, ask=1)]).SerializeToString() + later)
    bob.answer(table.id, 1)

    assert not ann.read().faults
    assert len(table.steps) == 2


def test_notes_are_recorded_up_to_their_limit() -> None:
    """A longer note is cut between characters, not refused."""
    room = Room(note_bytes=9)
    ann, bob, table = pair(room)

    ann.answer(table.id, 1, note="五五五五")
    bob.answer(table.id, 1, note="fine")

    assert table.steps[-1].notes == {0: "五五五", 1: "fine"}


def test_a_late_answer_is_played_by_the_stand_in_and_the_bot_is_told() -> None:
    """Past its time the seat gets a counted fault, and its own answer is stale."""
    room = Room()
    ann, bob, table = pair(room, clock="1s", lag_per_decision=0)
    bob.answer(table.id, 1)

    room.wait(1.001)
    codes = [fault.code for fault in ann.read().faults]
    ann.answer(table.id, 1)

    assert codes == [pb.FAULT_CODE_LATE]
    assert table.steps[-1].by == {0: "stand-in"}
    assert [fault.code for fault in ann.read().faults][:1] == [pb.FAULT_CODE_STALE]


def test_a_bot_that_is_never_ready_loses_its_seat_only() -> None:
    """The other one plays against a stand-in."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.table("ann", "bob", start=2_000_000)
    ann.read(), bob.read()

    bob.ready(table.id)
    room.wait(2)
    codes = [fault.code for fault in ann.read().faults]
    play_out(table, bob)

    assert codes == [pb.FAULT_CODE_LATE, pb.FAULT_CODE_FORFEITED]
    assert [ending.kind for ending in table.end.endings] == [EndingKind.NEVER_READY, EndingKind.FINISHED]


def test_what_a_message_waited_inside_the_referee_is_not_charged() -> None:
    """Neither an ask that waits to be sent nor an answer that waits to be read uses the bot's time."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.started(ann, bob, clock="10s")
    bob.read()

    room.wait(0.030)
    ann.read()
    room.wait(0.200)
    ann.answer(table.id, 1, queued=50_000)
    bob.answer(table.id, 1)
    (ask,) = ann.read().asks

    assert (ask.charged_us, ask.queued_us) == (150_000, 80_000)
    assert ask.bank_us == 10_000_000 - 150_000


def test_the_measured_round_trip_is_forgiven() -> None:
    """The shortest round trip of the pings is given back on each answer."""
    room = Room()
    ann, bob = room.stream(), room.bot("bob")
    ann.hello("ann")
    for delay in (0.050, 0.020, 0.090):
        ping = ann.read().ping
        room.wait(delay)
        ann.pong(ping)
    table = room.started(ann, bob, clock="10s")
    ann.read(), bob.read()

    room.wait(0.500)
    ann.answer(table.id, 1)
    bob.answer(table.id, 1)
    (ask,) = ann.read().asks

    assert (ask.charged_us, ask.network_us) == (480_000, 20_000)


def test_events_come_only_to_those_who_want_them() -> None:
    """Who did not ask for events in its hello gets the view alone."""
    room = Room()
    ann, bob = room.bot("ann", events=True), room.bot("bob")
    table = room.started(ann, bob)
    ann.read(), bob.read()

    ann.answer(table.id, 1)
    bob.answer(table.id, 1)
    (told,), (untold,) = ann.read().asks, bob.read().asks

    assert {event.verb for event in told.events} >= {common.VERB_ORDER, common.VERB_CHOSE}
    assert not untold.events


def test_the_last_events_come_before_the_end() -> None:
    """What happened in the last step is told without an ask."""
    room = Room()
    ann, bob = room.bot("ann", events=True), room.bot("bob")
    table = room.started(ann, bob)

    play_out(table, ann, bob)
    message = ann.read()

    assert [told.match_id for told in message.told] == [table.id]
    assert message.told[0].events
    assert not bob.read().told


def test_events_keep_numbers_and_names_apart() -> None:
    """Items that are all numbers travel as numbers, others as words."""
    room = Room()
    ann, bob = room.bot("ann", events=True), room.bot("bob")
    table = room.started(ann, bob)
    play_out(table, ann, bob)
    ann.read()
    events = [event for message in ann.received for ask in message.asks for event in ask.events]

    order = next(event for event in events if event.verb == common.VERB_ORDER)
    reach = next(event for event in events if event.verb == common.VERB_CHOSE)

    assert sorted(order.numbers) == [0, 1]
    assert not order.words
    assert not reach.numbers
    assert reach.words


def test_a_bot_says_how_many_tables_it_wants() -> None:
    """Room is what it wants less what it plays; availability changes it and wakes the lobby."""
    room = Room(tables=5)
    ann = room.bot("ann", tables=3)
    room.bot("bob", tables=2)
    greedy = room.bot("cid", tables=1000)
    session = room.session("ann")
    room.table("ann", "bob")
    before = room.changes

    assert session.room == 2
    assert room.session("cid").room == 5

    ann.send(pb.PlayRequest(availability=pb.Availability(tables=0)))
    greedy.close()

    assert session.room == 0
    assert not session.present
    assert room.changes > before
    assert room.session("cid").room == 0


def test_nothing_that_a_bot_sends_is_sent_back_at_length() -> None:
    """A long match id in a useless answer does not come back in full."""
    room = Room()
    ann = room.bot("ann")

    ann.answer("x" * 10_000, 1)

    assert ann.fault().ByteSize() < 400
