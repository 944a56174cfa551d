"""The benchmark of the pages runs, and its figures are of the right sort; how good they are is for `kumite bench`."""

from __future__ import annotations

import pytest

from ladder.bench import pages

pytestmark = pytest.mark.processes


def test_the_benchmark_compares_a_referee_with_readers_and_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both runs see decisions and a timer that comes due; every page of the list is served."""
    monkeypatch.setattr(pages, "QUICK_SECONDS", 1.0)
    monkeypatch.setattr(pages, "PAGES", ("/", "/matches.json"))

    found = pages.measure(quick=True)
    pages.show(found)

    assert [run.readers for run in found.runs] == [0, pages.READERS]
    assert all(run.decisions > 0 and 0 < run.load <= 1 for run in found.runs)
    assert all(0 <= run.p50_ms <= run.p99_ms <= run.longest_ms for run in found.runs)
    assert [row.page for row in found.served] == ["/", "/matches.json"]
    assert all(row.requests > 0 and row.kilobytes > 1 for row in found.served)
    assert "with readers" in capsys.readouterr().out
