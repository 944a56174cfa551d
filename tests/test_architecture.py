"""The direction of imports, the size of files, and what every game's folder holds.

`ROWS` is the table that CONTRIBUTING explains: for each package what it may import beside the standard library. The
imports are read from the source, wherever they stand, so one inside a function or under TYPE_CHECKING counts as well.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from referee.kernel import registry

ROOT = Path(__file__).parents[1]
PACKAGES = ("kumite", "referee", "ladder", "bots")
LINES_OF_A_FILE = 500
LINES_OF_A_FUNCTION = 60

IMPURE = (
    "asyncio", "copy", "datetime", "logging", "multiprocessing", "os", "pickle", "random", "secrets", "signal",
    "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "uuid",
)  # fmt: skip
"""What rules have no use for: clocks, luck of their own, the outside world, and copying by magic."""


@dataclass(frozen=True)
class Row:
    """What the modules of one part of the tree may import beside the standard library.

    `{game}` stands for the same name wherever it occurs.
    """

    part: str
    ours: tuple[str, ...]
    others: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    """Parts of the standard library that it may not use all the same."""


WIRE = ("grpc", "grpc_health", "grpc_reflection", "google.protobuf")
TRIO = ("trio", "outcome")
"""outcome is the type in which trio hands over the end of a guest run."""
ROWS = (
    Row("referee.kernel", ("referee.kernel",)),
    Row("referee.games.{game}", ("referee.kernel", "referee.games.{game}"), never=IMPURE),
    Row("referee.match.table", ("referee.kernel", "referee.match"), ("trio",), ("sqlite3",)),
    Row("referee.match", ("referee.kernel", "referee.match"), never=("sqlite3",)),
    Row(
        "referee.codec.{game}.encode",
        ("referee.kernel", "referee.codec.protobuf_bytes", "referee.v1", "referee.games.{game}.view"),
        ("google.protobuf",),
        IMPURE,
    ),
    Row(
        "referee.codec.{game}",
        ("referee.kernel", "referee.v1", "referee.games.{game}", "referee.codec.{game}"),
        ("google.protobuf",),
        IMPURE,
    ),
    Row("referee.codec", ("referee.kernel", "referee.codec", "referee.v1"), ("google.protobuf",), IMPURE),
    Row(
        "referee.transport",
        ("referee.__version__", "referee.kernel", "referee.match", "referee.codec", "referee.transport", "referee.v1"),
        (*WIRE, *TRIO),
        ("sqlite3",),
    ),
    Row("kumite", ("bots",)),
    Row("referee.v1", ("referee.v1",), WIRE),
    Row("referee.hosting", ("referee.kernel", "referee.match", "referee.transport", "referee.hosting"), ("trio",)),
    Row("ladder.ratings", ("ladder.ratings", "ladder.pairing"), ("numpy", "scipy")),
    Row("ladder.pairing", ("ladder.ratings", "ladder.pairing"), ("numpy", "scipy", "networkx")),
    Row("ladder.store.refold", ("ladder.ratings.glicko", "ladder.ratings.results"), ("sqlite_utils",)),
    Row(
        "ladder.store",
        (
            "referee.match.record",
            "referee.match.outputs",
            "referee.kernel",
            "ladder.records",
            "ladder.derivation",
            "ladder.store",
        ),
        ("sqlite_utils",),
    ),
    Row(
        "bots",
        ("referee.__version__", "referee.v1", "referee.kernel", "referee.codec", "referee.games", "bots"),
        ("grpc",),
    ),
)
"""The first row that a module belongs to counts."""

SUMMITS = {
    "ladder.cli": ("ladder.__main__",),
    "ladder.bench": ("ladder.cli",),
    "ladder.check": ("ladder.cli",),
    "kumite": (),
}
"""Parts on which nothing is built, each with the only others that may import it."""

NOWHERE = ("trio_asyncio", "pickle", "copy.deepcopy")
"""trio_asyncio slows grpc down by its mere import; the others tie what is stored to Python."""


def modules() -> list[str]:
    """Every module of the packages."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


@cache
def path_of(module: str) -> Path | None:
    """The file of one of our modules, or None if it is no module."""
    base = ROOT.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.exists():
            return path
    return base if base.is_dir() and module else None


def imports(module: str, source: str) -> Iterator[str]:
    """The full name of everything that a module imports: modules where they are modules, otherwise names in them."""
    path = path_of(module)
    package = module if path is not None and path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            # A bare `import referee` is for the version: everything else of it has to be imported by name.
            yield from ("referee.__version__" if alias.name == "referee" else alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                base = package.split(".")[: len(package.split(".")) - node.level + 1]
                origin = ".".join([*base, *([origin] if origin else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def within(name: str, part: str) -> bool:
    """Whether a name is a part of the tree or lies in it."""
    return name == part or name.startswith(part + ".")


def row_of(module: str) -> Row | None:
    """The row that a module belongs to, with `{game}` filled in."""
    for row in ROWS:
        pattern = re.escape(row.part).replace(r"\{game\}", r"(?P<game>\w+)")
        match = re.match(rf"{pattern}(\.|$)", module)
        if match is None:
            continue
        game = match.groupdict().get("game")
        ours = tuple(part.replace("{game}", game) if game else part for part in row.ours)
        return Row(row.part, ours, row.others, row.never)
    return None


def forbidden(module: str, source: str) -> list[str]:
    """What a module imports and may not."""
    row = row_of(module)
    wrong = []
    for name in imports(module, source):
        upwards = _is_over_a_summit(module, name) or (within(module, "referee") and _upwards(name))
        if upwards or any(within(name, part) for part in NOWHERE):
            wrong.append(name)
        elif row is not None:
            top = name.split(".")[0]
            if top in PACKAGES:
                allowed = any(within(name, part) for part in row.ours)
            elif top in sys.stdlib_module_names:
                allowed = not any(within(name, part) for part in row.never)
            else:
                allowed = any(within(name, part) for part in row.others)
            if not allowed:
                wrong.append(name)
    return wrong


def _upwards(name: str) -> bool:
    """Whether an import of the referee's points at what is built on top of it."""
    return within(name, "ladder") or within(name, "bots")


def _is_over_a_summit(module: str, name: str) -> bool:
    """Whether an import points at a part on which nothing is built, from outside of it."""
    return any(
        within(name, part) and not any(within(module, other) for other in (part, *importers))
        for part, importers in SUMMITS.items()
    )


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_its_row_of_the_table_allows(module: str) -> None:
    """No forbidden edge, wherever in the file the import stands."""
    path = path_of(module)

    assert path is not None
    assert forbidden(module, path.read_text(encoding="utf-8")) == []


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
        ("ladder.ratings.elo", "from ladder import store"),
        ("ladder.bench.wire", "from ladder.cli.output import print_json"),
        ("ladder.ratings.elo", "from referee.kernel import errors"),
        ("ladder.pairing", "import trio"),
        ("ladder.store", "import grpc"),
        ("ladder.store", "import trio"),
        ("ladder.store", "from referee.games import honshu"),
        ("bots.client", "from referee.match import match"),
        ("bots.client", "import referee.transport.service"),
        ("bots.client", "from ladder import store"),
        ("bots.client", "import trio"),
        ("ladder.season", "from ladder.cli.output import print_json"),
        ("ladder.gate", "from ladder.check import examine"),
        ("ladder.cli.gates", "import kumite"),
        ("ladder.cli", "import trio_asyncio"),
        ("ladder.workers", "import pickle"),
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
        ("ladder.ratings.elo", "import numpy as np\nfrom scipy.special import expit"),
        ("ladder.store", "import sqlite_utils\nfrom referee.match.record import Record"),
        ("bots.client", "import grpc\nfrom referee.v1 import play_pb2\nfrom referee.games.honshu import GAME"),
        ("ladder.cli.serve", "import trio, grpc\nfrom referee.games import honshu\nfrom bots import client"),
    ],
)
def test_an_allowed_import_is_let_pass(module: str, source: str) -> None:
    """Each row of the table lets pass what it should."""
    assert forbidden(module, source) == []


@pytest.mark.parametrize("module", [name for name in modules() if not within(name, "referee.v1")])
def test_files_and_functions_are_short_enough_to_read(module: str) -> None:
    """No file has more than 500 lines and no function more than 60; what is generated is not read."""
    path = path_of(module)
    text = path.read_text(encoding="utf-8") if path is not None else ""
    long = [
        f"{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or 0) - node.lineno + 1 > LINES_OF_A_FUNCTION
    ]

    assert len(text.splitlines()) <= LINES_OF_A_FILE
    assert long == []


@pytest.mark.parametrize("module", [name for name in modules() if not within(name, "referee.v1")])
def test_a_module_begins_with_what_a_newcomer_needs_to_know(module: str) -> None:
    """Every file has a docstring."""
    path = path_of(module)

    assert path is not None
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", registry.names())
def test_a_game_has_the_same_files_as_every_other(name: str) -> None:
    """Whoever knows one game finds everything in the next: rules to read, data, state, scoring and view."""
    folder = ROOT.joinpath(*registry.GAMES[name].split("."))
    due = {"RULES.md", "__init__.py", "components.toml", "components.py", "state.py", "scoring.py", "view.py"}

    assert due - {path.name for path in folder.iterdir()} == set()
