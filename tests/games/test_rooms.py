"""Every game has the same rooms: modules of the same names, with the same functions in them.

A newcomer who has found set-up, options, scoring or storage in one game finds them in the next.
"""

from __future__ import annotations

import ast
import random
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from referee.kernel.board import Board
from referee.kernel.chance import Fast
from referee.kernel.errors import BadPlain
from referee.kernel.frames import FrameGame
from referee.kernel.reading import Reader
from referee.kernel.turns import advance, settle
from tests.conformance.tables import Table, cover, tables_in
from tests.games.letters import LETTERS

GAMES = Path(__file__).parents[2] / "referee" / "games"
ROOMS = {
    "board": ("BOARD",),
    "census": ("census",),
    "choices": ("choices",),
    "components": ("DIGEST",),
    "decisions": ("DECISIONS",),
    "determinise": ("determinise",),
    "facts": ("facts",),
    "game": ("GAME", "HANDLERS"),
    "options": (),
    "scoring": ("result",),
    "setup": ("start",),
    "state": ("State",),
    "storage": ("dump", "load"),
    "unseen": ("unseen",),
    "view": ("View", "view"),
    "words": ("answer", "describe", "event", "question"),
}
"""By module: the names that it must have."""
ARGUMENTS = {
    "census.census": ["state"],
    "choices.choices": ["view", "kind", "options"],
    "determinise.determinise": ["view", "chance"],
    "facts.facts": ["view", "events"],
    "scoring.result": ["state"],
    "setup.start": ["seats", "variant", "chance"],
    "storage.dump": ["state"],
    "storage.load": ["plain"],
    "unseen.unseen": ["view"],
    "view.view": ["state", "seat"],
    "words.answer": ["view", "kind", "option"],
    "words.describe": ["view"],
}
"""By function: the names of its arguments."""

games = pytest.mark.parametrize("name", LETTERS)


def room(name: str, module: str) -> ModuleType:
    """One module of a game."""
    return import_module(f"referee.games.{name}.{module}")


@cache
def tree(name: str, module: str) -> ast.Module:
    """The source of one module of a game."""
    return ast.parse((GAMES / name / f"{module}.py").read_text(encoding="utf-8"))


@games
def test_a_game_has_every_room(name: str) -> None:
    """The modules, the data and the rules exist, and each module has its names."""
    files = {path.name for path in (GAMES / name).iterdir()}
    missing = [f"{module}.{known}" for module, names in ROOMS.items() for known in names]

    assert {"__init__.py", "RULES.md", "components.toml", *(f"{module}.py" for module in ROOMS)} - files == set()
    assert [known for known in missing if not hasattr(room(name, known.split(".")[0]), known.split(".")[1])] == []


@games
@pytest.mark.parametrize("function", ARGUMENTS)
def test_a_function_is_defined_in_its_room(name: str, function: str) -> None:
    """It stands there itself, not as an import, and takes the same arguments in every game."""
    module, _, wanted = function.partition(".")
    found = [node for node in tree(name, module).body if isinstance(node, ast.FunctionDef) and node.name == wanted]

    assert [[argument.arg for argument in node.args.args] for node in found] == [ARGUMENTS[function]]


@games
def test_the_game_is_made_of_its_rooms(name: str) -> None:
    """`GAME` is a FrameGame whose parts are the functions of the rooms; states clone themselves."""
    game = room(name, "game").GAME
    state = room(name, "state").State

    assert type(game) is FrameGame
    assert game.name == name.lstrip("_")
    assert game.digest == room(name, "components").DIGEST
    assert game.handlers is room(name, "game").HANDLERS
    assert game.start is room(name, "setup").start
    assert game.result is room(name, "scoring").result
    assert game.view is room(name, "view").view
    assert game.determinise is room(name, "determinise").determinise
    assert game.clone is state.clone
    assert game.dump is room(name, "storage").dump
    assert game.load is room(name, "storage").load


@games
def test_the_board_is_made_of_its_rooms(name: str) -> None:
    """`BOARD` holds the functions of `facts.py`, `choices.py` and `words.py`."""
    board = room(name, "board").BOARD

    assert type(board) is Board
    assert board.facts is room(name, "facts").facts
    assert board.choices is room(name, "choices").choices
    assert (board.describe, board.question) == (room(name, "words").describe, room(name, "words").question)
    assert (board.answer, board.event) == (room(name, "words").answer, room(name, "words").event)


@games
def test_the_package_shows_the_game_and_what_bots_meet(name: str) -> None:
    """`__init__.py` is a docstring, imports of its own modules and `__all__`, with `GAME` and `census` among them."""
    package = import_module(f"referee.games.{name}")
    docstring, *imports, shown = tree(name, "__init__").body

    assert isinstance(docstring, ast.Expr)
    assert isinstance(shown, ast.Assign)
    assert [isinstance(node, ast.ImportFrom) and f"referee.games.{name}." in f"{node.module}." for node in imports] == [
        True for _ in imports
    ]
    assert package.GAME is room(name, "game").GAME
    assert package.census is room(name, "census").census
    assert {"GAME", "census"} <= set(package.__all__)


@games
def test_storage_reads_with_the_reader_of_the_kernel(name: str) -> None:
    """One reader of typed fields for all games; it raises BadPlain."""
    readers = [value for value in vars(room(name, "storage")).values() if isinstance(value, Reader)]

    assert [type(reader.wrong("")) for reader in readers] == [BadPlain]


@games
def test_every_option_is_of_a_type_in_the_room_for_options(name: str) -> None:
    """Whatever is offered in a random game, at every seat count and with every setting, is defined in `options.py`."""
    modules = {
        type(option).__module__
        for table in cover(tables_in(f"referee.games.{name}"), least=1)
        for option in _offered(table)
    }

    assert modules == {f"referee.games.{name}.options"}


def _offered(table: Table) -> list[object]:
    """The option that a seat takes, and the first, of every ask of a random game."""
    game, chance, rng = table.game, Fast(3), random.Random(3)
    state = game.start(table.seats, table.variant, chance)
    turn = settle(game, state, chance, [])
    found: list[object] = []
    while turn.asks:
        answers = {ask.seat: rng.choice(turn.options[ask.seat]) for ask in turn.asks}
        found += [*answers.values(), *(turn.options[ask.seat][0] for ask in turn.asks)]
        turn = advance(game, state, turn, answers, chance, [])
    return found
