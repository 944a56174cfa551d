"""`kumite event`: one clear line where it cannot be done, and the admin service behind it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from ladder.cli import run
from ladder.config.offers import every_table
from ladder.serving.admin_client import connected
from ladder.serving.sockets import sockets
from ladder.store.database import Store
from referee.kernel.errors import BadSetting
from referee.transport.unix import UNIX
from referee.v1 import admin_pb2 as pb
from tests.ladder.test_served import Season

pytestmark = pytest.mark.processes

WAIT = 30.0
FILE = """
season = "evening"
database = "cup.sqlite"
[event]
format = "knockout"
start = "{start}"
[[bots]]
spec = "remote:ann"
[[bots]]
spec = "remote:bob"
[[pools]]
game = "honshu"
"""


@pytest.fixture
def season(tmp_path: Path) -> Iterator[Season]:
    """A referee with an open season: it plays no event."""
    with Season(tmp_path / "cup.sqlite", every_table(["honshu"], seats=[2])) as found:
        yield found


@pytest.mark.parametrize("words", [["status"], ["start"], ["pause"], ["resume"], ["withdraw", "ann"]])
def test_a_referee_that_is_not_there_is_one_line(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a database, and with one that no referee plays."""
    database = tmp_path / "cup.sqlite"
    assert run(["event", *words, "--db", str(database)]) == 2
    assert "there is no database" in capsys.readouterr().err
    with Store(database):
        pass
    assert run(["event", *words, "--db", str(database)]) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert "no referee is running on" in line


def test_a_report_needs_an_event_and_one_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A database without an event, a season that is none, and two forms at once."""
    database = tmp_path / "cup.sqlite"
    with Store(database) as store:
        store.season("open", "", None, tempo="open", pairing_version=3)
    assert run(["event", "report", "--db", str(database)]) == 2
    assert "has no event" in capsys.readouterr().err
    assert run(["event", "report", "--db", str(database), "--season", "open"]) == 2
    assert "that season is no event" in capsys.readouterr().err
    assert run(["event", "report", "--db", str(database), "--season", "opem"]) == 2
    assert "did you mean 'open'" in capsys.readouterr().err
    assert run(["event", "report", "--db", str(database), "--csv", "--json"]) == 2
    assert "exclude each other" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["serve"], ["ladder", "run"]])
def test_a_start_in_the_past_leaves_nothing_behind(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, code 2, and no database."""
    file = tmp_path / "evening.toml"
    file.write_text(FILE.format(start="2020-01-01T10:00:00Z"))

    assert run([*command, str(file), "--bind", f"unix:{tmp_path / 'r'}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "event 'evening' was to start at 2020-01-01T10:00:00+00:00, which is past, and it has not begun" in line
    assert [path.name for path in tmp_path.iterdir()] == ["evening.toml"]


def test_a_referee_without_an_event_says_so(season: Season, capsys: pytest.CaptureFixture[str]) -> None:
    """Each call, with the remedy."""
    assert run(["event", "status", "--db", str(season.path)]) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert "this referee plays no event; start it with a ladder file that has a table [event]" in line


def test_the_admin_service_is_on_the_admin_socket_alone(season: Season) -> None:
    """For the referee's user alone; the address of bots does not know it; garbage is refused."""
    place = sockets(season.path).admin
    for address, expected in (
        (season.address, grpc.StatusCode.UNIMPLEMENTED),
        (place, grpc.StatusCode.FAILED_PRECONDITION),
    ):
        with grpc.insecure_channel(address) as channel, pytest.raises(grpc.RpcError) as refused:
            channel.unary_unary("/referee.v1.AdminService/GetEvent", None, None)(b"", timeout=WAIT)
        assert refused.value.code() is expected
    with grpc.insecure_channel(place) as channel, pytest.raises(grpc.RpcError) as refused:
        channel.unary_unary("/referee.v1.AdminService/WithdrawEntrant", None, None)(b"\xff\xff", timeout=WAIT)

    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert stat.S_IMODE(os.stat(place.removeprefix(UNIX)).st_mode) == 0o600


def test_a_client_turns_refusals_into_one_line(season: Season) -> None:
    """The text of the call's status."""
    with pytest.raises(BadSetting, match="plays no event"), connected(season.path) as admin:
        admin.PauseEvent(pb.PauseEventRequest(), timeout=WAIT)


def test_an_event_that_has_not_begun_can_be_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All entrants stand there without points; the database named by its ladder file."""
    from bots import source
    from ladder.config import ladder_file
    from ladder.events.event_season import EventSeason
    from ladder.seasons.season import Season as Schedule

    file = tmp_path / "evening.toml"
    file.write_text(FILE.format(start="organiser"))
    ladder = ladder_file.read(file)
    with Store(ladder.database) as store:
        EventSeason(ladder, Schedule(ladder, store, None, source.digest), store, at=0)
    assert run(["event", "report", "--db", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert (found["state"], found["winner"], len(found["standings"])) == ("waiting", None, 2)
    assert run(["event", "report", "--db", str(file)]) == 0
    assert "not begun" in capsys.readouterr().out
