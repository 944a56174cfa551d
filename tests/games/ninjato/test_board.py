"""What people are shown of Ninjato: figures, words and clicks that agree with the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

import pytest

from referee.games.ninjato import GAME
from referee.games.ninjato.board import BOARD
from referee.games.ninjato.choices import FEW
from referee.games.ninjato.components import FORCE, STEALTH, TOKENS
from referee.games.ninjato.game import HANDLERS
from referee.games.ninjato.options import Pay, Place
from referee.games.ninjato.scoring import bonuses, ranking, result
from referee.games.ninjato.state import ELITE, State
from referee.kernel.board import Choice
from referee.kernel.chance import Fast
from referee.kernel.game import TABLE, Event, Option, Verb
from tests.games.ninjato.described import PATH, described
from tests.games.ninjato.journeys import Eager, Random
from tests.games.ninjato.stage import ENVOY, RUMOR, Stage, play

PLACES = {
    "space": {"space"},
    "face_up": {"value"},
    "hand": {"value"},
    "dojo_deck": set(),
    "sensei": {"skill"},
    "palace": {"envoy"},
    "pavilion": {"rumor"},
    "ready": {"skill"},
    "used": {"skill"},
    "envoy": {"envoy"},
    "loot": {"treasure", "red"},
    "house": {"house", "treasure", "red"},
    "part": {"part"},
    "supply": {"token"},
}
"""By `on`: the other fields of a place, as `choices.py` documents them."""


def told(seats: int, seed: int, chooser: Any) -> Iterator[tuple[State, Sequence[Event]]]:
    """Every state of a game with the events that led to it, the same state object each time."""
    chance = Fast(seed)
    state = GAME.start(seats, {}, chance)
    yield state, ()
    while asks := GAME.pending(state):
        seat = asks[0].seat
        yield state, GAME.apply(state, {seat: chooser.choose(GAME.options(state, seat))}, chance)


def asked(seats: int, seed: int, chooser: Any) -> Iterator[tuple[State, str, Sequence[Option], Sequence[Choice]]]:
    """Every ask of a game with its options, as the rules list them and as people choose them."""
    for state, _ in told(seats, seed, chooser):
        for seat, kind in GAME.pending(state):
            options = GAME.options(state, seat)
            yield state, kind, options, BOARD.choices(GAME.view(state, seat), kind, options)


def categories(state: State) -> dict[str, list[int]]:
    """The fact `points` by category."""
    rows = cast("list[dict[str, Any]]", BOARD.facts(GAME.view(state, None), ())["points"])
    return {row["category"]: row["points"] for row in rows}


def choice_of(stage: Stage, words: str) -> Choice:
    """The choice of the decision that is due with certain words."""
    state = stage.state
    seat, kind = GAME.pending(state)[0]
    options = GAME.options(state, seat)
    return next(it for it in BOARD.choices(GAME.view(state, seat), kind, options) if it.words == words)


@pytest.mark.parametrize("seats", GAME.seats)
def test_points_add_up_to_what_was_scored(seats: int) -> None:
    """In every position the rounds hold what was scored in them; at the end each category holds its own events."""
    scored: Counter[tuple[str, int]] = Counter()
    clans = ("envoy", "rumor", "taira", "minamoto", "go_shirakawa")
    for state, events in told(seats, 5, Eager(5)):
        for event in events:
            if event.verb == Verb.SCORED:
                scored["rounds" if event.subject in clans else event.subject, event.seat] += event.amount
        found = categories(state)

        assert found["rounds"] == [scored["rounds", seat] for seat in range(seats)]

    assert found == {name: [scored[name, seat] for seat in range(seats)] for name in found}
    assert [sum(column) for column in zip(*found.values(), strict=True)] == state.honor
    assert sum(scored[name, seat] for name, seat in scored if name != "rounds") > 0


def test_points_in_the_middle_are_those_of_the_rules() -> None:
    """Before the end a category holds what the rules would add now."""
    stage = Stage(2).treasures(0, "fan", "gold")
    stage.state.rumors[0] = (RUMOR["foes_1"],)

    assert categories(stage.state)["treasures"] == [2, 0]
    assert categories(stage.state)["foes"] == [6, 0]
    assert categories(stage.state)["rounds"] == [0, 0]
    assert dict(bonuses(GAME.view(stage.state, 1), 0))["foes"] == 6


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("chooser", [Random, Eager])
def test_choices_are_the_options_in_the_same_order(seats: int, chooser: Any) -> None:
    """As many as the options, each in the words of `answer`; the clicks are unique and none begins another."""
    for state, kind, options, choices in asked(seats, 2, chooser(2)):
        view = GAME.view(state, GAME.pending(state)[0].seat)
        paths = sorted(tuple(part.key for part in choice.path) for choice in choices)

        assert [BOARD.answer(view, kind, option) for option in options] == [choice.words for choice in choices]
        assert len({choice.words for choice in choices}) == len(options) == len(set(paths))
        assert [first for first, second in pairwise(paths) if second[: len(first)] == first] == []
        assert all(path for path in paths)


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_click_has_words_and_a_documented_place(seats: int) -> None:
    """Parts with the same key after the same clicks are the same part; places have the fields that are documented."""
    for _, _, _, choices in asked(seats, 3, Eager(3)):
        known: dict[tuple[str, ...], Any] = {}
        for choice in choices:
            for at, part in enumerate(choice.path):
                place = dict(part.place)
                keys = tuple(it.key for it in choice.path[: at + 1])

                assert part.words
                assert known.setdefault(keys, part) == part
                assert not place or place.keys() == {"on", *PLACES[str(place["on"])]}


def test_every_kind_of_ask_and_of_event_has_words() -> None:
    """Over eager games at every seat count each kind of decision is asked and every event is told in words."""
    kinds, events = set(), set()
    for seats in GAME.seats:
        for seed in range(3):
            for state, happened in told(seats, seed, Eager(seed)):
                for event in happened:
                    events.add((event.verb, event.subject, event.seat == TABLE))
                    assert BOARD.event(event)
                for seat, kind in GAME.pending(state):
                    kinds.add(kind)
                    assert BOARD.question(GAME.view(state, seat), kind).endswith("?")

    assert kinds == set(HANDLERS)
    assert len(events) >= 45


def test_events_speak_of_houses_from_one() -> None:
    """House 0 of an event is house 1 in words, in events and in options alike."""
    placed = Event(Verb.CHOSE, 1, "place", ("house", 0, "stealth"))
    treasure = Event(Verb.REVEALED, TABLE, "house treasure", (4, "fan", "fan", "gold"), 3)

    assert BOARD.event(placed) == "sent a shuriken to house 1 by stealth"
    assert BOARD.event(treasure) == "house 5 got 2 fans and a gold"
    assert BOARD.answer(GAME.view(Stage(2).state, 0), "place", Place("place", "house", 0, STEALTH)) == (
        "raid house 1 by stealth"
    )


def test_a_play_is_told_in_the_words_of_its_option() -> None:
    """Base, supports and tiles, and the value where it is not the card's own."""
    stage = Stage(2).order(0, 1).hands([2, 3], [1, 1]).skills(0, "kenjutsu", "boryaku")
    stage.house(0, 4, ["fan", "jade"]).raiding(0, FORCE)
    words = "a 2 with a support and Kenjutsu: 7"

    assert choice_of(stage, f"play {words}").brings == "a light fan"
    stage.act(play(2, "kenjutsu", supports=1, value=7))
    assert f"played {words}" in [BOARD.event(event) for event in stage.events]


def test_the_parts_of_an_elite_guard_are_chosen_first() -> None:
    """While both parts can be beaten, the first click is the part."""
    stage = Stage(2).order(0, 1).hands([4, 2], [1, 1]).house(0, 1, ["fan"], ["jade"]).elites("elite_double_3_5")
    stage.raiding(0, STEALTH)
    stage.state.stack[-1] = stage.raid._replace(opponent=ELITE, card=stage.state.elite_deck[0], standing=3)
    paths = [[part.key for part in choice.path] for choice in _choices(stage)]

    assert paths == [["part:0", "play:2"], ["part:1", "play:2"], ["part:1", "play:4"], ["give_up"]]


def _choices(stage: Stage) -> Sequence[Choice]:
    state = stage.state
    seat, kind = GAME.pending(state)[0]
    return BOARD.choices(GAME.view(state, seat), kind, GAME.options(state, seat))


def test_many_payments_are_chosen_by_their_honor_first() -> None:
    """Above eight payments those of one honor share their first click; a single one is chosen at once."""
    stage = Stage(2).treasures(0, *["fan", "scroll", "vase", "jade"] * 3, "gold")
    stage.state.stack[:] = [("pay", 0, "envoy", ENVOY["taira_61"])]
    options = [cast("Pay", option) for option in GAME.options(stage.state, 0)]
    shared = Counter(option.honor for option in options)

    assert len(options) > FEW
    assert [len(choice.path) for choice in _choices(stage)] == [1 + (shared[it.honor] > 1) for it in options]


def test_what_an_option_brings_is_what_happens() -> None:
    """The loot that a raider would leave with, and the houses' honor with another token."""
    stage = Stage(2).order(0, 1).hands([5], [1]).house(0, 1, ["fan"]).raiding(0, FORCE)
    stage.act(stage.options[0])
    tokens = [TOKENS[token] for token in stage.state.tokens]

    assert choice_of(stage, "put Minamoto 8 on the house").brings == (
        f"houses then bring Taira {sum(row.value for row in tokens if row.clan == 0) - 2},"
        f" Minamoto {sum(row.value for row in tokens if row.clan == 1) + 8} and Go-Shirakawa 6"
    )


@pytest.mark.parametrize("seats", GAME.seats)
def test_facts_rank_as_the_rules_do(seats: int) -> None:
    """Influence and places in the facts are those of the rules at the end of a game."""
    state, _ = list(told(seats, 8, Eager(8)))[-1]
    facts = BOARD.facts(GAME.view(state, None), ())
    found = result(state)

    assert found is not None
    assert facts["places"] == list(found.places)
    assert [cast("Any", row)["ranked"] for row in cast("list[Any]", facts["clans"])] == [
        ranking(state, clan, ()) for clan in range(3)
    ]


def test_the_board_in_words_is_as_it_was() -> None:
    """The whole text of one position of two seats, under sixty rows."""
    text, rows = described()

    assert PATH.read_text(encoding="utf-8") == text
    assert rows < 60
