"""The Rust bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import subprocess

import pytest

from referee.hosting.manifest import Manifest
from tests.languages.drills import LanguageDrills


@pytest.mark.slow
class TestRust(LanguageDrills):
    """bots/rust."""

    folder = "rust"
    tools = ("cargo",)
    heuristic = "ninjato"

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`cargo test` is green."""
        command = ["cargo", "test", "--release", "--locked", "--quiet"]
        done = subprocess.run(command, cwd=manifest.folder, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr
