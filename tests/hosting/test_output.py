"""What hosted bots print: kept within bounds, match by match, and read so that no bot can hurt its host."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import trio
import trio.testing

from referee.hosting.launch import launched
from referee.hosting.manifest import Manifest, read
from referee.hosting.output import CHUNK, MATCH_LOG_BYTES, PIPE_BYTES, READ_RATE, Excerpt, OutputLog, Tail
from referee.hosting.sandbox import Trusted

pytestmark = pytest.mark.processes


def lines(first: int, last: int) -> bytes:
    """Numbered lines of 8 bytes."""
    return b"".join(b"n%06d\n" % number for number in range(first, last))


def test_an_excerpt_within_its_bound_is_whole() -> None:
    """Nothing is left out, and all of it is in the first part."""
    excerpt = Excerpt(160)
    for number in range(20):
        excerpt.add(lines(number, number + 1))

    assert excerpt.parts() == (lines(0, 20), 0, b"")


@pytest.mark.parametrize("size", [1, 7, 8, 100, 5000])
def test_an_excerpt_keeps_whole_lines_of_both_ends_and_counts_the_rest(size: int) -> None:
    """However the output is cut when it is read; what is kept and what is left out come to all that was printed."""
    everything = lines(0, 1000)
    excerpt = Excerpt(172)
    for start in range(0, len(everything), size):
        excerpt.add(everything[start : start + size])
    first, left_out, last = excerpt.parts()

    assert (first, last) == (lines(0, 10), lines(990, 1000))
    assert len(first) + left_out + len(last) == len(everything)


def test_a_line_longer_than_a_part_is_cut() -> None:
    """A bot that never ends a line has its first and last bytes kept."""
    excerpt = Excerpt(8000)
    excerpt.add(b"a" * 50_000 + b"z" * 50_000)

    assert excerpt.parts() == (b"a" * 4000, 92_000, b"z" * 4000)


def test_a_tail_never_holds_more_than_twice_its_bound() -> None:
    """Output in the smallest pieces takes no more memory than in large ones."""
    tail = Tail(100)
    for number in range(10_000):
        tail.add(b"%d" % (number % 10))
        assert len(tail._bytes) <= 200

    assert tail.kept() == b"0123456789" * 10
    assert (tail.added, tail.dropped) == (10_000, 9_900)


def test_a_match_has_what_was_printed_while_it_was_going_on() -> None:
    """The first match also has what the process printed at its start; what lies between two matches is in neither."""
    log = OutputLog(1000)
    log.add(b"start\n")
    first = log.follow()
    log.add(b"one\n")
    log.leave(first)
    log.add(b"between\n")
    second = log.follow()
    log.add(b"two\n")
    log.leave(second)
    log.add(b"after\n")

    assert first.parts().first == b"start\none\n"
    assert second.parts().first == b"two\n"
    assert log.text() == "start\none\nbetween\ntwo\nafter\n"


def test_matches_at_the_same_time_both_have_what_was_printed_meanwhile() -> None:
    """Each from its own beginning to its own end, also where the middle is left out."""
    log = OutputLog(1000)
    log.follow()
    long = log.follow()
    log.add(lines(0, 20_000))
    short = log.follow()
    log.add(lines(20_000, 20_010))
    log.leave(short)
    log.add(lines(20_010, 40_000))
    log.leave(long)

    assert short.parts() == (lines(20_000, 20_010), 0, b"")
    first, left_out, last = long.parts()
    assert lines(0, 40_000).startswith(first)
    assert lines(0, 40_000).endswith(last)
    assert len(first) + left_out + len(last) == 40_000 * 8
    assert 0.9 * MATCH_LOG_BYTES < len(first) + len(last) <= MATCH_LOG_BYTES


def test_a_log_goes_on_with_another_process() -> None:
    """Full or not, an excerpt that a process has left is gone on with by the next."""
    one, two = OutputLog(1000), OutputLog(1000)
    small, full = one.follow(), one.follow()
    full.add(bytes(MATCH_LOG_BYTES))
    one.add(b"one\n")
    for excerpt in (small, full):
        one.leave(excerpt)
        excerpt.add(b"[ended]\n")
    two.go_on((small, full))
    two.add(b"two\n")
    for excerpt in (small, full):
        two.leave(excerpt)

    assert small.parts().first == b"one\n[ended]\ntwo\n"
    assert full.parts().last.endswith(b"one\n[ended]\ntwo\n")


def test_a_process_at_many_tables_costs_no_more_to_read() -> None:
    """Once the first parts are full, output is not copied for every match: 256 of them take about as long as one."""

    def seconds(matches: int) -> float:
        log = OutputLog(1000)
        for excerpt in [log.follow() for _ in range(matches)]:
            excerpt.add(bytes(MATCH_LOG_BYTES))
        log.add(b"x")
        part = b"x" * CHUNK
        began = time.perf_counter()
        for _ in range(200):
            log.add(part)
        return time.perf_counter() - began

    assert min(seconds(256) for _ in range(3)) < 10 * min(seconds(1) for _ in range(3))


def bot(folder: Path, script: str, limits: str = "") -> Manifest:
    """A bot that is a script for the shell."""
    (folder / "bot.toml").write_text(f'command = ["sh", "bot.sh"]\n[limits]\n{limits}\n')
    (folder / "bot.sh").write_text(script)
    return read(folder)


ENDLESS = {
    "lines": "exec yes all work and no play",
    "single bytes": "while true; do printf x; done",
    "large pieces": "exec cat /dev/zero",
}


@pytest.mark.parametrize("script", list(ENDLESS.values()), ids=list(ENDLESS))
@trio.testing.trio_test
async def test_a_bot_that_prints_without_end_takes_a_small_share_of_the_loop(tmp_path: Path, script: str) -> None:
    """It is read at a bounded rate, its match's log stays within its bound, and the loop has time for others."""
    seconds = 2.0
    manifest = bot(tmp_path, script, "output_mib = 1000")
    async with launched(manifest, Trusted(), address="localhost:1", name="n") as process:
        while not process.log.printed:
            await trio.sleep(0.01)
        excerpt = process.follow()
        before, used = process.log.printed, time.thread_time()
        await trio.sleep(seconds)
        used = time.thread_time() - used
        printed = process.log.printed - before
        process.leave(excerpt)
        in_all = process.log.printed
        first, left_out, last = excerpt.parts()

    assert 0 < printed <= seconds * READ_RATE * 1.5 + PIPE_BYTES
    assert used < 0.25 * seconds
    assert len(first) + len(last) <= MATCH_LOG_BYTES
    assert len(first) + left_out + len(last) == in_all


@trio.testing.trio_test
async def test_what_was_printed_before_an_answer_is_read_before_it_counts(tmp_path: Path) -> None:
    """`leave` reads what lies in the pipe: no pause of the reader makes a match lose its last line."""
    manifest = bot(tmp_path, "echo ready; while read -r line <go; do echo $line; echo done >went; done")
    os.mkfifo(tmp_path / "go")
    os.mkfifo(tmp_path / "went")
    found = []
    async with launched(manifest, Trusted(), address="localhost:1", name="n") as process:
        for number in range(20):
            excerpt = process.follow()
            await trio.to_thread.run_sync((tmp_path / "go").write_text, f"match {number}\n")
            await trio.to_thread.run_sync((tmp_path / "went").read_text)
            process.leave(excerpt)
            found.append(excerpt.parts().first.decode().replace("ready\n", ""))

    assert found == [f"match {number}\n" for number in range(20)]


@trio.testing.trio_test
async def test_the_limit_on_output_is_for_a_match_not_for_a_process_that_serves_many(tmp_path: Path) -> None:
    """Matches that print less than the limit may come to more than it; one that prints more ends the bot."""
    os.mkfifo(tmp_path / "go")
    script = "while read -r size <go; do head -c $size /dev/zero; echo; done"
    manifest = bot(tmp_path, script, "output_mib = 1")

    async def play(size: int) -> None:
        process.follow()
        before = process.log.printed
        await trio.to_thread.run_sync((tmp_path / "go").write_text, f"{size}\n")
        while process.log.printed <= before + min(size, 1 << 20) and process.code is None:
            await trio.sleep(0.01)

    with trio.fail_after(60):
        async with launched(manifest, Trusted(), address="localhost:1", name="n") as process:
            for _ in range(4):
                await play(600_000)
            await trio.sleep(0.3)
            fine = process.exceeded
            await play(3_000_000)
            await process.wait()

    assert fine is None
    assert process.exceeded == "printed more than its 1 MiB of output"
