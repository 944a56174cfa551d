"""`kumite export --table`: the same rows in every format, in bounded memory, and nothing that is not in the open."""

from __future__ import annotations

import csv
import json
import re
import shlex
import sqlite3
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from ladder.cli import run
from ladder.exchange import table_files
from ladder.exchange.table_files import DataFormat
from ladder.exchange.table_schema import COLUMNS, MEANING, VIEW, Column, ColumnType, DataTable, columns
from ladder.exchange.tables import TableExport
from ladder.store.database import Store
from ladder.store.matches import NOWHERE
from ladder.store.records import Played, Selection
from referee.match.policy import Fault, FaultKind, Owner
from tests.ladder.exchanging import LADDER, MATCHES, Kumite, lines_of, record_of, refused
from tests.ladder.test_migration import OldFile
from tests.ladder.test_migration import played as played_before

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
TABLES = [*DataTable]


def rows(kumite: Kumite, db: str, table: DataTable, *options: str) -> list[dict[str, Any]]:
    """The rows of a table as JSON lines."""
    code, out, err = kumite("export", db, "--table", table, *options)
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def of_csv(column: Column, text: str) -> object:
    """A value of CSV as JSON lines have it."""
    if not text:
        return None
    readers: dict[ColumnType, Any] = {
        ColumnType.INTEGER: int,
        ColumnType.REAL: float,
        ColumnType.JSON: json.loads,
        ColumnType.FLAG: "true".__eq__,
    }
    return readers.get(column.kind, str)(text)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_the_same_in_every_format(table: DataTable, at_referees: Kumite) -> None:
    """Each value of CSV and Parquet is that of the JSON lines, with the columns and types of the schema."""
    options = ("--views",) if table is DataTable.DECISIONS else ()
    schema = columns(table, views=bool(options))
    found = rows(at_referees, "north.sqlite", table, *options)
    for form in ("csv", "parquet"):
        done = at_referees("export", "north.sqlite", "--table", table, *options, "--format", form, "-o", f"t.{form}")
        assert done[:2] == (0, ""), done
        assert f"exported {len(found)} row" in done[2]
    with Path("t.csv").open(newline="") as file:
        told = [{entry.name: of_csv(entry, row[entry.name]) for entry in schema} for row in csv.DictReader(file)]
    stored = parquet.read_table("t.parquet")
    given = stored.to_pylist()
    for row in given:
        row |= {entry.name: json.loads(row[entry.name]) for entry in schema if entry.kind is ColumnType.JSON}

    assert len(found) > 0 or table is DataTable.FAULTS
    assert all(list(row) == [entry.name for entry in schema] for row in found)
    assert found == told == given
    assert {str(kind) for kind in stored.schema.types} <= {"string", "int64", "double", "bool"}
    assert {field.metadata[b"meaning"].decode() for field in stored.schema} == {entry.meaning for entry in schema}


def test_the_tables_tell_what_the_records_hold(at_referees: Kumite) -> None:
    """Matches, seats and decisions of the exported records, and standings as they are shown."""
    lines = {line["match"]: record_of(line) for line in lines_of("north.jsonl")}
    matches = {row["match"]: row for row in rows(at_referees, "north.sqlite", DataTable.MATCHES)}
    seats = {(row["match"], row["seat"]): row for row in rows(at_referees, "north.sqlite", DataTable.SEATS)}
    decisions = rows(at_referees, "north.sqlite", DataTable.DECISIONS)
    ratings = rows(at_referees, "north.sqlite", DataTable.RATINGS)
    shown = json.loads(at_referees("ladder", "standings", "north.sqlite", "--json")[1])["pools"]

    assert matches.keys() == lines.keys()
    for match, record in lines.items():
        final = record.final
        assert final is not None
        assert final.result is not None
        assert matches[match]["seats"] == len(record.header.players)
        assert matches[match]["reason"] == final.result.reason
        for seat, player in enumerate(record.header.players):
            row = seats[match, seat]
            assert (row["player"], row["build"], row["automaton"]) == (player, 1, False)
            assert (row["place"], row["points"]) == (final.result.places[seat], final.result.points[seat])
    answers = [
        (record.header.match, step.n, seat, option, step.spent[seat])
        for record in lines.values()
        for step in record.steps
        for seat, option in sorted(step.answers.items())
    ]
    assert [tuple(row[key] for key in ("match", "step", "seat", "option", "spent_us")) for row in decisions] == answers
    assert all(row["words"] and 0 <= row["option"] < row["options"] for row in decisions)
    assert sorted((row["player"], row["seats"], row["games"]) for row in ratings) == sorted(
        (player["player"], pool["seats"], player["games"]) for pool in shown for player in pool["players"]
    )


@pytest.mark.parametrize("table", [table for table in TABLES if table is not DataTable.RATINGS])
def test_what_is_not_over_is_in_no_table(table: DataTable, at_referees: Kumite) -> None:
    """A game of a set that is not over, sealed or as an earlier version left it, and a match that runs."""
    Path("half.toml").write_text(LADDER.format(name="half"))
    assert at_referees("ladder", "run", "half.toml", "--workers", "0", "--matches", "1")[0] == 0
    old = OldFile(Path("old.sqlite"))
    old.season()
    old.match(*played_before("edo_yashiki", "half of a set", ("ann", "bob")), 13, 0, steps=-1)
    old.match(*played_before("edo_yashiki", "running", ("ann", "bob")), None, None, steps=5)
    old.connection.commit()
    old.connection.close()

    for name, left in (("half", "of sets that are not over"), ("old", "1 running, 1 of sets that are not over")):
        code, out, err = at_referees("export", f"{name}.sqlite", "--table", table)
        assert (code, out) == (0, "")
        assert "exported 0 rows of 0 matches; left out: " in err
        assert left in err


@pytest.fixture
def faulty(at_referees: Kumite) -> Kumite:
    """The same folder with `faulty.sqlite`: one match whose notes and faults name its players."""
    record, secret = played_before("edo_yashiki", "faulty", ("ann", "bob"))
    fault = Fault(1, 3, FaultKind.CRASHED, Owner.BOT, "bob lost to ann")
    final = record.final
    assert final is not None
    endings = (final.endings[0], replace(final.endings[1], faults=2))
    noted = tuple(step._replace(notes=dict.fromkeys(step.answers, "as bob does")) for step in record.steps)
    record = replace(record, steps=noted, final=replace(final, faults=(fault, fault), endings=endings), hashes=())
    with Store("faulty.sqlite") as store:
        store.lock()
        for name in ("ann", "bob"):
            store.build(name, "random", f"digest of {name}", remote=True)
        store.save(NOWHERE, secret, Played.of(record))
    return at_referees


def test_a_hidden_bot_has_its_pseudonym_everywhere(faulty: Kumite) -> None:
    """In names, in notes of bots and in messages of faults; its own name stands in no table."""
    before = [faulty("export", "faulty.sqlite", "--table", table, *_views(table))[1] for table in TABLES]
    with Store("faulty.sqlite") as store:
        store.hide("bob", "Kaze")
    after = [faulty("export", "faulty.sqlite", "--table", table, *_views(table))[1] for table in TABLES]

    assert after == [text.replace("bob", "Kaze") for text in before]
    assert not any("bob" in text for text in after)
    assert [text.count("Kaze") > 0 for text in after] == [False, True, False, True, True]


def test_a_hidden_bot_has_its_pseudonym_in_ratings(at_referees: Kumite) -> None:
    """As standings show it."""
    with Store("north.sqlite") as store:
        store.hide("greedy", "Kaze")
    found = rows(at_referees, "north.sqlite", DataTable.RATINGS)

    assert {row["player"] for row in found} == {"Kaze", "dice", "north"}
    assert {row["player"] for row in rows(at_referees, "north.sqlite", DataTable.RATINGS, "--bot", "greedy")} == {
        "Kaze"
    }


def _views(table: DataTable) -> tuple[str, ...]:
    return ("--views",) if table is DataTable.DECISIONS else ()


def test_each_fault_is_a_row(faulty: Kumite) -> None:
    """With its seat, ask, kind, owner and message."""
    found = rows(faulty, "faulty.sqlite", DataTable.FAULTS)

    assert [list(row.values())[1:] for row in found] == [
        ["edo_yashiki", 1, "bob", 3, "crashed", "bot", "bob lost to ann"]
    ] * 2


def test_matches_can_be_chosen(at_referees: Kumite) -> None:
    """By bot and pool, in every table."""
    matches = rows(at_referees, "north.sqlite", DataTable.MATCHES, "--bot", "north", "--pool", "edo_yashiki:2")
    seats = rows(at_referees, "north.sqlite", DataTable.SEATS, "--bot", "north", "--pool", "edo_yashiki:2")
    ratings = rows(at_referees, "north.sqlite", DataTable.RATINGS, "--bot", "north", "--pool", "edo_yashiki:2")

    assert 0 < len(matches) < MATCHES
    assert {row["match"] for row in seats} == {row["match"] for row in matches}
    assert [(row["player"], row["seats"]) for row in ratings] == [("north", 2)]


def test_a_record_of_other_rules_has_no_decisions_and_is_counted(at_referees: Kumite) -> None:
    """The other matches are there, and the last line says how many are not."""
    with closing(sqlite3.connect("north.sqlite")) as connection, connection:
        connection.execute(
            "update matches set header = replace(header, '\"rules_version\":2', '\"rules_version\":99') "
            "where id = (select min(id) from matches)"
        )
    code, out, err = at_referees("export", "north.sqlite", "--table", "decisions")

    assert code == 0
    assert len({json.loads(line)["match"] for line in out.splitlines()}) == MATCHES - 1
    assert f"of {MATCHES - 1} matches; left out: 1 whose records these rules do not play" in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--format", "csv"), ("--format csv is for tables", "--table matches")),
        (("--table", "matches", "--views"), ("--views is for decisions", "--table decisions")),
        (("--table", "ratings", "--since", "1h"), ("ratings are those of now",)),
        (("--table", "matches", "--format", "parquet"), ("--out FILE",)),
    ],
)
def test_options_that_do_not_fit_are_refused(
    options: tuple[str, ...], words: tuple[str, ...], at_referees: Kumite
) -> None:
    """Each with one line that says what would fit."""
    refused(at_referees("export", "north.sqlite", *options), *words)


def test_parquet_without_its_library_names_the_extra(at_referees: Kumite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    refused(
        at_referees("export", "north.sqlite", "--table", "matches", "--format", "parquet", "-o", "m.parquet"),
        "pip install 'kumite[data]'",
    )
    assert not Path("m.parquet").exists()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of 3,000 matches."""
    path = tmp_path_factory.mktemp("many") / "many.sqlite"
    record, secret = played_before("edo_yashiki", "many", ("ann", "bob"))
    with Store(path) as store:
        store.lock()
        with store.transaction():
            for number in range(3_000):
                header = replace(record.header, match=f"match-{number}")
                store.save(NOWHERE, secret, Played.of(replace(record, header=header, hashes=())))
    return path


@pytest.mark.parametrize(
    ("table", "form", "most"),
    [
        (DataTable.SEATS, DataFormat.PARQUET, 6_000),
        (DataTable.MATCHES, DataFormat.CSV, 3_000),
        (DataTable.DECISIONS, DataFormat.JSONL, 15_000),
    ],
)
def test_thousands_of_matches_take_no_more_memory_than_hundreds(
    table: DataTable, form: DataFormat, most: int, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The peak of Python's memory is reached early: the other nine tenths of the rows add less than a tenth."""
    monkeypatch.setattr(table_files, "ROWS", 256)  # a tenth of the rows has to fill a group of Parquet
    peaks: list[int] = []

    def watched(found: Iterator[Any], count: int) -> Iterator[Any]:
        for number, row in enumerate(found):
            if number == count // 10:
                peaks.append(tracemalloc.get_traced_memory()[1])
            yield row

    with Store(many) as store, (tmp_path / "out").open("wb") as file:
        work = TableExport(store)
        expected = sum(1 for _ in store.played(Selection()))
        found = work.table(table, Selection())
        tracemalloc.start()
        try:
            count = table_files.write(file, form, columns(table), watched(islice(found, most), most))
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()

    assert expected == 3_000
    assert count == most
    assert peaks[1] < 1.1 * peaks[0] + 100_000


def described(table: DataTable) -> str:
    """A table as the page has it."""
    entries = columns(table, views=table is DataTable.DECISIONS)
    lines = [
        "| column | type | |",
        "|---|---|---|",
        *(f"| `{name}` | {kind} | {told} |" for name, kind, told in entries),
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("table", TABLES)
def test_the_page_describes_every_column(table: DataTable) -> None:
    """As the schema has it, under a heading of the table's name."""
    chapter = PAGE.read_text(encoding="utf-8").partition(f"\n### {table}\n")[2].partition("\n### ")[0]

    assert described(table) in chapter
    assert f"\n{MEANING[table].capitalize()}.\n" in chapter


def test_columns_have_unique_names_and_the_view_is_the_last() -> None:
    """So that a program reads columns by name."""
    for table, entries in COLUMNS.items():
        names = [entry.name for entry in entries]
        assert len(set(names)) == len(names), table
    assert columns(DataTable.DECISIONS, views=True)[-1] is VIEW


def test_an_empty_database_has_empty_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without rows CSV has its names and Parquet its schema."""
    with Store(tmp_path / "new.sqlite"):
        pass
    assert run(["export", str(tmp_path / "new.sqlite"), "--table", "seats", "--format", "csv"]) == 0
    assert capsys.readouterr().out == ",".join(entry.name for entry in COLUMNS[DataTable.SEATS]) + "\n"
    out = str(tmp_path / "m.parquet")
    assert run(["export", str(tmp_path / "new.sqlite"), "--table", "matches", "--format", "parquet", "-o", out]) == 0
    assert parquet.read_table(out).column_names == [entry.name for entry in COLUMNS[DataTable.MATCHES]]


def test_the_commands_of_the_page_run(at_referees: Kumite) -> None:
    """Each writes a file with rows."""
    Path("north.sqlite").rename("night.sqlite")
    block = re.search(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    commands = [shlex.split(line) for line in block[1].splitlines()]

    assert len(commands) == 4
    for words in commands:
        assert at_referees(*words[1:])[0] == 0
        assert Path(words[-1]).stat().st_size > 200
