"""Greedy at Ninjato: the answer that is worth most honor, by the odds and rankings of the moment.

`worth` puts a price on everything a player can have, `raids` works out the odds of a raid, `turns` and `fights` compare
the answers to each kind of question by them, all in the same currency. It looks one turn ahead and does not guess what
others will do. Ties go to the first option, so it is deterministic.
"""

from __future__ import annotations

from bots.ask import Ask
from bots.bundled.greedy.ninjato import fights, turns
from bots.bundled.greedy.ninjato.worth import Outlook
from referee.games.ninjato.state import State
from referee.games.ninjato.view import View

JUDGES = {**turns.JUDGES, **fights.JUDGES}
"""By kind of question: a function from an outlook to what an option is worth."""


def choose(ask: Ask[State, View]) -> int:
    """The index of the option that is worth most."""
    judge = JUDGES[ask.kind](Outlook(ask.view, ask.seat))
    worths = [judge(option) for option in ask.options]
    return worths.index(max(worths))
