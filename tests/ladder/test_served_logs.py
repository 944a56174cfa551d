"""Logs of hosted bots in seasons with real processes: on workers, at a referee, over crashes of either side."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from ladder.cli import run
from tests.ladder.arena import PATIENCE, Arena

pytestmark = pytest.mark.processes

TALKER = """
import os, sys, time
from bots import Bot, run


class Talker(Bot):
    def seated(self, table):
        print(f"seated {table.match} {table.seat}")

    def decide(self, ask):
        print(f"hand-of {ask.match} {ask.seat} {ask.number}")
        MORE
        return 0

    def over(self, result):
        print(f"over {result.places}")


run(Talker, tables=TABLES, quiet=True)
"""
OPEN = """
season = "cup"
database = "cup.sqlite"

[hosting]
trust = true

[[bots]]
spec = "talker"

[[bots]]
spec = "silent"

[[pools]]
game = "edo_yashiki"
seats = 2
pairing = "open"
clock = "60s+1s"
"""
PLANNED = """
season = "night"
database = "cup.sqlite"

[hosting]
trust = true

[[bots]]
spec = "talker"

[[bots]]
spec = "random:seed=1"

[[bots]]
name = "other"
spec = "random:seed=2"

[[pools]]
game = "edo_yashiki"
rounds = 1
clock = "60s+1s"
"""
EVENT = """
season = "evening"
database = "cup.sqlite"

[hosting]
trust = true

[event]
format = "swiss"
rounds = 1
start = "all"

[[bots]]
spec = "talker"

[[bots]]
spec = "remote:ann"

[[pools]]
game = "edo_yashiki"
clock = "60s+1s"
"""


class Hosts(Arena):
    """An arena with hosted bots."""

    def bot(self, name: str, more: str = "pass", tables: int = 1) -> None:
        """A bot that prints at each decision, and does something more."""
        (self.folder / name).mkdir()
        source = TALKER.replace("MORE", more).replace("TABLES", str(tables))
        (self.folder / name / "bot.py").write_text(source)
        command = json.dumps([sys.executable, "bot.py"])
        (self.folder / name / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n')

    def silent(self, tables: int = 1) -> None:
        """A bot that prints nothing."""
        self.bot("silent", tables=tables)
        path = self.folder / "silent" / "bot.py"
        path.write_text(path.read_text().replace("print(", "str("))

    def write(self, text: str) -> None:
        """Write the ladder file."""
        (self.folder / "cup.toml").write_text(text)

    def seats(self, player: str) -> list[tuple[str, int]]:
        """The matches of a player that are over, and its seat in each."""
        rows = self.query(
            f"select match, seat from seats join matches on id = match where player = '{player}' and state = 'finished'"
        )
        return [(str(match), int(str(seat))) for match, seat in rows]

    def logged(self, match: str, seat: int) -> dict[str, object]:
        """The log of a seat as `kumite matches` tells it."""
        with redirect_stdout(StringIO()) as out:
            assert run(["matches", f"{self.database}:{match}", "--log", str(seat), "--json"]) == 0
        found: dict[str, object] = json.loads(out.getvalue())
        return found

    def refusal(self, match: str, seat: int) -> str:
        """Why the log of a seat is not shown."""
        with redirect_stderr(StringIO()) as err:
            assert run(["matches", f"{self.database}:{match}", "--log", str(seat)]) == 2
        return err.getvalue()

    def everything(self) -> bytes:
        """Every byte of the database, its write-ahead log, and what was printed."""
        paths = [*self.folder.glob("cup.sqlite*"), *self.folder.glob("out-*"), *self.folder.glob("err-*")]
        return b"".join(path.read_bytes() for path in paths if path.is_file())


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Hosts]:
    """A folder of its own, left without a process."""
    found = Hosts(tmp_path)
    yield found
    found.close()


def check_alone(log: dict[str, object]) -> None:
    """A log of a process with one match at a time: its seat, every decision in order, the end, and nothing else."""
    match, seat = log["match"], log["seat"]
    lines = str(log["first"]).splitlines()
    seated = lines.index(f"seated {match} {seat}")
    over = next(number for number, line in enumerate(lines) if number > seated and line.startswith("over ("))
    decisions = lines[seated + 1 : over]

    assert (log["shared"], log["late"], log["left_out"]) == (False, False, 0)
    assert decisions == [f"hand-of {match} {seat} {number}" for number in range(1, len(decisions) + 1)]
    assert len(decisions) > 5
    # The last words about the match before, and the seat of the next one, may come at the same time.
    assert [line for line in lines[:seated] if not line.startswith("over (")] == []
    assert [line for line in lines[over + 1 :] if not line.startswith("seated ")] == []


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_planned_season_keeps_the_logs_of_its_hosted_bots(hosts: Hosts, workers: str) -> None:
    """In this process and on workers; a match of house bots alone has none, and the file tells nothing of them."""
    hosts.bot("talker")
    hosts.write(PLANNED)
    season = hosts.start("ladder", "run", "cup.toml", "--workers", workers)
    assert season.wait(PATIENCE) == 0, hosts.log()
    own = hosts.seats("talker")
    house = {match for match, _ in hosts.seats("other")}.difference(match for match, _ in own)
    shown = hosts.everything()

    assert len(own) == 4
    for match, seat in own:
        check_alone(hosts.logged(match, seat))
    assert len(house) == 2
    assert "was not hosted" in hosts.refusal(house.pop(), 0)
    assert b"hand-of" not in shown


def test_an_open_season_keeps_the_logs_of_the_bots_that_it_hosts(hosts: Hosts) -> None:
    """Match after match of one process, each with its own lines; a silent bot has an empty log of its own."""
    hosts.bot("talker")
    hosts.silent()
    hosts.write(OPEN)
    referee = hosts.start("serve", "cup.toml", "--bind", hosts.address, "--matches", "4")
    assert referee.wait(PATIENCE) == 0, hosts.log()

    played = hosts.seats("talker")
    assert len(played) == 4
    for match, seat in played:
        check_alone(hosts.logged(match, seat))
        other = hosts.logged(match, 1 - seat)
        assert (other["player"], other["bytes"]) == ("silent", 0)


def test_matches_at_the_same_time_on_one_process_say_so(hosts: Hosts) -> None:
    """Each log has all of its own match; where others ran beside it the log says so; the opponent's is empty."""
    hosts.bot("talker", tables=3)
    hosts.silent(tables=3)
    hosts.write(OPEN)
    referee = hosts.start("serve", "cup.toml", "--bind", hosts.address, "--matches", "9")
    assert referee.wait(PATIENCE) == 0, hosts.log()

    played = hosts.seats("talker")
    logs = [hosts.logged(match, seat) for match, seat in played]
    assert len(logs) == 9
    assert sum(bool(log["shared"]) for log in logs) >= 6
    for log in logs:
        match, seat = log["match"], log["seat"]
        lines = str(log["first"]).splitlines()
        own = [line for line in lines if f" {match} " in line]
        assert own[0] == f"seated {match} {seat}"
        assert own[1:] == [f"hand-of {match} {seat} {number}" for number in range(1, len(own))]
        assert log["shared"] or not any("hand-of" in line for line in lines if line not in own)
    for match, seat in played:
        assert hosts.logged(match, 1 - seat)["bytes"] == 0


def test_a_killed_referee_loses_no_match_and_says_what_its_logs_lack(hosts: Hosts) -> None:
    """kill -9 in mid-match: the log is no longer whole and says so; while the match runs nothing of it can be read."""
    hosts.bot("talker", more="time.sleep(0.05)")
    hosts.silent()
    hosts.write(OPEN)
    words = ("serve", "cup.toml", "--bind", hosts.address)
    referee = hosts.start(*words)
    hosts.until(lambda: hosts.ended() >= 1 and hosts.running())
    (match,) = hosts.running()
    hosts.until(lambda: len(hosts.query(f"select 1 from steps where match = '{match}'")) >= 4)
    running = hosts.refusal(match, 0)
    during = hosts.everything()
    referee.kill()
    referee.wait(PATIENCE)
    (killed,) = hosts.seats("talker")[:1]
    before = hosts.logged(*killed)
    again = hosts.start(*words)
    hosts.until(lambda: match in {found for found, _ in hosts.seats("talker")})
    hosts.until(lambda: len(hosts.query(f"select 1 from bot_logs where match = '{match}'")) == 2)
    again.send_signal(signal.SIGTERM)
    assert again.wait(PATIENCE) == 0, hosts.log()
    (seat,) = [seat for found, seat in hosts.seats("talker") if found == match]
    log = hosts.logged(match, seat)

    assert "is running" in running
    assert b"hand-of" not in during
    match_before, seat_before = killed
    told = [line for line in str(before["first"]).splitlines() if "hand-of" in line]
    assert told == [f"hand-of {match_before} {seat_before} {number}" for number in range(1, len(told) + 1)]
    assert len(told) > 5
    assert log["late"] is True
    assert f"hand-of {match} {seat} 1\n" not in str(log["first"])
    assert "over (" in str(log["first"])
    assert hosts.query("select 1 from seats where faults > 0") == []


def test_a_log_goes_on_over_the_death_of_its_process(hosts: Hosts) -> None:
    """What the bot printed before it died, how that came, and what the next process of it prints."""
    hosts.bot("talker", more="ask.number == 3 and (print('farewell'), os._exit(7))")
    hosts.silent()
    hosts.write(OPEN)
    referee = hosts.start("serve", "cup.toml", "--bind", hosts.address, "--matches", "1")
    assert referee.wait(PATIENCE) == 0, hosts.log()
    ((match, seat),) = hosts.seats("talker")
    lines = str(hosts.logged(match, seat)["first"]).splitlines()
    end = lines.index("[kumite: the bot's process ended with code 7]")

    assert lines[end - 2 : end] == [f"hand-of {match} {seat} 3", "farewell"]
    assert hosts.logged(match, 1 - seat)["bytes"] == 0


def test_an_event_keeps_the_logs_of_the_bots_that_it_hosts(hosts: Hosts) -> None:
    """Beside a bot that connects, which has none."""
    hosts.bot("talker")
    hosts.write(EVENT)
    referee = hosts.start("serve", "cup.toml", "--bind", hosts.address)
    hosts.until(lambda: (hosts.folder / "r").exists())
    hosts.join("ann")
    assert referee.wait(PATIENCE) == 0, hosts.log()
    ((match, seat),) = hosts.seats("talker")

    check_alone(hosts.logged(match, seat))
    assert "(ann): its bot was not hosted" in hosts.refusal(match, 1 - seat)
