"""The White Castle in words: what is asked, what each option does, and the whole board as short tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.games.white_castle.components import (
    CARDS,
    COLOURS,
    DAIMYO,
    DIE_SPACES,
    GARDENS,
    LANTERN,
    LEFT,
    MEMBERS,
    NOTHING,
    POSITIONS,
    ROOMS,
    ROUNDS,
    START_GAIN,
    STEWARD_ROOMS,
    WELL,
    YARDS,
)
from referee.games.white_castle.event_words import event, exchange_words
from referee.games.white_castle.names import (
    COURT_NAMES,
    FLOOR_NAMES,
    action_name,
    card_name,
    clan_name,
    counted,
    die_name,
    effect_words,
    garden_name,
    good_name,
    goods_names,
    listed,
    room_name,
    solo_words,
    source_name,
    space_name,
    yard_name,
)
from referee.games.white_castle.options import Word
from referee.games.white_castle.outlook import (
    bridge_of,
    covers,
    domain_effects,
    drills,
    lantern_goods,
    points,
    room_tiles,
    well_goods,
)
from referee.games.white_castle.questions import (
    asked_clan,
    asked_frame,
    doing,
    gate_price,
    pending,
    pending_effect,
    phase,
    question,
)
from referee.games.white_castle.scoring import CATEGORIES, places
from referee.games.white_castle.view import View
from referee.kernel.board import Section
from referee.kernel.game import Option

__all__ = ["answer", "describe", "event", "question"]

# --- options


def pair_words(view: View, pair: int) -> str:
    """A starting pair: "pair 1: card R3 with card A1"."""
    resource, action = view.offer[pair]
    return f"pair {pair + 1}: {card_name(resource)} with {card_name(action)}"


def _gate_or_price(view: View, kind: str) -> str:
    frame: Any = asked_frame(view)
    if kind == "pay_gate":
        return f"pay {gate_price(view)}"
    return f"pay {good_name(frame[3], frame[4])}"


def _word(view: View, kind: str, option: Word) -> str:
    if option.text == "pay":
        return _gate_or_price(view, kind)
    return {
        "skip": "decline",
        "stop": "stop before the gate",
        "done": "done",
        "continue": "keep the seals that fit",
        "audience": "audience: a courtier goes to the gate",
        "seals": "the seals first",
        "influence": "the influence first",
    }[option.text]


def _taken_die(view: View, kind: str, option: Any) -> str:
    left, _, right = view.bridges[option.bridge]
    value = left if option.end == LEFT else right
    return f"{die_name(option.bridge, value)} from the {POSITIONS[option.end]} end"


def climb_words(origin: int, destination: int) -> str:
    """A climb: "climb from the gate to steward room 2"."""
    return f"climb from {FLOOR_NAMES[origin]} to {COURT_NAMES[destination + 1]}"


_ANSWERS: dict[str, Callable[[View, str, Any], str]] = {
    "Word": _word,
    "Exchange": lambda view, kind, option: f"exchange {exchange_words(option.text[2:])}",
    "ChoosePair": lambda view, kind, option: pair_words(view, option.pair),
    "TakeDie": _taken_die,
    "PlaceDie": lambda view, kind, option: space_name(option.space),
    "NextAction": lambda view, kind, option: source_name(pending_effect(view, option.entry)),
    "OutsideAction": lambda view, kind, option: action_name(option.member),
    "PlaceGardener": lambda view, kind, option: garden_name(option.garden),
    "PlaceWarrior": lambda view, kind, option: yard_name(option.yard),
    "Climb": lambda view, kind, option: climb_words(option.origin, option.destination),
    "LightRow": lambda view, kind, option: f"row {option.row + 1}",
    "FavourSlot": lambda view, kind, option: f"favour {option.slot + 1}",
    "CastleRow": lambda view, kind, option: f"row {option.row + 1} of {room_name(option.room)}",
    "DomainRow": lambda view, kind, option: f"your {COLOURS[option.colour]} row",
    "ChooseResource": lambda view, kind, option: good_name(option.good, 1),
    "RivalRoom": lambda view, kind, option: room_name(option.room),
    "RivalGarden": lambda view, kind, option: garden_name(option.garden),
}
"""An option in words, by its type."""


def answer(view: View, kind: str, option: Option) -> str:
    """One option in the words of `choices`."""
    return _ANSWERS[type(option).__name__](view, kind, option)


# --- the board


def _clans(view: View, clans: Any) -> str:
    return listed([clan_name(clan, view.board.seats) for clan in clans], "none")


def _now(view: View) -> Section:
    """Round, orders, whose decision is due, what follows it."""
    seats = view.board.seats
    rows = []
    if view.stack:
        asked = clan_name(asked_clan(view), seats)
        rows.append(("round", f"{view.round} of {ROUNDS}, {phase(view)}"))
        rows.append(("asked", f"{asked} {doing(view)}"))
        waiting = [f"{source_name(effect)} ({effect_words(effect)})" for effect in pending(view)]
        if waiting:
            rows.append(("then", listed(waiting, last="and then")))
    else:
        totals = [sum(of) for of in points(view)]
        found = sorted(range(len(totals)), key=lambda clan: places(totals, view.order)[clan])
        rows.append(("over", ", ".join(f"{clan_name(clan, seats)} {totals[clan]} VP" for clan in found)))
    rows.append(("turn order", _clans(view, view.order)))
    track = ", ".join(f"{clan_name(clan, seats)} on space {view.clans[clan].space}" for clan in view.track)
    rows.append(("time track", f"{track}; this is the next order"))
    return Section("Now", ("what", "now"), tuple(rows))


def _offer(view: View) -> Section:
    rows = []
    for number, (resource, action) in enumerate(view.offer):
        if resource == NOTHING:
            rows.append((str(number + 1), "taken", "", ""))
        else:
            gain, does = effect_words(START_GAIN[resource]), effect_words(CARDS[action].rows[0])
            lanterns = goods_names([LANTERN[resource], LANTERN[action]])
            rows.append(
                (str(number + 1), f"{CARDS[resource].name} and {CARDS[action].name}", f"{gain}; {does}", lanterns)
            )
    return Section("Starting pairs", ("pair", "cards", "gives", "lantern backs"), tuple(rows))


def dice_words(view: View, space: int) -> str:
    """The dice on a space and the value that the next one covers: "coral 5; covers 5"."""
    dice = [f"{COLOURS[colour]} {value}" for colour, value in view.spaces[space]]
    capacity = DIE_SPACES[space].capacity[view.board.seats]
    if capacity and len(dice) >= capacity:
        return f"{', '.join(dice)}; full"
    return "; ".join([*([", ".join(dice)] if dice else []), f"covers {covers(view, 0, space)}"])


def _bridges(view: View) -> Section:
    rows = []
    for bridge, (left, centre, right) in enumerate(view.bridges):
        rows.append((COLOURS[bridge], str(left or "none"), " ".join(map(str, centre)) or "none", str(right or "none")))
    return Section("Bridges", ("bridge", "left, with the lantern", "centre", "right"), tuple(rows))


def _gardens(view: View) -> Section:
    rows = []
    for number in view.board.gardens:
        garden = GARDENS[number]
        there = [clan for clan, owner in enumerate(view.clans) if number in owner.gardens]
        bridge = COLOURS[bridge_of(view, number)]
        rows.append(
            (
                bridge,
                garden.name,
                str(garden.food),
                str(garden.points),
                effect_words(garden.effect),
                _clans(view, there),
            )
        )
    return Section("Gardens", ("bridge", "card", "food", "VP", "effect", "gardeners"), tuple(rows))


def _counts(view: View, there: Sequence[tuple[int, int]]) -> str:
    """Members of the clans in one place: "seat 1: 2, seat 2: 1"."""
    return ", ".join(f"{clan_name(clan, view.board.seats)}: {count}" for clan, count in there) or "none"


def _court(view: View, place: int) -> str:
    there = [(clan, owner.court[place]) for clan, owner in enumerate(view.clans) if owner.court[place]]
    return _counts(view, there)


def _castle(view: View) -> Section:
    """The rooms from the top, each row of a card behind the colour of its tile; dark rows are main actions."""
    favours = []
    for slot, owner in enumerate(view.favours):
        taken = f", taken by {clan_name(owner, view.board.seats)}" if owner != NOTHING else ""
        favours.append(f"favour {slot + 1}: {effect_words(DAIMYO[view.board.daimyo][slot])}{taken}")
    found = [("floor 3", "no dice", "; ".join(favours), _court(view, len(COURT_NAMES) - 1))]
    for room in (*range(STEWARD_ROOMS.stop, ROOMS.stop), *STEWARD_ROOMS):
        card = view.castle[room]
        rows = CARDS[card].rows if card != NOTHING else ()
        tiles = room_tiles(view, room)
        text = [f"{COLOURS[tiles[row]]}: {effect_words(effect)}" for row, effect in enumerate(rows)]
        shown = f"{CARDS[card].name}; {'; '.join(text)}" if rows else "its card is being replaced"
        found.append((room_name(room), dice_words(view, room), shown, _court(view, room + 1)))
    found.append(("the gate", "no dice", "", _court(view, 0)))
    return Section("Castle", ("place", "dice", "card", "courtiers"), tuple(found))


def _spaces(view: View) -> Section:
    rows = []
    for space in range(ROOMS.stop, WELL):
        actions = listed([action_name(member) for member in DIE_SPACES[space].members], last="or")
        rows.append((space_name(space), dice_words(view, space), actions))
    rows.append((space_name(WELL), dice_words(view, WELL), goods_names(well_goods(view))))
    return Section("Other spaces", ("space", "dice", "gives"), tuple(rows))


def _yards(view: View) -> Section:
    rows = []
    for yard, effects in enumerate(drills(view)):
        there = [(clan, owner.yards[yard]) for clan, owner in enumerate(view.clans) if owner.yards[yard]]
        warriors = _counts(view, there)
        gives = listed([effect_words(effect) for effect in effects])
        rows.append((str(YARDS[yard].iron), str(YARDS[yard].value), gives, warriors))
    return Section("Training yards", ("iron", "value", "gives", "warriors"), tuple(rows))


def _owners(view: View) -> list[int]:
    """The clans, the view's own first, then in turn order."""
    return sorted(view.order, key=lambda clan: clan != view.seat)


def _members(view: View, clan: int) -> str:
    return ", ".join(counted(count, name) for count, name in zip(view.clans[clan].home, MEMBERS, strict=True))


def _goods(view: View) -> Section:
    """What every clan holds."""
    rows = []
    for clan in _owners(view):
        owner = view.clans[clan]
        held = (owner.food, owner.iron, owner.pearl, owner.coins, owner.seals, owner.vp)
        you = " (you)" if clan == view.seat else ""
        rows.append((f"{clan_name(clan, view.board.seats)}{you}", *map(str, held), *map(str, owner.home)))
    columns = ("clan", "food", "iron", "pearls", "coins", "seals", "VP collected")
    return Section("Clans", (*columns, *(f"{name}s at home" for name in MEMBERS)), tuple(rows))


def _domains(view: View) -> Section:
    """The domain of every clan: its rows with their dice, and its lantern."""
    rows = []
    for clan in _owners(view):
        owner = view.clans[clan]
        if owner.action == NOTHING:
            continue
        name = clan_name(clan, view.board.seats)
        for colour, member in enumerate(MEMBERS):
            effects = domain_effects(view, clan, colour)
            die = (
                f"die {owner.dice[colour]}" if owner.dice[colour] else f"covers {covers(view, clan, WELL + 1 + colour)}"
            )
            rows.append((name, f"{COLOURS[colour]}, {member}s", die, "; then ".join(map(effect_words, effects))))
        cards = " ".join(CARDS[card].name for card in owner.lantern) or "no card"
        rows.append((name, "lantern", cards, goods_names(lantern_goods(view, clan))))
    return Section("Domains", ("clan", "row", "die or cards", "gives"), tuple(rows))


def _points(view: View) -> Section:
    found = points(view)
    rows = [(name, *(str(of[at]) for of in found)) for at, name in enumerate(CATEGORIES)]
    rows.append(("total", *(str(sum(of)) for of in found)))
    title = "VP if the game ended now" if view.stack else "VP"
    return Section(title, ("for", *(clan_name(clan, view.board.seats) for clan in range(len(found)))), tuple(rows))


def _decks(view: View) -> Section:
    rows = [
        (name, " ".join(CARDS[card].name for card in deck) or "none", "in hidden order")
        for name, deck in (("steward deck", view.stewards), ("diplomat deck", view.diplomats))
    ]
    if view.gone:
        rows.append(("out of the game", " ".join(CARDS[card].name for card in view.gone), ""))
    return Section("Decks", ("deck", "cards", "order"), tuple(rows))


def _solo(view: View) -> Section:
    solo: Any = view.solo
    rows = [("on top", solo_words(solo.top))]
    rows += [("turned this turn", solo_words(card)) for card in solo.row]
    rows += [("in hidden order", solo_words(card)) for card in solo.unknown]
    rows += [(f"{number} below those", solo_words(card)) for number, card in enumerate(solo.cycled, 1)]
    return Section("The rival's cards", ("place", "card"), tuple(rows))


def describe(view: View) -> tuple[Section, ...]:
    """The board in words: what is due, the castle and its surroundings, the clans, VP, decks."""
    return (
        _now(view),
        *((_offer(view),) if view.offer else ()),
        _bridges(view),
        _castle(view),
        _spaces(view),
        _gardens(view),
        _yards(view),
        _goods(view),
        *((_domains(view),) if any(clan.action != NOTHING for clan in view.clans) else ()),
        _points(view),
        *((_solo(view),) if view.solo else ()),
        _decks(view),
    )
