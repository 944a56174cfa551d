"""What a page of a seat is sent tells nothing that the seat may not know: worlds with its view make equal bytes."""

from __future__ import annotations

import json
from random import Random

import pytest

from ladder.web.play import drawing
from referee.kernel import registry
from referee.kernel.chance import Fast
from referee.kernel.game import Event, settle_variant
from referee.kernel.turns import advance, settle
from referee.match.outputs import Asked, Seen, Shown
from referee.match.plan import MatchPlan
from referee.transport.messages import Asker, seen
from referee.v1 import play_pb2 as pb

MATCH = "0" * 32
POSITIONS = 25
"""Positions of a match at which other worlds are tried."""


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("seats", [2, 3])
def test_other_worlds_of_a_seat_make_the_same_page(name: str, seats: int) -> None:
    """Position and question, as the event stream carries them, from the state and from two states that fit the view."""
    game = registry.game(name)
    variant = settle_variant(game, seats, {})
    rng, chance = Random(seats), Fast(seats)
    terms = MatchPlan(name, tuple(f"p{seat}" for seat in range(seats)), MATCH, bytes(32), variant).header(game)
    asker = Asker(terms)
    state = game.start(seats, variant, chance)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    tried = different = 0
    while turn.asks and tried < POSITIONS:
        for seat, kind in turn.asks:
            pages = []
            view = game.view(state, seat)
            worlds = [state, *(game.determinise(view, Fast(100 * tried + number)) for number in range(2))]
            different += any(game.dump(world) != game.dump(state) for world in worlds[1:])
            for world in worlds:
                own = game.view(world, seat)
                shown = Shown(1, (), own, game.pending(world), ())
                told = pb.Told.FromString(seen(MATCH, name, Seen(seat, shown)).SerializeToString())
                options = game.options(world, seat)
                asked = Asked(seat, 1, kind, options, own, (), None, None, None, None, 0)
                ask = pb.PlayResponse.FromString(asker(asked)).asks[0]
                drawn = drawing.position(told)
                pages.append(json.dumps([drawn.sight, drawn.events, drawing.question(ask)], sort_keys=False))
            assert pages[0] == pages[1] == pages[2]
        tried += 1
        chosen = {ask.seat: rng.choice(list(turn.options[ask.seat])) for ask in turn.asks}
        events.clear()
        turn = advance(game, state, turn, chosen, chance, events)

    assert tried > 5
    assert different > 0
