"""Faults planted in the referee or the kit, each as small as a slip of the pen: the simulator must find every one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import Any, NamedTuple
from unittest.mock import patch

from bots.session import ClientSession
from referee.match.clock import SeatClock
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Output, Stepped
from referee.match.record import Step
from referee.match.seat import SeatState
from referee.transport.connections import Connections
from referee.transport.seat_session import SeatSession
from referee.transport.session import BotSession
from referee.transport.stream import BotStream
from tests.simulation.promises import ENDS_SURVIVE_RESTARTS, STANDS_STILL, UNASKED_SEATS_ARE_HELD

Plant = Callable[[], AbstractContextManager[object]]


class Planted(NamedTuple):
    """A planted fault."""

    plant: Plant
    found_as: str
    """What the simulator says of it: a regular expression."""
    needs: bool = True
    """Whether the referee makes the promise that is broken."""


def _drained(change: Callable[[list[Output]], list[Output]]) -> AbstractContextManager[object]:
    """Change what every match puts out."""
    drain = Match.drain
    return patch.object(Match, "drain", lambda match: change(drain(match)))


def ask_before_step() -> AbstractContextManager[object]:
    """Asks leave before the step that they follow from is stored."""
    return _drained(lambda due: sorted(due, key=lambda output: not isinstance(output, Asked)))


def step_left_out() -> AbstractContextManager[object]:
    """The third step is not stored."""
    return _drained(lambda due: [out for out in due if not (isinstance(out, Stepped) and out.step.n == 2)])


def end_twice() -> AbstractContextManager[object]:
    """An end is stored and told twice."""
    return _drained(lambda due: [again for out in due for again in ([out, out] if isinstance(out, Ended) else [out])])


@contextmanager
def over_before_end() -> Iterator[None]:
    """Players are told the end, secret and all, before it is stored."""
    places: dict[Match, list[SeatSession]] = {}
    take, drain = SeatSession.take, Match.drain

    def taken(place: SeatSession, table: Any, **settings: bool) -> None:
        places.setdefault(table.match, []).append(place)
        take(place, table, **settings)

    def drained(match: Match) -> list[Output]:
        due = drain(match)
        for output in due:
            if isinstance(output, Ended):
                for place in places.get(match, ()):
                    place.send(output)
        return due

    with patch.object(SeatSession, "take", taken), patch.object(Match, "drain", drained):
        yield


def wrong_seat_at_resume() -> AbstractContextManager[object]:
    """A bot that comes back is taken for its neighbour."""
    back = Match.back
    return patch.object(Match, "back", lambda match, seat, at: back(match, (seat + 1) % len(match.terms.players), at))


def ask_not_repeated() -> AbstractContextManager[object]:
    """A bot that comes back is not asked again."""
    back = Match.back

    def quiet(match: Match, seat: int, at: int) -> None:
        before = len(match.outputs)
        back(match, seat, at)
        match.outputs[before:] = [out for out in match.outputs[before:] if not isinstance(out, Asked)]

    return patch.object(Match, "back", quiet)


def downtime_charged() -> AbstractContextManager[object]:
    """After a restart the clock of an open ask runs from the start of the referee, not from the bot's return."""
    release = SeatState.release

    def early(seat_state: SeatState, at: int) -> None:
        release(seat_state, at if seat_state.held is None else seat_state.held - seat_state.patience)

    return patch.object(SeatState, "release", early)


def any_ask_answered() -> AbstractContextManager[object]:
    """An answer to an older ask is taken for one to the open ask."""
    answer = Match.answer

    def careless(match: Match, seat: int, ask: int, index: int, at: int, **more: Any) -> object:
        return answer(match, seat, match.owes(seat) or ask, index, at, **more)

    return patch.object(Match, "answer", careless)


def neighbours_view() -> AbstractContextManager[object]:
    """An ask shows what another seat sees."""
    drain = Match.drain

    def swapped(match: Match) -> list[Output]:
        due = drain(match)
        for index, output in enumerate(due):
            if isinstance(output, Asked):
                other = (output.seat + 1) % len(match.terms.players)
                due[index] = output._replace(view=match._game.view(match._state, other))
        return due

    return patch.object(Match, "drain", swapped)


def ask_on_another_stream() -> AbstractContextManager[object]:
    """An ask of one bot is sent to the bot that was asked before it."""
    ask = BotStream.ask
    last: list[BotStream] = []

    def mixed(stream: BotStream, data: bytes, who: Any) -> None:
        target = last[0] if last and not last[0].closed else stream
        last[:] = [stream]
        ask(target, data, who)

    return patch.object(BotStream, "ask", mixed)


def last_step_forgotten() -> AbstractContextManager[object]:
    """A restarted referee goes on from the step before the last."""
    relive = Match._relive

    def shorter(match: Match, steps: list[Step], at: int) -> None:
        relive(match, steps[:-1] if len(steps) > 1 else steps, at)

    return patch.object(Match, "_relive", shorter)


def full_bank_after_restart() -> AbstractContextManager[object]:
    """A restarted referee charges nothing for the steps before."""
    return patch.object(SeatClock, "repeat", lambda clock, charged, network: True)


def judged_early() -> AbstractContextManager[object]:
    """A seat is late a second before its time is over."""
    start = SeatClock.start

    def hasty(clock: SeatClock, at: int) -> None:
        start(clock, at)
        if clock.deadline < 1 << 61:
            clock.deadline -= min(1_000_000, clock.budget)

    return patch.object(SeatClock, "start", hasty)


def thinking_not_charged() -> AbstractContextManager[object]:
    """An ask that is sent again costs only the time since then."""
    back = Match.back

    def generous(match: Match, seat: int, at: int) -> None:
        back(match, seat, at)
        match._seats[seat].clock.since = at

    return patch.object(Match, "back", generous)


def unread_end_forgotten() -> AbstractContextManager[object]:
    """An end that was sent counts as read, though the stream broke."""

    def over(stream: BotStream, message: Any) -> None:
        stream.bundle().over.append(message)

    return patch.object(BotStream, "over", over)


def gone_unnoticed() -> AbstractContextManager[object]:
    """The tables of a bot do not learn that its stream has ended."""
    detach = BotSession.detach

    def silently(session: BotSession, stream: BotStream, at: int) -> None:
        with patch.object(Match, "gone", lambda match, seat, at: None):
            detach(session, stream, at)

    return patch.object(BotSession, "detach", silently)


def resume_tokens_lost() -> AbstractContextManager[object]:
    """A restarted referee makes new resume tokens for the bots it remembers."""
    recall = Connections.recall
    return patch.object(Connections, "recall", lambda connections, name, token, at: recall(connections, name, None, at))


def answer_not_repeated() -> AbstractContextManager[object]:
    """The kit does not send its answer again when the ask comes again."""
    ask = ClientSession._ask

    def forgetful(session: ClientSession, asked: Any, at: float) -> object:
        seat = session._seats.get((asked.match_id, asked.seat))
        if seat is not None and seat.answer is not None and seat.answer.ask == asked.ask:
            return None
        return ask(session, asked, at)

    return patch.object(ClientSession, "_ask", forgetful)


def trouble_charged() -> AbstractContextManager[object]:
    """Clocks run on while nothing can be stored."""
    return patch.object(import_module("referee.match.playtime").PlayTime, "stop", lambda time: None)


def stored_end_not_told() -> AbstractContextManager[object]:
    """A restarted referee does not tell the ends that it had stored."""
    return patch.object(BotSession, "missed", lambda session, end: None)


def unasked_seat_charged() -> AbstractContextManager[object]:
    """After a restart only the clocks of seats that were asked before it wait for their bots."""
    restore = Match.restore.__func__  # type: ignore[attr-defined]

    def restored(kind: type[Match], *given: Any, **more: Any) -> Match:
        match: Match = restore(kind, *given, **more)
        for seat_state in match._seats:
            if not seat_state.open:
                seat_state.grace = None
        return match

    return patch.object(Match, "restore", classmethod(restored))


PLANTED: Mapping[str, Planted] = {
    planted.plant.__name__: planted
    for planted in (
        Planted(ask_before_step, "leaves before the steps that it follows from are stored", STANDS_STILL),
        Planted(step_left_out, "is the next to be stored|leaves before the steps"),
        Planted(end_twice, "stored a second time"),
        Planted(
            over_before_end, "told before it is stored|leaves before its end is stored|another end than the stored one"
        ),
        Planted(wrong_seat_at_resume, "a bot that behaves|bots that behave|stuck"),
        Planted(ask_not_repeated, "a bot that behaves|bots that behave|stuck|us are charged"),
        Planted(downtime_charged, "us are charged, and the question was open for"),
        Planted(any_ask_answered, "was never given|another answer is recorded"),
        Planted(neighbours_view, "shows what it may not"),
        Planted(ask_on_another_stream, "which is not its own"),
        Planted(last_step_forgotten, "is the next to be stored|shows something else|leaves before"),
        Planted(full_bank_after_restart, "does not hold"),
        Planted(judged_early, "late and not charged its budget"),
        Planted(thinking_not_charged, "charged|more time than passed"),
        Planted(unread_end_forgotten, "never told their end"),
        Planted(gone_unnoticed, "stuck"),
        Planted(resume_tokens_lost, "refused with the resume token"),
        Planted(answer_not_repeated, "stuck|a bot that behaves|bots that behave"),
        Planted(trouble_charged, "us are charged|a bot that behaves", STANDS_STILL),
        Planted(stored_end_not_told, "never told their end", ENDS_SURVIVE_RESTARTS),
        Planted(unasked_seat_charged, "us are charged", UNASKED_SEATS_ARE_HELD),
    )
}
"""Every planted fault by name."""
