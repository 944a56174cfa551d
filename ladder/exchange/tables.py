"""The rows of `kumite export --table`, one match at a time: what is not over is left out, and hidden bots stay hidden.

A match is in the tables under the same rule as in the export of records (`ladder.exchange.open_matches`): when it, and
every game of its duplicate set, is over. Bots that an organiser has hidden have their pseudonyms, in texts of bots and
of the referee too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.json_format import MessageToDict

from ladder.exchange.open_matches import OpenMatches
from ladder.exchange.table_schema import DataTable, Row
from ladder.seasons.published_standings import season_standings
from ladder.store.records import MatchRow, SeatRow, Selection, faults_of
from ladder.store.shown_names import ShownNames
from referee.codec import encoding
from referee.kernel.board import board
from referee.kernel.errors import BadRecord
from referee.kernel.plain import Plain
from referee.match.record import Header, Record
from referee.v1 import play_pb2 as pb


@dataclass(slots=True)
class TableExport(OpenMatches):
    """Makes the rows of one table; afterwards it knows how many matches were left out, and why."""

    views: bool = False
    """Whether decisions have their views."""
    unplayable: int = 0
    """Matches without decisions here: the rules at hand do not play their records again."""
    _names: ShownNames = field(default_factory=lambda: ShownNames({}))
    _builds: dict[int, int] = field(default_factory=dict)
    _referees: dict[int, str] = field(default_factory=dict)

    def table(self, table: DataTable, wanted: Selection) -> Iterator[Row]:
        """The rows of a table from the matches that are wanted; of ratings, from the pools and players of `wanted`."""
        with self.store.snapshot():
            self._names = ShownNames(self.store.pseudonyms())
            if table is DataTable.RATINGS:
                yield from self._ratings(wanted)
                return
            of_match: Callable[[MatchRow], Iterator[Row]] = {
                DataTable.MATCHES: self._match,
                DataTable.SEATS: self._seats,
                DataTable.FAULTS: self._faults,
                DataTable.DECISIONS: self._decisions,
            }[table]
            for row in self.rows(wanted):
                yield from of_match(row)

    def left_out(self) -> str:
        """What was left out, in words; empty: nothing."""
        unplayable = f"{self.unplayable} whose records these rules do not play" if self.unplayable else ""
        return ", ".join(filter(None, (OpenMatches.left_out(self), unplayable)))

    def _match(self, row: MatchRow) -> Iterator[Row]:
        header = self.store.header(row.id)
        yield {
            "match": row.id,
            "game": row.game,
            "rules_version": header.rules_version,
            "seats": len(header.players),
            "variant": dict(row.variant),
            "clock": row.clock,
            "season": row.season,
            "group": row.group,
            "rotation": row.rotation,
            "attempt": row.attempt,
            "state": row.state,
            "rated": row.rated,
            "reason": None if row.reason is None else self._names.masked(row.reason),
            "started": row.started,
            "duration_us": row.duration_us,
            "referee": self._referee(row.source),
        }

    def _seats(self, row: MatchRow) -> Iterator[Row]:
        count = len(self.store.header(row.id).players)
        ratings = self.store.told_ratings(row.id)
        for seat, (entry, told) in enumerate(zip(row.seats, ratings, strict=True)):
            before, after = told or (None, None)
            yield {
                "match": row.id,
                "game": row.game,
                "seat": seat,
                "player": self._shown(entry, automaton=seat >= count),
                "build": None if entry.build is None else self._build(entry.build),
                "automaton": seat >= count,
                "place": entry.place,
                "points": entry.points,
                "ending": entry.ending,
                "faults": entry.faults,
                "rating_before": before,
                "rating_after": after,
            }

    def _faults(self, row: MatchRow) -> Iterator[Row]:
        # A match without a result has no counts, and may have faults.
        if not any(entry.faults is None or entry.faults for entry in row.seats):
            return
        for fault in faults_of(self.store.record(row.id)):
            yield {
                "match": row.id,
                "game": row.game,
                "seat": fault.seat,
                "player": self._shown(row.seats[fault.seat]),
                "ask": fault.ask,
                "kind": str(fault.kind),
                "owner": str(fault.owner),
                "message": self._names.masked(fault.message),
            }

    def _decisions(self, row: MatchRow) -> Iterator[Row]:
        record = self.store.record(row.id)
        try:
            yield from list(self._moments(row, record))
        except BadRecord:
            self.matches -= 1
            self.unplayable += 1

    def _moments(self, row: MatchRow, record: Record) -> Iterator[Row]:
        words = board(row.game).answer
        view_of = views_of(record.header) if self.views else None
        for moment in record.moments():
            entry = row.seats[moment.seat]
            found: dict[str, object] = {
                "match": row.id,
                "game": row.game,
                "seats": len(record.header.players),
                "step": moment.step,
                "seat": moment.seat,
                "player": self._shown(entry),
                "ask": moment.number,
                "kind": moment.kind,
                "options": len(moment.options),
                "option": moment.index,
                "words": words(moment.view, moment.kind, moment.chosen),
                "stand_in": moment.stand_in,
                "note": self._names.masked(moment.note) or None,
                "at_us": moment.at,
                "spent_us": moment.spent,
                "lag_us": moment.lag,
                "left_us": moment.left,
                "place": entry.place,
                "points": entry.points,
            }
            if view_of is not None:
                found["view"] = view_of(moment.view)
            yield found

    def _ratings(self, wanted: Selection) -> Iterator[Row]:
        bot = None if wanted.bot is None else self._names.shown(wanted.bot)
        for season in self.store.seasons():
            for pool in season_standings(self.store, season):
                if not _in_pool(wanted, pool.row.game, pool.row.seats, pool.row.clock, pool.row.variant):
                    continue
                for entry in pool.players:
                    rating = entry.rating
                    if bot not in (None, rating.player, rating.player.partition("@")[0]):
                        continue
                    yield {
                        "season": season.name,
                        "game": pool.row.game,
                        "seats": pool.row.seats,
                        "variant": dict(pool.row.variant),
                        "clock": pool.row.clock,
                        "archived": pool.row.archived is not None,
                        "player": rating.player,
                        "rank": entry.rank,
                        "status": str(entry.status),
                        "elo": rating.elo,
                        "low": rating.low,
                        "high": rating.high,
                        "live": rating.live,
                        "deviation": rating.deviation,
                        "games": rating.games,
                        "points": rating.points,
                        "wins": rating.wins,
                        "draws": rating.draws,
                        "losses": rating.losses,
                        "faults": rating.faults,
                        "island": rating.island,
                        "exact": rating.exact,
                    }

    def _shown(self, entry: SeatRow, *, automaton: bool = False) -> str:
        return entry.player if automaton else self._names.shown(entry.player)

    def _build(self, build: int) -> int:
        if build not in self._builds:
            self._builds[build] = self.store.build_number(build)
        return self._builds[build]

    def _referee(self, source: int | None) -> str:
        key = source or 0
        if key not in self._referees:
            self._referees[key] = self.store.referee_id() if source is None else self.store.source(source).referee
        return self._referees[key]


def _in_pool(wanted: Selection, game: str, seats: int, clock: str, variant: dict[str, str]) -> bool:
    """Whether a pool is one of those that are wanted."""
    return (
        wanted.game in (None, game)
        and wanted.seats in (None, seats)
        and wanted.clock in (None, clock)
        and all(variant.get(key) == value for key, value in wanted.variant)
    )


def views_of(header: Header) -> Callable[[object], dict[str, Plain]]:
    """A function that writes the views of one match as the protocol does."""
    encoder: Any = encoding.of(header.game).encoder()
    kind = type(getattr(pb.Ask(), header.game).view)

    def written(view: object) -> dict[str, Plain]:
        message = kind()
        message.ParseFromString(encoder.view(view))
        found: dict[str, Plain] = MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
        return found

    return written
