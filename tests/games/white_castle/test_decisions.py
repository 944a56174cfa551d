"""Decision points: their words, their order, their bounds (W-17, W-18)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import cast

import pytest

from referee.games.white_castle import GAME, options
from referee.games.white_castle.game import HANDLERS
from referee.games.white_castle.options import BY_TEXT, CastleOption, Exchange
from referee.games.white_castle.rounds import CONTINUATIONS
from referee.games.white_castle.state import CONTINUATIONS as FRAMES
from referee.games.white_castle.state import DECISIONS
from referee.kernel.chance import Fast
from referee.kernel.frames import dump_frame, load_frame
from referee.kernel.game import settle_variant
from tests.games.white_castle.situations import Situation

WORDS = {
    "choose_start_pair": r"pair:[0-4]",
    "take_die": r"die:(coral|black|white):(left|right)",
    "place_die": r"space:(steward_[1-3]|diplomat_[12]|outside_[12]|well|domain_(coral|black|white))",
    "next_action": r"act:[0-4]",
    "outside_action": r"gardener|courtier|warrior|skip",
    "pay_optional": r"pay|skip",
    "place_gardener": r"garden:G[PS][1-5]|skip",
    "place_warrior": r"yard:yard_[135]|skip",
    "courtier": r"audience|climb:(gate|floor1|floor2):[12]:(steward_[1-3]|diplomat_[12]|favour)|done",
    "choose_light": r"row:[0-2]",
    "daimyo_slot": r"slot:[0-2]",
    "choose_castle_action": r"row:(steward_[1-3]:[0-2]|diplomat_[12]:[01])|skip",
    "choose_domain_row": r"domain:(coral|black|white)|skip",
    "choose_resource": r"food|iron|pearl",
    "pay_gate": r"pay|stop",
    "seal_order": r"seals|influence",
    "seal_window": r"continue",
    "final_exchange": r"x:(food|iron|pearl)|done",
    "rival_room": r"room:(steward_[1-3]|diplomat_[12])",
    "rival_garden": r"garden:G[PS][1-5]",
}
MOST = {
    "choose_start_pair": 5,
    "take_die": 10,
    "place_die": 13,
    "next_action": 9,
    "outside_action": 7,
    "pay_optional": 6,
    "place_gardener": 11,
    "place_warrior": 8,
    "courtier": 15,
    "choose_light": 6,
    "daimyo_slot": 7,
    "choose_castle_action": 18,
    "choose_domain_row": 8,
    "choose_resource": 7,
    "pay_gate": 6,
    "seal_order": 6,
    "seal_window": 5,
    "final_exchange": 4,
    "rival_room": 3,
    "rival_garden": 3,
}
LAST_WORDS = {"skip", "done", "stop"}
EXCHANGES = ["x:coin", "x:food", "x:iron", "x:pearl"]
NO_EXCHANGE = {"choose_start_pair", "rival_room", "rival_garden"}


def test_there_is_a_handler_for_every_kind_of_question() -> None:
    """The kinds of W-17, no more and no fewer; continuations and decisions have different names (W-17.2)."""
    assert set(WORDS) == set(HANDLERS) == set(BY_TEXT) == set(DECISIONS)
    assert set(CONTINUATIONS) == set(FRAMES)
    assert not set(HANDLERS) & set(CONTINUATIONS)


def test_every_answer_has_its_canonical_text() -> None:
    """Texts are those of the table in W-17, each answer once per question."""
    for kind, known in BY_TEXT.items():
        for text, option in known.items():
            assert text == option.text
            assert re.fullmatch(WORDS[kind], text) or text in EXCHANGES, (kind, text)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_lists_keep_the_canonical_order_and_their_bounds(seats: int) -> None:
    """Each option once and as one shared object; refusals before the exchanges; lengths as declared (W-17.5)."""
    position = {kind: {text: k for k, text in enumerate(known)} for kind, known in BY_TEXT.items()}
    for seed in range(12):
        rng, chance = random.Random(seed), Fast(seed)
        state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
        while asks := GAME.pending(state):
            ask = asks[0]
            listed = cast(Sequence[CastleOption], GAME.options(state, ask.seat))
            texts = [option.text for option in listed]
            assert len(listed) <= MOST[ask.kind]
            assert len(texts) == len(set(texts))
            assert all(option is BY_TEXT[ask.kind][option.text] for option in listed)
            swaps = [text for text in texts if text in EXCHANGES]
            plain = [text for text in texts if text not in EXCHANGES]
            assert sorted(swaps, key=EXCHANGES.index) == swaps
            assert not (swaps and ask.kind in NO_EXCHANGE)
            first_swaps = ask.kind in ("seal_window", "final_exchange")
            assert texts == (swaps + plain if first_swaps else plain + swaps)
            assert sorted(plain, key=lambda text: (text in LAST_WORDS, position[ask.kind][text])) == plain
            GAME.apply(state, {ask.seat: listed[rng.randrange(len(listed))]}, chance)


def test_exchanges_follow_every_decision_of_the_player() -> None:
    """Every listed exchange is payable, every payable one listed, at each question that has them (W-6.4)."""
    for seed in range(25):
        rng, chance = random.Random(seed), Fast(seed)
        state = GAME.start(2, settle_variant(GAME, 2, {}), chance)
        while asks := GAME.pending(state):
            ask = asks[0]
            listed = GAME.options(state, ask.seat)
            if ask.kind not in NO_EXCHANGE and ask.kind != "final_exchange":
                food, iron, pearl, _, _, seals = state.clans[ask.seat].goods
                expected = ["x:coin"] * (seals >= 1)
                expected += [
                    f"x:{name}" for name, has in (("food", food), ("iron", iron), ("pearl", pearl)) if has < 7
                ] * (seals >= 2)
                swaps = [option.text for option in listed if isinstance(option, Exchange)]
                assert expected == swaps
            GAME.apply(state, {ask.seat: listed[rng.randrange(len(listed))]}, chance)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_holdings_stay_within_their_limits(seats: int) -> None:
    """Nothing goes below zero; resources stay at seven, seals at five (W-3.1, W-3.2)."""
    for seed in range(15):
        rng, chance = random.Random(100 + seed), Fast(seed)
        state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
        while asks := GAME.pending(state):
            listed = GAME.options(state, asks[0].seat)
            GAME.apply(state, {asks[0].seat: listed[rng.randrange(len(listed))]}, chance)
            for clan in state.clans:
                assert all(amount >= 0 for amount in (*clan.goods, *clan.home, *clan.court, *clan.yards))
                assert all(amount <= 7 for amount in clan.goods[:3])
                assert clan.goods[5] <= 5
                assert 5 == clan.home[0] + sum(clan.court) == clan.home[2] + sum(clan.yards)
                assert clan.home[1] + clan.gardens.bit_count() == 5


def test_the_longest_list_has_eighteen_entries() -> None:
    """Any castle row, skip and four exchanges (W-18.4)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=5)

    assert 18 == options.MOST_OPTIONS == len(table.do("Y7:action").options) == GAME.bounds.options


def test_a_question_is_repeated_at_most_five_times_by_exchanges() -> None:
    """Each exchange lowers the seals; after five coins no exchange is left (W-18.2)."""
    table = Situation.in_round_one(2)
    table.clan(0, seal=5)
    table.ask("take_die", 0).answer(*["x:coin"] * 5)

    assert (table.kind, table.goods()) == ("take_die", {"coin": 5})
    assert not any(text.startswith("x:") for text in table.options)


@pytest.mark.parametrize("seats", [1, 4])
def test_games_stay_far_below_the_declared_bound(seats: int) -> None:
    """Random games take some hundred decisions at most; frames nest to a small depth (W-18.3)."""
    for seed in range(10):
        rng, chance = random.Random(seed), Fast(seed)
        state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
        count = depth = 0
        while asks := GAME.pending(state):
            listed = GAME.options(state, asks[0].seat)
            GAME.apply(state, {asks[0].seat: listed[rng.randrange(len(listed))]}, chance)
            count += 1
            depth = max(depth, len(state.stack))

        assert count < 400 < GAME.bounds.decisions
        assert depth <= 12


def test_frames_are_plain_at_every_decision() -> None:
    """The stack is written down and read back at each decision (W-17.2)."""
    rng, chance = random.Random(9), Fast(9)
    state = GAME.start(3, settle_variant(GAME, 3, {}), chance)
    while asks := GAME.pending(state):
        assert state.stack == [load_frame(dump_frame(frame)) for frame in state.stack]
        listed = GAME.options(state, asks[0].seat)
        GAME.apply(state, {asks[0].seat: listed[rng.randrange(len(listed))]}, chance)


def test_unreachable_entries_are_listed_and_do_nothing() -> None:
    """`next_action` lists a payment that cannot be made; choosing it has no effect (W-17.4)."""
    table = Situation.in_round_one(2, castle={"steward_3": "S02"}, rooms={"steward_3": ("white", "coral", "white")})
    table.place("steward_3", "white", 3).answer("act:0")

    assert (table.goods(), table.seat) == ({"iron": 2}, 1)
