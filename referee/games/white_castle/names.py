"""The components of The White Castle in words: goods, dice, spaces, rows, cards, gardens, yards and solo cards.

Seats, rooms, rows, pairs and favours are counted from one, as on the table; cards, gardens and tiles keep the names of
the data file ("card S02", "garden GP3"), in set-up, options and events alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.games.white_castle.components import (
    ANY,
    ANY_ROW,
    CARDS,
    COIN,
    COLOURS,
    DIE_SPACES,
    DIPLOMAT_ROOMS,
    DOMAIN,
    DOMAIN_VALUE,
    EFFECTS,
    FLOOR_OF,
    FLOOR_POINTS,
    GARDENS,
    GOODS,
    LIGHT_ROW,
    MEMBERS,
    NOTHING,
    PEARL,
    PLANT,
    POSITIONS,
    ROOMS,
    SEAL,
    SOLO_CARDS,
    SPACE_NAMES,
    STEWARD_ROOMS,
    WELL,
    YARDS,
    Effect,
    RivalAction,
    SoloCard,
)
from referee.games.white_castle.state import RIVAL

_GOODS = ("food", "iron", "pearl", "coin", "VP", "seal", "influence", "resource of your choice")
"""What a clan gains, by number; `INFLUENCE` and `ANY` included."""
_PLURALS = {PEARL: "pearls", COIN: "coins", SEAL: "seals", ANY: "resources of your choice"}


def listed(names: Iterable[str], none: str = "nothing", last: str = "and") -> str:
    """Names as a list in words: "a, b and c"."""
    found = list(names)
    if len(found) < 2:
        return found[0] if found else none
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def counted(amount: int, noun: str) -> str:
    """A number of things: "1 step", "2 steps"."""
    return f"{amount} {noun}{'' if amount == 1 else 's'}"


# --- clans and goods


def seat_name(seat: int) -> str:
    """A seat as people count: "seat 1"."""
    return f"seat {seat + 1}"


def clan_name(clan: int, seats: int) -> str:
    """A clan: "seat 1", or "the rival" of a solo game."""
    return "the rival" if seats == 1 and clan == RIVAL else seat_name(clan)


def good_name(good: int, amount: int) -> str:
    """An amount of a good: "2 food", "1 coin", "3 VP"."""
    return f"{amount} {_GOODS[good] if amount == 1 else _PLURALS.get(good, _GOODS[good])}"


def goods_names(goods: Sequence[tuple[int, int]], none: str = "nothing") -> str:
    """Amounts of goods, each good once: "2 food and 1 coin"."""
    return listed((good_name(good, amount) for good, amount in summed(goods) if amount), none)


def summed(goods: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each good once with its whole amount, in the order of the first mention."""
    sums: dict[int, int] = {}
    for good, amount in goods:
        sums[good] = sums.get(good, 0) + amount
    return list(sums.items())


def good_by_name(name: str, amount: int) -> str:
    """An amount of a good that an event or an option names."""
    return good_name(GOODS.index(name), amount)


# --- dice and spaces


def die_name(colour: int, value: int) -> str:
    """A die: "the coral 5"."""
    return f"the {COLOURS[colour]} {value}"


def room_name(room: int) -> str:
    """A room of the castle: "steward room 1", "diplomat room 2"."""
    if room in STEWARD_ROOMS:
        return f"steward room {room - STEWARD_ROOMS.start + 1}"
    return f"diplomat room {room - DIPLOMAT_ROOMS.start + 1}"


def space_name(space: int, whose: str = "your") -> str:
    """A space for dice: a room, "outside 1", "the well", or "your coral row"."""
    if space in ROOMS:
        return room_name(space)
    if space < WELL:
        return f"outside {space - ROOMS.stop + 1}"
    return "the well" if space == WELL else f"{whose} {COLOURS[space - DOMAIN]} row"


def space_value(space: int) -> int:
    """The printed value of a space (W-9.1)."""
    return DIE_SPACES[space].value if space < DOMAIN else DOMAIN_VALUE[space - DOMAIN]


def place_name(name: str) -> str:
    """A place that an event or an option names: a space, the gate, a floor."""
    if name in SPACE_NAMES:
        return space_name(SPACE_NAMES.index(name), "its")
    return {"gate": "the gate", "favour": "floor 3"}.get(name, name.replace("floor", "floor "))


FLOOR_NAMES = ("the gate", "floor 1", "floor 2", "floor 3")
COURT_NAMES = tuple(
    room_name(place - 1) if floor in (1, 2) else FLOOR_NAMES[floor] for place, floor in enumerate(FLOOR_OF)
)
"""The places of the court: the gate, the rooms, floor 3."""


def yard_name(yard: int) -> str:
    """A training yard by its price: "the yard for 5 iron"."""
    return f"the yard for {YARDS[yard].iron} iron"


def garden_name(garden: int) -> str:
    """A garden card: "garden GP3"."""
    return f"garden {GARDENS[garden].name}"


def card_name(card: int) -> str:
    """A card: "card S02"."""
    return f"card {CARDS[card].name}"


# --- effects

_ROW_SCOPES = {ANY_ROW: "any castle row", LIGHT_ROW: "a light castle row"}


def action_name(member: int) -> str:
    """A main action: "a courtier action"."""
    return f"a {MEMBERS[member]} action"


def effect_words(number: int) -> str:
    """What an effect does, as its icons say: "2 food and the lantern", "pay 1 seal for a courtier action"."""
    effect = EFFECTS[number]
    if effect.op == "batch":
        parts = [good_name(good, amount) for good, amount in summed(effect.gains)]
        return listed([*parts, *["the lantern"] * effect.lanterns, *["the well"] * effect.wells])
    if effect.op == "castle":
        return _ROW_SCOPES.get(effect.scope) or f"a castle row beside a {COLOURS[effect.scope]} tile"
    if effect.op == "domain":
        return "a row of the own domain"
    if effect.op == "pay":
        return f"pay {good_name(effect.good, effect.amount)} for {effect_words(effect.then)}"
    return action_name(MEMBERS.index(effect.op))


def main_action(effect: Effect) -> int:
    """The main action that an effect is or buys, as a member; NOTHING if there is none."""
    bought = EFFECTS[effect.then] if effect.op == "pay" else effect
    return MEMBERS.index(bought.op) if bought.op in MEMBERS else NOTHING


def source_name(number: int) -> str:
    """Where an effect stands: "row 1 of card S02", "yard tile Y6", "garden GP3"."""
    thing, _, part = EFFECTS[number].source.partition(":")
    if thing in _GARDEN_NAMES:
        return f"garden {thing}"
    if part in ("action", "reward"):
        return f"yard tile {thing}"
    return f"row {int(part) + 1} of card {thing}" if part.isdigit() else thing


_GARDEN_NAMES = frozenset(garden.name for garden in GARDENS)


# --- cards, gardens, yards in the rules' words, for hover and focus


def card_words(card: int) -> str:
    """A card: its rows from the top, and its lantern."""
    known = CARDS[card]
    rows = [
        f"row {row + 1}{' (dark)' if known.light and row not in known.light else ''}: {effect_words(effect)}"
        for row, effect in enumerate(known.rows)
    ]
    if len(known.domain) == 3 and len(known.rows) == 2:
        served = [[COLOURS[c] for c in range(3) if known.domain[c] == effect] for effect in known.rows]
        rows.append(f"on a domain row 1 serves {listed(served[0])}, row 2 {listed(served[1])}")
    elif len(known.rows) == 1:
        rows = [f"on a domain, every row: {effect_words(known.rows[0])}"]
    return "; ".join([f"card {known.name}", *rows, f"in a lantern area: {good_name(*known.lantern)}"])


def garden_words(garden: int) -> str:
    """A garden card: its kind, price, points and effect."""
    known = GARDENS[garden]
    kind = "plant" if known.kind == PLANT else "stone"
    return (
        f"garden {known.name}, {kind}: a gardener costs {known.food} food, counts {known.points} VP at the end;"
        f" {effect_words(known.effect)}, also after rounds 1 and 2 while a die is left on its bridge"
    )


def yard_words(yard: int, effects: Sequence[int]) -> str:
    """A training yard: its price, the value of a warrior and its tiles."""
    known = YARDS[yard]
    return (
        f"yard for {known.iron} iron: each warrior counts {known.value} VP for each own courtier on floors 1 to 3;"
        f" {listed([effect_words(effect) for effect in effects])}"
    )


def space_words(space: int) -> str:
    """A space for dice in the rules' words."""
    if space == WELL:
        return "the well, value 1, any number of dice: 1 seal and what its two tiles show"
    if space in ROOMS:
        floor = FLOOR_OF[space + 1]
        return (
            f"{room_name(space)}, value {space_value(space)}: a die does the rows beside tiles of its colour;"
            f" a courtier here counts {FLOOR_POINTS[floor]} VP"
        )
    actions = listed([action_name(member) for member in DIE_SPACES[space].members], last="or")
    return f"{space_name(space)}, value {space_value(space)}: {actions}"


# --- solo cards


def rival_action_words(action: RivalAction) -> str:
    """An action of the rival (W-16.8): "a gardener to a plant garden", "up 2 floors"."""
    amount = action.amount
    match action.op:
        case "garden":
            return f"a gardener to a {('plant', 'stone', 'plant or stone')[amount]} garden"
        case "warrior":
            return f"a warrior to {yard_name(amount)}"
        case "gate":
            return "a courtier to the gate"
        case "up":
            return f"its lowest courtier up {counted(amount, 'floor')}"
        case "vp":
            return f"{amount} VP"
        case "coin":
            return counted(amount, "coin")
    return f"{amount} influence"


def solo_die_words(card: SoloCard) -> str:
    """The die and the space that a solo card names: "the left coral die to steward room 1"."""
    return f"the {POSITIONS[card.position]} {COLOURS[card.colour]} die to {space_name(card.space)}"


def solo_words(number: int) -> str:
    """A solo card: the die side, then the actions."""
    card = SOLO_CARDS[number]
    actions = listed([rival_action_words(action) for action in card.actions], last="then")
    return f"solo card {card.name}: {solo_die_words(card)}; {actions}"
