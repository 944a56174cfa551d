"""TLS that does not fit: one line at once, which says what would be right."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bots import Bot, run, tls
from bots.client import TOKEN_VARIABLE
from bots.resume import STATE_VARIABLE
from ladder.config.offers import every_table
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from tests.certificates import Certificate, certificate
from tests.transport.house import House

SOON = 20.0
"""Seconds within which a bot that would try again for its whole patience of 30 has not ended."""


class First(Bot):
    """Takes the first option."""

    def decide(self, ask: object) -> int:
        """The first."""
        return 0


@pytest.fixture(autouse=True)
def _clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    monkeypatch.delenv(tls.VARIABLE, raising=False)


@pytest.fixture
def files(tmp_path: Path) -> Certificate:
    """A certificate for localhost."""
    return certificate(tmp_path)


@pytest.fixture
def secure(files: Certificate) -> Iterator[str]:
    """A referee that speaks TLS, with solo tables; its address by name."""
    wanted = every_table(["white_castle"], seats=[1], clock=TimeControl.parse("60s"))
    with House("127.0.0.1:0", tls_cert=files.chain, tls_key=files.key, wanted=wanted) as house:
        yield house.address.replace("127.0.0.1", "localhost")


@pytest.fixture
def plain() -> Iterator[str]:
    """A referee that speaks no TLS."""
    with House("127.0.0.1:0") as house:
        yield house.address


def refusal(
    capsys: pytest.CaptureFixture[str],
    address: str,
    tls: tls.Wish | None = None,
    credentials: grpc.ChannelCredentials | None = None,
) -> str:
    """The one line with which a bot ends at once, without trying again."""
    begun = time.monotonic()
    with pytest.raises(SystemExit) as caught:
        run(First, address, name="first", tls=tls, credentials=credentials)
    shown = capsys.readouterr().err

    assert caught.value.code == 2
    assert time.monotonic() - begun < SOON
    assert shown.count("\n") == 1
    return shown


def test_a_port_that_speaks_tls_is_named_as_such(secure: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The line says which option, argument and variable are missing."""
    shown = refusal(capsys, secure)

    assert shown.startswith(f"kumite: the referee at {secure} speaks TLS: use --tls-ca FILE, or --tls")
    assert "run(..., tls=FILE)" in shown
    assert "KUMITE_TLS=FILE" in shown


def test_a_port_without_tls_is_named_as_such(
    plain: str, files: Certificate, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line says what to leave out."""
    shown = refusal(capsys, plain, tls=files.roots)

    assert shown.startswith(f"kumite: the referee at {plain} speaks no TLS: leave --tls-ca and --tls out")


def test_a_certificate_of_an_unknown_authority_is_named_with_the_reason(
    secure: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of the author's with another authority in it."""
    (tmp_path / "other").mkdir()
    shown = refusal(capsys, secure, tls=certificate(tmp_path / "other").roots)

    assert f"the certificate of the referee at {secure} does not verify: " in shown
    assert "unable to get local issuer certificate" in shown


def test_a_certificate_for_another_host_is_named_with_the_reason(
    secure: str, files: Certificate, capsys: pytest.CaptureFixture[str]
) -> None:
    """The authority is right and the name is not."""
    shown = refusal(capsys, secure.replace("localhost", "127.0.0.1"), tls=str(files.roots))

    assert "does not verify: IP address mismatch, certificate is not valid for '127.0.0.1'" in shown
    assert "use the host name that it was issued for" in shown


@pytest.mark.parametrize(("host", "reason"), [("localhost", "unable to get"), ("127.0.0.1", "not valid for '127")])
def test_grpcs_own_credentials_get_the_same_lines(
    secure: str,
    files: Certificate,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    host: str,
    reason: str,
) -> None:
    """Their authorities cannot be looked into, so gRPC's words are read."""
    (tmp_path / "other").mkdir()
    roots = files.roots if host != "localhost" else certificate(tmp_path / "other").roots
    credentials = grpc.ssl_channel_credentials(roots.read_bytes())

    shown = refusal(capsys, secure.replace("localhost", host), credentials=credentials)

    assert reason in shown


def test_with_the_right_authority_a_bot_plays(
    secure: str, files: Certificate, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an argument, from the environment, and as the system's own."""
    run(First, secure, matches=1, tls=files.roots)
    monkeypatch.setenv(tls.VARIABLE, str(files.roots))
    run(First, secure, matches=1)
    monkeypatch.setenv(tls.VARIABLE, "system")
    monkeypatch.setenv("SSL_CERT_FILE", str(files.roots))
    run(First, secure, matches=1)
    run(First, secure, matches=1, tls=True)

    assert capsys.readouterr().err.count("(white_castle) is over: place 2 of 2, ") == 4


def test_what_is_no_authority_is_refused_before_anything_is_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file, one without a certificate, two wishes at a time, and a wish for TLS on a unix socket."""
    (tmp_path / "junk").write_bytes(b"\xff\x00 no certificate")
    both = refusal(capsys, "localhost:1", tls=True, credentials=grpc.ssl_channel_credentials())

    assert "cannot be read: No such file" in refusal(capsys, "localhost:1", tls=tmp_path / "missing")
    assert "there is no certificate in it; it must be PEM" in refusal(capsys, "localhost:1", tls=tmp_path / "junk")
    assert "either credentials of gRPC's or" in both
    assert "speaks no TLS: leave the wish for it out" in refusal(capsys, "unix:/tmp/some.sock", tls=True)


def test_the_environment_does_not_want_tls_of_a_unix_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hosted bot inherits the variable and has no use for it."""
    monkeypatch.setenv(tls.VARIABLE, "no such file")

    assert tls.trust("unix:/tmp/some.sock", None) == tls.Trust()
    assert tls.trust("localhost:1", False) == tls.Trust()
    with pytest.raises(BadSetting, match="no such file"):
        tls.trust("localhost:1", None)


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_a_port_that_is_no_referee_is_not_taken_for_one(says: bytes, files: Certificate) -> None:
    """Neither a silent port, nor a web server, nor a shell speaks TLS or HTTP/2."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    peer, _ = server.accept()
                except OSError:
                    return
                with peer:
                    peer.sendall(says)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        trust = tls.trust(address, files.roots)
        found = [tls.diagnose(address, tls.Trust(), ""), tls.diagnose(address, trust, "")]
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)

    assert found == [None, None]


def test_an_address_without_a_port_of_its_own_is_not_looked_at() -> None:
    """A unix socket, a host that is not there, and one where nothing listens show nothing."""
    addresses = ("unix:/nowhere", f"{'x' * 70}.org:1", "no-such-host.invalid:7400", "127.0.0.1:1", "[::1]:1")

    assert [tls.diagnose(address, tls.Trust(), "") for address in addresses] == [None] * 5
