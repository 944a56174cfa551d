"""Coming in: hello, welcome, and everything that keeps a bot out."""

from __future__ import annotations

import pytest

import referee
from referee.transport.auth import Tokens
from referee.v1 import play_pb2 as pb
from tests.transport.room import Room


def test_a_hello_is_answered_with_a_welcome_and_a_ping() -> None:
    """The welcome says the versions, the name, the limits and a resume token; a first ping comes with it."""
    room = Room(note_bytes=77)
    peer = room.stream()

    peer.hello("ann", software="ann 1.0")
    message = peer.read()

    assert message.welcome.name == "ann"
    assert message.welcome.protocol_version == 1
    assert message.welcome.referee_version == referee.__version__
    assert message.welcome.limits.note_bytes == 77
    assert len(message.welcome.resume_token) >= 32
    assert not message.welcome.resumed
    assert message.HasField("ping")
    assert room.session("ann").software == "ann 1.0"


@pytest.mark.parametrize(("version", "remedy"), [(0, "update the bot"), (2, "a newer referee")])
def test_another_protocol_version_is_refused_with_both_versions_and_the_remedy(version: int, remedy: str) -> None:
    """The fault names the bot's version, the referee's, and what to do; then the stream ends."""
    peer = Room().stream()

    peer.hello("ann", version=version)
    fault = peer.fault()

    assert fault.code == pb.FAULT_CODE_VERSION
    assert f"version {version}" in fault.message
    assert "speaks 1" in fault.message
    assert remedy in fault.message
    assert fault.closes_stream


def test_the_first_message_must_be_a_hello() -> None:
    """Anything else before a hello ends the stream."""
    peer = Room().stream()

    peer.answer("0" * 32, 1)
    fault = peer.fault()

    assert fault.code == pb.FAULT_CODE_OUT_OF_ORDER
    assert fault.closes_stream


def test_a_second_hello_is_passed_over() -> None:
    """A stream belongs to one bot; a later hello changes nothing, and the stream goes on."""
    room = Room()
    ann = room.bot("ann")

    ann.hello("bob")
    fault = ann.fault()

    assert fault.code == pb.FAULT_CODE_OUT_OF_ORDER
    assert not fault.closes_stream
    assert room.connections.session("bob") is None


@pytest.mark.parametrize("name", ["", "a" * 65, "two words", "-dash", "ann\n", "änn", "a/b"])
def test_a_bad_name_is_refused(name: str) -> None:
    """The fault says what a name is made of."""
    peer = Room().stream()

    peer.hello(name)
    fault = peer.fault()

    assert fault.code == pb.FAULT_CODE_BAD_HELLO
    assert "letters" in fault.message


@pytest.mark.parametrize(
    ("offer", "expected"),
    [
        (pb.Offer(game="edo_yashik"), "did you mean 'edo_yashiki'?"),
        (pb.Offer(game="edo_yashiki", seat_counts=[9]), "seat count"),
        (pb.Offer(game="edo_yashiki", settings=[pb.AcceptedSetting(name="colour")]), "setting"),
        (pb.Offer(game="edo_yashiki", settings=[pb.AcceptedSetting(name="draft", values=["x"])]), "draft"),
    ],
)
def test_an_offer_of_something_unknown_is_refused(offer: pb.Offer, expected: str) -> None:
    """A typing error in an offer is told at once, with what there is."""
    peer = Room().stream()

    peer.hello("ann", offers=[offer])
    fault = peer.fault()

    assert fault.code == pb.FAULT_CODE_BAD_HELLO
    assert expected in fault.message


def test_a_bot_plays_what_it_offers() -> None:
    """Seat counts and settings that are not offered are not played; what is not restricted is."""
    room = Room()
    setting = pb.AcceptedSetting(name="draft", values=["turn_order"])
    room.bot("ann", offers=[pb.Offer(game="edo_yashiki", seat_counts=[2, 3], settings=[setting])])
    room.bot("bob")
    ann, bob = room.session("ann"), room.session("bob")

    assert ann.plays("edo_yashiki", 2, {"draft": "turn_order", "rules": "standard"})
    assert not ann.plays("edo_yashiki", 4, {"draft": "turn_order", "rules": "standard"})
    assert not ann.plays("edo_yashiki", 2, {"draft": "sealed", "rules": "standard"})
    assert not ann.plays("chess", 2, {})
    assert bob.plays("edo_yashiki", 5, {"draft": "sealed", "rules": "standard"})


def test_a_name_in_use_is_refused_at_an_open_referee() -> None:
    """Where a name proves nothing, whoever comes second under it is sent away, and the first plays on."""
    room = Room()
    first = room.bot("ann")
    second = room.stream()

    second.hello("ann")
    fault = second.fault()

    assert fault.code == pb.FAULT_CODE_NAME_TAKEN
    assert "resume" in fault.message
    assert first.stream.closing is None


def test_a_name_is_free_again_when_its_bot_has_left() -> None:
    """A bot without a running match leaves nothing behind that would block its name."""
    room = Room()
    room.bot("ann").close()

    again = room.stream()
    again.hello("ann")

    assert again.read().welcome.name == "ann"


def test_a_name_stays_taken_while_a_match_waits_for_it() -> None:
    """Nobody can take over a running match by its player's name alone."""
    room = Room()
    ann, bob = room.bot("ann"), room.bot("bob")
    room.started(ann, bob)
    ann.close()

    thief = room.stream()
    thief.hello("ann")

    assert thief.fault().code == pb.FAULT_CODE_NAME_TAKEN


def test_the_token_says_who_a_bot_is() -> None:
    """With a directory the name may be left out; it is the entrant's."""
    room = Room(Tokens.of([("ann", "secret-a")]))
    peer = room.stream("secret-a")

    peer.hello("")

    assert peer.read().welcome.name == "ann"


@pytest.mark.parametrize(
    ("token", "name", "expected"),
    [("", "ann", "no token"), ("guess", "ann", "unknown or revoked"), ("secret-a", "bob", "another name")],
)
def test_without_the_right_token_nobody_comes_in(token: str, name: str, expected: str) -> None:
    """No token, an unknown one, or one of another entrant: refused, and told how to do it."""
    room = Room(Tokens.of([("ann", "secret-a"), ("bob", "secret-b")]))
    peer = room.stream(token)

    peer.hello(name)
    fault = peer.fault()

    assert fault.code == pb.FAULT_CODE_UNAUTHENTICATED
    assert expected in fault.message
    assert "secret" not in fault.message


def test_a_full_hall_sends_bots_away() -> None:
    """With as many bots as the limit allows, the next one is told to come later."""
    room = Room(bots=1)
    room.bot("ann")
    late = room.stream()

    late.hello("bob")

    assert late.fault().code == pb.FAULT_CODE_FULL


def test_bots_that_left_make_room() -> None:
    """A bot that is away without a match is forgotten before anybody is sent away."""
    room = Room(bots=1)
    room.bot("ann").close()
    late = room.stream()

    late.hello("bob")

    assert late.read().welcome.name == "bob"
    assert room.connections.session("ann") is None


def test_too_many_streams_are_sent_away() -> None:
    """Streams are bounded before they say who they are."""
    room = Room(streams=1)
    room.stream()
    late = room.stream()

    assert late.fault().code == pb.FAULT_CODE_FULL


def test_streams_that_say_nothing_make_room_for_those_who_do() -> None:
    """However many are opened in silence, the oldest of them goes, and a bot that says hello comes in."""
    room = Room(strangers=2)
    bot = room.bot("ann")
    silent = [room.stream() for _ in range(3)]
    silent[0].send(b"neither is this a hello")
    other = room.bot("bob")

    assert [peer.stream.closed for peer in silent] == [True, True, False]
    assert silent[1].fault().code == pb.FAULT_CODE_FULL
    assert not bot.stream.closed
    assert not other.stream.closed


def test_a_stream_without_a_hello_is_closed() -> None:
    """Whoever opens a stream and says nothing does not hold it for ever."""
    room = Room()
    peer = room.stream()

    room.wait(9)
    before = peer.read()
    room.wait(1)

    assert not before.faults
    assert peer.fault().code == pb.FAULT_CODE_SILENT


def test_a_bot_that_stays_away_is_forgotten() -> None:
    """After a while its resume token means nothing any more."""
    room = Room()
    ann = room.stream()
    ann.hello("ann")
    token = ann.read().welcome.resume_token
    ann.close()

    room.wait(600)
    again = room.stream()
    again.hello("ann", resume_token=token)

    assert again.fault().code == pb.FAULT_CODE_UNKNOWN_RESUME
