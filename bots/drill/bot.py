"""The drill bot's program; `targets.json` beside it names what to try of the host, and which bomb to run."""

from __future__ import annotations

import json
import os
from pathlib import Path

# The descriptors are listed before an imported library can open one.
INHERITED = sorted(int(name) for name in os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else []
VARIABLES = tuple(os.environ)

from bots import Bot, run  # noqa: E402
from bots.ask import AnyAsk  # noqa: E402
from bots.drill.attempts import ATTEMPTS, Target, attempt  # noqa: E402
from bots.drill.bombs import BOMBS  # noqa: E402
from referee.kernel.game import Option  # noqa: E402

TARGETS = Path(__file__).parent / "targets.json"


class Drill(Bot):
    """Makes every attempt once, then plays at random."""

    events = False
    tried = False

    def decide(self, ask: AnyAsk) -> Option:
        if not Drill.tried:
            Drill.tried = True
            told = json.loads(TARGETS.read_text(encoding="utf-8")) if TARGETS.exists() else {}
            bomb = told.pop("bomb", None)
            if bomb is not None:
                BOMBS[bomb]()
            target = Target(**told, inherited=tuple(INHERITED), variables=VARIABLES)
            for name in ATTEMPTS:
                print(f"drill {name} {attempt(name, target)}", flush=True)
        return int(ask.rng.random() * ask.count)


if __name__ == "__main__":
    run(Drill, os.environ["KUMITE_ADDRESS"], name=os.environ["KUMITE_NAME"])
