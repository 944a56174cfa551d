"""Edo Yashiki on the wire: see `proto/referee/v1/edo_yashiki.proto` for what each field means.

An `Encoder`, made for one match, keeps bytes of earlier asks where writing them anew would take a tenth of its time or
more. Without one of them an ask takes so many times as long to write (random games of 2 to 4 seats): the public part of
a view, which all seats of a moment share, 1.5; drafts, which only grow, 2.2; houses, which only grow, 1.2; rows of
legal anchors, few of which change with a card, 1.2; the anchors of one row, for all matches, 1.9; all rankings 1.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, permutations
from typing import Any, Protocol, cast

from referee.codec.protobuf_bytes import Fields, varint, varints, zigzag, zigzags
from referee.games.edo_yashiki.view import View
from referee.kernel import components
from referee.kernel.errors import RulesBug
from referee.kernel.game import Option
from referee.v1 import edo_yashiki_pb2 as pb
from referee.v1 import play_pb2

KINDS = {
    "F": pb.EDO_YASHIKI_KIND_FLOOR,
    "T": pb.EDO_YASHIKI_KIND_TATAMI,
    "P": pb.EDO_YASHIKI_KIND_POND,
    "G": pb.EDO_YASHIKI_KIND_GARDEN,
}
PHASES = {
    "rank_cards": pb.EDO_YASHIKI_PHASE_DRAFT,
    "pick_card": pb.EDO_YASHIKI_PHASE_DRAFT,
    "place_card": pb.EDO_YASHIKI_PHASE_PLACE,
    "score_line": pb.EDO_YASHIKI_PHASE_SCORE,
    "over": pb.EDO_YASHIKI_PHASE_END,
}
DRAFTS = {
    "sealed": pb.EDO_YASHIKI_DRAFT_SEALED,
    "reflex": pb.EDO_YASHIKI_DRAFT_REFLEX,
    "turn_order": pb.EDO_YASHIKI_DRAFT_TURN_ORDER,
}
ASK = Fields(pb.EdoYashikiAsk)
VIEW = Fields(pb.EdoYashikiView)
RANKINGS = {
    cards: ASK.chunk("rankings", bytes(chain.from_iterable(permutations(range(cards))))) for cards in range(2, 6)
}
"""By the number of cards in the row: all rankings in lexicographic order (E-5.5), a byte for each row index."""

SEAT, CHAIN = View._fields.index("seat"), View._fields.index("chain")
"""Where a view holds its seat and that seat's own chain; all other fields are the same for all seats."""
HOUSE = ("house_cards", "house_x", "house_y", "house_turned")
"""The lists that hold the cards of all houses, one house after the other."""


class Encoder:
    """Writes the asks of one match. The bytes of an ask do not depend on earlier calls."""

    __slots__ = ("_anchors", "_built", "_cards", "_drafts", "_history", "_houses", "_laid", "_public", "_shared")

    def __init__(self) -> None:
        self._shared: tuple[object, object] = ((), ())
        self._public = b""
        """The public part of a view, and the fields that it was written from."""
        self._drafts: tuple[object, ...] = ()
        self._history = b""
        """All drafts so far, and the values that they were written from."""
        self._built: tuple[object, ...] = ()
        self._houses = b""
        """All houses, and the values that they were written from."""
        self._cards: list[tuple[object, ...]] = []
        self._laid: list[tuple[bytearray, ...]] = []
        """By seat: its cards in the lists of HOUSE, and the values that they were written from."""
        self._anchors: dict[int, AnchorRows] = {}
        """By seat."""

    def __call__(self, kind: str, options: Sequence[Option], view: View) -> bytes:
        """An `EdoYashikiAsk`, serialised."""
        if kind == "place_card":
            return ASK.chunk("view", self.view(view)) + self._placements(options, view)
        return ASK.chunk("view", self.view(view)) + OPTIONS[kind](options, view)

    def view(self, view: View) -> bytes:
        """An `EdoYashikiView`, serialised."""
        shared = view[SEAT + 1 : CHAIN], view[CHAIN + 1 :]
        if shared != self._shared:  # quick, because equal parts are mostly the same objects
            self._public = self._write_public(view)
            self._shared = shared
        if view.seat is None:
            return self._public
        own = VIEW.number("seat", view.seat)
        return self._public + own if view.chain is None else self._public + own + _chain(view)

    def _write_public(self, view: View) -> bytes:
        """What is the same for all seats."""
        if view.drafts is not self._drafts:
            self._add_drafts(view)
        if view.houses is not self._built:
            self._add_cards(view)
        return b"".join(
            (
                VIEW.number("phase", PHASES[view.phase]),
                VIEW.number("specialists", 1) if view.rules == "specialists" else b"",
                VIEW.number("draft", DRAFTS[view.draft]),
                VIEW.number("hidden_anchors_free", 1) if view.covering == "seen" else b"",
                VIEW.number("round", view.round),
                VIEW.number("first_player", view.first),
                VIEW.number("deck_count", view.left),
                VIEW.chunk("scores", varints(view.scores)),
                VIEW.chunk("tokens", varints(view.tokens)),
                VIEW.chunk("row", varints(view.row)),
                VIEW.chunk("taken", zigzags(view.got)),
                self._history,
                self._houses,
                _scored(view.scored) if view.scored else b"",
            )
        )

    def _add_drafts(self, view: View) -> None:
        """Write the drafts that came since the last call; all drafts, if the earlier ones are not the same.

        The wire format allows lists to be written in pieces, which readers join.
        """
        known = len(self._drafts)
        if view.drafts[:known] != self._drafts:
            self._history = b""
            known = 0
        for draft in view.drafts[known:]:
            self._history += VIEW.chunk("history_rows", varints(draft.row))
            self._history += VIEW.chunk("history_taken", varints(draft.got))
            if draft.priority:
                self._history += VIEW.chunk("history_priority", varints(draft.priority))
                self._history += VIEW.chunk("history_passes", varint(len(draft.reaches)))
                self._history += VIEW.chunk("history_reaches", zigzags(chain.from_iterable(draft.reaches)))
            if draft.arrivals:
                self._history += VIEW.chunk("history_arrivals", zigzags(draft.arrivals))
        self._drafts = view.drafts

    def _add_cards(self, view: View) -> None:
        """Write the cards that were laid since the last call; all cards of a house whose earlier ones are not the
        same."""
        houses = view.houses
        if len(self._cards) != len(houses):
            self._cards = [()] * len(houses)
            self._laid = [()] * len(houses)
        for seat, house in enumerate(houses):
            known = self._cards[seat]
            count = len(known)
            if not count or house.cards[:count] != known:
                self._laid[seat] = bytearray(), bytearray(), bytearray(), bytearray()
                count = 0
            cards, xs, ys, turned = self._laid[seat]
            for card, x, y, rotation in house.cards[count:]:
                cards += varint(card)
                xs += zigzag(x)
                ys += zigzag(y)
                turned.append(rotation != 0)
            self._cards[seat] = house.cards
        self._built = houses
        sizes = VIEW.chunk("house_sizes", varints([len(cards) for cards in self._cards]))
        self._houses = sizes + b"".join(map(VIEW.chunk, HOUSE, map(b"".join, zip(*self._laid, strict=True))))

    def _placements(self, options: Sequence[Option], view: View) -> bytes:
        """The legal anchors of the own house, row by row, in the order of the options (E-7.5); no option is built."""
        seat = view.seat
        if seat is None:
            raise RulesBug("the public is asked to place a card")
        rows = self._anchors.get(seat)
        if rows is None:
            rows = self._anchors[seat] = AnchorRows()
        house = view.houses[seat]
        anchors = rows.write(house.legal, house.left, house.top, house.stride, len(house.cells) // house.stride)
        return anchors + ASK.number("orientations", len(options) // house.legal.bit_count())


class AnchorRows:
    """The legal anchors of one house, serialised row by row: a card changes few rows, so the others are kept."""

    __slots__ = ("_legal", "_window", "_xs", "_ys")

    def __init__(self) -> None:
        self._legal = 0
        self._window = (0, 0, 0, 0)
        self._xs: list[bytes] = []
        self._ys: list[bytes] = []

    def write(self, legal: int, left: int, top: int, stride: int, rows: int) -> bytes:
        """The fields `anchor_x` and `anchor_y` of the anchors in a window of so many rows."""
        if self._window != (left, top, stride, rows):
            self._window = (left, top, stride, rows)
            self._legal = 0
            self._xs = [b""] * rows
            self._ys = [b""] * rows
        changed = legal ^ self._legal
        self._legal = legal
        row = ((changed & -changed).bit_length() - 1) // stride if changed else rows
        end = (changed.bit_length() - 1) // stride
        part = legal >> row * stride
        width = (1 << stride) - 1
        xs, ys = self._xs, self._ys
        while row <= end:
            bits = part & width
            part >>= stride
            xs[row] = _columns(bits, left)
            ys[row] = zigzag(top + row) * bits.bit_count()
            row += 1
        return ASK.chunk("anchor_x", b"".join(xs)) + ASK.chunk("anchor_y", b"".join(ys))


@lru_cache(maxsize=1 << 16)
def _columns(row: int, left: int) -> bytes:
    """The x of the anchors in one row, the first column being `left`: the same few thousand rows come again and
    again."""
    return zigzags([left + column for column in range(row.bit_length()) if row >> column & 1])


def _scored(rounds: tuple[tuple[tuple[int, ...], ...], ...]) -> bytes:
    chains = [lines for seats in rounds for lines in seats]
    counts = VIEW.chunk("history_scored_counts", varints([len(lines) for lines in chains]))
    return counts + VIEW.chunk("history_scored_lines", varints([*chain.from_iterable(chains)]))


def _chain(view: View) -> bytes:
    """The seat's own scoring."""
    message = pb.EdoYashikiView()
    if view.chain is not None:
        for line in view.chain.lines:
            message.line_x.append(line.x)
            message.line_y.append(line.y)
            message.line_vertical.append(line.axis == "V")
            message.line_length.append(line.length)
            message.line_kind.append(KINDS[line.kind])
        message.lines_scored.extend(view.chain.scored)
        message.chain_tokens = view.chain.tokens
        message.chain_ended = view.chain.ended
    return message.SerializeToString()


class _Pick(Protocol):
    @property
    def card(self) -> int: ...


class _Score(Protocol):
    @property
    def line(self) -> int: ...


def _rankings(options: Sequence[Option], view: View) -> bytes:
    return RANKINGS[len(view.row)]


def _picks(options: Sequence[Option], view: View) -> bytes:
    return ASK.chunk("picks", varints([option.card for option in cast(Sequence[_Pick], options)]))


def _lines(options: Sequence[Option], view: View) -> bytes:
    """The lines on offer; to stop is always the last option and has no entry (E-9.3)."""
    return ASK.chunk("lines", varints([option.line for option in cast(Sequence[_Score], options)[:-1]]))


OPTIONS: dict[str, Callable[[Sequence[Option], View], bytes]] = {
    "rank_cards": _rankings,
    "pick_card": _picks,
    "score_line": _lines,
}


def describe(info: play_pb2.GameInfo) -> None:
    """Write the card faces."""
    rows: list[Any] = components.read("referee.games.edo_yashiki").tables["construction_cards"]
    for row in rows:
        card = info.edo_yashiki.cards.add()
        card.name = row["id"]
        card.cells.extend([KINDS[letter] for cells in row["rows"] for letter in cells])
