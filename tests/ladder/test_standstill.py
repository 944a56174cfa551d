"""Real referees that stand still: stopped, locked out of their database, or without room on the disk."""

from __future__ import annotations

import queue
import resource
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from ladder.store.database import Store
from referee.match.verify import verify
from referee.v1 import play_pb2 as pb
from tests.ladder.test_serving import Scene
from tests.transport.house import Wire, reply

pytestmark = pytest.mark.processes

CHARGED = 100_000
"""Microseconds that a bot may be charged in all. The standstills here last seconds; what the bot's own process takes of
a busy machine is its own time, so the bound is a generous one. The aim is 50 ms, and a failure shows the figures."""
PATIENCE = 60.0


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A folder of its own, left without a process."""
    place = Scene(tmp_path)
    yield place
    place.close()


class Hand:
    """A bot that is ready and returns pings by itself; its answers are sent by the test."""

    def __init__(self, scene: Scene, name: str, *, pongs: bool = True, tables: int = 0, resume_token: str = "") -> None:
        self.wire = Wire(scene.address)
        self.overs: list[pb.Over] = []
        self.faults: list[pb.Fault] = []
        self.charged: list[int] = []
        self.pongs = pongs
        self._asks: queue.SimpleQueue[list[pb.Ask]] = queue.SimpleQueue()
        first = self.wire.greet(name, tables=tables, resume_token=resume_token)
        self.token = first.welcome.resume_token
        self._take(first)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while (message := self.wire.read()) is not None:
            self._take(message)

    def _take(self, message: pb.PlayResponse) -> None:
        self.overs.extend(message.over)
        self.faults.extend(message.faults)
        asks = list(message.asks)
        del message.asks[:]
        if not self.pongs:
            message.ClearField("ping")
        rest = reply(message)
        if rest.ByteSize():
            self.wire.send(rest)
        if asks:
            self.charged.extend(ask.charged_us for ask in asks)
            self._asks.put(asks)

    def asks(self) -> list[pb.Ask]:
        """The next asks."""
        return self._asks.get(timeout=PATIENCE)

    def answer(self, asks: list[pb.Ask]) -> None:
        """Answer them, all with the first option."""
        request = pb.PlayRequest()
        for ask in asks:
            request.answers.add(match_id=ask.match_id, ask=ask.ask, seat=ask.seat, option=0)
        self.wire.send(request)

    def finish(self) -> None:
        """Play on until the first end."""
        deadline = time.monotonic() + PATIENCE
        while not self.overs and time.monotonic() < deadline:
            with suppress(queue.Empty):
                self.answer(self._asks.get(timeout=0.05))


def serve(scene: Scene, cap: str) -> tuple[subprocess.Popen[bytes], list[Hand], list[list[pb.Ask]]]:
    """A referee whose clock has this cap, two bots at its table, and their first asks."""
    process = scene.referee("--clock", f"60s/{cap}")
    scene.until(lambda: accepts(scene.address))
    hands = [Hand(scene, name) for name in ("ann", "bob")]
    return process, hands, [hand.asks() for hand in hands]


def accepts(address: str) -> bool:
    """Whether something listens at a unix address: the file of a socket is there a moment before."""
    with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
        probe.connect(address.removeprefix("unix:"))
        return True
    return False


def lines(scene: Scene) -> list[str]:
    """What the referee logged about storing."""
    return [line for line in scene.logs().splitlines() if "cannot store" in line or "storing works again" in line]


def finish(scene: Scene, hands: list[Hand]) -> None:
    """Play the match to its end: stored, told once to each bot, and verified."""
    players = [threading.Thread(target=hand.finish) for hand in hands]
    for player in players:
        player.start()
    for player in players:
        player.join()
    (told,) = {hand.overs[0].match_id for hand in hands}
    with Store(scene.database) as store:
        record = store.record(told)
    verify(record)
    assert record.final is not None
    assert [ending.faults for ending in record.final.endings] == [0, 0]


def test_a_stopped_referee_charges_no_bot(scene: Scene) -> None:
    """SIGSTOP for three seconds under a cap of two, with the answers in the socket: charged at most 50 ms."""
    process, hands, asks = serve(scene, "2s")
    for _ in range(3):
        process.send_signal(signal.SIGSTOP)
        for hand, asked in zip(hands, asks, strict=True):
            hand.answer(asked)
        time.sleep(3)
        process.send_signal(signal.SIGCONT)
        asks = [hand.asks() for hand in hands]

        assert [hand.charged[-1] <= CHARGED for hand in hands] == [True, True], [hand.charged for hand in hands]
        assert [fault for hand in hands for fault in hand.faults] == []


def health(scene: Scene, service: str = "") -> int:
    """What the health service says."""
    with grpc.insecure_channel(scene.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        return int(stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=10).status)


def test_a_locked_database_charges_no_bot(scene: Scene) -> None:
    """Another program locks the file for four seconds under a cap of three: nothing is told, charged or lost."""
    _, hands, asks = serve(scene, "3s")
    other = sqlite3.connect(scene.database, isolation_level=None)
    other.execute("begin immediate")
    stored = scene.steps()
    hands[0].answer(asks[0])
    hands[1].answer(asks[1])
    time.sleep(4)
    sick, ready, alive = health(scene), health(scene, "readiness"), health(scene, "liveness")
    unchanged = scene.steps() == stored
    other.execute("rollback")
    other.close()
    asks = [hand.asks() for hand in hands]

    assert unchanged
    assert sick == ready == health_pb2.HealthCheckResponse.NOT_SERVING
    assert alive == health_pb2.HealthCheckResponse.SERVING
    assert [hand.charged[-1] <= CHARGED for hand in hands] == [True, True], [hand.charged for hand in hands]
    assert {fault.code for hand in hands for fault in hand.faults} <= {pb.FAULT_CODE_PAUSED}
    scene.until(lambda: health(scene) == health_pb2.HealthCheckResponse.SERVING)
    assert len(lines(scene)) == 2, scene.logs()
    for hand, asked in zip(hands, asks, strict=True):
        hand.answer(asked)
    finish(scene, hands)


def test_a_lock_spares_the_bot_that_thinks(scene: Scene) -> None:
    """Another table begins the trouble: the clock of a seat that has not answered stands too, and it is told so."""
    _, hands, asks = serve(scene, "2s")
    more = [Hand(scene, name) for name in ("cid", "dan")]
    others = [hand.asks() for hand in more]
    other = sqlite3.connect(scene.database, isolation_level=None)
    other.execute("begin immediate")
    for hand, asked in zip(more, others, strict=True):
        hand.answer(asked)
    with Wire(scene.address) as stranger:
        stranger.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name="eve")))
        refused = stranger.fault(pb.FAULT_CODE_FULL)
    time.sleep(4)
    other.execute("rollback")
    other.close()
    again = [hand.asks() for hand in hands]
    for hand, asked in zip(hands, again, strict=True):
        hand.answer(asked)
    for hand in hands:
        hand.asks()

    assert "cannot store" in refused.message
    assert [ask.ask for asked in again for ask in asked] == [ask.ask for asked in asks for ask in asked]
    for hand in hands:
        assert [fault.code for fault in hand.faults] == [pb.FAULT_CODE_PAUSED]
        assert hand.charged[-1] < 1_500_000


def test_a_full_disk_tells_nothing_and_loses_nothing(scene: Scene) -> None:
    """No file can grow for three seconds, again and again: the match goes on each time, and its record verifies."""
    process, hands, asks = serve(scene, "2s")
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    for _ in range(2):
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        stored = scene.steps()
        for hand, asked in zip(hands, asks, strict=True):
            hand.answer(asked)
        time.sleep(3)
        assert scene.steps() == stored
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, unlimited)
        asks = [hand.asks() for hand in hands]
        assert [hand.charged[-1] <= CHARGED for hand in hands] == [True, True], [hand.charged for hand in hands]

    # The log lies on the same disk, so the lines that say when it began are lost.
    assert len(lines(scene)) == 2, scene.logs()
    for hand, asked in zip(hands, asks, strict=True):
        hand.answer(asked)
    finish(scene, hands)


def test_a_referee_that_is_stopped_in_the_trouble_has_told_nothing_unstored(scene: Scene) -> None:
    """SIGTERM while the disk is full: it ends, and its next run asks what was not stored once more."""
    process, hands, asks = serve(scene, "5s")
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    for hand, asked in zip(hands, asks, strict=True):
        hand.answer(asked)
    time.sleep(1.5)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0, scene.logs()
    codes = [hand.faults[-1].code for hand in hands]
    scene.referee("--clock", "60s/5s")
    scene.until(lambda: scene.logs().count("referee at") == 2)
    found = Hand(scene, "ann", resume_token=hands[0].token).asks()

    assert codes == [pb.FAULT_CODE_RESTARTING] * 2
    assert [(ask.match_id, ask.ask) for ask in found] == [(ask.match_id, ask.ask) for ask in asks[0]]
    assert "Traceback" not in scene.logs()


def test_an_end_that_was_stored_and_not_read_is_told_after_a_kill(scene: Scene) -> None:
    """Nothing proves that ann has read her end; the referee is killed and started again, and she gets it, rated."""
    process = scene.referee("--clock", "60s")
    scene.until(lambda: accepts(scene.address))
    ann, bob = Hand(scene, "ann", pongs=False), Hand(scene, "bob", tables=1)
    finish(scene, [ann, bob])
    told = bob.overs[0]
    scene.until(lambda: ("bob", told.match_id) not in unconfirmed(scene))
    before = unconfirmed(scene)
    process.kill()
    process.wait(30)
    scene.referee("--clock", "60s", "--matches", "9")
    scene.until(lambda: scene.logs().count("referee at") == 2)
    again = Hand(scene, "ann", resume_token=ann.token)
    scene.until(lambda: bool(again.overs))
    scene.until(lambda: ("ann", told.match_id) not in unconfirmed(scene))

    over = again.overs[0]
    assert ("ann", told.match_id) in before
    assert (over.match_id, over.secret, over.record_hash) == (told.match_id, told.secret, told.record_hash)
    assert (over.result, over.rated) == (told.result, told.rated)
    assert list(over.ratings) == list(told.ratings)
    assert len(over.ratings) == 2


def unconfirmed(scene: Scene) -> list[tuple[str, str]]:
    """Player and match of every seat whose end is not known to be read."""
    connection = sqlite3.connect(scene.database)
    try:
        return connection.execute("select player, match from seats where unconfirmed = 1").fetchall()
    finally:
        connection.close()
