"""Tokens: only their hashes are kept, and a file of them is checked when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.kernel.errors import BadSetting
from referee.transport.auth import Tokens, bearer, hashed, new_token


def test_a_token_is_long_and_never_the_same() -> None:
    """32 random bytes each time."""
    tokens = {new_token() for _ in range(100)}

    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 43


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ((("authorization", "Bearer abc"),), "abc"),
        ((("authorization", "bearer abc "),), "abc"),
        ((("authorization", "Basic abc"),), ""),
        ((("x-other", "Bearer abc"),), ""),
        ((("authorization", b"Bearer abc"),), ""),
        ((), ""),
        (None, ""),
    ],
)
def test_the_token_stands_in_the_metadata(metadata: tuple[tuple[str, str | bytes], ...] | None, expected: str) -> None:
    """`authorization: Bearer <token>`, as HTTP has it."""
    assert expected == bearer(metadata)


def test_a_directory_knows_tokens_by_their_hash_alone() -> None:
    """What is stored cannot be used as a token."""
    stored = hashed("secret")
    directory = Tokens({stored: "ann"})

    assert directory.entrant("secret") == "ann"
    assert directory.entrant(stored) is None
    assert "secret" not in stored


def test_a_tokens_file_is_read(tmp_path: Path) -> None:
    """One line for each entrant."""
    path = tmp_path / "tokens.toml"
    path.write_text(f'[tokens]\nann = "{hashed("a")}"\n"bob:x=1" = "{hashed("b")}"\n')
    directory = Tokens.read(path)

    assert [directory.entrant(token) for token in "abc"] == ["ann", "bob:x=1", None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, "cannot read"),
        ("[tokens", "cannot read"),
        ("[others]", "no table [tokens]"),
        ('tokens = "x"', "no table [tokens]"),
        ('[tokens]\nann = "secret"', "64 hex digits"),
        ("[tokens]\nann = 3", "64 hex digits"),
        (f'[tokens]\n"bad name" = "{hashed("a")}"', "no name for a bot"),
        (f'[tokens]\nann = "{hashed("a")}"\nbob = "{hashed("a")}"', "the same token"),
    ],
)
def test_a_bad_tokens_file_is_one_clear_error(tmp_path: Path, text: str | None, expected: str) -> None:
    """The error names the file and what is wrong."""
    path = tmp_path / "tokens.toml"
    if text is not None:
        path.write_text(text)

    with pytest.raises(BadSetting) as caught:
        Tokens.read(path)

    assert expected in str(caught.value)
    assert str(path) in str(caught.value)
