"""The metrics of a referee: counted where things happen, named and typed as Prometheus wants them."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse

from ladder.config.offers import every_table
from referee.match.policy import FaultKind
from referee.transport.bridge import Turns
from referee.transport.lateness import WINDOW, Lateness
from referee.transport.metrics import samples
from referee.transport.samples import Kind, Sample, prometheus
from referee.v1 import play_pb2 as pb
from tests.transport.house import WAIT, GoodBot, House, Wire


def read(house: House) -> list[Sample]:
    """The samples of a running referee, read in its own thread."""
    found: list[list[Sample]] = []
    done = threading.Event()

    def look() -> None:
        found.append(samples(house.server.sources))
        done.set()

    house.server._bridge.loop.call_soon_threadsafe(look)
    assert done.wait(WAIT)
    return found[0]


def figure(found: list[Sample], name: str, **labels: str) -> float:
    """The value of one sample."""
    (value,) = [sample.value for sample in found if sample.name == f"kumite_{name}" and sample.labels == labels]
    return value


def until(condition: Callable[[], bool]) -> None:
    """Wait for something to come true."""
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_match_and_a_refusal_are_counted() -> None:
    """Streams, messages, asks, answers and matches; gauges show who is here; the text says the same as the samples."""
    with House(wanted=every_table(["edo_yashiki"], seats=[2]), tables=1) as house:
        with GoodBot(house.address, "ann", software="x"), Wire(house.address) as eve:
            eve.send(pb.PlayRequest(hello=pb.Hello(protocol_version=9, name="eve")))
            eve.status()
            before = read(house)
            with GoodBot(house.address, "bob"):
                house.final()
                after = read(house)
        house.stop()
    end = samples(house.server.sources)

    assert figure(before, "bots_connected") == figure(before, "bots_waiting") == figure(before, "bots_known") == 1
    assert figure(before, "tables") == figure(before, "matches_started_total") == 0
    assert figure(before, "table_capacity") == figure(before, "ready") == figure(before, "storing") == 1
    assert figure(before, "refusals_total", code="VERSION") == 1
    assert figure(before, "streams_opened_total") == 2
    assert figure(after, "connects_total") == figure(after, "bots_connected") == 2
    assert figure(after, "matches_started_total") == figure(after, "matches_finished_total") == 1
    assert figure(after, "matches_stopped_total") == figure(after, "faults_total", kind="late") == 0
    assert figure(after, "answers_total") == figure(after, "asks_total") > 20
    assert figure(after, "messages_received_total") > 10
    assert figure(after, "sent_bytes_total") > figure(after, "received_bytes_total") > 100
    assert figure(after, "process_cpu_seconds_total") > 0
    assert figure(after, "process_resident_memory_bytes") > 1_000_000
    assert 0 < figure(after, "uptime_seconds") < WAIT
    assert figure(after, "longest_hold_seconds", work="pairing") > 0
    assert sum(sample.value for sample in end if sample.name == "kumite_streams_closed_total") == 3


def _fields(line: logging.LogRecord, *names: str) -> tuple[object, ...]:
    """Fields that the referee adds to a line of its log."""
    return tuple(getattr(line, name) for name in names)


def test_faults_are_counted_by_kind(caplog: pytest.LogCaptureFixture) -> None:
    """Each once, and the line of each has match, bot, build, seat, ask, code and owner."""
    caplog.set_level(logging.WARNING, "referee")
    with House(wanted=every_table(["edo_yashiki"], seats=[2])) as house, Wire(house.address) as eve:
        eve.hello("eve", software="wrong 1")
        with GoodBot(house.address, "ann"):
            seated = eve.until(lambda message: message.seated).seated[0]
            eve.send(pb.PlayRequest(ready=[pb.Ready(match_id=seated.match_id)]))
            ask = eve.until(lambda message: message.asks).asks[0]
            eve.send(pb.PlayRequest(answers=[pb.Answer(match_id=ask.match_id, ask=ask.ask, option=10_000)]))
            eve.fault(pb.FAULT_CODE_ILLEGAL)
            eve.send(pb.PlayRequest(failures=[pb.Failure(match_id=ask.match_id, ask=ask.ask, message="gave up")]))
            eve.fault(pb.FAULT_CODE_CRASHED)
            found = read(house)
    lines = [line for line in caplog.records if getattr(line, "event", "") == "fault"]

    assert {kind.value: figure(found, "faults_total", kind=kind) for kind in FaultKind} == {
        "illegal": 1,
        "crashed": 1,
        "removed": 0,
        "late": 0,
        "malformed": 0,
        "gone": 0,
    }
    assert [_fields(line, "code", "owner") for line in lines] == [("ILLEGAL", "bot"), ("CRASHED", "bot")]
    assert {_fields(line, "match", "bot", "build", "seat", "ask") for line in lines} == {
        (ask.match_id, "eve", "wrong 1", seated.seat, ask.ask)
    }


def test_prometheus_reads_the_text() -> None:
    """Every sample is in it once with its kind, help and labels; counters end in _total, and units are base units."""
    with House() as house, Wire(house.address) as ann:
        ann.hello("ann")
        found = read(house)
    families = list(parse(prometheus(found)))
    parsed = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }

    assert len(parsed) == len(found)
    assert len(families) == len({sample.name for sample in found})
    for sample in found:
        value = parsed[sample.name, tuple(sorted(sample.labels.items()))]
        assert value == sample.value or math.isclose(value, sample.value)
        assert sample.name.startswith("kumite_")
        assert sample.name.endswith("_total") == (sample.kind is Kind.COUNTER)
        assert not any(unit in sample.name for unit in ("micro", "milli", "_ms", "_us", "kilo", "mib"))
    assert {family.type for family in families} == {"counter", "gauge"}
    assert all(family.documentation for family in families)


def test_text_is_escaped_for_prometheus() -> None:
    """Backslashes, quotes and line feeds in labels and help come out as they went in."""
    nasty = 'a "b" \\ c\nd'
    figures = [Sample("kumite_x", nasty, Kind.GAUGE, {"label": nasty}, 0.1), Sample("kumite_y", "y", Kind.GAUGE, {}, 3)]
    text = prometheus(figures)
    first, second = parse(text)

    assert first.samples[0].labels == {"label": nasty}
    assert first.documentation == nasty
    assert (first.samples[0].value, second.samples[0].value) == (0.1, 3)
    assert text.endswith("kumite_y 3\n")


def test_the_longest_standstill_of_the_last_minute_is_known() -> None:
    """A longer one hides the shorter ones before it, and is forgotten after a minute; the total is not."""
    late = Lateness()
    for second, length in ((0, 50), (10, 900), (20, 100), (30, 300)):
        late.add(second * 1_000_000, length)

    assert [late.longest(WINDOW + second * 1_000_000) for second in (5, 15, 25, 35)] == [900, 300, 300, 0]
    assert (late.total, late.count) == (1350, 4)


def test_a_loop_that_was_held_up_is_late() -> None:
    """What a turn took longer than it may shows in the lateness of the loop."""
    turns = Turns()
    turns.select(0)
    time.sleep(0.1)
    turns.select(0)
    turns.close()

    assert turns.lateness.count == 1
    assert 50_000 <= turns.lateness.total == turns.time.lost
