"""The notation of the test vectors in section 16 of the rules: houses as pictures, cards as rows, lines as text."""

from __future__ import annotations

import re

from referee.games.edo_yashiki.components import Face, half_turn
from referee.games.edo_yashiki.house import House, HouseLine, drawn, options, protected
from referee.games.edo_yashiki.options import PlaceCard


def house(picture: str, x: int = 0, y: int = 0) -> House:
    """`FT/TP` @(x,y): rows from the top, `.` for empty."""
    return drawn(picture.split("/"), x, y)


def face(rows: str, rot: int = 0) -> Face:
    """A card as printed, or after a half-turn; it need not be one of the list."""
    printed = tuple(row.encode() for row in rows.split("/"))
    return half_turn(printed) if rot else printed


def lines(text: str) -> tuple[HouseLine, ...]:
    """`H(0,0)x4 G, V(1,1)x3 P`."""
    found = re.findall(r"([HV])\((-?\d+),(-?\d+)\)x(\d+) ([FTPG])", text)
    return tuple(HouseLine(axis, int(x), int(y), int(length), kind) for axis, x, y, length, kind in found)


def anchors(built: House) -> set[tuple[int, int]]:
    """The legal anchors of a house, read off the options of some card."""
    return {(x, y) for x, y, _ in options(built, 0)}


def may_place(built: House, x: int, y: int) -> bool:
    """Whether a card may be laid there."""
    return PlaceCard(x, y, 0) in options(built, 0)


def protected_cells(built: House) -> set[tuple[int, int]]:
    """The coordinates of the protected cells."""
    mask = protected(built)
    positions = [position for position in range(mask.bit_length()) if mask >> position & 1]
    return {(built.left + at % built.stride, built.top + at // built.stride) for at in positions}


def picture(built: House) -> dict[tuple[int, int], str]:
    """The visible cells of a house."""
    return {
        (built.left + at % built.stride, built.top + at // built.stride): chr(kind)
        for at, kind in enumerate(built.cells)
        if chr(kind) != "."
    }
