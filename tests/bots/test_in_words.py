"""Asks in words: options by number and by words, near misses, searching, and nothing beyond the seat's view."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bots.ask import AnyAsk, Ask, Table
from bots.clock import AskClock
from bots.in_words import WordedAsk, event_line, section_lines
from bots.seated_bot import clock_of
from referee.games.honshu.state import PLACE, PLAY2
from referee.kernel import registry
from referee.kernel.board import Section
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import TABLE, Event, Verb, settle_variant
from referee.kernel.turns import advance, settle

PLAYERS = ("alice", "bob")


class Given:
    """A source with a view and options."""

    def __init__(self, view: Any, options: Any) -> None:
        self.view = view
        self.options = options


def ask_of(name: str, number: int, kind: str, view: Any, options: Any, seat: int, clock: AskClock) -> AnyAsk:
    table = Table("m1", name, seat, PLAYERS)
    return Ask(table, number, kind, len(options), Given(view, options), rng=Random(1), clock=clock)


def asks(name: str, seed: int = 7, most: int = 60) -> Iterator[AnyAsk]:
    """The asks of a match of two seats that answer at random."""
    game, rng = registry.game(name), Random(seed)
    chance = Fast(seed)
    state = game.start(2, settle_variant(game, 2, {}), chance)
    turn = settle(game, state, chance, [])
    number = 0
    while turn.asks and number < most:
        for ask in turn.asks:
            number += 1
            view = game.view(state, ask.seat)
            yield ask_of(name, number, ask.kind, view, turn.options[ask.seat], ask.seat, AskClock())
        answers = {ask.seat: rng.choice(turn.options[ask.seat]) for ask in turn.asks}
        advance(game, state, turn, answers, chance, [])
        turn = settle(game, state, chance, [])


def shown(name: str, kind: str) -> WordedAsk:
    """The first ask of a kind."""
    return next(WordedAsk(ask) for ask in asks(name) if ask.kind == kind)


def everything(worded: WordedAsk) -> list[str]:
    """All that an ask says in words."""
    return [
        *worded.heading(),
        *worded.board(),
        *worded.listed(range(worded.ask.count)),
        worded.groups(),
    ]


@pytest.mark.parametrize("name", registry.names())
def test_every_option_is_found_by_its_number_and_by_its_words(name: str) -> None:
    """The number always names it; its words do where no other option reads so, in any case, spacing and quotes."""
    kinds = set()
    for ask in asks(name):
        worded = WordedAsk(ask)
        kinds.add(ask.kind)
        lines = list(worded.listed(range(ask.count)))
        words = [worded.words(index) for index in range(ask.count)]
        assert len(lines) == ask.count
        for index in range(0, ask.count, max(1, ask.count // 15)):
            assert worded.found(f" {index} ") == worded.found(f"option {index}") == index
            assert worded.found(f"{index}: {words[index]}") == index
            assert index in worded.matching(words[index])
            if words.count(words[index]) == 1:
                assert worded.found(words[index]) == worded.found(f'"{words[index].upper()}."') == index

    assert len(kinds) >= 2


@pytest.mark.parametrize("name", registry.names())
def test_the_words_of_an_ask_are_those_of_every_world_that_looks_the_same(name: str) -> None:
    """Text, options and groups are the same to the letter where only what the seat may not know differs."""
    game, chance = registry.game(name), Fast(3)
    for ask in list(asks(name))[::4]:
        if ask.kind in game.secret_choices:
            continue
        world = game.determinise(ask.view, chance)
        other = ask_of(name, ask.number, ask.kind, game.view(world, ask.seat), ask.options, ask.seat, AskClock())
        assert everything(WordedAsk(other)) == everything(WordedAsk(ask))


def test_near_misses_are_answered_with_what_was_probably_meant() -> None:
    """Part of the words, words with a slip, a number out of range, a number with words of another option, nonsense."""
    worded = shown("honshu", PLAY2)
    cards = worded.words(0), worded.words(1)

    for text, said in [
        ("card", f"did you mean 0: {cards[0]}"),
        (cards[0].replace("card", "crad"), cards[0]),
        ("99", f"there is no option 99: the options have the numbers 0 to {worded.ask.count - 1}"),
        (f"0: {cards[1]}", f"the number 0 and its words name two options: option 0 is '{cards[0]}'"),
        ("resign!", "give the number of an option, or its words as they are listed"),
        ("-1", "is no option of ask"),
        ("x" * 500, "..."),
    ]:
        with pytest.raises(IllegalAnswer, match=r".") as caught:
            worded.found(text)
        assert said in str(caught.value)
        assert len(str(caught.value)) < 400
        assert "\n" not in str(caught.value)


def test_words_that_name_several_options_are_not_guessed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal lists the numbers of all of them."""
    worded = shown("honshu", PLAY2)
    same = [choice._replace(words="card 7") for choice in worded.choices]
    monkeypatch.setattr(worded, "_choices", same)

    with pytest.raises(IllegalAnswer, match="'Card 7' names several options: give the number of one of them, 0, 1, 2"):
        worded.found("Card 7")
    assert worded.found("2") == 2


def test_a_search_takes_numbers_whole_and_words_by_their_beginning() -> None:
    """`row 1` finds no row 11 and no row -1, and `turn` finds what is turned either way."""
    worded = shown("honshu", PLACE)
    texts = [worded.words(index) for index in range(worded.ask.count)]

    found = worded.matching("left row 1,")
    assert 0 < len(found) < worded.ask.count
    assert all("turned left" in texts[index] for index in found)
    assert all(" 1" in texts[index] for index in found)
    assert set(worded.matching("turned")) == {index for index, text in enumerate(texts) if "turned" in text}
    assert worded.matching("") == list(range(worded.ask.count))
    assert worded.matching("no such words") == []
    assert "turned left (" in worded.groups()


def test_the_clock_is_told_in_seconds() -> None:
    """What is left for the decision and for the match, and an equal share; nothing without a clock."""
    table = Table("m1", "honshu", 0, PLAYERS)
    ask = next(asks("honshu"))
    started = 1e9  # far ahead of now, so that no second has passed
    clock = clock_of(table, 1, 300_000_000, 30_000_000, None, started)
    timed = ask_of("honshu", 1, ask.kind, ask.view, ask.options, 0, clock)

    assert list(WordedAsk(ask).time()) == []
    (line,) = WordedAsk(timed).time()
    assert line.startswith("Time: ")
    assert "for this decision" in line
    assert "for the rest of the match" in line


def test_events_and_sections_are_lines_that_name_who_did_it() -> None:
    """Seats count from 1 and carry their bots; the table acts without a name; columns stand under each other."""
    table = Table("m1", "honshu", 1, PLAYERS)

    assert event_line(table, Event(Verb.SCORED, 0, "forest", amount=4)) == "seat 1 (alice) scored 4 points for forest"
    assert event_line(table, Event(Verb.SCORED, 1, "forest", amount=4)) == "seat 2 (you) scored 4 points for forest"
    assert "seat 1" not in event_line(table, Event(Verb.PHASE, TABLE, "round", (2,)))
    assert list(section_lines([Section("Hand", ("card", "face"), (("6", "L"), ("16", "T")))])) == [
        "Hand",
        "  card  face",
        "  6     L",
        "  16    T",
    ]
