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
from typing import NamedTuple, Protocol

from bots.ask import AnyAsk, Ask, Table
from bots.bot import Bot
from bots.clock import UNLIMITED, Clock, ahead
from bots.errors import BotFailed
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


class Spent(NamedTuple):
    """What became of the time of an answer, as a message tells it."""

    charged: int = 0
    network: int = 0
    queued: int = 0


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

    __slots__ = ("bot", "bundles", "listens", "note", "rng", "table")

    def __init__(self, bot: Bot, table: Table, seed: int | str | None = None) -> None:
        """`seed` is for a bot object that sits at several tables; otherwise its own seed counts."""
        self.bot = bot
        self.table = table
        self.bundles = type(bot).decide_many is not Bot.decide_many
        """Whether the bot wants the asks that are due together."""
        self.listens = bot.events
        """Whether it wants to hear of events."""
        self.rng = Random(bot.seed if seed is None else seed)
        self.note = ""
        """What the bot noted with its last answer."""

    def __call__(self, asked: Asked) -> int:
        """The index of the bot's answer; what the bot raises passes through."""
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
        """The index of the bot's answer, after telling it the news that came with the ask."""
        self.hear(ask)
        return self.answer(ask, together(self.bot, (ask,))[0] if self.bundles else self.bot.decide(ask))

    def hear(self, ask: AnyAsk) -> None:
        """Tell the bot the news that came with an ask."""
        if ask.events:
            self.bot.told(ask.events)

    def answer(self, ask: AnyAsk, choice: Option) -> int:
        """The index of the bot's choice, whose note is kept; raises IllegalAnswer."""
        index = ask.index(choice)
        self.note = ask.noted
        return index

    def told(self, events: Sequence[Event]) -> None:
        """Pass news on that came without an ask."""
        self.bot.told(events)

    def over(self, result: Result | None) -> None:
        """Tell the bot how the match ended."""
        self.bot.over(result)


def together(bot: Bot, asks: Sequence[AnyAsk]) -> Sequence[Option]:
    """The answers of a bot to several asks; raises BotFailed if there is not one for each."""
    choices = bot.decide_many(asks)
    if len(choices) != len(asks):
        raise BotFailed(f"decide_many gave {len(choices)} answers to {len(asks)} asks; it owes one for each, in order")
    return choices


def clock_of(table: Table, number: int, left: int, budget: int | None, timing: Timing | None, received: float) -> Clock:
    """The clock of an ask at a table, from microseconds."""
    spent = timing or Spent()
    return Clock(
        left * MICROSECOND,
        None if budget is None else budget * MICROSECOND,
        received,
        spent.charged * MICROSECOND,
        spent.network * MICROSECOND,
        spent.queued * MICROSECOND,
        0.0 if table.control is None else table.control.increment,
        ahead(table.game_name, len(table.players), number),
    )
