"""How bots changed from one run of a season to the next: each against the opponents that both runs share.

The published rating of a bot hangs on the whole pool, so it moves when others come and go. Here a bot is compared with
itself: one fit of both nights' games in which the bot is two players, before and after, and all opponents that played
with the same build in both nights are one player each. Under Plackett-Luce the finishing order of some players of a
table follows the same law as if the others had not sat there, so other bots are left out of every game. A bot whose
code changed is compared with the build that played before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import FinishedGame, collect, finite
from ladder.store.database import Store
from ladder.store.records import PoolRow, ResultRow, RunRow
from referee.kernel.plain import Plain, canonical

ALARMS = 0.05
"""The chance of any alarm between two equal nights, shared among the bots that are watched."""
BEFORE, AFTER = "before", "after"


class NightChange(NamedTuple):
    """What became of one bot in one pool."""

    pool: str
    variant: str
    player: str
    before: float | None
    """Published rating after the earlier run; None: the bot was not there."""
    after: float
    low: float | None
    high: float | None
    """Ends of the published rating's interval after the later run."""
    change: float | None = None
    """Against the opponents that both runs share; None: there are none, or the bot played in one of them only."""
    change_low: float | None = None
    change_high: float | None = None
    los: float | None = None
    """Likelihood that the bot has become stronger."""
    opponents: int = 0
    """Opponents that both runs share."""
    new_build: bool = False
    """Whether the bot's code changed in between."""
    before_low: float | None = None
    before_high: float | None = None
    """Ends of the published rating's interval after the earlier run."""

    def regressed(self, drop: float, watched: int) -> bool:
        """Whether the bot fell by more than `drop`, and by more than chance: of so many watched in equal nights."""
        if self.change is None or self.los is None or self.change_high is None:
            return False
        return self.change < -drop and self.change_high < 0.0 and self.los < ALARMS / max(1, watched)


class _NightSeat(NamedTuple):
    name: str
    build: int | None


class _NightGame(NamedTuple):
    seats: tuple[_NightSeat, ...]
    places: tuple[int, ...]
    group: str
    night: str


def compare(store: Store, earlier: RunRow, later: RunRow) -> list[NightChange]:
    """Every player of the standings after the later run, in their order."""
    before, after = store.run_standings(earlier.id), store.run_standings(later.id)
    found = []
    games: dict[tuple[str, int, str], list[_NightGame]] = {}
    for key, (elo, low, high) in after.items():
        game, seats, variant, player = key
        pool = game, seats, variant
        if pool not in games:
            games[pool] = _games(store, pool, earlier, later)
        old, old_low, old_high = before.get(key, (None, None, None))
        night = NightChange(
            f"{game}/{seats}", variant, player, old, elo, low, high, before_low=old_low, before_high=old_high
        )
        found.append(night if "@" in player else _compared(night, games[pool]))
    return found


def _games(store: Store, pool: tuple[str, int, str], earlier: RunRow, later: RunRow) -> list[_NightGame]:
    """The rated games of both nights: all up to the end of the earlier run, and those since of the later one."""
    found: list[_NightGame] = []
    for night, run in ((BEFORE, earlier), (AFTER, later)):
        season = store.find_season(run.season)
        for row in store.pools(season.id):
            if (row.game, row.seats, canonical(dict[str, Plain](row.variant)).decode()) == pool:
                found += _night(row, store.results(row.id), night, earlier.ended, run.ended)
    return found


def _night(row: PoolRow, results: Sequence[ResultRow], night: str, until: str, end: str) -> list[_NightGame]:
    return [
        _NightGame(
            tuple(_NightSeat(name, build) for name, build in zip(result.players, result.builds, strict=True)),
            result.places,
            f"{row.id}/{result.group}/{night}",
            night,
        )
        for result in results
        if result.state == "finished"
        and result.rated
        and (result.started <= until if night == BEFORE else until < result.started <= end)
    ]


def _compared(found: NightChange, games: Sequence[_NightGame]) -> NightChange:
    """The bot with how much stronger it became; as given, if the two nights cannot be compared."""
    name = found.player
    old, new = (_last_build(games, name, night) for night in (BEFORE, AFTER))
    if old is None or new is None:
        return found
    shared = _shared(games, name)
    labelled = [labelled for game in games if (labelled := _labelled(game, name, old, new, shared)) is not None]
    if not {BEFORE, AFTER} <= {player for game in labelled for player in game.players}:
        return found
    difference = fit(collect(labelled), ends=False).difference(AFTER, BEFORE)
    if difference is None:
        return found
    elo, low, high, los = difference
    return found._replace(
        change=elo,
        change_low=finite(low),
        change_high=finite(high),
        los=los,
        opponents=len(shared),
        new_build=old != new,
    )


def _last_build(games: Sequence[_NightGame], name: str, night: str) -> _NightSeat | None:
    seats = [seat for game in games if game.night == night for seat in game.seats if seat.name == name]
    return seats[-1] if seats else None


def _shared(games: Sequence[_NightGame], name: str) -> set[_NightSeat]:
    """Builds of other bots that played in both nights."""
    nights = [{seat for game in games if game.night == night for seat in game.seats} for night in (BEFORE, AFTER)]
    return {seat for seat in nights[0] & nights[1] if seat.name != name}


def _labelled(
    game: _NightGame, name: str, old: _NightSeat, new: _NightSeat, shared: set[_NightSeat]
) -> FinishedGame | None:
    """A game among the bot, as before or after, and shared opponents; None if fewer than two of them sat there."""
    kept: list[tuple[str, int]] = []
    for seat, place in zip(game.seats, game.places, strict=True):
        if seat in shared:
            kept.append((f"{seat.name}#{seat.build}", place))
        elif seat.name == name and seat == (old if game.night == BEFORE else new):
            kept.append((game.night, place))
    if len(kept) < 2:
        return None
    places = tuple(1 + sum(other < place for _, other in kept) for _, place in kept)
    return FinishedGame(tuple(label for label, _ in kept), places, game.group)
