"""What happened, in words: one table for every event that the rules tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.games.white_castle.components import (
    GOODS,
    MEMBERS,
    SEAL,
    SEALS_PER_COIN,
    SEALS_PER_RESOURCE,
    SOLO_CARDS,
    YARDS,
)
from referee.games.white_castle.names import (
    action_name,
    counted,
    good_by_name,
    good_name,
    listed,
    place_name,
    seat_name,
    solo_words,
    yard_name,
)
from referee.games.white_castle.scoring import CATEGORIES
from referee.kernel.game import Event, Verb

_SOLO_NUMBERS = {card.name: number for number, card in enumerate(SOLO_CARDS)}
_YARD_NUMBERS = {yard.name: number for number, yard in enumerate(YARDS)}


def exchange_words(good: str) -> str:
    """A seal exchange: "2 seals for 1 food" (W-6.4)."""
    seals = SEALS_PER_COIN if good == "coin" else SEALS_PER_RESOURCE
    return f"{good_name(SEAL, seals)} for {good_by_name(good, 1)}"


def gain_words(parts: Sequence[int]) -> str:
    """The parts of a final score: "8 collected, 1 for coins and seals"."""
    named = [f"{amount} {'' if not at else 'for '}{CATEGORIES[at]}" for at, amount in enumerate(parts) if amount]
    return ", ".join(named)


def _climb(parts: list[str]) -> str:
    _, origin, _, destination = parts
    return f"sent a courtier from {place_name(origin)} to {place_name(destination)}"


_WORDS = {
    "skip": "declined",
    "pay": "paid the price",
    "stop": "stopped before the gate",
    "done": "was done",
    "continue": "kept the seals that fit",
    "audience": "had an audience: a courtier goes to the gate",
    "seals": "took the seals first",
    "influence": "took the influence first",
    **{member: f"chose {action_name(number)}" for number, member in enumerate(MEMBERS)},
    **{good: f"chose {good_by_name(good, 1)}" for good in GOODS[:3]},
}
"""Answers without numbers, by their text."""
_CHOSEN: dict[str, Callable[[list[str]], str]] = {
    "x": lambda parts: f"exchanged {exchange_words(parts[1])}",
    "pair": lambda parts: f"drafted pair {int(parts[1]) + 1}",
    "die": lambda parts: f"took the {parts[2]} die of the {parts[1]} bridge",
    "space": lambda parts: f"placed the die on {place_name(parts[1])}",
    "act": lambda parts: f"did number {int(parts[1]) + 1} of the pending effects",
    "garden": lambda parts: f"sent a gardener to garden {parts[1]}",
    "yard": lambda parts: f"sent a warrior to {yard_name(_YARD_NUMBERS[parts[1]])}",
    "climb": _climb,
    "slot": lambda parts: f"took favour {int(parts[1]) + 1} of the daimyo",
    "domain": lambda parts: f"did the {parts[1]} row of its domain",
    "room": lambda parts: f"chose {place_name(parts[1])} for the rival's courtier",
}
"""Answers with numbers, by the first word of their text."""


def _chose(told: Event) -> str:
    """An answer of a seat (W-17)."""
    text = str(told.items[0])
    if text in _WORDS:
        return _WORDS[text]
    parts = text.split(":")
    if parts[0] == "row":
        row = f"row {int(parts[-1]) + 1}"
        return f"did light {row} of the card just taken" if len(parts) == 2 else f"did {row} of {place_name(parts[1])}"
    if told.subject == "rival_garden":
        return f"chose garden {parts[1]} for the rival's gardener"
    return _CHOSEN[parts[0]](parts)


def _order(told: Event) -> str:
    names = ["the rival" if clan == "rival" else seat_name(int(clan)) for clan in told.items]
    return f"the turn order is now {listed(names)}"


def _scored(told: Event) -> str:
    of = gain_words([int(item) for item in told.items])
    return f"scored {told.amount} VP" + (f": {of}" if of else "")


def _solo_cards(told: Event) -> str:
    *flipped, named = (str(item) for item in told.items)
    card = solo_words(_SOLO_NUMBERS[named]).partition(": ")[2].partition(";")[0]
    return f"the rival turned {counted(len(flipped), 'solo card')}, {listed(flipped)}; card {named} names {card}"


_EVENTS: dict[tuple[Verb, str], Callable[[Event], str]] = {
    (Verb.MOVED, "time"): lambda told: f"moved to space {told.items[0]} of the time track",
    (Verb.MOVED, "rival time"): lambda told: f"the rival moved to space {told.items[0]} of the time track",
    (Verb.ORDER, "turn"): _order,
    (Verb.PHASE, "round"): lambda told: f"round {told.items[0]} began",
    (Verb.PHASE, "gardens"): lambda told: f"the gardens of round {told.items[0]} were activated",
    (Verb.PHASE, "final exchange"): lambda told: "the last exchange of seals began",
    (Verb.SCORED, "game"): _scored,
    (Verb.SCORED, "rival game"): lambda told: f"the rival {_scored(told)}",
    (Verb.REVEALED, "solo cards"): _solo_cards,
    (Verb.REVEALED, "solo deck"): lambda told: f"the solo cards were shuffled; {told.items[0]} is on top",
    (Verb.MOVED, "rival die"): lambda told: f"the rival put a die of {told.amount} on {place_name(str(told.items[0]))}",
    (Verb.MOVED, "rival gardener"): lambda told: f"the rival sent a gardener to garden {told.items[0]}",
    (Verb.MOVED, "rival warrior"): lambda told: (
        f"the rival sent a warrior to {yard_name(_YARD_NUMBERS[str(told.items[0])])}"
    ),
    (Verb.MOVED, "rival courtier"): lambda told: f"a courtier of the rival went to {place_name(str(told.items[0]))}",
    (Verb.CHOSE, "rival favour"): lambda told: f"the rival took favour {int(told.items[0]) + 1} of the daimyo",
    (Verb.GAINED, "rival coin"): lambda told: f"the rival gained {counted(told.amount, 'coin')}",
    (Verb.GAINED, "rival vp"): lambda told: f"the rival gained {told.amount} VP",
    (Verb.PAID, "rival coin"): lambda told: f"the rival sold {counted(told.amount, 'coin')}",
}
"""Events by verb and subject."""


def event(told: Event) -> str:
    """What happened, without the seat that did it: "placed the die on steward room 2"."""
    words = _EVENTS.get((told.verb, told.subject))
    if words is not None:
        return words(told)
    match told.verb:
        case Verb.CHOSE:
            return _chose(told)
        case Verb.GAINED | Verb.PAID:
            return f"{told.verb} {good_by_name(told.subject, told.amount)}"
        case Verb.ROLLED:
            return f"the {told.subject} dice were rolled: {listed(map(str, told.items))}"
    return f"{place_name(told.subject)} got card {told.items[0]}"
