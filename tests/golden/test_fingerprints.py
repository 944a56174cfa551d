"""No change of the code changes a record by a byte, unless it is meant to and the kept lines change with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.kernel import registry
from referee.match import files
from referee.match.record import from_lines
from referee.match.verify import verify
from tests.golden.fingerprints import EARLIER, EARLIER_SETTINGS, KEPT, MATCHES, earlier_records, fingerprints, line

RECORDS = sorted((Path(__file__).parent / "records").glob("*.jsonl"))
"""Records that the first version wrote, of every game whose rules or settings have changed since."""


def test_two_hundred_records_are_those_that_were_kept() -> None:
    """Print the lines anew with `python -m tests.golden.fingerprints`, and say in the commit why they changed."""
    kept = KEPT.read_text(encoding="utf-8").splitlines()

    assert len(kept) == len(set(kept)) == MATCHES
    assert fingerprints() == kept


def test_records_of_earlier_editions_are_still_played_step_by_step() -> None:
    """Rules version 1 of every game that has changed: the same bytes as then, and each record verifies."""
    kept = set(EARLIER.read_text(encoding="utf-8").splitlines())
    found = 0
    for number, record in earlier_records():
        found += 1

        assert line(record, number) in kept
        verify(from_lines(record.lines()))
    assert found == MATCHES // len(registry.names()) * len(EARLIER_SETTINGS)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_of_the_first_version_verifies(path: Path) -> None:
    """A file as the first version wrote it, with the settings and components of that time, is read and holds."""
    record = files.read(path)
    game = registry.game(record.header.game)

    verify(record)
    assert (record.header.rules_version, record.header.components) != (game.rules_version, game.digest)


def test_records_of_the_first_version_are_kept_for_every_game_that_changed() -> None:
    """Each game with an earlier edition has a record of it here."""
    assert {path.stem.rsplit("-", 1)[0] for path in RECORDS} == set(EARLIER_SETTINGS)
    assert {name for name in registry.names() if registry.game(name).earlier} == set(EARLIER_SETTINGS)
