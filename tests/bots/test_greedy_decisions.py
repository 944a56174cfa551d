"""Greedy decides as it did when its decisions were written down, however fast it has become."""

from __future__ import annotations

import pytest

from tests.bots.greedy_decisions import Playing, playings, written


@pytest.mark.parametrize("playing", list(playings()), ids=str)
def test_greedy_decides_as_before(playing: Playing) -> None:
    """Every answer of a whole game is the same."""
    assert playing.digest() == written()[str(playing)]
