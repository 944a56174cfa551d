"""Looking into views without knowing their types: are they values, where do two differ, does one contain the other?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import MappingProxyType
from typing import Protocol

ATOMS = (bool, int, str, bytes, type(None))
MAKING = "__dataclass_params__"
"""The attribute in which a dataclass keeps how it was made."""


class Making(Protocol):
    """The arguments of the decorator that made a dataclass."""

    frozen: bool
    eq: bool


def parts(value: object) -> list[tuple[str, object]] | None:
    """What a value is made of, each part with its name; None for what has no parts."""
    if isinstance(value, Enum):
        return None
    if is_dataclass(value):
        return [(f".{part.name}", getattr(value, part.name)) for part in fields(value)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(f".{name}", getattr(value, name)) for name in value._fields]
    if isinstance(value, (tuple, list)):
        return [(f"[{i}]", item) for i, item in enumerate(value)]
    if isinstance(value, Mapping):
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, (set, frozenset)):
        return [(f"{{{item!r}}}", item) for item in sorted(value, key=repr)]
    return None


def flaws(value: object, path: str = "view") -> Iterator[str]:
    """Everything about a value that makes it more than a value: parts that can change, or that comparison ignores."""
    if isinstance(value, (*ATOMS, Enum)):
        return
    if is_dataclass(value):
        made: Making = getattr(value, MAKING)
        if not made.frozen or not made.eq:
            yield f"{path} is a {type(value).__name__}, which is not a frozen, comparable dataclass"
        yield from (f"{path}.{part.name} is left out of comparisons" for part in fields(value) if not part.compare)
    elif not isinstance(value, (tuple, frozenset, MappingProxyType)):
        yield f"{path} is a {type(value).__name__}, which is not a plain immutable value"
        return
    yield from (f"{path} carries {name} beside its fields" for name in spare(value))
    for name, part in parts(value) or ():
        yield from flaws(part, path + name)


def spare(value: object) -> list[str]:
    """The attributes of an object that are none of its fields."""
    known = {part.name for part in fields(value)} if is_dataclass(value) else set()
    slots = {name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ()) if hasattr(value, name)}
    return sorted((slots | set(getattr(value, "__dict__", ()))) - known)


def differences(one: object, two: object, path: str = "") -> Iterator[str]:
    """Where two values differ, part by part."""
    if one == two:
        return
    left, right = parts(one), parts(two)
    if left is None or right is None or [name for name, _ in left] != [name for name, _ in right]:
        yield f"{path or 'all of it'}: {one!r} and {two!r}"
        return
    for (name, part), (_, other) in zip(left, right, strict=True):
        yield from differences(part, other, path + name)


def uncontained(public: object, own: object, path: str = "") -> Iterator[str]:
    """What the public value says and the own value does not.

    None says nothing. A value contains its equal; a structure contains one with the same fields, each contained; a
    tuple contains those that come from it by leaving items out; so do sets and mappings.
    """
    if public is None or public == own:
        return
    left, right = parts(public), parts(own)
    if left is None or right is None:
        yield f"{path or 'all of it'}: {public!r} is public, the seat sees {own!r}"
    elif isinstance(public, tuple) and not hasattr(public, "_fields") and len(left) != len(right):
        rest = (other for _, other in right)
        if not all(any(not list(uncontained(item, other)) for other in rest) for item in public):
            yield f"{path}: {public!r} is public, the seat sees {own!r}"
    else:
        seen = dict(right)
        for name, part in left:
            if name not in seen:
                yield f"{path}{name} is public, the seat does not have it"
            else:
                yield from uncontained(part, seen[name], path + name)
