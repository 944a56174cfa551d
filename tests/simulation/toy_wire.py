"""Lantern Auction on the wire: short matches with sealed bids and private omens, for worlds with many faults.

The protocol has no field for this game, so its part of an ask travels under a number that no field has; a bot finds the
view there as text, word for word what the rules showed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from google.protobuf.unknown_fields import UnknownFieldSet

from referee.codec import encoding
from referee.codec.protobuf_bytes import varint
from referee.kernel import registry
from referee.kernel.game import Option
from referee.transport import messages
from referee.v1 import play_pb2 as pb
from tests.match.toy import GAME, View

FIELD = 1000
"""The number of the toy's part in an ask."""


class Encoder:
    """Writes view and options of an ask as text."""

    def __call__(self, kind: str, options: Sequence[Option], view: View) -> bytes:
        return shown(kind, options, view)


def describe(info: pb.GameInfo) -> None:
    """The toy has no components."""


def shown(kind: str, options: Sequence[Option], view: View) -> bytes:
    """What an ask shows of the game."""
    return repr((kind, list(options), tuple(view))).encode()


def read(ask: pb.Ask) -> bytes:
    """What a received ask shows of the game."""
    fields = UnknownFieldSet(ask)
    for number in range(len(fields)):
        field = fields[number]
        if field.field_number == FIELD:
            return bytes(field.data)
    return b""


@contextmanager
def registered() -> Iterator[None]:
    """The toy is playable over the wire in this process."""
    registry.GAMES[GAME.name] = "tests.match.toy"
    encoding.ENCODERS[GAME.name] = __name__  # type: ignore[index]
    messages.ASK._prefixes[GAME.name] = varint(FIELD << 3 | 2)
    try:
        yield
    finally:
        del registry.GAMES[GAME.name]
        registry.game.cache_clear()
        del encoding.ENCODERS[GAME.name]  # type: ignore[attr-defined]
        del messages.ASK._prefixes[GAME.name]
