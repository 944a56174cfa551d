"""Honshu's placement and scoring once more, written from RULES.md in the plainest way, to compare the real code with.

A domain is a dict from cell to the pile of (card, code) there, topmost last, and a set of edges "lies above". No masks,
no memory between placements: legality is asked of every position and every mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.games.honshu.components import FACES, KINDS, PROVINCE_FACES

Cell = tuple[int, int]

ROWS = {
    0: ["0 1", "2 3", "4 5"],
    1: ["4 2 0", "5 3 1"],
    2: ["5 4", "3 2", "1 0"],
    3: ["1 3 5", "0 2 4"],
}
"""H-2.3, copied by hand."""


def footprint(k: int, a: int, b: int) -> dict[int, Cell]:
    """The cell of each index."""
    return {
        int(index): (a + row, b + col) for row, line in enumerate(ROWS[k]) for col, index in enumerate(line.split())
    }


def codes(face: int) -> list[str]:
    """What is printed on a face, by cell index."""
    return [KINDS[kind].code for kind in FACES[face]]


class Plain:
    """A domain in plain words."""

    def __init__(self, province: str, layering: str) -> None:
        self.layering = layering
        self.piles: dict[Cell, list[tuple[str, str]]] = {}
        self.edges: set[tuple[str, str]] = set()
        for index, cell in footprint(0, 0, 0).items():
            self.piles[cell] = [(province, codes(PROVINCE_FACES[province])[index])]

    def top(self, cell: Cell) -> tuple[str, str]:
        """The visible card and code at an occupied cell."""
        return self.piles[cell][-1]

    def legal(self, card: int, k: int, a: int, b: int, mask: int) -> bool:
        """H-7.2 to H-7.6, one after the other."""
        cells = footprint(k, a, b)
        met = {index for index, cell in cells.items() if cell in self.piles}
        hidden = {index for index in range(6) if mask >> index & 1}
        if not met or not hidden <= met or len(hidden) == 6:
            return False
        for index in met:
            new, old = codes(card)[index], self.top(cells[index])[1]
            if (index in hidden and new == "L") or (index not in hidden and old == "L"):
                return False
        if self.layering == "flat":
            return hidden in (set(), met)
        return not cyclic(self.edges | self.new_edges(card, k, a, b, mask))

    def new_edges(self, card: int, k: int, a: int, b: int, mask: int) -> set[tuple[str, str]]:
        """The edges that a placement adds (H-7.6)."""
        edges = set()
        for index, cell in footprint(k, a, b).items():
            if cell in self.piles:
                other = self.top(cell)[0]
                edges.add((other, str(card)) if mask >> index & 1 else (str(card), other))
        return edges

    def placements(self, card: int) -> Iterator[tuple[int, int, int, int]]:
        """All legal placements in canonical order."""
        rows, cols = [row for row, _ in self.piles], [col for _, col in self.piles]
        for k in range(4):
            for a in range(min(rows) - 3, max(rows) + 2):
                for b in range(min(cols) - 3, max(cols) + 2):
                    met = sum(1 << index for index, cell in footprint(k, a, b).items() if cell in self.piles)
                    masks = [mask for mask in range(64) if not mask & ~met] if met else []
                    yield from ((k, a, b, mask) for mask in masks if self.legal(card, k, a, b, mask))

    def place(self, card: int, k: int, a: int, b: int, mask: int) -> None:
        """Carry a placement out; a hidden cell goes right under the visible one."""
        self.edges |= self.new_edges(card, k, a, b, mask)
        for index, cell in footprint(k, a, b).items():
            pile = self.piles.setdefault(cell, [])
            here = (str(card), codes(card)[index])
            if mask >> index & 1:
                pile.insert(len(pile) - 1, here)
            else:
                pile.append(here)

    def visible(self) -> dict[Cell, str]:
        """The visible codes."""
        return {cell: pile[-1][1] for cell, pile in self.piles.items()}

    def stacking(self) -> bool:
        """Whether some bottom-to-top order of the cards shows exactly the visible cells (H-R2)."""
        below: dict[str, set[str]] = {}
        for high, low in self.edges:
            below.setdefault(high, set()).add(low)
            below.setdefault(low, set())
        order: list[str] = []
        while len(order) < len(below):
            free = sorted(card for card in below if card not in order and below[card] <= set(order))
            if not free:
                return False
            order.append(free[0])
        return all(
            max(pile, key=lambda entry: order.index(entry[0]) if entry[0] in order else -1) == pile[-1]
            for pile in self.piles.values()
        )


def cyclic(edges: set[tuple[str, str]]) -> bool:
    """Whether a directed graph has a cycle."""
    nodes = {node for edge in edges for node in edge}
    while nodes:
        loose = {node for node in nodes if not any(low == node and high in nodes for high, low in edges)}
        if not loose:
            return True
        nodes -= loose
    return False


def groups(cells: set[Cell]) -> list[set[Cell]]:
    """Groups of cells that share edges (H-2.5)."""
    found = []
    rest = set(cells)
    while rest:
        group, edge = set(), {min(rest)}
        while edge:
            group |= edge
            edge = {
                (row + dr, col + dc) for row, col in edge for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0))
            } & rest - group
        found.append(group)
        rest -= group
    return found


def score(visible: Mapping[Cell, str], cubes: Mapping[str, int], card: int = 0, replace: bool = False) -> list[int]:
    """Forest, town, factory, lake, bonus and fields (H-8.5, H-8.6, section 9)."""
    at = {
        code: {cell for cell, shown in visible.items() if shown == code} for code in set(visible.values()) | {*"FTLW"}
    }
    towns, lakes = groups(at["T"]), groups(at["L"])
    town = max(map(len, towns), default=0)
    lake = sum(3 * (len(group) - 1) for group in lakes)
    factory, delivered, surplus = 0, {}, 0
    for colour in "BNGY":
        values = sorted((int(code[1]) for code in visible.values() if code[0] == colour), reverse=True)
        values = [value for value in values for _ in range(2 if card == 1 else 1)]
        sent = values[: cubes.get(colour, 0)]
        factory += sum(sent)
        delivered[colour] = len(sent)
        surplus += cubes.get(colour, 0) - len(sent)
    inner = {(r, c) for r, c in at["T"] if {(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)} <= at["T"]}
    bonus = 0
    if card == 2:
        lines = [[(r, c + i) for i in range(3)] for r, c in at["F"]] + [
            [(r + i, c) for i in range(3)] for r, c in at["F"]
        ]
        bonus = 4 * sum(set(line) <= at["F"] for line in lines)
    elif card == 3:
        bonus = 5 * sum({(r, c + 1), (r + 1, c), (r + 1, c + 1)} <= at["W"] for r, c in at["W"])
    elif card == 4:
        bonus = 2 * len(at["L"])
        if replace:
            lake, bonus = bonus, 0
    elif card == 5:
        bonus = 3 * len(inner)
        if replace:
            bonus -= min((len(inner & group) for group in towns if len(group) == town), default=0)
    elif card == 6:
        bonus = 2 * (sum(code[0] == "p" for code in visible.values()) - surplus)
    elif card in (7, 8):
        bonus = 2 * sum(delivered[colour] for colour in ("BY" if card == 7 else "GN"))
    return [2 * len(at["F"]), town, factory, lake, bonus, len(at["W"])]


def grid(text: str) -> dict[Cell, str]:
    """The cells of a grid written as in section 13: `/` between rows, `.` for no card."""
    rows: Sequence[str] = text.split("/")
    return {(row, col): code for row, line in enumerate(rows) for col, code in enumerate(line.split()) if code != "."}
