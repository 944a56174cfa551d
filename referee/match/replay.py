"""Playing a record again: the state of the match after every step.

The luck is read from the record, so a replay needs neither the secret nor the end of the match: a running match or a
record that was cut off can be replayed up to its last step. `verify` proves that the luck was honest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee.kernel import registry
from referee.kernel.chance import Chance, Replayed, Sealed
from referee.kernel.errors import BadRecord, BrokenRecord, CallerFault
from referee.kernel.game import AnyGame, Event, Option, Seat, edition_of, timed_kinds, variant_of
from referee.kernel.turns import Turn, advance, settle
from referee.match.record import Header, Record, Step


class Position(NamedTuple):
    """A match after one of its steps."""

    step: Step
    state: Any
    """The state, which the replay goes on to change: clone it to keep it."""
    turn: Turn
    """The decisions that are open now."""
    events: list[Event]
    """The events of the step, for every audience."""


class Walk:
    """Applies the steps of a record to a game, one after the other."""

    __slots__ = ("_chance", "_timed", "_variant", "game", "header", "state", "steps", "turn")

    def __init__(self, game: AnyGame, header: Header, chance: Chance) -> None:
        self._variant = fits(game, header)
        self._timed = timed_kinds(game, self._variant)
        self.game = game
        self.header = header
        self._chance = chance
        self.steps = 0
        """Steps taken so far."""
        self.state: Any = None
        self.turn = Turn((), {}, {})

    def take(self, step: Step) -> list[Event]:
        """Apply the next step; raises BrokenRecord if the rules do not allow the step."""
        if step.n != self.steps:
            raise BrokenRecord(f"step {step.n} stands where step {self.steps} belongs")
        events: list[Event] = []
        try:
            if step.n == 0:
                if step.answers:
                    raise BrokenRecord("no seat can have answered in the set-up")
                self.state = self.game.start(len(self.header.players), self._variant, self._chance)
                self.turn = settle(self.game, self.state, self._chance, events)
            elif not self.turn.asks:
                raise BrokenRecord("the game was over before")
            else:
                answers = chosen(self.turn, step.answers)
                self._check_arrivals(step)
                self.turn = advance(
                    self.game, self.state, self.turn, answers, self._chance, events, arrivals=step.arrivals
                )
        except CallerFault as error:
            raise BrokenRecord(f"step {step.n}: {error}") from None
        self.steps += 1
        return events

    def _check_arrivals(self, step: Step) -> None:
        """Refuse times of arrival that are not those of the seats which answered a timed ask themselves."""
        due = [seat for seat, kind in self.turn.asks if kind in self._timed and seat not in step.by]
        if sorted(step.arrivals) != due:
            raise BrokenRecord(
                f"step {step.n}: {listed_seats(due)} had to have a time of arrival, "
                f"and {listed_seats(sorted(step.arrivals))} did"
            )


def replay(record: Record, game: AnyGame | None = None) -> Iterator[Position]:
    """The match after each step, set-up first; the game is looked up by name unless given.

    Raises BrokenRecord at the first step that the rules do not allow, or if the record needs other rules.
    """
    luck = Replayed()
    walk = Walk(game or named(record.header), record.header, luck)
    for step in record.steps:
        luck.feed(step.chance)
        events = walk.take(step)
        if not luck.drained():
            raise BrokenRecord(f"step {step.n}: the record has luck that the rules did not ask for")
        yield Position(step, walk.state, walk.turn, events)


def named(header: Header) -> AnyGame:
    """The game of a record."""
    try:
        return registry.game(header.game)
    except CallerFault as error:
        raise BadRecord(str(error)) from None


def fits(game: AnyGame, header: Header) -> dict[str, str]:
    """The complete variant that a header stands for; raises BrokenRecord if it needs other rules than those at hand.

    A header of an earlier edition that the game still plays (`Game.earlier`) fits as one of the present edition does.
    """
    if header.game != game.name:
        raise BrokenRecord(f"the record is of {header.game!r}, not of {game.name!r}")
    version, digest = header.rules_version, header.components
    if (version, digest) != (game.rules_version, game.digest) and edition_of(game, version, digest) is None:
        _refuse(game, header)
    try:
        return variant_of(game, version, digest, len(header.players), header.variant)
    except CallerFault as error:
        raise BrokenRecord(str(error)) from None


def _refuse(game: AnyGame, header: Header) -> None:
    """Raise BrokenRecord for a header of other rules or components than those at hand."""
    if header.rules_version != game.rules_version:
        raise BrokenRecord(
            f"the record was played by version {header.rules_version} of the rules of {game.name}, "
            f"this is version {game.rules_version}: replay it with the software it was played with"
        )
    raise BrokenRecord(
        f"the record was played with other components of {game.name} (digest {header.components[:16]}, "
        f"these are {game.digest[:16]}): replay it with the software it was played with"
    )


def chosen(turn: Turn, answers: Mapping[Seat, int]) -> dict[Seat, Option]:
    """The options that a step's answers stand for, in the order of the asks."""
    asked = [ask.seat for ask in turn.asks]
    if sorted(answers) != asked:
        raise BrokenRecord(f"{listed_seats(asked)} had to answer, and {listed_seats(sorted(answers))} did")
    options = {}
    for seat in asked:
        index = answers[seat]
        listed = turn.options[seat]
        if not 0 <= index < len(listed):
            raise BrokenRecord(f"seat {seat} answered {index} where 0 to {len(listed) - 1} were possible")
        options[seat] = listed[index]
    return options


def listed_seats(seats: Sequence[Seat]) -> str:
    """Seats in words: `seats 0, 2`, or `no seat`."""
    if not seats:
        return "no seat"
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"


def stand_in(luck: Sealed, seat: Seat, ask: int, count: int) -> int:
    """Index of the option that the stand-in picks: uniform, from a stream of luck that no rule of a game uses."""
    return luck.pick(f"stand-in/{seat}/{ask}", count)
