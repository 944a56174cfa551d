"""The matches of a database that may leave it: those that are over, of duplicate sets that are over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ladder.store.database import Store
from ladder.store.records import MatchRow, Selection


@dataclass(slots=True)
class OpenMatches:
    """Goes through the matches of a database; afterwards it knows how many were left out, and why."""

    store: Store
    matches: int = 0
    running: int = 0
    """Matches that are not over."""
    sealed: int = 0
    """Matches of duplicate sets that are not over."""
    without_end: int = 0
    """Matches that could not be played, or not gone on with: their records have no end."""

    def rows(self, wanted: Selection) -> Iterator[MatchRow]:
        """Each match that is wanted and open, in the order in which they began; whole sets."""
        for row in self.store.played(wanted, whole_sets=True):
            if row.state == "running":
                self.running += 1
            elif row.sealed and row.ended:
                self.sealed += 1
            elif not row.ended or row.sealed:
                self.without_end += 1
            else:
                self.matches += 1
                yield row

    def left_out(self) -> str:
        """What was left out, in words; empty: nothing."""
        counts = (
            (self.running, "running"),
            (self.sealed, "of sets that are not over"),
            (self.without_end, "without an end"),
        )
        return ", ".join(f"{count} {what}" for count, what in counts if count)
