"""What a page of a seat shows, from the messages that the seat was sent and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from ladder.viewer.replay_file import event_of, sight
from ladder.web.reading.page import Data
from referee.codec import decoding
from referee.kernel import registry
from referee.kernel.board import Choice, board
from referee.v1 import play_pb2 as pb

PREFIXES = ("person:", "house:")
"""What names of people and of the referee's own bots begin with; pages show the rest."""


class Drawn(NamedTuple):
    """A position as a page needs it."""

    number: int
    sight: Data
    events: list[Data]


def shown_name(name: str) -> str:
    """The name of a seat without what tells people from bots."""
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name


def position(told: pb.Told) -> Drawn:
    """A position that the seat was shown."""
    game = registry.game(str(told.WhichOneof("game")))
    seen = sight(game, view(told), decoding.events(told.events))
    return Drawn(told.number, cast("Data", seen), events([told]))


def view(told: pb.Told) -> Any:
    """The game's own view in a position."""
    name = str(told.WhichOneof("game"))
    ask = pb.Ask()
    getattr(ask, name).CopyFrom(getattr(told, name))
    return decoding.decoder(name).view(ask)


def events(positions: Sequence[pb.Told]) -> list[Data]:
    """The events of several positions that came together."""
    return [
        cast("Data", event_of(registry.game(str(told.WhichOneof("game"))), event))
        for told in positions
        for event in decoding.events(told.events)
    ]


def question(ask: pb.Ask) -> Data:
    """An ask as a page needs it: the question, each part that can be clicked, and the options as paths of parts."""
    received = decoding.Received(ask)
    shown = board(str(ask.WhichOneof("game")))
    seen = received.view
    choices: Sequence[Choice] = shown.choices(seen, ask.kind, received.options)
    numbers: dict[tuple[str, str], int] = {}
    parts: list[Data] = []
    options: list[Data] = []
    for choice in choices:
        path = []
        for part in choice.path:
            known = (part.key, part.words)
            if known not in numbers:
                numbers[known] = len(parts)
                parts.append({"key": part.key, "words": part.words, "place": dict(part.place)})
            path.append(numbers[known])
        option: Data = {"words": choice.words, "path": path}
        if choice.brings:
            option["brings"] = choice.brings
        options.append(option)
    return {
        "ask": ask.ask,
        "kind": ask.kind,
        "question": shown.question(seen, ask.kind),
        "parts": parts,
        "options": options,
    }
