"""Honshu as the kernel knows it: the game's constants and its methods, each a few words to the file that does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.honshu import pairs, rounds, tricks, view
from referee.games.honshu.components import DIGEST, SEATS, TITLE
from referee.games.honshu.state import SWITCHES, Rules, State, clone
from referee.games.honshu.storage import dump, load
from referee.games.honshu.view import View
from referee.kernel import frames
from referee.kernel.chance import Chance
from referee.kernel.frames import Handler
from referee.kernel.game import Ask, Bounds, Choices, Event, Option, Result, Seat, Variant, rank
from referee.kernel.plain import Plain

HANDLERS: Mapping[str, Handler[State]] = tricks.HANDLERS | pairs.HANDLERS | rounds.HANDLERS
"""By phase."""


_MEANINGS = {
    "province_side": "which side of the starting provinces everybody uses",
    "scoring_card": "the alternative scoring card in force",
    "layering": "whether a card may go over some cards and under others in one placement",
    "equals_cards": "whether scoring cards 4 and 5 add to the normal points or replace them",
}


class Honshu:
    """The rules of Honshu."""

    name = "honshu"
    title = TITLE
    rules_version = 1
    digest = DIGEST
    seats = SEATS
    variants: Mapping[str, Choices] = {
        key: Choices(values, values[0], _MEANINGS[key]) for key, values in SWITCHES.items()
    }
    bounds = Bounds(decisions=180, options=30_240)
    secret_choices: frozenset[str] = frozenset()
    hidden = (
        "hands: known to their owner, and to the neighbour who passed them on after round 3 or 9",
        "the draw pile: its order and its cards are known to nobody",
        "placements, and with two players the cards played and kept: sealed until everybody has chosen",
    )

    def start(self, seats: int, variant: Variant, chance: Chance) -> State:
        """A new game (section 3)."""
        return rounds.start(seats, Rules(**variant), chance)

    def pending(self, state: State) -> tuple[Ask, ...]:
        """Who owes an answer."""
        return frames.pending(HANDLERS, state)

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        """The legal answers of a pending seat in canonical order (H-4.3)."""
        return frames.options(HANDLERS, state, seat)

    def apply(self, state: State, answers: Mapping[Seat, Option], chance: Chance) -> list[Event]:
        """Carry answers out."""
        return frames.apply(HANDLERS, state, answers, chance)

    def result(self, state: State) -> Result | None:
        """More points first, then more visible fields, else a shared place (H-8.7, R-8)."""
        if not state.scores:
            return None
        keys = [(score.total, score.fields) for score in state.scores]
        return Result(rank(keys), tuple(points for points, _ in keys), "twelve rounds played")

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may know (section 10)."""
        return view.view(state, seat)

    def determinise(self, view_: View, chance: Chance) -> State:
        """A random game that looks like the view to its seat."""
        return view.determinise(view_, chance)

    def clone(self, state: State) -> State:
        """An independent copy."""
        return clone(state)

    def dump(self, state: State) -> Plain:
        """The whole state as plain data."""
        return dump(state)

    def load(self, plain: Plain) -> State:
        """The state that `dump` wrote."""
        return load(plain)
