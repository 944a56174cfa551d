"""What there is to test: every registered game, at every seat count, in every combination of its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import product

from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame, Seat, settle_variant

Census = Callable[[object], Mapping[str, int]]
Encode = Callable[[object, Seat | None], bytes]


@dataclass(frozen=True)
class Table:
    """One way to play one game."""

    game: AnyGame
    seats: int
    variant: Mapping[str, str]
    census: Census | None = None
    """Counts all components of a state, wherever they are: the game's own `census`, if its package has one."""
    encode: Encode | None = None
    """The bytes that a viewer of a state is sent, if the game has a form on the wire."""

    @property
    def settings(self) -> str:
        """The settings that differ from the default, as one word."""
        own = {key: value for key, value in self.variant.items() if value != self.game.variants[key].default}
        return "+".join(f"{key}={own[key]}" for key in sorted(own)) or "default"

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Everybody who looks at the table: the public (None) and each seat."""
        return (None, *range(self.seats))

    def __str__(self) -> str:
        return f"{self.game.name}-{self.seats}-{self.settings}"


def tables_of(game: AnyGame, census: Census | None = None) -> Iterator[Table]:
    """Every table of one game; combinations that the settings themselves exclude are left out."""
    keys = list(game.variants)
    for seats in game.seats:
        for values in product(*(game.variants[key].values for key in keys)):
            try:
                variant = settle_variant(game, seats, dict(zip(keys, values, strict=True)))
            except BadSetting:
                continue
            yield Table(game, seats, variant, census)


def tables_in(package: str) -> Iterator[Table]:
    """Every table of the game that a package holds as `GAME`, with the package's `census`."""
    module = import_module(package)
    return tables_of(module.GAME, getattr(module, "census", None))


def registered() -> list[Table]:
    """Every table of every registered game. A game that cannot be imported fails here, loudly."""
    return [table for name in registry.names() for table in tables_in(registry.GAMES[name])]
