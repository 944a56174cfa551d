"""Logged-in browsers: sessions in memory, each with an end, a CSRF token and the admin token's hash.

A browser holds the id of its session in a cookie; the process holds a hash of the id, so that a copy of the memory lets
no other browser in. A session ends with its token: one that was revoked is noticed at the next request.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from ladder.store.tokens import hashed
from referee.match.clock import SECOND
from referee.transport.doors import KeyedBuckets

IDLE_SECONDS = 30 * 60
"""A session that no request has used for so long is over."""
LONGEST_SECONDS = 8 * 3600
"""A session is over after so long in any case."""
MOST_SESSIONS = 64
"""Sessions at a time; one more ends the oldest."""
LOGIN_BURST = 5
"""Attempts of one address at once."""
LOGIN_SLOWNESS = 10
"""Seconds after which an address has one more attempt; all addresses together have one more each second."""
ALL_LOGINS_BURST = 30


@dataclass(slots=True)
class Session:
    """One browser that has logged in."""

    organiser: str
    """The name of the admin token."""
    token_hash: str
    csrf: str
    began: float
    used: float
    told: list[str] = field(default_factory=list)
    """What the next page says of acts that were carried out or refused."""


class Sessions:
    """The sessions of one process."""

    def __init__(
        self, valid: Callable[[], Mapping[str, tuple[str, str]]], clock: Callable[[], float] | None = None
    ) -> None:
        """`valid` gives the admin tokens that are not revoked, by hash: (name, owner)."""
        self._valid = valid
        self._clock = clock or time.monotonic
        self._open: dict[str, Session] = {}
        self._key = secrets.token_bytes(32)
        self._attempts = KeyedBuckets(1, LOGIN_BURST)
        self._all_attempts = KeyedBuckets(1, ALL_LOGINS_BURST)

    def attempt(self, address: str) -> int:
        """Count an attempt to log in; returns 0, or the seconds after which the address may try again."""
        now = int(self._clock() * SECOND)
        wait = LOGIN_SLOWNESS * self._attempts.take(address, now // LOGIN_SLOWNESS) or self._all_attempts.take("", now)
        return -(-wait // SECOND)

    def log_in(self, token: str) -> str | None:
        """The id of a new session for an admin token; None: the token is unknown or revoked."""
        given = hashed(token)
        organiser = None
        for known, (name, _) in self._valid().items():
            # Every token is compared, in constant time: how long the search takes tells nothing of what it found.
            if hmac.compare_digest(known, given):
                organiser = name
        if organiser is None:
            return None
        now = self._clock()
        self._sweep(now)
        while len(self._open) >= MOST_SESSIONS:
            del self._open[next(iter(self._open))]
        found = secrets.token_urlsafe(32)
        self._open[_digest(found)] = Session(organiser, given, secrets.token_urlsafe(32), now, now)
        return found

    def find(self, ident: str) -> Session | None:
        """The session of a cookie, if it is not over and its token still valid."""
        now = self._clock()
        self._sweep(now)
        session = self._open.get(_digest(ident)) if ident else None
        if session is None:
            return None
        if session.token_hash not in self._valid():
            self.end(ident)
            return None
        session.used = now
        return session

    def end(self, ident: str) -> None:
        """Log a browser out."""
        self._open.pop(_digest(ident), None)

    def login_proof(self, nonce: str) -> str:
        """The CSRF token of a login form, for the nonce in the browser's cookie."""
        return hmac.new(self._key, nonce.encode(), sha256).hexdigest()

    def _sweep(self, now: float) -> None:
        for ident, session in list(self._open.items()):
            if now - session.used > IDLE_SECONDS or now - session.began > LONGEST_SECONDS:
                del self._open[ident]


def same(expected: str, given: str) -> bool:
    """Whether two texts are the same, compared in constant time."""
    return hmac.compare_digest(expected.encode(), given.encode(errors="replace"))


def _digest(ident: str) -> str:
    return sha256(ident.encode(errors="replace")).hexdigest()
