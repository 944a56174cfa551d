"""The wire contract: generated code is up to date, and everything in the proto files is explained."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parents[2]
PROTO = ROOT / "proto"
FILES = sorted((PROTO / "referee" / "v1").glob("*.proto"))
VERSIONS = re.compile(r"^.*(?:Protobuf Python Version|GRPC_GENERATED_VERSION = ).*$|^    \d+,$", re.MULTILINE)
"""Lines that name the version of the generator."""


def test_the_generated_code_is_up_to_date(tmp_path: Path) -> None:
    """Generating anew gives the committed files, but for the version of the generator."""
    runpy.run_path(str(PROTO / "generate.py"))["generate"](tmp_path)
    new = {path.name: path.read_text() for path in (tmp_path / "referee" / "v1").iterdir()}
    committed = {path.name: path.read_text() for path in (ROOT / "referee" / "v1").glob("*.py*")}

    assert sorted(new) == sorted(committed)
    for name, text in new.items():
        assert VERSIONS.sub("", committed[name]) == VERSIONS.sub("", text), f"run `make proto`: {name} is out of date"


def _buf() -> str | None:
    """buf from the environment's BUF, or from the path."""
    return os.environ.get("BUF") or shutil.which("buf")


@pytest.mark.processes
@pytest.mark.skipif(_buf() is None, reason="buf is not installed")
def test_the_proto_files_are_clean_for_buf() -> None:
    """buf's standard rules and its rules for comments find nothing."""
    buf = _buf()
    assert buf is not None
    done = subprocess.run([buf, "lint", PROTO], capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_everything_is_commented(path: Path, tmp_path: Path) -> None:
    """Every service, call, message, field, oneof, enum and value has a comment in front of it."""
    out = tmp_path / "set"
    relative = path.relative_to(PROTO).as_posix()
    status = protoc.main(
        ["", f"--proto_path={PROTO}", "--include_source_info", f"--descriptor_set_out={out}", relative]
    )
    (described,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    comments = {tuple(place.path): place.leading_comments.strip() for place in described.source_code_info.location}

    assert status == 0
    assert [name for place, name in _named(described) if not comments.get(place)] == []


def _named(file: descriptor_pb2.FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    """Everything with a name, and its place in the file as protoc counts it."""
    for number, message in enumerate(file.message_type):
        yield from _in_message((4, number), message)
    for number, enum in enumerate(file.enum_type):
        yield from _in_enum((5, number), enum)
    for number, service in enumerate(file.service):
        yield (6, number), service.name
        for index, method in enumerate(service.method):
            yield (6, number, 2, index), f"{service.name}.{method.name}"


def _in_message(
    place: tuple[int, ...], message: descriptor_pb2.DescriptorProto
) -> Iterator[tuple[tuple[int, ...], str]]:
    if message.options.map_entry:
        return
    yield place, message.name
    for index, field in enumerate(message.field):
        yield (*place, 2, index), f"{message.name}.{field.name}"
    for index, inner in enumerate(message.nested_type):
        yield from _in_message((*place, 3, index), inner)
    for index, enum in enumerate(message.enum_type):
        yield from _in_enum((*place, 4, index), enum)
    for index, oneof in enumerate(message.oneof_decl):
        if not oneof.name.startswith("_"):
            yield (*place, 8, index), f"{message.name}.{oneof.name}"


def _in_enum(place: tuple[int, ...], enum: descriptor_pb2.EnumDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    yield place, enum.name
    for index, value in enumerate(enum.value):
        yield (*place, 2, index), f"{enum.name}.{value.name}"
