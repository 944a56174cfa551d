"""What a ladder costs: games per second of a season with everything recorded, over bare playouts of the same bots.

A bare playout is the rules and the bots and nothing else: no clock, no record, no database. Both play the same
pairings in turns.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bots.ask import Table
from bots.player import Player
from bots.specs import BotSpec, resolve
from ladder import config
from ladder.entrants import find
from ladder.season import Season
from ladder.store import Store
from ladder.workers import in_process
from referee.kernel import registry
from referee.kernel.chance import Sealed, secret_from_seed
from referee.kernel.game import AnyGame, Event, Option, settle_variant
from referee.kernel.play import advance, settle

SLICE = 1.5
"""Seconds that one slice lasts at least."""
BOTS = ("greedy", "random")


@dataclass(frozen=True, slots=True)
class Figures:
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


def measure(game: str, turns: int = 3, seats: int = 2) -> Figures:
    """The figures of one game."""
    bare, ladder = [], []
    with tempfile.TemporaryDirectory(prefix="kumite-bench-") as folder:
        for turn in range(turns):
            bare.append(_bare(registry.game(game), seats))
            ladder.append(_season(Path(folder), game, seats, turn))
    return Figures(game, median(bare), median(ladder), median(b / a for a, b in zip(bare, ladder, strict=True)))


def _bare(game: AnyGame, seats: int) -> float:
    specs = [resolve(spec) for spec in BOTS]
    variant = settle_variant(game, seats, {})
    games = 0
    begun = time.process_time()
    while time.process_time() - begun < SLICE:
        turned = specs if games % 2 == 0 else specs[::-1]
        _play(game, turned, variant, str(games // 2))
        games += 1
    return games / (time.process_time() - begun)


def _play(game: AnyGame, specs: Sequence[BotSpec], variant: Mapping[str, str], name: str) -> None:
    """One game of the rules and the bots alone."""
    players = [
        Player(spec.make(f"{name}/{seat}"), Table(name, game.name, seat, (), variant))
        for seat, spec in enumerate(specs)
    ]
    chance = Sealed(secret_from_seed(name))
    state = game.start(len(specs), variant, chance)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    asked = 0
    while turn.asks:
        asked += 1
        answers = {}
        for seat, kind in turn.asks:
            options = turn.options[seat]
            answers[seat] = options[players[seat](_Asked(asked, kind, options, game.view(state, seat), ()))]
        events.clear()
        turn = advance(game, state, turn, answers, chance, events)


def _season(folder: Path, game: str, seats: int, turn: int) -> float:
    path = folder / f"{turn}.toml"
    bots = "".join(f'[[bots]]\nspec = "{spec}"\n' for spec in BOTS)
    path.write_text(
        f'database = "{turn}.sqlite"\n{bots}[[pools]]\ngame = "{game}"\nseats = {seats}\nrounds = 1000000\n'
    )
    ladder = config.read(path)
    with Store(ladder.database) as store, in_process() as workers:
        season = Season(ladder, store, secret_from_seed(str(turn)), lambda spec: find(spec).digest())
        begun = time.process_time()
        progress = season.run(
            workers, until=lambda progress: time.process_time() - begun >= SLICE, told=lambda progress: None
        )
        return progress.played / (time.process_time() - begun)
