"""What a game asks, read from its code: kinds of decisions, types of options, and every field of the view.

`kumite games GAME --decisions` prints it, and `make docs` writes it to `docs/decisions-<game>.md`. Meanings are the
docstrings of the types and of their fields, so the source files have to be installed, as a wheel installs them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from referee.kernel import registry
from referee.kernel.decisions import DecisionKind, decisions

WIDTH = 79
"""Columns of the text for a terminal."""


class FieldText(NamedTuple):
    """One field of an option or of a view."""

    name: str
    type: str
    meaning: str
    """The field's docstring on one line; empty: the name says it, or the line of an earlier field does."""


class TypeText(NamedTuple):
    """A type of options, a view, or a part of a view."""

    name: str
    meaning: str
    fields: tuple[FieldText, ...]


class GameText(NamedTuple):
    """Everything that a game asks and shows."""

    name: str
    title: str
    rules: Path
    """The file of the game's numbered rules, where it is installed."""
    kinds: tuple[DecisionKind, ...]
    options: tuple[TypeText, ...]
    view: tuple[TypeText, ...]
    """The view, then the types of its parts."""


@cache
def game_text(name: str) -> GameText:
    """What a game asks; raises UnknownName."""
    kinds = decisions(name)
    package = registry.GAMES[name]
    game = registry.game(name)
    options = dict.fromkeys(option for kind in kinds for option in kind.options)
    view: type = sys.modules[f"{package}.view"].View
    return GameText(
        name,
        game.title,
        _folder(package) / "RULES.md",
        kinds,
        tuple(map(type_text, options)),
        tuple(map(type_text, _with_parts(view, package))),
    )


def type_text(kind: type) -> TypeText:
    """A type with its fields and properties, from its source."""
    node = _class_of(kind)
    fields = []
    for place, item in enumerate(node.body):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            after = node.body[place + 1] if place + 1 < len(node.body) else None
            fields.append(FieldText(item.target.id, ast.unparse(item.annotation), _text(after)))
        elif isinstance(item, ast.FunctionDef) and any(
            isinstance(mark, ast.Name) and mark.id == "property" for mark in item.decorator_list
        ):
            returned = "" if item.returns is None else ast.unparse(item.returns)
            fields.append(FieldText(item.name, returned, _line(ast.get_docstring(item) or "")))
    return TypeText(kind.__name__, _line(ast.get_docstring(node) or ""), tuple(fields))


@cache
def _tree(module: str) -> ast.Module:
    """The source of a module; a compiled module has its source beside it."""
    return ast.parse((_folder(module) / f"{module.rpartition('.')[2]}.py").read_text(encoding="utf-8"))


def _folder(module: str) -> Path:
    """Where a module of ours lies."""
    return Path(str(sys.modules[module].__file__)).parent


def _class_of(kind: type) -> ast.ClassDef:
    found = [node for node in _tree(kind.__module__).body if isinstance(node, ast.ClassDef)]
    return next(node for node in found if node.name == kind.__name__)


def _text(node: ast.stmt | None) -> str:
    """The docstring that follows a field."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return _line(node.value.value)
    return ""


def _line(text: str) -> str:
    return " ".join(text.split())


def _with_parts(view: type, package: str) -> Iterator[type]:
    """The view and every type of the game that it is made of, each once, in the order in which they occur."""
    found = [view]
    for kind in found:
        yield kind
        space = vars(sys.modules[kind.__module__])
        for field in type_text(kind).fields:
            for word in re.findall(r"\w+", field.type):
                part = space.get(word)
                if isinstance(part, type) and part.__module__.startswith(f"{package}.") and part not in found:
                    found.append(part)


def as_plain(text: GameText) -> dict[str, object]:
    """The same for programs."""
    return {
        "game": text.name,
        "title": text.title,
        "rules": str(text.rules),
        "decisions": [
            {
                "kind": kind.kind,
                "meaning": kind.meaning,
                "options": [option.__name__ for option in kind.options],
                "rules": list(kind.rules),
            }
            for kind in text.kinds
        ],
        "options": {kind.name: _plain_type(kind) for kind in text.options},
        "view": {kind.name: _plain_type(kind) for kind in text.view},
    }


def _plain_type(kind: TypeText) -> dict[str, object]:
    return {"meaning": kind.meaning, "fields": [field._asdict() for field in kind.fields]}


def as_lines(text: GameText) -> Iterator[str]:
    """The same for a terminal."""
    yield f"{text.title} ({text.name}): what a seat is asked"
    for kind in text.kinds:
        yield ""
        yield kind.kind
        yield from _wrapped(kind.meaning, 4)
        yield from _wrapped(f"options: {', '.join(option.__name__ for option in kind.options)}", 4)
        yield from _wrapped(f"rules: {', '.join(kind.rules)}", 4)
    yield from _type_lines("Options", text.options)
    yield from _type_lines("The view, and the types of its parts", text.view)
    yield ""
    yield f"The rules by number: {text.rules}"


def _type_lines(title: str, kinds: tuple[TypeText, ...]) -> Iterator[str]:
    yield ""
    yield f"{title}:"
    for kind in kinds:
        yield ""
        yield kind.name
        yield from _wrapped(kind.meaning, 4)
        for field in kind.fields:
            yield f"    {field.name}: {field.type}"
            yield from _wrapped(field.meaning, 8)


def _wrapped(text: str, indent: int) -> list[str]:
    return wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent, break_on_hyphens=False)


def as_page(text: GameText) -> str:
    """The same as a page in Markdown."""
    rules = f"../referee/games/{text.name}/RULES.md"
    parts = [
        f"# What {text.title} asks",
        "Written by `make docs` from the code of the game; change its docstrings instead of this page. "
        f"`kumite games {text.name} --decisions` prints the same, and `--json` makes it JSON.",
        f"The numbers are those of [the rules]({rules}). An ask has the kind in `ask.kind`, the options in "
        "`ask.options` and the view in `ask.view`.",
        "## Kinds of decisions",
        "| kind | the seat decides | types of options | rules |\n|---|---|---|---|\n"
        + "\n".join(
            f"| `{kind.kind}` | {_cell(kind.meaning)} | {', '.join(f'`{each.__name__}`' for each in kind.options)} "
            f"| {', '.join(kind.rules)} |"
            for kind in text.kinds
        ),
        "## Options",
        *(_section(kind) for kind in text.options),
        "## The view",
        *(_section(kind) for kind in text.view),
    ]
    return "\n\n".join(parts) + "\n"


def _section(kind: TypeText) -> str:
    rows = [f"| `{each.name}` | `{_cell(each.type)}` | {_cell(each.meaning)} |" for each in kind.fields]
    table = ["", "| field | type | meaning |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"### {kind.name}", "", kind.meaning, *table])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
