"""The tables of a ladder's database, declared here and nowhere else, and the migrations that lead to them.

A file remembers which migrations it has seen, by name. An older file is brought up to date when it is opened; a file
that has seen a migration which this program does not know is newer and is refused. Never change a migration that has
been released: add one.

The record of a match is spread over three places: the header and final lines stand in `matches`, the lines of the
steps in `steps` (one row for each step of a match that is played under the referee's eyes and may have to be continued,
one row for all steps of a match that was stored when it was over); put together in order they are the file that
`kumite verify` reads. Everything in `ratings` and `rating_history` can be thrown away and is rebuilt from results.
"""

from __future__ import annotations

import sqlite3
import time

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

migrations = Migrations("kumite")

_FIRST = """
create table bots (
    name text primary key,
    created text not null
) strict;

create table builds (
    id integer primary key,
    bot text not null references bots(name),
    digest text not null,
    spec text not null,
    created text not null,
    unique (bot, digest)
) strict;

create table tokens (
    hash text primary key,
    bot text not null references bots(name),
    created text not null,
    revoked text
) strict;

create table sessions (
    name text primary key,
    resume_token text not null,
    created text not null
) strict;

create table seasons (
    id integer primary key,
    name text not null unique,
    config text not null,
    secret blob not null,
    created text not null
) strict;

create table pools (
    id integer primary key,
    season integer not null references seasons(id),
    game text not null,
    seats integer not null,
    variant text not null,
    rules_version integer not null,
    components text not null,
    unique (season, game, seats, variant)
) strict;

create table groups (
    id integer primary key,
    pool integer not null references pools(id),
    number integer not null,
    batch integer not null,
    lineup text not null,
    builds text not null,
    duplicate integer not null,
    unique (pool, number)
) strict;

create table matches (
    id text primary key,
    group_id integer references groups(id),
    rotation integer,
    game text not null,
    variant text not null,
    state text not null check (state in ('running', 'finished', 'void')),
    rated integer not null default 0,
    reason text,
    secret blob not null,
    header text not null,
    final text,
    started text not null,
    duration_us integer,
    unique (group_id, rotation)
) strict;

create table seats (
    match text not null references matches(id),
    seat integer not null,
    player text not null,
    build integer references builds(id),
    place integer,
    points integer,
    ending text,
    faults integer,
    primary key (match, seat)
) strict, without rowid;

create table steps (
    match text not null references matches(id),
    n integer not null,
    line text not null,
    primary key (match, n)
) strict, without rowid;

create table ratings (
    pool integer not null references pools(id),
    player text not null,
    elo real not null,
    low real,
    high real,
    se_model real,
    se_robust real,
    live real not null,
    games integer not null,
    points real not null,
    primary key (pool, player)
) strict, without rowid;

create table rating_history (
    pool integer not null references pools(id),
    group_number integer not null,
    player text not null,
    live real not null,
    primary key (pool, group_number, player)
) strict, without rowid;

create table runs (
    id integer primary key,
    season integer not null references seasons(id),
    started text not null,
    ended text,
    matches integer not null default 0,
    reason text
) strict;

create table run_standings (
    run integer not null references runs(id),
    pool integer not null references pools(id),
    player text not null,
    elo real not null,
    low real,
    high real,
    games integer not null,
    primary key (run, pool, player)
) strict, without rowid;

create index seats_by_player on seats (player);
create index matches_by_state on matches (state) where state = 'running';
"""


@migrations()
def m001_first_tables(db: Database) -> None:
    """Bots, seasons, matches with their records, ratings."""
    for statement in _FIRST.split(";"):
        if statement.strip():
            db.execute(statement)


def enable_wal(db: Database, patience: float) -> None:
    """Let readers and the writer of a file work side by side; others may do the same at the same moment.

    Programs that change a new file's mode at one moment get into each other's way, and here SQLite does not wait.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            db.enable_wal()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def foreign(db: Database) -> bool:
    """Whether the file belongs to another program: it has tables, and none of our migrations made them."""
    tables = set(db.table_names()) - {"_sqlite_migrations"}
    return bool(tables) and not migrations.applied(db)


def unknown(db: Database) -> list[str]:
    """Migrations that the file has seen and this program has not: the file is newer."""
    known = {migration.name for migration in migrations.pending(Database(memory=True))}
    return [migration.name for migration in migrations.applied(db) if migration.name not in known]
