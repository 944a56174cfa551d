"""One seat of a running match: its clock, its open ask, and whether its player is there."""

from __future__ import annotations

from referee.kernel.game import Seat
from referee.match.clock import FOREVER, Clock, SeatClock, Timing, spoken
from referee.match.outputs import Verdict
from referee.match.policy import Fault, FaultKind, Owner, Policy


class SeatState:
    """What the match knows about one seat; the game knows nothing of it."""

    __slots__ = (
        "answered",
        "asked",
        "asks",
        "clock",
        "gone",
        "grace",
        "held",
        "kind",
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
        self.kind = ""
        """The sort of decision of the latest ask, in the rules' own words."""
        self.open = False
        """Whether the latest ask waits for its answer."""
        self.grace: int | None = None
        """After a restart of the referee no clock of the seat runs until its player is back, or until this moment."""
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
        """The player is back, or has been waited for long enough: start the clock that was held."""
        self.grace = None
        if self.held is not None:
            self.clock.start(min(at, self.held))
            self.held = None

    def close(self, at: int) -> None:
        """The open ask gets no answer of the player's own."""
        self.release(at)
        self.timing = self.clock.stop(at)
        self.open = False

    def relive(self, charged: int, network: int, events: int) -> bool:
        """Take an ask that was answered in an earlier run, with what it was charged; False: no clock ran like that."""
        self.told, self.seen = self.seen, events
        self.timing = Timing(charged, network, 0)
        return self.clock.repeat(charged, network)

    def recover(self, at: int) -> None:
        """The referee was restarted: the player was ready, is away, and has the start budget to come back."""
        self.ready = True
        self.gone = at
        self.grace = at + self.patience

    def unready(self, seat: Seat) -> Fault:
        """The fault of a seat that is not ready when the start budget is over."""
        budget = spoken(self.patience)
        if self.gone is None:
            text = f"not ready within the start budget of {budget}"
            return Fault(seat, 0, FaultKind.LATE, Owner.BOT, text)
        text = f"disconnected and not ready within the start budget of {budget}"
        return Fault(seat, 0, FaultKind.GONE, Owner.NETWORK, text)

    def overdue(self) -> str:
        """What is said when the time for the open ask is over."""
        if not self.clock.budget:
            return f"no time was left for ask {self.asks}; the stand-in answers"
        return f"no answer to ask {self.asks} within its {spoken(self.clock.budget)}; the stand-in answers"

    def away(self) -> str:
        """What is said when a disconnected player has been waited for long enough."""
        return f"disconnected and not back within {spoken(self.patience)}; the stand-in answers"

    def missed(self) -> tuple[FaultKind, Owner, str]:
        """The fault of a seat whose time for the open ask is over, or whose player has been waited for long enough."""
        owner = Owner.BOT if self.gone is None else Owner.NETWORK
        if self.clock.deadline == FOREVER:
            return FaultKind.GONE, owner, self.away()
        return FaultKind.LATE, owner, self.overdue()

    def refusal(self, ask: int) -> Verdict:
        """What becomes of an answer to an ask that is not open."""
        if ask == self.answered == self.asks:
            return Verdict.DUPLICATE
        return Verdict.STALE if 1 <= ask <= self.asks else Verdict.UNKNOWN
