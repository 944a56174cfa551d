"""`kumite rate` and `kumite sprt`: the statistics as calculators, for any results, not only ours."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Annotated, BinaryIO

import numpy as np
import typer

from ladder.cli.output import AsJson, print_json, print_table
from ladder.ratings.estimate import naive, unbiased
from ladder.ratings.plackett_luce import Fit, fit
from ladder.ratings.results import Game, check, collect
from ladder.ratings.sprt import Design, Model, Verdict, cells, llr
from ladder.ratings.structure import Structure, structure
from referee.kernel.bounded import lines
from referee.kernel.errors import BadSetting

MOST_DIGITS = 12
"""Of a count of groups."""
SHOWN = 80
"""Characters of a bad option that an error repeats."""
_NUMBER = re.compile(r"-?\d+", re.ASCII)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("rate")(rate)
    app.command("sprt")(sprt)


def rate(
    file: Annotated[Path, typer.Argument(help="JSON lines: players by seat, places, optional group; - reads stdin.")],
    anchor: Annotated[str | None, typer.Option(help="The player whose rating is fixed; otherwise the mean is.")] = None,
    offset: Annotated[float, typer.Option(help="Rating of the anchor, or of the mean.")] = 0.0,
    prior: Annotated[float, typer.Option(min=0.0, help="Weight of the prior; 0.25 is one drawn game, 0 none.")] = 0.25,
    seats: Annotated[bool, typer.Option("--seats/--no-seats", help="Fit the advantage of each seat.")] = True,
    as_json: AsJson = False,
) -> None:
    """Rate players from finishing orders of any number of players."""
    if not isfinite(prior) or not isfinite(offset):
        raise BadSetting(f"--prior {prior:g} and --offset {offset:g}: both must be finite")
    results = collect(read_games(file))
    try:
        found = fit(results, prior=prior, anchor=anchor, offset=offset, seats=seats)
    except ValueError as error:
        raise BadSetting(str(error)) from None
    report = structure(results, found)
    order = sorted(range(len(found.names)), key=lambda player: (-found.elo[player], found.names[player]))
    if as_json:
        print_json(describe(found, report, order, results.games, results.groups))
        return
    rows = [
        (place, found.names[player], *(_rounded(value) for value in _interval(found, player)), *_counts(found, player))
        for place, player in enumerate(order, 1)
    ]
    title = (
        f"{results.games} games in {results.groups} independent groups; 95% intervals from the {found.interval} error"
    )
    print_table(title, ("", "player", "elo", "low", "high", "games", "points"), rows, left=2)
    for count, effects in found.seat_effects.items():
        listed = ", ".join(
            f"{effect:+.0f} ± {1.96 * error:.0f}"
            for effect, error in zip(effects, found.seat_errors[count], strict=True)
        )
        typer.echo(f"seats of {count}: {listed}")
    if found.held_seats:
        typer.echo("(a seat that always won or always lost has no finite effect; the prior holds it)")
    for cycle in report.cycles:
        typer.echo(f"cycle: {' beats '.join((*cycle, cycle[0]))}")


def _rounded(value: float) -> str:
    return str(round(value)) if isfinite(value) else "?"


def _interval(found: Fit, player: int) -> tuple[float, float, float]:
    return float(found.elo[player]), float(found.low[player]), float(found.high[player])


def _counts(found: Fit, player: int) -> tuple[int, str]:
    name = found.names[player]
    return found.games[name], f"{found.points[name]:.10g}"


def describe(found: Fit, report: Structure, order: Iterable[int], games: int, groups: int) -> dict[str, object]:
    """A fit for a program to read; numbers that do not exist are null."""
    return {
        "games": games,
        "groups": groups,
        "interval": found.interval,
        "players": [
            {
                "name": found.names[player],
                "elo": _number(found.elo[player]),
                "low": _number(found.low[player]),
                "high": _number(found.high[player]),
                "se_model": _number(found.se_model[player]),
                "se_robust": _number(found.se_robust[player]),
                "games": found.games[found.names[player]],
                "points": found.points[found.names[player]],
            }
            for player in order
        ],
        "seats": {
            str(count): [
                {"elo": _number(effect), "se": _number(error)}
                for effect, error in zip(effects, found.seat_errors[count], strict=True)
            ]
            for count, effects in found.seat_effects.items()
        },
        "seats_held_by_prior": found.held_seats,
        "log_likelihood": _number(found.log_likelihood),
        "structure": {
            "chi2": _number(report.chi2),
            "degrees": report.degrees,
            "p_value": _number(report.p_value),
            "cycles": [list(cycle) for cycle in report.cycles],
            "cyclic_share": _number(report.cyclic_share),
            "nash": report.nash,
        },
    }


def _number(value: float | np.floating | None) -> float | None:
    return None if value is None or not isfinite(value) else float(value)


def read_games(file: Path) -> Iterator[Game]:
    """The games of a file of JSON lines; an error names the line and what is wrong with it."""
    count = 0
    with sys.stdin.buffer if str(file) == "-" else file.open("rb") as source:
        for number, line in enumerate(_lines(file, source), 1):
            if line.strip():
                try:
                    yield _game(json.loads(line))
                except RecursionError:
                    text = f"brackets within brackets without end; a line is {_EXAMPLE}"
                    raise BadSetting(f"{file}, line {number}: {text}") from None
                except (ValueError, TypeError) as error:
                    raise BadSetting(f"{file}, line {number}: {error}") from None
                count += 1
    if not count:
        raise BadSetting(f"{file}: no games in it; a line is {_EXAMPLE}")


def _lines(file: Path, source: BinaryIO) -> Iterator[bytes]:
    try:
        yield from lines(source)
    except BadSetting as error:
        raise BadSetting(f"{file}: {error}") from None


_EXAMPLE = '{"players": ["a", "b", "c"], "places": [1, 2, 2]}'


def _game(entry: object) -> Game:
    if not isinstance(entry, dict):
        raise TypeError(f"not an object; a line is {_EXAMPLE}")
    unknown = sorted(set(entry) - {"players", "places", "group"})
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; there are players, places and group")
    players, places, group = entry.get("players"), entry.get("places"), entry.get("group")
    if not isinstance(players, list) or not all(isinstance(name, str) and name for name in players):
        raise TypeError(f"players must be a list of names, as in {_EXAMPLE}")
    "".join(players).encode()  # a name with half a character could not be printed
    if not isinstance(places, list) or not all(type(place) is int for place in places):
        raise TypeError(f"places must be a list of whole numbers, as in {_EXAMPLE}")
    if group is not None and not isinstance(group, (str, int)):
        raise TypeError("group must be a text or a number")
    game = Game(tuple(players), tuple(places), None if group is None else str(group))
    check(game)
    return game


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
            design = Design(elo0, elo1, model, alpha, beta, seats, games)
        except ValueError as error:
            raise BadSetting(str(error)) from None
        ratio = llr(numbers, design)
        answer = {"llr": ratio, "lower": design.lower, "upper": design.upper, "verdict": design.verdict(ratio)} | answer
        if design.verdict(ratio) is not Verdict.CONTINUE and ratio is not None:
            corrected = unbiased(numbers, design, ratio)
            answer["unbiased"] = {"elo": corrected.elo, "low": corrected.low, "high": corrected.high}
    if as_json:
        print_json(answer)
        return
    for key, value in answer.items():
        typer.echo(f"{key:9} {_text(value)}")


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(part)}" for key, part in value.items())
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
