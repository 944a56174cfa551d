"""Edo Yashiki on the wire: see `proto/referee/v1/edo_yashiki.proto` for what each field means.

Most of a view is public, hence the same for all seats of a match, and all but a little of it was there in the last
round already: houses and the history of drafts only grow. So an `Encoder`, made for one match, keeps these parts
serialised, adds what is new, and puts an ask together from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
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
    "turn_order": pb.EDO_YASHIKI_DRAFT_TURN_ORDER,
}
ASK = Fields(pb.EdoYashikiAsk)
VIEW = Fields(pb.EdoYashikiView)

SEAT, CHAIN = View._fields.index("seat"), View._fields.index("chain")
"""Where a view holds whose it is and that seat's own scoring; everything else is the same for all seats."""
LINES = {y: zigzag(y) for y in range(-128, 128)}
"""Every coordinate that an anchor can have, serialised: -93 to 95 always suffice (section 15)."""
MOST_ROWS = 1 << 16
"""So many rows of anchors are kept serialised."""
HOUSE = tuple(VIEW.prefix(name) for name in ("house_cards", "house_x", "house_y", "house_turned"))
SHOWN, ANCHOR_X, ANCHOR_Y = ASK.prefix("view"), ASK.prefix("anchor_x"), ASK.prefix("anchor_y")


class Encoder:
    """Writes the asks of one match. It gives the same bytes whatever it was called for before."""

    __slots__ = (
        "_anchors",
        "_cards",
        "_dealt",
        "_drafts",
        "_history",
        "_houses",
        "_laid",
        "_points",
        "_public",
        "_row",
        "_scores",
        "_shared",
        "_standing",
    )

    def __init__(self) -> None:
        self._drafts: tuple[object, ...] = ()
        self._history = b""
        self._houses: tuple[object, ...] = ()
        self._cards: list[tuple[object, ...]] = []
        self._laid: list[tuple[bytearray, bytearray, bytearray, bytearray]] = []
        self._standing = b""
        self._row: tuple[int, ...] = ()
        self._dealt = b""
        self._scores: tuple[int, ...] = ()
        self._points = b""
        self._shared: tuple[object, object] = ((), ())
        self._public = b""
        self._anchors: dict[int, Anchors] = {}

    def __call__(self, kind: str, options: Sequence[Option], view: View) -> bytes:
        """An `EdoYashikiAsk`, serialised."""
        shown = self.view(view)
        if kind == "place_card":
            offered = self._placements(options, view)
        else:
            offered = OPTIONS[kind](options, view)
        return b"".join((SHOWN, varint(len(shown)), shown, offered))

    def view(self, view: View) -> bytes:
        """An `EdoYashikiView`, serialised."""
        shared = view[SEAT + 1 : CHAIN], view[CHAIN + 1 :]
        if shared != self._shared:  # quick, because equal parts are mostly the same objects
            self._public = self._everybodys(view)
            self._shared = shared
        seat = view.seat
        if seat is None:
            return self._public
        own = _own(seat)
        return self._public + own if view.chain is None else self._public + own + _chain(view)

    def _everybodys(self, view: View) -> bytes:
        """What is the same for all seats."""
        if view.houses is not self._houses:
            self._stand(view)
        if view.drafts is not self._drafts:
            self._remember(view)
        if view.row is not self._row:
            self._row = view.row
            self._dealt = VIEW.chunk("row", varints(view.row))
        if view.scores is not self._scores:
            self._scores = view.scores
            self._points = VIEW.chunk("scores", varints(view.scores))
        return b"".join(
            (
                _circumstances(view.phase, view.rules, view.draft),
                _moment(view.round, view.first, view.left),
                self._points,
                _tokens(view.tokens),
                self._dealt,
                _taken(view.got),
                self._history,
                self._standing,
                _scored(view.scored) if view.scored else b"",
            )
        )

    def _remember(self, view: View) -> None:
        """Add the drafts that came since last time; begin anew if those before are not the same.

        The wire format allows lists to be written in pieces, which readers join.
        """
        drafts = view.drafts
        known = len(self._drafts)
        if drafts[:known] != self._drafts:
            self._history = b""
            known = 0
        for row, got, priority, reaches in drafts[known:]:
            self._history += VIEW.chunk("history_rows", varints(row)) + _outcome(got, priority, reaches)
        self._drafts = drafts

    def _stand(self, view: View) -> None:
        """Add the cards that were laid since last time; begin anew with a house that is not the same."""
        houses = view.houses
        if len(self._houses) != len(houses):
            self._laid = [(bytearray(), bytearray(), bytearray(), bytearray()) for _ in houses]
            self._cards = [() for _ in houses]
        for seat, house in enumerate(houses):
            known = self._cards[seat]
            count = len(known)
            placed = house.cards
            if placed[:count] != known:
                self._laid[seat] = bytearray(), bytearray(), bytearray(), bytearray()
                count = 0
            self._cards[seat] = placed
            cards, xs, ys, turned = self._laid[seat]
            for card, x, y, rotation in placed[count:]:
                cards += varint(card)
                xs += LINES[x]
                ys += LINES[y]
                turned.append(rotation != 0)
        self._houses = houses
        parts = [VIEW.chunk("house_sizes", varints([len(house.cards) for house in houses]))]
        for prefix, lists in zip(HOUSE, zip(*self._laid, strict=True), strict=True):
            whole = b"".join(lists)
            parts += prefix, varint(len(whole)), whole
        self._standing = b"".join(parts)

    def _placements(self, options: Sequence[Option], view: View) -> bytes:
        """The legal anchors of the own house, row by row: the options without building a single one (E-7.5)."""
        seat = view.seat
        if seat is None:
            raise RulesBug("the public is asked to place a card")
        house = view.houses[seat]
        known = self._anchors.get(seat)
        if known is None:
            known = self._anchors[seat] = Anchors()
        known.update(house.legal, house.left, house.top, house.stride, len(house.cells) // house.stride)
        return known.written + _turns(len(options) // house.legal.bit_count())


class Anchors:
    """The legal anchors of one house, serialised row by row: a card changes few rows, so the others are kept."""

    __slots__ = ("_columns", "_left", "_legal", "_stride", "_top", "_xs", "_ys", "written")

    def __init__(self) -> None:
        self._legal = self._left = self._top = self._stride = 0
        self._columns = _columns(0)
        self._xs: list[bytes] = []
        self._ys: list[bytes] = []
        self.written = b""
        """The fields `anchor_x` and `anchor_y`."""

    def update(self, legal: int, left: int, top: int, stride: int, rows: int) -> None:
        """Take over what the house allows now: the anchors in its window of so many rows."""
        if stride != self._stride or top != self._top or left != self._left:
            self._legal, self._left, self._top, self._stride = 0, left, top, stride
            self._columns = _columns(left)
            self._xs.clear()
            self._ys.clear()
        missing = rows - len(self._xs)
        if missing:
            self._xs += [b""] * missing
            self._ys += [b""] * missing
        changed = legal ^ self._legal
        if not changed:
            return
        self._legal = legal
        row = ((changed & -changed).bit_length() - 1) // stride
        end = (changed.bit_length() - 1) // stride
        part = legal >> row * stride & (1 << (end - row + 1) * stride) - 1
        width = (1 << stride) - 1
        columns, xs, ys = self._columns, self._xs, self._ys
        while row <= end:
            bits = part & width
            part >>= stride
            xs[row] = columns[bits]
            ys[row] = LINES[top + row] * bits.bit_count()
            row += 1
        across = b"".join(xs)
        down = b"".join(ys)
        self.written = b"".join((ANCHOR_X, varint(len(across)), across, ANCHOR_Y, varint(len(down)), down))


class Columns(dict[int, bytes]):
    """By the anchors in one row of a house: their x, serialised. The same few thousand rows come again and again."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self._left = left

    def __missing__(self, row: int) -> bytes:
        if len(self) >= MOST_ROWS:
            self.clear()
        left = self._left
        xs = self[row] = zigzags([left + column for column in range(row.bit_length()) if row >> column & 1])
        return xs


_columns = cache(Columns)


# The same small parts are needed all the time, by all matches.


@lru_cache(maxsize=1 << 12)
def _outcome(got: tuple[int, ...], priority: tuple[int, ...], reaches: tuple[tuple[int, ...], ...]) -> bytes:
    taken = VIEW.chunk("history_taken", varints(got))
    if not priority:
        return taken
    return b"".join(
        (
            taken,
            VIEW.chunk("history_priority", varints(priority)),
            VIEW.chunk("history_passes", varint(len(reaches))),
            VIEW.chunk("history_reaches", zigzags(chain.from_iterable(reaches))),
        )
    )


@cache
def _own(seat: int) -> bytes:
    return VIEW.number("seat", seat)


@cache
def _turns(ways_up: int) -> bytes:
    return ASK.number("orientations", ways_up)


@cache
def _circumstances(phase: str, rules: str, draft: str) -> bytes:
    specialists = rules == "specialists"
    return (
        VIEW.number("phase", PHASES[phase])
        + (VIEW.number("specialists", specialists) if specialists else b"")
        + VIEW.number("draft", DRAFTS[draft])
    )


@cache
def _moment(number: int, first: int, left: int) -> bytes:
    return VIEW.number("round", number) + VIEW.number("first_player", first) + VIEW.number("deck_count", left)


@lru_cache(maxsize=1 << 12)
def _tokens(tokens: tuple[int, ...]) -> bytes:
    return VIEW.chunk("tokens", varints(tokens))


@cache
def _taken(got: tuple[int, ...]) -> bytes:
    return VIEW.chunk("taken", zigzags(got))


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
    return _orders(len(view.row))


@cache
def _orders(cards: int) -> bytes:
    """All rankings in lexicographic order (E-5.5), a byte for each row index."""
    return ASK.chunk("rankings", bytes(chain.from_iterable(permutations(range(cards)))))


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
