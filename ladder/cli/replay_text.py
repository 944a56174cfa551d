"""Recorded matches as text: the board in words, answers as options in words, events, the running score.

Words count seats from 1, as pages do; `--seat` and JSON count them from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ladder.escaping import visible
from referee.kernel.board import Section, board
from referee.kernel.game import TABLE, AnyGame, Event, Seat
from referee.match.policy import Ending, EndingKind, Fault
from referee.match.record import Final, Header, Step
from referee.match.replay import Position


class AnswerText(NamedTuple):
    """What a seat answered."""

    words: str
    """The option, as the game's board names it."""
    options: int
    """The number of options there were."""


class StepText(NamedTuple):
    """One step as it is told."""

    step: Step
    events: list[Event]
    answers: dict[Seat, AnswerText]
    """By seat: the answers of the step in words."""
    questions: dict[Seat, str]
    """By seat: what is asked after the step."""
    points: list[int]
    """By seat: the points after the step, as they would count if the game ended now; empty if the game has none."""
    board: tuple[Section, ...]
    """The board after the step in words; empty unless the step is one of those whose board is shown."""


class MatchTeller:
    """Puts the positions of a match in words, one after the other, as one viewer may know them.

    `seat` None is told all of a match that is over: every answer and event, and the board as the public sees it.
    """

    def __init__(self, game: AnyGame, seats: int, seat: Seat | None) -> None:
        self._game = game
        self._board = board(game.name)
        self._seats = seats
        self._seat = seat
        self._asked: dict[Seat, tuple[str, Any, Any]] = {}
        """By seat that is asked: kind, view and options, from before the next step."""

    def tell(self, position: Position, step: Step, *, with_board: bool) -> StepText:
        """A step and the position after it; `step` has the part that is told. `with_board`: with the board in words."""
        answers = {seat: self._answer(seat, option) for seat, option in step.answers.items()}
        self._asked = {}
        questions = {}
        for ask in position.turn.asks:
            if self._seat in (None, ask.seat):
                view = self._game.view(position.state, ask.seat)
                self._asked[ask.seat] = (ask.kind, view, position.turn.options[ask.seat])
                questions[ask.seat] = self._board.question(view, ask.kind)
        events = [event for event in position.events if audible(event, self._seat)]
        view = self._game.view(position.state, self._seat)
        return StepText(
            step,
            events,
            answers,
            questions,
            points_of(self._board.facts(view, events)),
            self._board.describe(view) if with_board else (),
        )

    def _answer(self, seat: Seat, option: int) -> AnswerText:
        kind, view, options = self._asked[seat]
        return AnswerText(self._board.answer(view, kind, options[option]), len(options))

    def words(self, event: Event) -> str:
        """An event in words, without the seat."""
        return self._board.event(event)


def audible(event: Event, seat: Seat | None) -> bool:
    """Whether a viewer is told an event; None is told all events."""
    return seat is None or event.audience is None or seat in event.audience


def points_of(facts: Mapping[str, Any]) -> list[int]:
    """The points of each seat, and of the automata after them, from the points by category."""
    return [sum(points) for points in zip(*[row["points"] for row in facts.get("points", ())], strict=True)]


def opening(header: Header, seat: Seat | None) -> Iterator[str]:
    """Which match is told, and to whom."""
    players = header.players
    yield f"{header.game}: {', '.join(map(visible, players))} (match {visible(header.match)})"
    settings = "".join(f", {key}={value}" for key, value in sorted(header.variant.items()))
    yield f"version {header.rules_version} of the rules{settings}; clock {header.clock}"
    if seat is not None:
        yield f"told as {who(seat, players)} saw it (--seat {seat})"


def step_lines(told: StepText, players: Sequence[str], teller: MatchTeller, before: Sequence[int]) -> Iterator[str]:
    """A step in words; `before` are the points before it, which are told again only if they changed."""
    step = told.step
    yield f"step {step.n}, {seconds(step.at)}"
    yield from fault_lines(step.faults, players)
    for seat in sorted(step.answers):
        yield f"  {_answer_line(step, seat, told.answers[seat], players)}"
    for seat, note in step.notes.items():
        yield f"  note of {who(seat, players)}: {visible(note)}"
    for event in told.events:
        yield f"  {event_line(event, teller, players)}"
    if told.points and told.points != list(before):
        yield f"  {points_line(told.points, players)}"
    if told.board:
        yield from board_lines(told.board)
        for seat, question in told.questions.items():
            yield f"  {who(seat, players)} is asked: {question}"


def event_line(event: Event, teller: MatchTeller, players: Sequence[str]) -> str:
    """An event: who, what, and which seats alone were told."""
    secret = ""
    if event.audience is not None:
        secret = f"  [told to {', '.join(f'seat {seat + 1}' for seat in event.audience) or 'no seat'}]"
    return f"{plain_event_line(event, teller.words(event), players)}{secret}"


def plain_event_line(event: Event, words: str, players: Sequence[str]) -> str:
    """An event in words, after the seat that caused it."""
    subject = "" if event.seat == TABLE else f"{who(event.seat, players)} "
    return f"{subject}{visible(words)}"


def points_line(points: Sequence[int], players: Sequence[str]) -> str:
    """The running score; points of automata follow those of the seats."""
    shown = [who(seat, players) if seat < len(players) else "rival" for seat in range(len(points))]
    return f"points now: {', '.join(f'{name} {count}' for name, count in zip(shown, points, strict=True))}"


def board_lines(sections: Iterable[Section]) -> Iterator[str]:
    """The board in words: each part with its title, tables with straight columns."""
    for title, columns, rows in sections:
        yield f"  {visible(title)}"
        table = [tuple(map(visible, row)) for row in ([columns, *rows] if columns else rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for row in table:
            cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            yield f"    {cells.rstrip()}"


def _answer_line(step: Step, seat: Seat, answer: AnswerText, players: Sequence[str]) -> str:
    """One answer: which option, by whom, and what it did to the clock."""
    text = f"{who(seat, players)} answered option {step.answers[seat]} of {answer.options}"
    if seat in step.by:
        text += f" ({step.by[seat]})"
    text += f": {visible(answer.words)}"
    if seat in step.spent:
        text += f"; in {seconds(step.spent[seat])}"
    if seat in step.lag:
        text += f", {seconds(step.lag[seat])} of lag forgiven"
    if seat in step.arrivals:
        text += f", which is bucket {step.arrivals[seat]} of the times that count"
    if seat in step.left:
        text += f", {seconds(step.left[seat])} left"
    return text


def fault_lines(faults: Iterable[Fault], players: Sequence[str]) -> Iterator[str]:
    """The faults of a step or of the end of a match."""
    for fault in faults:
        ask = f" at ask {fault.ask}" if fault.ask else ""
        owner = f"owned by the {fault.owner}"
        yield f"  fault of {who(fault.seat, players)}: {fault.kind}{ask}, {owner}: {visible(fault.message)}"


def conclusion(header: Header, final: Final | None) -> Iterator[str]:
    """How the match ended: result, what became of each seat and why it stands where it does."""
    if final is None:
        yield "unfinished: the record ends here"
        return
    yield f"end, {seconds(final.at)}"
    yield from fault_lines(final.faults, header.players)
    said = None
    if final.result is None:
        stopped = [ending.message for ending in final.endings if ending.kind is EndingKind.ABORTED]
        said = stopped[0] if stopped else "nobody was there to play"
        yield f"stopped without a result: {visible(said)}"
    else:
        result = final.result
        names = [*header.players, *result.automata]
        ranking = sorted(zip(result.places, names, result.points, strict=True))
        told = ", ".join(f"{place}. {visible(name)} ({points})" for place, name, points in ranking)
        yield f"result: {told}; ended by {result.reason}"
    for seat, ending in enumerate(final.endings):
        yield f"  {who(seat, header.players)}: {_fate(ending, said)}"
    yield f"  {'rated' if final.rated else 'not rated'}"


def _fate(ending: Ending, said: str | None) -> str:
    """What became of a seat, and why. `said`: why the match has no result, which needs no repetition."""
    text = ending.kind.value.replace("_", " ")
    if said is None and ending.kind is not EndingKind.FINISHED:
        text += ", so ranked last"
    if ending.faults:
        text += f", {ending.faults} fault{'s' if ending.faults > 1 else ''}"
    if ending.owner is not None:
        text += f", owned by the {ending.owner}"
    return text if ending.message in ("", said) else f"{text}: {visible(ending.message)}"


def who(seat: Seat, players: Sequence[str]) -> str:
    """A seat, counted from 1, and its player."""
    return f"seat {seat + 1} ({visible(players[seat])})"


def seconds(micros: int) -> str:
    """A time in seconds."""
    return f"{micros / 1e6:.3f} s"
