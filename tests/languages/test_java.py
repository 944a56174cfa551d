"""The Java bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import subprocess

import pytest

from referee.hosting.manifest import Manifest
from referee.v1 import play_pb2 as pb
from referee.v1 import white_castle_pb2
from tests.languages.drills import LanguageDrills
from tests.languages.examiner import MATCH

pytestmark = pytest.mark.processes


@pytest.mark.slow
class TestJava(LanguageDrills):
    """bots/java."""

    folder = "java"
    tools = ("java", "mvn")
    heuristic = "white_castle"
    failing = pb.Ask(
        match_id=MATCH, ask=7, seat=1, option_count=2, kind="gain", white_castle=white_castle_pb2.WhiteCastleAsk()
    )
    """A board without players."""

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`mvn test` is green."""
        done = subprocess.run(["mvn", "-q", "-B", "test"], cwd=manifest.folder, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr
