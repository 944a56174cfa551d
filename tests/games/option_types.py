"""Options of one kind: the kernel knows options as hashable values only, tests look into their fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from referee.kernel.game import Option

K = TypeVar("K")


def all_of(kind: type[K], options: Iterable[Option]) -> list[K]:
    """The options, every one of which must be of this kind."""
    found = []
    for option in options:
        assert isinstance(option, kind)
        found.append(option)
    return found
