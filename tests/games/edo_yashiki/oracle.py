"""The rules of the plane once more, word for word and without any cleverness: an oracle for the bit boards.

Cells are a dict from (x, y) to letter; lines are found by walking; legality is asked anchor by anchor (E-7.6).
"""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]
Run = tuple[str, int, int, int, str]
"""axis, x, y, length, kind"""


def footprint(x: int, y: int) -> list[Cell]:
    """The six cells of a card at an anchor, row by row (E-3.1)."""
    return [(x + column, y + row) for row in range(3) for column in range(2)]


def neighbours(cell: Cell) -> list[Cell]:
    """The four orthogonal neighbours."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


@dataclass
class Plane:
    """A house."""

    cells: dict[Cell, str] = field(default_factory=dict)
    covering: str = "seen"
    laid: list[Cell] = field(default_factory=list)
    """The anchors of all cards, in the order in which they were laid."""

    def lay(self, letters: str, x: int, y: int) -> list[Run]:
        """Put a card down (six letters, row by row); returns the lines made, in canonical order (E-3.7, E-3.8)."""
        cells = footprint(x, y)
        self.cells.update(zip(cells, letters, strict=True))
        self.laid.append((x, y))
        made = [line for line in self.lines() if set(cells) & set(cells_of(line))]
        return sorted(made, key=lambda line: (line[0], line[2], line[1]))

    def lines(self) -> list[Run]:
        """All lines: maximal runs of three or more (E-3.4, E-3.5)."""
        found = []
        for (x, y), kind in self.cells.items():
            for axis, dx, dy in (("H", 1, 0), ("V", 0, 1)):
                if self.cells.get((x - dx, y - dy)) == kind:
                    continue
                length = 1
                while self.cells.get((x + length * dx, y + length * dy)) == kind:
                    length += 1
                if length >= 3:
                    found.append((axis, x, y, length, kind))
        return found

    def protected(self) -> set[Cell]:
        """The cells of all lines (E-3.6)."""
        return {cell for line in self.lines() for cell in cells_of(line)}

    def used(self) -> set[Cell]:
        """The anchors that E-7.2 (c) forbids: of every card, or of those with a cell that no later card covers."""
        if self.covering == "all":
            return set(self.laid)
        return {
            anchor
            for number, anchor in enumerate(self.laid)
            if set(footprint(*anchor)) - {cell for later in self.laid[number + 1 :] for cell in footprint(*later)}
        }

    def legal(self) -> set[Cell]:
        """The anchors that E-7.2 allows, among the candidates of E-7.6."""
        candidates = {(x + dx, y + dy) for x, y in self.cells for dx in range(-2, 2) for dy in range(-3, 2)}
        protected, used = self.protected(), self.used()
        return {
            anchor
            for anchor in candidates
            if anchor not in used
            and not protected & set(footprint(*anchor))
            and any(near in self.cells for cell in footprint(*anchor) for near in (cell, *neighbours(cell)))
        }


def cells_of(line: Run) -> list[Cell]:
    """The cells of a line."""
    axis, x, y, length, _ = line
    return [(x + i, y) if axis == "H" else (x, y + i) for i in range(length)]


def points(made: list[Run]) -> int:
    """The standard score of a placement (E-8.2, E-8.4)."""
    paying = [line for line in made if line[3] in (3, 4, 5)]
    base = sum({3: 1, 4: 2, 5: 4}[line[3]] for line in paying)
    return base + {0: 0, 1: 0, 2: 2, 3: 4, 4: 6}[len({line[4] for line in paying})]
