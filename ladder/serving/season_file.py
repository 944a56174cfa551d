"""From a ladder file to a season at a referee: its bots, its pools, and who may play."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ladder.arena.entrants import EntrantKind, find
from ladder.arena.workers import Workers
from ladder.config.ladder_file import BotEntry, Ladder
from ladder.events.event_season import EventSeason
from ladder.events.starting import check_start
from ladder.pairing import planned
from ladder.seasons.open_season import OpenSeason
from ladder.seasons.planned_season import PlannedSeason
from ladder.seasons.season import Season
from ladder.serving.directory import EntrantDirectory
from ladder.serving.served_season import ServedSeason
from ladder.store.database import Store
from referee.kernel.errors import BadSetting
from referee.match.clock import SECOND
from referee.match.playtime import monotonic
from referee.match.policy import Policy
from referee.match.terms import Terms
from referee.transport.auth import bad_name
from referee.transport.limits import Limits
from referee.transport.server import Config


def prepare(
    ladder: Ladder,
    store: Store,
    config: Config,
    *,
    closed: bool | None,
    policy: Policy,
    patience: float | None,
    secret: bytes | None = None,
    workers: Workers | None = None,
) -> ServedSeason:
    """The season of a ladder file, ready to be served; raises BadSetting.

    `patience`: seconds that a planned season waits for a remote bot, None: any time. `secret` fixes the luck of a
    season that is new. `workers` play the line-ups of a planned season in which no bot is remote.
    """
    if ladder.tempo == "planned" and policy != Policy():
        raise BadSetting(f"season {ladder.season!r} is planned: --faults and --development are for open tables")
    check_start(ladder, store)
    own = [bot for bot in ladder.bots if bot.entrant.kind is not EntrantKind.REMOTE]
    for bot in own:
        wrong = bad_name(bot.name, Limits().name_characters)
        if wrong is not None:
            raise BadSetting(f"season {ladder.season!r}: its own bots connect to the referee, and {wrong}")
    config = replace(config, spectator_delay=partial(_spectator_delay, ladder))
    directory = EntrantDirectory(store, closed=closed, house=[bot.name for bot in own])
    _check_remote(ladder, store, directory)
    season: OpenSeason | PlannedSeason
    if ladder.tempo == "open":
        season = _open(ladder, store, own, directory, policy, secret)
    elif ladder.event is not None:
        schedule = Season(ladder, store, secret, lambda spec: find(spec).digest())
        season = EventSeason(ladder, schedule, store, at=monotonic())
    else:
        schedule = Season(ladder, store, secret, lambda spec: find(spec).digest())
        limit = None if patience is None else round(patience * SECOND)
        season = PlannedSeason(ladder, schedule, store, patience=limit, at=monotonic())
    return ServedSeason(
        store, season, directory, config, own_bots=_started(ladder, own), workers=workers, people=ladder.people
    )


def _spectator_delay(ladder: Ladder, terms: Terms) -> int:
    """The number of positions by which spectators are shown a match later: that of its pool."""
    for pool in ladder.pools:
        same = (pool.game, pool.seats, pool.variant) == (terms.game, len(terms.players), dict(terms.variant))
        if same and pool.clock == terms.clock and terms.policy.rated:
            return pool.spectator_delay
    return 0


def _open(
    ladder: Ladder,
    store: Store,
    own: list[BotEntry],
    directory: EntrantDirectory,
    policy: Policy,
    secret: bytes | None,
) -> OpenSeason:
    row = store.season(ladder.season, "", secret, tempo="open", pairing_version=planned.VERSION)
    offers = [replace(pool.offer, policy=policy, rated=pool.rated and not policy.development) for pool in ladder.pools]
    builds = {bot.name: store.build(bot.name, bot.spec, bot.entrant.digest()) for bot in own}
    return OpenSeason(store, row, offers, fill=ladder.fill, house=builds, owner=directory.owner)


def _started(ladder: Ladder, own: list[BotEntry]) -> list[BotEntry]:
    """The bots that are started as processes.

    In a planned season those that meet a remote bot in some pool, or play one that goes by times of arrival.
    """
    if ladder.tempo == "open":
        return own
    remote = set(ladder.remote)
    needed = {name for pool in ladder.pools if pool.offer.timed or remote.intersection(pool.bots) for name in pool.bots}
    return [bot for bot in own if bot.name in needed]


def _check_remote(ladder: Ladder, store: Store, directory: EntrantDirectory) -> None:
    """Raise BadSetting for a remote bot that cannot be admitted, because only tokens are and it has none."""
    missing = [name for name in ladder.remote if not store.has_token(name)]
    if missing and directory.needs_token:
        raise BadSetting(
            f"remote:{missing[0]} could not connect: {store.path} admits tokens only, and {missing[0]} has none; make "
            f"one with kumite token new {missing[0]} --db {store.path}"
        )
