"""Sharing the row out: section 6, vectors E-DR1 to E-DR9 and E-RF1 to E-RF4."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.games.edo_yashiki import GAME, PickCard, RankCards
from referee.games.edo_yashiki.components import NAMES
from referee.games.edo_yashiki.draft import arrival_groups, resolve
from referee.kernel.chance import Fast, Scripted
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import BUCKET, TABLE, Event, Pending, Verb, timed_kinds
from tests.games.edo_yashiki.tables import SEATS, start, steps
from tests.games.option_types import all_of


def ranks(*orders: str) -> dict[int, tuple[int, ...]]:
    """The rankings of the seats, by seat, each written as digits."""
    return {seat: tuple(map(int, order)) for seat, order in enumerate(orders)}


ANY = "0123"
VECTORS: dict[str, tuple[list[list[int]], dict[int, tuple[int, ...]], Sequence[int], Sequence[int], int]] = {
    "E-DR1": ([[0, 1, 2]], ranks("012", "012", "102"), (1, 0, 2), (2, 0, 1), 2),
    "E-DR2": ([[0, 1, 2, 3]], ranks("2013", "2103", "2130", "1203"), (2, 0, 3, 1), (0, 3, 2, 1), 3),
    "E-DR3": ([[0, 2, 3], [1]], ranks("3102", ANY, "3012", "1320"), (1, 2, 0, 3), (0, 2, 3, 1), 3),
    "E-DR4": ([[0, 1]], ranks("10", "10"), (1, 0), (0, 1), 2),
    "E-DR5": ([[0, 2], [1, 4], [3]], ranks(*["43210"] * 5), (3, 2, 4, 0, 1), (3, 1, 4, 0, 2), 5),
    "E-DR7": ([[0, 1, 2]], ranks("012", "012", "012"), (2, 0, 1), (1, 2, 0), 3),
    "E-DR8": ([[0, 1, 2]], ranks("201", "021", "201"), (2, 0, 1), (1, 0, 2), 2),
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_row_is_shared_out_in_passes(name: str) -> None:
    """Every vector of the resolution: what each seat gets, in how many passes (E-6.3, E-6.4, E-6.6, E-R22)."""
    groups, ranking, priority, expected, passes = VECTORS[name]
    got, reaches = resolve(len(priority), groups, ranking, priority)

    assert tuple(expected) == got
    assert passes == len(reaches)


def test_the_reaches_of_each_pass_are_logged() -> None:
    """E-DR1, E-DR2 and E-DR8 pass by pass: who reached for what, and who won it (E-6.4)."""
    logs = {
        name: resolve(len(VECTORS[name][2]), *VECTORS[name][:3])[1] for name in ("E-DR1", "E-DR2", "E-DR3", "E-DR8")
    }

    assert logs["E-DR1"] == ((0, 0, 1), (2, -1, -1))
    assert logs["E-DR2"] == ((2, 2, 2, 1), (0, 0, -1, -1), (-1, 3, -1, -1))
    assert logs["E-DR3"] == ((3, -1, 3, 1), (0, -1, -1, -1), (-1, 2, -1, -1))
    assert logs["E-DR8"] == ((2, 0, 2), (1, -1, -1))


def test_turn_order_goes_round_the_table_and_the_last_seat_is_not_asked() -> None:
    """E-DR6: in public, the first player first; the last card goes without a decision (E-6.2, E-6.12)."""
    state = start(3, draft="turn_order", chance=Scripted({"first": [2]}, Fast(1)))
    names = [NAMES[card] for card in state.row]

    assert (Pending(2, "pick_card"),) == GAME.pending(state)
    assert [PickCard(0), PickCard(1), PickCard(2)] == list(GAME.options(state, 2))
    assert [Event(Verb.GAINED, 2, "card", (names[1],))] == GAME.apply(state, {2: PickCard(1)}, Scripted({}))
    assert (Pending(0, "pick_card"),) == GAME.pending(state)
    assert [PickCard(0), PickCard(2)] == list(GAME.options(state, 0))
    assert [
        Event(Verb.GAINED, 0, "card", (names[0],)),
        Event(Verb.GAINED, 1, "card", (names[2],)),
    ] == GAME.apply(state, {0: PickCard(0)}, Scripted({}))
    assert state.got == (0, 2, 1)
    assert GAME.pending(state)[0].kind == "place_card"


def test_rankings_are_listed_in_lexicographic_order() -> None:
    """E-DR9, and at every number of seats all permutations, ascending to descending (E-5.5, E-6.1)."""
    listed = GAME.options(start(3), 0)

    assert [RankCards(tuple(map(int, order))) for order in ("012", "021", "102", "120", "201", "210")] == list(listed)
    assert {seats: len(GAME.options(start(seats), 0)) for seats in SEATS} == {2: 2, 3: 6, 4: 24, 5: 120}
    for seats in SEATS:
        options = all_of(RankCards, GAME.options(start(seats), 0))
        assert sorted(options) == options


def test_a_list_of_rankings_knows_its_items() -> None:
    """Search and membership need no walk through the list and agree with it."""
    listed = GAME.options(start(4), 1)

    assert list(range(24)) == [listed.index(option) for option in listed]
    assert all(option in listed for option in listed)
    assert list(listed)[5:20:3] == list(listed[5:20:3])
    with pytest.raises(ValueError, match="no such option"):
        listed.index(RankCards((0, 1, 2, 2)))
    with pytest.raises(ValueError, match="no such option"):
        listed.index(listed[3], 4)


@pytest.mark.parametrize("order", [(0, 1), (0, 1, 1), (0, 1, 3), (0, 1, 2, 3), ()])
def test_a_partial_ranking_is_illegal(order: tuple[int, ...]) -> None:
    """A ranking names every card of the row once (E-6.1); an illegal one changes nothing (E-5.2)."""
    state = start(3)
    before = GAME.dump(state)

    with pytest.raises(IllegalAnswer):
        GAME.apply(state, {0: RankCards((0, 1, 2)), 1: RankCards(order), 2: RankCards((2, 1, 0))}, Scripted({}))
    assert before == GAME.dump(state)


def test_the_draft_is_published_when_it_is_resolved() -> None:
    """Priority, reaches and allocation become public together; unused ranks stay unsaid (E-6.5, E-6.8, E-R17)."""
    chance = Scripted({"priority/1": [[1, 0, 2]]}, Fast(3))
    state = start(3, chance=chance)
    row = state.row
    names = [NAMES[card] for card in row]
    orders = {0: RankCards((0, 1, 2)), 1: RankCards((0, 1, 2)), 2: RankCards((1, 0, 2))}
    events = GAME.apply(state, orders, chance)

    assert [
        Event(Verb.ORDER, TABLE, "priority", (1, 0, 2)),
        Event(Verb.CHOSE, 0, "reach", (1, names[0])),
        Event(Verb.CHOSE, 1, "reach", (1, names[0])),
        Event(Verb.CHOSE, 2, "reach", (1, names[1])),
        Event(Verb.CHOSE, 0, "reach", (2, names[2])),
        Event(Verb.GAINED, 0, "card", (names[2],)),
        Event(Verb.GAINED, 1, "card", (names[0],)),
        Event(Verb.GAINED, 2, "card", (names[1],)),
    ] == events
    assert [(row, (2, 0, 1), (1, 0, 2), ((0, 0, 1), (2, -1, -1)), ())] == [tuple(draft) for draft in state.drafts]


def test_unused_ranks_leave_no_trace() -> None:
    """Two rankings that differ only behind what was reached lead to the same state and events (E-6.8)."""
    outcomes = []
    for order in ((1, 0, 2), (1, 2, 0)):
        chance = Scripted({"priority/1": [[1, 0, 2]]}, Fast(3))
        state = start(3, chance=chance)
        events = GAME.apply(state, {0: RankCards((0, 1, 2)), 1: RankCards((2, 1, 0)), 2: RankCards(order)}, chance)
        outcomes.append((GAME.dump(state), events, GAME.view(state, 0), GAME.view(state, None)))

    assert outcomes[0] == outcomes[1]


def test_whoever_answers_for_a_seat_it_is_not_absent() -> None:
    """Every ranking counts alike, a stand-in's too: all seats reach in the first pass (E-5.4, E-6.6)."""
    state = start(4)
    for current, _, _ in steps(state, 4):
        for shared in current.drafts:
            assert -1 not in shared.reaches[0]


def test_the_order_of_answers_has_no_influence() -> None:
    """Only the rankings and the priority count, not who answered first (E-6.7)."""
    outcomes = []
    for seats in ((0, 1, 2), (2, 1, 0)):
        chance = Fast(3)
        state = start(3, chance=chance)
        events = GAME.apply(state, {seat: RankCards((0, 1, 2)) for seat in seats}, chance)
        outcomes.append((GAME.dump(state), events))

    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("draft", ["sealed", "reflex", "turn_order"])
@pytest.mark.parametrize("seats", SEATS)
def test_everybody_gets_one_card_of_every_row(seats: int, draft: str) -> None:
    """E-RB6 and E-5.1: the row has a card for each seat, and each seat takes one."""
    state = start(seats, draft=draft)
    for _ in steps(state, seats):
        pass

    assert all(seats == len(shared.row) for shared in state.drafts)
    assert all(list(range(seats)) == sorted(shared.got) for shared in state.drafts)
    assert all(bool(shared.priority) == (draft != "turn_order") for shared in state.drafts)


def test_no_priority_is_drawn_when_the_cards_are_picked_in_turn() -> None:
    """`turn_order` needs no luck but the deck and the first player (E-6.12, E-12.1)."""
    chance = Scripted({"deck": [range(64)], "first": [0]})
    state = start(4, draft="turn_order", chance=chance)
    while asks := GAME.pending(state):
        GAME.apply(state, {ask.seat: GAME.options(state, ask.seat)[0] for ask in asks}, chance)

    assert len(state.drafts) == 15


def test_answers_are_sorted_by_buckets_of_arrival() -> None:
    """E-RF1 and E-RF2: the earliest bucket first, seats that did not answer themselves last (E-6.9, E-6.10, E-R24)."""
    times = {0: 49_999, 1: 50_000, 2: 0, 3: 149_999}
    buckets = {seat: time // BUCKET for seat, time in times.items()}

    assert BUCKET == 50_000
    assert buckets == {0: 0, 1: 1, 2: 0, 3: 2}
    assert arrival_groups(4, buckets) == [[0, 2], [1], [3]]
    assert arrival_groups(5, {0: 3, 2: 3, 3: 0}) == [[3], [0, 2], [1, 4]]
    assert arrival_groups(2, {}) == [[0, 1]]


def test_the_first_to_answer_is_served_first() -> None:
    """E-RF3: an early seat reaches alone, and a clash in one bucket is decided by the priority (E-6.10, E-6.11)."""
    chance = Scripted({"priority/1": [[0, 2, 1]]}, Fast(3))
    state = start(3, draft="reflex", chance=chance)
    names = [NAMES[card] for card in state.row]
    orders = {seat: RankCards((2, 0, 1)) for seat in range(3)}
    events = GAME.apply(state, orders, chance, {}, {0: 4, 1: 1, 2: 4})
    (draft,) = state.drafts

    assert [
        Event(Verb.ORDER, TABLE, "arrivals", (4, 1, 4)),
        Event(Verb.ORDER, TABLE, "priority", (0, 2, 1)),
        Event(Verb.CHOSE, 1, "reach", (1, names[2])),
        Event(Verb.CHOSE, 0, "reach", (2, names[0])),
        Event(Verb.CHOSE, 2, "reach", (2, names[0])),
        Event(Verb.CHOSE, 2, "reach", (3, names[1])),
        Event(Verb.GAINED, 0, "card", (names[0],)),
        Event(Verb.GAINED, 1, "card", (names[2],)),
        Event(Verb.GAINED, 2, "card", (names[1],)),
    ] == events
    assert (draft.got, draft.arrivals) == ((0, 2, 1), (4, 1, 4))
    assert draft.reaches == ((-1, 2, -1), (0, -1, 0), (-1, -1, 1))


def test_a_reflex_draft_without_arrivals_is_one_group() -> None:
    """E-RF4: where no seat answered itself, the priority alone decides, as for one bucket (E-6.10)."""
    outcomes = []
    for arrivals in ({}, {0: 7, 1: 7}):
        chance = Scripted({"priority/1": [[1, 0]]}, Fast(3))
        state = start(2, draft="reflex", chance=chance)
        GAME.apply(state, {seat: RankCards((1, 0)) for seat in range(2)}, chance, {}, arrivals)
        outcomes.append((state.drafts[0].got, state.drafts[0].reaches, state.drafts[0].arrivals))

    assert outcomes == [((0, 1), ((1, 1), (0, -1)), (-1, -1)), ((0, 1), ((1, 1), (0, -1)), (7, 7))]


@pytest.mark.parametrize(
    ("draft", "arrivals", "said"),
    [
        ("sealed", {0: 1, 1: 2}, "no time of arrival in the draft sealed"),
        ("reflex", {0: 1, 2: 2}, "seat 2 cannot have answered rank_cards in bucket 2"),
        ("reflex", {0: -1}, "seat 0 cannot have answered rank_cards in bucket -1"),
    ],
)
def test_arrivals_that_cannot_be_are_refused(draft: str, arrivals: dict[int, int], said: str) -> None:
    """Times belong to the reflex draft and to seats that were asked; a refusal changes nothing (E-6.9)."""
    state = start(2, draft=draft)
    before = GAME.dump(state)

    with pytest.raises(IllegalAnswer, match=said):
        GAME.apply(state, {seat: RankCards((1, 0)) for seat in range(2)}, Fast(1), {}, arrivals)
    assert before == GAME.dump(state)


def test_other_decisions_are_not_timed() -> None:
    """Only the ranking of the reflex draft has times; a placement refuses them (E-6.9)."""
    state = start(2, draft="reflex")
    GAME.apply(state, {seat: RankCards((1, 0)) for seat in range(2)}, Fast(1), {}, {0: 0, 1: 9})
    answers = {seat: GAME.options(state, seat)[0] for seat in range(2)}
    settings = {"rules": "standard", "covering": "seen"}

    with pytest.raises(IllegalAnswer, match="answers to place_card have no time of arrival"):
        GAME.apply(state, answers, Fast(1), {}, {0: 1})
    assert timed_kinds(GAME, {**settings, "draft": "reflex"}) == {"rank_cards"}
    assert timed_kinds(GAME, {**settings, "draft": "sealed"}) == frozenset()


def test_the_row_of_a_reflex_draft_comes_with_the_ask() -> None:
    """No view and no event shows a row before the step that asks for it (E-6.9, E-R18)."""
    state = start(3, draft="reflex")
    for current, _, events in steps(state, 5):
        revealed = [event for event in events if event.subject == "row"]
        asked = [ask.kind for ask in GAME.pending(current)]

        assert bool(revealed) == (asked[:1] == ["rank_cards"])
