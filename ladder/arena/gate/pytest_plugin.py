"""Regression tests of strategies, from pytest: the fixture `arena`.

    def test_new_is_not_weaker(arena):
        arena.assert_not_weaker("py:mybot:New", "py:mybot:Old", game="honshu", elo0=-15, elo1=0)

The same sequential test as `kumite gate`, with the same seed every time, so a test gives the same answer until a bot
changes. `--arena-seed` asks for other luck, `--arena-workers` for more processes.

A new bot that raises, answers nonsense or takes longer than `limit` seconds for a decision (None: any time) fails,
unless it does so `allow_faults` times at most; an old bot that does fails the test as well. What bots print goes to
standard error.

A failing assertion writes the whole report as a page, one file for a browser, and its message ends with the path: below
pytest's base folder for temporary files, or in the folder that `--arena-html` names.

Such luck is as secret as its seed: a bot that knows the seed could compute every deal. For a bot that is not trusted,
name one that it cannot guess.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import pytest

if TYPE_CHECKING:
    from ladder.arena.gate.sequential_test import GateReport


class GateOptions(TypedDict, total=False):
    """What both assertions take beside the two bots, the game and the bounds, as `kumite gate` does."""

    seats: int
    variant: Mapping[str, str] | None
    alpha: float
    beta: float
    max_sets: int | None
    model: str
    seed: str | None
    allow_faults: int
    limit: float | None
    """Seconds that a decision may take; None: any time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the fixture."""
    group = parser.getgroup("kumite", "regression tests of game-playing bots")
    group.addoption("--arena-seed", default="arena", help="seed of the deals that the arena plays (default: arena)")
    group.addoption("--arena-workers", type=int, default=0, help="processes of the arena; 0: this one (default: 0)")
    group.addoption(
        "--arena-html",
        metavar="DIR",
        help="folder for the reports of failing assertions (default: one below pytest's temporary files)",
    )


_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep standard error as it is before pytest captures it, for the last line of a run that a bot holds up.

    Raises UsageError if the folder of the reports is a file.
    """
    folder = config.getoption("--arena-html")
    if folder and Path(folder).exists() and not Path(folder).is_dir():
        raise pytest.UsageError(f"--arena-html {folder}: that is a file; name a folder")
    config.stash[_stderr] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close the copy of standard error."""
    if _stderr in config.stash:
        os.close(config.stash[_stderr])


@pytest.fixture
def arena(request: pytest.FixtureRequest) -> Arena:
    """Where bots meet: `assert_not_weaker` and `assert_stronger`."""
    from referee.match import supervision

    supervision.errors[0] = request.config.stash[_stderr]
    options = request.config.getoption
    return Arena(str(options("--arena-seed")), int(options("--arena-workers")), lambda: _report_file(request))


def _report_file(request: pytest.FixtureRequest) -> Path:
    """A file for the report of a failing test, in a folder that exists then; raises OSError."""
    test = request.node.nodeid
    # The digest keeps tests apart whose names differ in signs that a file's name does not have.
    short = hashlib.sha256(test.encode()).hexdigest()[:8]
    stem = f"{re.sub('[^A-Za-z0-9_]+', '-', request.node.name).strip('-')[:80]}-{short}"
    named = request.config.getoption("--arena-html")
    if named:
        folder = Path(named).absolute()
        folder.mkdir(parents=True, exist_ok=True)
    else:
        factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        folder = factory.mktemp("arena")
    return folder / f"{stem}.html"


class Arena:
    """Asserts about the strength of bots."""

    def __init__(self, seed: str, workers: int, report_file: Callable[[], Path]) -> None:
        self._seed = seed
        self._workers = workers
        self._report_file = report_file
        """Where the report of an assertion that fails is written."""

    def assert_not_weaker(
        self,
        new: str,
        old: str,
        *,
        game: str,
        elo0: float = -30.0,
        elo1: float = 0.0,
        **options: Unpack[GateOptions],
    ) -> GateReport:
        """Fail unless NEW is accepted as at least as strong as `elo0` below OLD; identical bots pass."""
        __tracebackhide__ = True
        report = self._decide(new, old, game, elo0, elo1, **options)
        self._judge(report, "is not weaker than", passing=("accepted", "identical"))
        return report

    def assert_stronger(
        self,
        new: str,
        old: str,
        *,
        game: str,
        elo0: float = 0.0,
        elo1: float = 30.0,
        **options: Unpack[GateOptions],
    ) -> GateReport:
        """Fail unless NEW is accepted as stronger than OLD."""
        __tracebackhide__ = True
        report = self._decide(new, old, game, elo0, elo1, **options)
        self._judge(report, "is stronger than", passing=("accepted",))
        return report

    def _decide(
        self,
        new: str,
        old: str,
        game: str,
        elo0: float,
        elo1: float,
        *,
        seats: int = 2,
        variant: Mapping[str, str] | None = None,
        alpha: float = 0.05,
        beta: float = 0.05,
        max_sets: int | None = None,
        model: str = "normalised",
        seed: str | None = None,
        allow_faults: int = 0,
        limit: float | None = 30.0,
    ) -> GateReport:
        # Loaded here, so that a test run which does not use the arena does not wait for the statistics.
        __tracebackhide__ = True
        from ladder.arena.bot_output import aside
        from ladder.arena.entrants import find
        from ladder.arena.gate.faults import BaselineFaulted
        from ladder.arena.gate.question import ask
        from ladder.arena.gate.sequential_test import decide
        from ladder.arena.host_settings import check
        from ladder.arena.workers import GivenUp, place_for
        from ladder.escaping import visible
        from ladder.ratings.sprt import Model, SequentialDesign

        design = SequentialDesign(elo0, elo1, Model(model), alpha, beta, seats, seats)
        with aside():
            entrants = [find(spec) for spec in (new, old)]
        check(entrants)
        question = ask(
            new,
            old,
            game,
            design,
            variant=dict(variant or {}),
            seed=seed or self._seed,
            max_sets=max_sets,
            allow_faults=allow_faults,
            limit=limit,
        )
        with place_for(entrants, self._workers) as workers:
            try:
                return decide(question, workers, keeps_records=True)
            except (BaselineFaulted, GivenUp) as error:
                pytest.fail(visible(str(error)), pytrace=False)

    def _judge(self, report: GateReport, statement: str, passing: tuple[str, ...]) -> None:
        """Fail with the report in words and the path of its page, unless the answer passes."""
        from ladder.arena.gate.report import conclusion

        __tracebackhide__ = True
        if report.answer in passing:
            return
        question = report.question
        headline = f"it is not shown that {question.new} {statement} {question.old}: {report.answer}"
        lines = [*conclusion(report), self._written(report)]
        pytest.fail("\n".join([headline, *(f"  {line}" for line in lines)]), pytrace=False)

    def _written(self, report: GateReport) -> str:
        """Write the page of a report; returns a line that says where it is, or why there is none."""
        # Loaded here, since only a failing test needs the template engine.
        from ladder.arena.gate.report import as_json
        from ladder.web.gate_page import gate_page

        page = gate_page(
            as_json(report),
            [found.record for found in report.worst],
            [found.record for found in report.best],
            written=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        try:
            path = self._report_file()
            path.write_text(page, encoding="utf-8")
        except OSError as error:
            return f"the report could not be written: {error}"
        return f"the whole report, for a browser: {path}"
