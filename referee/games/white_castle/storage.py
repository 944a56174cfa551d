"""The whole state as plain data and back, at every decision (W-17.2); what is read is checked."""

from __future__ import annotations

from referee.games.white_castle.bridges import FACES
from referee.games.white_castle.components import (
    CARDS,
    COLOURS,
    COURT,
    DAIMYO,
    DIE_SPACES,
    DIE_TILE_NAMES,
    GARDENS,
    GOODS,
    LAST_SPACE,
    MEMBERS,
    MEMBERS_PER_TYPE,
    MOST_SEATS,
    NOTHING,
    ROOMS,
    ROUNDS,
    SLOTS,
    SOLO_CARDS,
    TILE_SPACES,
    YARD_TILES,
    YARDS,
)
from referee.games.white_castle.options import BY_TEXT
from referee.games.white_castle.state import CONTINUATIONS, DECISIONS, BridgeDice, Clan, Die, Layout, Move, State
from referee.kernel.errors import BadPlain
from referee.kernel.frames import dump_frame, load_frame
from referee.kernel.plain import Plain
from referee.kernel.reading import Fields, Reader

READ = Reader(BadPlain, "a state of The White Castle: ")
_MANY = 10**9
"""Above the coins and points of every game."""
_CARDS, _SOLO_CARDS = len(CARDS) - 1, len(SOLO_CARDS) - 1
"""The last card and the last solo card."""


def dump(state: State) -> Plain:
    """The whole state, hidden parts included."""
    board = state.board
    return {
        "board": {
            "seats": board.seats,
            "tiles": list(board.tiles),
            "daimyo": board.daimyo,
            "gardens": list(board.gardens),
            "yard_tiles": list(board.yard_tiles),
        },
        "clans": [_dump_clan(clan) for clan in state.clans],
        "order": list(state.order),
        "track": list(state.track),
        "bridges": [[left, list(centre), right] for left, centre, right in state.bridges],
        "spaces": [[[colour, value] for colour, value in dice] for dice in state.spaces],
        "castle": list(state.castle),
        "stewards": list(state.stewards),
        "diplomats": list(state.diplomats),
        "favours": list(state.favours),
        "offer": [[resource, action] for resource, action in state.offer],
        "gone": list(state.gone),
        "solo_deck": list(state.solo_deck),
        "solo_row": list(state.solo_row),
        "solo_turns": [list(shown) for shown in state.solo_turns],
        "solo_unknown": state.solo_unknown,
        "round": state.round,
        "stack": [dump_frame(frame) for frame in state.stack],
        "last": None if state.last is None else list(state.last),
    }


def _dump_clan(clan: Clan) -> Plain:
    return {
        "goods": list(clan.goods),
        "home": list(clan.home),
        "court": list(clan.court),
        "yards": list(clan.yards),
        "dice": list(clan.dice),
        "gardens": clan.gardens,
        "space": clan.space,
        "action": clan.action,
        "lantern": list(clan.lantern),
    }


def load(plain: Plain) -> State:
    """The state that `dump` wrote; raises BadPlain."""
    fields = READ.table(plain, "the state")
    board = _board(READ.table(fields.get("board"), "'board'"))
    count = 2 if board.solo else board.seats
    state = State(
        board,
        [_clan(READ.table(clan, "a clan")) for clan in _items(fields, "clans", count)],
        READ.different(fields.get("order"), "'order'", 0, count - 1, count),
        list(READ.different(fields.get("track"), "'track'", 0, count - 1, count)),
        [_bridge(bridge) for bridge in _items(fields, "bridges", len(COLOURS))],
        [_dice(dice) for dice in _items(fields, "spaces", len(DIE_SPACES))],
        list(READ.integers(fields.get("castle"), "'castle'", NOTHING, _CARDS, len(ROOMS))),
        READ.different(fields.get("stewards"), "'stewards'", 0, _CARDS),
        READ.different(fields.get("diplomats"), "'diplomats'", 0, _CARDS),
        list(READ.integers(fields.get("favours"), "'favours'", NOTHING, count - 1, len(SLOTS))),
        tuple([_pair(pair) for pair in _items(fields, "offer")]),
        READ.integers(fields.get("gone"), "'gone'", 0, _CARDS),
        READ.different(fields.get("solo_deck"), "'solo_deck'", 0, _SOLO_CARDS),
        READ.different(fields.get("solo_row"), "'solo_row'", 0, _SOLO_CARDS),
        tuple([READ.integers(shown, "a turn of the rival", 0, _SOLO_CARDS) for shown in _items(fields, "solo_turns")]),
        READ.integer(fields.get("solo_unknown"), "'solo_unknown'", 0, _SOLO_CARDS),
        READ.integer(fields.get("round"), "'round'", 1, ROUNDS),
        [load_frame(frame) for frame in _items(fields, "stack")],
        _move(fields.get("last", False)),
    )
    _check_stack(state)
    return state


def _items(fields: Fields, key: str, count: int | None = None) -> list[Plain]:
    return READ.listed(fields.get(key), repr(key), count or 0, count)


def _check_stack(state: State) -> None:
    """Raise BadPlain unless every frame has a known kind and numbers, and the top frame asks a seat."""
    for kind, *numbers in state.stack:
        READ.require(kind in DECISIONS or kind in CONTINUATIONS, f"there is no frame {kind!r}")
        whole = all(type(number) is int for number in numbers)
        READ.require(whole, f"a frame {kind!r} must have whole numbers only")
    if state.stack:
        kind, *numbers = state.stack[-1]
        asks = kind in DECISIONS and bool(numbers) and numbers[0] in range(state.board.seats)
        READ.require(asks, "the frame on top of the stack must be a decision of a seat")


def _board(fields: Fields) -> Layout:
    return Layout.lay(
        READ.integer(fields.get("seats"), "'seats'", 1, MOST_SEATS),
        READ.different(fields.get("tiles"), "'tiles'", 0, len(DIE_TILE_NAMES) - 1, len(TILE_SPACES)),
        READ.integer(fields.get("daimyo"), "'daimyo'", 0, len(DAIMYO) - 1),
        READ.different(fields.get("gardens"), "'gardens'", 0, len(GARDENS) - 1, 2 * len(COLOURS)),
        READ.different(
            fields.get("yard_tiles"), "'yard_tiles'", 0, len(YARD_TILES) - 1, sum(len(yard.sides) for yard in YARDS)
        ),
    )


def _clan(fields: Fields) -> Clan:
    return Clan(
        list(READ.integers(fields.get("goods"), "'goods'", 0, _MANY, len(GOODS))),
        list(READ.integers(fields.get("home"), "'home'", 0, MEMBERS_PER_TYPE, len(MEMBERS))),
        list(READ.integers(fields.get("court"), "'court'", 0, MEMBERS_PER_TYPE, COURT)),
        list(READ.integers(fields.get("yards"), "'yards'", 0, MEMBERS_PER_TYPE, len(YARDS))),
        list(READ.integers(fields.get("dice"), "'dice'", 0, FACES, len(COLOURS))),
        READ.integer(fields.get("gardens"), "'gardens'", 0, (1 << len(GARDENS)) - 1),
        READ.integer(fields.get("space"), "'space'", 0, LAST_SPACE),
        READ.integer(fields.get("action"), "'action'", NOTHING, _CARDS),
        READ.integers(fields.get("lantern"), "'lantern'", 0, _CARDS),
    )


def _bridge(plain: Plain) -> BridgeDice:
    left, centre, right = READ.listed(plain, "a bridge", 3, 3)
    return (
        READ.integer(left, "the left die of a bridge", 0, FACES),
        READ.integers(centre, "the centre dice of a bridge", 1, FACES),
        READ.integer(right, "the right die of a bridge", 0, FACES),
    )


def _dice(plain: Plain) -> tuple[Die, ...]:
    dice = [READ.listed(die, "a die", 2, 2) for die in READ.listed(plain, "a die space")]
    last = len(COLOURS) - 1
    return tuple(
        [(READ.integer(colour, "a colour", 0, last), READ.integer(value, "a die", 1, FACES)) for colour, value in dice]
    )


def _pair(plain: Plain) -> tuple[int, int]:
    resource, action = READ.integers(plain, "a starting pair", NOTHING, _CARDS, 2)
    return resource, action


def _move(plain: Plain) -> Move | None:
    if plain is None:
        return None
    seat, kind, text = READ.listed(plain, "'last'", 3, 3)
    known = isinstance(kind, str) and isinstance(text, str) and text in BY_TEXT.get(kind, {})
    READ.require(known, "'last' must be a seat, a kind of decision and the text of an option")
    return Move(READ.integer(seat, "the seat of 'last'", 0, MOST_SEATS - 1), str(kind), str(text))
