"""A hosted bot that exceeds a limit loses its seat at once, and the record says why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import bots.drill
from ladder.arena.entrants import find
from ladder.arena.play_processes import play_hosted
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import EndingKind, FaultKind, Owner
from referee.match.verify import verify
from tests.hosting import walled

pytestmark = pytest.mark.processes


@pytest.mark.parametrize(
    ("bomb", "limits", "text"),
    [
        ("memory", "memory_mib = 150", "the bot used more than its 150 MiB of memory"),
        ("processes", "processes = 40", "the bot started more than its 40 processes and threads"),
        ("output", "output_mib = 2", "the bot printed more than its 2 MiB of output"),
    ],
)
def test_the_fault_names_the_limit_and_its_figure(tmp_path: Path, bomb: str, limits: str, text: str) -> None:
    """It is the bot's own, the seat is forfeited without waiting for its clock, and the record can be verified."""
    walled.needed()
    folder = tmp_path / "bomb"
    shutil.copytree(Path(bots.drill.__path__[0]), folder)
    (folder / "targets.json").write_text(json.dumps({"bomb": bomb}))
    with (folder / "bot.toml").open("a") as file:
        file.write(f"[limits]\n{limits}\n")
    record = play_hosted(
        MatchPlan("honshu", ("bomb", "random"), "limits", bytes(32), clock=TimeControl.parse("600s")),
        [find(str(folder)), find("random")],
    )
    verify(record)

    assert record.final is not None
    ending = record.final.endings[0]
    assert (ending.kind, ending.owner, ending.message) == (EndingKind.FORFEITED, Owner.BOT, text)
    faults = [fault for step in record.steps for fault in step.faults]
    assert {(fault.seat, fault.kind, fault.message) for fault in faults} == {(0, FaultKind.CRASHED, text)}
    assert record.final.endings[1].kind is EndingKind.FINISHED
