"""The greedy bot at Honshu: it beats random at every table, and its parts judge as they say.

Measured in full by the slow tests, or from a shell:
`python -m tests.bots.duel honshu greedy random --pairs 200` and `... --pairs 20 --seats 4 --field`.
"""

from __future__ import annotations

import pytest

from bots.bundled.greedy.honshu import CellGains, Holding, after, best, holding, promise
from bots.bundled.greedy.honshu_judging import SurveyedDomain
from referee.games.honshu import GAME
from referee.games.honshu.domain import empty_domain
from referee.games.honshu.geometry import cell, position
from referee.games.honshu.options import Placement, Placements
from referee.games.honshu.scoring import lake_groups, land_of
from referee.kernel.chance import Fast
from referee.kernel.game import settle_variant
from tests.bots.duel import duel, field

A1 = Holding(empty_domain(61, True), (position(1, 0), position(1, 1)), 11, 0, "add", "2-3-4")


def test_greedy_beats_random_at_two_seats() -> None:
    """A few duplicate deals: every one of them is won."""
    score = duel("honshu", "greedy", "random", 4)

    assert score.pairs.won == 4
    assert min(score.points) > 2 * max(score.other_points)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_greedy_places_first_among_random_bots(seats: int) -> None:
    """One greedy bot among random ones wins from every seat."""
    score = field("honshu", "greedy", "random", 1, seats=seats)

    assert score.place == 1.0


@pytest.mark.parametrize("card", ["1", "2", "3", "4", "5", "6", "7", "8"])
def test_greedy_plays_for_the_scoring_card(card: str) -> None:
    """It wins under every alternative scoring card, flat layering and B sides too."""
    variant = {"scoring_card": card, "layering": "flat", "province_side": "B", "equals_cards": "replace"}
    score = duel("honshu", "greedy", "random", 1, variant=variant)

    assert score.pairs.won == 1


@pytest.mark.slow
def test_greedy_wins_nearly_every_duplicate_pair() -> None:
    """At least 97% of 200 duplicate pairs at two seats."""
    score = duel("honshu", "greedy", "random", 200)

    assert score.pairs.won >= 194


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_greedy_places_clearly_first_at_larger_tables(seats: int) -> None:
    """Over 20 deals from every seat its mean place is below 1.1."""
    score = field("honshu", "greedy", "random", 20, seats=seats)

    assert score.place < 1.1


def test_the_promise_ends_as_the_score() -> None:
    """In the last round nothing open counts any more: two towns and nothing else, two fields as a hint for ties."""
    done = A1._replace(left=0)

    assert int(promise(done)) == 2
    assert promise(A1) > promise(done)


def test_laying_a_card_takes_and_brings_cubes() -> None:
    """Card 8 shows its blue production cell; laid over both cubes of A1 a card without production leaves none."""
    kept = after(A1, 8, Placement(0, -2, -1, 0))
    lost = after(A1, 49, Placement(0, 1, 0, 0))

    assert kept.counts() == [2, 1, 0, 0]
    assert lost.counts() == [0, 0, 0, 0]


def test_the_best_placement_is_legal_and_better_than_most() -> None:
    """Judged by the whole domain, no placement of a sample promises more than the one that is found."""
    for card in (1, 8, 26, 49, 60):
        listed = Placements(A1.domain, card)
        found = best(A1, card)
        sample = [promise(after(A1, card, placement)) - promise(A1) for placement in listed[::7]]

        assert found.placement in listed
        assert max(sample) <= found.worth + 1.0


def test_a_holding_is_what_the_view_shows() -> None:
    """Domain, cubes and rounds left of any seat."""
    state = GAME.start(3, settle_variant(GAME, 3, {}), Fast(1))
    view = GAME.view(state, 0)
    for seat in range(3):
        held = holding(view, seat)

        assert (state.domains[seat], state.cubes[seat], 11) == held[:3]


def test_fast_judging_has_the_figures_of_the_plain_way() -> None:
    """On domains of a played game every placement has the same land, cubes and guess as when the card is laid."""
    held = A1
    for card in (16, 34, 41, 7, 60):
        surveyed = SurveyedDomain(held.domain, held.cubes, CellGains(held).table)
        options = list(Placements(held.domain, card))
        order = surveyed.best_guesses(card, len(options))
        for k, at, mask in order[::7]:
            laid = after(held, card, Placement(k, *cell(at), mask))
            land, counts = surveyed.after(card, k, at, mask)
            plain = land_of(laid.domain.cells)
            assert counts == tuple(laid.counts())
            assert land.tally == plain.tally
            assert [board.bit_count() for board in land[:4]] == [board.bit_count() for board in plain[:4]]
            assert lake_groups(land.lake) == lake_groups(plain.lake)
        assert sorted((k, *cell(at), mask) for k, at, mask in order) == sorted(map(tuple, options))
        held = after(held, card, best(held, card).placement, 1)
