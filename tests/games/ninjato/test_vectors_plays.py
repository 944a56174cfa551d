"""The test vectors of RULES.md about legal plays: 21 to 31, and 58, 60, 61, 62 of the review."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.ninjato import GAME
from referee.games.ninjato.components import FORCE, STEALTH
from referee.games.ninjato.options import Play
from referee.games.ninjato.plays import plays
from tests.games.ninjato.stage import Stage, cards, play, raid_stage, space, tiles


def legal(hand: Iterable[int], mode: int, value: int, *skills: str) -> list[Play]:
    """The plays against a value with a hand and face-up tiles."""
    return list(plays(cards(*hand), tiles(*skills), mode, value))


def test_vector_21_a_tie_never_wins() -> None:
    """A single 3 beats no 3; two 3s make exactly one play in each mode (N-TV21, N-1.2, N-7.7)."""
    expected_force = [play(3, supports=1, value=4)]
    expected_stealth = [play(3, supports=1, value=2)]

    assert legal([3], FORCE, 3) == []
    assert legal([3], STEALTH, 3) == []
    assert expected_force == legal([3, 3], FORCE, 3)
    assert expected_stealth == legal([3, 3], STEALTH, 3)


def test_vector_22_supports_add_up() -> None:
    """Against a 5 in force a 4 needs two supports (N-TV22, N-1.8, N-7.6)."""
    assert legal([4], FORCE, 5) == []
    assert legal([4, 3], FORCE, 5) == []
    assert [play(4, supports=2, value=6)] == legal([4, 3, 3], FORCE, 5)


def test_vector_23_equal_cards_are_one_option() -> None:
    """Two 5s are interchangeable: a 3 alone, or a 5 with the support (N-TV23, N-2.2)."""
    expected = [play(3, value=3), play(5, supports=1, value=4)]

    assert expected == legal([5, 5, 3], STEALTH, 5)


def test_vector_24_a_tile_helps_card_and_support_alike() -> None:
    """With Taijutsu a 3 reaches 4, and so does a 2 with its support; nothing else does (N-TV24, N-7.6)."""
    expected = [play(2, "taijutsu", supports=1, value=4), play(3, "taijutsu", value=4)]

    assert expected == legal([2, 3], FORCE, 3, "taijutsu")


def test_vector_25_spare_supports_are_legal_and_idle_tiles_are_not() -> None:
    """Kenjutsu alone beats a 4, so Kayakujutsu beside it would be idle (N-TV25, N-7.8, N-R10)."""
    expected = [
        play(2, "kayakujutsu", supports=1, value=5),
        play(2, "kenjutsu", value=6),
        play(2, "kenjutsu", supports=1, value=7),
        play(3, "kayakujutsu", value=5),
        play(3, "kenjutsu", value=6),
    ]

    assert expected == legal([2, 3], FORCE, 4, "kenjutsu", "kayakujutsu")


def test_vector_26_a_value_of_six_takes_two_helpers() -> None:
    """Against 6 there are twelve plays; Kenjutsu alone only ties (N-TV26, N-7.6, N-7.8)."""
    found = legal([5, 3, 4], FORCE, 6, "kenjutsu", "kayakujutsu", "taijutsu")

    assert len(found) == 12
    assert play(5, "kayakujutsu", value=7) in found
    assert play(5, "kayakujutsu", supports=1, value=8) in found
    assert play(4, "kenjutsu", supports=1, value=7) in found
    assert not [option for option in found if option.value <= 6]


def test_vector_27_values_go_below_zero() -> None:
    """A stealth value of 0 is beaten by -1 and less; a tile is idle once the supports suffice.

    N-TV27, N-7.6, N-7.8, N-R8.
    """
    found = legal([1, 2, 3, 3], STEALTH, 0, "intonjutsu", "shinobi_iri")

    assert len(found) == 11
    assert play(1, "shinobi_iri", value=-1) in found
    assert play(1, "shinobi_iri", supports=1, value=-2) in found
    assert play(3, "intonjutsu", supports=1, value=-1) in found
    assert play(1, "shinobi_iri", supports=2, value=-3) not in found


def test_vector_28_boryaku_is_a_base_without_a_card() -> None:
    """Boryaku alone beats a 3 in force; against a 5 it needs Kenjutsu (N-TV28, N-7.6, N-7.7)."""
    assert [play(0, value=4)] == legal([], FORCE, 3, "boryaku", "kenjutsu")
    assert [play(0, "kenjutsu", value=6)] == legal([], FORCE, 5, "boryaku", "kenjutsu")


def test_vector_29_boryaku_can_be_set_to_zero() -> None:
    """In stealth Boryaku is a 2 and ties with a 2; Intonjutsu makes it 0 (N-TV29, N-7.6, N-7.7, N-R9)."""
    assert [play(0, "intonjutsu", value=0)] == legal([], STEALTH, 2, "boryaku", "intonjutsu")


def test_vector_30_seven_supports() -> None:
    """Seven 3s against a 5: three to six of them support the seventh (N-TV30, N-7.8)."""
    expected = [play(3, supports=count, value=3 + count) for count in (3, 4, 5, 6)]

    assert expected == legal([3] * 7, FORCE, 5)


def test_vector_31_a_spare_card_may_go_along() -> None:
    """A 5 beats a 1 with and without the support (N-TV31, N-7.8)."""
    expected = [
        play(1, supports=1, value=2),
        play(3, value=3),
        play(5, value=5),
        play(5, supports=1, value=6),
    ]

    assert expected == legal([1, 3, 5], FORCE, 1)


def test_vector_58_giving_up_is_legal_even_if_the_sentinel_can_be_beaten() -> None:
    """Nothing is gained or lost but a turn, and the house gets one treasure more (N-TV58, N-7.5, N-7.17, N-R7)."""
    stage = raid_stage([5], 2, FORCE, ["fan", "vase", "jade"]).bag("gold")

    assert [play(5, value=5), ("give_up",)] == stage.options

    stage.do("give_up")

    assert (cards(5), 0) == (stage.state.hands[0], sum(stage.state.treasures[0]))
    assert stage.state.light[0] != (0, 1, 1, 0, 1)
    assert stage.state.light[0] == (1, 0, 1, 1, 1)
    assert stage.state.red[0] == (0, 0, 0, 0, 0)
    assert stage.state.is_open(0)


def test_vector_60_spare_supports_empty_the_hand_for_the_dojo() -> None:
    """Five plays beat a 1 with [5, 3, 3]; the largest empties the hand, and the Dojo then gives four.

    N-TV60, N-5.2, N-7.8.
    """
    expected = [
        play(3, value=3),
        play(3, supports=1, value=4),
        play(5, value=5),
        play(5, supports=1, value=6),
        play(5, supports=2, value=7),
    ]
    stage = raid_stage([5, 3, 3], 1, FORCE, ["fan", "fan"])

    assert expected == stage.plays()

    stage.act(expected[-1]).do("leave").pass_turn().act(space("dojo"))

    assert stage.state.stack[-1] == ("dojo_pick", 0, 4)


def test_vector_61_boryaku_has_the_better_of_its_values() -> None:
    """In force Boryaku is a 4, with any number of supports, and never a 2 (N-TV61, N-7.6)."""
    expected = [
        *(play(0, supports=count, value=4 + count) for count in (0, 1, 2, 3)),
        *(play(3, supports=count, value=3 + count) for count in (0, 1, 2)),
    ]

    assert expected == legal([3, 3, 3], FORCE, 2, "boryaku")


def test_vector_62_the_largest_numbers_of_plays() -> None:
    """Two tiles of each force skill and a hand of seven: 66 plays against a 6, 91 against the double 3 and 5.

    N-TV62, N-16.
    """
    helpers = ("boryaku", "kenjutsu", "kayakujutsu", "taijutsu") * 2
    hand = [1, 2, 3, 3, 3, 3, 4]
    stage = raid_stage(hand, 5, FORCE, ["fan"], ["jade", "gold"], helpers)
    stage.state.stack[-1] = stage.raid._replace(opponent=3, card=7, standing=3)

    assert len(legal(hand, FORCE, 6, *helpers)) == 66
    assert len(stage.plays()) == 91


def test_a_staged_table_has_all_its_components() -> None:
    """The stage of these tests moves components about without losing one (N-2.1)."""
    stage = Stage(4).hands([1, 1, 2], [3], [4, 5], [5]).treasures(1, "fan", "gold").skills(2, "kenjutsu")
    stage.house(3, 4, ["jade"], ["gold"]).envoys(0, "taira_19").rumors(1, "foes_1").trophies(2, "elite_5_1")

    assert stage.state == GAME.load(GAME.dump(stage.state))
