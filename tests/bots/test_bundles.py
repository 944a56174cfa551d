"""Bots that decide many asks at once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.errors import BotFailed
from bots.seated_bot import SeatedBot
from referee.kernel.game import Event, Option
from referee.v1 import common_pb2, play_pb2
from tests.bots.bench import Bench, asked, over, seated
from tests.bots.test_ask import TABLE, ask


class Batch(Bot):
    """Answers every ask with the size of its bundle, and writes the bundles down."""

    def __init__(self) -> None:
        self.bundles: list[list[str]] = []
        self.heard: list[int] = []

    def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[Option]:
        self.bundles.append([given.match for given in asks])
        return [len(asks)] * len(asks)

    def told(self, events: Sequence[Event]) -> None:
        self.heard.append(len(events))


class Wrong(Batch):
    """Answers the second of its asks with nonsense."""

    def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[Option]:
        return [99 if at == 1 else 0 for at, _ in enumerate(asks)]


class Forgetful(Batch):
    """Forgets one answer."""

    def decide_many(self, asks: Sequence[AnyAsk]) -> Sequence[Option]:
        return [0] * (len(asks) - 1)


def answers(sent: play_pb2.PlayRequest) -> list[tuple[str, int]]:
    return [(answer.match_id, answer.option) for answer in sent.answers]


def test_one_object_at_many_tables_gets_all_asks_that_are_due_together() -> None:
    """Three tables of one bot make one bundle, and each ask gets its own answer."""
    bot = Batch()
    bench = Bench(lambda: bot, tables=3)
    bench.open()
    bench.message(*(seated(match) for match in ("m1", "m2", "m3")))

    sent = bench.reply(*(asked(1, match) for match in ("m1", "m2", "m3")))

    assert bot.bundles == [["m1", "m2", "m3"]]
    assert answers(sent) == [("m1", 3), ("m2", 3), ("m3", 3)]


def test_a_fresh_object_for_every_match_gets_bundles_of_its_own() -> None:
    """What sits at one table only is asked about that table only."""
    bench = Bench(Batch, tables=2)
    bench.open()
    bench.message(seated("m1"), seated("m2"))

    sent = bench.reply(asked(1, "m1"), asked(1, "m2"))

    assert [bot.bundles for bot in bench.made] == [[["m1"]], [["m2"]]]
    assert answers(sent) == [("m1", 1), ("m2", 1)]


def test_the_news_of_every_ask_in_a_bundle_is_told_before_it_is_decided() -> None:
    """The events that came with two asks are two tellings."""
    bot = Batch()
    bench = Bench(lambda: bot, tables=2)
    bench.open()
    bench.message(seated("m1"), seated("m2"))
    event = common_pb2.Event(verb=common_pb2.VERB_PHASE, subject="trick")

    bench.message(asked(1, "m1", events=[event]), asked(1, "m2", events=[event, event]))

    assert bot.heard == [1, 2]


def test_only_the_last_ask_of_a_seat_is_decided() -> None:
    """Of two asks that arrived while the bot was busy, the first has been answered by the clock."""
    bot = Batch()
    bench = Bench(lambda: bot, tables=2)
    bench.open()
    bench.message(seated("m1"), seated("m2"))

    sent = bench.reply(asked(1, "m1"), asked(1, "m2"), asked(2, "m1"))

    assert [(answer.match_id, answer.ask) for answer in sent.answers] == [("m1", 2), ("m2", 1)]


def test_an_ask_of_a_match_that_is_over_is_dropped_from_its_bundle() -> None:
    """The end of a match that came together with its ask leaves the other table's ask alone."""
    bot = Batch()
    bench = Bench(lambda: bot, tables=2)
    bench.open()
    bench.message(seated("m1"), seated("m2"))

    sent = bench.reply(asked(1, "m1"), asked(1, "m2"), over("m1"))

    assert answers(sent) == [("m2", 1)]


def test_one_wrong_answer_of_a_bundle_spoils_no_other() -> None:
    """Nonsense for one ask is reported and left to the referee's clock; the other answers are sent."""
    bot = Wrong()
    bench = Bench(lambda: bot, tables=3)
    bench.open()
    bench.message(*(seated(match) for match in ("m1", "m2", "m3")))

    sent = bench.reply(*(asked(1, match) for match in ("m1", "m2", "m3")))

    assert answers(sent) == [("m1", 0), ("m3", 0)]
    assert "99 is no answer to ask 1 (choose) of seat 0 in match m2" in bench.lines[-1]


def test_a_bundle_with_too_few_answers_is_an_error_that_counts_them() -> None:
    """Nobody can tell which answer is missing, so none is sent, and the report says how many there were."""
    bot = Forgetful()
    bench = Bench(lambda: bot, tables=2)
    bench.open()
    bench.message(seated("m1"), seated("m2"))

    sent = bench.reply(asked(1, "m1"), asked(1, "m2"))

    assert not sent.answers
    assert "decide_many gave 1 answers to 2 asks" in bench.lines[-1]
    assert "and 1 more" in bench.lines[-1]


def test_a_driver_in_process_gives_bundles_of_one() -> None:
    """A player passes each ask to `decide_many` by itself; a wrong number of answers is the bot's failure."""
    bot = Batch()

    assert SeatedBot(bot, TABLE).decide(ask()) == 1
    assert bot.bundles == [["m1"]]
    with pytest.raises(BotFailed, match="0 answers to 1 asks"):
        SeatedBot(Forgetful(), TABLE).decide(ask())


def test_a_bot_that_only_decides_can_be_asked_for_many() -> None:
    """`decide_many` without an override loops over `decide`."""

    class Last(Bot):
        def decide(self, ask: AnyAsk) -> Option:
            return ask.count - 1

    assert Last().decide_many([ask(3), ask(2)]) == [2, 1]
