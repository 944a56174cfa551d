"""Ends hosted processes when the process that started them is gone; a program of its own, started by `leash`.

Standard input has one JSON value per line: `{"name": ..., "group": PID, "folders": [...]}` for a started process (its
process group, the folders of its cgroup), `{"ended": NAME}` for an ended one, and `{"folder": PATH}` for the folder of
the host process. The input ends with the host process, also after `kill -9`; then the reaper kills and removes
everything that is left.

Bots are killed without a request to end, because their referee is gone. The reaper runs with -I -S and imports the
standard library only.
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
"""Seconds between two checks of a group that is not yet empty."""


def main() -> None:
    """Read until the input ends, then end everything that is left."""
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
