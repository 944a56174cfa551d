"""The points that each placement of a card would score, for bots that compare the cards of a row.

Most placements make no line. So bit boards find the few anchors at which a line could arise, and only these are looked
at one by one. The functions take a house and a card, which are public, and no state.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.edo_yashiki.components import CARDS, LINE
from referee.games.edo_yashiki.house import House, HouseLine, Seeds, boards, grown, named, seeds_on
from referee.games.edo_yashiki.scoring import points
from referee.kernel import grid


def placement_points(house: House, card: int, worth: Callable[[tuple[HouseLine, ...]], int] = points) -> list[int]:
    """The points of every placement, parallel to the options of `place_card` (E-7.5).

    `worth` returns what the lines made by a placement are worth: by default the points of the standard game; under the
    Specialists rules a bot passes a function that counts what its own tokens allow. A placement that makes no line is
    worth 0, without a call of `worth`.
    """
    _, _, cells, legal, _, _, _, left, top, stride = house
    faces = CARDS[card].faces
    turns = len(faces)
    scores = [0] * (legal.bit_count() * turns)
    for turn, face in enumerate(faces):
        seeds = seeds_on(face, stride)
        for position in grid.bits(_promising(cells, seeds) & legal):
            found = grown(cells, position, seeds)
            scores[grid.rank(legal, position) * turns + turn] = worth(named(found, left, top, stride))
    return scores


def _promising(cells: bytes, seeds: Seeds) -> int:
    """The anchors where at least one run on the card would grow into a line (E-3.7); -1: everywhere."""
    kinds = boards(cells)
    anchors = 0
    for direction, runs in ((-1, seeds.back), (1, seeds.forth)):
        for kind, offset, step, length in runs:
            touched = _seen_from(kinds[kind], offset)
            for further in range(1, LINE - length):
                touched &= _seen_from(kinds[kind], offset + direction * further * step)
            anchors |= touched
    for kind, offset, step, length in seeds.through:
        if length >= LINE:
            return -1
        anchors |= _seen_from(kinds[kind], offset) | _seen_from(kinds[kind], offset + (length + 1) * step)
    return anchors


def _seen_from(cells: int, offset: int) -> int:
    """The anchors from which a cell of the set lies at that offset."""
    return cells >> offset if offset >= 0 else cells << -offset
