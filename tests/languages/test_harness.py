"""What the drills of the language bots rest on: the examiner tells order and not speed; a skip says what to install."""

from __future__ import annotations

from collections import deque
from unittest.mock import Mock

import pytest

from referee.v1 import play_pb2 as pb
from tests.languages import harness
from tests.languages.examiner import NONCE, Examiner

CPP = ("g++", "cmake", "pkg-config", "libgrpc++-dev", "libprotobuf-dev", "protobuf-compiler", "protobuf-compiler-grpc")


class WrittenBot:
    """A bot by the book: in some rounds its reader finds the ping while the bot still thinks, in others too late."""

    def __init__(self, *in_time: bool) -> None:
        """Whether the ping of each round comes in time; a bot that does not read while it thinks has False alone."""
        self._in_time = deque(in_time)
        self.outbox = deque([pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="written"))])
        self._held: list[pb.PlayRequest] = []

    def take(self, message: pb.PlayResponse) -> None:
        """Put the answers to a message into the outbox, the last of them behind the pong if that is in time."""
        for seated in message.seated:
            self.outbox.append(pb.PlayRequest(ready=[pb.Ready(match_id=seated.match_id, seat=seated.seat)]))
        answers = [pb.PlayRequest(answers=[pb.Answer(match_id=ask.match_id, ask=ask.ask)]) for ask in message.asks]
        if answers:
            self.outbox.extend(answers[:-1])
            self._held = answers[-1:]
        if message.HasField("ping"):
            pong = pb.PlayRequest(pong=pb.Pong(nonce=message.ping.nonce))
            self.outbox.extend([pong, *self._held] if self._in_time.popleft() else [*self._held, pong])

    def examined(self, rounds: int) -> Examiner:
        """The examiner that has examined the bot."""
        examiner = Examiner(questions=3, rounds=rounds)
        requests = iter(self.outbox.popleft, None)
        for message in examiner.Play(requests, Mock()):
            self.take(message)
        return examiner


def test_a_bot_that_reads_only_between_messages_is_found_out() -> None:
    """Its pong is behind all answers in every round, however many there are."""
    examiner = WrittenBot(*[False] * 5).examined(rounds=5)

    assert (examiner.overtook, examiner.rounds, len(examiner.answers)) == (False, 5, 15)


@pytest.mark.parametrize("late", [0, 1, 4])
def test_a_bot_that_reads_while_it_thinks_passes_even_if_pings_come_late(late: int) -> None:
    """Rounds in which all answers were under way before the ping came tell nothing: the next one is asked."""
    examiner = WrittenBot(*[False] * late, True).examined(rounds=5)

    assert (examiner.overtook, examiner.rounds) == (True, late + 1)
    assert [answer.ask for answer in examiner.answers] == list(range(1, examiner.asked + 1))
    assert examiner.nonces == [NONCE - number for number in range(examiner.rounds)]


def test_a_skip_says_how_to_install_what_cpp_needs() -> None:
    """The packages of Debian and Ubuntu stand in the reason that pytest prints."""
    with pytest.raises(
        pytest.skip.Exception, match=r"no-such-tool is not installed; on Debian and Ubuntu: apt install"
    ) as skip:
        harness.build("cpp", ("no-such-tool",))

    assert [package for package in CPP if package not in str(skip.value).split()] == []


@pytest.mark.parametrize("folder", ["go", "java", "rust", "typescript"])
def test_a_skip_of_the_others_names_their_readme(folder: str) -> None:
    """Their toolchains come from elsewhere than the system."""
    assert harness.installing(folder) == f"see bots/{folder}/README.md"
