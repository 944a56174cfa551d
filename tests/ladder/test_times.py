"""Spans of time as `--for`, `--budget` and ladder files write them."""

from __future__ import annotations

import pytest

from ladder.times import seconds


@pytest.mark.parametrize(
    ("text", "expected"), [("90s", 90), ("30m", 1800), ("8h", 28800), ("0s", 0), ("1.5m", 90), ("0.25h", 900)]
)
def test_a_span_is_a_number_and_a_unit(text: str, expected: float) -> None:
    """Seconds, minutes and hours, with or without a fraction."""
    assert expected == seconds(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s",
        "10",
        "10 s",
        " 10s",
        "10s ",
        "-1s",
        "+1s",
        "1e3s",
        "1.s",
        ".5s",
        "1d",
        "1m30s",
        "10S",
        "٣s",
        "9" * 400 + "s",
    ],
)
def test_anything_else_is_no_span(text: str) -> None:
    """Nothing is guessed: the caller says what would be right."""
    assert seconds(text) is None
