"""What a law is, and how it complains."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from tests.conformance.journey import Journey


class Broken(AssertionError):
    """A game breaks a law; the message says where and how."""


Law: TypeAlias = Callable[[Journey], None]


def demand(holds: bool, *complaint: object) -> None:
    """Raise Broken with the complaint unless it holds."""
    if not holds:
        raise Broken(" ".join(map(str, complaint)))


def demand_none(complaints: Iterable[str], *place: object) -> None:
    """Raise Broken with the first few complaints, if there are any."""
    found = list(complaints)
    if found:
        raise Broken(" ".join(map(str, place)) + ": " + "; ".join(found[:5]))
