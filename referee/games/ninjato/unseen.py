"""The components that a seat has not seen: those of the box without those in sight and in the seat's own hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.games.ninjato.census import COMPLETE
from referee.games.ninjato.components import CLANS, ELITES, ENVOYS, GUARDS, RUMORS, SKILLS, TREASURES, Counts
from referee.games.ninjato.state import ELITE, GUARD, Raid
from referee.games.ninjato.view import View

_DOJO = tuple(f"dojo card {card + 1}" for card in range(5))
_GUARDS = tuple(f"guard {guard.value}{' with alarm' if guard.alarm else ''}" for guard in GUARDS)
_TOKENS = tuple(f"token {clan} " for clan in CLANS)
"""How the names of clan tokens begin; all tokens are in sight."""


def unseen(view: View) -> Mapping[str, int]:
    """By name: the copies in decks, in the bag and, of Dojo cards, in other hands where they were not taken face up."""
    left = dict(COMPLETE)
    _take_counts(left, _DOJO, (view.face_up, view.dojo_discard, *_known_hands(view)))
    treasures = [*view.treasures, *view.light, *view.red, view.treasure_discard]
    guards = [kind for kind in view.sentinels if kind >= 0]
    elites = [elite for taken in view.trophies for elite in taken]
    if isinstance(view.frame, Raid):
        treasures += [view.frame.light, view.frame.red]
        guards += [view.frame.card] * (view.frame.opponent == GUARD)
        elites += [view.frame.card] * (view.frame.opponent == ELITE)
    _take_counts(left, [treasure.id for treasure in TREASURES], treasures)
    _take_counts(left, _GUARDS, [view.guard_discard])
    _take(left, _GUARDS, guards)
    elite_names = [elite.id for elite in ELITES]
    _take_counts(left, elite_names, [view.elite_discard])
    _take(left, elite_names, elites)
    skills = [skill.id for skill in SKILLS]
    _take_counts(left, skills, [*view.ready, *view.used, view.retired])
    _take(left, skills, view.sensei)
    for names, taken, shown in (
        ([envoy.id for envoy in ENVOYS], view.envoys, view.palace),
        ([rumor.id for rumor in RUMORS], view.rumors, view.pavilion),
    ):
        _take(left, names, [card for cards in (*taken, shown) for card in cards])
    return {name: count for name, count in left.items() if count and not name.startswith(_TOKENS)}


def _known_hands(view: View) -> list[Counts]:
    """The own hand, and of the others what was taken face up (N-14.1)."""
    return [
        view.hand if seat == view.seat and view.hand is not None else known for seat, known in enumerate(view.known)
    ]


def _take_counts(left: dict[str, int], names: Iterable[str], heaps: Iterable[Counts]) -> None:
    for number, name in enumerate(names):
        left[name] -= sum(heap[number] for heap in heaps)


def _take(left: dict[str, int], names: list[str] | tuple[str, ...], numbers: Iterable[int]) -> None:
    for number in numbers:
        left[names[number]] -= 1
