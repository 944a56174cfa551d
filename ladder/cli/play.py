"""`kumite play`: sit down at a table oneself, in the browser or in the terminal, with nothing else running."""

from __future__ import annotations

import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ladder.arena.entrants import Entrant
from ladder.cli.hosting import TrustOption, found
from ladder.cli.output import VariantOption, parse_variant
from ladder.cli.serve_output import say
from ladder.config.people import PeopleSettings, opponents
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame, settle_variant
from referee.match.clock import TimeControl

if TYPE_CHECKING:
    from referee.v1.admin_pb2_grpc import AdminServiceStub

DAY = 24 * 3600.0
MOST_TABLES = 64
LOOK_SECONDS = 0.02
PATIENCE = 30.0
"""Seconds for which the command waits for its own referee."""

BotsArgument = Annotated[list[str] | None, typer.Argument(help="The bots of the other seats; any spec.")]
T = TypeVar("T")

PeopleCount = Annotated[int, typer.Option("--people", min=1, help="Seats for people; each further one has a link.")]
RecordOption = Annotated[Path | None, typer.Option(help="In the terminal: write the record to this file.")]
DbOption = Annotated[Path | None, typer.Option(help="In the browser: keep the matches in this database.")]


def play(
    game: Annotated[str, typer.Argument(help="The game, by name (see `kumite games`).")],
    bots: BotsArgument = None,
    people: PeopleCount = 1,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "you",
    variant: VariantOption = None,
    clock: Annotated[str, typer.Option(help="Bank+increment/cap such as 10m+5s, or none.")] = "none",
    bind: Annotated[str, typer.Option(help="HOST:PORT of the pages; port 0 takes a free one.")] = "127.0.0.1:0",
    browser: Annotated[bool, typer.Option(help="Open the browser; without it the address is printed alone.")] = True,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal, in words.")] = False,
    record: RecordOption = None,
    db: DbOption = None,
    trust: TrustOption = False,
) -> None:
    """Play a game yourself against bots, and against people by links. Ctrl-C ends it.

    Without --db the matches are forgotten at the end. Nothing is rated.
    """
    began = time.monotonic()
    rules = registry.game(game)
    entrants = found(bots or (), trust)
    settings = _settled(rules, len(entrants) + people, parse_variant(variant))
    for entrant in entrants:
        entrant.check(rules.name)
    control = TimeControl.parse(clock)
    if terminal:
        from ladder.cli.terminal_play import play_in_terminal

        if people > 1 or db is not None:
            raise BadSetting("--terminal has one person and no database: leave --people and --db out")
        play_in_terminal(rules, entrants, name, settings, control, record)
        return
    if record is not None:
        raise BadSetting("--record is for --terminal; in the browser keep matches with --db FILE")
    table = _Table(rules.name, entrants, people, name, settings, str(control), browser, began)
    with _database(db) as path:
        _serve(path, bind, table, entrants)


def _settled(rules: AnyGame, seats: int, variant: dict[str, str]) -> dict[str, str]:
    """The variant of a table; raises BadSetting for a number of seats that the game has not."""
    if seats not in rules.seats:
        least, most = rules.seats.start, rules.seats.stop - 1
        text = f"{rules.title} has {least} to {most} seats, and you and the bots are {seats}"
        raise BadSetting(f"{text}; name the bots behind the game: kumite play {rules.name} greedy")
    return dict(settle_variant(rules, seats, variant))


@contextmanager
def _database(db: Path | None) -> Iterator[Path]:
    """The database of the matches; without one, a folder that ends with the command."""
    if db is not None:
        yield db
        return
    with tempfile.TemporaryDirectory(prefix="kumite-play-") as folder:
        yield Path(folder) / "play.sqlite"


class _Table:
    """The table that the command opens once its referee runs, and what it tells about it."""

    def __init__(
        self,
        game: str,
        entrants: list[Entrant],
        people: int,
        name: str,
        variant: dict[str, str],
        clock: str,
        browser: bool,
        began: float,
    ) -> None:
        self._game = game
        self._bots = [entrant.name for entrant in entrants]
        self._people = people
        self._name = name
        self._variant = variant
        self._clock = clock
        self._browser = browser
        self._began = began

    def begin(self, database: Path, home: str) -> None:
        """Open the table at a referee that is starting, in a thread that the referee does not wait for."""
        threading.Thread(target=self._run, args=(database, home), name="table", daemon=True).start()

    def _run(self, database: Path, home: str) -> None:
        try:
            self._open(database, home)
        except BadSetting as error:
            say(f"the table could not be opened: {error}; open one at {home}play", err=True)

    def _open(self, database: Path, home: str) -> None:
        from ladder.serving.admin_client import connected
        from referee.v1 import admin_pb2 as pb

        seats = [pb.PeopleSeat(kind=pb.PEOPLE_SEAT_KIND_PERSON) for _ in range(self._people)]
        seats += [pb.PeopleSeat(kind=pb.PEOPLE_SEAT_KIND_HOUSE, name=name) for name in self._bots]
        request = pb.OpenPeopleTableRequest(game=self._game, variant=self._variant, clock=self._clock, seats=seats)
        opened = _patiently(database, lambda stub: stub.OpenPeopleTable(request))
        own, *others = [secret for secret in opened.invitations if secret]
        address = f"{home}play/join#{own}~{self._name}"
        say(f"your seat: {address}")
        for number, secret in enumerate(others, 2):
            say(f"link for person {number}: {home}play/join#{secret}")
        if self._browser and not webbrowser.open(address):
            say("no browser opens here: open the address yourself, or play with --terminal", err=True)
        with connected(database) as stub:
            while not any(table.started for table in stub.ListTables(pb.ListTablesRequest()).tables):
                time.sleep(LOOK_SECONDS)
        say(f"the first question came {time.monotonic() - self._began:.1f} s after the command", err=True)


def _patiently(database: Path, call: Callable[[AdminServiceStub], T]) -> T:
    """The answer of a referee that is just starting."""
    from ladder.serving.admin_client import connected

    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with connected(database) as stub:
                return call(stub)
        except BadSetting as error:
            if "starting" not in str(error) and "no referee is running" not in str(error):
                raise
            if time.monotonic() > deadline:
                raise
        time.sleep(LOOK_SECONDS)


def _serve(path: Path, bind: str, table: _Table, entrants: list[Entrant]) -> None:
    """Run the referee and the pages until Ctrl-C."""
    from ladder.pairing.planned import VERSION
    from ladder.seasons.open_season import OpenSeason
    from ladder.serving.directory import EntrantDirectory
    from ladder.serving.served_season import ServedSeason
    from ladder.store.database import Store
    from ladder.web.child import WebChild
    from ladder.web.listening import listening, shown_address
    from referee.transport.server import Config, Server

    bots = opponents([entrant.spec for entrant in entrants]) | opponents()
    allowed = PeopleSettings(MOST_TABLES, MOST_TABLES, bots, wait=DAY, idle=DAY)
    place = listening(bind)
    child = WebChild(path, place)

    def started(server: Server) -> None:
        child.start()
        table.begin(path, shown_address(place))

    try:
        with Store(path) as store:
            store.lock()
            directory = EntrantDirectory(store, closed=True)
            row = store.season("play", "", None, tempo="open", pairing_version=VERSION)
            season = OpenSeason(store, row, ())
            config = Config(bind=(f"unix:{path.with_suffix('.sock')}",))
            ServedSeason(store, season, directory, config, started=started, people=allowed).run()
    finally:
        child.stop()
    say("stopped", err=True)
