"""What the documents say about the code is so: modules, files, commands and links that they name exist."""

from __future__ import annotations

import importlib
import re
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools import cli_reference

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
PACKAGES = "referee|ladder|bots|kumite|tools|tests"
GAME = "honshu"
"""Stands for `<game>` and `<g>`."""


def name_of(page: Path) -> str:
    """The path of a page inside `docs`."""
    return page.relative_to(ROOT / "docs").as_posix()


def text_of(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def quoted(page: Path) -> list[str]:
    """Everything in backticks outside of blocks."""
    prose = re.sub(r"^```.*?^```", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`([^`\n]+)`", prose)


@cache
def exists(name: str) -> bool:
    """Whether a dotted name is a module, or something in a module: a class, a function, a method, a field."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        try:
            if find_spec(module) is None:
                continue
        except ModuleNotFoundError:
            continue
        found: object = importlib.import_module(module) if length < len(parts) else None
        for part in parts[length:]:
            if not hasattr(found, part) and part not in getattr(found, "__annotations__", {}):
                return f"self.{part} = " in Path(str(find_spec(module).origin)).read_text(encoding="utf-8")  # type: ignore[union-attr]
            found = getattr(found, part, None)
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_module_and_name_of_ours_exists(page: Path) -> None:
    """Where a page says `referee.match.table.RunningTable`, there is one."""
    names = [re.sub(r"<(game|g)>", GAME, text) for text in quoted(page)]
    ours = [name for name in names if re.fullmatch(rf"({PACKAGES})(\.\w+)+", name) and not name.endswith(".sqlite")]

    assert [name for name in ours if not exists(name) and not is_service(name)] == []


def is_service(name: str) -> bool:
    """Whether a name is a service of the proto files, such as `referee.v1.RefereeService`."""
    protos = (ROOT / "proto" / "referee" / "v1").glob("*.proto")
    return any(f"service {name.removeprefix('referee.v1.')} {{" in text_of(proto) for proto in protos)


def test_a_name_that_does_not_exist_is_noticed() -> None:
    """A module, a class, a method, an attribute of an object, and none of them."""
    assert exists("referee.match.table")
    assert exists("referee.match.table.RunningTable.answer")
    assert exists("referee.match.record.Step.answers")
    assert exists("referee.transport.bridge.Bridge.interrupted")
    assert not exists("referee.match.chair")
    assert not exists("referee.match.table.Chair")
    assert not exists("referee.match.table.RunningTable.sit_down")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_file_of_the_tree_that_a_page_names_exists(page: Path) -> None:
    """Paths in backticks that begin with a folder of the tree; `kumite/season/...` are labels of derived secrets."""
    paths = [
        re.sub(r"<(game|g)>", GAME, text)
        for text in quoted(page)
        if re.fullmatch(rf"({PACKAGES}|docs|examples|proto|\.github)/[\w./<>-]*", text)
    ]

    assert [path for path in paths if not (ROOT / path).exists() and not path.startswith("kumite/season/")] == []


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    """Relative links name what is there."""
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text_of(page)):
        file = (page.parent / target) if target else page
        assert file.exists(), target
        assert not anchor or anchor in headings(file), f"{target}#{anchor}"


@pytest.mark.parametrize("folder", ["docs", "docs/decisions"])
def test_every_page_is_in_the_index_of_its_folder(folder: str) -> None:
    """A reader of `README.md` finds each of them."""
    index = text_of(ROOT / folder / "README.md")
    pages = [page.name for page in PAGES if page.parent == ROOT / folder and page.name != "README.md"]

    assert len(pages) >= 6
    assert [name for name in pages if f"({name})" not in index] == []


def shown_commands() -> list[str]:
    """Every command of ours that a page shows in backticks; `cli.md` is written from the commands themselves."""
    texts = {text for page in PAGES if page.name != "cli.md" for text in quoted(page)}
    return sorted(text for text in texts if re.match(r"(kumite|make|python -m) \S", text))


@pytest.mark.parametrize("text", [text for text in shown_commands() if text.startswith("kumite ")])
def test_every_command_that_a_page_mentions_exists_with_its_options(text: str) -> None:
    """`kumite ladder run --bind` is a command, and `--bind` one of its options. Blocks are run by other tests."""
    words = [word for word in text.split()[1:] if word not in ("|", "[--drill]")]
    found = [command for command in cli_reference.commands() if command.words[0] == words[0].strip("`")]
    if len(words) > 1 and any(len(command.words) > 1 for command in found):
        named = {word for word in words[1:] if not word.startswith("-") and word.islower()}
        found = [command for command in found if command.words[1] in named]
    options = {option.split("=")[0] for option in words if option.startswith("--")}
    known = {
        name for command in found for part in cli_reference.parameters(command) for name in part.spelled.split(", ")
    }

    assert found or words[0] in ("--version", "--debug", "COMMAND")
    assert options <= known | {"--help", "--version", "--debug"}


@pytest.mark.processes
@pytest.mark.parametrize("text", [text for text in shown_commands() if text.startswith("make ")])
def test_every_target_that_a_page_mentions_exists(text: str) -> None:
    """Make knows how to make it."""
    subprocess.run(["make", "--dry-run", text.split()[1]], cwd=ROOT, check=True, capture_output=True, timeout=60)


@pytest.mark.parametrize("text", [text for text in shown_commands() if text.startswith("python -m ")])
def test_every_program_that_a_page_mentions_exists(text: str) -> None:
    """The module is there and can be run."""
    module = text.split()[2]
    spec = find_spec(module)
    if spec is not None and spec.submodule_search_locations:
        spec = find_spec(f"{module}.__main__")

    assert spec is not None
    assert spec.origin is not None
    assert "__main__" in Path(spec.origin).read_text(encoding="utf-8") or spec.name.endswith("__main__")


def test_every_block_of_commands_belongs_to_a_page_whose_test_runs_it() -> None:
    """A page with a block has a test that reads the page and carries the block out."""
    runs = {
        "data.md": "tests/ladder/test_tables.py",
        "operating.md": "tests/cli/test_operating.py",
        "releasing.md": "tests/tools/test_release.py",
    }
    pages = {name_of(page) for page in PAGES if re.search(r"^ *```sh$", text_of(page), re.MULTILINE)}

    assert pages == set(runs)
    for page, test in runs.items():
        assert f'"{page}"' in (ROOT / test).read_text(encoding="utf-8")
