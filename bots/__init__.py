"""The Python bot kit: write `decide`, call `run`.

    from kumite import Bot, run

    class First(Bot):
        def decide(self, ask):
            return ask.options[0]

    run(First, "localhost:7400", name="first")

`ask` is the module to read next: it says what a bot gets to decide with. `specs` names bots on a command line,
`bundled` holds the opponents that come with Kumite, `player` seats a bot at a table in the same process, `client`,
`session`, `redial` and `tls` connect it to a referee, `source` says which build it is, and
`referee.codec` turns the wire's messages into the games' own views.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bots.ask import AnyAsk, Ask, Table
from bots.bot import Bot, Rating

if TYPE_CHECKING:
    from bots.client import run

__all__ = ["AnyAsk", "Ask", "Bot", "Rating", "Table", "run"]

# gRPC reads it when it is imported. What it says of a failed connection, the kit says in one line of its own.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")


def __getattr__(name: str) -> object:
    """`run` brings gRPC with it, so it is loaded only by those who want it."""
    if name == "run":
        from bots.client import run

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
