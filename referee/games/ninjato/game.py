"""Ninjato as the kernel knows it: the game object and its table of decisions (N-16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from referee.games.ninjato import determinise, dojo, market, raid, scoring, sensei, setup, storage, turns, view
from referee.games.ninjato.components import DIGEST, MAX_SEATS, MIN_SEATS, TITLE
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, FrameGame, Handler, Handlers
from referee.kernel.game import Bounds, Event, Option, Pending, Seat

_Options: TypeAlias = Callable[[State, Any, Seat], Sequence[Option]]
_Resolve: TypeAlias = Callable[[State, Any, Any, Chance, list[Event]], None]
"""Carries an answer out. The types of frame and option differ from kind to kind."""
_GoOn: TypeAlias = Callable[[State, Chance, list[Event]], None]

_IN_TURNS: dict[str, tuple[_Options, _Resolve]] = {
    "place": (turns.place_options, turns.place),
    "dojo_pick": (dojo.pick_options, dojo.pick),
    "dojo_discard": (dojo.discard_options, dojo.discard),
    "sensei_take": (sensei.take_options, sensei.take),
    "sensei_pay": (sensei.pay_options, sensei.pay),
    "envoy_take": (market.envoy_options, market.choose),
    "rumor_take": (market.rumor_options, market.choose),
    "pay": (market.pay_options, market.pay),
    "fight": (raid.fight_options, raid.act),
    "banzai": (raid.banzai_options, raid.act),
    "keep": (raid.keep_options, raid.act),
    "clan_token": (raid.token_options, raid.put_token),
}
_IN_SCORING: dict[str, tuple[_Options, _Resolve]] = {
    "disguise": (scoring.disguise_options, scoring.disguise),
    "clan_reward": (scoring.reward_options, scoring.reward),
    "rumor_free": (scoring.rumor_options, scoring.take_free_rumor),
}
_ASKS = {kind: tuple((Pending(seat, kind),) for seat in range(MAX_SEATS)) for kind in (*_IN_TURNS, *_IN_SCORING)}


def _asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """The ask of the one seat that the frame names: exactly one seat decides at any time (N-2.3)."""
    return _ASKS[frame[0]][frame[1]]


def _handler(options: _Options, resolve: _Resolve, go_on: _GoOn) -> Handler[State]:
    """The handler of one kind of decision; `go_on` follows when `resolve` leaves no decision open."""

    def apply(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
        resolve(state, frame, answers[frame[1]], chance, events)
        if not state.stack:
            go_on(state, chance, events)

    return Handler(_asks, options, apply)


HANDLERS: Handlers[State] = {
    **{kind: _handler(*rules, turns.end_turn) for kind, rules in _IN_TURNS.items()},
    **{kind: _handler(*rules, turns.next_round) for kind, rules in _IN_SCORING.items()},
}
"""The decisions of N-16, by kind."""

GAME = FrameGame(
    name="ninjato",
    title=TITLE,
    rules_version=1,
    digest=DIGEST,
    seats=range(MIN_SEATS, MAX_SEATS + 1),
    variants={},
    bounds=Bounds(decisions=2458, options=191),  # N-18 and N-16
    secret_choices=frozenset({"dojo_discard", "sensei_take", "sensei_pay", "fight"}),  # options tell the hand (N-14.3)
    hidden=(
        "The values of the Dojo cards in a hand are known to their owner only; their number is public.",
        "A Dojo card taken face up is remembered by all; one taken from the deck is seen by its owner only.",
        "The order of every deck and of the treasure bag is hidden from all.",
        "The legal answers of a player are known to that player only, for they tell the hand.",
        "Giving up a raid says neither what the raider holds nor whether the guard could have been beaten.",
    ),
    handlers=HANDLERS,
    start=setup.start,
    result=scoring.result,
    view=view.view,
    determinise=determinise.determinise,
    clone=State.clone,
    dump=storage.dump,
    load=storage.load,
)
"""The rules of Ninjato: every decision is mandatory, and a single option is applied unasked (N-2.4, N-2.5, N-R1)."""
