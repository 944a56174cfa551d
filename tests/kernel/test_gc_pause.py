"""The cycle collector rests while games are played, and is as before afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from ladder.arena.workers import in_process
from referee.kernel import gc_pause

USUAL = (700, 10, 10)
"""Thresholds of the collector other than those of a rest."""


@pytest.fixture(autouse=True)
def awake(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The collector as it is before the first rest; the suite as a whole lets it rest otherwise."""
    gc.unfreeze()
    gc.set_threshold(*USUAL)
    monkeypatch.setattr(gc_pause, "_RESTERS", gc_pause._Resters())
    yield
    gc_pause.rest()


class Cycle:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


def test_the_collector_is_as_before_after_a_rest() -> None:
    """Also if the block ends with an error."""
    before = gc.get_threshold()

    def work() -> None:
        with gc_pause.resting():
            assert gc.get_threshold() == gc_pause.THRESHOLDS
            assert gc.get_freeze_count() > 0
            raise ValueError("over")

    with pytest.raises(ValueError, match="over"):
        work()

    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_blocks_may_overlap() -> None:
    """The first to leave does not wake the collector for the others, and the last one finds it as it was."""
    before = gc.get_threshold()
    first, second = gc_pause.resting(), gc_pause.resting()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == gc_pause.THRESHOLDS
    second.__exit__(None, None, None)

    assert gc.get_threshold() == before


def test_cycles_are_still_found() -> None:
    """New ones only wait longer."""
    with gc_pause.resting():
        for _ in range(3 * gc_pause.THRESHOLDS[0]):
            Cycle()
        alive = sum(isinstance(thing, Cycle) for thing in gc.get_objects())

    assert alive <= gc_pause.THRESHOLDS[0] + 1


def test_playing_in_this_process_lets_it_rest() -> None:
    """For as long as the workers are there."""
    before = gc.get_threshold()
    with in_process():
        assert gc.get_threshold() == gc_pause.THRESHOLDS

    assert gc.get_threshold() == before
