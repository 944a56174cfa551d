"""Who may play at a referee with a database: tokens of entrants, and of the processes that the referee's host starts.

A name that belongs to a process of the host, or that has or had a token, can be claimed with its own token only: a
revoked bot does not come back without one. Tokens that another process makes or revokes are seen at the next `refresh`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

from ladder.config.people import HOUSE, PERSON
from ladder.serving.people_tables import SEAT
from ladder.store.database import Store
from ladder.store.tokens import ADMIN, ENTRANT, hashed

KEPT_NAMES = (SEAT, PERSON, HOUSE)
"""What names begin with that only the seats of tables for people have."""


class EntrantDirectory:
    """The `Directory` of a served season."""

    def __init__(self, store: Store, *, closed: bool | None = None, house: Iterable[str] = ()) -> None:
        """`closed`: whether every bot needs a token; None: as soon as there was a token. `house`: names of own bots."""
        self._store = store
        self._closed = closed
        self._house = frozenset(house)
        self._processes: dict[str, str] = {}
        """The hash of the token of each process of the host, and its bot's name."""
        self._tokens: dict[str, tuple[str, str]] = {}
        self._owners: dict[str, str] = {}
        self._admins: dict[str, str] = {}
        """The hash of each admin token, and its organiser's name."""
        self._named: frozenset[str] = frozenset()
        """Every name that has a token, or had one that was revoked."""
        self._version = -1
        self.seat: Callable[[str], str | None] = lambda token: None
        """Returns the name under which the seat of a table for people connects, by the seat's token."""
        self.refresh()

    @property
    def needs_token(self) -> bool:
        """Whether every bot has to show a token."""
        return bool(self._named) if self._closed is None else self._closed

    def entrant(self, token: str) -> str | None:
        """The name that a token belongs to; None: unknown or revoked."""
        digest = hashed(token)
        process = self._processes.get(digest)
        if process is not None:
            return process
        seat = self.seat(token)
        if seat is not None:
            return seat
        found = self._tokens.get(digest)
        return None if found is None or found[0] in self._house else found[0]

    def runs(self, name: str) -> bool:
        """Whether the host runs the bot of that name itself."""
        return name in self._house

    def admin(self, token: str) -> str | None:
        """The name of the organiser that an admin token belongs to; None: the token is none, or revoked."""
        if not token:
            return None
        self.refresh()
        return self._admins.get(hashed(token))

    def reserved(self, name: str) -> bool:
        """Whether only the name's own token admits under it."""
        return name in self._house or name in self._named or name.startswith(KEPT_NAMES)

    def owner(self, name: str) -> str:
        """Who stands behind a bot; empty: not said."""
        return self._owners.get(name, "")

    def process_token(self, name: str) -> str:
        """A token for a process of the host that is about to be started; an earlier one of the name is void."""
        self._processes = {digest: other for digest, other in self._processes.items() if other != name}
        token = secrets.token_urlsafe(32)
        self._processes[hashed(token)] = name
        return token

    def refresh(self) -> bool:
        """Read the tokens again if another process has written to the database; True if one is gone."""
        version = self._store.data_version()
        if version == self._version:
            return False
        with self._store.explained():
            tokens = self._store.valid_tokens()
            admins = self._store.valid_tokens(ADMIN)
        self._version = version
        gone = any(digest not in tokens for digest in self._tokens)
        self._tokens = tokens
        self._admins = {digest: name for digest, (name, _) in admins.items()}
        self._owners = dict(tokens.values())
        self._named = frozenset(row.name for row in self._store.tokens() if row.role == ENTRANT)
        return gone
