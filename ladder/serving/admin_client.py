"""A client of a running referee's admin service: at its admin socket, or over TLS with an admin token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from bots.address import check_address
from bots.tls import Wish, diagnose, trust
from ladder.serving.sockets import sockets
from referee.kernel.errors import BadSetting
from referee.v1.admin_pb2_grpc import AdminServiceStub

WAIT = 10.0
"""Seconds that a call may take."""
NO_PROXY = [("grpc.enable_http_proxy", 0)]


@dataclass(frozen=True, slots=True)
class RemoteReferee:
    """A referee of another machine."""

    address: str
    """host:port."""
    token: str
    tls: Wish | None


@contextmanager
def connected(place: Path | RemoteReferee) -> Iterator[AdminServiceStub]:
    """The admin service of the referee that plays a database, or of one elsewhere; a refusal raises BadSetting."""
    if isinstance(place, RemoteReferee):
        check_address(place.address)
        secured = trust(place.address, place.tls)
        if secured.credentials is None:
            raise BadSetting(
                "an admin token travels over TLS alone: name the authority of the referee's certificate with "
                "--tls-ca FILE, or use --tls if a public one has signed it"
            )
        bearer = grpc.access_token_call_credentials(place.token)
        credentials = grpc.composite_channel_credentials(secured.credentials, bearer)
        channel = grpc.secure_channel(place.address, credentials, options=NO_PROXY)
    else:
        channel = grpc.insecure_channel(sockets(place).admin, options=NO_PROXY)
    with channel:
        try:
            yield AdminServiceStub(channel)
        except grpc.RpcError as error:
            text = error.details() or ""
            if error.code() is not grpc.StatusCode.UNAVAILABLE or "cannot store" in text:
                raise BadSetting(_refusal(place, error.code(), text)) from None
            if isinstance(place, RemoteReferee):
                wrong = diagnose(place.address, secured, text) or f"no referee answers at {place.address}"
                raise BadSetting(wrong) from None
            raise BadSetting(f"no referee is running on {place}; start one with kumite serve") from None


def _refusal(place: Path | RemoteReferee, code: grpc.StatusCode, text: str) -> str:
    what = f"the referee at {place.address}" if isinstance(place, RemoteReferee) else f"the referee on {place}"
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"{what} did not answer within {WAIT:g} s"
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return f"{what} is of another version: {text}"
    return text
