"""Drives a match between bots of this process: a plain loop, no event loop, as fast as the rules allow.

Bots are called one after the other, but each is billed for its own thinking only: the moments handed to the match are
those of a table at which everybody thinks at the same time and the referee's own work takes none. A bot that takes
longer than its clock or the run allows is interrupted (`referee.match.supervision`) and late; bots that are not trusted
play as processes of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from referee.kernel.errors import BadSetting, KumiteError, RulesBug
from referee.kernel.game import AnyGame
from referee.match import swift
from referee.match.match import Match
from referee.match.outputs import Asked, Stepped, Verdict
from referee.match.plan import MatchPlan
from referee.match.policy import FaultKind
from referee.match.protocols import Recorder
from referee.match.record import Record, Step
from referee.match.supervision import Overtime, Raised, Supervision
from referee.match.swift import Bot, Reply

__all__ = ["Bot", "Unseated", "microseconds", "play", "play_fresh"]


def microseconds() -> int:
    """The monotonic clock of this machine."""
    return time.monotonic_ns() // 1000


def _moment(reply: Reply) -> tuple[int, int]:
    return reply[0], reply[1]


class CannotPlay(KumiteError):
    """A bot is asked that failed before the match began."""


class Unseated:
    """Sits in for a bot that raised when it was told of its seat: the seat begins with that fault and never answers."""

    listens = False

    def __init__(self, failed: Raised | Overtime) -> None:
        self.failed = failed
        """What it raised."""

    def __call__(self, asked: Asked) -> int:
        """Never answers."""
        raise CannotPlay(self.failed.message)


def play_fresh(
    game: AnyGame,
    plan: MatchPlan,
    seats: Sequence[Bot],
    now: Callable[[], int] = microseconds,
    supervision: Supervision | None = None,
) -> Record:
    """Play a match from its beginning to its end: the short way as far as that goes, see `play` for the rest.

    `supervision` watches over the bots and is the caller's to enter; None: one without a limit.
    """
    if supervision is None:
        with Supervision(plan.match, plan.players, watched=not plan.clock.unlimited) as own:
            return play_fresh(game, plan, seats, now, own)
    usual = plan.clock.unlimited and not any(isinstance(bot, Unseated) for bot in seats)
    if not usual or len(seats) != len(plan.players):
        return play(Match(game, plan), seats, now, supervision=supervision)
    header = plan.header(game)
    course = swift.run(game, header, plan.secret, seats, now, supervision)
    if course.final is not None:
        return Record(header, tuple(course.steps), course.final)
    match = Match.restore(game, header, plan.secret, course.steps, course.last)
    rest = play(match, seats, now, replies=course.replies, supervision=supervision)
    return Record(header, (*course.steps, *rest.steps), rest.final)


def play(
    match: Match,
    seats: Sequence[Bot],
    now: Callable[[], int] = microseconds,
    recorder: Recorder | None = None,
    replies: Sequence[Reply] = (),
    supervision: Supervision | None = None,
) -> Record:
    """Play a match to its end with a bot for each seat; the recorder, if any, gets every step as it is made.

    A restored match is played on, with `replies` to its open asks if there are some; the record then holds the steps
    from there. What a bot raises is a fault of its seat, SystemExit included (Ctrl-C passes). An illegal answer is a
    fault and the bot is asked again. `supervision` is as in `play_fresh`.
    """
    if supervision is None:
        terms = match.terms
        with Supervision(terms.match, terms.players, watched=not terms.clock.unlimited) as own:
            return play(match, seats, now, recorder, replies, own)
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
                answer = supervision.call(bots[seat], output)
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
        elif isinstance(answer, Raised):
            match.unanswered(seat, asked.ask, at, answer.message)
        elif isinstance(answer, Overtime):
            match.unanswered(seat, asked.ask, at, answer.message, FaultKind.LATE)
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
        for seat, bot in enumerate(seats):
            if isinstance(bot, Unseated):
                match.crashed(seat, match.last, bot.failed.message)
        for seat in range(count):
            match.ready(seat, match.last)
