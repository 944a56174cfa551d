"""The options of an ask as clicks.

| kind | clicks | keys |
|---|---|---|
| `bid` | a card of the hand | `card:<number>` |
| `reward` | the points or a card | `points`, `card` |

`place` of a card of the hand is its `card`; a reward is a button alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games._template.options import POINTS, Bid, Reward
from referee.games._template.view import View
from referee.games._template.words import answer
from referee.kernel.board import Choice, Part
from referee.kernel.game import Option


def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
    """The options as people choose them, in the same order."""
    return [_choice(view, option, answer(view, kind, option)) for option in options]


def _choice(view: View, option: Option, words: str) -> Choice:
    if isinstance(option, Bid):
        return Choice(words, (Part(f"card:{option.card}", words, {"card": option.card}),))
    if isinstance(option, Reward) and option != POINTS:
        return Choice(words, (Part(option.what, words),))
    return Choice(words, (Part("points", words),), f"{view.prize} point{'' if view.prize == 1 else 's'}")
