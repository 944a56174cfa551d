"""What a session tells people, the bot and the referee beside the play: an organiser's acts, ratings, failures."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.ask import AnyAsk, Table
from bots.bot import Rating
from referee.kernel.game import Event, Option, Result
from referee.v1 import play_pb2
from tests.bots.bench import Bench, Faulty, Scribe, asked, over, seated


@pytest.mark.parametrize("code", ["VOIDED", "PAUSED", "SET_ASIDE"])
def test_what_an_organiser_did_is_reported_and_ends_nothing(code: str) -> None:
    """One line without the word fault, also in development: the bot has nothing to mend."""
    bench = Bench(Scribe, development=True)
    bench.open()
    bench.message(seated())

    bench.message(play_pb2.Fault(code=f"FAULT_CODE_{code}", match_id="m1", message="an organiser says so"))

    assert bench.lines[-1] == "match m1: an organiser says so"
    assert bench.session.closing is None


def test_a_paused_ask_that_comes_again_is_answered_again() -> None:
    """The pause changes nothing for the bot: the answer that it gave is repeated, an ask without one is decided."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated())
    first = bench.reply(asked(3))
    bench.message(play_pb2.Fault(code=play_pb2.FAULT_CODE_PAUSED, match_id="m1", message="paused"))

    again, next_one = bench.reply(asked(3)), bench.reply(asked(4))

    assert first.answers == again.answers
    assert [answer.ask for answer in next_one.answers] == [4]


def rated_over(**rating: float) -> play_pb2.Over:
    message = over()
    message.ratings.add(**rating)
    message.ratings.add(rating_before=1500, rating_after=1488, games=3)
    return message


def test_a_rated_match_tells_people_and_bot_how_the_rating_moved() -> None:
    """The line has rating, games and rank; the bot hears of it before the end, and of nothing without a rating."""

    class Proud(Scribe):
        def rated(self, rating: Rating) -> None:
            self.heard.append(rating)

    bench = Bench(Proud)
    bench.open()
    bench.message(seated("m1"))
    bench.message(rated_over(rating_before=1511.6, rating_after=1524.2, deviation=40.0, games=12, rank=3))
    bench.message(seated("m2"), over("m2"))

    moved = "match m1 (a_game_of_tomorrow) is over: place 1 of 2, 9 points; rating 1512 -> 1524, 12 games, rank 3"
    assert moved in bench.lines
    assert bench.made[0].heard[1:] == [Rating(1511.6, 1524.2, 40.0, 12, 3), Result((1, 2), (9, 4), "end")]
    assert bench.made[1].heard[1:] == [Result((1, 2), (9, 4), "end")]


def test_a_bot_without_a_rank_is_said_to_have_none() -> None:
    """A rank of 0 is no rank."""
    bench = Bench(Scribe)
    bench.open()
    bench.message(seated("m1"))
    bench.message(rated_over(rating_before=1500, rating_after=1512, games=1))

    assert bench.lines[-1].endswith("; rating 1500 -> 1512, 1 game, not ranked yet")


def test_a_failure_is_told_to_the_referee_in_one_line() -> None:
    """Match, seat, ask, type and message, cut to the limit of a note; never the trace."""

    class Failing(Scribe):
        def decide(self, ask: AnyAsk) -> Option:
            raise ValueError("no\nsuch \udcff card" + "!" * 100)

        def over(self, result: Result | None) -> None:
            raise KeyError("pond")

    bench = Bench(Failing)
    bench.open()
    bench.message(seated("m1", 1))
    (decided,) = bench.reply(asked(4, "m1", 1)).failures
    (ended,) = bench.reply(over("m1", 1)).failures

    assert (decided.match_id, decided.seat, decided.ask) == ("m1", 1, 4)
    assert decided.message == "ValueError: no such card!!!!"[:20]
    assert (ended.match_id, ended.seat, ended.ask, ended.message) == ("m1", 1, 0, "KeyError: 'pond' (te")


def test_an_exception_that_cannot_even_be_printed_is_told_by_its_type() -> None:
    """What an author's class does when it is made a text is the author's affair."""

    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    class Failing(Scribe):
        def decide(self, ask: AnyAsk) -> Option:
            raise Mute

    bench = Bench(Failing)
    bench.open()
    bench.message(seated())

    assert [failure.message for failure in bench.reply(asked()).failures] == ["Mute (test_session_n"]


def test_a_choice_that_cannot_be_compared_is_a_failure_and_no_end() -> None:
    """Looking for the answer among the options calls code of the bot's author, too."""

    class Odd:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("not comparable")

        def __hash__(self) -> int:
            return 0

    class Failing(Scribe):
        def decide(self, ask: AnyAsk) -> Option:
            return Odd()

    bench = Bench(Failing)
    bench.open()
    bench.message(seated())

    assert len(bench.reply(asked()).failures) == 1


def test_every_ask_that_cannot_be_answered_is_told_to_the_referee() -> None:
    """However often the bot fails: its tables need not wait for its clock."""
    bench = Bench(Faulty)
    bench.open()
    bench.message(seated())

    sent = [bench.reply(asked(2 * number), at=float(number)) for number in range(1, 31)]

    assert [failure.ask for message in sent for failure in message.failures] == [2 * number for number in range(1, 31)]


def test_failures_outside_of_decisions_are_told_at_most_twenty_times_a_minute() -> None:
    """A bot that fails at all news does not flood its referee; after a minute it may tell again."""

    class Deaf(Scribe):
        def told(self, events: Sequence[Event]) -> None:
            raise RuntimeError("no ears")

    bench = Bench(Deaf)
    bench.open()
    bench.message(seated())
    news = play_pb2.Told(match_id="m1", seat=0)

    sent = [bench.message(news, at=float(number)) for number in range(1, 31)]
    later = bench.reply(news, at=62.0)

    assert sum(len(message.failures) for message in sent if message is not None) == 20
    assert len(later.failures) == 1


def test_a_bundle_that_cannot_be_answered_is_a_failure_of_each_of_its_asks() -> None:
    """`decide_many` answers all of them or none."""

    class Many(Scribe):
        def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[Option]:
            raise RuntimeError("too many")

    shared = Many()
    bench = Bench(lambda: shared, tables=2)
    bench.open()
    bench.message(seated("m1"), seated("m2"))
    sent = bench.reply(asked(1, "m1"), asked(1, "m2"))

    assert [(failure.match_id, failure.ask) for failure in sent.failures] == [("m1", 1), ("m2", 1)]


def test_a_bot_that_failed_when_it_was_seated_says_so_at_each_ask() -> None:
    """The referee is told before the ready, and no ask waits for the clock."""

    class Standing(Scribe):
        def seated(self, table: Table) -> None:
            raise RuntimeError("no chair")

    bench = Bench(Standing)
    bench.open()
    sat = bench.reply(seated("m1"))
    sent = bench.reply(asked(3, "m1"))

    assert not sat.ready
    assert [(failure.ask, failure.message) for failure in sat.failures] == [(0, "RuntimeError: no cha")]
    assert [(failure.ask, failure.message) for failure in sent.failures] == [(3, "CannotPlay: RuntimeE")]
