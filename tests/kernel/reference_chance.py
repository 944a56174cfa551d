"""The stream construction a second time, written from the text in `referee.kernel.chance` alone.

It is as plain as a verifier in another language would be: no caches, no classes, a stream is a generator of words.
Running it as a program prints the vectors that stand in `tests/vectors/chance.json`:

    python -m tests.kernel.reference_chance > tests/vectors/chance.json
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import TypedDict


class StreamVector(TypedDict):
    """Key and first words of a stream, in hexadecimal digits."""

    secret: str
    stream: str
    key: str
    words: list[str]


class Pick(TypedDict):
    """A number below `n`, both as decimal digits: they may need 64 bits."""

    n: str
    value: str


class PickVector(TypedDict):
    """Picks from one stream in a row."""

    secret: str
    stream: str
    picks: list[Pick]


class Order(TypedDict):
    """A permutation of 0..n-1."""

    n: int
    value: list[int]


class OrderVector(TypedDict):
    """Permutations from one stream in a row."""

    secret: str
    stream: str
    orders: list[Order]


class CommitmentVector(TypedDict):
    """What is published before a match."""

    secret: str
    match: str
    commitment: str


class Vectors(TypedDict):
    """The file of vectors."""

    streams: list[StreamVector]
    picks: list[PickVector]
    orders: list[OrderVector]
    commitments: list[CommitmentVector]


def stream_key(secret: bytes, name: str) -> bytes:
    """The 32 bytes that a stream's blocks are keyed with."""
    mac = hashlib.blake2b(digest_size=32, key=secret)
    mac.update(b"kumite/stream/1")
    mac.update(bytes([0]))
    mac.update(name.encode("utf-8"))
    return mac.digest()


def words(secret: bytes, name: str) -> Iterator[int]:
    """All words of a stream, in order."""
    key = stream_key(secret, name)
    number = 0
    while True:
        counter = bytes((number >> (8 * place)) & 0xFF for place in range(8))
        block = hashlib.blake2b(counter, digest_size=64, key=key).digest()
        for start in range(0, 64, 8):
            yield sum(block[start + place] << (8 * place) for place in range(8))
        number += 1


def pick(source: Iterator[int], n: int) -> int:
    """A number below n by rejection."""
    if n == 1:
        return 0
    for word in source:
        if word < 2**64 - (2**64 % n):
            return word % n
    raise AssertionError("a stream has no end")


def order(source: Iterator[int], n: int) -> list[int]:
    """A permutation of 0..n-1 by swaps from the end."""
    result = [*range(n)]
    i = n - 1
    while i >= 1:
        j = pick(source, i + 1)
        result[i], result[j] = result[j], result[i]
        i -= 1
    return result


def commitment(secret: bytes, match_id: str) -> str:
    """What is published before a match."""
    return hashlib.sha256(
        b"".join([b"kumite/commit/1", b"\x00", match_id.encode("utf-8"), b"\x00", secret])
    ).hexdigest()


def vectors() -> Vectors:
    """What the file of vectors says: keys, words, picks, orders and commitments of some secrets and streams."""
    counting, zeros, ones = bytes(range(32)), bytes(32), bytes([255] * 32)
    streams: list[StreamVector] = []
    for secret, name in [(counting, "deck"), (counting, "dice/round-2"), (zeros, "deck"), (ones, "庭/1"), (zeros, "")]:
        source = words(secret, name)
        streams.append(
            {
                "secret": secret.hex(),
                "stream": name,
                "key": stream_key(secret, name).hex(),
                "words": [f"{next(source):016x}" for _ in range(10)],
            }
        )
    # The sizes just above 2^63 refuse nearly every second word, so a verifier that forgets the rejection is caught.
    sizes = [2, 6, 1, 1, 6, 20, 64, 1000, 2**63 + 1, 2**63 + 1, 2**63 + 1, 2**63 + 1, 2**64, 3]
    picks: list[PickVector] = []
    orders: list[OrderVector] = []
    for secret, name in [(counting, "dice"), (ones, "庭/1")]:
        source = words(secret, name)
        outcomes: list[Pick] = [{"n": str(n), "value": str(pick(source, n))} for n in sizes]
        picks.append({"secret": secret.hex(), "stream": name, "picks": outcomes})
        source = words(secret, name)
        permutations: list[Order] = [{"n": n, "value": order(source, n)} for n in (0, 1, 2, 5, 20, 5)]
        orders.append({"secret": secret.hex(), "stream": name, "orders": permutations})
    promises: list[CommitmentVector] = [
        {"secret": secret.hex(), "match": match_id, "commitment": commitment(secret, match_id)}
        for secret, match_id in [(counting, "m-1"), (zeros, ""), (ones, "試合")]
    ]
    return {"streams": streams, "picks": picks, "orders": orders, "commitments": promises}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n")
