"""`kumite replay`: look into recorded matches, and follow one that runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, TypeVar

import typer
from google.protobuf.json_format import MessageToDict

from ladder.cli.asking_again import AskedAgain
from ladder.cli.following import follow as followed
from ladder.cli.output import AsJson, print_json_item
from ladder.cli.record_sources import Found, reach
from ladder.cli.replay_text import MatchTeller, StepText, conclusion, opening, step_lines
from ladder.escaping import visible
from ladder.viewer.replay_file import as_json, replay_file
from referee.codec import encoding
from referee.kernel.errors import BadRecord, BadSetting
from referee.kernel.game import AnyGame, Event, Seat
from referee.match.record import Record, Step, check_chain
from referee.match.replay import named
from referee.match.replay import replay as replayed
from referee.match.verify import verify as verified
from referee.v1 import play_pb2 as pb

T = TypeVar("T")

ABOUT = 3
"""Steps before and after the one that `--around` names."""


class ReplayPart(NamedTuple):
    """Which steps of a match are told, and with which boards."""

    step: int | None = None
    around: int | None = None

    def check(self, last: int) -> None:
        """Raise BadSetting for a step that the match does not have."""
        for option, step in (("--step", self.step), ("--around", self.around)):
            if step is not None and not 0 <= step <= last:
                raise BadSetting(f"{option} {step}: the steps of this match are 0 to {last}")

    def tells(self, step: int) -> bool:
        """Whether a step is told."""
        if self.around is not None:
            return abs(step - self.around) <= ABOUT
        return self.step in (None, step)

    def shows(self, step: int, last: int) -> bool:
        """Whether the board after a step is shown: about a step those on which it was answered and that it led to."""
        if self.around is not None:
            return step in (self.around - 1, self.around)
        return step in ((0, last) if self.step is None else (self.step,))


class Form(StrEnum):
    """The forms in which a match is told."""

    TEXT = "text"
    VIEWER = "viewer"


class Telling(NamedTuple):
    """A match as it is told: in full, or without what one seat was not told."""

    record: Record
    setup: dict[str, Any] | None
    """What all seats saw before the first decision, as the protocol writes it; None if the match did not start."""
    teller: MatchTeller
    steps: list[StepText]
    before: list[int]
    """The points before the first step that is told."""


def replay(
    record: Annotated[
        str,
        typer.Argument(help="A record, a folder of records, a database, or DB:MATCH: a match by its id's beginning."),
    ],
    seat: Annotated[
        int | None, typer.Option(help="Only what this seat was told; 0 is the seat that words call seat 1.")
    ] = None,
    step: Annotated[int | None, typer.Option(help="Only this step, with the board after it.")] = None,
    around: Annotated[
        int | None,
        typer.Option(help=f"Only this step and the {ABOUT} before and after it, with the boards before and after it."),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Follow a match of DB:MATCH that runs, as spectators see it.")
    ] = False,
    as_json: AsJson = False,
    form: Annotated[Form, typer.Option("--format", help="text, or viewer: the viewer's replay file.")] = Form.TEXT,
    ask: Annotated[
        int | None, typer.Option(min=1, help="With --bot: the number of an ask among those of its seat, from 1.")
    ] = None,
    bot: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Ask this bot again what --seat, or each seat, was asked.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="With --bot: tell notes and times.")] = False,
    debug: Annotated[
        bool, typer.Option("--breakpoint", help="With --bot: stop in Python's debugger where the bot decides.")
    ] = False,
) -> None:
    """Tell recorded matches in words, in full or as one seat saw them; a record that does not hold is refused.

    The board is told at the set-up and at the end, or where --step and --around say. A single record is one JSON
    object, what a folder or database holds is a list. Matches of a database that are not over are left out. With
    --format viewer the replay file of one match is printed, which docs/viewer.md describes. With --ask and --bot a bot
    gets the recorded view and options again, and both answers are told; code 1 if the bot does not answer.
    """
    if (ask, bot) != (None, None) or explain or debug:
        if ask is None or bot is None:
            raise BadSetting("--ask N and --bot SPEC belong together: the bot is asked again what ask N was")
        if follow or as_json or form is Form.VIEWER or (step, around) != (None, None):
            raise BadSetting("--bot asks a bot again in one situation: of the other options only --seat fits")
        _ask_again(record, seat, AskedAgain(ask, bot, explain, debug))
        return
    if form is Form.VIEWER:
        if follow or as_json or (seat, step, around) != (None, None, None):
            raise BadSetting("--format viewer prints the whole match, as JSON: leave the other options out")
        _print_replay_file(record)
        return
    if step is not None and around is not None:
        raise BadSetting("--step and --around cannot stand together: --around N tells step N too")
    if follow:
        if seat is not None or step is not None or around is not None or as_json:
            raise BadSetting("--follow tells what spectators see, in words, as it comes: leave the other options out")
        followed(record)
        return
    _tell(record, seat, ReplayPart(step, around), as_json=as_json)


def _tell(record: str, seat: Seat | None, part: ReplayPart, *, as_json: bool) -> None:
    """Tell every match that the argument names."""
    with reach(record) as reached:
        if reached.many and part != ReplayPart():
            raise BadSetting(f"{record}: --step and --around need one match: a record, or DB:MATCH")
        told = 0
        for found in reached.found:
            telling = _told(found, seat, part)
            if as_json:
                print_json_item(_as_object(telling, seat), number=told if reached.many else None)
            else:
                for line in _as_lines(telling, seat, part):
                    typer.echo(line)
            told += 1
        if as_json and reached.many:
            typer.echo("]" if told else "[]")
        reached.report()


def _ask_again(record: str, seat: Seat | None, again: AskedAgain) -> None:
    """Ask a bot again in one match, checked as every told match is."""
    with reach(record) as reached:
        if reached.many:
            raise BadSetting(f"{record}: --ask takes one match: a record, or DB:MATCH")
        found = next(reached.found)
        entry = found.read()
        _check_seat(entry, seat)
        try:
            check(entry)
        except BadRecord as error:
            raise type(error)(visible(f"{found.name}: {error}")) from None
    if not again.put(entry, seat):
        raise typer.Exit(1)


def _check_seat(entry: Record, seat: Seat | None) -> None:
    if seat is not None and not 0 <= seat < len(entry.header.players):
        raise BadSetting(f"--seat {seat}: the seats of this match are 0 to {len(entry.header.players) - 1}")


def _print_replay_file(record: str) -> None:
    """Print the replay file of one match, checked as every told match is."""
    with reach(record) as reached:
        if reached.many:
            raise BadSetting(f"{record}: --format viewer takes one match: a record, or DB:MATCH")
        found = next(reached.found)
        entry = found.read()
        try:
            check(entry)
            typer.echo(as_json(replay_file(entry)))
        except BadRecord as error:
            raise type(error)(visible(f"{found.name}: {error}")) from None


def check(entry: Record) -> None:
    """Check a finished match as a whole, and an unfinished one as far as it goes; raises BadRecord."""
    if entry.finished:
        verified(entry, named(entry.header))
    else:
        check_chain(entry)


def _told(found: Found, seat: Seat | None, part: ReplayPart) -> Telling:
    """A match as it is told; raises BadRecord that names it."""
    entry = found.read()
    try:
        _check_seat(entry, seat)
        part.check(len(entry.steps) - 1)
        return _telling(entry, seat, part)
    except BadRecord as error:
        raise type(error)(visible(f"{found.name}: {error}")) from None


def _telling(entry: Record, seat: Seat | None, part: ReplayPart) -> Telling:
    """The match played again; a finished one must hold, an unfinished one as far as that can be said of it."""
    game = named(entry.header)
    check(entry)
    setup = None
    teller = MatchTeller(game, len(entry.header.players), seat)
    steps: list[StepText] = []
    before: list[int] = []
    last = len(entry.steps) - 1
    for position in replayed(entry, game):
        number = position.step.n
        if setup is None:
            setup = _public(game, position.state)
        told = teller.tell(position, _heard(position.step, seat), with_board=part.shows(number, last))
        if part.tells(number):
            steps.append(told)
        elif not steps:
            before = told.points
    if seat is not None and entry.final is not None:
        own = tuple(fault for fault in entry.final.faults if fault.seat == seat)
        entry = replace(entry, final=replace(entry.final, faults=own))
    return Telling(entry, setup, teller, steps, before)


def _public(game: AnyGame, state: object) -> dict[str, Any]:
    """What every seat may know of a state, with the names of the protocol."""
    encoder: Any = encoding.of(game.name).encoder()
    message = getattr(pb.Ask(), game.name).view
    message.ParseFromString(encoder.view(game.view(state, None)))
    found = MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    return {field.name: found[field.name] for field in message.DESCRIPTOR.fields if field.name in found}


def _heard(step: Step, seat: Seat | None) -> Step:
    """A step without what another seat did, spent, noted or was told. Luck belongs to no seat, so it is left out."""
    if seat is None:
        return step._replace(chance=[])
    return Step(
        n=step.n,
        at=step.at,
        answers=_only(step.answers, seat),
        by=_only(step.by, seat),
        chance=[],
        spent=_only(step.spent, seat),
        lag=_only(step.lag, seat),
        left=_only(step.left, seat),
        faults=tuple(fault for fault in step.faults if fault.seat == seat),
        notes=_only(step.notes, seat),
        arrivals=_only(step.arrivals, seat),
    )


def _only(by_seat: Mapping[Seat, T], seat: Seat) -> dict[Seat, T]:
    return {seat: by_seat[seat]} if seat in by_seat else {}


def _as_object(telling: Telling, seat: Seat | None) -> dict[str, object]:
    """The telling as one JSON object."""
    entry = telling.record
    final = entry.final
    return {
        "header": entry.header.to_plain(),
        "seat": seat,
        "setup": telling.setup,
        "steps": [_step_as_object(told, telling.teller) for told in telling.steps],
        "final": None
        if final is None
        else {
            "at_us": final.at,
            "result": None if final.result is None else final.result._asdict(),
            "endings": [asdict(ending) for ending in final.endings],
            "rated": final.rated,
            "faults": [asdict(fault) for fault in final.faults],
            "secret": final.secret,
        },
        "hash": entry.hashes[-1],
    }


def _step_as_object(told: StepText, teller: MatchTeller) -> dict[str, object]:
    step = told.step
    found: dict[str, object] = {
        "step": step.n,
        "at_us": step.at,
        "answers": _by_name(step.answers),
        "options": _by_name({seat: answer.options for seat, answer in told.answers.items()}),
        "words": _by_name({seat: answer.words for seat, answer in told.answers.items()}),
        "by": _by_name(step.by),
        "spent_us": _by_name(step.spent),
        "lag_us": _by_name(step.lag),
        "left_us": _by_name(step.left),
        "arrivals": _by_name(step.arrivals),
        "faults": [asdict(fault) for fault in step.faults],
        "notes": _by_name(step.notes),
        "events": [{**_plain(event), "words": teller.words(event)} for event in told.events],
        "points": told.points,
    }
    if told.board:
        found["board"] = [
            {"title": title, "columns": list(columns), "rows": list(map(list, rows))}
            for title, columns, rows in told.board
        ]
    return found


def _by_name(by_seat: Mapping[Seat, T]) -> dict[str, T]:
    return {str(seat): by_seat[seat] for seat in sorted(by_seat)}


def _plain(event: Event) -> dict[str, object]:
    return {
        "verb": str(event.verb),
        "seat": event.seat,
        "subject": event.subject,
        "items": list(event.items),
        "amount": event.amount,
        "audience": None if event.audience is None else list(event.audience),
    }


def _as_lines(telling: Telling, seat: Seat | None, part: ReplayPart) -> Iterator[str]:
    """The telling as lines for people."""
    entry = telling.record
    yield from opening(entry.header, seat)
    before = telling.before
    for told in telling.steps:
        yield from step_lines(told, entry.header.players, telling.teller, before)
        before = told.points
    if part == ReplayPart():
        yield from conclusion(entry.header, entry.final)
