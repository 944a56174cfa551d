"""Plots as SVG: intervals on a common axis, bars, sparks, curves with bands, heat maps.

A drawing has no viewBox of its own: places are per cent of the element, so that it stretches with its column while type
and strokes keep their size; curves lie in an inner svg that does stretch. Colours come by class, never by attribute, so
that one drawing serves both themes and print, and there are no style attributes: the pages' content security policy
forbids them. Every drawing has a name for screen readers that tells the finding, or is hidden from them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from ladder.web.drawing.words import SEAT_MARKS, grouped, signed

UNSETTLED = 0.25
"""The share of the matches, at the beginning, that the axis of a history need not hold."""
ROW = 36
"""Pixels of an interval's height."""


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two ends, at most `most` of them."""
    if not high > low:
        return [low]
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(step * factor for factor in (1, 2, 2.5, 5, 10) if (high - low) / (step * factor) <= most)
    first = math.ceil(low / step) * step
    return [first + step * number + 0.0 for number in range(int((high - first) / step + 1e-9) + 1)]


def percent(value: float) -> str:
    """A place in a drawing."""
    return f"{value:.2f}%"


@dataclass(frozen=True, slots=True)
class Axis:
    """A horizontal axis that the intervals of several rows share."""

    low: float
    high: float
    marks: tuple[float, ...]
    zero: float | None = None
    """The mark that is drawn stronger."""
    text: Callable[[float], str] = grouped

    @classmethod
    def over(
        cls,
        values: Iterable[float | None],
        *,
        most: int = 6,
        zero: float | None = None,
        text: Callable[[float], str] = grouped,
    ) -> Axis:
        """The axis that holds all these values; None and infinite ones do not widen it."""
        known = [value for value in values if value is not None and math.isfinite(value)]
        if zero is not None:
            known.append(zero)
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        room = (high - low) * 0.06 or 50.0
        return cls(low - room, high + room, tuple(ticks(low - room, high + room, most)), zero, text)

    def at(self, value: float) -> float:
        """The place of a value in per cent, held inside the axis."""
        return min(100.0, max(0.0, 100.0 * (value - self.low) / (self.high - self.low)))

    def rules(self) -> Markup:
        """Upright lines at the marks."""
        return Markup("").join(
            Markup('<line class="{}" x1="{}" x2="{}" y1="0" y2="100%"/>').format(
                "zero" if mark == self.zero else "grid", percent(self.at(mark)), percent(self.at(mark))
            )
            for mark in self.marks
        )

    def head(self) -> Markup:
        """The marks as figures, for the head of a column."""
        figures = Markup("").join(
            Markup('<text x="{}" y="11" text-anchor="middle">{}</text>').format(percent(self.at(mark)), self.text(mark))
            for mark in self.marks
        )
        return Markup('<svg class="iv" aria-hidden="true">{}</svg>').format(figures)


def _bar(low: float, high: float, middle: float) -> Markup:
    return Markup('<rect class="span" x="{}" width="{}" y="{:g}" height="10" rx="3"/>').format(
        percent(low), percent(max(high - low, 0.4)), middle - 5
    )


def interval(
    axis: Axis,
    value: float | None,
    low: float | None,
    high: float | None,
    told: str,
    *,
    height: int = ROW,
    expected: float | None = None,
    pale: bool = False,
) -> Markup:
    """An estimate with its interval; an end that is None is open, and then no estimate is drawn.

    `expected` is a value that the interval is compared with, drawn as an upright line. `told` is the finding in words.
    `pale` is for an estimate that stands behind another.
    """
    middle = height / 2
    parts = [axis.rules()]
    if low is None and high is None:
        pass
    elif low is None or high is None:
        unbeaten = low is not None
        end = axis.at(low if low is not None else high if high is not None else 0.0)
        start, width = (end, 100.0 - end) if unbeaten else (0.0, end)
        parts += [
            Markup('<rect class="{}" x="{}" width="{}" y="{:g}" height="6"/>').format(
                "open" if unbeaten else "open left", percent(start), percent(width), middle - 3
            ),
            Markup('<line class="stop" x1="{}" x2="{}" y1="{:g}" y2="{:g}"/>').format(
                percent(end), percent(end), middle - 8, middle + 8
            ),
            Markup('<svg x="{}" y="{:g}" overflow="visible"><path class="arrow" d="{}"/></svg>').format(
                "100%" if unbeaten else "0%", middle, "M-6 -5l5 5-5 5" if unbeaten else "M6 -5l-5 5 5 5"
            ),
        ]
    else:
        parts.append(_bar(axis.at(low), axis.at(high), middle))
        if value is not None:
            parts.append(
                Markup('<circle class="mark" cx="{}" cy="{:g}" r="4"/>').format(percent(axis.at(value)), middle)
            )
    if expected is not None:
        place = percent(axis.at(expected))
        parts.append(
            Markup('<line class="expect" x1="{}" x2="{}" y1="{:g}" y2="{:g}"/>').format(
                place, place, middle - 10, middle + 10
            )
        )
    return Markup('<svg class="{}" role="img" aria-label="{}"><title>{}</title>{}</svg>').format(
        "iv pale" if pale else "iv", told, told, Markup("").join(parts)
    )


def results_bar(wins: int, draws: int, losses: int) -> Markup:
    """Wins, draws and losses as one bar, with the figures beside it."""
    total = max(1, wins + draws + losses)
    won, drawn = 100.0 * wins / total, 100.0 * draws / total
    return Markup(
        '<span class="wdl"><svg aria-hidden="true"><rect class="w" width="{:.1f}%" height="10"/>'
        '<rect class="d" x="{:.1f}%" width="{:.1f}%" height="10"/><rect class="l" x="{:.1f}%" width="{:.1f}%" '
        'height="10"/></svg><span>{}\u2013{}\u2013{}</span></span>'
    ).format(won, won, drawn, won + drawn, 100.0 - won - drawn, wins, draws, losses)


def spark(values: Sequence[float], least: float = 60.0) -> Markup:
    """The last values of a rating as a small line; the height is their range, at least `least` Elo."""
    if len(values) < 3:
        return Markup('<span class="soft tiny">too new</span>')
    low, high = min(values), max(values)
    middle, half = (low + high) / 2, max(high - low, least) / 2
    places = [
        (100.0 * number / (len(values) - 1), 50.0 - 44.0 * (value - middle) / half)
        for number, value in enumerate(values)
    ]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return Markup(
        '<span class="trend"><svg class="spark" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        '<path d="{}"/><path class="end" d="M{:.1f} {:.1f}h0"/></svg><span>{}</span></span>'
    ).format(line, *places[-1], signed(values[-1] - values[0]))


def plot(inner: Markup, label: str, classes: str = "") -> Markup:
    """A drawing of the width of its column."""
    return Markup('<svg class="plot {}" role="img" aria-label="{}">{}</svg>').format(classes, label, inner)


def curves(paths: Markup, *, clipped: bool = False) -> Markup:
    """Paths in thousandths of the drawing's width and height, stretched to it; `clipped` cuts off what lies outside."""
    return Markup(
        '<svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none" overflow="{}">{}</svg>'
    ).format("hidden" if clipped else "visible", paths)


def level_rules(marks: Iterable[float], at: Callable[[float], float], text: Callable[[float], str] = grouped) -> Markup:
    """Level lines with their figures at the left edge; `at` gives per cent from the top."""
    return Markup("").join(
        Markup(
            '<line class="{}" x1="0" x2="100%" y1="{}" y2="{}"/><text x="-8" y="{}" dy="4" text-anchor="end">{}</text>'
        ).format("base" if mark == 0 else "grid", *[percent(at(mark))] * 3, text(mark))
        for mark in marks
    )


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Places near the wanted ones, in the same order, that keep at least a gap."""
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    blocks: list[tuple[list[int], float]] = []
    for number in order:
        blocks.append(([number], wanted[number]))
        while len(blocks) > 1:
            (before, centre), (after, other) = blocks[-2:]
            if other - centre >= gap * (len(before) + len(after)) / 2:
                break
            members = before + after
            blocks[-2:] = [(members, sum(wanted[member] for member in members) / len(members))]
    places = [0.0] * len(wanted)
    for members, centre in blocks:
        for number, member in enumerate(members):
            places[member] = centre + gap * (number - (len(members) - 1) / 2)
    return places


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a plot with an optional band."""

    name: str
    points: Sequence[tuple[float, float, float | None, float | None]]
    """(x, value, lower end, upper end), by x."""


def history(series: Sequence[Curve], starts: Sequence[tuple[str, float]], label: str) -> Markup:
    """Lines with names at their ends; the chosen one shows its band. `starts` are named uprights."""
    firsts, lasts = [curve.points[0][0] for curve in series], [curve.points[-1][0] for curve in series]
    first, last = min(firsts), max(max(lasts), min(firsts) + 1)
    low, high = _settled(series, first + (last - first) * UNSETTLED)

    def x(value: float) -> float:
        return 1000.0 * (value - first) / (last - first)

    def y(value: float) -> float:
        # Far beyond the plot is as good as infinite: the drawing is clipped there.
        return min(1000.0, max(-1000.0, 100.0 * (high - value) / (high - low)))

    drawn, places = [], []
    for number, curve in enumerate(series):
        upper = "L".join(
            f"{x(at):.0f} {10 * y(math.inf if top is None else top):.0f}" for at, _, _, top in curve.points
        )
        lower = "L".join(
            f"{x(at):.0f} {10 * y(-math.inf if bottom is None else bottom):.0f}"
            for at, _, bottom, _ in reversed(curve.points)
        )
        line = "L".join(f"{x(at):.0f} {10 * y(value):.0f}" for at, value, _, _ in curve.points)
        drawn.append(
            Markup('<g class="g{}"><path class="band" d="M{}L{}Z"/><path class="ln" d="M{}"/></g>').format(
                number, upper, lower, line
            )
        )
        places.append(y(curve.points[-1][1]))
    names = Markup("").join(
        Markup('<text class="lab g{}" x="100%" dx="8" y="{}" dy="4">{}</text>').format(
            number, percent(place), curve.name
        )
        for number, (place, curve) in enumerate(zip(spread(places, 5.4), series, strict=True))
    )
    below = Markup("").join(
        Markup('<text class="{}" x="{}" y="100%" dy="18" text-anchor="middle">{}</text>').format(
            "wide" if number % 2 else "", percent(x(mark) / 10), grouped(mark)
        )
        for number, mark in enumerate(ticks(first, last, 6))
    )
    uprights = Markup("").join(
        Markup(
            '<line class="base dash" x1="{}" x2="{}" y1="0" y2="100%"/><text x="{}" dx="5" y="0" dy="-4">{}</text>'
        ).format(*[percent(min(100.0, max(0.0, x(at) / 10)))] * 3, name)
        for name, at in starts
    )
    unit = Markup('<text x="100%" y="100%" dy="34" text-anchor="end">matches played</text>')
    lines = curves(Markup("").join(drawn), clipped=True)
    inner = level_rules(ticks(low, high, 6), y) + uprights + lines + names + below + unit
    return plot(inner, label, "tall named")


def _settled(series: Sequence[Curve], start: float) -> tuple[float, float]:
    """The ends of an axis that holds the values from `start` on, and their bands up to three times that width.

    The first points of a rating have intervals of thousands of Elo, beside which later ones could not be told apart.
    """
    late = [point for curve in series for point in curve.points if point[0] >= start]
    values = [value for _, value, _, _ in late]
    low, high = min(values), max(values)
    room = max(high - low, 100.0)
    ends = [end for _, _, *both in late for end in both if end is not None and low - room <= end <= high + room]
    low, high = min([low, *ends]), max([high, *ends])
    middle, half = (low + high) / 2, max(high - low, 100.0) / 2
    return middle - 1.04 * half, middle + 1.04 * half


def rating_history(series: Sequence[Mapping[str, Any]], nights: Sequence[Mapping[str, Any]] = ()) -> Markup:
    """The history of a pool: for each player its points (matches, rating, lower end, upper end); where runs began."""
    found = [Curve(str(entry["player"]), [tuple(point) for point in entry["points"]]) for entry in series]
    starts = [("", float(night["after"])) for night in nights]
    return history(found, starts, "Rating of every bot over the matches of the pool")


def shade(score: float) -> str:
    """The class of a heat map's cell: nine steps from a score of 0 to one of 1."""
    away = abs(score - 0.5)
    step = next(number for number, most in enumerate((0.025, 0.12, 0.25, 0.42, 1.0)) if away <= most)
    return f"{'w' if score > 0.5 else 'l'}{step}" if step else "even"


def seat_mark(seat: int) -> Markup:
    """The mark of a seat, counted from 0: a shape and a colour of its own."""
    shape = SEAT_MARKS[seat % len(SEAT_MARKS)]
    number = seat % len(SEAT_MARKS) + 1
    return Markup('<svg class="mark s{}" role="img" aria-label="seat {}, {}"><use href="#m{}"/></svg>').format(
        number, seat + 1, shape, number
    )


def foreign(text: str) -> Markup:
    """A name or a text of a stranger: escaped, and kept apart from the direction of the text around it."""
    return Markup("<bdi>{}</bdi>").format(escape(text))


def thinking(steps: Sequence[Mapping[str, Any]], seats: int) -> Markup:
    """The time charged for every answer of a match, one stroke for each, by step; seats have their colours."""
    found = [
        (int(step["n"]), int(answer["seat"]), float(answer["spent_us"]) / 1e6)
        for step in steps
        for answer in step["answers"]
        if answer["spent_us"] is not None
    ]
    if not found:
        return Markup("")
    last = max(1, max(number for number, _, _ in found))
    most = max(seconds for _, _, seconds in found) or 1e-6
    marks = ticks(0.0, most, 4)

    def y(seconds: float) -> float:
        return 100.0 * (1.0 - seconds / most)

    strokes = Markup("").join(
        Markup('<line class="st s{}" x1="{}" x2="{}" y1="100%" y2="{}"/>').format(
            seat + 1, percent(x), percent(x), percent(y(seconds))
        )
        for number, seat, seconds in found
        for x in (100.0 * number / last,)
    )
    below = Markup("").join(
        Markup('<text class="{}" x="{}" y="100%" dy="18" text-anchor="middle">{}</text>').format(
            "wide" if number % 2 else "", percent(100.0 * mark / last), grouped(mark)
        )
        for number, mark in enumerate(ticks(0, last, 6))
    )
    longest = max(found, key=lambda item: item[2])
    label = f"Thinking time by step; the longest answer took {_seconds(longest[2])} at step {longest[0]}"
    return plot(level_rules(marks, y, _seconds) + strokes + below, label, "short")


def _seconds(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"
