"""The Go bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import subprocess

import pytest

from referee.hosting.manifest import Manifest
from tests.languages.drills import LanguageDrills


@pytest.mark.slow
class TestGo(LanguageDrills):
    """bots/go."""

    folder = "go"
    tools = ("go",)
    heuristic = "honshu"

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`go vet` has nothing to say and `go test` is green."""
        for command in (["go", "vet", "./..."], ["go", "test", "./..."]):
            done = subprocess.run(command, cwd=manifest.folder, capture_output=True, text=True)

            assert done.returncode == 0, done.stdout + done.stderr
