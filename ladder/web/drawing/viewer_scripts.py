"""The viewer's modules as classic scripts: browsers load no modules from a disk, and a notebook has one script.

The modules of `ladder/web/viewer` are written in a restricted form: every import and export stands at the beginning of
a line, an import names what it takes from a file (`import { a, b as c } from "./other.js";`), and an export is a
function, a class, a constant, or a list of names that stand in the module or were imported (`export { a, b };`). Here
each module becomes a function of its own, in the order in which the modules need each other:

    kumiteModules["patch.js"] = (function () { ... return { apply }; })();

The modules beside each other in the folder are one script, the core; each game's drawing with what it alone imports is
another, which ends by putting the drawing's `scene` into `kumiteScenes`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from referee.kernel.errors import RulesBug

CORE = "viewer.js"
STYLE = "viewer.css"
_IMPORT = re.compile(r'import\s*\{([^{}]*)\}\s*from\s*"(\.[^"]*)"\s*;', re.MULTILINE)
_EXPORTED = re.compile(r"export\s+((?:async\s+)?function\s*\*?|class|const)\s+([A-Za-z_$][\w$]*)")
_LIST = re.compile(r"export\s*\{([^{}]*)\}\s*;")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_STATEMENT = re.compile(r"^(?:import|export)\b", re.MULTILINE)


class BadModule(RulesBug):
    """A module of the viewer is not written in the form that can be bundled."""


class Module(NamedTuple):
    """A module as a function of others."""

    name: str
    imports: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """For each import: the module, and pairs of the name there and the name here."""
    exports: tuple[str, ...]
    body: str


def parse(name: str, source: str) -> Module:
    """A module with its imports and exports taken out; raises BadModule for a form that is not known."""
    imports: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    exports: list[str] = []
    pieces: list[str] = []
    done = 0
    for found in _STATEMENT.finditer(source):
        start = found.start()
        if start < done:
            continue
        pieces.append(source[done:start])
        line = source.count("\n", 0, start) + 1
        if match := _IMPORT.match(source, start):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))
            imports.append((target, tuple(_pairs(match[1], name, line))))
            done = match.end()
        elif match := _EXPORTED.match(source, start):
            exports.append(match[2])
            pieces.append(source[start + len("export ") : match.end()])
            done = match.end()
        elif match := _LIST.match(source, start):
            pairs = _pairs(match[1], name, line)
            if any(there != here for there, here in pairs):
                raise BadModule(f"{name}, line {line}: export names as they are, without `as`")
            exports += [here for here, _ in pairs]
            done = match.end()
        else:
            text = source[start:].split("\n", 1)[0]
            raise BadModule(
                f'{name}, line {line}: {text!r} is not understood; write import {{ a, b as c }} from "./file.js"; or '
                "export in front of a function, a class or a const"
            )
    twice = sorted({export for export in exports if exports.count(export) > 1})
    if twice:
        raise BadModule(f"{name}: exported twice: {', '.join(twice)}")
    return Module(name, tuple(imports), tuple(exports), "".join([*pieces, source[done:]]))


def _pairs(names: str, module: str, line: int) -> list[tuple[str, str]]:
    """The names of a list as pairs: the name there, and the name here."""
    pairs = []
    for text in filter(None, map(str.strip, names.split(","))):
        there, _, here = (part.strip() for part in text.partition(" as "))
        if not _NAME.fullmatch(there) or (here and not _NAME.fullmatch(here)):
            raise BadModule(f"{module}, line {line}: {text!r} is no name")
        pairs.append((there, here or there))
    return pairs


def ordered(modules: Mapping[str, Module], first: tuple[str, ...] = ()) -> list[Module]:
    """The modules, each after those that it imports; raises BadModule for what cannot be imported.

    `first` are the names of modules that are there already.
    """
    done = {name: modules[name] for name in first}
    found: list[Module] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in done:
            return
        if name in path:
            raise BadModule(f"modules import each other in a circle: {' -> '.join([*path, name])}")
        if name not in modules:
            raise BadModule(f"{path[-1]} imports {name}, which is not there")
        for target, pairs in modules[name].imports:
            visit(target, (*path, name))
            missing = sorted({there for there, _ in pairs} - set(modules[target].exports))
            if missing:
                raise BadModule(f"{name} imports {', '.join(missing)} from {target}, which does not export that")
        done[name] = modules[name]
        found.append(modules[name])

    for name in sorted(modules):
        visit(name, ())
    return found


def script(modules: list[Module]) -> str:
    """Modules as one classic script."""
    return '"use strict";\nvar kumiteModules = window.kumiteModules || (window.kumiteModules = {});\n' + "".join(
        map(_wrapped, modules)
    )


def _wrapped(module: Module) -> str:
    lines = [f'kumiteModules["{module.name}"] = (function () {{']
    for target, pairs in module.imports:
        names = ", ".join(there if there == here else f"{there}: {here}" for there, here in pairs)
        lines.append(f'const {{ {names} }} = kumiteModules["{target}"];')
    lines += [module.body.strip("\n"), f"return {{ {', '.join(module.exports)} }};", "})();", ""]
    return "\n".join(lines)


@cache
def sources() -> dict[str, str]:
    """Every script and style of the viewer by its path in the folder."""
    found: dict[str, str] = {}

    def collect(place: Traversable, folder: str) -> None:
        for entry in place.iterdir():
            name = posixpath.join(folder, entry.name)
            if entry.is_dir():
                collect(entry, name)
            elif name.endswith((".js", ".css")):
                found[name] = entry.read_text(encoding="utf-8")

    collect(files("ladder.web").joinpath("viewer"), "")
    return dict(sorted(found.items()))


@cache
def _modules() -> dict[str, Module]:
    return {name: parse(name, text) for name, text in sources().items() if name.endswith(".js")}


@cache
def scripts() -> dict[str, str]:
    """Every script of the viewer by name: the core, and the drawing of each game (`scene-honshu.js`)."""
    modules = _modules()
    core = {name: module for name, module in modules.items() if "/" not in name}
    found = {CORE: script(ordered(core))}
    for game in scenes():
        own = f"scenes/{game}.js"
        needed = dict(core)
        _collect(own, modules, needed)
        text = script(ordered(needed, tuple(core)))
        end = f'(window.kumiteScenes = window.kumiteScenes || {{}})["{game}"] = kumiteModules["{own}"].scene;\n'
        if "scene" not in needed[own].exports:
            raise BadModule(f"{own} has to export a function scene(input)")
        found[f"scene-{game}.js"] = text + end
    return found


def _collect(name: str, modules: Mapping[str, Module], needed: dict[str, Module]) -> None:
    """Add a module and what it imports."""
    if name not in needed and name in modules:
        needed[name] = modules[name]
        for target, _ in modules[name].imports:
            _collect(target, modules, needed)


def scenes() -> list[str]:
    """The games that have a drawing: a file of style beside the module of the same name marks each."""
    styles = [name for name in sources() if posixpath.dirname(name) == "scenes" and name.endswith(".css")]
    names = [posixpath.basename(name).removesuffix(".css") for name in styles]
    return [name for name in names if f"scenes/{name}.js" in sources()]


def drawing(game: str) -> str:
    """The name of the drawing of a game; raises BadModule where it is missing."""
    if game not in scenes():
        raise BadModule(f"{game} has no drawing: scenes/{game}.js and scenes/{game}.css are missing")
    return game


@cache
def assets() -> dict[str, str]:
    """Every file of the viewer as pages load it: scripts, and styles (`viewer.css`, `scene-honshu.css`)."""
    styles = {STYLE: sources()[STYLE]}
    styles |= {f"scene-{game}.css": sources()[f"scenes/{game}.css"] for game in scenes()}
    return {**scripts(), **styles}
