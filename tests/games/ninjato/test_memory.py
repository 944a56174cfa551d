"""What is public about hidden hands: sound, complete within a shuffle, respected by all imagined states (N-14)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from referee.games.ninjato import GAME, memory
from referee.games.ninjato.components import DOJO_COUNTS
from referee.games.ninjato.counts import NO_CARDS, gather, minus, plus, spread, total
from referee.games.ninjato.options import DECK, Discard, Pick
from referee.games.ninjato.state import State
from referee.games.ninjato.view import View
from referee.kernel.chance import Fast
from tests.games.ninjato.journeys import Eager, states
from tests.games.ninjato.stage import Stage, cards, play, raid_stage, space


def old_cards(state: State, seat: int) -> tuple[int, ...]:
    """The old cards of a seat, with those that its doubts may be: what the books leave for them."""
    spent = gather((card for card, _ in state.doubts[seat]), NO_CARDS)
    return minus(minus(plus(state.hands[seat], spent), state.known[seat]), state.fresh[seat])


def test_a_card_taken_face_up_is_known() -> None:
    """All seats know that it is in that hand; a card from the deck is known to its owner only (N-14, N-14.1)."""
    stage = Stage().order(0, 1).hands([2, 2], [1]).face_up(4, 4, 5).dojo_deck(3)
    stage.act(space("dojo")).act(Pick("pick", 4)).act(DECK)
    theirs = GAME.view(stage.state, 1)

    assert (theirs.known[0], theirs.hand_sizes[0]) == (cards(4), 4)
    assert theirs.hand == cards(1)
    assert GAME.view(stage.state, 0).hand == cards(2, 2, 3, 4)


def test_a_known_card_goes_first_when_its_value_leaves_the_hand() -> None:
    """After a 4 was taken openly and a 4 was played, none is known any more, whichever it was (N-14)."""
    stage = Stage().order(0, 1).hands([4, 4], [1]).face_up(4, 1, 5).act(space("dojo"))
    stage.act(Pick("pick", 4)).act(DECK).pass_turn().house(0, 2, ["fan", "fan"]).raiding(0, 0)
    stage.act(play(4, value=4))

    assert stage.state.known[0] == cards()
    assert stage.state.hands[0][3] == 2


def test_another_value_leaves_a_known_card_where_it_is() -> None:
    """A 5 is discarded: the known 4 stays known (N-14)."""
    stage = Stage().order(0, 1).hands([5, 5, 5, 1, 1, 1], ()).face_up(4, 1, 5).act(space("dojo"))
    stage.act(Pick("pick", 4)).act(DECK)

    assert stage.kind == "dojo_discard"

    stage.act(next(option for option in stage.options if isinstance(option, Discard) and option.value == 5))

    assert stage.state.known[0] == cards(4)


def test_a_card_spent_before_one_was_taken_openly_does_not_weaken_the_knowledge() -> None:
    """A 4 from the dealt hand is played, later a 4 is taken face up: that one is certainly there (N-14)."""
    stage = raid_stage([4, 1, 2], 2, 0, ["fan", "fan"]).act(play(4, value=4)).do("leave").pass_turn().face_up(4, 1, 5)
    stage.act(space("dojo")).act(Pick("pick", 4))

    assert stage.state.known[0] == cards(4)


def exhaust(stage: Stage, left: int = 0) -> Stage:
    """Move the Dojo deck to its discard pile but for some cards."""
    state = stage.state
    gone, state.dojo_deck = state.dojo_deck[left:], state.dojo_deck[:left]
    state.dojo_discard = gather(gone, state.dojo_discard)
    state.pool = minus(state.pool, gather(gone, NO_CARDS))
    return stage


def test_a_reshuffle_shows_two_players_each_others_hand() -> None:
    """When the pile becomes the deck, everything that is not in it is in the two hands or lies open (N-5.7, N-14)."""
    stage = exhaust(Stage().order(0, 1).hands([1, 1, 2], [5, 4, 4, 3]).face_up(2, 2, 2))
    stage.act(space("dojo")).act(DECK)
    view = GAME.view(stage.state, 0)
    imagined = {GAME.determinise(view, Fast(seed)).hands[1] for seed in range(40)}

    assert imagined == {cards(5, 4, 4, 3)}


def test_what_was_known_at_a_reshuffle_is_remembered_after_it() -> None:
    """The other player draws from the new deck: its four old cards stay certain, the new one comes from the pile."""
    stage = Stage().order(0, 1).hands([1, 1, 2], [5, 4, 4, 3]).face_up(2, 2, 2)
    stage.state.dojo_deck = tuple(sorted(stage.state.dojo_deck))
    exhaust(stage).act(space("dojo")).act(DECK).act(DECK).act(space("dojo")).act(DECK)
    view = GAME.view(stage.state, 0)

    assert (view.fresh, view.hand_sizes) == ((2, 1), (5, 5))
    for seed in range(40):
        world = GAME.determinise(view, Fast(seed))
        new = minus(world.hands[1], cards(5, 4, 4, 3))
        assert (min(new), sum(new)) == (0, 1)
        assert all(count <= pool for count, pool in zip(new, view.pool, strict=True))


def test_a_card_from_a_hand_of_both_sorts_stays_in_doubt() -> None:
    """It may have been old or fresh; the doubt remembers how many fresh cards there were (N-14)."""
    stage = Stage(3).order(0, 1, 2).hands([5, 5, 1], [4, 4, 4, 4], [1, 2]).face_up(2, 2, 2).dojo_deck(3)
    exhaust(stage).act(space("dojo")).act(DECK).act(DECK)
    stage.state.hands[0] = gather([4], minus(stage.state.hands[0], gather(spread(stage.state.fresh[0])[:1], NO_CARDS)))
    stage.state.fresh[0] = gather([4], minus(stage.state.fresh[0], gather(spread(stage.state.fresh[0])[:1], NO_CARDS)))
    fresh = sum(stage.state.fresh[0])
    memory.spend(stage.state, 0, 4)

    assert stage.state.doubts[0] == ((4, fresh),)
    assert sum(stage.state.fresh[0]) == fresh

    memory.spend(stage.state, 1, 3)

    assert stage.state.doubts[1] == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_books_always_agree_with_the_truth(seats: int, seed: int) -> None:
    """Known cards are in the hand, the pool is the deck with all fresh cards, and old cards are where they belong."""
    for state in states(seats, Eager(seed), seed):
        old = [old_cards(state, seat) for seat in range(seats)]
        public = memory.old_pool(state.dojo_discard, state.face_up, state.pool, state.known, state.doubts)

        assert total(state.fresh, gather(state.dojo_deck, NO_CARDS)) == state.pool
        assert total(old, NO_CARDS) == public
        for seat in range(seats):
            assert min(old[seat]) >= 0
            assert min(minus(state.hands[seat], state.known[seat])) >= 0
            for at, (_, limit) in enumerate(state.doubts[seat]):
                assert limit <= sum(state.fresh[seat])
                assert at < sum(old[seat]) + limit


def test_eager_games_turn_the_deck_over_and_leave_doubts() -> None:
    """The games of this file reach what they are about: reshuffles, doubts, known cards."""
    seen: Counter[str] = Counter()
    for seed in range(6):
        for state in states(4, Eager(seed), seed):
            seen["shuffles"] = max(seen["shuffles"], state.shuffles[0])
            seen["doubts"] += any(state.doubts)
            seen["known"] += any(any(known) for known in state.known)

    assert seen["shuffles"] >= 2
    assert min(seen["doubts"], seen["known"]) > 50


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_imagined_world_looks_the_same(seats: int) -> None:
    """Through whole games with reshuffles and doubts, for every seat and for the public."""
    for step, state in enumerate(states(seats, Eager(seats), seats)):
        if step % 5 == 0 or any(state.doubts):
            for seat in (None, *range(seats)):
                view = GAME.view(state, seat)
                world = GAME.determinise(view, Fast(step))

                assert GAME.view(world, seat) == view
                assert GAME.load(GAME.dump(world)) == world


def consistent_hands(view: View, seat: int) -> set[tuple[int, ...]]:
    """By the letter of the books, every hand of one other seat of two that the viewer must reckon with."""
    if view.seat is None or view.hand is None or view.drawn is None:
        raise TypeError("the public holds no hand")
    mine = gather((card for card, _ in view.doubts[view.seat]), view.hand)
    public = memory.old_pool(view.dojo_discard, view.face_up, view.pool, view.known, view.doubts)
    old = minus(public, minus(minus(mine, view.known[view.seat]), view.drawn))
    spent = [card for card, _ in view.doubts[seat]]
    found = set()
    for fresh in set(combinations(spread(minus(view.pool, view.drawn)), view.fresh[seat])):
        held = gather(fresh, plus(old, view.known[seat]))
        hand = minus(held, gather(spent, NO_CARDS))
        if min(hand) >= 0 and _in_time(view.doubts[seat], old, gather(fresh, NO_CARDS)):
            found.add(hand)
    return found


def _in_time(doubts: tuple[tuple[int, int], ...], old: tuple[int, ...], fresh: tuple[int, ...]) -> bool:
    """Whether the doubtful cards can be shared out so that each was there when it was spent."""

    def share(at: int, old_left: list[int], used: list[int]) -> bool:
        if at == len(doubts):
            return True
        card, limit = doubts[at]
        if old_left[card]:
            old_left[card] -= 1
            if share(at + 1, old_left, used):
                return True
            old_left[card] += 1
        if used[card] < fresh[card] and sum(used) < limit:
            used[card] += 1
            if share(at + 1, old_left, used):
                return True
            used[card] -= 1
        return False

    return share(0, list(old), [0] * len(fresh))


def moments_with_doubts() -> Iterator[tuple[View, int]]:
    """Views of two players in which the other one has doubts and few fresh cards."""
    for seed in range(400):
        for state in states(2, Eager(seed), seed):
            for seat in (0, 1):
                if state.doubts[1 - seat] and sum(state.fresh[1 - seat]) <= 3:
                    yield GAME.view(state, seat), 1 - seat
                    break


def test_imagined_hands_are_exactly_those_that_are_possible() -> None:
    """Where all possible hands can be listed, imagining hits every one of them and no other."""
    tried = 0
    for view, other in moments_with_doubts():
        possible = consistent_hands(view, other)
        if len(possible) > 12:
            continue
        tried += 1
        imagined = {GAME.determinise(view, Fast(seed)).hands[other] for seed in range(60 * len(possible))}

        assert imagined == possible
        if tried == 12:
            break

    assert tried >= 5


Step = tuple[str, int, int]
"""draw, take or spend; the seat; the card, or -1 for a draw that other seats do not see."""


def possible_hands(state: State, steps: list[Step]) -> set[tuple[tuple[int, ...], ...]]:
    """All pairs of hands of seats 1 and 2 after some steps, by trying every deal and every draw.

    `state` is the moment after a reshuffle, seen by seat 0, who knows both heaps but not who holds what.
    """
    old = plus(state.hands[1], state.hands[2])
    deals = {gather(cards_of, NO_CARDS) for cards_of in combinations(spread(old), sum(state.hands[1]))}
    worlds = {(hand, minus(old, hand), gather(state.dojo_deck, NO_CARDS)) for hand in deals}
    for verb, seat, card in steps:
        after = set()
        for world in worlds:
            for drawn in range(5) if verb == "draw" else (card,):
                first, second, deck = world[0], world[1], list(world[2])
                hand = list(first if seat == 1 else second)
                if verb == "draw":
                    deck[drawn] -= 1
                hand[drawn] += -1 if verb == "spend" else 1
                if min(*deck, *hand) >= 0:
                    both = (tuple(hand), second) if seat == 1 else (first, tuple(hand))
                    after.add((*both, tuple(deck)))
        worlds = after
    return {world[:2] for world in worlds}


def scripted_memory(seed: int) -> tuple[State, list[Step], State]:
    """A reshuffle with few cards in it, and some steps of seats 1 and 2 after it."""
    rng = random.Random(seed)
    stage = Stage(3).hands((), (), ())
    state = stage.state
    heap = list(state.dojo_deck)
    rng.shuffle(heap)
    state.hands = [gather(heap[10:], NO_CARDS), gather(heap[:2], NO_CARDS), gather(heap[2:4], NO_CARDS)]
    state.dojo_discard, state.dojo_deck = gather(heap[4:10], NO_CARDS), ()
    memory.shuffle_in(state)
    state.dojo_deck = tuple(heap[4:10])
    before, steps = state.clone(), []
    for _ in range(rng.randint(3, 7)):
        seat = rng.choice((1, 2))
        held = spread(state.hands[seat])
        verb = rng.choice(("draw", "draw", "take", "spend", "spend", "spend"))
        if verb == "draw" and len(state.dojo_deck) > 1:
            card, state.dojo_deck = state.dojo_deck[0], state.dojo_deck[1:]
            memory.draw_unseen(state, seat, card)
            steps.append(("draw", seat, -1))
        elif verb == "take" and any(state.face_up):
            card = rng.choice(spread(state.face_up))
            memory.take_face_up(state, seat, card)
            steps.append(("take", seat, card))
        elif verb == "spend" and held:
            card = rng.choice(held)
            memory.spend(state, seat, card)
            steps.append(("spend", seat, card))
    return before, steps, state


@pytest.mark.parametrize("seed", range(25))
def test_the_books_keep_all_that_a_perfect_memory_keeps_within_a_shuffle(seed: int) -> None:
    """Whatever was drawn, taken and spent since: the hands that are imagined are those that can be, and all of them."""
    before, steps, state = scripted_memory(seed)
    view = GAME.view(state, 0)
    possible = possible_hands(before, steps)
    imagined = {tuple(GAME.determinise(view, Fast(luck)).hands[1:]) for luck in range(600)}

    assert tuple(state.hands[1:]) in possible
    assert imagined <= possible
    assert len(possible) > 40 or imagined == possible


def test_an_open_sensei_decision_proves_that_a_tile_can_be_paid() -> None:
    """A seat that chose the Sensei holds a price; states imagined by other seats respect it (N-4.4)."""
    stage = Stage(3).order(0, 1, 2).hands([1, 2, 2, 2], [4, 4], [3]).sensei("shinobi_iri", "kenjutsu")
    stage.act(space("sensei"))
    for seat in (None, 1, 2):
        for seed in range(60):
            world = GAME.determinise(GAME.view(stage.state, seat), Fast(seed))
            assert world.hands[0][0] or world.hands[0][4]
            assert GAME.options(world, 0)


def test_a_single_card_that_must_be_there_is_found() -> None:
    """Even if the price is one card of many, the deal ends and the card is in the hand (N-4.4)."""
    stage = Stage().order(0, 1).hands([5], [4, 4]).sensei("kenjutsu").act(space("sensei"))
    worlds = [GAME.determinise(GAME.view(stage.state, 1), Fast(seed)) for seed in range(50)]

    assert {world.hands[0] for world in worlds} == {cards(5)}


def test_the_union_of_deck_and_hands_is_known() -> None:
    """A seat's view has all 52 Dojo cards: its own, the open ones, and the heap of the hidden ones (N-14)."""
    for step, state in enumerate(states(3, Eager(8), 8)):
        if step % 11 == 0:
            world = GAME.determinise(GAME.view(state, 1), Fast(step))
            everything = total((*world.hands, world.face_up, world.dojo_discard), NO_CARDS)

            assert gather(world.dojo_deck, everything) == DOJO_COUNTS
