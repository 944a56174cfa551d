"""The Rust bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import subprocess

import pytest

from referee.hosting.manifest import Manifest
from referee.v1 import play_pb2 as pb
from tests.languages.drills import LanguageDrills
from tests.languages.examiner import MATCH

pytestmark = pytest.mark.processes


@pytest.mark.slow
class TestRust(LanguageDrills):
    """bots/rust."""

    folder = "rust"
    tools = ("cargo",)
    heuristic = "ninjato"
    failing = pb.Ask(match_id=MATCH, ask=7, seat=1, option_count=0, kind="choose")
    """A choice among no options."""

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`cargo test` is green."""
        command = ["cargo", "test", "--release", "--locked", "--quiet"]
        done = subprocess.run(command, cwd=manifest.folder, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr
