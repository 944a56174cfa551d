"""How a broken game is declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from referee.kernel.board import Board
from tests.conformance import toy, toy_board
from tests.conformance.tables import Census, Encode, Table, tables_of

G = TypeVar("G", bound=type[toy.Toy])


class Breach(NamedTuple):
    """A broken game, the law that must notice, and what it must say."""

    game: type[toy.Toy]
    law: str
    complaint: str
    """Part of the law's complaint: it notices this breach, and not something else by accident."""
    census: Census = toy.census
    encoder: Callable[[], Encode] | None = None
    board: Callable[[], Board[Any]] = toy_board.sound
    """Makes the board anew for each table, so that a broken one remembers nothing of earlier tables."""

    def tables(self) -> Iterator[Table]:
        """All tables of the broken game."""
        for table in tables_of(self.game()):
            yield replace(table, census=self.census, encoder=self.encoder, board=self.board())

    def __str__(self) -> str:
        broken: Callable[..., object] = self.game if self.encoder is None else self.encoder
        if self.board is not toy_board.sound:
            broken = self.board
        return f"{broken.__name__}-{self.law}"


class Breaches(list[Breach]):
    """The broken games of one module, in order."""

    def breaks(self, law: str, complaint: str) -> Callable[[G], G]:
        """Declare that a class breaks a law, and what the law must say about it."""

        def declare(game: G) -> G:
            self.append(Breach(game, law, complaint))
            return game

        return declare
