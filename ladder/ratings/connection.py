"""What can be compared with what: islands of a pool, their reference, and ratings with one end only.

A pool falls into **islands**: bots that never met, not even through others, or that fewer than `BRIDGE_SETS` sets
join although both sides are well joined inside. Nothing is said across islands; each has its own reference.

The **core** of an island is its largest set of bots between which results went both ways (a strongly connected
component of "was placed better than or level with"). The **reference**, from which ratings are counted, is a mean
over the core: weights follow the information about a bot and vanish for bots with less than half the games of the
busiest one, so newcomers and nearly unbeaten bots hardly move it. A bot that never lost to the core, directly or
through others, has no upper end; one that never won has no lower end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_flow

from ladder.ratings.results import Attendance, Floats, Ints, Results, pair_scores

Flags = npt.NDArray[np.bool_]

BRIDGE_SETS = 5
"""Fewer sets than this between two islands do not join them: so few say too little about the distance."""
SOLID_SETS = 2 * (BRIDGE_SETS - 1)
"""So many sets join bots more firmly than any bridge, which is at most half as strong as its sides."""
MOST_FLOWS = 300
"""Blocks of bots up to which bridges are looked for: in larger sparse pools only bots that never met are apart."""
SCALE = 60
"""Sets are counted in sixtieths, since flows are whole numbers: a set of n bots joins each pair by 1 / (n - 1)."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Islands and reference of a pool."""

    components: Ints
    """The number of the component of each player: without any game, direct or through others, between two of them."""
    islands: Ints
    """The number of the island of each player; the largest island is 0."""
    better: Flags
    """Players x players: the row's was placed better than or level with the column's at least once, on one island."""
    references: Floats
    """Islands x players: the share of each player in the reference of an island, adding up to 1."""
    reaches: Flags
    """Whether a player reaches its reference: only then its rating has a lower end."""
    reached: Flags
    """Whether the reference reaches a player: only then its rating has an upper end."""

    def reach(self, first: int, second: int) -> bool:
        """Whether results lead from one player down to another, so that their difference has a lower end."""
        found = breadth_first_order(csr_array(self.better.astype(np.int8)), first, return_predecessors=False)
        return bool(np.isin(second, found))


def connect(sittings: Attendance, better: Flags, information: Floats, games: Floats, anchor: int | None) -> Connection:
    """Islands, references and one-sidedness; `information` and `games` are those of each player."""
    components = components_of(better, "weak")
    islands = _islands(components, shared_sets(sittings, len(better)))
    better = better & (islands[:, None] == islands[None, :])
    count = len(better)
    references = np.zeros((int(islands.max(initial=-1)) + 1, count))
    reaches, reached = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    strong = components_of(better, "strong")
    down, up = csr_array(better.astype(np.int8)), csr_array(better.T.astype(np.int8))
    for island in range(len(references)):
        if anchor is not None and islands[anchor] == island:
            core = np.flatnonzero(strong == strong[anchor])
            references[island, anchor] = 1.0
        else:
            core, references[island] = _reference(np.flatnonzero(islands == island), strong, information, games)
        reached[breadth_first_order(down, core[0], return_predecessors=False)] = True
        reaches[breadth_first_order(up, core[0], return_predecessors=False)] = True
    return Connection(components, islands, better, references, reaches, reached)


def components_of(better: Flags, connection: Literal["weak", "strong"]) -> Ints:
    """The number of the component of each player: joined by any results (weak), or by results both ways (strong)."""
    _, labels = connected_components(csr_array(better.astype(np.int8)), connection=connection)
    return labels.astype(np.int64)


def better_or_level(results: Results) -> Flags:
    """Players x players: the row's was placed better than or level with the column's at least once."""
    count = len(results.names)
    better = np.zeros((count, count), dtype=bool)
    for batch in results.batches:
        scores = pair_scores(batch.places)
        for i, j in zip(*np.nonzero(scores), strict=True):
            better[batch.players[:, i], batch.players[:, j]] = True
    return better


def shared_sets(sittings: Attendance, count: int) -> Floats:
    """Players x players: the sets in which both sat, one of n players counted as 1 / (n - 1)."""
    widths = np.diff(sittings.first)
    shared = np.zeros(count * count)
    for width in np.unique(widths[widths > 1]):
        lineups = sittings.players[sittings.first[:-1][widths == width][:, None] + np.arange(width)]
        first, second = np.triu_indices(width, 1)
        cells = lineups[:, first] * count + lineups[:, second]
        shared += np.bincount(cells.ravel(), minlength=count * count) / (width - 1.0)
    half = shared.reshape(count, count)
    whole: Floats = half + half.T
    return whole


def _reference(members: Ints, strong: Ints, information: Floats, games: Floats) -> tuple[Ints, Floats]:
    """The core of an island and the share of each player in its reference.

    The core is the largest strongly connected part: by bots, then by information.
    """
    parts = [members[strong[members] == label] for label in dict.fromkeys(strong[members].tolist())]
    # Rounded, so that equal sums stay equal: then the first by name is the core.
    core = max(parts, key=lambda part: (len(part), float(f"{information[part].sum():.6g}")))
    weights = np.zeros(len(strong))
    weights[core] = information[core] * np.maximum(0.0, 2.0 * games[core] / games[core].max() - 1.0)
    if weights.sum() <= 0.0:
        weights[core] = 1.0
    return core, weights / weights.sum()


def _islands(components: Ints, shared: Floats) -> Ints:
    """Components, cut at bridges, and numbered by size."""
    parts: list[Ints] = []
    for component in range(int(components.max(initial=-1)) + 1):
        members = np.flatnonzero(components == component)
        parts += [members[part] for part in _cut(shared[np.ix_(members, members)])]
    labels = np.zeros(len(components), dtype=np.int64)
    for number, part in enumerate(sorted(parts, key=lambda part: (-len(part), int(part[0])))):
        labels[part] = number
    return labels


def _cut(shared: Floats) -> list[Ints]:
    """The islands of one component: its bots, separated at every cut that is a bridge."""
    block = _solid_blocks(shared)
    count = int(block.max()) + 1
    if not 1 < count <= MOST_FLOWS:
        return [np.arange(len(shared))]
    sizes = np.bincount(block, minlength=count)
    joined = np.zeros((count, count))
    np.add.at(joined, (block[:, None], block[None, :]), shared)
    np.fill_diagonal(joined, 0.0)
    parent, flow = _cut_tree(joined)
    bridges = [node for node in range(1, count) if _is_bridge(node, parent, flow, sizes)]
    keep = np.array([node for node in range(1, count) if node not in bridges], dtype=np.int64)
    tree = csr_array((np.ones(len(keep)), (keep, np.asarray(parent)[keep])), shape=(count, count))
    _, labels = connected_components(tree, directed=False)
    return [np.flatnonzero(labels[block] == label) for label in range(int(labels.max()) + 1)]


def _is_bridge(node: int, parent: Sequence[int], flow: Sequence[float], sizes: Ints) -> bool:
    """Whether the cut above a node of the tree is a bridge: few sets, and both sides hold together far better."""
    if flow[node] >= BRIDGE_SETS:
        return False
    below = {node}
    while following := {other for other in range(1, len(parent)) if parent[other] in below} - below:
        below |= following
    firm = max(BRIDGE_SETS, 2.0 * flow[node])
    for inside in (True, False):
        blocks = [other for other in range(len(parent)) if (other in below) is inside]
        held = any(sizes[other] > 1 for other in blocks)
        held = held or any(
            flow[other] >= firm and (parent[other] in below) is inside for other in blocks if other not in (0, node)
        )
        if not held:
            return False
    return True


def _solid_blocks(shared: Floats) -> Ints:
    """Blocks of bots of which no cut below `SOLID_SETS` separates any, by maximum-adjacency orders.

    In such an order every bot follows that is joined most strongly to those before it; that sum is a flow between the
    bot and the one before, so both belong to one block if it is large.
    """
    block = np.arange(len(shared), dtype=np.int64)
    joined = shared.copy()
    np.fill_diagonal(joined, 0.0)
    while len(joined) > 1:
        order, attached = _adjacency_order(joined)
        same = np.arange(len(joined))
        for before, at in pairwise(order):
            if attached[at] >= SOLID_SETS:
                same[at] = same[before]
        labels, merged = np.unique(same, return_inverse=True)
        if len(labels) == len(joined):
            break
        block = merged[block]
        following = np.zeros((len(labels), len(labels)))
        np.add.at(following, (merged[:, None], merged[None, :]), joined)
        np.fill_diagonal(following, 0.0)
        joined = following
    return block


def _adjacency_order(joined: Floats) -> tuple[list[int], Floats]:
    attached = joined[0].copy()
    order, left = [0], np.ones(len(joined), dtype=bool)
    left[0] = False
    strength = np.zeros(len(joined))
    for _ in range(len(joined) - 1):
        following = int(np.argmax(np.where(left, attached, -1.0)))
        strength[following] = attached[following]
        left[following] = False
        order.append(following)
        attached = attached + joined[following]
    return order, strength


def _cut_tree(joined: Floats) -> tuple[list[int], list[float]]:
    """A Gomory-Hu cut tree (Gusfield's way) with root 0: the parent of each node and the least cut between both."""
    count = len(joined)
    network = csr_array(np.rint(joined * SCALE).astype(np.int32))
    parent, flow = [0] * count, [0.0] * count
    for node in range(1, count):
        target = parent[node]
        found = maximum_flow(network, node, target)
        residual = csr_array((network - found.flow) > 0)
        side = set(breadth_first_order(residual, node, return_predecessors=False).tolist())
        flow[node] = found.flow_value / SCALE
        for other in range(count):
            if other not in (node, target) and parent[other] == target and other in side:
                parent[other] = node
        if parent[target] in side and target != 0:
            parent[node], parent[target] = parent[target], node
            flow[node], flow[target] = flow[target], flow[node]
    return parent, flow
