"""Two processes that hash strings differently play the same game, to the letter."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.conformance.breaches import hash_order
from tests.conformance.journey import travel
from tests.conformance.laws import LAWS
from tests.conformance.process import PLAN
from tests.conformance.tables import PACKAGES, tables_in

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def written() -> list[dict[str, list[str]]]:
    """What two processes with other hash seeds write about every game, by its name."""
    return [_written(hash_seed, *PACKAGES.values(), hash_order.__name__) for hash_seed in ("1", "2")]


def _written(hash_seed: str, *packages: str) -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.process", *packages],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    lines: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        lines.setdefault(line.split("-")[0], []).append(line)
    return lines


@pytest.mark.parametrize("name", PACKAGES)
def test_processes_with_other_hashes_write_one_record(name: str, written: list[dict[str, list[str]]]) -> None:
    """Fingerprints, options, views, events and results are the same, whatever the hash seed."""
    first, other = (lines[name] for lines in written)

    assert len(first) > len(import_module(PACKAGES[name]).GAME.seats)
    assert first == other


def test_an_order_by_hash_is_noticed_by_another_process(written: list[dict[str, list[str]]]) -> None:
    """A game that breaks no law inside one process is found out by two."""
    journey = travel(tables_in(hash_order.__name__)[0], PLAN)
    for law in LAWS.values():
        law(journey)
    again = _written("1", hash_order.__name__)[hash_order.GAME.name]
    first, other = (lines[hash_order.GAME.name] for lines in written)

    assert first == again
    assert first != other
