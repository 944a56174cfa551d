"""The drawings of a gate's report: the path of the test between its bounds, and how the sets ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ladder.web.drawing.gate_sentences import path_finding
from ladder.web.drawing.plots import curves, level_rules, percent, plot, ticks
from ladder.web.drawing.words import counted, grouped, share, signed

DOTS = 60
"""Most looks that are drawn as dots; a longer path is a line alone."""
NUMBERED = 13
"""Most bars that carry their number."""


class Point(NamedTuple):
    """A look at the test."""

    sets: int
    llr: float | None
    lower: float
    upper: float


class _Field(NamedTuple):
    """The ground of a path: how many sets it is wide and which ratios it is high."""

    sets: float
    low: float
    high: float

    def x(self, sets: float) -> float:
        """The place of a number of sets, in per cent."""
        return 100.0 * sets / self.sets

    def y(self, llr: float) -> float:
        """The place of a ratio, in per cent from the top."""
        return 100.0 * (self.high - llr) / (self.high - self.low)

    def line(self, places: Sequence[tuple[float, float]]) -> str:
        """A line through (sets, ratio), in thousandths."""
        return "M" + "L".join(f"{10 * self.x(sets):.1f} {10 * self.y(llr):.1f}" for sets, llr in places)


def walk(points: Sequence[Point], name: str) -> Markup:
    """The log-likelihood ratio over the sets between its two bounds; empty before the first look."""
    seen = [(point.sets, point.llr) for point in points if point.llr is not None]
    if not seen or not seen[-1][0]:
        return Markup("")
    last = points[-1]
    marks = [mark for mark in ticks(0, last.sets, 5) if mark == int(mark)]
    step = marks[1] if len(marks) > 1 else 1.0
    width = step * -(-last.sets // step)
    lower = _extended([(point.sets, point.lower) for point in points], width)
    upper = _extended([(point.sets, point.upper) for point in points], width)
    ends = [llr for _, llr in (*seen, *lower, *upper)]
    room = 0.13 * (max(ends) - min(ends))
    field = _Field(width, min(ends) - room, max(ends) + room)
    sets, llr = seen[-1]
    inner = (
        curves(_zones(field, lower, upper))
        + level_rules(
            ticks(field.low + room, field.high - room, 4), field.y, lambda mark: signed(mark, int(mark % 1 > 0))
        )
        + curves(Markup('<path class="walk" d="{}"/>').format(field.line(seen)))
        + _bound_names(field, points)
        + _dots(field, seen)
        + _end(field, sets, llr)
        + _below(field, step)
    )
    return plot(inner, path_finding(llr, sets, last.lower, last.upper, name))


def _extended(bound: Sequence[tuple[float, float]], width: float) -> list[tuple[float, float]]:
    """A bound up to the right edge, as it went on so far."""
    (first, start), (last, end) = bound[0], bound[-1]
    return [*bound, (width, start + (end - start) * (width - first) / (last - first))]


def _zones(field: _Field, lower: Sequence[tuple[float, float]], upper: Sequence[tuple[float, float]]) -> Markup:
    """Where the test stops, tinted, and the bounds as lines; a triangle ends where its sides meet."""
    pairs = list(zip(lower, upper, strict=True))
    met = next((number for number, (low, high) in enumerate(pairs) if low[1] >= high[1]), None)
    if met is not None:
        (sets, low), (_, high) = pairs[met - 1]
        (after, next_low), (_, next_high) = pairs[met]
        part = (high - low) / ((high - low) + (next_low - next_high))
        apex = sets + part * (after - sets), low + part * (next_low - low)
        lower, upper = [*lower[:met], apex, (field.sets, apex[1])], [*upper[:met], apex, (field.sets, apex[1])]
    top = f"{field.line(upper)}L1000 0L0 0Z"
    bottom = f"{field.line(lower)}L1000 1000L0 1000Z"
    return Markup(
        '<path class="zone yes" d="{}"/><path class="zone no" d="{}"/><path class="bound" d="{}"/>'
        '<path class="bound" d="{}"/>'
    ).format(top, bottom, field.line(upper), field.line(lower))


def _bound_names(field: _Field, points: Sequence[Point]) -> Markup:
    first, last = points[0], points[-1]
    fixed = first.upper == last.upper
    return Markup("").join(
        Markup('<text class="lab on" x="0" dx="6" y="{}" dy="{}">{}<tspan class="wide"> {}</tspan></text>').format(
            percent(field.y(bound)), shift, name, f"{word} {signed(bound, 2)}" if fixed else f"{word} this line"
        )
        for bound, shift, name, word in (
            (first.upper, -8, "accepted", "above"),
            (first.lower, 18, "rejected", "below"),
        )
    )


def _dots(field: _Field, seen: Sequence[tuple[int, float]]) -> Markup:
    if len(seen) > DOTS:
        return Markup("")
    return Markup("").join(
        Markup('<circle class="pt" cx="{}" cy="{}" r="2.5" data-tip="{}"/>').format(
            percent(field.x(sets)), percent(field.y(llr)), f"{counted(sets, 'set')}: {signed(llr, 2)}"
        )
        for sets, llr in seen
    )


def _end(field: _Field, sets: int, llr: float) -> Markup:
    """The last look, with its figures beside it."""
    x, y = percent(field.x(sets)), percent(field.y(llr))
    return Markup(
        '<circle class="endc" cx="{}" cy="{}" r="5"/><text class="lab on" x="{}" dx="-10" y="{}" dy="{}" '
        'text-anchor="end">{} after {}</text>'
    ).format(x, y, x, y, 20 if llr < 0 else -10, signed(llr, 2), counted(sets, "set"))


def _below(field: _Field, step: float) -> Markup:
    marks = [step * number for number in range(int(field.sets / step) + 1)]
    figures = Markup("").join(
        Markup('<text class="{}" x="{}" y="100%" dy="18" text-anchor="middle">{}</text>').format(
            "wide" if number % 2 else "", percent(field.x(mark)), grouped(mark)
        )
        for number, mark in enumerate(marks)
    )
    return figures + Markup('<text x="100%" y="100%" dy="34" text-anchor="end">sets counted</text>')


def score_name(number: int, cells: int, seats: int) -> str:
    """The score of a cell: points of two games at two seats, otherwise the share of the comparisons won."""
    if seats == 2 and cells == 5:
        return ("0", "½", "1", "1½", "2")[number]
    return share(number / (cells - 1))


def set_scores(counts: Sequence[int], seats: int) -> Markup:
    """Sets by the score of the candidate, worst first: lost ones, level ones and won ones by colour."""
    cells, total, most = len(counts), max(1, sum(counts)), max(1, *counts)
    middle, width = (cells - 1) / 2, 100.0 / cells
    bars = Markup("").join(
        Markup('<rect class="bars {}" x="{}" width="{}" y="{}" height="{}" data-tip="{}"/>{}').format(
            "bad" if number < middle else "even" if number == middle else "",
            percent(width * (number + 0.15)),
            percent(width * 0.7),
            percent(100.0 - 87.0 * count / most),
            percent(87.0 * count / most),
            f"{score_name(number, cells, seats)}: {grouped(count)} of {counted(total, 'set')}",
            _number(count, width * (number + 0.5), 100.0 - 87.0 * count / most) if cells <= NUMBERED else "",
        )
        for number, count in enumerate(counts)
    )
    named = range(cells) if cells <= 5 else sorted({round(part * (cells - 1) / 4) for part in range(5)})
    names = Markup("").join(
        Markup('<text x="{}" y="100%" dy="18" text-anchor="middle">{}</text>').format(
            percent(width * (number + 0.5)), score_name(number, cells, seats)
        )
        for number in named
    )
    unit = "points of two games" if seats == 2 and cells == 5 else "score against the old bots"
    below = Markup(
        '<line class="base" x1="0" x2="100%" y1="100%" y2="100%"/><text x="100%" y="100%" dy="34" '
        'text-anchor="end">{}</text>'
    ).format(unit)
    lost, won = sum(counts[: cells // 2]), sum(counts[-(cells // 2) :])
    label = f"Sets by score of the new bot: {grouped(lost)} below one half, {grouped(won)} above, of {grouped(total)}"
    return plot(bars + names + below, label, "bare")


def _number(count: int, x: float, y: float) -> Markup:
    return Markup('<text class="lab on" x="{}" y="{}" dy="-6" text-anchor="middle">{}</text>').format(
        percent(x), percent(y), grouped(count)
    )
