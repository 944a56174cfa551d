"""Edo Yashiki as the kernel knows it: the game object, its settings and its table of decisions.

The decisions live in `draft`, `placement` and `scoring`, the round around them in `rounds`, the plane in `house`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.edo_yashiki import rounds, storage
from referee.games.edo_yashiki import view as views
from referee.games.edo_yashiki.components import DIGEST, HEIGHT, SEATS, SETUPS, WIDTH
from referee.games.edo_yashiki.draft import PICK, RANK
from referee.games.edo_yashiki.placement import PLACE
from referee.games.edo_yashiki.scoring import SCORE
from referee.games.edo_yashiki.state import SEALED, SPECIALISTS, STANDARD, TURN_ORDER, State
from referee.games.edo_yashiki.view import View
from referee.kernel import frames
from referee.kernel.chance import Chance
from referee.kernel.game import Ask, Bounds, Choices, Event, Option, Result, Seat, Variant
from referee.kernel.plain import Plain

HANDLERS: frames.Handlers[State] = {"rank_cards": RANK, "pick_card": PICK, "place_card": PLACE, "score_line": SCORE}

_LINES = 2 * HEIGHT + 2 * WIDTH
"""The most lines one card can make: two in each of its rows and columns."""
_NEIGHBOURS = (2 * WIDTH + 1) * (2 * HEIGHT + 1) - 4 - 1
"""The anchors in contact with one card: two columns and three rows each way, less the corners and its own."""


class EdoYashiki:
    """The rules of Edo Yashiki (E-1.1 to E-1.4)."""

    name = "edo_yashiki"
    title = "Edo Yashiki"
    rules_version = 1
    digest = DIGEST
    seats = SEATS
    variants: Mapping[str, Choices] = {
        "rules": Choices((STANDARD, SPECIALISTS), STANDARD, "specialists: a line costs a token of its kind to score"),
        "draft": Choices((SEALED, TURN_ORDER), SEALED, "sealed: all rank the row in secret; turn_order: pick in turn"),
    }
    bounds = Bounds(
        decisions=max(seats * setup.rounds for seats, setup in SETUPS.items()) * (2 + _LINES),
        options=max(setup.rounds for setup in SETUPS.values()) * _NEIGHBOURS * 2,
    )
    secret_choices: frozenset[str] = frozenset()
    hidden = (
        "The order of the deck is hidden from everybody.",
        "Rankings, placements and scored lines are hidden from the other seats until all seats have decided.",
        "The priority of a round is hidden from everybody until the row is shared out; unused ranks are never shown.",
    )

    def start(self, seats: int, variant: Variant, chance: Chance) -> State:
        """A new game, with the first row on the table (section 4)."""
        return rounds.start(seats, variant["rules"], variant["draft"], chance)

    def pending(self, state: State) -> tuple[Ask, ...]:
        """Who owes an answer now."""
        return frames.pending(HANDLERS, state)

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        """The legal answers of a pending seat in canonical order (E-5.5)."""
        return frames.options(HANDLERS, state, seat)

    def apply(self, state: State, answers: Mapping[Seat, Option], chance: Chance) -> list[Event]:
        """Change the state by one answer of each pending seat; illegal answers change nothing (E-5.2)."""
        return frames.apply(HANDLERS, state, answers, chance)

    def result(self, state: State) -> Result | None:
        """The outcome, or None while the game goes on."""
        return rounds.result(state)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may know and remember; None: what everybody may know."""
        return views.view(state, seat)

    def determinise(self, view: View, chance: Chance) -> State:
        """A random full state that looks like `view` to its seat."""
        return views.determinise(view, chance)

    def clone(self, state: State) -> State:
        """An independent copy."""
        return state.clone()

    def dump(self, state: State) -> Plain:
        """The whole state as plain data."""
        return storage.dump(state)

    def load(self, plain: Plain) -> State:
        """The state that `dump` wrote."""
        return storage.load(plain)
