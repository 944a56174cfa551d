"""The table `[event]` of a ladder file.

    [event]
    format = "swiss"                      # or round_robin, knockout
    start = "2026-11-20T19:00:00+01:00"   # or "all": when all have come (the default); or "organiser"
    check_in = "30m"                      # with a time: how long before it check-in opens; at once if left out
    rounds = 5                            # swiss: enough to find a winner if left out; round_robin: cycles, 1
    games = 1                             # matches of a table in a round; not in a knockout of two seats
    best_of = 3                           # knockout of two seats: 1 if left out
    level = "play_on"                     # knockout of two seats, what decides a level tie: play_on, points or seed
    advance = 2                           # knockout of more seats: half of the seats if left out
    grace = "2m"                          # how long a bot that is away is waited for
    late_entry = 3                        # swiss: the last round in which a bot that has not come yet may begin
    seeds = ["ann", "bob"]                # best first; the others follow by lot
    withdrawals = { cid = 4 }             # bots that leave, with the first round that they do not play

An event has one pool, which says game, seats, variant, clock and entrants (`bots`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ladder.config.event_rules import EventEntry, EventFormat, EventRules, TieDecision
from ladder.config.toml_reading import TomlTable
from ladder.pairing.rounds.round_robin import MOST_TABLES, tables_of

ALL, ORGANISER = "all", "organiser"
MOST_ROUNDS = 1_000
MOST_GAMES = 99
GRACE = "2m"
COMMON = ("format", "start", "check_in", "games", "grace", "seeds", "withdrawals")
KEYS = {
    EventFormat.SWISS: (*COMMON, "rounds", "late_entry"),
    EventFormat.ROUND_ROBIN: (*COMMON, "rounds"),
    EventFormat.KNOCKOUT: (*COMMON, "best_of", "level", "advance"),
}
"""The keys that each format takes."""
EXAMPLE = "2026-11-20T19:00:00+01:00"


def read_event(file: TomlTable, pool: TomlTable, seats: int, bots: Sequence[str], game: str) -> EventEntry:
    """The event of a ladder file whose one pool has so many seats and these bots; raises BadSetting."""
    entry = file.table("event", '[event] with format = "swiss"')
    form = EventFormat(entry.word("format", EventFormat))
    entry.only(KEYS[form])
    if seats < 2:
        raise pool.wrong("seats", f"an event is played at tables of two seats or more, not {seats}")
    if len(bots) < seats:
        least = f"at least {seats} entrants" if seats > 2 else "at least two entrants"
        text = f"a {form.replace('_', ' ')} at tables of {seats} seats needs {least}; {len(bots)} can play {game} here"
        raise pool.wrong("bots", text)
    start = _start(entry)
    check_in = entry.seconds("check_in") if "check_in" in entry else None
    if check_in is not None and not isinstance(start, datetime):
        raise entry.wrong("check_in", "check_in is counted back from a start at a time; leave it out")
    return EventEntry(
        rules=_rules(entry, form, seats, len(bots)),
        start=start,
        check_in=check_in,
        grace=entry.seconds("grace", GRACE),
        seeds=entry.names("seeds", bots),
        withdrawals=_withdrawals(entry, bots),
    )


def _rules(entry: TomlTable, form: EventFormat, seats: int, entrants: int) -> EventRules:
    two = form is EventFormat.KNOCKOUT and seats == 2
    for key, fits, text in (
        ("games", not two, "a knockout of two seats has best_of in place of games"),
        ("best_of", two, "best_of is for tables of two seats; say with games how many matches a table plays"),
        ("level", two, "level is for ties of two seats; at larger tables the points of the games decide"),
        ("advance", not two, "of a table of two seats one goes on; advance is for larger ones"),
    ):
        if key in entry and not fits:
            raise entry.wrong(key, text)
    level = TieDecision(entry.word("level", TieDecision, default=TieDecision.PLAY_ON.value))
    advance = entry.whole("advance", default=max(1, seats // 2))
    if advance >= seats:
        raise entry.wrong("advance", f"of a table of {seats} seats at most {seats - 1} can go on")
    rounds = 0
    if form is EventFormat.SWISS:
        rounds = entry.whole("rounds", usual_rounds(entrants, seats), MOST_ROUNDS)
    elif form is EventFormat.ROUND_ROBIN:
        rounds = entry.whole("rounds", 1, MOST_ROUNDS)
        if tables_of(entrants, seats) > MOST_TABLES:
            text = (
                f"{entrants} bots make {tables_of(entrants, seats)} tables of {seats}; at most {MOST_TABLES}: try swiss"
            )
            raise entry.wrong("format", text)
    late = entry.whole("late_entry", default=1) if "late_entry" in entry else None
    games = entry.whole("best_of" if two else "games", 1, MOST_GAMES)
    return EventRules(form, seats, rounds, games, advance, level, late)


def usual_rounds(entrants: int, seats: int) -> int:
    """Rounds after which one bot can be left without a loss: the least power of the seats that holds all entrants."""
    rounds = 1
    while seats**rounds < entrants:
        rounds += 1
    return rounds


def _start(entry: TomlTable) -> datetime | str:
    value = entry.entries.get("start", ALL)
    if value in (ALL, ORGANISER):
        return str(value)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            text = f'start is a time such as "{EXAMPLE}", "{ALL}" (when all have come) or "{ORGANISER}" (when told so)'
            raise entry.wrong("start", text) from None
    if not isinstance(value, datetime):
        raise entry.wrong("start", f'start is a time such as "{EXAMPLE}", "{ALL}" or "{ORGANISER}"')
    if value.tzinfo is None:
        text = f"{value.isoformat()} has no offset, and means another moment in each time zone; write {EXAMPLE}"
        raise entry.wrong("start", text)
    return value


def _withdrawals(entry: TomlTable, bots: Sequence[str]) -> dict[str, int]:
    value = entry.entries.get("withdrawals", {})
    if not isinstance(value, dict):
        raise entry.wrong("withdrawals", "withdrawals names bots and rounds: { ann = 3 }")
    for name, number in value.items():
        entry.check_known("bot", "withdrawals", name, bots)
        if type(number) is not int or number < 1:
            text = f"{name} = {number!r} is no round; name the first round that the bot does not play, from 1 on"
            raise entry.wrong("withdrawals", text)
    return dict(value)
