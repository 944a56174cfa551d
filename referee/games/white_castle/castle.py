"""The castle: audiences, climbing, room cards, the daimyo's favour, rows done from afar (W-5.7, W-10.3 to W-10.8)."""

from __future__ import annotations

from referee.games.white_castle.components import (
    AUDIENCE_COINS,
    CARD_NAMES,
    CARDS,
    CLIMB_PEARLS,
    COIN,
    COURT,
    COURTIER,
    DAIMYO,
    FAVOUR,
    FLOOR_OF,
    LANTERN_EFFECT,
    LIGHT_ROW,
    NOTHING,
    PEARL,
    ROOMS,
    SEAL,
    SEALS_PER_RESOURCE,
    SPACE_NAMES,
    STEWARD_ROOMS,
    Effect,
)
from referee.games.white_castle.flow import Decision, Step, pay
from referee.games.white_castle.options import (
    AUDIENCE,
    DONE,
    FAVOURS,
    LIGHT_IN_ROOM,
    LIGHT_ROWS,
    SKIP,
    Choice,
    Choices,
    climbs,
)
from referee.games.white_castle.state import Clan, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Verb

_PLACES = tuple(tuple(place for place in range(COURT) if FLOOR_OF[place] == floor) for floor in range(4))
"""The places of the court on each floor."""
_ONE_FLOOR, _TWO_FLOORS = CLIMB_PEARLS[1], CLIMB_PEARLS[2]


# ---- courtier action


def start(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """A courtier action: up to one audience and one climb, in either order (W-10.3)."""
    _ask_courtier(state, seat, 0, 0)


def possible(state: State, clan: Clan) -> bool:
    """Whether a courtier action could be bought at all: one at home or one that can still rise (W-10.7)."""
    return clan.home[COURTIER] > 0 or _origins(clan) > 0


def _origins(clan: Clan) -> int:
    """The mask of floors (gate, 1, 2) from which a courtier can climb."""
    court = clan.court
    return (court[0] > 0) | (court[1] + court[2] + court[3] > 0) << 1 | (court[4] + court[5] > 0) << 2


def _ask_courtier(state: State, seat: int, audience: int, climbed: int) -> None:
    """Ask for a sub-action if one is reachable, seal exchanges counted; 1 marks those that are done (W-10, W-10.3)."""
    clan = state.clans[seat]
    goods = clan.goods
    seals = goods[SEAL]
    if (not audience and clan.home[COURTIER] and goods[COIN] + seals >= AUDIENCE_COINS) or (
        not climbed and goods[PEARL] + seals // SEALS_PER_RESOURCE >= _ONE_FLOOR and _origins(clan)
    ):
        state.stack.append(("courtier", seat, audience, climbed))


def _courtier_step(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(more_courtier, seat, audience done, climb done)`: offer the other sub-action (W-10.3)."""
    _, seat, audience, climbed = frame
    _ask_courtier(state, seat, audience, climbed)


def _sub_actions(state: State, frame: Frame) -> Choices:
    """The sub-actions that can be paid now (W-10.3)."""
    _, seat, audience, climbed = frame
    clan = state.clans[seat]
    goods = clan.goods
    pearls = goods[PEARL]
    listed: Choices = (DONE,)
    if not climbed and pearls >= _ONE_FLOOR:
        listed = climbs(_origins(clan), pearls >= _TWO_FLOORS) + listed
    if not audience and clan.home[COURTIER] and goods[COIN] >= AUDIENCE_COINS:
        return (AUDIENCE, *listed)
    return listed


def _sub_action_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`courtier`: an audience, a climb, or done (W-10.3)."""
    _, seat, audience, climbed = frame
    if choice.verb == "audience":
        pay(state, seat, COIN, AUDIENCE_COINS, events)
        clan = state.clans[seat]
        clan.home[COURTIER] -= 1
        clan.court[0] += 1
        _ask_courtier(state, seat, 1, climbed)
    elif choice.verb == "climb":
        pay(state, seat, PEARL, CLIMB_PEARLS[choice.b], events)
        rise(state.clans[seat], choice.a, choice.c)
        state.stack.append(("more_courtier", seat, audience, 1))
        if choice.c == FAVOUR:
            state.stack.append(("favour", seat))
            state.stack.append(("do", seat, LANTERN_EFFECT))
        else:
            _visit(state, seat, choice.c)


def rise(clan: Clan, origin: int, destination: int) -> None:
    """Move a courtier from a floor to a room or to floor 3.

    Courtiers of a floor are interchangeable; the one in the first room of the floor leaves (W-3.5).
    """
    court = clan.court
    for place in _PLACES[origin]:
        if court[place]:
            court[place] -= 1
            break
    court[1 + destination] += 1


# ---- room cards


def deck_of(state: State, room: int) -> tuple[int, ...]:
    """The deck that refills a room."""
    return state.stewards if room in STEWARD_ROOMS else state.diplomats


def _visit(state: State, seat: int, room: int) -> None:
    """A climb that ends in a room: its card changes hands unless the deck is empty; one light row (W-10.4, W-10.5)."""
    card = state.castle[room]
    if deck_of(state, room):
        clan = state.clans[seat]
        clan.lantern += (clan.action,)
        clan.action = card
        state.castle[room] = NOTHING
        state.stack.append(("refill", room))
    light = CARDS[card].light
    if len(light) > 1:
        state.stack.append(("choose_light", seat, card))
    else:
        state.stack.append(("do", seat, CARDS[card].rows[light[0]]))


def _refill(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(refill, room)` (W-10.4c)."""
    refill(state, frame[1], events)


def refill(state: State, room: int, events: list[Event]) -> None:
    """The top card of the deck comes into the room; dice and die tiles stay (W-10.4, W-10.8)."""
    card, *rest = deck_of(state, room)
    if room in STEWARD_ROOMS:
        state.stewards = tuple(rest)
    else:
        state.diplomats = tuple(rest)
    state.castle[room] = card
    events.append(Event(Verb.REVEALED, TABLE, SPACE_NAMES[room], (CARD_NAMES[card],)))


def _light_rows(state: State, frame: Frame) -> Choices:
    return LIGHT_ROWS[frame[2]]


def _light_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`choose_light`: which of two light rows (W-10.4)."""
    _, seat, card = frame
    state.stack.append(("do", seat, CARDS[card].rows[choice.a]))


# ---- the daimyo's favour


def free_slots(state: State) -> int:
    """The mask of favour slots without a courtier."""
    one, two, three = state.favours
    return (one < 0) | (two < 0) << 1 | (three < 0) << 2


def _favour(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(favour, seat)`: choose a free slot; a single one is taken without asking (W-10.6)."""
    seat = frame[1]
    slots = FAVOURS[free_slots(state)]
    if len(slots) > 1:
        state.stack.append(("daimyo_slot", seat))
    elif slots:
        _occupy(state, seat, slots[0].a)


def _slots(state: State, frame: Frame) -> Choices:
    return FAVOURS[free_slots(state)]


def _slot_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`daimyo_slot` (W-10.6)."""
    _occupy(state, frame[1], choice.a)


def _occupy(state: State, seat: int, slot: int) -> None:
    state.favours[slot] = seat
    state.stack.append(("do", seat, DAIMYO[state.board.daimyo][slot]))


# ---- rows of the castle done without a die


def start_row(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """`castle_row` and `castle_light`: one row of one room (W-5.7)."""
    state.stack.append(("choose_castle_action", seat, effect.scope))


def _castle_rows(state: State, frame: Frame) -> Choices:
    """Rows facing a tile of the colour, or all, or the light ones; reachable or not (W-5.7, W-17.4)."""
    scope = frame[2]
    if scope < LIGHT_ROW:
        return state.board.rows_of[scope]
    return (*(choice for room in ROOMS for choice in LIGHT_IN_ROOM[room][state.castle[room]]), SKIP)


def _castle_row_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`choose_castle_action` (W-5.7)."""
    if choice.verb == "row":
        state.stack.append(("do", frame[1], CARDS[state.castle[choice.a]].rows[choice.b]))


STEPS: dict[str, Step] = {"more_courtier": _courtier_step, "refill": _refill, "favour": _favour}
DECISIONS = (
    Decision("courtier", _sub_actions, _sub_action_chosen),
    Decision("choose_light", _light_rows, _light_chosen),
    Decision("daimyo_slot", _slots, _slot_chosen),
    Decision("choose_castle_action", _castle_rows, _castle_row_chosen),
)
