"""The resume tokens of one bot, as the referee knows them.

A restarted referee knows tokens by their hashes alone: it echoes the token that a hello brought, and makes a new one
for a bot that came without. An old token stays good until a newer one is used, for the bot may never have read the
welcome that told it the newer one.
"""

from __future__ import annotations

import hashlib
import secrets

TOKEN_BYTES = 24
KEPT = 4
"""Tokens of one bot that are good at a time, at most."""


def hashed(token: str) -> str:
    """A resume token as it is stored: SHA-256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


class ResumeTokens:
    """The tokens that give one bot its tables back, oldest first."""

    __slots__ = ("_hashes", "_known")

    def __init__(self, stored: str = "") -> None:
        """`stored`: what `stored` returned in an earlier run of the referee."""
        self._hashes = stored.split()
        self._known = ""
        """The token that the bot was told last, if it is known."""

    @property
    def stored(self) -> str:
        """What a restarted referee needs: the hashes, separated by spaces."""
        return " ".join(self._hashes)

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hash of every token that is good."""
        return tuple(self._hashes)

    def use(self, token: str) -> bool:
        """The bot came with a good token: those before it are good no more. Returns whether `stored` has changed."""
        self._known = token
        place = self._hashes.index(hashed(token))
        del self._hashes[:place]
        return place > 0

    def issue(self) -> bool:
        """The bot came without a token: let `token` be one it can be told. Returns whether `stored` has changed."""
        if self._known:
            return False
        self._known = secrets.token_urlsafe(TOKEN_BYTES)
        self._hashes = [*self._hashes[1 - KEPT :], hashed(self._known)]
        return True

    @property
    def token(self) -> str:
        """The token that the bot's welcome says; empty before `use` or `issue`."""
        return self._known
