"""Each game's own part of the messages: one module per game, found by name.

A module has `Encoder`, made once for each match, which serialises view and options as the game's own part of an ask,
and `describe`, which writes what the components show. The module may import the game's view and nothing else of it.
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

ENCODERS: Mapping[str, str] = {
    "edo_yashiki": "referee.codec.edo_yashiki.encode",
    "honshu": "referee.codec.honshu.encode",
    "ninjato": "referee.codec.ninjato.encode",
    "white_castle": "referee.codec.white_castle.encode",
}
"""Name of each game (also of its field in the ask message) and the module that encodes it; loaded on first use."""


class GameEncoder(NamedTuple):
    """The two functions of one game's module."""

    encoder: Callable[[], Encode]
    """Makes the encoder for one match."""
    describe: Callable[[pb.GameInfo], None]
    """Fills in the components of a game's description."""


def public(game: str) -> Callable[[Any], bytes]:
    """A function for one match that serialises public views as the game's own part of a message, without options."""
    of(game)
    module = import_module(ENCODERS[game])
    encoder = module.Encoder()

    def encode(view: Any) -> bytes:
        return bytes(module.ASK.chunk("view", encoder.view(view)))

    return encode


@cache
def of(game: str) -> GameEncoder:
    """The encoder of a game."""
    if game not in ENCODERS:
        raise UnknownName.of("game on the wire", game, ENCODERS)
    module = import_module(ENCODERS[game])
    return GameEncoder(module.Encoder, module.describe)
