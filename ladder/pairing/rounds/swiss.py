"""A Swiss round: bots with equal points meet, and no bot meets another, or has a bye, again if that can be avoided.

- **Two seats**: a perfect matching of least price (`cost`), found by maximum weight matching (Edmonds' blossom
  algorithm, networkx). So the number of rematches and second byes is the least possible. Above `WHOLE` entrants the
  matching is made score group by score group from the top; what finds no new opponent in its group goes down to the
  next one, and only there may bots meet again.
- **More seats**: tables are filled greedily and improved by exchanging two bots as long as the price falls, from
  several starts; up to `EXACT` entrants all rounds are looked at, and the best one is taken.

If the bots do not fill all tables, the rest have a bye: the lowest ranked, each at most once as long as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random

from ladder.pairing.rounds.cost import Costs, Met, PairedRound, RoundEntrant

WHOLE = 200
"""Entrants up to which a round of two seats is one matching."""
EXACT = 9
"""Entrants up to which all rounds of more than two seats are looked at."""
STARTS = 20_000
"""Starts of the exchanges, divided by the square of the number of entrants."""
MOST_STARTS = 60
NEAR = 12
"""Tables, in the order of the ranking, between which bots are exchanged."""


def swiss_round(contenders: Sequence[RoundEntrant], met: Met, seats: int) -> PairedRound:
    """The next round; `contenders` in the order of their ranking. Raises ValueError if they do not fill a table."""
    if len(contenders) < seats:
        raise ValueError(f"a table of {seats} seats needs {seats} bots; {len(contenders)} are there")
    if seats == 2 and len(contenders) > WHOLE:
        return _by_groups(contenders, met)
    if seats == 2:
        return _named(contenders, *_matched(Costs(contenders, met, seats)))
    rounds = [_named(part, *_best_of_more(Costs(part, met, seats), seats)) for part in _parts(contenders, seats)]
    return PairedRound(
        tuple(table for found in rounds for table in found.tables),
        tuple(name for found in rounds for name in found.byes),
    )


def _parts(contenders: Sequence[RoundEntrant], seats: int) -> list[Sequence[RoundEntrant]]:
    """The contenders in parts that are paired on their own: all of them, or neighbours of the ranking above `WHOLE`."""
    size = WHOLE // seats * seats
    starts = list(range(0, len(contenders), size))
    if len(starts) > 1 and len(contenders) - starts[-1] < seats:
        starts.pop()
    return [
        contenders[start : (starts[index + 1] if index + 1 < len(starts) else len(contenders))]
        for index, start in enumerate(starts)
    ]


def _named(contenders: Sequence[RoundEntrant], tables: Iterable[Sequence[int]], byes: Iterable[int]) -> PairedRound:
    """Numbers as names; tables in the order of their best bot."""
    ordered = sorted(tuple(sorted(table)) for table in tables)
    return PairedRound(
        tuple(tuple(contenders[number].name for number in table) for table in ordered),
        tuple(contenders[number].name for number in sorted(byes)),
    )


def _matched(costs: Costs) -> tuple[list[tuple[int, int]], list[int]]:
    """The perfect matching of least price: pairs of ranks, and the bye of an odd number."""
    bye = costs.count
    edges = [(one, other, -price) for one, other, price in costs.edges()]
    if costs.count % 2:
        edges += [(number, bye, -price) for number, price in enumerate(costs.bye)]
    found = _matching(edges)
    return [pair for pair in found if pair[1] != bye], [one for one, other in found if other == bye]


def _matching(edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """As many pairs as possible, of those the ones with the largest sum of weights; the smaller number first."""
    import networkx as nx  # here: networkx takes half a second to load, and most commands pair nothing

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    return [(min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True)]


def _by_groups(contenders: Sequence[RoundEntrant], met: Met) -> PairedRound:
    """A round of very many entrants: group by group, where repeats are left to the last group."""
    rest = list(contenders)
    done: list[list[RoundEntrant]] = []
    """The pairs of each group, flat."""
    carried: list[RoundEntrant] = []
    while rest:
        size = next((index for index, entry in enumerate(rest) if entry.points != rest[0].points), len(rest))
        size = max(1, min(size, WHOLE - len(carried)))
        group, rest = carried + rest[:size], rest[size:]
        if not rest:
            return _with_last_group(group, done, met)
        paired, carried = _group(group, met)
        done.append(paired)
    raise AssertionError("the last group ends the round")


def _group(group: list[RoundEntrant], met: Met) -> tuple[list[RoundEntrant], list[RoundEntrant]]:
    """Pairs of a group without any rematch, flat, and those of the group that go down."""
    costs = Costs(group, met, 2)
    down = costs.count
    edges = [(one, other, -price) for one, other, price in costs.edges() if price < costs.repeat]
    if costs.count % 2:
        edges += [(number, down, -(price % costs.repeat)) for number, price in enumerate(costs.bye)]
    pairs = _matching(edges)
    paired = [number for pair in pairs if down not in pair for number in pair]
    left = sorted(set(range(costs.count)).difference(paired))
    return [group[number] for number in paired], [group[number] for number in left]


def _with_last_group(group: list[RoundEntrant], done: list[list[RoundEntrant]], met: Met) -> PairedRound:
    """The whole round; if the last group cannot be paired without repeats it takes in the group above."""
    while True:
        costs = Costs(group, met, 2)
        tables, byes = _matched(costs)
        if costs.of(tables, byes) < costs.repeat or not done or len(group) + len(done[-1]) > 2 * WHOLE:
            last = _named(group, tables, byes)
            above = [tuple(entry.name for entry in flat[at : at + 2]) for flat in done for at in range(0, len(flat), 2)]
            return PairedRound((*above, *last.tables), last.byes)
        ranking = {entry.name: entry for entry in (*done.pop(), *group)}
        group = sorted(ranking.values(), key=lambda entry: -entry.points)


def _best_of_more(costs: Costs, seats: int) -> tuple[list[list[int]], list[int]]:
    """Tables and byes of more than two seats: all rounds are looked at if there are few, else exchanges find one."""
    if costs.count <= EXACT:
        return min(_all_rounds(costs.count, seats), key=lambda found: costs.of(*found))
    starts = max(1, min(MOST_STARTS, STARTS // costs.count**2))
    return min((exchanged(costs, seats, number) for number in range(starts)), key=lambda found: costs.of(*found))


def _all_rounds(count: int, seats: int) -> Iterator[tuple[list[list[int]], list[int]]]:
    """Every way to seat the ranks below `count`."""
    for byes in combinations(range(count), count % seats):
        for tables in _partitions([number for number in range(count) if number not in byes], seats):
            yield tables, list(byes)


def _partitions(numbers: Sequence[int], seats: int) -> Iterator[list[list[int]]]:
    if not numbers:
        yield []
        return
    for others in combinations(numbers[1:], seats - 1):
        rest = [number for number in numbers[1:] if number not in others]
        for tables in _partitions(rest, seats):
            yield [[numbers[0], *others], *tables]


def exchanged(costs: Costs, seats: int, start: int) -> tuple[list[list[int]], list[int]]:
    """Tables and byes by filling greedily and exchanging; `start` 0 fills by rank, others in an order of their own."""
    order = list(range(costs.count))
    if start:
        Random(start).shuffle(order)
    tables, byes = _filled(costs, seats, order)
    tables.sort(key=min)
    _exchange(costs, tables, byes)
    return tables, byes


def _filled(costs: Costs, seats: int, order: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Tables that are filled one after the other, each with the bots that cost least."""
    byes = sorted(order, key=lambda number: costs.bye[number])[: costs.count % seats]
    waiting = [number for number in order if number not in byes]
    tables = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < seats:
            chosen = min(range(len(waiting)), key=lambda index: (_joining(costs, table, waiting[index]), index))
            table.append(waiting.pop(chosen))
        tables.append(table)
    return tables, byes


def _exchange(costs: Costs, tables: list[list[int]], byes: list[int]) -> None:
    """Exchange two bots of different places as long as that lowers the price; tables that lie far apart do not."""
    improved = True
    while improved:
        improved = False
        for index, here in enumerate(tables):
            for there in [*tables[index + 1 : index + 1 + NEAR], byes]:
                improved = _exchange_between(costs, here, there, there is byes) or improved


def _exchange_between(costs: Costs, here: list[int], there: list[int], resting: bool) -> bool:
    """Exchange bots of two tables, or of a table and the byes; whether one was."""
    pair = costs.pair
    improved = False
    for seat in range(len(here)):
        for place in range(len(there)):
            one, other = here[seat], there[place]
            change = sum(pair[other][mate] - pair[one][mate] for mate in here if mate != one)
            if resting:
                change += costs.bye[one] - costs.bye[other]
            else:
                change += sum(pair[one][mate] - pair[other][mate] for mate in there if mate != other)
            if change < 0:
                here[seat], there[place] = other, one
                improved = True
    return improved


def _joining(costs: Costs, table: Sequence[int], number: int) -> int:
    return sum(costs.pair[number][other] for other in table)
