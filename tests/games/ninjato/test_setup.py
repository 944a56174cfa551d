"""Set-up and components (N-1, N-2, N-3)."""

from __future__ import annotations

import pytest

from referee.games.ninjato import GAME, census
from referee.games.ninjato.components import (
    BORYAKU,
    CLANS,
    DOJO_COUNTS,
    ENVOYS,
    HENSOJUTSU,
    SKILLS,
    SUPPORT,
    TOKENS,
    TREASURES,
    WAYS,
    WILD,
)
from referee.kernel.chance import Fast, Recording, Scripted, Sealed, secret_from_seed
from tests.games.ninjato.stage import Stage, cards, guard, play, raid_stage, space, tiles

SEATS = (2, 3, 4)


def start(seats: int, seed: str = "1"):  # type: ignore[no-untyped-def]
    """A new game with sealed luck."""
    return GAME.start(seats, {}, Sealed(secret_from_seed(seed)))


def test_treasures_rank_from_fan_to_gold() -> None:
    """Fan, scroll, vase, jade are worth 2 to 5 honor; gold is wild and ranks highest (N-1.3)."""
    assert [(kind.id, kind.honor) for kind in TREASURES[:4]] == [("fan", 2), ("scroll", 3), ("vase", 4), ("jade", 5)]
    assert TREASURES[WILD].id == "gold" == TREASURES[-1].id


def test_every_skill_belongs_to_a_way() -> None:
    """Snake, tiger and crane, one Hensojutsu in each (N-1.6)."""
    assert set(WAYS) == {"snake", "tiger", "crane"}
    assert {WAYS[SKILLS[skill].way] for skill in HENSOJUTSU} == set(WAYS)


def test_only_threes_are_supports() -> None:
    """A 3 supports another card, no other value does (N-1.8, N-2.1)."""
    assert SUPPORT == 3
    for other in (1, 2, 4, 5):
        stage = raid_stage([2, other], 2, 0, ["fan"])
        assert not [option for option in stage.plays() if option.supports]


@pytest.mark.parametrize("seats", SEATS)
def test_the_box_is_complete(seats: int) -> None:
    """52 Dojo cards, 40 guards, 20 elites, 19 tiles, 90 treasures, 21 envoys, 30 rumors, 15 tokens (N-2.1)."""
    counted = census(start(seats))

    assert sum(DOJO_COUNTS) == 52
    assert sum(count for name, count in counted.items() if name.startswith("guard")) == 40
    assert sum(counted.values()) == 52 + 40 + 20 + 19 + 90 + 21 + 30 + 15


def test_the_first_turn_order_is_random() -> None:
    """The stream `turn-order` decides it, and honor starts at 0 (N-3.1)."""
    state = GAME.start(4, {}, Scripted({"turn-order": [[2, 0, 3, 1]]}, otherwise=Fast(1)))

    assert (state.order, state.honor) == ((2, 0, 3, 1), [0, 0, 0, 0])
    assert GAME.pending(state)[0] == (2, "place")


def test_every_pile_is_shuffled_by_a_stream_of_its_own() -> None:
    """Nine streams, one question each (N-3.2, N-15)."""
    chance = Recording(Sealed(secret_from_seed("1")))
    GAME.start(3, {}, chance)
    asked = [(outcome.stream, outcome.n) for outcome in chance.take()]

    assert asked == [
        ("turn-order", 3),
        ("dojo/0", 52),
        ("guards/0", 40),
        ("elites/0", 20),
        ("treasures/0", 90),
        ("envoys", 21),
        ("rumors", 30),
        ("skills", 16),
        ("hensojutsu", 3),
    ]


@pytest.mark.parametrize("seats", SEATS)
def test_the_layout_comes_from_the_tops_of_the_piles(seats: int) -> None:
    """Sentinels, treasures, displays, hands seat by seat, then three face-up cards (N-3.3 and N-3.5 to N-3.8)."""
    plain = {name: [list(range(n))] for name, n in (("turn-order", seats), ("dojo/0", 52), ("guards/0", 40))}
    plain |= {name: [list(range(n))] for name, n in (("elites/0", 20), ("treasures/0", 90), ("envoys", 21))}
    plain |= {name: [list(range(n))] for name, n in (("rumors", 30), ("skills", 16), ("hensojutsu", 3))}
    state = GAME.start(seats, {}, Scripted(plain))
    ones_and_twos = [1] * 10 + [2] * 10

    assert state.sentinels == [guard(1)] * 5
    assert [sum(light) for light in state.light] == [3] * 5
    assert [sum(red) for red in state.red] == [0] * 5
    assert state.hands == [cards(*ones_and_twos[4 * seat : 4 * seat + 4]) for seat in range(seats)]
    assert state.face_up == cards(*ones_and_twos[4 * seats : 4 * seats + 3])
    assert len(state.sensei) == seats
    assert (state.palace, state.pavilion) == ((0, 1, 2, 3), (0, 1, 2, 3))
    assert state.round == 1


def test_the_order_of_draws_holds_within_each_pile() -> None:
    """House 0 takes the first guard and the first three treasures, house 1 the next (N-3.8)."""
    chance = Recording(Sealed(secret_from_seed("9")))
    state = GAME.start(2, {}, chance)
    orders = {outcome.stream: outcome.value for outcome in chance.take()}
    kinds = [kind for kind, treasure in enumerate(TREASURES) for _ in range(treasure.copies)]
    drawn = [kinds[at] for at in orders["treasures/0"]]  # type: ignore[union-attr]
    expected = [tuple(drawn[3 * house : 3 * house + 3].count(kind) for kind in range(5)) for house in range(5)]

    assert expected == state.light


def test_houses_begin_with_fixed_tokens() -> None:
    """Taira 2 and 4, Minamoto 2 and 4, Go-Shirakawa 6; the other ten are the supply (N-3.4, N-R2)."""
    state = start(2)
    found = [(CLANS[TOKENS[token].clan], TOKENS[token].value) for token in state.tokens]

    assert found == [("taira", 2), ("taira", 4), ("minamoto", 2), ("minamoto", 4), ("go_shirakawa", 6)]
    assert len(state.supply) == 10


def test_an_alarm_on_a_sentinel_does_nothing() -> None:
    """A raid against a Sentinel with an alarm adds and turns no treasure before the fight (N-3.3)."""
    stage = Stage().order(0, 1).hands([5], ()).house(0, 1, ["fan", "gold"])
    stage.state.guard_deck = (*stage.state.guard_deck, guard(1))
    stage.guards(guard(1, alarm=True))
    stage.state.guard_deck, stage.state.sentinels[0] = stage.state.guard_deck[1:], guard(1, alarm=True)
    stage.raiding(0, 0)

    assert (stage.state.light[0], stage.state.red[0]) == ((1, 0, 0, 0, 1), (0, 0, 0, 0, 0))
    assert stage.plays() == [play(5, value=5)]


@pytest.mark.parametrize("seats", SEATS)
def test_only_the_sensei_depends_on_the_number_of_players(seats: int) -> None:
    """Everything else is the same for 2, 3 and 4 players (N-3.9)."""
    state = start(seats)

    assert (len(state.sensei), len(state.palace), len(state.pavilion), sum(state.face_up)) == (seats, 4, 4, 3)
    assert [sum(hand) for hand in state.hands] == [4] * seats


def test_envoys_are_seven_of_each_clan_with_ages_of_their_own() -> None:
    """Ties by age are always decided (N-2.1, N-11.3)."""
    assert [sum(envoy.clan == clan for envoy in ENVOYS) for clan in range(3)] == [7, 7, 7]
    assert len({envoy.age for envoy in ENVOYS}) == 21


def test_a_skill_tile_has_two_faces() -> None:
    """Face up it is usable, face down it is used for this round (N-1.7, N-6.6)."""
    stage = raid_stage([], 1, 0, ["fan", "fan"], skills=["boryaku"])

    assert stage.plays() == [play(0, value=4)]

    stage.act(play(0, value=4))

    assert (stage.state.ready[0], stage.state.used[0]) == (tiles(), tiles("boryaku"))
    assert stage.state.used[0][BORYAKU] == 1

    stage.do("leave").pass_turn().act(space("house", 1, 0))

    assert stage.plays() == []
