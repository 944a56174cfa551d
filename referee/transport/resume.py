"""The resume tokens of one bot.

A restarted referee knows tokens by their hashes alone: its welcome echoes the token of the hello, and has a new token
for a bot that came without one. An old token stays good until the bot uses a newer one, because the bot may never have
read the welcome with the newer token.
"""

from __future__ import annotations

import hashlib
import secrets

TOKEN_BYTES = 24
KEPT = 4
"""Most tokens of one bot that are good at a time."""


def hashed(token: str) -> str:
    """The hash of a resume token that is stored: SHA-256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


class ResumeTokens:
    """The tokens with which one bot can take its tables over on another stream, oldest first."""

    __slots__ = ("_hashes", "_known")

    def __init__(self, stored: str = "") -> None:
        """`stored`: the property `stored` of an earlier run of the referee."""
        self._hashes = stored.split()
        self._known = ""
        """The token of the bot's last welcome; empty: unknown to this run of the referee."""

    @property
    def stored(self) -> str:
        """The hashes separated by spaces, for a later run of the referee."""
        return " ".join(self._hashes)

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hash of every token that is good."""
        return tuple(self._hashes)

    def use(self, token: str) -> bool:
        """The bot came with a good token: older tokens are no longer good. Returns whether `stored` has changed."""
        self._known = token
        place = self._hashes.index(hashed(token))
        del self._hashes[:place]
        return place > 0

    def issue(self) -> bool:
        """The bot came without a token: make a new one unless one is known. Returns whether `stored` has changed."""
        if self._known:
            return False
        self._known = secrets.token_urlsafe(TOKEN_BYTES)
        self._hashes = [*self._hashes[1 - KEPT :], hashed(self._known)]
        return True

    @property
    def token(self) -> str:
        """The token for the bot's welcome; empty before `use` or `issue`."""
        return self._known
