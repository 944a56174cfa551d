"""A random full state that is consistent with a view, one of its information set (W-15)."""

from __future__ import annotations

from referee.games.white_castle.components import COLOURS, DIE_TILE_COLOUR
from referee.games.white_castle.state import BoardView, Layout, State
from referee.games.white_castle.view import View, clan_of
from referee.kernel.chance import Chance


def _tiles(seen: BoardView, chance: Chance) -> list[int]:
    """Die tiles of the seen colours, with backs dealt at random."""
    hidden = [
        chance.shuffled(
            f"determinise/die-tiles/{name}",
            [tile for tile, its in enumerate(DIE_TILE_COLOUR) if its == colour and tile not in seen.well_tiles],
        )
        for colour, name in enumerate(COLOURS)
    ]
    return [*(hidden[colour].pop() for colour in seen.colours), *seen.well_tiles]


def determinise(view: View, chance: Chance) -> State:
    """A random state with this view: decks, tile backs and unseen solo cards in random order (W-15)."""
    board = view.board
    solo = view.solo
    solo_deck: tuple[int, ...] = ()
    if solo is not None:
        solo_deck = (solo.top, *chance.shuffled("determinise/solo-deck", solo.unknown), *solo.cycled)
    return State(
        Layout.lay(board.seats, _tiles(board, chance), board.daimyo, board.gardens, board.yard_tiles),
        [clan_of(clan) for clan in view.clans],
        view.order,
        list(view.track),
        list(view.bridges),
        list(view.spaces),
        list(view.castle),
        tuple(chance.shuffled("determinise/steward-deck", view.stewards)),
        tuple(chance.shuffled("determinise/diplomat-deck", view.diplomats)),
        list(view.favours),
        view.offer,
        view.gone,
        solo_deck,
        solo.row if solo is not None else (),
        solo.turns if solo is not None else (),
        len(solo.unknown) if solo is not None else 0,
        view.round,
        list(view.stack),
        view.last,
    )
