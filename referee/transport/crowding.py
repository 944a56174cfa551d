"""Room for one more bot without a token: which bot is forgotten when the limits are reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from referee.transport.limits import Limits

if TYPE_CHECKING:
    from referee.transport.session import BotSession


class NoRoom(Exception):
    """There is no room for another bot without a token; the message says how many there are."""


def displaced(sessions: Collection[BotSession], origin: str, limits: Limits, at: int) -> BotSession | None:
    """The bot without a token to forget for one more from this address; None: there is room. Raises NoRoom.

    A bot that is away without a running match goes first, then a bot that is connected without a table and has never
    answered; in both groups a bot of the address with most bots, and among these the bot that was idle longest.
    """
    if len(sessions) < min(limits.bots, limits.address_bots):
        return None
    bots = [session for session in sessions if not session.proven]
    of_address = Counter(session.origin for session in bots)
    if origin and of_address[origin] >= limits.address_bots:
        bots = [session for session in bots if session.origin == origin]
        full = f"{limits.address_bots} bots of your address are here already; try again later, or use tokens"
    elif len(bots) >= limits.bots:
        full = f"{limits.bots} bots are here already; try again later"
    else:
        return None
    free = [session for session in bots if not session.tables]
    away = [(-of_address[session.origin], session.away_since, session) for session in free if session.stream is None]
    idle = [
        (-of_address[session.origin], session.stream.opened, session)
        for session in free
        if session.stream is not None and not session.answered and at - session.stream.opened >= limits.idle
    ]
    found = min(away or idle, key=lambda candidate: candidate[:2], default=None)
    if found is None:
        raise NoRoom(full)
    return found[2]
