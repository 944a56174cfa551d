"""From the wire's messages to the kernel's and the games' own values.

A game's decoder is a module with `view(ask)` and `options(ask)`; both take the whole ask message and pick the part
that is theirs. A new game is one module beside these and one line in `DECODERS`. `Received` is the source of an ask
that came over the wire: it decodes on first use, each of the two by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from referee.kernel.errors import UnknownName
from referee.kernel.game import Event, Option, Result, Verb
from referee.v1 import common_pb2, play_pb2

DECODERS = {
    "edo_yashiki": "referee.codec.edo_yashiki.decode",
    "honshu": "referee.codec.honshu.decode",
    "ninjato": "referee.codec.ninjato.decode",
    "white_castle": "referee.codec.white_castle.decode",
}
"""Name of each game (also of its field in the ask message), and the module that decodes it; loaded on first use."""


class Decoder(NamedTuple):
    """How the asks of one game are read."""

    view: Callable[[play_pb2.Ask], object]
    options: Callable[[play_pb2.Ask], Sequence[Option]]


@cache
def decoder(game: str) -> Decoder:
    """The decoder of a game; raises UnknownName for one that this kit does not know."""
    if game not in DECODERS:
        raise UnknownName.of("game in an ask", game, DECODERS)
    module = import_module(DECODERS[game])
    return Decoder(module.view, module.options)


class Received:
    """View and options of an ask that came over the wire, decoded when first used."""

    __slots__ = ("_game", "_message", "_options", "_view")

    def __init__(self, message: play_pb2.Ask) -> None:
        self._message = message
        self._game: str | None = message.WhichOneof("game")
        self._options: Sequence[Option] | None = None
        self._view: object = None

    @property
    def view(self) -> object:
        """The game's view."""
        if self._view is None:
            self._view = decoder(self._game or "unknown").view(self._message)
        return self._view

    @property
    def options(self) -> Sequence[Option]:
        """The game's options; the bare indices for a game that this kit does not know, which can be answered too."""
        if self._options is None:
            if self._game in DECODERS:
                self._options = decoder(self._game).options(self._message)
            else:
                self._options = range(self._message.option_count)
        return self._options


_VERBS = {getattr(common_pb2, f"VERB_{verb.name}"): verb for verb in Verb}


def events(messages: Iterable[common_pb2.Event]) -> tuple[Event, ...]:
    """What happened, as the kernel says it. Events with a verb from a later protocol are left out."""
    return tuple(
        Event(_VERBS[message.verb], message.seat, message.subject, _items(message), message.amount)
        for message in messages
        if message.verb in _VERBS
    )


def _items(message: common_pb2.Event) -> tuple[int | str, ...]:
    """Numbers and names; the wire writes numbers as decimal text where they stand among names."""
    if message.numbers:
        return tuple(message.numbers)
    return tuple(int(word) if word.removeprefix("-").isdecimal() else word for word in message.words)


def result(message: common_pb2.Result) -> Result:
    """How a game ended."""
    return Result(tuple(message.places), tuple(message.points), message.reason, tuple(message.automata))
