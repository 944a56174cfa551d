"""What commands that look into a database have in common: the file itself, and which of its matches are wanted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ladder.config import ladder_file
from ladder.store.database import Store
from ladder.store.records import Selection
from ladder.times import seconds
from referee.kernel.errors import BadSetting, UnknownName
from referee.match.clock import TimeControl

DAY_SECONDS = 86_400
MOST_DIGITS = 3
"""Digits of a number of seats."""

BotOption = Annotated[
    str | None, typer.Option("--bot", help="Only matches of this bot, or of its build: NAME or NAME@BUILD.")
]
PoolOption = Annotated[
    str | None,
    typer.Option("--pool", help="Only this pool: GAME[:SEATS], and where it takes more, :CLOCK and :KEY=VALUE."),
]
SinceOption = Annotated[
    str | None,
    typer.Option("--since", help="Only what ended since: 2h, 7d, or a time such as 2026-11-20T19:00:00+01:00."),
]


class Located(NamedTuple):
    """A place that an argument names."""

    path: Path
    match: str | None
    """The beginning of a match's id in the database there; None: all that is there."""


def locate(text: str) -> Located:
    """The file, folder, database or `DB:MATCH` that an argument names; raises BadSetting for a bare colon."""
    if not Path(text).exists():
        head, colon, match = text.rpartition(":")
        if colon and Path(head).exists():
            if not match:
                raise BadSetting(
                    f"{text}: write the beginning of a match's id behind the colon, or leave the colon out"
                )
            return Located(Path(head), match)
    return Located(Path(text), None)


def existing_database(path: Path) -> Path:
    """The database that a ladder file names, or the file itself; raises BadSetting if there is none."""
    if path.suffix == ".toml":
        path = ladder_file.read(path).database
    if not path.exists():
        raise BadSetting(f"{path}: there is no such file; name a ladder file or its database")
    if not path.is_file() or not path.stat().st_size:
        raise BadSetting(f"{path}: that is no database; name a ladder file or its database")
    return path


def selection(
    store: Store, *, bot: str | None = None, pool: str | None = None, since: str | None = None, faults: bool = False
) -> Selection:
    """The matches that options ask for; raises UnknownName for a bot or pool that never played, and BadSetting."""
    moment = None if since is None else since_moment(since)
    name, build = (None, None) if bot is None else _bot(store, bot)
    wanted = Selection(bot=name, build=build, since=moment, faults=faults)
    return wanted if pool is None else _of_pool(store, wanted, pool)


def since_moment(text: str, now: datetime | None = None) -> str:
    """The moment, in UTC as it is stored, that `--since` names: a time with its offset, or one so long ago."""
    ago = _seconds_ago(text)
    try:
        if ago is None:
            found = datetime.fromisoformat(text)
        else:
            found = (now or datetime.now(UTC)) - timedelta(seconds=ago)
        stored = found.astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        raise BadSetting(
            f"--since {text[:40]!r}: write how long ago, such as 90s, 30m, 2h or 7d, or a time with its offset, such "
            f"as 2026-11-20T19:00:00+01:00"
        ) from None
    if found.tzinfo is None:
        example = found.isoformat(timespec="seconds")
        raise BadSetting(f"--since {text[:40]}: a time needs its offset, such as {example}+01:00 or {example}Z")
    return stored


def _seconds_ago(text: str) -> float | None:
    """The seconds of a text such as 2h or 7d; None: the text is none."""
    if not text.endswith("d"):
        return seconds(text)
    days = seconds(f"{text[:-1]}s")
    return None if days is None else days * DAY_SECONDS


def _bot(store: Store, text: str) -> tuple[str, int | None]:
    """A bot by its name or, as standings name earlier builds, by name and build."""
    names = store.players()
    name, at, build = text.rpartition("@")
    if text not in names and at and name in names and build.isdecimal() and len(build) < 10:
        return name, store.build_of(name, int(build))
    if text not in names:
        raise UnknownName.of(f"bot of {store.path}", text, names)
    return text, None


def _of_pool(store: Store, wanted: Selection, text: str) -> Selection:
    """The selection, of one pool alone."""
    game, *parts = text.split(":")
    seats, clock, variant = None, None, []
    for part in parts:
        key, equals, value = part.partition("=")
        if part.isascii() and part.isdecimal() and len(part) <= MOST_DIGITS:
            seats = int(part)
        elif equals and key.isidentifier():
            variant.append((key, value))
        else:
            try:
                clock = str(TimeControl.parse(part))
            except BadSetting:
                raise BadSetting(
                    f"--pool {text[:80]}: write GAME, GAME:SEATS or GAME:SEATS:CLOCK, such as honshu:3:10s+100ms, and "
                    f":KEY=VALUE for a setting"
                ) from None
    tables = store.tables_played()
    if not any(game == name and seats in (None, count) for name, count in tables):
        known = [f"{name}:{count}" for name, count in tables]
        raise UnknownName.of(f"pool of {store.path}", text.partition("=")[0], known)
    return Selection(wanted.bot, wanted.build, game, seats, clock, tuple(variant), wanted.faults, wanted.since)
