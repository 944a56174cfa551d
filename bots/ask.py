"""What a bot is asked, and everything that the bot may use to answer.

An `Ask` is the same for a bot in the referee's own process and for a remote bot: the table, the number and kind of the
decision, the game's own view and options, the clock, the events since the last message, and a source of randomness.
View and options are decoded on first use, so a bot that reads only `ask.count` does not pay for decoding.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, SupportsIndex, TypeAlias, cast

from typing_extensions import TypeVar

from bots.clock import UNLIMITED, AskClock, ClockSettings
from bots.imagined import Imagined, points_of
from referee.kernel import registry
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import AnyGame, Event, Game, Option, Seat
from referee.kernel.turns import advance, settle
from referee.kernel.unseen import unseen

S = TypeVar("S")
V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)
K_co = TypeVar("K_co", bound=str, default=str, covariant=True)
O_co = TypeVar("O_co", default=Option, covariant=True)


@dataclass(frozen=True, slots=True)
class Table:
    """One match as one of its seats knows the match before the first decision."""

    match: str
    """The match's id."""
    game_name: str
    """The game's identifier, such as `edo_yashiki`."""
    seat: Seat
    """The bot's seat, counted from 0."""
    players: tuple[str, ...] = ()
    """The names of the bots by seat; empty if the referee did not send them."""
    variant: Mapping[str, str] = field(default_factory=dict)
    """The value of each rule setting, by the name of the setting."""
    development: bool = False
    """Whether the first fault ends the match, which helps while a bot is written."""
    control: ClockSettings | None = None
    """The time control of the match; None: the match has no clock, or the driver does not know the clock."""

    @property
    def game(self) -> AnyGame:
        """The rules of the game; raises UnknownName for a game that is not installed here."""
        return registry.game(self.game_name)


class Source(Protocol[V_co]):
    """Where an ask finds its view and options: plain values, or a message that is decoded on first use."""

    @property
    def view(self) -> V_co:
        """The game's view for the asked seat."""

    @property
    def options(self) -> Sequence[Option]:
        """The game's options."""


class Given(NamedTuple, Generic[V_co]):
    """A source that holds view and options as plain values."""

    view: V_co
    options: Sequence[Option]


class Ask(Generic[S, V, K_co, O_co]):
    """One decision of one seat: `Ask[State, View]` for one game, `AnyAsk` for any game.

    The asks of `bots.typed` also name the kind and the type of its options:
    `Ask[State, View, Literal["place"], Placement]`.
    """

    __slots__ = ("_imagined", "_source", "clock", "count", "events", "kind", "noted", "number", "rng", "table")

    def __init__(
        self,
        table: Table,
        number: int,
        kind: K_co,
        count: int,
        source: Source[V],
        *,
        rng: Random,
        events: Sequence[Event] = (),
        clock: AskClock = UNLIMITED,
    ) -> None:
        self.table = table
        """The match and the seat."""
        self.number = number
        """The number of this decision among the seat's decisions in the match, counted from 1."""
        self.kind = kind
        """The kind of decision in the words of the rules, such as `place_card`."""
        self.count = count
        """The number of options, at least 2: the referee asks no decision that has a single option."""
        self.rng = rng
        """The bot's own random generator, one per match; reproducible if the bot has a seed."""
        self.events = events
        """The events that the seat learned since its last ask."""
        self.clock = clock
        """The seat's time for this decision."""
        self.noted = ""
        """The text that `note` attached to the answer."""
        self._source = source
        self._imagined: tuple[S, int] | None = None

    @property
    def match(self) -> str:
        """The match's id."""
        return self.table.match

    @property
    def seat(self) -> Seat:
        """The bot's seat, counted from 0."""
        return self.table.seat

    @property
    def game_name(self) -> str:
        """The game's identifier, such as `edo_yashiki`."""
        return self.table.game_name

    @property
    def game(self) -> Game[S, V]:
        """The rules of the game, with which a search clones states, lists options and applies them."""
        return self.table.game

    @property
    def view(self) -> V:
        """Everything that the seat may know, as the game's own type."""
        return self._source.view

    @property
    def options(self) -> Sequence[O_co]:
        """The legal answers in canonical order; the answer to the referee is the index of one of them."""
        return cast("Sequence[O_co]", self._source.options)

    def worlds(self, k: int) -> Iterator[S]:
        """k random full states that are consistent with the view (determinisations of the seat's information set)."""
        game, view = self.game, self.view
        chance = Fast(self.rng.getrandbits(64))
        for _ in range(k):
            yield game.determinise(view, chance)

    def points(self, seat: Seat | None = None) -> dict[str, int]:
        """By category, in the order of the rules: the points that a seat has, or would have if the game ended now.

        None: the asked seat. Hidden points of other seats are counted as far as the view tells them.
        """
        return points_of(self.game_name, self.view, self.seat if seat is None else seat)

    def after(self, option: Option, world: S | None = None) -> Imagined[S, V]:
        """The moment that an answer leads to in an imagined world: its view, its points, its events.

        `option` is an option or its index. Without `world` every call for this ask imagines the same world, the same
        luck and the same random answers of the other seats, so that options can be compared; with one of `worlds`,
        which is not changed, a bot averages over several.
        """
        game, answer = self.game, self.options[self.index(option)]
        if self._imagined is None:
            self._imagined = next(self.worlds(1)), self.rng.getrandbits(64)
        known, seed = self._imagined
        state = game.clone(known if world is None else world)
        events: list[Event] = []
        chance = Fast(seed)
        turn = settle(game, state, chance, events)
        others = Random(seed)
        answers: dict[Seat, Option] = {seat: others.choice(turn.options[seat]) for seat, _ in turn.asks}
        answers[self.seat] = answer
        advance(game, state, turn, answers, chance, events)
        told = [event for event in events if event.audience is None or self.seat in event.audience]
        return Imagined(game, self.game_name, self.seat, state, told)

    def unseen(self) -> Mapping[str, int]:
        """What can still come: by name, the copies of each component in decks, bags and unknown hands."""
        return unseen(self.game_name)(self.view)

    def note(self, text: str) -> None:
        """Attach a text to the answer; the text is private until the match is over and then part of its replay."""
        self.noted = text

    def index(self, choice: Option) -> int:
        """The index of a choice, which is an option or already an index; raises IllegalAnswer for anything else."""
        if type(choice) is int and 0 <= choice < self.count:
            return choice
        if isinstance(choice, bool):
            index = -1
        elif hasattr(choice, "__index__"):
            index = operator.index(cast(SupportsIndex, choice))
        else:
            try:
                index = self._source.options.index(choice)
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
"""An ask of any game."""
