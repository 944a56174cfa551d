"""Tables at which people sit: invitations, tokens, bots of the host and connected ones, bounds, restarts."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from ladder.config.offers import every_table
from ladder.config.people import PeopleSettings, opponents
from ladder.serving.admin_client import connected
from ladder.serving.sockets import sockets
from ladder.store.database import Store
from referee.match.clock import TimeControl
from referee.match.verify import verify
from referee.v1 import admin_pb2 as apb
from referee.v1 import play_pb2 as pb
from referee.v1.admin_pb2_grpc import AdminServiceStub
from tests.ladder.arena import Arena
from tests.ladder.held_bots import HeldBot, eventually
from tests.ladder.test_served import Season
from tests.transport.house import WAIT, Wire, reply

pytestmark = pytest.mark.processes

PERSON, HOUSE, CONNECTED = 1, 2, 3
CLOCK = TimeControl.parse("60s")
ALLOWED = PeopleSettings(tables=3, address_tables=2, bots=opponents(["random", "greedy"]), connected=True)


def seat(kind: int, name: str = "") -> apb.PeopleSeat:
    """A seat of a table that is asked for."""
    return apb.PeopleSeat(kind=kind, name=name)  # type: ignore[arg-type]


class Guests:
    """What the pages do at a referee for its guests."""

    def __init__(self, path: Path, stub: AdminServiceStub) -> None:
        self.path = path
        self.stub = stub

    def open(
        self, *seats: apb.PeopleSeat, game: str = "honshu", clock: str = "none", address: str = "", **variant: str
    ) -> apb.OpenPeopleTableResponse:
        """Open a table."""
        request = apb.OpenPeopleTableRequest(game=game, seats=seats, clock=clock, address=address, variant=variant)
        opened: apb.OpenPeopleTableResponse = self.stub.OpenPeopleTable(request)
        return opened

    def join(self, invitation: str, name: str = "ann") -> apb.JoinPeopleTableResponse:
        """Sit down."""
        taken: apb.JoinPeopleTableResponse = self.stub.JoinPeopleTable(
            apb.JoinPeopleTableRequest(invitation=invitation, name=name)
        )
        return taken

    def table(self, match: str) -> apb.PeopleTable:
        """A table as it is now."""
        found: apb.GetPeopleTableResponse = self.stub.GetPeopleTable(apb.GetPeopleTableRequest(match_id=match))
        return found.table

    def close(self, match: str) -> None:
        """Leave a table."""
        self.stub.ClosePeopleTable(apb.ClosePeopleTableRequest(match_id=match, reason="the test is over"))

    def wire(self, token: str) -> Wire:
        """The stream of a seat."""
        found = Wire(sockets(self.path).play, token)
        found.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, software="person", views=True)))
        return found


@contextmanager
def guests(path: Path) -> Iterator[Guests]:
    """The calls at the referee of a database."""
    with grpc.insecure_channel(sockets(path).admin) as channel:
        yield Guests(path, AdminServiceStub(channel))


def refused(call: Callable[[], object]) -> tuple[grpc.StatusCode, str]:
    """How a call is refused."""
    with pytest.raises(grpc.RpcError) as told:
        call()
    return told.value.code(), told.value.details() or ""


def play(wire: Wire, stop: Callable[[pb.PlayResponse], object] = lambda message: message.over) -> pb.PlayResponse:
    """Answer with the first option until something comes; returns that message."""
    while (message := wire.read()) is not None:
        request = reply(message)
        if stop(message):
            return message
        if request.ByteSize():
            wire.send(request)
    raise AssertionError(f"the stream ended: {wire.status()}")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guests]:
    """A referee at which people may play."""
    path = tmp_path_factory.mktemp("p") / "cup.sqlite"
    with Season(path, every_table(["honshu"], seats=[5], clock=CLOCK), people=ALLOWED), guests(path) as found:
        yield found


@pytest.fixture
def room(house: Guests) -> Iterator[Guests]:
    """The same without open tables."""
    yield house
    with Store(house.path) as store:
        running = [match.record.header.match for match in store.running()]
    for match in running:
        house.close(match)
    eventually(lambda: house.stub.GetStatus(apb.GetStatusRequest()).tables == 0)


def test_a_person_plays_a_bot_of_the_host_to_the_end(room: Guests) -> None:
    """Never rated: in the message, in the file and in the record, which verifies; the names say who was a person."""
    opened = room.open(seat(HOUSE, "random"), seat(PERSON))
    taken = room.join(opened.invitations[1])
    with room.wire(taken.token) as wire:
        over = play(wire).over[0]
    with Store(room.path) as store:
        eventually(lambda: store.match_row(taken.match_id).state == "finished")
        row, record = store.match_row(taken.match_id), store.record(taken.match_id)
    verify(record)

    assert (taken.seat, taken.name) == (1, "person:ann")
    assert not opened.invitations[0]
    assert [found.player for found in row.seats] == ["house:random", "person:ann"]
    assert not over.rated
    assert not row.rated
    assert record.final is not None
    assert not record.final.rated
    assert row.pool is None
    assert room.table(taken.match_id).state == apb.PEOPLE_TABLE_STATE_OVER


def test_two_people_sit_down_by_their_invitations(room: Guests) -> None:
    """The match begins when both are there; two of one name are told apart."""
    opened = room.open(seat(PERSON), seat(PERSON), game="edo_yashiki")
    first = room.join(opened.invitations[0], "ann")
    assert room.table(first.match_id).state == apb.PEOPLE_TABLE_STATE_WAITING
    second = room.join(opened.invitations[1], "ann")
    people = [HeldBot(sockets(room.path).play, "", taken.token) for taken in (first, second)]
    eventually(lambda: room.table(first.match_id).state == apb.PEOPLE_TABLE_STATE_RUNNING)
    seated = [person.seated[0] for person in people]
    room.close(first.match_id)
    eventually(lambda: all(person.overs for person in people))
    for person in people:
        person.close()

    assert [first.name, second.name] == ["person:ann", "person:ann+2"]
    assert [found.seat for found in seated] == [0, 1]
    assert not seated[0].rated


@pytest.mark.parametrize("wrong", ["", "x", "0" * 32 + ".0." + "0" * 40, "{}x", "{}.1", "\u0661"])
def test_a_wrong_invitation_says_so_and_nothing_else(room: Guests, wrong: str) -> None:
    """A text that is none, one of no table, one with another ending."""
    opened = room.open(seat(PERSON), seat(HOUSE, "random"))
    code, text = refused(lambda: room.join(wrong.format(opened.invitations[0])))
    room.close(opened.table.match_id)

    assert (code, text) == (
        grpc.StatusCode.NOT_FOUND,
        "that link belongs to no table that is open here; ask for a new one",
    )


def test_an_invitation_is_good_once_and_as_long_as_its_table(room: Guests) -> None:
    """A second person is told that the link was used; after the table is closed, that it is closed."""
    opened = room.open(seat(PERSON), seat(PERSON))
    room.join(opened.invitations[0])
    used = refused(lambda: room.join(opened.invitations[0]))
    room.close(opened.table.match_id)
    late = refused(lambda: room.join(opened.invitations[1]))

    assert "that link was used already" in used[1]
    assert late == (grpc.StatusCode.FAILED_PRECONDITION, "the table of that link is closed: the test is over")


def test_a_token_is_no_invitation_and_opens_one_seat(room: Guests) -> None:
    """The secrets of a seat are different ones, and no stream gets in with a wrong one."""
    opened = room.open(seat(PERSON), seat(PERSON))
    taken = room.join(opened.invitations[0])
    streams = []
    for token in (opened.invitations[1], taken.token[:-1] + "x", taken.token.replace(".0.", ".1.")):
        with room.wire(token) as wire:
            streams.append(wire.status())
    swapped = refused(lambda: room.join(taken.token))
    room.close(opened.table.match_id)

    assert streams == [grpc.StatusCode.UNAUTHENTICATED] * 3
    assert swapped[0] is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("name", ["person:ann", "house:greedy", "seat:0:1"])
def test_no_bot_may_call_itself_like_a_person(room: Guests, name: str) -> None:
    """The names of tables for people are reserved."""
    with Wire(sockets(room.path).play) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=name)))
        fault = wire.fault(pb.FAULT_CODE_NAME_TAKEN)

    assert "is reserved" in fault.message


@pytest.mark.parametrize(
    ("seats", "fields", "said"),
    [
        ([], {}, "Honshu has 2 to 5 seats, not 0"),
        ([PERSON] * 6, {}, "Honshu has 2 to 5 seats, not 6"),
        ([HOUSE, HOUSE], {}, "no person sits at this table"),
        ([PERSON, 0], {}, "seat 1 has no kind"),
        ([PERSON, HOUSE], {"game": "go"}, "game"),
        ([PERSON, HOUSE], {"clock": "soon"}, "bad clock 'soon'"),
        ([PERSON, HOUSE], {"clock": "100h"}, "at most 3h"),
        ([PERSON, HOUSE], {"province_side": "C"}, "province_side"),
        ([PERSON, CONNECTED], {"clock": "1m"}, "has no table free for people now"),
    ],
)
def test_a_table_that_cannot_be_opened_says_why(
    room: Guests, seats: Sequence[int], fields: dict[str, str], said: str
) -> None:
    """One line, and no table."""
    wanted = [seat(kind, "random" if kind in (HOUSE, CONNECTED) else "") for kind in seats]
    code, text = refused(lambda: room.open(*wanted, **fields))

    assert said in text
    assert code is not grpc.StatusCode.UNKNOWN
    assert room.stub.GetPeopleRules(apb.GetPeopleRulesRequest()).open == 0


def test_an_unknown_opponent_is_named_with_those_that_there_are(room: Guests) -> None:
    """A mistyped bot finds the right one."""
    code, text = refused(lambda: room.open(seat(PERSON), seat(HOUSE, "gredy")))

    assert code is grpc.StatusCode.NOT_FOUND
    assert "greedy" in text


def test_tables_are_bounded_in_all_and_for_each_address(room: Guests) -> None:
    """The third table of an address, and the fourth of all, are refused until one is closed."""
    mine = [room.open(seat(PERSON), seat(PERSON), address="192.0.2.1") for _ in range(2)]
    third = refused(lambda: room.open(seat(PERSON), seat(PERSON), address="192.0.2.1"))
    other = room.open(seat(PERSON), seat(PERSON), address="192.0.2.2")
    fourth = refused(lambda: room.open(seat(PERSON), seat(PERSON), address="192.0.2.3"))
    room.close(mine[0].table.match_id)
    again = room.open(seat(PERSON), seat(PERSON), address="192.0.2.1")
    for opened in (mine[1], other, again):
        room.close(opened.table.match_id)

    assert third[0] is fourth[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "of your address" in third[1]


@pytest.mark.parametrize("name", ["<script>", "x" * 33, "\u202eanna", "a b"])
def test_a_name_that_could_break_something_is_refused(room: Guests, name: str) -> None:
    """The line says what a name may have; the seat stays free."""
    opened = room.open(seat(PERSON), seat(PERSON))
    code, text = refused(lambda: room.join(opened.invitations[0], name))
    taken = room.join(opened.invitations[0], "ann")
    room.close(opened.table.match_id)

    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert "is no name here: use 1 to 32 of the letters" in text
    assert taken.name == "person:ann"


def test_connected_bots_play_people_beyond_the_table_that_they_owe(room: Guests, season_bots: list[Wire]) -> None:
    """A bot with two tables gives one; a bot with one table, or that did not say so, gives none; a clock is needed."""
    rules = room.stub.GetPeopleRules(apb.GetPeopleRulesRequest())
    unlimited = refused(lambda: room.open(seat(PERSON), seat(CONNECTED, "willing")))
    opened = room.open(seat(PERSON), seat(CONNECTED, "willing"), clock="5m")
    second = refused(lambda: room.open(seat(PERSON), seat(CONNECTED, "willing"), clock="5m"))
    busy = refused(lambda: room.open(seat(PERSON), seat(CONNECTED, "busy"), clock="5m"))
    shy = refused(lambda: room.open(seat(PERSON), seat(CONNECTED, "shy"), clock="5m"))
    taken = room.join(opened.invitations[0])
    with room.wire(taken.token) as wire:
        seated = play(wire, lambda message: message.seated).seated[0]
    room.close(taken.match_id)

    assert [bot.name for bot in rules.opponents if bot.kind == CONNECTED] == ["willing"]
    assert "needs a clock" in unlimited[1]
    assert all("has no table free for people now" in text for _, text in (second, busy, shy))
    assert list(seated.players) == ["person:ann", "willing"]


@pytest.fixture
def season_bots(room: Guests) -> Iterator[list[Wire]]:
    """Three bots, too few for the tables of five that the season opens."""
    bots = []
    for name, tables, plays_people in (("willing", 2, True), ("busy", 1, True), ("shy", 2, False)):
        wire = Wire(sockets(room.path).play)
        wire.greet(name, tables=tables, plays_people=plays_people)
        bots.append(wire)
    yield bots
    for wire in bots:
        wire.close()


def test_people_who_never_come_are_not_waited_for_long(tmp_path: Path) -> None:
    """The table is closed after its wait; so is one at which no seat decides, and its match has no result."""
    settings = PeopleSettings(wait=1.0, idle=2.0, bots=opponents(["random"]))
    path = tmp_path / "cup.sqlite"
    with Season(path, people=settings), guests(path) as found:
        lonely = found.open(seat(PERSON), seat(PERSON)).table.match_id
        opened = found.open(seat(PERSON), seat(HOUSE, "random"))
        taken = found.join(opened.invitations[0])
        with found.wire(taken.token) as wire:
            play(wire, lambda message: message.asks)
            over = wire.until(lambda message: message.over).over[0]
        eventually(lambda: found.table(lonely).state == apb.PEOPLE_TABLE_STATE_CLOSED)
        said = found.table(lonely).message

    assert said == "not everyone who was invited has come"
    assert not over.HasField("result")
    assert "no seat has decided" in over.endings[0].message


def test_a_referee_that_was_killed_goes_on_with_the_table(tmp_path: Path) -> None:
    """After kill -9 the token of the seat is good again, the host's bot is started again, and the match ends."""
    arena = Arena(tmp_path)
    words = ("--people", "--web", "127.0.0.1:0")
    first = arena.serve(*words)
    arena.until(Path(sockets(arena.database).admin.removeprefix("unix:")).exists)
    with guests(arena.database) as found:
        opened = found.open(seat(PERSON), seat(HOUSE, "random"), clock="5m")
        taken = found.join(opened.invitations[0])
        with found.wire(taken.token) as wire:
            play(wire, lambda message: any(ask.ask > 3 for ask in message.asks))
    first.send_signal(signal.SIGKILL)
    first.wait(WAIT)
    arena.serve(*words)
    over = _over_again(arena, taken.token)
    arena.until(lambda: arena.ended() == 1)
    with Store(arena.database) as store:
        verify(store.record(taken.match_id))
    arena.close()

    assert over.HasField("result")
    assert over.match_id == taken.match_id


def _over_again(arena: Arena, token: str) -> pb.Over:
    """Dial until the referee is back, then play to the end."""
    deadline = time.monotonic() + WAIT
    while True:
        with Wire(sockets(arena.database).play, token) as wire:
            wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, views=True)))
            if (message := wire.read()) is not None:
                wire.send(reply(message))
                return play(wire).over[0]
        assert time.monotonic() < deadline, arena.log()
        time.sleep(0.1)


def test_a_referee_that_does_not_allow_it_says_so(tmp_path: Path) -> None:
    """The rules have no tables, and each call says what the organiser would do."""
    path = tmp_path / "cup.sqlite"
    with Season(path), connected(path) as stub:
        rules = stub.GetPeopleRules(apb.GetPeopleRulesRequest())
        code, text = refused(lambda: Guests(path, stub).open(seat(PERSON), seat(PERSON)))

    assert rules.tables == 0
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert "kumite serve --people" in text
