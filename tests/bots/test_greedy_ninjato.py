"""The greedy bot at Ninjato: it beats random at every table, and its parts judge as they say.

Measured in full by the slow tests, or from a shell: `python -m tests.bots.duel ninjato greedy random --pairs 200` and
`... --pairs 20 --seats 4 --field`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.bundled.greedy.ninjato import JUDGES
from bots.bundled.greedy.ninjato.raids import Arsenal, Odds, beat
from bots.bundled.greedy.ninjato.worth import Outlook, power
from referee.games.ninjato import GAME
from referee.games.ninjato.components import FORCE, STEALTH
from referee.games.ninjato.options import BANZAI, GIVE_UP, HONOR, LEAVE, RUMOR, SWITCH, Keep, Pay, PutToken, Swap
from referee.kernel.game import Option
from tests.bots.duel import duel, field
from tests.games.ninjato.stage import ENVOY, Stage, cards, guard, heap, play, raid_stage, space, tiles, token
from tests.games.ninjato.stage import RUMOR as RUMOR_NUMBER


def outlook(stage: Stage, seat: int = 0) -> Outlook:
    """What a seat makes of a staged state."""
    return Outlook(GAME.view(stage.state, seat), seat)


def preferred(stage: Stage, options: Sequence[Option] | None = None) -> Option:
    """The option that greedy takes."""
    judge = JUDGES[str(stage.kind)](outlook(stage, stage.seat))
    return max(stage.options if options is None else options, key=judge)


def test_greedy_beats_random_at_two_seats() -> None:
    """A few duplicate deals: every one of them is won, by far."""
    score = duel("ninjato", "greedy", "random", 4)

    assert score.pairs.won == 4
    assert min(score.points) > 2 * max(score.other_points)


@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_places_first_among_random_bots(seats: int) -> None:
    """One greedy bot among random ones wins from every seat."""
    score = field("ninjato", "greedy", "random", 1, seats=seats)

    assert score.place == 1.0


@pytest.mark.slow
def test_greedy_wins_nearly_every_duplicate_pair() -> None:
    """At least 95% of 200 duplicate pairs at two seats."""
    score = duel("ninjato", "greedy", "random", 200)

    assert score.pairs.won >= 190


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_places_clearly_first_at_larger_tables(seats: int) -> None:
    """Twenty deals from every seat: nearly always first."""
    score = field("ninjato", "greedy", "random", 20, seats=seats)

    assert score.place <= 1.05


def test_the_odds_leave_out_the_guards_that_were_seen() -> None:
    """Forty guards less five Sentinels and the discard pile; the chances add up to one."""
    stage = Stage()
    for house, value in enumerate((5, 5, 5, 5, 4)):
        stage.house(house, value, ["fan"])
    chances = dict(Odds(outlook(stage)).guards)

    assert sum(chances.values()) == pytest.approx(1.0)
    assert chances == pytest.approx({1: 8 / 35, 2: 8 / 35, 3: 8 / 35, 4: 7 / 35, 5: 4 / 35})


def test_a_double_elite_is_beaten_by_the_cheapest_order() -> None:
    """[2, 4] in stealth beats 3 and 5; [4, 4] does not."""
    won = beat(Arsenal(cards(2, 4), tiles(), STEALTH), (3, 5))

    assert won is not None
    assert won[0].hand == cards()
    assert beat(Arsenal(cards(4, 4), tiles(), STEALTH), (3, 5)) is None


def test_a_hand_for_one_side_is_worth_more_than_a_mixed_one() -> None:
    """Two 5s do more than a 5 and a 1: one raid has one mode."""
    assert power(cards(5, 5)) > power(cards(5, 1))
    assert power(cards(1, 1)) == pytest.approx(power(cards(5, 5)))


def test_the_cheapest_winning_card_is_played() -> None:
    """Against a 1 in force a 2 suffices."""
    stage = raid_stage([2, 5], 1, FORCE, ["fan", "jade", "jade"])

    assert preferred(stage) == play(2, value=2)


def test_it_goes_on_while_the_odds_are_good_and_leaves_when_they_are_not() -> None:
    """With three 5s it meets the next guard for a jade; with nothing left it takes what it has."""
    strong = raid_stage([5, 5, 5, 5], 1, FORCE, ["fan", "jade", "jade"]).act(play(5, value=5))
    weak = raid_stage([5], 1, FORCE, ["fan", "jade", "jade"]).act(play(5, value=5))

    assert preferred(strong) == BANZAI
    assert preferred(weak) == LEAVE


def test_it_switches_the_mode_when_that_wins() -> None:
    """A 3 against a 5 in force: Seishin-teki, then the 3 wins in stealth."""
    stage = raid_stage([3], 5, FORCE, ["fan", "jade"], skills=["seishin_teki"])

    assert preferred(stage) == SWITCH


def test_it_swaps_a_fan_for_a_gold_and_keeps_the_best() -> None:
    """After a failure Chocho gets the gold out of the house."""
    stage = raid_stage([5], 1, FORCE, ["fan", "jade"], ["gold"], ["chocho"]).guards(guard(5))
    stage.act(play(5, value=5)).act(BANZAI).act(GIVE_UP)

    assert preferred(stage) == Swap("swap", 0, 0, 4, 1)

    stage.act(preferred(stage))

    assert preferred(stage) == Keep("keep", 4)


def test_an_envoy_is_worth_the_lead_it_brings() -> None:
    """One that takes the first place of a rich clan is worth more than one that comes third in a poor clan."""
    houses = (("taira", 8), ("taira", 6), ("taira", 5), ("minamoto", 2), ("go_shirakawa", 2))
    stage = Stage(3).tokens(*(token(clan, value) for clan, value in houses)).envoys(1, "taira_54")
    stage.envoys(2, "minamoto_63", "minamoto_56")
    stage.state.envoys[1] = (*stage.state.envoys[1], ENVOY["minamoto_49"], ENVOY["minamoto_42"])
    prices = outlook(stage)

    assert prices.envoy(ENVOY["taira_61"]) > prices.envoy(ENVOY["minamoto_21"]) + 5


def test_the_third_card_of_a_set_is_worth_most() -> None:
    """With two `friends` and six envoys the third `friends` doubles what they bring."""
    six = ["taira_19", "taira_26", "taira_33", "taira_40", "taira_47", "taira_54"]
    stage = Stage().round(7).rumors(0, "friends_1", "friends_2").envoys(0, *six)
    prices = outlook(stage)

    assert prices.rumor(RUMOR_NUMBER["friends_3"]) >= 12
    assert prices.rumor(RUMOR_NUMBER["friends_3"]) > prices.rumor(RUMOR_NUMBER["warrior_3"])


def test_treasures_fade_when_there_is_no_turn_left_to_spend_them() -> None:
    """In the last turn of the game a treasure is worth the one honor it brings unspent."""
    early, late = Stage().order(0, 1), Stage().round(7).order(0, 1).finish_round(last=2)

    assert outlook(early).treasure[3] > 3
    assert outlook(late).treasure == pytest.approx((1.0,) * 5)
    assert outlook(late).card == 0.0


def test_it_pays_with_what_is_worth_least_for_its_honor() -> None:
    """Where a gold or a jade would do, the jade is spent."""
    stage = Stage().order(0, 1).pavilion("arts_6").treasures(0, "jade", "gold").act(space("pavilion")).do("take_rumor")

    assert preferred(stage) == Pay("pay", heap("jade"), 5)


def test_it_raises_the_clan_that_it_leads() -> None:
    """After a victory the best token of the own clan goes up."""
    stage = Stage().order(0, 1).hands([5], ()).house(2, 1, ["fan"]).envoys(0, "taira_61", "taira_54")
    stage.envoys(1, "go_shirakawa_65").raiding(2, FORCE).act(play(5, value=5))

    assert preferred(stage) == PutToken("put_token", 0, 8)


@pytest.mark.parametrize(("value", "choice"), [(8, HONOR), (2, RUMOR)])
def test_the_first_of_a_clan_compares_honor_with_the_best_rumor(value: int, choice: Option) -> None:
    """Eight honor are better than a plain rumor, two are not."""
    houses = (("minamoto", 4), ("go_shirakawa", 4), ("go_shirakawa", 5), ("go_shirakawa", 6), ("taira", value))
    stage = Stage().round(5).order(0, 1).tokens(*(token(clan, number) for clan, number in houses))
    stage.envoys(0, "taira_61").pavilion("foes_1", "people_1", "arts_1", "warrior_1").finish_round()

    assert stage.kind == "clan_reward"
    assert preferred(stage) == choice
