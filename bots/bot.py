"""The class that a bot's author writes.

    class First(Bot):
        def decide(self, ask):
            return ask.options[0]

`decide` is all that a bot needs. One that judges many positions at a time, as neural networks do, writes `decide_many`
instead: it gets all asks that are due together. The other methods are told what happens around it and do nothing by
themselves. A view holds everything a seat may remember, so a bot needs no memory of its own; one that keeps some
anyway is given to `run` or to a spec as a class, and gets a fresh object for every match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from bots.ask import AnyAsk, Table
from referee.kernel.errors import BadSetting
from referee.kernel.game import Event, Option, Result


class Rating(NamedTuple):
    """The bot's rating in the pool of a match (one game, seat count, variant and clock), and what the match changed."""

    before: float
    after: float
    deviation: float
    """The standard deviation of the rating, on the same scale; 0: not known."""
    games: int
    """Rated matches of this build in this pool, this one included."""
    rank: int
    """The bot's rank in the pool, 1 is best; 0: not ranked yet."""


class Bot:
    """A player. Override `decide`."""

    games: ClassVar[tuple[str, ...] | None] = None
    """The games it can play, by name; None: all of them."""
    events: ClassVar[bool] = True
    """Whether it looks at events; a remote bot that does not spares both sides the sending."""
    plays_people: ClassVar[bool] = False
    """Whether it also plays at tables where a person sits; such tables have slow clocks."""
    remembers: ClassVar[bool] = False
    """Whether its objects share what they saw with those of other matches or seats, in class or module variables.

    Such a bot never meets one deal twice, and no two copies of it sit at one table of a gate.
    """
    seed: int | str | None = None
    """What its randomness grows from; None: from the system's."""

    def decide(self, ask: AnyAsk) -> Option:
        """The answer: one of `ask.options`, or its index."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, ask)")

    def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[Option]:
        """The answers to all asks that are due, one for each, in their order.

        Asks of several tables come together where one object sits at all of them: `run(MyBot(), tables=64)`.
        """
        return [self.decide(ask) for ask in asks]

    def seated(self, table: Table) -> None:
        """A match is about to begin; its clock does not run yet, so this is the place to load what is needed."""

    def told(self, events: Sequence[Event]) -> None:
        """Something happened; what came with an ask is also in `ask.events`."""

    def rated(self, rating: Rating) -> None:
        """A rated match at a referee has ended and changed the bot's rating; `over` follows."""

    def over(self, result: Result | None) -> None:
        """The match has ended; None: it was stopped and has no result."""


def offered(kind: type[Bot]) -> tuple[str, ...] | None:
    """The games that a class of bots plays, None: all; raises BadSetting if its `games` are no names."""
    games: object = kind.games
    if games is None:
        return None
    if not isinstance(games, (tuple, list)) or not all(isinstance(name, str) for name in games):
        raise BadSetting(
            f"{kind.__name__}.games must be a tuple of names, such as games = ('edo_yashiki',), and it is {games!r}"
        )
    return tuple(games)
