"""Pools whose rules go by times of arrival: where they are played, and which of their matches count (E-6.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bots import source
from ladder.arena.gate import question
from ladder.arena.workers import in_process
from ladder.config import ladder_file
from ladder.config.offers import every_table
from ladder.ratings.sprt import SequentialDesign
from ladder.seasons.open_season import OpenSeason
from ladder.seasons.planned_season import PlannedSeason
from ladder.seasons.season import Season
from ladder.serving.season_file import prepare
from ladder.store.database import Store
from referee.games.edo_yashiki import GAME
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting
from referee.match.plan import MatchPlan
from referee.match.policy import Policy
from referee.transport.server import Config
from tests.ladder.test_open_season import FakeBot, joined, opened
from tests.match.test_timed import begun as begun_match
from tests.match.test_timed import drifting
from tests.match.test_timed import played as timed_record

SECRET = secret_from_seed("tests/timed")
REFLEX = every_table(["edo_yashiki"], seats=[2], variant={"draft": "reflex"})
FILE = """
season = "cup"
[[bots]]
name = "ann"
spec = "random"
[[bots]]
name = "bob"
spec = "greedy"
{bots}
[[pools]]
game = "edo_yashiki"
seats = 2
variant = {{ draft = "{draft}" }}
pairing = "{pairing}"
{more}
"""


def written(folder: Path, draft: str = "reflex", bots: str = "", pairing: str = "round_robin", more: str = "") -> Path:
    """A ladder file with one pool."""
    path = folder / "cup.toml"
    path.write_text(FILE.format(draft=draft, bots=bots, pairing=pairing, more=more))
    return path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new database."""
    with Store(tmp_path / "cup.sqlite") as found:
        yield found


@pytest.mark.parametrize(("draft", "at_referee"), [("reflex", True), ("sealed", False)])
def test_line_ups_of_house_bots_are_played_at_the_referee(tmp_path: Path, draft: str, at_referee: bool) -> None:
    """A timed line-up of house bots waits for its bots to connect; another one goes to the workers."""
    ladder = ladder_file.read(written(tmp_path, draft))
    with Store(ladder.database) as store, in_process() as workers:
        service = prepare(
            ladder, store, Config(), closed=False, policy=Policy(), patience=None, secret=SECRET, workers=workers
        )
        season = service.season
        assert isinstance(season, PlannedSeason)
        (entry, row), *_ = season.schedule.pools
        tasks = season.schedule.next_tasks(entry, row)

        assert {bot.name for bot in service.own_bots} == ({"ann", "bob"} if at_referee else set())
        assert entry.offer.timed is at_referee
        assert [task.group.duplicate for task in tasks] == [not at_referee] * len(tasks)


def test_a_timed_match_opens_when_its_house_bots_are_connected(tmp_path: Path) -> None:
    """The referee seats the processes of the house like other bots, and the match counts."""
    ladder = ladder_file.read(written(tmp_path))
    with Store(ladder.database) as store:
        schedule = Season(ladder, store, SECRET, source.digest)
        season = PlannedSeason(ladder, schedule, store, patience=None, at=0)
        (entry, row), *_ = schedule.pools
        season._waiting.extend(schedule.next_tasks(entry, row))
        plan = season.next([FakeBot("ann"), FakeBot("bob")], 1)

        assert isinstance(plan, MatchPlan)
        assert (set(plan.players), plan.rated, plan.variant["draft"]) == ({"ann", "bob"}, True, "reflex")


def test_a_pool_with_a_remote_bot_is_not_rated(tmp_path: Path) -> None:
    """No network lag is forgiven, so distance would decide: the pool is unrated, and saying otherwise is refused."""
    remote = '[[bots]]\nspec = "remote:cid"'
    (pool,) = ladder_file.read(written(tmp_path, bots=remote)).pools
    (fair,) = ladder_file.read(written(tmp_path)).pools
    (sealed,) = ladder_file.read(written(tmp_path, "sealed", bots=remote)).pools

    assert (pool.rated, fair.rated, sealed.rated) == (False, True, True)
    with pytest.raises(BadSetting, match="rated only among bots on the referee's own machine; a remote bot plays here"):
        ladder_file.read(written(tmp_path, bots=remote, more="rated = true"))


@pytest.mark.parametrize(("house", "counts"), [({"ann": 1, "bob": 2}, True), ({"ann": 1}, False), ({}, False)])
def test_an_open_match_counts_only_among_bots_of_the_host(store: Store, house: dict[str, int], counts: bool) -> None:
    """In an open season that is decided match by match, when the match opens and when its end is stored."""
    builds = {name: store.build(name, "random", "d") for name in house}
    row = store.season("open", "", SECRET, tempo="open", pairing_version=2)
    season = OpenSeason(store, row, REFLEX, house=builds)
    plan = opened(season, joined(season, "ann", "bob"), 10**6)
    names = plan.players
    record = timed_record(begun_match(), drifting)
    header = replace(plan.header(GAME), clock=record.header.clock)
    season.matches.begin(header, plan.secret)
    assert record.final is not None
    settled = season.matches.end(plan.match, record.final)
    (result,) = store.results(season.open_pools()[0].id)

    assert plan.rated is counts
    assert bool(settled.ratings) is counts
    assert (set(names), result.state, result.rated) == ({"ann", "bob"}, "finished", counts)


def test_a_gate_refuses_times_of_arrival() -> None:
    """A duplicate set plays one game twice, which times of arrival make impossible: one clear line."""
    with pytest.raises(BadSetting, match=r"draft=reflex goes by when answers arrive.*choose another draft"):
        question.ask("greedy", "random", "edo_yashiki", SequentialDesign(0, 30), variant={"draft": "reflex"}, seed="s")


def test_new_rules_archive_pools_whose_settings_have_changed_too(store: Store) -> None:
    """A pool of rules version 1, which knew no `covering`, is archived when the season is played by version 2."""
    (edition,) = GAME.earlier
    row = store.season("open", "", SECRET, tempo="open", pairing_version=2)
    old = {"rules": "standard", "draft": "sealed"}
    store.pool(row.id, "edo_yashiki", 2, old, "none", 1, edition.digest)
    other = store.pool(row.id, "honshu", 2, {}, "none", 1, "d")
    OpenSeason(store, row, every_table(["edo_yashiki"], seats=[2]))
    first, kept, new = store.pools(row.id)

    assert (first.archived is None, kept.archived, new.archived) == (False, None, None)
    assert (kept.id, new.variant, new.rules_version) == (other.id, {**old, "covering": "seen"}, 2)


def test_a_pool_of_earlier_rules_can_be_made_beside_the_present_one(store: Store) -> None:
    """What is imported from before the change is archived at once and archives nothing."""
    (edition,) = GAME.earlier
    row = store.season("open", "", SECRET, tempo="open", pairing_version=2)
    OpenSeason(store, row, every_table(["edo_yashiki"], seats=[2]))
    imported = store.imported_pool(
        row.id,
        "edo_yashiki",
        2,
        {"rules": "standard", "draft": "sealed"},
        "none",
        1,
        edition.digest,
        rated=True,
        current=False,
    )
    present, _ = store.pools(row.id)

    assert (imported.archived is None, present.archived) == (False, None)
