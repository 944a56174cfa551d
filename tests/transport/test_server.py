"""A whole referee over real gRPC: addresses, TLS, tokens, description, health, reflection, and an orderly end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

import referee
from ladder.config.offers import every_table
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.match import files
from referee.match.clock import TimeControl
from referee.match.policy import EndingKind, Owner
from referee.match.verify import verify
from referee.transport import bridge, service
from referee.transport.auth import Tokens
from referee.transport.limits import Limits
from referee.transport.server import Config, open_server, serve
from referee.transport.service import NAME
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests.certificates import certificate
from tests.transport import scheduling
from tests.transport.house import WAIT, GoodBot, House, Wire, reply, socket_in

TWO = every_table(["edo_yashiki"], seats=[2], clock=TimeControl.parse("60s"))


@pytest.mark.parametrize("transport", ["tcp", "unix"])
def test_matches_are_played_and_the_referee_ends_by_itself(transport: str, tmp_path: Path) -> None:
    """Two bots play the wanted number of matches; then the referee says goodbye."""
    bind = "127.0.0.1:0" if transport == "tcp" else socket_in(tmp_path)
    with (
        House(bind, wanted=TWO, matches=3) as house,
        GoodBot(house.address, "ann", tables=2) as ann,
        GoodBot(house.address, "bob") as bob,
    ):
        ann.finish()
        bob.finish()
        house.join()

    assert house.finished == 3
    assert len(ann.overs) == len(bob.overs) == 3
    assert [fault.code for fault in ann.faults] == [pb.FAULT_CODE_SHUTDOWN]


def test_one_referee_listens_at_several_addresses(tmp_path: Path) -> None:
    """Bots on TCP and on a unix socket meet at one table."""
    with House("127.0.0.1:0", socket_in(tmp_path), wanted=TWO, matches=1) as house:
        tcp, unix = house.server.addresses
        with GoodBot(tcp, "ann") as ann, GoodBot(unix, "bob"):
            ann.finish()

    assert len(ann.overs) == 1


def test_a_referee_speaks_tls(tmp_path: Path) -> None:
    """With a certificate the connection is encrypted, and one without encryption gets nowhere."""
    files = certificate(tmp_path)

    with House("localhost:0", tls_cert=files.chain, tls_key=files.key) as house:
        credentials = grpc.ssl_channel_credentials(files.roots.read_bytes())
        with Wire(house.address, credentials=credentials) as safe, Wire(house.address) as plain:
            welcome = safe.hello("ann")
            plain.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="bob")))

            assert welcome.name == "ann"
            assert plain.status() == grpc.StatusCode.UNAVAILABLE


def test_tokens_are_checked() -> None:
    """The right token comes in under its name; a wrong one ends with a fault and gRPC's own status."""
    with (
        House(directory=Tokens.of([("ann", "secret")])) as house,
        Wire(house.address, token="secret") as ann,
        Wire(house.address, token="guess") as eve,
    ):
        welcome = ann.hello("")
        eve.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="ann")))
        fault = eve.fault(pb.FAULT_CODE_UNAUTHENTICATED)

        assert welcome.name == "ann"
        assert fault.closes_stream
        assert eve.status() == grpc.StatusCode.UNAUTHENTICATED


def test_with_the_same_token_a_restarted_bot_continues_its_match() -> None:
    """Where tokens prove who a bot is, hello is enough to take a running match up again."""
    tokens = Tokens.of([("ann", "secret-a"), ("bob", "secret-b")])
    with House(directory=tokens, wanted=TWO, matches=1) as house, GoodBot(house.address, "", "secret-b"):
        with Wire(house.address, token="secret-a") as ann:
            ann.hello("ann")
            ann.send(reply(ann.until(lambda message: message.seated)))
            ask = ann.until(lambda message: message.asks).asks[0]
        with GoodBot(house.address, "", "secret-a") as again:
            again.finish()

    assert again.welcome.resumed
    assert [over.match_id for over in again.overs] == [ask.match_id]


def test_another_protocol_version_ends_with_a_typed_fault() -> None:
    """The status says it too, for clients that look at nothing else."""
    with House() as house, Wire(house.address) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=9, name="ann")))
        fault = wire.fault(pb.FAULT_CODE_VERSION)

        assert "version 9" in fault.message
        assert wire.status() == grpc.StatusCode.FAILED_PRECONDITION


def test_a_full_referee_sends_streams_away() -> None:
    """One stream more than allowed ends at once, with the reason, and the others stay."""
    with House(limits=Limits(streams=2)) as house, Wire(house.address) as ann, Wire(house.address) as bob:
        ann.hello("ann")
        bob.hello("bob")
        with Wire(house.address) as cid:
            cid.fault(pb.FAULT_CODE_FULL)
            status = cid.status()
        ann.send(pb.PlayRequest(answers=[pb.Answer(match_id="m")]))

        assert status == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert ann.fault(pb.FAULT_CODE_UNKNOWN_MATCH).match_id == "m"


def test_a_bot_that_does_not_read_its_last_message_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that is being closed does not wait for ever for a peer that has stopped reading."""
    monkeypatch.setattr(service, "GRACE", 0.1)
    with House(limits=Limits(outbox=2000, message_burst=10**6, bundle=1000)) as house, Wire(house.address) as wire:
        wire.hello("ann")
        connections = house.server.connections
        (stream,) = connections.streams
        bundle = pb.PlayRequest(answers=[pb.Answer(match_id="x" * 64)] * 1000)
        while stream.closing is None:
            wire.send(bundle)

        deadline = time.monotonic() + WAIT
        while connections.streams and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not connections.streams
        assert stream.closing.code == pb.FAULT_CODE_BACKLOG


def test_a_stream_that_the_referee_closes_stays_for_the_next_message_of_its_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A message that is under way while the stream is closed still finds the stream; the status comes after it."""
    monkeypatch.setattr(service, "LINGER", WAIT)
    tokens = Tokens.of([("ann", "secret-a")])
    with House(directory=tokens) as house, Wire(house.address, "secret-a") as wire:
        wire.hello("ann")
        with Wire(house.address, "secret-a") as again:
            again.hello("ann")
            wire.fault(pb.FAULT_CODE_TAKEN_OVER)
            # An exchange on the other stream comes after the turn of the loop in which this one would have ended.
            again.send(pb.PlayRequest(answers=[pb.Answer(match_id="m")]))
            again.fault(pb.FAULT_CODE_UNKNOWN_MATCH)
            lingering = len(house.server.connections.streams)
            wire.send(pb.PlayRequest(pong=pb.Pong(nonce=1)))
            status = wire.status()
            left = len(house.server.connections.streams)

    assert (lingering, left) == (2, 1)
    assert status == grpc.StatusCode.ABORTED


def test_a_stream_that_the_referee_closes_does_not_wait_for_a_silent_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the pause for a message that is under way the stream ends, though the bot keeps its side open."""
    monkeypatch.setattr(service, "LINGER", 0.01)
    tokens = Tokens.of([("ann", "secret-a")])
    with House(directory=tokens) as house, Wire(house.address, "secret-a") as wire:
        wire.hello("ann")
        with Wire(house.address, "secret-a") as again:
            again.hello("ann")

            assert wire.status() == grpc.StatusCode.ABORTED


def test_an_error_in_the_block_of_a_server_comes_out_as_it_is() -> None:
    """Whoever runs a referee in a program of its own sees its own errors, not a group around them."""

    async def main(host: bridge.Bridge) -> None:
        async with open_server(host, Config(bind=("127.0.0.1:0",))):
            raise BadSetting("mine")

    with pytest.raises(BadSetting, match="mine"):
        bridge.run(main)


def test_pings_come_and_measure() -> None:
    """Pings follow each other at first; each carries what was measured so far."""
    with House() as house, Wire(house.address) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="ann")))
        first = wire.until(lambda message: message.HasField("ping")).ping
        wire.send(pb.PlayRequest(pong=pb.Pong(nonce=first.nonce)))
        second = wire.until(lambda message: message.HasField("ping")).ping

        assert first.round_trip_us == 0
        assert second.round_trip_us > 0
        assert first.nonce != second.nonce


def test_describe_tells_a_stranger_everything_without_a_token() -> None:
    """Games, seats, settings, bounds, hidden information, limits and versions."""
    game = registry.game("edo_yashiki")
    with House(directory=Tokens({})) as house, grpc.insecure_channel(house.address) as channel:
        described = RefereeServiceStub(channel).Describe(pb.DescribeRequest(), timeout=WAIT)
    info = next(info for info in described.games if info.name == "edo_yashiki")
    settings = {setting.name: setting for setting in info.settings}

    assert described.protocol_version == 1
    assert described.referee_version == referee.__version__
    assert described.token_needed
    assert [info.name for info in described.games] == list(registry.names())
    assert list(info.seat_counts) == [2, 3, 4, 5]
    assert list(settings["draft"].values) == list(game.variants["draft"].values)
    assert settings["draft"].default_value == "sealed"
    assert (info.max_decisions, info.max_options) == (game.bounds.decisions, game.bounds.options)
    assert list(info.hidden) == list(game.hidden)
    assert (info.rules_version, info.components_digest) == (game.rules_version, game.digest)
    assert described.limits.message_bytes > 0
    assert not info.components_toml


def test_describe_hands_out_the_components() -> None:
    """On request: the file, and the card faces as a message."""
    with House() as house, grpc.insecure_channel(house.address) as channel:
        request = pb.DescribeRequest(games=["edo_yashiki"], components=True)
        (info,) = RefereeServiceStub(channel).Describe(request, timeout=WAIT).games

    assert "[[construction_cards]]" in info.components_toml
    assert len(info.edo_yashiki.cards) == 64


def test_describe_names_what_it_does_not_know() -> None:
    """An unknown game is a status with one clear line."""
    with House() as house, grpc.insecure_channel(house.address) as channel, pytest.raises(grpc.RpcError) as caught:
        RefereeServiceStub(channel).Describe(pb.DescribeRequest(games=["chess"]), timeout=WAIT)
    details = caught.value.details()

    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    assert details is not None
    assert "unknown game 'chess'" in details


def test_a_name_without_end_costs_nothing_and_is_not_sent_back_whole() -> None:
    """Describe and hello are open to anybody: neither repeats more than the beginning of a name."""
    name = "edo_yashik" * 400
    with House() as house, grpc.insecure_channel(house.address) as channel, Wire(house.address) as wire:
        with pytest.raises(grpc.RpcError) as caught:
            RefereeServiceStub(channel).Describe(pb.DescribeRequest(games=[name]), timeout=WAIT)
        offers = [pb.Offer(game=name)]
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="ann", offers=offers)))
        fault = wire.fault(pb.FAULT_CODE_BAD_HELLO)
        status = wire.status()
    details = caught.value.details()

    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    assert details is not None
    assert len(details) < 300
    assert len(fault.message) < 300
    assert status == grpc.StatusCode.INVALID_ARGUMENT


def test_describe_gives_the_same_answer_again() -> None:
    """What is kept for the next caller is what the first one got, for each choice of games by itself."""
    with House() as house, grpc.insecure_channel(house.address) as channel:
        ask = RefereeServiceStub(channel).Describe
        requests = [
            pb.DescribeRequest(games=games, components=components)
            for games in ([], ["honshu"], ["ninjato", "honshu"], ["honshu", "honshu"])
            for components in (False, True)
        ]
        first = [ask(request, timeout=WAIT) for request in requests]
        again = [ask(request, timeout=WAIT) for request in requests]

    assert first == again
    assert [[game.name for game in answer.games] for answer in first[2:]] == [
        *[["honshu"]] * 2,
        *[["ninjato", "honshu"]] * 2,
        *[["honshu"]] * 2,
    ]
    assert [bool(answer.games[0].components_toml) for answer in first] == [False, True] * 4


@pytest.mark.parametrize("service", ["", NAME])
def test_the_health_service_says_that_it_serves(service: str) -> None:
    """Load balancers and supervisors ask the standard way."""
    with House() as house, grpc.insecure_channel(house.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        status = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=WAIT).status

    assert status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_lists_the_services_and_their_files() -> None:
    """grpcurl works without any proto file at hand."""
    ask = reflection_pb2.ServerReflectionRequest
    with House() as house, grpc.insecure_channel(house.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        listed, file = stub.ServerReflectionInfo(
            iter([ask(list_services=""), ask(file_containing_symbol=NAME)]), timeout=WAIT
        )

    assert {NAME, "grpc.health.v1.Health"} <= {service.name for service in listed.list_services_response.service}
    assert file.file_descriptor_response.file_descriptor_proto


@pytest.mark.parametrize("resumable", [False, True])
def test_at_its_end_a_referee_ends_its_matches_and_tells_the_bots(tmp_path: Path, resumable: bool) -> None:
    """A match in progress ends without a result, unless a later run goes on with it: then its bots are to come back."""
    journal = files.Journal(tmp_path)
    goodbye = pb.FAULT_CODE_RESTARTING if resumable else pb.FAULT_CODE_SHUTDOWN
    with (
        House(wanted=TWO, recorder=journal, resumable=resumable) as house,
        GoodBot(house.address, "ann") as ann,
        Wire(house.address) as bob,
    ):
        bob.hello("bob")
        bob.send(reply(bob.until(lambda message: message.seated)))
        ask = bob.until(lambda message: message.asks).asks[0]
        house.stop()
        fault = bob.fault(goodbye)
        status = bob.status()
        ann.finish()
    journal.close()
    record = files.read(journal.path(ask.match_id))

    assert fault.closes_stream
    assert status == grpc.StatusCode.UNAVAILABLE
    assert len(record.steps) == 1
    assert record.finished is not resumable
    assert [over.match_id for over in ann.overs] == [ask.match_id] * record.finished
    assert [fault.code for fault in ann.faults] == [goodbye]
    if record.final is not None:
        verify(record)
        assert [(ending.kind, ending.owner) for ending in record.final.endings] == [
            (EndingKind.ABORTED, Owner.REFEREE)
        ] * 2
        assert not record.final.rated


SERVE = """
import sys
from referee.transport.server import Config, serve
def started(server):
    print(*server.addresses, flush=True)
print(serve(Config(bind=("127.0.0.1:0",)), started=started), flush=True)
"""


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_referee_that_is_asked_to_end_ends_cleanly(number: signal.Signals) -> None:
    """Connected bots are told, nothing is printed to the error stream, and the exit code is 0."""
    command = [sys.executable, "-c", SERVE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with Wire(address) as wire:
            wire.hello("ann")
            process.send_signal(number)
            wire.fault(pb.FAULT_CODE_SHUTDOWN)
        rest, errors = process.communicate(timeout=WAIT)

    assert (rest, errors, process.returncode) == ("0\n", "", 0)


@pytest.mark.processes
@scheduling.batch
def test_no_thread_of_a_referee_interrupts_another() -> None:
    """A referee that serves is scheduled as batch work, with all the threads that gRPC has started for it."""
    with subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        with Wire(process.stdout.readline().strip()) as wire:
            wire.hello("ann")
            policies = [os.sched_getscheduler(int(thread)) for thread in os.listdir(f"/proc/{process.pid}/task")]
        process.terminate()

    assert len(policies) > 2
    assert set(policies) == {os.SCHED_BATCH}


def test_a_port_in_use_is_one_clear_error(capfd: pytest.CaptureFixture[str]) -> None:
    """The second referee does not start, says why, and prints nothing else."""
    with House() as house, pytest.raises(BadSetting) as caught:
        serve(Config(bind=(house.address,)))

    assert str(caught.value).startswith(f"cannot listen on {house.address}: Address already in use")
    assert capfd.readouterr().err == ""


def test_a_socket_in_use_is_not_taken_away(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """gRPC would silently replace the socket of a running referee."""
    with House(socket_in(tmp_path)) as house:
        with pytest.raises(BadSetting, match="address already in use"):
            serve(Config(bind=(house.address,)))
        with Wire(house.address) as wire:
            assert wire.hello("ann").name == "ann"

    assert capfd.readouterr().err == ""


def test_a_socket_that_was_left_behind_is_replaced(tmp_path: Path) -> None:
    """A killed referee leaves its socket; the next one takes it over, and removes it at its end."""
    path = tmp_path / "referee"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))

    with House(f"unix:{path}") as house, Wire(house.address) as wire:
        assert wire.hello("ann").name == "ann"

    assert not path.exists()


@pytest.mark.parametrize(
    ("bind", "expected"),
    [
        ((), "at least one address"),
        (("localhost",), "is no address"),
        (("127.0.0.1:http",), "is no address"),
        (("127.0.0.1:70000",), "is no address"),
        (("host.invalid:1",), "cannot listen on host.invalid:1"),
        (("unix:",), "1 to 100 bytes"),
        (("unix:/" + "x" * 200,), "1 to 100 bytes"),
        (("unix:/nowhere/at/all",), "there is no folder"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_clear_error(bind: tuple[str, ...], expected: str) -> None:
    """What is wrong, and what would be right."""
    with pytest.raises(BadSetting) as caught:
        serve(Config(bind=bind))

    assert expected in str(caught.value)


def test_a_file_is_no_socket(tmp_path: Path) -> None:
    """A referee deletes nothing that is not its own."""
    path = tmp_path / "precious"
    path.write_text("data")

    with pytest.raises(BadSetting, match="that is a file"):
        serve(Config(bind=(f"unix:{path}",)))

    assert path.read_text() == "data"


@pytest.mark.parametrize(
    ("cert", "key", "expected"),
    [(None, "key.pem", "both"), ("cert.pem", None, "both"), ("cert.pem", "key.pem", "cannot read")],
)
def test_tls_files_that_cannot_be_used_are_one_clear_error(
    cert: str | None, key: str | None, expected: str, tmp_path: Path
) -> None:
    """One file without the other, or files that are not there."""
    tls_cert = None if cert is None else tmp_path / cert
    tls_key = None if key is None else tmp_path / key

    with pytest.raises(BadSetting, match=expected):
        serve(Config(bind=("127.0.0.1:0",), tls_cert=tls_cert, tls_key=tls_key))
