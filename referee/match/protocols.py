"""What matches need from outside, as protocols: where they are recorded, whom they reach, who may play, who is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from referee.match.outputs import Output, Settled
from referee.match.plan import MatchPlan
from referee.match.record import Final, Header, Step


class Player(Protocol):
    """Where the messages of one seat go."""

    def send(self, output: Output) -> None:
        """Take a message for the seat. Neither blocks nor waits; the player bounds what it keeps."""


class Recorder(Protocol):
    """Where records are kept. Each call returns when its part is stored: what follows from it is sent afterwards.

    A call that raises has changed nothing, neither in the store nor in the recorder. After `StorageTrouble` it is made
    again with the same arguments until it succeeds; any other exception ends the match.
    """

    def begin(self, header: Header, secret: bytes) -> None:
        """A match begins. Its secret belongs to the record from the start: a restarted referee needs it to go on."""

    def step(self, match: str, step: Step) -> None:
        """A match has moved on."""

    def end(self, match: str, final: Final) -> Settled:
        """A match is over: store it, and return what its players are told beside the result."""


class Directory(Protocol):
    """Who may play."""

    @property
    def needs_token(self) -> bool:
        """Whether every bot has to show a token; False: a name that is not reserved may play without one."""

    def entrant(self, token: str) -> str | None:
        """The name of the entrant that a token belongs to; None: unknown or revoked."""

    def reserved(self, name: str) -> bool:
        """Whether a bot may play under this name only with the name's own token."""

    def refresh(self) -> bool:
        """Read what other processes changed since the last call; True if tokens may have been revoked."""


class Offers(Protocol):
    """What a bot plays."""

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        """Whether the bot accepts such a table."""


class ConnectedBot(Offers, Protocol):
    """A bot that the referee knows, as pairing sees it."""

    @property
    def name(self) -> str:
        """The bot's name."""

    @property
    def present(self) -> bool:
        """Whether the bot is connected and takes tables."""

    @property
    def tables(self) -> int:
        """Tables at which the bot sits now."""

    @property
    def capacity(self) -> int:
        """Tables at which the bot plays at a time; 0 while it is away."""


class NotEntered(Exception):
    """A bot finds nothing to play here; the message says what is played."""


class Pairing(Protocol):
    """Who plays whom next. Every call acts at once and returns within milliseconds: the referee's loop waits for it."""

    @property
    def season(self) -> str:
        """The season in which the matches count; empty: none."""

    @property
    def done(self) -> bool:
        """Whether no further table will ever be opened."""

    @property
    def sets_aside(self) -> bool:
        """Whether a bot that never answers is given no table for a while; a schedule has its tables played at once."""

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """A bot has said hello; returns why it gets no rated table for now, empty: it does.

        Raises NotEntered if nothing that the bot offers is played here.
        """

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        """The next match to open; its players are among these bots, present and with a table free.

        The lobby opens the match before it asks again. Without a match: the moment (in microseconds) at which to ask
        again although nothing has changed, or None.
        """

    def forgotten(self, name: str) -> None:
        """A bot is gone that had no token and never answered: what is remembered of it alone may go."""

    def ended(self, match: str, at: int) -> None:
        """A match that this pairing opened is over, or was of an earlier run and is over now."""
