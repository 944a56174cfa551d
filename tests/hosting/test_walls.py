"""What a bot behind walls sees, can reach and is refused, and what the host refuses before it starts one."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from ladder.config import ladder_file
from referee.hosting import sandbox, view, walls
from referee.hosting.launch import HostedBot, launched
from referee.hosting.limits import CAPS, Hosting
from referee.hosting.manifest import Manifest
from referee.hosting.sandbox import Trusted, best
from referee.hosting.walls import Walled
from referee.kernel.errors import BadSetting, CallerFault
from tests.hosting import walled

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def _walls() -> None:
    walled.needed()


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Path]:
    """A unix socket of the host, as a referee has one."""
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as opened:
        opened.bind(str(path))
        opened.listen()
        yield path


async def run(manifest: Manifest, address: Path, hosting: Hosting | None = None) -> HostedBot:
    """Let a bot run to its end behind walls."""
    async with launched(manifest, Walled(hosting), address=f"unix:{address}", name="n", token="t") as bot:
        with trio.fail_after(60):
            await bot.wait()
    return bot


@trio.testing.trio_test
async def test_a_bot_knows_its_referee_and_nothing_of_the_hosts_environment(
    tmp_path: Path, listening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its variables are ours alone, and so are those of every process that it can look at."""
    monkeypatch.setenv("KUMITE_TEST_SECRET", "hidden")
    manifest = walled.shell(tmp_path, "env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'")
    text = (await run(manifest, listening)).log.text()

    assert {"KUMITE_ADDRESS=unix:/run/kumite/play.sock", "KUMITE_NAME=n", "KUMITE_TOKEN=t"} <= set(text.splitlines())
    assert "hidden" not in text


@trio.testing.trio_test
async def test_a_token_stands_in_no_command_line(tmp_path: Path, listening: Path) -> None:
    """Every user of the machine can read command lines."""
    manifest = walled.shell(tmp_path, "echo started; sleep 60")
    async with launched(manifest, Walled(), address=f"unix:{listening}", name="n", token="kmt-secret") as bot:
        with trio.fail_after(30):
            while "started" not in bot.log.text():
                await trio.sleep(0.01)
        found = walled.running("kmt-secret")

    assert found == []


@trio.testing.trio_test
async def test_the_referees_socket_is_the_only_one(tmp_path: Path, listening: Path) -> None:
    """A bot connects to it, at a fixed path; the path outside does not exist."""
    script = f"""
import os, socket
for path in ("/run/kumite/play.sock", {str(listening)!r}):
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print("connected", path)
    except OSError as error:
        print("refused", path, error)
found = [os.path.join(top, name) for top, _, names in os.walk("/") for name in names if not top.startswith("/proc")]
print("sockets", [path for path in found if os.path.exists(path) and (os.stat(path).st_mode & 0o170000) == 0o140000])
"""
    text = (await run(walled.bot(tmp_path, script), listening)).log.text()

    assert "connected /run/kumite/play.sock" in text
    assert f"refused {listening}" in text
    assert "sockets ['/run/kumite/play.sock']" in text or "sockets []" in text


@trio.testing.trio_test
async def test_a_folder_that_only_its_owner_can_read_is_played(tmp_path: Path, listening: Path) -> None:
    """Bots have users of their own where the host is root; an unreadable folder is then shown as a copy."""
    manifest = walled.shell(tmp_path, "cat data sub/data; ls -l; touch x")
    (manifest.folder / "data").write_text("one\n")
    (manifest.folder / "sub").mkdir(mode=0o700)
    (manifest.folder / "sub" / "data").write_text("two\n")
    (manifest.folder / "out").symlink_to("/etc/hostname")
    for path in (manifest.folder / "data", manifest.folder / "bot.sh"):
        path.chmod(0o600)
    manifest.folder.chmod(0o700)
    text = (await run(manifest, listening)).log.text()
    (manifest.folder / "data").write_text("three\n")
    again = (await run(manifest, listening)).log.text()

    assert text.startswith("one\ntwo\n")
    assert again.startswith("three\ntwo\n")
    assert "out -> /etc/hostname" in text
    assert "touch" in text
    assert not (manifest.folder / "x").exists()


@trio.testing.trio_test
async def test_state_and_temporary_files_are_private_and_end_with_the_process(tmp_path: Path, listening: Path) -> None:
    """The second process of the same bot finds nothing of the first."""
    manifest = walled.shell(tmp_path, 'ls -A "$KUMITE_STATE" /tmp; echo x >"$KUMITE_STATE/token" && echo kept')
    first = (await run(manifest, listening)).log.text()
    second = (await run(manifest, listening)).log.text()

    assert "kept" in first
    assert "kept" in second
    assert "token" not in second


@trio.testing.trio_test
async def test_each_process_has_a_user_of_its_own_where_the_host_is_root(tmp_path: Path, listening: Path) -> None:
    """And one that is not the host's inside, where it is not."""
    manifest = walled.shell(tmp_path, "id -u; grep -c . /etc/passwd")
    first = int((await run(manifest, listening)).log.text().split()[0])
    second = int((await run(manifest, listening)).log.text().split()[0])

    assert os.getuid() not in (first, second)
    if os.getuid() == 0:
        assert min(first, second) > 60_000
        assert first != second


@trio.testing.trio_test
async def test_a_hidden_folder_is_covered_wherever_it_would_show(tmp_path: Path, listening: Path) -> None:
    """The database may lie inside of a folder that the host shows."""
    shown = tmp_path / "tools"
    (shown / "cup").mkdir(parents=True)
    (shown / "cup" / "cup.sqlite").write_text("secret")
    (shown / "tool").write_text("useful")
    for path in (tmp_path, shown):
        path.chmod(0o755)
    hosting = Hosting(runtime=(shown,), hidden=(shown / "cup",))
    manifest = walled.shell(tmp_path, f"cat {shown}/tool {shown}/cup/cup.sqlite; ls {shown}/cup; touch {shown}/cup/x")
    text = (await run(manifest, listening, hosting)).log.text()

    assert "useful" in text
    assert "secret" not in text
    assert sorted(path.name for path in (shown / "cup").iterdir()) == ["cup.sqlite"]


@pytest.mark.parametrize("asked", ["/", "/etc", "/home", str(Path.home()), "/proc", "/var", "relative"])
def test_no_manifest_gets_the_whole_host(tmp_path: Path, listening: Path, asked: str) -> None:
    """Whatever a bot asks for, and whatever the host allows."""
    manifest = replace(walled.shell(tmp_path, ""), runtime=(Path(asked),))
    with pytest.raises(BadSetting, match=r"never shown|not the full path"):
        Walled(Hosting(runtime=(Path("/usr"),))).wrap(manifest, {}, listening, None)


def test_a_manifest_gets_only_what_the_host_allows(tmp_path: Path, listening: Path) -> None:
    """The line names the folder, and where the organiser may allow it."""
    manifest = replace(walled.shell(tmp_path, ""), runtime=(tmp_path,))
    with pytest.raises(BadSetting, match=r"not allowed by the host.*\[hosting\]"):
        Walled().wrap(manifest, {}, listening, None)
    allowed = Walled(Hosting(runtime=(tmp_path,))).wrap(manifest, {}, listening, None)

    assert str(tmp_path) in allowed.command[-1]
    for descriptor in allowed.input:
        os.close(descriptor)


def test_a_bots_folder_must_not_hold_the_database(tmp_path: Path, listening: Path) -> None:
    """It is shown as a whole."""
    manifest = walled.shell(tmp_path, "")
    (manifest.folder / "db").mkdir()
    with pytest.raises(BadSetting, match="lies in it; move one of the two"):
        Walled(Hosting(hidden=(manifest.folder / "db",))).wrap(manifest, {}, listening, None)


def test_a_home_is_no_bots_folder(tmp_path: Path, listening: Path) -> None:
    """A bot.toml in the home folder, or above it, does not open that."""
    manifest = replace(walled.shell(tmp_path, ""), folder=Path.home())
    with pytest.raises(BadSetting, match="a folder of its own"):
        Walled().wrap(replace(manifest, command=("true",)), {}, listening, None)


def test_behind_walls_there_is_no_network(tmp_path: Path) -> None:
    """An address that is no unix socket is one clear line."""
    with pytest.raises(BadSetting, match="unix socket"):
        Walled().wrap(walled.shell(tmp_path, ""), {}, None, None)


def test_an_unbuilt_bot_shows_its_build_line(tmp_path: Path, listening: Path) -> None:
    """The program is missing, and the manifest says how it is made."""
    manifest = replace(walled.shell(tmp_path, ""), command=("./gopher",), build=("go", "build", "-o", "gopher"))
    with pytest.raises(BadSetting, match=r"cannot start \./gopher: there is no such program; .*: go build -o gopher"):
        Walled().wrap(manifest, {}, listening, None)


def test_walls_are_chosen_where_there_are_some() -> None:
    """Trust is for machines without: it takes no wall away."""
    assert isinstance(best(), Walled)
    assert isinstance(best(Hosting(trust=True)), Walled)


def test_without_walls_a_bot_of_a_folder_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what to install and how to do without."""
    monkeypatch.setattr(walls, "missing", lambda: "bwrap is not installed: apt-get install -y bubblewrap")
    monkeypatch.delenv(sandbox.TRUST, raising=False)
    with pytest.raises(BadSetting, match=r"apt-get install.*--trust, KUMITE_TRUST=1 or trust = true .*\[hosting\]"):
        best()
    monkeypatch.setenv(sandbox.TRUST, "1")

    assert isinstance(best(), Trusted)
    monkeypatch.delenv(sandbox.TRUST)
    assert isinstance(best(Hosting(trust=True)), Trusted)


def test_the_ladder_file_says_how_bots_of_folders_run(tmp_path: Path) -> None:
    """Trust, caps and runtime are its table [hosting]; the database's folder is always hidden."""
    file = tmp_path / "ladder.toml"
    file.write_text(
        '[[bots]]\nspec = "greedy"\n[[bots]]\nspec = "random"\n[[pools]]\ngame = "honshu"\nrounds = 1\n'
        '[hosting]\ntrust = true\nruntime = ["/opt"]\nlimits = { memory_mib = 300 }\n'
    )
    hosting = ladder_file.read(file).hosting

    assert (hosting.trust, hosting.runtime, hosting.hidden) == (True, (Path("/opt"),), (tmp_path,))
    assert (hosting.caps.memory_mib, hosting.caps.processes) == (300, CAPS.processes)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("hosting = 1", "must be a table"),
        ("[hosting]\ntrusts = true", "did you mean 'trust'"),
        ("[hosting]\nruntime = 1", "list of full paths"),
        ("[hosting]\nlimits = { memory = 3 }", "memory_mib"),
        ("[hosting]\nlimits = { memory_mib = 0 }", "above 0"),
    ],
)
def test_a_mistake_in_the_hosting_table_is_one_clear_line(tmp_path: Path, table: str, words: str) -> None:
    """With the file in it."""
    file = tmp_path / "ladder.toml"
    bots = '[[bots]]\nspec = "greedy"\n[[bots]]\nspec = "random"\n[[pools]]\ngame = "honshu"\nrounds = 1\n'
    file.write_text(f"{table}\n{bots}" if table.startswith("hosting") else f"{bots}{table}\n")
    with pytest.raises(CallerFault, match=words) as caught:
        ladder_file.read(file)

    assert "ladder.toml" in str(caught.value)


def test_the_host_caps_what_a_bot_asks_for(tmp_path: Path) -> None:
    """The smaller figure holds, for every limit."""
    manifest = walled.shell(tmp_path, "", "memory_mib = 100000\nprocesses = 4")
    limits = Walled(Hosting(caps=replace(CAPS, memory_mib=300))).limits(manifest)

    assert (limits.memory_mib, limits.processes) == (300, 4)


def test_the_kit_is_shown_without_the_bots_beside_it() -> None:
    """A source tree holds bots in other languages: they are other bots' folders."""
    hidden = {path.name for path in view._beside_the_kit()} if view.kit() else set()

    assert not view.kit() or {"go", "rust", "java"} <= hidden
