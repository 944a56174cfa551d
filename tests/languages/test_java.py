"""The Java bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import subprocess

import pytest

from referee.hosting.manifest import Manifest
from tests.languages.drills import LanguageDrills


@pytest.mark.slow
class TestJava(LanguageDrills):
    """bots/java."""

    folder = "java"
    tools = ("java", "mvn")
    heuristic = "white_castle"

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`mvn test` is green."""
        done = subprocess.run(["mvn", "-q", "-B", "test"], cwd=manifest.folder, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr
