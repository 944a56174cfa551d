"""The whole state as plain data and back, checked on the way in (W-17.2: it serialises at every decision)."""

from __future__ import annotations

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
    NOTHING,
    ROOMS,
    ROUNDS,
    SLOTS,
    SOLO_CARDS,
    TILE_SPACES,
    YARD_TILES,
    YARDS,
)
from referee.games.white_castle.options import EVERY_CHOICE, SEATS
from referee.games.white_castle.rules import HANDLERS, STEPS
from referee.games.white_castle.state import Board, Bridge, Clan, Die, Move, State
from referee.kernel.errors import BadPlain
from referee.kernel.frames import dump_frame, load_frame
from referee.kernel.plain import Plain

_MANY = 10**9
"""More coins or points than any game sees."""


def dump(state: State) -> Plain:
    """The whole state, hidden things included."""
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


class _Reader:
    """Reads the fields of one object, naming the field in every complaint."""

    def __init__(self, plain: Plain, what: str) -> None:
        if not isinstance(plain, dict):
            raise BadPlain(f"{what} is an object")
        self._plain = plain
        self._what = what

    def value(self, key: str) -> Plain:
        if key not in self._plain:
            raise BadPlain(f"{self._what} lacks {key}")
        return self._plain[key]

    def items(self, key: str) -> list[Plain]:
        return _list(self.value(key), f"{self._what}'s {key}")

    def number(self, key: str, low: int, high: int) -> int:
        return _number(self.value(key), low, high, f"{self._what}'s {key}")

    def numbers(self, key: str, low: int, high: int, count: int | None = None) -> list[int]:
        what = f"{self._what}'s {key}"
        numbers = [_number(item, low, high, what) for item in self.items(key)]
        if count is not None and len(numbers) != count:
            raise BadPlain(f"{what} are {count} numbers, not {len(numbers)}")
        return numbers

    def different(self, key: str, low: int, high: int, count: int | None = None) -> list[int]:
        numbers = self.numbers(key, low, high, count)
        if len(set(numbers)) != len(numbers):
            raise BadPlain(f"{self._what}'s {key} are different numbers")
        return numbers


def _list(plain: Plain, what: str) -> list[Plain]:
    if not isinstance(plain, list):
        raise BadPlain(f"{what} is a list")
    return plain


def _number(plain: Plain, low: int, high: int, what: str) -> int:
    if not isinstance(plain, int) or isinstance(plain, bool) or not low <= plain <= high:
        raise BadPlain(f"{what} has a number from {low} to {high} where {plain!r} stands")
    return plain


def load(plain: Plain) -> State:
    """The state that `dump` wrote."""
    whole = _Reader(plain, "a state of The White Castle")
    board = _load_board(_Reader(whole.value("board"), "the board"))
    count = 2 if board.solo else board.seats
    clans = [_load_clan(_Reader(clan, "a clan")) for clan in whole.items("clans")]
    if len(clans) != count:
        raise BadPlain(f"a game of {board.seats} has {count} clans, not {len(clans)}")
    bridges = [_load_bridge(bridge) for bridge in whole.items("bridges")]
    spaces = [_load_dice(dice) for dice in whole.items("spaces")]
    if (len(bridges), len(spaces)) != (len(COLOURS), len(DIE_SPACES)):
        raise BadPlain(f"there are {len(COLOURS)} bridges and {len(DIE_SPACES)} die spaces")
    cards = len(CARDS) - 1
    solo_cards = len(SOLO_CARDS) - 1
    state = State(
        board,
        clans,
        tuple(whole.different("order", 0, count - 1, count)),
        whole.different("track", 0, count - 1, count),
        bridges,
        spaces,
        whole.numbers("castle", NOTHING, cards, len(ROOMS)),
        tuple(whole.different("stewards", 0, cards)),
        tuple(whole.different("diplomats", 0, cards)),
        whole.numbers("favours", NOTHING, count - 1, len(SLOTS)),
        tuple(_load_pair(pair) for pair in whole.items("offer")),
        tuple(whole.numbers("gone", 0, cards)),
        tuple(whole.different("solo_deck", 0, solo_cards)),
        tuple(whole.different("solo_row", 0, solo_cards)),
        tuple(
            tuple(_number(card, 0, solo_cards, "a turn of the rival") for card in _list(shown, "a turn of the rival"))
            for shown in whole.items("solo_turns")
        ),
        whole.number("solo_unknown", 0, solo_cards),
        whole.number("round", 1, ROUNDS),
        [load_frame(frame) for frame in whole.items("stack")],
        _load_move(whole.value("last")),
    )
    _check_stack(state)
    return state


def _check_stack(state: State) -> None:
    for frame in state.stack:
        if frame[0] not in HANDLERS and frame[0] not in STEPS:
            raise BadPlain(f"The White Castle has no frame {frame[0]!r}")
        if any(type(item) is not int for item in frame[1:]):
            raise BadPlain(f"a frame {frame[0]!r} holds whole numbers only")
    if state.stack:
        kind, *rest = state.stack[-1]
        if kind not in HANDLERS or not rest or rest[0] not in range(state.board.seats):
            raise BadPlain("the frame on top of the stack is a decision of a seat")


def _load_board(board: _Reader) -> Board:
    return Board.lay(
        board.number("seats", 1, 4),
        board.different("tiles", 0, len(DIE_TILE_NAMES) - 1, len(TILE_SPACES)),
        board.number("daimyo", 0, len(DAIMYO) - 1),
        board.different("gardens", 0, len(GARDENS) - 1, 2 * len(COLOURS)),
        board.different("yard_tiles", 0, len(YARD_TILES) - 1, sum(len(yard.sides) for yard in YARDS)),
    )


def _load_clan(clan: _Reader) -> Clan:
    loaded = Clan()
    loaded.goods = clan.numbers("goods", 0, _MANY, len(GOODS))
    loaded.home = clan.numbers("home", 0, MEMBERS_PER_TYPE, len(MEMBERS))
    loaded.court = clan.numbers("court", 0, MEMBERS_PER_TYPE, COURT)
    loaded.yards = clan.numbers("yards", 0, MEMBERS_PER_TYPE, len(YARDS))
    loaded.dice = clan.numbers("dice", 0, 6, len(COLOURS))
    loaded.gardens = clan.number("gardens", 0, (1 << len(GARDENS)) - 1)
    loaded.space = clan.number("space", 0, LAST_SPACE)
    loaded.action = clan.number("action", NOTHING, len(CARDS) - 1)
    loaded.lantern = tuple(clan.numbers("lantern", 0, len(CARDS) - 1))
    return loaded


def _load_bridge(plain: Plain) -> Bridge:
    match _list(plain, "a bridge"):
        case [left, list(centre), right]:
            return (
                _number(left, 0, 6, "a bridge"),
                tuple(_number(die, 1, 6, "a bridge") for die in centre),
                _number(right, 0, 6, "a bridge"),
            )
    raise BadPlain("a bridge is its left die, the list of its centre dice and its right die")


def _load_dice(plain: Plain) -> tuple[Die, ...]:
    dice = []
    for item in _list(plain, "a die space"):
        match item:
            case [colour, value]:
                dice.append((_number(colour, 0, len(COLOURS) - 1, "a die"), _number(value, 1, 6, "a die")))
            case _:
                raise BadPlain("a die is its colour and its value")
    return tuple(dice)


def _load_move(plain: Plain) -> Move | None:
    match plain:
        case None:
            return None
        case [seat, str(kind), str(text)] if text in EVERY_CHOICE.get(kind, {}):
            return Move(_number(seat, 0, SEATS - 1, "an answer"), kind, text)
    raise BadPlain("the latest answer is nothing, or a seat, a kind of question and an answer to it")


def _load_pair(plain: Plain) -> tuple[int, int]:
    match _list(plain, "a starting pair"):
        case [resource, action]:
            high = len(CARDS) - 1
            return _number(resource, NOTHING, high, "a pair"), _number(action, NOTHING, high, "a pair")
    raise BadPlain("a starting pair is a resource card and an action card")
