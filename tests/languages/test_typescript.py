"""The TypeScript bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import subprocess

import pytest

from referee.hosting.manifest import Manifest
from referee.v1 import edo_yashiki_pb2
from referee.v1 import play_pb2 as pb
from tests.languages.drills import LanguageDrills
from tests.languages.examiner import MATCH

pytestmark = pytest.mark.processes


@pytest.mark.slow
class TestTypeScript(LanguageDrills):
    """bots/typescript."""

    folder = "typescript"
    tools = ("node", "npm")
    heuristic = "edo_yashiki"
    failing = pb.Ask(
        match_id=MATCH,
        ask=7,
        seat=1,
        option_count=1,
        kind="place_card",
        edo_yashiki=edo_yashiki_pb2.EdoYashikiAsk(
            view=edo_yashiki_pb2.EdoYashikiView(), anchor_x=[0], anchor_y=[0], orientations=1
        ),
    )
    """The card that was taken is to be laid, and none was taken."""

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`npm test` is green."""
        done = subprocess.run(["npm", "test"], cwd=manifest.folder, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr
