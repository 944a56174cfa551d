"""Ninjato on the wire: read as the comments tell a stranger, the same for every history, and silent about hands."""

from __future__ import annotations

import pytest

from referee.codec import encoding
from referee.codec.ninjato import encode as ninjato
from referee.codec.ninjato.decode import decode_view
from referee.games.ninjato import GAME
from referee.games.ninjato.components import ELITES, ENVOYS, FORCE, GUARDS, RUMORS, SKILLS, STEALTH, TREASURES
from referee.games.ninjato.options import GIVE_UP, PLACES
from referee.games.ninjato.state import State
from referee.kernel.chance import Fast
from referee.kernel.errors import RulesBug
from referee.kernel.game import Seat
from referee.v1 import ninjato_pb2 as pb
from referee.v1 import play_pb2
from tests.games.ninjato.journeys import Eager, decisions, states
from tests.games.ninjato.stage import Stage, cards, play, raid_stage, space


def sent(state: State, seat: Seat | None) -> bytes:
    """The view of a seat as it is sent."""
    return ninjato.Encoder().view(GAME.view(state, seat))


def asked(stage: Stage) -> pb.NinjatoAsk:
    """The ask of the seat that is to decide."""
    encode = ninjato.Encoder()
    return pb.NinjatoAsk.FromString(encode(str(stage.kind), stage.options, GAME.view(stage.state, stage.seat)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_encoder_gives_the_same_bytes_whatever_it_was_used_for_before(seats: int) -> None:
    """What is kept from ask to ask saves time and changes nothing: a fresh encoder writes the same."""
    used = ninjato.Encoder()
    for number, (kind, seat, state) in enumerate(decisions(seats, Eager(seats), seats)):
        view, options = GAME.view(state, seat), GAME.options(state, seat)
        if number % 7 == 0:
            used.view(GAME.view(state, None))

        assert ninjato.Encoder()(kind, options, view) == used(kind, options, view)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_view_survives_the_wire(seats: int) -> None:
    """Seats' and spectators' views come back equal, with reshuffles and doubts in them, until after the end."""
    for state in states(seats, Eager(seats + 7), seats):
        for seat in (None, *range(seats)):
            view = GAME.view(state, seat)

            assert decode_view(pb.NinjatoView.FromString(ninjato.Encoder().view(view))) == view


def test_a_raid_reads_as_the_comments_say() -> None:
    """House, mode, loot and opponent of a fight, and the options in their order."""
    stage = raid_stage([5, 3], 1, FORCE, ["fan", "fan"], ["gold"], ["kenjutsu", "seishin_teki"])
    stage.act(play(3, value=3)).do("banzai")
    message = asked(stage)
    question = message.view.question

    assert (question.kind, question.seat, question.house, question.mode) == ("fight", 0, 0, FORCE)
    assert (list(question.loot_light), list(question.loot_red)) == ([1, 0, 0, 0, 0], [0] * 5)
    assert question.opponent == pb.NINJATO_OPPONENT_GUARD
    assert GUARDS[question.card].value == GUARDS[stage.raid.card].value
    assert message.options[-1].verb == pb.NINJATO_VERB_GIVE_UP
    assert message.options[-2].verb == pb.NINJATO_VERB_SWITCH
    assert list(message.view.hand) == list(cards(5))


def test_a_play_names_its_cards_and_tiles() -> None:
    """Base, supports, tiles and value of a play that goes below zero."""
    stage = raid_stage([1, 3], 1, STEALTH, ["fan"], skills=["shinobi_iri"])
    option = asked(stage).options[stage.options.index(play(1, "shinobi_iri", value=-1))]

    assert (option.verb, option.base, option.supports, option.value) == (pb.NINJATO_VERB_PLAY, 1, 0, -1)
    assert [SKILLS[tile].id for tile in option.tiles] == ["shinobi_iri"]


def test_spaces_are_numbered_as_the_comments_say() -> None:
    """Dojo, Sensei, Palace, Pavilion, then 4 + 2 * house + mode."""
    numbers = [pb.NinjatoAsk.FromString(ninjato._option(option)).options[0].space for option in PLACES]

    assert numbers == list(range(14))


def test_what_is_no_option_has_no_form() -> None:
    """An option of another game is a bug of ours."""
    with pytest.raises(RulesBug):
        ninjato._option(("dance", 1))


def test_the_components_say_what_everything_shows() -> None:
    """Copies, values, prices: all that a bot in another language needs."""
    info = play_pb2.GameInfo()
    encoding.of("ninjato").describe(info)
    shown = info.ninjato

    assert list(shown.treasures) == [treasure.id for treasure in TREASURES]
    assert (sum(shown.dojo_copies), sum(shown.treasure_copies)) == (52, 90)
    assert sum(guard.copies for guard in shown.guards) == 40
    assert [(elite.id, len(elite.force), len(elite.stealth)) for elite in shown.elites] == [
        (elite.id, len(elite.parts), len(elite.parts)) for elite in ELITES
    ]
    assert (len(shown.envoys), len(shown.rumors), len(shown.token_honor)) == (len(ENVOYS), len(RUMORS), 15)
    prices = {envoy.id: [(list(p.sizes), list(p.treasures)) for p in envoy.prices] for envoy in shown.envoys}

    assert prices["taira_19"] == [([1, 1], [0, 3])]
    assert prices["taira_33"] == [([1], [-1]), ([2], [-1]), ([3], [-1]), ([4], [-1])]
    assert [envoy.prices[0].distinct for envoy in shown.envoys if envoy.id == "taira_47"] == [True]
    assert [list(rumor.price.treasures) for rumor in shown.rumors if rumor.id == "arts_6"] == [[3]]


@pytest.mark.parametrize("hand", [[5], [1], [3, 3, 3], [2, 4, 5]])
def test_a_message_to_others_does_not_change_with_a_hand(hand: list[int]) -> None:
    """Before, during and after a raid that is given up, others get the same bytes whatever the raider holds."""
    size = len(hand)
    messages = []
    for held in (hand, [1, 2, 3, 4, 5][:size]):
        stage = Stage(3).order(0, 1, 2).hands(held, [1], [2]).house(0, 3, ["fan"]).bag("jade")
        steps = [sent(stage.state, seat) for seat in (None, 1, 2)]
        stage.raiding(0, STEALTH)
        steps += [sent(stage.state, seat) for seat in (None, 1, 2)]
        stage.act(GIVE_UP)
        steps += [sent(stage.state, seat) for seat in (None, 1, 2)]
        messages.append(steps)

    assert messages[0] == messages[1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_messages_are_the_same_in_every_world_that_looks_the_same(seats: int) -> None:
    """At every fifth moment of a game: what a viewer is sent cannot tell the truth from what it imagines."""
    for step, state in enumerate(states(seats, Eager(seats + 20), seats)):
        if step % 5 == 0:
            for seat in (None, *range(seats)):
                world = GAME.determinise(GAME.view(state, seat), Fast(step))

                assert sent(state, seat) == sent(world, seat)


def test_a_spectator_is_sent_no_hand_and_no_seat() -> None:
    """The fields are absent, not empty by chance."""
    message = pb.NinjatoView.FromString(sent(Stage().hands([1, 2], [3]).state, None))

    assert (message.HasField("seat"), list(message.hand), list(message.drawn)) == (False, [], [])
    assert list(message.hand_sizes) == [2, 1]


def test_the_order_of_decks_is_not_sent() -> None:
    """Decks in reverse give the same message to everybody."""
    state = Stage(3).state
    other = state.clone()
    for name in ("dojo_deck", "guard_deck", "elite_deck", "bag", "envoy_deck", "rumor_deck", "skill_deck"):
        setattr(other, name, tuple(reversed(getattr(other, name))))

    assert [sent(state, seat) for seat in (None, 0, 1, 2)] == [sent(other, seat) for seat in (None, 0, 1, 2)]


def test_the_price_of_a_free_choice_is_public_and_the_hand_is_not() -> None:
    """While a tile is being paid for, others see which tile, and nothing of what it could be paid with."""
    messages = []
    for held in ([4, 4], [1, 2]):
        stage = Stage().order(0, 1).hands(held, ()).sensei("chocho").act(space("sensei")).do("learn")
        messages.append(sent(stage.state, 1))
    question = pb.NinjatoView.FromString(messages[0]).question

    assert messages[0] == messages[1]
    assert (question.kind, SKILLS[question.skill].id) == ("sensei_pay", "chocho")
