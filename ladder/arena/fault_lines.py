"""Faults of matches in words: lines below a table, lines of a log, and entries for programs."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ladder.escaping import visible
from ladder.store.records import Played
from referee.kernel.game import Seat
from referee.match.policy import Fault, FaultKind, Owner
from referee.match.supervision import Trouble

_logger = logging.getLogger(__name__)


class SeenFault(NamedTuple):
    """A fault of one match, with the name of the seat's player and the trace, where one is known."""

    match: str
    player: str
    seat: Seat
    ask: int
    """The ask that was open; 0: none."""
    kind: FaultKind
    owner: Owner
    message: str
    trace: str
    """Empty: none is known, since the bot did not raise, or ran elsewhere."""

    def line(self) -> str:
        """The fault in one line."""
        at = f" at ask {self.ask}" if self.ask else ""
        owner = "" if self.owner is Owner.BOT else f", owned by the {self.owner}"
        return f"{self.player} (seat {self.seat}) {self.kind}{at}{owner}: {self.message}"

    def as_json(self) -> dict[str, object]:
        """The fault for a program."""
        found: dict[str, object] = {
            "match": self.match,
            "player": self.player,
            "seat": self.seat,
            "ask": self.ask,
            "kind": str(self.kind),
            "owner": str(self.owner),
            "message": self.message,
        }
        return {**found, "trace": self.trace} if self.trace else found


def seen_faults(
    match: str, players: Sequence[str], faults: Iterable[Fault], troubles: Iterable[Trouble]
) -> tuple[SeenFault, ...]:
    """All faults of a match; what bots raised when they were told the result comes last."""
    troubles = tuple(troubles)
    traces = {(trouble.seat, trouble.ask, trouble.message): trouble.trace for trouble in troubles}
    found = [
        SeenFault(
            match,
            players[fault.seat],
            fault.seat,
            fault.ask,
            fault.kind,
            fault.owner,
            fault.message,
            traces.get((fault.seat, fault.ask, fault.message), ""),
        )
        for fault in faults
    ]
    for trouble in troubles:
        if trouble.where == "over":
            player, seat = players[trouble.seat], trouble.seat
            text = f"when it was told the result: {trouble.message}"
            found.append(SeenFault(match, player, seat, 0, FaultKind.CRASHED, Owner.BOT, text, trouble.trace))
    return tuple(found)


def faults_seen(played: Played) -> tuple[SeenFault, ...]:
    """All faults of a match that a worker has played."""
    return seen_faults(played.header.match, played.header.players, played.faults, played.troubles)


def log_faults(played: Played) -> None:
    """Write a line of the log for each fault of a match that workers have played."""
    if played.faults or played.troubles:
        for fault in faults_seen(played):
            extra = {
                "event": "fault",
                "match": fault.match,
                "bot": fault.player,
                "seat": fault.seat,
                "ask": fault.ask,
                "code": fault.kind.value.upper(),
                "owner": fault.owner.value,
            }
            _logger.warning("match %s: fault: %s", fault.match, visible(fault.line()), extra=extra)
