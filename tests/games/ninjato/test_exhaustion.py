"""When decks and the bag run out (N-13, N-5.7)."""

from __future__ import annotations

from referee.games.ninjato import GAME
from referee.games.ninjato.components import FORCE
from referee.games.ninjato.counts import NO_CARDS, NO_ELITES, NO_GUARDS, NO_TREASURES, gather, plus
from referee.games.ninjato.options import BANZAI, DECK, GIVE_UP, LEAVE
from referee.games.ninjato.state import GUARD
from referee.kernel.chance import Fast, Recording
from tests.games.ninjato.stage import Stage, cards, guard, heap, play, raid_stage, space


def spend_dojo_deck(stage: Stage, left: int) -> Stage:
    """Move the Dojo deck to its discard pile but for some cards."""
    state = stage.state
    gone, state.dojo_deck = state.dojo_deck[left:], state.dojo_deck[:left]
    state.dojo_discard = gather(gone, state.dojo_discard)
    state.pool = tuple(count - out for count, out in zip(state.pool, gather(gone, NO_CARDS), strict=True))
    return stage


def empty_bag(stage: Stage, discard: bool) -> Stage:
    """Take all treasures out of the bag: to the discard pile, or to seat 1."""
    state = stage.state
    heaped = gather(state.bag, NO_TREASURES)
    state.bag = ()
    if discard:
        state.treasure_discard = plus(state.treasure_discard, heaped)
    else:
        state.treasures[1] = plus(state.treasures[1], heaped)
    return stage


def test_the_dojo_discard_pile_becomes_the_deck() -> None:
    """The second card of the visit comes from the new deck; the pile is empty then (N-5.7)."""
    stage = spend_dojo_deck(Stage().order(0, 1).hands([1, 1], ()), 1)
    pile = sum(stage.state.dojo_discard)
    stage.chance = chance = Recording(Fast(1))  # type: ignore[assignment]
    stage.act(space("dojo")).act(DECK)

    assert (chance.take(), sum(stage.state.dojo_discard)) == ([], pile)

    stage.act(DECK)

    assert [outcome.stream for outcome in chance.take()] == ["dojo/1"]
    assert sum(stage.state.dojo_discard) == 0
    assert len(stage.state.dojo_deck) == pile - 1


def test_a_pile_is_renewed_only_when_something_must_be_drawn() -> None:
    """The last card is drawn and the deck stays empty; later discards take part in the shuffle (N-13.6, N-R23)."""
    stage = spend_dojo_deck(Stage().order(0, 1).hands([1, 2, 3], [5]).house(0, 4, ["fan", "fan"]), 2)
    stage.act(space("dojo")).act(DECK).act(DECK)

    assert (len(stage.state.dojo_deck), stage.state.shuffles) == (0, (0, 0, 0, 0))

    stage.raiding(0, FORCE).act(play(5, value=5)).act(LEAVE).act(space("dojo")).act(DECK)

    assert stage.state.shuffles == (1, 0, 0, 0)
    assert stage.state.pool[4] >= 1


def test_the_guard_discard_pile_becomes_the_deck() -> None:
    """A guard is always found (N-13.1)."""
    stage = raid_stage([5, 5], 1, FORCE, ["fan", "fan"])
    state = stage.state
    state.guard_discard, state.guard_deck = gather(state.guard_deck, NO_GUARDS), ()
    stage.act(play(5, value=5)).act(BANZAI)

    assert stage.raid.opponent == GUARD
    assert (len(state.guard_deck), sum(state.guard_discard), state.shuffles) == (34, 0, (0, 1, 0, 0))


def test_the_elite_discard_pile_becomes_the_deck() -> None:
    """Unbeaten elites come back (N-13.2)."""
    stage = raid_stage([5, 5], 1, FORCE, ["fan"], ["jade"])
    state = stage.state
    state.elite_discard, state.elite_deck = gather(state.elite_deck, NO_ELITES), ()
    stage.act(play(5, value=5)).act(BANZAI)

    assert (len(state.elite_deck), sum(state.elite_discard), state.shuffles) == (19, 0, (0, 0, 1, 0))


def test_without_elites_an_ordinary_guard_stands_in() -> None:
    """Its alarm is ignored, it gives no trophy and protects the lowest red treasure (N-13.2, N-R17)."""
    stage = raid_stage([5, 5], 1, FORCE, ["fan"], ["gold", "jade"]).guards(guard(3, alarm=True))
    state = stage.state
    state.trophies[1], state.elite_deck = state.elite_deck, ()
    stage.act(play(5, value=5)).act(BANZAI)

    assert (stage.raid.opponent, stage.raid.card) == (GUARD, guard(3, alarm=True))
    assert (state.light[0], state.red[0]) == (heap(), heap("gold", "jade"))

    stage.act(play(5, value=5))

    assert (stage.raid.red, state.trophies[0]) == (heap("jade"), ())
    assert state.guard_discard[guard(3, alarm=True)] == 1


def test_the_bag_is_refilled_from_the_discard_pile() -> None:
    """All of it goes in, then one treasure is drawn (N-13.3)."""
    stage = empty_bag(raid_stage([], 1, FORCE, ["fan"]), discard=True)
    pile = sum(stage.state.treasure_discard)
    stage.act(GIVE_UP)

    assert (len(stage.state.bag), sum(stage.state.treasure_discard)) == (pile - 1, 0)
    assert (sum(stage.state.light[0]), stage.state.shuffles) == (2, (0, 0, 0, 1))


def test_without_any_treasure_nothing_is_added() -> None:
    """Neither after a raid nor by an alarm, which then turns nothing (N-13.4, N-R18)."""
    stage = empty_bag(raid_stage([5, 5], 1, FORCE, ["fan", "gold"]), discard=False).guards(guard(1, alarm=True))
    stage.act(play(5, value=5)).act(BANZAI)

    assert (stage.state.light[0], stage.state.red[0]) == (heap("gold"), heap())

    stage.act(GIVE_UP).do("keep")

    assert sum(stage.state.light[0]) == 1


def test_a_house_gets_what_there_is_and_stays_closed_without_any() -> None:
    """Two treasures are left for the first empty house, none for the second (N-13.4, N-10.5)."""
    stage = empty_bag(Stage().order(0, 1).hands([5, 5], ()), discard=False)
    for house in (0, 1):
        stage.state.treasures[1] = plus(stage.state.treasures[1], stage.state.light[house])
        stage.state.light[house] = heap()
        stage.state.guard_discard = gather([stage.state.sentinels[house]], stage.state.guard_discard)
        stage.state.sentinels[house] = -1
    fan, scroll, *rest = stage.state.treasures[1]
    stage.state.treasures[1] = (fan - 2, scroll, *rest)
    while len(stage.state.placed) < 6:
        if len(stage.state.placed) == 5:
            stage.state.bag = (0, 0)
            break
        stage.act(space("dojo"))
        while stage.kind != "place":
            stage.act(stage.options[0])
    stage.act(space("dojo"))
    while stage.kind != "place":
        stage.act(stage.options[0])

    assert stage.state.round == 2
    assert (stage.state.light[0], stage.state.light[1]) == (heap("fan", "fan"), heap())
    assert (stage.state.is_open(0), stage.state.is_open(1)) == (True, False)
    assert (stage.state.sentinels[0] >= 0, stage.state.sentinels[1]) == (True, -1)
    assert space("house", 1, FORCE) not in stage.options


def test_a_sentinel_before_red_treasures_protects_the_lowest() -> None:
    """A raid that starts without a light treasure loots the lowest red one (N-13.4)."""
    stage = raid_stage([5], 1, FORCE, (), ["jade", "vase"]).act(play(5, value=5))

    assert (stage.raid.light, stage.raid.red) == (heap(), heap("vase"))


def test_displays_shrink_when_their_decks_are_empty() -> None:
    """No envoys and no rumors are left to display (N-13.5, N-10.6)."""
    stage = Stage().order(0, 1).palace("taira_26").pavilion("foes_4", "arts_5")
    state = stage.state
    state.envoys[1], state.envoy_deck = state.envoy_deck, ()
    state.rumors[1], state.rumor_deck = state.rumor_deck[1:], state.rumor_deck[:1]
    stage.finish_round()

    assert (len(state.palace), len(state.pavilion)) == (1, 3)


def test_with_full_hands_a_dojo_card_is_still_found() -> None:
    """Four hands of seven and two cards more leave at least 19 cards for the deck (N-5.7)."""
    stage = Stage(4).order(0, 1, 2, 3).hands(*[[1, 2, 3, 4, 5, number, 3] for number in (1, 2, 4, 5)])
    spend_dojo_deck(stage, 0).act(space("dojo")).act(DECK).act(DECK)

    assert [sum(hand) for hand in stage.state.hands] == [9, 7, 7, 7]
    assert len(stage.state.dojo_deck) == 52 - 30 - 3
    assert stage.state.dojo_discard == cards()
    assert GAME.load(GAME.dump(stage.state)) == stage.state
