"""The seats of all clients of one server.

A client is known by its connection: a server over stdio has one client, and over HTTP the session of the protocol names
it. Protocol versions without sessions name no client, so `join` also gives out a key, which the other tools take.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import replace

from ladder.mcp.seat import Entry, ModelSeat
from referee.kernel import registry
from referee.kernel.errors import BadSetting

MOST_SEATS = 100
"""Most bots of one server at a time, and most keys of bots that are over."""
KEY_BYTES = 12


class ModelSeats:
    """The bots of all clients, by key and by client."""

    def __init__(self, entry: Entry) -> None:
        """`entry`: where bots go, and the name of the first one; further ones are called NAME-2, NAME-3."""
        self._entry = entry
        self._lock = threading.Lock()
        self._seats: dict[str, ModelSeat] = {}
        self._clients: dict[str, str] = {}

    def join(self, game: str, client: str | None) -> tuple[str, ModelSeat]:
        """A new bot for a client, None: the connection names no client; returns its key too. Raises BadSetting."""
        registry.game(game)
        with self._lock:
            own = None if client is None else self._seats.get(self._clients.get(client, ""))
            if own is not None and not own.over:
                raise BadSetting(
                    f"you are at the referee already, for a match of {own.game}: call wait, or leave to give it up"
                )
            live = [seat for seat in self._seats.values() if not seat.over]
            if len(live) >= MOST_SEATS:
                raise BadSetting(f"{MOST_SEATS} bots of this server are at the referee, which is the most: try later")
            if self._entry.token and live:
                raise BadSetting("another client of this server plays with its token: a token seats one bot at a time")
            self._forget()
            key = secrets.token_hex(KEY_BYTES)
            seat = ModelSeat(replace(self._entry, name=self._free_name({seat.entry.name for seat in live})), game)
            self._seats[key] = seat
            if client is not None:
                self._clients[client] = key
            return key, seat

    def of(self, key: str, client: str | None) -> ModelSeat:
        """The bot with a key, or, without one, the client's own; raises BadSetting."""
        with self._lock:
            if key:
                found = self._seats.get(key)
                if found is None:
                    raise BadSetting("no bot has this key: give key exactly as join printed it, or join again")
                return found
            if client is None:
                raise BadSetting("this connection names no client: give key, as join printed it")
            own = self._seats.get(self._clients.get(client, ""))
            if own is None:
                raise BadSetting("you are not at the referee: call join first")
            return own

    def close(self) -> None:
        """Let every bot leave the referee."""
        with self._lock:
            for seat in self._seats.values():
                seat.leave()

    def _free_name(self, taken: set[str]) -> str:
        """The first name that no other bot of this server has; empty where the token decides the name."""
        base = self._entry.name
        number = 1
        name = base
        while name and name in taken:
            number += 1
            name = f"{base}-{number}"
        return name

    def _forget(self) -> None:
        """Forget the oldest bots that are over, beyond `MOST_SEATS`."""
        over = [key for key, seat in self._seats.items() if seat.over]
        for key in over[: max(0, len(over) - MOST_SEATS)]:
            del self._seats[key]
        self._clients = {client: key for client, key in self._clients.items() if key in self._seats}
