"""A searching bot: information-set Monte Carlo tree search (ISMCTS) over states that are consistent with the view.

    ismcts                              400 iterations for every decision
    ismcts:iterations=2000              2000 iterations for every decision
    ismcts:ms=200                       as many iterations as fit into 200 ms
    ismcts:iterations=400,depth=2       looks at most two stages (rounds or turns) ahead

With a number of iterations and a seed the play is reproducible, as long as the clock does not end a search early.
With every setting the bot keeps within its clock. `search` holds the search, `guide` describes what the search
needs to know of a game, and each game's module is its guide.
"""

from __future__ import annotations

import sys
import time

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.bundled.ismcts.contest import SearchBudget
from bots.bundled.ismcts.guide import guide_of
from bots.bundled.ismcts.search import Search, Settings
from referee.kernel.errors import BadSetting
from referee.kernel.game import Option, Seat

ITERATIONS = 400


class Ismcts(Bot):
    """Runs a search for every answer."""

    events = False

    def __init__(
        self,
        iterations: int | None = None,
        ms: int | None = None,
        explore: float = 1.0,
        depth: int | None = None,
        width: int | None = None,
    ) -> None:
        """`explore` weighs untried answers in selection; `depth` and `width` default to those of the game's guide."""
        for name, value in (("iterations", iterations), ("ms", ms), ("depth", depth), ("width", width)):
            if value is not None and value < 1:
                raise BadSetting(f"ismcts: {name} is at least 1, not {value}")
        self._iterations = ITERATIONS if iterations is None and ms is None else iterations
        self._ms = ms
        self._explore = explore
        self._depth = depth
        self._width = width
        self._plans: dict[tuple[str, Seat], tuple[int, tuple[Option, ...]]] = {}

    def decide(self, ask: AnyAsk) -> Option:
        planned = self._plans.pop((ask.match, ask.seat), None)
        if planned is not None and planned[0] == ask.number and planned[1][0] in ask.options:
            self._keep(ask, planned[1])
            return planned[1][0]
        guide = guide_of(ask.game)
        settings = Settings(self._explore, self._depth or guide.depth, self._width or guide.width)
        search = Search(ask.game, guide, ask.seat, settings, ask.rng)
        best = search.run(ask.worlds(sys.maxsize), self._budget(ask))
        self._keep(ask, best[0].line)
        return best[0].line[0]

    def _budget(self, ask: AnyAsk) -> SearchBudget:
        """The budget of the parameters, within the advice of the clock."""
        begin = time.monotonic()
        limits = [None if self._ms is None else self._ms / 1000, ask.clock.advice()]
        seconds = min((limit for limit in limits if limit is not None), default=None)
        return SearchBudget(self._iterations, begin, None if seconds is None else begin + seconds)

    def _keep(self, ask: AnyAsk, line: tuple[Option, ...]) -> None:
        """Keep the rest of a line for the seat's next asks."""
        if len(line) > 1:
            self._plans[ask.match, ask.seat] = ask.number + 1, line[1:]
