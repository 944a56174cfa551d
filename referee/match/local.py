"""Drives a match between bots of this process: a plain loop, no event loop, as fast as the rules allow.

Bots are called one after the other, but each is billed for its own thinking only: the moments handed to the match are
those of a table at which everybody thinks at the same time and the referee's own work takes none. A bot that never
returns cannot be stopped here; bots that are not trusted play as processes of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from referee.kernel.errors import BadSetting, RulesBug
from referee.kernel.game import AnyGame
from referee.match import swift
from referee.match.match import Match
from referee.match.outputs import Asked, Stepped, Verdict
from referee.match.ports import Recorder
from referee.match.record import Record, Step
from referee.match.replay import fits
from referee.match.swift import Bot, Reply
from referee.match.terms import Terms

__all__ = ["Bot", "described", "microseconds", "play", "play_fresh"]


def microseconds() -> int:
    """The monotonic clock of this machine."""
    return time.monotonic_ns() // 1000


def _moment(reply: Reply) -> tuple[int, int]:
    return reply[0], reply[1]


def described(error: BaseException) -> str:
    """What a bot raised, in words; also if it cannot be put into words, since its class is the bot's own."""
    name = type(error).__name__
    try:
        return f"{name}: {error}"
    except Exception:
        return name


def play_fresh(
    game: AnyGame, terms: Terms, secret: bytes, seats: Sequence[Bot], now: Callable[[], int] = microseconds
) -> Record:
    """Play a match from its beginning to its end: the short way as far as that goes, see `play` for the rest."""
    if not terms.clock.unlimited or len(seats) != len(terms.players):
        return play(Match(game, terms, secret), seats, now)
    fits(game, terms)
    course = swift.run(game, terms, secret, seats, now)
    if course.final is not None:
        return Record(terms, tuple(course.steps), course.final)
    match = Match.restore(game, terms, secret, course.steps, course.last)
    rest = play(match, seats, now, replies=course.replies)
    return Record(terms, (*course.steps, *rest.steps), rest.final)


def play(
    match: Match,
    seats: Sequence[Bot],
    now: Callable[[], int] = microseconds,
    recorder: Recorder | None = None,
    replies: Sequence[Reply] = (),
) -> Record:
    """Play a match to its end with a bot for each seat; the recorder, if any, gets every step as it is made.

    A restored match is played on, with `replies` to its open asks if there are some; the record then holds the steps
    from there. What a bot raises is a fault of its seat, SystemExit included (KeyboardInterrupt passes). An illegal
    answer is a fault and the bot is asked again.
    """
    _sit_down(match, seats, now, recorder)
    if replies:
        match.drain()  # what is asked there is answered already
    steps: list[Step] = []
    waiting = list(replies)
    bots: Sequence[Callable[[Asked], object]] = seats  # whatever they promise
    noting = [hasattr(bot, "note") for bot in seats]
    answer: object
    while True:
        for output in match.drain():
            if isinstance(output, Asked):
                seat = output.seat
                start = now()
                try:
                    answer = bots[seat](output)
                except (Exception, SystemExit) as error:
                    answer = error
                waiting.append((match.last + now() - start, seat, output, answer))
            elif isinstance(output, Stepped):
                steps.append(output.step)
                if recorder is not None:
                    recorder.step(match.terms.match, output.step)
        if len(waiting) > 1:
            waiting.sort(key=_moment, reverse=True)
        elif not waiting:
            break
        at, seat, asked, answer = waiting.pop()
        if isinstance(answer, int):
            note: str = getattr(seats[seat], "note", "") if noting[seat] else ""
            if match.answer(seat, asked.ask, answer, at, note=note) is Verdict.ACCEPTED:
                continue
        elif isinstance(answer, BaseException):
            match.crashed(seat, at, f"the bot raised {described(answer)}")
        else:
            match.malformed(seat, at, f"the bot answered {answer!r:.40}, which is no index of an option")
        if match.owes(seat) == asked.ask:
            match.back(seat, at)
    if match.final is None:
        raise RulesBug(f"match {match.terms.match} is not over and waits for nobody")
    if recorder is not None:
        recorder.end(match.terms.match, match.final)
    return Record(match.terms, tuple(steps), match.final)


def _sit_down(match: Match, seats: Sequence[Bot], now: Callable[[], int], recorder: Recorder | None) -> None:
    """Begin the match, or go on with one that has begun."""
    count = len(match.terms.players)
    if len(seats) != count:
        raise BadSetting(f"match {match.terms.match} has {count} seats, not {len(seats)}")
    for seat, bot in enumerate(seats):
        match.listen(seat, getattr(bot, "listens", True))
    if match.begun:
        for seat in range(count):
            match.back(seat, match.last)
    else:
        if recorder is not None:
            recorder.begin(match.terms, match.secret)
        match.begin(now())
        for seat in range(count):
            match.ready(seat, match.last)
