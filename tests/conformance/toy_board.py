"""The board of Night Market: what people would be shown of the toy, to try the laws of boards on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.kernel import grid
from referee.kernel.board import Board, Choice, Part, Section
from referee.kernel.game import Event, Option, Verb
from referee.kernel.plain import Plain
from tests.conformance.toy import Bid, Bury, Stall, View

CATEGORIES = ("stalls and prizes", "buried cards")


def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
    """Points by category, the free stalls, and what the last step scored."""
    buried = [0] * len(view.points)
    if view.shown is not None:
        buried = [sum(card % 4 for card in pile) for pile in view.shown]
    elif view.seat is not None and view.buried is not None:
        buried[view.seat] = sum(card % 4 for card in view.buried)
    # The buried cards are among the points as soon as they are shown.
    open_points = [points - (worth if view.shown else 0) for points, worth in zip(view.points, buried, strict=True)]
    return {
        "points": [
            {"category": CATEGORIES[0], "points": list(open_points)},
            {"category": CATEGORIES[1], "points": list(buried)},
        ],
        "free": list(grid.bits(view.free)),
        "scored": [event.amount for event in events if event.verb is Verb.SCORED],
    }


def describe(view: View) -> tuple[Section, ...]:
    """The market, the seats, and the own hand."""
    hand = () if view.hand is None else (Section("Your hand", (), tuple((f"card {card}",) for card in view.hand)),)
    return (
        Section("Market", ("what", "now"), (("round", str(view.round)), ("free stalls", str(view.free.bit_count())))),
        Section(
            "Seats",
            ("seat", "points", "cards"),
            tuple(
                (str(seat + 1), str(points), str(held))
                for seat, (points, held) in enumerate(zip(view.points, view.held, strict=True))
            ),
        ),
        *hand,
    )


def question(view: View, kind: str) -> str:
    """What a seat is asked."""
    return {"stall": "Which stall do you take?", "bid": "Which card do you bid?", "bury": "What do you bury?"}[kind]


def answer(view: View, kind: str, option: Option) -> str:
    """One option in words."""
    if isinstance(option, Stall):
        return f"stall {option.cell}"
    return f"card {option.card}" if isinstance(option, (Bid, Bury)) else "nothing more"


def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
    """A stall is its street, then its number; a card is one click."""
    return [Choice(answer(view, kind, option), path(option)) for option in options]


def path(option: Option) -> tuple[Part, ...]:
    """The clicks that lead to an option."""
    if isinstance(option, Stall):
        street, number = divmod(option.cell, 10)
        return (
            Part(f"street:{street}", f"street {street}"),
            Part(f"number:{number}", f"number {number}", {"cell": option.cell}),
        )
    return (Part(f"card:{option.card}" if isinstance(option, (Bid, Bury)) else "stop", answer(_ANY, "", option)),)


def event(event: Event) -> str:
    """What happened, in words."""
    return f"{event.verb} {event.subject} {' '.join(map(str, event.items))}".strip()


_ANY: Any = None
BOARD: Board[View] = Board(facts, describe, question, choices, answer, event)


def sound() -> Board[View]:
    """The board as it is."""
    return BOARD


def but(**parts: Any) -> Board[View]:
    """The board with other functions in it."""
    return replace(BOARD, **parts)
