"""Honshu on the wire, for those who do not have our rules: pictures, card faces, and what a spectator gets."""

from __future__ import annotations

import random

import pytest

from referee.codec import encoding
from referee.codec.decoding import decoder
from referee.codec.honshu import encode as honshu
from referee.codec.honshu.decode import decode_view
from referee.games.honshu import GAME
from referee.games.honshu.components import FACES, KINDS
from referee.games.honshu.state import State
from referee.kernel.chance import Fast
from referee.kernel.errors import UnknownName
from referee.kernel.game import settle_variant
from referee.v1 import honshu_pb2 as pb
from referee.v1 import play_pb2

CODES = {number: code for code, number in honshu.KINDS.items()}


def played(seats: int, steps: int, **variant: str) -> State:
    """A game some steps on."""
    rng = random.Random(seats)
    state = GAME.start(seats, settle_variant(GAME, seats, variant), Fast(seats))
    for _ in range(steps):
        asks = GAME.pending(state)
        if not asks:
            break
        GAME.apply(state, {ask.seat: rng.choice(GAME.options(state, ask.seat)) for ask in asks}, Fast(0))
    return state


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_visible_cells_are_the_picture_of_every_domain(seats: int) -> None:
    """A stranger draws the domains from the four cell lists alone."""
    view = GAME.view(played(seats, 60), 0)
    message = pb.HonshuView.FromString(honshu.Encoder().view(view))
    cells = list(zip(message.cell_rows, message.cell_columns, message.cell_kinds, message.cell_cards, strict=True))
    expected = [
        (*cell, honshu.KINDS[code], slot)
        for domain in view.domains
        for cell, code, slot in zip(domain.picture.cells, domain.picture.codes, domain.picture.slots, strict=True)
    ]

    assert expected == cells
    assert [len(domain.picture.cells) for domain in view.domains] == list(message.cell_counts)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("steps", [0, 20, 40, 500])
def test_a_spectator_gets_the_public_view(seats: int, steps: int) -> None:
    """The view without seat survives the wire too, and has no hand in it; at the end it has the points."""
    view = GAME.view(played(seats, steps, scoring_card="5", equals_cards="replace"), None)
    message = pb.HonshuView.FromString(honshu.Encoder().view(view))

    assert view == decode_view(message)
    assert not message.HasField("seat")
    assert list(message.hand) + list(message.passed_cards) == []
    assert (steps == 500) == (len(message.scores) == seats)


def test_an_encoder_gives_the_same_bytes_whatever_it_wrote_before() -> None:
    """What it keeps from earlier asks, even of another game, never shows."""
    used = honshu.Encoder()
    for seats, steps in ((3, 30), (2, 30), (5, 50), (3, 31), (3, 30)):
        state = played(seats, steps)
        for viewer in (None, *range(seats)):
            view = GAME.view(state, viewer)

            assert honshu.Encoder().view(view) == used.view(view)


def test_components_have_every_face() -> None:
    """Describe sends the kinds of all cards and provinces by cell index."""
    info = play_pb2.GameInfo()
    encoding.of("honshu").describe(info)
    faces = info.honshu
    cells = [*faces.card_cells, *faces.province_a_cells, *faces.province_b_cells]

    assert [KINDS[kind].code for face in FACES for kind in face] == [CODES[kind] for kind in cells]


def test_an_unknown_decision_has_a_clear_word() -> None:
    """A kind that this kit does not know is named, with those it knows."""
    with pytest.raises(UnknownName, match="unknown decision of Honshu 'dance'"):
        decoder("honshu").options(play_pb2.Ask(kind="dance"))
