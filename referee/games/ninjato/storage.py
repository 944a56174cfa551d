"""A state as plain data and back (`dump`, `load`).

Loading checks everything that the rules rely on: the type and range of each number, that all components are there, and
that the books about hidden cards add up. What passes is a state that the rules can go on with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
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
    ROUNDS,
    RUMORS,
    SHURIKEN,
    SKILL_COUNTS,
    SKILLS,
    TOKENS,
    TREASURE_COUNTS,
    Counts,
)
from referee.games.ninjato.counts import NO_CARDS, gather, minus, plus, total
from referee.games.ninjato.options import PLACES
from referee.games.ninjato.state import ELITE, GUARD, NOBODY, SENTINEL, Raid, Scoring, State
from referee.kernel.errors import BadPlain
from referee.kernel.frames import Frame, dump_frame
from referee.kernel.plain import Plain

_Reader: TypeAlias = Callable[[Plain], Any]

_FIELDS = tuple(field.name for field in fields(State))
_ANY_NUMBER = 1 << 31


def dump(state: State) -> Plain:
    """The whole state: a dict with one entry for each field."""
    plain: dict[str, Plain] = {name: _plain(getattr(state, name)) for name in _FIELDS if name != "stack"}
    plain["stack"] = [dump_frame(frame) for frame in state.stack]
    return plain


def _plain(value: object) -> Plain:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return cast(int, value)


def load(plain: Plain) -> State:
    """The state that `dump` wrote; raises BadPlain."""
    if not isinstance(plain, dict) or sorted(plain) != sorted(_FIELDS):
        raise BadPlain(f"a state of Ninjato is an object with the keys {', '.join(_FIELDS)}")
    seats = _whole(MIN_SEATS, MAX_SEATS)(plain["seats"])
    values = {}
    for name, reader in _readers(seats).items():
        try:
            values[name] = reader(plain[name])
        except BadPlain as error:
            raise BadPlain(f"{name}: {error}") from None
    state = State(**values)
    _check(state)
    return state


def _whole(low: int, high: int) -> _Reader:
    def read(plain: Plain) -> int:
        if isinstance(plain, bool) or not isinstance(plain, int) or not low <= plain <= high:
            raise BadPlain(f"expected a whole number from {low} to {high}")
        return plain

    return read


def _index(table: Sequence[object]) -> _Reader:
    return _whole(0, len(table) - 1)


def _several(item: _Reader, least: int, most: int) -> _Reader:
    def read(plain: Plain) -> tuple[Any, ...]:
        if not isinstance(plain, list) or not least <= len(plain) <= most:
            raise BadPlain(f"expected a list of {least} to {most} items")
        return tuple(item(part) for part in plain)

    return read


def _listed(item: _Reader, count: int) -> _Reader:
    several = _several(item, count, count)
    return lambda plain: list(several(plain))


def _heap(limit: Counts) -> _Reader:
    readers = [_whole(0, most) for most in limit]

    def read(plain: Plain) -> Counts:
        if not isinstance(plain, list) or len(plain) != len(readers):
            raise BadPlain(f"expected a list of {len(readers)} counts")
        return tuple(reader(part) for reader, part in zip(readers, plain, strict=True))

    return read


def _words(*known: str) -> _Reader:
    def read(plain: Plain) -> str:
        if plain not in known or not isinstance(plain, str):
            raise BadPlain(f"expected one of {', '.join(known)}")
        return plain

    return read


def _doubt(plain: Plain) -> tuple[Any, ...]:
    if not isinstance(plain, list) or len(plain) != 2:
        raise BadPlain("expected a pair")
    return _index(DOJO_COUNTS)(plain[0]), _whole(1, sum(DOJO_COUNTS))(plain[1])


def _readers(seats: int) -> dict[str, _Reader]:
    """How each field is read, for a number of seats."""
    cards, treasures, skills = _heap(DOJO_COUNTS), _heap(TREASURE_COUNTS), _heap(SKILL_COUNTS)
    all_skills = sum(SKILL_COUNTS)
    envoys, rumors = _several(_index(ENVOYS), 0, len(ENVOYS)), _several(_index(RUMORS), 0, len(RUMORS))
    seat = _whole(0, seats - 1)
    return {
        "seats": _whole(seats, seats),
        "round": _whole(1, ROUNDS),
        "order": _several(seat, seats, seats),
        "placed": _several(_index(PLACES), 0, SHURIKEN * seats),
        "honor": _listed(_whole(0, _ANY_NUMBER), seats),
        "hands": _listed(cards, seats),
        "treasures": _listed(treasures, seats),
        "ready": _listed(skills, seats),
        "used": _listed(skills, seats),
        "envoys": _listed(envoys, seats),
        "rumors": _listed(rumors, seats),
        "trophies": _listed(_several(_index(ELITES), 0, sum(ELITE_COUNTS)), seats),
        "light": _listed(treasures, HOUSES),
        "red": _listed(treasures, HOUSES),
        "sentinels": _listed(_whole(-1, len(GUARDS) - 1), HOUSES),
        "tokens": _listed(_index(TOKENS), HOUSES),
        "supply": _several(_index(TOKENS), 0, len(TOKENS)),
        "face_up": cards,
        "sensei": _several(_index(SKILLS), 0, seats),
        "palace": envoys,
        "pavilion": rumors,
        "dojo_deck": _several(_index(DOJO_COUNTS), 0, sum(DOJO_COUNTS)),
        "guard_deck": _several(_index(GUARDS), 0, sum(GUARD_COUNTS)),
        "elite_deck": _several(_index(ELITES), 0, sum(ELITE_COUNTS)),
        "bag": _several(_index(TREASURE_COUNTS), 0, sum(TREASURE_COUNTS)),
        "envoy_deck": envoys,
        "rumor_deck": rumors,
        "skill_deck": _several(_index(SKILLS), 0, all_skills),
        "hensojutsu_deck": _several(_index(SKILLS), 0, all_skills),
        "dojo_discard": cards,
        "guard_discard": _heap(GUARD_COUNTS),
        "elite_discard": _heap(ELITE_COUNTS),
        "treasure_discard": treasures,
        "retired": skills,
        "shuffles": _several(_whole(0, _ANY_NUMBER), 4, 4),
        "known": _listed(cards, seats),
        "fresh": _listed(cards, seats),
        "doubts": _listed(_several(_doubt, 0, sum(DOJO_COUNTS)), seats),
        "pool": cards,
        "stack": _stack_reader(seats),
    }


def _stack_reader(seats: int) -> _Reader:
    """A stack holds the one decision that is due, or nothing when the game is over."""
    seat, treasures = _whole(0, seats - 1), _heap(TREASURE_COUNTS)
    raid = (
        *(seat, _whole(0, HOUSES - 1), _whole(0, 1), treasures, treasures),
        *(_whole(NOBODY, ELITE), _whole(-1, max(len(GUARDS), len(ELITES)) - 1), _whole(0, 3)),
    )
    chosen = (seat, _whole(0, 2 * len(CLANS) - 1), _several(_index(ENVOYS), 0, len(ENVOYS)))
    phase = (*chosen, _several(_whole(0, 2), 0, len(CLANS)))
    shapes: dict[str, tuple[_Reader, ...]] = {
        "place": (seat,),
        "dojo_pick": (seat, _whole(1, max(DOJO_DRAW))),
        "dojo_discard": (seat,),
        "sensei_take": (seat,),
        "sensei_pay": (seat, _index(SKILLS)),
        "envoy_take": (seat,),
        "rumor_take": (seat,),
        "pay": (seat, _words("envoy", "rumor"), _whole(0, max(len(ENVOYS), len(RUMORS)) - 1)),
        **dict.fromkeys(("fight", "banzai", "keep", "clan_token"), raid),
        **dict.fromkeys(("disguise", "clan_reward", "rumor_free"), phase),
    }

    def frame(plain: Plain) -> Frame:
        if not isinstance(plain, list) or not plain:
            raise BadPlain("expected a frame")
        kind = _words(*shapes)(plain[0])
        shape = shapes[kind]
        if len(plain) != 1 + len(shape):
            raise BadPlain(f"a frame {kind} has {1 + len(shape)} items")
        parts = [reader(part) for reader, part in zip(shape, plain[1:], strict=True)]
        if shape is raid:
            return Raid(kind, *parts)
        return Scoring(kind, *parts) if shape is phase else (kind, *parts)

    return lambda plain: list(_several(frame, 0, 1)(plain))


def _check(state: State) -> None:
    """Raise BadPlain unless all components are there once and the parts of the state fit together."""
    if sorted(state.order) != list(range(state.seats)):
        raise BadPlain("order: every seat has one place in it")
    if census(state) != COMPLETE:
        raise BadPlain("a state has every component of the game exactly once")
    hands_and_deck = total(state.fresh, gather(state.dojo_deck, NO_CARDS))
    if hands_and_deck != state.pool:
        raise BadPlain("pool: it is the Dojo deck and all fresh cards")
    for seat in range(state.seats):
        spent = gather((card for card, _ in state.doubts[seat]), NO_CARDS)
        old = minus(minus(plus(state.hands[seat], spent), state.known[seat]), state.fresh[seat])
        if min(old) < 0:
            raise BadPlain("hands: they hold their known and fresh cards")
        if sum(state.hands[seat]) > HAND_LIMIT + max(DOJO_DRAW):
            raise BadPlain("hands: one is too large")
    for house in range(HOUSES):
        if state.is_open(house) != (state.sentinels[house] >= 0):
            raise BadPlain("sentinels: every house with treasures has one, and no other")
    for frame in state.stack:
        if isinstance(frame, Raid):
            _check_raid(state, frame)


def _check_raid(state: State, raid: Raid) -> None:
    """Raise BadPlain unless a raid's opponent is one that can stand there."""
    table = {NOBODY: 0, SENTINEL: len(GUARDS), GUARD: len(GUARDS), ELITE: len(ELITES)}[raid.opponent]
    if not (0 <= raid.card < table if table else raid.card == -1):
        raise BadPlain("stack: the opponent of a raid does not exist")
    if (raid.kind == "fight") != (raid.opponent != NOBODY):
        raise BadPlain("stack: a fight, and nothing else, has an opponent")
    if raid.opponent == SENTINEL and raid.card != state.sentinels[raid.house]:
        raise BadPlain("stack: the Sentinel of a raid is that of its house")
