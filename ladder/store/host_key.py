"""The host's key: what keeps the secrets of a database's running matches and seasons from readers of the file.

The key is 32 random bytes in hex, in a file of its owner's alone beside the database (`cup.key` for `cup.sqlite`). The
database without the key tells nothing that is not over yet; both together are a whole backup. All constructions are
made of hashes of the standard library.

**Deriving**: BLAKE2b-256 with the host's key over "kumite/host/WHAT" and the parts of a place, joined by zero bytes.

**Sealing** is authenticated encryption, encrypt-then-MAC, under two keys derived from the host's:

    sealed = version (1 byte) || nonce (16 random bytes) || ciphertext || tag (32 bytes)
    ciphertext = plaintext XOR SHAKE-256(encryption key || nonce), squeezed to the length of the plaintext
    tag = BLAKE2b-256(key = authentication key, length of the rest of sealed (8 bytes, big endian) || that || purpose)

SHAKE-256 is an extendable-output function, so the keystream is one call whatever its length. The purpose is a text that
names the place of the sealed value (such as "step/MATCH/7"); a value that was moved to another place does not open.
"""

from __future__ import annotations

import hmac
import os
import secrets
from binascii import a2b_base64, b2a_base64
from hashlib import blake2b, shake_256
from pathlib import Path

from ladder.store.file import StoreProblem

KEY_BYTES = 32
NONCE_BYTES = 16
TAG_BYTES = 32
VERSION = b"\x01"
SEALED = "sealed:"
"""How a sealed text begins; no line of a record does."""
PRIVATE = 0o600


class SealBroken(StoreProblem):
    """A sealed value does not open: another key, another place, or changed bytes."""


class HostKey:
    """A key, and what is derived from it and sealed with it."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a host's key has {KEY_BYTES} bytes, not {len(key)}")
        self._key = key
        self._encryption = self.derive("seal/encryption")
        self._authentication = self.derive("seal/authentication")
        self.check = self.derive("check").hex()[:32]
        """What tells this key from others; the mark may be published."""

    def derive(self, what: str, *place: object) -> bytes:
        """32 bytes that belong to one purpose and place."""
        message = "\0".join([f"kumite/host/{what}", *map(str, place)]).encode()
        return blake2b(message, key=self._key, digest_size=KEY_BYTES).digest()

    def seal(self, value: bytes, purpose: str) -> bytes:
        """The value, readable with this key alone and for this purpose alone."""
        nonce = os.urandom(NONCE_BYTES)
        body = VERSION + nonce + self._crypted(value, nonce)
        return body + self._tag(body, purpose)

    def unseal(self, sealed: bytes, purpose: str) -> bytes:
        """The value that was sealed; raises SealBroken."""
        body, tag = sealed[:-TAG_BYTES], sealed[-TAG_BYTES:]
        start = len(VERSION) + NONCE_BYTES
        if len(body) < start or body[:1] != VERSION or not hmac.compare_digest(tag, self._tag(body, purpose)):
            raise SealBroken(f"{purpose}: what is sealed there does not open with the host's key")
        return self._crypted(body[start:], body[len(VERSION) : start])

    def seal_text(self, text: str, purpose: str) -> str:
        """A text, sealed into a text that begins with `SEALED`."""
        return SEALED + b2a_base64(self.seal(text.encode(), purpose), newline=False).decode()

    def unseal_text(self, text: str, purpose: str) -> str:
        """The text that was sealed; one that is not sealed is returned as it is. Raises SealBroken."""
        if not text.startswith(SEALED):
            return text
        try:
            sealed = a2b_base64(text[len(SEALED) :].encode(), strict_mode=True)
        except ValueError:
            raise SealBroken(f"{purpose}: what is sealed there was changed") from None
        return self.unseal(sealed, purpose).decode()

    def _crypted(self, value: bytes, nonce: bytes) -> bytes:
        """The value XOR the keystream: encrypts and decrypts."""
        size = len(value)
        stream = shake_256(self._encryption + nonce).digest(size)
        return (int.from_bytes(value, "little") ^ int.from_bytes(stream, "little")).to_bytes(size, "little")

    def _tag(self, body: bytes, purpose: str) -> bytes:
        size = len(body).to_bytes(8, "big")
        return blake2b(
            b"".join((size, body, purpose.encode())), key=self._authentication, digest_size=TAG_BYTES
        ).digest()


def key_path(database: Path) -> Path:
    """Where the key of a database lies: beside the file itself, also if that is reached by a link."""
    full = database.resolve()
    beside = full.with_suffix(".key")
    return Path(f"{full}.key") if beside == full else beside


def read_key(path: Path) -> HostKey | None:
    """The key in a file; None: there is no such file. Raises StoreProblem for a file that holds no key."""
    try:
        with path.open("rb") as file:
            text = file.read(4 * KEY_BYTES).strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreProblem(f"{path}: the host's key cannot be read: {error.strerror or error}") from None
    try:
        return HostKey(bytes.fromhex(text.decode("ascii")))
    except ValueError:
        raise StoreProblem(
            f"{path} is no host's key: it must hold {2 * KEY_BYTES} hex digits; put the key of the backup there"
        ) from None


def make_key(path: Path) -> HostKey:
    """A new key in a file of its own, whole or not at all; if another program was faster, that one's key."""
    write_private(path, secrets.token_bytes(KEY_BYTES).hex().encode() + b"\n")
    found = read_key(path)
    if found is None:
        raise StoreProblem(f"{path}: the host's key was removed while it was made")
    return found


def write_private(path: Path, content: bytes) -> bool:
    """Create a file for its owner alone, whole or not at all; returns False, changing nothing, if there is one."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        return name_file(part, path)
    except OSError as error:
        raise StoreProblem(f"{path}: cannot be made: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


def name_file(part: Path, path: Path) -> bool:
    """Give a file that is complete its name for good; returns False if that name is taken."""
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    part.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return True
