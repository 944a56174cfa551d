"""The pages of games: what each is, its settings, what is hidden, its rules as numbered, its components as tables."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from markdown_it import MarkdownIt

from ladder.web.drawing.words import game_title
from ladder.web.reading.library import Library
from ladder.web.reading.page import Data, Listed, NoSuchPage, Page, Question
from referee.kernel import registry
from referee.kernel.game import AnyGame

RULES, COMPONENTS = "RULES.md", "components.toml"


def _about(game: AnyGame) -> Data:
    return {
        "game": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "components": game.digest,
        "seats": list(game.seats),
        "hidden": list(game.hidden),
        "settings": [
            {
                "name": key,
                "values": list(choices.values),
                "default": choices.default,
                "meaning": choices.meaning,
                "seats": list(choices.seats if choices.seats is not None else game.seats),
            }
            for key, choices in game.variants.items()
        ],
    }


def _list(question: Question) -> Data:
    return {"games": [_about(registry.game(name)) for name in registry.names()]}


def _game(question: Question) -> Data:
    name = question.path["game"]
    if name not in registry.names():
        raise NoSuchPage(f"No game is called {name[:40]}; there are {', '.join(map(game_title, registry.names()))}.")
    store = question.library.store()
    pools = [
        {"id": row.id, "seats": row.seats, "season": season.name}
        for season, row in store.pools_of_seasons().values()
        if row.game == name and row.archived is None
    ]
    return _about(registry.game(name)) | {"pools": pools, "rules": _rules(name), "tables": _tables(name)}


@cache
def _rules(game: str) -> str:
    """The rules document as HTML. The text is ours; raw HTML in it would be escaped all the same."""
    text = files(f"referee.games.{game}").joinpath(RULES).read_text()
    body = text.partition("\n")[2] if text.startswith("# ") else text
    rendered: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(body)
    return _scrolling(rendered)


def _scrolling(rendered: str) -> str:
    """The document with tables and examples in parts that scroll by themselves and can be reached by keyboard."""
    number = count(1)
    opened = re.sub(
        "<table>",
        lambda _: (
            f'<div class="scroll" tabindex="0" role="region" aria-label="Table {next(number)} of the rules"><table>'
        ),
        rendered,
    )
    return opened.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


@cache
def _tables(game: str) -> list[Data]:
    """Every list of components as a table: its name, its columns, its rows."""
    data: dict[str, Any] = tomllib.loads(files(f"referee.games.{game}").joinpath(COMPONENTS).read_text())
    return [
        {"name": name, "columns": columns, "rows": [[_cell(row.get(column)) for column in columns] for row in rows]}
        for name, rows in _lists(data, "")
        if (columns := list(dict.fromkeys(key for row in rows for key in row)))
    ]


def _lists(data: dict[str, Any], prefix: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The lists of tables in a file, and its tables of tables, by name."""
    for key, value in data.items():
        name = f"{prefix}{key}".replace("_", " ")
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            yield name, value
        elif isinstance(value, dict) and value and all(isinstance(row, dict) for row in value.values()):
            yield name, [{"name": row_name, **row} for row_name, row in value.items()]
        elif isinstance(value, dict):
            yield from _lists(value, f"{name} ")


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(_cell(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(item)}" for key, item in value.items())
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _addresses(library: Library) -> Iterable[Listed]:
    return [Listed(f"/games/{name}") for name in registry.names()]


PAGES = (
    Page("games", "Games", "/games", _list, lambda library: [Listed("/games")]),
    Page("game", "Games", "/games/{game:str}", _game, _addresses),
)
