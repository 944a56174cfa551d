"""A bot at one table: what a driver in the same process calls for every decision.

    players = [Player(resolve("greedy").make(seed), table) for ...]
    index = players[seat](asked)

`asked` is anything with the attributes of `Asked` below; the in-process match driver's own asks have them, so
nothing is copied or encoded on the way.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Protocol

from bots.ask import UNLIMITED, AnyAsk, Ask, Clock, Table
from bots.bot import Bot
from referee.kernel.game import Event, Option, Result

MICROSECOND = 1e-6


class Timing(Protocol):
    """What became of the time of an answer, in microseconds."""

    @property
    def charged(self) -> int:
        """Billed to the seat."""

    @property
    def network(self) -> int:
        """Forgiven as the network's."""

    @property
    def queued(self) -> int:
        """Spent inside the referee."""


class Asked(Protocol):
    """A decision as a driver in the same process hands it over; times are in microseconds."""

    @property
    def ask(self) -> int:
        """The number of the ask."""

    @property
    def kind(self) -> str:
        """The sort of decision."""

    @property
    def options(self) -> Sequence[Option]:
        """The legal answers."""

    @property
    def view(self) -> object:
        """The seat's view."""

    @property
    def events(self) -> Sequence[Event]:
        """What happened since the last ask, as far as the seat may know it."""

    @property
    def left(self) -> int | None:
        """The bank; None: no clock."""

    @property
    def budget(self) -> int | None:
        """The most that this decision may take."""

    @property
    def timing(self) -> Timing | None:
        """Of the previous answer."""


class Player:
    """One bot at one table."""

    __slots__ = ("bot", "note", "rng", "table")

    def __init__(self, bot: Bot, table: Table, seed: int | str | None = None) -> None:
        """`seed` is for a bot object that sits at several tables; otherwise its own seed counts."""
        self.bot = bot
        self.table = table
        self.rng = Random(bot.seed if seed is None else seed)
        self.note = ""
        """What the bot noted with its last answer."""

    def __call__(self, asked: Asked) -> int:
        """The index of the bot's answer; what the bot raises passes through."""
        options = asked.options
        clock = UNLIMITED if asked.left is None else clock_of(asked.left, asked.budget, asked.timing, time.monotonic())
        ask: AnyAsk = Ask(
            self.table,
            asked.ask,
            asked.kind,
            len(options),
            asked,
            rng=self.rng,
            events=asked.events,
            clock=clock,
        )
        return self.decide(ask)

    def seated(self) -> None:
        """Tell the bot that the match is about to begin."""
        self.bot.seated(self.table)

    def decide(self, ask: AnyAsk) -> int:
        """The index of the bot's answer, after telling it the news that came with the ask."""
        if ask.events:
            self.bot.told(ask.events)
        index = ask.index(self.bot.decide(ask))
        self.note = ask.noted
        return index

    def told(self, events: Sequence[Event]) -> None:
        """Pass news on that came without an ask."""
        self.bot.told(events)

    def over(self, result: Result | None) -> None:
        """Tell the bot how the match ended."""
        self.bot.over(result)


def clock_of(left: int, budget: int | None, timing: Timing | None, received: float) -> Clock:
    """The clock of an ask from microseconds."""
    most = None if budget is None else budget * MICROSECOND
    if timing is None:
        return Clock(left * MICROSECOND, most, received)
    return Clock(
        left * MICROSECOND,
        most,
        received,
        timing.charged * MICROSECOND,
        timing.network * MICROSECOND,
        timing.queued * MICROSECOND,
    )
