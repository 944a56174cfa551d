"""Two processes that hash strings differently play the same game, to the letter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.kernel import registry
from tests.conformance.breaches import hash_order
from tests.conformance.journey import travel
from tests.conformance.laws import LAWS
from tests.conformance.process import PLAN
from tests.conformance.tables import tables_in

ROOT = Path(__file__).parents[2]


def written(package: str, hash_seed: str) -> list[str]:
    """What a process with that hash seed writes about the game of a package."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.process", package],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", registry.names())
def test_two_processes_write_one_record(name: str) -> None:
    """Fingerprints, options, views, events and results are the same, whatever the hash seed."""
    first, second = (written(registry.GAMES[name], seed) for seed in ("1", "2"))

    assert len(first) > len(registry.game(name).seats)
    assert first == second


def test_an_order_by_hash_is_noticed_by_another_process() -> None:
    """A game that breaks no law inside one process is found out by two."""
    package = hash_order.__name__
    journey = travel(tables_in(package)[0], PLAN)
    for law in LAWS.values():
        law(journey)

    assert written(package, "1") == written(package, "1")
    assert written(package, "1") != written(package, "2")
