"""Ninjato in words: what happened, what is asked, and what each option does.

Every verb of the options and every event of `events.py` has its words in one table here. A play is told in the same
words as an option and as an event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.games.ninjato.components import (
    BORYAKU,
    CLAN_ORDER,
    CLANS,
    ENVOYS,
    GUARDS,
    MODES,
    ROUNDS,
    RUMOR_TITLES,
    RUMOR_TYPES,
    RUMORS,
    SCORING_ROUNDS,
    SHURIKEN,
    SKILLS,
    WAYS,
    Counts,
)
from referee.games.ninjato.counts import plus, spread
from referee.games.ninjato.event_words import happened
from referee.games.ninjato.names import (
    CLAN_NAMES,
    beaten_by,
    card_names,
    elite_name,
    envoy_name,
    guard_name,
    house_name,
    listed,
    play_name,
    price_name,
    rumor_name,
    seat_name,
    sided_name,
    sided_names,
    skill_effect,
    skill_name,
    skill_price,
    space_name,
    token_name,
    treasure_name,
    treasure_names,
)
from referee.games.ninjato.options import FIRST_HOUSE, PLACES, Play
from referee.games.ninjato.plays import targets
from referee.games.ninjato.raid import lowest
from referee.games.ninjato.scoring import bonuses, clan_honor, final_result, influence, ranking
from referee.games.ninjato.state import ELITE, RAID_KINDS, SCORING_KINDS, SENTINEL, Raid
from referee.games.ninjato.view import View
from referee.kernel.board import Section
from referee.kernel.game import Event, Option, Seat


def tiles_beside_base(option: Play) -> list[int]:
    """The skill tiles of a play without a Boryaku that is the base."""
    tiles = list(option.tiles)
    if not option.base:
        tiles.remove(BORYAKU)
    return tiles


def _option_play(option: Any) -> str:
    second = option.part == 1
    return f"play {play_name(option.base, option.supports, tiles_beside_base(option), option.value, second)}"


_ANSWERS: dict[str, Callable[[Any], str]] = {
    "place": lambda option: f"raid {space_name(option)}" if option.space == "house" else space_name(option),
    "pick": lambda option: f"the face-up {option.value}" if option.value else "a card from the deck",
    "discard": lambda option: f"discard a {option.value}",
    "learn": lambda option: f"learn {skill_name(option.skill)}",
    "spend": lambda option: f"pay with a {option.value}",
    "take_envoy": lambda option: envoy_name(option.envoy),
    "take_rumor": lambda option: rumor_name(option.rumor),
    "pay": lambda option: f"pay {treasure_names(option.treasures)}",
    "play": _option_play,
    "switch": lambda option: "use Seishin-teki: switch the mode",
    "swap": lambda option: (
        f"use Chocho: {sided_name(option.loot, option.loot_red)} of the loot"
        f" for {sided_name(option.house, option.house_red)} of the house"
    ),
    "refresh": lambda option: f"use Kuji-kiri: turn {skill_name(option.skill)} face up",
    "give_up": lambda option: "give up",
    "leave": lambda option: "leave with all loot",
    "banzai": lambda option: "banzai: go on",
    "keep": lambda option: f"keep {treasure_name(option.treasure)}",
    "put_token": lambda option: f"put {CLAN_NAMES[option.clan]} {option.value} on the house",
    "disguise": lambda option: f"disguise {envoy_name(option.envoy)}" if option.envoy >= 0 else "disguise no envoy",
    "reward": lambda option: "take the honor" if option.what == "honor" else "take a rumor",
}
"""An option in words, by its verb."""


def answer(view: View, kind: str, option: Option) -> str:
    """One option in the words of `choices`."""
    known: Any = option
    return _ANSWERS[known.do](known)


def opponent_name(raid: Raid) -> str:
    """The opponent of a raider (N-7.2): "the Sentinel, 4"."""
    if raid.opponent == ELITE:
        return elite_name(raid.card)
    if raid.opponent == SENTINEL:  # an alarm on a Sentinel does nothing (N-3.3)
        return f"the Sentinel, {GUARDS[raid.card].value}"
    return guard_name(raid.card)


def needed(raid: Raid) -> str:
    """What beats the opponent of a raider, part by part (N-7.11): "more than 3 and more than 5"."""
    found = targets(raid.opponent, raid.card, raid.standing, raid.mode)
    return listed(beaten_by(value, raid.mode) for _, value in found)


def _fight_question(view: View, raid: Any) -> str:
    return (
        f"How do you fight {opponent_name(raid)}, in {house_name(raid.house)} by {MODES[raid.mode]}"
        f" ({needed(raid)} wins)?"
    )


def clan_of_step(view: View) -> int:
    """The clan that is scored in the decision that is due (N-11.4)."""
    frame: Any = view.frame
    return CLAN_ORDER[view.round][int(frame.step) % len(CLANS)]


def _rumor_question(view: View, frame: Any) -> str:
    rank = "first" if frame.step < len(CLANS) else "second"
    return f"You are {rank} of {CLAN_NAMES[clan_of_step(view)]}: which rumor do you take for nothing?"


_QUESTIONS: dict[str, Callable[[View, Any], str]] = {
    "place": lambda view, frame: "Where do you send your shuriken?",
    "dojo_pick": lambda view, frame: (
        "Which Dojo card do you take" + (f", {frame[2]} to take?" if frame[2] > 1 else "?")
    ),
    "dojo_discard": lambda view, frame: "Your hand is too large: which Dojo card do you discard?",
    "sensei_take": lambda view, frame: "Which skill do you learn?",
    "sensei_pay": lambda view, frame: f"Which Dojo card do you pay for {skill_name(frame[2])}?",
    "envoy_take": lambda view, frame: "Which envoy do you buy?",
    "rumor_take": lambda view, frame: "Which rumor do you buy?",
    "pay": lambda view, frame: f"What do you pay for {_wanted(frame)}?",
    "fight": _fight_question,
    "banzai": lambda view, raid: (
        f"Do you leave {house_name(raid.house)} with {treasure_names(plus(raid.light, raid.red))}, or banzai?"
    ),
    "keep": lambda view, raid: "The raid has failed: which treasure do you keep?",
    "clan_token": lambda view, raid: (
        f"You emptied {house_name(raid.house)}, {token_name(view.tokens[raid.house])}: which clan token does it get?"
    ),
    "disguise": lambda view, frame: "Which masked envoy counts once more in this scoring phase?",
    "clan_reward": lambda view, frame: (
        f"You are first of {CLAN_NAMES[clan_of_step(view)]}:"
        f" {clan_honor(view.tokens, clan_of_step(view))} honor, or a rumor?"
    ),
    "rumor_free": _rumor_question,
}
"""What a seat is asked, by kind."""


def _wanted(frame: Any) -> str:
    _, _, sort, card = frame
    if sort == "envoy":
        return f"{envoy_name(card)}: {price_name(ENVOYS[card].demand)}"
    return f"{RUMOR_TITLES[RUMORS[card].type]}: {price_name(RUMORS[card].demand)}"


def question(view: View, kind: str) -> str:
    """What a seat is asked, from its view."""
    return _QUESTIONS[kind](view, view.frame)


_DOINGS: dict[str, Callable[[View, Any], str]] = {
    "place": lambda view, frame: "sends a shuriken",
    "dojo_pick": lambda view, frame: "takes a Dojo card" + (f", {frame[2]} to take" if frame[2] > 1 else ""),
    "dojo_discard": lambda view, frame: "discards a Dojo card",
    "sensei_take": lambda view, frame: "learns a skill",
    "sensei_pay": lambda view, frame: f"pays for {skill_name(frame[2])}",
    "envoy_take": lambda view, frame: "buys an envoy",
    "rumor_take": lambda view, frame: "buys a rumor",
    "pay": lambda view, frame: f"pays for {_wanted(frame)}",
    "fight": lambda view, raid: f"fights {opponent_name(raid)}",
    "banzai": lambda view, raid: "leaves, or banzai",
    "keep": lambda view, raid: "keeps one treasure",
    "clan_token": lambda view, raid: f"gives {house_name(raid.house)} a clan token",
    "disguise": lambda view, frame: "disguises an envoy",
    "clan_reward": lambda view, frame: f"is first of {CLAN_NAMES[clan_of_step(view)]} and takes honor or a rumor",
    "rumor_free": lambda view, frame: (
        f"is {'first' if frame.step < len(CLANS) else 'second'} of {CLAN_NAMES[clan_of_step(view)]} and takes a rumor"
    ),
}
"""What the seat that is asked is about to do, by kind."""


def doing(view: View) -> str:
    """What the seat that is asked is about to do: "fights guard 4"; empty when the game is over."""
    return _DOINGS[view.frame[0]](view, view.frame) if view.frame else ""


def ahead(view: View, raid: Any) -> str:
    """What banzai would bring (N-7.4): "a guard before a light scroll"."""
    light, red = view.light[raid.house], view.red[raid.house]
    return f"{'a guard' if any(light) else 'an elite guard'} before {sided_name(*lowest(light, red))}"


def raiding(view: View) -> str:
    """The raid that goes on: "raids house 4 by force"; empty outside raids."""
    frame: Any = view.frame
    if frame is None or frame[0] not in RAID_KINDS:
        return ""
    return f"raids {space_name(PLACES[FIRST_HOUSE + 2 * frame.house + frame.mode])}"


def event(event: Event) -> str:
    """What happened, without the seat that did it: "sent a shuriken to the Dojo"."""
    return happened(event)


def _now(view: View) -> Section:
    """Round, turn order, whose decision is due, and the raid or scoring phase that goes on."""
    rows = [f"round {view.round} of {ROUNDS}, scoring after rounds {listed(map(str, SCORING_ROUNDS))}"]
    rows.append(f"turn order: {listed(map(seat_name, view.order))}")
    frame: Any = view.frame
    if frame is None:
        places = final_result(view).places
        rows.append(f"the game is over: {listed(f'{seat_name(at)} place {place}' for at, place in enumerate(places))}")
        return Section("Now", (), tuple((row,) for row in rows))
    seat = seat_name(frame[1])
    if raiding(view):
        rows.append(f"{seat} {raiding(view)}; loot: {sided_names(frame.light, frame.red, 'none')}")
    rows.append(f"{seat} {doing(view)}" + (f": {needed(frame)} wins" if frame[0] == "fight" else ""))
    if frame[0] in SCORING_KINDS and frame.disguised:
        rows.append(f"disguised: {listed(map(envoy_name, frame.disguised))}")
    return Section("Now", (), tuple((row,) for row in rows))


def shuriken(view: View) -> list[tuple[Seat, int]]:
    """The shuriken of this round as (seat, space), in the order in which they were placed (N-4.1)."""
    return [(view.order[at % len(view.order)], space) for at, space in enumerate(view.placed)]


def _houses(view: View) -> Section:
    rows = []
    placed = shuriken(view)
    for house, token in enumerate(view.tokens):
        doors = []
        for mode, name in enumerate(MODES):
            there = [seat_name(seat) for seat, space in placed if space == FIRST_HOUSE + 2 * house + mode]
            doors += [f"{name}: {', '.join(there)}"] if there else []
        kind = view.sentinels[house]
        sentinel = str(GUARDS[kind].value) if kind >= 0 else "closed"
        light, red = treasure_names(view.light[house], "none"), treasure_names(view.red[house], "none")
        rows.append((str(house + 1), token_name(token), sentinel, light, red, "; ".join(doors) or "none"))
    return Section("Houses", ("house", "clan token", "Sentinel", "light side", "red side", "shuriken"), tuple(rows))


def _displays(view: View) -> Section:
    """Dojo, Sensei, Palace and Pavilion, with the shuriken that stand there."""
    skills = [f"{skill_name(skill)}: {skill_effect(skill)}; {_price_of(skill)}" for skill in view.sensei]
    envoys = [f"{_envoy_card(envoy)}: {price_name(ENVOYS[envoy].demand)}" for envoy in view.palace]
    shown = [
        ("Dojo", f"{card_names(view.face_up)} face up; {view.dojo_deck} in the deck"),
        *(("Sensei", skill) for skill in skills or ["nothing to learn"]),
        *(("Palace", envoy) for envoy in envoys or ["no envoy"]),
        *(("Pavilion", rumor_name(rumor)) for rumor in view.pavilion),
    ]
    if not view.pavilion:
        shown.append(("Pavilion", "no rumor"))
    names = ("Dojo", "Sensei", "Palace", "Pavilion")
    placed = [(names[space], seat_name(seat)) for seat, space in shuriken(view) if space < FIRST_HOUSE]
    shown += [(name, f"shuriken of {seat}") for name, seat in placed]
    return Section("Town", ("place", "there"), tuple(sorted(shown, key=lambda row: names.index(row[0]))))


def _price_of(skill: int) -> str:
    return f"{WAYS[SKILLS[skill].way]}, {skill_price(SKILLS[skill].price)}"


def _envoy_card(envoy: int) -> str:
    row = ENVOYS[envoy]
    return f"{CLAN_NAMES[row.clan]} {row.age}{' with a mask' if row.mask else ''}"


def hand_words(view: View, seat: Seat) -> str:
    """What the view's seat knows of a hand (N-14): "2 5 and 3 hidden"."""
    if seat == view.seat and view.hand is not None:
        return card_names(view.hand)
    known, hidden = view.known[seat], view.hand_sizes[seat] - sum(view.known[seat])
    parts = [card_names(known)] if any(known) else []
    return listed([*parts, f"{hidden} hidden"] if hidden else parts, "none")


def _skill_tiles(view: View, seat: Seat) -> str:
    ready = [skill_name(skill) for skill in spread(view.ready[seat])]
    used = [f"{skill_name(skill)} (used)" for skill in spread(view.used[seat])]
    return ", ".join(ready + used) or "none"


def _seats(view: View) -> tuple[Section, ...]:
    """For each seat what it owns, the view's seat first, then in turn order."""
    seats = sorted(view.order, key=lambda seat: seat != view.seat)
    placed = [seat for seat, _ in shuriken(view)]
    found = []
    for seat in seats:
        rows = [
            ("honor", str(view.honor[seat])),
            ("Dojo cards", hand_words(view, seat)),
            ("treasures", treasure_names(view.treasures[seat], "none")),
            ("skills", _skill_tiles(view, seat)),
            ("envoys", ", ".join(map(_envoy_card, view.envoys[seat])) or "none"),
            ("rumors", ", ".join(map(rumor_name, view.rumors[seat])) or "none"),
            ("trophies", ", ".join(map(elite_name, view.trophies[seat])) or "none"),
            ("shuriken left", str(SHURIKEN - placed.count(seat))),
        ]
        title = f"{seat_name(seat).capitalize()}{' (you)' if seat == view.seat else ''}"
        found.append(Section(title, ("what", "there"), tuple(rows)))
    return tuple(found)


def disguised_now(view: View) -> tuple[int, ...]:
    """The envoys that count once more in the scoring phase that goes on (N-11.2)."""
    frame: Any = view.frame
    return tuple(frame.disguised) if frame is not None and frame[0] in SCORING_KINDS else ()


def _clans(view: View) -> Section:
    rows = []
    disguised = disguised_now(view)
    seats = range(len(view.order))
    for clan, name in enumerate(CLAN_NAMES):
        ranked = [seat_name(seat) for seat in ranking(view, clan, disguised)[:2]]
        first, second = [*ranked, "none", "none"][:2]
        shares = (str(influence(view, seat, clan, disguised)) for seat in seats)
        rows.append((name, str(clan_honor(view.tokens, clan)), *shares, first, second))
    columns = ("clan", "honor of its houses", *map(seat_name, seats), "first", "second")
    return Section("Influence", columns, tuple(rows))


CATEGORIES = {
    "rounds": "scored in the rounds",
    **dict(zip(RUMOR_TYPES, RUMOR_TITLES, strict=True)),
    "treasures": "unspent treasures",
    "trophies": "trophies",
}
"""What honor is for, by the name of its category in `points`."""


def points(view: View) -> list[tuple[str, list[int]]]:
    """Honor by category and seat: scored so far, and what the end of the game would add now (N-12.2 to N-12.5)."""
    seats = range(len(view.order))
    added = [bonuses(view, seat) for seat in seats]
    over = view.frame is None
    so_far = [view.honor[seat] - (sum(honor for _, honor in added[seat]) if over else 0) for seat in seats]
    names = [name for name, _ in added[0]]
    return [("rounds", so_far), *((name, [added[seat][at][1] for seat in seats]) for at, name in enumerate(names))]


def _points(view: View) -> Section:
    rows = [(CATEGORIES[name], *map(str, honor)) for name, honor in points(view)]
    totals = [sum(honor) for honor in zip(*(honor for _, honor in points(view)), strict=True)]
    title = "Honor" if view.frame is None else "Honor if the game ended now"
    seats = map(seat_name, range(len(view.order)))
    return Section(title, ("for", *seats), (*rows, ("total", *map(str, totals))))


def _count_names(counts: Counts) -> str:
    return listed((f"{count} of {value}" for value, count in enumerate(counts, 1) if count), "none")


def _piles(view: View) -> Section:
    rows = [
        f"clan tokens in the supply: {', '.join(map(token_name, view.supply))}",
        f"face down: {view.guard_deck} guards, {view.elite_deck} elite guards, {view.bag} treasures,"
        f" {view.envoy_deck} envoys, {view.rumor_deck} rumors",
        f"discarded Dojo cards: {_count_names(view.dojo_discard)}",
    ]
    return Section("Supply", (), tuple((row,) for row in rows))


def describe(view: View) -> tuple[Section, ...]:
    """The board in words: what is due, the houses, the town, the seats, influence, honor and the supply."""
    return (
        _now(view),
        _houses(view),
        _displays(view),
        *_seats(view),
        _clans(view),
        _points(view),
        _piles(view),
    )
