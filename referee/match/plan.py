"""The plan of a match: the one type by which schedules, pairings, gates and benchmarks order a match from a driver."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.kernel.chance import SECRET_BYTES, commitment
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame, settle_variant
from referee.match.clock import NO_CLOCK, TimeControl
from referee.match.policy import Policy, clean
from referee.match.terms import Terms

ID_BYTES = 16
"""Bytes of a random match id, which is written in hex."""


def random_id() -> str:
    """A random match id: 32 hex digits, which reveal nothing about the match."""
    return secrets.token_hex(ID_BYTES)


def random_secret() -> bytes:
    """A secret from the operating system's random source, for matches that need not be reproducible."""
    return secrets.token_bytes(SECRET_BYTES)


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Everything that is decided about a match before it begins; `header` checks it against the rules of the game."""

    game: str
    """The game's name."""
    players: tuple[str, ...]
    """Names by seat. A bot whose name stands at several seats plays all of them."""
    match: str = field(default_factory=random_id)
    """The match's id."""
    secret: bytes = field(default_factory=random_secret, repr=False)
    """The source of all luck of the match; never shown before the match is over."""
    variant: Mapping[str, str] = field(default_factory=dict)
    """Settings of the game's rules; a setting that is left out has its default."""
    clock: TimeControl = NO_CLOCK
    policy: Policy = field(default_factory=Policy)
    rated: bool = True
    """Whether the match's table counts for ratings."""

    @classmethod
    def of(cls, header: Terms, secret: bytes) -> MatchPlan:
        """The plan of a match that has begun; raises BadSetting if its header is committed to another secret."""
        if commitment(secret, header.match) != header.commitment:
            raise BadSetting(f"the terms of match {header.match} are committed to another secret")
        return cls(header.game, header.players, header.match, secret, header.variant, header.clock, header.policy)

    def header(self, game: AnyGame) -> Terms:
        """The header of the match's record, defaults filled in; raises BadSetting or UnknownName."""
        if game.name != self.game:
            raise BadSetting(f"match {self.match} is one of {self.game!r}, not of {game.name!r}")
        return Terms(
            match=self.match,
            game=game.name,
            rules_version=game.rules_version,
            components=game.digest,
            variant=settle_variant(game, len(self.players), self.variant),
            players=tuple(map(clean, self.players)),
            clock=self.clock,
            policy=self.policy,
            commitment=commitment(self.secret, self.match),
        )
