"""Measuring one bot against another in this process, on duplicate deals: the same luck with the seats rotated.

    duel("edo_yashiki", "greedy", "random", pairs=200).pairs.won        # of 200 deals, how many A won over both games
    field("edo_yashiki", "greedy", "random", sets=50, seats=4).place    # mean place of one A among three B

From a shell: `python -m tests.bots.duel edo_yashiki greedy random --pairs 200 --seats 2 --variant rules=specialists`.
The loop is `kernel.play` alone: no clock, no record; what a bot raises passes through.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bots.ask import Table
from bots.seated_bot import SeatedBot, Spent
from bots.specs import BotSpec, resolve
from referee.kernel import registry
from referee.kernel.chance import Sealed, secret_from_seed
from referee.kernel.game import AnyGame, Event, Option, Result, Seat, settle_variant
from referee.kernel.turns import advance, settle


class Asked(NamedTuple):
    """A decision as the players get it here, without a clock unless a test gives one."""

    ask: int
    kind: str
    options: Sequence[Option]
    view: object
    events: tuple[Event, ...]
    left: int | None = None
    budget: int | None = None
    timing: Spent | None = None


@dataclasses.dataclass
class Tally:
    """How often A did better than B, as well, and worse."""

    won: int = 0
    tied: int = 0
    lost: int = 0

    def count(self, a: float, b: float) -> None:
        """One comparison of places: the smaller is the better."""
        if a < b:
            self.won += 1
        elif a == b:
            self.tied += 1
        else:
            self.lost += 1

    @property
    def total(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def share(self) -> float:
        """Wins and half the ties, of all."""
        return (self.won + self.tied / 2) / max(1, self.total)


@dataclasses.dataclass
class Score:
    """What A achieved against B."""

    pairs: Tally = dataclasses.field(default_factory=Tally)
    """By deal: places summed over all games of one deal."""
    games: Tally = dataclasses.field(default_factory=Tally)
    """By game: A's mean place against B's."""
    places: list[float] = dataclasses.field(default_factory=list)
    other_places: list[float] = dataclasses.field(default_factory=list)
    points: list[float] = dataclasses.field(default_factory=list)
    other_points: list[float] = dataclasses.field(default_factory=list)
    shares: list[float] = dataclasses.field(default_factory=list)
    """By deal: wins and half the ties, of its games."""
    firsts: int = 0
    """Games in which the best of A came first, alone or not."""
    decisions: int = 0

    @property
    def place(self) -> float:
        """A's mean place."""
        return mean(self.places)

    @property
    def other_place(self) -> float:
        """B's mean place."""
        return mean(self.other_places)

    @property
    def interval(self) -> float:
        """Half the width of a 95% interval around the share of games, from the spread between deals."""
        deals = len(self.shares)
        if deals < 2:
            return 1.0
        middle = mean(self.shares)
        return 1.96 * math.sqrt(sum((share - middle) ** 2 for share in self.shares) / (deals - 1) / deals)

    def add(self, result: Result, seats_of_a: Sequence[Seat]) -> tuple[float, float]:
        """Count one game; returns the mean places of A and B."""
        seats_of_b = [seat for seat in range(len(result.places)) if seat not in seats_of_a]
        place_a = mean([result.places[seat] for seat in seats_of_a])
        place_b = mean([result.places[seat] for seat in seats_of_b])
        self.games.count(place_a, place_b)
        self.firsts += any(result.places[seat] == 1 for seat in seats_of_a)
        self.places.append(place_a)
        self.other_places.append(place_b)
        self.points.append(mean([result.points[seat] for seat in seats_of_a]))
        self.other_points.append(mean([result.points[seat] for seat in seats_of_b]))
        return place_a, place_b

    def __str__(self) -> str:
        pairs, games = self.pairs, self.games
        return (
            f"deals {pairs.won} won {pairs.tied} tied {pairs.lost} lost ({pairs.share:.1%}); "
            f"games {games.won} won {games.tied} tied {games.lost} lost ({games.share:.1%} ± {self.interval:.1%}), "
            f"first in {self.firsts / max(1, games.total):.1%}; "
            f"mean place {self.place:.2f} against {self.other_place:.2f}; "
            f"mean points {mean(self.points):.1f} against {mean(self.other_points):.1f}"
        )


def mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def duel(
    game_name: str,
    spec_a: str | BotSpec,
    spec_b: str | BotSpec,
    pairs: int,
    *,
    seats: int = 2,
    variant: Mapping[str, str] | None = None,
    seed: str = "duel",
) -> Score:
    """A against B: each deal twice, A in the even seats and then in the odd ones, B in the others."""
    evens, odds = tuple(range(0, seats, 2)), tuple(range(1, seats, 2))
    return _measure(game_name, spec_a, spec_b, pairs, (evens, odds), seats, variant or {}, seed)


def field(
    game_name: str,
    candidate: str | BotSpec,
    baseline: str | BotSpec,
    sets: int,
    *,
    seats: int,
    variant: Mapping[str, str] | None = None,
    seed: str = "field",
) -> Score:
    """One candidate against copies of a baseline: each deal once with the candidate in every seat."""
    return _measure(
        game_name, candidate, baseline, sets, [(seat,) for seat in range(seats)], seats, variant or {}, seed
    )


def _measure(
    game_name: str,
    spec_a: str | BotSpec,
    spec_b: str | BotSpec,
    deals: int,
    seatings: Sequence[tuple[Seat, ...]],
    seats: int,
    variant: Mapping[str, str],
    seed: str,
) -> Score:
    game = registry.game(game_name)
    rules = settle_variant(game, seats, variant)
    a, b = _resolved(spec_a), _resolved(spec_b)
    score = Score()
    for deal in range(deals):
        secret = secret_from_seed(f"{seed}/{deal}")
        total_a = total_b = 0.0
        games = Tally()
        for seats_of_a in seatings:
            seated = [a if seat in seats_of_a else b for seat in range(seats)]
            result, decisions = play_game(game, seated, secret, rules, f"{seed}/{deal}/{seats_of_a[0]}")
            place_a, place_b = score.add(result, seats_of_a)
            total_a += place_a
            total_b += place_b
            games.count(place_a, place_b)
            score.decisions += decisions
        score.pairs.count(total_a, total_b)
        score.shares.append(games.share)
    return score


def _resolved(spec: str | BotSpec) -> BotSpec:
    return resolve(spec) if isinstance(spec, str) else spec


def play_game(
    game: AnyGame, specs: Sequence[BotSpec], secret: bytes, variant: Mapping[str, str], match: str
) -> tuple[Result, int]:
    """One game of those bots by seat; returns the result and the number of decisions."""
    names = tuple(spec.name for spec in specs)
    players = [
        SeatedBot(spec.make(f"{match}/{seat}"), Table(match, game.name, seat, names, dict(variant)))
        for seat, spec in enumerate(specs)
    ]
    for player in players:
        player.seated()
    chance = Sealed(secret)
    state = game.start(len(specs), variant, chance)
    news: list[list[Event]] = [[] for _ in specs]
    asked = [0] * len(specs)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    while turn.asks:
        _spread(events, news)
        answers = {}
        for seat, kind in turn.asks:
            asked[seat] += 1
            options = turn.options[seat]
            given = Asked(asked[seat], kind, options, game.view(state, seat), tuple(news[seat]))
            news[seat].clear()
            answers[seat] = options[players[seat](given)]
        turn = advance(game, state, turn, answers, chance, events)
    _spread(events, news)
    result = game.result(state)
    assert result is not None
    for player, told in zip(players, news, strict=True):
        player.told(tuple(told))
        player.over(result)
    return result, sum(asked)


def _spread(events: list[Event], news: list[list[Event]]) -> None:
    """Hand the events to those who may know them."""
    for event in events:
        for seat in range(len(news)) if event.audience is None else event.audience:
            news[seat].append(event)
    events.clear()


def main() -> None:
    parser = argparse.ArgumentParser(description="play one bot against another on duplicate deals")
    parser.add_argument("game")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--pairs", type=int, default=100, help="deals")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--field", action="store_true", help="one A against copies of B, every rotation")
    parser.add_argument("--variant", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--seed", default="duel")
    given = parser.parse_args()
    variant = dict(pair.split("=", 1) for pair in given.variant)
    measure = field if given.field else duel
    begun = time.perf_counter()
    score = measure(given.game, given.a, given.b, given.pairs, seats=given.seats, variant=variant, seed=given.seed)
    spent = time.perf_counter() - begun
    print(f"{given.a} against {given.b} at {given.game}, {given.seats} seats: {score}")
    print(f"{score.games.total} games, {score.decisions} decisions, {score.decisions / spent:.0f} decisions/s")


if __name__ == "__main__":
    main()
