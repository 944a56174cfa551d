"""The C++ bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from referee.hosting.manifest import Manifest
from referee.v1 import edo_yashiki_pb2
from referee.v1 import play_pb2 as pb
from tests.languages.drills import LanguageDrills
from tests.languages.examiner import MATCH
from tests.languages.harness import build, installing

pytestmark = pytest.mark.processes


@pytest.mark.slow
class TestCpp(LanguageDrills):
    """bots/cpp."""

    folder = "cpp"
    tools = ("cmake", "c++", "protoc", "grpc_cpp_plugin", "pkg-config")
    heuristic = "edo_yashiki"
    failing = pb.Ask(
        match_id=MATCH,
        ask=7,
        seat=1,
        option_count=1,
        kind="pick_card",
        edo_yashiki=edo_yashiki_pb2.EdoYashikiAsk(view=edo_yashiki_pb2.EdoYashikiView(), picks=[5]),
    )
    """A card of the row is to be picked, and the row is empty."""

    @pytest.fixture
    def manifest(self) -> Manifest:
        """The built bot; skips, too, if a library is not installed."""
        for library in ("grpc++", "protobuf", "openssl"):
            if shutil.which("pkg-config") and subprocess.run(["pkg-config", "--exists", library]).returncode:
                pytest.skip(f"bots/cpp is not tested: {library} is not installed; {installing(self.folder)}")
        return build(self.folder, self.tools)

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`ctest` is green."""
        done = subprocess.run(["ctest", "--test-dir", "build"], cwd=manifest.folder, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr
