"""TLS between bot and referee: the certificate authorities that the bot trusts, and the diagnosis of failures.

gRPC reports a TLS mismatch as a closed connection only. `diagnose` therefore connects to the port again: it tries a TLS
handshake and an HTTP/2 preface, and looks at the certificate.
"""

from __future__ import annotations

import os
import re
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import grpc

from bots.address import UNIX
from referee.kernel.bounded import read_bytes
from referee.kernel.errors import BadSetting

VARIABLE = "KUMITE_TLS"
"""The variable with the TLS setting for TCP addresses: `system`, or the file of a certificate authority."""
SYSTEM = "system"
BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Files in which Linux distributions keep the certificate authorities that they trust."""
TIMEOUT = 3.0
"""Most seconds of one connection for a diagnosis."""
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""The first bytes of an HTTP/2 client: the preface and an empty SETTINGS frame."""
HEADER = 9
"""Bytes of the header of an HTTP/2 frame."""
SETTINGS = 4
"""The type of an HTTP/2 server's first frame, in the fourth byte of its header."""

Wish: TypeAlias = bool | str | os.PathLike[str]
"""True or `system`: TLS with the system's authorities; a path: with the authority in that file, PEM; False: no TLS."""


@dataclass(frozen=True, slots=True)
class Trust:
    """The credentials of a channel and the authorities in them."""

    credentials: grpc.ChannelCredentials | None = None
    """gRPC's credentials; None: no TLS."""
    roots: bytes | None = None
    """The certificate authorities in the credentials, PEM; None: unknown, as for gRPC's own list."""


def trust(address: str, wish: Wish | None, credentials: grpc.ChannelCredentials | None = None) -> Trust:
    """The credentials for a channel to an address; raises BadSetting.

    `credentials` are gRPC's own and exclude a wish. Without either the variable KUMITE_TLS counts, except for a unix
    socket, which has no TLS.
    """
    if credentials is not None and wish is not None:
        raise BadSetting("a bot has either credentials of gRPC's or a wish for TLS, not both")
    if address.startswith(UNIX):
        if credentials is not None or wish:
            raise BadSetting(f"{address} is a socket of this machine and speaks no TLS: leave the wish for it out")
        return Trust()
    if credentials is not None:
        return Trust(credentials)
    wish = os.environ.get(VARIABLE) if wish is None else wish
    if not wish:
        return Trust()
    roots = system_roots() if wish is True or wish == SYSTEM else read_roots(Path(str(wish)))
    return Trust(grpc.ssl_channel_credentials(roots), roots)


def read_roots(path: Path) -> bytes:
    """The certificate authorities in a file, PEM; raises BadSetting if the file holds none."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise BadSetting(f"{path}: the file of the certificate authority cannot be read: {error.strerror}") from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=data.decode("ascii", "ignore"))
    except (ssl.SSLError, ValueError):
        raise BadSetting(f"{path}: there is no certificate in it; it must be PEM") from None
    return data


def system_roots() -> bytes | None:
    """The certificate authorities that this system trusts, PEM; None: not found, so gRPC uses its own list."""
    named = ssl.get_default_verify_paths().cafile
    for path in (named, *BUNDLES):
        if path is not None and Path(path).is_file():
            return Path(path).read_bytes()
    return None


def diagnose(address: str, trust: Trust, details: str) -> str | None:
    """The TLS mismatch at an address, in one line that says what would be right; None: no mismatch was found.

    `details` is gRPC's text about the failed connection.
    """
    if address.startswith(UNIX):
        return None
    host, _, port = address.rpartition(":")
    place = (host.strip("[]"), int(port))
    if trust.credentials is None:
        if not _speaks_tls(place):
            return None
        return (
            f"the referee at {address} speaks TLS: use --tls-ca FILE, or --tls if a public authority has signed its "
            f"certificate (in a program: run(..., tls=FILE); in the environment: {VARIABLE}=FILE)"
        )
    if _speaks_tls(place):
        reason = _bad_certificate(place, trust.roots, details)
        return (
            None
            if reason is None
            else (
                f"the certificate of the referee at {address} does not verify: {reason}; use the host name that it was "
                f"issued for and the authority that has signed it (--tls-ca FILE; in a program: run(..., tls=FILE))"
            )
        )
    if _speaks_http2(place):
        return (
            f"the referee at {address} speaks no TLS: leave --tls-ca and --tls out (in a program: tls and credentials; "
            f"in the environment: {VARIABLE})"
        )
    return None


def _speaks_tls(place: tuple[str, int]) -> bool:
    """Whether a port answers a TLS handshake, with any certificate; a TLS alert is an answer too."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        _shake_hands(place, context)
    except ssl.SSLError as error:
        return "ALERT" in (error.reason or "")
    except (OSError, ValueError):
        return False
    return True


def _bad_certificate(place: tuple[str, int], roots: bytes | None, details: str) -> str | None:
    """Why the certificate of a port does not verify; None: the certificate verifies, or the reason is unknown."""
    if roots is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        context.load_verify_locations(cadata=roots.decode("ascii", "ignore"))
        try:
            _shake_hands(place, context)
        except ssl.SSLCertVerificationError as error:
            return error.verify_message.rstrip(".")
        except (OSError, ValueError):
            return None
    if "Hostname Verification" in details:
        return f"it is not valid for {place[0]!r}"
    found = re.search(r"CERTIFICATE_VERIFY_FAILED: ([^:]+)", details)
    return None if found is None else found[1]


def _shake_hands(place: tuple[str, int], context: ssl.SSLContext) -> None:
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection(place, timeout=TIMEOUT) as plain,
        context.wrap_socket(plain, server_hostname=place[0]),
    ):
        return


def _speaks_http2(place: tuple[str, int]) -> bool:
    """Whether a port answers an HTTP/2 client that uses no TLS."""
    try:
        with socket.create_connection(place, timeout=TIMEOUT) as plain:
            plain.sendall(PREFACE)
            header = plain.recv(HEADER)
    except (OSError, ValueError):
        return False
    return len(header) > 3 and header[3] == SETTINGS
