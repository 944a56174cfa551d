"""Edo Yashiki on the wire: see `proto/referee/v1/edo_yashiki.proto` for what each field means.

Most of a view is public, hence the same for all seats of a match, and most of that changes once in a round. So an
`Encoder`, made for one match, keeps that part serialised and merges it into each seat's message; what is left to do for
one ask are the options and the seat's own scoring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import chain, permutations
from typing import Any, Protocol, cast

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
    "turn_order": pb.EDO_YASHIKI_DRAFT_TURN_ORDER,
}


class Encoder:
    """Writes the asks of one match. Nothing hangs on the seat for which, or the order in which, it is called."""

    __slots__ = ("_draft_bytes", "_drafts", "_history", "_house_bytes", "_houses")

    def __init__(self) -> None:
        self._houses: object = None
        self._house_bytes = b""
        self._drafts: tuple[object, ...] = ()
        self._history = pb.EdoYashikiView()
        self._draft_bytes = b""

    def __call__(self, message: play_pb2.Ask, kind: str, options: Sequence[Option], view: View) -> None:
        """Fill the game's part of an ask."""
        ask = message.edo_yashiki
        self.view(ask.view, view)
        OPTIONS[kind](ask, options, view)

    def view(self, message: pb.EdoYashikiView, view: View) -> None:
        """Fill a message with what a seat, or the public, sees."""
        if view.houses is not self._houses:
            self._house_bytes = _houses(view)
            self._houses = view.houses
        if view.drafts is not self._drafts:
            self._remember(view)
        message.MergeFromString(self._house_bytes)
        message.MergeFromString(self._draft_bytes)
        if view.seat is not None:
            message.seat = view.seat
        message.phase = PHASES[view.phase]
        message.round = view.round
        message.first_player = view.first
        message.specialists = view.rules == "specialists"
        message.draft = DRAFTS[view.draft]
        message.deck_count = view.left
        message.scores.extend(view.scores)
        message.tokens.extend(view.tokens)
        message.row.extend(view.row)
        message.taken.extend(view.got)
        if view.chain is not None:
            _chain(message, view)

    def _remember(self, view: View) -> None:
        """Add the drafts that came since last time; begin anew if those before are not the same."""
        drafts = view.drafts
        known = len(self._drafts)
        if known > len(drafts) or (known and self._drafts[-1] is not drafts[known - 1]):
            self._history = pb.EdoYashikiView()
            known = 0
        history = self._history
        for draft in drafts[known:]:
            history.history_rows.extend(draft.row)
            history.history_taken.extend(draft.got)
            if draft.priority:
                history.history_priority.extend(draft.priority)
                history.history_passes.append(len(draft.reaches))
                history.history_reaches.extend(chain.from_iterable(draft.reaches))
        self._drafts = drafts
        self._draft_bytes = history.SerializeToString()


def _houses(view: View) -> bytes:
    message = pb.EdoYashikiView()
    message.house_sizes.extend([len(house.cards) for house in view.houses])
    placed = [placed for house in view.houses for placed in house.cards]
    if placed:
        cards, x, y, rotations = zip(*placed, strict=True)
        message.house_cards.extend(cards)
        message.house_x.extend(x)
        message.house_y.extend(y)
        message.house_turned.extend([rotation != 0 for rotation in rotations])
    return message.SerializeToString()


def _chain(message: pb.EdoYashikiView, view: View) -> None:
    """The seat's own scoring."""
    if view.chain is None:
        return
    for line in view.chain.lines:
        message.line_x.append(line.x)
        message.line_y.append(line.y)
        message.line_vertical.append(line.axis == "V")
        message.line_length.append(line.length)
        message.line_kind.append(KINDS[line.kind])
    message.lines_scored.extend(view.chain.scored)
    message.chain_tokens = view.chain.tokens
    message.chain_ended = view.chain.ended


class _Pick(Protocol):
    @property
    def card(self) -> int: ...


class _Score(Protocol):
    @property
    def line(self) -> int: ...


def _rankings(ask: pb.EdoYashikiAsk, options: Sequence[Option], view: View) -> None:
    ask.rankings = _orders(len(view.row))


@cache
def _orders(cards: int) -> bytes:
    """All rankings in lexicographic order (E-5.5), a byte for each row index."""
    return bytes(chain.from_iterable(permutations(range(cards))))


def _picks(ask: pb.EdoYashikiAsk, options: Sequence[Option], view: View) -> None:
    ask.picks.extend([option.card for option in cast(Sequence[_Pick], options)])


def _placements(ask: pb.EdoYashikiAsk, options: Sequence[Option], view: View) -> None:
    """The legal anchors of the own house, row by row: the options without building a single one (E-7.5)."""
    if view.seat is None:
        raise RulesBug("the public is asked to place a card")
    house = view.houses[view.seat]
    rows = house.legal
    stride = house.stride
    left = house.left
    y = house.top
    width = (1 << stride) - 1
    xs: list[int] = []
    ys: list[int] = []
    while rows:
        row = rows & width
        if row:
            columns = _columns(row, left)
            xs += columns
            ys += [y] * len(columns)
        rows >>= stride
        y += 1
    ask.anchor_x.extend(xs)
    ask.anchor_y.extend(ys)
    ask.orientations = len(options) // len(xs)


@lru_cache(maxsize=1 << 16)
def _columns(row: int, left: int) -> tuple[int, ...]:
    """The x of the anchors in one row of a house; the same few thousand rows come again and again."""
    return tuple([left + column for column in range(row.bit_length()) if row >> column & 1])


def _lines(ask: pb.EdoYashikiAsk, options: Sequence[Option], view: View) -> None:
    """The lines on offer; to stop is always the last option and has no entry (E-9.3)."""
    ask.lines.extend([option.line for option in cast(Sequence[_Score], options)[:-1]])


OPTIONS: dict[str, Callable[[pb.EdoYashikiAsk, Sequence[Option], View], None]] = {
    "rank_cards": _rankings,
    "pick_card": _picks,
    "place_card": _placements,
    "score_line": _lines,
}


def describe(info: play_pb2.GameInfo) -> None:
    """Write the card faces."""
    rows: list[Any] = components.read("referee.games.edo_yashiki").tables["construction_cards"]
    for row in rows:
        card = info.edo_yashiki.cards.add()
        card.name = row["id"]
        card.cells.extend([KINDS[letter] for cells in row["rows"] for letter in cells])
