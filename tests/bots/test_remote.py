"""Bots at a real referee, over real gRPC."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from bots import Bot, run
from bots.ask import AnyAsk, Table
from bots.resume import STATE_VARIABLE
from bots.specs import resolve
from ladder.config.offers import every_table
from ladder.seasons.open_tables import CasualTables
from referee.kernel.game import Option, Result
from referee.match.clock import TimeControl
from referee.match.policy import EndingKind
from referee.match.protocols import Directory, Pairing
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.auth import Tokens
from referee.transport.server import Config, Server, serve

WAIT = 60.0
"""Seconds after which a thread or process that should have ended is given up."""

MARKER = """
import sys
from bots import Bot, run

class Marker(Bot):
    def decide(self, ask):
        print("asked", ask.number, ask.match, flush=True)
        if ask.number == int(sys.argv[2]):
            sys.stdin.read()
        return ask.rng.randrange(ask.count)

    def over(self, result):
        print("over", flush=True)

run(Marker, sys.argv[1], name="marker", matches=1)
"""


class House:
    """A referee in a thread of its own, and how its matches ended."""

    def __init__(
        self, folder: Path, *, pairing: Pairing, matches: int | None = None, directory: Directory | None = None
    ) -> None:
        self.address = f"unix:{folder}/kumite.sock"
        self.ended: list[tuple[Terms, Final]] = []
        self._config = Config(
            bind=(self.address,),
            ended=lambda terms, final: self.ended.append((terms, final)),
            pairing=pairing,
            matches=matches,
            directory=directory,
        )
        self._server: Server | None = None
        self._open = threading.Event()
        self._thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        serve(self._config, started=self._started)

    def _started(self, server: Server) -> None:
        self._server = server
        self._open.set()

    def __enter__(self) -> House:
        self._thread.start()
        assert self._open.wait(WAIT)
        return self

    def __exit__(self, *error: object) -> None:
        if self._server is not None and self._thread.is_alive():
            self._server.stop()
        self._thread.join(WAIT)
        assert not self._thread.is_alive()


class MakeHouse(Protocol):
    """Makes a referee for the tables of one seat count and variant."""

    def __call__(
        self,
        seats: int = 2,
        variant: dict[str, str] | None = None,
        matches: int | None = None,
        directory: Directory | None = None,
    ) -> House: ...


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeHouse:
    """Makes a referee on a socket in the test's own folder; bots keep their resume tokens there too."""
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))

    def make(
        seats: int = 2,
        variant: dict[str, str] | None = None,
        matches: int | None = None,
        directory: Directory | None = None,
    ) -> House:
        clock = TimeControl.parse("60s+10s/60s")
        wanted = every_table(["edo_yashiki"], seats=[seats], variant=variant, clock=clock)
        return House(tmp_path, pairing=CasualTables(wanted), matches=matches, directory=directory)

    return make


def together(*calls: Callable[[], None]) -> None:
    """Run these in threads of their own and wait for all."""
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert not any(thread.is_alive() for thread in threads)


def marker(address: str, blocks_at: int, **environment: str) -> subprocess.Popen[str]:
    """A bot in a process of its own that says what it is asked, and at one ask thinks until it is killed."""
    return subprocess.Popen(
        [sys.executable, "-c", MARKER, address, str(blocks_at)],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def joining(
    spec: str, address: str, name: str, *, matches: int, tables: int = 1, token: str | None = None
) -> Callable[[], None]:
    return lambda: run(resolve(spec).make, address, name=name, quiet=True, matches=matches, tables=tables, token=token)


@pytest.mark.parametrize(
    ("seats", "variant"),
    [(2, {}), (3, {"rules": "specialists"}), (2, {"draft": "turn_order"}), (5, {})],
)
def test_bundled_bots_play_whole_matches(house: MakeHouse, seats: int, variant: dict[str, str]) -> None:
    """Greedy and random bots finish a match of every kind of table, without a fault, and greedy comes first."""
    with house(seats, variant, matches=1) as referee:
        bots = [("greedy", "g")] + [("random", f"r{seat}") for seat in range(1, seats)]
        together(*(joining(spec, referee.address, name, matches=1) for spec, name in bots))

    ((terms, final),) = referee.ended
    assert [(ending.kind, ending.faults) for ending in final.endings] == [(EndingKind.FINISHED, 0)] * seats
    assert final.result is not None
    assert final.result.places[terms.players.index("g")] == 1


def test_one_stream_serves_several_tables(house: MakeHouse) -> None:
    """Two bots with four tables each play twelve matches on one stream each; every match gets a bot of its own."""
    made: list[Counting] = []

    class Counting(Bot):
        def __init__(self) -> None:
            self.matches: set[str] = set()
            self.results: list[Result | None] = []
            made.append(self)

        def decide(self, ask: AnyAsk) -> Option:
            self.matches.add(ask.match)
            return ask.options[ask.rng.randrange(ask.count)]

        def over(self, result: Result | None) -> None:
            self.results.append(result)

    with house(matches=12) as referee:
        together(
            lambda: run(Counting, referee.address, name="counting", tables=4, matches=12, quiet=True),
            joining("random", referee.address, "other", tables=4, matches=12),
        )

    assert len(referee.ended) == 12
    assert {final.rated for _, final in referee.ended} == {True}
    assert [(len(bot.matches), len(bot.results)) for bot in made] == [(1, 1)] * 12


@pytest.mark.processes
@pytest.mark.parametrize("tokens", [False, True])
def test_a_bot_killed_in_mid_match_and_started_again_plays_on(house: MakeHouse, tokens: bool) -> None:
    """After SIGKILL in the middle of a decision the same command takes the match up at that very ask, without a fault.

    At an open referee the remembered resume token gives the seat back, elsewhere the bearer token does.
    """
    directory = Tokens.of([("marker", "secret-of-marker"), ("other", "secret-of-other")]) if tokens else None
    own = {"KUMITE_TOKEN": "secret-of-marker"} if tokens else {}
    with house(matches=1, directory=directory) as referee:
        other = threading.Thread(
            target=joining("random", referee.address, "other", matches=1, token="secret-of-other" if tokens else None)
        )
        other.start()
        first = marker(referee.address, blocks_at=5, **own)
        assert first.stdout is not None
        seen = next(line for line in iter(first.stdout.readline, "") if line.startswith("asked 5 "))
        first.kill()
        first.communicate(timeout=WAIT)
        second = marker(referee.address, blocks_at=0, **own)
        heard = second.communicate(timeout=WAIT)[0].splitlines()
        other.join(WAIT)

    ((terms, final),) = referee.ended
    assert first.returncode == -9
    assert heard[0] == seen.strip() == f"asked 5 {terms.match}"
    assert heard[-1] == "over"
    assert [(ending.kind, ending.faults) for ending in final.endings] == [(EndingKind.FINISHED, 0)] * 2


def test_a_name_that_is_taken_is_refused_in_one_line(house: MakeHouse, capsys: pytest.CaptureFixture[str]) -> None:
    """A second bot under a name that plays already ends with the referee's own words and disturbs nobody."""
    seated = threading.Event()

    class Waiting(Bot):
        def seated(self, table: Table) -> None:
            seated.set()

        def decide(self, ask: AnyAsk) -> Option:
            return 0

    def second() -> None:
        assert seated.wait(WAIT)
        with pytest.raises(SystemExit) as caught:
            run(Waiting, referee.address, name="other", quiet=True)
        codes.append(caught.value.code)
        release.set()

    class Held(Waiting):
        def decide(self, ask: AnyAsk) -> Option:
            assert release.wait(WAIT)
            return 0

    codes: list[object] = []
    release = threading.Event()
    with house(matches=1) as referee:
        together(
            lambda: run(Held, referee.address, name="held", matches=1, quiet=True),
            joining("random", referee.address, "other", matches=1),
            second,
        )

    ((_, final),) = referee.ended
    assert codes == [2]
    assert "plays under the name other" in capsys.readouterr().err
    assert {ending.kind for ending in final.endings} == {EndingKind.FINISHED}


def test_a_failure_that_is_told_to_the_referee_disturbs_no_match(
    house: MakeHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bot that raises at the end of each match plays its next one on the same stream, without a fault."""

    class Clumsy(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            return 0

        def over(self, result: Result | None) -> None:
            raise ValueError("no such file")

    with house(matches=2) as referee:
        together(
            lambda: run(Clumsy, referee.address, name="clumsy", matches=2),
            joining("random", referee.address, "other", matches=2),
        )

    shown = capsys.readouterr().err
    assert [ending.faults for _, final in referee.ended for ending in final.endings] == [0] * 4
    assert shown.count("kumite: clumsy connected") == 1
    assert shown.count("the bot raised in over") == 2
    assert "kumite: fault" not in shown


def test_a_token_admits_a_program_that_has_a_name_of_its_own(
    house: MakeHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program says `cautious`, the token says alice, and alice it is that plays."""
    directory = Tokens.of([("alice", "secret-of-alice"), ("other", "secret-of-other")])
    with house(matches=1, directory=directory) as referee:
        together(
            lambda: run(resolve("random").make, referee.address, name="cautious", token="secret-of-alice", matches=1),
            joining("random", referee.address, "other", matches=1, token="secret-of-other"),
        )

    ((terms, _),) = referee.ended
    assert sorted(terms.players) == ["alice", "other"]
    assert "kumite: alice connected" in capsys.readouterr().err
