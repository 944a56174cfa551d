"""A test that starts a process without saying so fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import get_context

import pytest

from tests import started

pytestmark = pytest.mark.processes


def by_subprocess() -> None:
    subprocess.run([sys.executable, "-IS", "-c", ""], check=True)


def by_multiprocessing() -> None:
    process = get_context("spawn").Process(target=os.getpid)
    process.start()
    process.join()


def by_spawning() -> None:
    os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-IS", "-c", ""], {}), 0)


@pytest.mark.parametrize("start", [by_subprocess, by_multiprocessing, by_spawning])
def test_a_process_is_noted_and_wants_a_mark(start: Callable[[], None]) -> None:
    """Whatever starts it; with either mark there is nothing to complain about."""
    before = started.complaint([])
    start()

    assert before is None
    assert "mark this test with pytest.mark.processes: it started " in str(started.complaint(["usefixtures"]))
    assert started.complaint(["processes"]) is None
    assert started.complaint(["slow"]) is None


def test_a_thread_and_a_file_are_no_process() -> None:
    """What most tests do needs no mark."""
    with open(os.devnull, "rb") as file:
        file.read()

    assert started.STARTED == []
