"""What a match needs from outside, as protocols: where it is recorded, whom it reaches, who may play."""

from __future__ import annotations

from typing import Protocol

from referee.match.outputs import Output
from referee.match.record import Final, Header, Step


class Player(Protocol):
    """Where the messages of one seat go."""

    def send(self, output: Output) -> None:
        """Take a message for the seat. Neither blocks nor waits; the player bounds what it keeps."""


class Recorder(Protocol):
    """Where records are kept. Each call returns when its part is stored: what follows from it is sent afterwards."""

    def begin(self, header: Header, secret: bytes) -> None:
        """A match begins. Its secret belongs to the record from the start: a restarted referee needs it to go on."""

    def step(self, match: str, step: Step) -> None:
        """A match has moved on."""

    def end(self, match: str, final: Final) -> None:
        """A match is over."""


class Directory(Protocol):
    """Who may play."""

    def entrant(self, token: str) -> str | None:
        """The name of the entrant that a token belongs to; None: unknown or revoked."""
