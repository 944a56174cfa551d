"""The hosted referee: process bots are who they are, stay warm, leave nothing behind, and what they use is recorded."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ladder.arena import host_settings
from ladder.arena.entrants import find
from ladder.arena.play_processes import HostedReferee, play_hosted
from referee.hosting.sandbox import Trusted
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import EndingKind, FaultKind, Owner
from referee.match.record import Record, from_lines
from referee.match.verify import verify
from tests.hosting.walled import needed, running

pytestmark = pytest.mark.processes

CLOCK = TimeControl.parse("60s/20s")


@pytest.fixture(params=["walls", "trust"])
def referee(request: pytest.FixtureRequest) -> Iterator[HostedReferee]:
    """A hosted referee, behind walls and without."""
    if request.param == "walls":
        needed()
    with host_settings.replaced(None if request.param == "walls" else Trusted()):
        found = HostedReferee()
        yield found
        found.close()


@pytest.fixture
def bot(tmp_path: Path) -> Callable[..., str]:
    """Makes a folder with a bot whose `decide` has these lines."""

    def make(name: str, decide: str, setup: str = "", limits: str = "") -> str:
        folder = tmp_path / name
        folder.mkdir()
        body = textwrap.indent(textwrap.dedent(decide).strip(), "        ")
        source = f"import os, sys\nfrom bots import Bot, run\n{textwrap.dedent(setup)}\n"
        source += f"class Mine(Bot):\n    def decide(self, ask):\n{body}\nrun(Mine)\n"
        (folder / "bot.py").write_text(source)
        command = json.dumps([sys.executable, "bot.py"])
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n[limits]\n{limits}\n')
        return str(folder)

    return make


def play(referee: HostedReferee, *specs: str, secret: bytes | None = None) -> Record:
    """One match; its record verifies."""
    players = tuple(f"seat{seat}" for seat in range(len(specs)))
    plan = MatchPlan("edo_yashiki", players, secret=secret or secrets.token_bytes(32), clock=CLOCK)
    record = play_hosted(plan, [find(spec) for spec in specs], referee=referee)
    verify(record)
    return record


NOTES = """
ask.note(f"{os.getpid()} {os.environ['KUMITE_NAME']}")
return 0
"""


def notes(record: Record, seat: int) -> set[str]:
    """What the bot of a seat noted."""
    return {step.notes[seat] for step in record.steps if seat in step.notes}


def test_a_process_serves_many_matches_and_meets_each_deal_once(
    referee: HostedReferee, bot: Callable[..., str]
) -> None:
    """New deals are played by the process that is there; the games of one deal are played by different ones."""
    mine = bot("mine", NOTES)
    first = [notes(play(referee, mine, "random"), 0) for _ in range(3)]
    shared = secrets.token_bytes(32)
    same = [
        notes(play(referee, mine, "random", secret=shared), 0),
        notes(play(referee, "random", mine, secret=shared), 1),
    ]

    assert len(set.union(*first)) == 1
    assert same[0] == first[0]
    assert same[0].isdisjoint(same[1])


def test_the_usage_of_hosted_seats_stands_in_the_record(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """CPU time and peak memory of the hosted seat, nothing of the house bot; they survive the way through a file."""
    record = play(referee, bot("mine", "return 0"), "random")

    assert record.final is not None
    hosted, house = record.final.usage
    assert house is None
    assert hosted is not None
    assert hosted.cpu_us > 1000
    assert hosted.peak_bytes > 1 << 20
    assert from_lines(list(record.lines())).final == record.final


def test_a_process_that_dies_is_a_fault_of_its_seat_at_once(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """The stand-in plays on without waiting for the clock, the opponent wins, and the fault says what was printed."""
    dying = bot("dying", 'print("out of ideas", flush=True)\nos._exit(7)')
    began = time.monotonic()
    record = play(referee, dying, "random")

    assert time.monotonic() - began < 15
    assert record.final is not None
    assert record.final.endings[0].kind is EndingKind.FORFEITED
    assert record.final.result is not None
    assert record.final.result.places == (2, 1)
    faults = [fault for step in record.steps for fault in step.faults]
    assert {(fault.seat, fault.kind, fault.owner) for fault in faults} == {(0, FaultKind.CRASHED, Owner.BOT)}
    assert "ended with code 7" in faults[0].message
    assert "out of ideas" in faults[0].message
    assert play(referee, dying, "random").final is not None


def test_a_bot_over_its_memory_is_ended_with_the_figure(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """The fault names the limit, and is the bot's own."""
    greedy = bot("hungry", "hoard = bytearray(400 << 20)\nreturn len(hoard) % 1", limits="memory_mib = 200")
    record = play(referee, greedy, "random")

    faults = [fault for step in record.steps for fault in step.faults]
    assert faults
    assert {fault.owner for fault in faults} == {Owner.BOT}
    assert "200 MiB" in faults[0].message
    assert record.final is not None
    assert record.final.rated


SQUATTER = """
import grpc
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

def attempts():
    found = []
    channel = grpc.insecure_channel(os.environ["KUMITE_ADDRESS"])
    stub = RefereeServiceStub(channel)
    own = os.environ["KUMITE_TOKEN"]
    for token, name in ((None, "random"), (own, "random"), ("x" * 43, "random"), (None, "random+2"), (own, "victim")):
        metadata = [("authorization", f"Bearer {token}")] if token else []
        hello = pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=name, tables=9))
        try:
            first = next(iter(stub.Play(iter([hello]), metadata=metadata, timeout=3)))
            found.append(first.welcome.name if first.HasField("welcome") else f"no{first.faults[0].code}")
        except grpc.RpcError as error:
            found.append(f"no:{error.code().name}")
    for service in ("grpc.health.v1.Health/Check", "referee.v1.AdminService/Status", "referee.v1.WatchService/Tables"):
        try:
            channel.unary_unary(f"/{service}")(b"", timeout=3)
            found.append("served")
        except grpc.RpcError as error:
            found.append(error.code().name)
    return found
"""


def test_a_bot_cannot_take_anothers_name(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """Every name needs its own token; a bot's token admits under its own name alone; the socket serves play alone."""
    decide = "if ask.number == 1: ask.note(' '.join(attempts()))\nreturn 0"
    record = play(referee, bot("squatter", decide, SQUATTER), "random")
    (found,) = notes(record, 0)
    *hellos, health, admin, watch = found.split()

    assert len(hellos) == 5
    assert all(hello.startswith("no") for hello in hellos), hellos
    assert {health, admin, watch} == {"UNIMPLEMENTED"}


def test_a_bot_that_does_not_come_is_one_clear_line(referee: HostedReferee, tmp_path: Path) -> None:
    """The line shows what it printed; the referee goes on with others."""
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["sh", "-c", "echo no luck today; exit 3"]\n')

    with pytest.raises(BadSetting, match=r"broken.*ended with code 3.*no luck today"):
        play(referee, str(folder), "random")
    assert play(referee, "random", "random").final is not None


def test_matches_are_played_side_by_side(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """Several threads hand matches in; each gets the record of its own."""
    mine = bot("mine", NOTES)
    with ThreadPoolExecutor(4) as pool:
        records = list(pool.map(lambda _: play(referee, mine, "random"), range(8)))

    assert len({record.header.match for record in records}) == 8
    assert all(record.final is not None and record.final.endings[0].faults == 0 for record in records)


HOST = """
import secrets, sys, time
from ladder.arena.entrants import find
from ladder.arena.play_processes import play_hosted
from referee.match.plan import MatchPlan

if __name__ == "__main__":
    play_hosted(MatchPlan("edo_yashiki", ("a", "b"), "m", bytes(32)), [find(sys.argv[1]), find("random")])
    print("played", flush=True)
    time.sleep(60)
"""


def living(mark: str) -> list[str]:
    """The processes with this text in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if mark in line and str(os.getpid()) != folder.name:
            found.append(line)
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_idle_processes_end_with_a_killed_host(bot: Callable[..., str], tmp_path: Path) -> None:
    """kill -9 of the host: within seconds no process of its bots is left."""
    mark = f"marked-{secrets.token_hex(4)}.py"
    folder = Path(bot("mine", "return 0"))
    (folder / "bot.py").rename(folder / mark)
    manifest = (folder / "bot.toml").read_text().replace("bot.py", mark)
    (folder / "bot.toml").write_text(manifest)
    script = tmp_path / "host.py"
    script.write_text(HOST)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, script, folder], stdout=subprocess.PIPE, env=environment) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"played\n"
        assert living(mark)
        host.kill()
    deadline = time.monotonic() + 5
    while living(mark) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert living(mark) == []


@pytest.mark.parametrize("begun", [True, False])
def test_matches_in_flight_end_with_their_referee(referee: HostedReferee, bot: Callable[..., str], begun: bool) -> None:
    """Each is refused with one line: no thread waits for ever for a match that no longer is."""
    slow = bot("slow", "import time\ntime.sleep(60)\nreturn 0")
    manifest = Path(slow, "bot.toml")
    manifest.write_text(manifest.read_text().replace('"bot.py"]', '"bot.py", "slow-in-flight"]'))
    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(play, referee, slow, "random") for _ in range(3)]
        deadline = time.monotonic() + 30
        while begun and not running("slow-in-flight") and time.monotonic() < deadline:
            time.sleep(0.01)
        referee.close()
        problems = [future.exception(timeout=30) for future in waiting]

    assert [type(problem) for problem in problems] == [BadSetting] * 3
