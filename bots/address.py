"""Checks of a referee's address and of a token before the first attempt to connect.

A bot repeats failed attempts for minutes, so an impossible address or token is refused at once.
"""

from __future__ import annotations

import ipaddress

from referee.kernel.errors import BadSetting

UNIX = "unix:"
LONGEST_PATH = 100
"""Bytes that the path of a unix socket may have; operating systems allow 104 or more."""
HIGHEST_PORT = 65535
SHOWN = 80
"""Characters of a bad address that an error repeats."""


def check(address: str, token: str | None) -> None:
    """Raise BadSetting unless the address has the form of a referee's and the token consists of printable ASCII."""
    check_address(address)
    if token and not (token.isascii() and token.isprintable()):
        # A token is secret, so the message does not repeat the text.
        raise BadSetting("the token has signs that no token has: take exactly the text that the organiser gave out")


def is_loopback(address: str) -> bool:
    """Whether an address is one of this machine, judged by its text without a name server."""
    host = address.rpartition(":")[0].strip("[]")
    if address.startswith(UNIX) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(address: str) -> None:
    """Raise BadSetting unless the text is `host:port` or `unix:/path`."""
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
