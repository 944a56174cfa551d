"""The White Castle as the kernel knows it: the table of decisions, constants, settings, and functions of the rooms."""

from __future__ import annotations

from referee.games.white_castle import (
    batches,
    bridges,
    castle,
    determinise,
    domain,
    effects,
    gardens,
    placing,
    rounds,
    scoring,
    setup,
    solo,
    storage,
    time_track,
    view,
    yards,
)
from referee.games.white_castle.components import DIGEST, MOST_SEATS
from referee.games.white_castle.flow import handler
from referee.games.white_castle.options import MOST_OPTIONS
from referee.games.white_castle.state import State
from referee.kernel.frames import FrameGame, Handler
from referee.kernel.game import Bounds, Choices, Edition

HANDLERS: dict[str, Handler[State]] = {
    rules.kind: handler(rules, rounds.CONTINUATIONS)
    for chapter in (rounds, bridges, placing, effects, batches, time_track, castle, gardens, yards, domain, solo)
    for rules in chapter.DECISIONS
}
"""The decisions of W-17, by kind of frame."""

GAME = FrameGame(
    name="white_castle",
    title="The White Castle",
    rules_version=2,
    digest=DIGEST,
    seats=range(1, MOST_SEATS + 1),
    variants={
        "rival": Choices(("easy", "medium", "hard"), "easy", "how the solo rival starts (W-16.2)", seats=range(1, 2)),
        "first_cards": Choices(("off", "on"), "off", "the castle cards of a first play (W-4.14)"),
        "first_tiles": Choices(("off", "on"), "off", "the die tiles of a first play (W-4.14)"),
    },
    earlier=(
        Edition(  # W-4.15
            rules_version=1,
            digest="e91ffc2d3fcdccee764848ef6b87b72b1bb88b1978f3a1714a8ac021ee179f87",
            settings=("rival", "first_game"),
            replaced={
                "first_game": {
                    "off": {"first_cards": "off", "first_tiles": "off"},
                    "on": {"first_cards": "on", "first_tiles": "on"},
                }
            },
        ),
    ),
    bounds=Bounds(decisions=2000, options=MOST_OPTIONS),  # W-18.3, W-18.4
    hidden=(
        "the order of the steward and diplomat decks, from all",
        "the dice of later rounds, from all",
        "the backs of the die tiles in the castle, from all",
        "solo: the order of the rival's cards behind the top one, until they have cycled",
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
"""The rules of The White Castle."""
