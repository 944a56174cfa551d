"""A state as plain data (`dump`) and back (`load`).

Loading checks everything that the rules rely on: the type and range of each number, that all components are there, and
that the books about hidden cards add up. The rules can go on with every state that passes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from functools import partial
from operator import le
from typing import Any, TypeAlias, cast

from referee.games.ninjato.census import COMPLETE, census
from referee.games.ninjato.components import (
    CLANS,
    DOJO_COUNTS,
    DOJO_DRAW,
    ELITE_COUNTS,
    ELITES,
    ENVOYS,
    GUARD_COUNTS,
    GUARDS,
    HAND_LIMIT,
    HOUSES,
    MAX_SEATS,
    MIN_SEATS,
    MODES,
    ROUNDS,
    RUMORS,
    SHURIKEN,
    SKILL_COUNTS,
    SKILLS,
    TOKENS,
    TREASURE_COUNTS,
    TREASURES,
    Counts,
)
from referee.games.ninjato.counts import NO_CARDS, gather, minus, plus, total
from referee.games.ninjato.options import PLACES
from referee.games.ninjato.state import (
    ELITE,
    GUARD,
    NO_OPPONENT,
    RAID_KINDS,
    SCORING_KINDS,
    SENTINEL,
    Raid,
    Scoring,
    State,
)
from referee.kernel.errors import BadPlain
from referee.kernel.frames import Frame
from referee.kernel.plain import Plain
from referee.kernel.reading import Reader

_Read: TypeAlias = Callable[[Plain, str], Any]
"""Reads the value of one field; the text names the field in an error."""

_FIELDS = tuple(field.name for field in fields(State))
_READER = Reader(BadPlain)
_LARGEST = 1 << 31
"""Largest honor and largest number of shuffles that is read."""


def dump(state: State) -> Plain:
    """The whole state: a dict with one entry for each field."""
    return {name: _plain(getattr(state, name)) for name in _FIELDS}


def _plain(value: object) -> Plain:
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else cast(int | str, value)


def load(plain: Plain) -> State:
    """The state that `dump` wrote; raises BadPlain."""
    given = _READER.exactly(plain, "a state of Ninjato", _FIELDS)
    seats = _READER.integer(given["seats"], "seats", MIN_SEATS, MAX_SEATS)
    state = State(**{name: read(given[name], name) for name, read in _readers(seats).items()})
    _check(state)
    return state


def _number(low: int, high: int) -> _Read:
    return partial(_READER.integer, low=low, high=high)


def _index(table: Sequence[object]) -> _Read:
    """Reads the number of one item of a table."""
    return _number(0, len(table) - 1)


def _indices(table: Sequence[object]) -> _Read:
    """Reads a list of numbers of items of a table. Its length needs no check where the census counts the items."""
    return partial(_READER.integers, low=0, high=len(table) - 1)


def _heap(limit: Counts) -> _Read:
    """Reads a tuple of counts, one for each kind, none above its `limit`."""

    def read(plain: Plain, what: str) -> Counts:
        counts = _READER.integers(plain, what, 0, count=len(limit))
        _READER.require(all(map(le, counts, limit)), f"{what} must be at most {limit}")
        return counts

    return read


def _several(item: _Read, least: int, most: int) -> _Read:
    """Reads a tuple of `least` to `most` items."""
    return lambda plain, what: tuple([item(part, what) for part in _READER.listed(plain, what, least, most)])


def _each(count: int, item: _Read) -> _Read:
    """Reads a list with one item for each of `count` seats or houses."""
    return lambda plain, what: [item(part, what) for part in _READER.listed(plain, what, count, count)]


def _doubt(plain: Plain, what: str) -> tuple[int, int]:
    card, fresh = _READER.integers(plain, what, 0, sum(DOJO_COUNTS), count=2)
    _READER.require(card < len(DOJO_COUNTS) and fresh > 0, f"{what}: a doubt is a card and a number of fresh cards")
    return card, fresh


def _readers(seats: int) -> dict[str, _Read]:
    """How each field is read, for a number of seats."""
    cards, treasures, skills = _heap(DOJO_COUNTS), _heap(TREASURE_COUNTS), _heap(SKILL_COUNTS)
    envoys, rumors = _indices(ENVOYS), _indices(RUMORS)
    return {
        "seats": _number(seats, seats),
        "round": _number(1, ROUNDS),
        "order": partial(_READER.different, low=0, high=seats - 1, count=seats),
        "placed": _several(_index(PLACES), 0, SHURIKEN * seats),
        "honor": _each(seats, _number(0, _LARGEST)),
        "hands": _each(seats, cards),
        "treasures": _each(seats, treasures),
        "ready": _each(seats, skills),
        "used": _each(seats, skills),
        "envoys": _each(seats, envoys),
        "rumors": _each(seats, rumors),
        "trophies": _each(seats, _indices(ELITES)),
        "light": _each(HOUSES, treasures),
        "red": _each(HOUSES, treasures),
        "sentinels": _each(HOUSES, _number(-1, len(GUARDS) - 1)),
        "tokens": _each(HOUSES, _index(TOKENS)),
        "supply": _indices(TOKENS),
        "face_up": cards,
        "sensei": _several(_index(SKILLS), 0, seats),
        "palace": envoys,
        "pavilion": rumors,
        "dojo_deck": _indices(DOJO_COUNTS),
        "guard_deck": _indices(GUARDS),
        "elite_deck": _indices(ELITES),
        "bag": _indices(TREASURES),
        "envoy_deck": envoys,
        "rumor_deck": rumors,
        "skill_deck": _indices(SKILLS),
        "hensojutsu_deck": _indices(SKILLS),
        "dojo_discard": cards,
        "guard_discard": _heap(GUARD_COUNTS),
        "elite_discard": _heap(ELITE_COUNTS),
        "treasure_discard": treasures,
        "retired": skills,
        "shuffles": _several(_number(0, _LARGEST), 4, 4),
        "known": _each(seats, cards),
        "fresh": _each(seats, cards),
        "doubts": _each(seats, _several(_doubt, 0, sum(DOJO_COUNTS))),
        "pool": cards,
        "stack": _stack_reader(seats),
    }


def _stack_reader(seats: int) -> _Read:
    """Reads a stack: the one decision that is due, or none when the game is over."""
    seat, treasures = _number(0, seats - 1), _heap(TREASURE_COUNTS)
    opponent = (_number(NO_OPPONENT, ELITE), _number(-1, max(len(GUARDS), len(ELITES)) - 1), _number(0, 3))
    raid = (seat, _number(0, HOUSES - 1), _index(MODES), treasures, treasures, *opponent)
    phase = (
        *(seat, _number(0, 2 * len(CLANS) - 1)),
        *(_several(_index(ENVOYS), 0, len(ENVOYS)), _several(_number(0, 2), 0, len(CLANS))),
    )
    shapes: dict[str, tuple[_Read, ...]] = {
        "place": (seat,),
        "dojo_pick": (seat, _number(1, max(DOJO_DRAW))),
        "dojo_discard": (seat,),
        "sensei_take": (seat,),
        "sensei_pay": (seat, _index(SKILLS)),
        "envoy_take": (seat,),
        "rumor_take": (seat,),
        "pay": (seat, partial(_word, known=("envoy", "rumor")), _number(0, max(len(ENVOYS), len(RUMORS)) - 1)),
        **dict.fromkeys(RAID_KINDS, raid),
        **dict.fromkeys(SCORING_KINDS, phase),
    }

    def frame(plain: Plain, what: str) -> Frame:
        items = _READER.listed(plain, what, 1)
        kind = _word(items[0], what, shapes)
        shape = shapes[kind]
        _READER.require(len(items) == 1 + len(shape), f"{what}: a frame {kind} has {1 + len(shape)} items")
        parts = [read(part, what) for read, part in zip(shape, items[1:], strict=True)]
        if kind in RAID_KINDS:
            return Raid(kind, *parts)
        return Scoring(kind, *parts) if kind in SCORING_KINDS else (kind, *parts)

    return lambda plain, what: [frame(part, what) for part in _READER.listed(plain, what, 0, 1)]


def _word(plain: Plain, what: str, known: Collection[str]) -> str:
    return _READER.word({what: plain}, what, known)


def _check(state: State) -> None:
    """Raise BadPlain unless all components are there once and the parts of the state fit together."""
    _READER.require(census(state) == COMPLETE, "a state has every component of the game exactly once")
    hands_and_deck = total(state.fresh, gather(state.dojo_deck, NO_CARDS))
    _READER.require(hands_and_deck == state.pool, "pool: it is the Dojo deck and all fresh cards")
    for seat in range(state.seats):
        spent = gather((card for card, _ in state.doubts[seat]), NO_CARDS)
        old = minus(minus(plus(state.hands[seat], spent), state.known[seat]), state.fresh[seat])
        _READER.require(min(old) >= 0, "hands: they hold their known and fresh cards")
        _READER.require(sum(state.hands[seat]) <= HAND_LIMIT + max(DOJO_DRAW), "hands: one is too large")
    for house in range(HOUSES):
        guarded = state.sentinels[house] >= 0
        _READER.require(state.is_open(house) == guarded, "sentinels: every house with treasures has one, and no other")
    for frame in state.stack:
        if isinstance(frame, Raid):
            _check_raid(state, frame)


def _check_raid(state: State, raid: Raid) -> None:
    """Raise BadPlain unless a raid's opponent is one that can stand there."""
    table = {NO_OPPONENT: 0, SENTINEL: len(GUARDS), GUARD: len(GUARDS), ELITE: len(ELITES)}[raid.opponent]
    exists = 0 <= raid.card < table if table else raid.card == -1
    _READER.require(exists, "stack: the opponent of a raid does not exist")
    fights = (raid.kind == "fight") == (raid.opponent != NO_OPPONENT)
    _READER.require(fights, "stack: a fight, and nothing else, has an opponent")
    at_home = raid.opponent != SENTINEL or raid.card == state.sentinels[raid.house]
    _READER.require(at_home, "stack: the Sentinel of a raid is that of its house")
