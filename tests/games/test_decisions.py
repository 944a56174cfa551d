"""`DECISIONS` of each game says the truth: every kind and every type of option that is ever offered stands there."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

from referee.kernel.chance import Fast
from referee.kernel.decisions import DecisionKind, decisions
from referee.kernel.errors import UnknownName
from referee.kernel.turns import advance, settle
from tests.conformance.tables import Table, cover, tables_in
from tests.games.letters import LETTERS

GAMES = Path(__file__).parents[2] / "referee" / "games"
games = pytest.mark.parametrize("name", LETTERS)


def kinds_of(name: str) -> tuple[DecisionKind, ...]:
    """The kinds that a game declares, the template's too."""
    found: tuple[DecisionKind, ...] = import_module(f"referee.games.{name}.decisions").DECISIONS
    return found


def offered(table: Table) -> dict[str, set[type]]:
    """By kind: the types of all options of a random game."""
    game, chance, rng = table.game, Fast(5), random.Random(5)
    state = game.start(table.seats, table.variant, chance)
    turn = settle(game, state, chance, [])
    found: dict[str, set[type]] = defaultdict(set)
    while turn.asks:
        for ask in turn.asks:
            found[ask.kind].update(map(type, turn.options[ask.seat][:200]))
        answers = {ask.seat: rng.choice(turn.options[ask.seat]) for ask in turn.asks}
        turn = advance(game, state, turn, answers, chance, [])
    return found


@games
def test_what_is_offered_is_declared(name: str) -> None:
    """In random games at every seat count and with every setting, no kind and no type of option is missing."""
    declared = {kind.kind: set(kind.options) for kind in kinds_of(name)}
    for table in cover(tables_in(f"referee.games.{name}"), least=1):
        for kind, types in offered(table).items():
            assert kind in declared, (str(table), kind)
            assert types - declared[kind] == set(), (str(table), kind)


@games
def test_no_type_of_option_is_left_over(name: str) -> None:
    """Each named tuple of `options.py` that is an option belongs to a kind; kinds are named once."""
    module = import_module(f"referee.games.{name}.options")
    written = {
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, tuple) and value.__module__ == module.__name__
    }
    declared = {option for kind in kinds_of(name) for option in kind.options}

    assert {kind.__name__ for kind in written - declared} <= {"PlacementColumns"}
    assert len({kind.kind for kind in kinds_of(name)}) == len(kinds_of(name))


@games
def test_the_rules_of_a_kind_exist(name: str) -> None:
    """Each number stands in the game's RULES.md as the number of a rule."""
    text = (GAMES / name / "RULES.md").read_text(encoding="utf-8")
    written = set(re.findall(r"\*\*([A-Z]-\d+(?:\.\d+)?)\*\*", text))

    assert {number for kind in kinds_of(name) for number in kind.rules} - written == set()


def test_a_game_that_is_not_there_is_named_with_those_that_are() -> None:
    """The error of every unknown game."""
    with pytest.raises(UnknownName, match="edo_yashiki"):
        decisions("chess")
