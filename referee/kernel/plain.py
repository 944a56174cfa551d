"""Plain data: values that can be stored, hashed and compared across processes, machines and languages.

A plain value is None, a bool, an int, a str, a list of plain values, or a dict from str to plain values. There are no
floats: their text differs between languages. `canonical` is the encoding that is hashed: JSON in UTF-8, keys sorted by
code point, no spaces, non-ASCII characters unescaped. A verifier in another language needs this description alone.
"""

from __future__ import annotations

import hashlib
import json
from typing import TypeAlias, cast

from referee.kernel.errors import BadPlain

Plain: TypeAlias = "None | bool | int | str | list[Plain] | dict[str, Plain]"

_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def canonical(value: Plain) -> bytes:
    """The canonical JSON bytes of a plain value."""
    return _encoder.encode(value).encode()


def fingerprint(value: Plain) -> str:
    """The SHA-256 of the canonical bytes, in hex; equal values have equal fingerprints."""
    return hashlib.sha256(canonical(value)).hexdigest()


def parse(text: str | bytes) -> Plain:
    """The plain value that a JSON text stands for; floats, duplicate keys and half characters are refused."""
    try:
        text = text.decode() if isinstance(text, bytes) else text
        value = json.loads(text, parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_unique_keys)
        if not text.isascii() or "\\u" in text:
            canonical(value)  # JSON may hold one half of a surrogate pair, which UTF-8 cannot write
    except BadPlain:
        raise
    except (ValueError, RecursionError) as error:  # a ValueError: no JSON, no UTF-8, or a number of endless digits
        raise BadPlain(f"not JSON: {error}") from None
    return cast(Plain, value)


def _no_float(text: str) -> Plain:
    raise BadPlain(f"the number {text} is not whole; plain data has whole numbers only")


def _unique_keys(pairs: list[tuple[str, Plain]]) -> Plain:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise BadPlain("an object names the same key twice")
    return result
