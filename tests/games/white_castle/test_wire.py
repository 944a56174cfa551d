"""On the wire: typed options that say the same as their texts, names behind the numbers, cheap repetition."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from referee.codec.white_castle import decode
from referee.codec.white_castle import encode as translate
from referee.games.white_castle import GAME
from referee.games.white_castle.components import COLOURS, EFFECTS, GARDENS, GOODS, MEMBERS, SPACE_NAMES, YARDS
from referee.games.white_castle.options import BY_TEXT
from referee.games.white_castle.state import CONTINUATIONS, DECISIONS, State
from referee.kernel.chance import Fast
from referee.kernel.game import Option, settle_variant
from referee.v1 import play_pb2
from referee.v1 import white_castle_pb2 as pb
from tests.games.white_castle.situations import Situation

PROTO = Path(__file__).parents[3] / "proto/referee/v1/white_castle.proto"
FLOORS = ("gate", "floor1", "floor2", "floor3")


def written(options: Sequence[Option]) -> list[pb.WhiteCastleOption]:
    """Options as a stranger receives them."""
    view = GAME.view(Situation.new(2).state, 0)
    return list(pb.WhiteCastleAsk.FromString(translate.Encoder()("", options, view)).options)


def spelled(option: pb.WhiteCastleOption) -> str:
    """The canonical text of an option, made from its typed fields alone."""
    name = pb.WhiteCastleVerb.Name(option.verb).removeprefix("WHITE_CASTLE_VERB_").lower()
    space = SPACE_NAMES[option.space - 1] if option.space else "favour"
    colour = COLOURS[option.colour - 1] if option.colour else ""
    match name:
        case "exchange":
            return f"x:{GOODS[option.good - 1]}"
        case "resource":
            return GOODS[option.good - 1]
        case "main":
            return MEMBERS[option.member - 1]
        case "die":
            return f"die:{colour}:{'left' if option.end == pb.WHITE_CASTLE_END_LEFT else 'right'}"
        case "climb":
            return f"climb:{FLOORS[option.floor]}:{option.floors}:{space}"
        case "light":
            return f"row:{option.row}"
        case "row":
            return f"row:{space}:{option.row}"
        case "pair" | "act" | "slot":
            return f"{name}:{option.index}"
        case "garden":
            return f"garden:{GARDENS[option.garden].name}"
        case "yard":
            return f"yard:{YARDS[option.yard].name}"
        case "space" | "room":
            return f"{name}:{space}"
        case "domain":
            return f"domain:{colour}"
    return name


@pytest.mark.parametrize("kind", BY_TEXT)
def test_typed_fields_say_the_same_as_the_text(kind: str) -> None:
    """A stranger may use either: the fields of every option spell out its canonical text (W-17)."""
    texts = list(BY_TEXT[kind])
    options = written(list(BY_TEXT[kind].values()))

    assert [option.text for option in options] == texts
    assert [spelled(option) for option in options] == texts


def test_the_components_name_every_number() -> None:
    """Describe tells cards, gardens, tiles, solo cards, spaces and effects by number."""
    info = play_pb2.GameInfo()
    translate.describe(info)
    names = info.white_castle

    assert (
        len(names.cards),
        len(names.gardens),
        len(names.yard_tiles),
        len(names.die_tiles),
        len(names.daimyos),
        len(names.solo_cards),
    ) == (45, 10, 8, 15, 9, 9)
    assert list(names.effects) == [effect.source for effect in EFFECTS]
    assert list(names.die_spaces) == list(SPACE_NAMES[:8])
    assert len(names.tile_rooms) == len(names.tile_rows) == 13


def moments(seats: int, seed: int) -> Iterator[State]:
    """A random game, decision by decision."""
    rng, chance = random.Random(seed), Fast(seed)
    state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
    while asks := GAME.pending(state):
        yield state
        options = GAME.options(state, asks[0].seat)
        GAME.apply(state, {asks[0].seat: options[rng.randrange(len(options))]}, chance)
    yield state


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_public_and_final_views_survive_the_wire(seats: int) -> None:
    """What a spectator sees, and the view after the end, are decoded as they were (W-15)."""
    encoder = translate.Encoder()
    for state in moments(seats, 7):
        view = GAME.view(state, None)
        message = pb.WhiteCastleView.FromString(encoder.view(view))

        assert view == decode.decode_view(message)


def test_an_encoder_writes_the_same_bytes_whatever_came_before() -> None:
    """Keeping parts between asks changes nothing in what is sent."""
    kept = translate.Encoder()
    for state in moments(3, 8):
        view = GAME.view(state, 1)

        assert kept.view(view) == translate.Encoder().view(view)


def test_the_manual_lists_every_frame() -> None:
    """The comment on frames in the proto names every kind that a stack can hold."""
    text = PROTO.read_text()
    manual = text[text.index("// An open frame.") : text.index("message WhiteCastleFrame")]

    assert [kind for kind in (*DECISIONS, *CONTINUATIONS) if f" {kind} " not in manual] == []
