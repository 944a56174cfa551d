"""What a bot is told about its referee, checked before anything is sent: an address that cannot be one, or a token that
cannot travel, would otherwise be tried again and again.
"""

from __future__ import annotations

import ipaddress

from referee.kernel.errors import BadSetting

UNIX = "unix:"
LONGEST_PATH = 100
"""Bytes that the path of a unix socket may have; systems allow 104 or more."""
HIGHEST_PORT = 65535
SHOWN = 80
"""Characters of a bad address that an error repeats."""


def check(address: str, token: str | None) -> None:
    """Raise BadSetting unless a referee can be found at this address, and can be shown this token."""
    check_address(address)
    if token and not (token.isascii() and token.isprintable()):
        # The message does not repeat it: it is secret.
        raise BadSetting("the token has signs that no token has: take exactly the text that the organiser gave out")


def is_loopback(address: str) -> bool:
    """Whether an address is one of this machine, as far as that shows without asking a name server."""
    host = address.rpartition(":")[0].strip("[]")
    if address.startswith(UNIX) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(address: str) -> None:
    """Raise BadSetting unless a referee can be found at this address."""
    shown = f"{address[:SHOWN]!r} is no address of a referee"
    try:
        address.encode()
    except UnicodeEncodeError:
        raise BadSetting(f"{shown}: it must be UTF-8") from None
    if address.startswith(UNIX):
        size = len(address.removeprefix(UNIX).encode())
        if not 0 < size <= LONGEST_PATH:
            raise BadSetting(f"{shown}: the path of a unix socket has 1 to {LONGEST_PATH} bytes, not {size}")
        return
    host, _, port = address.rpartition(":")
    digits = port.isascii() and port.isdecimal() and len(port) <= len(str(HIGHEST_PORT))
    if not host or not digits or not 0 < int(port) <= HIGHEST_PORT:
        raise BadSetting(f"{shown}: use host:port, such as 127.0.0.1:7400, or unix:/path")
