"""The tables of later migrations, which `ladder.store.schema` carries out and explains."""

IMPORTS = """
create table import_sources (
    id integer primary key,
    referee text not null,
    digest text not null,
    file text not null,
    prefix text not null,
    matches integer not null,
    imported text not null
) strict;

create table import_names (
    referee text not null,
    name text not null,
    player text not null,
    primary key (referee, name)
) strict, without rowid;

alter table matches add column source integer references import_sources(id);
alter table groups add column origin text;
create unique index groups_by_origin on groups (pool, origin) where origin is not null;
insert or ignore into host values ('referee', lower(hex(randomblob(8))));
update pools set published = -1 where id in (select pool from ratings where player like '%@%')
"""

EVENTS = """
create table events (
    season integer primary key references seasons(id),
    pool integer not null references pools(id),
    rules text not null,
    state text not null check (state in ('waiting', 'running', 'over')),
    paused integer not null default 0,
    begun text,
    ended text
) strict;

create table event_entrants (
    season integer not null references events(season),
    bot text not null,
    seed integer not null,
    checked_in text,
    entered integer,
    out_before integer,
    reason text not null default '',
    primary key (season, bot)
) strict, without rowid;

create table event_places (
    season integer not null references events(season),
    round integer not null,
    bot text not null,
    role text not null check (role in ('table', 'bye', 'missed')),
    slot integer,
    primary key (season, round, bot)
) strict, without rowid;

create table event_games (
    group_id integer primary key references groups(id),
    season integer not null references events(season),
    round integer not null,
    slot integer not null,
    absent text
) strict
"""

BOT_LOGS = """
drop table bot_logs;

create table bot_logs (
    id integer primary key,
    match text not null references matches(id),
    seat integer not null,
    moment text not null,
    log blob,
    unique (match, seat)
) strict
"""

RULINGS = """
create table bans (
    bot text primary key,
    until text,
    reason text not null,
    created text not null
) strict, without rowid;

create table pauses (
    pool integer primary key references pools(id),
    created text not null
) strict;

alter table bots add column pseudonym text;
alter table matches add column ruling text check (ruling in ('void', 'again'));
create index matches_ruled on matches (group_id) where ruling is not null;
insert into pauses select pool, coalesce(begun, '') from events where paused = 1
"""
