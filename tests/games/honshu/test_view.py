"""What a seat sees and remembers, and the games it can imagine (section 10)."""

from __future__ import annotations

import random

import pytest

from referee.games.honshu import GAME
from referee.games.honshu.components import CARDS
from referee.games.honshu.view import unseen_cards
from referee.kernel.chance import Fast
from tests.games.honshu.tables import SEATS, answer, play_until, random_answers, start, steps


@pytest.mark.parametrize("seats", SEATS)
def test_only_the_own_hand_is_seen_before_the_pass(seats: int) -> None:
    """In rounds 1 to 3 and 7 to 9 a seat knows its own hand, of the others their sizes; the public knows none."""
    state = start(seats)
    for _ in steps(state, 1):
        if state.round in (1, 2, 3, 7, 8, 9):
            for seat in range(seats):
                known = GAME.view(state, seat).known_hands

                assert [hand if owner == seat else () for owner, hand in enumerate(state.hands)] == list(known)
            public = GAME.view(state, None)

            assert all(hand == () for hand in public.known_hands)
            assert tuple(len(hand) for hand in state.hands) == public.hand_sizes
            assert len(state.pile) == public.pile


@pytest.mark.parametrize(("rounds", "step"), [((4, 5, 6), 1), ((10, 11, 12), -1)])
@pytest.mark.parametrize("seats", SEATS)
def test_a_giver_remembers_the_cards_it_passed(seats: int, rounds: tuple[int, ...], step: int) -> None:
    """After a pass a seat knows what its neighbour holds until it is played (H-8.1, H-8.3)."""
    state = start(seats)
    checked = 0
    for _ in steps(state, 2):
        if state.round in rounds:
            for seat in range(seats):
                known = GAME.view(state, seat).known_hands
                neighbour = (seat + step) % seats
                others = [owner for owner in range(seats) if owner not in (seat, neighbour)]

                assert state.hands[neighbour] == known[neighbour]
                assert state.hands[seat] == known[seat]
                assert all(known[owner] == () for owner in others)
                checked += 1

    assert checked


def test_two_players_know_both_hands_after_the_pass() -> None:
    """Then only the pile is imagined; the hands in every imagined game are the true ones."""
    state = start(2)
    play_until(state, 4, "play2", 4)
    for number in range(5):
        world = GAME.determinise(GAME.view(state, 0), Fast(number))

        assert state.hands == world.hands
        assert sorted(state.pile) == sorted(world.pile)


def test_five_players_can_deduce_the_unseen_hands_after_the_second_deal() -> None:
    """The pile is empty, so what a seat has not seen is exactly what the others hold (section 10)."""
    state = start(5)
    play_until(state, 4, "play", 8)
    for seat in range(5):
        others = sorted(card for owner, hand in enumerate(state.hands) if owner != seat for card in hand)

        assert others == unseen_cards(GAME.view(state, seat))


@pytest.mark.parametrize("seats", SEATS)
def test_an_imagined_game_looks_the_same_and_plays_on(seats: int) -> None:
    """For every viewer: same view, same asks, same own options, all cards once; and it can be played to the end."""
    state = start(seats, scoring_card="random")
    chance = Fast(3)
    rng = random.Random(4)
    for number, _ in enumerate(steps(state, 5)):
        for viewer in (None, *range(seats)):
            view = GAME.view(state, viewer)
            world = GAME.determinise(view, chance)

            assert view == GAME.view(world, viewer)
            assert GAME.pending(state) == GAME.pending(world)
            assert [ask for ask in GAME.pending(state) if ask.seat == viewer] == [
                ask
                for ask in GAME.pending(world)
                if ask.seat == viewer and list(GAME.options(state, ask.seat)) == list(GAME.options(world, ask.seat))
            ]
            assert GAME.dump(world) == GAME.dump(GAME.load(GAME.dump(world)))
        if number % 25 == 0:
            while GAME.pending(world):
                answer(world, random_answers(world, rng))


def test_unseen_cards_are_imagined_everywhere() -> None:
    """Over many imagined games a hidden card shows up in every place it can be."""
    state = start(3)
    play_until(state, 6, "play", 2)
    view = GAME.view(state, 0)
    card = unseen_cards(view)[0]
    places: set[int | str] = set()
    for number in range(80):
        world = GAME.determinise(view, Fast(number))
        places |= {owner for owner, hand in enumerate(world.hands) if card in hand}
        places |= {"pile"} if card in world.pile else set()

    assert {1, 2, "pile"} == places


def test_hands_are_shown_in_ascending_order() -> None:
    """No hand tells in which order its cards were drawn, in views, dumps and events alike."""
    for seats in SEATS:
        state = start(seats, Fast(seats))
        for _, events in steps(state, seats):
            shown = [list(hand) for seat in range(seats) for hand in GAME.view(state, seat).known_hands]
            for event in events:
                if event.audience is not None:
                    cards = [item for item in event.items if isinstance(item, int)]
                    assert len(cards) == len(event.items)
                    shown.append(cards)

            assert all(cards == sorted(cards) for cards in shown)


def test_everybody_sees_domains_trick_and_supply() -> None:
    """What section 10 calls public is the same in all views (H-6.1, H-6.6)."""
    hidden = {"seat", "known_hands"}
    for seats in SEATS:
        state = start(seats)
        for _ in steps(state, 9):
            views = [GAME.view(state, viewer) for viewer in (None, *range(seats))]
            fields = [name for name in views[0]._fields if name not in hidden]

            assert all(getattr(views[0], name) == getattr(view, name) for view in views for name in fields)


def test_the_view_alone_draws_the_domain() -> None:
    """Cells, what they show, whose card it is, and the cubes: enough to draw, and enough to lay the cards again."""
    state = start(4)
    play_until(state, 2, "place", 9)
    for domain, view in zip(state.domains, GAME.view(state, None).domains, strict=True):
        assert len(view.picture.cells) == len(view.picture.codes) == len(view.picture.slots) == len(domain.cells)
        assert set(view.picture.slots) <= set(range(len(view.laid) + 1))
        assert set(view.cubes) <= set(view.picture.cells)
        assert [laid.card in CARDS for laid in view.laid] == [True] * 8
