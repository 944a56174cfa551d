"""Canonical JSON: one value, one text, one fingerprint, in every language."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kernel.errors import BadPlain
from referee.kernel.plain import Plain, canonical, fingerprint, parse

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
plains: st.SearchStrategy[Plain] = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def naive(value: object) -> str:
    """The canonical text written from its description: keys by code point, no spaces, characters as themselves."""
    if isinstance(value, dict):
        pairs = sorted(value.items(), key=lambda pair: [ord(letter) for letter in pair[0]])
        return "{" + ",".join(f"{naive(key)}:{naive(item)}" for key, item in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(naive(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@given(plains)
def test_canonical_text_is_what_its_description_says(value: Plain) -> None:
    """A second writer, made from the description, produces the same bytes."""
    assert naive(value).encode("utf-8") == canonical(value)


@given(plains)
def test_parsing_gives_the_written_value_back(value: Plain) -> None:
    """Text and bytes both read back as the value that was written, type by type."""
    encoded = canonical(value)

    assert repr(value_sorted(value)) == repr(value_sorted(parse(encoded)))
    assert value == parse(encoded.decode("utf-8"))


def value_sorted(value: object) -> object:
    """The value with its keys in order, so that `repr` compares types as well."""
    if isinstance(value, dict):
        return {key: value_sorted(value[key]) for key in sorted(value)}
    return [value_sorted(item) for item in value] if isinstance(value, list) else value


@given(st.dictionaries(texts, st.integers(), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_in_which_keys_were_added_does_not_matter(value: dict[str, Plain], rng: random.Random) -> None:
    """Equal objects have equal fingerprints, however they were put together."""
    keys = list(value)
    rng.shuffle(keys)

    assert fingerprint(value) == fingerprint({key: value[key] for key in keys})


@given(plains, plains)
def test_different_values_have_different_fingerprints(one: Plain, two: Plain) -> None:
    """Fingerprints are equal exactly for equal texts."""
    assert (naive(one) == naive(two)) == (fingerprint(one) == fingerprint(two))


def test_a_fingerprint_is_the_sha_256_of_the_canonical_bytes() -> None:
    """The literal text of one value, hashed by hand."""
    value: Plain = {"b": [1, None, True], "a": "庭", "Z": {}}
    text = '{"Z":{},"a":"庭","b":[1,null,true]}'

    assert text.encode() == canonical(value)
    assert hashlib.sha256(text.encode()).hexdigest() == fingerprint(value)


@pytest.mark.parametrize(
    "text",
    [
        "1.0",
        "[1e3]",
        '{"a":-0.5}',
        "NaN",
        "[Infinity]",
        "-Infinity",
        '{"a":1,"a":1}',
        '[{"b":{"a":1,"a":2}}]',
        "",
        "{",
        "[1,]",
        "nothing",
        b"\xff\xfe\xfd",
        b'"\xff"',
        "[" * 100_000,
        "1" * 5000,
        '"\\ud800"',
        '{"\\udfff":1}',
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_not_plain_data_is_refused(text: str | bytes) -> None:
    """Fractions, repeated keys, half characters, endless numbers or nesting, and nonsense are all BadPlain."""
    with pytest.raises(BadPlain):
        parse(text)


@given(st.text(max_size=30) | st.binary(max_size=30))
def test_any_text_is_plain_data_or_refused(text: str | bytes) -> None:
    """Nothing but BadPlain ever comes out of parsing, and what comes through can be written again."""
    try:
        value = parse(text)
    except BadPlain:
        return

    assert value == parse(canonical(value))
