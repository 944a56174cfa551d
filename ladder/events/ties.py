"""The tables of a knockout: whether one is decided, and who goes on.

A tie of two seats is best of n: the tie ends when one bot cannot be caught up with. A bot that does not come to a match
of it has lost the tie. What decides a tie that is level after n matches is a rule of the event (`TieDecision`). A table
of more seats plays all its matches; level bots are ordered by the points that they made in the games, then by seed.
"""

from __future__ import annotations

from ladder.config.event_rules import MOST_EXTRA, TieDecision
from ladder.events.state import RoundTable, Tournament


def decided(event: Tournament, table: RoundTable) -> bool:
    """Whether a table needs no further match; all its matches so far are over."""
    rules = event.rules
    if not table.games or not table.over:
        return False
    if not rules.bracket or any(game.absent is not None for game in table.games):
        return True
    one, other = (table.total(name) for name in table.bots)
    left = rules.games - len(table.games)
    if left > 0:
        return abs(one - other) > left
    return one != other or rules.level is not TieDecision.PLAY_ON or len(table.games) >= rules.games + MOST_EXTRA


def final_order(event: Tournament, table: RoundTable) -> list[str]:
    """The bots of a knockout's table, best first; those that did not come to its last match come last."""
    seeds = event.seeds
    by_points = not event.rules.bracket or event.rules.level is TieDecision.POINTS
    over = [game for game in table.games if game.over]
    gone = (over[-1].absent or ()) if over else ()
    return sorted(
        table.bots,
        key=lambda name: (
            name in gone,
            -table.total(name),
            -table.made(name) if by_points else 0,
            seeds[name],
        ),
    )
