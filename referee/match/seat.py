"""One seat of a running match: its clock, its open ask, and whether its player is connected."""

from __future__ import annotations

from referee.kernel.game import Seat
from referee.match.clock import FOREVER, AnswerTiming, SeatClock, TimeControl, spoken
from referee.match.outputs import Verdict
from referee.match.policy import Fault, FaultKind, Owner, Policy


class SeatState:
    """Clock, asks and presence of one seat, which the rules of the game do not know."""

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

    def __init__(self, clock: TimeControl, policy: Policy) -> None:
        self.clock = SeatClock(clock, policy.lag_per_decision, policy.lag_total)
        self.patience = policy.start
        self.ready = False
        self.gone: int | None = None
        """The moment at which the player was disconnected; None: connected."""
        self.listens = True
        """Whether the player wants to be told events."""
        self.asked = True
        """Whether the seat is asked: False from the first decision after the seat was forfeited."""
        self.asks = 0
        """Number of asks so far, which is the number of the latest ask."""
        self.answered = 0
        """The number of the latest ask that the seat answered itself."""
        self.kind = ""
        """The kind of decision of the latest ask, in the words of the rules."""
        self.open = False
        """Whether the latest ask waits for its answer."""
        self.grace: int | None = None
        """After a restart of the referee the clock stands until the player is back, at most until this moment."""
        self.held: int | None = None
        """The clock of the open ask stands until the player is back, at most until this moment; None: it runs."""
        self.timing: AnswerTiming | None = None
        """The times of the latest answer."""
        self.told = 0
        """Number of the match's events that were told before the latest ask: the ask brings those that follow."""
        self.seen = 0
        """Number of the match's events that are told when the latest ask has been sent."""
        self.sent = True
        """Whether the latest ask was sent: False while its player is disconnected."""

    def due(self) -> int:
        """The moment at which `Match.tick` has to judge this seat; FOREVER: none."""
        if not self.open:
            return FOREVER
        if self.held is not None:
            return self.held
        deadline = self.clock.deadline
        if deadline == FOREVER and self.gone is not None:
            return max(self.gone, self.clock.since) + self.patience
        return deadline

    def release(self, at: int) -> None:
        """Start the clock that was held: the player is back, or the longest wait is over."""
        self.grace = None
        if self.held is not None:
            self.clock.start(min(at, self.held))
            self.held = None

    def close(self, at: int) -> None:
        """Close the open ask without an answer of the player and charge its time."""
        self.release(at)
        self.timing = self.clock.stop(at)
        self.open = False

    def relive(self, charged: int, network: int, events: int) -> bool:
        """Take an ask that was answered in an earlier run, with its times; False: the clock does not allow them."""
        self.told, self.seen = self.seen, events
        self.timing = AnswerTiming(charged, network, 0)
        return self.clock.repeat(charged, network)

    def recover(self, at: int) -> None:
        """Begin after a restart: the player was ready, is away, and has the start budget to come back."""
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
        """The message of a fault when the time for the open ask is over."""
        if not self.clock.budget:
            return f"no time was left for ask {self.asks}; the stand-in answers"
        return f"no answer to ask {self.asks} within its {spoken(self.clock.budget)}; the stand-in answers"

    def away(self) -> str:
        """The message of a fault when a disconnected player was not back in time."""
        return f"disconnected and not back within {spoken(self.patience)}; the stand-in answers"

    def missed(self) -> tuple[FaultKind, Owner, str]:
        """Kind, owner and message of the fault when the open ask is overdue or the player was not back in time."""
        owner = Owner.BOT if self.gone is None else Owner.NETWORK
        if self.clock.deadline == FOREVER:
            return FaultKind.GONE, owner, self.away()
        return FaultKind.LATE, owner, self.overdue()

    def refusal(self, ask: int) -> Verdict:
        """The verdict on an answer to an ask that is not open."""
        if ask == self.answered == self.asks:
            return Verdict.DUPLICATE
        return Verdict.STALE if 1 <= ask <= self.asks else Verdict.UNKNOWN
