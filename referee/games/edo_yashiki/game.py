"""The game object of Edo Yashiki: constants, settings, and the table from kind of decision to its handler."""

from __future__ import annotations

from referee.games.edo_yashiki import determinise, scoring, setup, storage, view
from referee.games.edo_yashiki.components import DIGEST, HEIGHT, SEATS, SETUPS, WIDTH
from referee.games.edo_yashiki.draft import PICK, RANK
from referee.games.edo_yashiki.placement import PLACE
from referee.games.edo_yashiki.scoring import SCORE
from referee.games.edo_yashiki.state import (
    PICK_CARD,
    PLACE_CARD,
    RANK_CARDS,
    SCORE_LINE,
    SEALED,
    SPECIALISTS,
    STANDARD,
    TURN_ORDER,
    State,
)
from referee.kernel.frames import FrameGame, Handlers
from referee.kernel.game import Bounds, Choices

HANDLERS: Handlers[State] = {RANK_CARDS: RANK, PICK_CARD: PICK, PLACE_CARD: PLACE, SCORE_LINE: SCORE}
"""By kind of decision. `FrameGame` refuses an answer that is not among the options (E-5.2)."""

_LINES = 2 * HEIGHT + 2 * WIDTH
"""The most lines one card can make: two in each of its rows and columns."""
_NEIGHBOURS = (2 * WIDTH + 1) * (2 * HEIGHT + 1) - 4 - 1
"""The anchors in contact with one card: two columns and three rows each way, less the corners and its own."""


GAME = FrameGame(
    name="edo_yashiki",
    title="Edo Yashiki",
    rules_version=1,
    digest=DIGEST,
    seats=SEATS,
    variants={
        "rules": Choices((STANDARD, SPECIALISTS), STANDARD, "specialists: a line costs a token of its kind to score"),
        "draft": Choices((SEALED, TURN_ORDER), SEALED, "sealed: all rank the row in secret; turn_order: pick in turn"),
    },
    bounds=Bounds(
        decisions=max(seats * row.rounds for seats, row in SETUPS.items()) * (2 + _LINES),
        options=max(row.rounds for row in SETUPS.values()) * _NEIGHBOURS * 2,
    ),
    hidden=(
        "The order of the deck is hidden from everybody.",
        "Rankings, placements and scored lines are hidden from the other seats until all seats have decided.",
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
