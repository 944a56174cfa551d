"""The greedy bot at Ninjato: the option that is worth most honor, by the odds and rankings of the moment.

`worth` puts a price in honor on everything that a seat can have, `raids` works out the odds of a raid, `turns` and
`fights` compare the options of each kind of decision by both. The bot looks one turn ahead and does not guess what
other seats will do. Of equal options it takes the first, so the bot is deterministic.
"""

from __future__ import annotations

from bots.ask import Ask
from bots.bundled.greedy.ninjato import fights, turns
from bots.bundled.greedy.ninjato.worth import Outlook
from referee.games.ninjato.state import State
from referee.games.ninjato.view import View

JUDGES = {**turns.JUDGES, **fights.JUDGES}
"""By kind of decision: a function from an outlook to a judge of options."""


def choose(ask: Ask[State, View]) -> int:
    """The index of the option that is worth most."""
    judge = JUDGES[ask.kind](Outlook(ask.view, ask.seat))
    worths = [judge(option) for option in ask.options]
    return worths.index(max(worths))
