"""Tokens of entrants. Only hashes are stored, so a token cannot be shown again."""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from ladder.store.file import DatabaseFile, moment
from referee.kernel.errors import BadSetting, UnknownName

ENTRANT, ADMIN = "entrant", "admin"
"""What a token is good for."""


def hashed(token: str) -> str:
    """A token as it is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


class TokenRow(NamedTuple):
    """A token as `kumite token list` shows it."""

    name: str
    owner: str
    role: str
    created: str
    revoked: str | None


class TokenTable(DatabaseFile):
    """Who may play."""

    def new_token(self, bot: str, *, owner: str = "", role: str = ENTRANT, replace: bool = False) -> str:
        """A fresh token for an entrant. Raises BadSetting if the entrant has a valid one and it is not to be replaced.

        `owner` is who stands behind the bot: bots of one owner do not share a table of three or more seats. Empty:
        the owner that the entrant's last token had.
        """
        token = secrets.token_urlsafe(32)
        with self.transaction():
            if self.has_token(bot, role):
                if not replace:
                    raise BadSetting(
                        f"{bot} has {'an admin' if role == ADMIN else 'a'} token already, which cannot be shown again; "
                        f"--replace revokes it and makes a new one"
                    )
                self.revoke(bot, role)
            earlier = self._connection.execute(
                "select owner from tokens where bot = ? order by created desc limit 1", (bot,)
            ).fetchone()
            if not owner and earlier is not None:
                owner = earlier[0]
            self._connection.execute("insert or ignore into bots (name, created) values (?, ?)", (bot, moment()))
            self._connection.execute(
                "insert into tokens (hash, bot, created, owner, role) values (?, ?, ?, ?, ?)",
                (hashed(token), bot, moment(), owner, role),
            )
        return token

    def has_token(self, bot: str, role: str = ENTRANT) -> bool:
        """Whether an entrant has a token that admits, or an organiser one that lets operate."""
        found = self._connection.execute(
            "select 1 from tokens where bot = ? and role = ? and revoked is null", (bot, role)
        ).fetchone()
        return found is not None

    def tokens(self) -> list[TokenRow]:
        """Every token ever made, by entrant and time."""
        rows = self._connection.execute(
            "select bot, owner, role, created, revoked from tokens order by bot, created, rowid"
        )
        return [TokenRow(*row) for row in rows]

    def valid_tokens(self, role: str = ENTRANT) -> dict[str, tuple[str, str]]:
        """The tokens of a role that are not revoked: hash to (name, owner)."""
        rows = self._connection.execute(
            "select hash, bot, owner from tokens where revoked is null and role = ?", (role,)
        )
        return {digest: (bot, owner) for digest, bot, owner in rows}

    def revoke(self, bot: str, role: str | None = None) -> int:
        """Revoke all tokens of an entrant or organiser, or those of one role; returns how many were valid."""
        known = [row[0] for row in self._connection.execute("select distinct bot from tokens")]
        if bot not in known:
            raise UnknownName.of("entrant with a token", bot, known)
        with self.transaction():
            changed = self._connection.execute(
                "update tokens set revoked = ? where bot = ? and role = coalesce(?, role) and revoked is null",
                (moment(), bot, role),
            )
            return changed.rowcount

    def entrant(self, token: str) -> str | None:
        """The name of the entrant that a token belongs to; None: unknown or revoked."""
        row = self._connection.execute(
            "select bot from tokens where hash = ? and role = ? and revoked is null", (hashed(token), ENTRANT)
        ).fetchone()
        return None if row is None else str(row[0])
