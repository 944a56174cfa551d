"""The game object of Honshu: constants, settings, and the table from kind of decision to its handler."""

from __future__ import annotations

from referee.games.honshu import determinise, pairs, placement, scoring, setup, storage, tricks, view
from referee.games.honshu.components import DIGEST, SEATS, TITLE
from referee.games.honshu.state import SWITCHES, State
from referee.kernel.frames import FrameGame, Handlers
from referee.kernel.game import Bounds, Choices, Edition

HANDLERS: Handlers[State] = tricks.HANDLERS | pairs.HANDLERS | placement.HANDLERS
"""By kind of decision. The driver applies a decision with one option without asking (H-4.1)."""

_MEANINGS = {
    "province_side": "which side of the starting provinces everybody uses",
    "scoring_card": "the alternative scoring card in force",
    "layering": "whether a card may go over some cards and under others in one placement",
    "equals_cards": "whether scoring cards 4 and 5 add to the normal points or replace them",
    "factories": "what a cube scores at the three sorts of factories (H-8.8)",
}
"""One line for each switch, for people who choose."""


GAME = FrameGame(
    name="honshu",
    title=TITLE,
    rules_version=1,
    digest=DIGEST,
    seats=SEATS,
    variants={key: Choices(values, values[0], _MEANINGS[key]) for key, values in SWITCHES.items()},
    earlier=(
        Edition(
            rules_version=1,
            digest="c355f0f7f9a09d4cd815af63ece2ee8b148a2e6c224f84dd2cfb7628fe42e15a",
            settings=("province_side", "scoring_card", "layering", "equals_cards"),
            implied={"factories": "2-3-4"},
        ),
    ),
    bounds=Bounds(decisions=180, options=30_240),
    hidden=(
        "hands: known to their owner, and to the neighbour who passed them on after round 3 or 9",
        "the draw pile: its order and its cards are known to no seat",
        "placements, and with two players the cards played and kept: sealed until everybody has chosen",
    ),
    handlers=HANDLERS,
    start=setup.start,
    result=scoring.result,
    view=view.view,
    determinise=determinise.determinise,
    clone=State.clone,
    dump=storage.dump,
    load=storage.load,
)
"""The rules of Honshu.

No game has more than 180 answers (H-11.1). The longest list is that of PLACE: at most 480 positions (H-11.5) with 63
masks each (H-11.6); all others are shorter (H-11.3).
"""
