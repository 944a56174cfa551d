"""The contract between a game and everything around it.

A game is one object that holds no state of its own: rules as functions of a state. Its driver repeats

pending -> options of each pending seat -> one answer per pending seat -> apply

until `pending` is empty. Six promises hold for every game, and the conformance tests prove them for each:

1. **Simultaneity is the normal form.** `pending` is a tuple of asks, `apply` takes one answer for each. The driver
keeps sealed answers, so no state, view, clone or dump can carry them. 2. **The option list is the only authority on
legality**: never empty for a pending seat, free of repetitions, in one canonical order that every process agrees on. It
may be a lazy sequence. 3. **Rules are pure.** Luck is an argument (`Chance`); no clock, no logger, no global state.
`apply` checks everything before it changes anything, changes the state in place and returns what happened. 4. **Views
are allow-lists**: a frozen type built field by field, with everything that the seat may know or remember, and nothing
else. `determinise` (a random state of the seat's information set) gets the view alone, so it cannot peek. 5. **Events
carry their audience.** What a seat may not know stands in another event, for other seats. 6. **The state serialises at
every decision** (`dump`, `load`), and `clone` is independent of its original.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from referee.kernel.chance import Chance
from referee.kernel.errors import BadSetting, UnknownName
from referee.kernel.plain import Plain

Seat: TypeAlias = int
"""A player's place at the table, 0-based."""

TABLE: Seat = -1
"""The subject of an event that no seat caused: the deck, the dice, the calendar."""

Option: TypeAlias = Hashable
"""One legal answer: a small immutable value, usually a NamedTuple, built once and shared."""

Variant: TypeAlias = Mapping[str, str]
"""The chosen rules: every setting that the game's `variants` names, with its value."""

Arrivals: TypeAlias = Mapping[Seat, int]
"""When the answers to a timed ask arrived: by seat that answered itself, the number of whole `BUCKET`s since its ask
left the referee. A seat without an entry did not answer itself. Plain numbers, so that rules stay pure: the driver
measures them once, and the record holds them."""

BUCKET = 50_000
"""Microseconds of one bucket of `Arrivals`; answers of one bucket came at the same time."""

Audience: TypeAlias = tuple[Seat, ...] | None
"""The seats that are told an event; None: all seats and spectators."""


class Pending(NamedTuple):
    """One seat owes one answer."""

    seat: Seat
    kind: str
    """The kind of decision, in the words of the rules (`place_card`)."""


class Verb(StrEnum):
    """The closed vocabulary of events, shared by all games, so that any log can be shown without game code."""

    CHOSE = "chose"
    DREW = "drew"
    REVEALED = "revealed"
    ROLLED = "rolled"
    GAINED = "gained"
    PAID = "paid"
    MOVED = "moved"
    SCORED = "scored"
    PHASE = "phase"
    ORDER = "order"


class Event(NamedTuple):
    """Something that happened: "seat 1 drew 2 dojo cards", told to `audience`.

    An event reads as a sentence: seat, verb, amount, subject, items. Items are names or numbers, never objects.
    """

    verb: Verb
    seat: Seat
    """The seat that caused the event, or TABLE."""
    subject: str
    """What the event is about, in the words of the rules: "card", "line", "coral dice"."""
    items: tuple[int | str, ...] = ()
    amount: int = 0
    """Points, cards or coins, where a number says more than the items."""
    audience: Audience = None


class Result(NamedTuple):
    """The end of a game, seat by seat; after the seats come the automata, opponents that the rules themselves play."""

    places: tuple[int, ...]
    """1 is best; equal places are shared and the next ones skipped (1, 1, 3)."""
    points: tuple[int, ...]
    reason: str
    """The end condition that held, in the words of the rules."""
    automata: tuple[str, ...] = ()
    """Names of the automata whose places and points follow those of the seats."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The values of one setting of a game's rules."""

    values: tuple[str, ...]
    default: str
    meaning: str
    """One line for people who choose."""
    seats: range | None = None
    """The seat counts at which the setting may differ from the default; None: all."""
    timed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By value: the kinds of asks for which the rules want to know when each answer arrived (`Game.apply`)."""


Replaced: TypeAlias = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Settings that an earlier edition had: by name and value, the settings and values that took their place."""


@dataclass(frozen=True, slots=True)
class Edition:
    """Earlier rules or components of a game whose records the present rules still play, step by step the same."""

    rules_version: int
    digest: str
    """Fingerprint of the component data of that edition."""
    settings: tuple[str, ...]
    """The names of its settings: a header of that edition names all of them and no other."""
    implied: Mapping[str, str] = field(default_factory=dict)
    """The present settings that the edition did not have, each with the value that its rules amount to."""
    replaced: Replaced = field(default_factory=dict)
    """The settings of the edition that the game has no more; a variant may still name them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits that no game exceeds; a driver may stop a game that does."""

    decisions: int
    """Answers of all seats in one game, forced ones included."""
    options: int
    """Length of one option list."""


S = TypeVar("S")
V = TypeVar("V")


class Game(Protocol[S, V]):
    """The rules of one game. Attributes are constants; every method is a function of its arguments."""

    @property
    def name(self) -> str:
        """Identifier in commands, records and on the wire: `edo_yashiki`."""

    @property
    def title(self) -> str:
        """The name on the box."""

    @property
    def rules_version(self) -> int:
        """Raised exactly when behaviour changes; ladders never mix versions."""

    @property
    def digest(self) -> str:
        """Fingerprint of the component data."""

    @property
    def seats(self) -> range:
        """The seat counts that the game can be played with."""

    @property
    def variants(self) -> Mapping[str, Choices]:
        """The settings of the rules; each has a default."""

    @property
    def earlier(self) -> tuple[Edition, ...]:
        """The earlier editions whose records these rules play; mostly none."""

    @property
    def bounds(self) -> Bounds:
        """Limits over all seat counts and variants."""

    @property
    def hidden(self) -> tuple[str, ...]:
        """What is hidden from whom, one line each, for people."""

    @property
    def secret_choices(self) -> frozenset[str]:
        """The kinds of asks for which other seats must not learn whether the asked seat had a choice; mostly none."""

    @property
    def secret_pending(self) -> frozenset[str]:
        """The kinds of simultaneous asks whose open seats are a secret of these seats; mostly none.

        Such asks follow each other without any event and any change of the public view until the last of them.
        """

    def start(self, seats: int, variant: Variant, chance: Chance, /) -> S:
        """A new game. `variant` is complete (see `settle_variant`)."""

    def pending(self, state: S, /) -> tuple[Pending, ...]:
        """The asks of the seats that owe an answer now, by seat; empty exactly when the game is over."""

    def options(self, state: S, seat: Seat, /) -> Sequence[Option]:
        """The legal answers of a pending seat in canonical order."""

    def apply(
        self,
        state: S,
        answers: Mapping[Seat, Option],
        chance: Chance,
        options: Mapping[Seat, Sequence[Option]] = ...,
        arrivals: Arrivals = ...,
        /,
    ) -> list[Event]:
        """Change the state by one answer of each pending seat; return the events.

        `options` holds the lists of this moment that the caller already has (`Turn` keeps them), so that they need not
        be made again; the answer of a seat without a list in `options` is checked against a new list. `arrivals` says
        when the answers to a timed ask came; a driver hands it in for such asks alone, and a caller without a clock
        (a search, a benchmark) leaves it out. Raises IllegalAnswer, with the state unchanged, if a pending seat has no
        legal answer or another seat has an answer.
        """

    def result(self, state: S, /) -> Result | None:
        """The outcome, or None while the game goes on."""

    def view(self, state: S, seat: Seat | None, /) -> V:
        """What a seat may know and remember; None: what the public may know."""

    def determinise(self, view: V, chance: Chance, /) -> S:
        """A random full state that shows `view` to its seat."""

    def clone(self, state: S, /) -> S:
        """An independent copy."""

    def dump(self, state: S, /) -> Plain:
        """The whole state as plain data."""

    def load(self, plain: Plain, /) -> S:
        """The state that `dump` wrote; raises BadPlain."""


AnyGame: TypeAlias = Game[Any, Any]
"""Any game, for code that is the same for all games: the only place that needs an untyped state."""


def settle_variant(game: AnyGame, seats: int, chosen: Mapping[str, str]) -> dict[str, str]:
    """The complete variant for a table, defaults filled in; raises BadSetting or UnknownName for what does not fit.

    A setting that an earlier edition had is understood as the settings that took its place.
    """
    if seats not in game.seats:
        raise BadSetting(f"{game.title} is for {game.seats.start} to {game.seats.stop - 1} seats, not {seats}")
    chosen = _present_settings(game, chosen)
    variant = {}
    for key, choices in game.variants.items():
        value = chosen.get(key, choices.default)
        if value not in choices.values:
            raise UnknownName.of(f"value of {game.name}'s {key}", value, choices.values)
        if value != choices.default and choices.seats is not None and seats not in choices.seats:
            allowed = ", ".join(map(str, choices.seats))
            raise BadSetting(f"{game.name}'s {key}={value} needs a table of {allowed} seats, not {seats}")
        variant[key] = value
    return variant


def _present_settings(game: AnyGame, chosen: Mapping[str, str]) -> dict[str, str]:
    """The chosen settings under their present names; raises BadSetting or UnknownName."""
    present = {}
    for key, value in chosen.items():
        if key in game.variants:
            present[key] = value
            continue
        former = next((edition.replaced[key] for edition in game.earlier if key in edition.replaced), None)
        if former is None:
            raise UnknownName.of(f"setting of {game.name}", key, game.variants)
        if value not in former:
            raise UnknownName.of(f"value of {game.name}'s {key}", value, former)
        for name, meant in former[value].items():
            if chosen.get(name, meant) != meant:
                raise BadSetting(
                    f"{game.name}'s {key}={value} stands for {name}={meant}, and {name}={chosen[name]} was chosen too"
                )
            present[name] = meant
    return present


def variant_of(game: AnyGame, rules_version: int, digest: str, seats: int, named: Mapping[str, str]) -> dict[str, str]:
    """The complete variant that the header of a record stands for, be it of the present or of an earlier edition.

    Raises BadSetting or UnknownName; a header must name every setting of its edition, each by the name of its time.
    """
    if (rules_version, digest) == (game.rules_version, game.digest):
        variant = settle_variant(game, seats, named)
        if variant != named:
            raise BadSetting(f"the record must name every setting of {game.name}: {', '.join(variant)}")
        return variant
    edition = edition_of(game, rules_version, digest)
    if edition is None:
        raise BadSetting(f"{game.name} has no rules version {rules_version} with the components {digest[:16]}")
    if set(named) != set(edition.settings):
        raise BadSetting(
            f"a record of rules version {rules_version} must name every setting of {game.name} at that time: "
            f"{', '.join(edition.settings)}"
        )
    return settle_variant(game, seats, {**edition.implied, **named})


def edition_of(game: AnyGame, rules_version: int, digest: str) -> Edition | None:
    """The earlier edition with that version and those components, if the present rules play its records."""
    for edition in game.earlier:
        if (edition.rules_version, edition.digest) == (rules_version, digest):
            return edition
    return None


def timed_kinds(game: AnyGame, variant: Variant) -> frozenset[str]:
    """The kinds of asks whose answers are timed under these settings; mostly none."""
    chosen = ((choices, variant.get(key, choices.default)) for key, choices in game.variants.items())
    return frozenset().union(*(choices.timed.get(value, frozenset()) for choices, value in chosen))


def rank(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Places by falling key, equal keys sharing a place: (9,), (12,), (9,) gives 2, 1, 2."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)
