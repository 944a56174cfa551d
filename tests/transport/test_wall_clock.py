"""A change of the wall clock changes nothing: no clock of a match is read from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.match import files
from referee.v1 import play_pb2 as pb
from tests.transport.house import WAIT, GoodBot, socket_in

pytestmark = pytest.mark.processes

REFEREE = """
import itertools, sys, time
jumps = itertools.cycle((86_400, -86_400, 30 * 86_400, -30 * 86_400))
real = time.time
time.time = lambda: real() + next(jumps)
time.time_ns = lambda: int((real() + next(jumps)) * 1e9)
from ladder.cli import run
sys.exit(run(["serve", "--table", "edo_yashiki:2", "--clock", "20s/10s", "--matches", "3", *sys.argv[1:]]))
"""


def test_a_wall_clock_that_jumps_by_days_costs_no_bot_anything(tmp_path: Path) -> None:
    """Each reading lies days before or after the last; three matches under a short clock end without a fault."""
    address = socket_in(tmp_path)
    command = [sys.executable, "-c", REFEREE, "--bind", address, "--records", str(tmp_path / "records")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as referee:
        assert referee.stderr is not None
        while "referee at" not in (line := referee.stderr.readline()):
            assert line, "it ended"
        with GoodBot(address, "ann") as ann, GoodBot(address, "bob") as bob:
            ann.finish()
            bob.finish()
        referee.stderr.read()
        assert referee.wait(WAIT) == 0
    records = [files.read(path) for path in (tmp_path / "records").iterdir()]
    spent = [time for record in records for step in record.steps for time in step.spent.values()]

    assert len(records) == 3
    assert all(ending.faults == 0 for record in records if record.final for ending in record.final.endings)
    assert max(spent) < 10_000_000
    assert {fault.code for bot in (ann, bob) for fault in bot.faults} == {pb.FAULT_CODE_SHUTDOWN}
