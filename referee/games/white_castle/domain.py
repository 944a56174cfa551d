"""The personal domain: doing one of its rows, with a die or by an effect (W-9.5)."""

from __future__ import annotations

from referee.games.white_castle.components import CARDS, DOMAIN_MEMBER, DOMAIN_ROW, MEMBERS_PER_TYPE, Effect
from referee.games.white_castle.flow import Decision, Step
from referee.games.white_castle.options import DOMAIN_ROWS, Choice, Choices
from referee.games.white_castle.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event


def _row(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(domain_row, seat, colour)`: the icons laid bare by members away, then the action card's block (W-9.5)."""
    _, seat, colour = frame
    clan = state.clans[seat]
    away = MEMBERS_PER_TYPE - clan.home[DOMAIN_MEMBER[colour]]
    state.stack.append(("do", seat, CARDS[clan.action].domain[colour]))
    state.stack.append(("do", seat, DOMAIN_ROW[colour][away]))


def start(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """The `domain` effect: a row of one's choice, whether or not a die lies there (W-9.5)."""
    state.stack.append(("choose_domain_row", seat))


def _rows(state: State, frame: Frame) -> Choices:
    return DOMAIN_ROWS


def _row_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`choose_domain_row` (W-9.5)."""
    if choice.verb == "domain":
        state.stack.append(("domain_row", frame[1], choice.a))


STEPS: dict[str, Step] = {"domain_row": _row}
DECISIONS = (Decision("choose_domain_row", _rows, _row_chosen),)
