"""Plays worlds from the command line: `python -m tests.simulation --seed 123 --matches 1 --trace`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.simulation.play import Failure, Outcome, play
from tests.simulation.promises import PROMISES


def main(arguments: list[str] | None = None) -> int:
    """Play worlds until there were so many matches; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first world")
    parser.add_argument("--matches", type=int, default=1, help="play on until there were so many matches")
    parser.add_argument("--trace", action="store_true", help="print what happens")
    parser.add_argument("--keep-going", action="store_true", help="print failures and go on")
    wanted = parser.parse_args(arguments)
    whole, seed, failures = Outcome(), wanted.seed, 0
    started = time.perf_counter()
    while whole.matches < wanted.matches:
        try:
            whole.add(play(seed, print if wanted.trace else None))
        except Failure as failure:
            print(failure, file=sys.stderr)
            failures += 1
            whole.add(Outcome(1, 1))
            if not wanted.keep_going:
                return 1
        seed += 1
    seconds = time.perf_counter() - started
    print(f"{whole.matches} matches in {whole.worlds} worlds, {whole.matches / seconds:.0f} a second, {failures} wrong")
    for promise, made in PROMISES.items():
        if not made:
            print(f"not checked, the referee does not promise it: {promise}")
    for title, counts in (("injected", whole.injected), ("recorded", whole.recorded)):
        print(f"{title}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
