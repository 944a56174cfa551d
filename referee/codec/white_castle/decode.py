"""The White Castle from the wire: see `proto/referee/v1/white_castle.proto` for what each field means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.games.white_castle.options import BY_TEXT
from referee.games.white_castle.state import BridgeDice, Die, Move
from referee.games.white_castle.view import BoardView, ClanView, SoloView, View
from referee.kernel.errors import UnknownName
from referee.kernel.frames import Frame
from referee.kernel.game import Option
from referee.kernel.tuples import pieces
from referee.v1 import play_pb2
from referee.v1 import white_castle_pb2 as pb


def options(ask: play_pb2.Ask) -> Sequence[Option]:
    """The options of an ask."""
    if ask.kind not in BY_TEXT:
        raise UnknownName.of("decision of The White Castle", ask.kind, BY_TEXT)
    known = BY_TEXT[ask.kind]
    return [known[option.text] for option in ask.white_castle.options]


def view(ask: play_pb2.Ask) -> View:
    """The view of an ask."""
    return decode_view(ask.white_castle.view)


def decode_view(message: pb.WhiteCastleView) -> View:
    """The view that a message holds, of a seat or of the public."""
    return View(
        message.seat if message.HasField("seat") else None,
        BoardView(
            message.seats,
            tuple([colour - 1 for colour in message.tile_colours]),
            tuple(message.well_tiles),
            message.daimyo,
            tuple(message.gardens),
            tuple(message.yard_tiles),
        ),
        message.round,
        tuple(message.order),
        tuple(message.track),
        tuple(_bridges(message)),
        tuple(_spaces(message)),
        tuple(message.castle),
        tuple(message.steward_deck),
        tuple(message.diplomat_deck),
        tuple([_clan(clan) for clan in message.clans]),
        tuple(message.favours),
        tuple(zip(message.offer_resources, message.offer_actions, strict=True)),
        tuple(message.gone),
        _solo(message.solo) if message.HasField("solo") else None,
        tuple([_frame(frame) for frame in message.stack]),
        Move(message.last_seat, message.last_kind, message.last_text) if message.HasField("last_seat") else None,
    )


def _bridges(message: pb.WhiteCastleView) -> Iterator[BridgeDice]:
    centres = pieces(message.centre_sizes, message.centre_dice)
    return zip(message.bridge_left, centres, message.bridge_right, strict=True)


def _spaces(message: pb.WhiteCastleView) -> Iterator[tuple[Die, ...]]:
    sizes = message.space_sizes
    colours, values = pieces(sizes, message.space_colours), pieces(sizes, message.space_values)
    for colour, value in zip(colours, values, strict=True):
        yield tuple([(its - 1, die) for its, die in zip(colour, value, strict=True)])


def _clan(message: pb.WhiteCastleClan) -> ClanView:
    food, iron, pearl, coins, vp, seals = message.goods
    return ClanView(
        food,
        iron,
        pearl,
        coins,
        vp,
        seals,
        tuple(message.home),
        tuple(message.court),
        tuple(message.yards),
        tuple(message.dice),
        tuple(message.gardens),
        message.time,
        message.action,
        tuple(message.lantern),
    )


def _solo(message: pb.WhiteCastleSolo) -> SoloView:
    return SoloView(
        message.top,
        tuple(message.unknown),
        tuple(message.cycled),
        tuple(message.row),
        tuple(pieces(message.turn_sizes, message.turn_cards)),
    )


def _frame(message: pb.WhiteCastleFrame) -> Frame:
    return (message.kind, *message.numbers)
