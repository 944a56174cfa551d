"""A bot at one table, as a driver in the same process calls the bot for every decision.

    players = [SeatedBot(resolve("greedy").make(seed), table) for ...]
    index = players[seat](asked)

`asked` is any object with the attributes of `DriverAsk` below. The asks of the in-process match driver have these
attributes, so the driver copies and encodes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from bots.ask import AnyAsk, Ask, Table
from bots.bot import Bot
from bots.clock import UNLIMITED, AskClock, ahead
from bots.errors import BotFailed
from referee.kernel.game import Event, Option, Result

MICROSECOND = 1e-6


class DriverTiming(Protocol):
    """How the time of one answer was divided, in microseconds."""

    @property
    def charged(self) -> int:
        """Time charged to the seat."""

    @property
    def network(self) -> int:
        """Time of the network, which is not charged."""

    @property
    def queued(self) -> int:
        """Time inside the referee, which is not charged."""


class Spent(NamedTuple):
    """The same division, as a message of the referee tells it."""

    charged: int = 0
    network: int = 0
    queued: int = 0


class DriverAsk(Protocol):
    """A decision as a driver in the same process passes it; times are in microseconds."""

    @property
    def ask(self) -> int:
        """The number of the ask among the asks of the seat, counted from 1."""

    @property
    def kind(self) -> str:
        """The kind of decision in the words of the rules."""

    @property
    def options(self) -> Sequence[Option]:
        """The legal answers in canonical order."""

    @property
    def view(self) -> object:
        """The seat's view."""

    @property
    def events(self) -> Sequence[Event]:
        """The events since the last ask that the seat may know."""

    @property
    def left(self) -> int | None:
        """Time left in the bank; None: the match has no clock."""

    @property
    def budget(self) -> int | None:
        """Most time for this decision; None: no limit."""

    @property
    def timing(self) -> DriverTiming | None:
        """How the time of the previous answer was divided; None: there is no previous answer."""


class SeatedBot:
    """One bot at one table."""

    __slots__ = ("bot", "bundles", "listens", "note", "rng", "table")

    def __init__(self, bot: Bot, table: Table, seed: int | str | None = None) -> None:
        """`seed` is for a bot object that sits at several tables; without a seed the bot's own seed counts."""
        self.bot = bot
        self.table = table
        self.bundles = type(bot).decide_many is not Bot.decide_many
        """Whether the bot has a `decide_many`, which gets all asks that are due."""
        self.listens = bot.events
        """Whether the bot reads events."""
        self.rng = Random(bot.seed if seed is None else seed)
        self.note = ""
        """The note that the bot attached to its last answer."""

    def __call__(self, asked: DriverAsk) -> int:
        """The index of the bot's answer; an exception of the bot reaches the caller."""
        options = asked.options
        clock = UNLIMITED
        if asked.left is not None:
            clock = clock_of(self.table, asked.ask, asked.left, asked.budget, asked.timing, time.monotonic())
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
        """The index of the bot's answer; the bot is told the events of the ask first."""
        self.hear(ask)
        return self.answer(ask, together(self.bot, (ask,))[0] if self.bundles else self.bot.decide(ask))

    def hear(self, ask: AnyAsk) -> None:
        """Tell the bot the events of an ask."""
        if ask.events:
            self.bot.told(ask.events)

    def answer(self, ask: AnyAsk, choice: Option) -> int:
        """The index of the bot's choice; keeps the note of the answer; raises IllegalAnswer."""
        index = ask.index(choice)
        self.note = ask.noted
        return index

    def told(self, events: Sequence[Event]) -> None:
        """Tell the bot events that came without an ask."""
        self.bot.told(events)

    def over(self, result: Result | None) -> None:
        """Tell the bot the result of the match; None: the match was stopped."""
        self.bot.over(result)


def together(bot: Bot, asks: Sequence[AnyAsk]) -> Sequence[Option]:
    """The answers of a bot's `decide_many`; raises BotFailed unless the bot gives one for each ask."""
    choices = bot.decide_many(asks)
    if len(choices) != len(asks):
        raise BotFailed(f"decide_many gave {len(choices)} answers to {len(asks)} asks; it owes one for each, in order")
    return choices


def clock_of(
    table: Table, number: int, left: int, budget: int | None, timing: DriverTiming | None, received: float
) -> AskClock:
    """The clock of an ask in seconds; `left`, `budget` and `timing` are in microseconds, `received` is in seconds."""
    spent = timing or Spent()
    return AskClock(
        left * MICROSECOND,
        None if budget is None else budget * MICROSECOND,
        received,
        spent.charged * MICROSECOND,
        spent.network * MICROSECOND,
        spent.queued * MICROSECOND,
        0.0 if table.control is None else table.control.increment,
        ahead(table.game_name, len(table.players), number),
    )
