"""Matches that an organiser takes back, in seasons of every kind and without a wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from bots.specs import resolve
from ladder.arena.play import play_match
from ladder.arena.workers import in_process
from ladder.config.offers import every_table
from ladder.seasons.open_season import OpenSeason
from ladder.seasons.planned_season import PlannedSeason
from ladder.seasons.quick_ratings import QuickRatings
from ladder.serving.directory import EntrantDirectory
from ladder.serving.served_season import ServedSeason
from ladder.store.database import Store
from ladder.store.rulings import AGAIN, VOID
from referee.match.plan import MatchPlan
from referee.transport.offers import Accepts, HelloOffers
from referee.transport.server import Config
from tests.ladder.test_event_season import Scene as EventScene
from tests.ladder.test_open_season import FakeBot, begun, joined, opened, played
from tests.ladder.test_planned_season import POOL, Scene

pytestmark = pytest.mark.processes

SECOND = 1_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty file."""
    with Store(tmp_path / "cup.sqlite") as opened:
        yield opened


def rule(store: Store, season: OpenSeason | PlannedSeason, match: str, ruling: str) -> None:
    """Decide on a match that is over."""
    store.rule(match, ruling, "the network was down")
    season.voided(store.placed_match(match), again=ruling == AGAIN)


def test_a_match_that_is_void_after_all_is_not_played_again_in_an_open_season(store: Store) -> None:
    """The later decision stands: the next table of its bots is a match of its own."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    first = opened(season, bots, SECOND)
    played(season, first, 2 * SECOND)
    rule(store, season, first.match, AGAIN)
    rule(store, season, first.match, VOID)

    later = opened(season, bots, 200 * SECOND)
    played(season, later, 202 * SECOND)

    assert store.placed_match(later.match).group != store.placed_match(first.match).group


def test_a_match_that_is_void_after_all_is_not_played_again_in_a_planned_season(tmp_path: Path) -> None:
    """It waits for its bots already when the organiser changes the decision: nothing is left to play."""
    scene = Scene(tmp_path, POOL)
    bots = scene.bots("ann", "bob")
    scene.refill()
    while isinstance(opening := scene.season.next(bots, scene.at), MatchPlan):
        scene.play(opening)
        last = opening.match
        scene.refill()
    rule(scene.store, scene.season, last, AGAIN)
    scene.refill()
    assert len(scene.season._waiting) == 1
    rule(scene.store, scene.season, last, VOID)
    scene.refill()

    assert scene.season.next(bots, scene.at) is None
    assert scene.season._finished == {pool.id for pool in scene.season.open_pools()}
    scene.store.close()


def test_a_game_that_is_void_after_all_is_not_played_again_in_an_event(tmp_path: Path) -> None:
    """The event goes on with its next round."""
    scene = EventScene(tmp_path, "ab", "rounds = 2")
    scene.come("a", "b")
    (opening,) = scene.look(0.3)
    scene.play(opening)
    scene.here.discard("b")
    rule(scene.store, scene.season, opening.match, AGAIN)
    assert scene.look(0.3) == []
    rule(scene.store, scene.season, opening.match, VOID)
    scene.here.add("b")

    (later,) = scene.look(0.3)
    scene.play(later)
    assert scene.store.placed_match(later.match).number != scene.store.placed_match(opening.match).number
    scene.store.close()


def test_a_match_is_played_again_by_bots_that_still_play_its_game(store: Store) -> None:
    """A bot that came back with another game is not seated; when it offers the game again it is."""
    season = begun(store, [*every_table(["edo_yashiki"], seats=[2]), *every_table(["ninjato"], seats=[2])])
    bots = joined(season, "ann", "bob")
    edo, ninja = (HelloOffers({game: Accepts(frozenset(), {})}) for game in ("edo_yashiki", "ninjato"))
    for name in ("ann", "bob"):
        season.arrived(name, "1", edo)
    first = opened(season, bots, SECOND)
    played(season, first, 2 * SECOND)
    season.arrived("ann", "1", ninja)
    rule(store, season, first.match, AGAIN)
    assert not isinstance(
        season.next([FakeBot("ann", offers=ninja), FakeBot("bob", offers=edo)], 200 * SECOND), MatchPlan
    )

    season.arrived("ann", "1", edo)
    again = opened(season, bots, 300 * SECOND)
    assert (again.game, again.players) == (first.game, first.players)


def test_quick_ratings_count_a_match_of_workers_once(tmp_path: Path) -> None:
    """Also the first one after results were taken back: they are what a fresh fold of the stored results gives."""
    house = '\n[[bots]]\nname = "x"\nspec = "random:seed=1"\n[[bots]]\nname = "y"\nspec = "random:seed=2"\n'
    scene = EventScene(tmp_path, "ab", 'rounds = 1\nseeds = ["a", "x", "b", "y"]', house=house)
    scene.come("a", "b")
    (opening,) = scene.look(0.3)
    scene.play(opening)
    rule(scene.store, scene.season, opening.match, VOID)

    async def run() -> None:
        with in_process() as workers:
            await scene.season.run(
                workers,
                now=lambda: scene.at,
                changed=lambda: None,
                until=lambda progress: progress.played > 1,
                told=lambda progress: None,
            )

    trio.run(run)

    pool = scene.season.pool.id
    fresh = QuickRatings.of(scene.store.results(pool))
    found = scene.season.matches.quick(pool)
    assert [found.strength(name) for name in "xy"] == [fresh.strength(name) for name in "xy"]
    scene.store.close()


def test_a_match_whose_own_end_waited_to_be_stored_is_taken_back_too(store: Store) -> None:
    """The organiser decides between the last answer and the storing of the end: no rating, and it is played again."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    first = opened(season, bots, SECOND)
    record = play_match(
        first,
        [resolve("random")] * 2,
    )
    assert record.final is not None
    season.matches.begin(record.header, first.secret)
    for step in record.steps:
        season.matches.step(first.match, step)
    service = ServedSeason(store, season, EntrantDirectory(store), Config())
    service.prepared()
    rulings = service._rulings
    assert rulings is not None
    rulings.void("olga", "requeue", first.match, "the network was down", again=True)
    season.matches.end(first.match, record.final)
    season.ended(first.match, 2 * SECOND)
    service._ended(record.header, record.final)

    assert season.matches.quick(store.placed_match(first.match).pool or 0).ratings() == {}
    again = opened(season, bots, 200 * SECOND)
    played(season, again, 202 * SECOND)
    assert store.placed_match(again.match).attempt == 1
    assert store.placed_match(first.match).state == "void"
