"""Drives a match between bots of this process in a plain loop, without an event loop.

Bots are called one after the other, and each is charged for its own thinking only: the match gets the moments of a
table at which all seats think at the same time and the referee's own work takes no time. A bot that takes longer than
its clock or the run allows is interrupted (`referee.match.supervision`) and late; a bot that is not trusted plays as a
process of its own.

A match without a clock whose bots answer with options needs no state machine: `_play_straight` asks, applies the
answers and adds the step. Steps and end are the same as those of `Match` (`tests/match/test_inprocess.py` compares
them), and the loop takes a third of the time that `Match` takes beside the rules and the bots. At the first answer that
is no option the loop stops before the turn of that answer, and `Match` plays on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from referee.kernel.chance import Recording, Sealed
from referee.kernel.errors import BadSetting, KumiteError, RulesBug
from referee.kernel.game import AnyGame, Event, Option, Result, Seat
from referee.kernel.tuples import new_tuple
from referee.kernel.turns import advance, settle
from referee.match.clock import AnswerTiming
from referee.match.event_log import EventLog
from referee.match.match import Match
from referee.match.outputs import Asked, Stepped, Verdict
from referee.match.plan import MatchPlan
from referee.match.playtime import monotonic
from referee.match.policy import FaultKind, Ledger, clean, endings, rated
from referee.match.record import NOTE_LIMIT, Final, Record, Step
from referee.match.supervision import Overtime, Raised, Supervision
from referee.match.terms import Terms

Bot: TypeAlias = Callable[[Asked], int]
"""Answers an ask with the index of an option. If the callable has an attribute `note`, its text is recorded with each
answer; if its attribute `listens` is false, its asks have no events."""

Reply: TypeAlias = tuple[int, Seat, Asked, object]
"""Moment of the answer, seat, ask, and answer: the value that the bot returned, `Raised` or `Overtime`."""


def _moment(reply: Reply) -> tuple[int, int]:
    return reply[0], reply[1]


class CannotPlay(KumiteError):
    """Raised by `Unseated`: the bot of the asked seat failed before the match began."""


class Unseated:
    """Takes the place of a bot whose method `seated` failed: the seat begins with that fault and never answers."""

    listens = False

    def __init__(self, failed: Raised | Overtime) -> None:
        self.failed = failed
        """How the method `seated` failed."""

    def __call__(self, asked: Asked) -> int:
        """Raise CannotPlay."""
        raise CannotPlay(self.failed.message)


class _SeatedBots:
    """The bots of a match by seat, for both loops of this module."""

    def __init__(self, bots: Sequence[Bot], now: Callable[[], int], supervision: Supervision) -> None:
        self.listens: list[bool] = [getattr(bot, "listens", True) for bot in bots]
        self.unseated = {seat: bot.failed.message for seat, bot in enumerate(bots) if isinstance(bot, Unseated)}
        self.now = now
        self._bots: Sequence[Callable[[Asked], object]] = bots  # a bot may return anything
        self._noting = [hasattr(bot, "note") for bot in bots]
        self._call = supervision.call

    def reply(self, asked: Asked) -> Reply:
        """Call the bot of the asked seat and measure its time."""
        now, seat = self.now, asked.seat
        start = now()
        answer = self._call(self._bots[seat], asked)
        return asked.at + now() - start, seat, asked, answer

    def note(self, seat: Seat) -> str:
        """The note of a seat's bot beside its last answer; empty: none."""
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

    An exception of a bot is a fault of its seat, SystemExit included; Ctrl-C ends the run. An illegal answer is a
    fault, and the bot is asked again. `supervision` limits the time of calls and has been entered by the caller; None:
    calls have no limit but the match's clock.
    """
    if supervision is None:
        with Supervision(plan.match, plan.players, watched=not plan.clock.unlimited) as own:
            return play(game, plan, bots, now, own)
    header = plan.header(game)
    _refuse_timed(game, header)
    seated = _SeatedBots(bots, now, supervision)
    if not plan.clock.unlimited or seated.unseated or len(bots) != len(plan.players):
        return play_on(Match(game, plan), bots, now, supervision)
    steps: list[Step] = []
    course = _play_straight(game, header, plan.secret, seated, steps)
    if isinstance(course, Final):
        return Record(header, tuple(steps), course)
    last, replies = course
    rest = play_on(Match.restore(game, header, plan.secret, steps, last), bots, now, supervision, replies)
    return Record(header, (*steps, *rest.steps), rest.final)


def _refuse_timed(game: AnyGame, header: Terms) -> None:
    """Raise BadSetting where times of arrival count: bots of one process are called one after the other."""
    for key, choices in game.variants.items():
        if choices.timed.get(header.variant[key]):
            raise BadSetting(
                f"{game.name} with {key}={header.variant[key]} goes by when answers arrive, which cannot be measured "
                f"within one process: play it at a referee, with kumite serve or kumite ladder run"
            )


def play_on(
    match: Match,
    bots: Sequence[Bot],
    now: Callable[[], int] = monotonic,
    supervision: Supervision | None = None,
    replies: Sequence[Reply] = (),
) -> Record:
    """Play a new or restored match to its end; the record holds the steps that this call made.

    `replies` are answers to the open asks of a restored match: those asks are not made again.
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
    """Begin the match; or, after a restore, say that all seats are back."""
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
    """Play a match without a clock, add its steps to `steps` and return its end.

    If an answer is no option: return the moment of the last step and all replies of the open turn.
    """
    count = len(header.players)
    chance, log, listens = Recording(Sealed(secret)), EventLog(), seated.listens
    heard = True in listens
    asks, told = [0] * count, [0] * count
    timings: list[AnswerTiming | None] = [None] * count
    base = last = seated.now()
    state = game.start(count, header.variant, chance)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    steps.append(Step(0, 0, {}, {}, chance.take(), {}, {}, {}, (), {}, {}))
    while turn.asks:
        if heard:
            log.add(events)
        replies: list[Reply] = []
        for seat, kind in turn.asks:
            options = turn.options[seat]
            if type(options) is list:
                options = tuple(options)  # a bot must not change the list of the match
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
            timings[seat] = new_tuple(AnswerTiming, (charged, 0, 0))
            answers[seat] = answer
            choices[seat] = asked.options[answer]
            note = seated.note(seat)
            if note:
                notes[seat] = clean(note, NOTE_LIMIT, lines=True)
        events.clear()
        turn = advance(game, state, turn, choices, chance, events)
        luck = chance.take()
        steps.append(new_tuple(Step, (len(steps), last - base, answers, {}, luck, spent, {}, {}, (), notes, {})))
    return _undisturbed(header, secret, game.result(state), last - base)


def _undisturbed(header: Terms, secret: bytes, result: Result | None, at: int) -> Final:
    """The end of a match without a fault."""
    if result is None:
        raise RulesBug("no seat is asked and there is no result")
    ledger = Ledger(header.policy, len(header.players))
    return Final(at, result, endings(ledger), rated(ledger, result), (), secret.hex())
