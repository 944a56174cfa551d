"""What a bot is asked, and everything it may use to answer.

An `Ask` is the same for a bot in the referee's own process and for one at the other end of a wire: the table it sits
at, the number and kind of the decision, the game's own view and options, the clock, what happened since the last
message, and a source of randomness. View and options are looked up only when they are used, so a bot that needs
nothing but `ask.count` never pays for decoding the rest.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, SupportsIndex, TypeAlias, TypeVar, cast

from bots.clock import UNLIMITED, Clock, Control
from referee.kernel import registry
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import AnyGame, Event, Game, Option, Seat

S = TypeVar("S")
V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Table:
    """One match as one of its seats knows it from the beginning."""

    match: str
    """The match's id."""
    game_name: str
    """The game's identifier, such as `edo_yashiki`."""
    seat: Seat
    """Where the bot sits, from 0."""
    players: tuple[str, ...] = ()
    """The names at the table by seat; empty where the referee did not tell them."""
    variant: Mapping[str, str] = field(default_factory=dict)
    """The chosen rules."""
    development: bool = False
    """Whether the first fault ends the match: a table for trying a bot out."""
    control: Control | None = None
    """The time control; None: there is none, or the driver did not tell."""

    @property
    def game(self) -> AnyGame:
        """The rules of the game; raises UnknownName for a game that is not installed here."""
        return registry.game(self.game_name)


class Source(Protocol[V_co]):
    """Where an ask finds its view and options: values that are there already, or a message still to be decoded."""

    @property
    def view(self) -> V_co:
        """The game's view for the asked seat."""

    @property
    def options(self) -> Sequence[Option]:
        """The game's options."""


class Given(NamedTuple, Generic[V_co]):
    """A source whose view and options are there already."""

    view: V_co
    options: Sequence[Option]


class Ask(Generic[S, V]):
    """One decision of one seat. `Ask[State, View]` where the game is known, `AnyAsk` where it is not."""

    __slots__ = ("_source", "clock", "count", "events", "kind", "noted", "number", "rng", "table")

    def __init__(
        self,
        table: Table,
        number: int,
        kind: str,
        count: int,
        source: Source[V],
        *,
        rng: Random,
        events: Sequence[Event] = (),
        clock: Clock = UNLIMITED,
    ) -> None:
        self.table = table
        """The match and the seat."""
        self.number = number
        """The seat's decisions in this match count 1, 2, 3, ..."""
        self.kind = kind
        """The sort of decision, in the rules' own words, such as `place_card`."""
        self.count = count
        """How many options there are, at least 2: a decision without a choice is never asked."""
        self.rng = rng
        """Randomness of the bot's own, one generator per match; reproducible where a seed was given."""
        self.events = events
        """What the seat learned since its last ask."""
        self.clock = clock
        """The time there is."""
        self.noted = ""
        """The note that goes with the answer."""
        self._source = source

    @property
    def match(self) -> str:
        """The match's id."""
        return self.table.match

    @property
    def seat(self) -> Seat:
        """Where the bot sits, from 0."""
        return self.table.seat

    @property
    def game_name(self) -> str:
        """The game's identifier, such as `edo_yashiki`."""
        return self.table.game_name

    @property
    def game(self) -> Game[S, V]:
        """The rules: a search clones states, lists options and applies them with it."""
        return self.table.game

    @property
    def view(self) -> V:
        """Everything the seat may know, as the game's own type."""
        return self._source.view

    @property
    def options(self) -> Sequence[Option]:
        """The legal answers in canonical order; item i is the answer i."""
        return self._source.options

    def worlds(self, k: int) -> Iterator[S]:
        """k full states, drawn at random from those that look like the view: what search and sampling work on."""
        game, view = self.game, self.view
        chance = Fast(self.rng.getrandbits(64))
        for _ in range(k):
            yield game.determinise(view, chance)

    def note(self, text: str) -> None:
        """Attach a text to the answer: private until the match is over, then part of its replay."""
        self.noted = text

    def index(self, choice: Option) -> int:
        """The answer that a choice stands for: an option, or an index itself; raises IllegalAnswer for others."""
        if type(choice) is int and 0 <= choice < self.count:
            return choice
        if isinstance(choice, bool):
            index = -1
        elif hasattr(choice, "__index__"):
            index = operator.index(cast(SupportsIndex, choice))
        else:
            try:
                index = self.options.index(choice)
            except ValueError:
                index = -1
        if 0 <= index < self.count:
            return index
        raise IllegalAnswer(
            f"{choice!r} is no answer to ask {self.number} ({self.kind}) of seat {self.seat} in match {self.match}: "
            f"answer with one of ask.options or an index from 0 to {self.count - 1}"
        )

    def __repr__(self) -> str:
        return (
            f"<ask {self.number} of {self.game_name}: {self.kind}, "
            f"{self.count} options, seat {self.seat}, match {self.match}>"
        )


AnyAsk: TypeAlias = Ask[Any, Any]
"""An ask of some game, where the code does not care which."""
