"""`kumite replay` and `kumite verify`: look into recorded matches, and prove that they were played by the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, NamedTuple, TypeVar

import typer
from google.protobuf.json_format import MessageToDict

from ladder.cli.output import AsJson, print_json, print_json_item
from ladder.cli.record_sources import Found, reach
from ladder.escaping import visible
from ladder.event_words import event_words
from ladder.store.matches import SealedRecord
from referee.codec import encoding
from referee.kernel.errors import BadRecord, BadSetting
from referee.kernel.game import AnyGame, Event, Seat
from referee.match.policy import Ending, EndingKind, Fault
from referee.match.record import Final, Header, Record, Step, check_chain
from referee.match.replay import named
from referee.match.replay import replay as replayed
from referee.match.verify import verify as verified
from referee.v1 import play_pb2 as pb

T = TypeVar("T")

SHORT = 16
"""Digits of a hash that are shown to people."""


class Telling(NamedTuple):
    """A match as it is told: in full, or without what one seat was not told."""

    record: Record
    setup: dict[str, Any] | None
    """What all seats saw before the first decision, as the protocol writes it; None if the match did not start."""
    steps: list[tuple[Step, list[Event]]]


def replay(
    record: Annotated[
        str,
        typer.Argument(help="A record, a folder of records, a database, or DB:MATCH: a match by its id's beginning."),
    ],
    seat: Annotated[int | None, typer.Option(help="Only what this seat was told.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell recorded matches step by step, in full or as one seat saw it; a record that does not hold is refused.

    A single record is one JSON object, what a folder or database holds is a list. Matches of a database that are not
    over are left out.
    """
    with reach(record) as reached:
        told = 0
        for found in reached.found:
            telling = _told(found, seat)
            if as_json:
                print_json_item(_as_object(telling, seat), number=told if reached.many else None)
            else:
                for line in _as_lines(telling):
                    typer.echo(line)
            told += 1
        if as_json and reached.many:
            typer.echo("]" if told else "[]")
        reached.report()


def _told(found: Found, seat: Seat | None) -> Telling:
    """A match as it is told; raises BadRecord that names it."""
    entry = found.read()
    try:
        if seat is not None and not 0 <= seat < len(entry.header.players):
            raise BadSetting(f"--seat {seat}: the seats of this match are 0 to {len(entry.header.players) - 1}")
        return _telling(entry, seat)
    except BadRecord as error:
        raise type(error)(visible(f"{found.name}: {error}")) from None


def _telling(entry: Record, seat: Seat | None) -> Telling:
    """The match played again; a finished one must hold, an unfinished one as far as that can be said of it."""
    game = named(entry.header)
    if entry.finished:
        verified(entry, game)
    else:
        check_chain(entry)
    setup = None
    steps = []
    for moment in replayed(entry, game):
        if setup is None:
            setup = _public(game, moment.state)
        events = [event for event in moment.events if _audible(event, seat)]
        steps.append((_heard(moment.step, seat), events))
    if seat is not None and entry.final is not None:
        own = tuple(fault for fault in entry.final.faults if fault.seat == seat)
        entry = replace(entry, final=replace(entry.final, faults=own))
    return Telling(entry, setup, steps)


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


def _audible(event: Event, seat: Seat | None) -> bool:
    return seat is None or event.audience is None or seat in event.audience


def _as_object(telling: Telling, seat: Seat | None) -> dict[str, object]:
    """The telling as one JSON object."""
    entry = telling.record
    final = entry.final
    return {
        "header": entry.header.to_plain(),
        "seat": seat,
        "setup": telling.setup,
        "steps": [
            {
                "step": step.n,
                "at_us": step.at,
                "answers": _by_name(step.answers),
                "by": _by_name(step.by),
                "spent_us": _by_name(step.spent),
                "lag_us": _by_name(step.lag),
                "left_us": _by_name(step.left),
                "arrivals": _by_name(step.arrivals),
                "faults": [asdict(fault) for fault in step.faults],
                "notes": _by_name(step.notes),
                "events": [_plain(event) for event in events],
            }
            for step, events in telling.steps
        ],
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


def _as_lines(telling: Telling) -> Iterator[str]:
    """The telling as lines for people."""
    entry = telling.record
    header = entry.header
    players = header.players
    yield f"{header.game}: {', '.join(map(visible, players))} (match {visible(header.match)})"
    settings = "".join(f", {key}={value}" for key, value in sorted(header.variant.items()))
    yield f"version {header.rules_version} of the rules{settings}; clock {header.clock}"
    for step, events in telling.steps:
        yield f"step {step.n}, {_seconds(step.at)}"
        if step.n == 0 and telling.setup is not None:
            yield "  what everybody sees, in the words of the protocol:"
            yield from _fields(telling.setup)
        yield from _faults(step.faults, players)
        for seat in sorted(step.answers):
            yield f"  {_answer(step, seat, players)}"
        for event in events:
            yield f"  {sentence(event, players)}"
        for seat, note in step.notes.items():
            yield f"  note of {_who(seat, players)}: {visible(note)}"
    yield from _conclusion(entry.header, entry.final)


def _fields(view: Mapping[str, Any]) -> Iterator[str]:
    """The fields of a public view that hold something, one a line."""
    for name, value in view.items():
        if value in ([], "", {}) or value is False:
            continue
        items = value if isinstance(value, list) else [value]
        words = (item if isinstance(item, str) else json.dumps(item, separators=(",", ":")) for item in items)
        yield f"    {name}: {visible(' '.join(words))}"


def _answer(step: Step, seat: Seat, players: Sequence[str]) -> str:
    """One answer: which option, by whom, and what it did to the clock."""
    text = f"{_who(seat, players)} answered option {step.answers[seat]}"
    if seat in step.by:
        text += f" ({step.by[seat]})"
    if seat in step.spent:
        text += f" in {_seconds(step.spent[seat])}"
    if seat in step.lag:
        text += f", {_seconds(step.lag[seat])} of lag forgiven"
    if seat in step.arrivals:
        text += f", which is bucket {step.arrivals[seat]} of the times that count"
    if seat in step.left:
        text += f", {_seconds(step.left[seat])} left"
    return text


def _faults(faults: Iterable[Fault], players: Sequence[str]) -> Iterator[str]:
    for fault in faults:
        ask = f" at ask {fault.ask}" if fault.ask else ""
        who = _who(fault.seat, players)
        yield f"  fault of {who}: {fault.kind}{ask}, owned by the {fault.owner}: {visible(fault.message)}"


def _conclusion(header: Header, final: Final | None) -> Iterator[str]:
    """How the match ended: result, what became of each seat and why it stands where it does."""
    if final is None:
        yield "unfinished: the record ends here"
        return
    yield f"end, {_seconds(final.at)}"
    yield from _faults(final.faults, header.players)
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
        yield f"  {_who(seat, header.players)}: {_fate(ending, said)}"
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


def sentence(event: Event, players: Sequence[str]) -> str:
    """An event in words: who, what, how many, which."""
    return event_words(event, players, lambda seat, name: f"seat {seat} ({visible(name)})")


def _who(seat: Seat, players: Sequence[str]) -> str:
    return f"seat {seat} ({visible(players[seat])})"


def _seconds(micros: int) -> str:
    return f"{micros / 1e6:.3f} s"


def verify(
    records: Annotated[
        list[str], typer.Argument(help="Records, folders of records, databases, or DB:MATCH: a match in a database.")
    ],
    as_json: AsJson = False,
) -> None:
    """Recompute recorded matches from their revealed secrets; exit code 1 if one does not hold.

    A record that holds is one that rules and secret allow. Who played, and that a match without a result had to be
    stopped, only the referee knew: compare the last hash with one that was published elsewhere. Matches of a database
    that are not over are left out.
    """
    verdicts: list[dict[str, object]] = []
    count = broken = 0
    for target in records:
        with reach(target) as reached:
            for found in reached.found:
                verdict = _verdict(found)
                count += 1
                broken += not verdict["holds"]
                if as_json:
                    verdicts.append(verdict)
                else:
                    _say(verdict)
            reached.report()
    if as_json:
        print_json(verdicts)
    elif count > 1:
        typer.echo(f"{count - broken} of {count} records hold")
    if broken:
        raise typer.Exit(1)


def _say(verdict: dict[str, object]) -> None:
    text = str(verdict["message"])
    if verdict["holds"]:
        text = (
            f"holds: {verdict['steps']} steps, luck, result and hashes agree; "
            f"the last hash begins with {str(verdict['hash'])[:SHORT]}"
        )
    typer.echo(visible(f"{verdict['record']}: {text}"), err=not verdict["holds"])


def _verdict(found: Found) -> dict[str, object]:
    """What is to be said about one record."""
    steps = last = None
    message = "holds"
    try:
        entry = found.read()
        verified(entry)
        steps, last = len(entry.steps), entry.hashes[-1]
    except (BadRecord, SealedRecord) as error:
        message = str(error).removeprefix(f"{found.name}: ")
    return {"record": found.name, "holds": last is not None, "steps": steps, "hash": last, "message": message}
