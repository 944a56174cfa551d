"""Standings as they are shown: ranked bots first, stale publications folded anew, names without a token marked."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path

import pytest

from ladder.cli import run
from ladder.seasons.open_season import OpenSeason
from ladder.seasons.published_standings import PoolStandings, rank_players, season_standings
from ladder.seasons.standings import RANKED_GAMES, RankStatus
from ladder.serving.standings_publisher import fit_pools
from ladder.store.database import Store
from ladder.store.records import RatingRow
from referee.kernel import registry
from tests.ladder.test_open_season import begun, joined, play


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new database."""
    with Store(tmp_path / "cup.sqlite") as opened:
        yield opened


def shown(store: Store, season: OpenSeason) -> PoolStandings:
    """The standings of the only pool."""
    (pool,) = season_standings(store, season.row)
    return pool


def test_ranked_bots_come_first_then_those_without_a_rank(store: Store) -> None:
    """Ten games and one within thirty days give a rank; fewer are provisional, older ones inactive."""
    season = begun(store)
    play(season, joined(season, "ann", "bob"), RANKED_GAMES)
    old = (datetime.now(UTC) - timedelta(days=40)).isoformat(timespec="milliseconds")
    store._connection.execute("update matches set started = ?", (old,))
    play(season, joined(season, "cid", "dan"), RANKED_GAMES, 10**10)
    play(season, joined(season, "eve", "cid"), 1, 10**11)
    standings = shown(store, season).players
    found = {entry.rating.player: (entry.status, entry.rank is not None) for entry in standings}

    assert found == {
        "ann": (RankStatus.INACTIVE, False),
        "bob": (RankStatus.INACTIVE, False),
        "cid": (RankStatus.RANKED, True),
        "dan": (RankStatus.RANKED, True),
        "eve": (RankStatus.PROVISIONAL, False),
    }
    assert [entry.rank for entry in standings] == [1, 2, None, None, None]
    assert [entry.rating.elo for entry in standings[:2]] == sorted(
        (entry.rating.elo for entry in standings[:2]), reverse=True
    )


def test_the_ninth_game_gives_no_rank_and_the_tenth_does(store: Store) -> None:
    """As bots are told it at the end of their matches."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    play(season, bots, RANKED_GAMES - 1)
    assert {entry.status for entry in shown(store, season).players} == {RankStatus.PROVISIONAL}

    (told,) = play(season, bots, 1, 10**10)
    assert {entry.rank for entry in shown(store, season).players} == {rating.rank for rating in told.ratings} == {1, 2}


def test_publications_that_are_up_to_date_are_shown_as_they_are_stored(store: Store) -> None:
    """Rows with the stamp of the present results are believed."""
    season = begun(store)
    play(season, joined(season, "ann", "bob"), 2)
    row = RatingRow("ann", 99.0, None, None, None, None, 1500.0, 2, 1.0)
    store.save_ratings(1, [row], store.stamp(1))

    assert [entry.rating for entry in shown(store, season).players] == [row]


def test_publications_that_are_stale_are_folded_anew(store: Store) -> None:
    """One more match, or one that was taken back: the stored rows are passed over, and left as they are."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    play(season, bots, 2)
    row = RatingRow("ann", 99.0, None, None, None, None, 1500.0, 2, 1.0)
    store.save_ratings(1, [row], store.stamp(1))
    play(season, bots, 1, 10**10)
    assert {(entry.rating.player, entry.rating.games) for entry in shown(store, season).players} == {
        ("ann", 3),
        ("bob", 3),
    }

    store.save_ratings(1, [row], store.stamp(1))
    store._connection.execute("update matches set state = 'void' where end_number = 2")
    assert {entry.rating.games for entry in shown(store, season).players} == {2}
    assert store.ratings(1) == [row]


def test_the_fit_of_the_other_process_is_what_a_fold_gives(store: Store) -> None:
    """Pools that are up to date are left out of it; the live rating is the one that was told last."""
    season = begun(store)
    bots = joined(season, "ann", "bob", "cid")
    play(season, bots, 12)
    ((pool, stamp, rows),) = fit_pools(store.path, season.row.id, None, by_end=True)
    store.save_ratings(pool, rows, stamp)

    assert fit_pools(store.path, season.row.id, None, by_end=True) == []
    assert [entry.rating for entry in shown(store, season).players] == rows
    told = {f"#{build}": rating for build, rating in store._connection.execute(TOLD)}
    assert season.matches.quick(pool).ratings() == told
    assert {row.live for row in rows} == set(told.values())


TOLD = """
select build, rating_after from seats join matches on id = match group by build having end_number = max(end_number)
"""


def test_names_that_never_had_a_token_are_unproven(store: Store) -> None:
    """Remote bots only: a name with a token, also a revoked one, and a bot of the house are proven."""
    store.new_token("ann")
    store.new_token("bob")
    store.revoke("bob")
    house = {"greedy": store.build("greedy", "greedy", "digest")}
    season = begun(store, house=house)
    play(season, joined(season, "ann", "bob", "greedy", "eve"), 12)

    assert {entry.rating.player: entry.unproven for entry in shown(store, season).players} == {
        "ann": False,
        "bob": False,
        "greedy": False,
        "eve": True,
    }


def test_an_earlier_build_of_an_unproven_name_is_unproven(store: Store) -> None:
    """`ann@1` is the same name as `ann`."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    play(season, bots, 1)
    season.arrived("ann", "ann 2.0", bots[0].offers)
    play(season, bots, 1, 10**10)

    assert {entry.rating.player: entry.unproven for entry in shown(store, season).players} == {
        "ann": True,
        "ann@1": True,
        "bob": True,
    }


def test_the_table_has_a_line_below_the_ranked_and_says_what_the_star_means(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranks above, words below, one sentence for each of what ratings, ranks and the star mean."""
    season = begun(store)
    play(season, joined(season, "ann", "bob"), RANKED_GAMES)
    play(season, joined(season, "eve", "ann"), 1, 10**11)
    assert run(["ladder", "standings", str(store.path)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    words = [line[:3] for line in lines if line]

    assert ["season", "'open'"] in lines
    assert [line[0] for line in words[-7:]] == ["1-2", "1-2", "----", "provisional", "rating:", "without", "*"]
    assert {line[1] for line in words[-7:-5]} == {"ann", "bob"}
    assert words[-4][1:3] == ["eve", "*"]
    assert words[-1] == ["*", "unproven:", "the"]


@pytest.mark.parametrize(
    ("form", "sign"), [("md", "| 1-2 |"), ("csv", "1-2,ann"), ("html", "<td>1-2</td>"), ("json", '"ranks"')]
)
def test_standings_in_other_forms(store: Store, capsys: pytest.CaptureFixture[str], form: str, sign: str) -> None:
    """Markdown, CSV, HTML and JSON, with the cross table and the likelihood of superiority."""
    season = begun(store)
    play(season, joined(season, "ann", "bob"), RANKED_GAMES)

    assert run(["ladder", "standings", str(store.path), "--format", form, "--cross", "--los"]) == 0
    text = capsys.readouterr().out
    assert sign in text.replace("ann *", "ann")
    if form == "json":
        (pool,) = json.loads(text)["pools"]
        (row, back), names = pool["cross"]["results"], pool["cross"]["players"]
        assert sorted(names) == ["ann", "bob"]
        assert row[1] == back[0][::-1]
        assert sum(row[1]) == RANKED_GAMES
        assert pool["cross"]["superiority"][0][1] + pool["cross"]["superiority"][1][0] == pytest.approx(1.0)
        ann = next(entry for entry in pool["players"] if entry["player"] == "ann")
        assert ann["wins"] + ann["draws"] + ann["losses"] == RANKED_GAMES
        assert 1400 < ann["elo"] < 1600


def test_bots_that_never_met_stand_in_tables_of_their_own(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Two islands: two tables, ranks counted in each, and the titles say so."""
    season = begun(store)
    play(season, joined(season, "ann", "bob"), RANKED_GAMES)
    play(season, joined(season, "cid", "dan"), RANKED_GAMES, 10**10)

    assert run(["ladder", "standings", str(store.path)]) == 0
    text = capsys.readouterr().out
    assert "island 1 of 2" in text
    assert "island 2 of 2" in text
    assert text.count("1-2") + text.count("\n1 ") >= 2


def test_an_archived_pool_is_shown_while_it_has_results(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archived pool without a match is left out; a pool that is not rated has no players."""
    season = begun(store)
    play(season, joined(season, "ann", "bob"), 1)
    game = registry.game("edo_yashiki")
    monkeypatch.setattr(game, "rules_version", game.rules_version + 1)
    begun(store)
    monkeypatch.setattr(game, "rules_version", game.rules_version + 1)
    later = begun(store)

    pools = season_standings(store, later.row)
    assert [(bool(pool.row.archived), len(pool.players)) for pool in pools] == [(True, 2), (False, 0)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", "no database"), (b"x" * 4096, "no database of kumite"), (None, "no such file")],
)
def test_standings_of_what_is_no_database_are_one_clear_line(
    tmp_path: Path, content: bytes | None, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty file, another file, no file: exit code 2, and nothing is made on the disk."""
    path = tmp_path / "cup.sqlite"
    if content is not None:
        path.write_bytes(content)
    before = sorted(tmp_path.iterdir())

    assert run(["ladder", "standings", str(path)]) == 2
    assert expected in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_standings_of_a_ladder_file_that_was_never_run_make_no_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said that nothing was played yet, and nothing is made on the disk."""
    file = tmp_path / "cup.toml"
    file.write_text('[[pools]]\ngame = "honshu"\npairing = "open"\n')

    assert run(["ladder", "standings", str(file)]) == 2
    assert "ladder.sqlite" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


def test_standings_for_a_program_have_rank_status_and_proof(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """--json: one entry for each pool and player, whatever the season."""
    season = begun(store)
    play(season, joined(season, "ann", "bob"), 1)
    assert run(["ladder", "standings", str(store.path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (pool,) = found["pools"]

    assert (found["season"], found["tempo"]) == ("open", "open")
    assert (pool["game"], pool["seats"], pool["clock"], pool["rated"]) == ("edo_yashiki", 2, "none", True)
    assert {(entry["player"], entry["rank"], entry["status"], entry["unproven"]) for entry in pool["players"]} == {
        ("ann", None, "provisional", True),
        ("bob", None, "provisional", True),
    }


def test_ranks_are_the_best_and_the_worst_that_intervals_allow() -> None:
    """Better for sure is who lies wholly above; ends that touch, open ends and exact ratings included."""
    draw = random.Random(7)
    rows = []
    for number in range(60):
        elo, half = float(draw.randrange(1400, 1600, 10)), draw.randrange(0, 80, 10)
        low, high = (None if draw.random() < 0.1 else end for end in (elo - half, elo + half))
        rows.append(rating(f"bot-{number}", elo, low, high, exact=number == 5, island=number % 2))
    statuses = {row.player: RankStatus.RANKED for row in rows if row.elo != 1500.0}
    found = rank_players(rows, statuses, ())

    for island in (0, 1):
        ranked = [entry for entry in found if entry.rating.island == island and entry.rank is not None]
        assert [entry.rank for entry in ranked] == list(range(1, len(ranked) + 1))
        for entry in ranked:
            better = sum(ends(other.rating)[0] > ends(entry.rating)[1] for other in ranked)
            worse = sum(ends(other.rating)[1] < ends(entry.rating)[0] for other in ranked)
            assert entry.ranks == (1 + better, len(ranked) - worse)
    assert {entry.ranks for entry in found if entry.rank is None} == {None}


def rating(player: str, elo: float, low: float | None, high: float | None, *, exact: bool, island: int) -> RatingRow:
    """A rating of ten games; the reference of an island has no interval."""
    if exact:
        low = high = None
    return RatingRow(player, elo, low, high, None, None, elo, 10, 5.0, island=island, exact=exact)


def ends(row: RatingRow) -> tuple[float, float]:
    """Both ends of an interval."""
    if row.exact:
        return row.elo, row.elo
    return -inf if row.low is None else row.low, inf if row.high is None else row.high
