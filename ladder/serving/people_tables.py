"""The tables at which people sit: opened by the pages, played at the referee like any other match, never rated.

A seat of a person, and of a bot that the referee starts for the table, connects under the name `seat:MATCH:SEAT` with a
token that is derived from the host's key, so a referee that was killed knows the tokens of its running matches again.
In the match the names are `person:NAME` and `house:BOT`. Everything is bounded: tables in all and of one address, the
time for which invited people are waited for, and the time without a decision.
"""

from __future__ import annotations

import hmac
import logging
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from ladder.arena.bot_processes import LAST_LINES, as_process
from ladder.arena.entrants import Entrant
from ladder.arena.host_settings import sandbox_for
from ladder.config.people import HOUSE, PERSON, PeopleSettings
from ladder.escaping import visible
from ladder.store.records import Running
from referee.hosting import owned
from referee.hosting.launch import launched
from referee.kernel import registry
from referee.kernel.errors import BadSetting, KumiteError, UnknownName
from referee.kernel.game import settle_variant
from referee.match.clock import SECOND, TimeControl
from referee.match.plan import MatchPlan, random_id
from referee.match.policy import Owner, Policy
from referee.match.terms import Terms
from referee.transport.auth import bad_name
from referee.transport.people_desk import (
    OpenedTable,
    Opponent,
    PeopleRules,
    PeopleTable,
    SeatKind,
    SeatStatus,
    TableState,
    TakenSeat,
    TooMany,
    WantedSeat,
    WantedTable,
)
from referee.transport.server import Server
from referee.transport.session import BotSession

SEAT = "seat:"
"""What the name begins with under which the session of such a seat connects."""
LONGEST_NAME = 32
"""Characters of a person's name."""
START_SECONDS = 60.0
"""Seconds after the last person has joined within which the match has to begin."""
AWAY_SECONDS = 600.0
"""A table of which no person is connected for so long is closed."""
LOOK_SECONDS = 1.0
"""Seconds between two looks at a table."""
LONGEST_BANK = 3 * 3600 * SECOND
LONGEST_INCREMENT = 600 * SECOND
KEPT = 256
"""Tables that are over and still known, so that their people learn how they ended."""
MAC_BYTES = 20
POLICY = Policy(faults=5, start=60 * SECOND, rated=False)
"""The policy of every table of people."""

_logger = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Table:
    """One table."""

    match: str
    game: str
    variant: Mapping[str, str]
    clock: TimeControl
    seats: tuple[WantedSeat, ...]
    names: list[str]
    """By seat: the name in the match; empty: the person has not joined."""
    address: str = ""
    state: TableState = TableState.WAITING
    message: str = ""
    joined: trio.Event = field(default_factory=trio.Event)
    """Set when every person has joined."""
    closed: trio.Event = field(default_factory=trio.Event)
    """Set when the match is over, or will not be played."""

    @property
    def is_open(self) -> bool:
        return self.state in (TableState.WAITING, TableState.RUNNING)

    def session(self, seat: int) -> str:
        """The name under which the bot or person of a seat connects."""
        wanted = self.seats[seat]
        return wanted.name if wanted.kind is SeatKind.CONNECTED else f"{SEAT}{self.match}:{seat}"

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple([seat for seat, wanted in enumerate(self.seats) if wanted.kind is SeatKind.PERSON])

    @property
    def sessions(self) -> tuple[str, ...]:
        return tuple(map(self.session, range(len(self.seats))))


class PeopleTables:
    """The `PeopleDesk` of a served season."""

    def __init__(
        self, settings: PeopleSettings, derive: Callable[..., bytes], address: str, *, has_season: bool = True
    ) -> None:
        """`derive` makes secrets from the host's key, `address` is the referee's socket for its own bots.

        `has_season`: whether connected bots owe tables to a season, for which each keeps one.
        """
        self._settings = settings
        self._derive = derive
        self._address = address
        self._kept_tables = 1 if has_season else 0
        self._tables: dict[str, _Table] = {}
        self._server: Server | None = None
        self._nursery: trio.Nursery | None = None
        self._folder = Path()

    # Who may play: see `EntrantDirectory`.

    def session_of(self, token: str) -> str | None:
        """The name under which the holder of a seat's token connects; None: no such seat is known."""
        found = self._read(token, "token")
        return None if found is None else found[0].session(found[1])

    def _secret(self, purpose: str, match: str, seat: int) -> str:
        return f"{match}.{seat}.{self._derive(f'people/{purpose}', match, seat)[:MAC_BYTES].hex()}"

    def _read(self, secret: str, purpose: str) -> tuple[_Table, int] | None:
        """The table and seat of a token or invitation; None: it is none of a known table."""
        match, _, rest = secret.partition(".")
        seat = rest.partition(".")[0]
        table = self._tables.get(match)
        if table is None or not (seat.isascii() and seat.isdecimal() and len(seat) < 3):
            return None
        number = int(seat)
        if number >= len(table.seats) or table.seats[number].kind is SeatKind.CONNECTED:
            return None
        right = self._secret(purpose, match, number)
        return (table, number) if hmac.compare_digest(right.encode(), secret.encode(errors="replace")) else None

    # After a restart.

    def restore(self, running: Running) -> tuple[str, ...]:
        """Go on with a table of an earlier run; returns the names by seat under which its seats connect."""
        header = running.record.header
        seats = tuple(map(_seat_of, header.players))
        table = _Table(header.match, header.game, header.variant, header.clock, seats, list(header.players))
        table.state = TableState.RUNNING
        table.joined.set()
        self._tables[table.match] = table
        return table.sessions

    # The calls of the pages: see `PeopleDesk`.

    def rules(self) -> PeopleRules:
        """See `PeopleDesk.rules`."""
        settings = self._settings
        found = [Opponent(name, SeatKind.HOUSE, entrant.games or ()) for name, entrant in settings.bots.items()]
        found += [
            Opponent(bot.name, SeatKind.CONNECTED, tuple(name for name in registry.names() if _plays_any(bot, name)))
            for bot in (self._running().connections.sessions if settings.connected else ())
            if self._spare(bot)
        ]
        times = (round(settings.wait * SECOND), round(settings.idle * SECOND))
        return PeopleRules(settings.tables, settings.address_tables, len(self._open), tuple(found), *times)

    def open(self, wanted: WantedTable) -> OpenedTable:
        """See `PeopleDesk.open`."""
        server, settings = self._running(), self._settings
        if server.connections.draining:
            raise BadSetting("the referee is about to end and opens no further table")
        game = registry.game(wanted.game)
        if len(wanted.seats) not in game.seats:
            least, most = game.seats.start, game.seats.stop - 1
            raise BadSetting(f"{game.title} has {least} to {most} seats, not {len(wanted.seats)}")
        variant = settle_variant(game, len(wanted.seats), wanted.variant)
        clock = _clock(wanted.clock)
        if not any(seat.kind is SeatKind.PERSON for seat in wanted.seats):
            raise BadSetting("no person sits at this table; bots play each other with kumite match")
        if len(self._open) >= settings.tables:
            raise TooMany(f"{settings.tables} tables of people are open here already; try again later")
        if wanted.address and sum(table.address == wanted.address for table in self._open) >= settings.address_tables:
            text = f"{settings.address_tables} tables of your address are open here already; finish or leave one"
            raise TooMany(text)
        for seat in wanted.seats:
            self._check_bot(seat, wanted, variant, clock)
        names = _bot_names(wanted.seats)
        table = _Table(random_id(), game.name, variant, clock, wanted.seats, names, wanted.address)
        self._tables[table.match] = table
        self._prune()
        if self._nursery is not None:
            self._nursery.start_soon(self._play, table)
        persons = [seat.kind is SeatKind.PERSON for seat in wanted.seats]
        invitations = tuple(
            self._secret("invitation", table.match, seat) if person else "" for seat, person in enumerate(persons)
        )
        return OpenedTable(self._described(table), invitations)

    def join(self, invitation: str, name: str) -> TakenSeat:
        """See `PeopleDesk.join`."""
        found = self._read(invitation, "invitation")
        if found is None or found[0].seats[found[1]].kind is not SeatKind.PERSON:
            raise UnknownName("that link belongs to no table that is open here; ask for a new one")
        table, seat = found
        if table.names[seat]:
            raise BadSetting("that link was used already, and it lets one person sit down; ask for a new table")
        if table.state is not TableState.WAITING:
            raise BadSetting(f"the table of that link is closed: {table.message or 'it is over'}")
        table.names[seat] = _person(name or str(seat + 1), table.names)
        if all(table.names):
            table.joined.set()
        return TakenSeat(table.match, seat, self._secret("token", table.match, seat), table.names[seat])

    def table(self, match: str) -> PeopleTable:
        """See `PeopleDesk.table`."""
        return self._described(self._known(match))

    def close(self, match: str, reason: str) -> None:
        """See `PeopleDesk.close`."""
        self._close(self._known(match), reason or "a person left the table")

    def ended(self, terms: Terms, result: bool) -> None:
        """A match of the referee is over; `result`: whether it was played to its end."""
        table = self._tables.get(terms.match)
        if table is not None and table.is_open:
            table.state = TableState.OVER if result else TableState.CLOSED
            table.message = "" if result else "the match ended without a result"
            table.closed.set()

    # Beside the referee.

    async def run(self, server: Server) -> None:
        """Play the tables until cancelled; no process is left behind."""
        self._server = server
        with owned.folder() as folder:
            self._folder = folder
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                for table in tuple(self._tables.values()):
                    if not table.closed.is_set():
                        nursery.start_soon(self._play, table)
                await trio.sleep_forever()

    async def _play(self, table: _Table) -> None:
        """See a table from its opening to its end."""
        async with trio.open_nursery() as nursery:
            early = len(table.persons) == 1  # the person who opens the table joins at once: bots start meanwhile
            if early:
                self._start_bots(nursery, table)
            with trio.move_on_after(self._settings.wait):
                while not (table.joined.is_set() or table.closed.is_set()):
                    await _either(table.joined, table.closed)
            if not table.joined.is_set():
                self._close(table, "not everyone who was invited has come")
            if not (early or table.closed.is_set()):
                self._start_bots(nursery, table)
            if table.state is TableState.WAITING:
                nursery.start_soon(self._arrange, table)
            nursery.start_soon(self._mind, table)
            await table.closed.wait()
            nursery.cancel_scope.cancel()

    def _start_bots(self, nursery: trio.Nursery, table: _Table) -> None:
        for seat, wanted in enumerate(table.seats):
            if wanted.kind is SeatKind.HOUSE:
                nursery.start_soon(self._host, table, seat)

    async def _arrange(self, table: _Table) -> None:
        plan = MatchPlan(
            table.game,
            tuple(table.names),
            match=table.match,
            variant=table.variant,
            clock=table.clock,
            policy=POLICY,
            rated=False,
        )
        try:
            await self._running().lobby.arrange(plan, table.sessions)
        except KumiteError as error:
            self._close(table, str(error))

    async def _mind(self, table: _Table) -> None:
        """Close a table that does not begin, or at which no seat decides for too long."""
        steps, since, seen = -1, trio.current_time(), trio.current_time()
        while True:
            await trio.sleep(LOOK_SECONDS)
            found = next((other for other in self._running().lobby.tables() if other.match == table.match), None)
            now = trio.current_time()
            if found is None:
                if now - since > START_SECONDS:
                    absent = [name for seat, name in enumerate(table.names) if not self._present(table, seat)]
                    self._close(table, f"{' and '.join(absent) or 'a bot'} did not come to the table")
                continue
            if table.state is TableState.WAITING:
                table.state = TableState.RUNNING
            if any(self._present(table, seat) for seat in table.persons):
                seen = now
            if now - seen > AWAY_SECONDS:
                self._close(table, "every person has left")
            elif found.steps != steps:
                steps, since = found.steps, now
            elif now - since > self._settings.idle:
                self._close(table, f"no seat has decided for {self._settings.idle / 60:.0f} minutes")

    async def _host(self, table: _Table, seat: int) -> None:
        """Run the process of a bot until its match is over."""
        entrant = self._settings.bots.get(_bot_of(table.names[seat]))
        reason = "is offered here no more"
        if entrant is not None:
            try:
                reason = await self._run_bot(entrant, table, seat)
            except BadSetting as error:
                reason = str(error)
        if table.closed.is_set():
            return
        name = table.names[seat]
        _logger.warning("table %s: %s %s", table.match, name, visible(reason), extra={"event": "process"})
        session = self._running().connections.session(table.session(seat))
        if session is not None and session.tables:
            session.crashed(f"the bot's process {reason}", self._running().now(), for_good=True)
        else:
            self._close(table, f"{name} could not be started")

    async def _run_bot(self, entrant: Entrant, table: _Table, seat: int) -> str:
        state = Path(tempfile.mkdtemp(dir=self._folder))
        async with launched(
            entrant.manifest or as_process(entrant, "--quiet"),
            sandbox_for(entrant),
            address=self._address,
            name=table.session(seat),
            token=self._secret("token", table.match, seat),
            state=state,
        ) as process:
            code = await process.wait()
            output = " / ".join(process.log.text().strip().splitlines()[-LAST_LINES:]) or "nothing"
            return f"{process.exceeded or f'ended with code {code}'}; it printed: {output}"

    # Parts of the above.

    @property
    def _open(self) -> list[_Table]:
        return [table for table in self._tables.values() if table.is_open]

    def _running(self) -> Server:
        if self._server is None:
            raise BadSetting("the referee is just starting; try again")
        return self._server

    def _known(self, match: str) -> _Table:
        if match not in self._tables:
            raise UnknownName(f"no table of people is known under {match[:64]!r}")
        return self._tables[match]

    def _present(self, table: _Table, seat: int) -> bool:
        session = None if self._server is None else self._server.connections.session(table.session(seat))
        return session is not None and session.stream is not None

    def _described(self, table: _Table) -> PeopleTable:
        seats = tuple(
            SeatStatus(wanted.kind, table.names[seat], self._present(table, seat))
            for seat, wanted in enumerate(table.seats)
        )
        clock = str(table.clock)
        return PeopleTable(table.match, table.game, table.variant, clock, seats, table.state, table.message)

    def _close(self, table: _Table, reason: str) -> None:
        if not table.is_open:
            return
        table.state, table.message = TableState.CLOSED, reason
        lobby = self._running().lobby
        if lobby.plays(table.match):
            lobby.abort(table.match, reason, Owner.ORGANISER)
        table.closed.set()

    def _prune(self) -> None:
        """Forget the oldest tables that are over."""
        over = [match for match, table in self._tables.items() if not table.is_open]
        for match in over[: max(0, len(over) - KEPT)]:
            del self._tables[match]

    def _spare(self, bot: BotSession) -> bool:
        """Whether a connected bot has a table free for people, beyond the one that it keeps for the season."""
        with_people = sum(bot.name in table.sessions for table in self._open)
        return (
            bot.plays_people
            and not bot.apart
            and bot.present
            and bot.room > 0
            and with_people < bot.capacity - self._kept_tables
        )

    def _check_bot(self, seat: WantedSeat, wanted: WantedTable, variant: Mapping[str, str], clock: TimeControl) -> None:
        """Raise BadSetting or UnknownName if the bot of a seat cannot play there."""
        if seat.kind is SeatKind.HOUSE:
            if seat.name not in self._settings.bots:
                raise UnknownName.of("bot that people may play against here", seat.name, self._settings.bots)
            self._settings.bots[seat.name].check(wanted.game)
        elif seat.kind is SeatKind.CONNECTED:
            bot = self._running().connections.session(seat.name) if self._settings.connected else None
            if bot is None or not self._spare(bot):
                raise BadSetting(f"{seat.name[:64]} has no table free for people now")
            if not bot.plays(wanted.game, len(wanted.seats), variant):
                raise BadSetting(
                    f"{bot.name} does not play {wanted.game} with {len(wanted.seats)} seats and these rules"
                )
            if clock.unlimited:
                raise BadSetting(
                    f"{bot.name} is not a bot of this referee, so the table needs a clock, such as 15m+10s"
                )


async def _either(first: trio.Event, second: trio.Event) -> None:
    async with trio.open_nursery() as nursery:

        async def wait(event: trio.Event) -> None:
            await event.wait()
            nursery.cancel_scope.cancel()

        nursery.start_soon(wait, first)
        nursery.start_soon(wait, second)


def _plays_any(bot: BotSession, game: str) -> bool:
    """Whether a bot plays a game with some number of seats."""
    rules = registry.game(game)
    return any(bot.plays(game, seats, settle_variant(rules, seats, {})) for seats in rules.seats)


def _clock(text: str) -> TimeControl:
    clock = TimeControl.parse(text)
    if clock.bank > LONGEST_BANK or clock.increment > LONGEST_INCREMENT:
        raise BadSetting(f"a clock of people has at most 3h, and 10m for each decision, not {text}")
    return clock


def _bot_of(name: str) -> str:
    """The bot behind the name of a house seat in a match: `house:greedy+2` is a second greedy."""
    bare = name.removeprefix(HOUSE)
    head, plus, number = bare.rpartition("+")
    return head if plus and number.isdecimal() else bare


def _bot_names(seats: Sequence[WantedSeat]) -> list[str]:
    """By seat: the name of its bot in the match; empty for a person."""
    names: list[str] = []
    for seat in seats:
        if seat.kind is SeatKind.PERSON:
            names.append("")
        elif seat.kind is SeatKind.CONNECTED:
            if seat.name in names:
                raise BadSetting(f"{seat.name} sits once at a table")
            names.append(seat.name)
        else:
            names.append(_free(f"{HOUSE}{seat.name}", names))
    return names


def _person(name: str, taken: Sequence[str]) -> str:
    """The name of a person in a match; raises BadSetting."""
    wrong = bad_name(name, LONGEST_NAME)
    if wrong is not None:
        raise BadSetting(wrong.replace("is no name for a bot", "is no name here"))
    return _free(f"{PERSON}{name}", taken)


def _free(name: str, taken: Sequence[str]) -> str:
    """The name, numbered if it is taken."""
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}+{number}", number + 1
    return found


def _seat_of(name: str) -> WantedSeat:
    """Who sits behind a name of a match."""
    if name.startswith(PERSON):
        return WantedSeat(SeatKind.PERSON)
    if name.startswith(HOUSE):
        return WantedSeat(SeatKind.HOUSE, _bot_of(name))
    return WantedSeat(SeatKind.CONNECTED, name)


def of_people(running: Running) -> bool:
    """Whether people sit at the table of a running match."""
    header = running.record.header
    return not header.policy.rated and any(name.startswith(PERSON) for name in header.players)
