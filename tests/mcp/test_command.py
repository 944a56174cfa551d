"""`kumite mcp` on the command line: what cannot be is one line and code 2, before anything is served."""

from __future__ import annotations

import builtins
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bots.resume import STATE_VARIABLE
from ladder.cli import run


@pytest.fixture(autouse=True)
def _nobodys_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    for variable in ("KUMITE_TOKEN", "KUMITE_NAME", "KUMITE_ADDRESS", "KUMITE_TLS"):
        monkeypatch.delenv(variable, raising=False)


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the package of the protocol the command says what to install."""
    imported = builtins.__import__

    def importing(
        name: str,
        names: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        wanted: Sequence[str] = (),
        level: int = 0,
    ) -> object:
        if name.split(".")[0] in ("mcp", "mcp_types"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return imported(name, names, local, wanted, level)

    for name in [name for name in sys.modules if name.startswith("ladder.mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", importing)

    assert run(["mcp"]) == 2
    assert capsys.readouterr().err == "kumite: kumite mcp needs the extra llm: pip install 'kumite[llm]'\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--name", "two words"], "--name: 'two words' is no name for a bot"),
        (["--address", "nowhere"], "'nowhere' is no address of a referee"),
        (["--http", "8080"], "'8080': write HOST:PORT, such as 127.0.0.1:8080"),
        (["--token-file", "empty"], "its first line is empty; the token must stand there"),
        (["--token-file", "missing"], "missing: No such file or directory"),
        (["--tls-ca", "empty"], "there is no certificate in it"),
    ],
)
def test_wrong_settings_are_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The line says what would be right."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").touch(0o600)

    assert run(["mcp", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The address and the reason."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"

        assert run(["mcp", "--http", place]) == 2
    assert capsys.readouterr().err == f"kumite: tools cannot be served at {place}: Address already in use\n"
