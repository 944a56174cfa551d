"""The tables of `kumite export --table`: their columns, in order, with types and meanings; docs/data.md is this list.

A column keeps its name, its type and its meaning. New columns come last, so a program that reads columns by name goes
on working.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

Row: TypeAlias = Mapping[str, object]
"""A row of a table: for each column, by name, a text, number or flag, or plain data; None where there is none."""


class ColumnType(StrEnum):
    """The types of columns."""

    TEXT = "text"
    INTEGER = "integer"
    REAL = "real"
    FLAG = "boolean"
    JSON = "JSON"
    """A value in JSON lines; its text in CSV and Parquet."""


class Column(NamedTuple):
    """One column."""

    name: str
    kind: ColumnType
    meaning: str


class DataTable(StrEnum):
    """The tables."""

    MATCHES = "matches"
    SEATS = "seats"
    RATINGS = "ratings"
    FAULTS = "faults"
    DECISIONS = "decisions"


MEANING: Mapping[DataTable, str] = {
    DataTable.MATCHES: "one row for each match, in the order in which they began",
    DataTable.SEATS: "one row for each seat of a match, the automata of the rules last",
    DataTable.RATINGS: "one row for each player of each pool, as standings show them",
    DataTable.FAULTS: "one row for each fault of a seat",
    DataTable.DECISIONS: "one row for each decision that had a choice, in the order of steps and seats",
}

_MATCH = Column("match", ColumnType.TEXT, "the match's id")
_GAME = Column("game", ColumnType.TEXT, "the game's identifier")
_SEATS = Column("seats", ColumnType.INTEGER, "number of seats, automata not counted")
_VARIANT = Column("variant", ColumnType.JSON, "the value of each setting of the rules, by its name")
_CLOCK = Column("clock", ColumnType.TEXT, "the time control; none: no clock")
_SEAT = Column("seat", ColumnType.INTEGER, "the seat, counted from 0")
_PLAYER = Column("player", ColumnType.TEXT, "the name under which the seat's bot is shown")
_SEASON = Column("season", ColumnType.TEXT, "the season; null: the match belongs to none")
_PLACE = Column("place", ColumnType.INTEGER, "the seat's place at the end, 1 is best; null: the match has no result")
_POINTS = Column("points", ColumnType.INTEGER, "the seat's points at the end; null: the match has no result")

VIEW = Column("view", ColumnType.JSON, "with --views: what the seat knew, with the names of the protocol (proto/)")

COLUMNS: Mapping[DataTable, tuple[Column, ...]] = {
    DataTable.MATCHES: (
        _MATCH,
        _GAME,
        Column("rules_version", ColumnType.INTEGER, "the version of the game's rules"),
        _SEATS,
        _VARIANT,
        _CLOCK,
        _SEASON,
        Column(
            "group", ColumnType.INTEGER, "the number of the match's set in its pool; null: the match belongs to none"
        ),
        Column("rotation", ColumnType.INTEGER, "the place of the match in its set"),
        Column("attempt", ColumnType.INTEGER, "how often the match was begun anew"),
        Column("state", ColumnType.TEXT, "finished or void"),
        Column("rated", ColumnType.FLAG, "whether the match counts for ratings"),
        Column("reason", ColumnType.TEXT, "the end condition that held, or why the match is void"),
        Column("started", ColumnType.TEXT, "when the match began, in UTC (ISO 8601)"),
        Column("duration_us", ColumnType.INTEGER, "how long it took, in microseconds"),
        Column("referee", ColumnType.TEXT, "the id of the referee that played the match"),
    ),
    DataTable.SEATS: (
        _MATCH,
        _GAME,
        _SEAT,
        _PLAYER,
        Column("build", ColumnType.INTEGER, "the number of the bot's build, 1 is its first; null: not known"),
        Column("automaton", ColumnType.FLAG, "whether the rules play the seat"),
        _PLACE,
        _POINTS,
        Column("ending", ColumnType.TEXT, "what became of the seat, such as finished or forfeited"),
        Column("faults", ColumnType.INTEGER, "number of its faults"),
        Column("rating_before", ColumnType.REAL, "the quick rating before the match; null: the seat was told none"),
        Column("rating_after", ColumnType.REAL, "the quick rating after the match"),
    ),
    DataTable.RATINGS: (
        _SEASON,
        _GAME,
        _SEATS,
        _VARIANT,
        _CLOCK,
        Column("archived", ColumnType.FLAG, "whether a newer version of the rules took the pool's place"),
        Column("player", ColumnType.TEXT, "the name under which the bot is shown; NAME@NUMBER is an earlier build"),
        Column("rank", ColumnType.INTEGER, "1 is best, on the player's island; null: provisional or inactive"),
        Column("status", ColumnType.TEXT, "ranked, provisional or inactive"),
        Column("elo", ColumnType.REAL, "the published rating, from a fit of all games"),
        Column("low", ColumnType.REAL, "lower end of its 95% interval; null: there is none"),
        Column("high", ColumnType.REAL, "upper end of its 95% interval; null: there is none"),
        Column("live", ColumnType.REAL, "the quick rating, updated after every match"),
        Column("deviation", ColumnType.REAL, "deviation of the quick rating"),
        Column("games", ColumnType.INTEGER, "number of rated games"),
        Column("points", ColumnType.REAL, "sum over games of the mean score against the others of the table"),
        Column("wins", ColumnType.INTEGER, "opponents placed behind the player, summed over games"),
        Column("draws", ColumnType.INTEGER, "opponents at the same place"),
        Column("losses", ColumnType.INTEGER, "opponents placed before the player"),
        Column("faults", ColumnType.INTEGER, "faults in rated games"),
        Column("island", ColumnType.INTEGER, "players of different islands never met, and nothing compares them"),
        Column(
            "exact", ColumnType.FLAG, "whether the rating is 1500 by definition, because the player is the reference"
        ),
    ),
    DataTable.FAULTS: (
        _MATCH,
        _GAME,
        _SEAT,
        _PLAYER,
        Column("ask", ColumnType.INTEGER, "the number of the ask among those of the seat; 0: before the first"),
        Column("kind", ColumnType.TEXT, "the kind of fault, such as late or illegal"),
        Column("owner", ColumnType.TEXT, "whose fault it is: bot, network, referee or organiser"),
        Column("message", ColumnType.TEXT, "what happened, in one line"),
    ),
    DataTable.DECISIONS: (
        _MATCH,
        _GAME,
        _SEATS,
        Column("step", ColumnType.INTEGER, "the number of the step that holds the answer"),
        _SEAT,
        _PLAYER,
        Column("ask", ColumnType.INTEGER, "the number of the decision among those of the seat, counted from 1"),
        Column("kind", ColumnType.TEXT, "the kind of decision in the words of the rules"),
        Column("options", ColumnType.INTEGER, "how many options there were"),
        Column("option", ColumnType.INTEGER, "the index of the chosen option, counted from 0"),
        Column("words", ColumnType.TEXT, "the chosen option in words"),
        Column("stand_in", ColumnType.FLAG, "whether the stand-in answered in place of the bot"),
        Column("note", ColumnType.TEXT, "what the bot noted beside its answer; null: nothing"),
        Column("at_us", ColumnType.INTEGER, "microseconds from the beginning of the match to the step"),
        Column("spent_us", ColumnType.INTEGER, "microseconds charged for the answer; null: not known"),
        Column("lag_us", ColumnType.INTEGER, "microseconds of lag that were not charged"),
        Column("left_us", ColumnType.INTEGER, "microseconds in the bank after the answer; null: no clock"),
        _PLACE,
        _POINTS,
    ),
}


def columns(table: DataTable, *, views: bool = False) -> tuple[Column, ...]:
    """The columns of a table; `views` adds that of `--views` to the decisions."""
    return (*COLUMNS[table], VIEW) if views else COLUMNS[table]
