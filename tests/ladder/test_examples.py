"""The example ladders work as they are shipped."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ladder.cli import run
from ladder.config import ladder_file
from tests.forked_command import ForkedCommand
from tests.ladder import exchanging

pytestmark = pytest.mark.processes

EXAMPLES = Path(__file__).parents[2] / "examples"
NIGHTLY = EXAMPLES / "nightly"
MERGING = EXAMPLES / "merging"
DEMO = {
    *("edo_yashiki", "honshu", "ninjato", "white_castle"),
    *("greedy", "dice-1", "dice-2", "visitor-greedy", "visitor-dice"),
}
"""The games and the players of the demo ladder."""


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the nightly example, as a host would have it."""
    shutil.copytree(NIGHTLY, tmp_path / "ladder")
    monkeypatch.chdir(tmp_path / "ladder")
    return tmp_path / "ladder"


def test_the_demo_ladder_shows_the_whole_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `make ladder` runs: house bots and two that connect over gRPC stand in one table of every game."""
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("*.sqlite*"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "KUMITE_STATE": str(tmp_path), "PYTHONPATH": str(EXAMPLES.parent)}
    script = tmp_path / "examples" / "ladder.sh"
    with (tmp_path / "said").open("wb") as said:
        season = subprocess.Popen(
            [script, "300s"], cwd=tmp_path, env=environment, stdout=said, stderr=subprocess.DEVNULL
        )
    # The season is told to end as soon as there is all that the test looks for.
    while season.poll() is None and not played(tmp_path / "examples" / "ladder.sqlite") >= DEMO:
        time.sleep(0.1)
    for number in children(season.pid, "ladder run"):
        os.kill(number, signal.SIGTERM)
    assert season.wait(PATIENCE) == 0
    assert run(["ladder", "standings", str(tmp_path / "examples" / "ladder.toml"), "--json"]) == 0
    pools = json.loads(capsys.readouterr().out)["pools"]
    last = (tmp_path / "said").read_text().splitlines()[-1]

    assert last == f"Look at the result in a browser: {Path(sys.executable).parent / 'kumite'} web examples/ladder.toml"
    assert {pool["game"] for pool in pools} | {player["player"] for pool in pools for player in pool["players"]} >= DEMO


def played(database: Path) -> set[str]:
    """The games and the players of rated matches whose group is over: those that standings count."""
    query = (
        "select game, player from seats join matches on matches.id = match join groups on groups.id = group_id "
        "where (select count(*) from matches as played where played.group_id = groups.id and played.rated) = games"
    )
    return {name for row in rows(database, query) for name in row}


def rows(database: Path, query: str) -> set[tuple[str, ...]]:
    """Rows of a database that another process writes; none while it is not there yet."""
    if not database.exists():
        return set()
    connection = sqlite3.connect(database, timeout=PATIENCE)
    try:
        return set(connection.execute(query))
    except sqlite3.OperationalError:
        return set()
    finally:
        connection.close()


def children(parent: int, words: str) -> list[int]:
    """The processes that another one has started, with these words in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            mine = int(path.read_text().rpartition(")")[2].split()[1]) == parent
            if mine and words in path.with_name("cmdline").read_text().replace("\0", " "):
                found.append(int(path.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Variables for shell scripts, with a `kumite` on the path that is forked."""
    with ForkedCommand(tmp_path / "bin") as command:
        path = f"{command.folder}{os.pathsep}{os.environ['PATH']}"
        yield {**os.environ, "PATH": path, "KUMITE_STATE": str(tmp_path)}


def test_two_referees_become_one_ladder(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The merging example as its README says, with shorter evenings: both referees' bots stand in one table."""
    commands = re.findall(r"^```sh\n(.*?)^```", (MERGING / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert commands == ["mkdir evenings\nexamples/merging/merge.sh evenings\n"]
    shutil.copytree(MERGING, tmp_path / "examples" / "merging")
    text = commands[0].replace("merge.sh evenings", "merge.sh evenings 6")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    assert run(["ladder", "standings", str(tmp_path / "evenings" / "north.sqlite"), "--json"]) == 0
    (pool,) = json.loads(capsys.readouterr().out)["pools"]

    assert {player["player"] for player in pool["players"]} == {"greedy", "dice", "nora", "sven"}
    assert sum(player["games"] for player in pool["players"]) == 3 * 12
    assert "imported 6 matches into north.sqlite" in done.stdout
    assert ": holds: " in done.stdout


def test_the_line_for_every_night_takes_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cron line of the merging example, run twice."""
    (line,) = re.findall(r"^30 3 \* \* \* (.*)$", (MERGING / "README.md").read_text(), re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    for name in ("north", "south"):
        (tmp_path / f"{name}.toml").write_text(exchanging.LADDER.format(name=name))
        assert run(["ladder", "run", f"{name}.toml", "--workers", "0"]) == 0
    commands = [command.split()[1:] for command in line.split(" && ")]

    assert [words[0] for words in commands] == ["export", "import"]
    for _ in range(2):
        assert [run(words) for words in commands] == [0, 0]


def test_the_rival_of_the_solo_game_is_rated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Solo play stands in a table of its own, with the automaton among the players."""
    text = (EXAMPLES / "ladder.toml").read_text()
    solo = text[: text.index("[[pools]]")] + text[text.rindex("[[pools]]") :]
    (tmp_path / "solo.toml").write_text(solo)
    assert run(["ladder", "run", str(tmp_path / "solo.toml"), "--workers", "0", "--matches", "9", "--json"]) == 0
    (pool,) = json.loads(capsys.readouterr().out)["pools"]

    assert "rival" in {player["player"] for player in pool["players"]}


@pytest.mark.usefixtures("night")
def test_two_nights_can_be_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """The command of the service, with a shorter budget, twice; then the comparison."""
    for _ in range(2):
        assert run(["ladder", "run", "ladder.toml", "--workers", "0", "--matches", "6"]) == 0
    capsys.readouterr()

    assert run(["ladder", "diff", "ladder.toml"]) == 0
    assert "greedy" in capsys.readouterr().out


def kumite_words(command: str) -> list[str]:
    """The arguments behind `kumite` in a command line."""
    return re.split(r"kumite\"? ", command, maxsplit=1)[1].split()


def test_every_command_of_the_examples_is_one_that_exists(night: Path) -> None:
    """Service, cron line and workflow call kumite with arguments that it takes: each run ends after two matches."""
    service = configparser.ConfigParser(interpolation=None)
    service.read(night / "kumite-nightly.service")
    cron = [line for line in (night / "crontab").read_text().splitlines() if not line.startswith("#")]
    steps = yaml.safe_load((night / "workflow.yml").read_text())["jobs"]["ladder"]["steps"]
    commands = [
        service["Service"]["ExecStart"],
        *cron,
        *(step["run"] for step in steps if "kumite ladder" in step.get("run", "")),
    ]

    assert len(commands) == 4
    for command in commands:
        words = kumite_words(command)
        short = ["--matches", "2", "--workers", "0"] if "run" in words else []
        assert run([*words, *short]) == 0, command


def test_the_cron_line_has_five_fields_and_the_timer_a_calendar() -> None:
    """Both start at half past midnight."""
    (line,) = [line for line in (NIGHTLY / "crontab").read_text().splitlines() if not line.startswith("#")]
    timer = configparser.ConfigParser(interpolation=None)
    timer.read(NIGHTLY / "kumite-nightly.timer")

    assert line.split()[:5] == ["30", "0", "*", "*", "*"]
    assert timer["Timer"]["OnCalendar"].endswith("00:30:00")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_units() -> None:
    """systemd's own check finds nothing to complain about in the timer."""
    subprocess.run(["systemd-analyze", "calendar", "*-*-* 00:30:00"], check=True, capture_output=True, timeout=60)


class Shell:
    """Blocks of a README, run in a folder as a reader would."""

    def __init__(self, folder: Path, port: int, environment: dict[str, str]) -> None:
        self._folder = folder
        self._port = str(port)
        self._environment = environment
        self.running: list[subprocess.Popen[str]] = []

    def start(self, text: str) -> subprocess.Popen[str]:
        """Run a block beside the others."""
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", text.replace("7400", self._port)],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.running.append(process)
        return process

    def finish(self, text: str) -> str:
        """Run a block to its end; what it printed."""
        process = self.start(text)
        output, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, output
        return output


PATIENCE = 180.0


def test_the_evening_is_played_as_its_readme_tells(tmp_path: Path, environment: dict[str, str]) -> None:
    """Referee, three entrants and the organiser's commands, each block as written; the sheets have the winner."""
    folder = tmp_path / "evening"
    shutil.copytree(EXAMPLES / "evening", folder, ignore=shutil.ignore_patterns("*.sqlite*"))
    text = (folder / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    beside = [block for block in blocks if block.startswith("# ")]
    organise, sheets = (block for block in blocks if not block.startswith("# "))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shell = Shell(folder, port, environment)
    try:
        processes = [shell.start(block) for block in beside]
        deadline = time.monotonic() + PATIENCE
        while checked_in(folder / "evening.sqlite") < 5:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        told = shell.finish(organise)
        outputs = [process.communicate(timeout=PATIENCE)[0] for process in processes]
        shell.finish(sheets)
    finally:
        for process in shell.running:
            process.kill()

    assert len(beside) == 4
    assert [process.returncode for process in processes] == [0] * 4, "\n".join(outputs)
    assert "not begun" in told
    assert "paused" in told
    winner = json.loads((folder / "sheet.json").read_text())["winner"]
    assert f"winner: {winner}" in outputs[0]
    assert f"**winner: {winner}**" in (folder / "sheet.md").read_text()
    assert (folder / "sheet.csv").read_text().splitlines()[1].split(",")[2] == winner


def checked_in(database: Path) -> int:
    """How many entrants of an event have checked in."""
    return len(rows(database, "select season, bot from event_entrants where checked_in is not null"))


def test_the_nightly_file_is_valid() -> None:
    """It reads without complaint and watches a bot that plays."""
    ladder = ladder_file.read(NIGHTLY / "ladder.toml")

    assert ladder.watch is not None
    assert set(ladder.watch.bots) <= {bot.name for bot in ladder.bots}
