"""The test vectors of RULES.md about the course of a raid: 2 to 6, 32 to 43, 59 and 63."""

from __future__ import annotations

import pytest

from referee.games.ninjato.components import FORCE, SKILL, STEALTH
from referee.games.ninjato.options import BANZAI, GIVE_UP, LEAVE, SWITCH, Keep, PutToken, Refresh, Swap
from referee.games.ninjato.state import ELITE as ELITE_OPPONENT
from referee.games.ninjato.state import GUARD, NO_OPPONENT, Raid
from tests.games.ninjato.stage import ELITE, Stage, cards, guard, heap, names_of, play, raid_stage, space, tiles

LIGHT, RED = 0, 1
FAN, SCROLL, VASE, JADE, GOLD = range(5)


def swap(loot: int, loot_side: int, house: int, house_side: int) -> Swap:
    """A swap option."""
    return Swap("swap", loot, loot_side, house, house_side)


def before_elite(stage: Stage, name: str, light: tuple[int, ...], red: tuple[int, ...], mode: int) -> Stage:
    """Put the raider of a stage, with some loot, in front of an elite guard."""
    loot = [*names_of(light), *names_of(red)]
    state = stage.bag(*loot).elites(name).state
    state.bag, state.elite_deck = state.bag[len(loot) :], state.elite_deck[1:]
    parts = 3 if "double" in name else 1
    state.stack[-1] = Raid("fight", 0, 0, mode, light, red, ELITE_OPPONENT, ELITE[name], parts)
    return stage


def raid_of_vector_2() -> Stage:
    """The rulebook's raid up to its last decision."""
    stage = raid_stage([4, 1, 3, 2], 5, STEALTH, ["scroll", "vase", "gold"])
    stage.guards(guard(1), guard(3, alarm=True)).bag("jade")
    stage.act(play(4, value=4)).act(BANZAI).act(play(1, supports=1, value=0)).act(BANZAI)

    assert heap("jade") == stage.state.light[0]
    assert heap("gold") == stage.state.red[0]

    return stage.act(play(2, value=2))


def test_vector_02_a_raid_with_an_alarm() -> None:
    """The alarm adds a jade and turns the gold; the raider leaves with three treasures.

    N-TV2, N-7.3, N-7.4, N-7.16.
    """
    stage = raid_of_vector_2()
    (new,) = stage.state.bag[:1]
    stage.act(LEAVE)

    assert heap("scroll", "vase", "jade") == stage.state.treasures[0]
    assert heap("gold") == stage.state.red[0]
    assert tuple(int(kind == new) for kind in range(5)) == stage.state.light[0]
    assert guard(5) == stage.state.sentinels[0]
    assert cards() == stage.state.hands[0]


def test_vector_03_without_a_light_treasure_an_elite_comes() -> None:
    """Going on in N-TV2 reveals an elite guard (N-TV3, N-7.4)."""
    stage = raid_of_vector_2().act(BANZAI)

    assert stage.raid.opponent == ELITE_OPPONENT


def test_vector_04_intonjutsu_and_boryaku() -> None:
    """A 5 counts as 0, then Boryaku as 2 beats Tsuba without a card; the house is empty (N-TV4, N-7.6, N-7.18)."""
    stage = raid_stage([5], 2, STEALTH, ["vase"], ["jade"], ["intonjutsu", "boryaku"]).elites("elite_tsuba")
    stage.act(play(5, "intonjutsu", value=0)).act(BANZAI).act(play(0, value=2))

    assert stage.kind == "clan_token"
    assert (ELITE["elite_tsuba"],) == stage.state.trophies[0]
    assert cards() == stage.state.hands[0]
    assert tiles("intonjutsu", "boryaku") == stage.state.used[0]
    assert heap("vase", "jade") == stage.state.treasures[0]


def test_vector_05_chocho_after_a_hopeless_double() -> None:
    """A light fan goes in for the red jade and is turned red; the jade is kept after giving up.

    N-TV5, N-7.13, N-7.17.
    """
    stage = raid_stage([1], 1, FORCE, (), ["jade"], ["chocho"])
    before_elite(stage, "elite_double_3_5", heap("fan", "vase"), heap(), FORCE)
    stage.act(swap(FAN, LIGHT, JADE, RED))

    assert (heap(), heap("fan")) == (stage.state.light[0], stage.state.red[0])
    assert (heap("vase"), heap("jade")) == (stage.raid.light, stage.raid.red)

    stage.bag("scroll").act(GIVE_UP).act(Keep("keep", JADE))

    assert heap("jade") == stage.state.treasures[0]
    assert heap("vase") == stage.state.treasure_discard
    assert stage.state.elite_discard[ELITE["elite_double_3_5"]] == 1
    assert (heap("scroll"), heap("fan")) == (stage.state.light[0], stage.state.red[0])


def test_vector_06_seishin_teki_holds_for_the_rest_of_the_raid() -> None:
    """A 3 cannot beat a 5 in force but does in stealth, and later guards are met in stealth (N-TV6, N-7.14)."""
    stage = raid_stage([3], 5, FORCE, ["fan", "fan"], skills=["seishin_teki"])

    assert stage.options == [SWITCH, GIVE_UP]

    stage.act(SWITCH).act(play(3, value=3)).act(BANZAI)

    assert stage.raid.mode == STEALTH
    assert tiles("seishin_teki") == stage.state.used[0]


@pytest.mark.parametrize(
    ("drawn", "light", "red"), [("fan", ["fan"], ["fan"]), ("gold", ["fan"], ["gold"]), ("vase", ["fan"], ["vase"])]
)
def test_vector_32_an_alarm_turns_the_best_light_treasure(drawn: str, light: list[str], red: list[str]) -> None:
    """The new treasure is turned if nothing ranks higher; one light treasure always stays (N-TV32, N-7.4)."""
    stage = raid_stage([5, 5], 1, FORCE, ["fan", "fan"]).guards(guard(1, alarm=True)).bag(drawn)
    stage.act(play(5, value=5)).act(BANZAI)

    assert (heap(*light), heap(*red)) == (stage.state.light[0], stage.state.red[0])


def test_vector_32_two_alarms_in_one_raid() -> None:
    """Each alarm adds a treasure and turns one (N-TV32, N-7.4)."""
    stage = raid_stage([5, 5, 5], 1, FORCE, ["fan", "scroll"])
    stage.guards(guard(1, alarm=True), guard(2, alarm=True)).bag("vase", "jade")
    stage.act(play(5, value=5)).act(BANZAI)

    assert (heap("scroll"), heap("vase")) == (stage.state.light[0], stage.state.red[0])

    stage.act(play(5, value=5))

    assert BANZAI in stage.options

    stage = raid_stage([5, 5, 5], 1, FORCE, ["fan", "scroll", "scroll"])
    stage.guards(guard(1, alarm=True), guard(2, alarm=True)).bag("vase", "jade")
    stage.act(play(5, value=5)).act(BANZAI).act(play(5, value=5)).act(BANZAI)

    assert (heap("scroll"), heap("vase", "jade")) == (stage.state.light[0], stage.state.red[0])


def test_vector_33_treasures_are_taken_from_the_lowest_rank() -> None:
    """Light ones first, fan, jade, gold; the scroll on its red side comes last, from an elite.

    N-TV33, N-7.2, N-7.3.
    """
    stage = raid_stage([5, 5, 5, 5], 1, FORCE, ["gold", "fan", "jade"], ["scroll"])
    stage.guards(guard(1), guard(2)).elites("elite_plain_3")
    loot = []
    opponents = []
    for _ in range(4):
        opponents.append(stage.raid.opponent)
        stage.act(play(5, value=5))
        loot += [event.items for event in stage.events if event.subject == "loot"]
        if stage.kind == "banzai":
            stage.act(BANZAI)

    assert loot == [("fan", "light"), ("jade", "light"), ("gold", "light"), ("scroll", "red")]
    assert opponents == [1, GUARD, GUARD, ELITE_OPPONENT]
    assert stage.kind == "clan_token"


def test_vector_34_one_treasure_is_kept_after_a_failure() -> None:
    """Of fan, vase and gold the gold is kept, the others are discarded, one treasure is added (N-TV34, N-7.17)."""
    stage = raid_stage([5, 5, 5], 1, FORCE, ["fan", "vase", "gold"], ["jade"]).guards(guard(1), guard(2))
    stage.act(play(5, value=5)).act(BANZAI).act(play(5, value=5)).act(BANZAI).act(play(5, value=5)).act(BANZAI)
    stage.bag("scroll").act(GIVE_UP)

    assert [Keep("keep", kind) for kind in (FAN, VASE, GOLD)] == stage.options

    stage.act(Keep("keep", GOLD))

    assert heap("gold") == stage.state.treasures[0]
    assert heap("fan", "vase") == stage.state.treasure_discard
    assert (heap("scroll"), heap("jade")) == (stage.state.light[0], stage.state.red[0])
    assert guard(1) == stage.state.sentinels[0]


def test_vector_35_a_double_elite_needs_two_plays() -> None:
    """In stealth a 2 beats the 3 and a 4 the 5: one treasure, one trophy (N-TV35, N-7.11)."""
    stage = raid_stage([2, 4], 1, STEALTH, (), ["jade", "gold"])
    before_elite(stage, "elite_double_3_5", heap(), heap(), STEALTH)

    assert [play(2, value=2), play(2, value=2, part=1), play(4, value=4, part=1)] == stage.plays()

    stage.act(play(2, value=2))

    assert [play(4, value=4, part=1), GIVE_UP] == stage.options

    stage.act(play(4, value=4, part=1))

    assert (ELITE["elite_double_3_5"],) == stage.state.trophies[0]
    assert heap("jade") == stage.raid.red


@pytest.mark.parametrize("plays", [0, 1])
def test_vector_35_half_a_double_elite_is_a_failure(plays: int) -> None:
    """With [4, 4] only the 5 can be beaten; what was spent on it stays spent (N-TV35, N-7.11)."""
    stage = raid_stage([4, 4], 1, STEALTH, (), ["jade", "gold"])
    before_elite(stage, "elite_double_3_5", heap(), heap(), STEALTH)

    assert [play(4, value=4, part=1), GIVE_UP] == stage.options

    for _ in range(plays):
        stage.act(play(4, value=4, part=1))
    stage.act(GIVE_UP)

    assert cards(*[4] * (2 - plays)) == stage.state.hands[0]
    assert stage.state.trophies[0] == ()
    assert stage.state.elite_discard[ELITE["elite_double_3_5"]] == 1


def test_vector_36_two_ways_to_beat_the_second_part() -> None:
    """After the 3 fell to a 5, the 5 falls to 3+Kenjutsu in force, or to a 3 in stealth (N-TV36, N-7.11, N-7.14)."""
    stage = raid_stage([5, 3], 1, FORCE, (), ["jade", "gold"], ["kenjutsu", "seishin_teki"])
    before_elite(stage, "elite_double_3_5", heap(), heap(), FORCE)
    stage.act(play(5, value=5))

    assert [play(3, "kenjutsu", value=6, part=1), SWITCH, GIVE_UP] == stage.options

    stage.act(SWITCH)

    assert [play(3, value=3, part=1), GIVE_UP] == stage.options

    stage.act(play(3, value=3, part=1))

    assert (ELITE["elite_double_3_5"],) == stage.state.trophies[0]


def test_vector_37_an_elite_has_a_value_for_each_mode() -> None:
    """5 in force, 1 in stealth: a 3 beats neither (N-TV37, N-7.10)."""
    stage = raid_stage([3], 1, FORCE, (), ["jade"], ["seishin_teki"])
    before_elite(stage, "elite_5_1", heap(), heap(), FORCE)

    assert stage.options == [SWITCH, GIVE_UP]

    stage.act(SWITCH)

    assert stage.options == [GIVE_UP]


def test_vector_38_a_trophy_stays_whatever_happens_later() -> None:
    """An elite is beaten, the next opponent is not: the trophy stays, one treasure is kept (N-TV38, N-7.3, N-R6)."""
    stage = raid_stage([5, 5], 1, FORCE, ["fan"], ["jade", "gold"]).elites("elite_4_2", "elite_5_1")
    stage.act(play(5, value=5)).act(BANZAI).act(play(5, value=5)).act(BANZAI).act(GIVE_UP).act(Keep("keep", JADE))

    assert (ELITE["elite_4_2"],) == stage.state.trophies[0]
    assert heap("jade") == stage.state.treasures[0]


def swapping(light: list[str], red: list[str], loot: list[str]) -> Stage:
    """A raider with Chocho and some light loot before a house, after the Sentinel fell."""
    stage = raid_stage([5], 1, FORCE, light, red, ["chocho"]).bag(*loot)
    stage.state.bag = stage.state.bag[len(loot) :]
    stage.state.stack[-1] = Raid("banzai", 0, 0, FORCE, heap(*loot), heap(), NO_OPPONENT, -1, 0)
    return stage


def test_vector_39_a_light_treasure_for_a_red_one_turns_the_best() -> None:
    """A light vase for the red gold: the jade is the best light one then, and is turned (N-TV39, N-7.13)."""
    stage = swapping(["jade"], ["gold"], ["vase"]).act(swap(VASE, LIGHT, GOLD, RED))

    assert (heap("vase"), heap("jade")) == (stage.state.light[0], stage.state.red[0])
    assert (heap(), heap("gold")) == (stage.raid.light, stage.raid.red)


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        (4, [(0, value) for value in (5, 6, 8)] + [(1, value) for value in (5, 6, 8)]),
        (0, [(1, value) for value in (5, 6, 8)] + [(2, value) for value in (2, 4, 5, 8)]),
    ],
)
def test_vector_40_the_new_token_is_of_another_clan(house: int, expected: list[tuple[int, int]]) -> None:
    """After a victory in the first round the supply offers six tokens in house 4 and seven in house 0.

    N-TV40, N-7.18.
    """
    stage = Stage().order(0, 1).hands([5], ()).house(house, 1, ["fan"]).raiding(house, FORCE).act(play(5, value=5))

    assert stage.kind == "clan_token"
    assert [PutToken("put_token", clan, value) for clan, value in expected] == stage.options


def test_vector_41_an_emptied_house_is_closed_until_the_round_ends() -> None:
    """No seat may choose it; then it has three treasures, a new Sentinel and its new token (N-TV41, N-7.18, N-10.5)."""
    stage = Stage().order(0, 1).hands([5], ()).house(2, 1, ["fan"]).raiding(2, FORCE).act(play(5, value=5))
    stage.act(PutToken("put_token", 0, 8))

    while stage.state.round == 1:
        assert not [option for option in stage.places() if option.house == 2]
        stage.pass_turn()

    assert (sum(stage.state.light[2]), sum(stage.state.red[2])) == (3, 0)
    assert stage.state.sentinels[2] >= 0
    assert stage.state.tokens[2] == 4
    assert space("house", 2, FORCE) in stage.options


def test_vector_42_any_open_house_may_be_raided() -> None:
    """A 3 cannot beat a Sentinel 3; both sides are offered, and giving up is the only answer.

    N-TV42, N-4.4, N-7.17, N-R3.
    """
    stage = Stage().order(0, 1).hands([3], ()).house(0, 3, ["fan"]).house(1, 5, ["fan"])

    assert {space("house", 0, FORCE), space("house", 0, STEALTH)} <= set(stage.options)
    assert {space("house", 1, FORCE), space("house", 1, STEALTH)} <= set(stage.options)

    stage.raiding(0, FORCE)

    assert stage.options == [GIVE_UP]

    stage.act(GIVE_UP)

    assert (cards(3), heap()) == (stage.state.hands[0], stage.state.treasures[0])
    assert sum(stage.state.light[0]) == 2
    assert (guard(3), True) == (stage.state.sentinels[0], stage.state.is_open(0))

    stage.pass_turn().raiding(1, STEALTH)

    assert [play(3, value=3), GIVE_UP] == stage.options

    stage = Stage().order(0, 1).hands([3], ()).house(1, 5, ["fan"]).raiding(1, FORCE)

    assert stage.options == [GIVE_UP]


def test_vector_43_kuji_kiri_brings_a_tile_back() -> None:
    """A face-down Kenjutsu is refreshed and beats the Sentinel with a 4 (N-TV43, N-7.15)."""
    stage = Stage().order(0, 1).hands([4], ()).skills(0, "kuji_kiri", down=["kenjutsu"]).house(0, 5, ["fan", "fan"])
    stage.raiding(0, FORCE)

    assert [Refresh("refresh", SKILL["kenjutsu"]), GIVE_UP] == stage.options

    stage.act(Refresh("refresh", SKILL["kenjutsu"]))

    assert [play(4, "kenjutsu", value=6), GIVE_UP] == stage.options
    assert (tiles("kenjutsu"), tiles("kuji_kiri")) == (stage.state.ready[0], stage.state.used[0])


def test_vector_59_the_raider_chooses_the_order_of_the_parts() -> None:
    """With [4, 4] in stealth the 5 first, then the switch, then the 3 in force (N-TV59, N-7.11, N-7.14, N-R11)."""
    stage = raid_stage([4, 4], 1, STEALTH, (), ["jade", "gold"], ["seishin_teki"])
    before_elite(stage, "elite_double_3_5", heap(), heap(), STEALTH)

    assert [play(4, value=4, part=1), SWITCH, GIVE_UP] == stage.options

    stage.act(play(4, value=4, part=1))

    assert stage.options == [SWITCH, GIVE_UP]

    stage.act(SWITCH).act(play(4, value=4))

    assert (ELITE["elite_double_3_5"],) == stage.state.trophies[0]
    assert heap("jade") == stage.raid.red
    assert cards() == stage.state.hands[0]


def test_vector_63_a_swap_turns_a_light_treasure_even_if_a_red_one_ranks_higher() -> None:
    """A light vase for the red jade: the vase is the best light one and is turned; the gold stays.

    N-TV63, N-7.13, N-R12.
    """
    stage = swapping(["fan"], ["gold", "jade"], ["vase"]).act(swap(VASE, LIGHT, JADE, RED))

    assert (heap("fan"), heap("gold", "vase")) == (stage.state.light[0], stage.state.red[0])
    assert (heap(), heap("jade")) == (stage.raid.light, stage.raid.red)
