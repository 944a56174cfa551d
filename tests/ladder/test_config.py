"""The ladder file: every mistake is found and said with its line."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest

from ladder.config.ladder_file import read
from referee.kernel.errors import CallerFault

BOTS = '[[bots]]\nspec = "greedy"\n[[bots]]\nname = "r"\nspec = "random"\n'
POOL = '[[pools]]\ngame = "edo_yashiki"\n'
OPEN = BOTS + POOL + 'pairing = "open"\n'


def test_defaults_fill_a_short_file(tmp_path: Path) -> None:
    """Bots and one pool are enough: all bots play the game's smallest table in a round robin."""
    path = tmp_path / "l.toml"
    path.write_text(BOTS + POOL)
    ladder = read(path)

    assert ladder.database == tmp_path / "ladder.sqlite"
    assert ladder.pools[0].bots == ("greedy", "r")
    assert (ladder.pools[0].seats, ladder.pools[0].pairing) == (2, "round_robin")
    assert ladder.pools[0].variant == {"rules": "standard", "draft": "sealed", "covering": "seen"}


def test_the_date_makes_a_season_of_every_night(tmp_path: Path) -> None:
    """{date} in the season's name is the day of the run."""
    path = tmp_path / "l.toml"
    path.write_text('season = "night-{date}"\n' + BOTS + POOL)

    assert read(path, date(2026, 11, 16)).season == "night-2026-11-16"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "no [[bots]]"),
        (BOTS, 1, "no [[pools]]"),
        (BOTS + '[[pools]]\ngame = "chess"\n', 7, "edo_yashiki"),
        (BOTS + POOL + "seets = 2\n", 8, "did you mean 'seats'"),
        (BOTS + POOL + "seats = 9\n", 8, "2 to 5 seats"),
        (BOTS + POOL + "seats = 3\n", 8, "3 different bots; 2 play"),
        (BOTS + POOL + "seats = 'two'\n", 8, "whole number"),
        (BOTS + POOL + "variant = {rules = 'odd'}\n", 8, "specialists, standard"),
        (BOTS + POOL + "pairing = 'knockout'\n", 8, "round_robin"),
        (BOTS + POOL + "clock = 'fast'\n", 8, "10s+100ms/5s"),
        (BOTS + POOL + "pairing = 'gauntlet'\n", 6, "candidates"),
        (BOTS + POOL + "bots = ['greedy', 'x']\n", 8, "unknown bot 'x'"),
        (BOTS + POOL + "rounds = 0\n", 8, "above 0"),
        (BOTS + POOL + POOL, 9, "the same game"),
        (BOTS + '[[bots]]\nname = "r"\nspec = "random"\n' + POOL, 7, "two bots are called 'r'"),
        (BOTS + '[[bots]]\nspec = "randum"\n' + POOL, 7, "did you mean 'random'"),
        (BOTS + POOL + "[watch]\nbots = ['nobody']\n", 9, "unknown bot 'nobody'"),
        (BOTS + POOL + "[watch]\ndrop = -1\n", 9, "0 or more"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    """File, line, key and what is allowed."""
    path = tmp_path / "l.toml"
    path.write_text(text)
    with pytest.raises(CallerFault) as caught:
        read(path)

    assert f"l.toml, line {line}, " in str(caught.value)
    assert words in str(caught.value)


REMOTE = '[[bots]]\nspec = "remote:ann"\n'
OPEN = POOL + 'pairing = "open"\n'


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (BOTS + OPEN + POOL, 9, "a season is open or planned"),
        (BOTS + POOL + '[[pools]]\ngame = "honshu"\npairing = "open"\n', 6, "a season is open or planned"),
        ('fill = ["greedy"]\n' + BOTS + POOL, 1, "a planned one names who plays whom"),
        ('fill = ["ann"]\n' + REMOTE + OPEN, 1, "only a house bot can complete tables"),
        ('fill = ["eve"]\n' + BOTS + OPEN, 1, "unknown bot 'eve'"),
        ('fill = ["r", "r"]\n' + BOTS + OPEN, 1, "names a bot twice"),
        ('fill = "r"\n' + BOTS + OPEN, 1, "a list of names"),
        ('patience = "5m"\n' + BOTS + OPEN, 1, "an open season waits for no bot in particular"),
        ('patience = "soon"\n' + REMOTE + BOTS + POOL, 1, '"90s", "10m" or "2h"'),
        ("patience = 600\n" + REMOTE + BOTS + POOL, 1, "patience must be a text"),
        (BOTS + OPEN + "rounds = 3\n", 9, "unknown key 'rounds'"),
        (BOTS + OPEN + 'bots = ["r"]\n', 9, "unknown key 'bots'"),
        (BOTS + POOL + "weight = 2\n", 8, "unknown key 'weight'"),
        (BOTS + OPEN + "weight = nan\n", 9, "a number above 0"),
        (BOTS + OPEN + "weight = inf\n", 9, "a number above 0"),
        (BOTS + OPEN + "weight = 0\n", 9, "a number above 0"),
        (BOTS + OPEN + "weight = true\n", 9, "a number above 0"),
        (BOTS + OPEN + "weight = '2'\n", 9, "a number above 0"),
        (BOTS + OPEN + "rated = 'no'\n", 9, "true or false"),
        (BOTS + OPEN + "clock = 'none'\n", 9, "bots that connect need a clock"),
        (BOTS + OPEN + OPEN, 10, "the same game"),
        (REMOTE + BOTS + POOL + "clock = 'none'\n", 10, "bots that connect need a clock"),
        (REMOTE + BOTS + POOL + "pairing = 'matchmaking'\n", 10, "matchmaking is for bots of the house"),
        (REMOTE + 'name = "eve"\n' + POOL, 3, "a remote bot is called as it connects: 'ann'"),
        (REMOTE + "tables = 2\n" + POOL, 3, "tables is for house bots"),
        ('[[bots]]\nspec = "greedy"\ntables = 257\n' + POOL, 3, "1 to 256"),
        ('[[bots]]\nspec = "greedy"\ntables = 1.0\n' + POOL, 3, "whole number"),
        ('[[bots]]\nspec = "remote:"\n' + POOL, 2, "remote:NAME"),
        ('[[bots]]\nspec = "remote:two words"\n' + POOL, 2, "is no name for a bot"),
        (REMOTE + REMOTE + POOL, 3, "two bots are called 'ann'"),
        (REMOTE + POOL, 3, "needs 2 different bots; 1 play"),
    ],
)
def test_what_cannot_be_mixed_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    """Keys of one tempo in a season of the other, and remote bots where only the house can play."""
    test_a_mistake_is_named_with_its_line(tmp_path, text, line, words)


def test_an_open_season_needs_no_bots_of_its_own(tmp_path: Path) -> None:
    """Pools are enough; bots that connect get a clock, a weight of 1 and ratings unless the file says otherwise."""
    path = tmp_path / "l.toml"
    path.write_text(OPEN + '[[pools]]\ngame = "honshu"\npairing = "open"\nweight = 0.5\nrated = false\nclock = "9s"\n')
    ladder = read(path)

    assert (ladder.tempo, ladder.bots, ladder.fill) == ("open", (), ())
    assert [str(pool.clock) for pool in ladder.pools] == ["1m+500ms/30s", "9s"]
    assert [(pool.offer.weight, pool.offer.rated) for pool in ladder.pools] == [(1.0, True), (0.5, False)]


def test_one_open_game_may_have_pools_with_different_clocks(tmp_path: Path) -> None:
    """A fast and a slow pool of one table are two pools; planned pools of one game stay one."""
    path = tmp_path / "l.toml"
    path.write_text(OPEN + 'clock = "1s"\n' + OPEN + 'clock = "1m"\n')

    assert [str(pool.clock) for pool in read(path).pools] == ["1s", "1m"]


def test_a_planned_season_with_remote_bots_has_a_clock_and_patience(tmp_path: Path) -> None:
    """Ten minutes if the file says nothing; pools of the house alone keep having no clock."""
    path = tmp_path / "l.toml"
    house = '[[pools]]\ngame = "honshu"\nbots = ["greedy", "r"]\n'
    path.write_text(REMOTE + BOTS + POOL + house)
    ladder = read(path)

    assert (ladder.tempo, ladder.remote, ladder.patience) == ("planned", ("ann",), 600.0)
    assert [str(pool.clock) for pool in ladder.pools] == ["1m+500ms/30s", "none"]
    path.write_text('patience = "1.5h"\n' + REMOTE + BOTS + POOL)
    assert read(path).patience == 5400.0


def test_a_folder_has_its_own_name_in_a_ladder_file(tmp_path: Path) -> None:
    """As in `kumite match`: the name in its bot.toml, or that of the folder; two folders of one name need another."""
    for folder, lines in (("ruby", ""), ("other", 'name = "opal"\n')):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.toml").write_text(f'{lines}command = ["python3", "bot.py"]\n')
    path = tmp_path / "l.toml"
    path.write_text("".join(f"[[bots]]\nspec = '{tmp_path}/{name}'\n" for name in ("ruby", "other")) + POOL)

    assert [bot.name for bot in read(path).bots] == ["ruby", "opal"]


def test_a_bot_of_an_open_season_plays_at_least_one_of_its_games(tmp_path: Path) -> None:
    """Otherwise its process would be refused and started again without end."""
    (tmp_path / "ruby").mkdir()
    (tmp_path / "ruby" / "bot.toml").write_text('games = ["ninjato"]\ncommand = ["python3", "bot.py"]\n')
    path = tmp_path / "l.toml"
    path.write_text(f"{BOTS}[[bots]]\nspec = '{tmp_path}/ruby'\n{OPEN}")
    with pytest.raises(CallerFault, match=r"line 7, bots\.spec: 'ruby' plays none of the pools' games \(edo_yashiki\)"):
        read(path)

    path.write_text(path.read_text() + '[[pools]]\ngame = "ninjato"\npairing = "open"\n')
    assert len(read(path).bots) == 3


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    """The parser's own line and column are passed on."""
    path = tmp_path / "l.toml"
    path.write_text("season = \n")
    with pytest.raises(CallerFault, match=r"l\.toml: .*line 1"):
        read(path)


EVENT = '[event]\nformat = "swiss"\n'
KNOCKOUT = '[event]\nformat = "knockout"\n'


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("event = 3\n" + BOTS + POOL, 1, "event must be a table"),
        ("[event]\n" + BOTS + POOL, 1, "format is missing"),
        ("[event]\nformat = 'swis'\n" + BOTS + POOL, 2, "did you mean 'swiss'"),
        (EVENT + "round = 3\n" + BOTS + POOL, 3, "did you mean 'rounds'"),
        (EVENT + "best_of = 3\n" + BOTS + POOL, 3, "unknown key 'best_of'"),
        (EVENT + "rounds = 0\n" + BOTS + POOL, 3, "whole number above 0"),
        (EVENT + "rounds = 1001\n" + BOTS + POOL, 3, "at most 1000"),
        (EVENT + "start = '2026-11-20T19:00:00'\n" + BOTS + POOL, 3, "has no offset"),
        (EVENT + "start = 2026-11-20T19:00:00\n" + BOTS + POOL, 3, "has no offset"),
        (EVENT + "start = 2026-11-20\n" + BOTS + POOL, 3, "start is a time such as"),
        (EVENT + "start = 'soon'\n" + BOTS + POOL, 3, "start is a time such as"),
        (EVENT + "check_in = '30m'\n" + BOTS + POOL, 3, "counted back from a start at a time"),
        (EVENT + "grace = 'long'\n" + BOTS + POOL, 3, '"90s", "10m" or "2h"'),
        (EVENT + "seeds = ['ann']\n" + BOTS + POOL, 3, "unknown bot 'ann'"),
        (EVENT + "withdrawals = ['r']\n" + BOTS + POOL, 3, "names bots and rounds"),
        (EVENT + "withdrawals = { s = 2 }\n" + BOTS + POOL, 3, "unknown bot 's'"),
        (EVENT + "withdrawals = { r = 0 }\n" + BOTS + POOL, 3, "is no round"),
        (EVENT + "late_entry = 0\n" + BOTS + POOL, 3, "whole number above 0"),
        (EVENT + BOTS + POOL + POOL, 11, "an event has one pool"),
        (EVENT + BOTS + POOL + 'pairing = "open"\n', 10, "an event is planned"),
        (EVENT + BOTS + POOL + 'pairing = "swiss"\n', 10, "unknown key 'pairing'"),
        (EVENT + BOTS + POOL + "rounds = 3\n", 10, "unknown key 'rounds'"),
        (EVENT + BOTS + POOL + "seats = 3\n", 8, "needs at least 3 entrants; 2 can play edo_yashiki here"),
        (KNOCKOUT + REMOTE + POOL, 5, "a knockout at tables of 2 seats needs at least two entrants; 1 can play"),
        (KNOCKOUT + "rounds = 3\n" + BOTS + POOL, 3, "unknown key 'rounds'"),
        (KNOCKOUT + "games = 3\n" + BOTS + POOL, 3, "best_of in place of games"),
        (KNOCKOUT + "level = 'luck'\n" + BOTS + POOL, 3, "unknown level 'luck'"),
        (KNOCKOUT + "advance = 1\n" + BOTS + POOL, 3, "advance is for larger ones"),
        (KNOCKOUT + "best_of = 3\n" + BOTS + REMOTE + POOL + "seats = 3\n", 3, "best_of is for tables of two seats"),
        (KNOCKOUT + "advance = 3\n" + BOTS + REMOTE + POOL + "seats = 3\n", 3, "at most 2 can go on"),
    ],
)
def test_a_mistake_in_an_event_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    """Format, times, keys of other formats, too few entrants, strangers."""
    test_a_mistake_is_named_with_its_line(tmp_path, text, line, words)


def test_an_event_has_defaults_that_find_a_winner(tmp_path: Path) -> None:
    """Rounds for all entrants, start when all are there, two minutes of grace; a time keeps its offset."""
    path = tmp_path / "l.toml"
    path.write_text(EVENT + BOTS + REMOTE + POOL)
    ladder = read(path)
    assert ladder.event is not None
    assert (ladder.event.rules.rounds, ladder.event.rules.games, ladder.event.start) == (2, 1, "all")
    assert (ladder.event.grace, ladder.event.check_in, ladder.tempo) == (120.0, None, "planned")
    path.write_text(EVENT + "start = 2026-11-20T19:00:00+01:00\n" + BOTS + POOL)
    event = read(path).event

    assert event is not None
    assert isinstance(event.start, datetime)
    assert event.start.isoformat() == "2026-11-20T19:00:00+01:00"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOTS + POOL + "[people]\n", "people play beside an open season"),
        (OPEN + "[people]\nbots = 'greedy'\n", "bots is a list of specs"),
        (OPEN + "[people]\nbots = ['gredy']\n", "did you mean 'greedy'"),
        (OPEN + "[people]\ntables = 0\n", "above 0"),
        (OPEN + "[people]\ntables = 1000\n", "at most 256"),
        (OPEN + "[people]\nwait = '0s'\n", "from 1s to 24h"),
        (OPEN + "[people]\nrated = true\n", "rated"),
        (OPEN + "spectator_delay = 0\n", "above 0"),
        (OPEN + "spectator_delay = 100000\n", "at most 1000"),
    ],
)
def test_a_mistake_about_people_or_spectators_is_named(tmp_path: Path, text: str, words: str) -> None:
    """Each key of the table [people], and the delay of spectators, says what it takes."""
    path = tmp_path / "l.toml"
    path.write_text(text)
    with pytest.raises(CallerFault) as error:
        read(path)

    assert words in str(error.value)


def test_people_and_spectators_have_what_a_file_says(tmp_path: Path) -> None:
    """Without the table people do not play; with it greedy and random play; a pool says how late spectators are."""
    path = tmp_path / "l.toml"
    path.write_text(OPEN)
    without = read(path)
    path.write_text(f"{OPEN}spectator_delay = 7\n[people]\nconnected = true\nidle = '5m'\n")
    ladder = read(path)

    assert without.people is None
    assert without.pools[0].spectator_delay == 0
    assert ladder.pools[0].spectator_delay == 7
    assert ladder.people is not None
    assert list(ladder.people.bots) == ["greedy", "random"]
    assert (ladder.people.connected, ladder.people.idle, ladder.people.tables) == (True, 300.0, 8)
