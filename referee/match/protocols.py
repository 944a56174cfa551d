"""Protocols that other packages implement for matches: players, recorders, directories of bots, pairings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from referee.match.outputs import Output, Settled
from referee.match.plan import MatchPlan
from referee.match.record import Final, Header, Step


class SeatPlayer(Protocol):
    """Takes the messages of one seat."""

    def send(self, output: Output) -> None:
        """Take a message for the seat, without blocking; the player bounds the messages that it keeps."""


class Recorder(Protocol):
    """Stores records. Each call returns when its part is stored; only then is sent what follows from that part.

    A call that raises has changed neither the store nor the recorder. After `StorageTrouble` the call is made again
    with the same arguments until it succeeds; any other exception ends the match.
    """

    def begin(self, header: Header, secret: bytes) -> None:
        """Store that a match begins, with its secret: a restarted referee needs the secret to go on."""

    def step(self, match: str, step: Step) -> None:
        """Store a step of a match."""

    def end(self, match: str, final: Final) -> Settled:
        """Store the end of a match; returns what its players are told beside the result."""


class Directory(Protocol):
    """The names and tokens under which bots may play."""

    @property
    def needs_token(self) -> bool:
        """Whether every bot has to show a token; False: a name that is not reserved may play without one."""

    def entrant(self, token: str) -> str | None:
        """The name of the entrant that has this token; None: the token is unknown or revoked."""

    def reserved(self, name: str) -> bool:
        """Whether a bot may play under this name only with the name's own token."""

    def refresh(self) -> bool:
        """Read the changes of other processes since the last call; True if tokens may have been revoked."""


class Offers(Protocol):
    """The tables that a bot accepts."""

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        """Whether the bot accepts such a table."""


class ConnectedBot(Offers, Protocol):
    """A bot that the referee knows, as the pairing may see the bot."""

    @property
    def name(self) -> str:
        """The bot's name."""

    @property
    def present(self) -> bool:
        """Whether the bot is connected and takes tables."""

    @property
    def tables(self) -> int:
        """Number of tables at which the bot sits now."""

    @property
    def capacity(self) -> int:
        """Most tables at which the bot plays at a time; 0 while the bot is away."""


class NotEntered(Exception):
    """No table is played here that the bot offers; the message says what is played."""


class Pairing(Protocol):
    """Decides which bots play each other next. The referee's loop waits for each call: at most some milliseconds."""

    @property
    def season(self) -> str:
        """The season in which the matches count; empty: no season."""

    @property
    def done(self) -> bool:
        """Whether no further table will ever be opened."""

    @property
    def sets_aside(self) -> bool:
        """Whether a bot that never answers gets no table for a while; a schedule plays all its tables: False."""

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """Take a bot that has said hello; returns the reason why the bot gets no rated table for now, empty: none.

        Raises NotEntered if no table that the bot offers is played here.
        """

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        """The next match to open; its players are among these bots, present and below their capacity.

        The lobby opens the match before the next call. Without a match: the moment, in microseconds, of the next call
        even if no bot has changed; None: the next call is at the next change.
        """

    def forgotten(self, name: str) -> None:
        """Drop the data of a bot that is gone, had no token and never answered."""

    def ended(self, match: str, at: int) -> None:
        """Note that a match is over which this pairing opened, in this run or an earlier one."""
