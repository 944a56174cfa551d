"""A bot for every game: any option, each equally likely. The yardstick that every other bot has to clear."""

from __future__ import annotations

from bots.ask import AnyAsk
from bots.bot import Bot
from referee.kernel.game import Option


class Random(Bot):
    """Plays a uniformly random option; needs nothing but the number of them."""

    events = False

    def decide(self, ask: AnyAsk) -> Option:
        return int(ask.rng.random() * ask.count)
