"""One journey at each table of some packages, written out line by line, for comparing two processes.

    python -m tests.conformance.process referee.games.edo_yashiki

Every line is what one step looks like from outside: fingerprint, asks, options, views and events. Two processes that
order anything by hash write different lines.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator

from tests.conformance.journey import Plan, travel
from tests.conformance.tables import Table, cover, tables_in

PLAN = Plan(seed=20, habit="random")


def lines(table: Table) -> Iterator[str]:
    """The journey of one table."""
    game = table.game
    journey = travel(table, PLAN)
    for moment in journey.moments:
        views = [game.view(moment.state, viewer) for viewer in table.viewers]
        options = [list(listed) for listed in moment.options.values()]
        text = repr((moment.asks, options, moment.answers, views, moment.events, moment.outcomes))
        yield f"{table} {moment.number} {moment.print} {hashlib.sha256(text.encode()).hexdigest()}"
    yield f"{table} {game.result(journey.final)}"


def main(packages: list[str]) -> None:
    """Write the journeys of all packages."""
    for package in packages:
        for table in cover(tables_in(package), least=1):
            for line in lines(table):
                sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
