"""Set-up and draft (W-4)."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.games.white_castle import GAME, setup
from referee.games.white_castle.components import (
    CARD_NAMES,
    CARDS,
    COLOURS,
    DECREE_OF,
    DECREES,
    DIE_TILE_COLOUR,
    DIE_TILE_NAMES,
    FIRST_GAME,
    GARDENS,
    NOTHING,
    PLANT,
    ROOMS,
    STEWARD_ROOMS,
    STONE,
    TILE_SPACES,
    WELL,
)
from referee.kernel.chance import Fast, Recording, Scripted, Sealed, secret_from_seed
from referee.kernel.errors import BadSetting, UnknownName
from referee.kernel.game import settle_variant, variant_of
from tests.games.white_castle.situations import Situation, cards

SEATS = (1, 2, 3, 4)


def tiles(colours: str) -> list[int]:
    """Tiles that show these colours, c, b and w, each tile once."""
    left = {name[0]: [t for t, its in enumerate(DIE_TILE_COLOUR) if its == c] for c, name in enumerate(COLOURS)}
    return [left[letter].pop(0) for letter in colours]


def test_t21_two_player_decks() -> None:
    """W-T21: nine stewards and nine diplomats; after set-up six and seven are left (W-4.1)."""
    stewards, diplomats = ([CARD_NAMES[card] for card in deck] for deck in setup.DECKS[2])
    state = Situation.new(2).state

    assert stewards == ["S02", "S04", "S05", "S07", "S09", "S10", "S12", "S13", "S15"]
    assert diplomats == ["D02", "D03", "D04", "D05", "D06", "D07", "D08", "D10", "D11"]
    assert (len(state.stewards), len(state.diplomats)) == (6, 7)


@pytest.mark.parametrize(("seats", "left"), [(1, (6, 7)), (3, (12, 10)), (4, (12, 10))])
def test_the_castle_has_three_stewards_and_two_diplomats(seats: int, left: tuple[int, int]) -> None:
    """Every room has its card, the rest are the decks; solo is as for two (W-4.1, W-16.1)."""
    state = Situation.new(seats).state

    assert left == (len(state.stewards), len(state.diplomats))
    assert [CARD_NAMES[card][0] for card in state.castle] == ["S"] * 3 + ["D"] * 2
    assert len({*state.castle, *state.stewards, *state.diplomats}) == 5 + sum(left)


def test_t28_five_equal_main_actions_are_dealt_again() -> None:
    """W-T28: S01, S02, S03, D01, D02 are all courtier; with D05 instead of D02 the deal is kept (W-4.2, W-R2)."""
    assert not setup.varied(cards("S01", "S02", "S03", "D01", "D02"))
    assert setup.varied(cards("S01", "S02", "S03", "D01", "D05"))


def test_a_deal_of_one_kind_is_repeated_with_both_decks() -> None:
    """The scripted first deal shows courtiers only; the second is used, and both streams go on (W-4.2)."""
    stewards, diplomats = setup.DECKS[3]
    same = [stewards.index(card) for card in cards("S01", "S02", "S03")]
    also = [diplomats.index(card) for card in cards("D01", "D02")]
    rest = [k for k in range(15) if k not in same]
    chance = Scripted(
        {
            "steward-deck": [same + rest, list(range(15))],
            "diplomat-deck": [also + [k for k in range(12) if k not in also], list(range(11, -1, -1))],
        }
    )
    rooms, _, _ = setup.deal_castle(3, chance, False)

    assert cards("S01", "S02", "S03", "D12", "D11") == rooms


def test_t20_a_tile_that_would_make_a_room_one_colour_goes_on() -> None:
    """W-T20: coral, coral in `steward_1`: the coral tile drawn for space 6 goes to 7, the next is tested for 6."""
    marked = tiles("cbw")
    others = tiles("cbw" + "cwbbw" + "cb" + "wcbwc")[3:]
    laid = setup.fill_tiles(marked, others)

    assert laid is not None
    by_order = {space.order: COLOURS[DIE_TILE_COLOUR[tile]][0] for space, tile in zip(TILE_SPACES, laid, strict=True)}
    assert [by_order[order] for order in range(1, 6)] == ["c", "w", "b", "b", "w"]
    assert (by_order[6], by_order[7]) == ("b", "c")


def test_the_well_never_refuses_a_tile() -> None:
    """Tiles refused by all open rooms go to the well spaces 11 and 12 (W-4.4c)."""
    laid = setup.fill_tiles(tiles("cbw"), tiles("cbw" + "bcbbw" + "cbc" + "wwwc")[3:])

    assert laid is not None
    assert COLOURS[DIE_TILE_COLOUR[laid[-2]]] == "white"
    assert COLOURS[DIE_TILE_COLOUR[laid[-1]]] == "white"


def test_tiles_that_find_no_space_restart_the_layout() -> None:
    """The last three tiles share the colour of the last open room: no layout, shuffle again (W-4.5, W-R3)."""
    # `diplomat_2` has a white tile and waits for another colour, while three white tiles come last.
    others = tiles("cbw" + "bcbbw" + "cbcc" + "www")[3:]

    assert setup.fill_tiles(tiles("cbw"), others) is None


def test_one_in_275_tile_orders_restarts() -> None:
    """Of the 34650 colour orders of the twelve tiles 126 find no layout (W-4.5)."""
    marked = tiles("cbw")
    restarts = total = 0
    for order in _orders({"c": 4, "b": 4, "w": 4}):
        total += 1
        restarts += setup.fill_tiles(marked, tiles("cbw" + order)[3:]) is None

    assert (total, restarts) == (34650, 126)


def _orders(left: dict[str, int], prefix: str = "") -> list[str]:
    """Every order of so many letters."""
    if not any(left.values()):
        return [prefix]
    return [
        order
        for letter in left
        if left[letter]
        for order in _orders({**left, letter: left[letter] - 1}, prefix + letter)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_tiles_keep_their_promises(seed: int) -> None:
    """Marked spaces show all colours, no room only one; each colour is 3 to 5 times in the castle (W-4.4, W-4.6)."""
    laid = setup.lay_tiles(Fast(seed))
    shown = [DIE_TILE_COLOUR[tile] for tile in laid]

    assert len(set(laid)) == 15
    assert {0, 1, 2} == set(shown[:3])
    for room in ROOMS:
        assert len({shown[k] for k, space in enumerate(TILE_SPACES) if space.room == room}) > 1
    assert all(3 <= count <= 5 for count in Counter(shown[:13]).values())


def test_the_numbers_of_the_tile_spaces_satisfy_the_rulebook() -> None:
    """One marked space in each steward room; spaces 6 to 10 are the last of each room, 11 and 12 the well (W-R4)."""
    rooms = {room: sorted(space.order for space in TILE_SPACES if space.room == room) for room in (*ROOMS, WELL)}

    assert [rooms[room][0] for room in STEWARD_ROOMS] == [0, 0, 0]
    assert sorted(rooms[room][-1] for room in ROOMS) == [6, 7, 8, 9, 10]
    assert rooms[WELL] == [11, 12]


def test_gardens_are_one_plant_and_one_stone_under_each_bridge() -> None:
    """Six different cards, plant before stone (W-4.8)."""
    gardens = Situation.new(2).state.board.gardens

    assert len(set(gardens)) == 6
    assert [GARDENS[garden].kind for garden in gardens] == [PLANT, STONE] * 3


def test_one_daimyo_card_is_drawn() -> None:
    """Any of the nine may lie on floor 3 (W-4.3)."""
    drawn = {Situation.new(2, Fast(seed)).state.board.daimyo for seed in range(80)}

    assert set(range(9)) == drawn


def test_four_different_yard_tiles_are_laid() -> None:
    """Two on `yard_5`, one each on the others (W-4.9)."""
    board = Situation.new(2).state.board

    assert len(set(board.yard_tiles)) == 4
    assert [len(effects) for effects in board.drills] == [2, 1, 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_players_start_with_nothing_but_their_members(seats: int) -> None:
    """All at home, all counters 0, markers stacked on 0 in turn order (W-4.10, W-4.11)."""
    state = Situation.new(seats).state

    assert all(clan.goods == [0] * 6 and clan.home == [5, 5, 5] for clan in state.clans)
    assert all(clan.space == 0 for clan in state.clans)
    assert list(state.order) == state.track
    assert set(range(seats)) == set(state.order)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_draft_goes_in_reverse_turn_order_with_a_pair_to_spare(seats: int) -> None:
    """One pair more than players; the last in order chooses first; the left-over pair is gone (W-4.12, W-4.13)."""
    table = Situation.new(seats, Fast(3))
    order, offered = table.state.order, table.state.offer

    assert seats + 1 == len(offered)

    drafted = []
    while table.state.offer:
        if table.kind == "choose_start_pair":
            drafted.append(table.seat)
            assert not any(text.startswith("x:") for text in table.options)
        table.answer(table.options[0])

    assert order[::-1] == tuple(drafted)
    assert offered[-1] == table.state.gone
    assert order[0] == table.seat
    assert table.kind == "take_die"


def test_a_drafted_pair_gives_card_goods_and_lantern() -> None:
    """R4 with A3: goods at once, R4 and its decree DS into the lantern area (W-4.13)."""
    table = Situation.new(2)
    seat = table.state.order[-1]
    first, second = cards("R4", "A3")
    table.state.offer = ((first, second), *table.state.offer[1:])
    table.answer("pair:0")

    assert table.goods(seat) == {"iron": 1, "pearl": 2, "coin": 4}
    assert (cards("A3")[0], cards("R4", "DS")) == (table.clan(seat).action, table.clan(seat).lantern)
    assert table.state.order[0] == table.seat
    assert table.options == ["pair:1", "pair:2"]


def test_free_resources_of_a_pair_are_chosen_before_the_next_draft() -> None:
    """R5 has three free resources; its owner chooses them first, and may exchange a seal (W-4.13)."""
    table = Situation.new(2)
    seat = table.state.order[-1]
    first, second = cards("R5", "A3")
    table.state.offer = ((first, second), *table.state.offer[1:])
    table.answer("pair:0")

    assert ("choose_resource", seat) == (table.kind, table.seat)
    assert table.options == ["food", "iron", "pearl", "x:coin"]
    assert table.clan(seat).lantern == ()

    table.answer("food", "food", "iron")

    assert cards("R5") == table.clan(seat).lantern
    assert table.kind == "choose_start_pair"


def test_decrees_join_only_with_their_cards() -> None:
    """R1, R4 and R7 name a decree; no other card does (W-4.13)."""
    named = {CARD_NAMES[card]: CARD_NAMES[decree] for card, decree in DECREE_OF.items() if decree in DECREES}

    assert named == {"R1": "DC", "R4": "DS", "R7": "DV"}


def test_the_first_game_uses_its_printed_layout() -> None:
    """Castle and tiles are those of the TOML; the well has pearl and iron; the decks hold the others (W-4.14)."""
    state = Situation.new(2, first_game="on").state

    assert cards("S10", "S05", "S02", "D05", "D11") == tuple(state.castle)
    assert FIRST_GAME.tiles == state.board.tiles
    assert [DIE_TILE_NAMES[tile] for tile in state.board.public.well_tiles] == ["K03", "K07"]
    assert (len(state.stewards), len(state.diplomats)) == (6, 7)
    assert not {*state.castle} & {*state.stewards, *state.diplomats}


@pytest.mark.parametrize(("cards_on", "tiles_on"), [("on", "off"), ("off", "on")])
def test_the_two_choices_of_a_first_play_are_independent(cards_on: str, tiles_on: str) -> None:
    """Fixed cards go with drawn tiles and drawn cards with fixed tiles (W-4.14)."""
    state = Situation.new(2, first_cards=cards_on, first_tiles=tiles_on).state

    assert (tuple(state.castle) == FIRST_GAME.castle, state.board.tiles == FIRST_GAME.tiles) == (
        cards_on == "on",
        tiles_on == "on",
    )
    assert not {*state.castle} & {*state.stewards, *state.diplomats}


def test_the_former_setting_is_still_understood() -> None:
    """`first_game` stands for both choices, in a ladder file as in a record of version 1 (W-4.15)."""
    (first,) = GAME.earlier
    both = {"rival": "easy", "first_cards": "on", "first_tiles": "on"}

    assert settle_variant(GAME, 2, {"first_game": "on"}) == both
    assert settle_variant(GAME, 2, {"first_game": "off"}) == settle_variant(GAME, 2, {})
    assert variant_of(GAME, 1, first.digest, 2, {"rival": "easy", "first_game": "on"}) == both
    with pytest.raises(BadSetting, match="first_game=on stands for first_cards=on, and first_cards=off was chosen"):
        settle_variant(GAME, 2, {"first_game": "on", "first_cards": "off"})
    with pytest.raises(UnknownName, match="value of white_castle's first_game"):
        settle_variant(GAME, 2, {"first_game": "maybe"})


@pytest.mark.parametrize("seats", SEATS)
def test_set_up_takes_its_luck_from_named_streams(seats: int) -> None:
    """Exactly the streams of W-14 are used (W-14)."""
    chance = Recording(Sealed(secret_from_seed("set-up")))
    GAME.start(seats, {"rival": "easy", "first_cards": "off", "first_tiles": "off"}, chance)
    expected = {
        "steward-deck",
        "diplomat-deck",
        "daimyo",
        "die-tiles/marked",
        "die-tiles/rest",
        "gardens/plant",
        "gardens/stone",
        "yard-tiles",
        "turn-order" if seats > 1 else "solo-deck/1",
        "starting-resources",
        "starting-actions",
        *(f"dice/1/{colour}" for colour in COLOURS),
    }

    assert expected == {outcome.stream for outcome in chance.take()}


def test_every_castle_card_has_one_dark_row() -> None:
    """Stewards two light rows, diplomats one (W-4.2)."""
    assert [len(card.light) for card in CARDS[:27]] == [2] * 15 + [1] * 12
    assert all(card.dark in ("courtier", "gardener", "warrior") for card in CARDS[:27])
    assert NOTHING not in FIRST_GAME.castle
