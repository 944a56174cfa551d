"""Standings that are fitted in another process while matches go on, and what happens when that fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from ladder.serving import standings_publisher
from ladder.serving.standings_publisher import Publisher
from ladder.store.database import Store
from ladder.store.file import StoreProblem
from ladder.store.records import RatingRow
from tests.ladder.test_open_season import begun, joined, play

pytestmark = pytest.mark.processes

WAIT = 60.0


class Stubborn(Publisher):
    """Cannot store what was fitted the first time."""

    failures = 0
    saved: trio.Event

    async def _save(self, fitted: Sequence[tuple[int, int, Sequence[RatingRow]]]) -> None:
        if not self.failures:
            self.failures += 1
            raise StoreProblem("cup.sqlite: another program is writing to it")
        await super()._save(fitted)
        self.saved.set()


def test_standings_are_published_by_another_process_also_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is logged, the referee goes on, and the next publication holds all matches."""
    monkeypatch.setattr(standings_publisher, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(standings_publisher, "SHARE", 1000.0)
    with Store(tmp_path / "cup.sqlite") as store:
        season = begun(store)
        play(season, joined(season, "ann", "bob"), 2)
        task = Stubborn(store, season.row.id, by_end=True, current=lambda: None)

        async def main() -> None:
            task.saved = trio.Event()
            with trio.fail_after(WAIT):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(task.run)
                    await task.saved.wait()
                    nursery.cancel_scope.cancel()

        trio.run(main)
        (pool,) = store.pools(season.row.id)

        assert "another program is writing" in caplog.text
        assert pool.published == store.stamp(pool.id)
        assert {(row.player, row.games) for row in store.ratings(pool.id)} == {("ann", 2), ("bob", 2)}
