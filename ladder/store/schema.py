"""The tables of a ladder's database, declared here and nowhere else, and the migrations that lead to them.

A file remembers which migrations it has seen, by name. An older file is brought up to date when it is opened; a file
that has seen a migration which this program does not know is newer and is refused. Never change a migration that has
been released: add one.

What the second migration adds, in short: a season has a tempo and the version of its pairing; a pool is told apart by
clock and rules version too, and an old one is archived; a group says how many games it has (an open match is a group of
one); a match has an attempt, the number of its end, and room for a sealed secret; a seat has what its player was told
of its rating, and a mark while that end is not confirmed; a token has an owner and a role; tables for faults, the
organiser's acts and the output of hosted bots. The third adds `host`: the mark of the host's key with which the file is
sealed, and what was done to make an older file safe to show. The fourth counts ratings from 1500, with wins, draws,
losses, faults and islands beside them, and folds quick ratings anew. The fifth adds what `kumite import` needs: the
id of this referee (in `host`), the files that matches came from, what bots of another referee are called here, and the
place that a group has at the referee that played it. The sixth adds events: a season that is one, its entrants,
where each bot is in each round (`slot` is the table, or the bye's place), and which group is a game of which table; a
game to which bots did not come names them and has no match. The seventh gives the output of hosted bots the table that
is written to: one row for each seat whose bot was a process of the host's, sealed with the host's key for good; a row
without a log is one whose log was dropped to keep them all within a bound, or whose key is lost. The eighth adds what
organisers decide: bots that are kept out, pools that are paused, names under which bots are shown, and matches that do
not count or are played again.

**What is not over is not readable.** Without the host's key (`ladder.store.host_key`) the file tells no luck that is
still to come: `seasons.secret` is empty, and a season's secret is derived from the key or lies in `sealed_secret`;
`matches.secret` is empty until the match is over, in a duplicate set until the set is; so long the lines in `steps` and
the final line are sealed too (they begin with "sealed:"), because a step holds decks in their order and what bots noted
in private. Resume tokens are hashes in `resume_hash`; `resume_token` is empty.

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

from ladder.store.later_tables import BOT_LOGS, EVENTS, IMPORTS, RULINGS
from referee.kernel.plain import canonical

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


_SECOND = """
create table new_seasons (
    id integer primary key,
    name text not null unique,
    tempo text not null check (tempo in ('planned', 'open')),
    pairing_version integer not null,
    config text not null,
    secret blob,
    sealed_secret blob,
    created text not null
) strict;

insert into new_seasons (id, name, tempo, pairing_version, config, secret, created)
    select id, name, 'planned', 1, config, secret, created from seasons;
drop table seasons;
alter table new_seasons rename to seasons;

create table new_pools (
    id integer primary key,
    season integer not null references seasons(id),
    game text not null,
    seats integer not null,
    variant text not null,
    clock text not null,
    rules_version integer not null,
    components text not null,
    rated integer not null default 1,
    edition integer not null default 0,
    archived text,
    published integer not null default 0,
    unique (season, game, seats, variant, clock, rules_version, components)
) strict;

insert into new_pools (id, season, game, seats, variant, clock, rules_version, components)
    select id, season, game, seats, variant, 'none', rules_version, components from pools;
drop table pools;
alter table new_pools rename to pools;

create table new_groups (
    id integer primary key,
    pool integer not null references pools(id),
    number integer not null,
    batch integer not null,
    lineup text not null,
    builds text not null,
    duplicate integer not null,
    games integer not null,
    unique (pool, number)
) strict;

insert into new_groups (id, pool, number, batch, lineup, builds, duplicate, games)
    select id, pool, number, batch, lineup, builds, duplicate, json_array_length(lineup) from groups;
drop table groups;
alter table new_groups rename to groups;

create table new_matches (
    id text primary key,
    group_id integer references groups(id),
    rotation integer,
    attempt integer not null default 0,
    game text not null,
    variant text not null,
    state text not null check (state in ('running', 'finished', 'void')),
    rated integer not null default 0,
    reason text,
    secret blob,
    sealed_secret blob,
    header text not null,
    final text,
    started text not null,
    duration_us integer,
    end_number integer unique,
    unique (group_id, rotation, attempt)
) strict;

insert into new_matches (id, group_id, rotation, game, variant, state, rated, reason, secret, header, final, started,
        duration_us, end_number)
    select id, group_id, rotation, game, variant, state, rated, reason, secret, header, final, started, duration_us,
        case when state = 'running' then null
        else row_number() over (partition by state = 'running' order by rowid) end
    from matches;
drop table matches;
alter table new_matches rename to matches;
create index matches_by_state on matches (state) where state = 'running';

alter table seats add column rating_before real;
alter table seats add column rating_after real;
alter table seats add column rating_deviation real;
alter table seats add column rating_games integer;
alter table seats add column rating_rank integer;
alter table seats add column unconfirmed integer not null default 0;
create index seats_unconfirmed on seats (player) where unconfirmed = 1;

alter table builds add column remote integer not null default 0;

alter table tokens add column owner text not null default '';
alter table tokens add column role text not null default 'entrant' check (role in ('entrant', 'admin'));

create table new_sessions (
    name text primary key,
    resume_token text,
    resume_hash text,
    created text not null
) strict;
insert into new_sessions (name, resume_token, created) select name, resume_token, created from sessions;
drop table sessions;
alter table new_sessions rename to sessions;

create table faults (
    id integer primary key,
    moment text not null,
    player text not null,
    match text references matches(id),
    seat integer,
    ask integer,
    kind text not null,
    owner text,
    message text not null
) strict;
create index faults_by_player on faults (player);

create table audit (
    id integer primary key,
    moment text not null,
    actor text not null,
    action text not null,
    subject text not null,
    detail text not null
) strict;

create table bot_logs (
    id integer primary key,
    moment text not null,
    player text not null,
    match text references matches(id),
    seat integer,
    dropped_bytes integer not null default 0,
    output text not null
) strict;
create index bot_logs_by_match on bot_logs (match)
"""

_THIRD = """
create table host (
    name text primary key,
    value text not null
) strict;
create index matches_sealed on matches (group_id) where sealed_secret is not null
"""

_FOURTH = """
alter table ratings add column deviation real;
alter table ratings add column wins integer;
alter table ratings add column draws integer;
alter table ratings add column losses integer;
alter table ratings add column faults integer;
alter table ratings add column island integer not null default 0;
alter table ratings add column exact integer not null default 0;
update ratings set elo = elo + 1500, low = low + 1500, high = high + 1500;
update run_standings set elo = elo + 1500, low = low + 1500, high = high + 1500;
update pools set published = -1;
delete from rating_history
"""


@migrations()
def m001_first_tables(db: Database) -> None:
    """Bots, seasons, matches with their records, ratings."""
    _carry_out(db, _FIRST)


@migrations()
def m002_one_ladder(db: Database) -> None:
    """Seasons with a tempo, attempts and ends of matches, owners and roles of tokens, faults, audit, logs.

    Tables that others refer to are made anew; the check of references is off while the file is brought up to date.
    """
    _carry_out(db, _SECOND)
    _name_clocks(db)
    broken = db.execute("pragma foreign_key_check").fetchall()
    if broken:
        raise sqlite3.IntegrityError(f"{len(broken)} rows refer to rows that are missing; the file was left as it is")


@migrations()
def m003_host(db: Database) -> None:
    """The mark of the host's key, and a way to find what is sealed."""
    _carry_out(db, _THIRD)


@migrations()
def m004_one_scale(db: Database) -> None:
    """Ratings count from 1500, and the quick ratings of all stored ends are Glicko's, folded anew.

    Published standings are marked as stale, and the history is emptied: both are made again from results.
    """
    # Loaded here: statistics bring numpy, which a store does without.
    from ladder.store.refold import refold

    _carry_out(db, _FOURTH)
    refold(db)


@migrations()
def m005_import_sources(db: Database) -> None:
    """The id of this referee, and where matches that were played elsewhere came from."""
    _carry_out(db, IMPORTS)


@migrations()
def m006_events(db: Database) -> None:
    """Events: who is entered, who sits where in each round, and which matches were forfeited."""
    _carry_out(db, EVENTS)


@migrations()
def m007_bot_logs(db: Database) -> None:
    """What hosted bots print during a match; the table that was meant for it was never written to."""
    _carry_out(db, BOT_LOGS)


@migrations()
def m008_rulings(db: Database) -> None:
    """What organisers decide: bans, pauses, pseudonyms, matches that do not count or are played again."""
    _carry_out(db, RULINGS)


def _carry_out(db: Database, statements: str) -> None:
    for statement in statements.split(";"):
        if statement.strip():
            db.execute(statement)


def _name_clocks(db: Database) -> None:
    """Give every pool the clock that the ladder file of its season named: the last part of its line in `config`."""
    for season, config in db.execute("select id, config from seasons").fetchall():
        for line in config.splitlines():
            game, seats, settings, _, clock = line.split("/", 4)
            variant = dict(setting.split("=", 1) for setting in settings.split(",") if setting)
            db.execute(
                "update pools set clock = ? where season = ? and game = ? and seats = ? and variant = ?",
                (clock, season, game, int(seats), canonical(variant).decode()),
            )


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
    """Whether the file belongs to another program: the file has tables, and none of our migrations made them."""
    tables = set(db.table_names()) - {"_sqlite_migrations"}
    return bool(tables) and not migrations.applied(db)


def unknown(db: Database) -> list[str]:
    """Migrations that the file has seen and this program has not: the file is newer."""
    known = {migration.name for migration in migrations.pending(Database(memory=True))}
    return [migration.name for migration in migrations.applied(db) if migration.name not in known]
