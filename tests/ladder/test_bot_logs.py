"""Logs of hosted bots: each seat's own, match by match; stored so that the host's key alone opens them."""

from __future__ import annotations

import base64
import json
import secrets
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlite_utils import Database

from bots.specs import resolve
from ladder.arena import host_settings, seat_logs
from ladder.arena.bot_log_lines import log_lines
from ladder.arena.entrants import find
from ladder.arena.job_lines import job_from_lines, job_to_lines, played_from_lines, played_to_lines
from ladder.arena.jobs import Job
from ladder.arena.play import fresh_id, fresh_secret, play_match, printed_last
from ladder.arena.play_processes import HostedReferee, close, play_hosted
from ladder.cli import run
from ladder.exchange.exporting import Export
from ladder.store import schema
from ladder.store.database import Store
from ladder.store.file import StoreProblem
from ladder.store.host_key import key_path
from ladder.store.matches import SeasonPlace
from ladder.store.records import LONGEST_LOG, BotLog, Played, Printed, Selection, faults_of
from referee.hosting.output import MATCH_LOG_BYTES
from referee.hosting.sandbox import Trusted
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import Policy
from referee.match.record import Record
from tests.hosting.walled import needed
from tests.ladder.test_safe_to_show import everything, pool_of

pytestmark = pytest.mark.processes

GAME = registry.game("edo_yashiki")
CLOCK = TimeControl.parse("60s/20s")


@pytest.fixture(autouse=True)
def patience_for_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of a busy machine have time to print their last words: what is tested is where the words go."""
    monkeypatch.setattr(seat_logs, "LAST_WORDS_SECONDS", 1.0)


@pytest.fixture(params=["walls", "trust"])
def referee(request: pytest.FixtureRequest) -> Iterator[HostedReferee]:
    """A hosted referee, behind walls and without."""
    if request.param == "walls":
        needed()
    with host_settings.replaced(None if request.param == "walls" else Trusted()):
        found = HostedReferee()
        yield found
        found.close()


@pytest.fixture
def bot(tmp_path: Path) -> Callable[..., str]:
    """Makes a folder with a bot whose class has these methods."""

    def make(name: str, methods: str, limits: str = "") -> str:
        folder = tmp_path / name
        folder.mkdir()
        body = textwrap.indent(textwrap.dedent(methods).strip(), "    ")
        (folder / "bot.py").write_text(
            f"import os, sys\nfrom bots import Bot, run\nclass Mine(Bot):\n{body}\nrun(Mine, quiet=True)\n"
        )
        command = json.dumps([sys.executable, "bot.py"])
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n[limits]\n{limits}\n')
        return str(folder)

    return make


TALKER = """
def decide(self, ask):
    print(f"{ask.match} {ask.seat} {ask.number}")
    return 0

def over(self, result):
    print(f"over {result.places}", file=sys.stderr)
"""


def play(
    referee: HostedReferee, *specs: str, match: str | None = None, policy: Policy | None = None
) -> tuple[Record, Printed]:
    """One match: its record and what was printed."""
    printed = Printed()
    plan = MatchPlan(
        GAME.name,
        tuple(f"seat{seat}" for seat in range(len(specs))),
        match or secrets.token_hex(16),
        clock=CLOCK,
        policy=policy or Policy(),
    )
    record = play_hosted(plan, [find(spec) for spec in specs], referee=referee, printed=printed)
    return record, printed


def check_talk(record: Record, seat: int, log: BotLog) -> None:
    """A log has every decision of its seat in order, the last words, and no line of another match or seat."""
    lines = log_lines(log)
    decisions, last = lines[:-1], lines[-1]

    assert decisions
    assert decisions == [f"{record.header.match} {seat} {number}" for number in range(1, len(decisions) + 1)]
    assert record.final is not None
    assert record.final.result is not None
    assert last == f"over {record.final.result.places}"


def test_each_seat_of_each_match_has_its_own_log(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """Every decision and the last words, of a process that serves one match after the other; no other seat's lines."""
    talker = bot("talker", TALKER)
    for _ in range(4):
        record, printed = play(referee, talker, talker, "random")
        for seat in (0, 1):
            check_talk(record, seat, printed.logs[seat])
        assert printed.logs[2] == BotLog(b"")


def test_matches_at_the_same_time_have_logs_of_their_own(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """Different processes of a bot play them, and nothing of one gets into the log of the other."""
    talker = bot("talker", TALKER)
    with ThreadPoolExecutor(2) as pool:
        found = [future.result() for future in [pool.submit(play, referee, talker, "random") for _ in range(6)]]

    for record, printed in found:
        check_talk(record, 0, printed.logs[0])


def test_a_bot_that_prints_endlessly_is_no_match_for_its_log(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """The first and the last part are kept, the rest is counted; the bot plays on and the opponent is not touched."""
    chatty = bot(
        "chatty", "def decide(self, ask):\n    print('x' * 99 + '\\n' * (ask.number > 0), end='')\n    return 0"
    )
    flood = """
    def decide(self, ask):
        for number in range(4000):
            print(f"{ask.number}/{number}", "x" * 80)
        return 0
    """
    record, printed = play(referee, bot("flood", flood), chatty)
    log = printed.logs[0]

    assert record.final is not None
    assert [ending.faults for ending in record.final.endings] == [0, 0]
    assert len(log.first) + len(log.last) <= MATCH_LOG_BYTES
    assert log.printed > 4000 * 80 * 5
    assert log.first.startswith(b"1/0 xxx")
    assert b"/3999 xxx" in log.last[-200:]
    assert log_lines(log)[log.first.count(b"\n")] == f"[{log.left_out} bytes left out]"
    assert set(log_lines(printed.logs[1])) == {"x" * 99}


def test_a_bot_that_never_stops_printing_loses_its_own_seat_alone(
    referee: HostedReferee, bot: Callable[..., str]
) -> None:
    """Its limit of output ends it; the log has what it printed, the opponent no fault, and the next match is played."""
    endless = bot("endless", "def decide(self, ask):\n    while True:\n        print('x' * 99)", "output_mib = 1")
    record, printed = play(referee, endless, "random")

    assert record.final is not None
    assert record.final.endings[1].faults == 0
    assert "1 MiB of output" in record.final.endings[0].message
    assert printed.logs[0].printed > 1 << 20
    assert printed.logs[0].first.startswith(b"x" * 99 + b"\n")
    assert play(referee, "random", "random")[0].final is not None


def test_control_characters_and_bytes_that_are_no_text_are_shown_escaped(
    referee: HostedReferee, bot: Callable[..., str]
) -> None:
    """A terminal obeys nothing of it, and no byte is lost on the way."""
    nasty = """
    def decide(self, ask):
        os.write(1, b"\\x1b[2J\\x07 \\xff\\xfe\\x00 \\xe2\\x80\\xae caf\\xc3\\xa9\\r\\n\\tend\\n")
        return 0
    """
    _, printed = play(referee, bot("nasty", nasty), "random")
    lines = log_lines(printed.logs[0])

    assert b"\x1b[2J\x07 \xff\xfe\x00" in printed.logs[0].first
    assert lines[:2] == [r"\x1b[2J\x07 \xff\xfe\x00 \u202e café", "        end"]


def test_a_bot_that_fails_in_development_shows_its_own_words(referee: HostedReferee, bot: Callable[..., str]) -> None:
    """The trace that it prints on its way out belongs to the match that ended with it, and is shown with the fault."""
    failing = bot("failing", "def decide(self, ask):\n    print('thinking')\n    raise ValueError('no idea')")
    record, printed = play(referee, failing, "random", policy=Policy(development=True))
    (trouble,) = printed_last(record, printed)

    assert "thinking" in trouble.trace
    assert "ValueError: no idea" in trouble.trace
    assert (trouble.seat, trouble.message) == (0, faults_of(record)[0].message)


def test_a_fault_is_shown_with_what_the_bot_had_printed_by_then(
    referee: HostedReferee, bot: Callable[..., str]
) -> None:
    """Not with the end of its log, however much it prints afterwards."""
    failing = """
    def decide(self, ask):
        print(f"at ask {ask.number}")
        if ask.number == 2:
            print("I see nothing")
            raise ValueError("no idea")
        return 0
    """
    record, printed = play(referee, bot("failing", failing), "random")
    (trouble,) = printed_last(record, printed)

    assert trouble.trace.splitlines()[:4] == ["the bot printed:", "at ask 1", "at ask 2", "I see nothing"]
    assert "at ask 9" not in trouble.trace
    assert "at ask 9\n" in printed.logs[0].first.decode()


def finished(seed: str, names: tuple[str, str] = ("a", "b"), secret: bytes | None = None) -> tuple[Record, bytes]:
    """A finished match and its secret."""
    luck = secret or fresh_secret(seed)
    bots = [resolve("random")] * 2
    return play_match(MatchPlan(GAME.name, names, fresh_id(seed), luck), bots), luck


HAND = b"I hold the seven and the nine of bamboo"
LOG = BotLog(HAND + b"\n", 12, b"the end\n", shared=True, late=True)


def test_a_log_is_in_the_file_and_cannot_be_read_without_the_key(tmp_path: Path) -> None:
    """Neither while its set is going on nor later; with the key it is what was stored."""
    record, secret = finished("one")
    second, _ = finished("two", secret=secret)
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        season = store.season("s", "", None, tempo="planned", pairing_version=1).id
        store.build("a", "x", "d")
        store.build("b", "x", "d")
        group = store.add_group(pool_of(store, season), 0, 0, ["a", "b"], [1, 2], True, 2)
        store.save(SeasonPlace(group, 0), secret, Played.of(record, logs=[LOG, None]), sealed=True)
        during = everything(tmp_path)
        store.save(SeasonPlace(group, 1), secret, Played.of(second, logs=[None, LOG]))
        store.reveal([group])
        found = store.bot_log(record.header.match, 0), store.bot_log(record.header.match, 1)
        after = everything(tmp_path)
        exported = b"".join(Export(store).lines(Selection()))
        held = b"".join(line for match in (record, second) for line in store.lines(match.header.match))
    key_path(tmp_path / "l.sqlite").unlink()
    with Store(tmp_path / "l.sqlite") as store, pytest.raises(StoreProblem, match=r"its key .* is missing"):
        store.bot_log(record.header.match, 0)

    assert found[0] is not None
    assert found[0].log == LOG
    assert found[1] is None
    for content in (during, after, exported, held):
        assert len(content) > 1000
        assert HAND not in content
        assert b"bamboo" not in content


def test_the_oldest_logs_are_dropped_when_all_take_too_much(tmp_path: Path) -> None:
    """The newest stay; a row says that there was one."""
    records = [finished(f"match {number}")[0] for number in range(5)]
    noise = [BotLog(secrets.token_bytes(1000)) for _ in records]
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        for record, log in zip(records, noise, strict=True):
            store.save(SeasonPlace(), bytes(32), Played.of(record, logs=[log, None]))
        store.drop_logs(2500)
        found = [store.bot_log(record.header.match, 0) for record in records]

    assert [None if row is None else row.log for row in found] == [None, None, None, *noise[3:]]
    assert None not in found


def test_when_the_key_is_lost_so_are_the_logs(tmp_path: Path) -> None:
    """The file goes on with a new key, and says of a log that it is gone instead of failing."""
    record, secret = finished("one")
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        store.save(SeasonPlace(), secret, Played.of(record, logs=[LOG]))
    key_path(tmp_path / "l.sqlite").unlink()
    with Store(tmp_path / "l.sqlite") as store:
        store.lock()
        found = store.bot_log(record.header.match, 0)
        again, luck = finished("two")
        store.save(SeasonPlace(), luck, Played.of(again, logs=[LOG]))
        new = store.bot_log(again.header.match, 0)

    assert found is not None
    assert found.log is None
    assert new is not None
    assert new.log == LOG


def test_a_file_of_the_version_before_logs_is_brought_up_to_date(tmp_path: Path) -> None:
    """Its matches stay readable, have no logs, and new ones can be stored."""
    record, secret = finished("old")
    new, luck = finished("new")
    with Store(tmp_path / "l.sqlite") as store:
        store.save(SeasonPlace(), secret, Played.of(record))
        run = store._connection.execute
        run("drop table bot_logs")
        for statement in schema._SECOND.split(";"):
            if "bot_logs" in statement:
                run(statement)
        run("delete from _sqlite_migrations where name = 'm007_bot_logs'")
    db = Database(tmp_path / "l.sqlite")
    lacking = [migration.name for migration in schema.migrations.pending(db)]
    db.close()
    with Store(tmp_path / "l.sqlite") as store:
        shown = store.record(record.header.match)
        without = store.bot_log(record.header.match, 0)
        store.save(SeasonPlace(), luck, Played.of(new, logs=[LOG]))
        found = store.bot_log(new.header.match, 0)

    assert lacking == ["m007_bot_logs"]
    assert list(shown.lines()) == list(record.lines())
    assert without is None
    assert found is not None
    assert found.log == LOG


def job(record: Record, secret: bytes) -> Job:
    """The job that a record belongs to."""
    return Job(MatchPlan("edo_yashiki", ("a", "b"), record.header.match, secret), ("random", "random"))


def test_logs_travel_with_the_record_as_lines() -> None:
    """Whatever bytes they hold; a record without logs has the lines that it always had."""
    record, secret = finished("one")
    nasty = BotLog(bytes(range(256)) + b'{"logs": []}\n', 5, b"\xff\n")
    wanted = job_from_lines(job_to_lines(job(record, secret)))
    with_logs = played_to_lines(Played.of(record, logs=[None, nasty]))
    without = played_to_lines(Played.of(record))

    assert played_from_lines(wanted, with_logs).logs == (None, nasty)
    assert played_from_lines(wanted, without).logs == ()
    assert with_logs.startswith(without)
    assert b"".join(record.lines()) == without


@pytest.mark.parametrize(
    "logs",
    [
        [None],
        [None, None, None],
        "everything",
        [None, "?"],
        [None, base64.b64encode(b"{}\n").decode()],
        [None, base64.b64encode(BotLog(b"x")._replace(left_out=-1).pack()).decode()],
        [None, base64.b64encode(BotLog(b"x" * LONGEST_LOG).pack()).decode()],
        [7, None],
    ],
)
def test_logs_of_a_worker_that_do_not_fit_are_refused(logs: object) -> None:
    """Too many, too few, too long or no logs at all: one line that names the match."""
    record, secret = finished("one")
    lines = played_to_lines(Played.of(record)) + json.dumps({"logs": logs}).encode() + b"\n"
    with pytest.raises(BadSetting, match=f"the worker's record of match {record.header.match} cannot be used"):
        played_from_lines(job(record, secret), lines)


def test_a_packed_log_is_what_it_was() -> None:
    """Also an empty one, and one that looks like its own head."""
    for log in (BotLog(b""), LOG, LOG._replace(first=b"\n\n"), BotLog(LOG.pack(), 0, b"")):
        assert BotLog.unpack(log.pack()) == log


def test_match_and_gate_show_what_a_hosted_bot_printed_when_it_failed(
    bot: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Escaped, in the report of the gate and beside a match in development; standard output has nothing but results."""
    failing = """
    def decide(self, ask):
        print("red \\\\x1b[31m herring")
        raise ValueError("no idea")
    """
    spec = bot("failing", failing)
    monkeypatch.chdir(tmp_path)
    try:
        with host_settings.replaced(Trusted()):
            gate = run(["gate", spec, "random", "--game", "edo_yashiki", "--max-sets", "2"])
            report = capsys.readouterr().out
            match = run(["match", "edo_yashiki", spec, "random", "--development"])
            out, err = capsys.readouterr()
    finally:
        close()

    assert (gate, match) == (1, 1)
    assert r"    red \x1b[31m herring" in report.splitlines()
    assert r"red \x1b[31m herring" in err.splitlines()
    assert "herring" not in out
