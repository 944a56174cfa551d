"""The viewer's modules as classic scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ladder.web.drawing.viewer_scripts import (
    BadModule,
    Module,
    assets,
    drawing,
    ordered,
    parse,
    scenes,
    script,
    sources,
)
from referee.kernel.registry import names

ROOT = Path(__file__).parents[2]


def test_imports_and_exports_become_a_function() -> None:
    """Each import takes names from a module that stands before, each export is returned, and the rest is as it was."""
    one = parse("one.js", "export const A = 1;\nfunction own() {}\nexport function f() {}\nexport class C {}\n")
    two = parse("deep/two.js", 'import {\n  A as B,\n  f,\n} from "../one.js";\nconst D = B;\nexport { D, f };\n')
    text = script(ordered({"deep/two.js": two, "one.js": one}))

    assert one == Module(
        "one.js", (), ("A", "f", "C"), "const A = 1;\nfunction own() {}\nfunction f() {}\nclass C {}\n"
    )
    assert text.index('kumiteModules["one.js"]') < text.index('kumiteModules["deep/two.js"] =')
    assert "return { A, f, C };" in text
    assert 'const { A: B, f } = kumiteModules["one.js"];\nconst D = B;\nreturn { D, f };' in text
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)


@pytest.mark.parametrize(
    "source",
    [
        "export default 1;",
        'import all from "./one.js";',
        'import * as all from "./one.js";',
        'import "./one.js";',
        'import { a } from "elsewhere";',
        'export * from "./one.js";',
        "export let a = 1;",
        "export const { a } = b;",
        "const a = 1;\nexport { a as b };",
        "export const a = 1;\nexport const a = 2;",
        'import { a-b } from "./one.js";',
    ],
)
def test_another_form_is_refused_with_its_line(source: str) -> None:
    """What cannot be turned into a classic script is said before a browser stumbles over it."""
    with pytest.raises(BadModule, match=r"two.js"):
        parse("two.js", source)


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        ({"a.js": 'import { b } from "./b.js";'}, "a.js imports b.js, which is not there"),
        ({"a.js": 'import { b } from "./b.js";', "b.js": ""}, "a.js imports b from b.js, which does not export that"),
        (
            {
                "a.js": 'import { b } from "./b.js";\nexport const a = 1;',
                "b.js": 'import { a } from "./a.js";\nexport const b = 1;',
            },
            "modules import each other in a circle: a.js -> b.js -> a.js",
        ),
    ],
)
def test_imports_that_lead_nowhere_are_refused(modules: dict[str, str], words: str) -> None:
    """A module that is not there, a name that is not exported, and modules that need each other."""
    with pytest.raises(BadModule, match=re.escape(words)):
        ordered({name: parse(name, source) for name, source in modules.items()})


def test_the_scripts_of_all_modules_are_whole() -> None:
    """Every module is in one script, once; what a game draws is registered under its name."""
    found = assets()
    for name in sources():
        if name.endswith(".js"):
            places = [asset for asset, text in found.items() if f'kumiteModules["{name}"] = ' in text]
            assert len(places) == 1, name
    for game in scenes():
        assert f'kumiteScenes || {{}})["{game}"] = ' in found[f"scene-{game}.js"]
        assert f"scene-{game}.css" in found
    assert [drawing(game) for game in names()] == list(names())
    with pytest.raises(BadModule, match=r"chess has no drawing"):
        drawing("chess")
    assert "</script" not in "".join(found.values()).lower()


def test_no_module_reads_a_clock_or_draws_lots_and_no_scene_touches_the_page() -> None:
    """A scene is a function of what it is given."""
    words = r"\b(document|window|fetch|Date|Math\.random|performance|setTimeout|localStorage)\b"
    for name, text in sources().items():
        if name.startswith("scenes/") and name.endswith(".js"):
            code = re.sub(r"/\*.*?\*/", "", re.sub(r"//[^\n]*", "", text), flags=re.DOTALL)
            assert not re.findall(words, code), name


def test_every_token_of_the_viewer_is_that_of_the_pages() -> None:
    """Colours stand in both stylesheets, because a frame or a notebook loads the viewer's alone."""
    pages = (ROOT / "ladder" / "web" / "static" / "style.css").read_text()
    tokens = re.findall(r"--([a-z-]+): (light-dark\(#[^)]*\));", sources()["viewer.css"])

    assert len(tokens) == 14
    for name, value in tokens:
        assert f"--{name}: {value};" in pages
