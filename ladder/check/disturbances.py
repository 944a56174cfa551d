"""The drills in which something goes wrong: lost streams, asks and faults that are unexpected, and what is unknown."""

from __future__ import annotations

import secrets

from google.protobuf.message import Message

from ladder.check.checked_bot import CheckedBot
from ladder.check.drills import CheckStep, Fixture
from ladder.check.outcomes import DrillFailed
from ladder.check.scripted_table import times
from referee.v1 import common_pb2 as common
from referee.v1 import play_pb2 as pb

MIDDLE = 3
"""The ask of the bot's at which a match is disturbed."""
UNASKED = 2.0
"""Seconds that are waited for what a bot may do and need not."""
GAME_OF_TOMORROW = "game_of_tomorrow"
UNKNOWN_VERB = 77
UNKNOWN_CODE = 99


def tag(number: int, kind: int) -> bytes:
    """The key of a field, whose number needs two or three bytes."""
    key = number << 3 | kind
    parts = []
    while key > 0x7F:
        parts.append(key & 0x7F | 0x80)
        key >>= 7
    return bytes([*parts, key])


UNKNOWN_FIELDS = (
    tag(9001, 0) + b"\x2a"
    + tag(9002, 1) + bytes(range(8))
    + tag(9003, 2) + b"\x05later"
    + tag(9004, 5) + bytes(range(4))
)  # fmt: skip
"""One field of every wire type, with numbers that no version of ours has given away."""


async def asked_twice(bot: CheckedBot, fixture: Fixture) -> str:
    """An ask that is sent twice gets one answer or two, every other exactly one."""
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play_to(table, MIDDLE)
    again = pb.PlayResponse(asks=[*table.due.asks])
    bot.stream.send(table.take())
    bot.stream.send(again)
    table.sent[MIDDLE] += 1
    await bot.play(table)
    table.check_answers()
    return f"ask {MIDDLE} was sent twice and answered {times(table.answers[MIDDLE])}, every other once"


async def stale_ask(bot: CheckedBot, fixture: Fixture) -> str:
    """An ask that is long over comes again: the bot may answer or not, and the match goes on."""
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play_to(table, MIDDLE)
    old = pb.PlayResponse(asks=[*table.due.asks])
    await bot.play_to(table, MIDDLE + 2)
    bot.stream.send(old)
    table.sent[MIDDLE] += 1
    await bot.play(table)
    return f"ask {MIDDLE} came again before ask {MIDDLE + 2}, and the match went on"


async def faults(bot: CheckedBot, fixture: Fixture) -> str:
    """Faults of the match and of the stream, one of them with a code that no version knows, do not stop the bot."""
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play_to(table, MIDDLE)
    message = pb.PlayResponse()
    about = {"match_id": table.id, "seat": table.seat, "ask": MIDDLE - 1}
    text = "a drill of kumite check: the ask was answered in your place"
    message.faults.add(code=pb.FAULT_CODE_LATE, message=text, counted=True, **about)
    message.faults.add(code=pb.FAULT_CODE_STALE, message="a drill of kumite check: the ask is over", **about)
    message.faults.add(code=pb.FAULT_CODE_OVERSIZED, message="a drill of kumite check: too large")
    unknown = message.faults.add(message="a drill of kumite check: a code of a later version", **about)
    unknown.MergeFromString(tag(1, 0) + bytes([UNKNOWN_CODE]))
    bot.stream.send(message)
    await bot.play(table)
    return f"{len(message.faults)} faults, and the match went on"


def noisy(message: pb.PlayResponse) -> pb.PlayResponse:
    """The message as a later version might send it: every part of it has fields that this version does not know."""
    _add_noise(message)
    return message


def _add_noise(message: Message) -> None:
    for field, value in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for part in value if field.is_repeated else (value,):
                _add_noise(part)
    message.MergeFromString(UNKNOWN_FIELDS)


async def unknown_fields(bot: CheckedBot, fixture: Fixture) -> str:
    """A whole match of messages with unknown fields, and an event with an unknown verb."""
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play_to(table, MIDDLE, wrap=noisy)
    if bot.hello.events:
        event = common.Event(seat=-1, subject="comet", amount=1)
        event.MergeFromString(tag(1, 0) + bytes([UNKNOWN_VERB]))
        bot.stream.send(pb.PlayResponse(told=[pb.Told(match_id=table.id, seat=table.seat, events=[event])]))
    await bot.play(table, wrap=noisy)
    return f"{len(table.answers)} answers"


class _Mystery:
    """A table of a game that the bot cannot know."""

    def __init__(self, name: str) -> None:
        self.id = secrets.token_hex(16)
        self.seat = 0
        self.is_ready = False
        self.answers: set[int] = set()
        self.failures: set[int] = set()
        """Asks that the bot said it cannot answer."""
        self.seated = pb.PlayResponse(
            seated=[
                pb.Seated(
                    match_id=self.id,
                    game=GAME_OF_TOMORROW,
                    seat=self.seat,
                    players=[name, "stand-in-1"],
                    start_budget_us=30_000_000,
                    tolerated_faults=3,
                    commitment="0" * 64,
                    rules_version=1,
                )
            ]
        )
        self.options = 3

    def ask(self, number: int) -> pb.PlayResponse:
        """A question with three options; what the game shows stands in a field that is in no proto file."""
        ask = pb.Ask(match_id=self.id, ask=number, seat=self.seat, option_count=self.options, kind="divine")
        ask.MergeFromString(tag(40, 2) + b"\x04\x08\x01\x10\x02")
        return pb.PlayResponse(asks=[ask])

    def late(self, number: int) -> pb.PlayResponse:
        """The word that it was not answered."""
        text = f"no answer to ask {number}; the stand-in answers"
        fault = pb.Fault(
            code=pb.FAULT_CODE_LATE, match_id=self.id, seat=self.seat, ask=number, message=text, counted=True
        )
        return pb.PlayResponse(faults=[fault])

    def over(self) -> pb.PlayResponse:
        """Its end, without a result."""
        ending = common.Ending(
            kind=common.ENDING_KIND_ABORTED, owner=common.OWNER_REFEREE, message="a drill of kumite check"
        )
        return pb.PlayResponse(over=[pb.Over(match_id=self.id, seat=self.seat, endings=[ending, ending])])

    def ready(self, at: int) -> None:
        """The bot is ready."""
        self.is_ready = True

    def answer(self, answer: pb.Answer, at: int) -> None:
        """The bot answers."""
        if answer.option >= self.options:
            raise DrillFailed(f"answered option {answer.option} of {self.options} in a game that it does not know")
        self.answers.add(answer.ask)

    def failed(self, failure: pb.Failure) -> None:
        """The bot says that it cannot answer, which is as good as an answer here: its table does not wait."""
        self.failures.add(failure.ask)


async def unknown_game(bot: CheckedBot, fixture: Fixture) -> str:
    """A game that the bot does not know: it answers by `option_count`, says that it cannot, or leaves it, and lives."""
    mystery = _Mystery(bot.name)
    bot.sit(mystery)
    bot.stream.send(mystery.seated)
    while not mystery.is_ready and not await bot.silence(UNASKED):
        pass
    for number in (1, 2):
        bot.stream.send(mystery.ask(number))
        while number not in mystery.answers | mystery.failures:
            if await bot.silence(UNASKED):
                bot.stream.send(mystery.late(number))
                break
    bot.stream.send(mystery.over())
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play(table)
    if len(mystery.answers) == 2:
        how = "answered by option_count"
    else:
        how = "said that it cannot answer" if mystery.failures else "left its asks to the clock"
    return f"{how}, and played {fixture.seating.game} afterwards"


async def resume(bot: CheckedBot, fixture: Fixture) -> str:
    """Cut off with an ask open, and again with none, the bot comes back with its resume token and plays on."""
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play_to(table, MIDDLE)
    bot.stream.send(table.take())
    bot.drop(table)  # an answer that it sent meanwhile is lost
    await come_back(bot)
    bot.welcome(table)
    await bot.play_to(table, MIDDLE + 1)
    bot.drop(table)
    await come_back(bot)
    bot.welcome(table)
    await bot.play(table)
    return "twice cut off, twice back with the resume token"


async def come_back(bot: CheckedBot) -> None:
    """Wait for the bot's next stream, whose hello must carry the resume token of its last welcome."""
    await bot.come()
    given = bot.hello.resume_token
    if not given:
        raise DrillFailed("came back with a hello without resume_token; its tables are lost")
    if given != bot.token:
        raise DrillFailed(f"came back with resume_token {given!r}; its last welcome said {bot.token!r}")


async def refused_resume(bot: CheckedBot, fixture: Fixture) -> str:
    """Cut off and told that its resume token means nothing any more, the bot says hello afresh."""
    lost = bot.seat(fixture.seating, fixture.clock)
    await bot.play_to(lost, MIDDLE)
    bot.drop(lost)
    await bot.come()
    if bot.hello.resume_token:
        text = "there is nothing to resume under that resume token; say hello without it to start afresh"
        bot.refuse(pb.FAULT_CODE_UNKNOWN_RESUME, text)
        await bot.come()
        if bot.hello.resume_token:
            raise DrillFailed("says hello with a resume token that was refused with FAULT_CODE_UNKNOWN_RESUME")
    bot.welcome()
    table = bot.seat(fixture.seating, fixture.clock)
    await bot.play(table)
    return "said hello afresh and played a new match"


DISTURBANCES = (
    CheckStep("asked-twice", "an ask that is sent twice", asked_twice),
    CheckStep("stale-ask", "an ask that is over", stale_ask),
    CheckStep("faults", "fault messages", faults),
    CheckStep("unknown-fields", "unknown fields in every message", unknown_fields),
    CheckStep("unknown-game", "an unknown game", unknown_game),
    CheckStep("resume", "reconnect with resume", resume),
    CheckStep("refused-resume", "a resume that is refused", refused_resume),
)
