"""`kumite bench`: the performance table. Every figure with its ratio, measured in the same run."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ladder.bench import ratings, rules, seasons
from ladder.cli.output import AsJson, print_json
from ladder.terminal_tables import print_table
from referee.kernel import registry
from referee.match import match

RATINGS, GATE, PAGES, VIEWER = "ratings", "gate", "pages", "viewer"
"""Words in place of a game."""
MOST_GATE_SETS, GATE_SECONDS = 600, 60.0
"""Sets of a line of the gate's table, and seconds of processor time after which it plays no more of them."""


def bench(
    game: Annotated[
        str | None,
        typer.Argument(
            help="Only this game; or `ratings`, the speed of rate; `gate`, the sets that the gate needs; `pages`, what "
            "readers of pages cost the referee; `viewer`, replay files and the time to draw a step."
        ),
    ] = None,
    wire: Annotated[bool, typer.Option("--wire/--no-wire", help="Measure gRPC too (about a minute).")] = True,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions: rougher figures, sooner.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how fast the rules, the match loop, the wire and the ratings are on this machine."""
    if game in (RATINGS, GATE):
        _statistics(game, quick=quick, as_json=as_json)
        return
    if game == PAGES:
        _pages(quick=quick, as_json=as_json)
        return
    if game == VIEWER:
        _viewer(quick=quick, as_json=as_json)
        return
    names = [registry.game(game).name] if game is not None else list(registry.names())
    turns = 1 if quick else 5
    loop = rules.yardstick()
    figures = [rules.measure(name, seats, turns) for name in names for seats in registry.game(name).seats]
    build = "interpreted" if match.__file__.endswith(".py") else "compiled"
    measured: dict[str, object] = {"yardstick_s": loop, "build": build, "rules": [asdict(entry) for entry in figures]}
    if not as_json:
        typer.echo(f"yardstick: a fixed loop of a million steps of plain Python takes {loop * 1000:.0f} ms here")
        typer.echo(f"build: {build}")
        _show_rules(figures, loop)
    ladders = [seasons.measure(name, seconds=2 if quick else seasons.SECONDS) for name in names]
    measured["ladder"] = [asdict(entry) for entry in ladders]
    if not as_json:
        _show_ladders(ladders)
    speeds = ratings.both(quick=quick)
    measured["ratings"] = [asdict(entry) for entry in speeds]
    if not as_json:
        ratings.show(speeds)
    if wire:
        # Loaded here: it brings gRPC, which the figures above do without.
        from ladder.bench import bundling, hosting
        from ladder.bench.wire import measure, show

        table, bundles = measure(quick=quick), bundling.measure(quick=quick)
        measured["wire"] = [asdict(entry) for entry in table]
        measured["bundling"] = asdict(bundles)
        if not as_json:
            show(table)
            bundling.show(bundles)
        start, games = hosting.measure(quick=quick)
        measured["hosting"] = {"start": asdict(start), "games": [asdict(entry) for entry in games]}
        if not as_json:
            hosting.show(start, games)
    if as_json:
        print_json(measured)


def _statistics(which: str, *, quick: bool, as_json: bool) -> None:
    """The benchmarks that a name alone asks for."""
    if which == RATINGS:
        speeds = ratings.both(quick=quick)
        if as_json:
            print_json([asdict(entry) for entry in speeds])
        else:
            ratings.show(speeds)
        return
    # Loaded here: it brings all bundled bots.
    from ladder.bench import gate_simulated, gate_table

    tests = 50 if quick else gate_table.TESTS
    simulated = gate_simulated.simulations(tests)
    if not as_json:
        gate_simulated.show(simulated)
    rows = gate_table.table(list(registry.names()), MOST_GATE_SETS, 2.0 if quick else GATE_SECONDS, tests)
    if as_json:
        print_json({"simulated": [asdict(row) for row in simulated], "played": [asdict(row) for row in rows]})
    else:
        gate_table.show(rows)


def _pages(*, quick: bool, as_json: bool) -> None:
    # Loaded here: it brings gRPC and the web server.
    from ladder.bench import pages

    found = pages.measure(quick=quick)
    if as_json:
        print_json(asdict(found))
    else:
        pages.show(found)


def _viewer(*, quick: bool, as_json: bool) -> None:
    # Loaded here: it brings the boards of all games, and starts a browser where there is one.
    from ladder.bench import viewer

    found = viewer.measure(list(registry.names()), quick=quick)
    if as_json:
        print_json([asdict(entry) for entry in found])
    else:
        viewer.show(found)


def _show_ladders(figures: list[seasons.SeasonFigures]) -> None:
    print_table(
        f"\na ladder of {' and '.join(seasons.BOTS)} in one process, everything stored, over bare playouts of both",
        ("game", "bare games/s", "ladder games/s", "ratio"),
        [(entry.game, f"{entry.bare:.1f}", f"{entry.ladder:.1f}", f"{entry.ratio:.2f}x") for entry in figures],
    )


def _show_rules(figures: list[rules.RulesFigures], loop: float) -> None:
    print_table(
        "\nin process, random play, one core",
        ("game", "seats", "decisions/s", "per yardstick", "match loop", "clocked", "recorded", "clone us", "view us"),
        [
            (
                entry.game,
                entry.seats,
                f"{entry.decisions:,.0f}",
                f"{entry.decisions * loop:,.0f}",
                f"{entry.match:.2f}x",
                f"{entry.clocked:.2f}x",
                f"{entry.record:.2f}x",
                f"{entry.clone_us:.1f}",
                f"{entry.view_us:.1f}",
            )
            for entry in figures
        ],
    )
    typer.echo(
        "match loop: cost of a decision with a view per ask, over the rules alone; clocked: the same with a time "
        "limit; recorded: speed with every record written, over without"
    )
