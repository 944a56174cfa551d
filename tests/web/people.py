"""A person without a browser: forms, cookies and the event stream of a seat, over plain HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.ladder.arena import PATIENCE

State = dict[str, Any]


class Told(NamedTuple):
    """An answer of the server."""

    code: int
    body: str
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        """The body of a script's request."""
        return json.loads(self.body)


class Person:
    """One browser's cookies, and what it asks for."""

    def __init__(self, place: tuple[str, int], seed: int = 0) -> None:
        self.place = place
        self.cookies: dict[str, tuple[str, str]] = {}
        """By name: the path below which the cookie is sent, and its value."""
        self.flags: list[str] = []
        """Every Set-Cookie line as it was sent."""
        self.bodies: list[str] = []
        """Every state as it came."""
        self.rng = Random(seed)
        self.match = ""

    def ask(self, method: str, address: str, body: str = "", kind: str = "", **headers: str) -> Told:
        """One request."""
        connection = http.client.HTTPConnection(*self.place, timeout=PATIENCE)
        connection.request(method, address, body or None, self._headers(address, kind) | headers)
        answer = connection.getresponse()
        for line in answer.headers.get_all("set-cookie") or ():
            self.flags.append(line)
            for name, found in SimpleCookie(line).items():
                self.cookies[name] = (found["path"], found.value)
        told = Told(answer.status, answer.read().decode(), dict(answer.headers))
        connection.close()
        return told

    def _headers(self, address: str, kind: str) -> dict[str, str]:
        sent = "; ".join(f"{name}={value}" for name, (path, value) in self.cookies.items() if address.startswith(path))
        return ({"Cookie": sent} if sent else {}) | ({"Content-Type": kind} if kind else {})

    def get(self, address: str) -> Told:
        """A page."""
        return self.ask("GET", address)

    def form(self, address: str, **fields: str) -> Told:
        """A form of a page."""
        return self.ask("POST", address, urlencode(fields), "application/x-www-form-urlencoded")

    def post(self, address: str, **fields: object) -> Told:
        """A message of a script."""
        return self.ask("POST", address, json.dumps(fields), "application/json")

    def open(self, game: str, *seats: str, **fields: str) -> Told:
        """Open a table and sit down at it."""
        told = self.form("/play", game=game, **{f"seat{number}": who for number, who in enumerate(seats)}, **fields)
        if told.code == 303:
            self.match = told.headers["location"].rpartition("/")[2]
        return told

    def join(self, invitation: str, name: str = "guest") -> Told:
        """Follow an invitation."""
        match = invitation.partition(".")[0]
        told = self.post(f"/play/{match}/join", invitation=invitation, name=name)
        if told.code == 200:
            self.match = match
        return told

    def states(self, last: str = "") -> Iterator[State]:
        """The states of the seat, as they come, until the stream ends."""
        address = f"/play/{self.match}/events"
        connection = http.client.HTTPConnection(*self.place, timeout=PATIENCE)
        headers = self._headers(address, "") | ({"Last-Event-ID": last} if last else {})
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        kind = ""
        try:
            while line := answer.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data" and kind == "state":
                    self.bodies.append(value)
                    yield json.loads(value)
        finally:
            connection.close()

    def until(self, condition: Callable[[State], object]) -> State:
        """The first state of which something holds."""
        return next(state for state in self.states() if condition(state))

    def choose(self, ask: State) -> int:
        """An option at random."""
        return self.rng.randrange(len(ask["options"]))

    def play(self, most: int = 10_000) -> State:
        """Answer at random to the end, or so many times; returns the last state."""
        answered = 0
        for state in self.states():
            if state.get("over") or state["gone"]:
                return state
            ask = state.get("ask")
            if ask is None:
                continue
            if answered == most:
                return state
            told = self.post(f"/play/{self.match}/answer", ask=ask["ask"], option=self.choose(ask))
            assert told.code in (200, 409), told
            answered += told.code == 200
        raise AssertionError("the stream ended before the match did")
