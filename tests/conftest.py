"""Settings for all tests: hypothesis draws the same examples in every run, and no example is judged by the clock.

The quick suite must give the same answer on every machine, so its examples are derived from the test itself. `make
soak` looks further: `--hypothesis-profile explore` draws new examples each time, for every property test.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from referee.hosting import walls
from referee.kernel import gc_pause
from tests import started

settings.register_profile("steady", deadline=None, derandomize=True, database=None, max_examples=40)
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=1000)
settings.load_profile("steady")

# Compiled modules are kept, whatever the caller's environment says: about 300 processes of the suite and each worker of
# pytest-xdist would otherwise compile all sources anew, which doubles the time that a process takes to start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if sys.platform != "linux" or walls.missing():
    # Bots of folders are refused where this machine has no walls for them; those of the tests are trusted.
    os.environ.setdefault("KUMITE_TRUST", "1")


started.watch()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """What fixtures of a whole module start belongs to the first test that uses them."""
    started.STARTED.clear()


@pytest.fixture(autouse=True)
def only_marked_tests_start_processes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test of the quick suite that has started a process without the mark `processes`."""
    yield
    marks = {mark.name for mark in request.node.iter_markers()}
    complaint = started.complaint(marks)
    if complaint is not None:
        pytest.fail(complaint, pytrace=False)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each core: tests wait for processes, sockets and clocks for about half of their time."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(scope="session", autouse=True)
def the_collector_rests() -> Iterator[None]:
    """Spare the cycle collector the 300,000 objects that collecting the tests has made.

    Each ladder, referee and check of the suite begins with a full collection, which takes 0.1 s with them.
    """
    with gc_pause.resting():
        yield


@pytest.fixture(autouse=True)
def no_hosted_referee_stays() -> Iterator[None]:
    """End the hosted referee that a test has opened in this process, and its bots."""
    yield
    hosted = sys.modules.get("ladder.arena.play_processes")
    if hosted is not None:
        hosted.close()
