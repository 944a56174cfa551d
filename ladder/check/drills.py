"""The drills for play as it should be: the handshake, every game and seat count, several tables, clocks and pings.

A drill is an async function that meets the checked bot when it is connected and without a table. A drill returns a
remark, or raises DrillFailed or DrillSkipped. `ladder.check.disturbances` has the drills in which something goes wrong.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ladder.check.checked_bot import CheckedBot, OfferedGame
from ladder.check.outcomes import DrillSkipped
from referee.kernel import registry
from referee.kernel.game import AnyGame
from referee.match.clock import NO_CLOCK, TimeControl
from referee.v1 import play_pb2 as pb

SLOW = TimeControl.parse("2h/5s")
"""More microseconds than 32 bits can count, and no use for them: a decision may take five seconds."""
LOW = TimeControl.parse("1s+200ms")
"""A second for the whole match, and a fifth of a second for each decision."""
TABLES = 4
"""Most tables that are played at once."""
NONCES = ((1 << 64) - 1, (1 << 53) + 1, 1)
"""Numbers that do not survive in a signed integer or in a double."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """The match in which a drill takes place."""

    seating: OfferedGame
    """A game that the bot can play, and a short one."""
    clock: TimeControl
    games: tuple[OfferedGame, ...]
    """Every game that it can play, once."""


Drill = Callable[[CheckedBot, Fixture], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One numbered step of a check."""

    key: str
    title: str
    drill: Drill
    restarts: bool = False
    """Whether it needs a bot that the checker can start again."""


def seatings(hello: pb.Hello, games: Sequence[str]) -> list[OfferedGame]:
    """Every game of `games` that the bot declares, with every number of seats it declares."""
    found: list[OfferedGame] = []
    offers = {offer.game: offer for offer in hello.offers}
    for name in games:
        if offers and name not in offers:
            continue
        game = registry.game(name)
        offer = offers.get(name, pb.Offer())
        found += [OfferedGame(name, seats, _variant(game, seats, offer)) for seats in offer.seat_counts or game.seats]
    return found


def _variant(game: AnyGame, seats: int, offer: pb.Offer) -> dict[str, str]:
    """The settings that the bot insists on, where the default of the game is not among them."""
    variant = {}
    for setting in offer.settings:
        choices = game.variants.get(setting.name)
        free = choices is not None and (not choices.seats or seats in choices.seats)
        if choices is not None and free and choices.default not in setting.values and setting.values:
            variant[setting.name] = setting.values[0]
    return variant


def plays(seating: OfferedGame, seat: int) -> CheckStep:
    """The step in which a whole match of a game is played in one of its seats."""

    async def drill(bot: CheckedBot, fixture: Fixture) -> str:
        table = bot.seat(seating, fixture.clock, seat)
        await bot.play(table)
        return f"seat {seat}, {len(table.answers)} answers"

    return CheckStep(f"{seating.game}/{seating.seats}", f"a match of {seating}", drill)


async def several_tables(bot: CheckedBot, fixture: Fixture) -> str:
    """As many tables as the bot wants, at most four, all asks of a moment in one message."""
    count = min(bot.hello.tables, TABLES)
    if count < 2:
        raise DrillSkipped("its hello wants one table at a time")
    chosen = [fixture.games[number % len(fixture.games)] for number in range(count)]
    # What waits for the slowest table is charged as well, so there is more time.
    clock = TimeControl(fixture.clock.bank * count, fixture.clock.increment * count, fixture.clock.cap * count)
    tables = [bot.seat(seating, clock) for seating in chosen]
    await bot.play(*tables)
    answers = sum(len(table.answers) for table in tables)
    return f"{count} tables of {', '.join(dict.fromkeys(table.game for table in tables))}; {answers} answers"


async def no_clock(bot: CheckedBot, fixture: Fixture) -> str:
    """A match without any clock: the fields about time are absent."""
    return await _answers(bot, fixture, NO_CLOCK)


async def slow_clock(bot: CheckedBot, fixture: Fixture) -> str:
    """A bank of hours with a cap of seconds: the numbers are large, and the cap counts all the same."""
    return f"{SLOW}, {await _answers(bot, fixture, SLOW)} in time"


async def low_clock(bot: CheckedBot, fixture: Fixture) -> str:
    """Hardly any time: the bot has to look at its clock, or be quick by nature."""
    return f"{LOW}, {await _answers(bot, fixture, LOW)} in time"


async def _answers(bot: CheckedBot, fixture: Fixture, clock: TimeControl) -> str:
    """Play a whole match under a clock; returns the number of the bot's answers, in words."""
    table = bot.seat(fixture.seating, clock)
    await bot.play(table)
    return f"{len(table.answers)} answers"


async def pings(bot: CheckedBot, fixture: Fixture) -> str:
    """Pings alone, together with an ask, and two in a row come back with their nonces."""
    for nonce in NONCES:
        bot.stream.send(bot.ping(nonce))
        await bot.pongs()
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play_to(table, 2)
    message = table.take()
    message.MergeFrom(bot.ping(secrets.randbits(64)))
    bot.stream.send(message)
    bot.stream.send(bot.ping(secrets.randbits(64)))
    bot.stream.send(bot.ping(secrets.randbits(64)))
    await bot.pongs(table)
    await bot.play(table)
    return f"{len(NONCES) + 3} pings returned"


PLAY = (
    CheckStep("tables", "several tables at once", several_tables),
    CheckStep("no-clock", "a match without a clock", no_clock),
    CheckStep("slow-clock", "a slow clock", slow_clock),
    CheckStep("low-clock", "a low clock", low_clock),
    CheckStep("pings", "pings, also during a match", pings),
)
