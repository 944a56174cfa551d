"""Thinking time: a bank, an increment per decision and a cap per decision, counted per seat in microseconds.

`TimeControl` is the setting (`10s+100ms/5s`), `SeatClock` one seat's running clock. Before each ask the increment is
added to the bank; the seat may then use at most the smaller of bank and cap. Time that the network took (lag) is not
charged, up to a quota for each decision and one for the match: a seat that claims lag gains no more time than that. No
clock is read here: every moment is an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from referee.kernel.errors import BadSetting
from referee.kernel.tuples import new_tuple

SECOND = 1_000_000
"""Microseconds in a second; every time of a match is a whole number of microseconds."""

FOREVER = 1 << 62
"""A moment later than all others: the deadline of a wait without a limit."""

_UNITS = {"h": 3600 * SECOND, "m": 60 * SECOND, "s": SECOND, "ms": 1000, "us": 1}
_LONGEST = 168 * _UNITS["h"]
_TIME = r"(\d{1,9}(?:\.\d{1,6})?)(h|ms|us|m|s)"
_CLOCK = re.compile(rf"{_TIME}(?:\+{_TIME})?(?:/{_TIME})?", re.ASCII)
_EXAMPLE = (
    "a clock is bank+increment/cap such as 10s+100ms/5s (increment and cap may be left out; units h, m, s, ms, us), "
    "or none"
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The thinking time of each seat of a match, in microseconds."""

    bank: int
    """Time for the whole match."""
    increment: int
    """Time added to the bank before every decision."""
    cap: int
    """Most time that one decision may use; 0: as much as the bank holds."""
    unlimited: bool = False
    """Whether seats may think for any time; the other fields are then 0."""

    def __post_init__(self) -> None:
        if min(self.bank, self.increment, self.cap) < 0 or max(self.bank, self.increment, self.cap) > _LONGEST:
            raise BadSetting(f"each time of a clock lies between 0 and 168h; {_EXAMPLE}")
        if self.unlimited != (self.bank + self.increment == 0):
            raise BadSetting(f"a clock without any time can answer nothing; {_EXAMPLE}")
        if self.unlimited and self.cap:
            raise BadSetting(f"an unlimited clock has no cap; {_EXAMPLE}")

    def __reduce__(self) -> tuple[type[TimeControl], tuple[int, int, int, bool]]:
        """How pickle makes a copy for another process: by a call, because a compiled class refuses to be filled in."""
        return TimeControl, (self.bank, self.increment, self.cap, self.unlimited)

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """The time control that a text such as `10s+100ms/5s` or `none` stands for; raises BadSetting."""
        if text == "none":
            return NO_CLOCK
        match = _CLOCK.fullmatch(text)
        if match is None:
            raise BadSetting(f"bad clock {text[:40]!r}: {_EXAMPLE}")
        bank, increment, cap = (_micros(match[i], match[i + 1]) if match[i] else 0 for i in (1, 3, 5))
        if match[5] and not cap:
            raise BadSetting(f"bad clock {text[:40]!r}: a cap of nothing leaves no time to answer; {_EXAMPLE}")
        return cls(bank, increment, cap)

    def __str__(self) -> str:
        if self.unlimited:
            return "none"
        increment = f"+{duration(self.increment)}" if self.increment else ""
        cap = f"/{duration(self.cap)}" if self.cap else ""
        return duration(self.bank) + increment + cap


NO_CLOCK = TimeControl(0, 0, 0, unlimited=True)
"""Unlimited thinking time: `none`."""


def _micros(number: str, unit: str) -> int:
    whole, _, part = number.partition(".")
    scale = _UNITS[unit]
    exact, rest = divmod(int((part or "0").ljust(6, "0")) * scale, SECOND)
    if rest:
        raise BadSetting(f"{number}{unit} is finer than a microsecond; {_EXAMPLE}")
    return int(whole) * scale + exact


def duration(micros: int) -> str:
    """A time in the largest unit that fits: `1500ms`."""
    for unit, scale in _UNITS.items():
        if micros and micros % scale == 0:
            return f"{micros // scale}{unit}"
    return "0s"


def spoken(micros: int) -> str:
    """A time as a sentence says it, rounded to three digits where it has more: `30s`, `1.5s`, `20ms`."""
    exact = duration(micros)
    if len(exact.rstrip("hmsu")) <= 3:
        return exact
    for unit in ("s", "ms", "us"):
        if micros >= 0.9995 * _UNITS[unit]:
            return f"{float(f'{micros / _UNITS[unit]:.3g}'):g}{unit}"
    return exact


class AnswerTiming(NamedTuple):
    """The time of one answer, in microseconds."""

    charged: int
    """Time taken off the seat's bank."""
    network: int
    """Lag that was not charged."""
    queued: int
    """Time that the answer waited inside the referee after its arrival; never charged."""


class SeatClock:
    """One seat's clock: `start` begins to count with an ask, `stop` charges the seat when the answer is there."""

    __slots__ = ("_cap", "_increment", "_lag_per_decision", "_unlimited", "bank", "budget", "deadline", "lag", "since")

    def __init__(self, clock: TimeControl, lag_per_decision: int = 0, lag_total: int = 0) -> None:
        self._increment = clock.increment
        self._cap = clock.cap or FOREVER
        self._unlimited = clock.unlimited
        self._lag_per_decision = lag_per_decision
        self.bank = FOREVER if clock.unlimited else clock.bank
        """Thinking time left for the rest of the match."""
        self.lag = lag_total
        """Lag that may still go uncharged in this match."""
        self.since = 0
        """The moment from which the running ask is charged: when the ask was made or, if later, left the referee."""
        self.budget = FOREVER
        """Most time that the running ask may use."""
        self.deadline = FOREVER
        """The moment at which the running ask is late: its budget and the most lag that it could claim are over."""

    def start(self, at: int) -> None:
        """Add the increment to the bank and begin to count: an ask is made at this moment."""
        self.since = at
        if self._unlimited:
            return
        bank = self.bank = self.bank + self._increment
        budget = self.budget = bank if bank < self._cap else self._cap
        lag = self.lag
        self.deadline = at + budget + (lag if lag < self._lag_per_decision else self._lag_per_decision)

    def defer(self, time: int) -> None:
        """Count from `time` microseconds later: the running ask waited so long inside the referee."""
        self.since += time
        if not self._unlimited:
            self.deadline += time

    def late(self, at: int, lag: int = 0) -> bool:
        """Whether an answer at this moment has used more than its budget, lag within the quota not counted."""
        elapsed = at - self.since
        forgiven = min(elapsed, lag, self.lag, self._lag_per_decision)
        return elapsed - max(0, forgiven) > self.budget

    def stop(self, at: int, lag: int = 0, queued: int = 0) -> AnswerTiming:
        """Stop counting and charge the time of the running ask, at most its budget."""
        elapsed = at - self.since
        if elapsed < 0:
            elapsed = 0
        network = min(elapsed, lag, self.lag, self._lag_per_decision) if lag > 0 else 0
        charged = elapsed - network
        if charged > self.budget:
            charged = self.budget
        if not self._unlimited:
            self.deadline = FOREVER
            self.bank -= charged
        self.lag -= network
        return new_tuple(AnswerTiming, (charged, network, queued))

    def rest(self, at: int) -> tuple[int, int, int]:
        """Of the running ask at a moment: the time left in the bank, the deadline, and the time left of the budget."""
        used = at - self.since
        bank, budget = self.bank, self.budget
        return bank - used if used < bank else 0, self.deadline, budget - used if used < budget else 0

    def repeat(self, charged: int, network: int) -> bool:
        """Charge one ask the times that a record has; False if the rules of the clock do not allow them."""
        self.start(0)
        if charged > self.budget or network > min(self.lag, self._lag_per_decision):
            return False
        self.stop(charged + network, network)
        return True
