"""Bots that answer only when the test lets them: tables of theirs stand open as long as a test needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from referee.v1 import play_pb2 as pb
from tests.transport.house import WAIT, Wire, reply


class HeldBot:
    """A bot in a thread of its own. It is ready and returns pings at once, and keeps its answers until `release`."""

    def __init__(self, address: str, name: str, token: str = "", resume_token: str = "") -> None:
        self.name = name
        self.faults: list[pb.Fault] = []
        self.overs: list[pb.Over] = []
        self.seated: list[pb.Seated] = []
        self._released = threading.Event()
        self._kept: list[pb.Answer] = []
        self._lock = threading.Lock()
        self.wire = Wire(address, token)
        first = self.wire.greet(name, resume_token=resume_token)
        self.welcome = first.welcome
        self._take(first)
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _take(self, message: pb.PlayResponse) -> None:
        self.faults.extend(message.faults)
        self.overs.extend(message.over)
        self.seated.extend(message.seated)
        request = reply(message)
        with self._lock:
            if not self._released.is_set():
                self._kept.extend(request.answers)
                del request.answers[:]
        if request.ByteSize():
            self.wire.send(request)

    def _play(self) -> None:
        while (message := self.wire.read()) is not None:
            self._take(message)

    def release(self) -> None:
        """Answer from now on, at first what is open."""
        with self._lock:
            self._released.set()
            kept, self._kept = self._kept, []
        if kept:
            self.wire.send(pb.PlayRequest(answers=kept))

    @property
    def codes(self) -> set[int]:
        """The codes of all faults that it was told."""
        return {fault.code for fault in self.faults}

    def finish(self) -> None:
        """Wait until the referee has closed the stream."""
        self._thread.join(WAIT)
        assert not self._thread.is_alive()

    def close(self) -> None:
        """Leave."""
        self.wire.close()
        self.finish()


def eventually(condition: Callable[[], object]) -> None:
    """Wait for something to come true."""
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline, "that did not happen"
        time.sleep(0.01)


def release(bots: Sequence[HeldBot]) -> None:
    """Let all of them play."""
    for bot in bots:
        bot.release()
