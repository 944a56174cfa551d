"""How messages read: nothing is lost that somebody who looks for a fault needs."""

from __future__ import annotations

from ladder.check.transcript import Transcript, Way
from referee.v1 import play_pb2 as pb


def test_a_message_is_one_line_of_protobuf_text() -> None:
    """Fields without a name are shown by their numbers."""
    message = pb.PlayRequest(pong=pb.Pong(nonce=7))
    transcript = Transcript()
    transcript.add(Way.GOT, message.SerializeToString() + b"\xd2\xe4\x04\x05later")
    (entry,) = transcript.last(Way.GOT)

    assert entry.text() == 'pong { nonce: 7 } 9802: "later"'
    assert transcript.text().count("\n") == 1


def test_bytes_that_are_no_message_are_shown_as_they_are() -> None:
    """A bot that sends garbage sees its garbage."""
    transcript = Transcript()
    transcript.add(Way.GOT, b"\xff\xff")
    (entry,) = transcript.last(Way.GOT)

    assert entry.text() == "2 bytes that are no PlayRequest: ff ff"


def test_what_a_game_shows_is_left_out_unless_it_is_wanted() -> None:
    """A transcript stays readable; the message that broke something is shown whole."""
    ask = pb.Ask(match_id="m", ask=1, option_count=2)
    ask.honshu.view.hand.append(31)
    transcript = Transcript()
    transcript.add(Way.SENT, pb.PlayResponse(asks=[ask]).SerializeToString())
    (entry,) = transcript.last(Way.SENT)

    assert entry.text() == f'asks {{ match_id: "m" ask: 1 option_count: 2 honshu: {ask.honshu.ByteSize()} bytes }}'
    assert "hand: 31" in entry.text(whole=True)


def test_the_last_messages_to_a_bot_are_all_that_it_did_not_answer() -> None:
    """Everything since its own last message, of this step alone; of its own messages the last one."""
    transcript = Transcript()
    for way, data in (
        (Way.SENT, b"\x01"),
        (Way.GOT, b"\x02"),
        (Way.GOT, b"\x03"),
        (Way.SENT, b"\x04"),
        (Way.SENT, b"\x05"),
    ):
        transcript.add(way, data)
    sent = [entry.data for entry in transcript.last(Way.SENT)]
    got = [entry.data for entry in transcript.last(Way.GOT)]
    transcript.note("step 2")

    assert sent == [b"\x04", b"\x05"]
    assert got == [b"\x03"]
    assert transcript.last(Way.SENT) == transcript.last(Way.GOT) == []
