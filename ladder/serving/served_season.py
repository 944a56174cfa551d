"""Plays a season at a referee: the one engine behind `kumite serve` and `kumite ladder run`.

A season is open or planned; both are the lobby's `Pairing` and have a recorder in `matches`. Beside the referee run
the processes of the ladder file's own bots, the publisher of standings and, for a planned season, its planner.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import trio

from ladder.arena.workers import Workers
from ladder.config.ladder_file import BotEntry
from ladder.config.people import PeopleSettings
from ladder.events.event_season import EventSeason
from ladder.seasons.open_season import OpenSeason
from ladder.seasons.planned_season import PlannedSeason
from ladder.seasons.season import Progress
from ladder.seasons.standings import publish
from ladder.serving.archive import SeasonArchive
from ladder.serving.directory import EntrantDirectory
from ladder.serving.people_tables import SEAT, PeopleTables, of_people
from ladder.serving.rulings import SeasonRulings
from ladder.serving.season_bot_logs import LoggedMatches, SeasonBotLogs
from ladder.serving.season_bots import SeasonBots
from ladder.serving.sockets import make_socket_folder, sockets
from ladder.serving.standings_publisher import Publisher
from ladder.store.database import Store
from ladder.store.records import Running
from referee.kernel import registry
from referee.kernel.errors import StorageTrouble
from referee.match.playtime import monotonic
from referee.match.protocols import Recorder
from referee.match.record import Final, SeatUsage
from referee.match.terms import Terms
from referee.transport import bridge as bridges
from referee.transport.lobby import Unfinished
from referee.transport.server import Config, Server, open_server

ENDED = "an organiser decided that the match does not count: {}"
NO_PEOPLE = "people do not play at this referee any more"
LOOK_SECONDS = 0.1
"""How often it is looked whether a run has to end."""

_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class ServedSeason:
    """A season at a referee, and what runs beside it."""

    store: Store
    season: OpenSeason | PlannedSeason
    directory: EntrantDirectory
    config: Config
    own_bots: Sequence[BotEntry] = ()
    """The bots that the referee's host starts as processes."""
    workers: Workers | None = None
    """Where a planned season's line-ups without remote bots are played."""
    people: PeopleSettings | None = None
    """What people may do here; None: they do not play."""
    until: Callable[[Progress], bool] = lambda progress: False
    """Whether the run has to end."""
    told: Callable[[Progress], None] = lambda progress: None
    started: Callable[[Server], None] = lambda server: None
    progress: Progress = field(default_factory=Progress)
    _season_bots: SeasonBots | None = None
    _rulings: SeasonRulings | None = None
    _logs: SeasonBotLogs | None = None
    _people: PeopleTables | None = None
    longest_pairing: int = 0
    """Longest time, in microseconds, for which the referee's loop was held by pairing."""

    def run(self) -> int:
        """Serve until the season or the run is over, or the process is asked to end; returns the matches that ended.

        The standings are stored when this returns.
        """
        if isinstance(self.season, PlannedSeason):
            self.progress = self.season.schedule.progress
        config = self.prepared()
        try:
            return bridges.run(lambda bridge: self._main(bridge, config), batch=not self.own_bots)
        finally:
            if self._logs is not None:
                self._logs.finish()
            self._publish()

    def prepared(self) -> Config:
        """The referee's configuration with all that the database adds: running matches, tokens, sockets."""
        self.store.serving()
        self.store.sessions.sweep()
        at = monotonic()
        running = self._playable()
        place = sockets(self.store.path)
        make_socket_folder(place)
        if self.people is not None:
            self._people = PeopleTables(self.people, self.store.key.derive, place.play)
            self.directory.seat = self._people.session_of
        unfinished = tuple([self._unfinished(match, at) for match in running])
        self._rulings = SeasonRulings(self.store, self.season, self.season.row.id, self.directory)
        recorder: Recorder = self.season.matches
        if self.own_bots:
            self._logs = SeasonBotLogs([bot.name for bot in self.own_bots], self.store)
            self._season_bots = SeasonBots(self.own_bots, self.directory, place.play, self._logs)
            recorder = LoggedMatches(recorder, self._logs)
            for match in running:
                self._logs.begin(match.record.header.match, match.record.header.players, late=True)
        return replace(
            self.config,
            directory=self.directory,
            recorder=recorder,
            pairing=self.season,
            unfinished=unfinished,
            resume_tokens=self.store.sessions.tokens(),
            remember=self._remember,
            missed=self.store.unconfirmed,
            confirmed=self.store.confirm,
            resumable=True,
            play_socket=place.play,
            admin_socket=place.admin,
            event=self.season if isinstance(self.season, EventSeason) else None,
            rulings=self._rulings,
            admins=self.directory,
            ended=self._ended,
            usage=self._used,
            build=self._build,
            held=self._held,
            archive=SeasonArchive(self.store.path),
            pool_of=self.season.matches.pool_of,
            apart=lambda name: name.startswith(SEAT),
            people=self._people,
        )

    def _unfinished(self, match: Running, at: int) -> Unfinished:
        """A match of an earlier run, as the lobby goes on with it."""
        ruled = self.store.ruled().get(match.record.header.match)
        ended = "" if ruled is None else ENDED.format(ruled)
        rated = self.season.restore(match, at)
        if not of_people(match):
            return Unfinished(match.record, match.secret, rated, ended)
        if self._people is None:
            return Unfinished(match.record, match.secret, rated, ended or NO_PEOPLE)
        return Unfinished(match.record, match.secret, rated, ended, self._people.restore(match))

    def _playable(self) -> list[Running]:
        """The running matches of the season's earlier run, and those of no season.

        Matches of another season in the file wait for that one; those of rules that have changed become void.
        """
        pools = {pool.id for pool in self.store.pools(self.season.row.id)}
        found = []
        for match in self.store.running():
            if match.pool is not None and match.pool not in pools:
                continue
            header = match.record.header
            game = registry.game(header.game)
            if (header.rules_version, header.components) == (game.rules_version, game.digest):
                found.append(match)
                continue
            reason = f"the rules of {game.name} have changed since the match began; it does not count"
            _logger.warning("match %s cannot be gone on with: %s", header.match, reason)
            self.store.stop(header.match, reason)
        return found

    def _used(self, name: str) -> SeatUsage | None:
        return None if self._season_bots is None else self._season_bots.usage(name)

    def _build(self, name: str) -> str:
        """The number of the build that a bot said in its last hello; empty: none is known."""
        build = self.season.build(name)
        if build is not None:
            with suppress(StorageTrouble), self.store.explained():
                return str(self.store.build_number(build))
        return ""

    def _held(self) -> dict[str, int]:
        matches = self.season.matches
        return {"rating": matches.longest_rating, "storing": matches.longest_storing}

    def _remember(self, name: str, token: str) -> None:
        with self.store.explained():
            self.store.sessions.remember(name, token)

    def _ended(self, terms: Terms, final: Final) -> None:
        if self._logs is not None:
            self._logs.end(terms.match)  # also of a match whose end could not be stored for good
        if isinstance(self.season, OpenSeason):
            self.progress.played += 1
        if self._rulings is not None and self._rulings.awaits(terms.match):
            self._rulings.ended(terms.match)
        if self._people is not None:
            self._people.ended(terms, final.result is not None)
        self.config.ended(terms, final)

    async def _main(self, bridge: bridges.Bridge, config: Config) -> int:
        async with open_server(bridge, config) as server:
            self.store.sessions.watch(lambda: [bot.name for bot in server.connections.sessions])
            self.started(server)
            async with trio.open_nursery() as nursery:
                if self._season_bots is not None and self._logs is not None:
                    nursery.start_soon(self._season_bots.run, server)
                    nursery.start_soon(self._logs.run)
                if self._people is not None:
                    nursery.start_soon(self._people.run, server)
                nursery.start_soon(self._publisher().run)
                nursery.start_soon(self._drive, server)
                await server.lobby.done.wait()
                if self._logs is not None:
                    await self._logs.settle()
                nursery.cancel_scope.cancel()
            self.longest_pairing = server.lobby.longest_pairing
        return server.lobby.finished

    async def _drive(self, server: Server) -> None:
        """End the run when it is time to."""

        def until(progress: Progress) -> bool:
            return self.until(progress) or server.connections.draining

        if isinstance(self.season, PlannedSeason):
            if self.workers is None:
                raise RuntimeError("a planned season needs workers")
            await self.season.run(
                self.workers, now=server.now, changed=server.lobby.changed, until=until, told=self.told
            )
            server.lobby.stop_opening()
            return
        while not until(self.progress):
            self.told(self.progress)
            await trio.sleep(LOOK_SECONDS)
        server.lobby.stop_opening()

    def _publisher(self) -> Publisher:
        season = self.season
        if isinstance(season, PlannedSeason):
            return Publisher(self.store, season.row.id, by_end=False, current=season.schedule.present)
        return Publisher(self.store, season.row.id, by_end=True, current=lambda: None)

    def _publish(self) -> None:
        """Store the standings with which the run ends; if that is not possible the next run does."""
        try:
            self._store_standings()
        except StorageTrouble as error:
            _logger.warning("the last standings are not stored: %s", error)

    def _store_standings(self) -> None:
        if isinstance(self.season, PlannedSeason):
            self.season.schedule.publish()
            return
        for pool in self.store.pools(self.season.row.id):
            if self.store.stamp(pool.id) != pool.published:
                publish(self.store, pool.id, by_end=True)
