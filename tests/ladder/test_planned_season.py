"""A planned season with remote bots, without a wire: who is seated, under which build, and who is waited for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from bots import source
from bots.specs import resolve
from ladder.arena.play import play_match
from ladder.arena.workers import in_process
from ladder.config import ladder_file
from ladder.seasons.open_season import BUILDS_PER_DAY
from ladder.seasons.planned_season import PlannedSeason
from ladder.seasons.season import Season
from ladder.store.database import Store
from ladder.store.records import Running
from referee.kernel.chance import secret_from_seed
from referee.match.plan import MatchPlan
from referee.match.protocols import NotEntered
from referee.transport.offers import Accepts, HelloOffers
from tests.ladder.test_open_season import FakeBot

SECRET = secret_from_seed("tests/planned")
EVERYTHING = HelloOffers()
SECOND = 1_000_000
FILE = """
season = "cup"
{pools}
[[bots]]
spec = "remote:ann"
[[bots]]
spec = "remote:bob"
[[bots]]
spec = "remote:cid"
[[bots]]
spec = "remote:dan"
"""


class Scene:
    """A planned season whose time and bots are moved by hand."""

    def __init__(self, folder: Path, pools: str, patience: int | None = 60 * SECOND) -> None:
        path = folder / "cup.toml"
        path.write_text(FILE.replace("{pools}", "") + pools)
        self.ladder = ladder_file.read(path)
        self.store = Store(self.ladder.database)
        self.patience = patience
        self.at = SECOND
        self.season = self.again()

    def again(self) -> PlannedSeason:
        """The season as it is after a restart."""
        schedule = Season(self.ladder, self.store, SECRET, source.digest)
        self.season = PlannedSeason(self.ladder, schedule, self.store, patience=self.patience, at=self.at)
        return self.season

    def bots(self, *names: str) -> list[FakeBot]:
        """Bots that have said hello."""
        for name in names:
            assert self.season.arrived(name, f"{name} 1.0", EVERYTHING) == ""
        return [FakeBot(name) for name in names]

    def refill(self) -> None:
        """Schedule what is next."""
        trio.run(self.season._refill, lambda: None)

    def play(self, opening: MatchPlan, places: tuple[int, ...] | None = None) -> None:
        """Play a match and store it; `places`: so that the seats end in these places."""
        for seed in range(100):
            record = play_match(
                opening,
                [resolve(f"random:seed={seed}"), resolve(f"random:seed={seed + 1}")],
            )
            final = record.final
            assert final is not None
            assert final.result is not None
            if places in (None, final.result.places):
                break
        else:
            raise AssertionError(f"no seed gives the places {places}")
        self.season.matches.begin(record.header, opening.secret)
        for step in record.steps:
            self.season.matches.step(opening.match, step)
        self.season.matches.end(opening.match, final)
        self.season.ended(opening.match, self.at)


POOL = '[[pools]]\ngame = "edo_yashiki"\nbots = ["ann", "bob"]\n'
SWISS = '[[pools]]\ngame = "edo_yashiki"\npairing = "swiss"\nrounds = 2\n'


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A round of two remote bots: two matches."""
    found = Scene(tmp_path, POOL)
    yield found
    found.store.close()


def test_only_the_bots_of_the_file_are_entered(scene: Scene) -> None:
    """Another name is told for whom the season waits."""
    with pytest.raises(NotEntered, match=r"it waits for ann, bob$"):
        scene.season.arrived("eve", "1", EVERYTHING)


def test_a_bot_that_does_not_play_what_the_file_wants_is_told_so(scene: Scene) -> None:
    """Game and seats are named, and no build is stored."""
    with pytest.raises(NotEntered, match=r"has you play edo_yashiki:2, which you do not offer"):
        scene.season.arrived("ann", "1", HelloOffers({"honshu": Accepts(frozenset(), {})}))
    assert scene.store.last_builds(["ann"]) == {}


def test_a_match_opens_when_all_its_bots_are_there_and_free(scene: Scene) -> None:
    """One bot alone, or one that is busy: nothing opens."""
    ann, bob = scene.bots("ann", "bob")
    scene.refill()

    assert scene.season.next([ann], scene.at) is None
    assert scene.season.next([ann, FakeBot("bob", capacity=1, tables=1)], scene.at) is None
    opening = scene.season.next([ann, bob], scene.at)
    assert isinstance(opening, MatchPlan)
    assert set(opening.players) == {"ann", "bob"}


def test_the_build_of_a_seat_is_the_software_that_plays_there(scene: Scene) -> None:
    """The schedule names no build of a remote bot; the match does, and ratings are the bot's own."""
    bots = scene.bots("ann", "bob")
    scene.refill()
    opening = scene.season.next(bots, scene.at)
    assert isinstance(opening, MatchPlan)
    scene.play(opening)
    (pool,) = scene.store.pools(scene.season.row.id)
    (result,) = scene.store.results(pool.id)
    (group,) = scene.store.groups(pool.id)

    assert group.builds == (0, 0)
    assert set(result.builds) == set(scene.store.last_builds(["ann", "bob"]).values())
    scene.season.schedule.publish()
    assert {row.player for row in scene.store.ratings(pool.id)} == set()  # one game of a group of two does not count
    again = scene.season.next(bots, scene.at)
    assert isinstance(again, MatchPlan)
    scene.play(again)
    scene.season.schedule.publish()
    assert {row.player for row in scene.store.ratings(pool.id)} == {"ann", "bob"}


def test_a_bot_that_comes_back_with_one_build_too_many_keeps_its_seat_and_gets_no_other(scene: Scene) -> None:
    """After a restart, too: no match begins whose build is not known."""
    bots = scene.bots("ann", "bob")
    for number in range(BUILDS_PER_DAY - 1):
        scene.season.arrived("ann", f"other {number}", EVERYTHING)
    scene.refill()
    with pytest.raises(NotEntered, match="6 new builds"):
        scene.season.arrived("ann", "one more", EVERYTHING)
    assert scene.season.next(bots, scene.at) is None

    scene.again()
    scene.season.arrived("bob", "bob 1.0", EVERYTHING)
    with pytest.raises(NotEntered, match="6 new builds"):
        scene.season.arrived("ann", "one more", EVERYTHING)
    scene.refill()
    assert scene.season.next(bots, scene.at) is None
    scene.season.arrived("ann", "ann 1.0", EVERYTHING)
    assert isinstance(scene.season.next(bots, scene.at), MatchPlan)


def test_a_swiss_round_pairs_remote_bots_by_their_points(tmp_path: Path) -> None:
    """The winners of the first round meet in the second, as house bots would."""
    scene = Scene(tmp_path, SWISS)
    bots = scene.bots("ann", "bob", "cid", "dan")
    scene.refill()
    points: dict[str, int] = dict.fromkeys(("ann", "bob", "cid", "dan"), 0)
    first = set()
    winners: dict[frozenset[str], str] = {}
    while isinstance(opening := scene.season.next(bots, scene.at), MatchPlan):
        pair = frozenset(opening.players)
        winner = winners.setdefault(pair, max(pair) if winners else min(pair))
        scene.play(opening, tuple(1 if name == winner else 2 for name in opening.players))
        points[winner] += 1
        first.add(pair)
    scene.refill()
    second = {frozenset(task.job.plan.players) for task in scene.season._waiting}
    scene.store.close()

    assert len(first) == 2
    best = frozenset(winners.values())
    assert second == {best, frozenset(points) - best}


def test_a_running_match_is_gone_on_with_and_not_scheduled_again(scene: Scene) -> None:
    """Killed in mid-match: the schedule has the other match of the set only until this one is over."""
    bots = scene.bots("ann", "bob")
    scene.refill()
    opening = scene.season.next(bots, scene.at)
    assert isinstance(opening, MatchPlan)
    record = play_match(
        opening,
        [resolve("random")] * 2,
    )
    scene.season.matches.begin(record.header, opening.secret)
    later = scene.again()
    running: list[Running] = scene.store.running()
    assert [later.restore(match, scene.at) for match in running] == [True]
    scene.bots("ann", "bob")
    scene.refill()
    assert not later._waiting  # the pool waits for its running match before it is filled again

    for step in record.steps:
        later.matches.step(opening.match, step)
    assert record.final is not None
    assert len(later.matches.end(opening.match, record.final).ratings) == 2
    later.ended(opening.match, scene.at)
    scene.refill()
    assert [task.job.plan.match != opening.match for task in later._waiting] == [True]


@pytest.mark.parametrize("patience", [0, 60 * SECOND])
def test_a_run_ends_when_a_bot_was_away_for_longer_than_the_patience(tmp_path: Path, patience: int) -> None:
    """It says who was missing, and that the season is not complete; the matches wait for the next run."""
    scene = Scene(tmp_path, POOL, patience)
    scene.bots("ann")
    moments = iter(range(0, 200 * SECOND, 30 * SECOND))

    def now() -> int:
        scene.at = SECOND + next(moments)
        scene.season.next([FakeBot("ann")], scene.at)
        return scene.at

    async def run() -> None:
        with in_process() as workers:
            await scene.season.run(
                workers, now=now, changed=lambda: None, until=lambda progress: False, told=lambda progress: None
            )

    trio.run(run)
    scene.store.close()

    assert scene.season.done
    assert "bob" in scene.season.missing
    assert "ann" not in scene.season.missing
    assert not scene.season.schedule.progress.complete
    assert scene.at == SECOND + patience
