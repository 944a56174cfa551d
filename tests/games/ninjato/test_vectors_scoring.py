"""The test vectors of RULES.md about scoring and the end: 10 to 15 and 50 to 57."""

from __future__ import annotations

import pytest

from referee.games.ninjato import GAME
from referee.games.ninjato.components import CLANS, RUMOR_TYPES
from referee.games.ninjato.options import HONOR, NO_DISGUISE, RUMOR, Disguise
from referee.games.ninjato.scoring import bonuses, influence, multiplier, ranking
from tests.games.ninjato.stage import ENVOY, Stage, token

TAIRA, MINAMOTO, GO_SHIRAKAWA = range(3)


def bonus(stage: Stage, seat: int, name: str) -> int:
    """One of the bonuses at the end."""
    return dict(bonuses(stage.state, seat))[name]


def at_scoring(stage: Stage, number: int) -> Stage:
    """Play the round of that number to its end."""
    stage.round(number).order(*range(stage.state.seats))
    return stage.finish_round()


def test_vector_10_a_disguise_counts_once_more() -> None:
    """Two envoys, one of them masked and disguised: influence 3 (N-TV10, N-11.1, N-11.2)."""
    stage = Stage().envoys(0, "go_shirakawa_23", "go_shirakawa_30").skills(0, "hensojutsu_snake")
    at_scoring(stage, 5)

    assert stage.options == [Disguise("disguise", ENVOY["go_shirakawa_23"]), NO_DISGUISE]
    assert influence(stage.state, 0, GO_SHIRAKAWA, (ENVOY["go_shirakawa_23"],)) == 3


def test_vector_11_scoring_round_5() -> None:
    """Firsts choose honor, a rumor, honor; the seconds get what they left (N-TV11, N-11.4 to N-11.6)."""
    houses = (("taira", 8), ("taira", 4), ("taira", 2), ("minamoto", 2), ("go_shirakawa", 8))
    stage = Stage(3).tokens(*(token(clan, value) for clan, value in houses))
    stage.envoys(0, "taira_54", "minamoto_56", "go_shirakawa_58")
    stage.envoys(1, "taira_47", "minamoto_49", "go_shirakawa_51")
    at_scoring(stage, 5)

    assert (stage.seat, stage.kind) == (0, "clan_reward")

    stage.act(HONOR).act(RUMOR)
    stage.act(stage.options[1]).act(HONOR)

    assert stage.state.honor == [14 + 8, 0, 0]
    assert (stage.seat, stage.kind) == (1, "rumor_free")

    stage.act(stage.options[0])

    assert stage.state.honor == [14 + 8, 2, 0]
    assert (stage.seat, stage.kind) == (1, "rumor_free")

    stage.act(stage.options[0])

    assert [len(rumors) for rumors in stage.state.rumors] == [1, 2, 0]
    assert (stage.kind, stage.state.round, len(stage.state.pavilion)) == ("place", 6, 4)


@pytest.mark.parametrize(("cards", "expected"), [(2, 8), (3, 16)])
def test_vector_12_arts(cards: int, expected: int) -> None:
    """Four skill tiles count twice with two cards and four times with three (N-TV12, N-12.2)."""
    stage = Stage().skills(0, "kenjutsu", "taijutsu", "chocho", down=["hensojutsu_crane"])
    stage.rumors(0, *[f"arts_{number}" for number in range(1, cards + 1)])

    assert expected == bonus(stage, 0, "arts")


def test_vector_13_people() -> None:
    """Three cards among five rumors: 4 x 5 (N-TV13, N-12.2, N-R19)."""
    stage = Stage().rumors(0, "people_1", "people_2", "people_3", "foes_1", "arts_1")

    assert bonus(stage, 0, "people") == 20


def test_vector_14_foes() -> None:
    """Two owners get 4 a card, a single one 6 (N-TV14, N-12.3)."""
    both = Stage().rumors(0, "foes_1", "foes_2").rumors(1, "foes_3")
    alone = Stage().rumors(0, "foes_1", "foes_2")

    assert (bonus(both, 0, "foes"), bonus(both, 1, "foes")) == (8, 4)
    assert (bonus(alone, 0, "foes"), bonus(alone, 1, "foes")) == (12, 0)


def test_vector_15_trophies() -> None:
    """Elites worth 1 and 2 bring 3 honor (N-TV15, N-12.5)."""
    stage = Stage().trophies(0, "elite_tsuba", "elite_5_1")

    assert bonus(stage, 0, "trophies") == 3


def test_vector_50_ties_go_to_the_older_envoy() -> None:
    """Influence 2, 2 and 1: the older oldest envoy is first, the third gets nothing (N-TV50, N-11.3)."""
    stage = Stage(3).envoys(0, "taira_33", "taira_26").envoys(1, "taira_54", "taira_19").envoys(2, "taira_61")

    assert ranking(stage.state, TAIRA, ()) == [1, 0, 2]


def test_vector_51_a_disguise_breaks_the_tie() -> None:
    """The masked envoy of 33 counts once more: influence 3 is first (N-TV51, N-11.2, N-11.3)."""
    stage = Stage(3).envoys(0, "taira_33", "taira_26").envoys(1, "taira_54", "taira_19").envoys(2, "taira_61")

    assert ranking(stage.state, TAIRA, (ENVOY["taira_33"],)) == [0, 1, 2]


def test_vector_52_a_clan_with_one_player_and_no_house() -> None:
    """The only seat with influence chooses between 0 honor and a rumor; no seat is second (N-TV52, N-11.5, N-11.7)."""
    stage = Stage().tokens(0, 1, 2, 3, 4).envoys(0, "minamoto_63")
    at_scoring(stage, 3)

    assert (stage.seat, stage.kind, stage.options) == (0, "clan_reward", [HONOR, RUMOR])

    stage.act(HONOR)

    assert (stage.state.honor, stage.kind) == ([0, 0], "place")


def test_vector_53_an_empty_pavilion() -> None:
    """The first gets honor without a choice, the second gets nothing (N-TV53, N-11.5, N-11.6, N-R16)."""
    stage = Stage().envoys(0, "taira_61").envoys(1, "taira_54")
    stage.state.pavilion, stage.state.rumor_deck = (), ()
    at_scoring(stage, 3)

    assert (stage.seat, stage.options) == (0, [HONOR])

    stage.act(HONOR)

    assert (stage.kind, stage.state.honor[1], stage.state.rumors[1]) == ("place", 0, ())


def test_vector_54_multipliers() -> None:
    """One to six cards multiply by 1, 2, 4, 5, 6, 8 (N-TV54, N-12.2)."""
    people = Stage().rumors(0, "people_1", "people_2", "people_3", "people_4")
    warrior = Stage().rumors(0, "warrior_1", "warrior_2", "warrior_3", "people_1")

    assert [multiplier(cards) for cards in range(1, 7)] == [1, 2, 4, 5, 6, 8]
    assert bonus(people, 0, "people") == 20
    assert (bonus(warrior, 0, "warrior"), bonus(warrior, 0, "people")) == (0, 4)


def test_vector_55_three_owners_of_foes() -> None:
    """Holding 1, 1 and 3 cards: 2, 2 and 6 honor (N-TV55, N-12.3)."""
    stage = Stage(3).rumors(0, "foes_1").rumors(1, "foes_2").rumors(2, "foes_3", "foes_4", "foes_5")

    assert [bonus(stage, seat, "foes") for seat in range(3)] == [2, 2, 6]


@pytest.mark.parametrize(
    ("first", "second", "places"),
    [
        (["taira_61", "taira_54", "taira_47", "taira_40"], [f"minamoto_{age}" for age in (21, 28, 35, 42, 49)], (2, 1)),
        (
            ["taira_61", "taira_54", "taira_47", "taira_40"],
            ["minamoto_63", "minamoto_21", "minamoto_28", "minamoto_35"],
            (2, 1),
        ),
        ([], [], (1, 1)),
    ],
)
def test_vector_56_ties_at_the_end(first: list[str], second: list[str], places: tuple[int, int]) -> None:
    """Equal honor: more envoys, then the older oldest one; without envoys the place is shared (N-TV56, N-12.7)."""
    stage = Stage().envoys(0, *first).envoys(1, *second)
    stage.state.honor = [30, 30]
    stage.state.stack.clear()
    result = GAME.result(stage.state)

    assert result is not None
    assert (result.places, result.points) == (places, (30, 30))


def test_vector_57_treasures_left_over() -> None:
    """Fan, fan, gold: 3 honor (N-TV57, N-12.4)."""
    assert bonus(Stage().treasures(0, "fan", "fan", "gold"), 0, "treasures") == 3


def test_the_names_of_the_vectors_are_those_of_the_data() -> None:
    """Clans and rumor types are numbered as these tests take them."""
    assert CLANS == ("taira", "minamoto", "go_shirakawa")
    assert set(RUMOR_TYPES) == {"warrior", "people", "friends", "arts", "foes"}
