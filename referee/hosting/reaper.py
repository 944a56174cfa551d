"""Ends hosted processes when the process that started them is gone; run as a program of its own, by `leash`.

Standard input says what there is, one JSON value a line: `{"name": ..., "group": PID, "folders": [...]}` for a process
that was started (its process group, the folders of its cgroup), `{"ended": NAME}` for one that has ended, and
`{"folder": PATH}` for the folder of the host process. The input ends with the process that writes it, also after
`kill -9`; then everything that is left is killed and removed.

Bots are not asked first: the referee that they played with has gone. Run with -I -S: only the standard library is here.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from contextlib import suppress

TRIES = 100
PAUSE = 0.01
"""Seconds between two looks at a group that is not yet empty."""


def main() -> None:
    """Listen until the input ends, then end what is left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hosted: dict[str, dict[str, object]] = {}
    places: list[str] = []
    for line in sys.stdin:
        told = json.loads(line)
        if "ended" in told:
            hosted.pop(told["ended"], None)
        elif "folder" in told:
            places.append(told["folder"])
        else:
            hosted[told["name"]] = told
    for told in hosted.values():
        _end(told)
    for place in places:
        shutil.rmtree(place, ignore_errors=True)


def _end(told: dict[str, object]) -> None:
    mark = f"KUMITE_PROCESS={told['name']}".encode()
    folders = told["folders"]
    with suppress(OSError):
        os.killpg(int(str(told["group"])), signal.SIGKILL)
    for _ in range(TRIES):
        found = _inside(folders if isinstance(folders, list) else []) | _marked(mark)
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            break
        time.sleep(PAUSE)
    for folder in folders if isinstance(folders, list) else []:
        with suppress(OSError):
            os.rmdir(folder)


def _inside(folders: list[str]) -> set[int]:
    found: set[int] = set()
    for folder in folders:
        with suppress(OSError), open(f"{folder}/cgroup.procs", encoding="ascii") as file:
            found.update(int(line) for line in file)
    return found


def _marked(mark: bytes) -> set[int]:
    found = set()
    with suppress(OSError):
        for name in os.listdir("/proc"):
            with suppress(OSError), open(f"/proc/{name if name.isdigit() else 'none'}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    found.add(int(name))
    return found


if __name__ == "__main__":
    main()
