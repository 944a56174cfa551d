"""Boards that tell what a view hides, or that leave people without a way to choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.kernel.board import Board, Choice, Part, Section
from referee.kernel.chance import Chance
from referee.kernel.game import Event, Option, Seat
from referee.kernel.plain import Plain
from tests.conformance import toy_board as sound
from tests.conformance.breaches.breach import Breach, Breaches
from tests.conformance.breaches.of_secrets import TellsEverybody, sly
from tests.conformance.toy import Answers, OptionLists, State, Toy, View
from tests.conformance.toy_board import but

BREACHES = Breaches()
Made = Callable[[], Board[View]]


def breaks(law: str, complaint: str, game: type[Toy] = Toy) -> Callable[[Made], Made]:
    """Declare that a board breaks a law, and what the law must say about it."""

    def declare(made: Made) -> Made:
        BREACHES.append(Breach(game, law, complaint, board=made))
        return made

    return declare


class ViewsHideTheDeck(Toy):
    """A view carries the deck where comparisons do not look."""

    def view(self, state: State, seat: Seat | None) -> View:
        return sly(super().view(state, seat), tuple(state.deck))


def _deck(view: View) -> tuple[int, ...]:
    found: tuple[int, ...] = getattr(view, "unseen", ())
    return found


@breaks("boards_tell_nothing", "a board says something else to", ViewsHideTheDeck)
def describes_the_deck() -> Board[View]:
    """The description names the next card."""
    return but(describe=lambda view: (*sound.describe(view), Section("Next", (), ((f"card {_deck(view)[-1:]}",),))))


@breaks("boards_tell_nothing", "['facts']", ViewsHideTheDeck)
def counts_the_deck() -> Board[View]:
    """A figure hangs on the order of the deck."""

    def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
        return {**sound.facts(view, events), "luck": sum(_deck(view)[-2:])}

    return but(facts=facts)


@breaks("boards_tell_nothing", "in another order of keys", ViewsHideTheDeck)
def orders_by_the_deck() -> Board[View]:
    """The same facts, the keys in an order that hangs on the next card."""

    def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
        found = sound.facts(view, events)
        return dict(reversed(found.items())) if sum(_deck(view)[-1:]) % 2 else found

    return but(facts=facts)


@breaks("boards_tell_nothing", "['choices ", ViewsHideTheDeck)
def places_by_the_deck() -> Board[View]:
    """What a drawing needs for a target names the next card."""

    def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
        found = sound.choices(view, kind, options)
        return [
            choice._replace(path=tuple(part._replace(place={"next": sum(_deck(view)[-1:])}) for part in choice.path))
            for choice in found
        ]

    return but(choices=choices)


@breaks("boards_tell_nothing", "['question ", ViewsHideTheDeck)
def asks_by_the_deck() -> Board[View]:
    """A question is asked in other words before a high card."""
    return but(question=lambda view, kind: sound.question(view, kind) + ("?" if sum(_deck(view)[-1:]) > 16 else ""))


@breaks("boards_tell_nothing", "['answers ", ViewsHideTheDeck)
def answers_by_the_deck() -> Board[View]:
    """An option is named otherwise before a high card."""
    return but(answer=lambda view, kind, option: f"{sound.answer(view, kind, option)} {sum(_deck(view)[-1:]) > 16}")


@breaks("boards_tell_nothing", "['description']")
def remembers_the_last_hand() -> Board[View]:
    """The description has the hand that was described before, whoever holds it."""
    last: list[tuple[int, ...] | None] = [None]

    def describe(view: View) -> tuple[Section, ...]:
        before, last[0] = last[0], view.hand
        return (*sound.describe(view), Section("Before", (), ((str(before),),)))

    return but(describe=describe)


class DrawsAreHeard(TellsEverybody):
    """What a seat draws is told to all, as in the breach of events."""

    def apply(self, state: State, answers: Answers, chance: Chance, *options: OptionLists) -> list[Event]:
        return super().apply(state, answers, chance, *options)


@breaks("boards_say_no_more_than_a_seat_sees", "['facts']", DrawsAreHeard)
def shows_what_it_hears() -> Board[View]:
    """Facts list the cards of events."""

    def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
        return {**sound.facts(view, events), "heard": [item for event in events for item in event.items]}

    return but(facts=facts)


@breaks("boards_say_no_more_than_a_seat_sees", "['events']")
def numbers_events() -> Board[View]:
    """The words of an event count how many were told so far, to anyone."""
    told = [0]

    def event(event: Event) -> str:
        told[0] += 1
        return f"{sound.event(event)} ({told[0]})"

    return but(event=event)


def chosen(change: Callable[[list[Choice]], list[Choice]]) -> Board[View]:
    """A board whose choices are changed."""
    return but(choices=lambda view, kind, options: change(list(sound.choices(view, kind, options))))


@breaks("choices_are_the_options", "choices of")
def leaves_one_out() -> Board[View]:
    """The last option cannot be chosen."""
    return chosen(lambda choices: choices[:-1])


@breaks("choices_are_the_options", "is answered as")
def turns_the_list() -> Board[View]:
    """The choices stand in another order than the options."""
    return chosen(lambda choices: choices[::-1])


@breaks("choices_are_the_options", "two options are")
def calls_all_the_same() -> Board[View]:
    """Every option has the same words."""

    def choices(view: View, kind: str, options: Sequence[Option]) -> Sequence[Choice]:
        return [choice._replace(words="this one") for choice in sound.choices(view, kind, options)]

    return but(choices=choices, answer=lambda view, kind, option: "this one")


@breaks("choices_are_the_options", "lead to one option and begin")
def loses_the_number() -> Board[View]:
    """All stalls of a street have the same clicks."""
    return chosen(lambda choices: [choice._replace(path=choice.path[:1]) for choice in choices])


@breaks("choices_are_the_options", "lead to one option and begin")
def ends_on_the_way() -> Board[View]:
    """The first stall of a street is chosen by the street alone, which begins the others."""
    return chosen(lambda choices: [choices[0]._replace(path=choices[0].path[:1]), *choices[1:]])


@breaks("choices_are_the_options", "has no click")
def clicks_nothing() -> Board[View]:
    """The first option has no click."""
    return chosen(lambda choices: [choices[0]._replace(path=()), *choices[1:]])


@breaks("choices_are_the_options", "is two buttons")
def two_buttons() -> Board[View]:
    """The button of a street says which of its stalls it leads to."""

    def named(choice: Choice) -> Choice:
        first, *others = choice.path
        return choice._replace(path=(Part(first.key, f"{first.words}: {choice.words}"), *others))

    return chosen(lambda choices: [named(choice) for choice in choices])


@breaks("choices_are_the_options", "is no line of text")
def has_buttons_without_words() -> Board[View]:
    """A button has no words."""
    return chosen(
        lambda choices: [
            choice._replace(path=tuple(part._replace(words="") for part in choice.path)) for choice in choices
        ]
    )


def figures(change: Callable[[dict[str, Any]], object]) -> Board[View]:
    """A board whose facts are changed."""

    def facts(view: View, events: Sequence[Event]) -> dict[str, Plain]:
        found = sound.facts(view, events)
        change(found)
        return found

    return but(facts=facts)


@breaks("boards_are_plain_words_and_figures", "facts are no plain data")
def shows_tuples() -> Board[View]:
    """A fact is a tuple, which JSON does not have."""
    return figures(lambda facts: facts.update(free=tuple(facts["free"])))


@breaks("boards_are_plain_words_and_figures", "points for")
def has_no_points() -> Board[View]:
    """There are no points by category."""
    return figures(lambda facts: facts.pop("points"))


@breaks("boards_are_plain_words_and_figures", "have rows of")
def forgets_a_seat() -> Board[View]:
    """A category leaves out the last seat."""
    return figures(lambda facts: facts["points"][0]["points"].pop())


@breaks("boards_are_plain_words_and_figures", "have the categories")
def names_a_category_twice() -> Board[View]:
    """Two categories have one name."""
    return figures(lambda facts: facts["points"][0].update(category=sound.CATEGORIES[1]))


@breaks("boards_are_plain_words_and_figures", "cells and 3 columns")
def writes_beside_the_table() -> Board[View]:
    """A row has a cell more than there are columns."""
    wide = Section("Wide", ("a", "b", "c"), (("1", "2", "3", "4"),))
    return but(describe=lambda view: (*sound.describe(view), wide))


@breaks("boards_are_plain_words_and_figures", "has the titles")
def repeats_a_title() -> Board[View]:
    """Two parts of the board have one title."""
    return but(describe=lambda view: sound.describe(view)[:1] * 2)


@breaks("boards_are_plain_words_and_figures", "is no question")
def asks_nothing() -> Board[View]:
    """A question is empty."""
    return but(question=lambda view, kind: "")


@breaks("boards_are_plain_words_and_figures", "are no words for")
def says_nothing() -> Board[View]:
    """An event has no words."""
    return but(event=lambda event: "")


@breaks("points_by_category_add_up", "categories add up to")
def counts_the_prize_twice() -> Board[View]:
    """The points of a category are one too many."""

    def more(facts: dict[str, Any]) -> None:
        facts["points"][0]["points"][0] += 1

    return figures(more)
