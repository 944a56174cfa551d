"""The plain loop of a driver that neither stores nor waits: every output of a match goes to the seats it is for.

`referee.match.table` has a loop of its own, because it stores, delays, and bounds what a failure costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.kernel.game import Event
from referee.match.match import Match
from referee.match.outputs import Ended, Faulted, Skipped, Stepped
from referee.match.protocols import Player
from referee.match.record import Step


def deliver(
    match: Match,
    players: Sequence[Player],
    *,
    stepped: Callable[[Step], None] = lambda step: None,
    public: Callable[[Sequence[Event]], None] = lambda events: None,
) -> None:
    """Send everything that is due to the players it is for, until nothing is due.

    `stepped` gets every step before anything that follows from it is sent, `public` what spectators may know. A player
    that acts on the match while it is sent something is served in the same call.
    """
    while outputs := match.drain():
        for output in outputs:
            if isinstance(output, Stepped):
                stepped(output.step)
            elif isinstance(output, Ended):
                for player in players:
                    player.send(output)
            elif isinstance(output, Faulted):
                players[output.fault.seat].send(output)
            elif isinstance(output, Skipped):
                continue
            elif output.seat is None:
                public(output.events)
            else:
                players[output.seat].send(output)
