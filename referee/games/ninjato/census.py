"""Counting every component of a game: the number of each is the same in every state (N-2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.games.ninjato.components import (
    CLANS,
    DOJO_COUNTS,
    ELITES,
    ENVOYS,
    GUARD_COUNTS,
    GUARDS,
    RUMORS,
    SKILLS,
    TOKENS,
    TREASURES,
    Counts,
)
from referee.games.ninjato.counts import NO_CARDS, NO_SKILLS, NO_TREASURES, gather, total
from referee.games.ninjato.state import ELITE, GUARD, Raid, State

_CARDS = tuple(f"dojo card {card + 1}" for card in range(len(NO_CARDS)))
_GUARDS = tuple(f"guard {guard.value}{' with alarm' if guard.alarm else ''}" for guard in GUARDS)
_TOKENS = tuple(f"token {CLANS[token.clan]} {token.value}" for token in TOKENS)


def census(state: State) -> Mapping[str, int]:
    """The number of each component, wherever its copies are; in every state equal to `COMPLETE`."""
    raids = [frame for frame in state.stack if isinstance(frame, Raid)]
    return {
        **_named(_CARDS, total((*state.hands, state.face_up, state.dojo_discard), NO_CARDS), state.dojo_deck),
        **_named((treasure.id for treasure in TREASURES), _treasures(state, raids), state.bag),
        **_named(_GUARDS, state.guard_discard, _guards(state, raids)),
        **_named((elite.id for elite in ELITES), state.elite_discard, _elites(state, raids)),
        **_named(
            (skill.id for skill in SKILLS),
            total((*state.ready, *state.used, state.retired), NO_SKILLS),
            (*state.sensei, *state.skill_deck, *state.hensojutsu_deck),
        ),
        **_single((envoy.id for envoy in ENVOYS), _all(state.envoys, state.palace, state.envoy_deck)),
        **_single((rumor.id for rumor in RUMORS), _all(state.rumors, state.pavilion, state.rumor_deck)),
        **_single(_TOKENS, (*state.tokens, *state.supply)),
    }


def _treasures(state: State, raids: list[Raid]) -> Counts:
    loot = [heap for raid in raids for heap in (raid.light, raid.red)]
    return total((*state.treasures, *state.light, *state.red, state.treasure_discard, *loot), NO_TREASURES)


def _guards(state: State, raids: list[Raid]) -> Iterator[int]:
    yield from state.guard_deck
    yield from (kind for kind in state.sentinels if kind >= 0)
    yield from (raid.card for raid in raids if raid.opponent == GUARD)


def _elites(state: State, raids: list[Raid]) -> Iterator[int]:
    yield from state.elite_deck
    for trophies in state.trophies:
        yield from trophies
    yield from (raid.card for raid in raids if raid.opponent == ELITE)


def _all(owned: Iterable[tuple[int, ...]], display: tuple[int, ...], deck: tuple[int, ...]) -> Iterator[int]:
    for cards in owned:
        yield from cards
    yield from display
    yield from deck


def _named(names: Iterable[str], heap: Counts, items: Iterable[int]) -> dict[str, int]:
    return dict(zip(names, gather(items, heap), strict=True))


def _single(names: Iterable[str], items: Iterable[int]) -> dict[str, int]:
    labels = tuple(names)
    return dict(zip(labels, gather(items, (0,) * len(labels)), strict=True))


COMPLETE: Mapping[str, int] = {
    **dict(zip(_CARDS, DOJO_COUNTS, strict=True)),
    **{treasure.id: treasure.copies for treasure in TREASURES},
    **dict(zip(_GUARDS, GUARD_COUNTS, strict=True)),
    **{elite.id: elite.copies for elite in ELITES},
    **{skill.id: skill.copies for skill in SKILLS},
    **{envoy.id: 1 for envoy in ENVOYS},
    **{rumor.id: 1 for rumor in RUMORS},
    **dict.fromkeys(_TOKENS, 1),
}
"""The contents of the box (N-2.1)."""
