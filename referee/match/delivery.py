"""The loop of a driver that neither stores nor waits: each output of a match goes to the players of its seats.

`referee.match.table` has a loop of its own, because a table stores, delays and survives failures of players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.kernel.game import Event
from referee.match.match import Match
from referee.match.outputs import Ended, Faulted, Shown, Skipped, Stepped
from referee.match.protocols import SeatPlayer
from referee.match.record import Step


def deliver(
    match: Match,
    players: Sequence[SeatPlayer],
    *,
    stepped: Callable[[Step], None] = lambda step: None,
    public: Callable[[Sequence[Event]], None] = lambda events: None,
) -> None:
    """Send the outputs of a match to its players until no output is left.

    `stepped` gets each step before the outputs that follow from the step are sent, `public` the events that spectators
    may know. A player may act on the match inside `send`: the outputs of that act are sent in the same call.
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
            elif isinstance(output, Shown):
                public(output.events)
            else:
                players[output.seat].send(output)
