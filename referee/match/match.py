"""One match as a state machine: what happened goes in with its time, what is due comes out. No I/O, no clock reading.

    begin -> Seated for every seat -> ready, ready, ... -> Stepped (set-up), Asked for everybody who has a choice
    answer, answer, ... -> when the last one is in: Stepped, the next Asked, ... -> Told, Ended

The driver calls the methods as things happen, calls `tick` when `deadline` has come, and carries out what `drain`
returns, in that order. Answers of a simultaneous phase wait here, sealed, until the last one is in: no state, view,
event or record holds them before. After a crash of the referee `restore` rebuilds the match from its stored steps.

All times are whole microseconds on a monotonic scale of the driver's choice. An answer that is stamped with its
arrival but handed in later is judged by the stamp.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.kernel.chance import Recording, Sealed
from referee.kernel.errors import BadSetting, RulesBug
from referee.kernel.game import AnyGame, Event, Option, Result, Seat
from referee.kernel.tuples import new_tuple
from referee.kernel.turns import Turn, advance, settle
from referee.match.clock import FOREVER
from referee.match.log import Log
from referee.match.outputs import Asked, Ended, Faulted, Output, Seated, Skipped, Stepped, Told, Verdict
from referee.match.plan import MatchPlan
from referee.match.policy import Ending, Fault, FaultKind, Ledger, Owner, aborted, clean, endings, loud, rated, standing
from referee.match.record import NOTE_LIMIT, STAND_IN, Final, Step
from referee.match.reliving import relive
from referee.match.replay import Walk, fits, stand_in
from referee.match.seat import SeatState
from referee.match.terms import Terms


class Match:
    """One match of one game between the players of its plan."""

    def __init__(self, game: AnyGame, plan: MatchPlan, *, spectators: bool = False) -> None:
        """`spectators`: also put out what the public may know after each step."""
        terms = self.terms = plan.header(game)
        self._game = game
        self.secret_choices = game.secret_choices
        self.secret = plan.secret
        """What all its luck is drawn from: for the recorder alone until the match is over."""
        self._spectators = spectators
        self._limited = not terms.clock.unlimited
        self._luck = Sealed(plan.secret)
        self._chance = Recording(self._luck)
        self._seats = tuple(SeatState(terms.clock, terms.policy) for _ in terms.players)
        self._ledger = Ledger(terms.policy, len(terms.players))
        self.outputs: list[Output] = []
        """What is due; `drain` takes it."""
        self._log = Log()
        self._public = 0
        self._state: Any = None
        self._turn = Turn((), {}, {})
        self._steps = 0
        self._waiting = 0
        self._answers: dict[Seat, int] = {}
        self._by: dict[Seat, str] = {}
        self._notes: dict[Seat, str] = {}
        self._faults: list[Fault] = []
        self._start_by: int | None = None
        self._due = FOREVER
        self._base = 0
        self.last = 0
        """The latest moment that was handed in."""
        self._final: Final | None = None

    @classmethod
    def restore(
        cls, game: AnyGame, terms: Terms, secret: bytes, steps: Iterable[Step], at: int, *, spectators: bool = False
    ) -> Match:
        """The match as it stood after its last stored step, at the moment of recovery; raises BrokenRecord.

        Clocks, faults and ask numbers continue where they stood. Answers that were sealed and not yet part of a step
        are asked again. No seat is charged for the downtime, asked or not: from the moment of recovery the clock of
        each seat stands until its player is `back`, at most for the start budget.
        """
        fits(game, terms)
        match = cls(game, MatchPlan.of(terms, secret), spectators=spectators)
        match.begin(at)
        match._relive(list(steps), at)
        return match

    @property
    def begun(self) -> bool:
        """Whether `begin` was called; a restored match has begun."""
        return self._start_by is not None

    @property
    def started(self) -> bool:
        """Whether the game has been set up: every seat was ready, or its time to become so was over."""
        return self._steps > 0

    @property
    def steps(self) -> int:
        """Steps of the game so far, the set-up not counted."""
        return max(0, self._steps - 1)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._final is not None

    @property
    def final(self) -> Final | None:
        """How it ended."""
        return self._final

    @property
    def soonest(self) -> int:
        """A moment before which no `tick` is needed, at hand without a search; FOREVER: none ever is."""
        return self._due if self._steps else self._start_by or 0

    @property
    def deadline(self) -> int | None:
        """The next moment at which `tick` is needed."""
        if self._final is not None:
            return None
        if not self._steps:
            return self._start_by
        due = self._due = min([seat_state.due() for seat_state in self._seats])
        return None if due == FOREVER else due

    def forfeited(self, seat: Seat) -> bool:
        """Whether a seat has lost its game by its faults."""
        return self._ledger.forfeits[seat] is not None

    def owes(self, seat: Seat) -> int:
        """The number of the ask that a seat has to answer; 0: none."""
        seat_state = self._seats[seat]
        return seat_state.asks if seat_state.open else 0

    def public_view(self) -> object:
        """What everybody may know now; None before the game has started."""
        return None if self._state is None else self._game.view(self._state, None)

    def drain(self) -> list[Output]:
        """What is due since the last call, in order."""
        due, self.outputs = self.outputs, []
        return due

    def listen(self, seat: Seat, wanted: bool) -> None:
        """Whether a seat is told events from now on; at first all are."""
        self._seats[seat].listens = wanted

    def begin(self, at: int) -> None:
        """Offer the table to every seat; the start budget runs."""
        if self._start_by is not None:
            raise BadSetting(f"match {self.terms.match} has begun already")
        self._base = self.last = at
        self._start_by = at + self.terms.policy.start
        self.outputs.extend(Seated(seat) for seat in range(len(self._seats)))

    def ready(self, seat: Seat, at: int) -> None:
        """A seat can play. When all can, the game starts; saying it again does no harm."""
        if self._steps:
            if self._seats[seat].gone is not None:
                self.back(seat, at)
            return
        if self._start_by is None or self._final is not None:
            return
        if at > self._start_by:
            self.tick(at)
            return
        self.last = max(self.last, at)
        self._seats[seat].ready = True
        self._start_if_ready()

    def sent(self, seat: Seat, ask: int, at: int, waited: int) -> None:
        """An ask has left the referee after it waited there: that is nobody's thinking time. Say so once for each."""
        seat_state = self._seats[seat]
        if seat_state.open and seat_state.asks == ask and seat_state.held is None:
            seat_state.clock.defer(max(0, min(waited, at - seat_state.clock.since)))

    def answer(
        self, seat: Seat, ask: int, index: int, at: int, *, lag: int = 0, queued: int = 0, note: str = ""
    ) -> Verdict:
        """A seat answers one of its asks with the index of an option.

        `at` is the moment of arrival, `lag` the network's part of the time since the ask, `queued` how long the
        answer waited inside the referee afterwards.
        """
        if at > self._due:
            self.tick(at)
        if at > self.last:
            self.last = at
        seat_state = self._seats[seat]
        if not seat_state.open or ask != seat_state.asks:
            return seat_state.refusal(ask)
        if seat_state.grace is not None:
            seat_state.release(at)
        clock = seat_state.clock
        if at - clock.since > clock.budget and clock.late(at, lag):
            self._missing(seat, at, FaultKind.LATE, Owner.BOT, seat_state.overdue())
            self._play_on()
            return Verdict.STALE
        count = len(self._turn.options[seat])
        if not 0 <= index < count:
            given = index if abs(index) < FOREVER else "a number beyond all bounds"
            message = f"ask {ask} has the options 0 to {count - 1}, and the answer was {given}"
            self._fault(seat, at, FaultKind.ILLEGAL, Owner.BOT, message)
            return Verdict.ILLEGAL
        seat_state.timing = clock.stop(at, lag, queued)
        seat_state.open = False
        seat_state.answered = ask
        self._answers[seat] = index
        if note:
            self._notes[seat] = clean(note, NOTE_LIMIT, lines=True)
        self._waiting -= 1
        if not self._waiting:
            self._play_on()
        return Verdict.ACCEPTED

    def malformed(self, seat: Seat, at: int, message: str) -> None:
        """A seat sent something that is no message; an open ask stays open."""
        self._fault(seat, at, FaultKind.MALFORMED, Owner.BOT, message)

    def crashed(self, seat: Seat, at: int, message: str, owner: Owner = Owner.BOT) -> None:
        """A bot died or raised an error; the stand-in answers its open ask."""
        if self._seats[seat].open:
            self._missing(seat, at, FaultKind.CRASHED, owner, message)
            self._play_on()
        else:
            self._fault(seat, at, FaultKind.CRASHED, owner, message)

    def unanswered(self, seat: Seat, ask: int, at: int, message: str, kind: FaultKind = FaultKind.CRASHED) -> Verdict:
        """A bot will not answer one of its asks, by its own word or because it was stopped: the stand-in answers."""
        if at > self._due:
            self.tick(at)
        seat_state = self._seats[seat]
        if not seat_state.open or ask != seat_state.asks:
            return seat_state.refusal(ask)
        if kind is FaultKind.LATE and self._limited:
            at, message = max(at, seat_state.clock.since + seat_state.clock.budget), seat_state.overdue()
        self._missing(seat, at, kind, Owner.BOT, message)
        self._play_on()
        return Verdict.ACCEPTED

    def remove(self, seat: Seat, at: int, message: str) -> None:
        """An organiser takes a bot from its seat: the seat is forfeited and played by the stand-in from here on."""
        self._fault(seat, at, FaultKind.REMOVED, Owner.ORGANISER, message)

    def gone(self, seat: Seat, at: int) -> None:
        """A seat lost its connection; its clock runs on."""
        if at > self._due:
            self.tick(at)
        seat_state = self._seats[seat]
        if seat_state.gone is None:
            seat_state.gone = at
            self._due = min(self._due, seat_state.due())

    def back(self, seat: Seat, at: int) -> None:
        """A seat is connected again: what it owes is put out once more."""
        if at > self._due:
            self.tick(at)
        seat_state = self._seats[seat]
        seat_state.gone = None
        if self._final is not None or self._start_by is None:
            return
        self.last = max(self.last, at)
        seat_state.release(self.last)
        if not self._steps:
            if not seat_state.ready:
                self.outputs.append(Seated(seat))
        elif seat_state.open:
            self._due = min(self._due, seat_state.due())
            seat_state.sent = True
            self.outputs.append(self._asked(seat, seat_state))

    def repeat(self, seat: Seat) -> None:
        """Put the open ask of a connected seat out once more; nothing else changes."""
        seat_state = self._seats[seat]
        if seat_state.open and seat_state.gone is None:
            self.outputs.append(self._asked(seat, seat_state))

    def tick(self, at: int) -> None:
        """Let the deadlines that have passed take effect."""
        if self._final is not None or self._start_by is None:
            return
        self.last = max(self.last, at)
        if not self._steps:
            if at >= self._start_by:
                self._start_without()
            return
        for seat, seat_state in enumerate(self._seats):
            if seat_state.held is not None and at >= seat_state.held:
                seat_state.release(at)
            if at < seat_state.due():
                continue
            self._missing(seat, at, *seat_state.missed())
        self._due = min([seat_state.due() for seat_state in self._seats])
        self._play_on()

    def abort(self, at: int, message: str, by: Owner = Owner.REFEREE) -> None:
        """The referee cannot go on, or an organiser ends the match: it has no result. The message is public."""
        if self._final is None:
            self.last = max(self.last, at)
            self._end(None, aborted(self._ledger, clean(message), None, by), counts=False)

    def _start_if_ready(self) -> None:
        if all(seat_state.ready or self.forfeited(seat) for seat, seat_state in enumerate(self._seats)):
            self._start()

    def _start_without(self) -> None:
        for seat, seat_state in enumerate(self._seats):
            if not seat_state.ready and self._ledger.forfeits[seat] is None:
                self._blame(seat_state.unready(seat))
        if self._final is None:
            self._start()

    def _start(self) -> None:
        if None not in self._ledger.forfeits:
            self._end(None, aborted(self._ledger, "nobody was ready to play", None), counts=False)
            return
        self._state = self._game.start(len(self._seats), self.terms.variant, self._chance)
        events: list[Event] = []
        self._turn = settle(self._game, self._state, self._chance, events)
        self._log.add(events)
        self._store({}, {}, {})
        self._open()
        self._play_on()

    def _play_on(self) -> None:
        """Step as long as nobody has to be waited for."""
        while not self._waiting and self._final is None:
            turn = self._turn
            answers = self._answers
            choices: dict[Seat, Option] = {}
            spent: dict[Seat, int] = {}
            lag: dict[Seat, int] = {}
            left: dict[Seat, int] = {}
            for seat, _ in turn.asks:
                choices[seat] = turn.options[seat][answers[seat]]
                seat_state = self._seats[seat]
                timing = seat_state.timing
                if seat_state.asked and timing is not None:
                    spent[seat] = timing.charged
                    if timing.network:
                        lag[seat] = timing.network
                    if self._limited:
                        left[seat] = seat_state.clock.bank
            events: list[Event] = []
            self._turn = advance(self._game, self._state, turn, choices, self._chance, events)
            self._log.add(events)
            self._store(spent, lag, left)
            self._open()

    def _store(self, spent: dict[Seat, int], lag: dict[Seat, int], left: dict[Seat, int]) -> None:
        """Put out the step that was made, and start collecting the next one."""
        at = self.last - self._base
        chance = self._chance.take()
        faults = tuple(self._faults)
        fields = (self._steps, at, self._answers, self._by, chance, spent, lag, left, faults, self._notes)
        self.outputs.append(new_tuple(Stepped, (new_tuple(Step, fields),)))
        self._steps += 1
        self._answers, self._by, self._notes, self._faults = {}, {}, {}, []
        if self._turn.skipped and self.secret_choices:
            skipped = tuple([seat for seat, kind in self._turn.skipped if kind in self.secret_choices])
            if skipped:
                self.outputs.append(Skipped(skipped))
        if self._spectators:
            self.outputs.append(Told(None, self._log.part(None, self._public)))
            self._public = len(self._log.events)

    def _open(self) -> None:
        """Ask every seat that has a choice now, or end the match."""
        asks = self._turn.asks
        if not asks:
            self._finish()
            return
        due = FOREVER
        heard = len(self._log.events)
        for seat, kind in asks:
            seat_state = self._seats[seat]
            seat_state.asks += 1
            if self._ledger.forfeits[seat] is not None:
                seat_state.asked = False
                self._stand_in(seat, seat_state)
                continue
            seat_state.open = True
            seat_state.kind = kind
            if seat_state.sent:
                seat_state.told = seat_state.seen
            seat_state.seen = heard
            self._waiting += 1
            if seat_state.grace is None or seat_state.grace <= self.last:
                seat_state.clock.start(self.last)
            else:
                seat_state.held = seat_state.grace
            if seat_state.gone is None:
                self.outputs.append(self._asked(seat, seat_state))
                moment = seat_state.clock.deadline
            else:
                seat_state.sent = False
                moment = seat_state.due()
            if moment < due:
                due = moment
        self._due = due

    def _asked(self, seat: Seat, seat_state: SeatState) -> Asked:
        """The open ask of a seat as it stands now. While it is open nothing happens, so its events are the last."""
        left = deadline = budget = None
        if self._limited:
            left, deadline, budget = seat_state.clock.rest(self.last)
        options = self._turn.options[seat]
        if type(options) is list:
            options = tuple(options)  # the match's own list is no bot's to change
        view = self._game.view(self._state, seat)
        events = self._log.part(seat, seat_state.told) if seat_state.listens else ()
        about = (seat, seat_state.asks, seat_state.kind, options, view, events)
        return new_tuple(Asked, (*about, left, deadline, budget, seat_state.timing, self.last))

    def _missing(self, seat: Seat, at: int, kind: FaultKind, owner: Owner, message: str) -> None:
        """The open ask of a seat will have no answer of its own: the stand-in gives one, and it is a fault."""
        if self._final is not None:
            return
        self.last = max(self.last, at)
        seat_state = self._seats[seat]
        seat_state.close(at)
        self._waiting -= 1
        self._stand_in(seat, seat_state)
        self._blame(Fault(seat, seat_state.asks, kind, owner, clean(message)))

    def _fault(self, seat: Seat, at: int, kind: FaultKind, owner: Owner, message: str) -> None:
        """A fault that leaves an open ask open, unless it is one too many."""
        lost = self._ledger.forfeits
        if self._final is not None or self._start_by is None or lost[seat] is not None:
            return
        self.last = max(self.last, at)
        seat_state = self._seats[seat]
        self._blame(Fault(seat, seat_state.asks if seat_state.open else 0, kind, owner, clean(message)))
        if self.over or lost[seat] is None:
            return
        if not self._steps:
            self._start_if_ready()
        elif seat_state.open:
            seat_state.close(at)
            self._waiting -= 1
            self._stand_in(seat, seat_state)
            self._play_on()

    def _blame(self, fault: Fault) -> None:
        """Count a fault and tell its seat; in development mode it is the end."""
        if self._final is not None:
            return
        self._faults.append(fault)
        self.outputs.append(Faulted(fault, self._ledger.add(fault)))
        if self.terms.policy.development:
            message = loud(fault, self.terms.players[fault.seat])
            self._end(None, aborted(self._ledger, message, fault), counts=False)

    def _stand_in(self, seat: Seat, seat_state: SeatState) -> None:
        self._answers[seat] = stand_in(self._luck, seat, seat_state.asks, len(self._turn.options[seat]))
        self._by[seat] = STAND_IN

    def _finish(self) -> None:
        result = self._game.result(self._state)
        if result is None:
            raise RulesBug("nobody is asked and there is no result")
        places = standing(result, [fault is not None for fault in self._ledger.forfeits])
        self._end(places, endings(self._ledger), counts=rated(self._ledger, result))

    def _end(self, result: Result | None, ends: tuple[Ending, ...], *, counts: bool) -> None:
        at = self.last - self._base
        self._final = Final(at, result, ends, counts, tuple(self._faults), self.secret.hex())
        for seat, seat_state in enumerate(self._seats):
            seat_state.open = False
            events = self._log.part(seat, seat_state.seen if seat_state.sent else seat_state.told)
            if events and seat_state.listens:
                self.outputs.append(Told(seat, events))
        self.outputs.append(Ended(self._final))

    def _relive(self, steps: list[Step], at: int) -> None:
        """Take the stored steps as they happened, without a word to anybody."""
        if not steps:
            return
        self.outputs.clear()
        walk = Walk(self._game, self.terms, self._chance)
        for step in steps:
            relive(step, walk, self._seats, self._log, self._chance)
            for fault in step.faults:
                self._ledger.add(fault)
        self._state = walk.state
        self._turn = walk.turn
        self._steps = walk.steps
        self._public = len(self._log.events)
        self.last = at
        self._base = at - steps[-1].at
        for seat_state in self._seats:
            seat_state.recover(at)
        self._open()
        self._play_on()
