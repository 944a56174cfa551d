"""How a step can end, and the report of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ladder.check.transcript import Way


class DrillFailed(Exception):
    """The bot did what it must not, or did not what it must."""

    def __init__(self, reason: str, broke: Way = Way.GOT) -> None:
        """`broke` says whose last message shows it: what the bot sent, or what was sent to it."""
        super().__init__(reason)
        self.reason = reason
        self.broke = broke


class DrillSkipped(Exception):
    """The step does not apply to this bot."""


class DrillStatus(StrEnum):
    """What became of a step."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class DrillOutcome:
    """What became of one step."""

    number: int
    key: str
    """A short name that stays the same: "resume"."""
    title: str
    status: DrillStatus
    remark: str
    """What was seen, why it failed, or why it was skipped."""
    seconds: float = 0.0
    broke: Way | None = None
    """Whose message broke it, if a message did."""
    messages: tuple[str, ...] = ()
    """That message, whole, as protobuf text; several if the bot was sent so many and answered none."""
    output: str = ""
    """The last lines that the bot's process wrote, if the step failed."""

    def to_plain(self) -> dict[str, object]:
        """For JSON."""
        plain: dict[str, object] = {
            "number": self.number,
            "key": self.key,
            "title": self.title,
            "status": str(self.status),
            "remark": self.remark,
            "seconds": round(self.seconds, 3),
        }
        if self.status is DrillStatus.FAILED:
            plain["broke"] = None if self.broke is None else {"way": str(self.broke), "messages": list(self.messages)}
            plain["output"] = self.output
        return plain


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What became of a whole check."""

    bot: str
    outcomes: Sequence[DrillOutcome]

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return not self.failures

    @property
    def failures(self) -> tuple[str, ...]:
        """The keys of the steps that failed."""
        return tuple(outcome.key for outcome in self.outcomes if outcome.status is DrillStatus.FAILED)

    def count(self, status: DrillStatus) -> int:
        """How many steps ended so."""
        return sum(outcome.status is status for outcome in self.outcomes)

    def to_plain(self) -> dict[str, object]:
        """For JSON."""
        return {
            "bot": self.bot,
            "passed": self.passed,
            "counts": {str(status): self.count(status) for status in DrillStatus},
            "steps": [outcome.to_plain() for outcome in self.outcomes],
        }
