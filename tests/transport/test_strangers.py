"""Strangers: budgets for each address and token, places for newcomers, and bots that are set aside."""

from __future__ import annotations

import pytest

from ladder.seasons.planned_season import PlannedSeason
from referee.match.clock import SECOND
from referee.match.policy import EndingKind
from referee.transport.auth import Tokens
from referee.transport.conduct import SILENT_TABLES, Conduct, Conducts
from referee.transport.doors import KeyedBuckets, origin
from referee.transport.limits import Bucket
from referee.v1 import play_pb2 as pb
from tests.transport.room import Peer, Room, play_out

HOME, ELSEWHERE = "ipv4:192.0.2.1:4000", "ipv4:198.51.100.7:4000"


class Everything:
    """A pairing that opens no table and lets every bot in."""

    season = ""
    done = False
    sets_aside = True

    def arrived(self, name: str, software: str, offers: object) -> str:
        return ""

    def next(self, bots: object, at: int) -> None:
        return None

    def forgotten(self, name: str) -> None:
        """Nothing is remembered of bots."""

    def ended(self, match: str, at: int) -> None:
        """Nothing."""


@pytest.mark.parametrize(
    ("peer", "expected"),
    [
        ("ipv4:192.0.2.1:4000", "192.0.2.1"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4000", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2:ffff::1]:4000", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:192.0.2.1]:4000", "192.0.2.1"),
        ("ipv6:[fe80::1%25eth0]:4000", "fe80::/64"),
        ("ipv6:[::1]:4000", "::1"),
        ("unix:", ""),
        ("unix:/run/referee", ""),
        ("", ""),
    ],
)
def test_an_address_is_what_one_customer_has(peer: str, expected: str) -> None:
    """The port does not count, an IPv6 address counts as its /64, and a unix socket has none."""
    assert origin(peer) == expected


def test_a_bucket_says_when_it_has_a_token_again() -> None:
    """After the time that it names, and not before, a token can be taken."""
    bucket = Bucket(2, 1, 0)
    bucket.take(0)
    wait = bucket.wait()

    assert 0.5 * SECOND <= wait <= 0.5 * SECOND + 2
    assert not bucket.take(wait - 10)
    assert bucket.take(wait + 10)


def test_a_budget_does_not_grow_with_the_addresses() -> None:
    """Of many addresses those that called last are remembered."""
    budget = KeyedBuckets(1, 1, kept=10)
    waits = [budget.take(f"address {number}", 0) for number in range(1000)]

    assert len(budget) == 10
    assert set(waits) == {0}
    assert budget.take("address 999", 0) > 0


def test_an_address_may_open_so_many_streams_at_once_and_then_at_a_pace() -> None:
    """One more is a RATE fault with the time to wait; after that time the next one is admitted."""
    room = Room(address_burst=3, address_streams_per_second=2)
    admitted = [room.stream(peer=HOME) for _ in range(3)]
    late = room.stream(peer=HOME)
    fault = late.fault()
    other = room.stream(peer=ELSEWHERE)
    local = room.stream()
    room.wait(fault.retry_after_us / SECOND)
    again = room.stream(peer=HOME)

    assert not any(peer.stream.closed for peer in admitted)
    assert (fault.code, fault.closes_stream) == (pb.FAULT_CODE_RATE, True)
    assert 0 < fault.retry_after_us <= SECOND
    assert not other.stream.closed
    assert not local.stream.closed
    assert not again.stream.closed


def test_an_address_may_not_hold_all_streams() -> None:
    """With its share of open streams an address gets FULL, others come in, and a stream that ends makes room."""
    room = Room(streams=4, address_streams=2)
    first, second = room.stream(peer=HOME), room.stream(peer=HOME)
    third = room.stream(peer=HOME)
    other = room.stream(peer=ELSEWHERE)
    first.close()
    fourth = room.stream(peer=HOME)

    assert third.fault().code == pb.FAULT_CODE_FULL
    assert [peer.stream.closed for peer in (second, other, fourth)] == [False, False, False]


def test_a_stream_with_a_good_token_never_counts_against_its_address() -> None:
    """Behind one router any number of bots with tokens may play; a bad token counts as none."""
    tokens = [(f"bot-{number}", f"secret-{number}") for number in range(50)]
    room = Room(Tokens.of(tokens), address_streams=2, address_burst=2, streams=2, bots=1, address_bots=1)
    peers = []
    for _, token in tokens:
        peer = room.stream(token, HOME)
        peer.hello("")
        peers.append(peer)
    bad = [room.stream("guess", HOME) for _ in range(3)]

    assert [peer.read().welcome.name for peer in peers] == [name for name, _ in tokens]
    assert [peer.stream.closed for peer in bad] == [False, False, True]


def test_a_token_may_not_be_used_for_streams_without_end() -> None:
    """Streams with one token are bounded, whatever address they come from."""
    room = Room(Tokens.of([("ann", "secret")]), token_streams=2)
    peers = [room.stream("secret", HOME), room.stream("secret", ELSEWHERE), room.stream("secret")]
    fault = peers[2].fault()

    assert [peer.stream.closed for peer in peers] == [False, False, True]
    assert fault.code == pb.FAULT_CODE_RATE
    assert fault.retry_after_us > 0


def test_streams_without_a_hello_go_after_a_second_when_there_are_many() -> None:
    """Many that were opened at the same moment may stay; a second later those of the fullest address go."""
    room = Room(silent_strangers=3)
    other = room.stream(peer=ELSEWHERE)
    silent = [room.stream(peer=HOME) for _ in range(5)]
    at_once = [peer.stream.closed for peer in silent]
    room.wait(1)

    assert not any(at_once)
    assert [peer.stream.closed for peer in silent] == [True, True, True, False, False]
    assert silent[0].fault().retry_after_us > 0
    assert not other.stream.closed


def test_a_first_message_that_is_too_large_is_not_parsed() -> None:
    """A hello of more than its limit is a BAD_HELLO that names the limit, even where it is no message at all."""
    room = Room(hello_bytes=100)
    peer = room.stream()

    peer.send(b"\xff" * 101)
    fault = peer.fault()

    assert fault.code == pb.FAULT_CODE_BAD_HELLO
    assert "at most 100" in fault.message


def test_a_hello_with_too_many_offers_is_refused() -> None:
    """The fault says how many are read; as many as that are fine."""
    room = Room(offers=3)
    many, few = room.stream(), room.stream()
    offer = pb.Offer(game="edo_yashiki")

    many.hello("ann", offers=[offer] * 4)
    few.hello("bob", offers=[offer] * 3)
    fault = many.fault()

    assert fault.code == pb.FAULT_CODE_BAD_HELLO
    assert "4 offers" in fault.message
    assert "at most 3" in fault.message
    assert few.read().welcome.name == "bob"


def test_later_messages_may_be_larger_than_a_hello() -> None:
    """The limit of the first message is not that of the others."""
    room = Room(hello_bytes=200)
    peer = room.bot("ann")

    peer.answer("m", 1, note="x" * 1000)

    assert peer.fault().code == pb.FAULT_CODE_UNKNOWN_MATCH


def _stay(room: Room, count: int, peer: str) -> list[Peer]:
    """Bots of one address that say hello, stay and do nothing."""
    return [room.bot(f"{origin(peer)}-{number}", peer=peer) for number in range(count)]


def test_one_address_cannot_fill_the_house() -> None:
    """With its share of places an address is sent away, with a time to come back, and others find room."""
    room = Room(bots=4, address_bots=3)
    _stay(room, 3, HOME)
    late, other = room.stream(peer=HOME), room.stream(peer=ELSEWHERE)

    late.hello("late")
    other.hello("other")
    fault = late.fault()

    assert fault.code == pb.FAULT_CODE_FULL
    assert fault.retry_after_us > 0
    assert other.read().welcome.name == "other"


@pytest.mark.parametrize("peer", [HOME, ELSEWHERE])
def test_bots_that_never_answer_make_room_for_a_newcomer(peer: str) -> None:
    """In a full house the newcomer gets the place of the bot that has been idle longest at the fullest address."""
    room = Room(bots=4, address_bots=3)
    idle = _stay(room, 3, HOME)
    other = room.bot("other", peer=ELSEWHERE)
    room.wait(10)
    newcomer = room.stream(peer=peer)

    newcomer.hello("newcomer")

    assert newcomer.read().welcome.name == "newcomer"
    assert [peer.stream.closed for peer in (*idle, other)] == [True, False, False, False]
    closing = idle[0].stream.closing
    assert closing is not None
    assert closing.code == pb.FAULT_CODE_FULL


def test_bots_that_play_make_no_room() -> None:
    """Bots that have answered keep their places, also between two tables."""
    room = Room(bots=2)
    ann, bob = room.bot("ann", peer=HOME), room.bot("bob", peer=HOME)
    play_out(room.started(ann, bob), ann, bob)
    room.wait(30)
    late = room.stream(peer=ELSEWHERE)

    late.hello("late")

    assert late.fault().code == pb.FAULT_CODE_FULL
    assert not ann.stream.closed
    assert not bob.stream.closed


def test_a_bot_that_never_answered_is_forgotten_soon() -> None:
    """It has nothing to come back for; one that has played is remembered for long."""
    room = Room()
    ann, bob, cid = (room.bot(name, peer=HOME) for name in ("ann", "bob", "cid"))
    play_out(room.started(ann, bob), ann, bob)
    for peer in (ann, bob, cid):
        peer.close()
    room.wait(11)

    assert [session.name for session in room.connections.sessions] == ["ann", "bob"]


def _refused(room: Room, version: int = 9) -> pb.Fault:
    """The fault that answers another hello of one bot."""
    peer = room.stream(peer=HOME)
    peer.hello("ann", version=version)
    return peer.fault()


def test_a_hello_that_is_refused_again_and_again_must_wait_longer_each_time() -> None:
    """From the fifth refusal on the fault names a time, which doubles."""
    room = Room()
    waits = []
    for _ in range(8):
        fault = _refused(room)
        assert fault.code == pb.FAULT_CODE_VERSION
        waits.append(fault.retry_after_us // SECOND)
        room.wait(waits[-1])

    assert waits == [0, 0, 0, 0, 1, 2, 4, 8]


def test_a_hello_before_its_time_is_not_looked_at() -> None:
    """Even a good one must wait until the time is over; the same name from another address need not."""
    room = Room()
    for _ in range(5):
        _refused(room)
    early = _refused(room, version=1)
    other = room.bot("ann", peer=ELSEWHERE)
    welcomed = other.received[0].welcome.name
    other.close()
    room.wait(early.retry_after_us / SECOND)
    late = room.stream(peer=HOME)
    late.hello("ann")

    assert early.code == pb.FAULT_CODE_RATE
    assert 0 < early.retry_after_us <= SECOND
    assert welcomed == "ann"
    assert late.read().welcome.name == "ann"


def test_a_good_hello_makes_up_for_refused_ones() -> None:
    """After a welcome the count begins anew."""
    conduct = Conduct()
    first = [conduct.refused(0) for _ in range(5)]
    conduct.welcomed()

    assert first == [0, 0, 0, 0, SECOND]
    assert conduct.pause(0) == 0
    assert conduct.refused(1) == 0


def test_conduct_is_remembered_of_the_bots_that_came_last() -> None:
    """What is kept does not grow with the names that ever came."""
    conducts = Conducts(10)
    first = conducts.of("ann")
    same = conducts.of("ann")
    for number in range(100):
        conducts.of(f"bot-{number}")

    assert first is same
    assert len(conducts) == 10
    assert conducts.of("ann") is not first


def _never_ready(room: Room, *peers: Peer) -> None:
    """A table at which no bot gets ready, until it is over."""
    table = room.table(*(peer.session.name for peer in peers), start=SECOND)
    room.wait(2)
    assert table.final is not None
    assert table.final.endings[0].kind == EndingKind.NEVER_READY


def test_a_bot_that_never_answers_is_set_aside_for_a_growing_time() -> None:
    """After two tables without an answer it gets none for 30 s, is told so once, and the lobby is woken then."""
    room = Room(pairing=Everything())
    ann, bob = room.bot("ann"), room.bot("bob")
    session = room.session("ann")
    _never_ready(room, ann, bob)
    after_one = session.capacity, [fault.code for fault in ann.read().faults].count(pb.FAULT_CODE_SET_ASIDE)
    _never_ready(room, ann, bob)
    told = [fault for fault in ann.read().faults if fault.code == pb.FAULT_CODE_SET_ASIDE]
    aside = session.capacity
    room.wait(28)
    still = session.capacity
    changes = room.changes
    room.wait(3)

    assert after_one == (1, 0)
    assert [(fault.closes_stream, "30 s" in fault.message) for fault in told] == [(False, True)]
    assert (aside, still, session.capacity) == (0, 0, 1)
    assert room.changes > changes

    _never_ready(room, ann, bob)
    (again,) = [fault for fault in ann.read().faults if fault.code == pb.FAULT_CODE_SET_ASIDE]

    assert "60 s" in again.message


def test_an_answer_makes_up_for_tables_without_one() -> None:
    """A bot that answers at a table begins anew."""
    room = Room(pairing=Everything())
    ann, bob = room.bot("ann"), room.bot("bob")
    _never_ready(room, ann, bob)
    play_out(room.started(ann, bob), ann, bob)
    _never_ready(room, ann, bob)

    assert room.session("ann").capacity == 1


def test_leaving_and_coming_back_does_not_end_the_time_aside() -> None:
    """Whoever dials again under its name still gets no table and is told so; the lobby is woken when the time ends."""
    room = Room(pairing=Everything())
    ann, bob = room.bot("ann", peer=HOME), room.bot("bob", peer=HOME)
    _never_ready(room, ann, bob)
    _never_ready(room, ann, bob)
    ann.close()
    bob.close()
    again, other = room.stream(peer=HOME), room.stream(peer=HOME)
    again.hello("ann")
    other.hello("bob")
    message = again.read()

    assert message.welcome.name == "ann"
    assert [fault.code for fault in message.faults] == [pb.FAULT_CODE_SET_ASIDE]
    assert room.session("ann").capacity == 0

    room.wait(28)
    changes = room.changes
    room.wait(3)

    assert room.session("ann").capacity == 1
    assert room.changes > changes


def test_in_arranged_matches_no_bot_is_set_aside() -> None:
    """Without a pairing the program that arranges matches decides who plays."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    for _ in range(4):
        _never_ready(room, ann, bob)

    assert room.session("ann").capacity == 1


def test_in_a_schedule_no_bot_is_set_aside() -> None:
    """Its opponents would wait for it: a planned season or event plays its tables and forfeits what is unanswered."""
    scheduled = Everything()
    scheduled.sets_aside = False
    room = Room(pairing=scheduled)
    ann, bob = room.bot("ann"), room.bot("bob")
    for _ in range(4):
        _never_ready(room, ann, bob)

    assert room.session("ann").capacity == 1
    assert pb.FAULT_CODE_SET_ASIDE not in [fault.code for fault in ann.read().faults]
    assert PlannedSeason.sets_aside is False


def test_the_time_aside_has_an_end() -> None:
    """It doubles up to ten minutes, and tables of the time before do not make it longer."""
    conduct = Conduct()
    at, times, meanwhile = 0, [], []
    conduct.unanswered(at)
    for _ in range(7):
        times.append(conduct.unanswered(at) // SECOND)
        meanwhile.append(conduct.unanswered(at))
        at = conduct.aside_until

    assert times == [30, 60, 120, 240, 480, 600, 600]
    assert set(meanwhile) == {0}


def test_conduct_of_which_nothing_came_is_forgotten_with_its_bot() -> None:
    """One table without an answer is no blame yet; being set aside is, and so is a refusal."""
    conducts = Conducts(10)
    for key in ("once", "aside", "refused"):
        conducts.of(key)
    conducts.of("once").unanswered(0)
    for at in range(SILENT_TABLES):
        conducts.of("aside").unanswered(at)
    conducts.of("refused").refused(0)
    for key in ("once", "aside", "refused"):
        conducts.left(conducts.of(key))

    assert len(conducts) == 2
    assert conducts.of("aside").aside_until > 0
