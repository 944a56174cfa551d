"""Each game's own part of the messages: one module per game, found by name.

A module has `Encoder`, made once for each match, which serialises view and options as the game's own part of an ask,
and `describe`, which writes what the components show. It may use the game's view, and nothing else of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from referee.kernel.errors import UnknownName
from referee.kernel.game import Option
from referee.v1 import play_pb2 as pb

Encode: TypeAlias = Callable[[str, Sequence[Option], Any], bytes]
"""Serialises a game's part of an ask from kind, options and view."""

TRANSLATIONS: Mapping[str, str] = {
    "edo_yashiki": "referee.transport.translate.edo_yashiki",
    "honshu": "referee.transport.translate.honshu",
    "ninjato": "referee.transport.translate.ninjato",
    "white_castle": "referee.transport.translate.white_castle",
}
"""Name of each game (also of its field in the ask message) and the module that translates it; loaded on first use."""


class Translation(NamedTuple):
    """What one game's module offers."""

    encoder: Callable[[], Encode]
    """Makes the encoder for one match."""
    describe: Callable[[pb.GameInfo], None]
    """Fills in the components."""


@cache
def of(game: str) -> Translation:
    """The translation of a game."""
    if game not in TRANSLATIONS:
        raise UnknownName.of("game on the wire", game, TRANSLATIONS)
    module = import_module(TRANSLATIONS[game])
    return Translation(module.Encoder, module.describe)
