"""Solo mode: the rival of the Tokugawa clan, an automaton that plays by its cards (W-16).

The rival never decides: where the rules leave a choice open, the human seat decides for the rival. The rival is the
second clan of the state, without domain, resources, seals and cards; spaces, cards and tiles have no effect for the
rival beyond those of this module (W-16.3).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from referee.games.white_castle.bridges import take
from referee.games.white_castle.castle import deck_of, free_slots, refill, rise
from referee.games.white_castle.components import (
    COIN,
    COURTIER,
    DAIMYO,
    EITHER,
    FAVOUR,
    FLOOR_3,
    GARDENER,
    GARDENS,
    LAST_SPACE,
    RIVAL_COINS_FIRST,
    RIVAL_COINS_SECOND,
    SOLO_CARDS,
    SPACE_NAMES,
    VP,
    WARRIOR,
    WELL,
    YARDS,
)
from referee.games.white_castle.flow import Continuation, DecisionRules
from referee.games.white_castle.gardens import awake
from referee.games.white_castle.options import FAVOURS, RIVAL_GARDENS, RIVAL_ROOMS, RivalGarden, RivalRoom
from referee.games.white_castle.placing import cover
from referee.games.white_castle.state import RIVAL, State
from referee.games.white_castle.time_track import arrive
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Verb

HUMAN = 0
"""The only seat."""
_SUBJECT = {COIN: "rival coin", VP: "rival vp"}
_FILLED = tuple(Event(Verb.CHOSE, TABLE, "rival favour", (slot,)) for slot in range(len(DAIMYO[0])))
"""By favour slot, 0 the leftmost: a courtier of the rival occupies it (W-16.12)."""
_NAMES = tuple(card.name for card in SOLO_CARDS)
_NAMED = tuple((card.colour, card.position) for card in SOLO_CARDS)
"""The die that each card names: bridge, and position on the bridge."""


@cache
def _gained(good: int, amount: int) -> Event:
    return Event(Verb.GAINED, TABLE, _SUBJECT[good], (), amount)


@cache
def _moved(piece: str, place: str, value: int = 0) -> Event:
    return Event(Verb.MOVED, TABLE, piece, (place,), value)


def _gain(state: State, good: int, amount: int, events: list[Event]) -> None:
    """Add coins or points to the rival."""
    if amount:
        state.clans[RIVAL].goods[good] += amount
        events.append(_gained(good, amount))


# ---- a turn of the rival


def take_turn(state: State, events: list[Event]) -> None:
    """Flip cards until the top card names a die on a bridge, place that die, act by the last two (W-16.4 to W-16.6)."""
    deck, bridges = state.solo_deck, state.bridges
    flipped = 1
    colour, position = _NAMED[deck[1]]
    while not bridges[colour][position]:
        flipped += 1
        colour, position = _NAMED[deck[flipped]]
    row = deck[:flipped]
    state.solo_deck = deck[flipped:]
    state.solo_row = row
    shown = deck[: flipped + 1]
    state.solo_turns += (shown,)
    state.solo_unknown = max(0, state.solo_unknown - flipped)
    events.append(Event(Verb.REVEALED, TABLE, "solo cards", tuple([_NAMES[card] for card in shown])))
    _place(state, deck[flipped], events)
    state.stack.append(("rival_acts", 0, *row[-2:]))


def _place(state: State, number: int, events: list[Event]) -> None:
    """Put the named die on the named space, or on the well if the space has a die; a surplus brings coins (W-16.5)."""
    card = SOLO_CARDS[number]
    value, state.bridges[card.colour] = take(state.bridges[card.colour], card.position)
    space = WELL if state.spaces[card.space] else card.space
    covered = cover(state, RIVAL, card.colour, value, space)
    events.append(_moved("rival die", SPACE_NAMES[space], value))
    _gain(state, COIN, max(0, value - covered), events)


def _acts(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(rival_acts, next, *cards)`: card by card, top action then bottom; at the end the row goes under the deck.

    An impossible action brings points for the round (W-16.6, W-R12). The row keeps its order, which is public (W-16.7,
    W-R13).
    """
    _, at, *cards = frame
    stack = state.stack
    depth = len(stack)
    while at < 2 * len(cards):
        act, amount = _ACTS[cards[at >> 1]][at & 1]
        at += 1
        if not act(state, amount, events):
            _gain(state, VP, state.round, events)
        elif len(stack) > depth:
            stack.insert(depth, ("rival_acts", at, *cards))
            return
    state.solo_deck += state.solo_row
    state.solo_row = ()


# ---- actions of the rival (W-16.8): each returns whether the action was possible


def _garden(state: State, kind: int, events: list[Event]) -> bool:
    """Send a gardener to the free card of that type with the fewest points; the human breaks ties (W-16.8)."""
    clan = state.clans[RIVAL]
    free = [
        garden
        for garden in state.board.planted
        if not clan.gardens >> garden & 1 and kind in (EITHER, GARDENS[garden].kind)
    ]
    if not clan.home[GARDENER] or not free:
        return False
    fewest = min([GARDENS[garden].points for garden in free])
    cheapest = [garden for garden in free if GARDENS[garden].points == fewest]
    if len(cheapest) > 1:
        state.stack.append(("rival_garden", HUMAN, *cheapest))
    else:
        _plant(state, cheapest[0], events)
    return True


def _plant(state: State, garden: int, events: list[Event]) -> None:
    clan = state.clans[RIVAL]
    clan.home[GARDENER] -= 1
    clan.gardens |= 1 << garden
    events.append(_moved("rival gardener", GARDENS[garden].name))


def _warrior(state: State, yard: int, events: list[Event]) -> bool:
    """Send a warrior to a yard (W-16.8)."""
    clan = state.clans[RIVAL]
    if not clan.home[WARRIOR]:
        return False
    clan.home[WARRIOR] -= 1
    clan.yards[yard] += 1
    events.append(_moved("rival warrior", YARDS[yard].name))
    return True


def _gate(state: State, amount: int, events: list[Event]) -> bool:
    """Send a courtier to the gate (W-16.8)."""
    clan = state.clans[RIVAL]
    if not clan.home[COURTIER]:
        return False
    clan.home[COURTIER] -= 1
    clan.court[0] += 1
    events.append(_moved("rival courtier", "gate"))
    return True


def _up(state: State, floors: int, events: list[Event]) -> bool:
    """Raise the lowest courtier; the human picks the room, if the deck can refill one (W-16.8, W-R14, W-R15)."""
    clan = state.clans[RIVAL]
    for origin in range(FLOOR_3):
        if clan.on_floor(origin):
            break
    else:
        return False
    floor = min(FLOOR_3, origin + floors)
    if floor == FLOOR_3:
        rise(clan, origin, FAVOUR)
        events.append(_moved("rival courtier", "floor3"))
        slots = FAVOURS[free_slots(state)]
        if slots:
            slot = slots[0].slot
            state.favours[slot] = RIVAL
            events.append(_FILLED[slot])
        return True
    rooms = RIVAL_ROOMS[floor]
    if deck_of(state, rooms[0].room):
        state.stack.append(("rival_room", HUMAN, origin, floor))
    else:
        _enter(state, origin, rooms[0].room, events)
    return True


def _enter(state: State, origin: int, room: int, events: list[Event]) -> None:
    rise(state.clans[RIVAL], origin, room)
    events.append(_moved("rival courtier", SPACE_NAMES[room]))


def _influence(state: State, steps: int, events: list[Event]) -> bool:
    """Move on the time track, gates free; impossible only at its end (W-16.8, W-R16)."""
    space = state.clans[RIVAL].space
    if space == LAST_SPACE:
        return False
    arrive(state, RIVAL, min(LAST_SPACE, space + steps), events)
    return True


def _vp(state: State, amount: int, events: list[Event]) -> bool:
    _gain(state, VP, amount, events)
    return True


def _coin(state: State, amount: int, events: list[Event]) -> bool:
    _gain(state, COIN, amount, events)
    return True


ACTIONS: dict[str, Callable[[State, int, list[Event]], bool]] = {
    "garden": _garden,
    "warrior": _warrior,
    "gate": _gate,
    "up": _up,
    "vp": _vp,
    "coin": _coin,
    "influence": _influence,
}
_ACTS = tuple(tuple((ACTIONS[action.op], action.amount) for action in card.actions) for card in SOLO_CARDS)
"""By card its two actions: the function and the amount."""


# ---- decisions of the human for the rival


def _room_options(state: State, frame: Frame) -> tuple[RivalRoom, ...]:
    return RIVAL_ROOMS[frame[3]]


def _room_chosen(state: State, frame: Frame, option: RivalRoom, chance: Chance, events: list[Event]) -> None:
    """`rival_room`: the card of the room leaves the game and is replaced (W-16.8)."""
    room = option.room
    _enter(state, frame[2], room, events)
    state.gone += (state.castle[room],)
    refill(state, room, events)


def _garden_options(state: State, frame: Frame) -> tuple[RivalGarden, ...]:
    return tuple([RIVAL_GARDENS[garden] for garden in frame[2:]])


def _garden_chosen(state: State, frame: Frame, option: RivalGarden, chance: Chance, events: list[Event]) -> None:
    """`rival_garden`: one of the cards that tie for the fewest points (W-16.8)."""
    _plant(state, option.garden, events)


# ---- the end of a round


def sell_coins(state: State, events: list[Event]) -> None:
    """Turn full heaps of coins into points and tell the sale (W-16.9, W-16.12).

    Heaps are smaller when the rival is first in the order.
    """
    goods = state.clans[RIVAL].goods
    heap = RIVAL_COINS_FIRST if state.order[0] == RIVAL else RIVAL_COINS_SECOND
    heaps, goods[COIN] = divmod(goods[COIN], heap)
    if heaps:
        events.append(Event(Verb.PAID, TABLE, _SUBJECT[COIN], (), heaps * heap))
    _gain(state, VP, heaps * state.round, events)


def garden_step(state: State, events: list[Event]) -> None:
    """Add points for every rival gardener under an active bridge (W-16.10)."""
    _gain(state, VP, state.round * len(awake(state, state.clans[RIVAL])), events)


def shuffled(number: int, chance: Chance) -> tuple[int, ...]:
    """The solo deck for a round, from all nine cards (W-16.1, W-16.10)."""
    return tuple(chance.order(f"solo-deck/{number}", len(SOLO_CARDS)))


def reshuffle(state: State, chance: Chance, events: list[Event]) -> None:
    """Shuffle all nine solo cards; only the top card is public (W-16.10)."""
    state.solo_deck = shuffled(state.round + 1, chance)
    state.solo_unknown = len(state.solo_deck) - 1
    events.append(Event(Verb.REVEALED, TABLE, "solo deck", (_NAMES[state.solo_deck[0]],)))


CONTINUATIONS: dict[str, Continuation] = {"rival_acts": _acts}
DECISIONS = (
    DecisionRules("rival_room", _room_options, _room_chosen, exchanges=False),
    DecisionRules("rival_garden", _garden_options, _garden_chosen, exchanges=False),
)
