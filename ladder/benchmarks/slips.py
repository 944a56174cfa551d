"""Real duplicate sets of bots whose difference is known: greedy with slips of the hand against greedy.

`python -m ladder.benchmarks.slips SETS FILE [GAME]` plays them for every game and number of seats and writes one JSON
line for each: the places and points of every game, from which effect sizes and error rates of the gate are computed.
"""

from __future__ import annotations

import json
import sys
from typing import NamedTuple

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.bundled.greedy import policy
from ladder.jobs import Job
from ladder.playing import fresh_id, fresh_secret
from ladder.workers import carry_out
from referee.kernel import registry
from referee.kernel.game import Option, settle_variant

SLIPPING = "py:ladder.benchmarks.slips:Slipping"
SLIPS = 50
"""Of a thousand decisions: a candidate near the bounds of a usual test."""


class Slipping(Bot):
    """Greedy, but so many of a thousand decisions are any option at all."""

    events = False

    def __init__(self, slips: int = 0) -> None:
        self.slips = slips

    def decide(self, ask: AnyAsk) -> Option:
        if ask.rng.random() * 1000 < self.slips:
            return int(ask.rng.random() * ask.count)
        return policy(ask.game_name)(ask)


class PlayedGame(NamedTuple):
    """One game of a set: the candidate's seat, and the places and points of all seats."""

    seat: int
    places: tuple[int, ...]
    points: tuple[int, ...]


def play_set(game: str, seats: int, new: str, old: str, seed: str) -> list[PlayedGame]:
    """One deal with the candidate once in every seat."""
    variant = settle_variant(registry.game(game), seats, {})
    played = []
    for seat in range(seats):
        specs = tuple(new if index == seat else old for index in range(seats))
        job = Job(
            match=fresh_id(f"{seed}/{seat}", game),
            game=game,
            variant=variant,
            names=tuple(f"seat {index + 1}" for index in range(seats)),
            specs=specs,
            secret=fresh_secret(seed),
            dice=fresh_id(seed),
        )
        result = carry_out(job).final.result
        if result is None:
            raise RuntimeError(f"{game} of {specs} ended without a result")
        played.append(PlayedGame(seat, result.places, result.points))
    return played


def main(sets: int, file: str, only: str | None) -> None:
    """Play the candidates (slips of the new or of the old bot) and append them to a file."""
    for game in (only,) if only else registry.names():
        for seats in registry.game(game).seats:
            if seats < 2:
                continue
            for new, old in ((0, 0), (0, SLIPS), (SLIPS, 0)):
                specs = f"{SLIPPING}:slips={new},seed=1", f"{SLIPPING}:slips={old},seed=2"
                count = sets if new != old else max(1, sets // 8)
                played = [play_set(game, seats, *specs, f"slips/{new}/{old}/{number}") for number in range(count)]
                with open(file, "a", encoding="utf-8") as lines:
                    entry = {"game": game, "seats": seats, "new": new, "old": old, "sets": played}
                    lines.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
