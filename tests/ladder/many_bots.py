"""Many deterministic bots in one process: `python -m tests.ladder.many_bots ADDRESS NAME...`."""

from __future__ import annotations

import sys
import threading

from bots import Bot, run
from bots.ask import AnyAsk


class Steady(Bot):
    """Answers by the match and the number of the ask alone."""

    def decide(self, ask: AnyAsk) -> int:
        """An option that depends on nothing but the match and the ask."""
        return ask.rng.randrange(ask.count)


def main() -> None:
    """Run one bot for each name until the referee says goodbye."""
    address, *names = sys.argv[1:]
    threads = [threading.Thread(target=run, args=(Steady, address), kwargs={"name": name}) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
