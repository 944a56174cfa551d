"""`kumite new` and `kumite proto`: a project to start from, and the files of the protocol, from the installed package.

The projects in other languages are the folders of `bots/`, which a wheel holds as data; the path from a project to the
protocol's files is written anew, because a new project has a copy of them in its folder `proto`.
"""

from __future__ import annotations

import shutil
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import bots
from ladder.cli.writable import make_folder
from referee import v1
from referee.kernel import registry
from referee.kernel.errors import BadSetting, UnknownName

BOTS = Path(bots.__file__).parent
PROTO = "../../proto"
"""The protocol's files as the projects in `bots/` name them."""
ENDING = ".txt"
"""After the names of the files of the Python project, so that no tool takes them for modules of Kumite."""


class Language(StrEnum):
    """Languages with a project to start from."""

    PYTHON = "python"
    GO = "go"
    RUST = "rust"
    TYPESCRIPT = "typescript"
    JAVA = "java"
    CPP = "cpp"


def new(
    language: Annotated[Language, typer.Argument(help="The language of the bot.", show_default=False)],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is empty or not there yet.")],
    game: Annotated[
        str | None, typer.Option(help="The game of a Python bot; edo_yashiki if left out. The others play every game.")
    ] = None,
) -> None:
    """Write a complete, tested bot project into a folder, and print what to do next."""
    if language is not Language.PYTHON and game is not None:
        raise BadSetting(f"--game is for python: the project in {language} plays every game")
    name = game or "edo_yashiki"
    if name not in registry.GAMES:
        raise UnknownName.of("game", name, registry.names())
    _empty(folder)
    if language is Language.PYTHON:
        _write_python(folder, name)
        then = [
            "python -m pytest",
            f"kumite games {name} --decisions",
            f"kumite match {name} py:mybot:MyBot greedy --games 20",
        ]
    else:
        _write_project(language, folder)
        then = ["kumite build .", "kumite check .", "kumite match honshu . greedy"]
    typer.echo(f"{folder} holds a bot in {language}; README.md says more. Next:\n")
    for line in (f"cd {folder}", *then):
        typer.echo(f"  {line}")


def proto(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is empty or not there yet.")],
) -> None:
    """Write the files of the protocol and its manual into a folder, for stubs in any language with gRPC."""
    _empty(folder)
    _write_proto(folder)
    typer.echo(f"{folder} holds referee/v1/*.proto; README.md is the manual of the protocol")


def _empty(folder: Path) -> None:
    """Make the folder; raises BadSetting if there is something in it."""
    if folder.is_dir() and any(folder.iterdir()):
        raise BadSetting(f"{folder} is not empty: name a folder that is empty or not there yet")
    make_folder("DIR", folder)


def _write_python(folder: Path, name: str) -> None:
    title, kind = registry.game(name).title, "".join(word.capitalize() for word in name.split("_"))
    for source in sorted((BOTS / "starter").glob(f"*{ENDING}")):
        text = source.read_text(encoding="utf-8")
        for word, value in (("TITLE", title), ("NAME", name), ("GAME", kind)):
            text = text.replace(word, value)
        target = source.name.removesuffix(ENDING)
        (folder / target.replace("gitignore", ".gitignore")).write_text(text, encoding="utf-8")


def _write_project(language: Language, folder: Path) -> None:
    """A project of `bots/`, without what was built there, and the protocol's files beside it."""
    source = BOTS / language
    built = {line.strip("/") for line in (source / ".gitignore").read_text(encoding="utf-8").split()}

    def ignored(place: str, names: list[str]) -> set[str]:
        return built.intersection(names) if Path(place) == source else set()

    shutil.copytree(source, folder, ignore=ignored, dirs_exist_ok=True)
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_bytes()
            moved = text.replace(PROTO.encode(), b"proto").replace(f"cd bots/{language} && ".encode(), b"")
            moved = moved.replace(b"pip install .     ", b"pip install kumite")
            if moved != text:
                path.write_bytes(moved)
    _write_proto(folder / "proto")


def _write_proto(folder: Path) -> None:
    for source, target in proto_files():
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.read_bytes())


def proto_files() -> list[tuple[Path, Path]]:
    """The protocol's files: where each lies here, and its path below the folder `proto`."""
    packed = Path(v1.__file__).parent / "proto"
    home = packed if packed.is_dir() else BOTS.parent / "proto"
    found = [home / "README.md", *sorted((home / "referee" / "v1").glob("*.proto"))]
    return [(path, path.relative_to(home)) for path in found]
