"""The stack of frames: who is asked, what is accepted, and how frames are stored.

The little game here counts down two piles: everybody takes one or two from the first at once, then the winner of that
alone takes the rest of the second, one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kernel import frames
from referee.kernel.chance import Chance, Fast
from referee.kernel.errors import BadPlain, IllegalAnswer, RulesBug
from referee.kernel.frames import Frame, FrameGame, Handler
from referee.kernel.game import Bounds, Event, Option, Pending, Result, Seat, Verb
from referee.kernel.plain import Plain


@dataclass
class Piles:
    """Two piles and the seats' takings."""

    first: int = 4
    second: int = 2
    stack: list[Frame] = field(default_factory=lambda: [("share",)])
    lists_made: int = 0


def taken(option: Option) -> int:
    """How much an option takes."""
    assert isinstance(option, int)
    return option


def share_options(state: Piles, frame: Frame, seat: Seat) -> Sequence[Option]:
    """One or two."""
    state.lists_made += 1
    return (1, 2)


def apply_share(
    state: Piles, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]
) -> None:
    """Take from the first pile; the seat that took more goes on alone."""
    state.first -= sum(taken(answer) for answer in answers.values())
    winner = max(answers, key=lambda seat: (taken(answers[seat]), -seat))
    state.stack[-1] = ("finish", winner)
    events.append(Event(Verb.GAINED, winner, "turn"))


def apply_finish(
    state: Piles, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]
) -> None:
    """Take one from the second pile until it is empty."""
    state.second -= 1
    if not state.second:
        state.stack.pop()


HANDLERS: Mapping[str, Handler[Piles]] = {
    "share": Handler(lambda state, frame: (Pending(0, "share"), Pending(1, "share")), share_options, apply_share),
    "finish": Handler(
        lambda state, frame: (Pending(frame[1], "finish"),), lambda state, frame, seat: ("take",), apply_finish
    ),
}

GAME: FrameGame[Piles, Piles] = FrameGame(
    name="piles",
    title="Piles",
    rules_version=1,
    digest="",
    seats=range(2, 3),
    variants={},
    bounds=Bounds(decisions=4, options=2),
    hidden=(),
    handlers=HANDLERS,
    start=lambda seats, variant, chance: Piles(),
    result=lambda state: None if state.stack else Result((1, 1), (0, 0), "the piles are empty"),
    view=lambda state, seat: state,
    determinise=lambda view, chance: view,
    clone=lambda state: replace(state, stack=state.stack.copy()),
    dump=lambda state: [state.first, state.second],
    load=lambda plain: Piles(),
)


def test_the_top_frame_says_who_is_asked() -> None:
    """Pending follows the stack: both, then the winner alone, then nobody."""
    state = Piles()
    asked = [GAME.pending(state)]
    GAME.apply(state, {0: 1, 1: 2}, Fast(0))
    asked.append(GAME.pending(state))
    GAME.apply(state, {1: "take"}, Fast(0))
    GAME.apply(state, {1: "take"}, Fast(0))
    asked.append(GAME.pending(state))

    assert asked == [(Pending(0, "share"), Pending(1, "share")), (Pending(1, "finish"),), ()]


def test_applying_returns_what_happened() -> None:
    """The events that the handler appended come back, in order."""
    assert GAME.apply(Piles(), {0: 2, 1: 2}, Fast(0)) == [Event(Verb.GAINED, 0, "turn")]


def test_lists_that_the_caller_has_are_not_made_again() -> None:
    """`apply` checks answers against the lists that are handed to it and makes only those that are missing."""
    state = Piles()
    lists = {seat: GAME.options(state, seat) for seat in (0, 1)}
    GAME.apply(state, {0: 1, 1: 1}, Fast(0), lists)
    one_listed = Piles()
    GAME.apply(one_listed, {0: 1, 1: 1}, Fast(0), {0: (1, 2)})

    assert state.lists_made == 2
    assert one_listed.lists_made == 1


def test_a_list_that_the_caller_has_is_the_judge_of_its_seat() -> None:
    """An answer outside the list that was handed over changes nothing."""
    state = Piles()

    with pytest.raises(IllegalAnswer, match="seat 0's answer to share is not among its options"):
        GAME.apply(state, {0: 2, 1: 1}, Fast(0), {0: (1,)})

    assert state.first == 4


def test_applying_without_listing_first_checks_all_the_same() -> None:
    """Answers are held against the options even if nobody has asked for the list."""
    state = Piles()

    with pytest.raises(IllegalAnswer, match="seat 1's answer to share is not among its options"):
        GAME.apply(state, {0: 1, 1: 3}, Fast(0))

    assert state == Piles(lists_made=2)


@pytest.mark.parametrize(
    ("answers", "given"),
    [({}, "none"), ({0: 1}, "0"), ({1: 1}, "1"), ({0: 1, 1: 1, 2: 1}, "0, 1, 2"), ({0: 1, 2: 1}, "0, 2")],
)
def test_exactly_the_asked_seats_must_answer(answers: dict[Seat, int], given: str) -> None:
    """One seat too many, too few or another one: refused without a word on who is asked, and nothing changed."""
    state = Piles()

    with pytest.raises(IllegalAnswer, match=f"must answer; answers came from seats {given}$"):
        GAME.apply(state, answers, Fast(0))

    assert state == Piles()


def test_a_seat_that_is_not_asked_has_no_options() -> None:
    """Neither somebody else's turn nor a finished game offers anything."""
    state = Piles(stack=[("finish", 1)])
    with pytest.raises(IllegalAnswer, match="seat 0 is not asked finish"):
        GAME.options(state, 0)

    state = Piles(stack=[])
    with pytest.raises(IllegalAnswer, match="seat 0 is not asked: the game is over"):
        GAME.options(state, 0)


def test_a_finished_game_takes_no_answer() -> None:
    """Even no answer at all is one too many."""
    with pytest.raises(IllegalAnswer, match="the game is over"):
        GAME.apply(Piles(stack=[]), {}, Fast(0))


atoms = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
frame_items = st.recursive(atoms, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=8)


@given(st.text(max_size=8), st.lists(frame_items, max_size=4))
def test_a_stored_frame_comes_back_as_it_was(kind: str, items: list[object]) -> None:
    """Tuples inside a frame become lists in the dump and tuples again."""
    frame = (kind, *items)

    assert frame == frames.load_frame(frames.dump_frame(frame))


@pytest.mark.parametrize("item", [1.5, [1], {"a": 1}, {1}, b"x", object()])
def test_a_frame_with_anything_but_plain_values_is_a_bug(item: object) -> None:
    """Objects in a frame are found out when it is stored, also deep inside."""
    with pytest.raises(RulesBug, match=type(item).__name__):
        frames.dump_frame(("kind", (1, (item,))))


@pytest.mark.parametrize("plain", [None, 1, "bid", {}, [], [1], [None, "bid"], [["bid"]], ["bid", {}], ["bid", [{}]]])
def test_what_is_no_frame_is_not_loaded(plain: Plain) -> None:
    """A frame is a list that begins with its kind and holds no objects."""
    with pytest.raises(BadPlain):
        frames.load_frame(plain)
