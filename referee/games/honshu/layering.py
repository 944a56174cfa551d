"""Which masks are legal where: over, under and in between, lakes left visible (H-7.3 to H-7.6).

The legal masks of a window depend on the cards visible in the window, and on the new card only by its lake: each
visible card lies wholly over or wholly under the new card; a card that shows a lake lies over the new card; and if U is
the set of cards over the new card, every card above a card of U that is visible in the window is in U too. The possible
sets U, as masks of window cells, are a `Window`. The same few thousand windows occur again and again, so each is built
once and shared; the new card's lake only takes away the masks that would hide it, which the window has counted for each
cell.

A card that is laid changes the windows that meet its visible cells, and the new masks follow from the old masks and the
cells of the cards below and above the laid card. Such steps from window to window are cached too, so `look`, which
starts from the cards themselves, is rarely needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from referee.games.honshu.components import LAKE
from referee.games.honshu.geometry import CELLS, FULL, LAKE_FLAG, TURNED, WINDOW_OFFSETS, reach

NO_LAKE = CELLS
"""The number that stands for the window cell of the lake, for a card without a lake."""
COUNT_BITS = 16
"""Width of one count in `Window.packed`: room for the masks of all windows of a domain (H-11.6)."""
COUNT_MASK = (1 << COUNT_BITS) - 1
_SHIFTS = tuple(COUNT_BITS * cell for cell in range(NO_LAKE + 1))
_PACKED = tuple(
    sum(1 << shift for cell, shift in enumerate(_SHIFTS) if not mask >> cell & 1) for mask in range(FULL + 1)
)
"""By mask, a count of one for every cell that it leaves visible."""

SLOT_UNIT = 32
"""A visible cell is one number: the slot of its card times this, plus its kind."""
LOWER = 2 * LAKE_FLAG
HIGHER = LOWER << CELLS
"""Places of the cells of lower and higher cards in the key of a step."""


class Window:
    """The legal masks of one window, in window cells, for a new card without a lake."""

    __slots__ = ("_turned", "counts", "masks", "occupied", "packed")

    def __init__(self, masks: tuple[int, ...], occupied: int) -> None:
        self.masks = masks
        self.occupied = occupied
        """The cells that meet the domain."""
        self.packed = sum([_PACKED[mask] for mask in masks]) if occupied else 0
        """How many masks leave the new card's lake visible (H-7.5 a), for each window cell on which it may lie and for
        NO_LAKE, all in one number, so that the counts of many windows add up in one addition. 0 for a window that
        does not meet the domain (H-7.2)."""
        self.counts = tuple([self.packed >> shift & COUNT_MASK for shift in _SHIFTS])
        """The counts of `packed`, one by one."""
        self._turned: dict[int, bytes] = {}

    def turned(self, k: int, lake: int) -> bytes:
        """The legal masks by cell index, ascending, of a card at rotation `k` with its lake on window cell `lake`."""
        key = k * (NO_LAKE + 1) + lake
        masks = self._turned.get(key)
        if masks is None:
            lake_bit = 1 << lake & FULL
            masks = bytes(sorted(TURNED[k][mask] for mask in self.masks if not mask & lake_bit))
            self._turned[key] = masks
        return masks


@lru_cache(maxsize=1 << 16)
def window(masks: tuple[int, ...], occupied: int) -> Window:
    """The shared window with these masks."""
    return Window(masks, occupied)


@lru_cache(maxsize=1 << 16)
def step(before: Window, key: int) -> Window:
    """The window after a card was laid over cells of it.

    `key` is the change (the cells that show the card, LAKE_FLAG if one is a lake), plus LOWER times the cells of the
    cards below it, plus HIGHER times those of the cards above it. The laid card can lie under the next card if no card
    below the laid card lies over the next one; it can lie over the next card if every card above it does. A laid card
    that shows a lake must lie over. With flat layering all cards of the window count as both below and above, so that
    only the masks of all or none remain.
    """
    cells, lower, higher = key & FULL, key // LOWER & FULL, key // HIGHER
    masks = [] if key & LAKE_FLAG else [mask & ~cells for mask in before.masks if not mask & lower]
    masks += [mask | cells for mask in before.masks if mask & higher == higher]
    legal = tuple(dict.fromkeys(mask for mask in masks if mask != FULL))
    return window(legal, before.occupied | cells)


OPEN = window((0,), 0)
"""A window that does not meet the domain: no card may go there, and every other window is a step from it."""


class WindowChange(NamedTuple):
    """The change that a laid card makes to one window."""

    offset: int
    """From the anchor of the card to that of the window."""
    key: int
    """The cells that show the card, LAKE_FLAG if one is a lake: the first part of the key of a step."""
    alone: Window
    """The window after the change, if no other card is visible in it."""


@cache
def changes(shape: int, k: int, mask: int, lake: int) -> tuple[WindowChange, ...]:
    """The windows of one shape that a card changes, laid like this, its lake at cell index `lake` (-1: none)."""
    return tuple(WindowChange(offset, key, step(OPEN, key)) for offset, key in reach(shape, k, mask, lake))


def look(visible: Mapping[int, int], above: Sequence[int], shape: int, anchor: int) -> tuple[Window, int]:
    """The window at an anchor under free layering, and the set of slots visible in it, from the cards themselves.

    `visible` has the visible cells by position, each as slot times SLOT_UNIT plus kind; `above` has, by slot, the set
    of slots that lie above it, directly or through others.

    Cards are taken from the top down (a card has fewer cards above it than any card below it), so that for each card
    those above it were decided before (H-7.6).
    """
    groups: dict[int, int] = {}
    lakes = slots = 0
    bit = 1
    for offset in WINDOW_OFFSETS[shape]:
        seen = visible.get(anchor + offset)
        if seen is not None:
            slot, kind = divmod(seen, SLOT_UNIT)
            slots |= 1 << slot
            groups[slot] = groups.get(slot, 0) | bit
            if kind == LAKE:
                lakes |= 1 << slot
        bit += bit
    masks = [0]
    occupied = 0
    for slot in sorted(groups, key=lambda slot: above[slot].bit_count()):
        group = groups[slot]
        over = above[slot] & slots
        need = 0
        if over:
            for other, cells in groups.items():
                if over >> other & 1:
                    need |= cells
        raised = [mask | group for mask in masks if mask & need == need]
        occupied |= group
        masks = raised if lakes >> slot & 1 else masks + raised
    if occupied == FULL:
        masks.pop()
    return window(tuple(masks), occupied), slots
