"""No change of the code changes a record by a byte, unless it is meant to and the kept lines change with it."""

from __future__ import annotations

from tests.golden.fingerprints import KEPT, MATCHES, fingerprints


def test_two_hundred_records_are_those_that_were_kept() -> None:
    """Print the lines anew with `python -m tests.golden.fingerprints`, and say in the commit why they changed."""
    kept = KEPT.read_text(encoding="utf-8").splitlines()

    assert len(kept) == len(set(kept)) == MATCHES
    assert fingerprints() == kept
