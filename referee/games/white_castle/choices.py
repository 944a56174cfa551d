"""The options of an ask as clicks, with what each would bring at once.

The key of a click is the option's own text; only a climb takes two clicks, the courtier and then the place. A place
says `on` what its target lies:

| ask | clicks | place: `on`, and its other fields |
|---|---|---|
| choose_start_pair | `pair:0` | `pair`: pair |
| take_die | `die:coral:left` | `bridge`: colour, end |
| place_die | `space:well` | `space`: space; a row of the own domain `domain`: colour |
| next_action | `act:0` | `pending`: entry |
| outside_action | `courtier` | `member`: member |
| place_gardener, rival_garden | `garden:GP3` | `garden`: garden |
| place_warrior | `yard:yard_5` | `yard`: yard |
| courtier | `audience`, or `climb:gate` and `to:steward_2` | `gate`; `floor`: floor, and `room`: room, or `floor` |
| choose_light | `row:2` | `light`: row |
| daimyo_slot | `slot:0` | `favour`: slot |
| choose_castle_action | `row:steward_2:1` | `row`: room, row |
| choose_domain_row | `domain:coral` | `domain`: colour |
| choose_resource | `food` | `resource`: good |
| rival_room | `room:steward_1` | `room`: room |
| any that can be answered with seals | `x:coin` | `exchange`: good, seals |

Numbers count from 0, as in the view. Every other click is a button alone: `skip`, `done`, `pay`, `stop`, `continue`,
`seals`, `influence`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.games.white_castle.castle import rise
from referee.games.white_castle.components import (
    AUDIENCE_COINS,
    CARDS,
    CLIMB_PEARLS,
    COIN,
    COLOURS,
    COURTIER,
    DAIMYO,
    DECREE_OF,
    DIE_SPACES,
    DOMAIN,
    EFFECTS,
    FAVOUR,
    FLOORS,
    FOOD,
    GARDENER,
    GARDENS,
    GOODS,
    IRON,
    LANTERN,
    LEFT,
    MAIN_ACTION,
    MEMBERS,
    NOTHING,
    PEARL,
    POSITIONS,
    ROOMS,
    SEAL,
    SEAL_MAX,
    SEALS_PER_COIN,
    SEALS_PER_RESOURCE,
    SPACE_NAMES,
    START_GAIN,
    STEWARD_ROOMS,
    WARRIOR,
    WELL,
    WELL_EFFECT,
    YARDS,
)
from referee.games.white_castle.names import (
    COURT_NAMES,
    FLOOR_NAMES,
    action_name,
    card_name,
    effect_words,
    good_name,
    goods_names,
    listed,
)
from referee.games.white_castle.outlook import (
    all_brings,
    brings,
    covers,
    domain_effects,
    drills,
    lantern_words,
    more,
    reachable,
    room_tiles,
)
from referee.games.white_castle.questions import asked_clan, pending_effect
from referee.games.white_castle.state import Clan
from referee.games.white_castle.view import View, clan_of
from referee.games.white_castle.words import answer
from referee.kernel.board import Choice, Part
from referee.kernel.frames import Frame
from referee.kernel.game import Option
from referee.kernel.plain import Plain


class _Asked(NamedTuple):
    """An open decision: the view, the clan that decides, the frame and its kind."""

    view: View
    clan: int
    frame: Frame
    kind: str

    @property
    def owner(self) -> Clan:
        """A copy of the clan, to try a move on."""
        return clan_of(self.view.clans[self.clan])


_Place = dict[str, Plain]


def _joined(parts: Sequence[str]) -> str:
    """The words that are there, one after the other: "pay 2 coins; then 3 food"."""
    return "; then ".join(part for part in parts if part)


def _light_rows(view: View, room: int) -> str:
    """The light rows of the card in a room: "1 influence or 2 iron"."""
    card = CARDS[view.castle[room]]
    return listed([effect_words(card.rows[row]) for row in card.light], last="or")


# --- what an option brings


def _word_brings(asked: _Asked, option: Any) -> str:
    view, clan, frame = asked.view, asked.clan, asked.frame
    match option.text:
        case "audience":
            owner = asked.owner
            owner.home[COURTIER] -= 1
            owner.court[0] += 1
            owner.goods[COIN] -= AUDIENCE_COINS
            return _joined([f"pay {good_name(COIN, AUDIENCE_COINS)}", more(view, clan, owner)])
        case "pay" if asked.kind == "pay_optional":
            return brings(view, clan, int(frame[2]))
        case "pay":
            steps = int(frame[2])
            return f"space {view.clans[clan].space + 1}" + (f", and {steps - 1} step more" if steps > 1 else "")
        case "continue":
            kept = min(int(frame[2]), SEAL_MAX - view.clans[clan].seals)
            lost = int(frame[2]) - kept
            return f"{good_name(SEAL, kept)}" + (f", {lost} lost" if lost else "")
    return ""


def _pair_brings(asked: _Asked, option: Any) -> str:
    resource, action = asked.view.offer[option.pair]
    decree = DECREE_OF[resource]
    backs = [LANTERN[card] for card in (resource, decree) if card != NOTHING]
    return (
        f"{effect_words(START_GAIN[resource])}; on the domain {effect_words(CARDS[action].rows[0])};"
        f" in the lantern area {goods_names(backs)}"
    )


def _die_brings(asked: _Asked, option: Any) -> str:
    return f"the lantern: {lantern_words(asked.view, asked.clan)}" if option.end == LEFT else ""


def _space_brings(asked: _Asked, option: Any) -> str:
    """The difference in coins, the lantern of a left die, and the effects of the space (W-7.2 to W-7.4)."""
    view, clan = asked.view, asked.clan
    _, _, colour, value, end = asked.frame
    space = option.space
    difference = value - covers(view, clan, space)
    coins = good_name(COIN, abs(difference))
    found = [f"{'gain' if difference > 0 else 'pay'} {coins}" if difference else ""]
    if end == LEFT:
        found.append(f"the lantern: {lantern_words(view, clan)}")
    if space in ROOMS:
        rows = CARDS[view.castle[space]].rows
        facing = [rows[row] for row, tile in enumerate(room_tiles(view, space)) if tile == colour]
        found.append("; ".join(brings(view, clan, row) for row in facing))
    elif space < WELL:
        found.append(listed([action_name(member) for member in DIE_SPACES[space].members], last="or"))
    elif space == WELL:
        found.append(brings(view, clan, WELL_EFFECT))
    else:
        found.append(all_brings(view, clan, domain_effects(view, clan, colour)))
    return _joined(found)


def _garden_brings(asked: _Asked, option: Any) -> str:
    garden = GARDENS[option.garden]
    owner = asked.owner
    owner.home[GARDENER] -= 1
    owner.goods[FOOD] -= garden.food
    owner.gardens |= 1 << option.garden
    cost = f"pay {good_name(FOOD, garden.food)}"
    return _joined([f"{cost}, {more(asked.view, asked.clan, owner)}", brings(asked.view, asked.clan, garden.effect)])


def _yard_brings(asked: _Asked, option: Any) -> str:
    yard = YARDS[option.yard]
    owner = asked.owner
    owner.home[WARRIOR] -= 1
    owner.goods[IRON] -= yard.iron
    owner.yards[option.yard] += 1
    points = more(asked.view, asked.clan, owner)
    cost = f"pay {good_name(IRON, yard.iron)}" + (f", {points}" if points else "")
    tiles = [brings(asked.view, asked.clan, effect) for effect in drills(asked.view)[option.yard]]
    return _joined([cost, listed(tiles)])


def _climb_brings(asked: _Asked, option: Any) -> str:
    """The price, the points, and what the place gives (W-10.4 to W-10.6)."""
    view, clan, room = asked.view, asked.clan, option.destination
    owner = asked.owner
    owner.goods[PEARL] -= CLIMB_PEARLS[option.floors]
    rise(owner, option.origin, room)
    cost = f"pay {good_name(PEARL, CLIMB_PEARLS[option.floors])}, {more(view, clan, owner)}"
    if room == FAVOUR:
        free = NOTHING in view.favours
        return _joined([cost, f"the lantern: {lantern_words(view, clan)}", "a favour" if free else ""])
    deck = view.stewards if room in STEWARD_ROOMS else view.diplomats
    taken = f"{card_name(view.castle[room])} for the domain" if deck else ""
    return _joined([cost, taken, _light_rows(view, room)])


def _room_brings(asked: _Asked, option: Any) -> str:
    return f"{card_name(asked.view.castle[option.room])} leaves the game"


def _effect_brings(asked: _Asked, effect: int) -> str:
    return brings(asked.view, asked.clan, effect)


# --- places

_PLACES: Mapping[str, Callable[[Any], _Place]] = {
    "Exchange": lambda option: {
        "on": "exchange",
        "good": GOODS[option.good],
        "seals": SEALS_PER_COIN if option.good == COIN else SEALS_PER_RESOURCE,
    },
    "ChoosePair": lambda option: {"on": "pair", "pair": option.pair},
    "TakeDie": lambda option: {"on": "bridge", "colour": COLOURS[option.bridge], "end": POSITIONS[option.end]},
    "PlaceDie": lambda option: (
        {"on": "space", "space": SPACE_NAMES[option.space]} if option.space < DOMAIN else _domain(option.space - DOMAIN)
    ),
    "NextAction": lambda option: {"on": "pending", "entry": option.entry},
    "OutsideAction": lambda option: {"on": "member", "member": MEMBERS[option.member]},
    "PlaceGardener": lambda option: {"on": "garden", "garden": GARDENS[option.garden].name},
    "PlaceWarrior": lambda option: {"on": "yard", "yard": YARDS[option.yard].name},
    "LightRow": lambda option: {"on": "light", "row": option.row},
    "FavourSlot": lambda option: {"on": "favour", "slot": option.slot},
    "CastleRow": lambda option: {"on": "row", "room": SPACE_NAMES[option.room], "row": option.row},
    "DomainRow": lambda option: _domain(option.colour),
    "ChooseResource": lambda option: {"on": "resource", "good": GOODS[option.good]},
    "RivalRoom": lambda option: {"on": "room", "room": SPACE_NAMES[option.room]},
    "RivalGarden": lambda option: {"on": "garden", "garden": GARDENS[option.garden].name},
}
"""The place of an option by its type; options of the other types are buttons."""


def _domain(colour: int) -> _Place:
    return {"on": "domain", "colour": COLOURS[colour]}


_BRINGS: Mapping[str, Callable[[_Asked, Any], str]] = {
    "Word": _word_brings,
    "ChoosePair": _pair_brings,
    "TakeDie": _die_brings,
    "PlaceDie": _space_brings,
    "NextAction": lambda asked, option: _effect_brings(asked, pending_effect(asked.view, option.entry)),
    "OutsideAction": lambda asked, option: (
        "" if reachable(asked.view, asked.clan, EFFECTS[MAIN_ACTION[option.member]]) else "out of reach"
    ),
    "PlaceGardener": _garden_brings,
    "PlaceWarrior": _yard_brings,
    "Climb": _climb_brings,
    "LightRow": lambda asked, option: _effect_brings(asked, CARDS[int(asked.frame[2])].rows[option.row]),
    "FavourSlot": lambda asked, option: _effect_brings(asked, DAIMYO[asked.view.board.daimyo][option.slot]),
    "CastleRow": lambda asked, option: _effect_brings(asked, CARDS[asked.view.castle[option.room]].rows[option.row]),
    "DomainRow": lambda asked, option: all_brings(
        asked.view, asked.clan, domain_effects(asked.view, asked.clan, option.colour)
    ),
    "RivalRoom": _room_brings,
}
"""What an option brings, by its type; the words of the other types tell all."""


def _climb_path(option: Any) -> tuple[Part, ...]:
    """The courtier that climbs, then the place."""
    floor, room = FLOORS[option.origin], option.destination
    top = room == FAVOUR
    destination: _Place = {"on": "floor", "floor": FLOORS[-1]} if top else {"on": "room", "room": SPACE_NAMES[room]}
    name = "favour" if top else SPACE_NAMES[room]
    return (
        Part(f"climb:{floor}", f"climb from {FLOOR_NAMES[option.origin]}", {"on": "floor", "floor": floor}),
        Part(f"to:{name}", f"to {COURT_NAMES[room + 1]}", destination),
    )


def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
    """The options as people choose them, in the same order."""
    asked = _Asked(view, asked_clan(view), view.stack[-1], kind)
    found = []
    for option in options:
        known: Any = option
        sort = type(option).__name__
        words = answer(view, kind, option)
        if sort == "Climb":
            path = _climb_path(known)
        else:
            place = _PLACES[sort](known) if sort in _PLACES else {"on": "gate"} if known.text == "audience" else {}
            path = (Part(known.text, words, place),)
        found.append(Choice(words, path, _BRINGS[sort](asked, known) if sort in _BRINGS else ""))
    return found
