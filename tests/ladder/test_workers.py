"""Where matches run: processes that are killed, and a real Dask cluster."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.arena.bundles import Bundle, pack, unpack
from ladder.arena.job_lines import (
    JOB,
    RECORD,
    SECRET,
    job_from_lines,
    job_to_lines,
    opened,
    played_from_lines,
    signed,
)
from ladder.arena.jobs import Job
from ladder.arena.play import fresh_id, fresh_secret
from ladder.arena.workers import GivenUp, Workers, carry_out, carry_out_lines, cluster, local_processes
from ladder.store.records import Played
from referee.kernel.errors import BadSetting
from referee.match.plan import MatchPlan
from tests.certificates import certificate

pytestmark = pytest.mark.processes

VARIANT = {"rules": "standard", "draft": "sealed"}


def job(number: int, specs: tuple[str, ...] = ("random", "random")) -> Job:
    """A match of its own luck."""
    seed = f"workers/{number}"
    return Job(MatchPlan("edo_yashiki", ("a", "b"), fresh_id(seed), fresh_secret(seed), VARIANT), specs)


def steps(played: Played) -> list[str]:
    """What a match was, without its times: the answers of every step."""
    return [json.dumps(json.loads(line).get("answers")) for line in played.steps.splitlines()]


def gather(workers: Workers, count: int) -> dict[str, Played | GivenUp]:
    """The next results, by match."""
    found: dict[str, Played | GivenUp] = {}
    while len(found) < count:
        found.update({done.plan.match: outcome for done, outcome in workers.collect(60)})
    return found


KILLER = """
import os
import signal
from pathlib import Path

from bots import Bot


class Once(Bot):
    def decide(self, ask):
        mark = Path(os.environ["KILL_MARK"])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 0


class Always(Bot):
    def decide(self, ask):
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def killer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of bots that kill the process they play in."""
    (tmp_path / "killer.py").write_text(KILLER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KILL_MARK", str(tmp_path / "mark"))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}")


def test_processes_give_the_same_records_as_this_one() -> None:
    """A job is the same match wherever it is carried out."""
    jobs = [job(number) for number in range(4)]
    with local_processes(2) as workers:
        for entry in jobs:
            workers.submit(entry)
        found = gather(workers, 4)

    for entry in jobs:
        outcome = found[entry.plan.match]
        assert not isinstance(outcome, GivenUp)
        assert steps(outcome) == steps(carry_out(entry))


@pytest.mark.usefixtures("killer")
def test_a_killed_worker_costs_only_time() -> None:
    """A process that dies in mid-match is replaced, and its match is played again."""
    with local_processes(1) as workers:
        workers.submit(job(1, ("py:killer:Once", "random")))
        ((_, outcome),) = gather(workers, 1).items()

    assert not isinstance(outcome, GivenUp)


@pytest.mark.usefixtures("killer")
def test_a_match_that_keeps_killing_its_worker_is_given_up() -> None:
    """After three attempts the match is named, and other matches go on."""
    with local_processes(1) as workers:
        workers.submit(job(1, ("py:killer:Always", "random")))
        deadly = gather(workers, 1)[job(1).plan.match]
        workers.submit(job(2))
        other = gather(workers, 1)[job(2).plan.match]

    assert isinstance(deadly, GivenUp)
    assert "after 3 attempts" in str(deadly)
    assert not isinstance(other, GivenUp)


@pytest.mark.usefixtures("killer")
def test_matches_that_share_the_processes_with_a_killer_are_played() -> None:
    """A dying process takes other matches along: each is repeated alone, and only the deadly ones are given up."""
    with local_processes(2) as workers:
        workers.submit(job(1, ("py:killer:Always", "random")))
        workers.submit(job(2))
        workers.submit(job(3, ("random", "py:killer:Always")))
        workers.submit(job(4))
        found = gather(workers, 4)
        room = workers.room

    given_up = [number for number in range(1, 5) if isinstance(found[job(number).plan.match], GivenUp)]
    assert given_up == [1, 3]
    assert room == workers.capacity


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A real scheduler and two real workers on this machine."""
    with running_cluster(tmp_path, "tcp") as found:
        yield found


@contextmanager
def running_cluster(tmp_path: Path, protocol: str) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, which see this process's environment."""
    address = f"{protocol}://127.0.0.1:{free_port()}"
    log = (tmp_path / "dask.log").open("wb")

    def started(module: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", module, *words, "--host", f"{protocol}://127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=tmp_path)

    processes = [started("distributed.cli.dask_scheduler", "--port", address.rpartition(":")[2])]
    worker = ("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny")
    processes += [started(*worker) for _ in range(2)]
    try:
        yield address, processes[1:]
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:  # a worker over TLS may wait for a scheduler that is gone
                process.kill()
                process.wait()
        log.close()


def wait_for_workers(address: str) -> None:
    """Return when both workers have joined."""
    from distributed import Client

    with Client(address, timeout="60s", set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_plays_and_survives_the_loss_of_a_worker(
    dask: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    """Two real workers; one is killed in the middle, and every match is there all the same."""
    address, processes = dask
    wait_for_workers(address)
    jobs = [job(number, ("greedy", "greedy")) for number in range(30)]
    with cluster(address) as workers:
        for entry in jobs:
            workers.submit(entry)
        found = gather(workers, 3)
        processes[0].send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 120
        while len(found) < len(jobs) and time.monotonic() < deadline:
            found.update({done.plan.match: outcome for done, outcome in workers.collect(60)})

    assert set(found) == {entry.plan.match for entry in jobs}
    assert not any(isinstance(outcome, GivenUp) for outcome in found.values())
    first = found[jobs[0].plan.match]
    assert not isinstance(first, GivenUp)
    assert steps(first) == steps(carry_out(jobs[0]))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_over_tls_with_a_shared_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates by Dask's own settings, jobs and records signed; without the secret no worker's record is taken."""
    files = certificate(tmp_path)
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT", str(files.chain))
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY", str(files.key))
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TLS__CA_FILE", str(files.roots))
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION", "True")
    monkeypatch.setenv(SECRET, "only the two of us")
    script = tmp_path / "drive.py"
    script.write_text(DRIVER)
    with running_cluster(tmp_path, "tls") as (address, _):
        line = [sys.executable, str(script), address]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        good = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=120)
        other = subprocess.run(
            line, env={**environment, SECRET: "another"}, capture_output=True, text=True, timeout=120
        )

    assert good.stdout == "played 4\n", good.stderr
    assert "signed with another KUMITE_CLUSTER_SECRET" in other.stderr


DRIVER = """
import sys
from distributed import Client
from ladder.arena.workers import cluster
from tests.ladder.test_workers import gather, job

if __name__ == "__main__":
    with Client(sys.argv[1], timeout="60s", set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    with cluster(sys.argv[1], patience=60) as workers:
        for number in range(4):
            workers.submit(job(number))
        print("played", len(gather(workers, 4)))
"""


def test_a_bundle_brings_a_module_to_a_worker_that_lacks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed here, unpacked in a process that never saw the module; a changed module replaces the old one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    code = "from bots import Bot\n\nclass Last(Bot):\n    def decide(self, ask):\n        return ask.count - {}\n"
    (tmp_path / "shipped.py").write_text(code.format(1))
    spec = "py:shipped:Last"
    bundle = pack(spec)
    assert bundle is not None
    away = tmp_path / "away"
    away.mkdir()
    script = (
        "import sys\n"
        "from ladder.arena.workers import carry_out_lines\n"
        "sys.stdout.buffer.write(carry_out_lines(sys.stdin.buffer.read()))\n"
    )
    plain = replace(job(7, (spec, "random")), bundles=(bundle,))
    found = subprocess.run(
        [sys.executable, "-c", script],
        input=job_to_lines(plain),
        capture_output=True,
        check=True,
        cwd=away,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(away)},
        timeout=60,
    )

    played = played_from_lines(plain, found.stdout)
    assert steps(played) == steps(carry_out(plain))
    (folder,) = away.glob("kumite-bundles-*")
    assert folder.stat().st_mode & 0o077 == 0
    assert [file.name for file in folder.iterdir()] == [f"{bundle.digest}.zip"]


MODULE = "from bots import Bot\n\nclass Last(Bot):\n    def decide(self, ask):\n        return {}\n"


@pytest.fixture
def sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bundle]:
    """The bundle of a module that this process does not find, whose worker folder is in a folder of the test's own."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "planted.py").write_text(MODULE.format("ask.count - 1"))
    with monkeypatch.context() as patch:
        patch.syspath_prepend(home)
        pack.cache_clear()
        bundle = pack("py:planted:Last")
        assert bundle is not None
        sys.modules.pop("planted", None)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield bundle
    sys.modules.pop("planted", None)


def imported() -> str:
    """The source of the module as it is imported here."""
    sys.modules.pop("planted", None)
    return inspect.getsource(importlib.import_module("planted").Last)


def test_what_another_user_left_under_a_bundles_digest_is_not_imported(sent: Bundle, tmp_path: Path) -> None:
    """A planted folder of the old layout, a planted file in the new one, and a file that was changed after its use."""
    old = tmp_path / "kumite-bundles" / sent.digest
    old.mkdir(parents=True)
    (old / "planted.py").write_text(MODULE.format("1 / 0"))
    folder = tmp_path / f"kumite-bundles-{os.getuid()}"
    folder.mkdir(mode=0o700)
    place = folder / f"{sent.digest}.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("planted.py", MODULE.format("2 / 0"))

    unpack(sent)
    assert "ask.count - 1" in imported()

    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("planted.py", MODULE.format("3 / 0"))
    unpack(sent)
    assert "ask.count - 1" in imported()


@pytest.mark.parametrize("how", ["open", "link", "file"])
def test_a_worker_folder_that_others_could_enter_is_not_used(how: str, sent: Bundle, tmp_path: Path) -> None:
    """Open to others, a link to somewhere else, or no folder: the worker makes one of its own."""
    folder = tmp_path / f"kumite-bundles-{os.getuid()}"
    if how == "open":
        folder.mkdir()
        folder.chmod(0o777)
    elif how == "link":
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.touch()

    unpack(sent)

    assert "ask.count - 1" in imported()
    if how != "file":
        assert list(folder.iterdir()) == []


def test_a_bundle_whose_data_do_not_fit_its_digest_is_refused(sent: Bundle) -> None:
    """The digest is that of the data; a worker does not even keep others."""
    with pytest.raises(BadSetting, match="does not have its digest"):
        unpack(replace(sent, data=sent.data + b"x"))


def test_jobs_and_records_survive_the_way_as_lines(sent: Bundle) -> None:
    """Bytes of JSON lines hold everything; a record of another match or one that was changed is refused."""
    one, other = replace(job(1), bundles=(sent,)), job(2)
    assert job_from_lines(job_to_lines(one)) == one

    lines = carry_out_lines(job_to_lines(replace(one, bundles=())))
    assert played_from_lines(one, lines).header.match == one.plan.match
    with pytest.raises(BadSetting, match="not the whole record of that match"):
        played_from_lines(other, lines)
    with pytest.raises(BadSetting, match="cannot be used"):
        played_from_lines(one, lines.replace(b'"rated":true', b'"rated":false'))
    with pytest.raises(BadSetting, match="no job"):
        job_from_lines(b"\x80\x04N.")
    assert b"problem" in carry_out_lines(b"[]\n")


def test_a_shared_secret_signs_jobs_and_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, with another one, or with a job sent back as a record, nothing is taken."""
    lines = job_to_lines(job(1))
    monkeypatch.setenv(SECRET, "one")
    payload = signed(lines, JOB)
    assert opened(payload, JOB) == lines
    with pytest.raises(BadSetting, match="not signed"):
        opened(lines, JOB)
    with pytest.raises(BadSetting, match="another"):
        opened(payload, RECORD)
    monkeypatch.setenv(SECRET, "two")
    with pytest.raises(BadSetting, match="another"):
        opened(payload, JOB)
    monkeypatch.delenv(SECRET)
    with pytest.raises(BadSetting, match="has no KUMITE_CLUSTER_SECRET"):
        opened(payload, JOB)


def test_a_cluster_that_is_not_there_is_one_clear_line() -> None:
    """No scheduler at the address: the error names it."""
    with pytest.raises(BadSetting, match="no Dask scheduler answers there"):
        cluster("tcp://127.0.0.1:9", patience=0.5)
