"""The game object of Edo Yashiki: constants, settings, and the table from kind of decision to its handler."""

from __future__ import annotations

from referee.games.edo_yashiki import determinise, scoring, setup, storage, view
from referee.games.edo_yashiki.components import COVERING, DIGEST, DRAFTS, HEIGHT, SEATS, SETUPS, WIDTH
from referee.games.edo_yashiki.draft import PICK, RANK
from referee.games.edo_yashiki.house import ALL
from referee.games.edo_yashiki.placement import PLACE
from referee.games.edo_yashiki.scoring import SCORE
from referee.games.edo_yashiki.state import (
    PICK_CARD,
    PLACE_CARD,
    RANK_CARDS,
    REFLEX,
    SCORE_LINE,
    SPECIALISTS,
    STANDARD,
    State,
)
from referee.kernel.frames import FrameGame, Handlers
from referee.kernel.game import Bounds, Choices, Edition

HANDLERS: Handlers[State] = {RANK_CARDS: RANK, PICK_CARD: PICK, PLACE_CARD: PLACE, SCORE_LINE: SCORE}
"""By kind of decision. `FrameGame` refuses an answer that is not among the options (E-5.2)."""

_LINES = 2 * HEIGHT + 2 * WIDTH
"""The most lines one card can make: two in each of its rows and columns."""
_NEIGHBOURS = (2 * WIDTH + 1) * (2 * HEIGHT + 1) - 4 - 1
"""The anchors in contact with one card: two columns and three rows each way, less the corners and its own."""


GAME = FrameGame(
    secret_pending=frozenset({SCORE_LINE}),  # not even that a chain has ended is public (E-9.9)
    name="edo_yashiki",
    title="Edo Yashiki",
    rules_version=2,
    digest=DIGEST,
    seats=SEATS,
    variants={
        "rules": Choices((STANDARD, SPECIALISTS), STANDARD, "specialists: a line costs a token of its kind to score"),
        "draft": Choices(
            DRAFTS,
            DRAFTS[0],
            "sealed: all rank the row in secret; reflex: and the first to answer is served first; turn_order: in turn",
            timed={REFLEX: frozenset({RANK_CARDS})},
        ),
        "covering": Choices(
            COVERING,
            COVERING[0],
            "seen: the anchor of a wholly hidden card is free again; all: no anchor is used twice",
        ),
    },
    earlier=(
        Edition(
            rules_version=1,
            digest="db6bed451ca4431e9d24bb80f5483b7fd132f3740025b5a976bc57130ea1de03",
            settings=("rules", "draft"),
            implied={"covering": ALL},
        ),
    ),
    bounds=Bounds(
        decisions=max(seats * row.rounds for seats, row in SETUPS.items()) * (2 + _LINES),
        options=max(row.rounds for row in SETUPS.values()) * _NEIGHBOURS * 2,
    ),
    hidden=(
        "The order of the deck is hidden from everybody.",
        "Rankings, placements and scored lines are hidden from the other seats until all seats have decided.",
        "Reflex: when a ranking arrived is hidden from everybody until the row is shared out.",
        "The priority of a round is hidden from everybody until the row is shared out; unused ranks are never shown.",
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
"""The rules of Edo Yashiki (E-1.1 to E-1.4)."""
