"""Every command and snippet of the README works, run as a reader would run them: in order, in an empty folder."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import trustme

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PATIENCE = 180
"""Seconds after which a command counts as hanging."""

SHORTER = {
    "kumite bench": "kumite bench ratings --quick",
    "kumite ladder run ladder.toml --for 30s": "kumite ladder run ladder.toml --for 2s",
    "kumite match edo_yashiki py:mybot:Cautious greedy --games 20": (
        "kumite match edo_yashiki py:mybot:Cautious greedy --games 4"
    ),
}
"""Commands that are run shorter here than by a reader; `tests/cli/test_cli.py` has the whole bench."""
MATCHES = 8
"""Matches of the competition here, instead of 40."""


class Block(NamedTuple):
    """One fenced block."""

    language: str
    text: str

    @property
    def terminal(self) -> bool:
        """Whether it runs beside the blocks around it, in the tour."""
        return self.text.startswith("# terminal")

    @property
    def competition(self) -> bool:
        """Whether it runs beside the blocks around it, in the competition."""
        return self.text.startswith(("# organiser", "# alice", "# bob"))

    @property
    def evening(self) -> bool:
        """Whether it runs beside the blocks around it, in the evening."""
        return self.text.startswith("# evening\n")


BLOCKS = [Block(*found) for found in re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with the README's own files in it."""
    place = tmp_path_factory.mktemp("reader")
    for block in BLOCKS:
        name = re.match(r"# (\S+\.(?:py|toml))\n", block.text)
        if block.language in ("python", "toml") and name:
            (place / name[1]).write_text(block.text, encoding="utf-8")
    return place


def environment() -> dict[str, str]:
    """The reader's: this Python and its commands first on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


def start(text: str, folder: Path) -> subprocess.Popen[str]:
    """Run a block with bash, stopping at its first failing command."""
    for command, shorter in SHORTER.items():
        text = re.sub(rf"^{re.escape(command)}$", shorter, text, flags=re.MULTILINE)
    return subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_the_plain_commands_run_in_order(folder: Path) -> None:
    """Each shell block ends well, in order; those of the competition run together when their turn has come."""
    blocks = [block for block in BLOCKS if block.language == "sh" and not block.terminal and "make " not in block.text]
    together = [block for block in blocks if block.competition]
    evening = [block for block in blocks if block.evening]

    assert len(blocks) >= 8
    assert len(together) == len(evening) == 3
    for block in blocks:
        if block is together[0]:
            compete(together, folder)
        elif block is evening[0]:
            play_evening(evening, folder)
        elif not block.competition and not block.evening:
            process = start(block.text, folder)
            output, _ = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, f"{block.text}\n{output}"


def compete(blocks: list[Block], folder: Path) -> None:
    """The organiser's command and both entrants', as written, but for the address; then what came of it."""
    port = free_port()
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    certificate.cert_chain_pems[0].write_to_path(str(folder / "cert.pem"))
    certificate.private_key_pem.write_to_path(str(folder / "key.pem"))
    texts = [
        block.text.replace("0.0.0.0:7400", f"127.0.0.1:{port}")
        .replace("cup.example.org:7400", f"localhost:{port}")
        .replace("--matches 40", f"--matches {MATCHES}")
        for block in blocks
    ]
    processes = [start(text, folder) for text in texts]
    try:
        outputs = [process.communicate(timeout=PATIENCE)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0, 0, 0], "\n".join(outputs)
    shown = subprocess.run(
        ["kumite", "ladder", "standings", "cup.sqlite", "--json"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    pools = json.loads(shown.stdout)["pools"]
    assert {pool["game"] for pool in pools} == {"honshu", "edo_yashiki"}
    assert sum(player["games"] for pool in pools for player in pool["players"]) == 2 * MATCHES
    assert {player["player"] for pool in pools for player in pool["players"]} == {"alice", "bob"}
    assert not any(player["unproven"] for pool in pools for player in pool["players"])


def play_evening(blocks: list[Block], folder: Path) -> None:
    """The referee of the event and its two entrants, as written, but for the port; it ends with a winner."""
    port = str(free_port())
    processes = [start(block.text.replace("7500", port), folder) for block in blocks]
    try:
        outputs = [process.communicate(timeout=PATIENCE)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0, 0, 0], "\n".join(outputs)
    assert "winner: " in outputs[0]


def test_the_first_commands_are_those_of_an_entrant(tmp_path: Path) -> None:
    """After the installation: a new project, and a gate that accepts its bot. The last command joins a referee."""
    lines = next(block.text for block in BLOCKS if "pip install kumite" in block.text).splitlines()
    process = start("\n".join(lines[1:3]), tmp_path)
    output, _ = process.communicate(timeout=PATIENCE)

    assert [line.split()[:2] for line in lines] == [
        ["pip", "install"], ["kumite", "new"], ["kumite", "gate"], ["kumite", "join"],
    ]  # fmt: skip
    assert process.returncode == 0, output
    assert (tmp_path / "mybot" / "test_mybot.py").exists()


def test_the_terminals_work_together(folder: Path) -> None:
    """The referee and both bots, started as the tour says, play their matches and stop by themselves."""
    port = str(free_port())
    blocks = [block.text.replace("7400", port) for block in BLOCKS if block.terminal]
    processes = [start(text, folder) for text in blocks]
    try:
        outputs = [process.communicate(timeout=PATIENCE)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()

    assert len(blocks) == 3
    assert [process.returncode for process in processes] == [0, 0, 0], "\n".join(outputs)
    assert len(list((folder / "records").glob("*.jsonl"))) == 3


def test_the_make_targets_exist() -> None:
    """What the documents tell a reader to make, make knows how to."""
    text = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?:^|`)make ([\w-]+)(?:$|`)", text, re.MULTILINE))

    assert targets >= {"ladder", "test", "bench-compiled", "test-compiled"}
    for target in targets:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)


def test_the_bot_is_short() -> None:
    """A complete bot takes fewer than fifteen lines of code."""
    (bot,) = [block.text for block in BLOCKS if block.language == "python" and "class Cautious" in block.text]
    code = [line for line in bot.splitlines() if line.strip() and not line.startswith("#")]

    assert len(code) < 15


def test_every_game_is_in_the_table() -> None:
    """The list of games is not stale."""
    from referee.kernel import registry

    for name in registry.names():
        seats = registry.game(name).seats
        assert re.search(rf"^\| `{name}` .* \| {seats.start}-{seats.stop - 1} \|", README, re.MULTILINE), name


def test_every_link_leads_somewhere() -> None:
    """Relative links name files that are there."""
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README):
        assert (ROOT / target).exists(), target
