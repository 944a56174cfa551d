"""Who stands where: points, tie-breaks and, in a knockout, how far a bot came.

Of bots with equal points the order is decided, in this order, by direct encounter, Buchholz, Sonneborn-Berger and the
better seed. docs/events.md defines each, for two seats and for more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby, permutations
from typing import NamedTuple

from ladder.config.event_rules import EventFormat
from ladder.events.state import NOTHING, ONE, EventGame, EventRound, Tournament
from ladder.events.ties import final_order


class EventStanding(NamedTuple):
    """How a bot stands."""

    name: str
    rank: int
    """Bots that share a place in a knockout have the same."""
    points: Fraction
    direct: Fraction
    """The direct encounter among the bots of equal points; 0 where it decides nothing."""
    buchholz: Fraction
    sonneborn_berger: Fraction
    seed: int
    reached: int = 0
    """Knockout: the last round in which the bot stood, plus one for the winner; otherwise 0."""


def points(event: Tournament) -> dict[str, Fraction]:
    """The points of every entrant: the sum of what its rounds brought."""
    return {name: sum((round_points(event, found, name) for found in event.rounds), NOTHING) for name in event.names}


def round_points(event: Tournament, found: EventRound, name: str) -> Fraction:
    """What a round brought a bot: its table's mean score; a bye of a Swiss event counts as a win, a rest as nothing."""
    table = found.table(name)
    if table is not None:
        return table.score(name)
    return ONE if name in found.byes and event.rules.format is EventFormat.SWISS else NOTHING


def standings(event: Tournament) -> list[EventStanding]:
    """All entrants, best first."""
    total = points(event)
    direct = _direct(event, total)
    buchholz = {name: _of_opponents(event, name, total, scored=False) for name in event.names}
    berger = {name: _of_opponents(event, name, total, scored=True) for name in event.names}
    seeds = event.seeds
    reached = {name: _reached(event, name) for name in event.names}
    last = {name: _last_table(event, name) for name in event.names}

    def key(name: str) -> tuple[object, ...]:
        if event.rules.format is EventFormat.KNOCKOUT:
            return (-reached[name], last[name])
        return (-total[name], -direct[name], -buchholz[name], -berger[name], seeds[name])

    ordered = sorted(event.names, key=lambda name: (key(name), seeds[name]))
    keys = [key(name) for name in ordered]
    return [
        EventStanding(
            name,
            1 + keys.index(key(name)),
            total[name],
            direct[name],
            buchholz[name],
            berger[name],
            seeds[name],
            reached[name],
        )
        for name in ordered
    ]


def _direct(event: Tournament, total: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """By bot: its score against the others of equal points, where every two of them have met; otherwise 0."""
    against: dict[tuple[str, str], Fraction] = {}
    for game in event.games():
        if game.played:
            for name, other in permutations(game.players, 2):
                against[name, other] = against.get((name, other), NOTHING) + game.against(name, other)
    found: dict[str, Fraction] = {}
    for _, level in groupby(sorted(total, key=lambda name: total[name]), key=lambda name: total[name]):
        names = list(level)
        met = all(pair in against for pair in permutations(names, 2))
        for name in names:
            mine = (against[name, other] for other in names if other != name) if met else ()
            found[name] = sum(mine, NOTHING)
    return found


def _of_opponents(event: Tournament, name: str, total: Mapping[str, Fraction], *, scored: bool) -> Fraction:
    """Buchholz: the sum over rounds of the mean points of the bots that a bot met; unplayed rounds count its own.

    `scored`: Sonneborn-Berger, in which the points of each bot are multiplied by the score against it.
    """
    return sum((_of_round(event, found, name, total, scored) for found in event.rounds), NOTHING)


def _of_round(event: Tournament, found: EventRound, name: str, total: Mapping[str, Fraction], scored: bool) -> Fraction:
    table = found.table(name)
    if name in found.byes and event.rules.format is not EventFormat.SWISS:
        return NOTHING  # a rest is no round of the bot's
    played = [] if table is None else [game for game in table.games if game.played]
    if not played:
        return total[name] * (round_points(event, found, name) if scored else ONE)
    means = [_mean(game, name, total, scored) for game in played]
    return sum(means, NOTHING) / len(means)


def _mean(game: EventGame, name: str, total: Mapping[str, Fraction], scored: bool) -> Fraction:
    others = [other for other in game.players if other != name]
    worth = [total[other] * (game.against(name, other) if scored else ONE) for other in others]
    return sum(worth, NOTHING) / len(others)


def _reached(event: Tournament, name: str) -> int:
    """Knockout: the number of the last round in which a bot stood; the winner of an event that is over has one more."""
    if event.rules.format is not EventFormat.KNOCKOUT:
        return 0
    rounds = [found.number for found in event.rounds if name in found.byes or found.table(name) is not None]
    reached = max(rounds, default=0)
    if event.state == "over" and reached == len(event.rounds) and event.rounds:
        return reached + (name == _winner(event))
    return reached


def _winner(event: Tournament) -> str | None:
    """The bot that is left of a knockout."""
    last = event.rounds[-1]
    if len(last.tables) != 1 or last.byes:
        return None
    return final_order(event, last.tables[0])[0]


def _last_table(event: Tournament, name: str) -> int:
    """Knockout of more seats: the place of a bot at the last table at which it sat; otherwise 0."""
    if event.rules.format is not EventFormat.KNOCKOUT or event.rules.bracket:
        return 0
    for found in reversed(event.rounds):
        table = found.table(name)
        if table is not None and table.over:
            return final_order(event, table).index(name)
    return 0


def met(rounds: Iterable[EventRound]) -> dict[frozenset[str], int]:
    """In how many rounds each pair of bots sat at one table; a table that was only forfeited does not count."""
    found: dict[frozenset[str], int] = {}
    for each in rounds:
        for table in each.tables:
            if all(game.absent is not None for game in table.games):
                continue
            for pair in map(frozenset, combinations(table.bots, 2)):
                found[pair] = found.get(pair, 0) + 1
    return found


def ranked_names(event: Tournament, names: Sequence[str]) -> list[str]:
    """Bots in the order of points, then seeds: the ranking from which a Swiss round is paired."""
    total, seeds = points(event), event.seeds
    return sorted(names, key=lambda name: (-total[name], seeds[name]))
