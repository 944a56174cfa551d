"""The castle: audiences, climbs, room cards, the daimyo's favour, rows done without a die (W-5.7, W-10.3 to W-10.8)."""

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
from referee.games.white_castle.flow import Continuation, DecisionRules, pay
from referee.games.white_castle.options import (
    AUDIENCE,
    CLIMB_LISTS,
    DONE,
    FAVOURS,
    LIGHT_IN_ROOM,
    LIGHT_ROWS,
    SKIP,
    CastleRow,
    Climb,
    FavourSlot,
    LightRow,
    Word,
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
    """Begin a courtier action: up to one audience and one climb, in either order (W-10.3, W-R8)."""
    _ask_courtier(state, seat, 0, 0)


def possible(clan: Clan) -> bool:
    """Whether a bought courtier action is possible: a courtier at home or one that can still rise (W-10.7)."""
    return clan.home[COURTIER] > 0 or _origins(clan) > 0


def _origins(clan: Clan) -> int:
    """The mask of floors (gate, 1, 2) from which a courtier can climb."""
    court = clan.court
    return (court[0] > 0) | (court[1] + court[2] + court[3] > 0) << 1 | (court[4] + court[5] > 0) << 2


def _ask_courtier(state: State, seat: int, audience: int, climbed: int) -> None:
    """Ask for a sub-action if one is reachable, seal exchanges counted; 1 marks a sub-action as done (W-10.3)."""
    if reachable(state.clans[seat], audience, climbed):
        state.stack.append(("courtier", seat, audience, climbed))


def reachable(clan: Clan, audience: int, climbed: int) -> bool:
    """Whether a sub-action that is not done yet is possible now or after seal exchanges (W-10)."""
    goods = clan.goods
    seals = goods[SEAL]
    if not audience and clan.home[COURTIER] and goods[COIN] + seals >= AUDIENCE_COINS:
        return True
    return not climbed and goods[PEARL] + seals // SEALS_PER_RESOURCE >= _ONE_FLOOR and _origins(clan) > 0


def _more_courtier(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(more_courtier, seat, audience done, climb done)`: offer the other sub-action (W-10.3)."""
    _, seat, audience, climbed = frame
    _ask_courtier(state, seat, audience, climbed)


def _sub_actions(state: State, frame: Frame) -> tuple[Climb | Word, ...]:
    """The sub-actions that can be paid now (W-10.3)."""
    _, seat, audience, climbed = frame
    clan = state.clans[seat]
    goods = clan.goods
    pearls = goods[PEARL]
    floors = 0 if climbed else (pearls >= _ONE_FLOOR) + (pearls >= _TWO_FLOORS)
    climbs = CLIMB_LISTS[floors][_origins(clan)]
    if not audience and clan.home[COURTIER] and goods[COIN] >= AUDIENCE_COINS:
        return (AUDIENCE, *climbs, DONE)
    return (*climbs, DONE)


def _sub_action_chosen(state: State, frame: Frame, option: Climb | Word, chance: Chance, events: list[Event]) -> None:
    """`courtier`: an audience, a climb, or done (W-10.3)."""
    _, seat, audience, climbed = frame
    if option == AUDIENCE:
        pay(state, seat, COIN, AUDIENCE_COINS, events)
        clan = state.clans[seat]
        clan.home[COURTIER] -= 1
        clan.court[0] += 1
        _ask_courtier(state, seat, 1, climbed)
    elif isinstance(option, Climb):
        _, origin, floors, destination = option
        pay(state, seat, PEARL, CLIMB_PEARLS[floors], events)
        rise(state.clans[seat], origin, destination)
        state.stack.append(("more_courtier", seat, audience, 1))
        if destination == FAVOUR:
            state.stack.append(("favour", seat))
            state.stack.append(("do", seat, LANTERN_EFFECT))
        else:
            _visit(state, seat, destination)


def rise(clan: Clan, origin: int, destination: int) -> None:
    """Move a courtier from a floor to a room or to floor 3.

    Courtiers of a floor are interchangeable; the first room of the floor that has one loses it (W-3.5).
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
    """End a climb in a room: the clan takes its card unless the deck is empty, and one light row (W-10.4, W-10.5)."""
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
    """`(refill, room)`: the last part of a climb into a room (W-10.4)."""
    refill(state, frame[1], events)


def refill(state: State, room: int, events: list[Event]) -> None:
    """Put the top card of the deck into the room; dice and die tiles stay (W-10.4, W-10.8)."""
    card, *rest = deck_of(state, room)
    if room in STEWARD_ROOMS:
        state.stewards = tuple(rest)
    else:
        state.diplomats = tuple(rest)
    state.castle[room] = card
    events.append(Event(Verb.REVEALED, TABLE, SPACE_NAMES[room], (CARD_NAMES[card],)))


def _light_rows(state: State, frame: Frame) -> tuple[LightRow, ...]:
    return LIGHT_ROWS[frame[2]]


def _light_chosen(state: State, frame: Frame, option: LightRow, chance: Chance, events: list[Event]) -> None:
    """`choose_light`: one of two light rows (W-10.4)."""
    _, seat, card = frame
    state.stack.append(("do", seat, CARDS[card].rows[option.row]))


# ---- the daimyo's favour


def free_slots(state: State) -> int:
    """The mask of favour slots without a courtier."""
    one, two, three = state.favours
    return (one < 0) | (two < 0) << 1 | (three < 0) << 2


def _favour(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(favour, seat)`: ask for a free slot; a single free slot is taken without asking (W-10.6)."""
    seat = frame[1]
    slots = FAVOURS[free_slots(state)]
    if len(slots) > 1:
        state.stack.append(("daimyo_slot", seat))
    elif slots:
        _occupy(state, seat, slots[0].slot)


def _slots(state: State, frame: Frame) -> tuple[FavourSlot, ...]:
    return FAVOURS[free_slots(state)]


def _slot_chosen(state: State, frame: Frame, option: FavourSlot, chance: Chance, events: list[Event]) -> None:
    """`daimyo_slot`: occupy a slot and take its effect (W-10.6)."""
    _occupy(state, frame[1], option.slot)


def _occupy(state: State, seat: int, slot: int) -> None:
    state.favours[slot] = seat
    state.stack.append(("do", seat, DAIMYO[state.board.daimyo][slot]))


# ---- rows of the castle done without a die


def start_row(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """Begin `castle_row` or `castle_light`: one row of one room (W-5.7)."""
    state.stack.append(("choose_castle_action", seat, effect.scope))


def _castle_rows(state: State, frame: Frame) -> tuple[CastleRow | Word, ...]:
    """The rows that face a tile of the colour, or all, or the light ones; reachable or not (W-5.7, W-17.4)."""
    scope = frame[2]
    if scope < LIGHT_ROW:
        return state.board.rows_of[scope]
    return (*(row for room in ROOMS for row in LIGHT_IN_ROOM[room][state.castle[room]]), SKIP)


def _castle_row_chosen(
    state: State, frame: Frame, option: CastleRow | Word, chance: Chance, events: list[Event]
) -> None:
    """`choose_castle_action`: do the row, or skip (W-5.7)."""
    if isinstance(option, CastleRow):
        state.stack.append(("do", frame[1], CARDS[state.castle[option.room]].rows[option.row]))


CONTINUATIONS: dict[str, Continuation] = {"more_courtier": _more_courtier, "refill": _refill, "favour": _favour}
DECISIONS = (
    DecisionRules("courtier", _sub_actions, _sub_action_chosen),
    DecisionRules("choose_light", _light_rows, _light_chosen),
    DecisionRules("daimyo_slot", _slots, _slot_chosen),
    DecisionRules("choose_castle_action", _castle_rows, _castle_row_chosen),
)
