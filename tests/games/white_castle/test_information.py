"""What is public and what is hidden (W-1.2, W-14, W-15)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from referee.games.white_castle import GAME
from referee.games.white_castle.components import DIE_TILE_COLOUR
from referee.games.white_castle.state import State
from referee.kernel.chance import Fast, Recording, Sealed, secret_from_seed
from referee.kernel.game import settle_variant
from tests.games.white_castle.situations import Situation

SEATS = (1, 2, 3, 4)


def moments(seats: int, seed: int) -> Iterator[State]:
    """The states of a random game at each decision, and the last."""
    rng, chance = random.Random(seed), Fast(seed)
    state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
    while asks := GAME.pending(state):
        yield state
        listed = GAME.options(state, asks[0].seat)
        GAME.apply(state, {asks[0].seat: listed[rng.randrange(len(listed))]}, chance)
    yield state


@pytest.mark.parametrize("seats", SEATS)
def test_all_seats_and_the_public_see_the_same(seats: int) -> None:
    """A seat's view is the public view with its number; there is no private information (W-1.2, W-15)."""
    for state in moments(seats, 3):
        public = GAME.view(state, None)
        for seat in range(seats):
            assert public._replace(seat=seat) == GAME.view(state, seat)


@pytest.mark.parametrize("seats", SEATS)
def test_decks_are_seen_as_sets(seats: int) -> None:
    """Another order of the decks is another state with the same view (W-15)."""
    for state in moments(seats, 4):
        other = state.clone()
        other.stewards, other.diplomats = state.stewards[::-1], state.diplomats[::-1]
        unknown = 1 + state.solo_unknown
        other.solo_deck = (
            *state.solo_deck[:1],
            *state.solo_deck[1:unknown][::-1],
            *state.solo_deck[unknown:],
        )

        assert GAME.view(state, 0) == GAME.view(other, 0)


def test_the_backs_of_castle_tiles_are_not_seen() -> None:
    """Two tiles of a colour may change places in the castle, not with the well (W-15)."""
    state = Situation.new(2, first_game="on").state
    tiles = list(state.board.tiles)
    one, two = (place for place in range(13) if DIE_TILE_COLOUR[tiles[place]] == 0 and place < 5)
    tiles[one], tiles[two] = tiles[two], tiles[one]
    other = state.clone()
    board = state.board
    other.board = board.lay(board.seats, tiles, board.daimyo, board.gardens, board.yard_tiles)

    assert board != other.board
    assert GAME.view(state, 0) == GAME.view(other, 0)


@pytest.mark.parametrize("seats", SEATS)
def test_an_imagined_state_has_the_same_view(seats: int) -> None:
    """`determinise` keeps all that is public, and its game can be played on (W-15)."""
    chance = Fast(8)
    for number, state in enumerate(moments(seats, 5)):
        view = GAME.view(state, 0)
        world = GAME.determinise(view, chance)
        assert view == GAME.view(world, 0)
        assert sorted(state.stewards) == sorted(world.stewards)
        if number % 25 == 0:
            while asks := GAME.pending(world):
                GAME.apply(world, {asks[0].seat: GAME.options(world, asks[0].seat)[0]}, chance)
            assert GAME.result(world) is not None


def test_deck_contents_follow_by_subtraction() -> None:
    """All castle cards are somewhere in sight or in a deck (W-15)."""
    for state in moments(3, 6):
        view = GAME.view(state, None)
        seen = {*view.castle, *view.gone, *view.stewards, *view.diplomats}
        for clan in view.clans:
            seen |= {clan.action, *clan.lantern}
        assert set(range(27)) <= seen


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_played_changes_no_later_luck(seats: int) -> None:
    """Two games of one secret with different play meet the same dice, decks and shuffles (W-14)."""
    met: list[dict[str, list[object]]] = []
    for seed in (1, 2):
        rng = random.Random(seed)
        chance = Recording(Sealed(secret_from_seed("equal luck")))
        state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
        while asks := GAME.pending(state):
            listed = GAME.options(state, asks[0].seat)
            GAME.apply(state, {asks[0].seat: listed[rng.randrange(len(listed))]}, chance)
        streams: dict[str, list[object]] = {}
        for outcome in chance.take():
            streams.setdefault(outcome.stream, []).append(outcome.value)
        met.append(streams)

    assert met[0] == met[1]
    assert {f"dice/{r}/{c}" for r in (1, 2, 3) for c in ("coral", "black", "white")} <= set(met[0])
    assert {name for name in met[0] if name.startswith("solo-deck")} == (
        {f"solo-deck/{k}" for k in (1, 2, 3, 4)} if seats == 1 else set()
    )


def test_the_latest_answer_is_public() -> None:
    """Everybody sees what was answered last, also when two answers come to the same (W-15)."""
    table = Situation.in_round_one(2)
    table.place("outside_1", "black", 5).answer("gardener")

    assert GAME.view(table.state, 1).last == (0, "outside_action", "gardener")
