"""What authors of bots import.

    from kumite import Ask, Bot, run

    class First(Bot):
        def decide(self, ask: Ask) -> object:
            return ask.options[0]

    run(First, "localhost:7400", name="first")

`HonshuAsk`, `HonshuBot` and `HonshuOption`, and the same of the other games, are types of one game for editors and type
checkers (`bots.typed`).

The names come from the package `bots`, whose README is the manual of the kit. Python would import an author's own
folder called `bots`, `ladder` or `referee` instead of Kumite's package, so the import of `kumite` refuses such a
folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
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
    from bots.typed.edo_yashiki import EdoYashikiAsk, EdoYashikiBot, EdoYashikiOption
    from bots.typed.honshu import HonshuAsk, HonshuBot, HonshuOption
    from bots.typed.ninjato import NinjatoAsk, NinjatoBot, NinjatoOption
    from bots.typed.white_castle import WhiteCastleAsk, WhiteCastleBot, WhiteCastleOption

__all__ = [
    "AnyAsk",
    "Ask",
    "Bot",
    "EdoYashikiAsk",
    "EdoYashikiBot",
    "EdoYashikiOption",
    "HonshuAsk",
    "HonshuBot",
    "HonshuOption",
    "NinjatoAsk",
    "NinjatoBot",
    "NinjatoOption",
    "Rating",
    "Table",
    "WhiteCastleAsk",
    "WhiteCastleBot",
    "WhiteCastleOption",
    "run",
]

_GAMES = {
    "EdoYashiki": "bots.typed.edo_yashiki",
    "Honshu": "bots.typed.honshu",
    "Ninjato": "bots.typed.ninjato",
    "WhiteCastle": "bots.typed.white_castle",
}
"""By the beginning of the names of a game's types: the module that has them."""


def __getattr__(name: str) -> object:
    """`run` imports gRPC and the types of a game import its rules, so these names are loaded on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _GAMES.get(re.sub("(Ask|Bot|Option)$", "", name), "bots")
    found: object = getattr(importlib.import_module(module), name)
    return found
