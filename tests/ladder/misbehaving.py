"""Fifty bots that misbehave, each in its own way: `BOTS` by name."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from bots import Bot

LIMIT = 0.1
"""Seconds under which those that never return are to be tried."""


class Mute(Exception):
    """Cannot be put into words."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Odd:
    """Cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    def __hash__(self) -> int:
        return 0


class Index:
    """Claims to be an index."""

    def __index__(self) -> int:
        return -5


def deciding(decide: Callable[[Any], object], **methods: object) -> type[Bot]:
    """A class of bots that decides like that."""
    return type("Misbehaving", (Bot,), {"decide": lambda self, ask: decide(ask), **methods})


def raising(error: BaseException | type[BaseException], at: int = 1) -> type[Bot]:
    """Raises at one of its asks and plays the first option at all others."""

    def decide(ask: Any) -> object:
        if ask.number == at:
            raise error
        return 0

    return deciding(decide)


def answering(answer: object) -> type[Bot]:
    """Answers nonsense at its second ask."""
    return deciding(lambda ask: answer if ask.number == 2 else 0)


def never(wait: Callable[[], object]) -> type[Bot]:
    """Does not return from its second ask."""
    return deciding(lambda ask: wait() if ask.number == 2 else 0)


def deeper(depth: int = 0) -> int:
    return deeper(depth + 1)


def loop() -> NoReturn:
    while True:
        pass


def loop_in_spite() -> NoReturn:
    while True:
        with suppress(Exception):
            loop()


def locked() -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def endless() -> Iterator[int]:
    while True:
        yield 0


def answers_when_interrupted() -> int:
    try:
        loop()
    except BaseException:
        return 0


def printing(ask: Any) -> object:
    print('{"json": "of a bot"}', flush=True)
    print("more", file=sys.__stdout__)
    raise ValueError("said enough")


def fail(self: Bot, *arguments: object) -> NoReturn:
    raise RuntimeError("not like this")


def too_few(self: Bot, asks: Sequence[object]) -> list[int]:
    return []


BOTS: dict[str, type[Bot]] = {
    **{f"raises_at_ask_{number}": raising(ValueError(f"at {number}"), number) for number in range(1, 11)},
    "key_error": raising(KeyError("no such card")),
    "assertion": raising(AssertionError),
    "memory": raising(MemoryError("all of it")),
    "stop_iteration": raising(StopIteration),
    "generator_exit": raising(GeneratorExit),
    "keyboard_interrupt": raising(KeyboardInterrupt),
    "cancelled": raising(asyncio.CancelledError),
    "system_exit": raising(SystemExit(0)),
    "base_exception": raising(BaseException("bare")),
    "mute": raising(Mute),
    "group": raising(ExceptionGroup("several", [ValueError("one"), KeyError("two")])),
    "unicode": raising(ValueError("\x1b[31m\u202e\udcff\n" * 500)),
    "exits": deciding(lambda ask: sys.exit(0)),
    "exits_with_text": deciding(lambda ask: sys.exit("goodbye")),
    "recursion": deciding(lambda ask: deeper()),
    "division": deciding(lambda ask: 1 // 0),
    "bad_attribute": deciding(lambda ask: ask.nothing),
    "none": answering(None),
    "text": answering("0"),
    "negative": answering(-1),
    "out_of_range": answering(10**9),
    "huge": answering(10**400),
    "fraction": answering(0.5),
    "nan": answering(float("nan")),
    "truth": answering(True),
    "object": answering(object()),
    "odd": answering(Odd()),
    "index": answering(Index()),
    "list": answering([0]),
    "generator": deciding(lambda ask: endless() if ask.number == 2 else 0),
    "class": answering(Bot),
    "loops": never(loop),
    "loops_in_spite": never(loop_in_spite),
    "sleeps": never(lambda: time.sleep(1e6)),
    "waits": never(locked),
    "sums_for_ever": never(lambda: sum(endless())),
    "answers_when_interrupted": never(answers_when_interrupted),
    "prints": deciding(printing),
    "raises_when_seated": deciding(lambda ask: 0, seated=fail),
    "loops_when_seated": deciding(lambda ask: 0, seated=lambda self, table: loop()),
    "raises_when_told": deciding(lambda ask: 0, told=fail),
    "raises_for_many": deciding(lambda ask: 0, decide_many=fail),
    "answers_too_few": deciding(lambda ask: 0, decide_many=too_few),
    "inherits_nothing": type("Idle", (Bot,), {}),
}
"""Each has a fault in its first match of Edo Yashiki, while the match is played."""

SULKS = deciding(lambda ask: 0, over=fail)
"""Raises when it is told the result: the record is closed then."""
