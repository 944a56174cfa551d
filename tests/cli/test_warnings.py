"""Warnings of what others could read: tokens on their way without TLS, and files of keys and tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots import Bot, client
from bots.address import is_loopback
from bots.session import ClientSession
from ladder.cli import join
from ladder.cli.serve import warn_of_readers
from referee.transport.server import Config


@pytest.mark.parametrize(
    ("bind", "tls", "tokens", "warned"),
    [
        (("0.0.0.0:7400",), False, True, True),
        (("127.0.0.1:7400", "192.0.2.1:7400"), False, True, True),
        (("127.0.0.1:7400", "unix:/tmp/x", "localhost:7400"), False, True, False),
        (("0.0.0.0:7400",), True, True, False),
        (("0.0.0.0:7400",), False, False, False),
    ],
)
def test_a_referee_warns_of_tokens_without_tls_off_this_machine(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, bind: tuple[str, ...], tls: bool, tokens: bool, warned: bool
) -> None:
    """One line that names the address and what to do; not where nothing secret travels."""
    key = tmp_path / "key.pem"
    key.touch(mode=0o600)
    warn_of_readers(Config(bind=bind, tls_cert=key if tls else None, tls_key=key if tls else None), tokens=tokens)
    err = capsys.readouterr().err

    assert ("in the open; give --tls-cert and --tls-key" in err) == warned
    assert err.count("\n") == int(warned)


@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o400, False), (0o644, True), (0o640, True)])
def test_a_tls_key_that_others_can_read_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, mode: int, warned: bool
) -> None:
    """The line says how to make it private."""
    key = tmp_path / "key.pem"
    key.touch()
    key.chmod(mode)
    warn_of_readers(Config(tls_cert=key, tls_key=key), tokens=False)

    assert ("key.pem can be read by others; make it private: chmod 600" in capsys.readouterr().err) == warned


@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o644, True)])
def test_a_token_file_that_others_can_read_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, mode: int, warned: bool
) -> None:
    """The token is used all the same, and is not repeated."""
    path = tmp_path / "alice.token"
    path.write_text("very-secret\n")
    path.chmod(mode)

    assert join._token(path, twice=False) == "very-secret"
    err = capsys.readouterr().err
    assert ("alice.token can be read by others" in err) == warned
    assert "very-secret" not in err


@pytest.mark.parametrize(
    ("address", "token", "warned"),
    [
        ("192.0.2.1:7400", "t", True),
        ("cup.example.org:7400", "t", True),
        ("192.0.2.1:7400", None, False),
        ("127.0.0.1:7400", "t", False),
        ("[::1]:7400", "t", False),
        ("unix:/tmp/x", "t", False),
    ],
)
def test_a_bot_warns_of_its_token_without_tls_off_this_machine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str, token: str | None, warned: bool
) -> None:
    """Before it is sent for the first time."""

    def nothing(session: ClientSession, *rest: object, **named: object) -> None:
        return

    class Idle(Bot):
        """Never asked."""

    monkeypatch.delenv("KUMITE_TOKEN", raising=False)
    monkeypatch.delenv("KUMITE_TLS", raising=False)
    monkeypatch.setenv("KUMITE_STATE", "/proc/kumite")
    monkeypatch.setattr(client, "play", nothing)
    client.run(Idle, address, token=token)

    assert ("the token travels to" in capsys.readouterr().err) == warned
    assert is_loopback(address) == (address.startswith(("127", "[", "unix")))
