"""The record of a match: a header, one line per step, a final line, chained by hashes.

The record is the truth about a match: the state at any moment, the result and the ratings are computed from records. A
step holds the answers as option indices, the luck that the rules asked for, and the times; decisions without a choice
are left out, because a replay finds them by the rules. Step 0 is the set-up.

A record is JSON lines, each line the canonical encoding (`kernel.plain`) of an object. Every object carries `hash`:
`SHA-256(hash of the line before || canonical encoding of the object without "hash")` in hex; for the first line the
hash before is empty. So the last hash stands for the whole match. Empty fields of a step are left out. A running match
makes `Step`s without hashes, and a recorder makes the lines with `Chain` when it stores them: a match without a record
spends no time on encoding and hashing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from json.encoder import encode_basestring as _quoted
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from referee.kernel.chance import Outcome
from referee.kernel.errors import BadPlain, BadRecord, BrokenRecord
from referee.kernel.game import Result, Seat
from referee.kernel.plain import Plain, canonical, parse
from referee.kernel.reading import RECORDS
from referee.match.policy import Ending, EndingKind, Fault, FaultKind, Owner
from referee.match.terms import Terms

if TYPE_CHECKING:
    from referee.match.moments import RecordMoment

Header: TypeAlias = Terms
"""The first line of a record: the terms of the match."""

STAND_IN = "stand-in"
"""The value of `Step.by` for an answer that the stand-in gave."""

NOTEBOOK = "kumite.notebook"
"""The group of entry points that show a record in a notebook: functions of a record that return HTML."""

NOTE_LIMIT = 1024
"""Characters of a note that are kept."""


class Step(NamedTuple):
    """One step of a match: the answers of all asked seats, applied to the state. Times are in microseconds.

    A NamedTuple, because a step is made for every decision, and a frozen dataclass takes four times as long to make.
    """

    n: int
    """The number of the step; 0 is the set-up."""
    at: int
    """Microseconds since the match began."""
    answers: dict[Seat, int]
    """Index of the chosen option, for each seat that was asked."""
    by: dict[Seat, str]
    """`stand-in` for each seat whose answer the stand-in gave."""
    chance: list[Outcome]
    """The luck that the rules asked for, in order."""
    spent: dict[Seat, int]
    """Time charged for the answers."""
    lag: dict[Seat, int]
    """Lag that was not charged, for each seat that had some."""
    left: dict[Seat, int]
    """Time in the bank after the answers; empty if the clock is unlimited."""
    faults: tuple[Fault, ...]
    """The faults since the step before."""
    notes: dict[Seat, str]
    """Notes of bots beside their answers; private until the match is over."""
    arrivals: dict[Seat, int]
    """When the answers to a timed ask arrived (`kernel.game.Arrivals`); empty for every other ask."""


@dataclass(frozen=True, slots=True)
class SeatUsage:
    """Processor time and memory of a hosted seat's bot during the match."""

    cpu_us: int
    """Microseconds of processor time, of all processes and threads of the bot."""
    peak_bytes: int
    """Most memory, in bytes, that the bot has held at a time since its start."""


@dataclass(frozen=True, slots=True)
class Final:
    """The end of a match."""

    at: int
    """Microseconds since the match began."""
    result: Result | None
    """The result with forfeited seats in the last place; None: the match was aborted."""
    endings: tuple[Ending, ...]
    """How the match ended, by seat."""
    rated: bool
    """Whether the match counts for ratings."""
    faults: tuple[Fault, ...]
    """The faults since the last step."""
    secret: str
    """The secret of the match's luck, in hex: published, so that every reader can check the luck."""
    usage: tuple[SeatUsage | None, ...] = ()
    """The usage by seat, None for a seat that is not hosted; empty: no seat is hosted."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it was played, finished or not."""

    header: Header
    steps: tuple[Step, ...]
    final: Final | None
    """The end; None: the match still runs, or its record was cut off."""
    hashes: tuple[str, ...] = ()
    """The hashes of header, steps and final line as they were read; empty for a record that was not read from lines."""

    @property
    def finished(self) -> bool:
        """Whether the record has its final line."""
        return self.final is not None

    def lines(self) -> Iterator[bytes]:
        """The record as JSON lines, hashes computed."""
        return self._lines(Chain())

    def last_hash(self) -> str:
        """The hash of the last line, which stands for the whole record."""
        chain = Chain()
        for _ in self._lines(chain):
            continue
        return chain.hash

    def moments(self, seat: Seat | None = None) -> Iterator[RecordMoment]:
        """The decisions of a seat, or of all seats, each with its view and options (`referee.match.moments`)."""
        from referee.match.moments import moments  # here: that module builds on this one

        return moments(self, seat)

    def _repr_html_(self) -> str | None:
        """The match as a notebook shows it, by the program that is installed for it: the viewer of the pages."""
        for found in entry_points(group=NOTEBOOK):
            shown: str = found.load()(self)
            return shown
        return None

    def _lines(self, chain: Chain) -> Iterator[bytes]:
        yield chain.header(self.header)
        for step in self.steps:
            yield chain.step(step)
        if self.final is not None:
            yield chain.final(self.final)


class Chain:
    """Makes the lines of one record in order: canonical JSON, chained by hashes, each ending with a line feed."""

    __slots__ = ("hash",)

    def __init__(self, last: str = "") -> None:
        self.hash = last
        """The hash of the last line made; a `Chain` that is made with this hash continues the record."""

    def header(self, header: Header) -> bytes:
        """The first line."""
        return self._line(header.to_plain())

    def step(self, step: Step) -> bytes:
        """The line of the next step.

        Steps are most of a record, so their text is written by hand, in the parts before and after the hash. The line
        equals the canonical encoding of `step_to_plain` and takes a quarter of the time.
        """
        head, tail = _step_text(step)
        self.hash = hashlib.sha256(f"{self.hash}{head},{tail}".encode()).hexdigest()
        return f'{head},"hash":"{self.hash}",{tail}\n'.encode()

    def final(self, final: Final) -> bytes:
        """The last line."""
        return self._line(final_to_plain(final))

    def _line(self, plain: dict[str, Plain]) -> bytes:
        plain["hash"] = self.hash = link(self.hash, plain)
        return canonical(plain) + b"\n"


def link(previous: str, plain: dict[str, Plain]) -> str:
    """The hash of a line without its own hash, given the hash of the line before."""
    return hashlib.sha256(previous.encode() + canonical(plain)).hexdigest()


def check_chain(record: Record) -> None:
    """Raise BrokenRecord at the first line whose hash, as read, does not follow from the line and the hash before."""
    if not record.hashes:
        return
    lines = [("the header", record.header.to_plain())]
    lines += [(f"step {step.n}", step_to_plain(step)) for step in record.steps]
    if record.final is not None:
        lines.append(("the final line", final_to_plain(record.final)))
    last = ""
    for (what, plain), stored in zip(lines, record.hashes, strict=True):
        last = link(last, plain)
        if last != stored:
            raise BrokenRecord(f"{what}: the hash does not fit, so this line or its hash was changed")


def _step_text(step: Step) -> tuple[str, str]:
    """The canonical text of a step's fields before and after its hash, in the order of their names."""
    n, at, answers, by, chance, spent, lag, left, faults, notes, arrivals = step
    if len(answers) == len(spent) == 1 and not (by or chance or lag or left or faults or notes or arrivals):
        # A short cut for one asked seat without a clock: nearly every step between bots of this process.
        for seat, index in answers.items():
            return f'{{"answers":{{"{seat}":{index}}},"at":{at}', f'"n":{n},"spent":{{"{seat}":{spent[seat]}}}}}'
    timed = f'"arrivals":{_numbers(arrivals)},' if arrivals else ""
    head = f'{{"answers":{_numbers(answers)},{timed}"at":{at}' if answers else f'{{{timed}"at":{at}'
    if by:
        head += f',"by":{_texts(by)}'
    if chance:
        head += f',"chance":[{",".join(map(_outcome_text, chance))}]'
    if faults:
        head += f',"faults":{canonical([_fault_to_plain(fault) for fault in faults]).decode()}'
    tail = f'"lag":{_numbers(lag)},' if lag else ""
    if left:
        tail += f'"left":{_numbers(left)},'
    tail += f'"n":{n}'
    if notes:
        tail += f',"notes":{_texts(notes)}'
    if spent:
        tail += f',"spent":{_numbers(spent)}'
    return head, tail + "}"


def _numbers(by_seat: dict[Seat, int]) -> str:
    if len(by_seat) == 1:
        for seat, number in by_seat.items():
            return f'{{"{seat}":{number}}}'
    if len(by_seat) == 2 and 0 in by_seat and 1 in by_seat:
        return f'{{"0":{by_seat[0]},"1":{by_seat[1]}}}'
    return "{" + ",".join([f'"{seat}":{by_seat[seat]}' for seat in sorted(by_seat)]) + "}"


def _texts(by_seat: dict[Seat, str]) -> str:
    return "{" + ",".join([f'"{seat}":{_quoted(by_seat[seat])}' for seat in sorted(by_seat)]) + "}"


def _outcome_text(outcome: Outcome) -> str:
    stream, n, value = outcome
    number = value if isinstance(value, int) else str(list(value)).replace(" ", "")
    return f"[{_quoted(stream)},{n},{number}]"


def step_to_plain(step: Step) -> dict[str, Plain]:
    """A step as a line of the record, without its hash."""
    plain: dict[str, Plain] = {"n": step.n, "at": step.at}
    for name in ("answers", "arrivals", "by", "spent", "lag", "left", "notes"):
        by_seat: dict[Seat, int] | dict[Seat, str] = getattr(step, name)
        if by_seat:
            plain[name] = {str(seat): value for seat, value in by_seat.items()}
    if step.chance:
        plain["chance"] = [
            [stream, n, value if isinstance(value, int) else list(value)] for stream, n, value in step.chance
        ]
    if step.faults:
        plain["faults"] = [_fault_to_plain(fault) for fault in step.faults]
    return plain


def step_from_plain(plain: Plain) -> Step:
    """The step that `step_to_plain` wrote; raises BadRecord."""
    step = RECORDS.table(plain, "a step")
    RECORDS.only(step, Step._fields)
    return Step(
        n=RECORDS.whole(step, "n"),
        at=RECORDS.whole(step, "at"),
        answers=RECORDS.numbers_by_seat(step, "answers"),
        by=RECORDS.texts_by_seat(step, "by"),
        chance=[_outcome(item) for item in RECORDS.items(step, "chance")],
        spent=RECORDS.numbers_by_seat(step, "spent"),
        lag=RECORDS.numbers_by_seat(step, "lag"),
        left=RECORDS.numbers_by_seat(step, "left"),
        faults=tuple(_fault(item) for item in RECORDS.items(step, "faults")),
        notes=RECORDS.texts_by_seat(step, "notes"),
        arrivals=RECORDS.numbers_by_seat(step, "arrivals"),
    )


def final_to_plain(final: Final) -> dict[str, Plain]:
    """The final line of the record, without its hash."""
    plain: dict[str, Plain] = {
        "at": final.at,
        "result": None if final.result is None else _result_to_plain(final.result),
        "endings": [
            {
                "kind": end.kind.value,
                "faults": end.faults,
                "owner": end.owner and end.owner.value,
                "message": end.message,
            }
            for end in final.endings
        ],
        "rated": final.rated,
        "faults": [_fault_to_plain(fault) for fault in final.faults],
        "secret": final.secret,
    }
    if final.usage:
        plain["usage"] = [
            None if usage is None else {"cpu_us": usage.cpu_us, "peak_bytes": usage.peak_bytes} for usage in final.usage
        ]
    return plain


def final_from_plain(plain: Plain) -> Final:
    """The end that `final_to_plain` wrote; raises BadRecord."""
    final = RECORDS.table(plain, "the final line")
    RECORDS.only(final, ("at", "endings", "faults", "rated", "result", "secret", "usage"))
    result = final.get("result")
    return Final(
        at=RECORDS.whole(final, "at"),
        result=None if result is None else _result(result),
        endings=tuple(_ending(item) for item in RECORDS.items(final, "endings")),
        rated=RECORDS.flag(final, "rated"),
        faults=tuple(_fault(item) for item in RECORDS.items(final, "faults")),
        secret=RECORDS.text(final, "secret"),
        usage=tuple(_usage(item) for item in RECORDS.items(final, "usage")),
    )


def _usage(plain: Plain) -> SeatUsage | None:
    if plain is None:
        return None
    usage = RECORDS.table(plain, "an entry of 'usage'")
    RECORDS.only(usage, ("cpu_us", "peak_bytes"))
    return SeatUsage(RECORDS.whole(usage, "cpu_us"), RECORDS.whole(usage, "peak_bytes"))


def read_final(line: bytes) -> tuple[Final, str]:
    """The end that the final line of a record holds, and the hash of the line; raises BadRecord."""
    plain = RECORDS.table(parse(line), "the final line")
    last = RECORDS.text(plain, "hash")
    del plain["hash"]
    return final_from_plain(plain), last


def from_lines(lines: Iterable[bytes]) -> Record:
    """The record that JSON lines hold; raises BadRecord with the number of the line that cannot be read.

    A last line that was cut off (no line feed, no JSON) is left out: a killed process leaves such a line. Seats and
    lengths of lists are checked against the header's players, so readers of the record need not check them again.
    """
    header: Header | None = None
    final: Final | None = None
    steps: list[Step] = []
    hashes: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            if final is not None:
                raise BadRecord("there is more after the final line")
            plain = _object(line)
            if plain is None:
                break
            stored = RECORDS.text(plain, "hash")
            del plain["hash"]
            if header is None:
                header = Terms.from_plain(plain)
                again = header.to_plain()
            elif "endings" in plain:
                final = final_from_plain(plain)
                _fit_final(final, len(header.players))
                again = final_to_plain(final)
            else:
                steps.append(step_from_plain(plain))
                _fit_step(steps[-1], len(header.players))
                again = step_to_plain(steps[-1])
            again["hash"] = stored
            if canonical(again) != line.removesuffix(b"\n"):
                raise BadRecord("not in the canonical encoding: something was added, left out or written differently")
            if final is not None and not line.endswith(b"\n"):
                raise BadRecord("the line feed at the end of the final line is missing")
            hashes.append(stored)
        except (BadPlain, BadRecord) as error:
            raise BadRecord(f"line {number}: {error}") from None
    if header is None:
        raise BadRecord("this is no match record: it has no header line")
    return Record(header, tuple(steps), final, tuple(hashes))


def _fit_step(step: Step, seats: int) -> None:
    """Refuse a step that speaks of seats which the match does not have."""
    _, _, answers, by, _, spent, lag, left, faults, notes, arrivals = step
    for name, named in (
        ("answers", answers),
        ("by", by),
        ("spent", spent),
        ("lag", lag),
        ("left", left),
        ("faults", [fault.seat for fault in faults]),
        ("notes", notes),
        ("arrivals", arrivals),
    ):
        for seat in named:
            _fit_seat(seat, seats, name)


def _fit_final(final: Final, seats: int) -> None:
    """Refuse a final line without one ending, place and number of points for each seat."""
    if len(final.endings) != seats:
        raise BadRecord(f"'endings' must have {seats} entries, one for each seat, not {len(final.endings)}")
    if final.usage and len(final.usage) != seats:
        raise BadRecord(f"'usage' must have {seats} entries, one for each seat, not {len(final.usage)}")
    for fault in final.faults:
        _fit_seat(fault.seat, seats, "faults")
    if final.result is None:
        return
    count = seats + len(final.result.automata)
    for name, found in (("places", final.result.places), ("points", final.result.points)):
        if len(found) != count:
            raise BadRecord(f"{name!r} must have {count} entries, one for each seat and automaton, not {len(found)}")


def _fit_seat(seat: Seat, seats: int, name: str) -> None:
    if seat >= seats:
        raise BadRecord(f"{name!r} names seat {seat}, and the match has the seats 0 to {seats - 1}")


def _object(line: bytes) -> dict[str, Plain] | None:
    """The object in a line; None for a line that was cut off."""
    try:
        value = parse(line)
    except BadPlain:
        if line.endswith(b"\n"):
            raise
        return None
    return RECORDS.table(value, "a line of a record")


def _result_to_plain(result: Result) -> Plain:
    return {
        "places": list(result.places),
        "points": list(result.points),
        "reason": result.reason,
        "automata": list(result.automata),
    }


def _result(plain: Plain) -> Result:
    result = RECORDS.table(plain, "'result'")
    RECORDS.only(result, Result._fields)
    return Result(
        places=tuple(RECORDS.integer(place, "a place", 0) for place in RECORDS.items(result, "places")),
        points=tuple(RECORDS.integer(point, "points") for point in RECORDS.items(result, "points")),
        reason=RECORDS.text(result, "reason"),
        automata=RECORDS.texts(result.get("automata"), "'automata'"),
    )


def _fault_to_plain(fault: Fault) -> Plain:
    return {
        "seat": fault.seat,
        "ask": fault.ask,
        "kind": fault.kind.value,
        "owner": fault.owner.value,
        "message": fault.message,
    }


def _fault(plain: Plain) -> Fault:
    fault = RECORDS.table(plain, "a fault")
    RECORDS.only(fault, ("ask", "kind", "message", "owner", "seat"))
    return Fault(
        seat=RECORDS.whole(fault, "seat"),
        ask=RECORDS.whole(fault, "ask"),
        kind=RECORDS.member(FaultKind, fault, "kind"),
        owner=RECORDS.member(Owner, fault, "owner"),
        message=RECORDS.text(fault, "message"),
    )


def _ending(plain: Plain) -> Ending:
    ending = RECORDS.table(plain, "an ending")
    RECORDS.only(ending, ("faults", "kind", "message", "owner"))
    return Ending(
        kind=RECORDS.member(EndingKind, ending, "kind"),
        faults=RECORDS.whole(ending, "faults"),
        owner=None if ending.get("owner") is None else RECORDS.member(Owner, ending, "owner"),
        message=RECORDS.text(ending, "message"),
    )


def _outcome(plain: Plain) -> Outcome:
    if not isinstance(plain, list) or len(plain) != 3:
        raise BadRecord("an outcome of chance must be [stream, n, value]")
    stream, n, value = plain
    if not isinstance(stream, str):
        raise BadRecord("the stream of an outcome of chance must be a text")
    if isinstance(value, list):
        return Outcome(
            stream, RECORDS.integer(n, "n", 0), tuple(RECORDS.integer(item, "an outcome", 0) for item in value)
        )
    return Outcome(stream, RECORDS.integer(n, "n", 0), RECORDS.integer(value, "an outcome", 0))
