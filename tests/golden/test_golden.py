"""The committed playthroughs are what the rules give today."""

from __future__ import annotations

import pytest

from referee.kernel.chance import Chance
from referee.kernel.game import Event, Verb
from tests.conformance import toy
from tests.conformance.tables import Table, tables_in
from tests.golden.playthrough import FOLDER, file_of, sentence, tables, text_of, written

TABLES = tables()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_playthrough_is_the_committed_one(table: Table) -> None:
    """Same secret, same answers: the same text, to the letter. If it changed on purpose: `python -m tests.golden`."""
    assert file_of(table).read_text(encoding="utf-8").splitlines() == written(table).splitlines()


def test_no_playthrough_is_left_over() -> None:
    """Every file in the folder belongs to a table that is still played."""
    assert {file_of(table) for table in TABLES} == set(FOLDER.glob("*/*.txt"))


def test_a_playthrough_changes_with_the_rules() -> None:
    """The text of a game whose rules differ in one point differs too."""

    class Generous(toy.Toy):
        def apply(
            self, state: toy.State, answers: toy.Answers, chance: Chance, *options: toy.OptionLists
        ) -> list[Event]:
            events = super().apply(state, answers, chance, *options)
            state.points[0] += events[-1].subject == "over"
            return events

    table = tables_in(toy.__name__)[0]
    other = Table(Generous(), table.seats, table.variant)

    assert written(table) == written(table)
    assert written(table) != written(other)


def test_events_and_options_are_written_as_sentences() -> None:
    """A reviewer reads who did what, how much of it, and who was told."""
    drew = Event(Verb.DREW, 1, "card", (14, 32), 2, audience=(1, 3))

    assert sentence(drew) == "seat 1 drew 2 card 14 32 (told to 1, 3)"
    assert sentence(Event(Verb.PHASE, -1, "round", ("two",))) == "table phase round two"
    assert text_of(((1, 2), "x")) == "[1 2] x"
