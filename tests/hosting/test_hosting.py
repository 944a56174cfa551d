"""Hosted bots: manifests that are checked, processes that are bounded and never left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import trio
import trio.testing

from referee.hosting.launch import launched
from referee.hosting.manifest import read
from referee.hosting.output import OutputLog
from referee.hosting.sandbox import Trusted
from referee.kernel.errors import CallerFault


def folder(tmp_path: Path, manifest: str, script: str = "") -> Path:
    """A bot's folder with that manifest and, as `bot.sh`, that script."""
    (tmp_path / "bot.toml").write_text(manifest)
    (tmp_path / "bot.sh").write_text(script)
    return tmp_path


SHELL = 'command = ["sh", "bot.sh"]'


def test_a_manifest_has_sensible_defaults(tmp_path: Path) -> None:
    """Only the command is needed: the folder names the bot, and it plays everything."""
    manifest = read(folder(tmp_path, SHELL))

    assert (manifest.name, manifest.games) == (tmp_path.name, None)
    assert manifest.command == ("sh", "bot.sh")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "command is missing"),
        ("command = 'sh bot.sh'", "list of texts"),
        (SHELL + "\ncomand = 1", "did you mean 'command'"),
        (SHELL + "\ngames = ['edo_yashikki']", "did you mean 'edo_yashiki'"),
        (SHELL + "\n[limits]\nmemory = 4", "memory_mib"),
        (SHELL + "\n[limits]\nmemory_mib = 0", "above 0"),
        ("command = [", "bot.toml"),
    ],
)
def test_a_bad_manifest_names_the_key_and_what_is_right(tmp_path: Path, text: str, words: str) -> None:
    """Every mistake is one clear line with the file in it."""
    with pytest.raises(CallerFault) as caught:
        read(folder(tmp_path, text))

    assert words in str(caught.value)
    assert "bot.toml" in str(caught.value)


def test_a_folder_without_a_manifest_is_no_bot(tmp_path: Path) -> None:
    """The message says which file is missing."""
    with pytest.raises(CallerFault, match=r"has no bot\.toml"):
        read(tmp_path)


def test_a_changed_file_is_another_build(tmp_path: Path) -> None:
    """The digest covers the files' names and contents."""
    manifest = read(folder(tmp_path, SHELL, "exit 0"))
    before = manifest.digest()
    same = manifest.digest()
    (tmp_path / "bot.sh").write_text("exit 1")

    assert before == same
    assert before != manifest.digest()


def test_the_log_keeps_the_end_within_its_bound() -> None:
    """A chatty bot costs no more than its bound, and the text says what was dropped."""
    log = OutputLog(100)
    for number in range(50):
        log.add(b"line %02d\n" % number)

    assert log.text().endswith("line 49\n")
    assert "dropped" in log.text()
    assert len(log.text().encode()) < 200


@pytest.mark.processes
@trio.testing.trio_test
async def test_a_bot_learns_its_referee_from_the_environment(tmp_path: Path) -> None:
    """Address, name and token arrive, and nothing else of ours does."""
    os.environ["KUMITE_TEST_SECRET"] = "hidden"
    try:
        manifest = read(folder(tmp_path, SHELL, "env"))
        async with launched(manifest, Trusted(), address="unix:/x/y.sock", name="n", token="t") as bot:
            with trio.fail_after(20):
                await bot.wait()
            await trio.testing.wait_all_tasks_blocked()
    finally:
        del os.environ["KUMITE_TEST_SECRET"]

    assert {"KUMITE_ADDRESS=unix:/x/y.sock", "KUMITE_NAME=n", "KUMITE_TOKEN=t"} <= set(bot.log.text().splitlines())
    assert "hidden" not in bot.log.text()


@pytest.mark.processes
@trio.testing.trio_test
async def test_nothing_of_a_bot_is_left_behind(tmp_path: Path) -> None:
    """A bot that ignores the request to end is killed with all its children."""
    manifest = read(folder(tmp_path, SHELL, "trap '' TERM\nsleep 300 &\necho started $!\nwait\nsleep 300"))
    with trio.fail_after(30):
        async with launched(manifest, Trusted(), address="localhost:1", name="n") as bot:
            while "started" not in bot.log.text():
                await trio.sleep(0.01)
            child = int(bot.log.text().split()[1])

        while alive(child):
            await trio.sleep(0.01)

    assert bot.code is not None
    assert not alive(bot.pid)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.processes
@trio.testing.trio_test
async def test_a_command_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    """No stack trace for a wrong command."""
    manifest = read(folder(tmp_path, 'command = ["./missing"]'))
    with pytest.raises(CallerFault, match=r"cannot start \./missing"):
        async with launched(manifest, Trusted(), address="localhost:1", name="n"):
            pass
