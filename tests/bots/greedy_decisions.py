"""Digests of greedy's decisions: `python -m tests.bots.greedy_decisions` writes them anew.

Each line stands for one game in which every seat is greedy, with a fixed seed: the game, seats, settings, and a digest
of all answers in their order. Work on the speed of greedy may not change a line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bots.specs import resolve
from ladder.arena.play import play_match
from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting
from referee.kernel.game import settle_variant
from referee.match.plan import MatchPlan

FILE = Path(__file__).parents[1] / "golden" / "greedy_decisions.txt"
SETTINGS: dict[str, tuple[dict[str, str], ...]] = {
    "honshu": (
        {},
        {"layering": "flat", "province_side": "B", "scoring_card": "5"},
        {"factories": "3-4-5", "scoring_card": "2"},
        {"scoring_card": "4", "equals_cards": "replace"},
        {"scoring_card": "7"},
    ),
    "white_castle": ({}, {"first_cards": "on"}, {"rival": "hard"}),
    "ninjato": ({},),
    "edo_yashiki": ({}, {"rules": "specialists"}),
}
"""By game: the settings that are played at every number of seats that has them."""


class Playing(NamedTuple):
    """One game of greedy bots."""

    game: str
    seats: int
    settings: dict[str, str]

    def digest(self) -> str:
        """A digest of every answer, in order."""
        name = f"{self.game} {self.seats} {sorted(self.settings.items())}"
        rules = settle_variant(registry.game(self.game), self.seats, self.settings)
        players = tuple(f"greedy-{seat}" for seat in range(self.seats))
        plan = MatchPlan(self.game, players, "decisions", secret_from_seed(name), rules)
        record = play_match(plan, [resolve("greedy")] * self.seats, dice="decisions")
        answers = [sorted(step.answers.items()) for step in record.steps]
        return hashlib.blake2b(repr(answers).encode(), digest_size=8).hexdigest()

    def __str__(self) -> str:
        settings = ",".join(f"{key}={value}" for key, value in sorted(self.settings.items()))
        return f"{self.game} {self.seats} {settings or 'default'}"


def playings() -> Iterator[Playing]:
    """Every game that the file has."""
    for name, variants in SETTINGS.items():
        game = registry.game(name)
        for seats in game.seats:
            for settings in variants:
                try:
                    settle_variant(game, seats, settings)
                except BadSetting:
                    continue  # a setting of other numbers of seats
                yield Playing(name, seats, settings)


def written() -> dict[str, str]:
    """The digests of the file, by game."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in lines}


if __name__ == "__main__":
    FILE.write_text("".join(f"{playing} {playing.digest()}\n" for playing in playings()), encoding="utf-8")
