"""Who is let in beside a season: reserved names, proven names, revoked tokens, bots that find nothing to play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ladder.serving.directory import EntrantDirectory
from ladder.store.database import Store
from referee.match.plan import MatchPlan
from referee.match.playtime import PlayTime
from referee.match.protocols import ConnectedBot, NotEntered, Offers
from referee.transport.connections import Connections
from referee.transport.limits import Limits
from referee.v1 import play_pb2 as pb
from tests.transport.room import Room


class Doorman:
    """A pairing that opens no table and answers each hello as a test wants."""

    season = "cup"
    done = False
    sets_aside = True

    def __init__(self) -> None:
        self.notice = ""
        self.refusal = ""
        self.heard: list[tuple[str, str]] = []

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """As the test wants."""
        self.heard.append((name, software))
        if self.refusal:
            raise NotEntered(self.refusal)
        return self.notice

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        """None, ever."""
        return None

    def forgotten(self, name: str) -> None:
        """Nothing is remembered of bots."""

    def ended(self, match: str, at: int) -> None:
        """Nothing."""


class Lounge(Room):
    """A room with the tokens of a database and a pairing."""

    def __init__(self, store: Store, *, closed: bool | None = None, house: Sequence[str] = ()) -> None:
        super().__init__()
        self.directory = EntrantDirectory(store, closed=closed, house=house)
        self.doorman = Doorman()
        self.connections = Connections(
            PlayTime(self.now),
            limits=Limits(),
            directory=self.directory,
            pairing=self.doorman,
            changed=self._changed,
        )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The database of the referee."""
    with Store(tmp_path / "cup.sqlite") as opened:
        yield opened


def test_a_name_of_the_house_is_refused_without_its_process_token(store: Store) -> None:
    """Neither the bare name nor another process's token admits; the process's own does."""
    room = Lounge(store, house=["greedy", "random"])
    for token in ("", room.directory.process_token("random")):
        thief = room.stream(token)
        thief.hello("greedy")
        fault = thief.fault()
        assert fault.code in (pb.FAULT_CODE_NAME_TAKEN, pb.FAULT_CODE_UNAUTHENTICATED)
        assert fault.closes_stream
    own = room.stream(room.directory.process_token("greedy"))
    own.hello("")

    assert own.read().welcome.name == "greedy"


def test_a_name_with_a_token_is_refused_without_it_at_an_open_referee(store: Store) -> None:
    """--open admits names without a token, but not those that have one; the message says what to do."""
    store.new_token("ann")
    room = Lounge(store, closed=False)
    thief, other = room.stream(), room.stream()
    thief.hello("ann")
    other.hello("bob")

    fault = thief.fault()
    assert fault.code == pb.FAULT_CODE_NAME_TAKEN
    assert "reserved" in fault.message
    assert other.read().welcome.name == "bob"


def test_a_token_takes_over_a_name_that_an_unproven_bot_plays_under(store: Store, tmp_path: Path) -> None:
    """The organiser makes a token for a name in use: its owner comes with it, and the impostor is told to leave."""
    room = Lounge(store)
    impostor = room.bot("ann")
    with Store(tmp_path / "cup.sqlite") as organiser:
        token = organiser.new_token("ann")
    room.connections.refresh()
    owner = room.stream(token)
    owner.hello("")

    assert owner.read().welcome.name == "ann"
    assert impostor.fault().code == pb.FAULT_CODE_TAKEN_OVER


def test_an_impostor_does_not_come_back_with_its_resume_token(store: Store, tmp_path: Path) -> None:
    """The resume token of a name that has a token now is worth nothing without that token."""
    room = Lounge(store, closed=False)
    stream = room.stream()
    stream.hello("ann")
    resume = stream.read().welcome.resume_token
    with Store(tmp_path / "cup.sqlite") as organiser:
        organiser.new_token("ann")
    room.connections.refresh()
    stream.close()
    again = room.stream()
    again.hello("ann", resume_token=resume)

    assert again.fault().code == pb.FAULT_CODE_NAME_TAKEN


@pytest.mark.parametrize("closed", [None, True, False])
def test_a_revoked_token_closes_its_stream_and_the_bot_does_not_come_back(
    store: Store, tmp_path: Path, closed: bool | None
) -> None:
    """REVOKED, to this stream alone; afterwards neither token, name nor resume token admits."""
    tokens = {name: store.new_token(name) for name in ("ann", "bob")}
    room = Lounge(store, closed=closed)
    peers = {name: room.stream(token) for name, token in tokens.items()}
    for peer in peers.values():
        peer.hello("")
    resume = peers["ann"].read().welcome.resume_token
    peers["bob"].read()
    with Store(tmp_path / "cup.sqlite") as organiser:
        organiser.revoke("ann")
    room.connections.refresh()
    fault = peers["ann"].fault()

    assert (fault.code, fault.closes_stream) == (pb.FAULT_CODE_REVOKED, True)
    assert not peers["bob"].stream.closed
    peers["ann"].close()
    for token, name in ((tokens["ann"], ""), ("", "ann")):
        for again in ("", resume):
            stream = room.stream(token)
            stream.hello(name, resume_token=again)
            assert stream.fault().code in (pb.FAULT_CODE_UNAUTHENTICATED, pb.FAULT_CODE_NAME_TAKEN)


def test_a_token_made_meanwhile_admits_at_the_next_look(store: Store, tmp_path: Path) -> None:
    """--closed without any token admits no bot; then one is made by another program."""
    room = Lounge(store, closed=True)
    early = room.stream()
    early.hello("ann")
    assert early.fault().code == pb.FAULT_CODE_UNAUTHENTICATED

    with Store(tmp_path / "cup.sqlite") as organiser:
        token = organiser.new_token("ann")
    room.connections.refresh()
    late = room.stream(token)
    late.hello("")
    assert late.read().welcome.name == "ann"


def test_a_bot_that_finds_nothing_to_play_is_told_what_is_played(store: Store) -> None:
    """NO_GAME closes the stream, and no session is kept for the bot."""
    room = Lounge(store)
    room.doorman.refusal = "nothing that you offer is played here; tables of this referee (game:seats): honshu:2"
    peer = room.stream()
    peer.hello("ann")
    fault = peer.fault()

    assert (fault.code, fault.closes_stream) == (pb.FAULT_CODE_NO_GAME, True)
    assert "honshu:2" in fault.message
    assert room.connections.session("ann") is None


def test_a_bot_with_a_seat_may_stay_although_it_finds_nothing_else(store: Store) -> None:
    """It comes back to its running match with other offers: welcomed, and told that it gets no other table."""
    room = Lounge(store)
    ann, bob = room.bot("ann"), room.bot("bob")
    table = room.started(ann, bob)
    resume = ann.received[0].welcome.resume_token
    ann.close()
    room.doorman.refusal = "nothing that you offer is played here"
    again = room.stream()
    again.hello("ann", resume_token=resume)
    message = again.read()

    assert message.welcome.resumed
    assert [fault.code for fault in message.faults] == [pb.FAULT_CODE_SET_ASIDE]
    assert [seated.match_id for seated in message.seated] == [table.id]


def test_a_bot_that_is_set_aside_is_welcomed_and_told_why(store: Store) -> None:
    """SET_ASIDE leaves the stream open."""
    room = Lounge(store)
    room.doorman.notice = "6 new builds of ann were rated within a day"
    peer = room.stream()
    peer.hello("ann", software="ann 7")
    message = peer.read()

    assert message.welcome.season == "cup"
    assert [(fault.code, fault.closes_stream) for fault in message.faults] == [(pb.FAULT_CODE_SET_ASIDE, False)]
    assert "6 new builds" in message.faults[0].message
    assert room.doorman.heard == [("ann", "ann 7")]


def test_a_software_without_end_is_cut(store: Store) -> None:
    """What is stored of a hello has a bound."""
    room = Lounge(store)
    room.bot("ann", software="x" * 10_000)

    assert [len(software) for _, software in room.doorman.heard] == [4 * Limits().name_characters]
