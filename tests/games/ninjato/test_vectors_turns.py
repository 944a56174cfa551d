"""The test vectors of RULES.md about order, Dojo, Sensei and clans: 1, 8, 9 and 16 to 20."""

from __future__ import annotations

import pytest

from referee.games.ninjato.components import FORCE, SKILL, SKILLS, TOKENS
from referee.games.ninjato.counts import spread
from referee.games.ninjato.options import DECK, Learn, Pick, PutToken, Spend
from tests.games.ninjato.stage import Stage, cards, play, space, tiles


def stacked(order: tuple[int, ...], *dojo: int) -> tuple[int, ...]:
    """The turn order after a round with this order and these shuriken in the Dojo, bottom to top."""
    stage = Stage(len(order)).order(*order)
    waiting = list(dojo)
    while stage.state.round == 1:
        if waiting and stage.seat == waiting[0]:
            waiting.pop(0)
            stage.act(space("dojo"))
            while stage.kind != "place":
                stage.act(stage.options[0])
        else:
            stage.pass_turn()

    assert not waiting

    return stage.state.order


def test_vector_01_the_dojo_stack_decides_the_turn_order() -> None:
    """Tom, Mike, Eve, Brandon with Brandon below Mike: Mike, Brandon, Tom, Eve (N-TV1, N-10.1)."""
    tom, mike, eve, brandon = range(4)

    assert stacked((tom, mike, eve, brandon), brandon, mike) == (mike, brandon, tom, eve)


def test_vector_18_only_the_topmost_shuriken_counts() -> None:
    """A, B, A from the bottom with order C, B, A, D: A, B, C, D; an empty stack changes nothing (N-TV18, N-10.1)."""
    a, b, c, d = range(4)

    assert stacked((c, b, a, d), a, b, a) == (a, b, c, d)
    assert stacked((c, b, a, d)) == (c, b, a, d)


def test_vector_08_the_clan_must_change() -> None:
    """Victory in a Minamoto house: only Taira and Go-Shirakawa tokens are offered (N-TV8, N-7.18)."""
    stage = Stage().order(0, 1).hands([5], ()).house(3, 1, ["fan"]).raiding(3, FORCE).act(play(5, value=5))
    offered = [option for option in stage.options if isinstance(option, PutToken)]

    assert TOKENS[stage.state.tokens[3]].clan == 1
    assert {option.clan for option in offered} == {0, 2}
    assert len(offered) == len(stage.options)


def test_vector_09_prices() -> None:
    """Shinobi-iri costs a 1, Kenjutsu a 5; once a tiger tile is owned, the others are free (N-TV9, N-6.2)."""
    stage = Stage().order(0, 1).hands([1, 5], [4]).sensei("shinobi_iri", "kenjutsu", "kuji_kiri")
    stage.act(space("sensei")).act(Learn("learn", SKILL["shinobi_iri"]))

    assert (stage.state.hands[0], stage.state.dojo_discard) == (cards(5), cards(1))

    stage.pass_turn().act(space("sensei")).act(Learn("learn", SKILL["kenjutsu"]))

    assert (stage.state.hands[0], stage.state.dojo_discard) == (cards(), cards(1, 5))

    stage.pass_turn().act(space("sensei")).act(Learn("learn", SKILL["kuji_kiri"]))

    assert stage.state.ready[0] == tiles("shinobi_iri", "kenjutsu", "kuji_kiri")
    assert stage.seat == 1


@pytest.mark.parametrize(
    ("held", "taken", "discards"), [(0, 4, 0), (1, 3, 0), (2, 2, 0), (5, 2, 0), (6, 2, 1), (7, 2, 2)]
)
def test_vector_16_how_many_cards_the_dojo_gives(held: int, taken: int, discards: int) -> None:
    """4, 3 or 2 cards by the size of the hand, and never more than 7 after it (N-TV16, N-5.2, N-5.4, N-5.6)."""
    stage = Stage().order(0, 1).hands([1, 2, 3, 4, 5, 1, 2][:held], ()).act(space("dojo"))
    picks = 0
    while stage.kind == "dojo_pick":
        stage.act(DECK)
        picks += 1

    assert (picks, sum(stage.state.hands[0])) == (taken, held + taken)

    put_away = 0
    while stage.kind == "dojo_discard":
        stage.act(stage.options[0])
        put_away += 1

    assert (put_away, sum(stage.state.dojo_discard)) == (discards, discards)
    assert sum(stage.state.hands[0]) == min(7, held + taken)


def test_vector_17_face_up_cards_are_not_replaced_between_picks() -> None:
    """1, deck, 4, deck; before the fourth pick 1 and the deck are offered; then three lie open again.

    N-TV17, N-5.3, N-5.5, N-R4.
    """
    stage = Stage().order(0, 1).hands((), ()).face_up(1, 1, 4).dojo_deck(2, 5, 3, 3).act(space("dojo"))

    assert stage.options == [Pick("pick", 1), Pick("pick", 4), DECK]

    stage.act(Pick("pick", 1)).act(DECK).act(Pick("pick", 4))

    assert stage.options == [Pick("pick", 1), DECK]

    stage.act(DECK)

    assert stage.state.hands[0] == cards(1, 2, 4, 5)
    assert stage.state.face_up == cards(1, 3, 3)


def test_discards_come_before_new_cards_are_turned_up() -> None:
    """A seat above the hand limit puts a card away before the card that it took is replaced (N-5.5, N-R5)."""
    stage = Stage().order(0, 1).hands([1, 2, 3, 4, 5, 1], ()).face_up(1, 1, 4).act(space("dojo"))
    stage.act(Pick("pick", 4)).act(DECK)

    assert (stage.kind, stage.state.face_up) == ("dojo_discard", cards(1, 1))

    stage.act(stage.options[0])

    assert (stage.kind, sum(stage.state.face_up)) == ("place", 3)


def test_vector_19_an_owned_way_is_free() -> None:
    """A face-down Intonjutsu makes Chocho free; with neither cards nor tiles nothing can be learned.

    N-TV19, N-6.2, N-6.4, N-R22.
    """
    stage = Stage().order(0, 1).hands([2], ()).skills(0, down=["intonjutsu"]).sensei("chocho", "boryaku")
    stage.act(space("sensei")).act(Learn("learn", SKILL["chocho"]))

    assert (stage.kind, stage.seat, stage.state.hands[0]) == ("place", 1, cards(2))
    assert space("sensei") not in stage.options


def test_a_tile_printed_with_a_question_mark_costs_any_card() -> None:
    """Without a snake tile Chocho costs a card of the player's choice (N-6.2)."""
    stage = Stage().order(0, 1).hands([2, 4, 4], ()).sensei("chocho")
    stage.act(space("sensei")).act(Learn("learn", SKILL["chocho"]))

    assert stage.options == [Spend("spend", 2), Spend("spend", 4)]

    stage.act(Spend("spend", 4))

    assert (stage.state.hands[0], stage.state.ready[0]) == (cards(2, 4), tiles("chocho"))


def test_vector_20_which_tiles_are_displayed() -> None:
    """With 3 players 12 regular tiles come in 4 rounds, then one Hensojutsu a round; unlearned ones leave.

    N-TV20, N-10.3.
    """
    stage = Stage(3).order(0, 1, 2)
    displays = [stage.state.sensei]
    for _ in range(6):
        stage.finish_round()
        while stage.kind != "place":
            stage.act(stage.options[-1])
        displays.append(stage.state.sensei)

    assert [len(display) for display in displays] == [3, 3, 3, 3, 1, 1, 1]
    assert [SKILLS[tile].hensojutsu for display in displays for tile in display] == [False] * 12 + [True] * 3
    assert len(stage.state.skill_deck) == 4
    assert sorted(spread(stage.state.retired)) == sorted(tile for display in displays[:6] for tile in display)
