"""Raids beyond the vectors: the frame, the skills and their timing, the houses (N-1.4, N-1.5, N-6, N-7)."""

from __future__ import annotations

from itertools import product

import pytest

from referee.games.ninjato import GAME
from referee.games.ninjato.components import ADDERS, BORYAKU_VALUE, ELITES, FORCE, SETTER, SKILL, SKILLS, STEALTH
from referee.games.ninjato.options import BANZAI, GIVE_UP, LEAVE, SWITCH, Keep, Refresh, Swap
from referee.games.ninjato.plays import beats, plays
from referee.games.ninjato.state import NO_OPPONENT, SENTINEL, Raid
from tests.games.ninjato.journeys import Eager, decisions
from tests.games.ninjato.stage import Stage, cards, guard, heap, play, raid_stage, space, tiles

JADE, GOLD = 3, 4


def test_a_raid_begins_at_the_sentinel_without_loot() -> None:
    """The frame has the chosen side and an empty loot (N-7.1, N-1.5)."""
    stage = raid_stage([5], 4, STEALTH, ["fan"])

    assert stage.raid == Raid("fight", 0, 0, STEALTH, heap(), heap(), SENTINEL, guard(4), 1)


def test_loot_keeps_its_side_and_is_not_owned() -> None:
    """Loot from the red side is counted as red; the side is forgotten when it becomes a player's (N-1.4, N-1.5)."""
    stage = raid_stage([5, 5], 1, FORCE, ["jade"], ["fan", "gold"]).elites("elite_plain_3")
    stage.act(play(5, value=5)).act(BANZAI).act(play(5, value=5))

    assert (stage.raid.light, stage.raid.red, stage.state.treasures[0]) == (heap("jade"), heap("fan"), heap())

    stage.act(LEAVE)

    assert stage.state.treasures[0] == heap("fan", "jade")


def test_a_play_goes_to_the_discard_pile_and_turns_its_tiles() -> None:
    """Base, support and tile are spent, the rest of the hand stays (N-7.9)."""
    stage = raid_stage([2, 3, 4], 4, FORCE, ["fan", "fan"], skills=["kayakujutsu", "chocho"])
    stage.act(play(2, "kayakujutsu", supports=1, value=5))

    assert (stage.state.hands[0], stage.state.dojo_discard) == (cards(4), cards(2, 3))
    assert (stage.state.ready[0], stage.state.used[0]) == (tiles("chocho"), tiles("kayakujutsu"))


def test_each_copy_of_a_skill_is_used_once() -> None:
    """Two Taijutsu tiles may go into one play, or into two (N-6.3, N-6.6)."""
    both = raid_stage([3], 4, FORCE, ["fan"], skills=["taijutsu", "taijutsu"])
    one = raid_stage([4], 4, FORCE, ["fan", "fan"], skills=["taijutsu", "taijutsu"])

    assert both.plays() == [play(3, "taijutsu", "taijutsu", value=5)]

    one.act(play(4, "taijutsu", value=5))

    assert (one.state.ready[0], one.state.used[0]) == (tiles("taijutsu"), tiles("taijutsu"))


def test_a_learned_tile_is_usable_in_later_turns_of_the_round() -> None:
    """Kenjutsu is learned and used in the next raid (N-6.1)."""
    stage = Stage().order(0, 1).hands([5, 1], ()).sensei("kenjutsu").house(0, 5, ["fan"])
    stage.act(space("sensei")).do("learn").pass_turn().raiding(0, FORCE)

    assert stage.plays() == [play(1, "kenjutsu", value=6)]


def test_hensojutsu_is_no_use_in_raids() -> None:
    """It is never turned and never refreshed (N-6.6, N-7.15)."""
    stage = raid_stage([5], 1, FORCE, ["fan", "fan"], skills=["hensojutsu_snake", "kuji_kiri"])

    assert stage.options == [play(5, value=5), GIVE_UP]


def test_kuji_kiri_refreshes_no_other_kuji_kiri() -> None:
    """With a used copy beside the one in hand, which no table of components forbids, only other tiles are offered.

    N-7.15, N-R13.
    """
    stage = raid_stage([], 1, FORCE, ["fan"], skills=["kuji_kiri"])
    stage.state.used[0] = tiles("kuji_kiri", "kenjutsu", "hensojutsu_snake")

    assert stage.options == [Refresh("refresh", SKILL["kenjutsu"]), GIVE_UP]


def test_the_display_of_rounds_five_to_seven_is_one_hensojutsu() -> None:
    """The first seat that learns it has it; no other seat can in that round (N-6.5)."""
    stage = Stage(3).round(4).order(0, 1, 2).hands([1, 2], [3], [4]).finish_round()

    assert [SKILLS[skill].hensojutsu for skill in stage.state.sensei] == [True]

    stage.act(space("sensei")).do("learn")
    while stage.kind == "sensei_pay":
        stage.act(stage.options[0])

    assert space("sensei") not in stage.options


def test_the_three_special_skills_and_their_times() -> None:
    """Switch only in a fight; swap and refresh in fight, banzai and keep, the swap only with loot (N-7.12)."""
    skills = ["seishin_teki", "chocho", "kuji_kiri"]
    stage = Stage().order(0, 1).hands([5, 5], ()).skills(0, *skills, down=["kenjutsu"]).house(0, 1, ["fan", "jade"])
    refresh = Refresh("refresh", SKILL["kenjutsu"])
    trade = Swap("swap", 0, 0, JADE, 0)
    stage.guards(guard(5)).raiding(0, FORCE)

    assert stage.options == [play(5, value=5), SWITCH, refresh, GIVE_UP]

    stage.act(play(5, value=5))

    assert stage.options == [LEAVE, BANZAI, trade, refresh]

    stage.act(BANZAI)

    assert stage.options == [SWITCH, trade, refresh, GIVE_UP]

    stage.act(GIVE_UP)

    assert stage.options == [Keep("keep", 0), trade, refresh]

    stage.act(trade)

    assert stage.options == [Keep("keep", JADE), Refresh("refresh", SKILL["chocho"]), refresh]


def test_a_red_loot_treasure_swapped_for_a_light_one_is_turned_light() -> None:
    """The house keeps its numbers of light and red treasures in all four cases (N-7.13)."""
    sides = [("jade", 0), ("jade", 1)]
    for (loot, loot_red), (house, house_red) in product(sides, [("gold", 0), ("gold", 1)]):
        light = ["fan", *([house] if not house_red else [])]
        red = ["vase", *([house] if house_red else [])]
        stage = raid_stage([5], 1, FORCE, light, red, ["chocho"]).bag(loot)
        stage.state.bag = stage.state.bag[1:]
        mine = (heap(loot), heap()) if not loot_red else (heap(), heap(loot))
        stage.state.stack[-1] = Raid("banzai", 0, 0, FORCE, *mine, NO_OPPONENT, -1, 0)
        before = (sum(stage.state.light[0]), sum(stage.state.red[0]))
        stage.act(Swap("swap", JADE, loot_red, GOLD, house_red))

        assert before == (sum(stage.state.light[0]), sum(stage.state.red[0]))
        assert (stage.raid.light, stage.raid.red) == (
            (heap("gold"), heap()) if not house_red else (heap(), heap("gold"))
        )


def test_equal_tokens_are_not_swapped() -> None:
    """A swap needs another type or another side (N-7.13, N-2.2)."""
    stage = raid_stage([5], 1, FORCE, ["fan", "fan", "fan"], ["fan"], ["chocho"]).act(play(5, value=5))

    assert stage.options == [LEAVE, BANZAI, Swap("swap", 0, 0, 0, 1)]


def test_the_sentinel_protects_a_light_treasure_at_the_start_of_every_raid() -> None:
    """In whole games no raid begins in a house without a light treasure (N-7.19)."""
    for seed in range(6):
        for kind, _, state in decisions(2 + seed % 3, Eager(seed), seed):
            if kind == "place":
                for house in range(5):
                    assert not state.is_open(house) or any(state.light[house])


def test_a_house_stays_open_after_a_raid_that_does_not_empty_it() -> None:
    """The same player may come again in this round; red treasures stay red (N-7.16, N-7.19)."""
    stage = raid_stage([5, 5], 1, FORCE, ["fan", "vase"], ["gold"]).bag("scroll")
    stage.act(play(5, value=5)).act(LEAVE).pass_turn()

    assert (stage.state.light[0], stage.state.red[0]) == (heap("scroll", "vase"), heap("gold"))
    assert (stage.seat, space("house", 0, STEALTH) in stage.options) == (0, True)


def test_a_victory_discards_the_sentinel_and_gives_all_loot() -> None:
    """The house is closed and empty (N-7.18)."""
    stage = raid_stage([5, 5], 2, FORCE, ["fan"], ["gold"]).elites("elite_plain_3")
    stage.act(play(5, value=5)).act(BANZAI).act(play(5, value=5))

    assert stage.state.treasures[0] == heap("fan", "gold")
    assert stage.state.guard_discard[guard(2)] == 1
    assert (stage.state.sentinels[0], stage.state.is_open(0)) == (-1, False)
    assert 6 <= len(stage.options) <= 10


def test_a_beaten_guard_is_discarded_and_so_is_one_that_is_not() -> None:
    """Ordinary guards that were drawn go to their discard pile either way (N-7.3, N-7.17)."""
    stage = raid_stage([5, 5], 1, FORCE, ["fan", "fan", "fan"]).guards(guard(2), guard(4))
    stage.act(play(5, value=5)).act(BANZAI).act(play(5, value=5)).act(BANZAI).act(GIVE_UP)

    assert (stage.state.guard_discard[guard(2)], stage.state.guard_discard[guard(4)]) == (1, 1)


def every_play(hand: tuple[int, ...], ready: tuple[int, ...], mode: int, value: int) -> set[tuple[object, ...]]:
    """The legal plays by the letter of N-7.6 to N-7.8, found by trying every choice of cards and tiles."""
    sign = 1 if mode == FORCE else -1
    setter, set_value = SETTER[mode]
    legal: set[tuple[object, ...]] = set()

    def worth(base: int, is_set: bool, supports: int, added: list[tuple[int, int]]) -> int:
        own = base or BORYAKU_VALUE[mode]
        return (set_value if is_set else own) + sign * (supports + sum(size for _, size in added))

    bases = [value for value in range(1, 6) if hand[value - 1]] + ([0] if ready[SKILL["boryaku"]] else [])
    pieces = [(tile, size) for tile, size in ADDERS[mode] for _ in range(ready[tile])]
    for base, is_set in product(bases, (False, True)):
        if is_set and not ready[setter]:
            continue
        for supports in range(hand[2] - (base == 3) + 1):
            for chosen in product((False, True), repeat=len(pieces)):
                added = [piece for piece, taken in zip(pieces, chosen, strict=True) if taken]
                if not beats(worth(base, is_set, supports, added), value, mode):
                    continue
                spared = [worth(base, is_set, supports, added[:at] + added[at + 1 :]) for at in range(len(added))]
                if is_set:
                    spared.append(worth(base, False, supports, added))
                if any(beats(less, value, mode) for less in spared):
                    continue
                used = [tile for tile, _ in added] + [setter] * is_set + [SKILL["boryaku"]] * (base == 0)
                legal.add((base, supports, tuple(sorted(used)), worth(base, is_set, supports, added)))
    return legal


@pytest.mark.parametrize("mode", [FORCE, STEALTH])
@pytest.mark.parametrize("hand", [(), (3,), (1, 3, 3), (2, 4, 5), (1, 2, 3, 3, 4, 5), (3, 3, 3, 3), (5, 5, 3)])
def test_plays_agree_with_the_letter_of_the_rules(mode: int, hand: tuple[int, ...]) -> None:
    """For many hands, tiles and values the table of plays is what trying everything finds (N-7.6 to N-7.8)."""
    helpers = ("boryaku", "kenjutsu", "intonjutsu", "kayakujutsu", "shinobi_iri", "taijutsu")
    for copies in product((0, 1), (0, 1), (0, 1), (0, 2), (0, 2), (0, 1, 2)):
        names = [name for name, count in zip(helpers, copies, strict=True) for _ in range(count)]
        for value in range(7):
            found = plays(cards(*hand), tiles(*names), mode, value)
            expected = every_play(cards(*hand), tiles(*names), mode, value)

            assert expected == {option[2:] for option in found}
            assert len(found) == len(expected)


def test_a_raid_is_stored_at_every_decision() -> None:
    """Whatever stands on the stack, the state can be written, read and played on (N-7.1)."""
    kinds = set()
    for seed in range(4):
        for kind, _, state in decisions(3, Eager(seed), seed):
            kinds.add(kind)

            assert GAME.load(GAME.dump(state)) == state

    assert {"fight", "banzai", "keep", "clan_token"} <= kinds


def test_the_elite_deck_is_symmetric() -> None:
    """Exchanging the modes and each value v for 6 - v gives the same deck: neither side of a house is better."""
    deck = sorted((sorted(elite.parts), elite.honor) for elite in ELITES for _ in range(elite.copies))
    mirrored = sorted(
        (sorted((6 - stealth, 6 - force) for force, stealth in elite.parts), elite.honor)
        for elite in ELITES
        for _ in range(elite.copies)
    )

    assert deck == mirrored
