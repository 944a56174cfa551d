"""An open season without a wire: builds, groups, ids, ratings stored with the end, and a restart."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bots.specs import resolve
from ladder.arena.play import play_match
from ladder.config.offers import TableOffer, every_table
from ladder.seasons.open_season import BUILDS_PER_DAY, OpenSeason
from ladder.serving.directory import EntrantDirectory
from ladder.serving.served_season import ServedSeason
from ladder.store.database import Store
from ladder.store.records import SeasonRow
from referee.kernel import registry
from referee.match.clock import TimeControl
from referee.match.outputs import Settled
from referee.match.plan import MatchPlan
from referee.match.policy import Policy
from referee.match.protocols import NotEntered, Offers
from referee.match.record import Record
from referee.match.verify import verify
from referee.transport.offers import Accepts, HelloOffers
from referee.transport.server import Config

SECRET = bytes(range(32))
TWO = every_table(["edo_yashiki"], seats=[2])
EVERYTHING = HelloOffers()


@dataclass(slots=True)
class FakeBot:
    """A bot that is connected, as pairing sees it."""

    name: str
    capacity: int = 1
    tables: int = 0
    offers: Offers = field(default_factory=HelloOffers)
    present: bool = True

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        """As it said in its hello."""
        return self.offers.plays(game, seats, variant)


def begun(
    store: Store,
    offers: Sequence[TableOffer] = TWO,
    *,
    house: Mapping[str, int] | None = None,
    owner: Callable[[str], str] = lambda name: "",
) -> OpenSeason:
    """The open season of a database."""
    row = store.season("open", "", SECRET, tempo="open", pairing_version=2)
    return OpenSeason(store, row, offers, house=house, owner=owner)


def joined(season: OpenSeason, *names: str) -> list[FakeBot]:
    """Bots that have said hello."""
    for name in names:
        assert season.arrived(name, f"{name} 1.0", EVERYTHING) == ""
    return [FakeBot(name) for name in names]


def opened(season: OpenSeason, bots: Sequence[FakeBot], at: int) -> MatchPlan:
    """The next table between bots, all of them free."""
    found = season.next(bots, at)
    assert isinstance(found, MatchPlan), found
    return found


def played(season: OpenSeason, opening: MatchPlan, at: int) -> tuple[Record, Settled]:
    """Play a match to its end and store it step by step, as a table does."""
    record = play_match(
        opening,
        [resolve("random")] * len(opening.players),
    )
    season.matches.begin(record.header, opening.secret)
    for step in record.steps:
        season.matches.step(opening.match, step)
    assert record.final is not None
    settled = season.matches.end(opening.match, record.final)
    season.ended(opening.match, at)
    return record, settled


def play(season: OpenSeason, bots: Sequence[FakeBot], matches: int, at: int = 1_000_000) -> list[Settled]:
    """So many matches, one after the other."""
    told = []
    for number in range(matches):
        moment = at + number * 100_000_000
        told.append(played(season, opened(season, bots, moment), moment + 2_000_000)[1])
    return told


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new database."""
    with Store(tmp_path / "cup.sqlite") as found:
        yield found


def test_a_match_is_a_group_of_one_with_its_builds(store: Store) -> None:
    """Pool, number, line-up and builds are stored when the match begins, and the record is whole."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    records = [played(season, opened(season, bots, at), at + 1)[0] for at in (10**6, 10**9)]
    (pool,) = store.pools(season.row.id)
    groups, results = store.groups(pool.id), store.results(pool.id)

    assert [(group.number, group.games, group.duplicate) for group in groups] == [(0, 1, False), (1, 1, False)]
    assert [group.lineup for group in groups] == [record.header.players for record in records]
    assert [result.builds for result in results] == [group.builds for group in groups]
    assert results[0].builds in ((1, 2), (2, 1))
    for result, record in zip(results, records, strict=True):
        verify(store.record(result.match))
        assert store.record(result.match).final == record.final


def test_ratings_are_stored_with_the_end_as_they_are_told(store: Store) -> None:
    """What `Settled` says of each seat stands in the seat's row; the hash is that of the record's last line."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    record, settled = played(season, opened(season, bots, 10**6), 2 * 10**6)
    stored = store.record(record.header.match)
    rows = store._connection.execute(
        "select rating_before, rating_after, rating_deviation, rating_games, rating_rank from seats order by seat"
    ).fetchall()

    assert rows == [tuple(rating) for rating in settled.ratings]
    assert settled.record_hash == stored.hashes[-1]
    assert [rating.before for rating in settled.ratings] == [1500, 1500]
    assert sum(rating.after for rating in settled.ratings) == pytest.approx(3000)


def test_an_end_that_cannot_be_stored_changes_no_rating(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The transaction fails, nothing of the end is in the file or in memory, and the same end can be stored later."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    opening = opened(season, bots, 10**6)

    def fail() -> int:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store, "_next_end", fail)
        with pytest.raises(Exception, match="disk is full"):
            played(season, opening, 2 * 10**6)
    assert store._connection.execute("select state from matches").fetchall() == [("running",)]
    assert store._connection.execute("select count(rating_after) from seats").fetchone() == (0,)
    (pool,) = store.pools(season.row.id)
    assert season.matches.quick(pool.id).ratings() == {}

    final = play_match(
        opening,
        [resolve("random")] * 2,
    ).final
    assert final is not None
    assert len(season.matches.end(opening.match, final).ratings) == 2


def test_a_restart_goes_on_with_the_same_numbers(tmp_path: Path) -> None:
    """Ratings, meetings and numbers of groups are rebuilt from the file: the season ends as an undisturbed one."""

    def run(path: Path, pieces: Sequence[int]) -> tuple[list[Settled], list[tuple[str, ...]]]:
        told: list[Settled] = []
        for matches in pieces:
            with Store(path) as store:
                season = begun(store)
                bots = joined(season, "ann", "bob", "cid")
                told += play(season, bots, matches, 10**6 + len(told) * 100_000_000)
        with Store(path) as store:
            (pool,) = store.pools(1)
            return told, [group.lineup for group in store.groups(pool.id)]

    whole, _ = run(tmp_path / "whole.sqlite", [9])
    parts, lineups = run(tmp_path / "parts.sqlite", [4, 1, 4])

    assert len(parts) == len(whole) == len(lineups) == 9
    meetings = [frozenset(lineup) for lineup in lineups]
    assert {2, 3, 4} >= {meetings.count(pair) for pair in meetings}
    assert len(set(meetings)) == 3
    with Store(tmp_path / "parts.sqlite") as store:
        (pool,) = store.pools(1)
        told = {f"#{build}": after for build, after in store._connection.execute(LAST_TOLD)}
        assert begun(store).matches.quick(pool.id).ratings() == told


LAST_TOLD = """
select build, rating_after from seats join matches on id = match
where end_number = (select max(end_number) from matches later join seats mine on mine.match = later.id
                    where mine.build = seats.build)
"""


def test_a_running_match_is_gone_on_with_and_rated_once(store: Store) -> None:
    """After a restart the season knows pool and builds of the match, also where its pool is not offered any more."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    opening = opened(season, bots, 10**6)
    record = play_match(
        opening,
        [resolve("random")] * 2,
    )
    season.matches.begin(record.header, opening.secret)
    season.matches.step(opening.match, record.steps[0])

    later = begun(store, every_table(["honshu"], seats=[2]))
    (running,) = store.running()
    assert later.restore(running, 5 * 10**6) is True
    for step in record.steps[1:]:
        later.matches.step(opening.match, step)
    assert record.final is not None
    settled = later.matches.end(opening.match, record.final)
    later.ended(opening.match, 6 * 10**6)

    assert len(settled.ratings) == 2
    assert [pool.game for pool in store.pools(season.row.id)] == ["edo_yashiki", "honshu"]
    assert begun(store).matches.quick(1).ratings() == later.matches.quick(1).ratings() != {}


@pytest.mark.processes
def test_a_running_match_of_another_season_waits_for_that_season(store: Store) -> None:
    """Two seasons in one file: the referee of one does not go on with the matches of the other."""
    season = begun(store)
    opening = opened(season, joined(season, "ann", "bob"), 10**6)
    agreed = opening.header(registry.game("edo_yashiki"))
    season.matches.begin(agreed, opening.secret)
    row = store.season("other", "", SECRET, tempo="open", pairing_version=2)
    other = OpenSeason(store, row, TWO)

    def unfinished(which: OpenSeason) -> int:
        return len(ServedSeason(store, which, EntrantDirectory(store), Config()).prepared().unfinished)

    assert (unfinished(other), unfinished(season)) == (0, 1)
    assert len(store.running()) == 1


def test_a_changed_software_is_a_new_build(store: Store) -> None:
    """Rated apart from 1500 on; the earlier software is the earlier build again; no software is a build as well."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    play(season, bots, 2)
    season.arrived("ann", "ann 2.0", EVERYTHING)
    (changed,) = play(season, bots, 1, 10**9)
    season.arrived("ann", "ann 1.0", EVERYTHING)
    (back,) = play(season, bots, 1, 2 * 10**9)
    season.arrived("ann", "", EVERYTHING)
    season.arrived("ann", "", EVERYTHING)
    rows = store._connection.execute("select bot, spec, remote from builds order by id").fetchall()

    assert sorted(rating.games for rating in changed.ratings) == [1, 3]
    assert sorted(rating.games for rating in back.ratings) == [3, 4]
    assert rows == [("ann", "ann 1.0", 1), ("bob", "bob 1.0", 1), ("ann", "ann 2.0", 1), ("ann", "unnamed", 1)]


def test_a_bot_with_too_many_new_builds_gets_no_rated_table_until_it_returns_to_a_known_one(store: Store) -> None:
    """Six a day are rated; the seventh is told so, and sits at tables that are not rated only."""
    offers = (*TWO, *every_table(["honshu"], seats=[2], rated=False))
    season = begun(store, offers)
    bots = joined(season, "ann", "bob")
    for number in range(2, BUILDS_PER_DAY + 1):
        assert season.arrived("ann", f"ann {number}.0", EVERYTHING) == ""
    notice = season.arrived("ann", "ann 7.0", EVERYTHING)
    games = {opened(season, bots, number * 10**9).game for number in range(1, 5)}

    assert "6 new builds of ann" in notice
    assert games == {"honshu"}
    assert season.arrived("bob", "bob 2.0", EVERYTHING) == ""
    assert season.arrived("ann", "ann 1.0", EVERYTHING) == ""
    assert "edo_yashiki" in {opened(season, bots, number * 10**9).game for number in range(10, 15)}


def test_builds_of_another_day_do_not_count(store: Store) -> None:
    """A day later the bot may change six times again."""
    season = begun(store)
    for number in range(BUILDS_PER_DAY):
        assert season.arrived("ann", f"{number}", EVERYTHING) == ""
    assert season.arrived("ann", "late", EVERYTHING) != ""
    store._connection.execute("update builds set created = datetime(created, '-25 hours')")

    assert season.arrived("ann", "late", EVERYTHING) == ""


def test_a_bot_set_aside_without_unrated_tables_gets_none(store: Store) -> None:
    """Two bots are present, one of them with a seventh build: no table, and no question comes back for it."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    for number in range(BUILDS_PER_DAY):
        season.arrived("ann", f"other {number}", EVERYTHING)

    assert season.next(bots, 10**6) is None


def test_a_house_bot_has_the_build_of_its_spec(store: Store) -> None:
    """Whatever the process says in its hello: the build is that of the ladder file, and is not remote."""
    build = store.build("greedy", "greedy", "digest of greedy")
    season = begun(store, house={"greedy": build})
    bots = joined(season, "greedy", "ann")
    play(season, bots, 1)

    assert {build} < set(store.results(1)[0].builds)
    assert store._connection.execute("select remote from builds where bot = 'greedy'").fetchall() == [(0,)]


def test_ids_and_secrets_are_distinct_in_every_pool(store: Store) -> None:
    """Same game and seats under another clock, or under other rules, is another edition with luck of its own."""
    offers = [TableOffer("honshu", 2, TWO[0].variant, TimeControl.parse(text)) for text in ("10s", "20s")]
    offers = [every_table(["honshu"], seats=[2], clock=offer.clock)[0] for offer in offers]
    season = begun(store, offers)
    bots = [FakeBot(name, capacity=8) for name in ("ann", "bob", "cid", "dan")]
    for bot in bots:
        season.arrived(bot.name, "1", EVERYTHING)
    openings = [opened(season, bots, at * 10**9) for at in range(1, 9)]

    assert {str(opening.clock) for opening in openings} == {"10s", "20s"}
    assert len({opening.match for opening in openings}) == len({opening.secret for opening in openings}) == 8
    assert [pool.edition for pool in store.pools(season.row.id)] == [0, 1]


def test_a_changed_version_of_the_rules_opens_a_new_pool(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old pool is archived with its results; the season goes on, and numbers its groups anew."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    play(season, bots, 2)
    game = registry.game("edo_yashiki")
    monkeypatch.setattr(game, "rules_version", game.rules_version + 1)
    later = begun(store)
    old, new = store.pools(later.row.id)
    first = opened(later, joined(later, "ann", "bob"), 10**6)

    assert (old.archived is None, new.archived, new.edition) == (False, None, 1)
    assert new.rules_version == old.rules_version + 1
    assert first.match not in {result.match for result in store.results(old.id)}


def test_a_pool_that_is_not_rated_is_played_and_stored_without_ratings(store: Store) -> None:
    """Its bots are told none, the seats have none, and the opening says so."""
    season = begun(store, every_table(["edo_yashiki"], seats=[2], rated=False))
    opening = opened(season, joined(season, "ann", "bob"), 10**6)
    _, settled = played(season, opening, 2 * 10**6)

    assert not opening.rated
    assert settled.ratings == ()
    assert settled.record_hash
    assert store._connection.execute("select count(rating_after) from seats").fetchone() == (0,)


def test_what_was_played_unrated_does_not_count_when_the_pool_is_rated_later(store: Store) -> None:
    """A referee in development mode on the season's own database: its matches never move a rating."""
    unrated = begun(store, every_table(["edo_yashiki"], seats=[2], policy=Policy(development=True), rated=False))
    play(unrated, joined(unrated, "ann", "bob"), 3)
    season = begun(store)
    (told,) = play(season, joined(season, "ann", "bob"), 1)

    assert [rating.games for rating in told.ratings] == [1, 1]
    assert [result.rated for result in store.results(1)] == [False, False, False, True]


def test_bots_of_one_owner_share_no_table_of_three(store: Store) -> None:
    """Two of three bots belong to one club: no table; with a fourth bot there are tables, never with both."""
    owners = {"ann": "club", "bob": "club"}
    season = begun(store, every_table(["edo_yashiki"], seats=[3]), owner=lambda name: owners.get(name, ""))
    bots = joined(season, "ann", "bob", "cid")
    assert not isinstance(season.next(bots, 10**9), MatchPlan)

    bots += joined(season, "dan")
    lineups = [set(opened(season, bots, at * 10**9).players) for at in range(2, 8)]
    assert all(not {"ann", "bob"} <= lineup for lineup in lineups)


def test_a_bot_that_plays_nothing_of_what_is_offered_is_not_entered(store: Store) -> None:
    """It is told what is played, and leaves no trace in the file."""
    season = begun(store)
    ninja = HelloOffers({"ninjato": Accepts(frozenset(), {})})

    with pytest.raises(NotEntered, match="edo_yashiki:2"):
        season.arrived("eve", "1", ninja)
    assert store._connection.execute("select count(*) from builds").fetchone() == (0,)


def test_a_bot_that_comes_back_with_other_offers_gets_no_table_of_its_former_ones(store: Store) -> None:
    """A bot with a seat may stay although it plays nothing here any more; it is not seated again."""
    season = begun(store)
    bots = joined(season, "ann", "bob")
    with pytest.raises(NotEntered):
        season.arrived("ann", "1", HelloOffers({"ninjato": Accepts(frozenset(), {})}))

    assert season.next(bots, 10**6) is None


def test_a_season_of_the_other_tempo_is_refused(store: Store) -> None:
    """One clear line that names the season, the file and what to do."""
    store.season("open", "x", SECRET, tempo="planned", pairing_version=1)

    with pytest.raises(ValueError, match=r"'open' in .*cup\.sqlite is a planned season.*another season name"):
        begun(store)


def test_the_row_of_a_season_keeps_its_first_secret(store: Store) -> None:
    """A second start with another secret goes on with the one that its ids derive from."""
    begun(store)
    row: SeasonRow = store.season("open", "", bytes(32), tempo="open", pairing_version=9)

    assert (store.season_secret(row.id), row.pairing_version) == (SECRET, 2)
