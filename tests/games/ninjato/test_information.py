"""What is hidden from whom (N-2.4, N-14): of two hands that differ, other seats cannot tell which it is."""

from __future__ import annotations

import pytest

from referee.games.ninjato import GAME
from referee.games.ninjato.components import FORCE, STEALTH
from referee.games.ninjato.options import DECK, GIVE_UP, Discard, Learn, Place, Play, Spend
from referee.games.ninjato.state import State
from referee.kernel.chance import Fast, Sealed, secret_from_seed
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Event, Option, Seat
from tests.games.ninjato.journeys import Eager, decisions, states
from tests.games.ninjato.stage import Stage, cards, play, raid_stage, space
from tests.games.option_types import all_of


def heard(events: list[Event], seat: Seat | None) -> list[Event]:
    """The events that a seat is told; None: those that all are told."""
    return [event for event in events if event.audience is None or seat in event.audience]


def outsiders(state: State, seat: Seat) -> list[object]:
    """The views of all but one seat, and of the public."""
    return [GAME.view(state, other) for other in (None, *range(state.seats)) if other != seat]


def test_giving_up_sounds_the_same_whether_there_was_a_choice_or_not() -> None:
    """With [3] against a Sentinel 3 giving up is forced, with [5] it is chosen; others cannot tell.

    N-2.4, N-14.2, N-R1.
    """
    forced = raid_stage([3], 3, FORCE, ["fan"])
    chosen = raid_stage([5], 3, FORCE, ["fan"])
    forced.state.bag = chosen.state.bag

    assert (len(forced.options), len(chosen.options)) == (1, 2)
    assert outsiders(forced.state, 0) == outsiders(chosen.state, 0)

    forced.act(GIVE_UP)
    chosen.act(GIVE_UP)

    assert heard(forced.events, 1) == heard(chosen.events, 1) == heard(chosen.events, None)
    assert outsiders(forced.state, 0) == outsiders(chosen.state, 0)


def test_a_price_that_is_the_only_card_is_paid_in_the_same_words() -> None:
    """One card or three to choose from: choosing, paying and learning are told alike (N-2.4, N-6.2)."""
    told = []
    for hand in ([4], [1, 2, 4]):
        stage = Stage().order(0, 1).hands(hand, ()).sensei("chocho").act(space("sensei"))
        events = list(stage.do("learn").events)
        events += stage.act(Spend("spend", 4)).events
        told.append(heard(events, 1))

    assert told[0] == told[1]


def test_a_blind_card_is_told_to_its_owner_only() -> None:
    """All seats are told that a card was drawn; its value is for one seat (N-14)."""
    stage = Stage(3).order(2, 0, 1).dojo_deck(5).act(space("dojo")).act(DECK)
    private = [event for event in stage.events if event.audience is not None]

    assert [(event.items, event.audience) for event in private] == [((5,), (2,))]
    assert heard(stage.events, 0) == heard(stage.events, 1) == heard(stage.events, None)
    assert not [event for event in heard(stage.events, 0) if 5 in event.items]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_only_drawing_from_the_deck_is_private(seats: int) -> None:
    """In whole games every private event is one card seen by the seat that drew it (N-14.1)."""
    chance, chooser = Fast(seats), Eager(seats)
    state = GAME.start(seats, {}, chance)
    while asks := GAME.pending(state):
        seat = asks[0].seat
        option = chooser.choose(GAME.options(state, seat))
        for event in GAME.apply(state, {seat: option}, chance):
            if event.audience is not None:
                assert (option, event.audience, event.seat, event.subject) == (DECK, (seat,), seat, "dojo card")


def test_the_spaces_offered_tell_nothing_but_the_sensei() -> None:
    """Two hands, the same spaces, but for the Sensei that one of them can pay (N-14.2, N-4.4)."""
    offered = []
    for hand in ([1, 2], [5, 5]):
        stage = Stage().order(0, 1).hands(hand, ()).sensei("shinobi_iri")
        offered.append([option for option in stage.places() if option.space != "sensei"])

    assert offered[0] == offered[1]


def test_options_are_for_the_seat_that_is_asked() -> None:
    """Another seat that wants to see them is refused, in words that do not depend on the hand (N-14)."""
    words = []
    for hand in ([3], [5, 3, 3]):
        stage = raid_stage(hand, 3, FORCE, ["fan"])
        with pytest.raises(IllegalAnswer) as refused:
            GAME.options(stage.state, 1)
        words.append(str(refused.value))

    assert words[0] == words[1]


def test_a_refusal_tells_nothing_about_the_hand() -> None:
    """An illegal play is refused in the same words whatever the hand is, and changes nothing (N-14)."""
    words = []
    for hand in ([3], [4, 4, 4]):
        stage = raid_stage(hand, 3, FORCE, ["fan"])
        before = stage.state.clone()
        with pytest.raises(IllegalAnswer) as refused:
            stage.act(play(5, value=5))
        words.append(str(refused.value))

        assert before == stage.state

    assert words[0] == words[1]


@pytest.mark.parametrize("answer", [Discard("discard", 1), Learn("learn", 3), Play("play", 0, 1, 0, (), 1), None, 7])
def test_an_answer_to_another_question_is_refused(answer: Option) -> None:
    """What is no option of the current decision is illegal (N-2.5)."""
    stage = Stage().order(0, 1)

    with pytest.raises(IllegalAnswer):
        stage.act(answer)


def test_the_views_of_a_moment_differ_only_in_the_own_cards() -> None:
    """Everything but `seat`, `hand` and `drawn` is the same for all (N-14)."""
    for step, state in enumerate(states(4, Eager(2), 2)):
        if step % 9 == 0:
            views = [GAME.view(state, seat)._replace(seat=None, hand=None, drawn=None) for seat in range(4)]

            assert set(views) == {GAME.view(state, None)}


def test_a_view_does_not_change_with_hidden_cards() -> None:
    """Hands of equal size and decks in another order look alike to others (N-14)."""
    one = Stage().hands([1, 2, 3], [4, 4]).state
    two = one.clone()
    two.hands[0], two.fresh[0] = cards(5, 5, 5), cards(5, 5, 5)
    deck = [*one.dojo_deck, 0, 1, 2]
    for _ in range(3):
        deck.remove(4)
    two.dojo_deck = tuple(reversed(deck))
    for name in ("guard_deck", "elite_deck", "bag", "envoy_deck", "rumor_deck", "skill_deck"):
        setattr(two, name, tuple(reversed(getattr(two, name))))

    assert outsiders(one, 0) == outsiders(two, 0)
    assert GAME.view(one, 0) != GAME.view(two, 0)


def test_a_lucky_deck_comes_the_same_way_whatever_was_played() -> None:
    """Two games of one secret see the same guards and treasures in the same order, however differently they go."""
    tops = []
    for seed in (1, 2):
        chance = Sealed(secret_from_seed("same"))
        state = GAME.start(3, {}, chance)
        tops.append((state.guard_deck, state.elite_deck, state.bag, state.envoy_deck, state.rumor_deck))
        chooser = Eager(seed)
        for _ in range(60):
            seat = GAME.pending(state)[0].seat
            GAME.apply(state, {seat: chooser.choose(GAME.options(state, seat))}, chance)
        drawn = len(tops[-1][2]) - len(state.bag)

        assert tops[-1][2][drawn:] == state.bag

    assert tops[0] == tops[1]


def test_the_modes_of_a_house_are_offered_alike() -> None:
    """Both sides of every open house stand in the list, force before stealth (N-16)."""
    for kind, seat, state in decisions(3, Eager(4), 4):
        if kind == "place":
            places = all_of(Place, GAME.options(state, seat))
            sides = [(option.house, option.mode) for option in places if option.space == "house"]

            assert sides == [(house, mode) for house in range(5) if state.is_open(house) for mode in (FORCE, STEALTH)]
