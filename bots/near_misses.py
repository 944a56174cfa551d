"""What was probably meant by a text that names no bot: `mybot.py`, `mybot:Mine`, `py:mybot.py:Mine`, `Mine`.

Files are read and never run: their classes are found in the source.
"""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = ".py"
LARGEST = 1 << 20
"""Bytes of a file that is read."""


def meant(spec: str) -> str:
    """A sentence that says which spec was probably meant, or how a bot of one's own is written; empty: no idea."""
    head, _, name = spec.removeprefix("py:").partition(":")
    file = Path(head)
    if file.suffix != SOURCE:
        file = Path(*head.split(".")).with_suffix(SOURCE) if head.isascii() and "." not in head[:1] else file
    named = head.endswith(SOURCE)
    if not file.is_file():
        return f"{spec}: there is no file {head}; a bot of your own is written py:module:Class" if named else ""
    found = classes(file)
    wanted, _, parameters = name.partition(":")
    known = [wanted] if wanted in found else found
    if not known:
        return f"{spec}: {file} has no class whose base is Bot; a bot of your own is written py:module:Class"
    outside = file.is_absolute() or ".." in file.parts
    module = file.stem if outside else ".".join((*file.parent.parts, file.stem))
    behind = f":{parameters}" if parameters else ""
    specs = " or ".join(f"py:{module}:{one}{behind}" for one in known[:3])
    return f"{spec}: did you mean{f', in the folder {file.parent},' if outside else ''} {specs}?"


def classes(file: Path) -> list[str]:
    """The classes of a source file with a base whose name ends with Bot, in their order; none if it cannot be read."""
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return []
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) and any(_named(base).endswith("Bot") for base in node.bases)
    ]


def _named(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript):
        return _named(base.value)
    if isinstance(base, ast.Attribute):
        return base.attr
    return base.id if isinstance(base, ast.Name) else ""
