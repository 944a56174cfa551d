"""The Python bot kit: write `decide`, call `run`.

    from kumite import Bot, run

    class First(Bot):
        def decide(self, ask):
            return ask.options[0]

    run(First, "localhost:7400", name="first")

Read the module `ask` next: an `Ask` holds everything that a bot decides with. `specs` names bots on a command line,
`bundled` holds the opponents that come with Kumite, `seated_bot` seats a bot at a table in the same process, `client`,
`session`, `redial` and `tls` connect a bot to a referee, `source` tells one build of a bot from another, and
`referee.codec` turns the wire's messages into the games' own views, and `typed` has asks and bots of one game each for
type checkers.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bots.ask import AnyAsk, Ask, Table
from bots.bot import Bot, Rating

if TYPE_CHECKING:
    from bots.client import run

__all__ = ["AnyAsk", "Ask", "Bot", "Rating", "Table", "run"]

# gRPC reads this variable on import. Its own lines about a failed connection are replaced by one line of the kit.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")


def __getattr__(name: str) -> object:
    """`run` imports gRPC, so the function is loaded on first use."""
    if name == "run":
        from bots.client import run

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
