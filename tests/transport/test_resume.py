"""Leaving and coming back: resume tokens, takeover, and everything owed sent again."""

from __future__ import annotations

from referee.transport.auth import Tokens
from referee.transport.resume import KEPT, hashed
from referee.v1 import play_pb2 as pb
from tests.transport.room import Peer, Room, RoomTable, play_out


def welcomed(room: Room, name: str, token: str = "") -> tuple[Peer, str]:
    """A bot and its resume token."""
    peer = room.stream(token)
    peer.hello(name)
    return peer, peer.read().welcome.resume_token


def resumed(room: Room, name: str, token: str) -> tuple[Peer, pb.PlayResponse]:
    """A new stream with a resume token, and what it is sent."""
    peer = room.stream()
    peer.hello(name, resume_token=token)
    return peer, peer.read()


def interrupted(room: Room, clock: str = "none") -> tuple[RoomTable, Peer, str]:
    """A match in which it is the turn of both, one of them gone; returns the other and the token of the lost one."""
    ann, token = welcomed(room, "ann")
    bob, _ = welcomed(room, "bob")
    table = room.started(ann, bob, clock=clock)
    ann.read(), bob.read()
    ann.close()
    return table, bob, token


def test_a_bot_that_comes_back_gets_its_table_and_the_open_ask_again() -> None:
    """A process that remembers nothing but its token can play on: table, seat and question are sent anew."""
    room = Room()
    table, bob, token = interrupted(room)

    again, message = resumed(room, "ann", token)
    (seated,), (ask,) = message.seated, message.asks
    again.answer(table.id, ask.ask)
    bob.answer(table.id, 1)

    assert message.welcome.resumed
    assert (seated.match_id, seated.seat, seated.is_ready) == (table.id, 0, True)
    assert (ask.ask, ask.option_count) == (1, 2)
    assert len(table.steps) == 2
    assert [ask.ask for ask in again.read().asks] == [2]


def test_the_resume_token_stays_the_same() -> None:
    """A bot may break off and come back any number of times with the token of its first welcome."""
    room = Room()
    _, _, token = interrupted(room)

    first, message = resumed(room, "ann", token)
    first.close()
    _, later = resumed(room, "ann", message.welcome.resume_token)

    assert token == message.welcome.resume_token == later.welcome.resume_token


def test_the_clock_runs_on_while_a_bot_is_away() -> None:
    """Being disconnected wins no time."""
    room = Room()
    table, _, token = interrupted(room, clock="10s")

    room.wait(4)
    _, message = resumed(room, "ann", token)
    (ask,) = message.asks

    assert (ask.bank_us, ask.budget_us) == (6_000_000, 6_000_000)
    assert table.final is None


def test_a_table_that_was_not_ready_is_offered_again() -> None:
    """Who left before it was ready is asked for its ready once more."""
    room = Room()
    ann, token = welcomed(room, "ann")
    bob, _ = welcomed(room, "bob")
    table = room.table("ann", "bob")
    ann.close()

    again, message = resumed(room, "ann", token)
    again.ready(table.id)
    bob.ready(table.id)

    assert [(seated.match_id, seated.is_ready) for seated in message.seated] == [(table.id, False)]
    assert [ask.ask for ask in again.read().asks] == [1]


def test_a_new_stream_takes_over_and_the_old_one_is_told_why() -> None:
    """Two streams never play for one bot: the later one has the tables, the earlier one ends."""
    room = Room()
    ann, token = welcomed(room, "ann")
    bob, _ = welcomed(room, "bob")
    table = room.started(ann, bob)
    ann.read(), bob.read()

    again, message = resumed(room, "ann", token)
    fault = ann.fault()
    ann.answer(table.id, 1)
    again.answer(table.id, 1)
    bob.answer(table.id, 1)

    assert (fault.code, fault.closes_stream) == (pb.FAULT_CODE_TAKEN_OVER, True)
    assert [ask.ask for ask in message.asks] == [1]
    assert not again.read().faults
    assert len(table.steps) == 2


def test_the_end_of_the_old_stream_does_not_disturb_the_new_one() -> None:
    """When the stream that was taken over ends at last, nobody is gone."""
    room = Room()
    ann, token = welcomed(room, "ann")
    bob, _ = welcomed(room, "bob")
    room.started(ann, bob, clock="1s")

    again, _ = resumed(room, "ann", token)
    ann.close()

    assert room.session("ann").stream is again.stream
    assert room.session("ann").present


def test_the_end_of_a_match_waits_for_a_bot_that_is_away() -> None:
    """Over is owed like everything else."""
    room = Room()
    table, bob, token = interrupted(room, clock="1s")

    while table.final is None:
        for ask in bob.read().asks:
            bob.answer(table.id, ask.ask)
        room.wait(1.2)
    _, message = resumed(room, "ann", token)

    assert [over.match_id for over in message.over] == [table.id]
    assert not message.welcome.resumed
    assert not message.asks


def test_an_unknown_resume_token_is_refused() -> None:
    """A wrong token neither opens a session nor says anything about one."""
    room = Room()
    ann, _ = welcomed(room, "ann")
    _, bobs = welcomed(room, "bob")

    guess, invented = resumed(room, "ann", "guess")
    thief, stolen = resumed(room, "ann", bobs)

    assert [fault.code for fault in invented.faults] == [pb.FAULT_CODE_UNKNOWN_RESUME]
    assert [fault.code for fault in stolen.faults] == [pb.FAULT_CODE_UNKNOWN_RESUME]
    assert guess.stream.session is thief.stream.session is None
    assert ann.stream.closing is None


def test_with_a_token_of_its_own_a_bot_needs_no_resume_token() -> None:
    """Where tokens prove who a bot is, the same name and token take over: a restarted process just says hello."""
    room = Room(Tokens.of([("ann", "secret-a"), ("bob", "secret-b")]))
    ann, _ = welcomed(room, "ann", "secret-a")
    bob, _ = welcomed(room, "bob", "secret-b")
    table = room.started(ann, bob)
    ann.close()

    again = room.stream("secret-a")
    again.hello("ann")
    message = again.read()

    assert message.welcome.resumed
    assert [ask.match_id for ask in message.asks] == [table.id]


def test_a_stream_that_is_closing_is_taken_over_like_any_other() -> None:
    """A bot that was cut off for flooding resumes before its old stream has ended."""
    room = Room(message_burst=20, messages_per_second=1)
    ann, token = welcomed(room, "ann")
    bob, _ = welcomed(room, "bob")
    table = room.started(ann, bob)
    for _ in range(30):
        ann.send(pb.PlayRequest())

    again, message = resumed(room, "ann", token)
    ann.close()
    again.answer(table.id, 1)
    play_out(table, again, bob)

    assert ann.read().faults[-1].code == pb.FAULT_CODE_RATE
    assert [ask.ask for ask in message.asks] == [1]
    assert table.end.result is not None


def test_a_bot_cannot_come_and_go_all_the_time() -> None:
    """A reconnect storm is refused; the present stream is not touched by it."""
    room = Room(arrivals_per_minute=3)
    _, token = welcomed(room, "ann")

    arrivals = [resumed(room, "ann", token) for _ in range(4)]
    codes = [fault.code for _, message in arrivals for fault in message.faults]

    assert codes == [pb.FAULT_CODE_RATE, pb.FAULT_CODE_RATE]
    assert room.session("ann").stream is arrivals[1][0].stream


def test_an_end_that_may_not_have_been_read_is_sent_again() -> None:
    """The connection breaks just when a match is over: until a later ping came back, nobody knows what was read."""
    room = Room()
    ann, token = welcomed(room, "ann")
    bob, _ = welcomed(room, "bob")
    table = room.started(ann, bob)
    play_out(table, ann, bob)
    ann.read()
    ann.close()

    again, first = resumed(room, "ann", token)
    again.pong(first.ping)
    again.close()
    _, second = resumed(room, "ann", token)

    assert [over.match_id for over in first.over] == [table.id]
    assert not second.over


def test_a_bot_whose_seat_was_lost_while_it_was_away_is_told() -> None:
    """Otherwise it would wait for asks that never come."""
    room = Room()
    ann, token = welcomed(room, "ann")
    bob, _ = welcomed(room, "bob")
    table = room.started(ann, bob, clock="1s", faults=0)
    ann.close()
    bob.read()
    bob.answer(table.id, 1)

    room.wait(1.2)
    _, message = resumed(room, "ann", token)

    assert [(fault.code, fault.match_id) for fault in message.faults] == [(pb.FAULT_CODE_FORFEITED, table.id)]
    assert not message.asks


def restarted(hashes: str, remembered: dict[str, str], directory: Tokens | None = None) -> Room:
    """A room of a referee that knows ann by the hashes of her tokens, and notes what it would store."""
    room = Room(directory)
    room.connections._remember = remembered.__setitem__
    room.connections.recall("ann", hashes, room.now())
    return room


def test_a_restarted_referee_echoes_the_token_that_the_hello_brought() -> None:
    """It knows the hash alone, so it cannot say the token by itself; nothing has to be stored anew."""
    remembered: dict[str, str] = {}
    room = restarted(hashed("old"), remembered)

    first, message = resumed(room, "ann", "old")
    first.close()
    _, later = resumed(room, "ann", "old")

    assert message.welcome.resume_token == later.welcome.resume_token == "old"
    assert remembered == {"ann": hashed("old")}


def test_an_old_token_stays_good_until_a_new_one_is_used() -> None:
    """A bot that proved itself otherwise is told a new token, but may never have read that welcome."""
    remembered: dict[str, str] = {}
    room = restarted(hashed("old"), remembered, Tokens.of([("ann", "secret-a")]))

    _, new = welcomed(room, "ann", "secret-a")
    both = remembered["ann"]
    codes = []
    for token in ("old", new, "old", new):
        peer = room.stream("secret-a")
        peer.hello("ann", resume_token=token)
        codes.append([fault.code for fault in peer.read().faults])

    assert both.split() == [hashed("old"), hashed(new)]
    assert codes == [[], [], [pb.FAULT_CODE_UNKNOWN_RESUME], []]
    assert remembered["ann"] == hashed(new)


def test_restarts_without_a_resume_do_not_pile_tokens_up() -> None:
    """Each may tell the bot a new token; the last few are good, and the stored text stays short."""
    remembered = {"ann": hashed("old")}
    tokens = ["old"]
    for _ in range(2 * KEPT):
        room = restarted(remembered["ann"], remembered, Tokens.of([("ann", "secret-a")]))
        tokens.append(welcomed(room, "ann", "secret-a")[1])

    assert remembered["ann"].split() == [hashed(token) for token in tokens[-KEPT:]]


def test_no_resume_token_is_handed_to_be_stored() -> None:
    """Only its hash is."""
    remembered: dict[str, str] = {}
    room = Room()
    room.connections._remember = remembered.__setitem__
    _, token = welcomed(room, "ann")

    assert remembered == {"ann": hashed(token)}
