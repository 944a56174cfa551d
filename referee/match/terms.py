"""The terms of a match: game, rules, players, clock, policy and commitment, all fixed before the match begins."""

from __future__ import annotations

from dataclasses import dataclass

from referee.kernel.errors import BadRecord, BadSetting
from referee.kernel.plain import Plain
from referee.kernel.reading import RECORDS
from referee.match.clock import TimeControl
from referee.match.policy import Policy

FORMAT = "kumite/record/1"
"""The format that a header names."""

_FIELDS = (
    "clock",
    "commitment",
    "components",
    "format",
    "game",
    "match",
    "players",
    "policy",
    "rules_version",
    "variant",
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one match, which are the header of its record."""

    match: str
    """The match's id."""
    game: str
    rules_version: int
    components: str
    """Digest of the game's component data."""
    variant: dict[str, str]
    """Every setting of the game's rules."""
    players: tuple[str, ...]
    """Names by seat."""
    clock: TimeControl
    policy: Policy
    commitment: str
    """Hash of secret and match id, which binds the referee to the match's luck (`kernel.chance`)."""

    def to_plain(self) -> dict[str, Plain]:
        """The header of the record as plain data."""
        return {
            "format": FORMAT,
            "match": self.match,
            "game": self.game,
            "rules_version": self.rules_version,
            "components": self.components,
            "variant": dict(self.variant),
            "players": list(self.players),
            "clock": str(self.clock),
            "policy": self.policy.to_plain(),
            "commitment": self.commitment,
        }

    @classmethod
    def from_plain(cls, plain: Plain) -> Terms:
        """The terms that `to_plain` wrote; raises BadRecord."""
        header = RECORDS.table(plain, "the header")
        if header.get("format") != FORMAT:
            raise BadRecord(f"this is no match record: its first line must say that its format is {FORMAT!r}")
        RECORDS.only(header, _FIELDS)
        variant = RECORDS.table(header.get("variant"), "'variant'")
        try:
            return cls(
                match=RECORDS.text(header, "match"),
                game=RECORDS.text(header, "game"),
                rules_version=RECORDS.whole(header, "rules_version"),
                components=RECORDS.text(header, "components"),
                variant={key: RECORDS.text(variant, key) for key in variant},
                players=RECORDS.texts(header.get("players"), "'players'"),
                clock=TimeControl.parse(RECORDS.text(header, "clock")),
                policy=_policy(RECORDS.table(header.get("policy"), "'policy'")),
                commitment=RECORDS.text(header, "commitment"),
            )
        except BadSetting as error:
            raise BadRecord(str(error)) from None


def _policy(plain: dict[str, Plain]) -> Policy:
    RECORDS.only(plain, ("development", "faults", "lag_per_decision", "lag_total", "rated", "start"))
    return Policy(
        faults=RECORDS.whole(plain, "faults"),
        start=RECORDS.whole(plain, "start"),
        development=RECORDS.flag(plain, "development"),
        lag_per_decision=RECORDS.whole(plain, "lag_per_decision"),
        lag_total=RECORDS.whole(plain, "lag_total"),
        rated=RECORDS.flag(plain, "rated") if "rated" in plain else True,
    )
