"""Two processes that hash strings differently, one of them looking backwards, play the same game, to the letter."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.conformance.breaches import first_words, hash_order
from tests.conformance.journey import travel
from tests.conformance.laws import LAWS
from tests.conformance.process import BACKWARDS, PLAN
from tests.conformance.tables import PACKAGES, tables_in

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def written() -> list[dict[str, list[str]]]:
    """What two processes with other hash seeds write about every game, by its name; the second looks backwards."""
    packages = (*PACKAGES.values(), hash_order.__name__, first_words.__name__)
    return [_written("1", *packages), _written("2", BACKWARDS, *packages)]


def _written(hash_seed: str, *arguments: str) -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.process", *arguments],
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


def test_a_board_that_remembers_is_noticed_by_a_process_that_looks_backwards(
    written: list[dict[str, list[str]]],
) -> None:
    """Words that hang on what was shown before differ, also where two worlds of one viewer agree."""
    journey = travel(tables_in(first_words.__name__)[0], PLAN)
    LAWS["choices_are_the_options"](journey)
    LAWS["boards_are_plain_words_and_figures"](journey)
    first, other = (lines[first_words.GAME.name] for lines in written)

    assert len(first) == len(other)
    assert first != other
