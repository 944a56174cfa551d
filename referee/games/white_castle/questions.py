"""What is asked in words, and what the frames of a view say about the open decision and what follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.games.white_castle.components import (
    COLOURS,
    GATE_COST,
    LIGHT_ROW,
    NOTHING,
    SEAL,
    SEAL_MAX,
    TURNS_PER_ROUND,
)
from referee.games.white_castle.names import card_name, die_name, effect_words, good_name, space_name
from referee.games.white_castle.view import View
from referee.kernel.frames import Frame


def asked_frame(view: View) -> Frame | None:
    """The open decision; None when the game is over."""
    return view.stack[-1] if view.stack else None


def asked_clan(view: View) -> int:
    """The clan whose decision is open; NOTHING when the game is over."""
    frame = asked_frame(view)
    return int(frame[1]) if frame else NOTHING


def _scope(frame: Frame) -> str:
    scope = frame[2]
    if scope == LIGHT_ROW:
        return "light castle row"
    return f"castle row beside a {COLOURS[scope]} tile" if scope < len(COLOURS) else "castle row"


def _next_space(view: View) -> int:
    return view.clans[asked_clan(view)].space + 1


def gate_price(view: View) -> str:
    return good_name(SEAL, GATE_COST[_next_space(view)])


def _price(frame: Frame) -> str:
    _, _, then, good, amount = frame
    return f"{good_name(good, amount)} for {effect_words(then)}"


def _courtier(frame: Frame) -> str:
    _, _, audience, climbed = frame
    return "climb" if audience else "have an audience" if climbed else "have an audience or climb"


def _courtier_does(frame: Frame) -> str:
    return {"climb": "may climb", "have an audience": "may have an audience"}.get(
        _courtier(frame), "may have an audience and climb"
    )


_Words = Callable[[View, Any], str]
_ASKS: dict[str, tuple[_Words, _Words]] = {
    "choose_start_pair": (lambda view, frame: "Which starting pair do you draft?", lambda *_: "drafts a starting pair"),
    "take_die": (lambda view, frame: "Which die do you take?", lambda *_: "takes a die"),
    "place_die": (
        lambda view, frame: f"Where do you place {die_name(frame[2], frame[3])}?",
        lambda view, frame: f"places {die_name(frame[2], frame[3])}",
    ),
    "next_action": (lambda view, frame: "Which effect comes first?", lambda *_: "chooses which effect comes first"),
    "outside_action": (
        lambda view, frame: f"Which action do you do at {space_name(frame[2])}?",
        lambda view, frame: f"chooses an action at {space_name(frame[2])}",
    ),
    "pay_optional": (
        lambda view, frame: f"Do you pay {_price(frame)}?",
        lambda view, frame: f"may pay {_price(frame)}",
    ),
    "place_gardener": (
        lambda view, frame: "To which garden do you send a gardener?",
        lambda *_: "sends a gardener",
    ),
    "place_warrior": (lambda view, frame: "To which yard do you send a warrior?", lambda *_: "sends a warrior"),
    "courtier": (
        lambda view, frame: f"Does a courtier {_courtier(frame)}?",
        lambda view, frame: _courtier_does(frame),
    ),
    "choose_light": (
        lambda view, frame: f"Which light row of {card_name(frame[2])} do you do?",
        lambda view, frame: f"does a light row of {card_name(frame[2])}",
    ),
    "daimyo_slot": (lambda view, frame: "Which favour of the daimyo do you take?", lambda *_: "takes a favour"),
    "choose_castle_action": (
        lambda view, frame: f"Which {_scope(frame)} do you do?",
        lambda view, frame: f"does a {_scope(frame)}",
    ),
    "choose_domain_row": (
        lambda view, frame: "Which row of your domain do you do?",
        lambda *_: "does a row of its domain",
    ),
    "choose_resource": (
        lambda view, frame: f"Which resource do you take{f', the first of {frame[2]}' if frame[2] > 1 else ''}?",
        lambda view, frame: "takes a resource" + (f", {frame[2]} to take" if frame[2] > 1 else ""),
    ),
    "pay_gate": (
        lambda view, frame: f"Do you pay {gate_price(view)} to enter space {_next_space(view)} of the time track?",
        lambda view, frame: f"may pay {gate_price(view)} to enter space {_next_space(view)} of the time track",
    ),
    "seal_order": (
        lambda view, frame: f"Do you take {good_name(SEAL, frame[2])} or {frame[3]} influence first?",
        lambda view, frame: f"takes {good_name(SEAL, frame[2])} or {frame[3]} influence first",
    ),
    "seal_window": (
        lambda view, frame: (
            f"You gain {good_name(SEAL, frame[2])} and can hold {SEAL_MAX}: do you exchange seals before?"
        ),
        lambda view, frame: f"may exchange seals before it gains {good_name(SEAL, frame[2])}",
    ),
    "final_exchange": (
        lambda view, frame: "Do you exchange seals for the last time?",
        lambda *_: "may exchange seals for the last time",
    ),
    "rival_room": (
        lambda view, frame: "Which room does the rival's courtier enter?",
        lambda *_: "chooses the room that the rival's courtier enters",
    ),
    "rival_garden": (
        lambda view, frame: "Which garden does the rival's gardener go to?",
        lambda *_: "chooses the garden that the rival's gardener goes to",
    ),
}
"""By kind of decision: the question to the seat, and what the seat is about to do."""


def question(view: View, kind: str) -> str:
    """What a seat is asked, from its view."""
    return _ASKS[kind][0](view, asked_frame(view))


def doing(view: View) -> str:
    """What the seat that is asked is about to do: "places the coral 5"; empty when the game is over."""
    frame = asked_frame(view)
    return _ASKS[frame[0]][1](view, frame) if frame else ""


HINTS = {
    "choose_start_pair": "goods now, an action for the domain, cards for the lantern",
    "take_die": "a die from a left end brings the lantern",
    "place_die": "a higher value gains the difference in coins, a lower one pays it",
    "next_action": "the others follow",
    "place_gardener": "its food is paid, then its effect follows",
    "place_warrior": "its iron is paid, then its tiles follow",
    "courtier": "each once at most, in either order",
    "daimyo_slot": "one courtier for each, for the rest of the game",
    "choose_castle_action": "one row of one card, dice or not",
    "choose_domain_row": "as if a die were placed there",
    "choose_light": "of the card just taken",
    "pay_gate": "steps that are not made are lost",
    "seal_order": "seals that come first can pay the gate",
    "seal_window": f"seals above {SEAL_MAX} are lost",
    "final_exchange": "resources left count at the end",
    "rival_room": "the card there leaves the game",
    "rival_garden": "these count the same",
}
"""A rule that helps to answer, by kind of decision; kinds whose question says all are absent."""


def pending(view: View) -> list[int]:
    """The effects that follow the open decision, the next one first."""
    found: list[int] = []
    for frame in reversed(view.stack):
        if frame[0] == "do":
            found.append(int(frame[2]))
        elif frame[0] == "rest":
            found += [int(effect) for effect in frame[2:]]
    return found


def pending_effect(view: View, entry: int) -> int:
    """The effect that a `next_action` names (W-17.6)."""
    frame: Any = asked_frame(view)
    return int(frame[2 + entry])


def turn_of(view: View) -> int:
    """The turn of the round that goes on, from 1; 0 outside turns (W-7.5)."""
    if view.stack and view.stack[0][0] == "turns":
        return (int(view.stack[0][1]) - 1) // len(view.order) + 1
    return 0


def phase(view: View) -> str:
    """Where the game is: "turn 2 of 3", "the draft"; empty when the game is over."""
    if not view.stack:
        return ""
    turn = turn_of(view)
    names = {"draft": "the draft", "gardens": "the gardens", "final": "the last exchange"}
    return f"turn {turn} of {TURNS_PER_ROUND}" if turn else names[view.stack[0][0]]
