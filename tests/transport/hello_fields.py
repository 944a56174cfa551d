"""The fields of a hello that tests choose; name and version of the protocol are arguments of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from referee.v1 import play_pb2 as pb


class HelloFields(TypedDict, total=False):
    """Keyword arguments of `pb.Hello`."""

    software: str
    offers: Iterable[pb.Offer]
    tables: int
    resume_token: str
    events: bool
    plays_people: bool
