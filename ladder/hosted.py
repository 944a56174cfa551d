"""Matches in which at least one bot is a process of its own: a referee on a unix socket, every seat a process, one
match, and nothing left behind. Each process has a token of its own, and only that admits under its name.

Bots that could play in this process are started as processes too (`kumite join`), so that all seats meet the same
referee under the same clock.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import trio

from ladder.entrants import Entrant
from referee.hosting.launch import HostedBot, launched
from referee.hosting.manifest import Manifest
from referee.hosting.sandbox import Sandbox, Trusted, best
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame
from referee.match.clock import Clock
from referee.match.outputs import Settled
from referee.match.policy import Policy
from referee.match.record import Final, Header, Record, Step
from referee.transport import bridge as bridges
from referee.transport.auth import Tokens, new_token
from referee.transport.lobby import Plan
from referee.transport.server import Config, Server, open_server

CLOCK = Clock.parse("60s+500ms/30s")
"""The clock of a hosted match for which none was named: a process needs one."""
LAST_LINES = 5
"""Lines of a bot's output that an error shows."""


@dataclass(slots=True)
class Memory:
    """A recorder that keeps one match in memory."""

    header: Header | None = None
    steps: list[Step] = field(default_factory=list)
    final: Final | None = None

    def begin(self, header: Header, secret: bytes) -> None:
        """The match begins."""
        self.header = header

    def step(self, match: str, step: Step) -> None:
        """It has moved on."""
        self.steps.append(step)

    def end(self, match: str, final: Final) -> Settled:
        """It is over."""
        self.final = final
        return Settled(self.record().last_hash())

    def record(self) -> Record:
        """Everything that was told."""
        if self.header is None:
            raise BadSetting("the match did not begin")
        return Record(self.header, tuple(self.steps), self.final)


def play_hosted(
    game: AnyGame,
    entrants: Sequence[Entrant],
    names: Sequence[str],
    *,
    secret: bytes,
    match_id: str,
    variant: Mapping[str, str],
    clock: Clock,
    policy: Policy | None = None,
    sandbox: Sandbox | None = None,
    printed: dict[str, str] | None = None,
) -> Record:
    """Play one match between fresh processes and return its record; raises BadSetting if a bot does not come.

    Bots of folders run in `sandbox`, by default the best that this machine has; bots of this program are trusted.
    Every seat has a process of its own, also where a name stands several times: one process at two seats would see two
    hands. The later ones get numbers. `printed` gets the last output of each bot, by its name.
    """
    memory = Memory()
    names = numbered(names)
    plan = Plan(
        game.name,
        tuple(names),
        variant,
        CLOCK if clock.unlimited else clock,
        policy or Policy(),
        match=match_id,
        secret=secret,
    )

    problems: list[BadSetting] = []

    async def main(bridge: bridges.Bridge) -> None:
        async with AsyncExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kumite-")))
            address = f"unix:{folder / 'referee.sock'}"
            tokens = {name: new_token() for name in names}
            config = Config(bind=(address,), recorder=memory, directory=Tokens.of(list(tokens.items())))
            server = await stack.enter_async_context(open_server(bridge, config))
            processes = {}
            try:
                for entrant, name in zip(entrants, names, strict=True):
                    manifest = entrant.manifest or as_process(entrant, "--quiet")
                    wrapping = Trusted() if entrant.manifest is None else sandbox or best()
                    bot = launched(manifest, wrapping, address=address, name=name, token=tokens[name], state=folder)
                    process = await stack.enter_async_context(bot)
                    processes[name] = (process, manifest)
                await _arrive(server, processes)
                await _played(server, plan, processes)
                if printed is not None:
                    printed.update((name, bot.log.text()) for name, (bot, _) in processes.items())
            except BadSetting as error:
                # Kept until everything is closed: raised here, nurseries on the way would wrap it.
                problems.append(error)

    bridges.run(main, signals=False)
    if problems:
        raise problems[0]
    return memory.record()


async def _played(server: Server, plan: Plan, processes: Mapping[str, tuple[HostedBot, Manifest]]) -> None:
    """Play the match; a bot whose process ends meanwhile forfeits its seat, and the fault names the limit."""
    problems: list[BadSetting] = []

    async def attend(name: str, bot: HostedBot) -> None:
        code = await bot.wait()
        session = server.hall.session(name)
        if session is not None:
            session.died(f"the bot {bot.exceeded or f'ended with code {code}'}", server.now())

    async with trio.open_nursery() as nursery:
        for name, (bot, _) in processes.items():
            nursery.start_soon(attend, name, bot)
        try:
            await server.arrange(plan)
        except BadSetting as error:
            problems.append(error)  # raised here, the nursery would wrap it
        nursery.cancel_scope.cancel()
    if problems:
        raise problems[0]


def numbered(names: Sequence[str]) -> list[str]:
    """The names, each once: `old`, `old+2`, `old+3`."""
    distinct: list[str] = []
    for name in names:
        choices = itertools.chain([name], (f"{name}+{number}" for number in itertools.count(2)))
        distinct.append(next(choice for choice in choices if choice not in distinct))
    return distinct


def as_process(entrant: Entrant, *options: str) -> Manifest:
    """A bot of this program as a process; the options are those of `kumite join`."""
    command = (sys.executable, "-m", "ladder", "join", *options, entrant.spec)
    return Manifest(Path.cwd(), entrant.name, command)


async def _arrive(server: Server, processes: Mapping[str, tuple[HostedBot, Manifest]]) -> None:
    """Wait until every bot has said hello; raises BadSetting that shows what a missing one printed."""
    limit = max(bot.limits.start_seconds for bot, _ in processes.values())
    with trio.move_on_after(limit):
        while True:
            missing = [name for name in processes if server.hall.session(name) is None]
            ended = [name for name in missing if processes[name][0].code is not None]
            if not missing:
                return
            if ended:
                raise _absent(ended[0], *processes[ended[0]])
            await trio.sleep(0.02)
    name = next(name for name in processes if server.hall.session(name) is None)
    raise _absent(name, *processes[name])


def _absent(name: str, bot: HostedBot, manifest: Manifest) -> BadSetting:
    how = bot.exceeded or (f"ended with code {bot.code}" if bot.code is not None else "did not say hello")
    output = " / ".join(bot.log.text().strip().splitlines()[-LAST_LINES:]) or "nothing"
    return BadSetting(f"bot {name} ({manifest.folder}) {how} within {bot.limits.start_seconds} s; it printed: {output}")
