"""The log of a served referee with real bots: every kind of line has its fields, and no line holds a secret."""

from __future__ import annotations

import hashlib
import json
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.store.database import Store
from referee.match.record import Record
from referee.transport.auth import hashed
from referee.v1 import play_pb2 as pb
from tests.ladder.arena import PATIENCE, Arena
from tests.ladder.misbehaving import BOTS
from tests.transport.house import GoodBot, Wire, reply

pytestmark = pytest.mark.processes

UNRULY = """
import sys

from bots import run
from tests.ladder.misbehaving import BOTS

_, kind, address, token = sys.argv
run(BOTS[kind], address, token=token)
"""
MISBEHAVING = ("raises_at_ask_2", "unicode", "out_of_range", "exits", "prints", "key_error")
NOTE = "my-note-on-the-hand-of-seven"


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A folder of its own, left without a process."""
    found = Arena(tmp_path)
    yield found
    found.close()


def objects(arena: Arena, number: int = 0) -> list[dict[str, object]]:
    """The lines of a referee's standard error, each parsed."""
    return [json.loads(line) for line in (arena.folder / f"err-{number}").read_text().splitlines()]


def of_event(lines: list[dict[str, object]], event: str) -> list[dict[str, object]]:
    """The lines of one kind."""
    return [line for line in lines if line["event"] == event]


def records(arena: Arena) -> list[Record]:
    """All matches that are over."""
    with Store(arena.database) as store:
        rows = store._connection.execute("select id from matches where state = 'finished'").fetchall()
        return [store.record(match) for (match,) in rows]


def test_every_kind_of_line_is_there_with_its_fields(arena: Arena) -> None:
    """Two bots play two matches, one of them is cut off and comes back, a third is refused, one answers nonsense."""
    with Store(arena.database) as store:
        tokens = {name: store.new_token(name) for name in ("ann", "bob")}
    referee = arena.serve("--table", "edo_yashiki:2", "--matches", "1", "--log-json")
    arena.until(lambda: "referee at" in arena.errors(referee))
    with Wire(arena.address, "guess") as eve:
        eve.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="eve")))
        eve.fault(pb.FAULT_CODE_UNAUTHENTICATED)
    with Wire(arena.address, tokens["ann"]) as first:
        first.hello("", software="first 1")
        bob = GoodBot(arena.address, "", tokens["bob"], software="second 2")
        seated = first.until(lambda message: message.seated).seated[0]
    ann = Wire(arena.address, tokens["ann"])
    message: pb.PlayResponse | None = ann.greet("", software="first 1")
    wrong = True
    while message is not None and not message.over:
        request = reply(message)
        if wrong and request.answers:
            wrong = False
            request.answers[0].option = 10_000
        ann.send(request)
        if any(fault.code == pb.FAULT_CODE_ILLEGAL for fault in message.faults):
            fault = message.faults[0]
            ann.send(pb.PlayRequest(answers=[pb.Answer(match_id=fault.match_id, ask=fault.ask, option=0)]))
        message = ann.read()
    assert referee.wait(PATIENCE) == 0, arena.log()
    ann.close()
    bob.__exit__()
    lines = objects(arena)
    (record,) = records(arena)
    match = record.header.match

    connects = {
        (line["bot"], line["software"], line["build"], line["resumed"], line["proven"])
        for line in of_event(lines, "connect")
    }
    assert connects == {
        ("ann", "first 1", "1", False, True),
        ("ann", "first 1", "1", True, True),
        ("bob", "second 2", "1", False, True),
    }
    (refusal,) = of_event(lines, "refusal")
    assert (refusal["bot"], refusal["code"], refusal["address"]) == ("eve", "UNAUTHENTICATED", "unix")
    (start,) = of_event(lines, "start")
    assert (start["match"], start["game"], start["seats"], start["rated"]) == (match, "edo_yashiki", 2, True)
    assert start["variant"] == "rules=standard draft=sealed covering=seen"
    seats = {(line["match"], line["bot"], line["build"], line["seat"]) for line in of_event(lines, "seat")}
    assert seats == {(match, name, "1", seat) for seat, name in enumerate(record.header.players)}
    (logged,) = of_event(lines, "fault")
    assert (logged["match"], logged["bot"], logged["build"], logged["seat"]) == (match, "ann", "1", seated.seat)
    assert (logged["code"], logged["owner"], logged["level"], logged["forfeits"]) == (
        "ILLEGAL",
        "bot",
        "warning",
        False,
    )
    assert isinstance(logged["ask"], int)
    (end,) = of_event(lines, "end")
    assert record.final is not None
    assert record.final.result is not None
    assert (end["match"], end["places"]) == (match, " ".join(map(str, record.final.result.places)))
    assert (end["endings"], end["faults"], end["rated"]) == ("finished finished", 1, True)
    gone = {(line["bot"], line["code"]) for line in of_event(lines, "disconnect")}
    assert gone == {("ann", "HUNG_UP"), ("ann", "SHUTDOWN"), ("bob", "SHUTDOWN")}
    assert {line["level"] for line in lines} == {"info", "warning"}
    assert all(str(line["time"])[-6] in "+-" for line in lines)


def test_a_trouble_of_storing_and_its_end_are_lines_of_the_log(arena: Arena) -> None:
    """Beside those of the match, which goes on."""
    referee = arena.serve("--table", "edo_yashiki:2", "--matches", "3", "--log-json")
    for name in ("ann", "bob"):
        arena.join(name)
    arena.until(lambda: arena.query("select 1 from steps"))
    other = sqlite3.connect(arena.database, isolation_level=None, timeout=PATIENCE)
    other.execute("begin immediate")
    arena.until(lambda: "cannot store" in arena.errors(referee))
    other.execute("rollback")
    other.close()
    assert referee.wait(PATIENCE) == 0, arena.log()
    trouble, recovery = of_event(objects(arena), "storage")

    assert (trouble["level"], trouble["works"]) == ("error", False)
    assert (recovery["level"], recovery["works"]) == ("warning", True)
    assert isinstance(recovery["seconds"], float)


NIGHT = """
season = "night"
database = "cup.sqlite"

[[bots]]
spec = "remote:ann"

[[bots]]
spec = "remote:bob"

[[pools]]
game = "edo_yashiki"
rounds = 1
"""


@pytest.mark.parametrize(
    ("words", "expected"), [((), {"command"}), (("--log-level", "info"), {"command", "connect", "seat", "end"})]
)
def test_a_season_that_is_run_has_the_same_log(arena: Arena, words: tuple[str, ...], expected: set[str]) -> None:
    """From warnings on, if no level is named: what the command tells comes first on its standard output."""
    (arena.folder / "night.toml").write_text(NIGHT)
    referee = arena.start("ladder", "run", "night.toml", "--bind", arena.address, "--log-json", *words)
    for name in ("ann", "bob"):
        arena.join(name)
    assert referee.wait(PATIENCE) == 0, arena.log()
    found = {str(line["event"]) for line in objects(arena)}

    assert found >= expected
    assert words or found == expected
    assert "is complete" in arena.output(referee)


def test_the_log_of_a_run_with_misbehaving_bots_holds_no_secret(arena: Arena) -> None:
    """No token, resume token, secret, luck or note, in the open or hashed: what the run had is looked for."""
    with Store(arena.database) as store:
        tokens = {name: store.new_token(name) for name in ("ann", "cid", "dan", *MISBEHAVING)}
    (arena.folder / "unruly.py").write_text(UNRULY)
    referee = arena.serve("--table", "edo_yashiki:2", "--log-json", "--log-level", "debug", "--clock", "5s+1s/5s")
    arena.until(lambda: "referee at" in arena.errors(referee))
    with Wire(arena.address, tokens["cid"]) as mixed_up:
        mixed_up.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=tokens["cid"])))
        mixed_up.fault(pb.FAULT_CODE_UNAUTHENTICATED)
    with Wire(arena.address, tokens["dan"]) as vandal:
        vandal.hello("")
        for _ in range(20):
            vandal.send(b"\xff" + tokens["dan"].encode())
        vandal.status()
    for name in MISBEHAVING:
        assert name in BOTS
        arena.python("unruly.py", name, arena.address, tokens[name])
    resumes = [play_with_notes(arena, tokens["ann"], 4)]
    referee.send_signal(signal.SIGTERM)
    assert referee.wait(PATIENCE) == 0, arena.log()
    log = arena.errors(referee)
    lines = objects(arena)
    played = records(arena)
    faults = of_event(lines, "fault")

    assert len(played) >= 4
    assert {line["event"] for line in lines} >= {"connect", "disconnect", "refusal", "seat", "start", "fault", "end"}
    assert {line["bot"] for line in faults} & set(MISBEHAVING)
    secrets = [*tokens.values(), *resumes, *stored_secrets(arena)]
    secrets += [hashed(token).removeprefix("sha256:") for token in tokens.values()]
    secrets += [hashlib.sha256(token.encode()).hexdigest() for token in resumes]
    secrets += [(arena.folder / "cup.key").read_text().strip(), NOTE]
    luck = [piece for record in played for piece in chances(record)]
    assert len(secrets) > 20
    assert len(luck) > 20
    for secret in (*secrets, *luck):
        assert secret not in log


def play_with_notes(arena: Arena, token: str, matches: int) -> str:
    """Play some matches as a good bot that writes a note on every answer; returns its resume token."""
    with Wire(arena.address, token) as wire:
        message: pb.PlayResponse | None = wire.greet("")
        assert message is not None
        resume = message.welcome.resume_token
        while matches and message is not None:
            request = reply(message)
            for answer in request.answers:
                answer.note = NOTE
            wire.send(request)
            message = wire.read()
            matches -= 0 if message is None else len(message.over)
    assert matches <= 0, arena.log()
    return resume


def stored_secrets(arena: Arena) -> list[str]:
    """The secrets of all matches that are over, in hex, and the hashes of tokens that the database has."""
    found = [str(row[0]) for row in arena.query("select hex(secret) from matches where secret is not null")]
    resumes = " ".join(str(row[0]) for row in arena.query("select resume_hash from sessions"))
    assert found
    assert resumes
    return [secret.lower() for secret in found] + resumes.split()


def chances(record: Record) -> list[str]:
    """What the steps say about luck, in pieces that are not there by chance."""
    lines = [line.decode() for line in record.lines() if b'"chance":' in line]
    return [line[line.index('"chance":') :][:60] for line in lines]
