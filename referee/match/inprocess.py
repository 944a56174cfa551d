"""Drives a match between bots of this process: a plain loop, no event loop, as fast as the rules allow.

Bots are called one after the other, but each is billed for its own thinking only: the moments handed to the match are
those of a table at which all seats think at the same time and the referee's own work takes no time. A bot that takes
longer than its clock or the run allows is interrupted (`referee.match.supervision`) and late; bots that are not trusted
play as processes of their own.

A match without a clock whose bots answer properly needs no state machine: `_play_straight` asks, applies and notes
the step down, and its steps and end are exactly those that `Match` would have made (`tests/match/test_inprocess.py`
compares them). That loop takes a third of the time that `Match` takes beside the rules and the bots. At the first
answer that is no option it stops before the turn of that answer, and `Match` goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from referee.kernel.chance import Recording, Sealed
from referee.kernel.errors import BadSetting, KumiteError, RulesBug
from referee.kernel.game import AnyGame, Event, Option, Result, Seat
from referee.kernel.tuples import new_tuple
from referee.kernel.turns import advance, settle
from referee.match.clock import Timing
from referee.match.log import Log
from referee.match.match import Match
from referee.match.outputs import Asked, Stepped, Verdict
from referee.match.plan import MatchPlan
from referee.match.playtime import monotonic
from referee.match.policy import FaultKind, Ledger, clean, endings, rated
from referee.match.record import NOTE_LIMIT, Final, Record, Step
from referee.match.supervision import Overtime, Raised, Supervision
from referee.match.terms import Terms

Bot: TypeAlias = Callable[[Asked], int]
"""Answers an ask with the index of an option. A callable that comes with an attribute `note` has it recorded with each
answer; one whose attribute `listens` is false is not told events."""

Reply: TypeAlias = tuple[int, Seat, Asked, object]
"""When the answer of a seat to an ask is there, and what it is: anything a bot returned, `Raised` or `Overtime`."""


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


class _SeatedBots:
    """The bots of a match by seat, as both loops call them."""

    def __init__(self, bots: Sequence[Bot], now: Callable[[], int], supervision: Supervision) -> None:
        self.listens: list[bool] = [getattr(bot, "listens", True) for bot in bots]
        self.unseated = {seat: bot.failed.message for seat, bot in enumerate(bots) if isinstance(bot, Unseated)}
        self.now = now
        self._bots: Sequence[Callable[[Asked], object]] = bots  # whatever they promise
        self._noting = [hasattr(bot, "note") for bot in bots]
        self._call = supervision.call

    def reply(self, asked: Asked) -> Reply:
        """Let the bot of a seat decide."""
        now, seat = self.now, asked.seat
        start = now()
        answer = self._call(self._bots[seat], asked)
        return asked.at + now() - start, seat, asked, answer

    def note(self, seat: Seat) -> str:
        """What a bot noted with its last answer."""
        note: str = getattr(self._bots[seat], "note", "") if self._noting[seat] else ""
        return note


def play(
    game: AnyGame,
    plan: MatchPlan,
    bots: Sequence[Bot],
    now: Callable[[], int] = monotonic,
    supervision: Supervision | None = None,
) -> Record:
    """Play a match to its end with a bot for each seat and return its record.

    What a bot raises is a fault of its seat, SystemExit included (Ctrl-C passes). An illegal answer is a fault, and the
    bot is asked again. `supervision` watches over the bots, and the caller enters it; None: one without a limit.
    """
    if supervision is None:
        with Supervision(plan.match, plan.players, watched=not plan.clock.unlimited) as own:
            return play(game, plan, bots, now, own)
    seated = _SeatedBots(bots, now, supervision)
    if not plan.clock.unlimited or seated.unseated or len(bots) != len(plan.players):
        return play_on(Match(game, plan), bots, now, supervision)
    header = plan.header(game)
    steps: list[Step] = []
    course = _play_straight(game, header, plan.secret, seated, steps)
    if isinstance(course, Final):
        return Record(header, tuple(steps), course)
    last, replies = course
    rest = play_on(Match.restore(game, header, plan.secret, steps, last), bots, now, supervision, replies)
    return Record(header, (*steps, *rest.steps), rest.final)


def play_on(
    match: Match,
    bots: Sequence[Bot],
    now: Callable[[], int] = monotonic,
    supervision: Supervision | None = None,
    replies: Sequence[Reply] = (),
) -> Record:
    """Play a match that is new or restored to its end; the record holds the steps from here.

    `replies` answer the open asks of a restored match, which are then not asked again.
    """
    header = match.terms
    if supervision is None:
        with Supervision(header.match, header.players, watched=not header.clock.unlimited) as own:
            return play_on(match, bots, now, own, replies)
    seated = _SeatedBots(bots, now, supervision)
    _sit_down(match, seated)
    if replies:
        match.drain()
    steps: list[Step] = []
    waiting = list(replies)
    while True:
        for output in match.drain():
            if isinstance(output, Asked):
                waiting.append(seated.reply(output))
            elif isinstance(output, Stepped):
                steps.append(output.step)
        if not waiting:
            break
        waiting.sort(key=_moment, reverse=True)
        at, seat, asked, answer = waiting.pop()
        if isinstance(answer, int):
            if match.answer(seat, asked.ask, answer, at, note=seated.note(seat)) is Verdict.ACCEPTED:
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
        raise RulesBug(f"match {header.match} is not over and waits for no seat")
    return Record(header, tuple(steps), match.final)


def _sit_down(match: Match, seated: _SeatedBots) -> None:
    """Begin the match, or go on with one that has begun."""
    count = len(match.terms.players)
    if len(seated.listens) != count:
        raise BadSetting(f"match {match.terms.match} has {count} seats, not {len(seated.listens)}")
    for seat, listens in enumerate(seated.listens):
        match.listen(seat, listens)
    if match.begun:
        for seat in range(count):
            match.back(seat, match.last)
        return
    match.begin(seated.now())
    for seat, message in seated.unseated.items():
        match.crashed(seat, match.last, message)
    for seat in range(count):
        match.ready(seat, match.last)


def _play_straight(
    game: AnyGame, header: Terms, secret: bytes, seated: _SeatedBots, steps: list[Step]
) -> Final | tuple[int, list[Reply]]:
    """Play a match without a clock and add its steps; returns its end.

    Where an answer is no option: the moment of the last step, and what the bots answered in the turn that is open.
    """
    count = len(header.players)
    chance, log, listens = Recording(Sealed(secret)), Log(), seated.listens
    heard = True in listens
    asks, told = [0] * count, [0] * count
    timings: list[Timing | None] = [None] * count
    base = last = seated.now()
    state = game.start(count, header.variant, chance)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    steps.append(Step(0, 0, {}, {}, chance.take(), {}, {}, {}, (), {}))
    while turn.asks:
        if heard:
            log.add(events)
        replies: list[Reply] = []
        for seat, kind in turn.asks:
            options = turn.options[seat]
            if type(options) is list:
                options = tuple(options)  # the match's own list is no bot's to change
            news: tuple[Event, ...] = ()
            if listens[seat]:
                news = log.part(seat, told[seat])
                told[seat] = len(log.events)
            asks[seat] += 1
            view = game.view(state, seat)
            about = (seat, asks[seat], kind, options, view, news, None, None, None, timings[seat], last)
            replies.append(seated.reply(new_tuple(Asked, about)))
        since = last
        answers: dict[Seat, int] = {}
        choices: dict[Seat, Option] = {}
        spent: dict[Seat, int] = {}
        notes: dict[Seat, str] = {}
        for at, seat, asked, answer in replies:
            if not (isinstance(answer, int) and 0 <= answer < len(asked.options)):
                return since, replies
            if at > last:
                last = at
            charged = spent[seat] = at - since if at > since else 0
            timings[seat] = new_tuple(Timing, (charged, 0, 0))
            answers[seat] = answer
            choices[seat] = asked.options[answer]
            note = seated.note(seat)
            if note:
                notes[seat] = clean(note, NOTE_LIMIT, lines=True)
        events.clear()
        turn = advance(game, state, turn, choices, chance, events)
        steps.append(new_tuple(Step, (len(steps), last - base, answers, {}, chance.take(), spent, {}, {}, (), notes)))
    return _undisturbed(header, secret, game.result(state), last - base)


def _undisturbed(header: Terms, secret: bytes, result: Result | None, at: int) -> Final:
    """The end of a match without a fault."""
    if result is None:
        raise RulesBug("no seat is asked and there is no result")
    ledger = Ledger(header.policy, len(header.players))
    return Final(at, result, endings(ledger), rated(ledger, result), (), secret.hex())
