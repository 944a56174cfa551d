"""What happened in a game of Ninjato, in words: one table by the verb and the subject of the events of `events.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.games.ninjato.components import (
    CLANS,
    ELITES,
    ENVOYS,
    MODES,
    RUMOR_TITLES,
    RUMOR_TYPES,
    RUMORS,
    SKILL,
    TOKENS,
    TREASURE,
)
from referee.games.ninjato.counts import NO_TREASURES, gather
from referee.games.ninjato.names import (
    CLAN_NAMES,
    elite_name,
    envoy_name,
    house_name,
    listed,
    play_name,
    rumor_name,
    seat_name,
    sided_name,
    skill_name,
    space_name,
    token_name,
    treasure_name,
    treasure_names,
)
from referee.games.ninjato.options import Place
from referee.kernel.game import TABLE, Event, Verb

_ELITE = {elite.id: kind for kind, elite in enumerate(ELITES)}
_ENVOY = {envoy.id: number for number, envoy in enumerate(ENVOYS)}
_RUMOR = {rumor.id: number for number, rumor in enumerate(RUMORS)}
_RED = "red"


def _heap(names: Sequence[int | str]) -> str:
    return treasure_names(gather((TREASURE[str(name)] for name in names), NO_TREASURES))


def _placed(event: Event) -> str:
    space, *rest = event.items
    house, mode = (int(rest[0]), MODES.index(str(rest[1]))) if rest else (-1, -1)
    return f"sent a shuriken to {space_name(Place('place', str(space), house, mode))}"


def _played(event: Event) -> str:
    base, *rest = event.items
    supports = rest.count("support")
    tiles = [SKILL[str(item)] for item in rest if item in SKILL]
    value = base if isinstance(base, int) else 0
    return f"played {play_name(value, supports, tiles, event.amount, 'second part' in rest)}"


def _guard_came(event: Event) -> str:
    return f"guard {event.items[0]} came{' and rang the alarm' if 'alarm' in event.items else ''}"


def _swapped(event: Event) -> str:
    loot, side, house, house_side = map(str, event.items)
    return (
        f"used Chocho: {sided_name(TREASURE[loot], side == _RED)} of the loot"
        f" for {sided_name(TREASURE[house], house_side == _RED)} of the house"
    )


def _token_put(event: Event) -> str:
    house, clan, value = event.items
    token = TOKENS.index((CLANS.index(str(clan)), int(value)))
    return f"put {token_name(token)} on {house_name(int(house))}"


def _disguised(event: Event) -> str:
    name = str(event.items[0])
    return f"disguised {envoy_name(_ENVOY[name])}" if name in _ENVOY else "disguised no envoy"


def _rewarded(event: Event) -> str:
    clan, what = map(str, event.items)
    return f"was first of {CLAN_NAMES[CLANS.index(clan)]} and took {'the honor' if what == 'honor' else 'a rumor'}"


def _skills(event: Event) -> str:
    return listed(skill_name(SKILL[str(name)]) for name in event.items)


def _envoys(event: Event) -> str:
    return listed(envoy_name(_ENVOY[str(name)]) for name in event.items)


def _rumors(event: Event) -> str:
    return listed(rumor_name(_RUMOR[str(name)]) for name in event.items)


def _cards(event: Event) -> str:
    return listed(f"a {value}" for value in event.items)


_WHY = {
    "envoy": "for the envoy's treasures",
    "rumor": "for the rumor's treasures",
    "treasures": "for unspent treasures",
    "trophies": "for trophies",
    **{clan: f"from the houses of {name}" for clan, name in zip(CLANS, CLAN_NAMES, strict=True)},
    **{sort: f"for {title}" for sort, title in zip(RUMOR_TYPES, RUMOR_TITLES, strict=True)},
}
"""What honor is scored for, by the subject of the event."""

_EVENTS: dict[tuple[Verb, str], Callable[[Event], str]] = {
    (Verb.CHOSE, "place"): _placed,
    (Verb.CHOSE, "leave"): lambda event: "left with all loot",
    (Verb.CHOSE, "banzai"): lambda event: "cried banzai and went on",
    (Verb.CHOSE, "give_up"): lambda event: "gave up",
    (Verb.DREW, "dojo card"): lambda event: "took a card from the Dojo deck",
    (Verb.GAINED, "dojo card"): lambda event: f"took {_cards(event)} from the Dojo",
    (Verb.PAID, "dojo card"): lambda event: f"discarded {_cards(event)}",
    (Verb.CHOSE, "play"): _played,
    (Verb.CHOSE, "switch"): lambda event: f"used Seishin-teki: the raid went on in {event.items[0]}",
    (Verb.CHOSE, "swap"): _swapped,
    (Verb.CHOSE, "refresh"): lambda event: f"used Kuji-kiri: {_skills(event)} was face up again",
    (Verb.REVEALED, "guard"): _guard_came,
    (Verb.REVEALED, "elite guard"): lambda event: f"{elite_name(_ELITE[str(event.items[0])])} came",
    (Verb.REVEALED, "sentinel"): lambda event: (
        f"{house_name(int(event.items[0]))} got guard {event.items[1]} as its Sentinel"
    ),
    (Verb.MOVED, "loot"): lambda event: (
        f"won {sided_name(TREASURE[str(event.items[0])], event.items[1] == _RED)} as loot"
    ),
    (Verb.REVEALED, "house treasure"): lambda event: f"{house_name(int(event.items[0]))} got {_heap(event.items[1:])}",
    (Verb.MOVED, "red side"): lambda event: (
        f"{treasure_name(TREASURE[str(event.items[1])])} of {house_name(int(event.items[0]))}"
        " was turned to its red side"
    ),
    (Verb.GAINED, "trophy"): lambda event: f"won {elite_name(_ELITE[str(event.items[0])])} as a trophy",
    (Verb.GAINED, "treasure"): lambda event: f"got {_heap(event.items)}",
    (Verb.PAID, "treasure"): lambda event: f"paid {_heap(event.items)}",
    (Verb.CHOSE, "skill"): lambda event: f"chose {_skills(event)}",
    (Verb.CHOSE, "envoy"): lambda event: f"chose {_envoys(event)}",
    (Verb.CHOSE, "rumor"): lambda event: f"chose the rumor {_rumors(event)}",
    (Verb.GAINED, "skill"): lambda event: f"learned {_skills(event)}",
    (Verb.GAINED, "envoy"): lambda event: f"got {_envoys(event)}",
    (Verb.GAINED, "rumor"): lambda event: f"got the rumor {_rumors(event)}",
    (Verb.MOVED, "clan token"): _token_put,
    (Verb.CHOSE, "disguise"): _disguised,
    (Verb.CHOSE, "clan reward"): _rewarded,
    (Verb.PHASE, "scoring"): lambda event: f"the scoring phase of round {event.items[0]} began",
    (Verb.PHASE, "round"): lambda event: f"round {event.items[0]} began",
    (Verb.PHASE, "dojo deck shuffled"): lambda event: "the discarded Dojo cards became the Dojo deck",
    (Verb.PHASE, "guard deck shuffled"): lambda event: "the discarded guards became the deck of guards",
    (Verb.PHASE, "elite deck shuffled"): lambda event: "the discarded elite guards became the deck of elite guards",
    (Verb.PHASE, "treasure bag refilled"): lambda event: "the spent treasures went back to the bag",
    (Verb.ORDER, "turn order"): lambda event: (
        f"the turn order became {listed(seat_name(int(seat)) for seat in event.items)}"
    ),
}
"""What happened, by verb and subject; what comes on display stands in `_SHOWN`."""

_SHOWN: dict[str, Callable[[Event], str]] = {
    "dojo card": lambda event: f"{_cards(event)} came face up in the Dojo",
    "skill": lambda event: f"the Sensei showed {_skills(event)}",
    "envoy": lambda event: f"the Palace showed {_envoys(event)}",
    "rumor": lambda event: f"the Pavilion showed {_rumors(event)}",
}
"""What comes on display, by subject."""

_OWN: dict[str, Callable[[Event], str]] = {
    "dojo card": lambda event: f"saw that the card is {_cards(event)}",
    "rumor": lambda event: f"showed the rumors {_rumors(event)}",
}
"""What a seat saw or showed, by subject."""


def happened(event: Event) -> str:
    """What happened, without the seat that did it."""
    if event.verb == Verb.SCORED:
        return f"scored {event.amount} honor {_WHY[event.subject]}"
    special = _SHOWN if event.seat == TABLE else _OWN
    if event.verb == Verb.REVEALED and event.subject in special:
        return special[event.subject](event)
    return _EVENTS[event.verb, event.subject](event)
