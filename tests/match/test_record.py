"""The record: its lines, its chain of hashes, and what is said about lines that cannot be read."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kernel.chance import Outcome
from referee.kernel.errors import BadRecord
from referee.kernel.plain import Plain, canonical
from referee.match.policy import Fault, FaultKind, Owner
from referee.match.record import Chain, Record, Step, from_lines, link, step_from_plain, step_to_plain
from tests.match.seats import Clumsy, Honest, Lagging, Silent
from tests.match.simulation import Simulation
from tests.match.tables import new_match, plan_of
from tests.match.tampering import changed, changes, parsed, places, rehashed, without, written
from tests.match.toy import GAME

numbers = st.integers(0, 10**15)
seats = st.integers(0, 4)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
by_seat = st.dictionaries(seats, numbers, max_size=4)
faults = st.builds(
    Fault, seat=seats, ask=numbers, kind=st.sampled_from(FaultKind), owner=st.sampled_from(Owner), message=texts
)
outcomes = st.builds(Outcome, texts, numbers, st.one_of(numbers, st.lists(numbers, max_size=5).map(tuple)))
all_steps = st.builds(
    Step,
    n=numbers,
    at=numbers,
    answers=by_seat,
    by=st.dictionaries(seats, texts, max_size=2),
    chance=st.lists(outcomes, max_size=4),
    spent=by_seat,
    lag=by_seat,
    left=by_seat,
    faults=st.lists(faults, max_size=3).map(tuple),
    notes=st.dictionaries(seats, texts, max_size=2),
    arrivals=by_seat,
)


def eventful() -> Record:
    """A record with everything that a record can have."""
    cast = [Lagging(40_000), Clumsy(), Silent(), Honest()]
    return Simulation(new_match(4), cast).run().record


def test_a_record_is_read_back_as_it_was_written() -> None:
    """Header, steps and final line survive the way through text, and so does the text."""
    record = eventful()
    lines = list(record.lines())
    again = from_lines(lines)

    assert (again.header, again.steps, again.final) == (record.header, record.steps, record.final)
    assert again.finished
    assert list(again.lines()) == lines
    assert len(again.hashes) == len(lines)


@given(all_steps, texts)
def test_the_line_of_a_step_is_its_canonical_encoding(step: Step, last: str) -> None:
    """The direct encoding is the general one, hash and all, and it reads back as the same step."""
    plain = step_to_plain(step)
    chain = Chain(last)
    line = chain.step(step)

    assert chain.hash == link(last, plain)
    assert line == canonical({**plain, "hash": chain.hash}) + b"\n"
    assert step_from_plain(plain) == step


def test_the_chain_of_hashes_is_as_described() -> None:
    """Each hash is the SHA-256 of the hash before and the line without its own, recomputed with nothing of ours."""
    last = ""
    for line in eventful().lines():
        plain = json.loads(line)
        stored = plain.pop("hash")
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        last = hashlib.sha256((last + text).encode()).hexdigest()

        assert stored == last


def test_empty_fields_of_a_step_are_left_out() -> None:
    """A step with nothing but its number and time is just that."""
    step = Step(3, 5, {}, {}, [], {}, {}, {}, (), {}, {})

    assert step_to_plain(step) == {"n": 3, "at": 5}


def test_a_record_without_a_final_line_is_unfinished() -> None:
    """It reads as far as it goes."""
    record = eventful()
    again = from_lines(list(record.lines())[:-1])

    assert not again.finished
    assert again.steps == record.steps


def test_a_last_line_that_was_cut_off_is_passed_over() -> None:
    """Whatever a killed process had written of it; the lines before are whole."""
    lines = list(eventful().lines())
    for number in (2, len(lines) - 1):
        for cut in (1, 5, len(lines[number]) - 2):
            record = from_lines([*lines[:number], lines[number][:cut]])

            assert len(record.steps) == number - 1
            assert not record.finished


def test_a_last_step_that_only_lacks_its_line_feed_counts() -> None:
    """It is whole: nothing of its content is missing, and the match goes on behind it."""
    lines = list(eventful().lines())

    assert len(from_lines([*lines[:3], lines[3].rstrip()]).steps) == 3


def test_a_final_line_without_its_line_feed_is_refused() -> None:
    """A finished record is complete to its last byte."""
    lines = list(eventful().lines())

    with pytest.raises(BadRecord, match=f"line {len(lines)}: the line feed"):
        from_lines([*lines[:-1], lines[-1].rstrip()])


def altered(number: int, **values: Plain) -> list[bytes]:
    """The lines of a record of four seats with other values in one of them, and the hashes made anew."""
    objects = parsed(list(eventful().lines()))
    objects[number] = {**objects[number], **values}
    return rehashed(objects)


@pytest.mark.parametrize("field", ["answers", "spent", "lag", "left"])
def test_numbers_of_seats_that_the_match_does_not_have_are_refused(field: str) -> None:
    """Every field of a step that speaks of seats."""
    values: dict[str, Plain] = {field: {"4": 0}}

    with pytest.raises(BadRecord, match=f"line 3: '{field}' names seat 4, and the match has the seats 0 to 3"):
        from_lines(altered(2, **values))


@pytest.mark.parametrize("field", ["by", "notes"])
def test_texts_of_seats_that_the_match_does_not_have_are_refused(field: str) -> None:
    """A note of seat 9 would have no name beside it."""
    values: dict[str, Plain] = {field: {"9": "hi"}}

    with pytest.raises(BadRecord, match=f"line 3: '{field}' names seat 9"):
        from_lines(altered(2, **values))


@pytest.mark.parametrize("number", [2, -1])
def test_faults_of_seats_that_the_match_does_not_have_are_refused(number: int) -> None:
    """In a step and in the final line."""
    fault: Plain = {"ask": 0, "kind": "malformed", "message": "", "owner": "bot", "seat": 4}

    with pytest.raises(BadRecord, match="'faults' names seat 4"):
        from_lines(altered(number, faults=[fault]))


def test_a_seat_of_endless_digits_is_refused() -> None:
    """The number is never made: Python itself would not."""
    with pytest.raises(BadRecord, match="'notes' must have seat numbers as keys"):
        from_lines(altered(2, notes={"9" * 5000: "hi"}))


def test_an_end_that_forgets_a_seat_is_refused() -> None:
    """Endings, places and points: one for each seat, and for each automaton a place and points."""
    result: dict[str, Plain] = {"automata": [], "places": [1, 2, 3, 4], "points": [4, 3, 2, 1], "reason": "over"}
    cases: list[tuple[str, dict[str, Plain]]] = [
        ("'endings' must have 4 entries", {"result": None, "endings": []}),
        ("'places' must have 4 entries", {"result": {**result, "places": [1]}}),
        ("'points' must have 4 entries", {"result": {**result, "points": [1, 2, 3, 4, 5]}}),
        ("'places' must have 5 entries", {"result": {**result, "automata": ["rival"]}}),
    ]

    for complaint, values in cases:
        with pytest.raises(BadRecord, match=complaint):
            from_lines(altered(-1, **values))


@pytest.mark.parametrize("number", [2, -1])
@pytest.mark.parametrize("time", [1 << 63, 10**400])
def test_a_time_beyond_64_bits_is_refused(number: int, time: int) -> None:
    """No verifier in any language needs longer numbers."""
    with pytest.raises(BadRecord, match="'at' must be a number of at most 64 bits"):
        from_lines(altered(number, at=time))


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "no header line"),
        ([b"hello\n"], "line 1: not JSON"),
        ([b"[1]\n"], "line 1: a line of a record must be an object"),
        ([b'{"hash":"x"}\n'], "line 1: this is no match record"),
        ([b'{"format":"kumite/record/1"}\n'], "line 1: 'hash' must be a text"),
        ([b"\xff\xfe\n"], "line 1: not JSON"),
        ([b'{"a":1.5,"hash":""}\n'], "line 1: the number 1.5"),
    ],
)
def test_what_is_no_record_is_refused_with_a_line(lines: list[bytes], complaint: str) -> None:
    """The message says where and what."""
    with pytest.raises(BadRecord, match=complaint):
        from_lines(lines)


def test_a_broken_line_in_the_middle_is_no_cut_off_end() -> None:
    """Only the last line can have been cut off; anything else is damage, and its number is told."""
    lines = list(eventful().lines())
    lines[2] = lines[2][:10] + b"\n"

    with pytest.raises(BadRecord, match="line 3: not JSON"):
        from_lines(lines)


def test_lines_after_the_final_one_are_refused() -> None:
    """A finished match has no more steps."""
    lines = list(eventful().lines())

    with pytest.raises(BadRecord, match="after the final line"):
        from_lines([*lines, lines[1]])


def test_every_field_has_its_type_and_every_violation_one_clear_line() -> None:
    """Each field, replaced by values of other types or left out, is either refused as BadRecord or read."""
    lines = list(eventful().lines())
    objects = parsed(lines)
    others: tuple[Plain, ...] = (None, True, -1, "x", [], {}, [[]], {"x": 1})
    refused = 0
    for number, line in enumerate(objects):
        for path in places(line):
            for wrong in others:
                refused += _refused(written([*objects[:number], changed(line, path, wrong), *objects[number + 1 :]]))
            refused += _refused(written([*objects[:number], without(line, path), *objects[number + 1 :]]))

    assert refused > 1000


def _refused(lines: list[bytes]) -> bool:
    try:
        from_lines(lines)
    except BadRecord as error:
        complaint = str(error)
    else:
        return False
    assert "\n" not in complaint
    assert complaint.startswith("line ")
    return True


def test_a_line_that_says_the_same_in_other_words_is_refused() -> None:
    """Spaces, another order, empty fields written out: there is one encoding, and the hash stands for it alone."""
    lines = list(eventful().lines())
    step = json.loads(lines[1])
    variations = [
        json.dumps(step).encode() + b"\n",
        canonical({**step, "notes": {}}) + b"\n",
        json.dumps(dict(reversed(step.items())), separators=(",", ":")).encode() + b"\n",
        lines[1].replace(b"\n", b"\r\n"),
    ]

    for line in variations:
        with pytest.raises(BadRecord, match="line 2: not in the canonical encoding"):
            from_lines([lines[0], line, *lines[2:]])


def test_unknown_fields_are_refused() -> None:
    """Nothing travels in a record that no verifier looks at."""
    objects = parsed(list(eventful().lines()))
    for number in (0, 1, len(objects) - 1):
        with pytest.raises(BadRecord, match="unknown field 'extra'"):
            from_lines(written([*objects[:number], {**objects[number], "extra": 1}, *objects[number + 1 :]]))


def test_terms_are_read_back_as_they_were_written() -> None:
    """The header holds everything that was agreed before the match."""
    terms = plan_of(3).header(GAME)

    assert type(terms).from_plain(terms.to_plain()) == terms


def test_changes_really_change() -> None:
    """The tampering of the tests never hands a value back unchanged."""
    for value in (0, 5, "", "abc", True, None, [], [1], {"a": 1}):
        assert value not in changes(value)  # type: ignore[arg-type]
