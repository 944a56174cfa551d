"""What an answer would bring to a seat's domain at once: points if the game ended then, and cubes.

Points come from `scoring.score`. A place ask has hundreds of options, so each is scored from the bit boards of the
domain with the changes of six cells, not from a domain with the card laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from referee.games.honshu.areas import cubes_by_colour
from referee.games.honshu.components import (
    COLOUR_OF,
    COLOURS,
    FIELD,
    FOREST,
    KIND_OF,
    KINDS,
    LAKE,
    PRODUCTION,
    PRODUCTION_CELLS,
    TOWN,
)
from referee.games.honshu.geometry import STRIDE, TURNED_CELLS, Cell, position
from referee.games.honshu.options import Placement
from referee.games.honshu.scoring import Land, score
from referee.games.honshu.state import SeatScore
from referee.games.honshu.view import View
from referee.games.honshu.words import CATEGORIES, a_cube, joined
from referee.kernel.game import Seat


class Outlook:
    """The domain of one seat, and what changes to it would bring."""

    def __init__(self, view: View, seat: Seat) -> None:
        domain = view.domains[seat]
        picture = domain.picture
        self._view = view
        self._kinds = {position(*at): KIND_OF[code] for at, code in zip(picture.cells, picture.codes, strict=True)}
        self._cubes = {position(*at) for at in domain.cubes}
        self._counts = cubes_by_colour(domain)
        self._origin = min(self._kinds) - 3 * STRIDE - 3
        """The position of the lowest bit of the boards: a card that touches the domain begins no earlier."""
        self._boards = [0] * len(KINDS)
        self._tally = [0] * len(KINDS)
        for at, kind in self._kinds.items():
            self._boards[kind] |= 1 << at - self._origin
            self._tally[kind] += 1
        self._score = self._scored(self._boards, self._tally, self._counts)
        earlier = view.order[: view.order.index(seat)]
        self._rivals = [
            sum(any(colour == wanted for _, colour in PRODUCTION_CELLS[view.taken[other]]) for other in earlier)
            for wanted in range(len(COLOURS))
        ]
        """By colour, the seats that take a new cube before this seat, as far as their cards can bring one (H-7.9)."""

    def _scored(self, boards: Sequence[int], tally: Sequence[int], counts: Sequence[int]) -> SeatScore:
        land = Land(boards[FOREST], boards[TOWN], boards[LAKE], boards[FIELD], tuple(tally))
        rules = self._view.rules
        return score(land, counts, self._view.scoring_card, rules.equals_cards, rules.factories)

    def of_cubes(self, cubes: Iterable[Cell]) -> str:
        """What it would cost to give these cubes away; empty words if they bring no points."""
        counts = self._counts.copy()
        for cube in cubes:
            counts[COLOUR_OF[self._kinds[position(*cube)]]] -= 1
        change = self._change(self._scored(self._boards, self._tally, counts))
        return points_words(change) if any(change) else ""

    def of_placement(self, card: int, placement: Placement) -> str:
        """What laying a card would bring: points, new cubes as far as the supply surely has them, covered cubes."""
        k, row, col, mask = placement
        anchor = position(row, col)
        boards, tally, counts = self._boards.copy(), self._tally.copy(), self._counts.copy()
        supply = list(self._view.supply)
        covered = []
        new = []
        for bit, offset, kind in TURNED_CELLS[card][k]:
            if mask & bit:
                continue
            at = anchor + offset
            here = 1 << at - self._origin
            before = self._kinds.get(at)
            if before is not None:
                boards[before] ^= here
                tally[before] -= 1
                if at in self._cubes:
                    colour = COLOUR_OF[before]
                    counts[colour] -= 1
                    supply[colour] += 1
                    covered.append(colour)
            boards[kind] |= here
            tally[kind] += 1
            if kind in PRODUCTION:
                new.append(COLOUR_OF[kind])
        gained = []
        for colour in new:
            sure = supply[colour] > self._rivals[colour]
            counts[colour] += sure
            if supply[colour]:
                gained.append((colour, sure))
        change = self._change(self._scored(boards, tally, counts))
        return _brought(change, tuple(gained), tuple(covered))

    def _change(self, after: SeatScore) -> tuple[int, ...]:
        """By category, the points that come or go."""
        return tuple([now - before for now, before in zip(after[:5], self._score[:5], strict=True)])


def points_words(change: Sequence[int]) -> str:
    """ "+5 points: forest +2, town +3", or "no points"."""
    parts = [f"{name} {points:+}" for name, points in zip(CATEGORIES, change, strict=True) if points]
    if not parts:
        return "no points"
    total = sum(change)
    return f"{total:+} point{'' if abs(total) == 1 else 's'}: {', '.join(parts)}"


@lru_cache(maxsize=1 << 12)
def _brought(change: tuple[int, ...], gained: tuple[tuple[int, bool], ...], covered: tuple[int, ...]) -> str:
    words = [points_words(change)]
    if gained:
        cubes = [a_cube(COLOURS[colour]) + ("" if sure else " if one is left") for colour, sure in gained]
        words.append(f"brings {joined(cubes)}")
    if covered:
        lost = Counter(COLOURS[colour] for colour in covered)
        words.append(f"covers {joined([_cubes(count, colour) for colour, count in lost.items()])}")
    return "; ".join(words)


def _cubes(count: int, colour: str) -> str:
    return a_cube(colour) if count == 1 else f"{count} {colour} cubes"
