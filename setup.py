"""Compiles what every decision passes through, if asked to: `KUMITE_COMPILE=1 pip install .` (needs a C compiler).

The modules stay plain Python and behave the same either way; mypyc turns their annotated source into C. Everything
about the package that does not depend on this choice stands in pyproject.toml.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

MYPYC = "mypy>=1.17,<3"

CORE = (
    "referee/kernel/chance.py",
    "referee/kernel/frames.py",
    "referee/kernel/grid.py",
    "referee/kernel/turns.py",
    "referee/match/seat.py",
    "referee/match/clock.py",
    "referee/match/inprocess.py",
    "referee/match/event_log.py",
    "referee/match/match.py",
    "referee/match/playtime.py",
    "referee/match/storage.py",
    "referee/match/table.py",
    "referee/transport/connections.py",
    "referee/transport/limits.py",
    "referee/transport/stream.py",
    "referee/transport/messages.py",
    "referee/transport/session.py",
    "referee/codec/protobuf_bytes.py",
)
"""From a bot's answer to the next ask."""

COLD = {"__init__.py", "components.py", "census.py", "decisions.py", "placement_points.py", "storage.py", "unseen.py"}
"""Modules of a game that nothing waits for."""


def extensions() -> list[Extension]:
    """The core and each game with its encoder: a library each, so that they can be built side by side."""
    from mypyc.build import mypycify

    groups = [(list(CORE), "kumite_core")]
    # A folder whose name begins with an underscore is no game to play, but one to copy: it has no encoder.
    for game in sorted(path.parent for path in Path("referee/games").glob("[!_]*/components.toml")):
        modules = [str(path) for path in sorted(game.glob("*.py")) if path.name not in COLD]
        groups.append(([*modules, f"referee/codec/{game.name}/encode.py"], f"kumite_{game.name}"))
    paths = [path for modules, _ in groups for path in modules]
    # An isolated build has none of the libraries at hand; what they are is no part of this check.
    options = ["--config-file=", "--ignore-missing-imports"]
    built: list[Extension] = mypycify([*options, *paths], separate=groups, opt_level="2", debug_level="0")
    return built


class BuildWithProtocol(build_py):
    """Puts the protocol's files into the wheel, for `kumite proto` and `kumite new`; a checkout has them in proto/."""

    def run(self) -> None:
        """Copy the modules, then the files."""
        super().run()
        if not self.editable_mode:
            for path in (Path("proto/README.md"), *sorted(Path("proto/referee/v1").glob("*.proto"))):
                target = Path(self.build_lib, "referee/v1", path)
                self.mkpath(str(target.parent))
                self.copy_file(str(path), str(target))


# What is compiled beside its source goes stale with the first edit, so a checkout in editable mode stays as it is.
wanted = os.environ.get("KUMITE_COMPILE", "") not in ("", "0") and "editable_wheel" not in sys.argv
able = find_spec("mypyc") is not None
setup(
    cmdclass={"build_py": BuildWithProtocol},
    # An isolated build asks for what it needs first, and comes back when it has it.
    setup_requires=[MYPYC] if wanted and not able else [],
    ext_modules=extensions() if wanted and able else [],
    options={"build_ext": {"parallel": os.cpu_count()}},
)
