"""Ids and secrets of a season's matches: values that belong to one place of the schedule.

    secret = BLAKE2b-256(key = season secret, "kumite/season/secret", game, seats, settings, group [, rotation])
    id     = BLAKE2b-128(key = season secret, "kumite/season/match", game, seats, settings, group, rotation)

The parts are text, joined by zero bytes; the rotation is part of a secret only where deals are independent. In a later
edition of a pool (same game, seats and settings, another clock or version of the rules) the text "edition N" comes
last, and so does "attempt N" where a void match is played again.

In an open season whose secret derives from the host's key, ids are random and secrets belong to them:

    secret = BLAKE2b-256(key = season secret, "kumite/season/open", id)
"""

from __future__ import annotations

from hashlib import blake2b

from ladder.store.records import PoolRow
from referee.kernel.chance import SECRET_BYTES

ID_BYTES = 16


def derive(season: bytes, what: str, size: int, *place: object) -> bytes:
    """A value that belongs to one place of the schedule."""
    message = "\0".join([f"kumite/season/{what}", *map(str, place)]).encode()
    return blake2b(message, key=season, digest_size=size).digest()


def match_id(season: bytes, pool: PoolRow, group: int, rotation: int, attempt: int = 0) -> str:
    """The id of a match."""
    return _derive_of_match(season, "match", ID_BYTES, pool, (group, rotation), attempt).hex()


def match_secret(
    season: bytes, pool: PoolRow, group: int, rotation: int, *, duplicate: bool, attempt: int = 0
) -> bytes:
    """The secret of a match; the matches of a duplicate set share it."""
    deal = (group,) if duplicate else (group, rotation)
    return _derive_of_match(season, "secret", SECRET_BYTES, pool, deal, attempt)


def open_secret(season: bytes, match: str) -> bytes:
    """The secret of a match with a random id."""
    return derive(season, "open", SECRET_BYTES, match)


def _derive_of_match(season: bytes, what: str, size: int, pool: PoolRow, deal: tuple[int, ...], attempt: int) -> bytes:
    """A value of a match in a pool; `deal` is its group, and its rotation where deals are independent."""
    edition = [f"edition {pool.edition}"] if pool.edition else []
    later = [*edition, f"attempt {attempt}"] if attempt else edition
    return derive(season, what, size, pool.game, pool.seats, *sorted(pool.variant.items()), *deal, *later)
