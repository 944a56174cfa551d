"""Whether people may play at a referee, and against which bots: the table `[people]` of a ladder file.

    [people]
    tables = 8                     # tables of people at a time
    address_tables = 2             # of them, those that one network address has opened
    bots = ["greedy", "random"]    # bots that the referee starts for such a table: bundled, py:, or folders
    connected = false              # true: also bots that are connected and say that they play people
    wait = "30m"                   # how long a table waits for the people who are invited
    idle = "30m"                   # how long a table may stand without a decision

A match at such a table is never rated. `kumite serve --people` allows the same with these values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ladder.arena.entrants import Entrant, find
from ladder.config.toml_reading import TomlTable
from referee.kernel.errors import BadSetting
from referee.transport.auth import bad_name
from referee.transport.limits import Limits

HOUSE, PERSON = "house:", "person:"
"""What the names of a referee's own bots and of people begin with in matches at which people sit."""
MOST_TABLES = 256
BOTS = ("greedy", "random")
"""The bots that people may play against where the organiser names none."""
MOST_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class PeopleSettings:
    """What people may do at a referee."""

    tables: int = 8
    address_tables: int = 2
    bots: Mapping[str, Entrant] = field(default_factory=dict)
    """The bots that the referee starts for a table of people, by name."""
    connected: bool = False
    """Whether connected bots that say so play people."""
    wait: float = 1800.0
    """Seconds for which a table waits for the people who are invited."""
    idle: float = 1800.0
    """Seconds after which a table is closed at which no seat has decided."""


def opponents(specs: Sequence[str] = BOTS) -> dict[str, Entrant]:
    """The bots of these specs by name; raises BadSetting or UnknownName."""
    found: dict[str, Entrant] = {}
    for spec in specs:
        entrant = find(spec)
        wrong = bad_name(f"{HOUSE}{entrant.name}", Limits().name_characters - 4)
        if wrong is not None:
            raise BadSetting(f"{spec}: people play against bots by name, and {wrong}")
        if entrant.name in found and found[entrant.name].spec != entrant.spec:
            raise BadSetting(f"two bots that people may play against are called {entrant.name!r}")
        found[entrant.name] = entrant
    return found


def read_people(file: TomlTable) -> PeopleSettings | None:
    """The table `[people]` of a ladder file; None: there is none. Raises BadSetting."""
    if "people" not in file:
        return None
    entry = file.table("people", "[people]")
    entry.only(("tables", "address_tables", "bots", "connected", "wait", "idle"))
    counts = {}
    for key, default in (("tables", 8), ("address_tables", 2)):
        counts[key] = entry.whole(key, default=default, most=MOST_TABLES)
    specs = entry.entries.get("bots", list(BOTS))
    if not isinstance(specs, list) or not all(isinstance(spec, str) for spec in specs):
        raise entry.wrong("bots", 'bots is a list of specs, for example ["greedy", "random"]')
    with entry.blamed("bots"):
        bots = opponents(specs)
    wait, idle = (_time(entry, key) for key in ("wait", "idle"))
    connected = entry.flag("connected", default=False)
    return PeopleSettings(**counts, bots=bots, connected=connected, wait=wait, idle=idle)


def _time(entry: TomlTable, key: str) -> float:
    seconds = entry.seconds(key, default="30m")
    if not 1 <= seconds <= MOST_SECONDS:
        raise entry.wrong(key, f"{key} is a time from 1s to 24h")
    return seconds
