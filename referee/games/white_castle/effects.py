"""One table of what each icon does, and the optional payment in front of some icons (W-5, W-10.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from referee.games.white_castle import castle, domain, gardens, yards
from referee.games.white_castle.batches import receive
from referee.games.white_castle.components import COIN, EFFECTS, SEAL, Effect
from referee.games.white_castle.flow import Continuation, DecisionRules, pay
from referee.games.white_castle.options import PAY, SKIP, Word
from referee.games.white_castle.state import Clan, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event

Op: TypeAlias = Callable[[State, int, Effect, list[Event]], None]
"""Begins an effect for a seat: changes goods, or puts frames on the stack."""

_POSSIBLE: dict[str, Callable[[Clan], bool]] = {
    "courtier": castle.possible,
    "gardener": gardens.possible,
    "warrior": yards.possible,
}
"""When a bought main action is possible in principle; any other bought effect always is (W-10.7)."""


def _offer(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """Begin an optional payment: asked if the payment is reachable and the bought effect possible (W-10.7)."""
    clan = state.clans[seat]
    held = clan.goods[SEAL]
    if effect.good == COIN:
        held += clan.goods[COIN]
    if held >= effect.amount and bought_possible(clan, effect):
        state.stack.append(("pay_optional", seat, effect.then, effect.good, effect.amount))


def bought_possible(clan: Clan, effect: Effect) -> bool:
    """Whether what a payment buys is possible in principle (W-10.7)."""
    test = _POSSIBLE.get(EFFECTS[effect.then].op)
    return test is None or test(clan)


OPS: dict[str, Op] = {
    "batch": receive,
    "courtier": castle.start,
    "gardener": gardens.start,
    "warrior": yards.start,
    "castle": castle.start_row,
    "domain": domain.start,
    "pay": _offer,
}
"""What each op of `components.Effect` does."""


def begin(state: State, seat: int, number: int, events: list[Event]) -> None:
    """Begin an effect: carry it out at once, or put its frames on the stack (W-5.2)."""
    effect = EFFECTS[number]
    OPS[effect.op](state, seat, effect, events)


def _do(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(do, seat, effect)`: begin an effect that waited for another to end (W-5.8)."""
    begin(state, frame[1], frame[2], events)


def _payments(state: State, frame: Frame) -> tuple[Word, ...]:
    """`pay`, only if the clan holds the goods now, and `skip` (W-10.7)."""
    _, seat, _, good, amount = frame
    return (PAY, SKIP) if state.clans[seat].goods[good] >= amount else (SKIP,)


def _payment_chosen(state: State, frame: Frame, option: Word, chance: Chance, events: list[Event]) -> None:
    """`pay_optional`: pay and begin the bought effect, or skip (W-5.3, W-10.7)."""
    if option == PAY:
        _, seat, then, good, amount = frame
        pay(state, seat, good, amount, events)
        state.stack.append(("do", seat, then))


CONTINUATIONS: dict[str, Continuation] = {"do": _do}
DECISIONS = (DecisionRules("pay_optional", _payments, _payment_chosen),)
