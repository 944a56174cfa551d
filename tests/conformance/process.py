"""One journey at each table of some packages, written out line by line, for comparing two processes.

    python -m tests.conformance.process [--backwards] referee.games.edo_yashiki

Every line is what one step looks like from outside: fingerprint, asks, options, views and events, and all that the
game's board says of it to each viewer. Two processes that order anything by hash write different lines. With
`--backwards` the process looks at the last step first, through the last viewer first: a board that remembers what it
was shown before writes different lines.
"""

from __future__ import annotations

import hashlib
import sys

from tests.conformance.journey import Journey, Moment, Plan, travel
from tests.conformance.laws.boards import asked, shown
from tests.conformance.laws.telling import told_to
from tests.conformance.tables import Table, cover, tables_in

PLAN = Plan(seed=20, habit="random")
BACKWARDS = "--backwards"


def lines(table: Table, order: int) -> list[str]:
    """The journey of one table; `order` is 1, or -1 to look at it backwards."""
    game = table.game
    journey = travel(table, PLAN)
    written = [line(journey, moment, order) for moment in journey.moments[::order]]
    return [*written[::order], f"{table} {game.result(journey.final)}"]


def line(journey: Journey, moment: Moment, order: int) -> str:
    """One step, as seen by every viewer."""
    table, game = journey.table, journey.table.game
    views = {viewer: game.view(moment.state, viewer) for viewer in table.viewers}
    options = {seat: list(listed) for seat, listed in moment.options.items()}
    said = {}
    for viewer in table.viewers[::order]:
        if table.board is not None:
            asks = asked(options, moment.asks, viewer)
            said[viewer] = shown(table.board, views[viewer], asks, told_to(viewer, moment.events))
    words = [said.get(viewer) for viewer in table.viewers]
    text = repr((moment.asks, options, moment.answers, list(views.values()), moment.events, moment.outcomes, words))
    return f"{table} {moment.number} {moment.print} {hashlib.sha256(text.encode()).hexdigest()}"


def main(arguments: list[str]) -> None:
    """Write the journeys of all packages."""
    order = -1 if BACKWARDS in arguments else 1
    for package in arguments:
        if package != BACKWARDS:
            for table in cover(tables_in(package), least=1):
                for written in lines(table, order):
                    sys.stdout.write(written + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
