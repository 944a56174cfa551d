"""What was said between the checker and a bot, and how it reads.

Messages are kept as the bytes that travelled, and shown as protobuf text in one line, fields that are in no proto
file included; the views of games, which are long, are left out except where a message broke something.
"""

from __future__ import annotations

import time
from enum import StrEnum
from typing import NamedTuple

from google.protobuf import text_format
from google.protobuf.message import DecodeError, Message

from referee.v1 import play_pb2 as pb


class Way(StrEnum):
    """Who said it."""

    SENT = "sent to the bot"
    GOT = "received from the bot"
    NOTE = "note"


_ARROWS = {Way.SENT: "->", Way.GOT: "<-", Way.NOTE: "--"}


class TranscriptEntry(NamedTuple):
    """One thing that was said."""

    at: float
    """Seconds since the beginning."""
    way: Way
    data: bytes

    def text(self, *, whole: bool = False) -> str:
        """In words; `whole`: with everything that the games show."""
        if self.way is Way.NOTE:
            return self.data.decode()
        try:
            if self.way is Way.GOT:
                return _line(pb.PlayRequest.FromString(self.data))
            return _response(pb.PlayResponse.FromString(self.data), whole)
        except DecodeError:
            kind = "PlayRequest" if self.way is Way.GOT else "PlayResponse"
            return f"{len(self.data)} bytes that are no {kind}: {self.data.hex(' ')}"


class Transcript:
    """Everything that was said in one check."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._entries: list[TranscriptEntry] = []

    def add(self, way: Way, data: bytes) -> None:
        """Keep a message."""
        self._entries.append(TranscriptEntry(time.monotonic() - self._begun, way, data))

    def note(self, text: str) -> None:
        """Keep a remark."""
        self.add(Way.NOTE, text.encode())

    def last(self, way: Way) -> list[TranscriptEntry]:
        """The bot's latest message of this step; or what was sent to it since, in order."""
        found: list[TranscriptEntry] = []
        for entry in reversed(self._entries):
            if entry.way is Way.NOTE or (entry.way is Way.GOT and way is Way.SENT):
                break
            if entry.way is way:
                found.append(entry)
                if way is Way.GOT:
                    break
        return found[::-1]

    def text(self) -> str:
        """The whole, one line for each message."""
        return "".join(f"{entry.at:9.3f} {_ARROWS[entry.way]} {entry.text()}\n" for entry in self._entries)


def _line(message: Message) -> str:
    return text_format.MessageToString(message, as_one_line=True, as_utf8=True, print_unknown_fields=True)


def _response(message: pb.PlayResponse, whole: bool) -> str:
    """Asks stand at the end, each with the size of its game's part instead of that part itself."""
    if whole or not message.asks:
        return _line(message)
    asks = []
    for ask in message.asks:
        game = ask.WhichOneof("game")
        size = 0
        if game is not None:
            size = getattr(ask, game).ByteSize()
            ask.ClearField(game)
        asks.append(f"asks {{ {_line(ask)} {game or 'game'}: {size} bytes }}")
    del message.asks[:]
    return " ".join([part for part in (_line(message), *asks) if part])
