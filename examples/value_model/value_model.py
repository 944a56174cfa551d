"""A value model for Edo Yashiki: how many points a seat will be ahead of the best other at the end, from what it sees.

`python value_model.py decisions.jsonl model.json` fits the model to exported decisions by least squares. The bot
`py:value_model:Valued` answers with the option after which the model promises most.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kumite import Bot

MODEL = "model.json"
NAMES = ("constant", "round", "ahead", "ahead * round", "width", "height")


def features(seat: int, number: int, scores: Sequence[int], places: Sequence[tuple[int, int]]) -> list[float]:
    """The model's inputs: the round, the lead so far, and the size of the seat's own house."""
    ahead = scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    across, down = zip(*places, strict=True)
    return [1.0, number, ahead, ahead * number, max(across) - min(across) + 1, max(down) - min(down) + 1]


def of_row(view: dict, seat: int) -> list[float]:
    """The features of an exported view. The cards of all houses stand in one list, house after house."""
    begin = sum(view["house_sizes"][:seat])
    own = slice(begin, begin + view["house_sizes"][seat])
    places = list(zip(view["house_x"][own], view["house_y"][own], strict=True))
    return features(seat, view["round"], view["scores"], places)


def examples(path: Path) -> Iterator[tuple[list[float], float]]:
    """The features of each decision, and how many points the seat was ahead in the end."""
    ends: dict[str, dict[int, int]] = {}
    for row in rows(path):
        ends.setdefault(row["match"], {})[row["seat"]] = row["points"]
    for row in rows(path):
        end, seat = ends[row["match"]], row["seat"]
        if len(end) == row["seats"] and None not in end.values():
            yield of_row(row["view"], seat), end[seat] - max(end[other] for other in end if other != seat)


def rows(path: Path) -> Iterator[dict]:
    """The decisions of a file, one at a time."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def train(decisions: Path, model: Path) -> float:
    """Fit the model and write it; returns the share of the variance that it explains."""
    inputs, targets = map(np.array, zip(*examples(decisions), strict=True))
    weights, *_ = np.linalg.lstsq(inputs, targets, rcond=None)
    model.write_text(json.dumps(dict(zip(NAMES, weights.tolist(), strict=True)), indent=2) + "\n", encoding="utf-8")
    return 1 - float(np.var(targets - inputs @ weights) / np.var(targets))


class Valued(Bot):
    """The option after which the model promises most."""

    games = ("edo_yashiki",)

    def __init__(self, model: str = MODEL) -> None:
        weights = json.loads(Path(model).read_text(encoding="utf-8"))
        self.weights = [weights[name] for name in NAMES]

    def decide(self, ask):
        values = [self.value(ask.after(index).view, ask.seat) for index in range(ask.count)]
        best = values.index(max(values))
        ask.note(f"{values[best]:+.1f} points in the end")
        return best

    def value(self, view, seat):
        """What the model promises a seat of a view."""
        places = [(across, down) for _, across, down, _ in view.houses[seat].cards]
        found = features(seat, view.round, view.scores, places)
        return sum(weight * value for weight, value in zip(self.weights, found, strict=True))


if __name__ == "__main__":
    print(f"explains {train(Path(sys.argv[1]), Path(sys.argv[2])):.0%} of the variance")
