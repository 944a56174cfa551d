"""What a drawing of The White Castle needs beyond a view: the components, points by category, and what is open.

An effect is drawn from its *icons*: a list of a sign and an amount each. Signs are the goods ("food", "vp"), "any",
"influence", "lantern", "well", the main actions ("courtier"), "domain", and "row_coral", "row_any" or "row_light" for a
castle row. `price` stands before the icons of an optional payment; `dark` marks main actions, as on the cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from referee.games.white_castle.bridges import active
from referee.games.white_castle.components import (
    AUDIENCE_COINS,
    CARDS,
    CLIMB_PEARLS,
    COIN,
    COLOURS,
    DAIMYO,
    DIE_SPACES,
    DOMAIN_MEMBER,
    DOMAIN_ROW,
    DOMAIN_VALUE,
    EFFECTS,
    FLOOR_POINTS,
    GARDENS,
    GATE_COST,
    GOODS,
    MEMBERS,
    MEMBERS_PER_TYPE,
    NOTHING,
    PEARL,
    PLANT,
    POSITIONS,
    ROOMS,
    ROUNDS,
    SOLO_CARDS,
    START_GAIN,
    TIME_POINTS,
    TURNS_PER_ROUND,
    WELL,
    YARDS,
)
from referee.games.white_castle.names import (
    card_words,
    clan_name,
    effect_words,
    garden_words,
    main_action,
    rival_action_words,
    solo_words,
    source_name,
    space_name,
    space_words,
    summed,
    yard_words,
)
from referee.games.white_castle.outlook import (
    covers,
    domain_effects,
    drills,
    lantern_goods,
    lantern_words,
    points,
    room_tiles,
    well_goods,
)
from referee.games.white_castle.questions import HINTS, doing, phase, turn_of
from referee.games.white_castle.scoring import CATEGORIES, places
from referee.games.white_castle.view import View
from referee.kernel.game import Event
from referee.kernel.plain import Plain

_SIGNS = (*GOODS, "influence", "any")
"""The sign of a good, by its number."""
_SCOPES = (*(f"row_{colour}" for colour in COLOURS), "row_any", "row_light")
"""The sign of a castle row, by the scope of the effect."""


def _amounts(goods: Sequence[tuple[int, int]]) -> list[Plain]:
    return [[_SIGNS[good], amount] for good, amount in goods]


def _pairs(number: int) -> list[tuple[str, int]]:
    """The icons of an effect, each a sign and an amount."""
    effect = EFFECTS[number]
    match effect.op:
        case "batch":
            found = [(_SIGNS[good], amount) for good, amount in effect.gains]
            return [*found, *[("lantern", 1)] * effect.lanterns, *[("well", 1)] * effect.wells]
        case "castle":
            return [(_SCOPES[effect.scope], 1)]
        case "pay":
            return _pairs(effect.then)
    return [(effect.op, 1)]


def _icons(number: int) -> list[Plain]:
    return [[sign, amount] for sign, amount in _pairs(number)]


def _effect(number: int) -> dict[str, Plain]:
    """An effect to be drawn; what is absent is not said."""
    effect = EFFECTS[number]
    found: dict[str, Plain] = {"icons": _icons(number)}
    if effect.op == "pay":
        found["price"] = [_SIGNS[effect.good], effect.amount]
    if main_action(effect) != NOTHING and effect.source[0] in _CARD_LETTERS:
        found["dark"] = True
    return found


_CARD_LETTERS = "SDA"
"""First letters of the cards that have dark rows."""


def _slots(colour: int) -> list[Plain]:
    """The icons of a domain row: the base, then those that members leave bare one after the other."""
    shown = [Counter((sign, amount) for sign, amount in _pairs(effect)) for effect in DOMAIN_ROW[colour]]
    return [
        [[sign, amount] for sign, amount in (more - fewer).elements()] for fewer, more in pairwise([Counter(), *shown])
    ]


_BOARD: dict[str, Plain] = {
    "rounds": ROUNDS,
    "turns": TURNS_PER_ROUND,
    "members": MEMBERS_PER_TYPE,
    "gates": {str(space): cost for space, cost in enumerate(GATE_COST) if cost},
    "time_points": list(TIME_POINTS),
    "floor_points": list(FLOOR_POINTS),
    "slots": [_slots(colour) for colour in range(len(COLOURS))],
    "hints": dict(HINTS),
    "courtier": [
        {"name": "audience", "price": [GOODS[COIN], [AUDIENCE_COINS]]},
        {"name": "climb", "price": [GOODS[PEARL], list(CLIMB_PEARLS[1:])]},
    ],
}
"""What is printed on the board and the domains, rules that help to answer by kind of ask, and what courtiers pay."""


@cache
def _card(card: int) -> dict[str, Plain]:
    """A card: its rows from the top, which of them serves each row of a domain, and its lantern."""
    known = CARDS[card]
    found: dict[str, Plain] = {"name": known.name, "lantern": _amounts([known.lantern])[0], "tip": card_words(card)}
    if known.rows:
        found["rows"] = [_effect(effect) for effect in known.rows]
        found["domain"] = [known.rows.index(effect) for effect in known.domain]
    if card in START_GAIN:
        found["gain"] = _icons(START_GAIN[card])
    return found


def _cards(view: View) -> dict[str, Plain]:
    """The cards that lie open, by their numbers."""
    shown = {*view.castle, *(card for pair in view.offer for card in pair)}
    for clan in view.clans:
        shown.update((clan.action, *clan.lantern))
    return {str(card): _card(card) for card in sorted(shown - {NOTHING})}


def _spaces(view: View) -> list[Plain]:
    """The die spaces of the board: the value that the next die covers, and whether no more die fits."""
    found: list[Plain] = []
    for number, space in enumerate(DIE_SPACES):
        capacity = space.capacity[view.board.seats]
        entry: dict[str, Plain] = {
            "name": space.name,
            "title": space_name(number),
            "capacity": capacity,
            "covers": covers(view, 0, number),
            "full": bool(capacity) and len(view.spaces[number]) >= capacity,
            "dice": [[colour, value] for colour, value in view.spaces[number]],
            "tip": space_words(number),
        }
        if number in ROOMS:
            entry["tiles"] = list(room_tiles(view, number))
        if space.members:
            entry["actions"] = [MEMBERS[member] for member in space.members]
        if number == WELL:
            entry["icons"] = _amounts(well_goods(view))
        found.append(entry)
    return found


def _gardens(view: View) -> list[Plain]:
    found: list[Plain] = []
    for number in view.board.gardens:
        garden = GARDENS[number]
        found.append(
            {
                "name": garden.name,
                "plant": garden.kind == PLANT,
                "food": garden.food,
                "points": garden.points,
                "effect": _effect(garden.effect),
                "clans": [clan for clan, owner in enumerate(view.clans) if number in owner.gardens],
                "tip": garden_words(number),
            }
        )
    return found


def _yards(view: View) -> list[Plain]:
    return [
        {
            "name": yard.name,
            "iron": yard.iron,
            "value": yard.value,
            "effects": [_effect(effect) for effect in effects],
            "tip": yard_words(number, effects),
        }
        for number, (yard, effects) in enumerate(zip(YARDS, drills(view), strict=True))
    ]


def _clans(view: View) -> list[Plain]:
    """For each clan its name, its lantern, and what each row of its domain gives."""
    found: list[Plain] = []
    for number, clan in enumerate(view.clans):
        lantern = summed(lantern_goods(view, number))
        rows: list[Plain] = []
        for colour in range(len(COLOURS)):
            effects = domain_effects(view, number, colour)
            words = "; then ".join(effect_words(effect) for effect in effects) or "no card yet"
            rows.append(
                {
                    "away": MEMBERS_PER_TYPE - clan.home[DOMAIN_MEMBER[colour]],
                    "tip": f"{COLOURS[colour]} row, value {DOMAIN_VALUE[colour]}, {MEMBERS[colour]}s: {words}",
                }
            )
        entry: dict[str, Plain] = {
            "name": clan_name(number, view.board.seats),
            "lantern": _amounts(lantern),
            "lantern_words": lantern_words(view, number),
        }
        if number < view.board.seats:
            entry["rows"] = rows
        found.append(entry)
    return found


_OPEN_EFFECTS: dict[str, Callable[[Any], list[int]]] = {
    "next_action": lambda frame: list(frame[2:]),
    "choose_light": lambda frame: list(CARDS[frame[2]].rows),
    "pay_optional": lambda frame: [frame[2]],
}
"""The effects that an open decision is about, by its kind."""


def _open(view: View) -> Plain:
    """The open decision: what the clan does in words, and the effects to choose from, where it is about effects."""
    if not view.stack:
        return None
    frame = view.stack[-1]
    found: dict[str, Plain] = {"words": doing(view)}
    if frame[0] in _OPEN_EFFECTS:
        found["effects"] = [
            {**_effect(effect), "source": source_name(effect), "words": effect_words(effect)}
            for effect in _OPEN_EFFECTS[frame[0]](frame)
        ]
    return found


def _solo_card(number: int) -> dict[str, Plain]:
    card = SOLO_CARDS[number]
    return {
        "name": card.name,
        "colour": card.colour,
        "position": POSITIONS[card.position],
        "space": space_name(card.space),
        "actions": [
            {"op": action.op, "amount": action.amount, "words": rival_action_words(action)} for action in card.actions
        ],
        "tip": solo_words(number),
    }


def _solo(view: View) -> Plain:
    """The rival's cards: the top one, those of the current turn, those that have cycled, and how many are hidden."""
    solo = view.solo
    if solo is None:
        return None
    latest = solo.turns[-1] if solo.turns else ()
    return {
        "top": _solo_card(solo.top),
        "row": [_solo_card(card) for card in solo.row],
        "unknown": len(solo.unknown),
        "unknown_names": [SOLO_CARDS[card].name for card in solo.unknown],
        "cycled": [SOLO_CARDS[card].name for card in solo.cycled],
        "latest": [_solo_card(card) for card in latest[:-1][-2:]],
    }


def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
    """The figures of a position, from the view and from the events of the last step that its seat was told.

    Lists by clan hold the rival of a solo game after the seat; so does `points`.
    """
    found = points(view)
    totals = [sum(of) for of in found]
    return {
        "points": [
            {"category": name, "points": [of[number] for of in found]} for number, name in enumerate(CATEGORIES)
        ],
        "places": [] if view.stack else list(places(totals, view.order)),
        "board": _BOARD,
        "phase": phase(view),
        "turn": turn_of(view),
        "open": _open(view),
        "bridges": [
            {
                "awake": active(bridge),
                "tip": f"{COLOURS[colour]} bridge: a die is taken from an end, the left one brings the lantern;"
                f" its gardens {'are activated' if active(bridge) else 'sleep'} if no more dice are taken this round",
            }
            for colour, bridge in enumerate(view.bridges)
        ],
        "cards": _cards(view),
        "spaces": _spaces(view),
        "gardens": _gardens(view),
        "yards": _yards(view),
        "favours": [
            {"effect": _effect(effect), "clan": clan, "tip": f"favour {slot + 1} of the daimyo: {effect_words(effect)}"}
            for slot, (effect, clan) in enumerate(zip(DAIMYO[view.board.daimyo], view.favours, strict=True))
        ],
        "clans": _clans(view),
        "solo": _solo(view),
    }
