"""`kumite export`: the matches of a database that are over, as JSON lines (`ladder.exchange.match_lines`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from ladder.exchange.match_lines import ForeignPlace, Seat, to_line
from ladder.exchange.open_matches import OpenMatches
from ladder.store.records import BuildRow, MatchRow, PoolRow, SeasonRow, Selection


@dataclass(slots=True)
class Export(OpenMatches):
    """Writes each match of a database that is open, with its record and its place."""

    _pools: dict[int, tuple[SeasonRow, PoolRow]] = field(default_factory=dict)
    _builds: dict[int, BuildRow] = field(default_factory=dict)
    _referees: dict[int, str] = field(default_factory=dict)

    def lines(self, wanted: Selection) -> Iterator[bytes]:
        """A line for each match that is wanted and over, in the order in which they began; whole sets."""
        with self.store.snapshot():
            own = self.store.referee_id()
            self._pools = self.store.pools_of_seasons()
            for row in self.rows(wanted):
                yield self._line(row, own)

    def _line(self, row: MatchRow, own: str) -> bytes:
        lines = self.store.lines(row.id)
        players, result = len(json.loads(lines[0])["players"]), json.loads(lines[-1])["result"]
        referee = own if row.source is None else self._referee(row.source)
        return to_line(
            row,
            lines,
            referee=referee,
            seats=[
                Seat(seat.player, None if seat.build is None else self._build(seat.build))
                for seat in row.seats[:players]
            ],
            place=self._place(row, referee),
            void=row.reason or "void" if row.state == "void" and result is not None else None,
        )

    def _place(self, row: MatchRow, referee: str) -> ForeignPlace | None:
        if row.pool is None or row.group is None or row.rotation is None:
            return None
        season, pool = self._pools[row.pool]
        group = self.store.group(row.pool, row.group)
        # A match on its own is its own set; the number tells sets of several games apart.
        own_id = row.id if group.games == 1 else f"{referee}/{row.pool}/{row.group}"
        return ForeignPlace(
            season=season.name,
            tempo=season.tempo,
            pairing_version=season.pairing_version,
            config=season.config,
            clock=pool.clock,
            pool_rated=pool.rated,
            set_id=own_id if group.origin is None else group.origin,
            lineup=group.lineup,
            duplicate=group.duplicate,
            games=group.games,
            rotation=row.rotation,
            attempt=row.attempt,
        )

    def _build(self, build: int) -> BuildRow:
        if build not in self._builds:
            self._builds[build] = self.store.build_row(build)
        return self._builds[build]

    def _referee(self, source: int) -> str:
        if source not in self._referees:
            self._referees[source] = self.store.source(source).referee
        return self._referees[source]
