"""Notes each process that this one starts: a test that starts processes carries the mark `processes`.

`tests/conftest.py` fails a test that starts a process and is not marked, so that `pytest -m 'not slow and not
processes'` stays what it says: tests inside one process, which need neither a second core nor a sandbox.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from multiprocessing.process import BaseProcess

EVENTS = {"os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}
"""Audit events of the interpreter that announce a process."""
STARTED: list[str] = []
"""What the test that is running has started so far; processes of `multiprocessing` have no audit event."""


def watch() -> None:
    """Note processes from now on; an audit hook stays until the interpreter ends."""
    start = BaseProcess.start

    def noted(self: BaseProcess) -> None:
        STARTED.append(f"multiprocessing: {self.name}")
        start(self)

    BaseProcess.start = noted  # type: ignore[method-assign]
    sys.addaudithook(_hear)


def complaint(marks: Collection[str]) -> str | None:
    """What is wrong with a test that has these marks; slow tests start what they need."""
    if not STARTED or "processes" in marks or "slow" in marks:
        return None
    return f"mark this test with pytest.mark.processes: it started {STARTED[0]}"


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event in EVENTS:
        STARTED.append(f"{event}: {str(arguments[:2])[:200]}")
