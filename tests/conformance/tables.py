"""What there is to test: every registered game and the template, at every seat count, in every combination of settings.

Some games have hundreds of combinations. Where all of them would take too long, `cover` picks a few in which every seat
count and every value of every setting occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations, product
from types import ModuleType
from typing import Any, TypeAlias

from referee.codec import encoding
from referee.kernel import registry
from referee.kernel.board import Board
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame, Seat, settle_variant

TEMPLATE = "referee.games._template"
"""The game to copy: held against every law, and in no registry."""
PACKAGES = {**registry.GAMES, "template": TEMPLATE}
"""Name of each game that is tested and its package."""
AnyState: TypeAlias = Any
"""A state of some game, as in `referee.kernel.game.AnyGame`: games are imported by name."""
Census = Callable[[AnyState], Mapping[str, int]]
Encode = Callable[[AnyState, Seat | None], bytes]
"""The game's own part of what a viewer of a state is sent; nothing for those who are not asked."""

Facts = tuple[tuple[str, object], ...]
"""Some of a table's facts: its seat count and its settings."""


@dataclass(frozen=True)
class Table:
    """One way to play one game."""

    game: AnyGame
    seats: int
    variant: Mapping[str, str]
    census: Census | None = None
    """Counts all components of a state, wherever they are: the game's own `census`, if its package has one."""
    encoder: Callable[[], Encode] | None = None
    """Makes the encoder of one match, if the game has a form on the wire."""
    board: Board[Any] | None = None
    """What people are shown of the game, if its package has a module `board`."""

    @property
    def settings(self) -> str:
        """The settings that differ from the default, as one word."""
        own = {key: value for key, value in self.variant.items() if value != self.game.variants[key].default}
        return "+".join(f"{key}={own[key]}" for key in sorted(own)) or "default"

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Everybody who looks at the table: the public (None) and each seat."""
        return (None, *range(self.seats))

    @property
    def facts(self) -> list[tuple[str, object]]:
        """The seat count and every setting."""
        return [("seats", self.seats), *self.variant.items()]

    def __str__(self) -> str:
        return f"{self.game.name}-{self.seats}-{self.settings}"


def tables_of(game: AnyGame) -> Iterator[Table]:
    """Every table of one game; combinations that the settings themselves exclude are left out."""
    keys = list(game.variants)
    for seats in game.seats:
        for values in product(*(game.variants[key].values for key in keys)):
            try:
                variant = settle_variant(game, seats, dict(zip(keys, values, strict=True)))
            except BadSetting:
                continue
            yield Table(game, seats, variant)


def tables_in(package: str) -> list[Table]:
    """Every table of the game that a package holds as `GAME`, with the package's `census` and board, and an encoder."""
    module = import_module(package)
    game, census, board = module.GAME, getattr(module, "census", None), board_in(module)
    return [replace(table, census=census, encoder=encoder_of(game), board=board) for table in tables_of(game)]


def board_in(module: ModuleType) -> Board[Any] | None:
    """The board of a game: of its package's module `board`, or of the game's own module where that is no package."""
    if hasattr(module, "__path__") and find_spec(f"{module.__name__}.board") is not None:
        module = import_module(f"{module.__name__}.board")
    found: Board[Any] | None = getattr(module, "BOARD", None)
    return found


def encoder_of(game: AnyGame) -> Callable[[], Encode] | None:
    """What makes the encoders of a game's asks, as the referee sends them."""
    if game.name not in encoding.ENCODERS:
        return None
    translation = encoding.of(game.name)

    def encoder() -> Encode:
        write = translation.encoder()

        def encode(state: object, viewer: Seat | None) -> bytes:
            kinds = {ask.seat: ask.kind for ask in game.pending(state)}
            if viewer not in kinds:
                return b""
            return write(kinds[viewer], game.options(state, viewer), game.view(state, viewer))

        return encode

    return encoder


def registered() -> list[Table]:
    """Every table of every registered game. A game that cannot be imported fails here, loudly."""
    return [table for name in registry.names() for table in tables_in(registry.GAMES[name])]


def every_table() -> list[Table]:
    """Every table of every registered game and of the template."""
    return [table for name in sorted(PACKAGES) for table in tables_in(PACKAGES[name])]


def cover(tables: Iterable[Table], least: int = 8) -> list[Table]:
    """A few tables of each game: every seat count and every value occurs, and as many pairs as `least` tables hold."""
    left, chosen = list(tables), []
    for name in sorted({table.game.name for table in left}):
        own = [table for table in left if table.game.name == name]
        single: set[Facts] = {fact for table in own for fact in combinations(table.facts, 1)}
        pairs: set[Facts] = {pair for table in own for pair in combinations(table.facts, 2)}
        taken: list[Table] = []
        while single or (pairs and len(taken) < least):
            gains = [(_common(table, 1, single), _common(table, 2, pairs)) for table in own]
            best = own[gains.index(max(gains))]
            taken.append(best)
            single.difference_update(combinations(best.facts, 1))
            pairs.difference_update(combinations(best.facts, 2))
        chosen += sorted(taken, key=str)
    return chosen


def _common(table: Table, together: int, wanted: set[Facts]) -> int:
    """How much of what is wanted a table has."""
    return len(wanted.intersection(combinations(table.facts, together)))
