"""One match as a state machine: events of the driver go in with their time, outputs come out. No I/O, no clock reading.

    begin -> Seated for every seat -> ready, ready, ... -> Stepped (set-up), Asked for every seat with a choice
    answer, answer, ... -> after the last answer: Stepped, the next Asked, ... -> Told, Ended

The driver calls a method for each answer, connection or failure of a seat, calls `tick` at `deadline`, and carries out
the outputs that `drain` returns, in their order. Answers of a simultaneous decision are sealed in the match until the
last seat has answered: before that no state, view, event or record holds them. After a crash of the referee `restore`
rebuilds the match from its stored steps.

All times are whole microseconds on a monotonic scale of the driver's choice. The time of an answer is the moment of its
arrival, however much later the driver hands the answer in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.kernel.chance import Recording, Sealed
from referee.kernel.errors import BadSetting, RulesBug
from referee.kernel.game import BUCKET, AnyGame, Event, Option, Result, Seat, timed_kinds
from referee.kernel.tuples import new_tuple
from referee.kernel.turns import Turn, advance, settle
from referee.match.clock import FOREVER
from referee.match.event_log import EventLog
from referee.match.outputs import Asked, Ended, Faulted, Output, Seated, Seen, Stepped, Told, Verdict
from referee.match.plan import MatchPlan
from referee.match.policy import Ending, Fault, FaultKind, Ledger, Owner, aborted, clean, endings, loud, rated, standing
from referee.match.record import NOTE_LIMIT, STAND_IN, Final, Step
from referee.match.reliving import relive
from referee.match.replay import Walk, fits, stand_in
from referee.match.seat import SeatState
from referee.match.showing import PublicSide
from referee.match.terms import Terms


class Match:
    """One match of one game between the players of its plan."""

    def __init__(self, game: AnyGame, plan: MatchPlan, *, spectators: bool = False, terms: Terms | None = None) -> None:
        """`spectators`: the match is followed from its beginning, see `PublicSide.show`; `terms`: of an earlier run."""
        terms = self.terms = plan.header(game) if terms is None else terms
        self._variant = fits(game, terms)
        self._game = game
        self.secret_choices = game.secret_choices
        self.secret = plan.secret
        """The secret of the match's luck: only the recorder may have it before the match is over."""
        self._limited = not terms.clock.unlimited
        self._luck = Sealed(plan.secret)
        self._chance = Recording(self._luck)
        self._seats = tuple(SeatState(terms.clock, terms.policy) for _ in terms.players)
        self._ledger = Ledger(terms.policy, len(terms.players))
        self.outputs: list[Output] = []
        """The outputs that `drain` will return."""
        self._log = EventLog()
        self._state: Any = None
        self.public = PublicSide(game, terms)
        """What spectators may know."""
        self._turn = Turn((), {}, {})
        self._steps = 0
        self._waiting = 0
        self._answers: dict[Seat, int] = {}
        self._by: dict[Seat, str] = {}
        self._notes: dict[Seat, str] = {}
        self._timed = timed_kinds(game, self._variant)
        self._arrivals: dict[Seat, int] = {}
        self._faults: list[Fault] = []
        self._start_by: int | None = None
        self.soonest = FOREVER
        """A moment before which a match that has started needs no `tick`, known without a search of the seats."""
        self._base = 0
        self.last = 0
        """The latest moment that the driver handed in."""
        self._final: Final | None = None
        if spectators:
            self.public.show(True)

    @classmethod
    def restore(
        cls, game: AnyGame, terms: Terms, secret: bytes, steps: Iterable[Step], at: int, *, spectators: bool = False
    ) -> Match:
        """The match after its last stored step, restored at the moment `at`; raises BrokenRecord.

        Clocks, faults and ask numbers continue from the stored steps. A seat whose answer was sealed and not yet part
        of a step is asked again. No seat is charged for the downtime: from `at` on the clock of each seat stands until
        its player is `back`, at most for the start budget.
        """
        match = cls(game, MatchPlan.of(terms, secret), spectators=spectators, terms=terms)
        match.begin(at)
        match._relive(list(steps), at)
        return match

    @property
    def begun(self) -> bool:
        """Whether `begin` was called; a restored match has begun."""
        return self._start_by is not None

    @property
    def started(self) -> bool:
        """Whether the game has been set up: every seat was ready, or the start budget was over."""
        return self._steps > 0

    @property
    def steps(self) -> int:
        """Number of steps so far, the set-up not counted."""
        return max(0, self._steps - 1)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._final is not None

    @property
    def final(self) -> Final | None:
        """The end of the match; None: the match goes on."""
        return self._final

    @property
    def deadline(self) -> int | None:
        """The next moment at which `tick` is needed; None: no seat is waited for with a limit."""
        if self._final is not None:
            return None
        if not self._steps:
            return self._start_by
        due = self.soonest = min([seat_state.due() for seat_state in self._seats])
        return None if due == FOREVER else due

    def forfeited(self, seat: Seat) -> bool:
        """Whether a seat was forfeited by its faults."""
        return self._ledger.forfeits[seat] is not None

    def owes(self, seat: Seat) -> int:
        """The number of the ask that a seat has to answer; 0: none."""
        seat_state = self._seats[seat]
        return seat_state.asks if seat_state.open else 0

    def drain(self) -> list[Output]:
        """The outputs since the last call, in order."""
        due, self.outputs = self.outputs, []
        return due

    def listen(self, seat: Seat, wanted: bool, watches: bool = False) -> None:
        """Say whether a seat is told events from now on (without a call it is), and shown every position (`Seen`)."""
        self._seats[seat].listens = wanted
        self.public.watch(seat, watches)

    def begin(self, at: int) -> None:
        """Offer the table to every seat and start the start budget."""
        if self._start_by is not None:
            raise BadSetting(f"match {self.terms.match} has begun already")
        self._base = self.last = at
        self._start_by = at + self.terms.policy.start
        self.outputs.extend(Seated(seat) for seat in range(len(self._seats)))

    def ready(self, seat: Seat, at: int) -> None:
        """Note that a seat can play; the game starts when all seats can. A further call for the seat is safe."""
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
        """Take the time that an ask waited inside the referee off the seat's clock; called once for each ask."""
        seat_state = self._seats[seat]
        if seat_state.open and seat_state.asks == ask and seat_state.held is None:
            seat_state.clock.defer(max(0, min(waited, at - seat_state.clock.since)))

    def answer(
        self, seat: Seat, ask: int, index: int, at: int, *, lag: int = 0, queued: int = 0, note: str = ""
    ) -> Verdict:
        """Take a seat's answer to one of its asks: the index of an option.

        `at` is the moment of arrival, `lag` the network's part of the time since the ask, `queued` the time that the
        answer waited inside the referee after its arrival.
        """
        if at > self.soonest:
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
        if seat_state.kind in self._timed:
            self._arrivals[seat] = max(0, at - clock.since) // BUCKET
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
        """Count a fault: a seat sent bytes that are no message. An open ask stays open."""
        self._fault(seat, at, FaultKind.MALFORMED, Owner.BOT, message)

    def crashed(self, seat: Seat, at: int, message: str, owner: Owner = Owner.BOT) -> None:
        """Count a fault: a bot died or raised an error. The stand-in answers its open ask."""
        if self._seats[seat].open:
            self._missing(seat, at, FaultKind.CRASHED, owner, message)
            self._play_on()
        else:
            self._fault(seat, at, FaultKind.CRASHED, owner, message)

    def unanswered(self, seat: Seat, ask: int, at: int, message: str, kind: FaultKind = FaultKind.CRASHED) -> Verdict:
        """Let the stand-in answer an ask: the bot said that it will not answer, or was stopped."""
        if at > self.soonest:
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
        """Forfeit a seat because an organiser removed its bot; from now on the stand-in answers for the seat."""
        self._fault(seat, at, FaultKind.REMOVED, Owner.ORGANISER, message)

    def gone(self, seat: Seat, at: int) -> None:
        """Note that a seat lost its connection; its clock runs on."""
        if at > self.soonest:
            self.tick(at)
        seat_state = self._seats[seat]
        if seat_state.gone is None:
            seat_state.gone = at
            self.soonest = min(self.soonest, seat_state.due())

    def back(self, seat: Seat, at: int) -> None:
        """Note that a seat is connected again; its open ask, or the offer of the table, is put out again."""
        if at > self.soonest:
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
            return
        if seat in self.public.watching:
            self.outputs.append(Seen(seat, self.public.shown(seat)))
        if seat_state.open:
            self.soonest = min(self.soonest, seat_state.due())
            seat_state.sent = True
            self.outputs.append(self._asked(seat, seat_state))

    def repeat(self, seat: Seat) -> None:
        """Put the open ask of a connected seat out again; clocks and state stay as they are."""
        seat_state = self._seats[seat]
        if seat_state.open and seat_state.gone is None:
            self.outputs.append(self._asked(seat, seat_state))

    def tick(self, at: int) -> None:
        """Judge every seat whose deadline has passed."""
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
        self.soonest = min([seat_state.due() for seat_state in self._seats])
        self._play_on()

    def abort(self, at: int, message: str, by: Owner = Owner.REFEREE) -> None:
        """End the match without a result: the referee cannot go on, or an organiser stops it. The message is public."""
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
        self._state = self.public.state = self._game.start(len(self._seats), self._variant, self._chance)
        events: list[Event] = []
        self._turn = settle(self._game, self._state, self._chance, events, self.public.between())
        self._store(events, {}, {}, {})
        self._open()
        self._play_on()

    def _play_on(self) -> None:
        """Make steps until a seat has to be waited for, or the match is over."""
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
            between = self.public.between()
            self._turn = advance(self._game, self._state, turn, choices, self._chance, events, between, self._arrivals)
            self._store(events, spent, lag, left)
            self._open()

    def _store(self, events: list[Event], spent: dict[Seat, int], lag: dict[Seat, int], left: dict[Seat, int]) -> None:
        """Put out the step that was made and clear what the next step collects."""
        self._log.add(events)
        at = self.last - self._base
        chance, faults = self._chance.take(), tuple(self._faults)
        told = (self._notes, self._arrivals)
        fields = (self._steps, at, self._answers, self._by, chance, spent, lag, left, faults, *told)
        self.outputs.append(new_tuple(Stepped, (new_tuple(Step, fields),)))
        self._steps += 1
        self._answers, self._by, self._notes, self._faults, self._arrivals = {}, {}, {}, [], {}
        public, turn = self.public, self._turn
        public.advance(turn.applied, left)
        if public.followed or public.watching or (turn.skipped and self.secret_choices):
            self.outputs += public.step(turn, self._log, len(events))

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
        self.soonest = due

    def _asked(self, seat: Seat, seat_state: SeatState) -> Asked:
        """The open ask of a seat, with its clock as it stands now."""
        left = deadline = budget = None
        if self._limited:
            left, deadline, budget = seat_state.clock.rest(self.last)
        options = self._turn.options[seat]
        if type(options) is list:
            options = tuple(options)  # a bot must not change the list of the match
        view = self._game.view(self._state, seat)
        events = self._log.part(seat, seat_state.told) if seat_state.listens else ()
        about = (seat, seat_state.asks, seat_state.kind, options, view, events)
        return new_tuple(Asked, (*about, left, deadline, budget, seat_state.timing, self.last))

    def _missing(self, seat: Seat, at: int, kind: FaultKind, owner: Owner, message: str) -> None:
        """Close the open ask of a seat with an answer of the stand-in, and count a fault of the seat."""
        if self._final is not None:
            return
        self.last = max(self.last, at)
        seat_state = self._seats[seat]
        seat_state.close(at)
        self._waiting -= 1
        self._stand_in(seat, seat_state)
        self._blame(Fault(seat, seat_state.asks, kind, owner, clean(message)))

    def _fault(self, seat: Seat, at: int, kind: FaultKind, owner: Owner, message: str) -> None:
        """Count a fault of a seat. Its open ask stays open unless the fault forfeits the seat."""
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
        """Count a fault and tell its seat; in development mode the fault ends the match."""
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
            raise RulesBug("no seat is asked and there is no result")
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
        """Take the stored steps; no output is made for them."""
        if not steps:
            return
        self.outputs.clear()
        walk = Walk(self._game, self.terms, self._chance)
        for step in steps:
            relive(step, walk, self._seats, self._log, self._chance)
            self.public.state = walk.state
            self.public.advance(walk.turn.applied, step.left)
            for fault in step.faults:
                self._ledger.add(fault)
        self._state = self.public.state = walk.state
        self._turn = walk.turn
        self._steps = walk.steps
        self.last = at
        self._base = at - steps[-1].at
        for seat_state in self._seats:
            seat_state.recover(at)
        self._open()
        self._play_on()
