"""The short way through a match between bots of this process, for as long as nobody does anything unusual.

Without a time limit, and while every bot answers properly, a match is a plain loop: ask, apply, note the step down.
This is that loop and nothing else, at a third of the cost of `Match`; its steps and its end are exactly those that the
match would have made. As soon as a bot raises, is interrupted or answers nonsense it stops before that turn and hands
over what it has, for `Match` to go on from there with the answers that were given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from referee.kernel.chance import Recording, Sealed
from referee.kernel.errors import RulesBug
from referee.kernel.game import AnyGame, Event, Option, Result, Seat
from referee.kernel.tuples import new_tuple
from referee.kernel.turns import Turn, advance, settle
from referee.match.clock import Timing
from referee.match.log import Log
from referee.match.outputs import Asked
from referee.match.policy import Ledger, clean, endings, rated, standing
from referee.match.record import NOTE_LIMIT, Final, Step
from referee.match.supervision import Supervision
from referee.match.terms import Terms

Bot: TypeAlias = Callable[[Asked], int]
"""Answers an ask with the index of an option. A callable that comes with an attribute `note` has it recorded with each
answer; one whose attribute `listens` is false is not told events."""

Reply: TypeAlias = tuple[int, Seat, Asked, object]
"""When the answer of a seat to an ask is there, and what it is: anything a bot returned, `Raised` or `Overtime`."""


class Course(NamedTuple):
    """How far it went."""

    steps: list[Step]
    last: int
    """The moment of the last step."""
    final: Final | None
    """None: something unusual happened."""
    replies: list[Reply]
    """What was answered in the turn in which it happened."""


class _Table:
    """The bots, and what each was asked and told so far."""

    def __init__(self, game: AnyGame, bots: Sequence[Bot], now: Callable[[], int], supervision: Supervision) -> None:
        self._game = game
        self._bots: Sequence[Callable[[Asked], object]] = bots  # whatever they promise
        self._now = now
        self._call = supervision.call
        self._asks = [0] * len(bots)
        self._seen = [0] * len(bots)
        self._listens = [getattr(bot, "listens", True) for bot in bots]
        self.log = Log()
        self.heard = any(self._listens)
        """Whether anybody wants to hear of events."""
        self.timings: list[Timing | None] = [None] * len(bots)

    def ask(self, state: object, turn: Turn, last: int) -> tuple[list[Reply], bool]:
        """What everybody who has a choice answers, and whether all of that is proper."""
        replies: list[Reply] = []
        proper = True
        now = self._now
        for seat, kind in turn.asks:
            options = turn.options[seat]
            if type(options) is list:
                options = tuple(options)  # the match's own list is no bot's to change
            self._asks[seat] += 1
            events = self._news(seat) if self._listens[seat] else ()
            view = self._game.view(state, seat)
            about = (seat, self._asks[seat], kind, options, view, events, None, None, None, self.timings[seat], last)
            asked = new_tuple(Asked, about)
            start = now()
            answer = self._call(self._bots[seat], asked)
            replies.append((last + now() - start, seat, asked, answer))
            if not (isinstance(answer, int) and 0 <= answer < len(options)):
                proper = False
        return replies, proper

    def _news(self, seat: Seat) -> tuple[Event, ...]:
        start = self._seen[seat]
        self._seen[seat] = len(self.log.events)
        return self.log.part(seat, start)


def run(
    game: AnyGame,
    terms: Terms,
    secret: bytes,
    bots: Sequence[Bot],
    now: Callable[[], int],
    supervision: Supervision,
) -> Course:
    """Play a match without a clock as far as it goes without trouble."""
    table = _Table(game, bots, now, supervision)
    noting = [hasattr(bot, "note") for bot in bots]
    chance = Recording(Sealed(secret))
    base = last = now()
    state = game.start(len(bots), terms.variant, chance)
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    steps = [Step(0, 0, {}, {}, chance.take(), {}, {}, {}, (), {})]
    while turn.asks:
        if table.heard:
            table.log.add(events)
        replies, proper = table.ask(state, turn, last)
        if not proper:
            return Course(steps, last, None, replies)
        since = last
        answers: dict[Seat, int] = {}
        choices: dict[Seat, Option] = {}
        spent: dict[Seat, int] = {}
        notes: dict[Seat, str] = {}
        for at, seat, _, answer in replies:
            index: int = answer  # type: ignore[assignment]  # all answers are proper
            if at > last:
                last = at
            charged = spent[seat] = at - since if at > since else 0
            table.timings[seat] = new_tuple(Timing, (charged, 0, 0))
            answers[seat] = index
            choices[seat] = turn.options[seat][index]
            if noting[seat]:
                note: str = getattr(bots[seat], "note", "")
                if note:
                    notes[seat] = clean(note, NOTE_LIMIT, lines=True)
        events.clear()
        turn = advance(game, state, turn, choices, chance, events)
        steps.append(new_tuple(Step, (len(steps), last - base, answers, {}, chance.take(), spent, {}, {}, (), notes)))
    return Course(steps, last, _final(terms, secret, game.result(state), last - base), [])


def _final(terms: Terms, secret: bytes, result: Result | None, at: int) -> Final:
    """The end of a match in which nobody did anything wrong."""
    if result is None:
        raise RulesBug("nobody is asked and there is no result")
    ledger = Ledger(terms.policy, len(terms.players))
    places = standing(result, [False] * len(terms.players))
    return Final(at, places, endings(ledger), rated(ledger, result), (), secret.hex())
