"""Honshu as the kernel knows it: the game's constants and its methods, each a few words to the file that does it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.honshu import pairs, rounds, tricks, view
from referee.games.honshu.components import DIGEST, SEATS, TITLE
from referee.games.honshu.state import SWITCHES, State, clone
from referee.games.honshu.storage import dump, load
from referee.kernel.frames import FrameGame, Handler
from referee.kernel.game import Bounds, Choices

HANDLERS: Mapping[str, Handler[State]] = tricks.HANDLERS | pairs.HANDLERS | rounds.HANDLERS
"""By phase."""


_MEANINGS = {
    "province_side": "which side of the starting provinces everybody uses",
    "scoring_card": "the alternative scoring card in force",
    "layering": "whether a card may go over some cards and under others in one placement",
    "equals_cards": "whether scoring cards 4 and 5 add to the normal points or replace them",
}


GAME = FrameGame(
    name="honshu",
    title=TITLE,
    rules_version=1,
    digest=DIGEST,
    seats=SEATS,
    variants={key: Choices(values, values[0], _MEANINGS[key]) for key, values in SWITCHES.items()},
    bounds=Bounds(decisions=180, options=30_240),
    hidden=(
        "hands: known to their owner, and to the neighbour who passed them on after round 3 or 9",
        "the draw pile: its order and its cards are known to nobody",
        "placements, and with two players the cards played and kept: sealed until everybody has chosen",
    ),
    handlers=HANDLERS,
    start=rounds.start,
    result=rounds.result,
    view=view.view,
    determinise=view.determinise,
    clone=clone,
    dump=dump,
    load=load,
)
"""The rules of Honshu."""
