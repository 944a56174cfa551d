"""The personal domain: its rows, done with a die or by an effect (W-9.5)."""

from __future__ import annotations

from referee.games.white_castle.components import CARDS, DOMAIN_MEMBER, DOMAIN_ROW, MEMBERS_PER_TYPE, Effect
from referee.games.white_castle.flow import Continuation, DecisionRules
from referee.games.white_castle.options import DOMAIN_ROWS, DomainRow, Word
from referee.games.white_castle.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event


def _row(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(domain_row, seat, colour)`: the icons laid bare by members away, then the action card's block (W-9.5)."""
    _, seat, colour = frame
    clan = state.clans[seat]
    away = MEMBERS_PER_TYPE - clan.home[DOMAIN_MEMBER[colour]]
    state.stack.append(("do", seat, CARDS[clan.action].domain[colour]))
    state.stack.append(("do", seat, DOMAIN_ROW[colour][away]))


def start(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """Begin the `domain` effect: any row of the domain, with a die on it or not (W-9.5)."""
    state.stack.append(("choose_domain_row", seat))


def _rows(state: State, frame: Frame) -> tuple[DomainRow | Word, ...]:
    return DOMAIN_ROWS


def _row_chosen(state: State, frame: Frame, option: DomainRow | Word, chance: Chance, events: list[Event]) -> None:
    """`choose_domain_row`: do the row, or skip (W-9.5)."""
    if isinstance(option, DomainRow):
        state.stack.append(("domain_row", frame[1], option.colour))


CONTINUATIONS: dict[str, Continuation] = {"domain_row": _row}
DECISIONS = (DecisionRules("choose_domain_row", _rows, _row_chosen),)
