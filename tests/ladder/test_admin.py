"""What organisers do to a referee in the middle of twenty running matches: real streams, real tables, a real file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import pytest

from ladder.cli import run
from ladder.seasons.published_standings import season_standings
from ladder.serving.admin_client import connected
from ladder.store.database import Store
from ladder.store.rulings import VOID, ActRow
from referee.match.policy import EndingKind, FaultKind, Owner
from referee.match.verify import verify
from referee.v1 import admin_pb2 as apb
from referee.v1 import play_pb2 as pb
from tests.ladder.held_bots import HeldBot, eventually, release
from tests.ladder.test_served import Season
from tests.transport.house import WAIT, Wire

pytestmark = pytest.mark.processes

MATCHES, FEW = 20, 5


class OpenTable(TypedDict):
    """What the admin service tells of a table."""

    match: str
    bots: list[str]
    started: bool
    awaited: list[str]


class Evening:
    """A referee with open tables of two, whose bots wait for the test."""

    def __init__(self, path: Path, matches: int) -> None:
        self.path = path
        self.matches = matches
        self.season = Season(path)
        self.bots = [HeldBot(self.season.address, f"bot{number:02}") for number in range(2 * matches)]
        eventually(lambda: len(self.tables()) == matches and all(table["started"] for table in self.tables()))

    def run(self, *words: str) -> int:
        """A command of `kumite admin`."""
        return run(["admin", words[0], *words[1:], "--db", str(self.path)])

    def tables(self) -> list[OpenTable]:
        """The open tables."""
        with connected(self.path) as admin:
            found = admin.ListTables(apb.ListTablesRequest(), timeout=WAIT).tables
        return [
            {
                "match": table.match_id,
                "bots": list(table.bots),
                "started": table.started,
                "awaited": list(table.awaited),
            }
            for table in found
        ]

    def status(self) -> apb.GetStatusResponse:
        """How the referee is."""
        with connected(self.path) as admin:
            found: apb.GetStatusResponse = admin.GetStatus(apb.GetStatusRequest(), timeout=WAIT)
        return found

    def bot(self, name: str) -> HeldBot:
        """The latest stream of a bot."""
        return next(bot for bot in reversed(self.bots) if bot.name == name)

    def opponents(self, match: object) -> list[HeldBot]:
        """The bots of a match."""
        table = next(table for table in self.tables() if table["match"] == match)
        return [self.bot(name) for name in table["bots"]]

    def acts(self) -> list[tuple[str, str, str]]:
        """Who did what to whom, the latest first."""
        with Store(self.path) as store:
            return [(act.actor, act.action, act.subject) for act in store.acts(100)]

    def last_act(self) -> ActRow:
        """What was done last."""
        with Store(self.path) as store:
            return store.acts(1)[0]

    def close(self) -> None:
        """End all of it."""
        self.season.stop()
        self.season.join()
        for bot in self.bots:
            bot.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A few running matches."""
    opened = Evening(tmp_path / "cup.sqlite", FEW)
    yield opened
    opened.close()


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[Evening]:
    """Twenty running matches."""
    opened = Evening(tmp_path / "cup.sqlite", MATCHES)
    yield opened
    opened.close()


def states(path: Path) -> dict[str, tuple[str, bool]]:
    """State and ratedness of every match."""
    with Store(path) as store:
        rows = store._connection.execute("select id, state, rated from matches").fetchall()
    return {match: (state, bool(rated)) for match, state, rated in rows}


def undisturbed(bots: list[HeldBot]) -> bool:
    """Whether none of these bots was told anything, or lost its stream."""
    return not any(bot.faults for bot in bots)


def play_out(evening: Evening, but: list[HeldBot] | None = None) -> None:
    """No further table is opened, and all bots play those that are open to their end."""
    assert evening.run("drain") == 0
    release([bot for bot in evening.bots if bot not in (but or [])])
    evening.season.join()


def test_a_kick_ends_one_stream_and_disturbs_no_other_match(
    crowded: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its seat is forfeited at once, its opponent plays on without waiting, and nineteen matches are rated."""
    target = crowded.tables()[7]
    match = str(target["match"])
    kicked, opponent = crowded.opponents(match)
    others = [bot for bot in crowded.bots if bot not in (kicked, opponent)]

    assert crowded.run("kick", kicked.name, "--reason", "it hangs") == 0
    assert "its seat is forfeited in 1 match" in capsys.readouterr().out
    kicked.finish()
    last = kicked.faults[-1]
    assert (last.code, last.closes_stream) == (pb.FAULT_CODE_KICKED, True)
    assert "it hangs" in last.message
    assert undisturbed([opponent, *others])
    assert crowded.last_act()[1:] == ("admin.sock", "kick", kicked.name, "it hangs")
    play_out(crowded)

    found = states(crowded.path)
    assert found.pop(match) == ("finished", False)
    assert set(found.values()) == {("finished", True)}
    with Store(crowded.path) as store:
        record = store.record(match)
    verify(record)
    assert record.final is not None
    seat = record.header.players.index(kicked.name)
    assert record.final.endings[seat].kind is EndingKind.FORFEITED
    assert record.final.endings[seat].owner is Owner.ORGANISER
    faults = [fault for step in record.steps for fault in step.faults]
    assert [(fault.seat, fault.kind) for fault in faults] == [(seat, FaultKind.REMOVED)]
    assert {fault.code for bot in [opponent, *others] for fault in bot.faults} == {pb.FAULT_CODE_RESTARTING}


def test_a_kicked_bot_may_come_back_and_a_banned_one_may_not(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ban holds for the name, names its end, outlives a restart, and is lifted at once."""
    first, second = evening.bots[:2]
    evening.run("kick", first.name)
    first.finish()
    token = first.welcome.resume_token
    evening.bots.append(HeldBot(evening.season.address, first.name, resume_token=token))
    assert evening.run("ban", second.name, "--until", "2h", "--reason", "two accounts") == 0
    second.finish()
    assert second.faults[-1].code == pb.FAULT_CODE_KICKED
    assert "until" in second.faults[-1].message
    assert "two accounts" in second.faults[-1].message
    with Wire(evening.season.address) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=second.name)))
        assert "two accounts" in wire.fault(pb.FAULT_CODE_KICKED).message
    evening.season.stop()
    evening.season.join()
    evening.season = Season(evening.path)
    with Wire(evening.season.address) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=second.name)))
        assert wire.fault(pb.FAULT_CODE_KICKED).closes_stream
    assert [ban.bot for ban in evening.status().bans] == [second.name]
    assert evening.run("unban", second.name) == 0
    assert evening.run("unban", second.name) == 2
    assert "unknown bot that is banned" in capsys.readouterr().err
    with Wire(evening.season.address) as wire:
        assert wire.hello(second.name).name == second.name

    assert [act[1] for act in evening.acts()] == ["unban", "ban", "kick"]


def test_a_ban_whose_time_has_passed_means_nothing(evening: Evening) -> None:
    """The bot is admitted, and the ban is not shown any more."""
    evening.run("ban", "stranger", "--until", "1s")
    eventually(lambda: not evening.status().bans)

    with Wire(evening.season.address) as wire:
        assert wire.hello("stranger").name == "stranger"


def test_a_paused_pool_opens_no_table_until_it_goes_on(evening: Evening) -> None:
    """Open tables are played to their end, the bots are told, a restart changes nothing, and then all play again."""
    assert evening.run("pause", "edo_yashiki", "--reason", "lunch") == 0
    eventually(lambda: all(pb.FAULT_CODE_PAUSED in bot.codes for bot in evening.bots))
    assert "lunch" in evening.bots[0].faults[0].message
    assert not evening.bots[0].faults[0].match_id
    release(evening.bots)
    eventually(lambda: not evening.tables())
    assert evening.status().waiting == 2 * FEW
    evening.season.stop()
    evening.season.join()
    for bot in evening.bots:
        bot.close()
    evening.season = Season(evening.path)
    evening.bots = [HeldBot(evening.season.address, name) for name in ("ann", "bob")]
    assert [pool.paused for pool in evening.status().pools] == [True]
    assert evening.tables() == []
    assert evening.run("resume") == 0

    eventually(lambda: len(evening.tables()) == 1)
    assert [act[1] for act in evening.acts()] == ["resume", "pause"]


def test_a_drained_referee_ends_when_its_tables_are_over(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    """No bot without a table comes in, one that had lost its stream does, and all are told to come back."""
    again = evening.bots[3]
    token = again.welcome.resume_token
    again.close()
    assert evening.run("drain", "--reason", "upgrade") == 0
    assert f"{FEW} tables are still open" in capsys.readouterr().out
    assert evening.run("drain") == 2
    assert "is draining already" in capsys.readouterr().err
    with Wire(evening.season.address) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="late")))
        fault = wire.fault(pb.FAULT_CODE_RESTARTING)
        assert fault.closes_stream
        assert fault.retry_after_us > 0
    evening.bots.append(HeldBot(evening.season.address, again.name, resume_token=token))
    assert evening.status().draining
    release(evening.bots)
    evening.season.join()

    assert set(states(evening.path).values()) == {("finished", True)}
    for bot in evening.bots:
        bot.finish()
    assert evening.bots[-1].faults[-1].code == pb.FAULT_CODE_RESTARTING


def test_a_drain_with_an_end_leaves_its_tables_for_the_next_start(evening: Evening) -> None:
    """What is open then stays as it is, and is played on."""
    evening.run("drain", "--within", "1s")
    evening.season.join()
    assert set(states(evening.path).values()) == {("running", False)}
    evening.season = Season(evening.path)

    assert evening.status().tables == FEW
    assert not evening.status().draining


def test_an_aborted_match_ends_at_once_and_is_not_played_again(evening: Evening) -> None:
    """Its two bots are told with a typed code and the end, the record verifies, and nothing else happens."""
    match = str(evening.tables()[4]["match"])
    pair = evening.opponents(match)
    others = [bot for bot in evening.bots if bot not in pair]
    evening.run("pause")
    eventually(lambda: all(bot.faults for bot in evening.bots))
    for bot in evening.bots:
        bot.faults.clear()
    assert evening.run("abort", match[:10], "--reason", "wrong room") == 0
    eventually(lambda: all(bot.overs for bot in pair))
    assert all(bot.codes == {pb.FAULT_CODE_VOIDED} for bot in pair)
    assert all(not bot.overs[0].HasField("result") and not bot.overs[0].rated for bot in pair)
    assert undisturbed(others)
    assert len(evening.tables()) == FEW - 1
    assert states(evening.path)[match] == ("void", False)
    with Store(evening.path) as store:
        record = store.record(match)
        (final,) = [record.final]
    verify(record)
    assert final is not None
    assert {(end.kind, end.owner) for end in final.endings} == {(EndingKind.ABORTED, Owner.ORGANISER)}
    assert evening.acts()[0] == ("admin.sock", "abort", match)


def test_a_void_match_leaves_the_ratings_and_a_requeued_one_is_played_again(evening: Evening) -> None:
    """A finished match is taken out; then it is played again by the same bots in the same seats, with another deal."""
    match = str(evening.tables()[0]["match"])
    pair = evening.opponents(match)
    evening.run("pause")
    release(pair)
    eventually(lambda: states(evening.path)[match] == ("finished", True))
    assert rated_games(evening.path) == {bot.name: 1 for bot in pair}
    assert evening.run("void", match, "--reason", "bad network") == 0
    assert rated_games(evening.path) == {}
    eventually(lambda: all(pb.FAULT_CODE_VOIDED in bot.codes for bot in pair))
    assert evening.run("void", match) == 2
    assert evening.run("requeue", match) == 0
    assert evening.run("requeue", match) == 2
    evening.run("resume")
    eventually(lambda: evening.path and rated_games(evening.path).keys() >= {bot.name for bot in pair})

    with Store(evening.path) as store:
        old = store.record(match)
        (again,) = [
            row[0]
            for row in store._connection.execute(
                "select id from matches where attempt = 1 and group_id = (select group_id from matches where id = ?)",
                (match,),
            )
        ]
        new = store.record(again)
        verify(old)
        verify(new)
        assert new.header.players == old.header.players
        assert new.header.commitment != old.header.commitment
        row = store.match_row(match)
    assert (row.state, row.reason) == ("void", "requeue by an organiser")


def rated_games(path: Path) -> dict[str, int]:
    """Games of each player in the standings."""
    with Store(path) as store:
        (season,) = store.seasons()
        (pool,) = season_standings(store, season)
    return {entry.rating.player: entry.rating.games for entry in pool.players}


def test_a_running_match_is_requeued_and_survives_a_restart(evening: Evening) -> None:
    """It is ended, and its bots play it again after the referee was stopped and started."""
    match = str(evening.tables()[0]["match"])
    names = [bot.name for bot in evening.opponents(match)]
    evening.run("pause")
    assert evening.run("requeue", match, "--reason", "stuck") == 0
    assert states(evening.path)[match] == ("void", False)
    evening.season.stop()
    evening.season.join()
    for bot in evening.bots:
        bot.close()
    evening.season = Season(evening.path)
    evening.bots = [HeldBot(evening.season.address, name) for name in names]
    before = {table["match"] for table in evening.tables()}
    evening.run("resume")

    eventually(lambda: len(evening.tables()) == len(before) + 1)
    (table,) = [table for table in evening.tables() if table["match"] not in before]
    assert table["bots"] == names


def test_a_match_that_was_ended_just_before_a_kill_ends_at_the_next_start(evening: Evening) -> None:
    """The decision is stored before it takes effect: a referee that died in between carries it out later."""
    match = str(evening.tables()[0]["match"])
    evening.season.stop()
    evening.season.join()
    with Store(evening.path) as store:
        store.rule(match, VOID, "decided too late")
    evening.season = Season(evening.path)

    eventually(lambda: states(evening.path)[match] == ("void", False))
    with Store(evening.path) as store:
        record = store.record(match)
    verify(record)
    assert record.final is not None
    assert "decided too late" in record.final.endings[0].message
    assert len(evening.tables()) == FEW - 1


def test_a_closed_referee_admits_those_it_knows(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    """Names that were here before, and entrants with a token; a stranger is refused until it is open again."""
    assert evening.run("close") == 0
    assert not evening.status().open
    with Wire(evening.season.address) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="stranger")))
        assert "admits no new names" in wire.fault(pb.FAULT_CODE_UNAUTHENTICATED).message
    known = evening.bots.pop()
    token = known.welcome.resume_token
    known.close()
    evening.bots.append(HeldBot(evening.season.address, known.name, resume_token=token))
    assert evening.run("open") == 0
    with Wire(evening.season.address) as wire:
        assert wire.hello("stranger").name == "stranger"

    assert [act[1] for act in evening.acts()] == ["open", "close"]


def test_a_hidden_bot_has_another_name_wherever_others_see_it(evening: Evening) -> None:
    """At tables and in standings; it sees its own name, the record keeps it, and no other may take the pseudonym."""
    match = str(evening.tables()[0]["match"])
    hidden, opponent = evening.opponents(match)
    evening.run("pause")
    release([hidden, opponent])
    eventually(lambda: states(evening.path)[match][0] == "finished")
    assert evening.run("hide", hidden.name, "--as", "phoenix") == 0
    evening.run("requeue", match)
    evening.run("resume")
    eventually(lambda: len(opponent.seated) > 1 and len(hidden.seated) > 1)
    assert set(opponent.seated[-1].players) == {"phoenix", opponent.name}
    assert hidden.name in hidden.seated[-1].players
    eventually(lambda: "phoenix" in rated_games(evening.path))
    assert hidden.name not in rated_games(evening.path)
    with Wire(evening.season.address) as wire:
        wire.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="phoenix")))
        assert wire.fault(pb.FAULT_CODE_NAME_TAKEN).closes_stream
    with Store(evening.path) as store:
        assert hidden.name in store.record(match).header.players
    assert evening.run("unhide", hidden.name) == 0

    assert hidden.name in rated_games(evening.path)


def test_status_tables_and_bot_tell_how_things_stand(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    """In words and as JSON."""
    match = str(evening.tables()[0]["match"])
    name = evening.opponents(match)[0].name
    status = evening.status()
    assert (status.bots, status.waiting, status.tables, status.streams) == (2 * FEW, 0, FEW, 2 * FEW)
    assert (status.season, status.storage_trouble, status.open) == ("open", "", True)
    assert status.storage_bytes > 0
    assert [pool.name for pool in status.pools] == ["edo_yashiki:2"]
    capsys.readouterr()
    assert evening.run("status") == 0
    assert f"{2 * FEW} bots here, 0 without a table" in capsys.readouterr().out
    assert evening.run("status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["tables"] == FEW
    assert evening.run("tables", "--json") == 0
    assert {table["match_id"] for table in json.loads(capsys.readouterr().out)} == {
        table["match"] for table in evening.tables()
    }
    assert evening.run("tables") == 0
    assert f"{name}*" in capsys.readouterr().out
    assert evening.run("bot", name, "--json") == 0
    about = json.loads(capsys.readouterr().out)
    assert (about["name"], about["present"], about["matches"]) == (name, True, [match])
    assert evening.run("bot", name) == 0
    assert f"plays match {match}" in capsys.readouterr().out
    evening.run("hide", name)
    capsys.readouterr()

    assert evening.run("audit", "--json") == 0
    (act,) = json.loads(capsys.readouterr().out)
    assert (act["actor"], act["action"], act["subject"]) == ("admin.sock", "hide", name)
