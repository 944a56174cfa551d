"""Faults in a gate: a candidate that fails is not accepted, however well it plays, and a baseline that fails is no
measure.

Faults count in the order of the sets, like their scores: the answer does not depend on which game was finished first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ladder.arena.fault_lines import SeenFault, faults_seen
from ladder.escaping import counted
from ladder.store.records import Played
from referee.kernel.errors import KumiteError
from referee.kernel.game import Seat
from referee.match.policy import Owner

SHOWN = 3
"""Faults of the candidate that a report shows."""
KEPT = 50
"""Faults of the candidate that are kept for a program to read."""


class BaselineFaulted(KumiteError):
    """The old bot failed: what a new one scores against it says nothing."""


class GateFault(NamedTuple):
    """A fault of the candidate."""

    number: int
    """The set."""
    fault: SeenFault
    command: str
    """Plays the game again, up to the fault."""

    def line(self) -> str:
        """The fault in one line."""
        return f"set {self.number}: {self.fault.line()}"

    def as_json(self) -> dict[str, object]:
        """The fault for a program."""
        return {"set": self.number, **self.fault.as_json(), "command": self.command}


@dataclass(slots=True)
class Faults:
    """The faults of a gate: those of sets that were counted, and those that wait for their set."""

    count: int = 0
    """Faults of the candidate."""
    kept: list[GateFault] = field(default_factory=list)
    """The first of them."""
    _waiting: dict[int, list[GateFault]] = field(default_factory=dict)
    _baseline: dict[int, BaselineFaulted] = field(default_factory=dict)

    def see(self, number: int, seats: Collection[Seat], played: Played, new: str, old: str, command: str) -> None:
        """Look at a game of a set, in which the candidate had those seats."""
        if not played.faults and not played.troubles:
            return
        for fault in faults_seen(played):
            if fault.owner is Owner.REFEREE:
                continue
            if fault.seat in seats:
                named = fault._replace(player=new)
                self._waiting.setdefault(number, []).append(GateFault(number, named, command))
            elif number not in self._baseline:
                self._baseline[number] = baseline_faulted(fault._replace(player=old), command)

    def over_budget(self, number: int, allowed: int) -> bool:
        """Whether the candidate is out with the games of a set that are played so far.

        Raises BaselineFaulted if it is not, and the old bot failed in one of them.
        """
        waiting = self._waiting.get(number, [])
        if self.count + len(waiting) > allowed:
            self.take(number)
            return True
        if number in self._baseline:
            raise self._baseline[number]
        return False

    def take(self, number: int) -> None:
        """Count the faults of a set."""
        found = self._waiting.pop(number, [])
        self.count += len(found)
        self.kept.extend(found[: max(0, KEPT - len(self.kept))])


def check_baseline(played: Played, old: str, command: str) -> None:
    """Raise BaselineFaulted if a bot failed in a game of the baseline against itself."""
    for fault in faults_seen(played):
        if fault.owner is not Owner.REFEREE:
            raise baseline_faulted(fault._replace(player=old), command)


def baseline_faulted(fault: SeenFault, command: str) -> BaselineFaulted:
    """The error for a fault of the old bot."""
    return BaselineFaulted(
        f"the old bot failed, so no verdict against it would mean anything: {fault.line()}; see it with: {command}"
    )


def described(faults: Faults, allowed: int) -> list[str]:
    """What a report says of the candidate's faults: how many, the first ones with trace, and how to see them again."""
    if not faults.count:
        return []
    tolerated = f", {allowed} tolerated" if allowed else ""
    lines = [f"the new bot had {counted(faults.count, 'fault', 'faults')}{tolerated}:"]
    for found in _first(faults.kept):
        lines.append(f"  {found.line()}")
        lines.extend(f"    {line}" for line in found.fault.trace.splitlines())
        lines.append(f"    see it with: {found.command}")
    return lines


def stopped(matches: int) -> list[str]:
    """What a report says of matches that ended without a result."""
    return [f"{counted(matches, 'match', 'matches')} ended without a result"] if matches else []


def _first(kept: Iterable[GateFault]) -> list[GateFault]:
    """The first faults that differ in what happened."""
    first: dict[str, GateFault] = {}
    for found in kept:
        first.setdefault(found.fault.message.removeprefix("CannotPlay: "), found)
    return list(first.values())[:SHOWN]
