"""Rounds, turns and the end of a round (N-1.1, N-2, N-4, N-10)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from referee.games.ninjato import GAME
from referee.games.ninjato.components import FORCE, STEALTH
from referee.games.ninjato.options import DOJO, HONOR, PLACES
from referee.kernel.chance import Fast
from tests.games.ninjato.journeys import Eager, Random, decisions
from tests.games.ninjato.stage import Stage, cards, heap, play, space, tiles


def test_every_seat_takes_three_turns_in_turn_order() -> None:
    """C A B C A B C A B, then the round ends (N-1.1, N-4.1)."""
    stage = Stage(3).order(2, 0, 1)
    seats = []
    while stage.state.round == 1:
        seats.append(stage.seat)
        stage.pass_turn()

    assert seats == [2, 0, 1] * 3
    assert stage.state.round == 2


def test_a_game_has_seven_rounds_of_three_placements_each() -> None:
    """42, 63 and 84 placements (N-1.1, N-18)."""
    for seats in (2, 3, 4):
        placements = [kind for kind, _, _ in decisions(seats, Random(seats)) if kind == "place"]

        assert len(placements) == 21 * seats


def test_a_turn_is_resolved_before_the_next_player_acts() -> None:
    """From placing to the last decision of the action the same seat is asked (N-4.2)."""
    asked = [(kind, seat) for kind, seat, _ in decisions(3, Eager(5))]
    turn_kinds = ("dojo_pick", "dojo_discard", "sensei_pay", "pay", "fight", "banzai", "keep", "clan_token")

    for (_, before), (kind, seat) in pairwise(asked):
        if kind in turn_kinds:
            assert seat == before


def test_the_spaces_of_a_turn() -> None:
    """Dojo, Sensei, Palace, Pavilion, and both sides of five houses: 14 at most (N-4.2, N-4.4, N-16)."""
    stage = Stage().order(0, 1).hands([1, 3, 5], ()).treasures(0, *["fan", "scroll", "vase", "jade", "gold"] * 3)

    assert stage.options == list(PLACES)
    assert len(PLACES) == 14


def test_shuriken_never_block() -> None:
    """Any space may be chosen again, by the same player and by others (N-4.3)."""
    stage = Stage().order(0, 1).house(0, 3, ["fan"])
    for _ in range(4):
        assert space("house", 0, FORCE) in stage.options
        stage.raiding(0, FORCE).do("give_up")

    assert space("house", 0, STEALTH) in stage.options
    assert space("dojo") in stage.options


def test_there_is_always_the_dojo() -> None:
    """With nothing in hand and every house closed, the Dojo is the only space, and one may not pass (N-4.5, N-2.5)."""
    stage = Stage().order(0, 1).hands((), ())
    for house in range(5):
        stage.state.treasure_discard = tuple(
            map(sum, zip(stage.state.treasure_discard, stage.state.light[house], strict=True))
        )
        stage.state.light[house] = heap()
        stage.state.sentinels[house] = -1

    assert stage.options == [space("dojo")]


@pytest.mark.parametrize(
    ("hand", "treasures", "offered"),
    [
        ((), (), []),
        ((2,), (), ["sensei"]),
        ((), ("fan", "jade"), ["palace"]),
        ((), ("vase",), ["pavilion"]),
        ((), ("scroll",), []),
    ],
)
def test_a_space_needs_something_that_can_be_paid(
    hand: tuple[int, ...], treasures: tuple[str, ...], offered: list[str]
) -> None:
    """Sensei, Palace and Pavilion are offered only with a payable tile or card (N-4.4, N-R3)."""
    stage = Stage().order(0, 1).hands(hand, ()).treasures(0, *treasures)
    stage.sensei("chocho", "kenjutsu").palace("taira_19", "taira_54").pavilion("warrior_5", "people_5")
    found = [option.space for option in stage.places() if option.space in ("sensei", "palace", "pavilion")]

    assert offered == found


def test_one_player_decides_at_a_time() -> None:
    """Every state of a game asks exactly one seat (N-2.3)."""
    state = GAME.start(4, {}, Fast(3))
    chooser = Eager(3)
    while asks := GAME.pending(state):
        assert len(asks) == 1

        seat = asks[0].seat
        GAME.apply(state, {seat: chooser.choose(GAME.options(state, seat))}, Fast(1))


def test_the_dojo_shuriken_are_stacked() -> None:
    """Each one goes on top of those that are there (N-5.1)."""
    stage = Stage(3).order(1, 2, 0)
    for _ in range(3):
        stage.act(space("dojo"))
        while stage.kind != "place":
            stage.act(stage.options[0])
    stage.pass_turn()

    assert stage.state.dojo_stack() == (1, 2, 0)
    assert stage.state.placed[:3] == (DOJO,) * 3


def test_tiles_are_turned_up_and_shuriken_return_at_the_end_of_a_round() -> None:
    """A used tile is usable in the next round (N-10.1, N-10.2)."""
    stage = Stage().order(0, 1).hands([5, 5], ()).skills(0, "kenjutsu", down=["boryaku"]).finish_round()

    assert (stage.state.ready[0], stage.state.used[0]) == (tiles("kenjutsu", "boryaku"), tiles())
    assert stage.state.placed == ()


def test_disguises_follow_the_new_turn_order() -> None:
    """The order of the Dojo stack holds already for the scoring phase (N-10.4, N-11.2, N-R21)."""
    stage = Stage().round(5).order(0, 1).skills(0, "hensojutsu_snake").skills(1, "hensojutsu_crane")
    stage.envoys(0, "taira_19").envoys(1, "minamoto_21").finish_round(last=1)

    assert stage.seat == 1

    stage.act(space("dojo"))
    while stage.kind != "disguise":
        stage.act(stage.options[0])

    assert (stage.state.order, stage.seat) == ((1, 0), 1)


def test_other_houses_do_not_change_at_the_end_of_a_round() -> None:
    """A house with treasures keeps them, sides and Sentinel included (N-10.5)."""
    stage = Stage().order(0, 1).hands((), ()).house(0, 2, ["fan"], ["gold"]).finish_round()

    assert (stage.state.light[0], stage.state.red[0]) == (heap("fan"), heap("gold"))


def test_palace_and_pavilion_are_filled_up_at_the_end_of_a_round() -> None:
    """Four each, and not before (N-8.4, N-9.3, N-10.6)."""
    stage = Stage().order(0, 1).palace("taira_26").pavilion("foes_4", "arts_5").treasures(0, "scroll", "vase", "scroll")
    stage.act(space("palace")).do("take_envoy").do("pay")

    assert (len(stage.state.palace), len(stage.state.pavilion)) == (0, 2)

    stage.pass_turn()
    stage.act(space("pavilion")).do("take_rumor").do("pay")

    assert len(stage.state.pavilion) == 1

    stage.finish_round()

    assert (len(stage.state.palace), len(stage.state.pavilion)) == (4, 4)


@pytest.mark.parametrize(("number", "scoring"), [(1, False), (2, False), (3, True), (4, False), (5, True), (6, False)])
def test_scoring_follows_rounds_three_five_and_seven(number: int, scoring: bool) -> None:
    """After the other rounds the next one begins at once (N-10.7)."""
    stage = Stage().round(number).order(0, 1).envoys(0, "taira_19").finish_round()

    assert stage.kind == ("clan_reward" if scoring else "place")


def test_after_round_seven_only_the_pavilion_is_refilled() -> None:
    """Houses, Palace and Sensei stay as they are; the rumors still matter (N-10.7, N-10.3)."""
    stage = Stage().round(7).order(0, 1).hands([5], ()).house(0, 1, ["fan"]).palace("taira_26").pavilion("foes_1")
    stage.sensei("hensojutsu_tiger").envoys(0, "minamoto_63").raiding(0, FORCE).act(play(5, value=5))
    stage.act(stage.options[0]).finish_round()

    assert stage.kind == "clan_reward"
    assert (stage.state.is_open(0), len(stage.state.palace), len(stage.state.pavilion)) == (False, 1, 4)
    assert len(stage.state.sensei) == 1

    stage.act(HONOR)

    assert stage.kind is None


def test_round_two_begins_after_the_first() -> None:
    """The round marker moves on and all seats may place again (N-3.7, N-10.7)."""
    stage = Stage(4).order(3, 2, 1, 0).finish_round()

    assert (stage.state.round, stage.seat, stage.kind) == (2, 3, "place")
    assert sum(stage.state.face_up) == 3
    assert stage.state.hands[0] != cards()
