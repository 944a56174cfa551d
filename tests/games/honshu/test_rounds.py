"""Set-up, the order of phases, passing, dealing, the end and the bounds (sections 3, 4, 8 and 11)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from referee.games.honshu import GAME, Cell, census
from referee.games.honshu.components import CARDS, CUBES, PRODUCTION_CELLS, PROVINCE_FACES
from referee.games.honshu.options import Override, Placement, Play
from referee.games.honshu.state import PLACE
from referee.kernel.chance import Fast, Recording, Scripted, Sealed, secret_from_seed
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Event, Option, Pending, Seat, Verb
from referee.kernel.turns import playout
from tests.games.honshu.tables import SEATS, answer, cubes_of, play_until, random_answers, start, steps, supply_of
from tests.games.option_types import all_of

SETTINGS = [{}, {"province_side": "B", "layering": "flat"}, {"scoring_card": "random", "equals_cards": "replace"}]


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("seats", SEATS)
def test_every_seat_gets_a_province_with_its_cubes(seats: int, side: str) -> None:
    """Different provinces of one side, a cube on each production cell, the rest in supply (H-3.1 to H-3.3, H-R1)."""
    state = start(seats, province_side=side)
    views = GAME.view(state, None).domains
    dealt = Counter(colour for view in views for _, colour in PRODUCTION_CELLS[PROVINCE_FACES[view.province]])

    assert seats == len({view.province for view in views})
    assert all(view.province[0] == side and view.laid == () for view in views)
    assert [CUBES[colour] - dealt[colour] for colour in range(4)] == list(state.supply)
    assert sum(dealt.values()) == sum(len(view.cubes) for view in views)
    assert all(view.picture.cells[0] == (0, 0) for view in views)


def test_set_up_follows_its_streams() -> None:
    """Provinces, order, cards and scoring card come from four streams; hands are blocks of six (H-3.2 to H-3.7)."""
    script: dict[str, list[int | list[int]]] = {
        "provinces": [[5, 0, 3, 1, 2, 4]],
        "turn-order": [[2, 0, 1]],
        "map-cards": [list(range(59, -1, -1))],
        "scoring-card": [6],
    }
    state = start(3, Scripted(script), scoring_card="random")

    assert [view.province for view in GAME.view(state, None).domains] == ["A6", "A1", "A4"]
    assert state.order == (2, 0, 1)
    assert [tuple(range(55, 61)), tuple(range(49, 55)), tuple(range(43, 49))] == state.hands
    assert tuple(range(42, 0, -1)) == state.pile
    assert state.scoring_card == 7


def test_no_luck_is_needed_after_the_set_up() -> None:
    """Everything later was fixed by the shuffle; without a random card three questions suffice."""
    chance = Recording(Sealed(secret_from_seed("honshu")))
    state = start(2, chance)
    asked = [outcome.stream for outcome in chance.take()]
    rng = random.Random(1)
    while GAME.pending(state):
        GAME.apply(state, random_answers(state, rng), chance)

    assert asked == ["provinces", "turn-order", "map-cards"]
    assert chance.take() == []


@pytest.mark.parametrize(("setting", "card"), [("none", 0), ("1", 1), ("8", 8)])
def test_a_fixed_scoring_card_is_public_from_the_start(setting: str, card: int) -> None:
    """The card of the setting is in force and everybody sees it (H-1.4, H-3.6)."""
    assert card == GAME.view(start(3, scoring_card=setting), None).scoring_card


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_round_of_three_to_five_players_has_its_phases(seats: int) -> None:
    """PLAY for each in turn order, PICK for each in the new order, PLACE for all at once (section 4, H-4.2, H-11.7)."""
    state = start(seats)
    order, rng, kinds = state.order, random.Random(2), []
    while state.round == 1:
        kinds.append([ask.kind for ask in GAME.pending(state)])
        if len(kinds) <= seats:
            assert (Pending(order[len(kinds) - 1], "play"),) == GAME.pending(state)
        answer(state, random_answers(state, rng))

    assert [["play"]] * seats + [["pick"]] * seats + [["place"] * seats] == kinds
    assert all(len(domain.laid) == 1 for domain in state.domains)


def test_a_round_of_two_players_has_its_phases() -> None:
    """PLAY2, OVERRIDE, PAIR, KEEP and PLACE (section 4)."""
    state = start(2)
    rng, kinds = random.Random(2), []
    while state.round == 1:
        kinds.append([ask.kind for ask in GAME.pending(state)])
        answer(state, random_answers(state, rng))

    assert kinds == [["play2"] * 2, ["override"], ["pair"], ["keep"] * 2, ["place"] * 2]


@pytest.mark.parametrize(("after", "receivers"), [(3, [1, 2, 3, 0]), (9, [3, 0, 1, 2])])
def test_tv_28_hands_go_left_after_round_3_and_right_after_round_9(after: int, receivers: list[int]) -> None:
    """H-TV28: four seats; the cards are told to giver and receiver only, their number to all (H-8.1, H-8.3)."""
    state = start(4)
    play_until(state, 3, "place", after)
    hands = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12)]
    state.hands = list(hands)
    events = answer(state, random_answers(state, random.Random(4)))
    moved = [event for event in events if event.verb is Verb.MOVED and event.audience is not None]
    public = [event for event in events if event.subject.startswith("hand to the")]

    for giver, receiver in enumerate(receivers):
        assert hands[giver] == state.hands[receiver]
        assert hands[giver] == moved[giver].items
        audience = moved[giver].audience
        assert audience is not None
        assert sorted((giver, receiver)) == list(audience)
    assert [(seat, (), 3) for seat in range(4)] == [(event.seat, event.items, event.amount) for event in public]


def test_two_players_swap_their_hands_twice() -> None:
    """With two players both passes are swaps (H-8.3)."""
    state = start(2)
    for after in (3, 9):
        play_until(state, 3, "place", after)
        before = list(state.hands)
        answer(state, random_answers(state, random.Random(4)))

        assert before[::-1] == state.hands


@pytest.mark.parametrize(
    ("seats", "sizes"),
    [(5, (30, 30, 0, 0)), (4, (36, 36, 12, 12)), (3, (42, 42, 24, 24)), (2, (46, 36, 22, 12))],
)
def test_six_cards_are_dealt_after_round_6(seats: int, sizes: tuple[int, ...]) -> None:
    """Hands are empty then; the pile has the stated sizes (H-8.2, H-11.2; two players: after each reveal)."""
    state = start(seats)
    first = len(state.pile)
    play_until(state, 5, "place", 6)
    before, top = len(state.pile), state.pile
    empty = list(state.hands)
    events = answer(state, random_answers(state, random.Random(6)))
    after = len(state.pile)
    dealt = [event for event in events if event.verb is Verb.DREW]
    for _ in steps(state, 7):
        pass

    assert sizes == (first, before, after, len(state.pile))
    assert [()] * seats == empty
    for seat in range(seats):
        block = tuple(sorted(top[6 * seat : 6 * seat + 6]))
        assert Event(Verb.DREW, seat, "map cards", (), 6) == dealt[2 * seat]
        assert (block, (seat,)) == (dealt[2 * seat + 1].items, dealt[2 * seat + 1].audience)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_ends_after_twelve_rounds(seats: int, setting: dict[str, str]) -> None:
    """Every domain has 13 cards, points are told line by line and add up to the result (H-8.4, H-8.6)."""
    state = start(seats, None, **setting)
    _, events = list(steps(state, seats))[-1]
    result = GAME.result(state)
    scored = Counter(dict.fromkeys(range(seats), 0))
    for event in events:
        if event.verb is Verb.SCORED:
            scored[event.seat] += event.amount

    assert GAME.pending(state) == ()
    assert all(len(domain.laid) == 12 for domain in state.domains)
    assert all(hand == () for hand in state.hands)
    assert result is not None
    assert result.points == tuple(scored[seat] for seat in range(seats))
    assert result.points == tuple(score.total for score in GAME.view(state, None).scores)
    assert min(result.places) == 1


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("seats", SEATS)
def test_no_card_or_cube_is_ever_lost(seats: int, setting: dict[str, str]) -> None:
    """The census of the box holds at every decision (H-1.1, H-1.3)."""
    state = start(seats, None, **setting)
    expected = {"cards": 60, "different cards": len(CARDS), "provinces": seats}
    expected |= {f"{colour} cubes": 10 for colour in ("blue", "brown", "grey", "yellow")}
    for _ in steps(state, 11):
        assert expected == census(state)


@pytest.mark.parametrize("seats", SEATS)
def test_decisions_and_options_stay_within_the_bounds(seats: int) -> None:
    """At most 96, 132 and 168 real decisions; PLAY, PICK, OVERRIDE, PAIR and KEEP lists as stated (H-11.1, H-11.3)."""
    most = {2: 96, 3: 96, 4: 132, 5: 168}[seats]
    longest = {"play": 78, "pick": 5, "play2": 6, "override": 137, "pair": 2, "keep": 2, "place": GAME.bounds.options}
    rng = random.Random(8)
    for seed in range(5):

        def choose(ask: Pending, options: Sequence[Option]) -> Option:
            assert len(options) <= longest[ask.kind]
            return options[rng.randrange(len(options))]

        _, decisions = playout(GAME, start(seats, Fast(seed)), Fast(seed), choose)
        assert decisions <= most <= GAME.bounds.decisions


def test_random_placement_without_spending_scores_about_21() -> None:
    """The mean of H-11.8 for uniformly random placement with no cube spent, as a sanity check of rules and points."""
    rng = random.Random(12)

    def thrifty(ask: Pending, options: Sequence[Option]) -> Option:
        free = [option for option in options if not isinstance(option, Play) or option.cube is None]
        free = [option for option in free if not isinstance(option, Override) or not option.cubes]
        return free[rng.randrange(len(free))]

    points = [
        point for seed in range(30) for point in playout(GAME, start(4, Fast(seed)), Fast(seed), thrifty)[0].points
    ]

    assert 17 < sum(points) / len(points) < 25


def test_a_shortage_of_cubes_happens_and_is_survived() -> None:
    """With five thrifty players and A sides some colour runs out (H-R7)."""
    state = start(5)
    rng, ran_out = random.Random(3), False
    while GAME.pending(state):
        options = {ask.seat: GAME.options(state, ask.seat) for ask in GAME.pending(state)}
        answers = {}
        for seat, listed in options.items():
            edge = [option for option in listed if isinstance(option, Placement) and option.mask.bit_count() == 1]
            answers[seat] = rng.choice(edge) if edge else listed[0]
        answer(state, answers)
        ran_out = ran_out or 0 in state.supply

    assert ran_out
    assert all(0 <= count <= 10 for count in supply_of(state).values())


def test_a_wrong_answer_changes_nothing() -> None:
    """Missing, foreign and surplus answers are refused before anything happens."""
    state = start(3)
    before = GAME.dump(state)
    seat = state.order[0]
    far = Play(state.hands[seat][0], Cell(40, 40))
    wrong: list[dict[Seat, Option]] = [{}, {seat: Play(61, None)}, {seat: far}, {(seat + 1) % 3: "x"}]
    for answers in wrong:
        with pytest.raises(IllegalAnswer):
            answer(state, answers)

    assert before == GAME.dump(state)


def test_a_clone_goes_its_own_way() -> None:
    """Playing a clone on leaves the original as it was."""
    state = start(4)
    play_until(state, 1, "place", 5)
    copy, before = GAME.clone(state), GAME.dump(state)
    for _ in steps(copy, 2):
        pass

    assert before == GAME.dump(state)
    assert GAME.clone(state) == state


def test_order_settles_who_gets_the_last_cube_in_two_player_games() -> None:
    """The chooser comes first when cubes are allocated (H-6.7, H-7.9)."""
    for order in ((0, 1), (1, 0)):
        state = start(2)
        state.order, state.taken, state.stack = order, [40, 42], [(PLACE,)]
        for seat in (0, 1):
            state.cubes[seat] = ()
        state.supply = (5, 5, 5, 1)
        answers = {}
        for seat in (0, 1):
            listed = all_of(Placement, GAME.options(state, seat))
            answers[seat] = next(option for option in listed if option.mask == 0 and option.row == -2)
        answer(state, answers)

        assert [seat == order[0] for seat in (0, 1)] == ["Y" in cubes_of(state, seat).values() for seat in (0, 1)]
