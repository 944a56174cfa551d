"""A bot for every game that plays a uniformly random option: the weakest sensible opponent for other bots."""

from __future__ import annotations

from bots.ask import AnyAsk
from bots.bot import Bot
from referee.kernel.game import Option


class Random(Bot):
    """Reads only the number of options, so nothing is decoded."""

    events = False

    def decide(self, ask: AnyAsk) -> Option:
        return int(ask.rng.random() * ask.count)
