"""Reads plain data that comes from outside: returns a value of the right type or raises an error that names the field.

Each format has a `Reader` with its own class of error: records raise BadRecord, dumps of a game's state BadPlain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import TypeVar

from referee.kernel.errors import BadRecord, CallerFault
from referee.kernel.game import Seat
from referee.kernel.plain import Plain

E = TypeVar("E", bound=StrEnum)
Fields = Mapping[str, Plain]
"""The fields of an object, by name."""

LARGEST = (1 << 63) - 1
"""Largest number, on either side of zero, that is read: each fits into 64 bits, in any language."""

_SEAT_DIGITS = 4
_SHOWN = 40


class Reader:
    """Reads the values of one format. `what` names a value in the error."""

    def __init__(self, error: type[CallerFault], prefix: str = "") -> None:
        self._error = error
        self._prefix = prefix

    def wrong(self, text: str) -> CallerFault:
        """The error of this format with that text."""
        return self._error(self._prefix + text)

    def require(self, holds: bool, text: str) -> None:
        """Raise the error with `text` unless `holds`."""
        if not holds:
            raise self.wrong(text)

    def table(self, value: Plain, what: str) -> dict[str, Plain]:
        """The object that `value` must be."""
        if not isinstance(value, dict):
            raise self.wrong(f"{what} must be an object")
        return value

    def only(self, fields: Fields, known: Collection[str]) -> None:
        """Refuse a field that is not among `known`."""
        for key in fields:
            if key not in known:
                raise self.wrong(f"unknown field {key[:_SHOWN]!r} (there are: {', '.join(known)})")

    def exactly(self, value: Plain, what: str, known: Collection[str]) -> dict[str, Plain]:
        """The object that `value` must be, with each of the fields `known` and no other."""
        fields = self.table(value, what)
        self.only(fields, known)
        for key in known:
            if key not in fields:
                raise self.wrong(f"{what} lacks the field {key!r}")
        return fields

    def listed(self, value: Plain, what: str, least: int = 0, most: int | None = None) -> list[Plain]:
        """The list that `value` must be, with `least` to `most` items."""
        if not isinstance(value, list):
            raise self.wrong(f"{what} must be a list")
        if len(value) < least or (most is not None and len(value) > most):
            count = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
            raise self.wrong(f"{what} must have {count} items, not {len(value)}")
        return value

    def items(self, fields: Fields, key: str) -> list[Plain]:
        """The list under `key`; a missing one is empty."""
        return self.listed(fields.get(key, []), repr(key))

    def integer(self, value: Plain, what: str, low: int = -LARGEST, high: int = LARGEST) -> int:
        """The whole number from `low` to `high` that `value` must be."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(f"{what} must be a whole number")
        if low <= value <= high:
            return value
        if abs(value) > LARGEST:
            raise self.wrong(f"{what} must be a number of at most 64 bits")
        raise self.wrong(f"{what} must be {low} or more" if high == LARGEST else f"{what} must be from {low} to {high}")

    def whole(self, fields: Fields, key: str) -> int:
        """The whole number, 0 or more, under `key`."""
        return self.integer(fields.get(key), repr(key), 0)

    def integers(
        self, value: Plain, what: str, low: int = -LARGEST, high: int = LARGEST, count: int | None = None
    ) -> tuple[int, ...]:
        """The list of `count` whole numbers from `low` to `high` that `value` must be; None: any count."""
        items = self.listed(value, what, count or 0, count)
        return tuple([self.integer(item, what, low, high) for item in items])

    def different(
        self, value: Plain, what: str, low: int = -LARGEST, high: int = LARGEST, count: int | None = None
    ) -> tuple[int, ...]:
        """The list of `count` different whole numbers from `low` to `high` that `value` must be; None: any count."""
        found = self.integers(value, what, low, high, count)
        self.require(len(set(found)) == len(found), f"{what} must be different numbers")
        return found

    def flag(self, fields: Fields, key: str) -> bool:
        """The truth value under `key`."""
        value = fields.get(key)
        if not isinstance(value, bool):
            raise self.wrong(f"{key!r} must be true or false")
        return value

    def text(self, fields: Fields, key: str) -> str:
        """The text under `key`."""
        value = fields.get(key)
        if not isinstance(value, str):
            raise self.wrong(f"{key!r} must be a text")
        return value

    def word(self, fields: Fields, key: str, known: Collection[str]) -> str:
        """The text under `key`, which must be one of `known`."""
        value = self.text(fields, key)
        if value not in known:
            raise self.wrong(f"{key!r} must be one of {', '.join(known)}, not {value[:_SHOWN]!r}")
        return value

    def member(self, kind: type[E], fields: Fields, key: str) -> E:
        """The member of a closed set under `key`."""
        return kind(self.word(fields, key, [member.value for member in kind]))

    def texts(self, value: Plain, what: str) -> tuple[str, ...]:
        """The list of texts that `value` must be."""
        found = tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
        if not isinstance(value, list) or len(found) != len(value):
            raise self.wrong(f"{what} must be a list of texts")
        return found

    def numbers_by_seat(self, fields: Fields, key: str) -> dict[Seat, int]:
        """The object from seat to whole number, 0 or more, under `key`; a missing one is empty."""
        found = self._by_seat(fields, key)
        return {int(seat): self.integer(number, repr(key), 0) for seat, number in found.items()}

    def texts_by_seat(self, fields: Fields, key: str) -> dict[Seat, str]:
        """The object from seat to text under `key`; a missing one is empty."""
        found = self._by_seat(fields, key)
        return {int(seat): self.text(found, seat) for seat in found}

    def _by_seat(self, fields: Fields, key: str) -> dict[str, Plain]:
        """The object under `key`, whose names are seat numbers."""
        found = self.table(fields.get(key, {}), repr(key))
        for name in found:
            if not (len(name) <= _SEAT_DIGITS and name.isascii() and name.isdigit() and str(int(name)) == name):
                raise self.wrong(f"{key!r} must have seat numbers as keys, not {name[:_SHOWN]!r}")
        return found


RECORDS = Reader(BadRecord)
"""Reads records and files of matches."""
