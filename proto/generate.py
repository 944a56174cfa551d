"""Generate the Python side of the wire contract: `python proto/generate.py [FOLDER]`, or `make proto`.

Writes `referee/v1/*_pb2.py` (messages), `*_pb2.pyi` (their types) and `play_pb2_grpc.py` (the stubs) below
FOLDER, by default the repository. The generated files are committed; a test generates them anew and compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

from grpc_tools import protoc

SOURCE = Path(__file__).resolve().parent
PACKAGE = Path("referee/v1")
INIT = '''"""Messages and stubs of the wire contract, generated from proto/ by `make proto`. Do not edit."""
'''


def generate(folder: Path) -> None:
    """Write the generated package below `folder`."""
    files = sorted(path.relative_to(SOURCE).as_posix() for path in (SOURCE / PACKAGE).glob("*.proto"))
    services = [file for file in files if "\nservice " in (SOURCE / file).read_text()]
    target = folder / PACKAGE
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("*_pb2*"):
        old.unlink()
    _run([f"--python_out={folder}", f"--pyi_out={folder}", *files])
    _run([f"--grpc_python_out={folder}", *services])
    (target / "__init__.py").write_text(INIT)


def _run(arguments: list[str]) -> None:
    status = protoc.main(["protoc", f"--proto_path={SOURCE}", *arguments])
    if status:
        raise SystemExit(f"protoc failed with status {status}: {' '.join(arguments)}")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE.parent)
