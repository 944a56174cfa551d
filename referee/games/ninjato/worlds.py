"""A random full state that looks like a view: the hidden cards dealt anew, everything else as it is (`determinise`).

Hidden are the order of the decks and the hands of others. The decks are shuffled anew from what is not visible
elsewhere; the hands are dealt by `deal.py`.
"""

from __future__ import annotations

from referee.games.ninjato.components import (
    ELITE_COUNTS,
    ENVOYS,
    GUARD_COUNTS,
    HENSOJUTSU_COUNTS,
    REGULAR_COUNTS,
    RUMORS,
    TREASURE_COUNTS,
    Counts,
)
from referee.games.ninjato.counts import (
    NO_ELITES,
    NO_GUARDS,
    NO_SKILLS,
    NO_TREASURES,
    gather,
    minus,
    spread,
    total,
)
from referee.games.ninjato.deal import deal
from referee.games.ninjato.state import ELITE, GUARD, Raid, State
from referee.games.ninjato.view import View
from referee.kernel.chance import Chance

_STREAM = "world"


def determinise(view: View, chance: Chance) -> State:
    """A random state whose view for `view.seat` is `view`."""
    hands, fresh, deck = deal(view, chance)
    frame = view.frame
    raid = frame if isinstance(frame, Raid) else None
    return State(
        seats=len(view.order),
        round=view.round,
        order=view.order,
        placed=view.placed,
        honor=list(view.honor),
        hands=hands,
        treasures=list(view.treasures),
        ready=list(view.ready),
        used=list(view.used),
        envoys=list(view.envoys),
        rumors=list(view.rumors),
        trophies=list(view.trophies),
        light=list(view.light),
        red=list(view.red),
        sentinels=list(view.sentinels),
        tokens=list(view.tokens),
        supply=view.supply,
        face_up=view.face_up,
        sensei=view.sensei,
        palace=view.palace,
        pavilion=view.pavilion,
        dojo_deck=tuple(deck),
        guard_deck=_guard_deck(view, raid, chance),
        elite_deck=_elite_deck(view, raid, chance),
        bag=_bag(view, raid, chance),
        envoy_deck=_rest(len(ENVOYS), (*view.envoys, view.palace), chance),
        rumor_deck=_rest(len(RUMORS), (*view.rumors, view.pavilion), chance),
        skill_deck=_skills(view, REGULAR_COUNTS, chance),
        hensojutsu_deck=_skills(view, HENSOJUTSU_COUNTS, chance),
        dojo_discard=view.dojo_discard,
        guard_discard=view.guard_discard,
        elite_discard=view.elite_discard,
        treasure_discard=view.treasure_discard,
        retired=view.retired,
        shuffles=view.shuffles,
        known=list(view.known),
        fresh=fresh,
        doubts=list(view.doubts),
        pool=view.pool,
        stack=[] if frame is None else [frame],
    )


def _shuffled(heap: Counts, chance: Chance) -> tuple[int, ...]:
    return tuple(chance.shuffled(_STREAM, spread(heap)))


def _guard_deck(view: View, raid: Raid | None, chance: Chance) -> tuple[int, ...]:
    seen = [kind for kind in view.sentinels if kind >= 0]
    if raid is not None and raid.opponent == GUARD:
        seen.append(raid.card)
    return _shuffled(minus(minus(GUARD_COUNTS, view.guard_discard), gather(seen, NO_GUARDS)), chance)


def _elite_deck(view: View, raid: Raid | None, chance: Chance) -> tuple[int, ...]:
    seen = [kind for trophies in view.trophies for kind in trophies]
    if raid is not None and raid.opponent == ELITE:
        seen.append(raid.card)
    return _shuffled(minus(minus(ELITE_COUNTS, view.elite_discard), gather(seen, NO_ELITES)), chance)


def _bag(view: View, raid: Raid | None, chance: Chance) -> tuple[int, ...]:
    loot = () if raid is None else (raid.light, raid.red)
    seen = total((*view.treasures, *view.light, *view.red, view.treasure_discard, *loot), NO_TREASURES)
    return _shuffled(minus(TREASURE_COUNTS, seen), chance)


def _skills(view: View, stack: Counts, chance: Chance) -> tuple[int, ...]:
    seen = total((*view.ready, *view.used, view.retired), gather(view.sensei, NO_SKILLS))
    left = tuple(count - out if count else 0 for count, out in zip(stack, seen, strict=True))
    return _shuffled(left, chance)


def _rest(count: int, seen: tuple[tuple[int, ...], ...], chance: Chance) -> tuple[int, ...]:
    gone = {card for cards in seen for card in cards}
    return tuple(chance.shuffled(_STREAM, [card for card in range(count) if card not in gone]))
