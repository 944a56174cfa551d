"""When a sequential test stops, and how many sets that takes: Wald's barriers, or Whitehead's triangle.

The log-likelihood ratio is modelled as Brownian motion. Its unit of time is **information**: the squared distance of
both hypotheses in standard errors of one set, times sets. So one computation serves every game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import exp, inf, log, pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from ladder.ratings.results import expectation
from ladder.ratings.sprt import NORMALISED, Model, SequentialDesign, SprtVerdict

ENDED = 0.99
"""The share of tests that have a verdict before the default cap, wherever the truth lies."""
TERMS = 60
"""Of the series for the chance that a walk goes on."""


class Stop(StrEnum):
    """The rule by which a test stops."""

    WALD = "wald"
    TRIANGULAR = "triangular"


def pace(design: SequentialDesign, variance: float) -> float:
    """Information of one set, whose mean score has that variance."""
    if design.model is Model.NORMALISED:
        return (design.elo1 - design.elo0) ** 2 * design.games / NORMALISED**2
    return (expectation(design.elo1) - expectation(design.elo0)) ** 2 / max(variance, 1e-12)


def verdict(stop: Stop, design: SequentialDesign, llr: float | None, information: float) -> SprtVerdict:
    """What a log-likelihood ratio means after so much information."""
    if llr is None or stop is Stop.WALD:
        return design.verdict(llr)
    lower, upper = bounds(stop, design, information)
    if llr >= upper:
        return SprtVerdict.H1
    return SprtVerdict.H0 if llr <= lower else SprtVerdict.CONTINUE


def bounds(stop: Stop, design: SequentialDesign, information: float) -> tuple[float, float]:
    """The log-likelihood ratios between which the test goes on after so much information.

    The triangle: LLR between -a + i/4 and a - i/4 goes on, which has an end. a = 2 ln(1 / (2 alpha)) for equal error
    rates; unequal ones move its apex, as Whitehead does.
    """
    if stop is Stop.WALD:
        return design.lower, design.upper
    height, tilt = triangle(design)
    return -height + (0.25 + tilt) * information, height - (0.25 - tilt) * information


def triangle_end(design: SequentialDesign) -> float:
    """The information at which the triangle closes."""
    return 4.0 * triangle(design)[0]


def triangle(design: SequentialDesign) -> tuple[float, float]:
    """Half height at the start, and by how much information moves the apex.

    For unequal rates the triangle is that of alpha and a hypothesis H1' that is detected with the power 1 - alpha:
    theta' = theta * 2 u / (u + v) with the normal quantiles u of alpha and v of beta.
    """
    u, v = -float(ndtri(design.alpha)), -float(ndtri(design.beta))
    stretch = 2.0 * u / (u + v)
    height = 2.0 * log(1.0 / (2.0 * design.alpha)) / stretch
    return height, (stretch - 1.0) / 2.0


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a test may cost, in sets: if H0 holds, halfway between, and if H1 holds."""

    at_h0: float
    between: float
    at_h1: float
    cap: int
    """Sets by which 99% of tests have ended, wherever the truth lies."""


def forecast(stop: Stop, design: SequentialDesign, each: float) -> Forecast:
    """The sets that a test is expected to need, with so much information from each."""
    at_h0, between, at_h1 = (_expected(stop, design, position) / each for position in (0.0, 0.5, 1.0))
    return Forecast(at_h0, between, at_h1, cap=max(1, int(needed_information(stop, design) / each) + 1))


def _expected(stop: Stop, design: SequentialDesign, position: float) -> float:
    """Information at the stop, in the mean: Wald's approximation, or for the triangle a walk in small steps."""
    if stop is Stop.TRIANGULAR:
        return _walked(design, position)
    drift, lower, upper = position - 0.5, design.lower, design.upper
    if abs(drift) < 1e-9:
        return -lower * upper
    up = (1.0 - exp(-2.0 * drift * lower)) / (exp(-2.0 * drift * upper) - exp(-2.0 * drift * lower))
    return (up * upper + (1.0 - up) * lower) / drift


def _walked(design: SequentialDesign, position: float, step: float = 0.02) -> float:
    """Mean information at the triangle's stop, by the distribution of the walk on a grid."""
    height, tilt = triangle(design)
    grid = np.linspace(-height, height, 801)
    width = float(grid[1] - grid[0])
    mass = np.zeros(len(grid))
    mass[len(grid) // 2] = 1.0
    reach = int(5.0 * sqrt(step) / width) + 1
    offsets = np.arange(-reach, reach + 1) * width
    kernel = np.exp(-((offsets - (position - 0.5) * step) ** 2) / (2.0 * step))
    kernel /= kernel.sum()
    mean, now = 0.0, 0.0
    while now < triangle_end(design) and mass.sum() > 1e-6:
        mean += float(mass.sum()) * step
        now += step
        mass = np.convolve(mass, kernel, mode="same")
        mass[(grid >= height - (0.25 - tilt) * now) | (grid <= -height + (0.25 + tilt) * now)] = 0.0
    return mean


def _survival(lower: float, upper: float, drift: float, time: float) -> float:
    """The chance that Brownian motion with variance 1 has met neither barrier, by its series of sines."""
    if time <= 0.0:
        return 1.0
    width, start = upper - lower, -lower
    terms = np.arange(1, TERMS + 1) * pi
    rate = (terms / width) ** 2 / 2.0 + drift**2 / 2.0
    ends = terms * (1.0 - np.cos(terms) * exp(min(700.0, drift * width))) / ((drift * width) ** 2 + terms**2)
    series = 2.0 * exp(-drift * start) * np.sin(terms * start / width) * ends * np.exp(-rate * time)
    return float(min(1.0, max(0.0, series.sum())))


def needed_information(stop: Stop, design: SequentialDesign) -> float:
    """Information by which `ENDED` of all tests have a verdict, wherever the truth lies."""
    if stop is Stop.TRIANGULAR:
        return triangle_end(design)
    positions = (0.0, 0.25, 0.5, 0.75, 1.0)

    def going_on(time: float) -> float:
        return max(_survival(design.lower, design.upper, place - 0.5, time) for place in positions) - (1.0 - ENDED)

    most = 1.0
    while going_on(most) > 0.0 and most < inf:
        most *= 2.0
    return float(brentq(going_on, most / 2.0, most))
