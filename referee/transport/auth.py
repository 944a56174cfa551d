"""Bearer tokens and names of bots.

With a `Directory` a bot sends a bearer token in the call's metadata, and the token proves the bot's name. Tokens are 32
random bytes; only their SHA-256 is stored, so a stolen file of hashes admits no bot, and a slow hash would add nothing
to 256 bits of entropy. A referee without a directory is open to any name, for use on one's own machine.

A tokens file is TOML with one table:

    [tokens]
    greedy = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
"""

from __future__ import annotations

import hashlib
import re
import secrets
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from referee.kernel.bounded import read_text
from referee.kernel.errors import BadSetting

SCHEME = "bearer "
_HASHED = re.compile(r"sha256:[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._\-+:=,]*")


def new_token() -> str:
    """A fresh token to hand to an entrant."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """The hash of a token that is stored."""
    return "sha256:" + hashlib.sha256(token.encode()).hexdigest()


def bearer(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    """The bearer token in a call's metadata; empty: none."""
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str) and value[: len(SCHEME)].lower() == SCHEME:
            return value[len(SCHEME) :].strip()
    return ""


def bad_name(name: str, longest: int) -> str | None:
    """What is wrong with a bot's name; None: nothing."""
    if len(name) > longest or not _NAME.fullmatch(name):
        shown = name[:longest].encode("ascii", "replace").decode()
        return (
            f"{shown!r} is no name for a bot: use 1 to {longest} of the letters A-Z a-z, digits and . _ - + : = , and "
            f"begin with a letter or digit"
        )
    return None


class Tokens:
    """A directory in memory: stored hash to name."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` maps each stored hash to the entrant's name."""
        self._names = dict(names)

    @classmethod
    def of(cls, tokens: Sequence[tuple[str, str]]) -> Tokens:
        """The directory for pairs of name and token."""
        return cls({hashed(token): name for name, token in tokens})

    @classmethod
    def read(cls, path: Path) -> Tokens:
        """The directory in a tokens file; raises BadSetting."""
        try:
            tables = tomllib.loads(read_text(path))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadSetting(f"cannot read the tokens file {path}: {error}") from None
        tokens = tables.get("tokens")
        if not isinstance(tokens, dict):
            raise BadSetting(f'{path} has no table [tokens] with lines like greedy = "sha256:..."')
        names: dict[str, str] = {}
        for name, stored in tokens.items():
            wrong = bad_name(name, 64)
            if wrong is not None:
                raise BadSetting(f"{path}: {wrong}")
            if not isinstance(stored, str) or not _HASHED.fullmatch(stored):
                raise BadSetting(f"{path}: the token of {name} must be stored as sha256: and 64 hex digits")
            if stored in names:
                raise BadSetting(f"{path}: {name} and {names[stored]} have the same token")
            names[stored] = name
        return cls(names)

    @property
    def needs_token(self) -> bool:
        """True: bots without a token do not play."""
        return True

    def reserved(self, name: str) -> bool:
        """True: every name needs its token."""
        return True

    def refresh(self) -> bool:
        """False: the tokens never change."""
        return False

    def entrant(self, token: str) -> str | None:
        """The name of the entrant that a token belongs to; None: the token is unknown or revoked.

        The lookup compares hashes, not secrets, so its timing tells nothing about a token.
        """
        return self._names.get(hashed(token))
