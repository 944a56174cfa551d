"""What authors of bots import.

    from kumite import Ask, Bot, run

    class First(Bot):
        def decide(self, ask: Ask) -> object:
            return ask.options[0]

    run(First, "localhost:7400", name="first")

The names come from the package `bots`, whose README is the manual of the kit. Python would import an author's own
folder called `bots`, `ladder` or `referee` instead of Kumite's package, so the import of `kumite` refuses such a
folder.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

PACKAGES = ("bots", "ladder", "referee")
"""The packages that are installed together with this one."""


def _refuse_hidden_packages() -> None:
    """Raise ImportError if Python finds another folder under the name of one of Kumite's packages."""
    home = Path(__file__).resolve().parents[1]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        found = [] if spec is None else [Path(place).resolve() for place in spec.submodule_search_locations or ()]
        if spec is not None and not found and spec.origin is not None:
            found = [Path(spec.origin).resolve()]
        if found and found[0] != home / name:
            raise ImportError(f"{found[0]} hides Kumite's own package {name!r}: give your file or folder another name")


_refuse_hidden_packages()

from bots import AnyAsk, Ask, Bot, Rating, Table  # noqa: E402

if TYPE_CHECKING:
    from bots import run

__all__ = ["AnyAsk", "Ask", "Bot", "Rating", "Table", "run"]


def __getattr__(name: str) -> object:
    """`run` imports gRPC, so the function is loaded on first use."""
    if name == "run":
        from bots import run

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
