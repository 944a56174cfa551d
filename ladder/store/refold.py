"""Quick ratings of stored ends, computed anew: what an older version told of them was online Elo."""

from __future__ import annotations

from itertools import groupby

from sqlite_utils import Database

from ladder.ratings.glicko import Quick
from ladder.ratings.results import FinishedGame


def refold(db: Database) -> None:
    """Give every seat that was told a rating the one that it has by Glicko, in the order of ends, pool by pool."""
    ratings: dict[int, Quick] = {}
    rows = db.execute(
        "select pool, matches.id, seat, player, build, place from matches join groups on groups.id = group_id "
        "join seats on match = matches.id where state = 'finished' and rated = 1 and end_number is not null "
        "order by end_number, seat"
    ).fetchall()
    changed = []
    for (pool, match), seats in groupby(rows, key=lambda row: (row[0], row[1])):
        quick = ratings.setdefault(pool, Quick())
        table = list(seats)
        players = tuple(player if build is None else f"#{build}" for *_, player, build, _ in table)
        if len(table) < 2:
            continue
        before = {name: quick.rated(name) for name in players}
        after = quick.apply(FinishedGame(players, tuple(place for *_, place in table)))
        changed += [
            (before[name].rating, after[name].rating, after[name].deviation, match, row[2])
            for name, row in zip(players, table, strict=True)
        ]
    db.conn.executemany(
        "update seats set rating_before = ?, rating_after = ?, rating_deviation = ? "
        "where match = ? and seat = ? and rating_after is not null",
        changed,
    )
