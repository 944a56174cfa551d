"""Acts that a referee refuses, and who may operate a referee: the admin socket, and admin tokens over TLS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message

from ladder.cli import run
from ladder.serving.sockets import sockets
from ladder.store.database import Store
from ladder.store.tokens import ADMIN, ENTRANT
from referee.v1 import admin_pb2 as apb
from referee.v1 import play_pb2 as pb
from referee.v1.admin_pb2_grpc import AdminServiceStub
from tests.certificates import Certificate, certificate
from tests.ladder.test_served import Season
from tests.transport.house import WAIT, Wire

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    """A referee that knows two bots and plays nothing."""
    with Season(tmp_path_factory.mktemp("small") / "cup.sqlite") as opened:
        for name in ("bot01", "bot02"):
            with Wire(opened.address) as wire:
                wire.hello(name)
        yield opened


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["kick", "nemo"], "unknown bot that is here 'nemo'"),
        (["ban", "bot 1"], "is no name for a bot"),
        (["ban", "bot01", "--until", "tomorrow"], "is no moment"),
        (["ban", "bot01", "--until", "2020-01-01T00:00:00Z"], "has passed already"),
        (["ban", "bot01", "--until", "2030-01-01T00:00:00"], "with its offset"),
        (["ban", "bot01", "--until", "99999999h"], "is too long"),
        (["ban", "bot01", "--until", "9999-12-31T23:59:59-10:00"], "is too late"),
        (["pause", "chess"], "unknown pool that is played here 'chess'"),
        (["resume"], "no pool is paused"),
        (["abort", "zz"], "no match begins with 'zz'"),
        (["void", ""], "name a match by its id"),
        (["hide", "nemo"], "unknown bot 'nemo'"),
        (["hide", "bot01", "--as", "bot02"], "is the name or the pseudonym of a bot"),
        (["unhide", "bot01"], "unknown bot that is hidden"),
        (["bot", "nemo"], "unknown bot 'nemo'"),
        (["drain", "--within", "soon"], "write a time such as"),
        (["open"], "new names are admitted already"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_not_noted(
    small: Season, words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, what was wrong, and nothing in the list of acts."""
    assert run(["admin", *words, "--db", str(small.path)]) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line
    with Store(small.path) as store:
        assert store.acts(10) == []


@pytest.mark.parametrize(
    ("call", "request_"),
    [
        ("Drain", apb.DrainRequest(within_seconds=-1)),
        ("Drain", apb.DrainRequest(within_seconds=float("nan"))),
        ("BanBot", apb.BanBotRequest(name="bot 1")),
        ("BanBot", apb.BanBotRequest(name="bot01", until="tomorrow")),
        ("HideBot", apb.HideBotRequest(name="bot01", pseudonym="bot\n1")),
        ("VoidMatch", apb.VoidMatchRequest()),
    ],
)
def test_a_request_that_says_what_cannot_be_is_an_invalid_argument(small: Season, call: str, request_: Message) -> None:
    """As the service's description says; what only cannot be done now has another code."""
    with grpc.insecure_channel(sockets(small.path).admin) as channel, pytest.raises(grpc.RpcError) as refused:
        getattr(AdminServiceStub(channel), call)(request_, timeout=WAIT)

    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_bots_have_no_way_to_the_admin_service(small: Season) -> None:
    """Neither at the address of bots nor at the play socket is there such a service."""
    for address in (small.address, sockets(small.path).play):
        with grpc.insecure_channel(address) as channel:
            call = channel.unary_unary("/referee.v1.AdminService/GetStatus", None, None)
            with pytest.raises(grpc.RpcError) as caught:
                call(b"", timeout=WAIT)
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.fixture(scope="module")
def afar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Season, Certificate]]:
    """A referee behind TLS, with an entrant and an organiser."""
    folder = tmp_path_factory.mktemp("afar")
    files = certificate(folder)
    with Store(folder / "cup.sqlite") as store:
        for name, role in (("ann", ENTRANT), ("olga", ADMIN)):
            (folder / name).write_text(store.new_token(name, role=role))
            (folder / name).chmod(0o600)
    with Season(folder / "cup.sqlite", tls_cert=files.chain, tls_key=files.key) as opened:
        yield opened, files


def over_tls(afar: tuple[Season, Certificate], name: str, *words: str) -> int:
    """A command of `kumite admin` from elsewhere, with the token of that name."""
    season, files = afar
    address = f"localhost:{season.address.rpartition(':')[2]}"
    where = ["--address", address, "--tls-ca", str(files.roots), "--token-file", str(files.roots.with_name(name))]
    return run(["admin", *words, *where])


def test_an_admin_token_operates_a_referee_from_elsewhere(
    afar: tuple[Season, Certificate], capsys: pytest.CaptureFixture[str]
) -> None:
    """Over TLS; the act is noted under the organiser's name."""
    assert over_tls(afar, "olga", "status") == 0
    assert "0 bots here" in capsys.readouterr().out
    assert over_tls(afar, "olga", "close") == 0
    with Store(afar[0].path) as store:
        (act,) = store.acts(10)

    assert (act.actor, act.action) == ("olga", "close")


def test_no_other_token_ever_allows_it(
    afar: tuple[Season, Certificate], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entrant's, a made-up one, none, a revoked one; and an admin token admits to no table."""
    season, files = afar
    assert over_tls(afar, "ann", "status") == 2
    assert "needs an admin token" in capsys.readouterr().err
    files.roots.with_name("guess").write_text("A" * 43)
    assert over_tls(afar, "guess", "drain") == 2
    assert "needs an admin token" in capsys.readouterr().err
    address = f"localhost:{season.address.rpartition(':')[2]}"
    credentials = grpc.ssl_channel_credentials(files.roots.read_bytes())
    with grpc.secure_channel(address, credentials) as channel, pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/referee.v1.AdminService/Drain", None, None)(b"", timeout=WAIT)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    token = files.roots.with_name("olga").read_text()
    with Wire(address, token, credentials) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1)))
        assert wire.fault(pb.FAULT_CODE_UNAUTHENTICATED).closes_stream
    with Store(season.path) as store:
        store.new_token("oleg", role=ADMIN)
        store.revoke("oleg")
        replaced = store.new_token("otto", role=ADMIN)
        store.new_token("otto", role=ADMIN, replace=True)
    files.roots.with_name("otto").write_text(replaced)
    assert over_tls(afar, "otto", "status") == 2
    assert "needs an admin token" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--address", "localhost:1"], "wants an admin token"),
        (["--address", "localhost:1", "--token-file", "TOKEN"], "travels over TLS alone"),
        (["--address", "localhost:1", "--db", "cup.sqlite", "--token-file", "TOKEN"], "exclude each other"),
        (["--token-file", "TOKEN"], "for a referee elsewhere"),
        (["--address", "nowhere", "--token-file", "TOKEN", "--tls"], "is no address"),
        (["--db", "none.sqlite"], "there is no database"),
    ],
)
def test_a_referee_that_cannot_be_reached_is_one_line(
    tmp_path: Path, options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was wrong, and what would be right."""
    token = tmp_path / "token"
    token.write_text("secret")
    token.chmod(0o600)
    words = [str(token) if word == "TOKEN" else word for word in options]
    assert run(["admin", "status", *words]) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line
