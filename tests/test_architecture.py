"""The direction of imports, the size of files, and what every game's folder holds."""

from __future__ import annotations

import ast
from collections import Counter
from graphlib import TopologicalSorter

import pytest

from referee.kernel import registry
from tests import architecture
from tests.architecture import (
    IMPURE,
    ROOT,
    ROWS,
    forbidden,
    imports,
    modules,
    package_edges,
    row_of,
    source_of,
    tree_of,
    with_table,
    within,
)

LINES_OF_A_FILE = 500
LINES_OF_A_FUNCTION = 60


def written() -> list[str]:
    """Every module of the packages but those that are generated."""
    return [name for name in modules() if not within(name, "referee.v1")]


def test_a_module_imports_only_what_its_row_of_the_table_allows() -> None:
    """No forbidden edge, wherever in the file the import stands."""
    wrong = {module: found for module in modules() if (found := forbidden(module, source_of(module)))}

    assert wrong == {}


def test_every_module_belongs_to_a_row() -> None:
    """A new package needs a row before the first import in it."""
    assert [module for module in modules() if row_of(module) is None] == []


def test_every_row_and_every_permission_is_used() -> None:
    """What no module needs is not allowed: the table shows the tree as it is."""
    imported: dict[str, set[str]] = {row.part: set() for row in ROWS}
    members: Counter[str] = Counter()
    for module in modules():
        row = row_of(module)
        assert row is not None
        members[row.part] += 1
        for name in imports(module, source_of(module)):
            imported[row.part] |= {part for part in (*row.ours, *row.others) if within(name, part)}
    idle = {
        row.part: left
        for row in ROWS
        if (left := {part for part in (*row.ours, *row.others) if "{" not in part} - imported[row.part])
    }

    assert set(members) == set(imported)
    assert idle == {}


def test_no_two_packages_import_each_other_in_a_circle() -> None:
    """The folders of the tree have an order in which each imports only folders before it."""
    before: dict[str, set[str]] = {}
    for importer, imported in package_edges():
        before.setdefault(importer, set()).add(imported)

    assert list(TopologicalSorter(before).static_order())


def test_a_circle_of_packages_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two imports, one in each direction, between modules that do not import each other."""
    planted = {"ladder.store": "from ladder.seasons import season", "ladder.seasons.season": "import ladder.store.file"}
    monkeypatch.setattr(architecture, "modules", lambda: list(planted))
    monkeypatch.setattr(architecture, "source_of", planted.__getitem__)

    assert set(package_edges()) == {("ladder.store", "ladder.seasons"), ("ladder.seasons", "ladder.store")}


def test_the_guide_shows_the_table_as_it_is() -> None:
    """`python -m tests.architecture` writes the table into CONTRIBUTING."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

    assert with_table(text) == text


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("referee.kernel.game", "import referee.match"),
        ("referee.kernel.game", "from referee import games"),
        ("referee.kernel.game", "import trio"),
        ("referee.kernel", "from ..games import honshu"),
        ("referee.games.honshu.rules", "from referee.games.ninjato import state"),
        ("referee.games.honshu.rules", "from ..ninjato.state import State"),
        ("referee.games.honshu.rules", "from referee.games import ninjato"),
        ("referee.games.honshu.rules", "from referee.match import record"),
        *(("referee.games.honshu.rules", f"import {name}") for name in ("trio", "grpc", "google.protobuf", "numpy")),
        *(("referee.games.honshu.view", f"import {name}") for name in IMPURE),
        ("referee.games.honshu.view", "def f():\n    from random import choice"),
        ("referee.games.honshu.view", "if TYPE_CHECKING:\n    import os.path"),
        ("referee.match.match", "import trio"),
        ("referee.match.match", "from referee.games import edo_yashiki"),
        ("referee.match.table", "from referee.games.edo_yashiki.view import View"),
        *(("referee.match.table", f"import {name}") for name in ("grpc", "google.protobuf", "sqlite3", "sqlite_utils")),
        ("referee.match.record", "from ladder.store import Store"),
        ("referee.match.record", "import bots"),
        ("referee.match.record", "from referee.v1 import play_pb2"),
        ("referee.transport.service", "import sqlite3"),
        ("referee.transport.service", "import sqlite_utils"),
        ("referee.transport.service", "from ladder import store"),
        ("referee.transport.service", "from referee.games.edo_yashiki.view import View"),
        ("referee.codec.edo_yashiki.encode", "from referee.games.edo_yashiki.state import State"),
        ("referee.codec.edo_yashiki.encode", "from referee.games.edo_yashiki import GAME"),
        ("referee.codec.edo_yashiki.encode", "from referee.games.honshu.view import View"),
        ("referee.hosting.launch", "from ladder import store"),
        ("referee.codec.edo_yashiki.decode", "from referee.games.honshu.state import State"),
        ("referee.codec.honshu.decode", "from referee.transport import session"),
        ("referee.codec.encoding", "from referee.games.honshu.view import View"),
        ("kumite", "from ladder import store"),
        ("ladder.ratings.glicko", "from ladder import store"),
        ("ladder.bench.wire", "from ladder.cli.output import print_json"),
        ("ladder.ratings.glicko", "from referee.kernel import errors"),
        ("ladder.pairing", "import trio"),
        ("ladder.store", "import grpc"),
        ("ladder.store", "import trio"),
        ("ladder.store", "from referee.games import honshu"),
        ("bots.client", "from referee.match import match"),
        ("bots.client", "import referee.transport.service"),
        ("bots.client", "from ladder import store"),
        ("bots.client", "import trio"),
        ("bots.client", "from referee.games.honshu import GAME"),
        ("ladder.cli.serve", "import trio"),
        ("ladder.cli.serve", "import grpc"),
        ("ladder.cli.serve", "from referee.games import honshu"),
        ("ladder.arena.workers", "from ladder.store.database import Store"),
        ("ladder.arena.workers", "from ladder.config import ladder_file"),
        ("ladder.store.matches", "from ladder.seasons import standings"),
        ("ladder.config.ladder_file", "from ladder.seasons import season"),
        ("ladder.seasons.season", "from ladder.events import event_season"),
        ("ladder.events.event_season", "from ladder.serving import sockets"),
        ("ladder.escaping", "from ladder import times"),
        ("ladder.nowhere", "import os.path\nfrom ladder import times"),
        ("ladder.web.app", "import trio"),
        ("ladder.web.pages.pools", "from ladder.cli.output import print_json"),
        ("ladder.seasons.season", "from ladder.cli.output import print_json"),
        ("ladder.arena.gate.sequential_test", "from ladder.check import examine"),
        ("ladder.cli.gate", "import kumite"),
        ("ladder.cli", "import trio_asyncio"),
        ("ladder.arena.workers", "import pickle"),
        ("referee.hosting.launch", "from copy import deepcopy"),
    ],
)
def test_a_forbidden_import_is_noticed(module: str, source: str) -> None:
    """Each row of the table refuses what it must."""
    assert len(forbidden(module, source)) == source.count("import ")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("referee.kernel.game", "import random, time\nfrom referee.kernel import chance\nfrom .errors import BadPlain"),
        ("referee.games.honshu.rules", "from referee.games.honshu import state\nfrom . import view\nimport math"),
        ("referee.match.table", "import trio\nimport time"),
        ("referee.transport.service", "import grpc.aio\nfrom google.protobuf import message\nimport trio"),
        ("referee.codec.honshu.encode", "from referee.games.honshu.view import View"),
        ("referee.codec.honshu.decode", "from referee.games.honshu.state import Bid"),
        ("ladder.ratings.glicko", "import numpy as np\nfrom scipy.special import expit"),
        ("ladder.store", "import sqlite_utils\nfrom referee.match.record import Record"),
        ("bots.client", "import grpc\nfrom referee.v1 import play_pb2\nfrom referee.codec import decoding"),
        ("bots.bundled.random", "from bots import Bot\nfrom referee.games.honshu import GAME"),
        ("ladder.cli.serve", "import typer\nfrom ladder.serving import season_file\nfrom bots import client"),
        (
            "ladder.arena.workers",
            "import trio\nfrom ladder.store.records import Played\nfrom bots.specs import BotSpec",
        ),
    ],
)
def test_an_allowed_import_is_let_pass(module: str, source: str) -> None:
    """Each row of the table lets pass what it should."""
    assert forbidden(module, source) == []


def test_files_and_functions_are_short_enough_to_read() -> None:
    """No file has more than 500 lines and no function more than 60; generated files are left out."""
    lengths = {module: len(source_of(module).splitlines()) for module in written()}
    functions = [
        f"{module}.{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for module in written()
        for node in ast.walk(tree_of(source_of(module)))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or 0) - node.lineno + 1 > LINES_OF_A_FUNCTION
    ]

    assert {module: lines for module, lines in lengths.items() if lines > LINES_OF_A_FILE} == {}
    assert functions == []


def test_a_module_begins_with_what_a_newcomer_needs_to_know() -> None:
    """Every file has a docstring."""
    assert [module for module in written() if not ast.get_docstring(tree_of(source_of(module)))] == []


@pytest.mark.parametrize("name", registry.names())
def test_a_game_has_the_same_files_as_every_other(name: str) -> None:
    """Whoever knows one game finds everything in the next: rules to read, data, state, scoring and view."""
    folder = ROOT.joinpath(*registry.GAMES[name].split("."))
    due = {"RULES.md", "__init__.py", "components.toml", "components.py", "state.py", "scoring.py", "view.py"}

    assert due - {path.name for path in folder.iterdir()} == set()
