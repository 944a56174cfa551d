"""The options of an ask as clicks, with what each would bring at once.

| ask | clicks | what a place names |
|---|---|---|
| play | `card:16`, then `cube:none` or `cube:1:2` if a cube may be played | card; seat, row, column |
| play2, pick, keep | `card:16` | card |
| override | `decline`, or `cube:1:2` and `cube:3:0`, the smaller cell first | seat, row, column |
| pair | `pair:deck` or `pair:hand` | pair, cards |
| place | `turn:1`, `at:4:-1`, then `way:40` if the card can lie there in several ways | see `_place` |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from referee.games.honshu.geometry import CELLS, Cell
from referee.games.honshu.options import Keep, Override, Pair, Pick, Placement, Play
from referee.games.honshu.outlook import Outlook
from referee.games.honshu.state import KEEP, NO_CUBE, OVERRIDE, PAIR, PICK, PLACE, PLAY, PLAY2, Bid
from referee.games.honshu.tricks import value
from referee.games.honshu.view import DomainView, View
from referee.games.honshu.words import (
    TURNS,
    Layers,
    answer,
    asked_seat,
    cube_at,
    place_words,
    with_cube,
)
from referee.kernel.board import Choice, Part
from referee.kernel.game import Option, Seat
from referee.kernel.plain import Plain


def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
    """The options of an ask as people choose them, in the same order."""
    return _CHOICES[kind](view, asked_seat(view), options)


def _card(card: int) -> Part:
    return Part(f"card:{card}", f"card {card}", {"card": card})


def _cube(domain: DomainView, seat: Seat, cube: Cell, words: str) -> Part:
    return Part(f"cube:{cube.row}:{cube.col}", words, {"seat": seat, "row": cube.row, "column": cube.col})


def _play(view: View, seat: Seat, options: Sequence[Option]) -> Sequence[Choice]:
    """A card, and where cubes may be played, one of them or none; a bid brings its value (H-5.4)."""
    plays = cast(Sequence[Play], options)
    domain = view.domains[seat]
    outlook = Outlook(view, seat)
    several = any(play.cube is not None for play in plays)
    parts = {cube: _cube(domain, seat, cube, with_cube(domain, cube)) for cube in domain.cubes}
    costs = {cube: outlook.of_cubes([cube]) for cube in domain.cubes}
    without = Part("cube:none", "without a cube")
    found = []
    for play in plays:
        part, cost = (without, "") if play.cube is None else (parts[play.cube], costs[play.cube])
        path = (_card(play.card), part) if several else (_card(play.card),)
        worth = value(Bid(seat, play.card, NO_CUBE if play.cube is None else 0))
        brings = f"value {worth}; {cost}" if cost else f"value {worth}"
        found.append(Choice(answer(view, PLAY, play), path, brings))
    return found


def _take(view: View, seat: Seat, options: Sequence[Option]) -> Sequence[Choice]:
    """One card of several."""
    return [Choice(f"card {option.card}", (_card(option.card),)) for option in cast(Sequence[Pick | Keep], options)]


def _override(view: View, seat: Seat, options: Sequence[Option]) -> Sequence[Choice]:
    """Two cubes, or none."""
    domain = view.domains[seat]
    outlook = Outlook(view, seat)
    parts = {cube: _cube(domain, seat, cube, f"the {cube_at(domain, cube)}") for cube in domain.cubes}
    found = []
    for option in cast(Sequence[Override], options):
        path = tuple([parts[cube] for cube in option.cubes]) or (Part("decline", "decline"),)
        brings = outlook.of_cubes(option.cubes) if option.cubes else ""
        found.append(Choice(answer(view, OVERRIDE, option), path, brings))
    return found


def _pair(view: View, seat: Seat, options: Sequence[Option]) -> Sequence[Choice]:
    """The deck pair or the hand pair."""
    found = []
    for option in cast(Sequence[Pair], options):
        cards: list[Plain] = [*(view.revealed if option.which == "deck" else view.faceup)]
        words = answer(view, PAIR, option)
        found.append(Choice(words, (Part(f"pair:{option.which}", words, {"pair": option.which, "cards": cards}),)))
    return found


def _place(view: View, seat: Seat, options: Sequence[Option]) -> Sequence[Choice]:
    """A rotation, a place, and where the card can lie there in several ways, over or under which cards.

    The places name the card, `turn`, and for all rotations `within`: first row, first column, last row and last column
    of the cells that the card can reach. A place on the domain names `row` and `column` of the top left cell, `ways`,
    and `under` if the card lies under all that it meets in each of them. Where the way is settled, `hidden` lists the
    cell indices that go under.
    """
    placements = list(cast(Sequence[Placement], options))
    card = view.taken[seat]
    outlook = Outlook(view, seat)
    layers = Layers(view.domains[seat])
    lies = [layers.words(*placement) for placement in placements]
    ways = Counter(placement[:3] for placement in placements)
    over = {placement[:3] for placement, lying in zip(placements, lies, strict=True) if lying.startswith("over")}
    within: list[Plain] = [*_reach(placements)]
    turns = [Part(f"turn:{k}", words, {"card": card, "turn": k, "within": within}) for k, words in enumerate(TURNS)]
    shared: dict[tuple[int, ...], Part] = {}
    found = []
    for placement, lying in zip(placements, lies, strict=True):
        k, row, col, mask = placement
        where = (k, row, col)
        at = place_words(row, col)
        place: dict[str, Plain] = {"card": card, "turn": k, "row": row, "column": col}
        hidden: list[Plain] = [index for index in range(CELLS) if mask >> index & 1]
        path: tuple[Part, ...]
        if ways[where] == 1:
            place |= {"ways": 1, "under": where not in over, "hidden": hidden}
            path = (turns[k], Part(f"at:{row}:{col}", f"{at}, {lying}", place))
        else:
            if where not in shared:
                settled = {"ways": ways[where], "under": where not in over}
                shared[where] = Part(f"at:{row}:{col}", at, place | settled)
            path = (turns[k], shared[where], Part(f"way:{mask}", lying, place | {"hidden": hidden}))
        words = f"card {card} {TURNS[k]} {at}, {lying}"
        found.append(Choice(words, path, outlook.of_placement(card, placement)))
    return found


def _reach(placements: Sequence[Placement]) -> tuple[int, int, int, int]:
    """First row, first column, last row and last column of all cells that the placements cover."""
    rows = [(row, row + (1 if k % 2 else 2)) for k, row, _, _ in placements]
    columns = [(col, col + (2 if k % 2 else 1)) for k, _, col, _ in placements]
    return (
        min(first for first, _ in rows),
        min(first for first, _ in columns),
        max(last for _, last in rows),
        max(last for _, last in columns),
    )


_CHOICES: Mapping[str, Callable[[View, Seat, Sequence[Option]], Sequence[Choice]]] = {
    PLAY: _play,
    PLAY2: _take,
    PICK: _take,
    OVERRIDE: _override,
    PAIR: _pair,
    KEEP: _take,
    PLACE: _place,
}
"""By kind of ask."""
