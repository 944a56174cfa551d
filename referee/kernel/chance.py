"""Luck as an argument: independent named streams, all derived from one secret.

A game asks `chance.pick("dice/round-2", 6)` or `chance.shuffled("deck", cards)`. Each **stream** is an independent
sequence: how often one stream is used never changes what another stream yields, so two games of one secret get the same
luck wherever they ask the same question, whatever was played before. A further question to a stream continues it.

The construction, for a verifier in any language (test vectors: `tests/vectors/chance.json`):

- The **secret** is 32 bytes. A **stream name** is a string; its bytes are UTF-8.
- `key = BLAKE2b(digest 32 bytes, key = secret, message = "kumite/stream/1" || 0x00 || name)`.
- Block i = 0, 1, 2, ... is `BLAKE2b(digest 64 bytes, key = key, message = i as 8 bytes little-endian)`, read as eight
  64-bit little-endian words. The words of all blocks, in order, are the stream.
- `pick(n)`: take the next word w; while w >= 2^64 - (2^64 mod n), take another; the outcome is w mod n. `pick(1)`
  takes no word.
- `order(n)`: a = [0, 1, ..., n-1]; for i from n-1 down to 1: j = pick(i+1), swap a[i] and a[j]; the outcome is a.
  `shuffled(items)` is [items[k] for k in order(len(items))]; element 0 is the top of a deck.

The **commitment** to a match's luck is `SHA-256("kumite/commit/1" || 0x00 || match id || 0x00 || secret)`, published
before the first card is dealt; the secret is published when the match is over.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from struct import Struct
from typing import NamedTuple, Protocol, TypeVar

from referee.kernel.errors import BadSetting, BrokenRecord, RulesBug

T = TypeVar("T")

SECRET_BYTES = 32
_WORDS = Struct("<8Q")
_SPACE = 1 << 64


class Chance(Protocol):
    """A source of luck. `Sealed` is the real one; the others serve records, tests and search."""

    def pick(self, stream: str, n: int) -> int:
        """A uniform number in 0..n-1."""

    def order(self, stream: str, n: int) -> list[int]:
        """A uniform permutation of 0..n-1."""

    def shuffled(self, stream: str, items: Sequence[T]) -> list[T]:
        """The items in the order of `order`."""


class Outcome(NamedTuple):
    """One answered question to a stream, as records have it."""

    stream: str
    n: int
    value: int | tuple[int, ...]
    """The number picked, or the permutation."""


def commitment(secret: bytes, match_id: str) -> str:
    """The hash that is published before the match: binds the referee to the match's luck and does not reveal it."""
    return hashlib.sha256(b"kumite/commit/1\0" + match_id.encode() + b"\0" + secret).hexdigest()


def secret_from_seed(seed: str) -> bytes:
    """The secret of a seed: reproducible, therefore for tests and experiments, never for rated play."""
    try:
        text = seed.encode()
    except UnicodeEncodeError:
        raise BadSetting(f"the seed {seed!a} is no text: it has characters that UTF-8 cannot write") from None
    return hashlib.sha256(b"kumite/seed/1\0" + text).digest()


class _Shuffling:
    """`order` by Fisher-Yates and `shuffled` by `order`, for sources that define `pick` alone."""

    __slots__ = ()

    def pick(self, stream: str, n: int) -> int:
        raise RulesBug("a source of luck must know how to pick")

    def order(self, stream: str, n: int) -> list[int]:
        items = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.pick(stream, i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def shuffled(self, stream: str, items: Sequence[T]) -> list[T]:
        return [items[i] for i in self.order(stream, len(items))]


class Sealed(_Shuffling):
    """The luck of a real match, derived from its secret by the construction above."""

    __slots__ = ("_secret", "_streams")

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise BadSetting(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self._secret = secret
        self._streams: dict[str, _Stream] = {}

    def pick(self, stream: str, n: int) -> int:
        return self._stream(stream).pick(n)

    def order(self, stream: str, n: int) -> list[int]:
        pick = self._stream(stream).pick
        items = list(range(n))
        for i in range(n - 1, 0, -1):
            j = pick(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def _stream(self, name: str) -> _Stream:
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = _Stream(self._secret, name)
        return stream

    def __repr__(self) -> str:
        return "Sealed(secret not shown)"


class _Stream:
    __slots__ = ("_block", "_key", "_words")

    def __init__(self, secret: bytes, name: str) -> None:
        message = b"kumite/stream/1\0" + name.encode()
        self._key = blake2b(message, digest_size=32, key=secret).digest()
        self._block = 0
        self._words: list[int] = []

    def pick(self, n: int) -> int:
        if n < 2:
            if n == 1:
                return 0
            raise RulesBug(f"luck was asked to pick one of {n}")
        limit = _SPACE - _SPACE % n
        while True:
            if not self._words:
                digest = blake2b(self._block.to_bytes(8, "little"), digest_size=64, key=self._key).digest()
                self._words = list(reversed(_WORDS.unpack(digest)))
                self._block += 1
            word = self._words.pop()
            if word < limit:
                return word % n


class Recording:
    """Passes questions on to another source and keeps its answers, for the record of a match."""

    __slots__ = ("_outcomes", "_source")

    def __init__(self, source: Chance) -> None:
        self._source = source
        self._outcomes: list[Outcome] = []

    def pick(self, stream: str, n: int) -> int:
        value = self._source.pick(stream, n)
        self._outcomes.append(Outcome(stream, n, value))
        return value

    def order(self, stream: str, n: int) -> list[int]:
        value = self._source.order(stream, n)
        self._outcomes.append(Outcome(stream, n, tuple(value)))
        return value

    def shuffled(self, stream: str, items: Sequence[T]) -> list[T]:
        return [items[i] for i in self.order(stream, len(items))]

    def take(self) -> list[Outcome]:
        """The answers since the last call."""
        outcomes, self._outcomes = self._outcomes, []
        return outcomes


class Replayed(_Shuffling):
    """Answers from a record; raises BrokenRecord as soon as a question differs from the recorded one."""

    __slots__ = ("_outcomes", "_used")

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self._outcomes = list(outcomes)
        self._used = 0

    def feed(self, outcomes: Iterable[Outcome]) -> None:
        """Append the outcomes of a further step of the record."""
        self._outcomes.extend(outcomes)

    def pick(self, stream: str, n: int) -> int:
        value = self._next(stream, n)
        if not isinstance(value, int) or not 0 <= value < n:
            raise BrokenRecord(f"the record has no number below {n} for stream {stream!r}")
        return value

    def order(self, stream: str, n: int) -> list[int]:
        value = self._next(stream, n)
        if isinstance(value, int) or sorted(value) != list(range(n)):
            raise BrokenRecord(f"the record has no permutation of {n} for stream {stream!r}")
        return list(value)

    def drained(self) -> bool:
        """Whether every recorded outcome has been asked for."""
        return self._used == len(self._outcomes)

    def _next(self, stream: str, n: int) -> int | tuple[int, ...]:
        if self.drained():
            raise BrokenRecord(f"the record has no outcome left for stream {stream!r}")
        outcome = self._outcomes[self._used]
        if (outcome.stream, outcome.n) != (stream, n):
            raise BrokenRecord(
                f"the rules ask stream {stream!r} for one of {n}, "
                f"the record has {outcome.stream!r} for one of {outcome.n}"
            )
        self._used += 1
        return outcome.value


class Scripted(_Shuffling):
    """Luck written down by a test: for each stream its outcomes in order; any other question raises BadSetting."""

    __slots__ = ("_otherwise", "_script")

    def __init__(self, script: Mapping[str, Iterable[int | Sequence[int]]], otherwise: Chance | None = None) -> None:
        """`otherwise` answers for the streams that the script does not name."""
        self._script = {stream: list(outcomes)[::-1] for stream, outcomes in script.items()}
        self._otherwise = otherwise

    def pick(self, stream: str, n: int) -> int:
        if self._otherwise is not None and stream not in self._script:
            return self._otherwise.pick(stream, n)
        value = self._next(stream)
        if not isinstance(value, int) or not 0 <= value < n:
            raise BadSetting(f"the script for {stream!r} has {value!r} where a number below {n} is due")
        return value

    def order(self, stream: str, n: int) -> list[int]:
        if self._otherwise is not None and stream not in self._script:
            return self._otherwise.order(stream, n)
        value = self._next(stream)
        if isinstance(value, int) or sorted(value) != list(range(n)):
            raise BadSetting(f"the script for {stream!r} has {value!r} where a permutation of {n} is due")
        return list(value)

    def _next(self, stream: str) -> int | Sequence[int]:
        outcomes = self._script.get(stream)
        if not outcomes:
            raise BadSetting(f"the script has no outcome (left) for stream {stream!r}")
        return outcomes.pop()


class Fast:
    """Quick luck for search and playouts, from Python's own generator; stream names are ignored."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str | None = None) -> None:
        self._random = random.Random(seed)

    def pick(self, stream: str, n: int) -> int:
        return int(self._random.random() * n)

    def order(self, stream: str, n: int) -> list[int]:
        return self.shuffled(stream, range(n))

    def shuffled(self, stream: str, items: Sequence[T]) -> list[T]:
        # Sorting by random keys takes a third of the time of `Random.shuffle`; keys of 53 bits hardly ever meet.
        draw = self._random.random
        return sorted(items, key=lambda item: draw())
