"""An event without a wire: check-in, start, no-shows, pause, withdrawals and restarts, on a time moved by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio

from bots import source
from bots.specs import resolve
from ladder.arena.play import play_match
from ladder.arena.workers import in_process
from ladder.config import ladder_file
from ladder.events import event_season as seasons
from ladder.events.event_season import RETURN, EventSeason
from ladder.events.report import plain, report
from ladder.events.starting import check_start
from ladder.seasons.season import Progress, Season
from ladder.store.database import Store
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting, UnknownName
from referee.match.plan import MatchPlan
from referee.match.protocols import NotEntered
from referee.transport.offers import HelloOffers
from tests.ladder.event_check import check_swiss
from tests.ladder.test_open_season import FakeBot

SECRET = secret_from_seed("tests/event")
SECOND = 1_000_000
START = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
FILE = """
season = "evening"
[event]
format = "{form}"
grace = "20s"
{more}
{bots}
[[pools]]
game = "edo_yashiki"
"""


class Scene:
    """An event whose time and bots are moved by hand."""

    def __init__(self, folder: Path, names: str, more: str = "", form: str = "swiss", house: str = "") -> None:
        bots = "\n".join(f'[[bots]]\nspec = "remote:{name}"' for name in names) + house
        path = folder / "evening.toml"
        path.write_text(FILE.format(form=form, more=more, bots=bots))
        self.ladder = ladder_file.read(path)
        self.store = Store(self.ladder.database)
        self.at = SECOND
        self.day = START - timedelta(hours=1)
        self.here: set[str] = set()
        self.busy: dict[str, int] = {}
        self.season = self.again()

    def again(self) -> EventSeason:
        """The event as it is after a restart; no bot is back yet."""
        schedule = Season(self.ladder, self.store, SECRET, source.digest)
        self.season = EventSeason(self.ladder, schedule, self.store, at=self.at, clock=lambda: self.day)
        self.season._now = lambda: self.at
        self.here, self.busy = set(), {}
        return self.season

    def come(self, *names: str) -> None:
        """Bots say hello."""
        for name in names:
            assert self.season.arrived(name, "1", HelloOffers()) == ""
        self.here |= set(names)

    def next(self) -> MatchPlan | int | None:
        """What the lobby is told."""
        return self.season.next(
            [FakeBot(name, capacity=4, tables=self.busy.get(name, 0)) for name in self.here], self.at
        )

    def look(self, seconds: float = 0.0) -> list[MatchPlan]:
        """Let time pass, and return the matches that are opened then."""
        self.at += round(seconds * SECOND)
        self.day += timedelta(seconds=seconds)
        opened = []
        for _ in range(4):
            found = self.next()
            trio.run(self.season._refill, lambda: None)
            while isinstance(found, MatchPlan):
                opened.append(found)
                found = self.next()
        return opened

    def play(self, opening: MatchPlan, winner: Callable[[tuple[str, ...]], str] | None = None) -> None:
        """Play a match and store it; `winner` says who of its players wins."""
        wanted = None if winner is None else winner(opening.players)
        for seed in range(200):
            record = play_match(
                opening,
                [resolve(f"random:seed={seed + seat}") for seat in range(len(opening.players))],
            )
            final = record.final
            assert final is not None
            assert final.result is not None
            places = dict(zip(opening.players, final.result.places, strict=True))
            if wanted is None or (places[wanted] == 1 and list(places.values()).count(1) == 1):
                break
        else:
            raise AssertionError(f"no seed lets {wanted} win")
        self.season.matches.begin(record.header, opening.secret)
        for step in record.steps:
            self.season.matches.step(opening.match, step)
        self.season.matches.end(opening.match, final)
        self.season.ended(opening.match, self.at)

    def finish(self, winner: Callable[[tuple[str, ...]], str] | None = None) -> dict[str, object]:
        """Play everything to the end; the report."""
        for _ in range(200):
            for opening in self.look(0.3):
                self.play(opening, winner)
            if self.season.event.state == "over":
                return plain(report(self.store))
        raise AssertionError("the event does not end")

    def outs(self) -> dict[str, str]:
        """Who is out, and why."""
        return {entrant.name: entrant.reason for entrant in self.season.event.entrants if entrant.out_before}


MakeScene = Callable[..., Scene]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[MakeScene]:
    """Makes scenes, and closes their stores."""
    made: list[Scene] = []

    def scene(*words: str, **named: str) -> Scene:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Scene(folder, *words, **named))
        return made[-1]

    yield scene
    for found in made:
        found.store.close()


def test_an_event_begins_when_all_have_come(make: MakeScene) -> None:
    """Not before; then all tables of the first round open at once."""
    scene = make("abcd")
    scene.come("a", "b", "c")
    assert scene.look(60) == []
    assert scene.season.event.state == "waiting"
    scene.come("d")
    opened = scene.look()

    assert sorted(name for opening in opened for name in opening.players) == list("abcd")


def test_check_in_is_open_for_its_time_and_the_event_begins_at_its_own(make: MakeScene) -> None:
    """Who is there early is checked in when check-in opens; who comes late has missed the first round."""
    scene = make("abcde", f'start = "{START.isoformat()}"\ncheck_in = "30m"')
    scene.come("a", "b")
    scene.look()
    assert not any(entrant.checked_in for entrant in scene.season.event.entrants)
    scene.look(1801)
    assert {entrant.name for entrant in scene.season.event.entrants if entrant.checked_in} == {"a", "b"}
    scene.come("c", "d")
    assert scene.look(1797) == []
    opened = scene.look(3)
    scene.come("e")
    for opening in opened:
        scene.play(opening, min)
    second = scene.look(1)

    assert len(opened) == len(second) == 2
    assert scene.season.event.rounds[0].missed == ("e",)
    assert [found.byes for found in scene.season.event.rounds] == [(), scene.season.event.rounds[1].byes]
    assert len(scene.season.event.rounds[1].byes) == 1


def test_two_missed_rounds_in_a_row_put_a_bot_out(make: MakeScene) -> None:
    """It is told so when it comes after all; one that is back after one round plays on."""
    scene = make("abcde", 'start = "organiser"\nrounds = 4')
    scene.come("a", "b", "c", "d")
    scene.look()
    scene.season.start()
    for opening in scene.look():
        scene.play(opening, min)
    scene.here.discard("d")
    assert scene.look() == []
    assert scene.look(19) == []
    for opening in scene.look(2):
        scene.play(opening, min)
    scene.come("d")
    for opening in scene.look(1):
        scene.play(opening, min)

    assert scene.outs() == {"e": "missed rounds 1 and 2"}
    assert [found.missed for found in scene.season.event.rounds] == [("e",), ("d", "e"), ()]
    with pytest.raises(NotEntered, match="you are out of event 'evening': missed rounds 1 and 2"):
        scene.season.arrived("e", "1", HelloOffers())
    check_swiss(scene.finish(min))


def test_a_bot_may_enter_late(make: MakeScene) -> None:
    """Up to the round that the file names an entrant that has not come is not out; after it, it is."""
    scene = make("abcdef", 'start = "organiser"\nrounds = 5\nlate_entry = 3')
    scene.come("a", "b", "c", "d")
    scene.look()
    scene.season.start()
    for _ in range(2):
        for opening in scene.look(1):
            scene.play(opening, min)
    scene.come("e")
    for _ in range(2):
        for opening in scene.look(1):
            scene.play(opening, min)

    entered = {entrant.name: entrant.entered for entrant in scene.season.event.entrants}
    assert (entered["e"], entered["f"]) == (3, None)
    assert scene.outs() == {"f": "did not come by round 3"}
    check_swiss(scene.finish(min))


def test_a_bot_that_does_not_come_to_its_table_forfeits_without_rating(make: MakeScene) -> None:
    """After the grace, not before; the other has the point; no match is stored, and no rating moves."""
    scene = make("ab", "rounds = 1")
    scene.come("a", "b")
    scene.season.next([FakeBot("a"), FakeBot("b")], scene.at)
    trio.run(scene.season._refill, lambda: None)
    trio.run(scene.season._refill, lambda: None)
    scene.here.discard("b")
    assert scene.look(19) == []
    assert scene.season.event.state == "running"
    scene.look(2)
    found = scene.finish()

    assert [(entry["bot"], entry["points"]) for entry in found["standings"]] == [("a", 1.0), ("b", 0.0)]  # type: ignore[attr-defined]
    assert found["winner"] == "a"
    assert scene.store.results(scene.season.pool.id) == []
    check_swiss(found)


def test_nothing_is_opened_and_nobody_misses_anything_in_a_pause(make: MakeScene) -> None:
    """The grace begins anew when the event goes on; a restarted referee is still paused."""
    scene = make("abcd", "rounds = 1")
    scene.come("a", "b", "c", "d")
    scene.season.pause()
    assert scene.look(5) == []
    scene.again()
    scene.come("a", "b", "c")
    assert scene.look(3600) == []
    assert scene.season.event.state == "running" or scene.season.event.rounds == ()
    with pytest.raises(BadSetting, match="is paused already"):
        scene.season.pause()
    scene.season.resume()
    with pytest.raises(BadSetting, match="is not paused"):
        scene.season.resume()
    scene.come("d")

    assert len(scene.look(1)) == 2


def test_a_withdrawal_takes_effect_at_once(make: MakeScene) -> None:
    """The open table is played on; the next round is without the bot; strangers and those who left are refused."""
    scene = make("abcd", "rounds = 2")
    scene.come("a", "b", "c", "d")
    opened = scene.look()
    scene.season.withdraw("organiser", "d")
    with pytest.raises(UnknownName, match="unknown entrant of event 'evening' 'x'"):
        scene.season.withdraw("organiser", "x")
    with pytest.raises(BadSetting, match="d is out of event 'evening' already: withdrawn by the organiser"):
        scene.season.withdraw("organiser", "d")
    for opening in opened:
        scene.play(opening, max)
    found = scene.finish(min)

    assert len(scene.season.event.rounds[1].byes) == 1
    assert "d" not in [name for table in scene.season.event.rounds[1].tables for name in table.bots]
    assert scene.outs() == {"d": "withdrawn by the organiser"}
    check_swiss(found)
    with pytest.raises(BadSetting, match="is over"):
        scene.season.withdraw("organiser", "a")
    with pytest.raises(BadSetting, match="is over"):
        scene.season.start()


def test_withdrawals_can_stand_in_the_file(make: MakeScene) -> None:
    """The bot does not play from that round on."""
    scene = make("abcd", "rounds = 3\nwithdrawals = { c = 2 }")
    scene.come("a", "b", "c", "d")
    scene.finish(min)

    assert scene.outs() == {"c": "withdrawn"}
    assert [scene.season.event.rounds[n].table("c") is not None for n in range(3)] == [True, False, False]


def test_a_restarted_referee_goes_on_in_the_same_round(make: MakeScene) -> None:
    """Tables, seats, ids and byes are as they were; bots have time to come back before they miss anything."""
    scene = make("abcde", "rounds = 3")
    scene.come(*"abcde")
    first = scene.look()
    scene.play(first[0], min)
    rounds = scene.season.event.rounds
    scene.again()
    assert scene.look((RETURN - SECOND) / SECOND) == []
    scene.come(*"abcde")
    again = scene.look()

    assert [opening.match for opening in again] == [opening.match for opening in first[1:]]
    assert [opening.players for opening in again] == [opening.players for opening in first[1:]]
    assert [found.byes for found in scene.season.event.rounds] == [found.byes for found in rounds]
    for opening in again:
        scene.play(opening, min)
    check_swiss(scene.finish(min))


def test_a_restart_between_any_two_steps_changes_nothing(make: MakeScene) -> None:
    """The event is opened anew before every match; the report is that of an undisturbed one."""
    reports = []
    for disturbed in (False, True):
        scene = make("abcdef", "rounds = 4")
        scene.come(*"abcdef")
        for _ in range(100):
            if disturbed:
                scene.again()
                scene.come(*"abcdef")
            opened = scene.look(0.1)
            for opening in opened[:1] if disturbed else opened:
                scene.play(opening)
            if scene.season.event.state == "over":
                break
        reports.append(plain(report(scene.store)))

    check_swiss(reports[0])
    assert reports[0] == reports[1]


def test_a_start_in_the_past_is_refused_unless_the_event_has_begun(make: MakeScene) -> None:
    """One line that says what to do; an event that has begun goes on."""
    scene = make("ab", f'start = "{START.isoformat()}"\nrounds = 1')
    late = START + timedelta(seconds=1)
    check_start(scene.ladder, scene.store, START - timedelta(seconds=1))
    with pytest.raises(BadSetting, match=r"was to start at 2026-11-20T18:00:00\+00:00, which is past"):
        check_start(scene.ladder, scene.store, late)
    scene.come("a", "b")
    scene.look()
    scene.season.start()
    check_start(scene.ladder, scene.store, late)


def test_too_few_entrants_cannot_begin(make: MakeScene, caplog: pytest.LogCaptureFixture) -> None:
    """The organiser is told how many are needed; at its time the event waits and says so once."""
    scene = make("abc", f'start = "{START.isoformat()}"')
    scene.come("a")
    scene.look()
    with pytest.raises(BadSetting, match="cannot begin: 1 entrant has checked in, and it needs 2"):
        scene.season.start()
    scene.look(3601)
    scene.look(10)
    assert caplog.text.count("cannot begin yet: 1 entrant has checked in, and it needs 2") == 1
    scene.come("b")
    assert len(scene.look(1)) == 1
    with pytest.raises(BadSetting, match="has begun already"):
        scene.season.start()


def test_a_round_robin_is_played_to_its_end(make: MakeScene) -> None:
    """Every pair meets once; a bot that is out loses the rest without play; who does not check in is not scheduled."""
    scene = make("abcdef", 'start = "organiser"', form="round_robin")
    scene.come(*"abcde")
    scene.look()
    scene.season.start()
    for _ in range(2):
        for opening in scene.look(0.3):
            scene.play(opening, min)
    scene.season.withdraw("organiser", "e")
    found = scene.finish(min)

    assert found["rounds_played"] == found["rounds"] == 5
    assert scene.outs() == {"f": "did not check in", "e": "withdrawn by the organiser"}
    order = [entry["bot"] for entry in found["standings"]]  # type: ignore[attr-defined]
    assert order[:4] == ["a", "b", "c", "d"]
    assert [entry["points"] for entry in found["standings"]][:4] == [4.0, 3.0, 2.0, 1.0]  # type: ignore[attr-defined]
    pairs = [frozenset(table.bots) for each in scene.season.event.rounds for table in each.tables]
    assert len(set(pairs)) == len(pairs) == 10


def test_a_knockout_is_played_best_of_three_to_its_winner(make: MakeScene) -> None:
    """Ties end when they are decided; the better seeds have byes; losers of one round share their place."""
    scene = make("abcdef", 'best_of = 3\nseeds = ["a", "b", "c", "d", "e", "f"]', form="knockout")
    scene.come(*"abcdef")
    found = scene.finish(min)

    event = scene.season.event
    assert [set(each.byes) for each in event.rounds] == [{"a", "b"}, set(), set()]
    assert {len(table.games) for each in event.rounds for table in each.tables} == {2}
    ranks = {entry["bot"]: entry["rank"] for entry in found["standings"]}  # type: ignore[attr-defined]
    assert ranks == {"a": 1, "b": 2, "c": 3, "d": 3, "e": 5, "f": 5}
    assert found["winner"] == "a"
    players = [game.players for table in event.rounds[2].tables for game in table.games]
    assert players[0] == players[1][::-1]


def test_who_leaves_a_knockout_has_lost_its_tie(make: MakeScene) -> None:
    """Also where it was ahead: the other goes on."""
    scene = make("ab", 'best_of = 5\nseeds = ["a", "b"]', form="knockout")
    scene.come("a", "b")
    for _ in range(2):
        for opening in scene.look(0.3):
            scene.play(opening, min)
    scene.season.withdraw("organiser", "a")
    for opening in scene.look(0.3):
        scene.play(opening, min)
    found = scene.finish(min)

    assert found["winner"] == "b"


@pytest.mark.processes
def test_a_large_round_is_paired_in_a_process_of_its_own(make: MakeScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same tables as in the loop."""
    tables = []
    for limit in (24, 2):
        monkeypatch.setattr(seasons, "IN_LOOP", limit)
        scene = make("abcde", "rounds = 1")
        scene.come(*"abcde")
        tables.append([opening.players for opening in scene.look(0.3)])

    assert tables[0] == tables[1] != []


def test_house_bots_play_among_themselves_on_workers(make: MakeScene) -> None:
    """They are always checked in; a table of them is no question of the lobby."""
    house = '\n[[bots]]\nname = "x"\nspec = "random:seed=1"\n[[bots]]\nname = "y"\nspec = "random:seed=2"\n'
    scene = make("ab", 'rounds = 1\nseeds = ["a", "x", "b", "y"]', house=house)
    scene.come("a", "b")
    opened = scene.look(0.3)

    assert [set(opening.players) for opening in opened] == [{"a", "b"}]
    assert [set(task.job.plan.players) for task in scene.season._queues[scene.season.pool.id]] == [{"x", "y"}]


def test_a_pause_also_holds_the_tables_of_workers(make: MakeScene) -> None:
    """No game of the house's own bots is begun while the event rests; it is begun when the event goes on."""
    house = '\n[[bots]]\nname = "x"\nspec = "random:seed=1"\n[[bots]]\nname = "y"\nspec = "random:seed=2"\n'
    scene = make("ab", 'rounds = 1\nseeds = ["a", "x", "b", "y"]', house=house)
    scene.come("a", "b")
    scene.look(0.3)
    turns = 0

    def until(progress: Progress) -> bool:
        nonlocal turns
        turns += 1
        if turns == 3:
            paused.append(progress.played)
            scene.season.resume()
        return turns > 5

    paused: list[int] = []
    scene.season.pause()

    async def run() -> None:
        with in_process() as workers:
            await scene.season.run(
                workers, now=lambda: scene.at, changed=lambda: None, until=until, told=lambda progress: None
            )

    trio.run(run)

    assert paused == [0]
    assert scene.season.schedule.progress.played == 1
