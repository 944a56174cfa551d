"""The C++ bot: its own tests, and every drill at the real referee."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from referee.hosting.manifest import Manifest
from tests.languages.drills import LanguageDrills
from tests.languages.harness import build


@pytest.mark.slow
class TestCpp(LanguageDrills):
    """bots/cpp."""

    folder = "cpp"
    tools = ("cmake", "c++", "protoc", "grpc_cpp_plugin", "pkg-config")
    heuristic = "edo_yashiki"

    @pytest.fixture
    def manifest(self) -> Manifest:
        """The built bot; skips, too, if a library is not installed."""
        for library in ("grpc++", "protobuf", "openssl"):
            if shutil.which("pkg-config") and subprocess.run(["pkg-config", "--exists", library]).returncode:
                pytest.skip(f"bots/cpp is not tested: the library {library} is not installed")
        return build(self.folder, self.tools)

    def test_its_own_tests_pass(self, manifest: Manifest) -> None:
        """`ctest` is green."""
        done = subprocess.run(["ctest", "--test-dir", "build"], cwd=manifest.folder, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr
