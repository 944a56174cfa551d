"""Attempts to get another bot's seat, or an organiser's rights, at the referee that hosts this bot."""

from __future__ import annotations

import os
import secrets
import sys

import grpc

from bots.drill.trying import Denied, Target, tried
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

SECONDS = 5.0
"""Most seconds of one call."""
ADMINISTRATION = ("GetEvent", "StartEvent", "PauseEvent", "WithdrawEntrant", "GetStatus", "KickBot", "AbortMatch")
WATCHING = ("ListTables", "FollowTable", "ListMatches", "GetRecord", "GetStandings")


def _welcomed(name: str, token: str, resume: str = "") -> str:
    """The name in the welcome that the referee gives to this name and token; raises Denied if the hello is refused."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    hello = pb.Hello(protocol_version=1, name=name, resume_token=resume, tables=9)
    with grpc.insecure_channel(os.environ["KUMITE_ADDRESS"]) as channel:
        stub = RefereeServiceStub(channel)
        stream = stub.Play(iter([pb.PlayRequest(hello=hello)]), metadata=metadata, timeout=SECONDS)
        try:
            first = next(iter(stream), None)
        except grpc.RpcError as error:
            raise Denied(error.code().name) from None
        finally:
            stream.cancel()
    if first is None or not first.HasField("welcome"):
        raise Denied("no answer" if first is None else pb.FaultCode.Name(first.faults[0].code))
    return str(first.welcome.name)


def _served(service: str, methods: tuple[str, ...]) -> str:
    """The first method of a service that the referee serves to this bot; raises Denied if there is none."""
    with grpc.insecure_channel(os.environ["KUMITE_ADDRESS"]) as channel:
        for method in methods:
            try:
                channel.unary_unary(f"/{service}/{method}", None, None)(b"", timeout=SECONDS)
            except grpc.RpcError as error:
                if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                    continue
            return method
    raise Denied("UNIMPLEMENTED")


@tried
def the_opponents_name(target: Target) -> object:
    return _welcomed(target.opponent or "random", "")


@tried
def the_opponents_name_with_its_own_token(target: Target) -> object:
    return _welcomed(target.opponent or "random", os.environ["KUMITE_TOKEN"])


@tried
def the_opponents_name_with_a_guessed_token(target: Target) -> object:
    return _welcomed(target.opponent or "random", secrets.token_urlsafe(32))


@tried
def a_guessed_resume_token(target: Target) -> object:
    return _welcomed(target.opponent or "random", "", secrets.token_urlsafe(16))


@tried
def a_name_of_no_bot(target: Target) -> object:
    return _welcomed(f"stranger-{secrets.token_hex(4)}", "")


@tried
def another_bots_state(target: Target) -> object:
    parent = os.path.dirname(os.environ["KUMITE_STATE"])
    shown = (os.environ["KUMITE_STATE"], os.getcwd(), sys.prefix, sys.base_prefix, *sys.path)
    found = [f"{parent}/{name}" for name in os.listdir(parent)]
    others = [path for path in found if not any(f"{own}/".startswith(f"{path}/") for own in shown)]
    if not others:
        raise Denied("nothing of others")
    return others


@tried
def administration(target: Target) -> object:
    return _served("referee.v1.AdminService", ADMINISTRATION)


@tried
def watching(target: Target) -> object:
    return _served("referee.v1.WatchService", WATCHING)


@tried
def reflection_and_health(target: Target) -> object:
    try:
        return _served("grpc.health.v1.Health", ("Check",))
    except Denied:
        return _served("grpc.reflection.v1alpha.ServerReflection", ("ServerReflectionInfo",))
