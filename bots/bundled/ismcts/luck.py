"""Luck for comparing answers: the same for each of them, whatever was played in between.

A sweep tries all its candidates on one imagined world. If they also meet the same luck, the difference between their
outcomes is theirs and not that of the dice. As in a real match each stream of luck is a sequence of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")


class Paired:
    """Luck that depends on its seed and the names of its streams only."""

    __slots__ = ("_seed", "_streams")

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._streams: dict[str, Random] = {}

    def pick(self, stream: str, n: int) -> int:
        return int(self._stream(stream).random() * n)

    def order(self, stream: str, n: int) -> list[int]:
        return self.shuffled(stream, range(n))

    def shuffled(self, stream: str, items: Sequence[T]) -> list[T]:
        result = list(items)
        self._stream(stream).shuffle(result)
        return result

    def _stream(self, name: str) -> Random:
        found = self._streams.get(name)
        if found is None:
            # Not hash(), which differs from process to process.
            found = self._streams[name] = Random(self._seed << 32 | crc32(name.encode()))
        return found
