"""Set-up, rounds and the end: sections 1, 4, 5, 10 and 12, vectors E-EN1 to E-EN8."""

from __future__ import annotations

import pytest

from referee.games.edo_yashiki import GAME, State, census
from referee.games.edo_yashiki.components import NAMES, SETUPS
from referee.games.edo_yashiki.rounds import close
from referee.kernel.chance import Fast, Recording, Sealed, secret_from_seed
from referee.kernel.errors import BadSetting, UnknownName
from referee.kernel.game import TABLE, Event, Result, Verb, settle_variant, variant_of
from tests.games.edo_yashiki.tables import DRAFTS, RULES, SEATS, golden_chance, start, steps


def after_scoring(scores: tuple[int, ...], deck: int) -> tuple[State, list[Event]]:
    """A game right after a round that left these scores and so many cards in the deck, and what is told then."""
    state = start(len(scores))
    state.scores = scores
    state.deck = state.deck[:deck]
    events: list[Event] = []
    close(state, events)
    return state, events


@pytest.mark.parametrize(
    ("scores", "deck", "places", "reason"),
    [
        ((27, 31, 25), 30, (2, 1, 3), "target"),
        ((26, 26, 20, 14), 30, (1, 1, 3, 4), "target"),
        ((12, 25, 25, 25, 3), 30, (4, 1, 1, 1, 5), "target"),
        ((24, 9, 8), 1, (1, 2, 3), "deck"),
        ((1, 2, 3, 4, 5), 4, (5, 4, 3, 2, 1), "deck"),
        ((9, 9), 0, (1, 1), "deck"),
        ((25, 9), 0, (1, 2), "target"),
    ],
    ids=["E-EN1", "E-EN2", "E-EN3", "E-EN5", "E-EN6", "E-EN7", "both"],
)
def test_the_game_ends_and_ranks_by_points(
    scores: tuple[int, ...], deck: int, places: tuple[int, ...], reason: str
) -> None:
    """25 points or a short deck end the game after scoring; ties share a place (E-10.1 to E-10.3, E-R21, E-R23).

    Points above 29, where the printed track ends, count like others (E-R11).
    """
    state, events = after_scoring(scores, deck)

    assert GAME.pending(state) == ()
    assert Result(places, scores, reason) == GAME.result(state)
    assert [Event(Verb.PHASE, TABLE, "end", (reason,))] == events


def test_the_game_goes_on_below_the_target() -> None:
    """E-EN4: 24 points and a full row left, so another round is dealt (E-10.1)."""
    state, _ = after_scoring((24, 23), 2)

    assert len(GAME.pending(state)) == 2
    assert GAME.result(state) is None
    assert state.round == 2
    assert state.deck == ()


@pytest.mark.parametrize("seats", SEATS)
def test_the_first_player_rotates_to_the_left(seats: int) -> None:
    """E-EN8 and E-1.1: the left neighbour of seat p is p+1, the last seat's is seat 0."""
    state = start(seats)
    first = state.first
    seen = [(first, 1)]
    for current, _, events in steps(state, seats):
        told = [event.items for event in events if event.subject == "first player"]
        if told:
            assert [(current.first,)] == told
            seen.append((current.first, current.round))

    assert [((first + number - 1) % seats, number) for number in range(1, 1 + len(seen))] == seen


@pytest.mark.parametrize(("seats", "deck"), [(2, 62), (3, 61), (4, 60), (5, 59)])
def test_the_set_up_deals_one_card_to_each_seat(seats: int, deck: int) -> None:
    """Starting cards go round from the first player, as printed, and score nothing (E-4.1 to E-4.5, E-1.4, E-R2)."""
    state = start(seats, chance=golden_chance(seats))
    dealt = [NAMES[state.houses[(state.first + place) % seats].cards[0].card] for place in range(seats)]

    assert ["E58", "E15", "E42", "E34", "E40"][:seats] == dealt
    assert {(0, 0, 0)} == {placed[1:] for built in state.houses for placed in built.cards}
    assert {()} == {built.made for built in state.houses}
    assert (0,) * seats == state.scores
    assert deck == len(state.deck) + seats
    assert state.round == 1


def test_the_set_up_of_four_is_as_written() -> None:
    """Seat 1 begins with E58, then E15, E42 and E34 to the left; the first row follows (section 16.6, E-RB6)."""
    state = start(4, chance=golden_chance(4))

    assert [NAMES[built.cards[0].card] for built in state.houses] == ["E34", "E58", "E15", "E42"]
    assert [NAMES[card] for card in state.row] == ["E40", "E56", "E24", "E52"]


@pytest.mark.parametrize("seats", SEATS)
def test_luck_is_asked_for_exactly_what_is_random(seats: int) -> None:
    """Deck and first player at set-up, a priority a round, each from its stream (E-12.1, E-12.4 to E-12.6, E-R9)."""
    chance = Recording(Sealed(secret_from_seed("luck")))
    state = start(seats, chance=chance)
    asked = [(outcome.stream, outcome.n) for outcome in chance.take()]

    assert [("deck", 64), ("first", seats)] == asked
    while asks := GAME.pending(state):
        GAME.apply(state, {ask.seat: GAME.options(state, ask.seat)[0] for ask in asks}, chance)
    drawn = [(outcome.stream, outcome.n) for outcome in chance.take()]
    assert [(f"priority/{number}", seats) for number in range(1, 1 + state.round)] == drawn


def test_luck_does_not_depend_on_answers() -> None:
    """The same secret deals the same cards and priorities whatever is played (E-6.5, E-12.2, E-12.3, E-12.8)."""
    games = []
    for choice in (0, -1):
        chance = Sealed(secret_from_seed("luck"))
        state = start(3, chance=chance)
        while asks := GAME.pending(state):
            GAME.apply(state, {ask.seat: GAME.options(state, ask.seat)[choice] for ask in asks}, chance)
        games.append([(draft.row, draft.priority) for draft in state.drafts])
    shorter = min(map(len, games))

    assert shorter > 5
    assert games[0][:shorter] == games[1][:shorter]


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_keeps_to_its_bounds(seats: int, rules: str, draft: str) -> None:
    """Any mode combines with any variant (E-1.2, E-1.3); rounds and decisions stay within the table of section 15."""
    state = start(seats, rules, draft)
    decisions = sum(len(answers) for _, answers, _ in steps(state, 11))
    most = SETUPS[seats].rounds

    assert state.round <= most
    assert decisions <= GAME.bounds.decisions
    assert rules == "specialists" or decisions <= 2 * seats * most
    assert set(census(state).values()) == {1}


def test_a_full_deck_lasts_as_long_as_written() -> None:
    """E-EN5, E-EN6: below 25 points the game ends after 31, 20, 15 or 11 rounds, 0, 1, 0 or 4 cards left (E-R10)."""
    ends = {}
    for seats in SEATS:
        state = start(seats, "specialists")
        while asks := GAME.pending(state):
            GAME.apply(state, {ask.seat: GAME.options(state, ask.seat)[-1] for ask in asks}, Fast(1))
        result = GAME.result(state)
        ends[seats] = (state.round, len(state.deck), result.reason if result else None)

    assert ends == {2: (31, 0, "deck"), 3: (20, 1, "deck"), 4: (15, 0, "deck"), 5: (11, 4, "deck")}


def test_settings_are_named_and_have_defaults() -> None:
    """`standard`, `sealed` and `seen` unless told otherwise, for two to five seats (E-1.1 to E-1.5)."""
    assert settle_variant(GAME, 2, {}) == {"rules": "standard", "draft": "sealed", "covering": "seen"}
    assert range(2, 6) == GAME.seats
    for seats in (1, 6):
        with pytest.raises(BadSetting):
            settle_variant(GAME, seats, {})
    with pytest.raises(UnknownName):
        settle_variant(GAME, 3, {"draft": "hasty"})


def test_records_of_version_1_imply_that_all_cards_count() -> None:
    """A header of rules version 1 names two settings and stands for `covering = all` (E-1.5)."""
    (first,) = GAME.earlier
    named = {"rules": "specialists", "draft": "turn_order"}

    assert variant_of(GAME, 1, first.digest, 3, named) == {**named, "covering": "all"}
    with pytest.raises(BadSetting, match="must name every setting of edo_yashiki at that time: rules, draft"):
        variant_of(GAME, 1, first.digest, 3, {**named, "covering": "seen"})
    with pytest.raises(BadSetting, match="must name every setting of edo_yashiki: rules, draft, covering"):
        variant_of(GAME, GAME.rules_version, GAME.digest, 3, named)


def test_a_round_is_announced_with_its_row() -> None:
    """The row becomes public when it is revealed, in the order drawn (section 5, REVEAL)."""
    state = start(2)
    for current, _, events in steps(state, 3):
        told = [event.items for event in events if event.subject == "row"]
        if told:
            assert [tuple(NAMES[card] for card in current.row)] == told
            assert (Event(Verb.PHASE, TABLE, "round", (current.round,))) in events
