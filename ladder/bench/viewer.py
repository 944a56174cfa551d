"""What the viewer costs: the size of replay files, the time to make one, and the time to draw a step in a browser."""

from __future__ import annotations

import gzip
import random
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from ladder.terminal_tables import print_table
from ladder.viewer.replay_file import as_json, replay_file, words_file
from ladder.web.pictures.camera import Camera, camera
from ladder.web.pictures.chromium import find
from referee.kernel import registry
from referee.kernel.game import AnyGame
from referee.match.inprocess import play
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan

KB = 1000
FRAME_MS = 16
"""Milliseconds of one frame at 60 frames a second: what a step may take to draw."""


@dataclass(frozen=True, slots=True)
class ViewerFigures:
    """What a match of random play costs in the viewer."""

    game: str
    seats: int
    steps: int
    replay_bytes: int
    replay_gzip_bytes: int
    words_gzip_bytes: int
    """The board in words, a file beside the replay file."""
    seconds: float
    """Time to make the replay file."""
    elements: int | None
    """Elements of SVG in the largest drawing; None: there is no browser."""
    median_ms: float | None
    """Time to draw a step, layout included, by the clock on the wall."""
    processor_ms: float | None
    """Processor time of a step on average: what the step takes on a machine with nothing else to do."""


def measure(games: Sequence[str], *, quick: bool) -> list[ViewerFigures]:
    """A match of every game, at every number of seats or at the fewest and the most."""
    figures = []
    with ExitStack() as stack:
        browser = stack.enter_context(camera()) if find() else None
        for name in games:
            game = registry.game(name)
            chosen = sorted({game.seats[0], game.seats[-1]}) if quick else game.seats
            figures += [_figures(game, seats, browser) for seats in chosen]
    return figures


def _figures(game: AnyGame, seats: int, browser: Camera | None) -> ViewerFigures:
    rng = random.Random(seats)

    def bot(asked: Asked) -> int:
        return rng.randrange(len(asked.options))

    plan = MatchPlan(game.name, tuple(f"bot-{seat}" for seat in range(seats)), f"{seats:032x}", bytes(32))
    record = play(game, plan, [bot] * seats)
    start = time.process_time()
    file = replay_file(record)
    seconds = time.process_time() - start
    text = as_json(file).encode()
    drawn = None if browser is None else browser.timings(file)
    times = None if drawn is None else sorted(drawn.milliseconds[1:])
    return ViewerFigures(
        game.name,
        seats,
        len(record.steps),
        len(text),
        len(gzip.compress(text)),
        len(gzip.compress(as_json(words_file(record)).encode())),
        seconds,
        None if drawn is None else drawn.elements,
        None if times is None else times[len(times) // 2],
        None if drawn is None else drawn.processor_ms,
    )


def show(figures: Sequence[ViewerFigures]) -> None:
    """The figures as a table."""
    print_table(
        f"the viewer, one match of random play each; a step should be drawn in {FRAME_MS} ms",
        (
            "game",
            "seats",
            "steps",
            "replay KB",
            "gzip",
            "words gzip",
            "made in s",
            "elements",
            "median ms",
            "processor ms",
        ),
        [
            (
                entry.game,
                entry.seats,
                entry.steps,
                f"{entry.replay_bytes / KB:.0f}",
                f"{entry.replay_gzip_bytes / KB:.0f}",
                f"{entry.words_gzip_bytes / KB:.0f}",
                f"{entry.seconds:.2f}",
                "-" if entry.elements is None else entry.elements,
                "-" if entry.median_ms is None else f"{entry.median_ms:.1f}",
                "-" if entry.processor_ms is None else f"{entry.processor_ms:.1f}",
            )
            for entry in figures
        ],
    )
