"""The drills in which the referee closes the stream and says what to do next: come back, go elsewhere, or leave."""

from __future__ import annotations

import secrets

import grpc
import trio

from ladder.check.checked_bot import CheckedBot
from ladder.check.disturbances import MIDDLE, UNASKED, UNKNOWN_CODE, come_back, tag
from ladder.check.drills import CheckStep, Fixture
from ladder.check.outcomes import DrillFailed, DrillSkipped
from ladder.check.scripted_table import ScriptedTable
from ladder.check.transcript import Way
from referee.match.clock import TimeControl
from referee.transport.messages import PROTOCOL_VERSION
from referee.v1 import play_pb2 as pb

AWAY = TimeControl.parse("20m/20m")
"""Of matches in which the referee is away: no clock of theirs runs then, and here none runs out."""


async def _mid_match(bot: CheckedBot, fixture: Fixture) -> ScriptedTable:
    """A match in which the bot has just been asked."""
    table = bot.seat(fixture.seating, AWAY)
    await bot.play_to(table, MIDDLE)
    bot.stream.send(table.take())
    return table


async def restarting(bot: CheckedBot, fixture: Fixture) -> str:
    """The referee is restarted in mid-match, and the next stream breaks: the bot dials on and resumes its table."""
    table = await _mid_match(bot, fixture)
    text = "a drill of kumite check: the referee is being restarted; dial again and resume"
    bot.close(pb.Fault(code=pb.FAULT_CODE_RESTARTING, message=text), grpc.StatusCode.UNAVAILABLE, table)
    await come_back(bot)
    bot.drop()
    await come_back(bot)
    bot.welcome(table)
    await bot.play(table)
    return "dialled until the referee was back, and resumed its table"


async def unknown_closing(bot: CheckedBot, fixture: Fixture) -> str:
    """The stream is closed with a code that no version knows: the bot dials again and resumes its table."""
    table = await _mid_match(bot, fixture)
    fault = pb.Fault(message="a drill of kumite check: a closing code of a later version")
    fault.MergeFromString(tag(1, 0) + bytes([UNKNOWN_CODE]))
    bot.close(fault, grpc.StatusCode.UNAVAILABLE, table)
    await come_back(bot)
    bot.welcome(table)
    await bot.play(table)
    return f"code {UNKNOWN_CODE}: dialled again and resumed its table"


async def redirected(bot: CheckedBot, fixture: Fixture) -> str:
    """Sent to a second address, and then to one that does not answer, the bot resumes its table each time.

    A bot that dials its first address again instead of the second does no harm: the referee there answers, too.
    """
    table = await _mid_match(bot, fixture)
    _send_to(bot, table, bot.second)
    await come_back(bot)
    how = "dialled the second address" if bot.stream.second else "dialled its first address again, not the second"
    bot.welcome(table)
    await bot.play_to(table, MIDDLE + 1)
    bot.stream.send(table.take())
    _send_to(bot, table, bot.dead)
    await come_back(bot)
    bot.welcome(table)
    await bot.play(table)
    return f"{how}, and came back from one that does not answer"


def _send_to(bot: CheckedBot, table: ScriptedTable, address: str) -> None:
    text = f"a drill of kumite check: your tables are at {address}"
    fault = pb.Fault(code=pb.FAULT_CODE_REDIRECTED, message=text, address=address)
    bot.close(fault, grpc.StatusCode.UNAVAILABLE, table)


async def token(bot: CheckedBot, fixture: Fixture) -> str:
    """Started with a token, the bot shows it, says its own name or none, and plays."""
    await bot.leave()
    await bot.start(secrets.token_urlsafe(24))
    if not bot.stream.token:
        await bot.leave()
        raise DrillSkipped("shows no token; it can play only where none is wanted")
    how = "no name" if not bot.hello.name else "its own name"
    bot.welcome()
    await bot.play(bot.seat(fixture.seating, fixture.clock))
    await bot.leave()  # the next step meets a process without a token
    return f"showed its token, and {how}"


async def shutdown(bot: CheckedBot, fixture: Fixture) -> str:
    """The referee says goodbye in mid-match: the bot ends by itself, with code 0."""
    await _mid_match(bot, fixture)
    bot.refuse(pb.FAULT_CODE_SHUTDOWN, "the referee is shutting down", grpc.StatusCode.UNAVAILABLE)
    if not bot.host.controlled:
        with trio.move_on_after(min(bot.patience, UNASKED)):
            await bot.server.stream()
            raise DrillFailed("was told FAULT_CODE_SHUTDOWN and dialled again", Way.SENT)
        return "did not dial again; its exit code cannot be seen from here"
    code = await bot.host.ended(bot.patience)
    if code is None:
        raise DrillFailed(f"was told FAULT_CODE_SHUTDOWN and still runs after {bot.patience:g} s", Way.SENT)
    if code:
        raise DrillFailed(f"was told FAULT_CODE_SHUTDOWN and ended with code {code}; a good end is code 0", Way.SENT)
    return "ended with code 0"


async def revoked(bot: CheckedBot, fixture: Fixture) -> str:
    """Told in mid-match that its token is no longer good, the bot gives up."""
    await _mid_match(bot, fixture)
    text = "a drill of kumite check: your token is no longer good"
    bot.refuse(pb.FAULT_CODE_REVOKED, text, grpc.StatusCode.PERMISSION_DENIED)
    return await _gives_up(bot, "FAULT_CODE_REVOKED")


async def refused(bot: CheckedBot, fixture: Fixture) -> str:
    """Told that the protocol versions differ, the bot gives up."""
    await bot.leave()
    await bot.start()
    other = PROTOCOL_VERSION + 1
    text = f"the bot speaks protocol version {PROTOCOL_VERSION}, this referee speaks {other}: update the bot"
    bot.refuse(pb.FAULT_CODE_VERSION, text, grpc.StatusCode.FAILED_PRECONDITION)
    return await _gives_up(bot, "FAULT_CODE_VERSION")


async def _gives_up(bot: CheckedBot, code_name: str) -> str:
    """Wait until the bot's process has ended with a code that is not 0."""
    code = await bot.host.ended(bot.patience)
    if code is None:
        raise DrillFailed(f"was refused with {code_name} and still runs after {bot.patience:g} s", Way.SENT)
    if code == 0:
        raise DrillFailed(f"was refused with {code_name} and ended with code 0, as if all were well", Way.SENT)
    return f"ended with code {code}"


FAREWELLS = (
    CheckStep("restarting", "a restart of the referee", restarting),
    CheckStep("unknown-closing", "an unknown closing code", unknown_closing),
    CheckStep("redirected", "a redirection", redirected),
    CheckStep("token", "a token", token, restarts=True),
    CheckStep("shutdown", "shutdown in mid-match", shutdown),
    CheckStep("revoked", "a token that is revoked", revoked, restarts=True),
    CheckStep("refusal", "a refusal of its version", refused, restarts=True),
)
