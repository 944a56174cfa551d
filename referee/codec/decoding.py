"""From the wire's messages to the kernel's and the games' own values.

A game's decoder is a module with `view(ask)` and `options(ask)`; both take the whole ask message and read the part of
their game. A new game is one module and one line in `DECODERS`. `Received` holds an ask that came over the wire and
decodes its view and its options on first use, independently of each other.
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
    """The two functions that read the asks of one game."""

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
        """The game's options; for a game that this kit does not know, their bare indices, which can be answered too."""
        if self._options is None:
            if self._game in DECODERS:
                self._options = decoder(self._game).options(self._message)
            else:
                self._options = range(self._message.option_count)
        return self._options


_VERBS = {getattr(common_pb2, f"VERB_{verb.name}"): verb for verb in Verb}


def events(messages: Iterable[common_pb2.Event]) -> tuple[Event, ...]:
    """The kernel's events of these messages. Events with a verb of a later protocol are left out."""
    return tuple(
        Event(_VERBS[message.verb], message.seat, message.subject, _items(message), message.amount)
        for message in messages
        if message.verb in _VERBS
    )


def _items(message: common_pb2.Event) -> tuple[int | str, ...]:
    """The numbers and names of an event; the wire writes numbers among names as decimal text."""
    if message.numbers:
        return tuple(message.numbers)
    return tuple(int(word) if word.removeprefix("-").isdecimal() else word for word in message.words)


def result(message: common_pb2.Result) -> Result:
    """The kernel's result of this message."""
    return Result(tuple(message.places), tuple(message.points), message.reason, tuple(message.automata))
