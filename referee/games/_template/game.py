"""The game object of the template: constants, settings, and the table from kind of decision to its handler."""

from __future__ import annotations

from referee.games._template import determinise, rounds, scoring, setup, storage, view
from referee.games._template.components import DIGEST, HAND_SIZE, ROUNDS, SEATS, TITLE
from referee.games._template.state import State
from referee.kernel.frames import FrameGame, Handlers
from referee.kernel.game import Bounds, Choices

HANDLERS: Handlers[State] = rounds.HANDLERS
"""By kind of decision. A game with several chapters joins the tables of their files."""

GAME = FrameGame(
    name="template",
    title=TITLE,
    rules_version=1,
    digest=DIGEST,
    seats=SEATS,
    variants={"length": Choices(tuple(ROUNDS), "short", "short: 3 rounds; long: 4 rounds")},
    bounds=Bounds(decisions=max(ROUNDS.values()) * (max(SEATS) + 1), options=HAND_SIZE + max(ROUNDS.values())),
    hidden=(
        "hands: hidden from the other seats, also cards drawn later",
        "bids: hidden from the other seats until all are in",
        "the deck: its order is hidden from all seats",
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
"""The rules of the template."""
