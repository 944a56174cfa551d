"""Verification: an honest record holds, and a change anywhere in it is found."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.kernel.chance import commitment, secret_from_seed
from referee.kernel.errors import BadRecord, BrokenRecord
from referee.match.clock import NO_CLOCK, SECOND
from referee.match.outputs import Stepped
from referee.match.policy import EndingKind, Fault, FaultKind, Owner, Policy
from referee.match.record import NOTE_LIMIT, Final, Record, Step, from_lines
from referee.match.verify import verify
from tests.match.seats import Absent, Clumsy, Crasher, Honest, Lagging, Leaver, Silent
from tests.match.simulation import Simulation
from tests.match.tables import finals, new_match, started
from tests.match.tampering import Path, changed, changes, parsed, places, rehashed, without, written
from tests.match.toy import GAME


def eventful() -> Record:
    """A record with lag, notes, faults, stand-ins and a forfeit."""
    cast = [Lagging(40_000), Clumsy(), Silent(), Honest()]
    return Simulation(new_match(4, policy=Policy(faults=2)), cast).run().record


def final_of(record: Record) -> Final:
    """The end of a finished record."""
    assert record.final is not None
    return record.final


def broken(record: Record) -> str:
    """What is wrong with a record."""
    with pytest.raises(BrokenRecord) as caught:
        verify(record, GAME)
    return str(caught.value)


def with_step(record: Record, step: Step) -> Record:
    """The record with another step of that number."""
    return replace(record, steps=(*record.steps[: step.n], step, *record.steps[step.n + 1 :]))


def found(lines: list[bytes]) -> bool:
    """Whether reading or verifying these lines fails as it should."""
    try:
        verify(from_lines(lines), GAME)
    except BadRecord:
        return True
    return False


def test_the_record_of_a_match_verifies() -> None:
    """In memory and read from its lines."""
    record = eventful()

    verify(record, GAME)
    verify(from_lines(record.lines()), GAME)


def test_every_single_change_of_a_written_record_is_found() -> None:
    """Each field, item and leaf of each line, changed in value or removed: the chain of hashes holds them all."""
    objects = parsed(list(eventful().lines()))
    missed: list[tuple[int, Path]] = []
    tried = 0
    for number, line in enumerate(objects):
        for path in places(line):
            value: object = line
            for key in path:
                value = value[key]  # type: ignore[index]
            variations = [changed(line, path, new) for new in changes(value)]  # type: ignore[arg-type]
            for variation in (*variations, without(line, path)):
                tried += 1
                if not found(written([*objects[:number], variation, *objects[number + 1 :]])):
                    missed.append((number, path))

    assert missed == []
    assert tried > 700


def test_lines_that_are_missing_doubled_or_swapped_are_found() -> None:
    """The chain holds the order, too."""
    lines = list(eventful().lines())
    for number in range(1, len(lines) - 1):
        assert found([*lines[:number], *lines[number + 1 :]])
        assert found([*lines[: number + 1], *lines[number:]])
        assert found([*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]])


def test_who_mends_the_hashes_is_still_found_where_the_rules_speak() -> None:
    """With the chain made anew, everything that follows from secret, rules, clocks and faults must still add up."""
    objects = parsed(list(eventful().lines()))
    provable = {"commitment", "game", "rules_version", "components", "variant", "clock", "match"}
    provable |= {"n", "by", "chance", "spent", "left", "result", "rated", "secret"}
    missed: list[tuple[int, Path]] = []
    tried = 0
    for number, line in enumerate(objects):
        for path in places(line):
            if path[0] not in provable and not (path[0] == "endings" and path[-1] != "message"):
                continue
            value: object = line
            for key in path:
                value = value[key]  # type: ignore[index]
            for new in changes(value):  # type: ignore[arg-type]
                tried += 1
                if not found(rehashed([*objects[:number], changed(line, path, new), *objects[number + 1 :]])):
                    missed.append((number, path))

    assert missed == []
    assert tried > 300


def test_a_changed_hash_names_the_line() -> None:
    """The first line that does not hold is the one that is named."""
    lines = list(eventful().lines())
    for number, what in ((0, "the header"), (3, "step 2"), (len(lines) - 1, "the final line")):
        objects = parsed(lines)
        objects[number] = {**objects[number], "hash": "0" * 64}

        assert broken(from_lines(written(objects))).startswith(f"{what}: the hash")


def test_another_secret_is_found() -> None:
    """The commitment of the header binds secret and match."""
    record = eventful()
    final = final_of(record)
    other = replace(final, secret=secret_from_seed("other").hex())

    assert "not the one that the header is committed to" in broken(replace(record, final=other))
    assert "not in hex" in broken(replace(record, final=replace(final, secret="zz")))
    assert "committed to" in broken(replace(record, final=replace(final, secret=final.secret.upper())))


def test_luck_that_is_not_that_of_the_secret_is_found() -> None:
    """A referee that commits to one secret and deals from another is caught at the set-up."""
    record = eventful()
    secret = secret_from_seed("other")
    header = replace(record.header, commitment=commitment(secret, record.header.match))
    final = replace(final_of(record), secret=secret.hex())

    assert broken(replace(record, header=header, final=final)).startswith("step 0: the luck is not")


def test_an_answer_for_a_seat_that_the_stand_in_did_not_give_is_found() -> None:
    """A forfeited or late seat's answers must be those of its stream."""
    record = eventful()
    step = next(step for step in record.steps if step.by)
    (seat,) = step.by
    index = (step.answers[seat] + 1) % 2
    tampered = step._replace(answers={**step.answers, seat: index})

    assert f"step {step.n}: the answer for seat {seat} is not that of the stand-in" in broken(
        with_step(record, tampered)
    )
    assert "the stand-in had to answer" in broken(with_step(record, step._replace(by={})))
    assert "the stand-in had to answer" in broken(with_step(record, step._replace(by={seat: "seat"})))


def test_faults_that_could_not_happen_are_found() -> None:
    """No such seat, no such ask, no such kind; and a forfeited seat has no more."""
    record = Simulation(new_match(2), [Honest(), Honest()]).run().record
    step = record.steps[1]
    cases = {
        "no seat 7": Fault(7, 1, FaultKind.ILLEGAL, Owner.BOT, ""),
        "no ask 5 open": Fault(0, 5, FaultKind.ILLEGAL, Owner.BOT, ""),
        "cannot have such a fault": Fault(0, 0, FaultKind.ILLEGAL, Owner.BOT, ""),
        "ready before": Fault(0, 0, FaultKind.LATE, Owner.BOT, ""),
        "stand-in had to answer": Fault(0, 1, FaultKind.CRASHED, Owner.BOT, ""),
    }
    for complaint, fault in cases.items():
        assert complaint in broken(with_step(record, step._replace(faults=(fault,))))
    opponent = Fault(0, 1, FaultKind.ILLEGAL, Owner.OPPONENT, "")
    assert "cannot have such a fault" in broken(with_step(record, step._replace(faults=(opponent,))))
    many = (Fault(0, 1, FaultKind.ILLEGAL, Owner.BOT, ""),) * 5
    assert "was forfeited before" in broken(with_step(record, step._replace(faults=many)))


def test_a_fault_that_was_left_out_is_found() -> None:
    """Without its fault the stand-in had no reason to answer, or the count at the end is wrong."""
    record = eventful()
    for step in record.steps:
        if step.faults:
            assert broken(with_step(record, step._replace(faults=())))


def test_development_mode_knows_no_faults_in_steps() -> None:
    """The first one would have ended the match."""
    record = eventful()
    header = replace(record.header, policy=replace(record.header.policy, development=True))

    assert "development mode stops" in broken(replace(record, header=header))


def test_clocks_that_do_not_add_up_are_found() -> None:
    """Charges over budget, other seats' times, lag beyond the quota, time that runs back."""
    record = Simulation(new_match(2), [Honest(), Honest(SECOND)]).run().record
    step = record.steps[1]
    cases = {
        "does not add up": step._replace(left={**step.left, 0: 1}),
        "not those of the seats": step._replace(spent={0: 0}),
        "charged for more time than passed": step._replace(spent={**step.spent, 1: SECOND + 1}),
        "the lag is not that": step._replace(lag={4: 1}),
        "before the step before": step._replace(at=0),
    }
    for complaint, tampered in cases.items():
        assert complaint in broken(with_step(record, tampered))
    unlimited = Simulation(new_match(2, clock=NO_CLOCK), [Honest(), Honest()]).run().record
    odd = unlimited.steps[1]._replace(left={0: 1, 1: 1})
    assert "not those of the seats" in broken(with_step(unlimited, odd))


def test_a_late_seat_that_was_not_charged_its_budget_is_found() -> None:
    """Being late costs all that the ask allowed."""
    record = Simulation(new_match(2), [Honest(), Silent()]).run().record
    step = record.steps[1]
    cheaper = step._replace(spent={**step.spent, 1: SECOND}, left={**step.left, 1: 10 * SECOND})

    assert "late and not charged" in broken(with_step(record, cheaper))


def test_notes_without_an_answer_are_found() -> None:
    """Only a seat that answered itself can have written one."""
    record = Simulation(new_match(2), [Honest(), Silent()]).run().record
    step = record.steps[1]

    assert "a note without" in broken(with_step(record, step._replace(notes={1: "me"})))


def test_another_result_is_found() -> None:
    """Places, points, endings and rating must follow from the steps."""
    record = eventful()
    final = final_of(record)
    assert final.result is not None
    places_ = final.result._replace(places=(1, 1, 1, 1))
    lenient = tuple(replace(ending, kind=EndingKind.FINISHED) for ending in final.endings)

    assert "the result must be places " in broken(replace(record, final=replace(final, result=places_)))
    assert "no result, and the game is over" in broken(replace(record, final=replace(final, result=None)))
    assert "seat 1 must be forfeited with 3 faults" in broken(replace(record, final=replace(final, endings=lenient)))
    assert "there must be 4 endings" in broken(replace(record, final=replace(final, endings=())))
    assert "the match counts for ratings" in broken(replace(record, final=replace(final, rated=not final.rated)))
    assert "before the last step" in broken(replace(record, final=replace(final, at=0)))


def test_a_game_that_goes_on_after_its_end_is_found() -> None:
    """No step can follow the last decision."""
    record = eventful()
    extra = record.steps[-1]._replace(n=len(record.steps))

    assert "the game was over before" in broken(replace(record, steps=(*record.steps, extra)))
    late = replace(final_of(record), faults=(Fault(0, 0, FaultKind.MALFORMED, Owner.BOT, ""),))
    assert "over before these faults" in broken(replace(record, final=late))


def test_a_match_cut_short_cannot_pass_as_finished() -> None:
    """Without its last steps the result does not follow."""
    record = eventful()

    assert "there is a result, and the game is not over" in broken(replace(record, steps=record.steps[:-1]))


def test_an_unfinished_record_is_called_unfinished() -> None:
    """It is not broken: there is only nothing to check its luck with."""
    record = replace(eventful(), final=None)

    with pytest.raises(BadRecord, match=r"is unfinished: .* no final line") as caught:
        verify(record, GAME)
    assert not isinstance(caught.value, BrokenRecord)


def test_a_record_of_other_rules_is_refused() -> None:
    """Version and components are named."""
    record = eventful()

    assert "version 2 of the rules" in broken(replace(record, header=replace(record.header, rules_version=2)))
    assert "other components" in broken(replace(record, header=replace(record.header, components="1" * 64)))


@pytest.mark.parametrize("seed", range(30))
def test_records_of_every_ending_verify(seed: int) -> None:
    """Crashes, departures, development mode and absences leave records that hold."""
    rng = Random(seed)
    others: list[Absent | Honest] = [Crasher(rng), Leaver(rng), Absent(), Clumsy(), Silent()]
    cast = [Honest(), rng.choice(others)]
    policy = Policy(faults=rng.randint(0, 2), development=seed % 3 == 0)

    verify(from_lines(Simulation(new_match(2, policy=policy), cast).run().record.lines()), GAME)


def test_the_record_of_a_match_stopped_by_the_referee_verifies() -> None:
    """Also in the middle of a simultaneous phase, with faults that no step holds any more."""
    match = started(players=3)
    setup = match.drain()
    match.answer(0, 1, 0, SECOND)
    match.answer(1, 1, 9, SECOND)
    match.abort(2 * SECOND, "the server is shutting down")
    (final,) = finals(match.drain())
    steps = tuple(output.step for output in setup if isinstance(output, Stepped))
    record = Record(match.terms, steps, final)

    verify(record, GAME)
    assert "the ending of seat 1 must be aborted" in broken(replace(record, final=replace(final, faults=())))
    assert "does not count for ratings" in broken(replace(record, final=replace(final, rated=True)))
    shouted = tuple(replace(ending, message="\x1b[31m") for ending in final.endings)
    assert "the reason why the match was stopped" in broken(replace(record, final=replace(final, endings=shouted)))


@pytest.mark.parametrize("name", ["bot\x1b[31m", "two\nlines", "x" * 1001, "\x9b"])
def test_names_that_no_referee_writes_are_found(name: str) -> None:
    """Control characters are taken out and long names cut before a match begins."""
    record = eventful()
    header = replace(record.header, players=("ann", name, "bob", "cid"))

    assert "the header: the name of seat 1" in broken(replace(record, header=header))


def test_a_bot_may_play_several_seats() -> None:
    """The same name twice is no fault of a record."""
    record = eventful()

    verify(replace(record, header=replace(record.header, players=("ann", "ann", "ann", "bob"))), GAME)


@pytest.mark.parametrize("note", ["x" * (NOTE_LIMIT + 1), "", "\x1b[2J"])
def test_notes_that_no_referee_writes_are_found(note: str) -> None:
    """Notes are cut, cleaned, and left out where there is none."""
    record = Simulation(new_match(2), [Honest(), Honest()]).run().record
    step = record.steps[1]

    assert "step 1: the note of seat 0" in broken(with_step(record, step._replace(notes={0: note})))
    verify(with_step(record, step._replace(notes={0: "x" * NOTE_LIMIT})), GAME)


def test_messages_of_faults_that_no_referee_writes_are_found() -> None:
    """They are cut and cleaned, too."""
    record = eventful()
    step = next(step for step in record.steps if step.faults)
    for message in ("x" * 1001, "\x07"):
        faults = (replace(step.faults[0], message=message), *step.faults[1:])

        assert "the message of a fault of seat" in broken(with_step(record, step._replace(faults=faults)))


def test_a_secret_of_another_length_is_found() -> None:
    """Even if the header is committed to it."""
    record = eventful()
    header = replace(record.header, commitment=commitment(b"short", record.header.match))
    final = replace(final_of(record), secret=b"short".hex())

    assert "must have 32 bytes, not 5" in broken(replace(record, header=header, final=final))


def test_a_step_is_named_once() -> None:
    """Whoever finds the fault, the step stands before it a single time; and no value is shown as Python writes it."""
    record = Simulation(new_match(2), [Honest(), Honest()]).run().record
    step = record.steps[1]
    cases = {
        "step 1: seat 0 answered 9 where 0 to 3 were possible": step._replace(answers={**step.answers, 0: 9}),
        "step 1: seats 0, 1 had to answer, and seat 0 did": step._replace(answers={0: 0}),
        "step 1: seats 0, 1 had to answer, and no seat did": step._replace(answers={}),
        "step 1: the stand-in had to answer for no seat, and the step differs": step._replace(by={0: "stand-in"}),
    }

    assert list(cases) == [broken(with_step(record, tampered)) for tampered in cases.values()]
