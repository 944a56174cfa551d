"""A season at a referee: its unix sockets, what they serve, and how it says goodbye."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from ladder.config.offers import TableOffer, every_table
from ladder.config.people import PeopleSettings
from ladder.seasons.open_season import OpenSeason
from ladder.serving.directory import EntrantDirectory
from ladder.serving.served_season import ServedSeason
from ladder.serving.sockets import Sockets, make_socket_folder, sockets
from ladder.store.database import Store
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.transport.server import Config, Server
from referee.transport.unix import LONGEST_PATH, UNIX
from referee.v1 import play_pb2 as pb
from tests.transport.house import WAIT, GoodBot, Wire, reply

pytestmark = pytest.mark.processes

TWO = every_table(["edo_yashiki"], seats=[2])


class Season:
    """An open season in a thread of its own; the thread opens the database, as SQLite wants it."""

    def __init__(
        self,
        path: Path,
        offers: Sequence[TableOffer] = TWO,
        *,
        matches: int | None = None,
        tls_cert: Path | None = None,
        tls_key: Path | None = None,
        people: PeopleSettings | None = None,
    ) -> None:
        self.path = path
        self._people = people
        self._offers = offers
        self._config = Config(bind=("127.0.0.1:0",), matches=matches, tls_cert=tls_cert, tls_key=tls_key)
        self._open = threading.Event()
        self.server: Server | None = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self._open.wait(WAIT)
        if self.error is not None:
            raise self.error

    def _serve(self) -> None:
        try:
            with Store(self.path) as store:
                row = store.season("open", "", bytes(32), tempo="open", pairing_version=2)
                season = OpenSeason(store, row, self._offers)
                directory, people = EntrantDirectory(store), self._people
                ServedSeason(store, season, directory, self._config, started=self._started, people=people).run()
        except BaseException as error:
            self.error = error
        finally:
            self._open.set()

    def _started(self, server: Server) -> None:
        self.server = server
        self._open.set()

    @property
    def address(self) -> str:
        """Where bots find it."""
        assert self.server is not None
        return self.server.addresses[0]

    def stop(self) -> None:
        """Ask it to end once, as a signal does."""
        assert self.server is not None
        self.server.stop()

    def join(self) -> None:
        """Wait until it has ended."""
        self._thread.join(WAIT)
        assert not self._thread.is_alive()

    def __enter__(self) -> Season:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self.join()


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    """A referee with its sockets."""
    with Season(tmp_path_factory.mktemp("s") / "cup.sqlite") as opened:
        yield opened


def health(address: str) -> grpc.StatusCode | None:
    """How a question for the health of a referee ends; None: it is answered."""
    with grpc.insecure_channel(address) as channel:
        try:
            health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=WAIT)
        except grpc.RpcError as error:
            return error.code()
        return None


def reflection(address: str) -> grpc.StatusCode | None:
    """How a question for the services of a referee ends; None: it is answered."""
    ask = reflection_pb2.ServerReflectionRequest(list_services="")
    with grpc.insecure_channel(address) as channel:
        try:
            list(reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([ask]), timeout=WAIT))
        except grpc.RpcError as error:
            return error.code()
        return None


def test_the_socket_for_bots_serves_play_and_describe_alone(season: Season) -> None:
    """Neither health nor reflection: a hosted bot sees nothing that it does not need."""
    place = sockets(season.path)
    with Wire(place.play) as wire:
        assert wire.hello("ann").season == "open"

    assert health(place.play) == reflection(place.play) == grpc.StatusCode.UNIMPLEMENTED
    assert health(season.address) is reflection(season.address) is None


def test_the_socket_for_the_organiser_serves_no_play(season: Season) -> None:
    """It has its health, and waits for the services of administration."""
    place = sockets(season.path)
    with Wire(place.admin) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="ann")))
        assert wire.status() == grpc.StatusCode.UNIMPLEMENTED

    assert health(place.admin) is None


def test_both_sockets_are_for_the_referees_user_alone(season: Season) -> None:
    """Mode 0600, whatever the umask, and the umask of the process is as before."""
    modes = [stat.S_IMODE(os.stat(address.removeprefix(UNIX)).st_mode) for address in sockets(season.path)]
    before = os.umask(0o022)
    os.umask(before)

    assert modes == [0o600, 0o600]
    assert before == 0o022 or before & 0o600 == 0


def test_sockets_lie_beside_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named after it, whether its path is given in full or not, and through a link."""
    (tmp_path / "cup.sqlite").touch()
    (tmp_path / "link.sqlite").symlink_to("cup.sqlite")
    expected = Sockets(f"unix:{tmp_path}/cup.play.sock", f"unix:{tmp_path}/cup.admin.sock")
    monkeypatch.chdir(tmp_path)

    assert sockets(tmp_path / "cup.sqlite") == sockets(Path("cup.sqlite")) == sockets(Path("link.sqlite")) == expected


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder with a short path, as the system's own for temporary files has, wherever the tests keep theirs."""
    with tempfile.TemporaryDirectory(prefix="k", dir="/tmp") as folder:
        yield Path(folder)


def test_sockets_of_a_long_path_lie_among_the_temporary_files(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short enough to be opened, the same each time, different for each database, in a folder of the user's own."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(short_folder))
    long = short_folder / ("ü" * 60) / "cup.sqlite"
    place = sockets(long)
    make_socket_folder(place)
    folder = Path(place.play.removeprefix(UNIX)).parent

    assert all(len(address.removeprefix(UNIX).encode()) <= LONGEST_PATH for address in place)
    assert place == sockets(long)
    assert place != sockets(long.with_name("other.sqlite"))
    assert folder == short_folder / f"kumite-{os.getuid()}"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    make_socket_folder(place)


def test_a_folder_for_sockets_that_others_can_write_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user of the machine could have made it and replace the sockets: one clear line."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    place = sockets(tmp_path / ("x" * 120) / "cup.sqlite")
    folder = Path(place.play.removeprefix(UNIX)).parent
    folder.mkdir()
    folder.chmod(0o777)

    with pytest.raises(BadSetting, match="shorter path"):
        make_socket_folder(place)


def test_a_signal_says_restarting_and_the_match_waits(tmp_path: Path) -> None:
    """The bots are told to come back; the next start goes on with the match, and it is rated at its end."""
    path = tmp_path / "cup.sqlite"
    first = Season(path)
    with Wire(first.address) as ann, GoodBot(first.address, "bob") as bob:
        resume = ann.hello("ann").resume_token
        ann.send(reply(ann.until(lambda message: message.seated)))
        ask = ann.until(lambda message: message.asks).asks[0]
        first.stop()
        fault = ann.fault(pb.FAULT_CODE_RESTARTING)
        bob.finish()
    first.join()
    assert fault.closes_stream
    assert [fault.code for fault in bob.faults] == [pb.FAULT_CODE_RESTARTING]
    with Store(path) as store:
        assert [match.record.header.match for match in store.running()] == [ask.match_id]

    with (
        Season(path) as second,
        GoodBot(second.address, "ann", resume_token=resume) as ann_again,
        GoodBot(second.address, "bob", resume_token=bob.welcome.resume_token),
    ):
        deadline = time.monotonic() + WAIT
        while not ann_again.overs and time.monotonic() < deadline:
            time.sleep(0.02)
    over = ann_again.overs[0]
    assert over.match_id == ask.match_id
    assert [rating.games for rating in over.ratings] == [1, 1]


def test_a_match_of_rules_that_have_changed_since_is_void_and_the_season_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A new version of the rules is installed while a match waits: it becomes void, and a new pool is played."""
    path = tmp_path / "cup.sqlite"
    first = Season(path)
    with Wire(first.address) as ann, GoodBot(first.address, "bob"):
        ann.hello("ann")
        ann.send(reply(ann.until(lambda message: message.seated)))
        ann.until(lambda message: message.asks)
        first.stop()
        ann.fault(pb.FAULT_CODE_RESTARTING)
    first.join()
    game = registry.game("edo_yashiki")
    monkeypatch.setattr(game, "rules_version", game.rules_version + 1)
    second = Season(path, matches=1)
    bots = [GoodBot(second.address, name) for name in ("ann", "bob")]
    second.join()
    for bot in bots:
        bot.finish()

    assert "the rules of edo_yashiki have changed" in caplog.text
    with Store(path) as store:
        rows = store._connection.execute("select state, pool from matches join groups on groups.id = group_id")
        assert sorted(rows) == [("finished", 2), ("void", 1)]


def test_a_second_signal_says_shutdown_and_ends_the_match(tmp_path: Path) -> None:
    """It is void with the referee as its owner, and is not gone on with."""
    path = tmp_path / "cup.sqlite"
    season = Season(path)
    with Wire(season.address) as ann, GoodBot(season.address, "bob"):
        ann.hello("ann")
        ann.send(reply(ann.until(lambda message: message.seated)))
        ann.until(lambda message: message.asks)
        season.stop()
        season.stop()
        assert ann.fault(pb.FAULT_CODE_SHUTDOWN).closes_stream
    season.join()

    assert isinstance(season.error, KeyboardInterrupt)
    with Store(path) as store:
        assert store.running() == []
        assert store._connection.execute("select state, rated from matches").fetchall() == [("void", 0)]


def test_a_season_that_ends_by_itself_says_shutdown(tmp_path: Path) -> None:
    """After its number of matches there is nothing to come back for."""
    season = Season(tmp_path / "cup.sqlite", matches=2)
    bots = [GoodBot(season.address, name) for name in ("ann", "bob")]
    season.join()
    for bot in bots:
        bot.finish()

    assert [[fault.code for fault in bot.faults] for bot in bots] == [[pb.FAULT_CODE_SHUTDOWN]] * 2
    assert [len(bot.overs) for bot in bots] == [2, 2]
    assert {over.record_hash for bot in bots for over in bot.overs} == hashes(season.path)


def hashes(path: Path) -> set[str]:
    """The last hash of every stored record."""
    with Store(path) as store:
        rows = store._connection.execute("select id from matches").fetchall()
        return {store.record(match).hashes[-1] for (match,) in rows}


def test_two_referees_on_one_database_exclude_each_other(tmp_path: Path) -> None:
    """Also where the second one names the file by a link: it says who is in the way, and the first goes on."""
    path = tmp_path / "cup.sqlite"
    with Store(path) as store:
        store.lock()
        (tmp_path / "link.sqlite").symlink_to("cup.sqlite")
        for name in ("cup.sqlite", "link.sqlite"):
            with Store(tmp_path / name) as other, pytest.raises(ValueError, match="another kumite is playing"):
                other.lock()
