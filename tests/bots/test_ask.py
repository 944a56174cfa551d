"""What a bot is asked, and which answers count."""

from __future__ import annotations

from random import Random

import pytest

from bots.ask import AnyAsk, Ask, Given, Source, Table
from bots.bot import Bot
from bots.clock import UNLIMITED, AskClock
from bots.seated_bot import SeatedBot, Spent
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer, UnknownName
from referee.kernel.game import Event, Option, Verb
from tests.bots.duel import Asked
from tests.bots.toys import GAME, PLAYS, Play, View

TABLE = Table("m1", GAME.name, 1, ("a", "b"), {"low": "no"})
VIEW = View(1, (3, 8, 12), (0, 0), ())
OPTIONS = [PLAYS[card] for card in VIEW.hand]


class Untouchable:
    """A source that must not be used."""

    @property
    def view(self) -> object:
        raise AssertionError("the view was decoded")

    @property
    def options(self) -> list[Option]:
        raise AssertionError("the options were decoded")


class Whole:
    """A whole number of another library, as an array's `argmax` returns it."""

    def __index__(self) -> int:
        return 2

    def __repr__(self) -> str:
        return "Whole()"


def ask(count: int = 3, source: Source[object] | None = None, seed: int = 1) -> AnyAsk:
    return Ask(TABLE, 4, "play_card", count, source or Given(VIEW, OPTIONS), rng=Random(seed))


@pytest.mark.parametrize(("choice", "expected"), [(0, 0), (2, 2), (Whole(), 2), (PLAYS[8], 1), (Play(12), 2)], ids=str)
def test_an_answer_is_an_option_or_its_index(choice: Option, expected: int) -> None:
    """Indices, number-like values and options, equal ones included, all name an answer."""
    actual = ask().index(choice)

    assert expected == actual


@pytest.mark.parametrize("choice", [True, False, 3, -1, None, "0", 1.0, (8, 8), PLAYS[4]], ids=repr)
def test_anything_else_is_an_error_that_says_what_would_be_right(choice: Option) -> None:
    """A bool, a number out of range and a foreign value are refused with the ask's place and the option count."""
    with pytest.raises(IllegalAnswer) as caught:
        ask().index(choice)

    assert "ask 4 (play_card) of seat 1 in match m1" in str(caught.value)
    assert "an index from 0 to 2" in str(caught.value)


def test_a_bot_that_needs_only_the_count_decodes_nothing() -> None:
    """Neither the count nor an answer by index touches the view or the options."""
    blind = ask(60, Untouchable())

    assert blind.index(blind.count - 1) == 59
    assert "60 options" in repr(blind)


def test_worlds_look_like_the_view(tricks: str) -> None:
    """Every sampled state gives the seat exactly its view, and the samples differ in what is hidden."""
    worlds = list(ask().worlds(20))

    assert [GAME.view(world, 1) for world in worlds] == [VIEW] * 20
    assert len({tuple(world.hands[0]) for world in worlds}) > 10


def test_worlds_are_reproducible_with_a_seed(tricks: str) -> None:
    """Equal seeds give equal worlds."""
    expected, actual = list(ask(seed=5).worlds(5)), list(ask(seed=5).worlds(5))

    assert expected == actual
    assert expected != list(ask(seed=6).worlds(5))


def test_an_unknown_game_is_named_when_its_rules_are_wanted() -> None:
    """A table of a game that is not installed can be sat at; only its rules cannot be had."""
    stranger = Table("m1", "go", 0)

    with pytest.raises(UnknownName, match="unknown game 'go'"):
        _ = stranger.game


def test_a_clock_says_when_the_answer_is_due() -> None:
    """The deadline is the arrival plus the budget, and there is none without a clock."""
    clock = AskClock(left=10.0, budget=2.5, received=100.0)

    assert clock.deadline == 102.5
    assert clock.remaining == 0.0
    assert (UNLIMITED.deadline, UNLIMITED.remaining) == (None, None)


class Listening(Bot):
    """Writes down what it hears and answers with the last option."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def seated(self, table: Table) -> None:
        self.heard.append(table.seat)

    def told(self, events: object) -> None:
        self.heard.append(events)

    def decide(self, ask: AnyAsk) -> Option:
        self.heard.append((ask.kind, ask.view, ask.clock.left, ask.clock.budget, ask.clock.charged))
        ask.note("it was the last one")
        return ask.options[-1]


def test_a_player_passes_on_what_a_driver_asks() -> None:
    """The bot hears of the table, the events, then the ask in seconds; its answer comes back as an index and a note."""
    bot = Listening()
    player = SeatedBot(bot, TABLE)
    events = (Event(Verb.PHASE, -1, "trick", (2,)),)
    player.seated()

    spent = Spent(charged=250_000, network=1_000, queued=2_000)
    index = player(Asked(1, "play_card", OPTIONS, VIEW, events, left=4_000_000, budget=1_500_000, timing=spent))

    assert index == 2
    assert player.note == "it was the last one"
    assert [1, events, ("play_card", VIEW, 4.0, 1.5, 0.25)] == bot.heard


def test_a_players_randomness_grows_from_the_seed() -> None:
    """The bot's own seed fixes its generator; a seed given for the table comes first."""
    bot = Bot()
    bot.seed = 7

    assert Random(7).random() == SeatedBot(bot, TABLE).rng.random()
    assert Random("x").random() == SeatedBot(bot, TABLE, "x").rng.random()


def test_a_bot_without_decide_says_so() -> None:
    """Forgetting the one method that matters is a clear error."""

    class Empty(Bot):
        pass

    with pytest.raises(NotImplementedError, match="Empty has no method decide"):
        SeatedBot(Empty(), TABLE).decide(ask())


def test_the_toy_is_a_fair_game() -> None:
    """The tests' own game deals three cards to each and ends."""
    state = GAME.start(3, {"low": "no"}, Fast(1))

    assert [len(hand) for hand in state.hands] == [3, 3, 3]
    assert GAME.result(state) is None
