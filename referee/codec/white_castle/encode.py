"""The White Castle on the wire: see `proto/referee/v1/white_castle.proto` for what each field means.

Options are few and come again and again, so each is serialised once and for all. Of a view most parts stay the same
from one ask to the next (the layout of the board for the whole match), so an `Encoder`, made for one match, keeps each
part with its bytes and writes only what is no longer equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, Protocol, TypeAlias, TypeVar, cast

from referee.codec.protobuf_bytes import Fields, varints, zigzags
from referee.games.white_castle.view import NAMES, BoardView, ClanView, SoloView, View
from referee.kernel.errors import RulesBug
from referee.kernel.game import Option
from referee.v1 import play_pb2
from referee.v1 import white_castle_pb2 as pb

ASK = Fields(pb.WhiteCastleAsk)
VIEW = Fields(pb.WhiteCastleView)
CLAN = Fields(pb.WhiteCastleClan)
SOLO = Fields(pb.WhiteCastleSolo)
FRAME = Fields(pb.WhiteCastleFrame)


class _Choice(Protocol):
    """An option of The White Castle: its text, its verb, and up to three numbers."""

    text: str
    verb: str
    a: int
    b: int
    c: int


FAVOUR = 1 + max(room for room, _ in NAMES.tile_places)
"""The destination of a climb that is floor 3 and no room."""
_Fill: TypeAlias = Callable[[pb.WhiteCastleOption, _Choice], None]


def _pair(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.index = choice.a


def _die(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.colour = _colour(choice.a)
    message.end = pb.WHITE_CASTLE_END_RIGHT if choice.b else pb.WHITE_CASTLE_END_LEFT


def _space(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.space = _room(choice.a)


def _member(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.member = cast(pb.WhiteCastleMember, choice.a + 1)


def _garden(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.garden = choice.a


def _yard(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.yard = choice.a


def _climb(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.floor, message.floors = choice.a, choice.b
    if choice.c != FAVOUR:
        message.space = _room(choice.c)


def _light(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.row = choice.a


def _row(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.space = _room(choice.a)
    message.row = choice.b


def _domain(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.colour = _colour(choice.a)


def _good(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    message.good = cast(pb.WhiteCastleGood, choice.a + 1)


def _bare(message: pb.WhiteCastleOption, choice: _Choice) -> None:
    """A word that says all."""


class _Verb(NamedTuple):
    """How the options of one verb are written."""

    verb: pb.WhiteCastleVerb
    fill: _Fill = _bare


VERBS = {
    "x": _Verb(pb.WHITE_CASTLE_VERB_EXCHANGE, _good),
    "skip": _Verb(pb.WHITE_CASTLE_VERB_SKIP),
    "pay": _Verb(pb.WHITE_CASTLE_VERB_PAY),
    "stop": _Verb(pb.WHITE_CASTLE_VERB_STOP),
    "done": _Verb(pb.WHITE_CASTLE_VERB_DONE),
    "continue": _Verb(pb.WHITE_CASTLE_VERB_CONTINUE),
    "seals": _Verb(pb.WHITE_CASTLE_VERB_SEALS),
    "influence": _Verb(pb.WHITE_CASTLE_VERB_INFLUENCE),
    "pair": _Verb(pb.WHITE_CASTLE_VERB_PAIR, _pair),
    "die": _Verb(pb.WHITE_CASTLE_VERB_DIE, _die),
    "space": _Verb(pb.WHITE_CASTLE_VERB_SPACE, _space),
    "act": _Verb(pb.WHITE_CASTLE_VERB_ACT, _pair),
    "main": _Verb(pb.WHITE_CASTLE_VERB_MAIN, _member),
    "garden": _Verb(pb.WHITE_CASTLE_VERB_GARDEN, _garden),
    "yard": _Verb(pb.WHITE_CASTLE_VERB_YARD, _yard),
    "audience": _Verb(pb.WHITE_CASTLE_VERB_AUDIENCE),
    "climb": _Verb(pb.WHITE_CASTLE_VERB_CLIMB, _climb),
    "light": _Verb(pb.WHITE_CASTLE_VERB_LIGHT, _light),
    "slot": _Verb(pb.WHITE_CASTLE_VERB_SLOT, _pair),
    "row": _Verb(pb.WHITE_CASTLE_VERB_ROW, _row),
    "domain": _Verb(pb.WHITE_CASTLE_VERB_DOMAIN, _domain),
    "resource": _Verb(pb.WHITE_CASTLE_VERB_RESOURCE, _good),
    "room": _Verb(pb.WHITE_CASTLE_VERB_ROOM, _space),
}


def _signed(number: int) -> int:
    """A signed number as protobuf's sint32 counts it: 0, -1, 1, -2, ... are 0, 1, 2, 3, ..."""
    return 2 * number if number >= 0 else -2 * number - 1


def _colour(number: int) -> pb.WhiteCastleColour:
    return cast(pb.WhiteCastleColour, number + 1)


def _room(number: int) -> pb.WhiteCastleSpace:
    return cast(pb.WhiteCastleSpace, number + 1)


@cache
def _option(option: Option) -> bytes:
    """An option as it stands in an ask; there are some hundred in all."""
    choice = cast(_Choice, option)
    if choice.verb not in VERBS:
        raise RulesBug(f"no form on the wire for {choice.text}")
    verb, fill = VERBS[choice.verb]
    message = pb.WhiteCastleOption(verb=verb, text=choice.text)
    fill(message, choice)
    return ASK.chunk("options", message.SerializeToString())


T = TypeVar("T")


class _Part:
    """The bytes of one part of the view, written anew only when the part changed."""

    __slots__ = ("_bytes", "_value", "_write")

    def __init__(self, write: Callable[[T], bytes]) -> None:
        self._write = cast(Callable[[object], bytes], write)
        self._value: object = None
        self._bytes = b""

    def __call__(self, value: object) -> bytes:
        if value != self._value:
            self._bytes = self._write(value)
            self._value = value
        return self._bytes


class Encoder:
    """Writes the asks of one match. It gives the same bytes whatever it was called for before."""

    __slots__ = ("_board", "_clans", "_dice", "_rest", "_solo")

    def __init__(self) -> None:
        self._board = _Part(_board)
        self._clans = [_Part(_clan) for _ in range(4)]
        self._dice = _Part(_dice)
        self._rest = _Part(_rest)
        self._solo = _Part(_solo)

    def __call__(self, kind: str, options: Sequence[Option], view: View) -> bytes:
        """A `WhiteCastleAsk`, serialised."""
        return ASK.chunk("view", self.view(view)) + b"".join(map(_option, options))

    def view(self, view: View) -> bytes:
        """A `WhiteCastleView`, serialised."""
        parts = [b"" if view.seat is None else VIEW.number("seat", view.seat), self._board(view.board)]
        parts.append(self._dice((view.bridges, view.spaces)))
        parts.append(
            self._rest(
                (
                    view.round,
                    view.order,
                    view.track,
                    view.castle,
                    view.stewards,
                    view.diplomats,
                    view.favours,
                    view.offer,
                    view.gone,
                )
            )
        )
        parts += [part(clan) for part, clan in zip(self._clans, view.clans, strict=False)]
        if view.solo is not None:
            parts.append(self._solo(view.solo))
        parts += [_frame(frame) for frame in view.stack]
        if view.last is not None:
            parts.append(_last(*view.last))
        return b"".join(parts)


def _board(board: BoardView) -> bytes:
    return b"".join(
        (
            VIEW.number("seats", board.seats),
            VIEW.chunk("tile_colours", varints([colour + 1 for colour in board.colours])),
            VIEW.chunk("well_tiles", varints(board.well_tiles)),
            VIEW.number("daimyo", board.daimyo),
            VIEW.chunk("gardens", varints(board.gardens)),
            VIEW.chunk("yard_tiles", varints(board.yard_tiles)),
        )
    )


_Bridge: TypeAlias = tuple[int, tuple[int, ...], int]
_Space: TypeAlias = tuple[tuple[int, int], ...]


def _dice(parts: tuple[tuple[_Bridge, ...], tuple[_Space, ...]]) -> bytes:
    bridges, spaces = parts
    placed = [die for dice in spaces for die in dice]
    return b"".join(
        (
            VIEW.chunk("bridge_left", bytes([left for left, _, _ in bridges])),
            VIEW.chunk("bridge_right", bytes([right for _, _, right in bridges])),
            VIEW.chunk("centre_sizes", bytes([len(centre) for _, centre, _ in bridges])),
            VIEW.chunk("centre_dice", bytes([die for _, centre, _ in bridges for die in centre])),
            VIEW.chunk("space_sizes", bytes([len(dice) for dice in spaces])),
            VIEW.chunk("space_colours", bytes([colour + 1 for colour, _ in placed])),
            VIEW.chunk("space_values", bytes([value for _, value in placed])),
        )
    )


_Numbers: TypeAlias = tuple[int, ...]


def _rest(
    parts: tuple[
        int, _Numbers, _Numbers, _Numbers, _Numbers, _Numbers, _Numbers, tuple[tuple[int, int], ...], _Numbers
    ],
) -> bytes:
    number, order, track, castle, stewards, diplomats, favours, offer, gone = parts
    return b"".join(
        (
            VIEW.number("round", number),
            VIEW.chunk("order", varints(order)),
            VIEW.chunk("track", varints(track)),
            VIEW.chunk("castle", zigzags(castle)),
            VIEW.chunk("steward_deck", varints(stewards)),
            VIEW.chunk("diplomat_deck", varints(diplomats)),
            VIEW.chunk("favours", zigzags(favours)),
            VIEW.chunk("offer_resources", zigzags([resource for resource, _ in offer])),
            VIEW.chunk("offer_actions", zigzags([action for _, action in offer])),
            VIEW.chunk("gone", varints(gone)),
        )
    )


def _clan(clan: ClanView) -> bytes:
    goods = (clan.food, clan.iron, clan.pearl, clan.coins, clan.vp, clan.seals)
    payload = b"".join(
        (
            CLAN.chunk("goods", varints(goods)),
            CLAN.chunk("home", varints(clan.home)),
            CLAN.chunk("court", varints(clan.court)),
            CLAN.chunk("yards", varints(clan.yards)),
            CLAN.chunk("dice", varints(clan.dice)),
            CLAN.chunk("gardens", varints(clan.gardens)),
            CLAN.number("time", clan.space),
            CLAN.number("action", _signed(clan.action)),
            CLAN.chunk("lantern", varints(clan.lantern)),
        )
    )
    return VIEW.chunk("clans", payload)


def _solo(solo: SoloView) -> bytes:
    payload = b"".join(
        (
            SOLO.number("top", solo.top),
            SOLO.chunk("unknown", varints(solo.unknown)),
            SOLO.chunk("cycled", varints(solo.cycled)),
            SOLO.chunk("row", varints(solo.row)),
            SOLO.chunk("turn_sizes", varints([len(shown) for shown in solo.turns])),
            SOLO.chunk("turn_cards", varints([card for shown in solo.turns for card in shown])),
        )
    )
    return VIEW.chunk("solo", payload)


@lru_cache(maxsize=1 << 12)
def _frame(frame: tuple[str, *tuple[int, ...]]) -> bytes:
    """Something open; the same few frames come again and again."""
    kind, *numbers = frame
    return VIEW.chunk("stack", FRAME.chunk("kind", kind.encode()) + FRAME.chunk("numbers", zigzags(numbers)))


@cache
def _last(seat: int, kind: str, text: str) -> bytes:
    """The latest answer; as many as there are options and seats."""
    return (
        VIEW.number("last_seat", seat) + VIEW.chunk("last_kind", kind.encode()) + VIEW.chunk("last_text", text.encode())
    )


def describe(info: play_pb2.GameInfo) -> None:
    """Write what the numbers stand for."""
    message = info.white_castle
    message.cards.extend(NAMES.cards)
    message.gardens.extend(NAMES.gardens)
    message.yard_tiles.extend(NAMES.yard_tiles)
    message.die_tiles.extend(NAMES.die_tiles)
    message.daimyos.extend(NAMES.daimyos)
    message.solo_cards.extend(NAMES.solo_cards)
    message.die_spaces.extend(NAMES.die_spaces)
    message.yards.extend(NAMES.yards)
    message.effects.extend(NAMES.effects)
    message.tile_rooms.extend([_room(room) for room, _ in NAMES.tile_places])
    message.tile_rows.extend([row for _, row in NAMES.tile_places])
