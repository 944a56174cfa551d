"""Each game's own part of the messages: one module per game, found by name.

A module has `Encoder`, made once for each match, which serialises view and options as the game's own part of an ask,
and `describe`, which writes what the components show. It may use the game's view, and nothing else of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from referee.kernel.errors import UnknownName
from referee.kernel.game import Option
from referee.transport.translate import edo_yashiki
from referee.v1 import play_pb2 as pb

Encode: TypeAlias = Callable[[str, Sequence[Option], Any], bytes]
"""Serialises a game's part of an ask from kind, options and view."""


class Translation(NamedTuple):
    """What one game's module offers."""

    encoder: Callable[[], Encode]
    """Makes the encoder for one match."""
    describe: Callable[[pb.GameInfo], None]
    """Fills in the components."""


TRANSLATIONS: Mapping[str, Translation] = {
    "edo_yashiki": Translation(edo_yashiki.Encoder, edo_yashiki.describe),
}


def of(game: str) -> Translation:
    """The translation of a game."""
    if game not in TRANSLATIONS:
        raise UnknownName.of("game on the wire", game, TRANSLATIONS)
    return TRANSLATIONS[game]
