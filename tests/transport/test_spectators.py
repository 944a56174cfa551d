"""The followers of one table without a wire: bounded queues, delays, storage trouble, and no work without followers."""

from __future__ import annotations

import pytest

from referee.codec import encoding
from referee.match.match import Match
from referee.match.outputs import Ended, Output, Shown, Skipped
from referee.transport.spectators import QUEUE, Follower, Spectators
from referee.v1 import watch_pb2 as pb
from tests.games.ninjato.test_matches import begun


class Standing:
    """A table that stands still in a state of the test's choice."""

    def __init__(self, told: bool, delaying: bool) -> None:
        self.told = told
        self.delaying = delaying


def watched(match: Match, outputs: list[Output], *, told: bool, delaying: bool = False) -> Spectators:
    """Spectators that were sent these outputs at a table of that state."""
    spectators = Spectators(match)
    spectators.attend(Standing(told, delaying))
    for output in outputs:
        if isinstance(output, Shown | Ended):
            spectators.send(output)
    return spectators


def until_the_delay(outputs: list[Output]) -> list[Output]:
    """The outputs that a table carries out before it delays."""
    return outputs[: next(i for i, output in enumerate(outputs) if isinstance(output, Skipped))]


def first_message(spectators: Spectators) -> bytes | None:
    """What a new follower is sent at once."""
    follower = spectators.follow(lambda: None)
    data = follower.take()
    spectators.leave(follower)
    return data


def test_a_spectator_who_comes_during_a_delay_cannot_tell_it_from_thinking() -> None:
    """A seat without a choice (hand [3]) and one that thinks (hand [5]): the same snapshot and the same summary."""
    forced, chosen = begun([3]), begun([5])
    delayed = watched(forced, until_the_delay(forced.drain()), told=False, delaying=True)
    thinking = watched(chosen, chosen.drain(), told=True)

    assert thinking.summary() == delayed.summary()
    assert first_message(thinking) == first_message(delayed)
    assert first_message(thinking) is not None


def test_positions_before_a_delay_are_put_out_for_a_table_without_followers() -> None:
    """Otherwise a spectator who comes in the middle of the delay could get only what follows from it."""
    match = begun([3])
    match.public.show(False)
    shown = [output.number for output in match.drain() if isinstance(output, Shown)]

    assert shown[:2] == [1, 2]


def test_a_position_is_not_known_while_outputs_wait_for_the_store() -> None:
    """What follows from an unstored step is told to no spectator: no snapshot, and a list without a position."""
    match = begun([5])
    spectators = watched(match, [], told=False)

    assert first_message(spectators) is None
    assert spectators.summary() == (0, (), ())


def test_a_follower_keeps_few_messages_and_the_newest_one() -> None:
    """After any number of positions at most `QUEUE` wait, the first of them marked as a snapshot; the end is kept."""
    follower = Follower(lambda: None)
    follower.put(b"")
    follower.take()
    for number in range(1, 1001):
        follower.put(pb.FollowTableResponse(number=number).SerializeToString())
        assert len(follower._waiting) <= QUEUE
    follower.finish(pb.FollowTableResponse(number=1000, end=pb.TableEnd(rated=True)).SerializeToString())
    found = []
    while (data := follower.take()) is not None:
        found.append(pb.FollowTableResponse.FromString(data))

    assert [message.snapshot for message in found] == [True] + [False] * (len(found) - 1)
    assert [message.number for message in found[:-1]] == list(range(1001 - len(found) + 1, 1001))
    assert found[-1].HasField("end")


def test_a_position_is_written_once_for_all_followers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two followers get the same object; without followers no view is written."""
    written: list[str] = []
    public = encoding.public

    def counted(game: str) -> object:
        encode = public(game)

        def count(view: object) -> bytes:
            written.append(game)
            return bytes(encode(view))

        return count

    monkeypatch.setattr(encoding, "public", counted)
    match = begun([5])
    shown = next(output for output in match.drain() if isinstance(output, Shown))
    spectators = watched(match, [shown], told=False)
    assert written == []
    followers = [spectators.follow(lambda: None) for _ in range(3)]
    spectators.send(shown)

    assert written == ["ninjato"]
    assert len({id(follower._waiting[0]) for follower in followers}) == 1
