"""The host's key: derived values, sealed values, and the file it lies in."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.store.file import StoreProblem
from ladder.store.host_key import HostKey, SealBroken, key_path, make_key, read_key, write_private

KEY = HostKey(bytes(range(32)))


@given(st.binary(max_size=5000), st.text(max_size=40))
def test_what_is_sealed_opens_again(value: bytes, purpose: str) -> None:
    """Any value for any purpose; the sealed form does not hold it, and is another one each time."""
    sealed = KEY.seal(value, purpose)

    assert KEY.unseal(sealed, purpose) == value
    assert KEY.seal(value, purpose) != sealed
    assert len(value) < 4 or value not in sealed


@given(st.binary(min_size=1, max_size=80), st.data())
def test_a_changed_bit_is_found(value: bytes, data: st.DataObject) -> None:
    """Wherever it is: version, nonce, ciphertext or tag; and so is a cut or a longer value."""
    sealed = KEY.seal(value, "x")
    place = data.draw(st.integers(0, len(sealed) * 8 - 1))
    changed = bytearray(sealed)
    changed[place // 8] ^= 1 << place % 8

    for wrong in (bytes(changed), sealed[:-1], sealed[1:], sealed + b"\0", b""):
        with pytest.raises(SealBroken):
            KEY.unseal(wrong, "x")


def test_a_sealed_value_opens_at_its_own_place_and_with_its_own_key_alone() -> None:
    """Moving the sealed lines of one match to another match shows nothing."""
    sealed = KEY.seal(b"deck", "step/a/1")

    for key, purpose in ((KEY, "step/a/2"), (KEY, ""), (HostKey(bytes(32)), "step/a/1")):
        with pytest.raises(SealBroken):
            key.unseal(sealed, purpose)
    # The purpose is told apart from the end of the ciphertext.
    with pytest.raises(SealBroken):
        KEY.unseal(KEY.seal(b"xy", "z")[:-33] + KEY.seal(b"xy", "z")[-32:], "yz")


def test_texts_are_sealed_into_texts_that_say_so() -> None:
    """A line of a record is stored in a column of text; a text that is not sealed is read as it is."""
    sealed = KEY.seal_text('{"n":0}\n', "p")

    assert sealed.startswith("sealed:")
    assert sealed.isascii()
    assert KEY.unseal_text(sealed, "p") == '{"n":0}\n'
    assert KEY.unseal_text('{"n":0}\n', "p") == '{"n":0}\n'
    with pytest.raises(SealBroken, match="changed"):
        KEY.unseal_text("sealed:%%%", "p")


def test_the_construction_is_the_documented_one() -> None:
    """A value that was sealed by the words of the module opens: a program in another language could do it."""
    from hashlib import blake2b, shake_256

    def derived(what: str) -> bytes:
        return blake2b(f"kumite/host/{what}".encode(), key=bytes(range(32)), digest_size=32).digest()

    nonce, value, purpose = bytes(range(16)), b"thirty-two bytes of luck to come", b"secret/m"
    stream = shake_256(derived("seal/encryption") + nonce).digest(len(value))
    body = b"\x01" + nonce + bytes(a ^ b for a, b in zip(value, stream, strict=True))
    size = len(body).to_bytes(8, "big")
    tag = blake2b(size + body + purpose, key=derived("seal/authentication"), digest_size=32).digest()

    assert KEY.unseal(body + tag, "secret/m") == value
    assert KEY.check == derived("check").hex()[:32]


def test_derived_values_belong_to_their_place() -> None:
    """Parts are told apart, keys are, and the same place has the same value."""
    values = [KEY.derive("season", "a", "b"), KEY.derive("season", "ab"), KEY.derive("seal", "a", "b")]
    other = HostKey(bytes(32)).derive("season", "a", "b")

    assert len({*values, other}) == 4
    assert KEY.derive("season", "a", "b") == values[0]


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    """The second program that makes it gets the first one's; nothing else is left in the folder."""
    path = tmp_path / "cup.key"
    first, second = make_key(path), make_key(path)
    found = read_key(path)

    assert found is not None
    assert first.check == second.check == found.check
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
    assert not write_private(path, b"other")
    assert read_key(tmp_path / "none") is None


@pytest.mark.parametrize("content", [b"", b"00" * 31, b"00" * 33, b"zz" * 32, b"\xff" * 64, b"00" * 500_000])
def test_a_file_that_holds_no_key_is_named(tmp_path: Path, content: bytes) -> None:
    """Too short, too long, no hex, no text: one line with the path and what belongs there."""
    (tmp_path / "cup.key").write_bytes(content)

    with pytest.raises(StoreProblem, match=r"cup\.key is no host's key: it must hold 64 hex digits"):
        read_key(tmp_path / "cup.key")


def test_the_key_lies_beside_the_database_under_its_name(tmp_path: Path) -> None:
    """`cup.key` for `cup.sqlite`; never the database itself; behind a link beside the file it leads to."""
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far" / "cup.sqlite")

    assert key_path(tmp_path / "cup.sqlite") == tmp_path / "cup.key"
    assert key_path(tmp_path / "cup") == tmp_path / "cup.key"
    assert key_path(tmp_path / "cup.key") == tmp_path / "cup.key.key"
    assert key_path(tmp_path / "near") == tmp_path / "far" / "cup.key"
