"""Rows of a table as a file: JSON lines, CSV or Parquet, a bounded number of rows in memory at a time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import IO, Any

from ladder.exchange.table_schema import Column, ColumnType, Row
from referee.kernel.errors import BadSetting

ROWS = 4096
"""Rows of one row group of a Parquet file, which are in memory together."""


class DataFormat(StrEnum):
    """The formats of tables."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


def check(form: DataFormat) -> None:
    """Raise BadSetting if the format needs what is not installed."""
    if form is DataFormat.PARQUET:
        _pyarrow()


def write(file: IO[bytes], form: DataFormat, columns: Sequence[Column], rows: Iterable[Row]) -> int:
    """Write rows to a file; returns how many there were."""
    counted = _Counted(rows)
    if form is DataFormat.PARQUET:
        _write_parquet(file, columns, counted)
    else:
        lines = _csv_lines(columns, counted) if form is DataFormat.CSV else _json_lines(counted)
        file.writelines(lines)
    return counted.count


class _Counted:
    """Rows that are counted as they go by."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.count = 0
        self._rows = iter(rows)

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.count += 1
            yield row


def _json_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _csv_lines(columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[bytes]:
    """A line of names, then one for each row. Null is empty."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    yield line.getvalue().encode()
    for row in rows:
        line.seek(0)
        line.truncate()
        writer.writerow([_cell(column, row[column.name]) for column in columns])
        yield line.getvalue().encode()


def _cell(column: Column, value: object) -> object:
    """A value as CSV has it: flags as words, JSON as its text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if column.kind is ColumnType.JSON and value is not None else value


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _write_parquet(file: IO[bytes], columns: Sequence[Column], rows: Iterable[Row]) -> None:
    pa = _pyarrow()
    from pyarrow import parquet

    kinds = {
        ColumnType.TEXT: pa.string(),
        ColumnType.JSON: pa.string(),
        ColumnType.INTEGER: pa.int64(),
        ColumnType.REAL: pa.float64(),
        ColumnType.FLAG: pa.bool_(),
    }
    schema = pa.schema([pa.field(name, kinds[kind], metadata={"meaning": told}) for name, kind, told in columns])
    left = iter(rows)
    with parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(left, ROWS)):
            arrays = [pa.array(_values(column, batch), schema.field(column.name).type) for column in columns]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _values(column: Column, rows: Sequence[Row]) -> list[object]:
    values = [row[column.name] for row in rows]
    if column.kind is ColumnType.JSON:
        return [None if value is None else _text(value) for value in values]
    return values


def _pyarrow() -> Any:
    """The library; raises BadSetting that names the extra."""
    try:
        import pyarrow
    except ImportError:
        raise BadSetting(
            "--format parquet needs pyarrow: pip install 'kumite[data]'; --format csv and jsonl need nothing more"
        ) from None
    return pyarrow
