"""Seasons: the same end however they were played, stopped or killed."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypedDict

import pytest

from bots import source
from ladder.arena import entrants
from ladder.arena.workers import Workers, in_process, local_processes
from ladder.cli import run
from ladder.config.ladder_file import read
from ladder.seasons.season import Progress, Season
from ladder.seasons.standings import fold
from ladder.store.database import Store
from ladder.store.records import GroupRow, RatingRow, ResultRow, Selection
from referee.kernel.chance import secret_from_seed
from referee.match.record import Record
from referee.match.verify import verify
from tests.forked import Forked
from tests.ladder.conftest import LADDER

pytestmark = pytest.mark.processes

SECRET = secret_from_seed("tests/season")


class Contents(TypedDict):
    """What is stored of a season, pool by pool."""

    groups: list[list[GroupRow]]
    results: list[list[ResultRow]]
    ratings: list[list[RatingRow]]


def play(
    file: Path, make: Callable[[], Workers] = in_process, until: Callable[[Progress], bool] = lambda progress: False
) -> Contents:
    """Play a ladder on and return everything that must not depend on how it was played."""
    ladder = read(file)
    with Store(ladder.database) as store, make() as workers:
        Season(ladder, store, SECRET, source.digest).run(workers, until=until, told=lambda progress: None)
        return contents(store)


def contents(store: Store) -> Contents:
    """Schedule, results and ratings of the latest season."""
    pools = store.pools(store.find_season(None).id)
    return {
        "groups": [store.groups(pool.id) for pool in pools],
        "results": [store.results(pool.id) for pool in pools],
        "ratings": [store.ratings(pool.id) for pool in pools],
    }


def copy(file: Path, name: str) -> Path:
    """The same ladder in another folder."""
    other = file.parent / name / file.name
    other.parent.mkdir()
    other.write_text(file.read_text())
    return other


class Undisturbed(NamedTuple):
    """A season that was played at one go, in this process."""

    database: Path
    contents: Contents


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The season of `ladder_file`, played once for all tests of this file that only look at it."""
    file = tmp_path_factory.mktemp("undisturbed") / "ladder.toml"
    file.write_text(LADDER)
    return Undisturbed(read(file).database, play(file))


def test_a_season_plays_every_scheduled_match_once(undisturbed: Undisturbed) -> None:
    """Three bots, four rounds of pairs with seats swapped, six sets of three: 24 and 18 matches."""
    found = undisturbed.contents

    assert [len(results) for results in found["results"]] == [24, 18]
    assert all(result.state == "finished" and result.rated for results in found["results"] for result in results)


def test_a_set_is_one_deal_in_every_rotation(undisturbed: Undisturbed) -> None:
    """All matches of a group have one secret and every bot sits in every seat."""
    with Store(undisturbed.database) as store:
        pool = store.pools(1)[1]
        groups: dict[int, list[Record]] = {}
        for result in store.results(pool.id):
            groups.setdefault(result.group, []).append(store.record(result.match))

    for records in groups.values():
        finals = [record.final for record in records if record.final is not None]
        assert len(finals) == len(records)
        assert len({final.secret for final in finals}) == 1
        for seat in range(3):
            assert {record.header.players[seat] for record in records} == {"first", "greedy", "second"}


@pytest.mark.parametrize("walled", [False, True])
def test_bots_as_processes_share_deals_behind_walls_alone(
    tmp_path: Path, walled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without walls a process could remember the secret of the last game of a set, so its games do not share one."""
    monkeypatch.setattr(entrants, "walled", lambda: walled)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["true"]\n')
    bots = f'[[bots]]\nspec = "{folder}"\n[[bots]]\nspec = "greedy"\n[[bots]]\nspec = "random"\n'
    (tmp_path / "ladder.toml").write_text(
        bots + '[[pools]]\ngame = "edo_yashiki"\n[[pools]]\ngame = "honshu"\nbots = ["greedy", "random"]\n'
    )
    ladder = read(tmp_path / "ladder.toml")
    with Store(ladder.database) as store:
        season = Season(ladder, store, SECRET, lambda spec: spec)
        for entry, row in season.pools:
            season.schedule(row, season.plan(entry, row))
        shared = [
            {group.lineup: group.duplicate for group in store.groups(row.id)}[lineup]
            for (_, row), lineup in zip(season.pools, [("greedy", "mine"), ("greedy", "random")], strict=True)
        ]
        among_house = [group.duplicate for group in store.groups(season.pools[0][1].id) if "mine" not in group.lineup]

    assert shared == [walled, True]
    assert among_house == [True]


def test_every_stored_record_verifies(undisturbed: Undisturbed) -> None:
    """What the database holds is the record that anybody can check."""
    with Store(undisturbed.database) as store:
        for result in store.results(1):
            verify(store.record(result.match))


def test_a_stopped_season_ends_like_an_undisturbed_one(ladder_file: Path, undisturbed: Undisturbed) -> None:
    """Stopping after every eleven matches, in the middle of sets and rounds, and going on changes nothing."""
    stops = 0
    while (found := play(ladder_file, until=lambda progress: progress.played >= 11)) != undisturbed.contents:
        stops += 1
        assert sum(map(len, found["results"])) < 42

    assert stops >= 3


def test_processes_play_the_same_season_as_one_process(ladder_file: Path, undisturbed: Undisturbed) -> None:
    """The place where matches run does not matter."""
    together = play(ladder_file, make=lambda: local_processes(2))

    assert together == undisturbed.contents


def test_ratings_can_be_rebuilt_from_the_results(undisturbed: Undisturbed) -> None:
    """Thrown away and computed again, the standings are identical to the last bit."""
    with Store(undisturbed.database) as store:
        again = [fold(store, pool.id).rows() for pool in store.pools(1)]

    assert again == undisturbed.contents["ratings"]


def test_standings_are_published_while_the_season_goes_on(ladder_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks during a run sees a leader, and the database holds the same standings."""
    monkeypatch.setattr("ladder.seasons.season.PUBLISH_SECONDS", 0.0)
    monkeypatch.setattr("ladder.seasons.season.PUBLISH_SHARE", 1.0)
    monkeypatch.setattr("ladder.seasons.season.COMMIT_SECONDS", 0.0)
    ladder_file.write_text(LADDER.replace("rounds = 4", "rounds = 2").replace("sets = 6", "sets = 2"))
    ladder = read(ladder_file)
    seen: list[int] = []

    def told(progress: Progress) -> None:
        for _, row in season.pools:
            rows = progress.tables[row.id].rows()
            assert rows == store.ratings(row.id)
            seen.append(sum(rating.games for rating in rows))

    with Store(ladder.database) as store, in_process() as workers:
        season = Season(ladder, store, SECRET, source.digest)
        season.run(workers, until=lambda progress: False, told=told)

    assert 0 < seen[len(seen) // 2] < seen[-1]


def test_a_season_reads_each_batch_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What scheduling costs does not grow with the length of the season: six rounds of two sets of two matches."""
    bots = "".join(f'[[bots]]\nname = "{name}"\nspec = "random"\n' for name in "abcd")
    file = tmp_path / "ladder.toml"
    file.write_text(bots + '[[pools]]\ngame = "edo_yashiki"\npairing = "swiss"\nrounds = 6\n')
    read: list[int] = []
    results = Store.results

    def counted(self: Store, pool: int, batch: int = 0) -> list[ResultRow]:
        found = results(self, pool, batch)
        read.append(len(found))
        return found

    monkeypatch.setattr(Store, "results", counted)
    monkeypatch.setattr(Season, "publish", lambda self: None)
    found = play(file)

    assert [len(matches) for matches in found["results"]] == [24]
    assert max(read[:-1]) == 4
    assert sum(read[:-1]) <= 2 * 24


def words(file: Path) -> list[str]:
    """The command for a ladder file, in one process."""
    return ["ladder", "run", str(file), "--seed", "s", "--workers", "0"]


def started(file: Path, log: Path) -> Forked:
    """The command for a ladder file in a process of its own."""
    return Forked("-m", "ladder", *words(file), folder=file.parent, environment=os.environ, out=log, err=log)


def stored(database: Path) -> int:
    """How many matches are in a database now."""
    if not database.exists():
        return 0
    with Store(database) as store:
        return sum(1 for _ in store.played(Selection()))


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_a_season_survives_kill_9(ladder_file: Path, kills: int) -> None:
    """Killed at random moments and resumed, the season has every match once and the same ratings."""
    ladder_file.write_text(ladder_file.read_text().replace("rounds = 4", f"rounds = {10 * kills}"))
    whole = copy(ladder_file, "whole")
    assert run(words(whole)) == 0
    rng = random.Random(kills)
    database = ladder_file.parent / "ladder.sqlite"
    log = ladder_file.parent / "log"
    for _ in range(kills):
        before = stored(database)
        process = started(ladder_file, log)
        deadline = time.monotonic() + 60
        while process.poll() is None and stored(database) <= before and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.3)
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    last = started(ladder_file, log).wait(300)

    assert last == 0, log.read_text()
    with Store(database) as disturbed, Store(whole.parent / "ladder.sqlite") as undisturbed:
        assert contents(disturbed) == contents(undisturbed)


def test_two_runs_of_one_ladder_exclude_each_other(
    ladder_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one says that another is playing, and changes nothing."""
    monkeypatch.chdir(ladder_file.parent)
    with Store(ladder_file.parent / "ladder.sqlite") as store:
        store.lock()
        code = run(["ladder", "run", "ladder.toml", "--workers", "0"])

    assert code == 2
    assert "another kumite is playing this ladder" in capsys.readouterr().err


def test_a_changed_ladder_needs_another_season(
    ladder_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other pools under the old name are refused; more rounds are welcome."""
    monkeypatch.chdir(ladder_file.parent)
    assert run(["ladder", "run", "ladder.toml", "--workers", "0", "--matches", "2", "--json"]) == 0
    capsys.readouterr()
    ladder_file.write_text(ladder_file.read_text().replace("rounds = 4", "rounds = 5"))
    longer = run(["ladder", "run", "ladder.toml", "--workers", "0", "--matches", "2", "--json"])
    played = json.loads(capsys.readouterr().out)["matches"]
    ladder_file.write_text(ladder_file.read_text().replace("seats = 3", "seats = 2\nvariant = {rules = 'specialists'}"))
    changed = run(["ladder", "run", "ladder.toml", "--workers", "0"])

    assert (longer, played, changed) == (0, 2, 2)
    assert "another season name" in capsys.readouterr().err


def test_builds_of_a_bot_are_rated_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose code changed keeps its name; what its earlier build played counts for that build alone."""
    code = "from bots import Bot\n\nclass Mine(Bot):\n    def decide(self, ask):\n        return {}\n"
    bots = '[[bots]]\nname = "mine"\nspec = "py:rebuilt:Mine"\n[[bots]]\nspec = "greedy"\n'
    (tmp_path / "ladder.toml").write_text(bots + '[[pools]]\ngame = "edo_yashiki"\nrounds = 3\n')
    found = []
    for answer in ("0", "ask.count - 1"):
        (tmp_path / "rebuilt.py").write_text(code.format(answer))
        out, err = tmp_path / "out", tmp_path / "err"
        command = ("-m", "ladder", "ladder", "run", "ladder.toml", "--workers", "0", "--json")
        process = Forked(*command, folder=tmp_path, environment=os.environ, out=out, err=err)
        assert process.wait(120) == 0, err.read_text()
        (pool,) = json.loads(out.read_text())["pools"]
        found.append({player["player"]: player["games"] for player in pool["players"]})

    assert found[0] == {"mine": 6, "greedy": 6}
    assert found[1] == {"mine": 6, "mine@1": 6, "greedy": 12}


def test_what_an_earlier_build_left_unplayed_is_not_played_in_its_name(ladder_file: Path) -> None:
    """A season stopped in mid-batch goes on with changed bots: their games are not counted for the old builds."""
    ladder = read(ladder_file)
    with Store(ladder.database) as store, in_process() as workers:
        stopped = Season(ladder, store, SECRET, lambda spec: f"{spec}, old")
        stopped.run(workers, until=lambda progress: progress.played >= 3, told=lambda progress: None)
        before = [store.results(pool.id) for _, pool in stopped.pools]
        changed = Season(ladder, store, SECRET, lambda spec: f"{spec}, new")
        progress = changed.run(workers, until=lambda progress: False, told=lambda progress: None)
        after = [store.results(pool.id) for _, pool in stopped.pools]

    old = {build for results in before for result in results for build in result.builds}
    assert progress.complete
    assert [[result for result in results if old.intersection(result.builds)] for results in after] == before


def test_standings_and_diff_tell_what_a_run_changed(
    ladder_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs, their standings, and the difference, for programs."""
    monkeypatch.chdir(ladder_file.parent)
    for _ in range(2):
        assert run(["ladder", "run", "ladder.toml", "--workers", "0", "--matches", "12", "--seed", "s", "--json"]) == 0
    capsys.readouterr()
    assert run(["ladder", "standings", "ladder.toml", "--json"]) == 0
    standings = json.loads(capsys.readouterr().out)
    assert run(["ladder", "diff", "ladder.toml", "--json"]) == 0
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert run(["ladder", "diff", "ladder.toml"]) == 0
    shown = capsys.readouterr().out

    for change in changes:
        for end in ("before_", ""):
            if change[f"{end}high"] is None and change[f"{end}low"] is not None:
                assert f"at least {change[f'{end}low']:.0f}" in shown
    assert any(change["high"] is None and change["low"] is not None for change in changes)
    assert [pool["seats"] for pool in standings["pools"]] == [2, 3]
    assert standings["pools"][0]["players"][0]["player"] == "greedy"
    assert {change["player"] for change in changes} == {"first", "greedy", "second"}


def test_a_watched_bot_that_fell_is_reported_with_exit_code_1(
    ladder_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A night in which a watched bot loses more than allowed ends with code 1 and names it."""
    monkeypatch.chdir(ladder_file.parent)
    text = ladder_file.read_text().replace('season = "test"', 'season = "night-1"')
    ladder_file.write_text(text + "\n[watch]\nbots = ['greedy']\ndrop = 30\n")
    assert run(["ladder", "run", "ladder.toml", "--workers", "0", "--seed", "s"]) == 0
    worse = ladder_file.read_text().replace("night-1", "night-2")
    ladder_file.write_text(worse.replace('spec = "greedy"', 'name = "greedy"\nspec = "random:seed=9"'))
    capsys.readouterr()
    code = run(["ladder", "run", "ladder.toml", "--workers", "0", "--seed", "s"])

    assert code == 1
    assert "regressed: greedy at edo_yashiki/2" in capsys.readouterr().err
