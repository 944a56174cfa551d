"""Solo mode: the rival (W-16)."""

from __future__ import annotations

import random

import pytest

from referee.games.white_castle import GAME, scoring, setup, solo
from referee.games.white_castle.components import COIN, NOTHING, SOLO_CARDS, VP
from referee.games.white_castle.state import RIVAL
from referee.kernel.chance import Fast
from referee.kernel.game import TABLE, Event, Verb, settle_variant
from tests.games.white_castle.situations import GARDEN_NUMBERS, Situation, cards

NUMBERS = {card.name: number for number, card in enumerate(SOLO_CARDS)}


def deck(*names: str) -> tuple[int, ...]:
    """A solo deck that begins with these cards."""
    first = [NUMBERS[name] for name in names]
    return (*first, *(card for card in range(9) if card not in first))


def rival_acts(table: Situation, *actions: tuple[str, int]) -> Situation:
    """Let the rival do single actions, as its cards would."""
    for op, amount in actions:
        before = len(table.state.stack)
        if not solo.ACTIONS[op](table.state, amount, table.events):
            table.state.clans[RIVAL].goods[VP] += table.state.round
        assert before <= len(table.state.stack)
    return table


@pytest.mark.parametrize(
    ("level", "points", "space", "order"), [("easy", 0, 0, (0, 1)), ("medium", 3, 1, (1, 0)), ("hard", 8, 3, (1, 0))]
)
def test_the_level_sets_the_rivals_start(level: str, points: int, space: int, order: tuple[int, int]) -> None:
    """Points, time space and turn order by level; on easy the player's marker is on top (W-16.2)."""
    state = setup.lay_out(1, {"rival": level, "first_cards": "off", "first_tiles": "off"}, Fast(2))
    rival = state.clans[RIVAL]

    assert (points, space, order) == (rival.goods[VP], rival.space, state.order)
    assert list(order) == state.track
    assert rival.home == [5, 5, 5]


def test_the_player_is_dealt_one_pair() -> None:
    """No draft: one resource card, its gains, one action card; solo deck shuffled, its top in the open (W-16.1)."""
    table = Situation.new(1, Fast(1))
    while table.kind == "choose_resource":
        table.answer("food")
    clan = table.clan(0)

    assert table.kind == "take_die"
    assert clan.action in range(27, 33)
    assert clan.lantern[0] in range(33, 42)
    assert len({*table.state.solo_deck}) == 9
    assert table.state.solo_unknown == 8


def test_t22_the_rival_gains_coins_for_a_surplus_and_never_pays() -> None:
    """W-T22: a 4 on free `steward_2` +1; diverted to the well +3, no more; a 2 on `diplomat_1` nothing (W-16.5)."""
    table = Situation.in_round_one(1)
    state, rival = table.state, table.state.clans[RIVAL]
    state.bridges = [(0, (), 2), (4, (), 4), (1, (), 1)]
    state.solo_deck = deck("T1", "T4")
    solo.take_turn(state, table.events)

    assert (rival.goods[COIN], state.spaces[1]) == (1, ((1, 4),))

    state.spaces[6] = ((2, 1),)
    state.solo_deck = deck("T1", "T6")
    solo.take_turn(state, table.events)

    assert (rival.goods[COIN], state.spaces[7]) == (4, ((1, 4),))
    assert rival.goods == [0, 0, 0, 4, 0, 0]

    state.solo_deck = deck("T1", "T3")
    solo.take_turn(state, table.events)

    assert (rival.goods[COIN], state.spaces[3]) == (4, ((0, 2),))


def test_the_rival_ignores_room_colours() -> None:
    """The rival's die goes to a room that does not show its colour (W-16.3)."""
    table = Situation.in_round_one(1, rooms={"steward_3": ("coral", "black", "coral")})
    table.state.bridges = [(0, (), 2), (1, (), 1), (3, (), 5)]
    table.state.solo_deck = deck("T1", "T7")
    solo.take_turn(table.state, table.events)

    assert table.state.spaces[2] == ((2, 3),)


def test_the_rival_flips_until_the_top_card_names_a_die_that_is_there() -> None:
    """Cards whose die is missing are flipped into the row (W-16.4)."""
    table = Situation.in_round_one(1)
    state = table.state
    state.bridges = [(0, (), 2), (1, (), 1), (0, (), 5)]
    state.solo_deck = deck("T2", "T1", "T7", "T8", "T9", "T3")
    solo.take_turn(state, table.events)

    assert tuple(NUMBERS[name] for name in ("T2", "T1", "T7", "T8")) == state.solo_row
    assert NUMBERS["T9"] == state.solo_deck[0]
    assert ("rival_acts", 0, NUMBERS["T7"], NUMBERS["T8"]) == state.stack[-1]


def test_e12_the_last_two_cards_act_and_the_impossible_pays_the_round() -> None:
    """W-E12: row B, C, D in round 3: C top, C bottom, D top, D bottom; an impossible one gives 3 VP (W-16.6)."""
    table = Situation.in_round_one(1)
    state, rival = table.state, table.state.clans[RIVAL]
    state.round = 3
    # C = T6 (gate, up 1) with no courtier in stock or below floor 3; D = T5 (warrior 5, 1 VP).
    rival.home[0], rival.court[6] = 0, 5
    state.solo_deck = deck("T7", "T6", "T5", "T8")
    state.bridges = [(1, (), 6), (0, (), 0), (0, (4,), 0)]
    solo.take_turn(state, table.events)
    table.run()

    assert rival.goods[VP] == 3 + 3 + 1
    assert rival.yards == [1, 0, 0]


def test_actions_go_card_by_card_top_then_bottom() -> None:
    """T6 sends a courtier to the gate before it lifts the lowest one (W-16.6, W-R12)."""
    table = Situation.in_round_one(1)
    state, rival = table.state, table.state.clans[RIVAL]
    state.bridges = [(1, (2,), 6), (1, (2,), 2), (1, (4,), 5)]
    state.solo_deck = deck("T6", "T1")
    solo.take_turn(state, table.events)
    table.run()

    assert (table.kind, table.options) == ("rival_room", ["room:steward_1", "room:steward_2", "room:steward_3"])

    table.answer("room:steward_2")

    assert rival.court == [0, 0, 1, 0, 0, 0, 0]


def test_t33_the_row_goes_under_the_deck_in_its_order() -> None:
    """W-T33: row B, C, D, then E on top: afterwards E, untouched cards, B, C, D (W-16.7, W-R13)."""
    table = Situation.in_round_one(1)
    state = table.state
    state.bridges = [(0, (), 6), (1, (), 6), (0, (), 5)]
    state.solo_deck = deck("T2", "T1", "T7", "T4")
    untouched = state.solo_deck[4:]
    solo.take_turn(state, table.events)
    table.state.stack = [("turns", 2), state.stack[-1]]
    table.run()
    while table.kind.startswith("rival"):
        table.answer(table.options[0])

    assert (NUMBERS["T4"], *untouched, NUMBERS["T2"], NUMBERS["T1"], NUMBERS["T7"]) == state.solo_deck
    emptied = state.solo_row
    assert emptied == ()

    solo.take_turn(state, table.events)

    assert NUMBERS["T4"] == state.solo_row[0]


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("seed", range(8))
def test_t33_the_row_has_at_most_six_cards(level: str, seed: int) -> None:
    """W-T33: nine dice are named and at least four are there, so six flips are enough (W-16.4)."""
    rng, chance = random.Random(seed), Fast(seed)
    state = GAME.start(1, settle_variant(GAME, 1, {"rival": level}), chance)
    rows = []
    while asks := GAME.pending(state):
        options = GAME.options(state, asks[0].seat)
        events = GAME.apply(state, {asks[0].seat: options[rng.randrange(len(options))]}, chance)
        rows += [len(event.items) - 1 for event in events if event.subject == "solo cards"]

    assert len(rows) in (8, 9)
    assert max(rows) <= 6


def test_t23_coins_become_points_in_heaps() -> None:
    """W-T23: eleven coins after round 2: first 3 x 2 = 6 VP and 2 left, second 2 x 2 = 4 VP and 1 left.

    The sale is told (W-16.9, W-16.12).
    """
    for order, points, left in [((1, 0), 6, 2), ((0, 1), 4, 1)]:
        table = Situation.in_round_one(1)
        table.state.round, table.state.order = 2, order
        table.clan(RIVAL, coin=11)
        solo.sell_coins(table.state, table.events)

        assert (points, left) == (table.goods(RIVAL)["vp"], table.goods(RIVAL)["coin"])
        assert [
            Event(Verb.PAID, TABLE, "rival coin", (), 11 - left),
            Event(Verb.GAINED, TABLE, "rival vp", (), points),
        ] == table.events


def test_no_sale_is_told_where_no_heap_is_full() -> None:
    """Two coins are no heap: they stay, and no event is emitted (W-16.9, W-16.12)."""
    table = Situation.in_round_one(1)
    table.state.round, table.state.order = 2, (1, 0)
    table.clan(RIVAL, coin=2)
    solo.sell_coins(table.state, table.events)

    assert (table.events, table.goods(RIVAL)["coin"]) == ([], 2)


def test_t24_up_two_from_floor_two_takes_the_leftmost_free_slot() -> None:
    """W-T24: its only courtier on floor 2 goes to floor 3 and the first free slot (W-16.8, W-16.12, W-R14)."""
    table = Situation.in_round_one(1)
    table.away(RIVAL, floor2=1)
    table.state.favours = [0, NOTHING, NOTHING]
    rival_acts(table, ("up", 2))

    assert (table.state.favours, table.clan(RIVAL).court[6]) == ([0, RIVAL, NOTHING], 1)
    assert Event(Verb.CHOSE, TABLE, "rival favour", (1,)) in table.events


def test_t24_with_all_on_floor_three_up_is_impossible() -> None:
    """W-T24: in round 2 the action gives two points instead (W-16.6, W-16.8)."""
    table = Situation.in_round_one(1)
    table.state.round = 2
    table.away(RIVAL, floor3=3)
    rival_acts(table, ("up", 2))

    assert table.goods(RIVAL) == {"vp": 2}


def test_full_slots_do_not_keep_the_rival_from_floor_three() -> None:
    """No free slot: the courtier rises all the same (W-16.8)."""
    table = Situation.in_round_one(1)
    table.away(RIVAL, floor1=1)
    table.state.favours = [0, 0, 0]
    rival_acts(table, ("up", 2))

    assert (table.state.favours, table.clan(RIVAL).court[6]) == ([0, 0, 0], 1)
    assert "rival favour" not in [event.subject for event in table.events]


def test_the_lowest_courtier_rises() -> None:
    """Gate before floor 1 before floor 2; two floors from the gate end on floor 2 (W-16.8)."""
    table = Situation.in_round_one(1)
    table.away(RIVAL, gate=1, floor1=1, floor2=1)
    rival_acts(table, ("up", 2))

    assert (table.kind, table.options) == ("rival_room", ["room:diplomat_1", "room:diplomat_2"])

    removed = table.state.castle[4]
    table.answer("room:diplomat_2")

    assert table.clan(RIVAL).court == [0, 1, 0, 0, 1, 1, 0]
    assert (removed,) == table.state.gone
    assert removed != table.state.castle[4]


def test_with_an_empty_deck_the_room_card_stays_and_nothing_is_asked() -> None:
    """The courtier rises, no card leaves (W-16.8, W-R15, W-19)."""
    table = Situation.in_round_one(1)
    table.away(RIVAL, gate=1)
    table.state.stewards = ()
    castle = table.state.castle[:]
    rival_acts(table, ("up", 1))

    assert table.kind == "take_die"
    assert (castle, ()) == (table.state.castle, table.state.gone)
    assert table.clan(RIVAL).on_floor(1) == 1


def test_t25_influence_passes_gates_for_nothing() -> None:
    """W-T25: from 5 two steps lead to 7 (W-16.3, W-16.8)."""
    table = Situation.in_round_one(1)
    table.clan(RIVAL).space = 5
    table.state.track = [1, 0]
    rival_acts(table, ("influence", 2))

    assert (table.clan(RIVAL).space, table.goods(RIVAL)) == (7, {})


def test_influence_is_impossible_only_on_the_last_space() -> None:
    """From 19 two steps count as done; on 20 the action gives points for the round (W-16.8, W-R16)."""
    table = Situation.in_round_one(1)
    table.clan(RIVAL).space = 19
    rival_acts(table, ("influence", 2))

    assert (table.clan(RIVAL).space, table.goods(RIVAL)) == (20, {})

    rival_acts(table, ("influence", 1))

    assert table.goods(RIVAL) == {"vp": 1}


def test_the_rival_lands_on_top_of_a_stack() -> None:
    """The rival's marker lies above the player's when it arrives on the same space (W-16.8)."""
    table = Situation.in_round_one(1)
    table.clan(0).space = 1
    rival_acts(table, ("influence", 1))

    assert table.state.track == [1, 0]


def test_a_rival_gardener_takes_the_card_with_the_fewest_points() -> None:
    """Stone: GS1 and GS2 tie with one point, the human chooses; then the other without a question (W-16.8)."""
    table = Situation.in_round_one(1)
    rival_acts(table, ("garden", 1))

    assert (table.kind, table.options) == ("rival_garden", ["garden:GS1", "garden:GS2"])

    table.answer("garden:GS2")
    rival_acts(table, ("garden", 1), ("garden", 2))

    expected = sum(1 << GARDEN_NUMBERS[name] for name in ("GS2", "GS1", "GS3"))
    assert (expected, 2) == (table.clan(RIVAL).gardens, table.home(RIVAL)["gardener"])


def test_a_rival_gardener_needs_a_free_card_of_the_type() -> None:
    """All three plants taken, or none at home: points for the round (W-16.8)."""
    table = Situation.in_round_one(1)
    for name in ("GP2", "GP3", "GP5"):
        table.clan(RIVAL).gardens |= 1 << GARDEN_NUMBERS[name]
    rival_acts(table, ("garden", 0))

    assert table.goods(RIVAL) == {"vp": 1}

    table.clan(RIVAL).home[1] = 0
    rival_acts(table, ("garden", 2))

    assert table.goods(RIVAL) == {"vp": 2}


def test_warriors_and_the_gate_need_stock() -> None:
    """Yards by iron cost; without stock each action gives points (W-16.8)."""
    table = Situation.in_round_one(1)
    rival_acts(table, ("warrior", 1), ("gate", 1), ("coin", 3), ("vp", 1))

    assert (
        table.clan(RIVAL).yards,
        table.clan(RIVAL).court[0],
        table.goods(RIVAL),
    ) == ([0, 1, 0], 1, {"coin": 3, "vp": 1})

    table.clan(RIVAL).home[:] = [0, 5, 0]
    rival_acts(table, ("warrior", 0), ("gate", 1))

    assert table.goods(RIVAL) == {"coin": 3, "vp": 3}


def test_questions_about_the_rival_offer_no_exchange() -> None:
    """`rival_room` and `rival_garden` are not the player's own decisions (W-6.4)."""
    table = Situation.in_round_one(1)
    table.clan(0, seal=5)
    rival_acts(table, ("garden", 1))

    assert not any(text.startswith("x:") for text in table.options)


def test_the_garden_step_pays_the_round_for_each_active_gardener() -> None:
    """Two gardeners under active bridges in round 2 give four points (W-16.10)."""
    table = Situation.in_round_one(1)
    table.state.round = 2
    table.state.bridges = [(1, (), 1), (0, (), 2), (0, (), 0)]
    for name in ("GS1", "GS2", "GS3"):
        table.clan(RIVAL).gardens |= 1 << GARDEN_NUMBERS[name]
    solo.garden_step(table.state, table.events)

    assert table.goods(RIVAL) == {"vp": 4}


def test_the_end_of_a_round_sells_coins_pays_gardens_and_shuffles() -> None:
    """Order, coins, gardens in order, then all nine cards shuffled unseen (W-16.9, W-16.10)."""
    table = Situation.in_round_one(1)
    table.clan(RIVAL, coin=6).space = 2
    table.state.track = [1, 0]
    table.state.bridges = [(1, (), 1), (0, (), 2), (0, (), 0)]
    table.clan(RIVAL).gardens = 1 << GARDEN_NUMBERS["GS1"]
    table.state.solo_unknown = 0
    table.state.stack = [("turns", 6)]
    table.run()

    assert table.state.round == 2
    assert table.goods(RIVAL)["vp"] >= 2 + 1
    assert len({*table.state.solo_deck, *table.state.solo_row}) == 9


def test_t34_round_three_still_sells_coins_and_has_no_garden_step() -> None:
    """W-T34: first in order with seven coins: 2 x 3 = 6 VP; the coin left over scores nothing (W-16.9, W-16.11)."""
    table = Situation.in_round_one(1)
    table.state.round = 3
    table.clan(RIVAL, coin=7).space = 6
    table.state.track = [1, 0]
    table.clan(RIVAL).gardens = 1 << GARDEN_NUMBERS["GS1"]
    table.state.stack = [("turns", 6)]
    table.run()

    assert scoring.breakdown(table.state, RIVAL) == (6, 0, 0, 3, 0, 0, 1)

    result = GAME.result(table.state)

    assert result is not None
    assert (result.places, result.points, result.automata) == ((2, 1), (0, 10), ("rival",))


def test_the_rival_scores_no_coins_and_resources() -> None:
    """Items 3 to 6 only (W-16.11)."""
    table = Situation.in_round_one(1)
    table.clan(RIVAL, coin=50)
    table.away(RIVAL, gate=1, floor1=1)
    table.clan(RIVAL).yards = [1, 0, 0]

    assert scoring.breakdown(table.state, RIVAL) == (0, 0, 0, 0, 4, 2, 0)


def test_the_rival_is_never_asked() -> None:
    """Whatever happens, seat 0 decides (W-16.3)."""
    rng, chance = random.Random(4), Fast(4)
    state = GAME.start(1, settle_variant(GAME, 1, {"rival": "hard"}), chance)
    while asks := GAME.pending(state):
        assert [ask.seat for ask in asks] == [0]
        options = GAME.options(state, 0)
        GAME.apply(state, {0: options[rng.randrange(len(options))]}, chance)


def test_what_has_cycled_is_known_until_the_next_shuffle() -> None:
    """After a turn of one flip the flipped card is public at the bottom, seven cards are unknown (W-15, W-16.7)."""
    table = Situation.in_round_one(1)
    state = table.state
    state.bridges = [(1, (2,), 6), (1, (2,), 2), (1, (4,), 5)]
    state.solo_deck, state.solo_unknown = deck("T8", "T1"), 8
    state.stack = [("turns", 2)]
    solo.take_turn(state, table.events)
    table.run()
    seen = GAME.view(state, 0).solo

    assert seen is not None
    assert (NUMBERS["T1"], (NUMBERS["T8"],), ()) == (seen.top, seen.cycled, seen.row)
    assert len(seen.unknown) == 7
    assert sorted(seen.unknown) == list(seen.unknown)


def test_the_rival_has_no_card_and_no_domain() -> None:
    """The rival has no card on a domain and no lantern area (W-16.3)."""
    table = Situation.new(1, rival="hard")

    assert (table.clan(RIVAL).action, table.clan(RIVAL).lantern) == (NOTHING, ())
    assert cards("A1")[0] != table.clan(RIVAL).action
