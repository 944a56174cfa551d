"""What spectators read of a referee's database: standings, matches and finished records, by a connection of its own.

All calls come from one worker thread of the referee (`referee.transport.watch.WatchService`), where the file is opened
for reading at the first call. Bots that an organiser has hidden appear under their pseudonyms. Answers do not name the
file, because strangers read them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ladder.store.database import Store
from ladder.store.file import StoreProblem
from ladder.store.matches import SealedRecord
from ladder.store.records import MatchRow, PoolRow, RatingRow, SeasonRow, Selection
from referee.kernel import registry
from referee.kernel.errors import BadSetting, StorageTrouble, UnknownName
from referee.v1 import watch_pb2 as pb

MATCHES, MOST_MATCHES = 50, 200
"""Number of matches that are listed if the request names none, and the largest number."""
SHOWN = 64
"""Characters of an unknown name that an answer repeats."""
STATES = {
    "running": pb.MATCH_STATE_RUNNING,
    "finished": pb.MATCH_STATE_FINISHED,
    "void": pb.MATCH_STATE_VOID,
}

_logger = logging.getLogger(__name__)


class SeasonArchive:
    """Reads a database for spectators."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._store: Store | None = None

    def standings(self, request: pb.GetStandingsRequest) -> pb.GetStandingsResponse:
        """The published standings of a pool, or of all."""
        with self._reading() as store:
            pools, pseudonyms = store.pools_of_seasons(), store.pseudonyms()
            if request.pool and request.pool not in pools:
                raise UnknownName(f"no pool has the id {request.pool}: GetStandings with pool 0 lists all pools")
            response = pb.GetStandingsResponse()
            for number, (season, row) in pools.items():
                if not request.pool or number == request.pool:
                    stale = store.stamp(number) != row.published
                    ratings = store.ratings(number) if row.rated else []
                    _fill_pool(response.pools.add(), season, row, ratings, stale, pseudonyms)
        return response

    def matches(self, request: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
        """A page of matches, the newest first."""
        if request.game and request.game not in registry.GAMES:
            raise UnknownName.of("game", request.game[:SHOWN], registry.GAMES)
        with self._reading() as store:
            pseudonyms = store.pseudonyms()
            wanted = Selection(
                bot=_stored(store, request.bot, pseudonyms),
                against=_stored(store, request.against, pseudonyms),
                game=request.game or None,
                pool=request.pool or None,
                faults=request.faults,
            )
            rows, total = store.newest(wanted, request.first, min(request.count or MATCHES, MOST_MATCHES))
        response = pb.ListMatchesResponse(total=total)
        for row in rows:
            _fill_match(response.matches.add(), row, pseudonyms)
        return response

    def record(self, request: pb.GetRecordRequest) -> pb.GetRecordResponse:
        """The record of a finished match that every reader may see."""
        match = request.match_id
        with self._reading() as store:
            if not store.has_match(match):
                raise UnknownName(f"no match has the id {match[:SHOWN]!r}: ListMatches names those that there are")
            pseudonyms = store.pseudonyms()
            if any(seat.player in pseudonyms for seat in store.match_row(match).seats):
                raise BadSetting("a bot of this match is shown under a pseudonym, and the record has its name")
            try:
                store.shown_record(match)
            except SealedRecord:
                raise BadSetting(
                    "the record can be read when the match, and every match of the same deal, is over"
                ) from None
            return pb.GetRecordResponse(record=b"".join(store.lines(match)))

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
            self._store = None

    @contextmanager
    def _reading(self) -> Iterator[Store]:
        """The file as it is at one moment; raises StorageTrouble, without the path, where it cannot be read."""
        try:
            if self._store is None:
                self._store = Store(self._path, reading=True)
            with self._store.snapshot():
                yield self._store
        except StoreProblem as error:
            _logger.warning("a spectator's call failed: %s", error)
            raise StorageTrouble("the referee cannot read its database now; try again") from None


def _shown(player: str, pseudonyms: Mapping[str, str]) -> str:
    """The name under which a bot, or an earlier build of it (NAME@NUMBER), is shown."""
    bot, at, build = player.partition("@")
    return f"{pseudonyms.get(bot, bot)}{at}{build}"


def _stored(store: Store, shown: str, pseudonyms: Mapping[str, str]) -> str | None:
    """The stored name of a bot; None: no name is given. The stored name of a hidden bot finds nothing."""
    if not shown:
        return None
    for bot, pseudonym in pseudonyms.items():
        if pseudonym == shown:
            return bot
    if shown in pseudonyms or not (store.knows_bot(shown) or shown in store.players()):
        raise UnknownName(f"no bot is called {shown[:SHOWN]!r}")
    return shown


def _fill_pool(
    message: pb.WatchedPool,
    season: SeasonRow,
    row: PoolRow,
    ratings: list[RatingRow],
    stale: bool,
    pseudonyms: Mapping[str, str],
) -> None:
    message.pool, message.season, message.game, message.seats = row.id, season.name, row.game, row.seats
    message.variant.update(row.variant)
    message.clock, message.rated, message.stale = row.clock, row.rated, stale
    for rating in ratings:
        message.standings.add(
            player=_shown(rating.player, pseudonyms),
            rating=rating.elo,
            low=rating.low,
            high=rating.high,
            games=rating.games,
            points=rating.points,
            wins=rating.wins or 0,
            draws=rating.draws or 0,
            losses=rating.losses or 0,
            faults=rating.faults or 0,
            island=rating.island,
            exact=rating.exact,
        )


def _fill_match(message: pb.WatchedMatch, row: MatchRow, pseudonyms: Mapping[str, str]) -> None:
    message.match_id, message.state, message.game = row.id, STATES[row.state], row.game
    message.variant.update(row.variant)
    message.clock, message.season, message.pool = row.clock, row.season or "", row.pool or 0
    message.rated, message.started, message.duration_us = row.rated, row.started, row.duration_us or 0
    hidden = any(seat.player in pseudonyms for seat in row.seats)
    message.readable = row.state != "running" and not row.sealed and not hidden
    for seat in row.seats:
        message.seats.add(
            player=_shown(seat.player, pseudonyms), place=seat.place or 0, points=seat.points, faults=seat.faults or 0
        )
