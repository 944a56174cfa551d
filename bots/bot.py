"""The class that a bot's author writes.

    class First(Bot):
        def decide(self, ask):
            return ask.options[0]

`decide` is all that a bot needs. A bot that judges many positions at a time, as neural networks do, writes
`decide_many` instead, which gets all asks that are due. The other methods are called when something happens at the
bot's table, and do nothing unless the bot overrides them. A view holds everything that a seat may remember, so a bot
needs no memory of its own. A bot that keeps a memory is given to `run` or to a spec as a class, so that every match
gets a fresh object.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from bots.ask import AnyAsk, Ask, Table
from referee.kernel.errors import BadSetting
from referee.kernel.game import Event, Option, Result


class Rating(NamedTuple):
    """The bot's rating in the pool of a match (one game, seat count, variant and clock), before and after the match."""

    before: float
    after: float
    deviation: float
    """The standard deviation of the rating, on the same scale; 0: the referee did not send one."""
    games: int
    """Number of rated matches of this build in this pool, this match included."""
    rank: int
    """The bot's rank in the pool, where 1 is best; 0: the bot is not ranked yet."""


class Bot:
    """The base class of bots; a bot overrides `decide`."""

    games: ClassVar[tuple[str, ...] | None] = None
    """The names of the games that the bot can play; None: all games."""
    events: ClassVar[bool] = True
    """Whether the bot reads events; a referee sends no events to a bot that reads none."""
    plays_people: ClassVar[bool] = False
    """Whether the bot also plays at tables where a person sits; such tables have slow clocks."""
    remembers: ClassVar[bool] = False
    """Whether the bot's objects share memory between matches or seats, in class or module variables.

    Such a bot never gets one deal twice, and a gate never seats two copies of such a bot at one table.
    """
    seed: int | str | None = None
    """The seed of the bot's randomness; None: a random seed of the operating system."""

    def decide(self, ask: Ask[Any, Any, Any, Any]) -> Option:
        """The answer: one of `ask.options`, or its index."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, ask)")

    def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[Option]:
        """The answers to all asks that are due, one for each, in their order.

        Asks of several tables come in one call if one object sits at all of them: `run(MyBot(), tables=64)`.
        """
        return [self.decide(ask) for ask in asks]

    def seated(self, table: Table) -> None:
        """Called before a match begins; its clock does not run yet, so a bot loads here what its decisions need."""

    def told(self, events: Sequence[Event]) -> None:
        """Called with new events of the match; events that came with an ask are also in `ask.events`."""

    def rated(self, rating: Rating) -> None:
        """Called when a rated match at a referee has changed the bot's rating; `over` follows."""

    def over(self, result: Result | None) -> None:
        """Called when the match has ended; None: the match was stopped and has no result."""


def offered(kind: type[Bot]) -> tuple[str, ...] | None:
    """The games that a class of bots plays, None: all; raises BadSetting unless its `games` is a tuple of names."""
    games: object = kind.games
    if games is None:
        return None
    if not isinstance(games, (tuple, list)) or not all(isinstance(name, str) for name in games):
        raise BadSetting(
            f"{kind.__name__}.games must be a tuple of names, such as games = ('edo_yashiki',), and it is {games!r}"
        )
    return tuple(games)
