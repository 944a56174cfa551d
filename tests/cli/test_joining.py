"""`kumite join` as an entrant meets it: a real referee with tokens and TLS, and a command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bots
from bots.resume import STATE_VARIABLE
from ladder.cli import run
from ladder.config.offers import every_table
from referee.match.clock import TimeControl
from referee.transport.auth import Tokens
from tests.certificates import Certificate, certificate
from tests.transport.house import House

TOKEN = "secret-of-alice"


@pytest.fixture
def files(tmp_path: Path) -> Certificate:
    """A certificate for localhost, in the entrant's folder."""
    return certificate(tmp_path)


@pytest.fixture
def cup(tmp_path: Path, files: Certificate, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A referee with TLS where alice has a token and tables are for one; its address."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    for variable in ("KUMITE_TOKEN", "KUMITE_NAME", "KUMITE_ADDRESS", "KUMITE_TLS"):
        monkeypatch.delenv(variable, raising=False)
    wanted = every_table(["white_castle"], seats=[1], clock=TimeControl.parse("60s"))
    directory = Tokens.of([("alice", TOKEN)])
    with House("127.0.0.1:0", wanted=wanted, directory=directory, tls_cert=files.chain, tls_key=files.key) as house:
        yield house.address.replace("127.0.0.1", "localhost")


def joined(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code of a bot that plays one match, and what it wrote."""
    try:
        code = run(["join", "random", "--matches", "1", *arguments])
    except SystemExit as error:
        code = int(error.code or 0)
    return code, capsys.readouterr().err


def test_the_token_is_the_name(cup: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With a token, a name in the environment is not sent, and one on the command line is: another's is refused."""
    line = ["--address", cup, "--tls-ca", "ca.pem"]
    plain = joined(capsys, *line, "--token", TOKEN)
    own = joined(capsys, *line, "--token", TOKEN, "--name", "alice")
    other = joined(capsys, *line, "--token", TOKEN, "--name", "bob")
    monkeypatch.setenv("KUMITE_NAME", "bob")
    monkeypatch.setenv("KUMITE_TOKEN", TOKEN)
    inherited = joined(capsys, *line)

    assert [code for code, _ in (plain, own, other, inherited)] == [0, 0, 2, 0]
    assert all("kumite: alice connected" in err for _, err in (plain, own, inherited))
    assert "refuses this bot" in other[1]


def test_a_token_is_read_from_the_first_line_of_a_file(
    cup: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes before the environment's."""
    (tmp_path / "alice.token").write_text(f"{TOKEN}\nkeep this secret\n")
    monkeypatch.setenv("KUMITE_TOKEN", "stale")
    code, err = joined(capsys, "--address", cup, "--tls-ca", "ca.pem", "--token-file", "alice.token")

    assert code == 0, err
    assert "kumite: alice connected" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--token-file", "empty"), "--token-file empty: its first line is empty"),
        (("--token-file", "missing"), "missing: No such file or directory"),
        (("--token-file", "empty", "--token", "t"), "give --token or --token-file, not both"),
        (("--tls-ca", "empty"), "empty: there is no certificate in it; it must be PEM"),
    ],
)
def test_a_file_that_does_not_fit_is_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    """Before anything is sent."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text("\n")
    code, err = joined(capsys, *arguments)

    assert (code, err.count("\n")) == (2, 1)
    assert words in err


def test_tls_by_the_systems_authorities(
    cup: str, files: Certificate, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """--tls trusts what the system trusts."""
    line = ["--address", cup, "--tls", "--token", TOKEN]
    stranger = joined(capsys, *line)
    monkeypatch.setenv("SSL_CERT_FILE", str(files.roots))
    trusted = joined(capsys, *line)

    assert (stranger[0], trusted[0]) == (2, 0)
    assert "does not verify" in stranger[1]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("arguments", "words"), [((), "speaks TLS: use --tls-ca FILE"), (("--tls",), "does not verify: ")]
)
def test_a_process_that_does_not_fit_the_port_writes_one_line_and_nothing_else(
    cup: str, arguments: tuple[str, ...], words: str
) -> None:
    """Not even gRPC's own log stands beside it."""
    command = [sys.executable, "-m", "ladder", "join", "random", "--address", cup, *arguments]
    root = Path(bots.__file__).parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=25, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


TALKER = """
import logging
from bots import Bot

_logger = logging.getLogger("talker")
_logger.addHandler(logging.StreamHandler())


class Talker(Bot):
    def decide(self, ask):
        print(f"{ask.match} {ask.seat} {ask.number}")
        if ask.number == 2:
            raise ValueError("no idea")
        _logger.warning("%s done", ask.match)
        return 0

    def over(self, result):
        print("over")
"""


@pytest.mark.processes
def test_what_a_bot_prints_is_kept_match_by_match_beside_the_terminal(tmp_path: Path) -> None:
    """Two tables at a time: each file has the prints, loggers and traces of its own match alone, in order."""
    (tmp_path / "talking.py").write_text(TALKER)
    wanted = every_table(["white_castle"], seats=[1], clock=TimeControl.parse("60s"))
    root = str(Path(bots.__path__[0]).parent)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{root}:{tmp_path}", STATE_VARIABLE: str(tmp_path / "state")}
    with House("127.0.0.1:0", wanted=wanted) as house:
        command = ["join", "py:talking:Talker", "--address", house.address, "--matches", "4", "--tables", "2"]
        process = subprocess.run(
            [sys.executable, "-m", "ladder", *command, "--log", "logs"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
    files = {path.name.removeprefix("match-").removesuffix(".log"): path for path in (tmp_path / "logs").iterdir()}

    assert process.returncode == 0, process.stderr
    assert len(files) == 4
    for match, path in files.items():
        text = path.read_text()
        others = [other for other in files if other != match]
        assert not any(other in text for other in others)
        asks = [line for line in text.splitlines() if line.startswith(f"{match} 0 ")]
        assert asks == [f"{match} 0 {number}" for number in range(1, len(asks) + 1)]
        assert len(asks) > 5
        assert "ValueError: no idea" in text
        assert text.count(f"{match} done\n") == len(asks) - 1
        assert f"match {match} (white_castle) is over" in text
        assert text.endswith("over\n")
        assert all(line in process.stdout for line in asks)
    assert process.stderr.count("ValueError: no idea") >= 4


def test_a_place_for_logs_that_is_none_is_one_line(cup: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before the bot is loaded, and with the option's name."""
    Path("file").write_text("x")
    code, err = joined(capsys, "--address", cup, "--log", "file")

    assert code == 2
    assert err == "kumite: --log file: that is a file; name a folder\n"
