"""The White Castle, 1 to 4 players, with the solo rival at three levels. `RULES.md` has the numbered rules.

`rules` joins the areas of the board into one table of decisions; `state` is what they change, `components` what they
read. `GAME` is the whole of it behind the kernel's contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.white_castle import rules, scoring, setup, storage
from referee.games.white_castle import view as views
from referee.games.white_castle.census import census
from referee.games.white_castle.components import DIGEST
from referee.games.white_castle.options import MOST_OPTIONS
from referee.games.white_castle.state import State
from referee.games.white_castle.view import View
from referee.kernel import frames
from referee.kernel.chance import Chance
from referee.kernel.game import Ask, Bounds, Choices, Event, Option, Result, Seat, Variant
from referee.kernel.plain import Plain

__all__ = ["GAME", "WhiteCastle", "census"]


class WhiteCastle:
    """The rules of The White Castle as the kernel's `Game`."""

    name = "white_castle"
    title = "The White Castle"
    rules_version = 1
    digest = DIGEST
    seats = range(1, 5)
    variants: Mapping[str, Choices] = {
        "rival": Choices(("easy", "medium", "hard"), "easy", "how the solo rival starts (W-16.2)", seats=range(1, 2)),
        "first_game": Choices(("off", "on"), "off", "the castle laid out as for a first play (W-4.14)"),
    }
    bounds = Bounds(decisions=2000, options=MOST_OPTIONS)
    secret_choices: frozenset[str] = frozenset()
    hidden = (
        "the order of the steward and diplomat decks, from all",
        "the dice of later rounds, from all",
        "the backs of the die tiles in the castle, from all",
        "solo: the order of the rival's cards behind the top one, until they have cycled",
    )

    def start(self, seats: int, variant: Variant, chance: Chance) -> State:
        """A new game, up to its first decision."""
        events: list[Event] = []
        state = setup.new_game(seats, variant, chance, events)
        rules.unroll(state, chance, events)
        return state

    def pending(self, state: State) -> tuple[Ask, ...]:
        """The one seat that owes an answer."""
        return frames.pending(rules.HANDLERS, state)

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        """The legal answers in the order of W-17.5."""
        return frames.options(rules.HANDLERS, state, seat)

    def apply(self, state: State, answers: Mapping[Seat, Option], chance: Chance) -> list[Event]:
        """Carry an answer out, up to the next decision."""
        return frames.apply(rules.HANDLERS, state, answers, chance)

    def result(self, state: State) -> Result | None:
        """Places and points, the rival's behind those of the seats."""
        return scoring.result(state)

    def view(self, state: State, seat: Seat | None) -> View:
        """The table; all seats see the same."""
        return views.view(state, seat)

    def determinise(self, view: View, chance: Chance) -> State:
        """A random state that looks like the view."""
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


GAME = WhiteCastle()
