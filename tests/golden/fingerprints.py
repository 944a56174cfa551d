"""Last hashes of 200 records over all games, seats and variants: `python -m tests.golden.fingerprints` prints them.

A change that is meant to change no behaviour leaves every line as it is. Bots answer by a rule of their own, time is a
counter, and some matches have a clock and illegal answers, so both loops of the in-process driver and the stand-in take
part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import count, cycle, islice
from pathlib import Path

from referee.kernel import registry
from referee.kernel.game import AnyGame
from referee.match.clock import Clock
from referee.match.inprocess import play
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan

KEPT = Path(__file__).parent / "fingerprints.txt"
MATCHES = 200
CLOCKS = ("none", "none", "10m", "1m+1s")


def bot(seed: str, wrong: bool) -> Callable[[Asked], int]:
    """A bot whose answers are drawn from a hash of the seed, seat and ask; `wrong`: some are no option."""

    def answer(asked: Asked) -> int:
        digest = blake2b(f"{seed}/{asked.seat}/{asked.ask}".encode(), digest_size=8).digest()
        drawn = int.from_bytes(digest, "big")
        if wrong and drawn % 31 == 0:
            return len(asked.options)
        return (drawn >> 8) % len(asked.options)

    return answer


def settings(game: AnyGame) -> Iterator[tuple[int, dict[str, str]]]:
    """For every number of seats the defaults and every other value of each setting, over and over."""
    found: list[tuple[int, dict[str, str]]] = []
    for seats in game.seats:
        found.append((seats, {}))
        for name, choices in game.variants.items():
            if choices.seats is None or seats in choices.seats:
                found.extend((seats, {name: value}) for value in choices.values if value != choices.default)
    return cycle(found)


def fingerprints() -> list[str]:
    """A line for each match: game, seats, clock and last hash."""
    lines = []
    games = [registry.game(name) for name in registry.names()]
    for game in games:
        for number, (seats, variant) in enumerate(islice(settings(game), MATCHES // len(games))):
            seed = f"{game.name}-{number}"
            secret = blake2b(seed.encode(), digest_size=32).digest()
            clock = CLOCKS[number % len(CLOCKS)]
            names = tuple(f"bot-{seat}" for seat in range(seats))
            plan = MatchPlan(game.name, names, seed, secret, variant, Clock.parse(clock))
            moments = count(step=997)
            bots = [bot(seed, wrong=number % 5 == seat) for seat in range(seats)]
            record = play(game, plan, bots, lambda moments=moments: next(moments))  # type: ignore[misc]
            lines.append(f"{game.name} {number} {seats} {clock} {len(record.steps)} {record.last_hash()}")
    return lines


if __name__ == "__main__":
    print("\n".join(fingerprints()))
