"""Reading the fields of plain data that comes from outside: the right type or a BadRecord that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from referee.kernel.errors import BadRecord
from referee.kernel.game import Seat
from referee.kernel.plain import Plain

E = TypeVar("E", bound=StrEnum)
Table = Mapping[str, Plain]

LARGEST = (1 << 63) - 1
"""No number of a record is larger, on either side of zero: each fits into 64 bits, in any language."""

_SEAT_DIGITS = 4


def table(value: Plain, what: str) -> dict[str, Plain]:
    """The object that `value` must be."""
    if not isinstance(value, dict):
        raise BadRecord(f"{what} must be an object")
    return value


def items(fields: Table, key: str) -> list[Plain]:
    """The list under `key`; a missing one is empty."""
    value = fields.get(key, [])
    if not isinstance(value, list):
        raise BadRecord(f"{key!r} must be a list")
    return value


def whole(fields: Table, key: str) -> int:
    """The whole number, 0 or more, under `key`."""
    return natural(fields.get(key), repr(key))


def natural(value: Plain, what: str) -> int:
    """The whole number, 0 or more, that `value` must be."""
    if integer(value, what) < 0:
        raise BadRecord(f"{what} must be 0 or more")
    return integer(value, what)


def integer(value: Plain, what: str) -> int:
    """The whole number that `value` must be."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRecord(f"{what} must be a whole number")
    if abs(value) > LARGEST:
        raise BadRecord(f"{what} must be a number of at most 64 bits")
    return value


def flag(fields: Table, key: str) -> bool:
    """The truth value under `key`."""
    value = fields.get(key)
    if not isinstance(value, bool):
        raise BadRecord(f"{key!r} must be true or false")
    return value


def text(fields: Table, key: str) -> str:
    """The text under `key`."""
    value = fields.get(key)
    if not isinstance(value, str):
        raise BadRecord(f"{key!r} must be a text")
    return value


def member(kind: type[E], fields: Table, key: str) -> E:
    """The member of a closed set under `key`."""
    value = text(fields, key)
    try:
        return kind(value)
    except ValueError:
        raise BadRecord(f"{key!r} must be one of {', '.join(kind)}, not {value[:40]!r}") from None


def texts(value: Plain, what: str) -> tuple[str, ...]:
    """The list of texts that `value` must be."""
    if not isinstance(value, list):
        raise BadRecord(f"{what} must be a list of texts")
    found = tuple(item for item in value if isinstance(item, str))
    if len(found) != len(value):
        raise BadRecord(f"{what} must be a list of texts")
    return found


def numbers_by_seat(fields: Table, key: str) -> dict[Seat, int]:
    """The object from seat to whole number under `key`; a missing one is empty."""
    return {_seat(seat, key): natural(value, repr(key)) for seat, value in _by_seat(fields, key).items()}


def texts_by_seat(fields: Table, key: str) -> dict[Seat, str]:
    """The object from seat to text under `key`; a missing one is empty."""
    seats = _by_seat(fields, key)
    return {_seat(seat, key): text(seats, seat) for seat in seats}


def only(fields: Table, known: tuple[str, ...]) -> None:
    """Refuse fields that nobody knows."""
    for key in fields:
        if key not in known:
            raise BadRecord(f"unknown field {key[:40]!r} (there are: {', '.join(known)})")


def _by_seat(fields: Table, key: str) -> dict[str, Plain]:
    return table(fields.get(key, {}), repr(key))


def _seat(name: str, key: str) -> Seat:
    if not (len(name) <= _SEAT_DIGITS and name.isascii() and name.isdigit() and str(int(name)) == name):
        raise BadRecord(f"{key!r} must have seat numbers as keys, not {name[:40]!r}")
    return int(name)
