"""Edo Yashiki as the kernel knows it: the game object, its settings and its table of decisions.

The decisions live in `draft`, `placement` and `scoring`, the round around them in `rounds`, the plane in `house`.
"""

from __future__ import annotations

from referee.games.edo_yashiki import rounds, storage, view
from referee.games.edo_yashiki.components import DIGEST, HEIGHT, SEATS, SETUPS, WIDTH
from referee.games.edo_yashiki.draft import PICK, RANK
from referee.games.edo_yashiki.placement import PLACE
from referee.games.edo_yashiki.scoring import SCORE
from referee.games.edo_yashiki.state import SEALED, SPECIALISTS, STANDARD, TURN_ORDER, State
from referee.kernel.frames import FrameGame, Handlers
from referee.kernel.game import Bounds, Choices

HANDLERS: Handlers[State] = {"rank_cards": RANK, "pick_card": PICK, "place_card": PLACE, "score_line": SCORE}

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
        decisions=max(seats * setup.rounds for seats, setup in SETUPS.items()) * (2 + _LINES),
        options=max(setup.rounds for setup in SETUPS.values()) * _NEIGHBOURS * 2,
    ),
    hidden=(
        "The order of the deck is hidden from everybody.",
        "Rankings, placements and scored lines are hidden from the other seats until all seats have decided.",
        "The priority of a round is hidden from everybody until the row is shared out; unused ranks are never shown.",
    ),
    handlers=HANDLERS,
    start=rounds.start,
    result=rounds.result,
    view=view.view,
    determinise=view.determinise,
    clone=State.clone,
    dump=storage.dump,
    load=storage.load,
)
"""The rules of Edo Yashiki (E-1.1 to E-1.4)."""
