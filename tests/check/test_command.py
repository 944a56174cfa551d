"""`kumite check` as an author meets it: real processes, exit codes, JSON, transcripts, and bots started by hand."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.resume import STATE_VARIABLE
from bots.specs import BUNDLED
from ladder.cli import run
from tests.check.flawed import COMEBACKS, GAME, NAME, Amnesiac, Honest

pytestmark = pytest.mark.processes

Kumite = Callable[..., tuple[int, str, str]]

PLAIN = """
from bots import Bot


class Plain(Bot):
    games = ("edo_yashiki",)

    def decide(self, ask):
        return 0


class Broken(Bot):
    games = ("edo_yashiki",)

    def decide(self, ask):
        if ask.number == 2:
            print("no idea what to do", flush=True)
            import os

            os._exit(9)
        return 0
"""


@pytest.fixture
def kumite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kumite:
    """Runs a command line in an empty folder; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    # Modules of an earlier test's folder must not stand for those of this one.
    monkeypatch.delitem(sys.modules, "authored", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "authored.py").write_text(PLAIN, encoding="utf-8")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def statuses(text: str) -> dict[str, str]:
    """Each step's key and status, from the JSON report."""
    return {step["key"]: step["status"] for step in json.loads(text)["steps"]}


def test_a_good_bot_passes_every_step(kumite: Kumite) -> None:
    """An author's own bot runs as a process and passes: code 0, and no step fails or is skipped."""
    code, out, _ = kumite("check", "py:authored:Plain", "--game", GAME, "--json")

    assert {key: status for key, status in statuses(out).items() if status != "passed"} == {}
    assert code == 0


@pytest.mark.slow
@pytest.mark.parametrize("spec", sorted(BUNDLED))
def test_every_bundled_bot_passes_with_every_game(kumite: Kumite, spec: str) -> None:
    """All steps, all games, all seat counts."""
    code, out, _ = kumite("check", spec, "--json")

    assert {key: status for key, status in statuses(out).items() if status != "passed"} == {}
    assert code == 0


def test_a_process_that_dies_is_shown_with_its_last_words(kumite: Kumite, tmp_path: Path) -> None:
    """The report has code 1, the step, the message that it was sent last, and what it printed."""
    code, out, _ = kumite("check", "py:authored:Broken", "--stop", "--transcript", "said.txt")
    first = next(line for line in out.splitlines() if "FAILED" in line)
    said = (tmp_path / "said.txt").read_text(encoding="utf-8")

    assert code == 1
    assert first.split() == f"2 a match of {GAME} with 2 seats FAILED ended with code 9".split()
    assert "sent to the bot: asks { match_id:" in out
    assert "| no idea what to do" in out
    assert "step 2 failed: ended with code 9" in said
    assert out.splitlines()[-1] == "py:authored:Broken: 1 passed, 1 failed"


def test_a_folder_whose_bot_does_not_come_fails_the_handshake(kumite: Kumite, tmp_path: Path) -> None:
    """A bot with a manifest is started as it says; extra arguments reach it."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text('command = ["echo", "asleep"]', encoding="utf-8")
    code, out, _ = kumite("check", "./bot", "--json", "--", "--dream", "deeply")
    (step,) = json.loads(out)["steps"]

    assert code == 1
    assert (step["key"], step["status"]) == ("handshake", "failed")
    assert step["remark"] == "ended with code 0 and did not connect"
    assert (step["broke"], step["output"]) == (None, "asleep --dream deeply")


@contextmanager
def by_hand(kind: type[Honest], address: str) -> Iterator[None]:
    """A bot that its author starts."""
    bot = kind(address)
    thread = threading.Thread(target=bot.run, daemon=True)
    thread.start()
    yield
    bot.stop()
    thread.join(60)
    assert not thread.is_alive()


def test_a_remote_bot_is_waited_for(kumite: Kumite, tmp_path: Path) -> None:
    """It is told where to dial, drilled as far as possible from outside, and what is not possible is skipped."""
    address = f"unix:{tmp_path}/check"
    with by_hand(Honest, address):
        code, out, err = kumite("check", f"remote:{NAME}", "--bind", address, "--wait", "30", "--json")
    steps = statuses(out)

    assert code == 0
    assert f"KUMITE_ADDRESS={address} KUMITE_NAME={NAME}" in err
    needs_restart = ["token", "revoked", "refusal"]
    assert [key for key, status in steps.items() if status != "passed"] == needs_restart
    assert {steps[key] for key in needs_restart} == {"skipped"}


def test_a_remote_bot_that_fails_a_step_is_drilled_on(kumite: Kumite, tmp_path: Path) -> None:
    """It cannot be started again, so its stream is cut and the next step begins when it is back."""
    address = f"unix:{tmp_path}/check"
    with by_hand(Amnesiac, address):
        code, out, _ = kumite("check", f"remote:{NAME}", "--bind", address, "--patience", "5", "--wait", "30", "--json")
    steps = statuses(out)

    assert code == 1
    assert [key for key, status in steps.items() if status == "failed"] == ["resume", *COMEBACKS]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nobody",), "unknown bot 'nobody'"),
        (("./nowhere",), "there is no such folder"),
        (("remote:no name",), "is no name for a bot"),
        (("remote:me", "--", "--loud"), "arguments are for bots that are started here"),
        (("remote:me", "--bind", "here"), "'here' is no address"),
        (("greedy", "--game", "chess"), "unknown game 'chess'"),
        (("py:authored:Plain", "--game", "honshu"), "does not play honshu"),
        (("greedy", "--clock", "none"), "--clock none"),
        (("greedy", "--transcript", "no/where.txt"), "there is no folder"),
    ],
)
def test_what_cannot_be_checked_is_one_line_and_code_2(kumite: Kumite, arguments: tuple[str, ...], words: str) -> None:
    """A mistake of the caller's is no failure of a bot's."""
    code, out, err = kumite("check", *arguments)

    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
