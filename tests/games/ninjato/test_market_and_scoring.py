"""Palace, Pavilion, scoring phases and the end of the game beyond the vectors (N-8, N-9, N-11, N-12)."""

from __future__ import annotations

import pytest

from referee.games.ninjato import GAME
from referee.games.ninjato.components import CLAN_ORDER, CLANS
from referee.games.ninjato.options import HONOR, NO_DISGUISE, RUMOR, Disguise, Pay, TakeEnvoy, TakeRumor
from referee.kernel.game import Verb
from tests.games.ninjato.stage import ENVOY, Stage, cards, heap, space, token
from tests.games.ninjato.stage import RUMOR as RUMOR_NUMBER


def test_an_envoy_is_paid_for_and_scored_at_once() -> None:
    """Fan and jade bring 7 honor and the envoy; the treasures are discarded (N-8.1, N-8.2, N-8.4)."""
    stage = Stage().order(0, 1).palace("taira_19", "taira_54").treasures(0, "fan", "jade", "gold")
    stage.act(space("palace"))

    assert stage.options == [TakeEnvoy("take_envoy", ENVOY["taira_19"])]

    stage.act(stage.options[0]).act(Pay("pay", heap("fan", "jade"), 7))

    assert (stage.state.honor[0], stage.state.envoys[0]) == (7, (ENVOY["taira_19"],))
    assert (stage.state.treasures[0], stage.state.treasure_discard) == (heap("gold"), heap("fan", "jade"))
    assert stage.state.palace == (ENVOY["taira_54"],)


def test_a_rumor_is_paid_for_and_its_taking_is_seen_by_all() -> None:
    """A jade brings 5 honor and the rumor; all are told which one, and all views list it (N-9.1, N-9.2, N-R24)."""
    stage = Stage().order(0, 1).pavilion("arts_6", "foes_6").treasures(0, "jade")
    stage.act(space("pavilion")).act(TakeRumor("take_rumor", RUMOR_NUMBER["arts_6"])).do("pay")
    told = [event for event in stage.events if event.verb is Verb.GAINED]

    assert (stage.state.honor[0], stage.state.rumors[0]) == (5, (RUMOR_NUMBER["arts_6"],))
    assert [(event.subject, event.items, event.audience) for event in told] == [("rumor", ("arts_6",), None)]
    for viewer in (0, 1, None):
        assert GAME.view(stage.state, viewer).rumors[0] == (RUMOR_NUMBER["arts_6"],)


@pytest.mark.parametrize(
    ("number", "order"),
    [
        (3, ["go_shirakawa", "taira", "minamoto"]),
        (5, ["taira", "minamoto", "go_shirakawa"]),
        (7, ["minamoto", "go_shirakawa", "taira"]),
    ],
)
def test_the_order_of_the_clans(number: int, order: list[str]) -> None:
    """It changes from phase to phase (N-11.4)."""
    assert [CLANS[clan] for clan in CLAN_ORDER[number]] == order


def test_firsts_come_before_seconds_and_the_pavilion_is_refilled_at_the_end() -> None:
    """A rumor taken by a first is gone for the seconds; after them the display is full again (N-11.5 to N-11.8)."""
    stage = Stage().round(3).order(0, 1).envoys(0, "taira_61", "minamoto_21").envoys(1, "taira_54", "minamoto_63")
    stage.pavilion("foes_1", "foes_2", "foes_3", "foes_4").finish_round()

    assert (stage.seat, stage.kind) == (0, "clan_reward")

    stage.act(RUMOR).act(TakeRumor("take_rumor", RUMOR_NUMBER["foes_2"]))

    assert (stage.seat, stage.kind) == (1, "clan_reward")
    assert len(stage.state.pavilion) == 3

    stage.act(HONOR)

    assert stage.state.honor == [0, 6 + 6]
    assert (stage.seat, stage.kind) == (0, "rumor_free")

    stage.act(stage.options[0])

    assert (stage.kind, stage.state.round, len(stage.state.pavilion)) == ("place", 4, 4)
    assert len(stage.state.rumors[0]) == 2


def test_a_free_rumor_brings_no_honor_and_costs_nothing() -> None:
    """The first takes it without paying (N-11.5)."""
    stage = Stage().round(3).order(0, 1).envoys(0, "taira_61").treasures(0, "fan").finish_round()
    stage.act(RUMOR).act(stage.options[0])

    assert (stage.state.honor[0], stage.state.treasures[0]) == (0, heap("fan"))
    assert len(stage.state.rumors[0]) == 1


def test_the_honor_of_a_clan_is_what_its_houses_show() -> None:
    """Taira tokens 8 and 5 on houses: 13 honor (N-11.5)."""
    houses = (("taira", 8), ("taira", 5), ("minamoto", 2), ("minamoto", 4), ("go_shirakawa", 6))
    stage = Stage().round(3).order(0, 1).tokens(*(token(clan, value) for clan, value in houses))
    stage.envoys(1, "taira_19").finish_round().act(HONOR)

    assert stage.state.honor == [0, 13]


def test_each_tile_disguises_one_envoy() -> None:
    """Two tiles: two decisions, an envoy only once, and each may be declined (N-11.2, N-R15)."""
    stage = Stage().round(5).order(0, 1).skills(0, "hensojutsu_snake", "hensojutsu_tiger")
    stage.envoys(0, "taira_19", "taira_33", "taira_26").finish_round()
    masked = [Disguise("disguise", ENVOY[name]) for name in ("taira_19", "taira_33")]

    assert stage.options == [*masked, NO_DISGUISE]

    stage.act(masked[1])

    assert (stage.kind, stage.options) == ("disguise", [masked[0], NO_DISGUISE])

    stage.act(NO_DISGUISE)

    assert stage.kind == "clan_reward"
    assert stage.state.stack[-1][3] == (ENVOY["taira_33"],)


def test_a_disguise_lasts_for_one_phase() -> None:
    """In the next phase the same envoy may be chosen again (N-11.2)."""
    stage = Stage().round(5).order(0, 1).skills(0, "hensojutsu_snake").envoys(0, "taira_19").finish_round()
    stage.act(stage.options[0]).act(HONOR).finish_round().finish_round()

    assert (stage.kind, stage.state.round) == ("disguise", 7)
    assert stage.options == [Disguise("disguise", ENVOY["taira_19"]), NO_DISGUISE]


def test_at_the_end_rumors_are_revealed_and_hands_are_worth_nothing() -> None:
    """Friends, warrior, treasures and trophies count, Dojo cards do not (N-12.1, N-12.2, N-12.6)."""
    stage = Stage().round(7).order(0, 1).hands([5, 5, 5], [1]).envoys(0, "minamoto_63", "minamoto_56")
    stage.rumors(0, "friends_1", "friends_2", "warrior_1").trophies(0, "elite_5_1").treasures(0, "gold", "fan")
    stage.finish_round().act(HONOR)
    result = GAME.result(stage.state)
    revealed = [event for event in stage.events if event.verb is Verb.REVEALED and event.subject == "rumor"]

    assert result is not None
    assert result.points == (6 + 2 * 2 + 1 * 1 + 2 + 2, 0)
    assert result.places == (1, 2)
    assert revealed[-1].items == ("friends_1", "friends_2", "warrior_1")
    assert stage.state.hands[0] == cards(5, 5, 5)
    assert GAME.pending(stage.state) == ()
