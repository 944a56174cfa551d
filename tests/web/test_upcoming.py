"""What comes next: the next opponent of a bot, the next round of an event, the log of a hosted bot."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, cast

import pytest

from ladder.config.event_rules import EventFormat, EventRules
from ladder.store.database import Store
from ladder.store.events import PlaceRow, PlannedGame
from ladder.web.reading.library import Library
from ladder.web.site import Site

BUILDS = {"greedy": 1, "first": 2, "second": 3, "third": 4}
TABLES = (("greedy", "second"), ("first", "third"))


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    """A season of which everything was played, to be changed by a test."""
    path = tmp_path / "copy.sqlite"
    with sqlite3.connect(played) as source, sqlite3.connect(path) as target:
        source.backup(target)
    return path


def bot(path: Path, name: str) -> dict[str, Any]:
    """The data of a bot's page."""
    return Site(Library(path)).load(f"/bots/{name}")


def schedule(path: Path, *lineups: tuple[str, ...]) -> None:
    """One more batch of the first pool."""
    with Store(path) as store:
        store.schedule(1, 99, lineups, BUILDS, [False] * len(lineups))


def begin_cup(path: Path) -> None:
    """A Swiss event of four bots, of which the first round is paired and none of its games played."""
    with Store(path) as store:
        season = store.season("cup", "", None, tempo="planned", pairing_version=1)
        (row, *_) = store.pools(1)
        pool = store.pool(season.id, row.game, 2, {}, row.clock, row.rules_version, row.components)
        rules = EventRules(EventFormat.SWISS, seats=2, rounds=3)
        store.enter_event(season.id, pool.id, rules.plain(), list(BUILDS))
        store.begin_event(season.id, list(BUILDS), [])
        event = store.event(season.id)
        assert event is not None
        places = [PlaceRow(1, name, "table", slot) for slot, names in enumerate(TABLES) for name in names]
        games = [PlannedGame(slot, names) for slot, names in enumerate(TABLES)]
        store.add_round(event, 1, places, games, [], BUILDS)


def test_a_season_that_was_played_whole_has_no_next_match(copy: Path) -> None:
    """Nothing is said of what is not to come."""
    site, data = Site(Library(copy)), bot(copy, "greedy")

    assert data["next"] == []
    assert "Next" not in site.html("/bots/greedy", data)


def test_a_bot_is_told_whom_it_meets_next_in_its_season(copy: Path) -> None:
    """Scheduled line-ups with a match that was not begun, in the order of the schedule; not those of others."""
    schedule(copy, ("first", "third"), ("second", "greedy"), ("greedy", "third"))
    data = bot(copy, "greedy")
    html = Site(Library(copy)).html("/bots/greedy", data)

    assert [(row["opponents"], row["season"], row["round"]) for row in data["next"]] == [
        (["second"], "autumn", None),
        (["third"], "autumn", None),
    ]
    assert "Its next match is against <b><bdi>second</bdi></b>, at Edo Yashiki for two." in html
    assert '<dt>Next</dt><dd><a href="/bots/second">' in html
    assert [row["opponents"] for row in bot(copy, "first")["next"]] == [["third"]]


def test_a_hidden_opponent_is_told_by_its_pseudonym(copy: Path) -> None:
    """Its stored name stands nowhere."""
    schedule(copy, ("second", "greedy"))
    begin_cup(copy)
    with Store(copy) as store:
        store.hide("second", "<b>crane")
    data = bot(copy, "greedy")

    assert [row["opponents"] for row in data["next"]] == [["<b>crane"], ["<b>crane"]]
    assert "second" not in str(data["next"])
    assert "<b>crane" not in Site(Library(copy)).html("/bots/greedy", data)


def test_the_round_of_an_event_is_told_to_its_entrants_and_on_the_first_page(copy: Path) -> None:
    """The table of the present round for a bot; how far the event is, and which round is next, for all."""
    begin_cup(copy)
    site, data = Site(Library(copy)), bot(copy, "third")
    home = site.load("/")

    assert data["next"] == [{"title": "Edo Yashiki", "season": "cup", "round": 1, "opponents": ["first"]}]
    assert "Its next match is against <b><bdi>first</bdi></b>, in round 1 of cup." in site.html("/bots/third", data)
    assert cast(dict[str, Any], home["event"])["event"] == "cup"
    assert "<b><bdi>cup</bdi></b> is in round 1 of 3, with 0 of 2 tables over; round 2 comes next." in site.html(
        "/", home
    )


def test_the_command_for_the_log_of_a_hosted_bot_names_its_newest_match(copy: Path) -> None:
    """The exact match and seat of the page; whoever has no key of the host reads nothing with it."""
    site, data = Site(Library(copy)), bot(copy, "first")
    newest = data["matches"][0]
    seat = next(seat["seat"] for seat in newest["seats"] if seat["player"] == "first")

    assert f"kumite matches DB:{newest['match']} --log {seat}</code>" in site.html("/bots/first", data)
