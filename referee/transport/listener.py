"""The listening side of gRPC: addresses, TLS, limits, health and reflection.

gRPC would share a TCP port with another process, or replace the unix socket of another process, without an error. So
every address is tried first, and an address that cannot be used is one clear error.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import stat
from collections.abc import Sequence
from contextlib import ExitStack
from enum import Enum
from pathlib import Path
from typing import Protocol

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from referee.kernel.errors import BadSetting
from referee.transport.guard import CallGuard
from referee.transport.limits import Limits
from referee.transport.service import NAME
from referee.transport.unix import LONGEST_PATH, UNIX
from referee.v1 import watch_pb2

WATCH = watch_pb2.DESCRIPTOR.services_by_name["WatchService"].full_name
GRACE = 2.0
"""Seconds that open streams have to end when the referee ends."""
HIGHEST_PORT = 65535
SHOWN = 80
"""Characters of a bad address that an error repeats."""
ROOM = 4
"""gRPC breaks the stream of a message larger than `ROOM` times the limit; a smaller one becomes a typed fault."""
READINESS, LIVENESS = "readiness", "liveness"
"""Names of the health service for "the referee takes bots and plays" and for "the process serves"."""
PRIVATE = 0o600
"""The file mode of sockets that only the referee's own user may use."""


class Room(Enum):
    """Which services an address offers."""

    PUBLIC = "play, watching, health and reflection"
    PLAY = "play alone: all that a bot which the host starts may see"
    ADMIN = "health, and what the organiser's tools and pages need"


class Handled(Protocol):
    """A gRPC service: the referee's own, or one that imitates the referee."""

    def handler(self) -> grpc.GenericRpcHandler[bytes, bytes]:
        """The methods of the service for a gRPC server."""


class Health(Protocol):
    """The part of gRPC's health service that is used; the type stubs leave it out."""

    async def set(self, service: str, status: int) -> None:
        """Report the status of a service."""

    async def enter_graceful_shutdown(self) -> None:
        """Report that all services are ending."""


class Listener:
    """A started gRPC server."""

    def __init__(self, server: grpc.aio.Server, status: Health, addresses: tuple[str, ...]) -> None:
        self.addresses = addresses
        """The addresses as bound, with real ports."""
        self._server = server
        self._status = status
        self._more: list[Listener] = []

    def add(self, listener: Listener) -> None:
        """Close another listener together with this one."""
        self._more.append(listener)

    async def report(self, ready: bool) -> None:
        """Report through gRPC's health service whether the referee is ready; its liveness stays."""
        status = health_pb2.HealthCheckResponse.SERVING if ready else health_pb2.HealthCheckResponse.NOT_SERVING
        for listener in (self, *self._more):
            for name in ("", NAME, READINESS):
                await listener._status.set(name, status)

    async def close(self) -> None:
        """Take no more calls, wait `GRACE` seconds for streams to end, then cut them."""
        for listener in (self, *self._more):
            await listener._status.enter_graceful_shutdown()
        await asyncio.gather(*(listener._stop() for listener in (self, *self._more)))

    async def _stop(self) -> None:
        await self._server.stop(GRACE)
        for address in self.addresses:
            if address.startswith(UNIX):
                Path(address.removeprefix(UNIX)).unlink(missing_ok=True)


async def listen(
    bind: Sequence[str],
    service: Handled | None,
    limits: Limits,
    *,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    room: Room = Room.PUBLIC,
    guard: CallGuard | None = None,
    admin: Handled | None = None,
    watch: Handled | None = None,
) -> Listener:
    """Serve at every address of `bind` (host:port or unix:/path); raises BadSetting. `service` None: no play here.

    Only the referee's own user may use the sockets of a room that is not public. `guard` bounds calls of health and
    reflection. `admin` is the service for organisers, which checks its callers itself; `watch` that for spectators.
    """
    check(bind, tls_cert, tls_key)
    credentials = _credentials(tls_cert, tls_key)
    server = grpc.aio.server(options=_options(limits))
    if service is not None:
        server.add_generic_rpc_handlers((service.handler(),))
    if admin is not None:
        server.add_generic_rpc_handlers((admin.handler(),))
    if watch is not None:
        server.add_generic_rpc_handlers((watch.handler(),))
    status = health.aio.HealthServicer()  # type: ignore[attr-defined]
    target = server if guard is None else guard.guarded(server)
    if room is not Room.PLAY:
        health_pb2_grpc.add_HealthServicer_to_server(status, target)
    if room is Room.PUBLIC:
        watched = () if watch is None else (WATCH,)
        names = (NAME, *watched, health.SERVICE_NAME, reflection.SERVICE_NAME)
        servicer = reflection.aio.ReflectionServicer(names)  # type: ignore[attr-defined]
        reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, target)
    if room is Room.PUBLIC:
        addresses = tuple(_bind(server, address, credentials) for address in bind)
    else:
        before = os.umask(0o777 & ~PRIVATE)
        try:
            addresses = tuple(_bind(server, address, None) for address in bind)
        finally:
            os.umask(before)
    await server.start()
    for name in ("", NAME, READINESS, LIVENESS):
        await status.set(name, health_pb2.HealthCheckResponse.SERVING)
    return Listener(server, status, addresses)


def check(bind: Sequence[str], tls_cert: Path | None = None, tls_key: Path | None = None) -> None:
    """Raise BadSetting unless a referee could listen at each of these addresses now; no address stays bound."""
    if not bind:
        raise BadSetting("a referee needs at least one address to listen on, such as 127.0.0.1:7400")
    _check_pem(tls_cert, tls_key)
    with ExitStack() as probes:
        for number, address in enumerate(bind):
            if not address.startswith(UNIX):
                probes.enter_context(_try_tcp(address))
            elif address in bind[:number]:
                raise BadSetting(f"cannot listen on {address} twice; name each address once")
            else:
                _try_unix(address.removeprefix(UNIX))


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", ROOM * limits.message_bytes),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_concurrent_streams", limits.streams),
        ("grpc.server.max_pending_requests", limits.streams),
        ("grpc.server.max_pending_requests_hard_limit", 2 * limits.streams),
        ("grpc.server_handshake_timeout_ms", 20_000),
        ("grpc.max_connection_idle_ms", 300_000),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ]


def _bind(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None) -> str:
    try:
        if address.startswith(UNIX) or credentials is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    except RuntimeError:
        raise BadSetting(f"cannot listen on {address}; choose another address") from None
    return address if address.startswith(UNIX) else f"{address.rpartition(':')[0]}:{port}"


def _credentials(cert: Path | None, key: Path | None) -> grpc.ServerCredentials | None:
    if cert is None or key is None:
        return None
    return grpc.ssl_server_credentials([(key.read_bytes(), cert.read_bytes())])


def _check_pem(cert: Path | None, key: Path | None) -> None:
    """Raise BadSetting unless both files exist and belong together, or both are None."""
    if cert is None and key is None:
        return
    if cert is None or key is None:
        raise BadSetting("TLS needs both a certificate and its key")
    try:
        for path in (cert, key):
            path.read_bytes()
        # With an empty password an encrypted key is an error; without one, OpenSSL would ask the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except ssl.SSLError as error:
        reason = error.reason or "they are not PEM"
        raise BadSetting(
            f"TLS needs a certificate chain and its unencrypted key, both PEM; {cert} and {key} are not that: {reason}"
        ) from None
    except OSError as error:
        raise BadSetting(f"cannot read {error.filename}: {error.strerror}") from None


def _try_tcp(address: str) -> socket.socket:
    """A listening socket that holds the address until it is closed, so that a second one there is an error."""
    host, _, port = address.rpartition(":")
    digits = port.isascii() and port.isdecimal() and len(port) <= len(str(HIGHEST_PORT))
    if not host or not digits or int(port) > HIGHEST_PORT:
        raise BadSetting(f"{address[:SHOWN]!r} is no address: use host:port, such as 127.0.0.1:7400, or unix:/path")
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        probe = socket.socket(family, kind, protocol)
        try:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
            probe.listen()
        except OSError:
            probe.close()
            raise
    except UnicodeError:
        raise BadSetting(f"cannot listen on {address[:SHOWN]!r}: that is no name of a host") from None
    except OSError as error:
        text = f"cannot listen on {address[:SHOWN]}: {error.strerror or error}; choose another address"
        raise BadSetting(text) from None
    return probe


def _try_unix(path: str) -> None:
    where = f"{UNIX}{path}"
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        raise BadSetting(f"cannot listen on {where[:SHOWN]!r}: the path of a unix socket must be UTF-8") from None
    if not 0 < size <= LONGEST_PATH:
        raise BadSetting(
            f"the path of a unix socket has 1 to {LONGEST_PATH} bytes, and {where[:LONGEST_PATH]!r} has not"
        )
    if not Path(path).parent.is_dir():
        raise BadSetting(f"cannot listen on {where}: there is no folder {Path(path).parent}")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        _try_new(path)
        return
    if not stat.S_ISSOCK(mode):
        raise BadSetting(f"cannot listen on {where}: that is a file; choose another path")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except OSError:
            return  # a process that has ended left the socket behind; gRPC replaces the file
    raise BadSetting(f"cannot listen on {where}: address already in use; choose another path")


def _try_new(path: str) -> None:
    """Make and remove a socket, because the folder may not allow one."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.bind(path)
            os.unlink(path)
        except OSError as error:
            raise BadSetting(f"cannot listen on {UNIX}{path}: {error.strerror or error}; choose another path") from None
