"""`kumite rate` and `kumite sprt`: the statistics as calculators, for any results, not only ours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from ladder.cli.output import AsJson, print_json
from ladder.cli.results_file import read_games
from ladder.cli.table_formats import (
    CrossOption,
    FormatOption,
    LosOption,
    Sheet,
    TableFormat,
    cross_json,
    cross_sheets,
    print_sheets,
    wants_json,
)
from ladder.escaping import counted, visible
from ladder.ratings.estimate import Unbiased, naive, unbiased
from ladder.ratings.meetings import Meetings, meetings
from ladder.ratings.nontransitivity import Structure, structure
from ladder.ratings.plackett_luce import Fit, fit
from ladder.ratings.results import collect, finite
from ladder.ratings.score_test import Moments, score_llr
from ladder.ratings.sprt import Model, SequentialDesign, cells, llr
from ladder.seasons.cross_table import cross_table_of
from referee.kernel.errors import BadSetting

MOST_DIGITS = 12
"""Of a count of groups."""
SHOWN = 80
"""Characters of a bad option that an error repeats."""
MOST_COMPARED = 50
"""Players up to which JSON lists the superiority of every pair."""
_NUMBER = re.compile(r"-?\d+", re.ASCII)


def rate(
    file: Annotated[
        Path, typer.Argument(help="JSON lines or CSV: players by seat, places, optional group; - reads stdin.")
    ],
    anchor: Annotated[
        str | None, typer.Option(help="The player whose rating is fixed; otherwise the reference is.")
    ] = None,
    offset: Annotated[float, typer.Option(help="Rating of the anchor, or of the reference.")] = 1500.0,
    prior: Annotated[float, typer.Option(min=0.0, help="Weight of the prior; 0.25 is one drawn game, 0 none.")] = 0.25,
    seats: Annotated[bool, typer.Option("--seats/--no-seats", help="Fit the advantage of each seat.")] = True,
    cross: CrossOption = False,
    los: LosOption = False,
    form: FormatOption = TableFormat.TEXT,
    as_json: AsJson = False,
) -> None:
    """Rate players from finishing orders of any number of players."""
    plain = wants_json(form, as_json)
    if not isfinite(prior) or not isfinite(offset):
        raise BadSetting(f"--prior {prior:g} and --offset {offset:g}: both must be finite")
    results = collect(read_games(file))
    try:
        found = fit(results, prior=prior, anchor=anchor, offset=offset, seats=seats)
    except ValueError as error:
        raise BadSetting(str(error)) from None
    met = meetings(results)
    report = structure(results, found, met)
    order = sorted(range(len(found.names)), key=lambda player: (found.island[player], *_standing(found, player)))
    pairs = cross_table_of(found, results) if cross or los else None
    if plain:
        answer = describe(found, report, order, results.games, results.groups, met)
        print_json(answer if pairs is None else {**answer, "cross": cross_json(pairs)})
        return
    zero = f"{anchor if anchor is not None else 'the reference'} = {offset:g}"
    if form is TableFormat.TEXT:
        sets = counted(results.groups, "independent set", "independent sets")
        size = f"{counted(results.games, 'game', 'games')} in {sets}"
        typer.echo(f"{size}; {zero}; {found.interval}")
    sheets = []
    for number, members in enumerate(found.islands):
        rows = [_row(found, player, met) for player in order if found.island[player] == number]
        size = counted(len(members), "player", "players")
        title = f"island {number + 1} of {len(found.islands)}: {size}, not comparable with the others"
        columns = ("rank", "player", "rating", "low", "high", "games", "W", "D", "L", "points")
        sheets.append(Sheet(title if len(found.islands) > 1 else "", columns, rows))
    if pairs is not None:
        sheets += cross_sheets("all players", pairs, cross=cross, los=los)
    print_sheets(sheets, _notes(found, report), form)


def _notes(found: Fit, report: Structure) -> list[str]:
    """What there is to say beside the table."""
    lines = [
        f"seats of {count}: {', '.join(_seat(found, count, seat) for seat in range(count))}"
        for count in found.seat_effects
    ]
    if found.held_seats:
        lines.append("(a seat that always won or always lost has no finite effect; the prior holds it)")
    lines += [f"cycle: {' beats '.join((*cycle, cycle[0]))}" for cycle in report.cycles]
    if report.cycle_count > len(report.cycles):
        lines.append(f"(and {report.cycle_count - len(report.cycles)} more cycles)")
    return [visible(line) for line in lines]


class IntervalKind(StrEnum):
    """Which ends a rating has."""

    TWO_SIDED = "two-sided"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    REFERENCE = "reference"
    NONE = "none"


def kind(found: Fit, player: int) -> IntervalKind:
    """Which ends the rating of a player has; the reference itself has none, since it is exact by definition."""
    below, above = isfinite(found.low[player]), isfinite(found.high[player])
    if found.reference[player] >= 1.0 - 1e-9:
        return IntervalKind.REFERENCE
    if below and above:
        return IntervalKind.TWO_SIDED
    return IntervalKind.AT_LEAST if below else IntervalKind.AT_MOST if above else IntervalKind.NONE


def _standing(found: Fit, player: int) -> tuple[float, str]:
    return -float(found.elo[player]), found.names[player]


def _row(found: Fit, player: int, met: Meetings) -> tuple[str, ...]:
    best, worst = found.ranks[player]
    low, high, rating = found.low[player], found.high[player], f"{found.elo[player]:.0f}"
    ends = {
        IntervalKind.TWO_SIDED: (rating, f"{low:.0f}", f"{high:.0f}"),
        IntervalKind.AT_LEAST: (f"at least {low:.0f}", f"{low:.0f}", "-"),
        IntervalKind.AT_MOST: (f"at most {high:.0f}", "-", f"{high:.0f}"),
        IntervalKind.REFERENCE: (rating, "reference", "reference"),
        IntervalKind.NONE: ("?", "-", "-"),
    }
    name = found.names[player]
    place = f"{best}" if best == worst else f"{best}-{worst}"
    tally = map(str, met.tally(player))
    return place, name, *ends[kind(found, player)], str(found.games[name]), *tally, f"{found.points[name]:.10g}"


def _seat(found: Fit, count: int, seat: int) -> str:
    effect, low, high = (float(part[count][seat]) for part in (found.seat_effects, found.seat_low, found.seat_high))
    if isfinite(low) and isfinite(high):
        return f"{effect:+.0f} [{low:+.0f}, {high:+.0f}]"
    return f"at least {low:+.0f}" if isfinite(low) else f"at most {high:+.0f}" if isfinite(high) else "?"


def describe(
    found: Fit, report: Structure, order: Sequence[int], games: int, groups: int, met: Meetings
) -> dict[str, object]:
    """A fit for a program to read; numbers that do not exist are null."""
    return {
        "games": games,
        "groups": groups,
        "interval": found.interval,
        "phi": _number(found.phi),
        "islands": [list(members) for members in found.islands],
        "players": [_player(found, player, met) for player in order],
        "superiority": _superiority(found, order),
        "seats": {
            str(count): [
                {
                    "elo": _number(found.seat_effects[count][seat]),
                    "low": _number(found.seat_low[count][seat]),
                    "high": _number(found.seat_high[count][seat]),
                    "se": _number(found.seat_errors[count][seat]),
                }
                for seat in range(count)
            ]
            for count in found.seat_effects
        },
        "seats_held_by_prior": found.held_seats,
        "log_likelihood": _number(found.log_likelihood),
        "structure": {
            "chi2": _number(report.chi2),
            "degrees": report.degrees,
            "p_value": _number(report.p_value),
            "cycles": [list(cycle) for cycle in report.cycles],
            "cycle_count": report.cycle_count,
            "comparisons": report.compared,
            "cyclic_share": _number(report.cyclic_share),
            "nash": report.nash,
        },
    }


def _player(found: Fit, player: int, met: Meetings) -> dict[str, object]:
    name = found.names[player]
    return {
        "name": name,
        "island": int(found.island[player]) + 1,
        "rank": found.ranks[player][0],
        "rank_worst": found.ranks[player][1],
        "elo": _number(found.elo[player]),
        "low": _number(found.low[player]),
        "high": _number(found.high[player]),
        "ends": kind(found, player),
        "se": _number(found.se[player]),
        "se_model": _number(found.se_model[player]),
        "se_robust": _number(found.se_robust[player]),
        "games": found.games[name],
        "points": found.points[name],
        **dict(zip(("wins", "draws", "losses"), met.tally(player), strict=True)),
    }


def _superiority(found: Fit, order: Sequence[int]) -> dict[str, dict[str, float | None]] | None:
    """Chances that the first is stronger than the second; null across islands; left out in large pools."""
    if len(order) > MOST_COMPARED:
        return None
    return {found.names[i]: {found.names[j]: _number(found.los[i, j]) for j in order if i != j} for i in order}


def _number(value: float | np.floating | None) -> float | None:
    return None if value is None else finite(value)


def sprt(
    counts: Annotated[str, typer.Option(help="Groups by mean score, worst first: n0,n1,...")],
    seats: Annotated[int, typer.Option(min=2, help="Seats at the table.")] = 2,
    games_per_set: Annotated[
        int | None, typer.Option(min=1, help="Games per group; as many as seats if left out.")
    ] = None,
    elo0: Annotated[float | None, typer.Option(help="Strength under H0.")] = None,
    elo1: Annotated[float | None, typer.Option(help="Strength under H1.")] = None,
    model: Annotated[Model, typer.Option(help="Unit of the strengths.")] = Model.NORMALISED,
    alpha: Annotated[float, typer.Option(help="Chance to accept H1 wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to accept H0 wrongly.")] = 0.05,
    as_json: AsJson = False,
) -> None:
    """The sequential test of counted groups, or without bounds only the estimate."""
    games = games_per_set or seats
    numbers = _counted(counts, cells(seats, games), seats, games)
    if (elo0 is None) != (elo1 is None):
        raise BadSetting("--elo0 and --elo1 go together: give both for a test, neither for the estimate alone")
    estimate = naive(numbers, games)
    answer: dict[str, object] = {
        "groups": estimate.groups,
        "elo": _number(estimate.elo),
        "elo_low": _number(estimate.elo_low),
        "elo_high": _number(estimate.elo_high),
        "nelo": _number(estimate.nelo),
        "los": _number(estimate.los),
        "level": estimate.level,
    }
    if elo0 is not None and elo1 is not None:
        try:
            design = SequentialDesign(elo0, elo1, model, alpha, beta, seats, games)
        except ValueError as error:
            raise BadSetting(str(error)) from None
        ratio = llr(numbers, design)
        bounds = {"elo0": elo0, "elo1": elo1, "model": model, "alpha": alpha, "beta": beta}
        test = {"llr": ratio, "lower": design.lower, "upper": design.upper, "verdict": design.verdict(ratio)}
        answer = {**bounds, **test, **_as_the_gate(numbers, design), **answer, **_unbiased(unbiased(numbers, design))}
    if as_json:
        print_json(answer)
        return
    for key, value in answer.items():
        typer.echo(f"{key:13} {_text(value)}")


def _as_the_gate(counts: np.ndarray, design: SequentialDesign) -> dict[str, object]:
    """From three seats on the gate tests the mean of sets, which needs fewer of them than the exact ratio of counts."""
    if design.seats == 2 or not counts.any():
        return {}
    ratio = score_llr(Moments.of(counts), design)
    return {"gate_llr": ratio, "gate_verdict": design.verdict(ratio)}


def _unbiased(found: Unbiased) -> dict[str, object]:
    """The estimate that knows of the stopping rule, in logistic Elo and in the unit of normalised bounds."""
    return {
        "unbiased": {"elo": found.elo, "low": found.low, "high": found.high},
        "unbiased_nelo": {"nelo": found.nelo, "low": found.nelo_low, "high": found.nelo_high},
    }


def _text(value: object) -> str:
    if isinstance(value, dict):
        middle, low, high = ("none" if part is None else f"{part:.2f}" for part in value.values())
        return f"{middle} [{low}, {high}]"
    return "none" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def _counted(text: str, expected: int, seats: int, games: int) -> np.ndarray:
    shown = repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")
    parts = [part.strip() for part in text.split(",")]
    if not all(_NUMBER.fullmatch(part) for part in parts):
        raise BadSetting(f"--counts {shown}: write whole numbers separated by commas, worst score first")
    if any(part.startswith("-") for part in parts):
        raise BadSetting(f"--counts {shown}: a count cannot be negative")
    if any(len(part) > MOST_DIGITS for part in parts):
        raise BadSetting(f"--counts {shown}: a count has at most {MOST_DIGITS} digits")
    numbers = [int(part) for part in parts]
    if len(numbers) != expected:
        raise BadSetting(
            f"--counts: {seats} seats and {games} games per group have {expected} possible mean scores; "
            f"{len(numbers)} counts are given"
        )
    return np.array(numbers, dtype=np.float64)
