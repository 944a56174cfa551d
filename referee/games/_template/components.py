"""The cards and numbers of Lanterns, read from `components.toml` once and checked."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kernel.components import read
from referee.kernel.errors import RulesBug

_TABLES, DIGEST = read("referee.games._template")


def _require(holds: bool, fact: str) -> None:
    if not holds:
        raise RulesBug(f"components.toml of the template: {fact}")


TITLE: str = _TABLES["game"]["title"]
SEATS = range(_TABLES["game"]["players_min"], _TABLES["game"]["players_max"] + 1)
HAND_SIZE: int = _TABLES["game"]["hand_size"]
ROUNDS: Mapping[str, int] = {length: _TABLES["rounds"][length] for length in ("short", "long")}
"""By value of the setting `length`, the default first (T-2.1)."""
CARDS = tuple(int(number) for number in _TABLES["cards"]["numbers"])
"""The lantern cards, ascending (T-1.1)."""
PRIZES = tuple(int(face) for face in _TABLES["die"]["faces"])
"""The faces of the die (T-1.2)."""

_require(len(CARDS) == _TABLES["cards"]["count"], "the cards are as many as counted")
_require(list(CARDS) == sorted(set(CARDS)), "the cards are different and ascending")
_require(max(SEATS) * HAND_SIZE + max(ROUNDS.values()) <= len(CARDS), "the deck suffices for every reward")
_require(max(ROUNDS.values()) <= HAND_SIZE, "a seat has a card to bid in every round")
