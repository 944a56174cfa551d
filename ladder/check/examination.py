"""A whole check: the steps in their order, each against a bot that is connected and at rest.

A bot that passes is one process from the first step to the goodbye. After a failure a bot that can be started again is,
so that each step is judged by itself. Without a good handshake nothing else can be tried, and the check ends there.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from ladder.arena.bot_processes import as_process
from ladder.arena.entrants import find
from ladder.arena.host_settings import sandbox_for
from ladder.check.checked_bot import LIMITS, CheckedBot, OfferedGame
from ladder.check.disturbances import DISTURBANCES
from ladder.check.drills import PLAY, CheckStep, Fixture, plays, seatings
from ladder.check.farewells import FAREWELLS
from ladder.check.host import AuthorsProcess, Host, Process
from ladder.check.outcomes import CheckReport, DrillFailed, DrillOutcome, DrillSkipped, DrillStatus
from ladder.check.script_server import ScriptServer
from ladder.check.transcript import Transcript
from referee.hosting import owned
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from referee.transport import bridge as bridges
from referee.transport.auth import bad_name
from referee.transport.listener import Listener, listen
from referee.transport.server import DEFAULT_BIND
from referee.transport.unix import UNIX

REMOTE = "remote:"
EVERY_HOST = ("0.0.0.0", "[::]", "")
"""What stands for every address of this host."""
CLOCK = TimeControl.parse("10s+100ms/5s")
SECOND = "second.sock"
"""The socket of a second address of the checker."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a check is run."""

    games: tuple[str, ...] = ()
    """Try these games only; empty: all that the bot declares."""
    clock: TimeControl = CLOCK
    """Of the matches in which the clock is not what matters."""
    patience: float = 20.0
    """Seconds for anything that no clock of a match limits."""
    tables: int = 4
    """Tables that bots of this program are started with."""
    arguments: tuple[str, ...] = ()
    """Added to the command of a bot that is started here."""
    bind: str = DEFAULT_BIND
    """Where a bot that is started elsewhere finds the referee."""
    wait: float = 300.0
    """Seconds for such a bot to come."""
    stop: bool = False
    """Whether the first failure ends the check."""
    tell: Callable[[DrillOutcome], None] = field(default=lambda outcome: None)
    """Told what became of each step."""
    call: Callable[[str, str], None] = field(default=lambda name, address: None)
    """Told name and address when a bot is to be started elsewhere."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A bot to be checked."""

    spec: str
    name: str
    """What it must call itself."""
    games: tuple[str, ...]
    """The games that are tried, as far as its hello offers them."""
    bind: str
    """Where the scripted referee listens; empty: on a socket of its own."""
    host: Callable[[str, Path, trio.Nursery], Host]
    """Makes its host from the referee's address, a folder for what it may remember, and a nursery to run in."""


def subject(spec: str, options: Options) -> Subject:
    """The bot that a spec names; raises BadSetting or UnknownName if there is none."""
    wanted = options.games or registry.names()
    for game in wanted:
        registry.game(game)
    if spec.startswith(REMOTE):
        name = spec.removeprefix(REMOTE)
        wrong = bad_name(name, LIMITS.name_characters)
        if wrong is not None:
            raise BadSetting(wrong)
        if options.arguments:
            raise BadSetting(f"{spec}: arguments are for bots that are started here")
        return Subject(
            spec,
            name,
            tuple(wanted),
            options.bind,
            lambda address, folder, nursery: AuthorsProcess(options.wait, lambda: options.call(name, address)),
        )
    entrant = find(spec)
    for game in options.games:
        entrant.check(game)
    games = tuple(game for game in wanted if entrant.games is None or game in entrant.games)
    found = entrant.manifest or as_process(entrant, "--tables", str(options.tables))
    sandbox = sandbox_for(entrant)
    manifest = replace(found, command=(*found.command, *options.arguments))
    return Subject(
        spec,
        entrant.name,
        games,
        "",
        lambda address, folder, nursery: Process(
            manifest,
            entrant.name,
            address,
            folder,
            nursery,
            sandbox,
            [folder / SECOND],
        ),
    )


def examine(subject: Subject, options: Options, transcript: Transcript) -> CheckReport:
    """Check a bot; raises BadSetting if it cannot be started, or the address not be used."""
    problems: list[BadSetting] = []
    outcomes: list[DrillOutcome] = []

    async def main(bridge: bridges.Bridge) -> None:
        server = ScriptServer(transcript)
        with owned.folder() as folder:
            bind = subject.bind or f"unix:{folder}/referee.sock"
            second, dead = _further(bind, str(folder))
            listeners: list[Listener] = []
            try:
                listeners.append(await bridge.host(listen((bind,), server, LIMITS)))
                listeners.append(await bridge.host(listen((second,), ScriptServer(transcript, server), LIMITS)))
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_until_interrupted, bridge)
                    host = subject.host(listeners[0].addresses[0], folder, nursery)
                    bot = CheckedBot(subject.name, server, host, options.patience, listeners[1].addresses[0], dead)
                    try:
                        await _Examination(bot, subject.games, options, transcript, outcomes).run()
                    except BadSetting as error:
                        # Kept until everything is closed: raised here, the nursery would wrap it.
                        problems.append(error)
                    await bot.leave()
                    nursery.cancel_scope.cancel()
            except BadSetting as error:
                problems.append(error)
            finally:
                with trio.CancelScope(shield=True):
                    for listener in listeners:
                        await bridge.host(listener.close())

    bridges.run(main)
    if problems:
        raise problems[0]
    return CheckReport(subject.spec, outcomes)


def _further(bind: str, folder: str) -> tuple[str, str]:
    """A second address for the checker, and one at which no referee answers, both of the same sort as the first.

    Where the first is every address of this host, the second is loopback: a bot elsewhere finds no referee there.
    """
    if bind.startswith(UNIX):
        return f"{UNIX}{folder}/{SECOND}", f"{UNIX}{folder}/dead.sock"
    host = bind.rpartition(":")[0]
    return f"{'127.0.0.1' if host in EVERY_HOST else host}:0", "127.0.0.1:1"


async def _until_interrupted(bridge: bridges.Bridge) -> None:
    await bridge.interrupted.wait()
    bridge.scope.cancel()


class _Examination:
    """The steps and how far they have come."""

    def __init__(
        self,
        bot: CheckedBot,
        games: Sequence[str],
        options: Options,
        transcript: Transcript,
        outcomes: list[DrillOutcome],
    ) -> None:
        self._bot = bot
        self._games = games
        self._options = options
        self._transcript = transcript
        self._outcomes = outcomes

    async def run(self) -> None:
        """All steps, or up to the first failure if nothing else is wanted."""
        found: list[OfferedGame] = []
        if not await self._try("handshake", "handshake and version", lambda: self._handshake(found)):
            return
        good: list[OfferedGame] = []
        for number, seating in enumerate(found):
            if await self._drill(plays(seating, number % seating.seats), [seating]):
                good.append(seating)
            elif self._options.stop:
                return
        for step in (*PLAY, *DISTURBANCES, *FAREWELLS):
            if not await self._drill(step, good or found) and self._options.stop:
                return

    async def _handshake(self, found: list[OfferedGame]) -> str:
        """The bot is welcome already; what does it declare?"""
        hello = self._bot.hello
        found += seatings(hello, self._games)
        if not found:
            offered = ", ".join(offer.game for offer in hello.offers)
            raise DrillFailed(f"offers {offered}, and none of the games that are to be tried: {', '.join(self._games)}")
        tables = f"{hello.tables} tables" if hello.tables > 1 else "one table"
        games = ", ".join(dict.fromkeys(seating.game for seating in found))
        return f"{hello.software or 'no software named'}; {tables} at a time; plays {games}"

    async def _drill(self, step: CheckStep, good: Sequence[OfferedGame]) -> bool:
        """Run one step with the games that the bot plays well."""
        each = {seating.game: seating for seating in sorted(good, key=_length, reverse=True)}
        fixture = Fixture(min(good, key=_length), self._options.clock, tuple(each.values()))
        return await self._try(step.key, step.title, lambda: step.drill(self._bot, fixture), step.restarts)

    async def _try(self, key: str, title: str, drill: Callable[[], Awaitable[str]], restarts: bool = False) -> bool:
        """Run one step and keep what became of it; whether it did not fail."""
        number = len(self._outcomes) + 1
        self._transcript.note(f"step {number}: {title}")
        begun = time.monotonic()
        try:
            if restarts and not self._bot.host.controlled:
                raise DrillSkipped("needs a bot that is started here")
            await self._bot.arrive()
            remark = await drill()
            outcome = DrillOutcome(number, key, title, DrillStatus.PASSED, remark)
        except DrillSkipped as reason:
            outcome = DrillOutcome(number, key, title, DrillStatus.SKIPPED, str(reason))
        except DrillFailed as failure:
            broke = self._transcript.last(failure.broke)
            outcome = DrillOutcome(
                number,
                key,
                title,
                DrillStatus.FAILED,
                failure.reason,
                broke=failure.broke if broke else None,
                messages=tuple(entry.text(whole=True) for entry in broke),
                output=self._bot.host.output(),
            )
            await self._bot.leave()
        outcome = replace(outcome, seconds=time.monotonic() - begun)
        self._transcript.note(f"step {number} {outcome.status}: {outcome.remark}")
        if outcome.output:
            self._transcript.note(f"the bot wrote last:\n{outcome.output}")
        self._outcomes.append(outcome)
        self._options.tell(outcome)
        return outcome.status is not DrillStatus.FAILED


def _length(seating: OfferedGame) -> tuple[bool, int, int]:
    """By which a match for the drills is chosen: a short one, and rather one in which others sit too."""
    return seating.seats == 1, registry.game(seating.game).bounds.decisions, seating.seats
