"""Protobuf's wire format, as far as it pays to write it by hand.

Building messages field by field is most of the cost of sending them, and most parts of an ask have been sent before: to
another seat, or in the last ask. Serialised parts can be joined: a message is the concatenation of its fields, and a
list of small numbers is a run of single bytes. `Fields`, the field table of one message type, writes fields by their
names; the numbers of the fields come from the type's descriptor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from google.protobuf.message import Message

_SMALL = 128
"""Numbers below this take one byte."""
_MIDDLE = 128 * _SMALL
"""Numbers below this take at most two bytes."""
_LAST = tuple(
    bytes((number,)) if number < _SMALL else bytes((number & 0x7F | 0x80, number >> 7)) for number in range(_MIDDLE)
)
_MORE = tuple(bytes((number & 0x7F | 0x80, number >> 7 | 0x80)) for number in range(_MIDDLE))
"""The lower fourteen bits of a longer number, marked as not the last."""
_UNWRITTEN = object()
"""Unequal to every value of a field."""


def varint(number: int) -> bytes:
    """A number that is not negative, as protobuf writes it: seven bits a byte, the lowest first."""
    if number < _MIDDLE:
        return _LAST[number]
    rest = number >> 14
    if rest < _MIDDLE:
        return _MORE[number & _MIDDLE - 1] + _LAST[rest]
    return _MORE[number & _MIDDLE - 1] + _MORE[rest & _MIDDLE - 1] + varint(rest >> 14)


def zigzag(number: int) -> bytes:
    """A signed number: 0, -1, 1, -2, ... are written as 0, 1, 2, 3, ..."""
    return varint(2 * number if number >= 0 else -2 * number - 1)


def varints(numbers: Sequence[int]) -> bytes:
    """A list of numbers that are not negative."""
    if not numbers or max(numbers) < _SMALL:
        return bytes(numbers)
    return b"".join(map(varint, numbers))


def zigzags(numbers: Iterable[int]) -> bytes:
    """A list of signed numbers."""
    return varints([2 * number if number >= 0 else -2 * number - 1 for number in numbers])


class Fields:
    """The field table of one message type: writes fields by name."""

    __slots__ = ("_numbers", "_prefixes")

    def __init__(self, kind: type[Message]) -> None:
        fields = kind.DESCRIPTOR.fields
        self._numbers = {field.name: varint(field.number << 3) for field in fields}
        self._prefixes = {field.name: varint(field.number << 3 | 2) for field in fields}

    def number(self, name: str, value: int) -> bytes:
        """A field with one number that is not negative: an unsigned int, a bool, an enum."""
        return self._numbers[name] + varint(value)

    def tag(self, name: str) -> bytes:
        """The bytes before the number of a field with one number."""
        return self._numbers[name]

    def prefix(self, name: str) -> bytes:
        """The bytes before the length of a field with bytes in it."""
        return self._prefixes[name]

    def chunk(self, name: str, payload: bytes | bytearray) -> bytes:
        """A field with bytes in it: a text, a list of numbers, a message; empty bytes are left out."""
        return self._prefixes[name] + varint(len(payload)) + payload if payload else b""


class FieldTable:
    """Writes the fields of one message by a table of writers and keeps the bytes of each field.

    A field is written anew when its value is no longer equal to the kept one. The bytes of a message do not depend on
    the messages before.
    """

    __slots__ = ("_parts", "_values", "_writers")

    def __init__(self, writers: Sequence[Callable[[Any], bytes]]) -> None:
        """`writers` has the function of each field, in the order on the wire."""
        self._writers = writers
        self._parts = [b""] * len(writers)
        self._values: list[object] = [_UNWRITTEN] * len(writers)

    def __call__(self, values: Iterable[object]) -> bytes:
        """The message with these values, one for each writer."""
        kept, parts = self._values, self._parts
        for at, value in enumerate(values):
            if value != kept[at]:
                parts[at] = self._writers[at](value)
                kept[at] = value
        return b"".join(parts)
