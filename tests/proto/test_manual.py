"""`proto/README.md`: tables that agree with the code, and a first bot that is played by hand, written and drilled."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

from referee.match.clock import SeatClock, TimeControl
from referee.match.policy import Policy
from referee.transport.service import STATUS
from referee.v1 import play_pb2 as pb

ROOT = Path(__file__).resolve().parents[2]
MANUAL = (ROOT / "proto" / "README.md").read_text(encoding="utf-8")
PATIENCE = 120.0
"""Seconds after which something that should have been printed is given up."""
MILLISECOND = 1000


def table(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = MANUAL.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


@pytest.fixture(scope="module")
def comments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The comment on every fault code in play.proto."""
    out = tmp_path_factory.mktemp("proto") / "set"
    path = f"--proto_path={ROOT / 'proto'}"
    protoc.main(["", path, "--include_source_info", f"--descriptor_set_out={out}", "referee/v1/play.proto"])
    (file,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    (number,) = [index for index, enum in enumerate(file.enum_type) if enum.name == "FaultCode"]
    places = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}
    values = enumerate(file.enum_type[number].value)
    return {value.name: " ".join(places[5, number, 2, index].split()) for index, value in values}


def test_the_table_has_every_fault_code() -> None:
    """Name and number of each code, in order, but for the one that is never sent."""
    listed = [(row[0].strip("`"), int(row[1])) for row in table("Fault codes")]

    assert listed == [(name, number) for name, number in pb.FaultCode.items() if number]


def test_the_table_says_what_counts_and_what_closes(comments: dict[str, str]) -> None:
    """Both columns agree with the comments in play.proto, and the second with the status that a closed stream has."""
    rows = {row[0].strip("`"): row for row in table("Fault codes")}

    for name, (_, _, counted, closes, _) in rows.items():
        comment = comments[name]
        assert (counted == "yes") == comment.startswith("Counted"), name
        assert (closes == "yes") == bool(re.search(r"\bCloses (the stream|this one)", comment)), name
        assert (closes == "no") == ("close" not in comment.lower()), name
    assert {name for name, row in rows.items() if row[3] != "no"} == {pb.FaultCode.Name(code) for code in STATUS}


def test_the_worked_clock_is_that_of_the_referee() -> None:
    """Every row of the example is what a seat's clock comes to."""
    policy = Policy()
    clock = SeatClock(TimeControl.parse("10s+100ms/5s"), policy.lag_per_decision, policy.lag_total)
    at = 0
    rows = [[int(cell) for cell in row] for row in table("The life of a clock")]

    for number, bank, budget, elapsed, network, charged, afterwards in rows:
        clock.start(at)
        shown = (clock.bank // MILLISECOND, clock.budget // MILLISECOND)
        at += elapsed * MILLISECOND
        late = clock.late(at, 30 * MILLISECOND)
        timing = clock.stop(at, 30 * MILLISECOND)
        assert (number, shown, late) == (number, (bank, budget), False)
        assert (timing.network, timing.charged) == (network * MILLISECOND, charged * MILLISECOND), number
        assert clock.bank == afterwards * MILLISECOND, number
    assert [row[0] for row in rows] == [1, 2, 3, 4, 5, 6]


def test_every_link_leads_somewhere() -> None:
    """Relative links name files that are there."""
    for target in re.findall(r"\]\(([^)#]+)\)", MANUAL):
        assert target.startswith("https://") or (ROOT / "proto" / target).exists(), target


class Block(NamedTuple):
    """One fenced block of the first bot's story."""

    language: str
    text: str


STORY = [
    Block(*found)
    for found in re.findall(r"^```(\w*)\n(.*?)^```", MANUAL.split("\n## Your first bot")[1], re.MULTILINE | re.DOTALL)
]


class Running:
    """A command that runs beside the test; what it prints is gathered."""

    def __init__(self, command: str, folder: Path, environment: dict[str, str]) -> None:
        self.output = ""
        self._printed = threading.Condition()
        self._process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", f"exec {command}"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._typed, self._lines = self._process.stdin, self._process.stdout
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._lines:
            with self._printed:
                self.output += line
                self._printed.notify_all()

    def say(self, line: str) -> None:
        """Type a line."""
        self._typed.write(line)
        self._typed.flush()

    def expect(self, pattern: str, start: int = 0) -> re.Match[str]:
        """Wait until something is printed, behind that place."""
        compiled = re.compile(pattern)
        give_up = time.monotonic() + PATIENCE
        with self._printed:
            while (found := compiled.search(self.output, start)) is None:
                left = give_up - time.monotonic()
                if left < 0 or (not self._reader.is_alive() and compiled.search(self.output, start) is None):
                    raise AssertionError(f"{pattern!r} was not printed, but:\n{self.output[start:]}")
                self._printed.wait(min(left, 0.1))
        return found

    def wait(self) -> int:
        """Its exit code, once there is nothing more to type."""
        self._typed.close()
        code = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._lines.close()
        return code

    def end(self) -> None:
        """Stop it, if it runs."""
        self._process.terminate()
        if not self._typed.closed:
            self.wait()


class Reader:
    """Somebody who does what the story says, in a folder of her own."""

    def __init__(self, folder: Path, path: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = str(probe.getsockname()[1])
        self._folder = folder
        self._environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "GRPC_VERBOSITY": "NONE"}
        self._seen: dict[str, str] = {}
        self._talk: Running | None = None
        self._printed = ""
        self._said = 0
        self._others: list[Running] = []
        self.typed = 0
        """Lines that were typed."""

    def shell(self, text: str) -> None:
        """A block of commands."""
        for command in text.strip().splitlines():
            self._command(self._filled(command.replace("7400", self._port)))

    def _filled(self, text: str) -> str:
        """A text with what was printed in the place of placeholders."""
        for name, value in self._seen.items():
            text = text.replace(f'"{name}"', f'"{value}"')
        return text

    def _command(self, command: str) -> None:
        if command.startswith("kumite serve"):
            self._start(command).expect("referee at")
        elif command.startswith("kumite check"):
            self.end()
            self._start(f"{command} --bind 127.0.0.1:{self._port}").expect("waiting for first")
        elif " -d @ " in command:
            self.hang_up()
            self._talk = Running(command, self._folder, self._environment)
            self._said = 0
        elif command.endswith("first.py"):
            name, _, rest = command.partition(" ")
            bot = self._start(f"env {name} KUMITE_ADDRESS=localhost:{self._port} {rest}")
            (check, _) = self._others
            codes = (check.wait(), bot.wait())
            assert codes == (0, 0), check.output + bot.output
        else:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", command],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
            self.hang_up()
            self._printed, self._said = done.stdout, 0

    def _start(self, command: str) -> Running:
        other = Running(command, self._folder, self._environment)
        self._others.append(other)
        return other

    def types(self, text: str) -> None:
        """A block of lines to type into the open stream; what was printed stands in for placeholders."""
        assert self._talk is not None
        text = self._filled(text)
        self._said = len(self._talk.output)
        self.typed += 1
        self._talk.say(text)

    def sees(self, text: str) -> None:
        """A block of lines that must have been printed, in this order; `...` is anything."""
        place = self._said
        for line in text.strip().splitlines():
            pattern = re.escape(line.strip()).replace(re.escape("..."), ".*")
            pattern = re.sub(r'"(MATCH|TOKEN)"', lambda found: f'"(?P<{found[1]}>[^"]+)"', pattern)
            # grpcurl writes names in either style, as its version has it.
            pattern = re.sub(r"_([a-z])", lambda found: f"(?:_{found[1]}|{found[1].upper()})", pattern)
            if self._talk is not None:
                found = self._talk.expect(pattern, place)
            else:
                printed = re.compile(pattern).search(self._printed, place)
                assert printed is not None, f"{line}\n{self._printed[place:]}"
                found = printed
            place = found.end()
            self._seen |= found.groupdict()

    def hang_up(self) -> None:
        """End the open stream as Ctrl-D does."""
        if self._talk is not None:
            self._talk.wait()
            self._talk = None

    def end(self) -> None:
        """Stop whatever runs."""
        self.hang_up()
        while self._others:
            self._others.pop().end()


@pytest.fixture(params=["grpcurl", "reflective client"])
def reader(request: pytest.FixtureRequest, tmp_path: Path) -> Reader:
    """A reader with grpcurl, if it is installed, and one with a stand-in that does the same by reflection."""
    tools = tmp_path / "tools"
    tools.mkdir()
    if request.param == "grpcurl":
        if shutil.which("grpcurl") is None:
            pytest.skip("grpcurl is not installed; the stand-in carries the same commands out")
    else:
        script(tools / "grpcurl", f'exec {sys.executable} {Path(__file__).with_name("reflective.py")} "$@"')
    if shutil.which("protoc") is None:
        # The compiler that comes with gRPC for Python has no generator for Ruby.
        script(tools / "protoc", f'exec {sys.executable} -m grpc_tools.protoc "${{@/--ruby_out/--python_out}}"')
    (tmp_path / "proto").symlink_to(ROOT / "proto")
    path = os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]])
    return Reader(tmp_path, path)


def script(path: Path, text: str) -> None:
    """A command of the reader's own."""
    path.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.processes
def test_the_first_bot_is_played_by_hand_written_and_drilled(reader: Reader, tmp_path: Path) -> None:
    """Every command of the six steps works, every line that is promised is printed, and the bot passes its drill."""
    try:
        for block in STORY:
            if block.language == "sh":
                reader.shell(block.text)
            elif block.language == "json":
                reader.types(block.text)
            elif block.language == "text":
                reader.sees(block.text)
            else:
                (tmp_path / "first.py").write_text(block.text, encoding="utf-8")
    finally:
        reader.end()

    assert reader.typed == 6
    assert len(list((tmp_path / "stubs").rglob("*"))) > len(list((ROOT / "proto" / "referee" / "v1").iterdir()))


def test_the_story_has_six_steps() -> None:
    """One heading each, in order."""
    assert re.findall(r"^### (\d)\. ", MANUAL, re.MULTILINE) == list("123456")
