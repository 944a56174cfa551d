"""What every heuristic asks: my points now, my points after this option, what can still come."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import bots
from bots.ask import AnyAsk, Ask, Given
from bots.ask import Table as Seating
from referee.games.ninjato.components import ELITES, ENVOYS, GUARDS, RUMORS, SKILLS, TREASURES
from referee.games.white_castle.names import card_name
from referee.kernel import registry
from referee.kernel.board import board
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer, UnknownName
from referee.kernel.turns import advance, settle
from referee.kernel.unseen import unseen
from tests.conformance.tables import Table, cover, every_table

TABLES = [table for table in cover(every_table(), least=1) if table.game.name in registry.GAMES]
tables = pytest.mark.parametrize("table", TABLES, ids=str)
README = Path(bots.__file__).with_name("README.md")


def moments(table: Table, seed: int = 4) -> Iterator[tuple[Any, AnyAsk]]:
    """States of a random game with one ask of each, one seat after the other; every fourth one."""
    game, chance, rng = table.game, Fast(seed), random.Random(seed)
    state = game.start(table.seats, table.variant, chance)
    turn = settle(game, state, chance, [])
    number = 0
    while turn.asks:
        number += 1
        if number % 4 == 1:
            seat, kind = turn.asks[number % len(turn.asks)]
            seating = Seating("m", game.name, seat, ("bot",) * table.seats, table.variant)
            options = turn.options[seat]
            given = Given(game.view(state, seat), options)
            yield state, Ask(seating, number, kind, len(options), given, rng=random.Random(number))
        turn = advance(
            game, state, turn, {ask.seat: rng.choice(turn.options[ask.seat]) for ask in turn.asks}, chance, []
        )


@tables
def test_an_option_is_tried_out_in_a_world_of_its_own(table: Table) -> None:
    """At every seat count and with every setting: the real state stays as it was, and the same call says the same."""
    for state, ask in moments(table):
        before = table.game.dump(state)
        index = ask.count - 1
        first, again = ask.after(index), ask.after(ask.options[index])

        assert first.points() == again.points()
        assert table.game.view(first.state, ask.seat) == again.view
        assert first.events == again.events
        assert all(event.audience is None or ask.seat in event.audience for event in first.events)
        assert first.total == sum(first.points().values())
        assert list(first.points()) == list(ask.points()) or table.game.result(first.state) is not None
        assert table.game.dump(state) == before


@tables
def test_points_are_those_of_the_board(table: Table) -> None:
    """By category, of the asked seat or of another."""
    for state, ask in moments(table):
        facts: Any = board(table.game.name).facts(table.game.view(state, ask.seat), ())
        for seat in range(table.seats):
            expected = {entry["category"]: entry["points"][seat] for entry in facts["points"]}

            assert ask.points(seat) == expected
        assert ask.points() == ask.points(ask.seat)


@tables
def test_what_follows_an_answer_is_what_the_rules_say(table: Table) -> None:
    """With the true state as the world, the moment is the one that the rules lead to, and the given world is kept."""
    game = table.game
    for state, ask in moments(table):
        turn = settle(game, game.clone(state), Fast(1), [])
        if len(turn.asks) > 1:
            continue
        kept = game.dump(state)
        found = ask.after(0, world=state)

        assert game.dump(state) == kept
        assert found.result == game.result(found.state)
        assert found.view == game.view(found.state, ask.seat)
        assert found.view != ask.view


@tables
def test_what_is_not_seen_is_what_is_hidden(table: Table) -> None:
    """Component by component, what the seat has not seen is what lies in decks, bags and unknown hands."""
    for state, ask in moments(table):
        expected = {name: count for name, count in HIDDEN[table.game.name](state, ask.seat).items() if count}

        assert dict(ask.unseen()) == expected


def _honshu(state: Any, seat: int) -> Counter[str]:
    view = registry.game("honshu").view(state, seat)
    hidden = [
        *state.pile,
        *(card for owner, hand in enumerate(state.hands) if not view.known_hands[owner] for card in hand),
    ]
    return Counter(f"card {card}" for card in hidden)


def _edo_yashiki(state: Any, seat: int) -> Counter[str]:
    names = import_module("referee.games.edo_yashiki.components").NAMES
    return Counter(names[card] for card in state.deck)


def _white_castle(state: Any, seat: int) -> Counter[str]:
    names = import_module("referee.games.white_castle.components").SOLO_CARDS
    solo = state.solo_deck[1 : 1 + state.solo_unknown]
    return Counter([card_name(card) for card in (*state.stewards, *state.diplomats)]) + Counter(
        f"solo card {names[card].name}" for card in solo
    )


def _ninjato(state: Any, seat: int) -> Counter[str]:
    guards = [f"guard {guard.value}{' with alarm' if guard.alarm else ''}" for guard in GUARDS]
    found = Counter(f"dojo card {card + 1}" for card in state.dojo_deck)
    for owner, (hand, known) in enumerate(zip(state.hands, state.known, strict=True)):
        if owner != seat:
            for value, (held, shown) in enumerate(zip(hand, known, strict=True)):
                found[f"dojo card {value + 1}"] += held - shown
    for names, decks in (
        ([treasure.id for treasure in TREASURES], [state.bag]),
        (guards, [state.guard_deck]),
        ([elite.id for elite in ELITES], [state.elite_deck]),
        ([skill.id for skill in SKILLS], [state.skill_deck, state.hensojutsu_deck]),
        ([envoy.id for envoy in ENVOYS], [state.envoy_deck]),
        ([rumor.id for rumor in RUMORS], [state.rumor_deck]),
    ):
        found.update(names[card] for deck in decks for card in deck)
    return found


HIDDEN = {"honshu": _honshu, "edo_yashiki": _edo_yashiki, "white_castle": _white_castle, "ninjato": _ninjato}


def test_an_answer_that_is_none_is_refused() -> None:
    """In the words of every wrong answer."""
    _, ask = next(moments(TABLES[0]))

    with pytest.raises(IllegalAnswer, match=f"an index from 0 to {ask.count - 1}"):
        ask.after("nonsense")
    with pytest.raises(UnknownName, match="edo_yashiki"):
        unseen("chess")


def test_the_examples_of_the_manual_run() -> None:
    """Every line of the chapter on heuristics, at an ask of each game; the last one names an option."""
    chapter = README.read_text(encoding="utf-8").partition("## Helpers for heuristics\n")[2].partition("\n## ")[0]
    (lines,) = re.findall(r"```python\n# ask\n(.*?)```", chapter, re.DOTALL)
    for table in TABLES:
        for _, ask in list(moments(table))[:3]:
            space: dict[str, Any] = {"ask": ask}
            exec(lines, space)

            assert 0 <= ask.index(space["best"]) < ask.count
            assert space["lead"] == sum(ask.points().values()) - max(space["others"], default=0)
