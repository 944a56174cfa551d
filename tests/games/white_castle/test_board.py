"""What people are shown of The White Castle: figures, words and clicks that agree with the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

import pytest

from referee.games.white_castle import GAME, State, View
from referee.games.white_castle.batches import receive
from referee.games.white_castle.board import BOARD
from referee.games.white_castle.components import CARD_NAMES, COIN, EFFECTS, GOODS, PEARL, VP
from referee.games.white_castle.game import HANDLERS
from referee.games.white_castle.outlook import gains
from referee.games.white_castle.scoring import CATEGORIES, breakdown, result
from referee.kernel.board import Choice
from referee.kernel.chance import Fast
from referee.kernel.game import TABLE, Event, Option, Pending, Verb
from tests.games.white_castle.described import PATH, described
from tests.games.white_castle.journeys import moments
from tests.games.white_castle.situations import Situation

PLACES = {
    "pair": {"pair"},
    "bridge": {"colour", "end"},
    "space": {"space"},
    "domain": {"colour"},
    "pending": {"entry"},
    "member": {"member"},
    "garden": {"garden"},
    "yard": {"yard"},
    "gate": set(),
    "floor": {"floor"},
    "room": {"room"},
    "light": {"row"},
    "favour": {"slot"},
    "row": {"room", "row"},
    "resource": {"good"},
    "exchange": {"good", "seals"},
}
"""By `on`: the other fields of a place, as `choices.py` documents them."""
TABLES: Sequence[tuple[int, dict[str, str]]] = (
    (1, {}),
    (1, {"rival": "hard"}),
    (2, {}),
    (2, {"first_cards": "on", "first_tiles": "on"}),
    (3, {}),
    (4, {}),
)
tables = pytest.mark.parametrize(("seats", "variant"), TABLES)


def asks(
    seats: int, variant: dict[str, str], seed: int = 2, eager: bool = True
) -> Iterator[tuple[State, Pending, Sequence[Option], Sequence[Choice]]]:
    """Every ask of a game with its options, as the rules list them and as people choose them."""
    for state, _ in moments(seats, seed, variant, eager):
        for ask in GAME.pending(state):
            options = GAME.options(state, ask.seat)
            yield state, ask, options, BOARD.choices(GAME.view(state, ask.seat), ask.kind, options)


def points_of(view: View) -> dict[str, list[int]]:
    """The fact `points` by category."""
    rows = cast("list[dict[str, Any]]", BOARD.facts(view, ())["points"])
    return {row["category"]: row["points"] for row in rows}


def brings(table: Situation) -> dict[str, str]:
    """What each option of the open decision brings, by its words."""
    seat, kind = GAME.pending(table.state)[0]
    found = BOARD.choices(GAME.view(table.state, seat), kind, GAME.options(table.state, seat))
    return {choice.words: choice.brings for choice in found}


@tables
def test_points_by_category_are_those_of_the_rules(seats: int, variant: dict[str, str]) -> None:
    """In every position each category holds what the rules would score now; at the end the sums are the result."""
    for state, _ in moments(seats, 5, variant):
        clans = range(len(state.clans))
        found = points_of(GAME.view(state, None))

        assert found == {name: [breakdown(state, clan)[at] for clan in clans] for at, name in enumerate(CATEGORIES)}

    final = result(state)

    assert final is not None
    assert [sum(column) for column in zip(*found.values(), strict=True)] == list(final.points)
    assert BOARD.facts(GAME.view(state, None), ())["places"] == list(final.places)
    assert all(sum(row) for row in zip(*found.values(), strict=True))


def test_no_places_stand_in_the_facts_before_the_end() -> None:
    """While a decision is open the facts name no winner."""
    assert BOARD.facts(GAME.view(Situation.new().state, None), ())["places"] == []


@tables
@pytest.mark.parametrize("eager", [False, True])
def test_choices_are_the_options_in_the_same_order(seats: int, variant: dict[str, str], eager: bool) -> None:
    """As many as the options, each in the words of `answer`; the clicks are unique and none begins another."""
    for state, (seat, kind), options, choices in asks(seats, variant, eager=eager):
        view = GAME.view(state, seat)
        paths = sorted(tuple(part.key for part in choice.path) for choice in choices)

        assert [BOARD.answer(view, kind, option) for option in options] == [choice.words for choice in choices]
        assert len({choice.words for choice in choices}) == len(options) == len(set(paths))
        assert [first for first, second in pairwise(paths) if second[: len(first)] == first] == []
        assert all(path for path in paths)


@tables
def test_every_click_has_words_and_a_documented_place(seats: int, variant: dict[str, str]) -> None:
    """Parts with the same keys are the same part; places have the fields that are documented."""
    for _, _, _, choices in asks(seats, variant, 3):
        known: dict[tuple[str, ...], Any] = {}
        for choice in choices:
            for at, part in enumerate(choice.path):
                place = dict(part.place)
                keys = tuple(it.key for it in choice.path[: at + 1])

                assert part.words
                assert known.setdefault(keys, part) == part
                assert not place or place.keys() == {"on", *PLACES[str(place["on"])]}


def test_every_kind_of_ask_and_of_event_has_words() -> None:
    """Over whole games at every seat count each kind of decision is asked and every event is told in words."""
    kinds, events = set(), set()
    for seats in GAME.seats:
        for seed in range(6):
            for state, happened in moments(seats, seed):
                for event in happened:
                    events.add((event.verb, event.subject, event.seat == TABLE))
                    assert BOARD.event(event)
                for seat, kind in GAME.pending(state):
                    kinds.add(kind)
                    assert BOARD.question(GAME.view(state, seat), kind).endswith("?")

    assert kinds == set(HANDLERS)
    assert len(events) >= 50


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event(Verb.CHOSE, 0, "take_die", ("die:coral:left",)), "took the left die of the coral bridge"),
        (Event(Verb.CHOSE, 0, "place_die", ("space:steward_2",)), "placed the die on steward room 2"),
        (Event(Verb.CHOSE, 0, "place_die", ("space:domain_black",)), "placed the die on its black row"),
        (Event(Verb.CHOSE, 0, "choose_light", ("row:2",)), "did light row 3 of the card just taken"),
        (Event(Verb.CHOSE, 0, "choose_castle_action", ("row:diplomat_1:0",)), "did row 1 of diplomat room 1"),
        (
            Event(Verb.CHOSE, 0, "courtier", ("climb:floor1:2:favour",)),
            "sent a courtier from floor 1 to floor 3",
        ),
        (Event(Verb.CHOSE, 0, "rival_garden", ("garden:GP3",)), "chose garden GP3 for the rival's gardener"),
        (Event(Verb.CHOSE, 0, "pay_gate", ("x:coin",)), "exchanged 1 seal for 1 coin"),
        (Event(Verb.CHOSE, 0, "choose_start_pair", ("pair:0",)), "drafted pair 1"),
        (Event(Verb.GAINED, 1, "vp", (), 2), "gained 2 VP"),
        (Event(Verb.ROLLED, TABLE, "white", (1, 3, 6)), "the white dice were rolled: 1, 3 and 6"),
        (Event(Verb.REVEALED, TABLE, "steward_1", ("S02",)), "steward room 1 got card S02"),
        (Event(Verb.ORDER, TABLE, "turn", ("rival", 0)), "the turn order is now the rival and seat 1"),
        (Event(Verb.CHOSE, TABLE, "rival favour", (0,)), "the rival took favour 1 of the daimyo"),
        (
            Event(Verb.SCORED, 0, "game", (8, 1, 0, 6, 25, 18, 15), 73),
            "scored 73 VP: 8 collected, 1 for coins and seals, 6 for time, 25 for courtiers, 18 for warriors,"
            " 15 for gardens",
        ),
    ],
)
def test_events_are_told_in_the_words_of_the_rules(event: Event, words: str) -> None:
    """Rooms, rows, pairs and favours are counted from one; cards and gardens keep their names."""
    assert BOARD.event(event) == words


def test_what_a_placed_die_brings_is_told_before() -> None:
    """The difference in coins, then the lantern of a left die, then the rows beside tiles of its colour (W-20, E1)."""
    tiles = ("white", "coral", "white")
    table = Situation.in_round_one(rooms={"steward_3": tiles}, castle={"steward_3": "S02"})
    table.clan(0, coin=1).lantern = tuple(CARD_NAMES.index(name) for name in ("R7", "S01"))

    table.ask("place_die", 0, 2, 5, 0)
    assert brings(table)["steward room 3"] == (
        "gain 2 coins; then the lantern: 1 food and 1 coin; then pay 1 seal for a courtier action, out of reach; 2 iron"
    )
    table.ask("place_die", 0, 2, 5, 2)
    assert brings(table)["your white row"] == "pay 1 coin; then 1 pearl; then a courtier action, out of reach"
    assert brings(table)["outside 1"] == "a gardener action or a courtier action"


def test_what_a_member_brings_is_told_before() -> None:
    """The price, the points as things stand, and the effects (W-10.1 to W-10.3)."""
    table = Situation.in_round_one(gardens=("GP2", "GS1", "GP3", "GS2", "GP5", "GS3"), yards=("Y1", "Y2", "Y3", "Y4"))
    table.clan(0, food=4, iron=5, coin=3, pearl=2)
    table.away(0, floor1=1, gate=1)

    table.ask("place_gardener", 0)
    assert brings(table)["garden GP3"] == (
        "pay 4 food, 6 VP more as things stand; then pay 3 coins for a courtier action"
    )
    table.ask("place_warrior", 0)
    assert brings(table)["the yard for 5 iron"] == (
        "pay 5 iron, 1 VP more as things stand; then a courtier action and 2 influence"
    )
    table.ask("courtier", 0, 0, 0)
    found = brings(table)
    assert found["audience: a courtier goes to the gate"] == "pay 2 coins; then 1 VP more as things stand"
    assert found["climb from floor 1 to diplomat room 1"] == (
        "pay 2 pearls, 3 VP more as things stand; then card D05 for the domain; then 3 resources of your choice"
    )


def test_goods_above_the_cap_are_not_promised() -> None:
    """In every position what a batch brings in fixed goods is what the rules then add (W-3.2, W-6.1)."""
    checked = 0
    batches = [effect for effect in EFFECTS if effect.op == "batch"]
    for at, (state, _) in enumerate(moments(2, 9)):
        view = GAME.view(state, None)
        for effect in batches[at % 7 :: 7]:
            promised = dict(gains(view, 0, effect))
            after = state.clone()
            receive(after, 0, effect, [])
            for good in (*range(PEARL + 1), COIN, VP):
                checked += 1

                assert after.clans[0].goods[good] - state.clans[0].goods[good] == promised.get(good, 0), GOODS[good]

    assert checked > 5000


@pytest.mark.parametrize("seats", GAME.seats)
def test_actions_out_of_reach_are_those_that_end_without_a_decision(seats: int) -> None:
    """An action outside the walls that is told to be out of reach is skipped, every other one is asked (W-10)."""
    seen = set()
    for seed in range(8):
        for state, (seat, kind), options, choices in asks(seats, {}, seed):
            if kind != "outside_action":
                continue
            for option, choice in zip(options, choices, strict=True):
                if cast("Any", option).text in ("courtier", "gardener", "warrior"):
                    after = state.clone()
                    events = GAME.apply(after, {seat: option}, Fast(seed))
                    frame = after.stack[-1] if after.stack else ("",)
                    asked = frame[0] in ("courtier", "place_gardener", "place_warrior") and frame[1] == seat
                    seen.add(asked)

                    assert asked is (choice.brings != "out of reach"), events

    assert seen == {True, False}


def test_a_climb_is_chosen_by_the_courtier_and_then_the_place() -> None:
    """Climbs from one floor share their first click; an audience is one click on the gate."""
    table = Situation.in_round_one()
    table.clan(0, coin=2, pearl=2)
    table.away(0, gate=1)
    table.ask("courtier", 0, 0, 0)
    seat, kind = GAME.pending(table.state)[0]
    found = BOARD.choices(GAME.view(table.state, seat), kind, GAME.options(table.state, seat))

    assert [[part.key for part in choice.path] for choice in found] == [
        ["audience"],
        ["climb:gate", "to:steward_1"],
        ["climb:gate", "to:steward_2"],
        ["climb:gate", "to:steward_3"],
        ["done"],
    ]


@tables
def test_every_icon_of_the_facts_is_a_known_sign(seats: int, variant: dict[str, str]) -> None:
    """Each icon is a sign of the list in `facts.py` with an amount; every open card has its words."""
    signs = {*GOODS, "influence", "any", "lantern", "well", "courtier", "gardener", "warrior", "domain"}
    signs |= {f"row_{scope}" for scope in ("coral", "black", "white", "any", "light")}

    def icons(value: Any) -> Iterator[tuple[str, int]]:
        if isinstance(value, dict):
            for name, inner in value.items():
                yield from map(tuple, inner) if name in ("icons", "gain") else icons(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from icons(inner)

    for state, events in moments(seats, 6, variant):
        facts = cast("Any", BOARD.facts(GAME.view(state, None), events))

        assert {sign for sign, _ in icons(facts)} <= signs
        assert all(card["tip"] for card in facts["cards"].values())
        assert {str(card) for card in state.castle if card >= 0} <= facts["cards"].keys()


def test_a_domain_row_shows_its_slots_in_the_order_of_the_domain() -> None:
    """The base and the five slots of the coral row, as W-9.5 lays them bare."""
    slots = cast("Any", BOARD.facts(GAME.view(Situation.new().state, None), ()))["board"]["slots"]

    assert slots[0] == [[["food", 1]], [["food", 1]], [["food", 1]], [["coin", 2]], [["food", 1]], [["seal", 1]]]


def test_the_hidden_orders_stand_nowhere() -> None:
    """Another order of the decks, of the tiles' backs and of the unknown solo cards changes no figure and no word."""
    for state, events in moments(1, 8):
        view = GAME.view(state, None)
        other = GAME.determinise(view, Fast(77))
        twin = GAME.view(other, None)

        assert BOARD.facts(view, events) == BOARD.facts(twin, events)
        assert BOARD.describe(view) == BOARD.describe(twin)


def test_the_board_in_words_is_as_it_was() -> None:
    """The whole text of one position of two seats, under sixty rows."""
    text, rows = described()

    assert PATH.read_text(encoding="utf-8") == text
    assert rows < 60
