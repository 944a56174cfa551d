"""The White Castle as the kernel knows it: constants, settings, and functions of the areas of the rules."""

from __future__ import annotations

from referee.games.white_castle import rules, scoring, setup, storage, view
from referee.games.white_castle.components import DIGEST
from referee.games.white_castle.options import MOST_OPTIONS
from referee.games.white_castle.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import FrameGame
from referee.kernel.game import Bounds, Choices, Event, Variant


def _start(seats: int, variant: Variant, chance: Chance) -> State:
    """A new game, up to its first decision."""
    events: list[Event] = []
    state = setup.new_game(seats, variant, chance, events)
    rules.unroll(state, chance, events)
    return state


GAME = FrameGame(
    name="white_castle",
    title="The White Castle",
    rules_version=1,
    digest=DIGEST,
    seats=range(1, 5),
    variants={
        "rival": Choices(("easy", "medium", "hard"), "easy", "how the solo rival starts (W-16.2)", seats=range(1, 2)),
        "first_game": Choices(("off", "on"), "off", "the castle laid out as for a first play (W-4.14)"),
    },
    bounds=Bounds(decisions=2000, options=MOST_OPTIONS),
    hidden=(
        "the order of the steward and diplomat decks, from all",
        "the dice of later rounds, from all",
        "the backs of the die tiles in the castle, from all",
        "solo: the order of the rival's cards behind the top one, until they have cycled",
    ),
    handlers=rules.HANDLERS,
    start=_start,
    result=scoring.result,
    view=view.view,
    determinise=view.determinise,
    clone=State.clone,
    dump=storage.dump,
    load=storage.load,
)
"""The rules of The White Castle."""
