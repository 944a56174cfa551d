"""What a ladder costs: games per second of a season with everything recorded, over bare playouts of the same bots.

A bare playout is the rules and the bots and nothing else: no clock, no record, no database. Both play the same games,
taking turns, so that whatever else the machine does meets both. Some bots still know what they thought of a game that
was played before, so the playouts are a few games behind at first, and then, in a second run of the same season, ahead.
Everything that a season does is on its bill: scheduling, playing, recording, storing, and the ratings at the end.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bots.ask import Table
from bots.seated_bot import SeatedBot
from bots.specs import BotSpec, resolve
from ladder.arena.entrants import find
from ladder.arena.jobs import Job
from ladder.arena.workers import InProcess, Workers
from ladder.config import ladder_file
from ladder.seasons.season import Progress, Season
from ladder.store.database import Store
from referee.kernel import registry
from referee.kernel.chance import Sealed, secret_from_seed
from referee.kernel.game import AnyGame, Event, Option, Pending
from referee.kernel.turns import playout
from referee.match.plan import MatchPlan

SECONDS = 12.0
"""Processor time that both together take for one game, at least."""
DISTANCE = 4
"""Games between the two."""
BOTS = ("greedy", "random")


@dataclass(frozen=True, slots=True)
class SeasonFigures:
    """One game."""

    game: str
    bare: float
    """Games per second of bare playouts."""
    ladder: float
    """Games per second of a season."""
    ratio: float


class _Asked(NamedTuple):
    """What a player is asked in a bare playout."""

    ask: int
    kind: str
    options: Sequence[Option]
    view: object
    events: tuple[Event, ...]
    left: None = None
    budget: None = None
    timing: None = None


def measure(game: str, seats: int = 2, seconds: float = SECONDS) -> SeasonFigures:
    """The figures of one game."""
    jobs: list[Job] = []
    behind = _Bare(jobs)

    def remember(job: Job) -> Job:
        jobs.append(job)
        return job

    def enough(progress: Progress) -> bool:
        behind.play(len(jobs) - DISTANCE)
        return time.process_time() - begun >= seconds / 2

    begun = time.process_time()
    spent = _season(game, seats, remember, enough) - behind.spent
    behind.play(len(jobs))
    ahead = _Bare(jobs)

    def all_again(progress: Progress) -> bool:
        ahead.play(progress.played + DISTANCE)
        return progress.played >= len(jobs)

    spent += _season(game, seats, lambda job: job, all_again) - ahead.spent
    rates = 2 * len(jobs) / (behind.spent + ahead.spent), 2 * len(jobs) / spent
    return SeasonFigures(game, *rates, rates[1] / rates[0])


def _season(game: str, seats: int, prepare: Callable[[Job], Job], until: Callable[[Progress], bool]) -> float:
    """Play a season with everything stored; returns the processor time, that of `until` included."""
    with tempfile.TemporaryDirectory(prefix="kumite-bench-") as folder:
        ladder = _ladder(Path(folder), game, seats)
        with Store(ladder.database) as store, Workers(InProcess, 1, prepare) as workers:
            season = Season(ladder, store, secret_from_seed("season"), lambda spec: find(spec).digest())
            begun = time.process_time()
            season.run(workers, until=until, told=lambda progress: None)
            return time.process_time() - begun


def _ladder(folder: Path, game: str, seats: int) -> ladder_file.Ladder:
    path = folder / "ladder.toml"
    bots = "".join(f'[[bots]]\nspec = "{spec}"\n' for spec in BOTS)
    path.write_text(f'{bots}[[pools]]\ngame = "{game}"\nseats = {seats}\nrounds = 1000000\n')
    return ladder_file.read(path)


class _Bare:
    """Plays the games of a ladder for itself."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._jobs = jobs
        self._specs = {spec: resolve(spec) for spec in BOTS}
        self._played = 0
        self.spent = 0.0
        """Processor time so far."""

    def play(self, count: int) -> None:
        """Play on until so many of the games are played."""
        begun = time.process_time()
        for job in self._jobs[self._played : max(count, self._played)]:
            _play(registry.game(job.plan.game), [self._specs[spec] for spec in job.specs], job.plan)
            self._played += 1
        self.spent += time.process_time() - begun


def _play(game: AnyGame, specs: Sequence[BotSpec], plan: MatchPlan) -> None:
    """One game of the rules and the bots alone."""
    players = [
        SeatedBot(spec.make(f"{plan.match}/{seat}"), Table(plan.match, game.name, seat, plan.players, plan.variant))
        for seat, spec in enumerate(specs)
    ]
    chance = Sealed(plan.secret)
    state = game.start(len(specs), plan.variant, chance)
    asked = [0] * len(players)

    def choose(pending: Pending, options: Sequence[Option]) -> Option:
        seat, kind = pending
        asked[seat] += 1
        return options[players[seat](_Asked(asked[seat], kind, options, game.view(state, seat), ()))]

    playout(game, state, chance, choose)
