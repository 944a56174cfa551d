"""One seat of a running match: its clock, its open ask, and whether its player is there."""

from __future__ import annotations

from referee.match.clock import FOREVER, Clock, SeatClock, Timing, duration
from referee.match.policy import Policy


class Chair:
    """What the match knows about one seat; the game knows nothing of it."""

    __slots__ = (
        "answered",
        "asked",
        "asks",
        "clock",
        "gone",
        "held",
        "listens",
        "open",
        "patience",
        "ready",
        "seen",
        "sent",
        "timing",
        "told",
    )

    def __init__(self, clock: Clock, policy: Policy) -> None:
        self.clock = SeatClock(clock, policy.lag_per_decision, policy.lag_total)
        self.patience = policy.start
        self.ready = False
        self.gone: int | None = None
        """Since when the player is disconnected."""
        self.listens = True
        """Whether the player wants to hear of events."""
        self.asked = True
        """Whether the seat is asked at all: a forfeited one is not, from its next decision on."""
        self.asks = 0
        """Asks made so far: the number of the latest one."""
        self.answered = 0
        """The number of the latest ask that the seat answered itself."""
        self.open = False
        """Whether the latest ask waits for its answer."""
        self.held: int | None = None
        """The open ask's clock stands until the player is back, at most until this moment."""
        self.timing: Timing | None = None
        """Where the time of the latest answer went."""
        self.told = 0
        """How many of the match's events lie behind what the latest ask brings."""
        self.seen = 0
        """How many do when it has arrived."""
        self.sent = True
        """Whether the latest ask was sent: while its player is disconnected it is not."""

    def due(self) -> int:
        """When a tick has to look at this seat while the game is on."""
        if not self.open:
            return FOREVER
        if self.held is not None:
            return self.held
        deadline = self.clock.deadline
        if deadline == FOREVER and self.gone is not None:
            return max(self.gone, self.clock.since) + self.patience
        return deadline

    def release(self, at: int) -> None:
        """Start the clock that was held."""
        if self.held is not None:
            self.clock.start(min(at, self.held))
            self.held = None

    def close(self, at: int) -> None:
        """The open ask gets no answer of the player's own."""
        self.release(at)
        self.timing = self.clock.stop(at)
        self.open = False

    def overdue(self) -> str:
        """What is said when the time for the open ask is over."""
        return f"no answer to ask {self.asks} within its {duration(self.clock.budget)}; the stand-in answers"
