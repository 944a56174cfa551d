"""Regression tests of strategies, from pytest: the fixture `arena`.

    def test_new_is_not_weaker(arena):
        arena.assert_not_weaker("py:mybot:New", "py:mybot:Old", game="honshu", elo0=-15, elo1=0)

The same sequential test as `kumite gate`, with the same seed every time, so a test gives the same answer until a bot
changes. `--arena-seed` asks for other luck, `--arena-workers` for more processes.

A new bot that raises, answers nonsense or takes longer than `limit` seconds for a decision (None: any time) fails,
unless it does so `allow_faults` times at most; an old bot that does fails the test as well. What bots print goes to
standard error.

Such luck is as secret as its seed: a bot that knows the seed could compute every deal. For a bot that is not trusted,
name one that it cannot guess.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ladder.arena.gate.sequential_test import GateReport

STATEMENT_NOT_WEAKER = "is not weaker than"
STATEMENT_STRONGER = "is stronger than"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the fixture."""
    group = parser.getgroup("kumite", "regression tests of game-playing bots")
    group.addoption("--arena-seed", default="arena", help="seed of the deals that the arena plays (default: arena)")
    group.addoption("--arena-workers", type=int, default=0, help="processes of the arena; 0: this one (default: 0)")


_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep standard error as it is before pytest captures it, for the last line of a run that a bot holds up."""
    config.stash[_stderr] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of it."""
    os.close(config.stash[_stderr])


@pytest.fixture
def arena(request: pytest.FixtureRequest) -> Arena:
    """Where bots meet: `assert_not_weaker` and `assert_stronger`."""
    from referee.match import supervision

    supervision.errors[0] = request.config.stash[_stderr]
    return Arena(str(request.config.getoption("--arena-seed")), int(request.config.getoption("--arena-workers")))


class Arena:
    """Asserts about the strength of bots."""

    def __init__(self, seed: str, workers: int) -> None:
        self._seed = seed
        self._workers = workers

    def assert_not_weaker(
        self,
        new: str,
        old: str,
        *,
        game: str,
        seats: int = 2,
        variant: Mapping[str, str] | None = None,
        elo0: float = -30.0,
        elo1: float = 0.0,
        alpha: float = 0.05,
        beta: float = 0.05,
        max_sets: int | None = None,
        model: str = "normalised",
        seed: str | None = None,
        allow_faults: int = 0,
        limit: float | None = 30.0,
    ) -> GateReport:
        """Fail unless NEW is accepted as at least as strong as `elo0` below OLD; identical bots pass."""
        __tracebackhide__ = True
        question = (new, old, game, seats, variant, elo0, elo1, alpha, beta, max_sets, model, seed)
        report = self._decide(*question, allow_faults, limit)
        _judge(report, STATEMENT_NOT_WEAKER, passing=("accepted", "identical"))
        return report

    def assert_stronger(
        self,
        new: str,
        old: str,
        *,
        game: str,
        seats: int = 2,
        variant: Mapping[str, str] | None = None,
        elo0: float = 0.0,
        elo1: float = 30.0,
        alpha: float = 0.05,
        beta: float = 0.05,
        max_sets: int | None = None,
        model: str = "normalised",
        seed: str | None = None,
        allow_faults: int = 0,
        limit: float | None = 30.0,
    ) -> GateReport:
        """Fail unless NEW is accepted as stronger than OLD."""
        __tracebackhide__ = True
        question = (new, old, game, seats, variant, elo0, elo1, alpha, beta, max_sets, model, seed)
        report = self._decide(*question, allow_faults, limit)
        _judge(report, STATEMENT_STRONGER, passing=("accepted",))
        return report

    def _decide(
        self,
        new: str,
        old: str,
        game: str,
        seats: int,
        variant: Mapping[str, str] | None,
        elo0: float,
        elo1: float,
        alpha: float,
        beta: float,
        max_sets: int | None,
        model: str,
        seed: str | None,
        allow_faults: int,
        limit: float | None,
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
                return decide(question, workers)
            except (BaselineFaulted, GivenUp) as error:
                pytest.fail(visible(str(error)), pytrace=False)


def _judge(report: GateReport, statement: str, passing: tuple[str, ...]) -> None:
    from ladder.arena.gate.report import conclusion

    __tracebackhide__ = True
    if report.answer in passing:
        return
    question = report.question
    headline = f"it is not shown that {question.new} {statement} {question.old}: {report.answer}"
    pytest.fail("\n".join([headline, *(f"  {line}" for line in conclusion(report))]), pytrace=False)
