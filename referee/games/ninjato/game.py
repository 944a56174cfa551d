"""Ninjato as the kernel's contract wants it: the table of frames, and one object that ties the areas together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from referee.games.ninjato import (
    dojo,
    final,
    market,
    place,
    raid,
    scoring,
    sensei,
    setup,
    storage,
    view,
    worlds,
)
from referee.games.ninjato.components import DIGEST, MAX_SEATS, MIN_SEATS, TITLE
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, FrameGame, Handler
from referee.kernel.game import Bounds, Event, Option, Pending, Seat

_Options: TypeAlias = Callable[[State, Frame, Seat], Sequence[Option]]
_Apply: TypeAlias = Callable[[State, Frame, Mapping[Seat, Option], Chance, list[Event]], None]

_RULES: dict[str, tuple[_Options, _Apply]] = {
    "place": (place.options, place.apply),
    "dojo_pick": (dojo.pick_options, dojo.pick),
    "dojo_discard": (dojo.discard_options, dojo.discard),
    "sensei_take": (sensei.take_options, sensei.take),
    "sensei_pay": (sensei.pay_options, sensei.pay),
    "envoy_take": (market.envoy_options, market.take_envoy),
    "rumor_take": (market.rumor_options, market.take_rumor),
    "pay": (market.pay_options, market.pay),
    "fight": (raid.fight_options, raid.fight),
    "banzai": (raid.banzai_options, raid.banzai),
    "keep": (raid.keep_options, raid.keep),
    "clan_token": (raid.token_options, raid.put_token),
    "disguise": (scoring.disguise_options, scoring.disguise),
    "clan_reward": (scoring.reward_options, scoring.reward),
    "rumor_free": (scoring.rumor_options, scoring.take_rumor),
}
"""The decisions of N-16, by kind: what is legal, and what it does."""

_ASKS = {kind: tuple((Pending(seat, kind),) for seat in range(MAX_SEATS)) for kind in _RULES}


def _asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """Exactly one player decides at any time (N-2.3): the one whom the frame names."""
    return _ASKS[frame[0]][frame[1]]


_HANDLERS = {kind: Handler(_asks, options, apply) for kind, (options, apply) in _RULES.items()}


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
    handlers=_HANDLERS,
    start=setup.start,
    result=final.result,
    view=view.view,
    determinise=worlds.determinise,
    clone=State.clone,
    dump=storage.dump,
    load=storage.load,
)
"""The rules of Ninjato."""
