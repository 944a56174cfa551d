"""`kumite export`: the matches of a database that are over, as JSON lines (`ladder.exchange.match_lines`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from ladder.exchange.match_lines import ForeignPlace, Seat, to_line
from ladder.store.database import Store
from ladder.store.records import BuildRow, MatchRow, PoolRow, SeasonRow, Selection


@dataclass(slots=True)
class Export:
    """Goes through the matches of a database; afterwards it knows how many were left out, and why."""

    store: Store
    matches: int = 0
    running: int = 0
    """Matches that are not over."""
    sealed: int = 0
    """Matches of duplicate sets that are not over."""
    without_end: int = 0
    """Matches that could not be played, or not gone on with: their records have no end."""
    _pools: dict[int, tuple[SeasonRow, PoolRow]] = field(default_factory=dict)
    _builds: dict[int, BuildRow] = field(default_factory=dict)
    _referees: dict[int, str] = field(default_factory=dict)

    def lines(self, wanted: Selection) -> Iterator[bytes]:
        """A line for each match that is wanted and over, in the order in which they began; whole sets."""
        with self.store.snapshot():
            own = self.store.referee_id()
            self._pools = self.store.pools_of_seasons()
            for row in self.store.played(wanted, whole_sets=True):
                if row.state == "running":
                    self.running += 1
                elif row.sealed and row.ended:
                    self.sealed += 1
                elif not row.ended or row.sealed:
                    self.without_end += 1
                else:
                    self.matches += 1
                    yield self._line(row, own)

    def left_out(self) -> str:
        """What was left out, in words; empty: nothing."""
        counts = (
            (self.running, "running"),
            (self.sealed, "of sets that are not over"),
            (self.without_end, "without an end"),
        )
        return ", ".join(f"{count} {what}" for count, what in counts if count)

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
