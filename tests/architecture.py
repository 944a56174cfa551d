"""The table of imports: for each package what it may import, and how the imports of a module are read.

Imports are read from the source, wherever they stand, so one inside a function or under TYPE_CHECKING counts as well.
`tests/test_architecture.py` compares every module with `ROWS`. `python -m tests.architecture` writes the table into
CONTRIBUTING.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("kumite", "referee", "ladder", "bots")

IMPURE = (
    "asyncio", "copy", "datetime", "logging", "multiprocessing", "os", "pickle", "random", "secrets", "signal",
    "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "uuid",
)  # fmt: skip
"""What rules have no use for: clocks, luck of their own, the outside world, and copying by magic."""


@dataclass(frozen=True)
class Row:
    """What the modules of one part of the tree may import beside that part itself and the standard library.

    `{game}` stands for the same name wherever it occurs.
    """

    part: str
    ours: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    """Parts of the standard library that the part may not use."""
    alone: bool = False
    """The row is for the file of a package and for nothing that lies in the package."""


GRPC = ("grpc", "grpc_health", "grpc_reflection", "google.protobuf")
TRIO = ("trio", "outcome")
"""outcome is the type in which trio hands over the end of a guest run."""
REFEREE = ("referee.kernel", "referee.match", "referee.transport", "referee.hosting")
ROOMS = (
    "ladder.ratings", "ladder.pairing", "ladder.store", "ladder.arena", "ladder.config", "ladder.seasons",
    "ladder.events", "ladder.serving", "ladder.exchange",
)  # fmt: skip
"""The rooms of the ladder, each with the rooms it builds on before it."""
ROWS = (
    Row("referee.kernel"),
    Row("referee.games.{game}", ("referee.kernel",), never=IMPURE),
    Row("referee.games", alone=True),
    Row("referee.match.table", ("referee.kernel", "referee.match"), ("trio",), ("sqlite3",)),
    Row("referee.match", ("referee.kernel",), never=("sqlite3",)),
    Row(
        "referee.codec.{game}.encode",
        ("referee.kernel", "referee.codec.protobuf_bytes", "referee.v1", "referee.games.{game}.view"),
        never=IMPURE,
    ),
    Row("referee.codec.{game}", ("referee.kernel", "referee.v1", "referee.games.{game}"), never=IMPURE),
    Row("referee.codec", ("referee.kernel", "referee.v1"), ("google.protobuf",), IMPURE),
    Row("referee.v1", (), ("grpc", "google.protobuf")),
    Row(
        "referee.transport",
        ("referee.__version__", "referee.kernel", "referee.match", "referee.codec", "referee.v1"),
        (*GRPC, *TRIO),
        ("sqlite3",),
    ),
    Row("referee.hosting", ("referee.kernel",), ("trio",)),
    Row("referee", alone=True),
    Row("bots.bundled.greedy.honshu_judging", ("referee.games.honshu",), ("numpy",)),
    Row("bots.bundled", ("referee.kernel", "referee.games", "bots")),
    Row("bots.drill", ("referee.kernel", "referee.v1", "bots"), ("grpc",)),
    Row("bots.typed", ("referee.games", "bots")),
    Row(
        "bots",
        ("referee.__version__", "referee.v1", "referee.kernel", "referee.codec"),
        ("grpc", "typing_extensions"),
    ),
    Row("kumite", ("bots",)),
    Row("ladder.ratings", (), ("numpy", "scipy")),
    Row("ladder.pairing", (), ("numpy", "networkx")),
    Row(
        "ladder.store.records",
        ("referee.kernel", "referee.match.policy", "referee.match.record", "referee.match.supervision"),
    ),
    Row("ladder.store.refold", ("ladder.ratings.glicko", "ladder.ratings.results"), ("sqlite_utils",)),
    Row("ladder.store", ("referee.kernel", "referee.match.record", "referee.match.outputs"), ("sqlite_utils",)),
    Row(
        "ladder.arena.gate.pytest_plugin",
        ("referee.match.supervision", "ladder.ratings", "ladder.arena", "ladder.web.gate_page", "ladder.escaping"),
        ("pytest",),
    ),
    Row(
        "ladder.arena",
        (*REFEREE, "bots", "ladder.ratings", "ladder.store.records", "ladder.escaping"),
        ("numpy", "trio", "distributed"),
    ),
    Row("ladder.config", (*REFEREE, "ladder.pairing", "ladder.arena.entrants", "ladder.times")),
    Row(
        "ladder.seasons",
        ("referee.kernel", "referee.match", "referee.codec", *ROOMS[:5]),
        ("trio",),
    ),
    Row(
        "ladder.events",
        ("referee.kernel", "referee.match", "referee.transport.event_desk", *ROOMS[:6]),
        ("trio",),
    ),
    Row(
        "ladder.serving",
        (*REFEREE, "referee.v1", "bots", *ROOMS[1:7], "ladder.escaping"),
        ("grpc", "trio"),
    ),
    Row(
        "ladder.exchange",
        ("referee.kernel", "referee.match", "referee.codec", "referee.v1", "ladder.store", "ladder.seasons"),
        ("google.protobuf", "pyarrow"),
    ),
    Row(
        "ladder.check",
        ("referee.__version__", *REFEREE, "referee.v1", "ladder.arena"),
        ("google.protobuf", "grpc", "trio"),
    ),
    Row(
        "ladder.bench",
        (
            *REFEREE, "referee.v1", "bots", "ladder.ratings", *ROOMS[1:6], "ladder.serving", "ladder.viewer",
            "ladder.web", "ladder.terminal_tables",
        ),
        ("grpc", "numpy", "trio", "typer"),
    ),
    Row(
        "ladder.viewer",
        ("referee.kernel", "referee.match", "referee.codec", "referee.v1"),
        ("google.protobuf",),
    ),
    Row(
        "ladder.web",
        (
            "referee.__version__", "referee.kernel", "referee.match", "referee.transport.doors",
            "referee.transport.watch_client", "referee.v1", "ladder.ratings", "ladder.store", "ladder.seasons",
            "ladder.events", "ladder.serving", "ladder.times", "ladder.viewer", "referee.codec", "bots.ask",
            "bots.bundled.greedy",
        ),
        ("google.protobuf", "grpc", "jinja2", "markdown_it", "markupsafe", "prometheus_client", "starlette", "uvicorn"),
    ),
    Row(
        "ladder.mcp",
        ("referee.__version__", "referee.kernel", "bots", "ladder.web.listening"),
        ("anyio", "mcp", "mcp_types", "pydantic", "uvicorn"),
    ),
    Row(
        "ladder.cli",
        (
            "referee.__version__", *REFEREE, "referee.codec", "referee.v1", "bots", *ROOMS, "ladder.check",
            "ladder.bench", "ladder.viewer", "ladder.web", "ladder.mcp", "ladder.escaping",
            "ladder.terminal_tables", "ladder.times",
        ),
        ("google.protobuf", "numpy", "rich", "typer"),
    ),
    Row("ladder.__main__", ("ladder.cli",)),
    Row("ladder.terminal_tables", ("ladder.escaping",), ("rich",)),
    Row("ladder.escaping"),
    Row("ladder.times"),
    Row("ladder", alone=True),
)  # fmt: skip
"""The first row that a module belongs to counts."""

NOWHERE = ("trio_asyncio", "pickle", "copy.deepcopy")
"""trio_asyncio slows grpc down by its mere import; the others tie what is stored to Python."""


@cache
def modules() -> list[str]:
    """Every module of the packages."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


@cache
def games() -> list[str]:
    """The folders of games."""
    return sorted(path.name for path in (ROOT / "referee" / "games").iterdir() if (path / "__init__.py").exists())


@cache
def path_of(module: str) -> Path | None:
    """The file of one of our modules, or None if it is no module."""
    base = ROOT.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.exists():
            return path
    return base if base.is_dir() and module else None


@cache
def source_of(module: str) -> str:
    """The text of one of our modules."""
    path = path_of(module)
    assert path is not None
    return path.read_text(encoding="utf-8")


@cache
def tree_of(source: str) -> ast.Module:
    """The syntax tree of a source text, parsed once for all tests of this file."""
    return ast.parse(source)


def imports(module: str, source: str) -> Iterator[str]:
    """The full name of everything that a module imports: modules where they are modules, otherwise names in them."""
    path = path_of(module)
    package = module if path is not None and path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree_of(source)):
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
    """The row that a module belongs to, with `{game}` filled in and the part itself among `ours`."""
    for row in ROWS:
        pattern = re.escape(row.part).replace(r"\{game\}", rf"(?P<game>{'|'.join(games())})")
        match = re.match(rf"{pattern}$" if row.alone else rf"{pattern}(\.|$)", module)
        if match is None:
            continue
        game = match.groupdict().get("game", "")
        itself = () if row.alone else (row.part,)
        ours = tuple(part.replace("{game}", game) for part in (*itself, *row.ours))
        return Row(row.part, ours, row.others, row.never)
    return None


def forbidden(module: str, source: str) -> list[str]:
    """What a module imports and may not."""
    row = row_of(module)
    return [name for name in imports(module, source) if row is None or not _is_allowed(name, row)]


def _is_allowed(name: str, row: Row) -> bool:
    """Whether a row of the table lets an import pass."""
    if any(within(name, part) for part in NOWHERE):
        return False
    top = name.split(".")[0]
    if top in PACKAGES:
        return any(within(name, part) for part in row.ours)
    if top in sys.stdlib_module_names:
        return not any(within(name, part) for part in row.never)
    return any(within(name, part) for part in row.others)


def package_of(module: str) -> str:
    """The folder of a module."""
    path = path_of(module)
    return module if path is None or path.is_dir() or path.name == "__init__.py" else module.rpartition(".")[0]


def package_edges() -> dict[tuple[str, str], str]:
    """Each pair of packages of which one imports the other, with an import that does it."""
    edges: dict[tuple[str, str], str] = {}
    for module in modules():
        if module == "ladder.__main__":  # starts the program, and nothing imports it
            continue
        for name in imports(module, source_of(module)):
            if name.split(".")[0] in PACKAGES:
                found = name
                while path_of(found) is None:
                    found = found.rpartition(".")[0]
                pair = package_of(module), package_of(found)
                if pair[0] != pair[1]:
                    edges.setdefault(pair, f"{module} imports {name}")
    return edges


BEGIN, END = "<!-- imports: written by python -m tests.architecture -->\n", "<!-- end of imports -->"


def table() -> str:
    """The rows as CONTRIBUTING shows them."""
    lines = ["| package | may import of ours | libraries | never |", "|---|---|---|---|"]
    for row in ROWS:
        never = "clocks, luck and the outside world" if row.never == IMPURE else _listed(row.never)
        line = f"| `{row.part}` | {_listed(row.ours)} | {_listed(row.others)} | {never} |"
        lines.append(line.replace("{game}", "<g>"))
    return "\n".join(lines) + "\n"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "-"


def with_table(text: str) -> str:
    """CONTRIBUTING with the table as the rows have it."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    page = ROOT / "CONTRIBUTING.md"
    page.write_text(with_table(page.read_text(encoding="utf-8")), encoding="utf-8")
