"""The benchmark of the wire runs, and its figures are of the right sort; how good they are is for `kumite bench`."""

from __future__ import annotations

import pytest

from ladder.bench import bundling, wire

pytestmark = pytest.mark.processes


def test_the_benchmark_compares_the_referee_with_an_echo_of_equal_messages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lone bot holds both seats, so its round trips carry two decisions; of two bots each has its own."""
    monkeypatch.setattr(wire, "QUICK", (1, 0.5))

    alone, two = wire.measure(quick=True, streams=(1, 2), transports=("unix",))
    wire.show([alone, two])

    assert (alone.transport, alone.streams, two.streams) == ("unix", 1, 2)
    assert alone.decisions == pytest.approx(2 * alone.round_trips, rel=0.05)
    assert two.decisions == pytest.approx(two.round_trips, rel=0.05)
    assert alone.down_bytes > two.down_bytes > two.up_bytes > 0
    assert min(alone.ratio, alone.cpu_ratio, alone.batched_ratio, two.ratio, two.cpu_ratio, two.batched_ratio) > 0
    shown = capsys.readouterr().out
    assert "over echo" in shown
    assert "over batched echo" in shown


def test_bundling_is_measured_over_real_streams(capsys: pytest.CaptureFixture[str]) -> None:
    """A few tables on one stream per side: several decisions share a message, and bots on the kit play, too."""
    figures = bundling.measure(quick=True, tables=4)
    bundling.show(figures)

    assert figures.asks_per_message > 1.0
    assert min(figures.spread, figures.bundled, figures.wire_ratio) > 0
    assert min(figures.kit_spread, figures.kit_bundled, figures.kit_ratio) > 0
    assert "on the kit" in capsys.readouterr().out
