"""Laws about what people are shown: figures and words follow from a view alone, and every option can be chosen.

A board is made of functions of a view, so it can tell a seat no more than the view does, unless it looks at what
comparisons of views leave out or remembers what it was shown before. Therefore everything that a board says to a viewer
is compared, to the byte, between the true state and the worlds that the viewer cannot tell from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.kernel.board import Board, Choice, Part, Section
from referee.kernel.game import Event, Option, Pending, Seat
from referee.kernel.plain import canonical, parse
from tests.conformance.journey import Journey, few
from tests.conformance.laws.law import Law, demand, demand_none
from tests.conformance.laws.secrets import imagined, looks
from tests.conformance.laws.telling import endings, told_to
from tests.conformance.values import differences

AnyBoard = Board[Any]
BoardLaw = Callable[[Journey, AnyBoard], None]


def of_boards(law: BoardLaw) -> Law:
    """A law that holds for each game that has a board."""

    def held(journey: Journey) -> None:
        if journey.table.board is not None:
            law(journey, journey.table.board)

    held.__name__ = law.__name__
    held.__doc__ = law.__doc__
    return held


def shown(
    board: AnyBoard, view: object, asks: Mapping[str, Sequence[Option]], events: Sequence[Event]
) -> dict[str, object]:
    """Everything that a board says to one viewer, from its view, the options of its asks by kind, and its events."""
    said: dict[str, object] = {"facts": board.facts(view, events), "description": board.describe(view)}
    for kind, options in asks.items():
        said[f"question {kind}"] = board.question(view, kind)
        said[f"choices {kind}"] = list(map(plain, board.choices(view, kind, options)))
        said[f"answers {kind}"] = [board.answer(view, kind, option) for option in options[:20]]
    said["events"] = [board.event(event) for event in events]
    return said


def plain(choice: Choice) -> tuple[object, ...]:
    """A choice as values that JSON can hold, in the order in which they were given."""
    return (choice.words, [(part.key, part.words, dict(part.place)) for part in choice.path], choice.brings)


def as_bytes(said: object) -> bytes:
    """What a board says as bytes; the order of keys counts."""
    return json.dumps(said, ensure_ascii=False).encode()


def asked(options: Mapping[Seat, Sequence[Option]], asks: Sequence[Pending], viewer: Seat | None) -> dict[str, Any]:
    """The options of a viewer's asks by kind."""
    return {ask.kind: options[ask.seat] for ask in asks if ask.seat == viewer}


@of_boards
def boards_tell_nothing(journey: Journey, board: AnyBoard) -> None:
    """What a board says to a viewer is the same to the byte in every world that looks the same to the viewer."""
    game = journey.table.game
    for moment, viewer in looks(journey, "boards_tell_nothing", 10, 2):
        asks = asked(moment.options, moment.asks, viewer)
        truth = shown(board, game.view(moment.state, viewer), asks, ())
        for other in journey.table.viewers:
            # A board that remembers what it was shown would tell the viewer what it showed to another one.
            shown(board, game.view(moment.state, other), asked(moment.options, moment.asks, other), ())
        for world in imagined(journey, moment, viewer, 2):
            found = {ask.kind: game.options(world, ask.seat) for ask in game.pending(world) if ask.seat == viewer}
            again = shown(board, game.view(world, viewer), found, ())
            place = ("a board says something else to", viewer, "in another world at step", moment.number)
            demand_none(differences(truth, again), *place)
            demand(as_bytes(truth) == as_bytes(again), *place, "in another order of keys")


@of_boards
def boards_say_no_more_than_a_seat_sees(journey: Journey, board: AnyBoard) -> None:
    """A step that ends in equal sights of a viewer gives equal figures and equal words of what happened."""
    for moment in journey.sample(5, "boards_say_no_more"):
        if not moment.answers:
            continue
        for viewer in few(journey.table.viewers, 2, journey.rng(f"boards/{moment.number}")):
            first: dict[object, dict[str, object]] = {}
            for ending in endings(journey, moment, viewer):
                said = shown(board, ending.seen, {}, ending.told)
                place = ("a board says more of a step than", viewer, "sees, at step", moment.number)
                demand_none(differences(first.setdefault(ending.seen, said), said), *place)


@of_boards
def choices_are_the_options(journey: Journey, board: AnyBoard) -> None:
    """One choice for each option, in the same order and in the words of `answer`.

    Each way of clicking leads to one option at most: no two choices have the same keys, and the keys of none are the
    beginning of another's. After the same clicks one key is one button.
    """
    game = journey.table.game
    for moment in journey.sample(12, "choices_are_the_options"):
        for ask in few(moment.asks, 2, journey.rng(f"choices/{moment.number}")):
            options, view = moment.options[ask.seat], game.view(moment.state, ask.seat)
            choices = list(board.choices(view, ask.kind, options))
            place = (f"of {len(options)} options at {ask} of step", moment.number)
            demand(len(choices) == len(options), len(choices), "choices", *place)
            for option, choice in zip(options, choices, strict=True):
                words = board.answer(view, ask.kind, option)
                demand(words == choice.words, f"{choice.words!r} is answered as {words!r}", *place)
            demand_none(_flaws_of_paths(choices), "choices", *place)


def _flaws_of_paths(choices: Sequence[Choice]) -> Iterator[str]:
    """What keeps a person from choosing each of these options."""
    words: dict[str, Choice] = {}
    buttons: dict[tuple[str, ...], Part] = {}
    for choice in choices:
        if words.setdefault(choice.words, choice) is not choice:
            yield f"two options are {choice.words!r}"
        if not choice.path:
            yield f"{choice.words!r} has no click"
        yield from (f"{text!r} is no line of text" for text in _texts(choice) if not is_line(text))
        if choice.brings and not is_line(choice.brings):
            yield f"{choice.brings!r} is no line of text"
        for clicks in range(1, len(choice.path) + 1):
            part = choice.path[clicks - 1]
            first = buttons.setdefault(tuple(part.key for part in choice.path[:clicks]), part)
            if first != part:
                yield f"{part.key} is two buttons: {first} and {part}"
    paths = sorted([part.key for part in choice.path] for choice in choices)
    for one, other in pairwise(paths):
        if one == other[: len(one)]:
            yield f"the clicks {one} lead to one option and begin {other}"


def _texts(choice: Choice) -> Iterator[str]:
    yield choice.words
    for part in choice.path:
        yield part.key
        yield part.words


def is_line(text: object) -> bool:
    """Whether something is one line of text that can be shown as it is."""
    return isinstance(text, str) and text == text.strip() != "" and text.isprintable()


@of_boards
def boards_are_plain_words_and_figures(journey: Journey, board: AnyBoard) -> None:
    """Facts are plain data, descriptions are whole tables, questions and events are lines of text."""
    game = journey.table.game
    for moment, viewer in looks(journey, "boards_are_plain", 8, 2):
        view = game.view(moment.state, viewer)
        place = ("for", viewer, "at step", moment.number)
        facts = board.facts(view, told_to(viewer, moment.events))
        again: object = parse(canonical(facts))
        demand_none(differences(facts, again), "facts are no plain data", *place)
        demand_none(_flaws_of_points(facts.get("points"), journey.table.seats), "points", *place)
        demand_none(_flaws_of_tables(board.describe(view)), "the description", *place)
        for kind in asked(moment.options, moment.asks, viewer):
            text = board.question(view, kind)
            demand(is_line(text) and "?" in text, f"{text!r} is no question", *place)
        for event in told_to(viewer, moment.events):
            text = board.event(event)
            demand(is_line(text), f"{text!r} are no words for {event}", *place)


def _flaws_of_tables(sections: Sequence[Section]) -> Iterator[str]:
    """Whatever keeps a description from being read out: cells beside the columns, titles twice, lines in cells."""
    titles = [section.title for section in sections]
    if not titles or len(set(titles)) < len(titles):
        yield f"has the titles {titles}"
    for title, columns, rows in sections:
        yield from (f"{text!r} in {title!r} is no line of text" for text in (title, *columns) if not is_line(text))
        for row in rows:
            if len(row) != (len(columns) or 1):
                yield f"{title!r} has a row of {len(row)} cells and {len(columns)} columns"
            yield from (
                f"{cell!r} in {title!r} is no text" for cell in row if not isinstance(cell, str) or "\n" in cell
            )


def _flaws_of_points(points: Any, seats: int) -> Iterator[str]:
    """Whatever keeps points from being a table of categories and seats; automata may follow the seats."""
    if not isinstance(points, list) or not points:
        yield f"are {points!r}"
        return
    names = [row.get("category") for row in points]
    widths = {len(row.get("points", ())) for row in points}
    if len(set(names)) < len(names) or not all(map(is_line, names)):
        yield f"have the categories {names}"
    if len(widths) != 1 or min(widths) < seats:
        yield f"of {seats} seats have rows of {sorted(widths)} numbers"


@of_boards
def points_by_category_add_up(journey: Journey, board: AnyBoard) -> None:
    """At the end of a game the points of all categories together are those of the result."""
    game = journey.table.game
    result = game.result(journey.final)
    if result is None:
        return
    last: Sequence[Event] = journey.moments[-1].events if journey.moments else ()
    for viewer in journey.table.viewers:
        facts: Any = board.facts(game.view(journey.final, viewer), told_to(viewer, last))
        sums = tuple(map(sum, zip(*[row["points"] for row in facts["points"]], strict=True)))
        demand(sums == result.points[: len(sums)], "to", viewer, "categories add up to", sums, "not to", result.points)


LAWS: tuple[Law, ...] = (
    boards_tell_nothing,
    boards_say_no_more_than_a_seat_sees,
    choices_are_the_options,
    boards_are_plain_words_and_figures,
    points_by_category_add_up,
)
