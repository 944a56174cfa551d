"""One seat's domain: the cards laid, what is visible, and where a further card may go (section 7).

A domain is an immutable value: laying a card makes a new domain and leaves the old one as it was, so clones of a state
share their domains. Cubes are not part of a domain (they come and go without a placement); the state keeps them.

The windows (see `layering.py`) are worked out on the first request for placements. Laying a card changes only the
windows that meet its visible cells, so the others are taken over from the domain before. There is one exception: a card
put under X and over Y, where X and Y had no order before, puts X above Y from then on; the windows around such cards
are worked out anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from referee.games.honshu.components import KINDS, LAKE_INDEX
from referee.games.honshu.geometry import SHAPES, TURNED_CELLS, WINDOW_OFFSETS, Cell, cell, position, reach
from referee.games.honshu.layering import HIGHER, LOWER, SLOT_UNIT, Window, changes, look, step
from referee.kernel import grid

PROVINCE_SLOT = 1
"""The slot of the first card of every domain; slot 0 means no card."""


class Laid(NamedTuple):
    """A card of a domain with its placement (H-2.7)."""

    card: int
    k: int
    row: int
    col: int
    mask: int


class Sites:
    """Where cards may go in windows of one shape."""

    __slots__ = ("_anchors", "packed", "slots", "windows")

    def __init__(self, windows: dict[int, Window], slots: dict[int, int], packed: int) -> None:
        self.windows = windows
        """By anchor, every window that meets the domain."""
        self.slots = slots
        """By anchor, a set of slots that holds at least those visible in the window."""
        self.packed = packed
        """The sum of the windows' counts."""
        self._anchors: list[int] | None = None

    @property
    def anchors(self) -> list[int]:
        """The anchors of the windows, ascending."""
        if self._anchors is None:
            self._anchors = sorted(self.windows)
        return self._anchors


class Picture(NamedTuple):
    """The visible cells, as parallel tuples ordered by (row, col)."""

    cells: tuple[Cell, ...]
    codes: tuple[str, ...]
    """What each shows: F, T, L, W, pB, B2... (H-1.5)."""
    slots: tuple[int, ...]
    """Which card of the domain it belongs to: 0 the province, then the cards in the order laid."""


class Domain:
    """The cards of one domain and everything that follows from them.

    Cards are numbered by **slot** in the order laid; slot 1 is the province.
    """

    __slots__ = (
        "_parent",
        "_picture",
        "_sites",
        "above",
        "cells",
        "free",
        "laid",
        "lower",
        "province",
        "stale",
    )

    province: int
    """The face of the province."""
    laid: tuple[Laid, ...]
    """The map cards in the order laid."""
    free: bool
    """Whether a card may go over some cards and under others (the layering switch, H-R2)."""
    cells: dict[int, int]
    """By position, what is visible: the slot of the card times SLOT_UNIT, plus the kind of its cell."""
    above: tuple[int, ...]
    """By slot, the set of slots above it, directly or through others: the reachability of H-7.6, backwards."""
    _parent: Domain | None
    """The domain before the last card; None once the windows are known."""
    lower: int
    """The slots below the last card."""
    stale: tuple[tuple[int, int], ...]
    """The slots that the last placement put below further old cards, each with the set of those cards."""
    _sites: tuple[Sites, ...] | None
    _picture: Picture | None

    def lay(self, laid: Laid) -> Domain:
        """This domain with a card laid by a legal placement (H-7.1 to H-7.6).

        The card may hide older cards wholly (H-R3).
        """
        card, k, row, col, mask = laid
        at = position(row, col)
        cells = self.cells.copy()
        slot = len(self.above) * SLOT_UNIT
        under = over = 0
        for bit, offset, kind in TURNED_CELLS[card][k]:
            here = at + offset
            if mask & bit:
                under |= 1 << cells[here] // SLOT_UNIT
            else:
                if here in cells:
                    over |= 1 << cells[here] // SLOT_UNIT
                cells[here] = slot + kind
        new = Domain.__new__(Domain)
        new.province = self.province
        new.laid = (*self.laid, laid)
        new.free = self.free
        new.cells = cells
        new.above, new.lower, new.stale = _order(self.above, under, over)
        new._parent = self
        new._sites = None
        new._picture = None
        return new

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Domain):
            return NotImplemented
        return (self.province, self.laid, self.free) == (other.province, other.laid, other.free)

    def __hash__(self) -> int:
        return hash((self.province, self.laid, self.free))

    @property
    def sites(self) -> tuple[Sites, ...]:
        """By shape, where a card may go."""
        if self._sites is None:
            if self._parent is None:
                self._sites = tuple(_first_sites(self, shape) for shape in SHAPES)
            else:
                before = self._parent.sites
                self._sites = tuple(_next_sites(self, shape, before[shape]) for shape in SHAPES)
            self._parent = None
        return self._sites

    @property
    def picture(self) -> Picture:
        """The visible cells."""
        if self._picture is None:
            seen = sorted(self.cells.items())
            self._picture = Picture(
                tuple([cell(at) for at, _ in seen]),
                tuple([KINDS[shown % SLOT_UNIT].code for _, shown in seen]),
                tuple([shown // SLOT_UNIT - PROVINCE_SLOT for _, shown in seen]),
            )
        return self._picture


def _first_sites(domain: Domain, shape: int) -> Sites:
    """The sites of one shape around a province alone, where free and flat layering are the same."""
    windows, slots, packed = {}, {}, 0
    for offset, _ in reach(shape, 0, 0, -1):
        anchor = position(0, 0) + offset
        windows[anchor], slots[anchor] = look(domain.cells, domain.above, shape, anchor)
        packed += windows[anchor].packed
    return Sites(windows, slots, packed)


def _next_sites(domain: Domain, shape: int, before: Sites) -> Sites:
    """The sites of one shape, those of the domain before the last card given."""
    cells, above = domain.cells, domain.above
    higher, lower = above[-1], domain.lower
    not_higher, not_lower, related = ~higher, ~lower, higher | lower
    bit = 1 << len(above) - 1
    flat = not domain.free
    offsets = WINDOW_OFFSETS[shape]
    card, k, row, col, mask = domain.laid[-1]
    at = position(row, col)
    windows, slots, packed = before.windows.copy(), before.slots.copy(), before.packed
    for offset, key, alone in changes(shape, k, mask, LAKE_INDEX[card]):
        anchor = at + offset
        if anchor not in windows:
            windows[anchor] = alone
            slots[anchor] = bit
            packed += alone.packed
            continue
        old = windows[anchor]
        here = slots[anchor]
        if flat:
            key += old.occupied * (LOWER + HIGHER)
        elif not here & not_lower:
            key += old.occupied * LOWER
        elif not here & not_higher:
            key += old.occupied * HIGHER
        elif here & related:
            here = 0
            cell_bit = 1
            for cell_offset in offsets:
                if anchor + cell_offset in cells:
                    top = 1 << cells[anchor + cell_offset] // SLOT_UNIT
                    here |= top
                    if top & lower:
                        key += LOWER * cell_bit
                    elif top & higher:
                        key += HIGHER * cell_bit
                cell_bit += cell_bit
        new = step(old, key)
        windows[anchor] = new
        slots[anchor] = here | bit
        packed += new.packed - old.packed
    if domain.stale and not flat:
        for anchor in _stale_anchors(domain, shape, slots):
            new, slots[anchor] = look(cells, above, shape, anchor)
            packed += new.packed - windows[anchor].packed
            windows[anchor] = new
    return Sites(windows, slots, packed)


def _stale_anchors(domain: Domain, shape: int, slots: Mapping[int, int]) -> dict[int, None]:
    """The windows that show a card together with one that came above it by the last placement, but not its card.

    Where the last card itself is visible, the order through it is already in the window's masks.
    """
    newest = 1 << len(domain.above) - 1
    anchors: dict[int, None] = {}
    for slot, higher in domain.stale:
        k, at = 0, position(0, 0)
        if slot > PROVINCE_SLOT:
            _, k, row, col, _ = domain.laid[slot - PROVINCE_SLOT - 1]
            at = position(row, col)
        for offset, _ in reach(shape, k, 0, -1):
            here = slots[at + offset]
            if here & higher and here >> slot & 1 and not here & newest:
                anchors[at + offset] = None
    return anchors


def _order(above: tuple[int, ...], under: int, over: int) -> tuple[tuple[int, ...], int, tuple[tuple[int, int], ...]]:
    """The order with one more card, the slots below it, and the old cards that came below further old ones (H-7.6).

    `under` and `over` are the slots that the new card lies under and over; edges to hidden cards are never added.
    """
    slot = len(above)
    higher = under
    for other in grid.bits(under):
        higher |= above[other]
    if not over:
        return (*above, higher), 0, ()
    order = list(above)
    lower = 0
    stale = []
    for other in range(PROVINCE_SLOT, slot):
        if over >> other & 1 or above[other] & over:
            lower |= 1 << other
            if higher & ~above[other]:
                stale.append((other, higher & ~above[other]))
            order[other] |= higher | 1 << slot
    order.append(higher)
    return tuple(order), lower, tuple(stale)


@lru_cache(maxsize=64)
def empty_domain(province: int, free: bool) -> Domain:
    """The domain of a province alone, at rotation 0 and anchor (0, 0) (H-3.2, H-R1)."""
    at = position(0, 0)
    domain = Domain.__new__(Domain)
    domain.province = province
    domain.laid = ()
    domain.free = free
    domain.cells = {at + offset: PROVINCE_SLOT * SLOT_UNIT + kind for _, offset, kind in TURNED_CELLS[province][0]}
    domain.above = (0, 0)
    domain.lower, domain.stale = 0, ()
    domain._parent = None
    domain._sites = None
    domain._picture = None
    return domain


@lru_cache(maxsize=1024)
def domain_of(province: int, laid: tuple[Laid, ...], free: bool) -> Domain:
    """The domain in which these cards were laid in this order by legal placements."""
    if not laid:
        return empty_domain(province, free)
    return domain_of(province, laid[:-1], free).lay(laid[-1])
