"""Who knows what: section 11, views, imagined states and clones."""

from __future__ import annotations

import random

import pytest

from referee.games.edo_yashiki import GAME, State, View
from referee.games.edo_yashiki.components import CARDS
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from tests.games.edo_yashiki.tables import DRAFTS, RULES, SEATS, play_until, random_answers, start, steps

COMBINATIONS = [(seats, rules, draft) for seats in SEATS for rules in RULES for draft in DRAFTS]


def moments(seats: int, rules: str, draft: str, seed: int = 5) -> list[State]:
    """The states of a random game, every one a clone."""
    state = start(seats, rules, draft)
    return [GAME.clone(state), *(GAME.clone(current) for current, _, _ in steps(state, seed))]


@pytest.mark.parametrize(("seats", "rules", "draft"), COMBINATIONS)
def test_an_imagined_state_looks_the_same(seats: int, rules: str, draft: str) -> None:
    """What a seat imagines from its view shows it the same view, question and options (section 11)."""
    for number, state in enumerate(moments(seats, rules, draft)):
        for seat in (None, *range(seats)):
            view = GAME.view(state, seat)
            world = GAME.determinise(view, Fast(number))

            assert view == GAME.view(world, seat)
            asked = [ask for ask in GAME.pending(state) if ask.seat == seat]
            assert asked == [ask for ask in GAME.pending(world) if ask.seat == seat]
            for ask in asked:
                assert GAME.options(state, ask.seat) == GAME.options(world, ask.seat)


@pytest.mark.parametrize(("seats", "rules", "draft"), COMBINATIONS)
def test_the_public_view_is_that_of_a_seat_without_its_chain(seats: int, rules: str, draft: str) -> None:
    """There are no private hands: all that a seat knows beyond the public is its own unfinished scoring."""
    for state in moments(seats, rules, draft):
        public = GAME.view(state, None)

        assert public.chain is None
        for seat in range(seats):
            assert public == GAME.view(state, seat)._replace(seat=None, chain=None)


@pytest.mark.parametrize("kind", ["rank_cards", "place_card"])
def test_submissions_are_nowhere_until_all_are_in(kind: str) -> None:
    """A state takes all answers of a moment or none, so no view can hold a part of them (E-5.3)."""
    state = start(3)
    play_until(state, kind, 4)
    before = [GAME.view(state, seat) for seat in (None, 0, 1, 2)]
    early = {seat: GAME.options(state, seat)[seat] for seat in (0, 2)}

    with pytest.raises(IllegalAnswer):
        GAME.apply(state, early, Fast(1))
    assert before == [GAME.view(state, seat) for seat in (None, 0, 1, 2)]


def test_the_deck_is_hidden() -> None:
    """Two decks in different order look the same; its size and the set of its cards can be told (E-12.2)."""
    state, other = start(3), start(3)
    other.deck = other.deck[::-1]
    view = GAME.view(state, 1)

    assert view == GAME.view(other, 1)
    assert len(state.deck) == view.left
    assert sorted(state.deck) == view.unseen


def test_the_imagined_deck_is_every_unseen_card_in_random_order() -> None:
    """Nothing of the real order stays, and the order depends on luck alone."""
    state = start(4)
    play_until(state, "place_card", 3)
    view = GAME.view(state, 0)
    decks = [GAME.determinise(view, Fast(seed)).deck for seed in range(20)]

    assert {tuple(sorted(state.deck))} == {tuple(sorted(deck)) for deck in decks}
    assert len(set(decks)) == 20
    assert GAME.determinise(view, Fast(4)).deck == decks[4]


def test_the_drafts_of_all_rounds_can_be_remembered() -> None:
    """A view holds who got and who reached for what in every round so far, row by row (E-6.8)."""
    state = start(3)
    for current, _, _ in steps(state, 2):
        view = GAME.view(current, 1)
        resolved = current.round - (view.phase == "rank_cards")

        assert resolved == len(view.drafts)
        assert all(sorted(shared.priority) == [0, 1, 2] for shared in view.drafts)
        if view.phase == "place_card":
            assert (view.row, view.got) == (view.drafts[-1].row, view.drafts[-1].got)


def test_the_scored_lines_of_all_rounds_can_be_remembered() -> None:
    """A view holds which lines each seat has scored in every round, in order, since that is public then (E-9.9)."""
    state = start(4, "specialists")
    told: list[tuple[int | str, ...]] = []
    for current, _, events in steps(state, 9):
        view = GAME.view(current, None)
        told += [(event.seat, *event.items[1:4]) for event in events if event.subject == "line"]
        if view.phase != "over":
            assert current.round - 1 == len(view.scored)

    assert sum(len(lines) for seats in state.scored for lines in seats) == len(told)
    assert told
    assert start(4).scored == ()


def test_a_view_names_the_card_to_place() -> None:
    """After the draft a seat finds its card in its view; before, and for the public, there is none."""
    state = start(3)
    before = [GAME.view(state, seat).card for seat in (None, 0, 1, 2)]
    play_until(state, "place_card", 3)

    assert before == [None] * 4
    assert [None, *(state.row[card] for card in state.got)] == [GAME.view(state, seat).card for seat in (None, 0, 1, 2)]


def test_others_chains_are_imagined_as_not_begun() -> None:
    """A seat in the middle of its chain keeps it, and imagines the others at their beginning (E-9.9)."""
    for seed in range(400):
        state = start(3, "specialists", chance=Fast(seed))
        if not play_until(state, "score_line", seed) or len(GAME.pending(state)) < 2:
            continue
        opened = state.chains
        GAME.apply(state, {ask.seat: GAME.options(state, ask.seat)[0] for ask in GAME.pending(state)}, Fast(1))
        if state.chains:
            break
    seat = GAME.pending(state)[0].seat
    world = GAME.determinise(GAME.view(state, seat), Fast(1))

    assert state.chains[seat] == world.chains[seat]
    assert [chain for other, chain in enumerate(opened) if other != seat] == [
        chain for other, chain in enumerate(world.chains) if other != seat
    ]


@pytest.mark.parametrize("rules", RULES)
def test_a_clone_goes_its_own_way(rules: str) -> None:
    """Playing a clone to its end leaves the original as it was."""
    state = start(3, rules)
    rng = random.Random(1)
    for _ in range(7):
        GAME.apply(state, random_answers(state, rng), Fast(1))
    before = (GAME.dump(state), GAME.view(state, 0), GAME.pending(state))
    clone = GAME.clone(state)
    for _ in steps(clone, 4):
        pass

    assert GAME.result(clone) is not None
    assert before == (GAME.dump(state), GAME.view(state, 0), GAME.pending(state))


def test_a_view_shares_its_parts_with_the_state() -> None:
    """Making a view copies nothing, so it may be made for every ask."""
    state = start(5)
    play_until(state, "place_card", 1)
    view = GAME.view(state, 2)

    assert view.houses is state.houses
    assert view.drafts is state.drafts


def test_views_are_immutable() -> None:
    """A view and all its parts can be hashed, and its fields cannot be set."""
    view = GAME.view(start(2), 0)

    assert isinstance(hash(view), int)
    with pytest.raises(AttributeError):
        view.scores = (99, 0)  # type: ignore[misc]


def test_at_the_end_the_rest_of_the_deck_stays_unsaid() -> None:
    """The cards left over are shown by the record, not by a view (section 11)."""
    state = start(5)
    for _ in steps(state, 2):
        pass
    view: View = GAME.view(state, 0)

    assert view.phase == "over"
    assert len(CARDS) - 5 * (1 + state.round) == view.left
    assert sorted(state.deck) == view.unseen
