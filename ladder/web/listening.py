"""Where a server over HTTP listens: HOST:PORT as an organiser writes it, and a socket that is bound there."""

from __future__ import annotations

import socket

from referee.kernel.errors import BadSetting

BACKLOG = 128
"""Connections that wait while no process accepts them."""


def address_of(bind: str) -> tuple[str, int]:
    """Host and port of HOST:PORT; raises BadSetting."""
    host, colon, port = bind.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdecimal() or int(port[:9]) > 65535:
        raise BadSetting(f"{bind!r}: write HOST:PORT, such as 127.0.0.1:8080")
    return host.strip("[]"), int(port)


def listening(bind: str, served: str = "pages") -> socket.socket:
    """A socket that listens there; raises BadSetting with the reason. `served` says what cannot be served then."""
    host, port = address_of(bind)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        found.close()
        reason = getattr(error, "strerror", None) or "that is no address"
        raise BadSetting(f"{served} cannot be served at {bind}: {reason}") from None
    return found


def shown_address(place: socket.socket) -> str:
    """The address of a listening socket as a browser takes it."""
    host, port = place.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
