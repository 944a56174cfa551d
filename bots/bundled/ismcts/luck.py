"""Luck for comparing answers: the same draws for each answer, whatever was played in between.

A sweep tries all candidates on one determinised state. With equal luck the difference between their outcomes is due to
the candidates and not to the dice. As in a real match each stream of luck is an independent sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")


class Paired:
    """Luck that depends on a seed and the names of its streams only."""

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
            # crc32 and not hash(), which differs between processes.
            found = self._streams[name] = Random(self._seed << 32 | crc32(name.encode()))
        return found
