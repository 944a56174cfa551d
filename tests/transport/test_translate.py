"""What a game shows on the wire: bytes written by hand are what protobuf would write, and depend on nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.codec import encoding, protobuf_bytes
from referee.codec.edo_yashiki import encode as edo_yashiki
from referee.games.edo_yashiki.options import PickCard, PlaceCard, RankCards, ScoreLine
from referee.games.edo_yashiki.view import View
from referee.kernel import registry
from referee.kernel.chance import Fast
from referee.kernel.errors import UnknownName
from referee.kernel.game import Option, settle_variant
from referee.kernel.turns import advance, settle
from referee.v1 import common_pb2, play_pb2
from referee.v1 import edo_yashiki_pb2 as pb

EDO = registry.game("edo_yashiki")
TABLES = [
    (seats, {"rules": rules, "draft": draft})
    for seats in EDO.seats
    for rules in ("standard", "specialists")
    for draft in ("sealed", "turn_order")
]


def decisions(seats: int, variant: dict[str, str], seed: int = 0) -> Iterator[tuple[str, Sequence[Option], View]]:
    """Every decision of a random game, with what its seat sees."""
    luck, chance = random.Random(seed), Fast(seed)
    state = EDO.start(seats, settle_variant(EDO, seats, variant), chance)
    turn = settle(EDO, state, chance, [])
    while turn.asks:
        answers = {}
        for seat, kind in turn.asks:
            options = turn.options[seat]
            yield kind, options, EDO.view(state, seat)
            answers[seat] = luck.choice(options)
        turn = advance(EDO, state, turn, answers, chance, [])


@given(st.lists(st.integers(0, 1 << 70)))
def test_varints_are_those_of_protobuf(numbers: list[int]) -> None:
    """A packed list of unsigned numbers has the same bytes."""
    numbers = [number % (1 << 32) for number in numbers]
    expected = common_pb2.Result(places=numbers).SerializeToString()

    assert expected == protobuf_bytes.Fields(common_pb2.Result).chunk("places", protobuf_bytes.varints(numbers))


@given(st.lists(st.integers(-(1 << 31), (1 << 31) - 1)))
def test_zigzags_are_those_of_protobuf(numbers: list[int]) -> None:
    """A packed list of signed numbers has the same bytes."""
    expected = common_pb2.Result(points=numbers).SerializeToString()

    assert expected == protobuf_bytes.Fields(common_pb2.Result).chunk("points", protobuf_bytes.zigzags(numbers))


@given(st.integers(1, 1 << 31))
def test_single_numbers_are_those_of_protobuf(number: int) -> None:
    """Tag and number have the same bytes."""
    expected = play_pb2.Limits(unreadable_messages=number).SerializeToString()

    assert expected == protobuf_bytes.Fields(play_pb2.Limits).number("unreadable_messages", number)


def test_a_field_table_writes_a_field_only_when_its_value_changed() -> None:
    """Every field is written once, None included, and again when its value is no longer equal to the kept one."""
    written: list[object] = []

    def writer(value: object) -> bytes:
        written.append(value)
        return repr(value).encode() + b";"

    table = protobuf_bytes.FieldTable((writer, writer))

    assert [table(values) for values in ((None, 1), (None, 1), (None, 2))] == [b"None;1;", b"None;1;", b"None;2;"]
    assert written == [None, 1, 2]


@pytest.mark.parametrize(("seats", "variant"), TABLES, ids=str)
def test_an_encoder_gives_the_same_bytes_whatever_it_was_used_for_before(seats: int, variant: dict[str, str]) -> None:
    """What is kept from ask to ask saves time and changes nothing: a fresh encoder writes the same."""
    used = edo_yashiki.Encoder()

    for number, (kind, options, view) in enumerate(decisions(seats, variant)):
        if number % 7 == 0:
            used.view(view._replace(houses=view.houses[::-1], drafts=view.drafts[::-1]))

        assert edo_yashiki.Encoder()(kind, options, view) == used(kind, options, view)


@pytest.mark.parametrize(("seats", "variant"), TABLES, ids=str)
def test_an_ask_says_what_the_view_and_the_options_say(seats: int, variant: dict[str, str]) -> None:
    """Field by field, read as the comments in the proto file tell a stranger to read them."""
    encode = edo_yashiki.Encoder()

    for kind, options, view in decisions(seats, variant):
        ask = pb.EdoYashikiAsk.FromString(encode(kind, options, view))

        assert _seen(ask.view) == _expected(view)
        assert _listed(kind, ask) == [_numbers(option) for option in options]


def _numbers(option: Option) -> tuple[int, ...]:
    """An option as the numbers that stand for it on the wire."""
    if isinstance(option, RankCards):
        return option.order
    assert isinstance(option, PickCard | PlaceCard | ScoreLine)
    return tuple(option)


def _seen(view: pb.EdoYashikiView) -> dict[str, object]:
    seats = len(view.scores)
    laid = iter(zip(view.house_cards, view.house_x, view.house_y, view.house_turned, strict=True))
    lines = zip(view.line_vertical, view.line_x, view.line_y, view.line_length, view.line_kind, strict=True)
    return {
        "seat": view.seat,
        "phase": view.phase,
        "counts": (view.round, view.first_player, view.deck_count),
        "rules": (view.specialists, view.draft),
        "scores": list(view.scores),
        "tokens": list(view.tokens),
        "row": list(view.row),
        "taken": list(view.taken),
        "rows": list(view.history_rows),
        "history": (list(view.history_taken), list(view.history_priority), list(view.history_passes)),
        "reaches": list(view.history_reaches),
        "passes": len(view.history_reaches) == seats * sum(view.history_passes),
        "houses": [[next(laid) for _ in range(size)] for size in view.house_sizes],
        "lines": list(lines),
        "chain": (list(view.lines_scored), view.chain_tokens, view.chain_ended),
        "scored": (list(view.history_scored_counts), list(view.history_scored_lines)),
    }


def _expected(view: View) -> dict[str, object]:
    letters = {"F": 1, "T": 2, "P": 3, "G": 4}
    chain = view.chain
    sealed = [draft for draft in view.drafts if draft.priority]
    return {
        "seat": view.seat,
        "phase": {"rank_cards": 1, "pick_card": 1, "place_card": 2, "score_line": 3}[view.phase],
        "counts": (view.round, view.first, view.left),
        "rules": (view.rules == "specialists", {"sealed": 1, "turn_order": 2}[view.draft]),
        "scores": list(view.scores),
        "tokens": list(view.tokens),
        "row": list(view.row),
        "taken": list(view.got),
        "rows": [card for draft in view.drafts for card in draft.row],
        "history": (
            [card for draft in view.drafts for card in draft.got],
            [seat for draft in sealed for seat in draft.priority],
            [len(draft.reaches) for draft in sealed],
        ),
        "reaches": [card for draft in sealed for reach in draft.reaches for card in reach],
        "passes": True,
        "houses": [[(card, x, y, rot == 180) for card, x, y, rot in house.cards] for house in view.houses],
        "lines": []
        if chain is None
        else [(line.axis == "V", line.x, line.y, line.length, letters[line.kind]) for line in chain.lines],
        "chain": ([], 0, False) if chain is None else (list(chain.scored), chain.tokens, chain.ended),
        "scored": (
            [len(lines) for seats in view.scored for lines in seats],
            [number for seats in view.scored for lines in seats for number in lines],
        ),
    }


def _listed(kind: str, ask: pb.EdoYashikiAsk) -> list[tuple[int, ...]]:
    seats = len(ask.view.row)
    if kind == "rank_cards":
        return [tuple(ask.rankings[start : start + seats]) for start in range(0, len(ask.rankings), seats)]
    if kind == "pick_card":
        return [(index,) for index in ask.picks]
    if kind == "score_line":
        return [*((line,) for line in ask.lines), (-1,)]
    anchors = zip(ask.anchor_x, ask.anchor_y, strict=True)
    return [(x, y, 180 * turn) for x, y in anchors for turn in range(ask.orientations)]


def test_rankings_are_all_orders_in_lexicographic_order() -> None:
    """The bytes of `rankings` are a table of permutations."""
    for cards, written in edo_yashiki.RANKINGS.items():
        assert written.endswith(bytes(card for order in permutations(range(cards)) for card in order))

    assert list(edo_yashiki.RANKINGS) == [2, 3, 4, 5]


def test_a_game_without_a_translation_is_named() -> None:
    """The error lists what there is."""
    with pytest.raises(UnknownName, match="edo_yashiki"):
        encoding.of("chess")


def test_the_components_show_every_card() -> None:
    """64 cards of six cells, by name."""
    info = play_pb2.GameInfo()
    encoding.of("edo_yashiki").describe(info)
    cards = info.edo_yashiki.cards

    assert len(cards) == 64
    assert cards[0].name == "E01"
    assert list(cards[0].cells) == [1, 2, 2, 3, 4, 1]
    assert {len(card.cells) for card in cards} == {6}
