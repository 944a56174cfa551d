"""A bot's side of the protocol, message by message, without a server."""

from __future__ import annotations

from random import Random

import pytest

from bots.ask import AnyAsk, Table
from bots.bot import Bot
from bots.errors import BotFailed
from bots.session import ClientSession, Next, Profile, pong
from referee.kernel.errors import UnknownName
from referee.kernel.game import Event, Option, Result, Verb
from referee.v1 import common_pb2, play_pb2
from tests.bots.bench import GAME, Bench, Faulty, Scribe, asked, over, seated


def test_hello_says_who_the_bot_is_and_what_it_plays() -> None:
    """Name, version, tables, games and the wish for events stand in the first message; no resume token yet."""
    bench = Bench(Scribe, games=("edo_yashiki", "honshu"), tables=3, events=False, software="scribe 1")

    hello = bench.session.hello().hello

    assert (
        hello.name,
        hello.protocol_version,
        hello.tables,
        hello.events,
        hello.plays_people,
        hello.software,
        hello.resume_token,
    ) == ("scribe", 1, 3, False, False, "scribe 1", "")
    assert [offer.game for offer in hello.offers] == ["edo_yashiki", "honshu"]


def test_a_seat_is_taken_and_ready_is_said_once() -> None:
    """Being seated makes a bot, tells it the table and answers ready; a table that is ready already is only noted."""
    bench = Bench(Scribe)
    bench.open()

    first = bench.reply(seated(variant={"low": "yes"}))
    again = bench.reply(seated())
    known = bench.message(seated("m2", is_ready=True))

    assert [(ready.match_id, ready.seat) for ready in first.ready] == [("m1", 0)]
    assert [(ready.match_id, ready.seat) for ready in again.ready] == [("m1", 0)]
    assert known is None
    assert len(bench.made) == 2
    assert [Table("m1", GAME, 0, ("scribe", "other"), {"low": "yes"})] == bench.made[0].heard


def test_a_bundle_of_asks_is_answered_with_one_message() -> None:
    """Asks of several tables, and of two seats at one table, are decided by the bots that sit there."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated("m1", 0), seated("m1", 1), seated("m2", 0))

    sent = bench.reply(asked(1, "m1", 0), asked(2, "m1", 1), asked(3, "m2", 0))

    answers = [(answer.match_id, answer.seat, answer.ask, answer.option) for answer in sent.answers]
    assert answers == [("m1", 0, 1, 1), ("m1", 1, 2, 2), ("m2", 0, 3, 3)]
    assert [len(bot.asks) for bot in bench.made] == [1, 1, 1]


def test_an_ask_carries_clock_and_events() -> None:
    """Times arrive in seconds with the moment of arrival; events in the kernel's words, numbers as numbers."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated())
    events = [
        common_pb2.Event(verb=common_pb2.VERB_DREW, seat=1, subject="card", amount=2, numbers=[14, 32]),
        common_pb2.Event(verb=common_pb2.VERB_ORDER, seat=-1, subject="turn", words=["north", "-3"]),
        common_pb2.Event(verb=99, seat=0, subject="of a later protocol"),  # type: ignore[arg-type]
    ]

    bench.message(
        asked(bank_us=8_000_000, budget_us=2_000_000, charged_us=500_000, network_us=250, queued_us=40, events=events),
        at=50.0,
    )

    ask = bench.made[0].asks[0]
    expected = (
        Event(Verb.DREW, 1, "card", (14, 32), 2),
        Event(Verb.ORDER, -1, "turn", ("north", -3)),
    )
    assert (ask.clock.left, ask.clock.budget, ask.clock.charged, ask.clock.deadline) == (8.0, 2.0, 0.5, 52.0)
    assert expected == ask.events == bench.made[0].heard[-1]


def test_a_match_without_a_clock_has_none() -> None:
    """Absent times mean no limit, not zero."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated(), asked())

    clock = bench.made[0].asks[0].clock

    assert (clock.left, clock.budget, clock.deadline) == (None, None, None)


def test_a_game_that_the_kit_does_not_know_can_still_be_answered() -> None:
    """Its options are the bare indices; its view cannot be had, and the message says so."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated(), asked())
    ask = bench.made[0].asks[0]

    assert list(ask.options) == [0, 1, 2, 3, 4]
    with pytest.raises(UnknownName, match="unknown game in an ask"):
        _ = ask.view


def test_a_note_is_cut_to_the_referees_limit() -> None:
    """A note that is too long loses its end, never half a character."""

    class Wordy(Scribe):
        def decide(self, ask: AnyAsk) -> Option:
            ask.note("é" * 30 if ask.number == 1 else "short")
            return 0

    bench = Bench(Wordy)
    bench.open()
    bench.message(seated())

    notes = [bench.reply(asked(number)).answers[0].note for number in (1, 2)]

    assert notes == ["é" * 10, "short"]


def test_an_ask_that_comes_again_gets_the_same_answer_without_thinking() -> None:
    """After a break the referee sends open asks again; the answer is repeated, the bot is not asked twice."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated())
    first = bench.reply(asked(3))

    hello = bench.open(resumed=True)
    again = bench.reply(seated(is_ready=True), asked(3))

    assert hello.resume_token == "again"
    assert first.answers == again.answers
    assert 1 == len(bench.made) == len(bench.made[0].asks)


def test_what_was_not_sent_before_a_break_is_not_sent_after_it() -> None:
    """A new stream begins with hello alone: the referee says what it still wants."""
    bench = Bench(Scribe)
    bench.open()
    bench.session.decide(bench.session.receive(play_pb2.PlayResponse(seated=[seated()], asks=[asked()]), 0.0))

    bench.open(resumed=True)

    assert bench.session.take() is None


def test_tables_that_the_referee_forgot_are_given_up() -> None:
    """A welcome with another resume token means that nothing of before is going on, and people are told."""
    bench = Bench(Scribe, matches=1)
    bench.open()
    bench.message(seated())
    before = bench.session.done

    bench.open(token="another")

    assert (before, bench.session.done) == (False, True)
    assert "the referee has forgotten 1 running matches" in bench.lines
    assert bench.session.resume_token == "another"


def test_matches_that_ended_while_the_bot_was_away_are_told_when_it_is_back() -> None:
    """The referee has no table left for the bot but remembers it: the missed end still reaches the bot."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated())

    bench.open(resumed=False)
    bench.message(over())

    assert bench.made[0].heard[-1] == Result((1, 2), (9, 4), "end")
    assert bench.session.finished == 1


def test_a_new_process_resumes_with_a_remembered_token() -> None:
    """A session that knows only the token says it in its first hello, and gets a bot for the table that runs."""
    bench = Bench(Scribe)
    session = bench.session = ClientSession(Profile(name="scribe"), bench._make(Scribe), bench.lines.append, "kept")
    hello = session.hello().hello

    sent = bench.reply(seated(is_ready=True), asked(7))

    assert hello.resume_token == "kept"
    assert [(answer.ask, answer.option) for answer in sent.answers] == [(7, 2)]


def test_the_end_of_a_match_is_told_and_the_bot_let_go() -> None:
    """The bot hears the result in the kernel's words; a stopped match has none."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated("m1"), seated("m2"))

    bench.message(over("m1"), play_pb2.Over(match_id="m2"))
    bench.message(over("m1"))

    assert [Result((1, 2), (9, 4), "end"), None] == [bot.heard[-1] for bot in bench.made]
    assert bench.session.finished == 2
    assert any("place 1 of 2, 9 points" in line for line in bench.lines)


def test_a_bot_knows_whether_something_is_left_to_resume() -> None:
    """Before a welcome a match may be waiting from an earlier process; after it, the running tables count."""
    bench = Bench(Scribe)
    states = [bench.session.idle]
    bench.open()
    states.append(bench.session.idle)
    bench.message(seated())
    states.append(bench.session.idle)
    bench.message(over())
    states.append(bench.session.idle)

    assert states == [False, True, False, True]


def test_a_bot_leaves_after_the_wanted_matches() -> None:
    """At the last wanted seat it asks for no further tables, and it is done when all its matches are over."""
    bench = Bench(Scribe, matches=2, tables=5)
    hello = bench.open()
    first = bench.reply(seated("m1"))
    last = bench.reply(seated("m2"))
    bench.open(resumed=True)
    resumed = bench.session.take()
    assert resumed is not None
    bench.message(over("m1"))
    before = bench.session.done
    bench.message(over("m2"))

    assert hello.tables == 2
    assert (first.HasField("availability"), last.HasField("availability")) == (False, True)
    assert last.availability.tables == 0
    assert resumed.HasField("availability")
    assert (before, bench.session.done) == (False, True)


def test_an_exception_is_reported_and_the_other_tables_go_on() -> None:
    """The ask without an answer is left to the referee's clock; the report has the trace and the ask's place."""
    bench = Bench(Faulty)
    bench.open()
    bench.message(seated("m1"), seated("m2"))

    sent = bench.reply(asked(2, "m1"), asked(3, "m2"))
    later = bench.reply(asked(3, "m1"))

    assert [answer.match_id for answer in sent.answers] == ["m2"]
    assert [answer.match_id for answer in later.answers] == ["m1"]
    report = bench.lines[-1]
    assert "ask 2 of a_game_of_tomorrow: choose, 5 options, seat 0, match m1" in report
    assert "RuntimeError: out of ideas" in report
    assert "raise RuntimeError" in report


def test_a_foreign_answer_is_reported_like_an_exception() -> None:
    """An answer that is no option never reaches the referee."""

    class Wild(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            return 17

    bench = Bench(Wild)
    bench.open()
    bench.message(seated())

    assert not bench.reply(asked()).answers
    assert "17 is no answer to ask 1" in bench.lines[-1]
    assert "an index from 0 to 4" in bench.lines[-1]


def test_a_bot_that_cannot_be_seated_is_not_ready_and_may_try_again() -> None:
    """An exception while loading is reported, no ready is sent, and the table offered again gets a fresh bot."""

    class Heavy(Scribe):
        def seated(self, table: Table) -> None:
            if len(bench.made) == 1:
                raise OSError("no such model")

    bench = Bench(Heavy)
    bench.open()

    first = bench.reply(seated())
    second = bench.reply(seated())

    assert not first.ready
    assert "OSError: no such model" in bench.lines[-1]
    assert len(second.ready) == 1
    assert len(bench.made) == 2


@pytest.mark.parametrize("by_table", [True, False])
def test_in_development_the_first_exception_stops_everything(by_table: bool) -> None:
    """Both a bot run for development and a table for it stop loudly, with the cause."""
    bench = Bench(Faulty, development=not by_table)
    bench.open()
    bench.message(seated(development=by_table))

    with pytest.raises(BotFailed, match="RuntimeError: out of ideas") as caught:
        bench.message(asked(2))

    assert isinstance(caught.value.__cause__, RuntimeError)


def test_in_development_a_counted_fault_stops_everything() -> None:
    """What counts against the seat is an error there, and a line elsewhere."""
    fault = play_pb2.Fault(
        code=play_pb2.FAULT_CODE_LATE, match_id="m1", ask=4, message="no answer in time", counted=True
    )
    plain, strict = Bench(Scribe), Bench(Scribe, development=True)
    plain.open()
    strict.open()
    plain.message(fault)

    with pytest.raises(BotFailed, match="match m1, seat 0, ask 4: no answer in time"):
        strict.message(fault)
    assert plain.lines[-1] == "fault: match m1, seat 0, ask 4: no answer in time"


@pytest.mark.parametrize("code", ["DUPLICATE", "STALE", "UNKNOWN_MATCH"])
def test_echoes_of_repeated_answers_are_no_news(code: str) -> None:
    """Answers sent again after a break may meet an ask that is closed; nobody needs to hear of it."""
    bench = Bench(Scribe)
    bench.open()
    before = list(bench.lines)

    bench.message(play_pb2.Fault(code=f"FAULT_CODE_{code}", match_id="m1", ask=1, message="no use"))

    assert before == bench.lines


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("VERSION", Next.REFUSED),
        ("UNAUTHENTICATED", Next.REFUSED),
        ("BAD_HELLO", Next.REFUSED),
        ("TAKEN_OVER", Next.STOP),
        ("SHUTDOWN", Next.STOP),
        ("RATE", Next.RESUME),
        ("SILENT", Next.RESUME),
        ("FULL", Next.RESUME),
        ("NAME_TAKEN", Next.REFUSED),
        ("NO_GAME", Next.REFUSED),
        ("REVOKED", Next.REFUSED),
        ("KICKED", Next.REFUSED),
        ("RESTARTING", Next.RESUME),
        ("REDIRECTED", Next.RESUME),
        ("UNKNOWN_RESUME", Next.RESUME),
    ],
)
def test_a_closing_fault_says_what_to_do_next(code: str, expected: Next) -> None:
    """Some ends are final, some are good, and after all others the tables are resumed."""
    bench = Bench(Scribe)
    bench.open()

    bench.message(play_pb2.Fault(code=f"FAULT_CODE_{code}", message="because", closes_stream=True))
    closing = bench.session.closing

    assert closing is not None
    assert (expected, "because") == (closing.next, closing.message)
    assert bench.session.hello().hello.resume_token == ("" if code == "UNKNOWN_RESUME" else "again")
    assert bench.session.closing is None


def test_an_unknown_closing_code_lets_the_bot_come_back() -> None:
    """A later version's word that the stream ends, with nothing else in it."""
    bench = Bench(Scribe)
    bench.open()

    later: play_pb2.FaultCode = 99  # type: ignore[assignment]
    bench.message(play_pb2.Fault(code=later, closes_stream=True))
    closing = bench.session.closing

    assert closing is not None
    assert (closing.next, closing.code) == (Next.RESUME, 99)
    assert closing.message == "the referee closes the stream with code 99"


def test_a_closing_fault_carries_address_and_pause() -> None:
    """Where to dial and how many seconds to wait, and a message of several lines as one."""
    bench = Bench(Scribe)
    bench.open()

    bench.message(
        play_pb2.Fault(
            code=play_pb2.FAULT_CODE_REDIRECTED,
            message="your tables\nare \x1b[31melsewhere",
            address="cup:7401",
            retry_after_us=2_500_000,
            closes_stream=True,
        )
    )
    closing = bench.session.closing

    assert closing is not None
    assert (closing.address, closing.retry_after) == ("cup:7401", 2.5)
    assert closing.message == "your tables are [31melsewhere"


def test_the_welcome_says_the_name() -> None:
    """With a token the hello has none; what is reported is the name that the referee knows the bot by."""
    bench = Bench(Scribe, name="")
    hello = bench.open()

    assert hello.name == ""
    assert bench.session.name == "scribe"
    assert bench.lines[-1].startswith("scribe connected")


def test_tables_are_kept_when_a_restarted_referee_gives_them_back_under_another_token() -> None:
    """What counts is that they were resumed; the new token is the one to come back with."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated())
    first = bench.reply(asked(3))

    bench.open(resumed=True, token="of the new referee")
    again = bench.reply(seated(is_ready=True), asked(3))

    assert first.answers == again.answers
    assert len(bench.made) == 1
    assert bench.session.hello().hello.resume_token == "of the new referee"


def test_randomness_is_one_generator_per_match() -> None:
    """With a seed it grows from seed, match and seat; the bot's own seed stands in for a missing one."""

    class Seeded(Scribe):
        seed = "own"

    benches: list[Bench[Scribe]] = [Bench(Scribe, seed=7), Bench(Seeded)]
    numbers = []
    for bench in benches:
        bench.open()
        bench.message(seated("m1"), asked(1))
        bench.message(asked(2))
        first, second = bench.made[0].asks
        assert first.rng is second.rng
        numbers.append(first.rng.random())

    assert [Random("7/m1/0").random(), Random("own/m1/0").random()] == numbers


def test_a_ping_is_returned_with_its_nonce() -> None:
    """The reply needs no session, so it can be given while the bot thinks."""
    reply = pong(play_pb2.PlayResponse(ping=play_pb2.Ping(nonce=2**63 + 5)))

    assert reply is not None
    assert reply.pong.nonce == 2**63 + 5
    assert pong(play_pb2.PlayResponse(asks=[asked()])) is None
