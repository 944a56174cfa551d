"""A referee that is killed in mid-match and started again: no match lost, none played twice, clocks as they stood."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ladder.config.offers import every_table
from ladder.store.database import Store
from referee.match.record import Final
from referee.match.terms import Terms
from referee.match.verify import verify
from tests.transport.house import GoodBot, House

pytestmark = pytest.mark.processes

PATIENCE = 60.0
SLOW = """
import sys
import time

from bots import Bot, run


class Slow(Bot):
    def decide(self, ask):
        time.sleep(0.02)
        return ask.rng.randrange(ask.count)


run(Slow, sys.argv[1], name=sys.argv[2], token=sys.argv[3] if len(sys.argv) > 3 else None)
"""


class Scene:
    """A folder with a referee and bots as real processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "ladder.sqlite"
        self.address = f"unix:{folder / 'referee.sock'}"
        self._processes: list[subprocess.Popen[bytes]] = []
        (folder / "slow.py").write_text(SLOW)

    def start(self, *words: str, output: int | None = None) -> subprocess.Popen[bytes]:
        """Run Python with these arguments in the folder; what it says goes to a log, or its output to a descriptor."""
        environment = {**os.environ, "KUMITE_STATE": str(self.folder), "PYTHONPATH": str(Path(__file__).parents[2])}
        log = (self.folder / f"log-{len(self._processes)}").open("wb")
        with log:
            out = log if output is None else output
            process = subprocess.Popen(
                [sys.executable, *words], cwd=self.folder, env=environment, stdout=out, stderr=log
            )
        self._processes.append(process)
        return process

    def referee(self, *words: str, output: int | None = None) -> subprocess.Popen[bytes]:
        """A referee that plays two matches and keeps them."""
        table = ["--table", "edo_yashiki:2", "--clock", "30s+1s"]
        return self.start(
            "-m",
            "ladder",
            "serve",
            "--bind",
            self.address,
            "--db",
            str(self.database),
            *table,
            "--matches",
            "2",
            *words,
            output=output,
        )

    def bot(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        """A bot that thinks for a moment."""
        return self.start("slow.py", self.address, name, *words)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to come true."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.logs()
            time.sleep(0.02)

    def until_stepped(self, count: int) -> None:
        """Wait until more than `count` further steps are stored."""
        before = self.steps()
        self.until(lambda: self.steps() > before + count)

    def steps(self) -> int:
        """How many steps are stored."""
        if not self.database.exists():
            return 0
        connection = sqlite3.connect(self.database)
        try:
            return int(connection.execute("select count(*) from steps").fetchone()[0])
        except sqlite3.OperationalError:
            return 0
        finally:
            connection.close()

    def logs(self) -> str:
        """What everybody printed."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("log-*")))

    def close(self) -> None:
        """End what still runs."""
        for process in self._processes:
            process.kill()
            process.wait(30)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A folder of its own, left without a process."""
    place = Scene(tmp_path)
    yield place
    place.close()


def finished(scene: Scene) -> list[str]:
    """The matches that are over."""
    with Store(scene.database) as store:
        return [row[0] for row in store._connection.execute("select id from matches where state = 'finished'")]


@pytest.mark.parametrize("kills", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_matches_survive_kill_9_of_the_referee(scene: Scene, kills: int) -> None:
    """Killed in mid-match and restarted: the bots come back by themselves, and the record is whole and verifies."""
    referee = scene.referee()
    for name in ("ann", "bob"):
        scene.bot(name)
    for _ in range(kills):
        scene.until_stepped(8)
        referee.send_signal(signal.SIGKILL)
        referee.wait(30)
        referee = scene.referee("--matches", "1")
    scene.until(lambda: len(finished(scene)) >= 1)

    with Store(scene.database) as store:
        record = store.record(finished(scene)[0])
    verify(record)
    assert record.final is not None
    assert [ending.faults for ending in record.final.endings] == [0, 0], scene.logs()
    assert [step.n for step in record.steps] == list(range(len(record.steps)))


def test_a_bot_with_a_token_comes_back_after_the_referee_was_killed(scene: Scene) -> None:
    """Where tokens are needed they alone bring a bot back to its match, and a stranger is not let in."""
    with Store(scene.database) as store:
        tokens = {name: store.new_token(name) for name in ("ann", "bob")}
    referee = scene.referee()
    for name, token in tokens.items():
        scene.bot(name, token)
    scene.until(lambda: scene.steps() > 8)
    referee.send_signal(signal.SIGKILL)
    referee.wait(30)
    scene.referee("--matches", "1")
    stranger = scene.bot("eve", "guess")
    scene.until(lambda: len(finished(scene)) >= 1)

    assert stranger.wait(60) == 2
    with Store(scene.database) as store:
        record = store.record(finished(scene)[0])
    verify(record)
    assert set(record.header.players) == {"ann", "bob"}


def test_a_backup_made_in_mid_match_is_played_on_elsewhere(scene: Scene) -> None:
    """Database and key are copied while the referee writes; put back in another folder, the same match goes on."""
    referee = scene.referee()
    for name in ("ann", "bob"):
        scene.bot(name)
    scene.until(lambda: scene.steps() > 8)
    assert scene.start("-m", "ladder", "backup", "ladder.sqlite", "copies").wait(PATIENCE) == 0, scene.logs()
    referee.send_signal(signal.SIGKILL)
    referee.wait(30)
    copied = sorted(path.name for path in (scene.folder / "copies").iterdir())
    with Store(scene.folder / "copies" / "ladder.sqlite") as store:
        (running,) = store.running()
    (scene.folder / "copies").rename(scene.folder / "restored")
    scene.database = scene.folder / "restored" / "ladder.sqlite"
    scene.referee("--matches", "1")
    scene.until(lambda: running.record.header.match in finished(scene))

    assert copied == ["ladder.key", "ladder.sqlite"]
    with Store(scene.database) as store:
        record = store.record(running.record.header.match)
    verify(record)
    assert record.steps[: len(running.record.steps)] == running.record.steps
    assert len(running.record.steps) > 8


def test_a_referee_without_its_key_goes_on_with_new_matches(scene: Scene) -> None:
    """The running match is void, one line says so, and the bots, which come back by themselves, play the next one."""
    referee = scene.referee()
    for name in ("ann", "bob"):
        scene.bot(name)
    scene.until(lambda: scene.steps() > 8)
    referee.send_signal(signal.SIGKILL)
    referee.wait(30)
    (scene.folder / "ladder.key").unlink()
    scene.referee("--matches", "1")
    scene.until(lambda: len(finished(scene)) >= 1)

    with Store(scene.database) as store:
        verify(store.record(finished(scene)[0]))
        states = store._connection.execute("select state from matches order by started").fetchall()
    assert states == [("void",), ("finished",)]
    assert scene.logs().count("is lost, and a new one was made; 1 match that was not over is void") == 1


def test_a_referee_whose_output_nobody_reads_goes_on(scene: Scene) -> None:
    """`kumite serve | head -1`: all matches are played to their end, and it is said once that nobody reads."""
    reading, writing = os.pipe()
    referee = scene.referee(output=writing)
    os.close(writing)
    os.close(reading)
    for name in ("ann", "bob"):
        scene.bot(name)

    assert referee.wait(PATIENCE) == 0, scene.logs()
    assert len(finished(scene)) == 2
    assert scene.logs().count("nothing reads it any more") == 1
    assert "Traceback" not in scene.logs()
    assert "Exception ignored" not in scene.logs()


def test_a_referee_that_nobody_reads_at_all_goes_on(scene: Scene) -> None:
    """Neither its output nor its errors: `kumite serve 2>&1 | head -1`."""
    command = f"{sys.executable} -m ladder serve --db ladder.sqlite --bind {scene.address} --table edo_yashiki:2"
    script = f"import subprocess; subprocess.run({command + ' --matches 2 2>&1 | true'!r}, shell=True)"
    pipeline = scene.start("-c", script)
    for name in ("ann", "bob"):
        scene.bot(name)

    assert pipeline.wait(PATIENCE) == 0, scene.logs()
    assert len(finished(scene)) == 2


class Failing(House):
    """A referee that cannot tell anybody about its matches."""

    def _ended(self, terms: Terms, final: Final) -> None:
        super()._ended(terms, final)
        raise RuntimeError("nobody listens")


def test_whoever_is_told_of_a_match_cannot_end_the_others(caplog: pytest.LogCaptureFixture) -> None:
    """What it raises is logged, and the next match is played."""
    with (
        Failing(wanted=every_table(["edo_yashiki"], seats=[2]), matches=3) as house,
        GoodBot(house.address, "ann"),
        GoodBot(house.address, "bob"),
    ):
        finals = [house.final() for _ in range(3)]
        house.join()

    assert house.error is None
    assert len({terms.match for terms, _ in finals}) == house.finished == 3
    assert caplog.text.count("nobody listens") >= 3
