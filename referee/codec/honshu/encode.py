"""Honshu on the wire: see `proto/referee/v1/honshu.proto` for what each field means.

Nearly all of a view is public, hence the same for all seats of a moment, and most of the public part is the domains,
which change once in a round. So an `Encoder`, made for one match, keeps both serialised: without the kept public part
an ask takes 1.2 times as long to write, without the kept domains 1.6 times (random games of 2 to 4 seats).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Protocol, cast

from referee.codec.protobuf_bytes import Fields, varints, zigzag, zigzags
from referee.games.honshu.view import DomainView, View
from referee.kernel import components
from referee.kernel.errors import RulesBug
from referee.kernel.game import Option
from referee.v1 import honshu_pb2 as pb
from referee.v1 import play_pb2

KINDS = {
    "F": pb.HONSHU_KIND_FOREST,
    "T": pb.HONSHU_KIND_TOWN,
    "L": pb.HONSHU_KIND_LAKE,
    "W": pb.HONSHU_KIND_FIELD,
    "pB": pb.HONSHU_KIND_PRODUCTION_BLUE,
    "pN": pb.HONSHU_KIND_PRODUCTION_BROWN,
    "pG": pb.HONSHU_KIND_PRODUCTION_GREY,
    "pY": pb.HONSHU_KIND_PRODUCTION_YELLOW,
    "B2": pb.HONSHU_KIND_FACTORY_BLUE_2,
    "B3": pb.HONSHU_KIND_FACTORY_BLUE_3,
    "B4": pb.HONSHU_KIND_FACTORY_BLUE_4,
    "N2": pb.HONSHU_KIND_FACTORY_BROWN_2,
    "N3": pb.HONSHU_KIND_FACTORY_BROWN_3,
    "N4": pb.HONSHU_KIND_FACTORY_BROWN_4,
    "G2": pb.HONSHU_KIND_FACTORY_GREY_2,
    "G3": pb.HONSHU_KIND_FACTORY_GREY_3,
    "G4": pb.HONSHU_KIND_FACTORY_GREY_4,
    "Y2": pb.HONSHU_KIND_FACTORY_YELLOW_2,
    "Y3": pb.HONSHU_KIND_FACTORY_YELLOW_3,
    "Y4": pb.HONSHU_KIND_FACTORY_YELLOW_4,
}
"""By the code of a cell."""
PHASES = {
    "play": pb.HONSHU_PHASE_PLAY,
    "pick": pb.HONSHU_PHASE_PICK,
    "play2": pb.HONSHU_PHASE_PLAY2,
    "override": pb.HONSHU_PHASE_OVERRIDE,
    "pair": pb.HONSHU_PHASE_PAIR,
    "keep": pb.HONSHU_PHASE_KEEP,
    "place": pb.HONSHU_PHASE_PLACE,
    "over": pb.HONSHU_PHASE_OVER,
}
ASK = Fields(pb.HonshuAsk)
VIEW = Fields(pb.HonshuView)

PUBLIC = slice(2, None)
"""The fields of a view that are the same for all seats: all but the seat and the hands that it knows."""
CENTRED = b"".join(zigzag(number - 32) for number in range(64)).ljust(256, b"\0")
"""Coordinates come from the game as bytes, 32 added; on the wire each is a byte too."""


class Encoder:
    """Writes the asks of one match. The bytes of an ask do not depend on earlier calls."""

    __slots__ = ("_domains", "_laid", "_public", "_shared")

    def __init__(self) -> None:
        self._shared: tuple[object, ...] = ()
        self._public = b""
        """The public part of a view, and the fields that it was written from."""
        self._laid: Sequence[tuple[object, ...]] = ()
        self._domains = b""
        """Cards and visible cells of all domains, and the cards that they were written from."""

    def __call__(self, kind: str, options: Sequence[Option], view: View) -> bytes:
        """A `HonshuAsk`, serialised."""
        return ASK.chunk("view", self.view(view)) + OPTIONS[kind](options, view)

    def view(self, view: View) -> bytes:
        """A `HonshuView`, serialised."""
        shared = cast(tuple[object, ...], view[PUBLIC])
        if shared != self._shared:  # quick, because equal parts are mostly the same objects
            self._public = self._write_public(view)
            self._shared = shared
        return self._public if view.seat is None else self._public + _own(view, view.seat)

    def _write_public(self, view: View) -> bytes:
        """What is the same for all seats."""
        laid = [(domain.province, *domain.laid) for domain in view.domains]
        if laid != self._laid:
            self._domains = _write_domains(view.domains)
            self._laid = laid
        return b"".join(
            (
                VIEW.number("phase", PHASES[view.phase]),
                VIEW.number("round", view.round),
                VIEW.chunk("order", varints(view.order)),
                VIEW.chunk("hand_sizes", varints(view.hand_sizes)),
                VIEW.number("pile_count", view.pile),
                VIEW.chunk("supply", varints(view.supply)),
                _settings(view),
                VIEW.chunk("trick_seats", varints([bid.seat for bid in view.trick])),
                VIEW.chunk("trick_cards", varints([bid.card for bid in view.trick])),
                VIEW.chunk("trick_cubes", varints([bid.colour + 1 for bid in view.trick])),
                VIEW.chunk("face_up", varints(view.faceup)),
                VIEW.chunk("revealed", varints(view.revealed)),
                VIEW.chunk("offers", varints(list(chain.from_iterable(view.offers)))),
                VIEW.chunk("discards", varints(view.discards)),
                VIEW.chunk("taken", varints(view.taken)),
                self._domains,
                _cubes(view.domains),
                _scores(view),
            )
        )


def _own(view: View, seat: int) -> bytes:
    """The private part of a view: the seat's hand, and the hand that it passed on."""
    own = VIEW.number("seat", seat) + VIEW.chunk("hand", varints(view.known_hands[seat]))
    for other, hand in enumerate(view.known_hands):
        if hand and other != seat:
            own += VIEW.number("passed_to", other) + VIEW.chunk("passed_cards", varints(hand))
    return own


def _settings(view: View) -> bytes:
    rules = view.rules
    numbers = (
        ("side_b", rules.province_side == "B"),
        ("scoring_card", view.scoring_card),
        ("scoring_card_drawn", rules.scoring_card == "random"),
        ("flat", rules.layering == "flat"),
        ("equals_replace", rules.equals_cards == "replace"),
        ("factories_3_4_5", rules.factories == "3-4-5"),
    )
    return b"".join(VIEW.number(name, value) for name, value in numbers if value)


def _write_domains(domains: Sequence[DomainView]) -> bytes:
    """Cards and visible cells of all domains, one domain after the other."""
    laid = [card for domain in domains for card in domain.laid]
    cells = [cell for domain in domains for cell in domain.picture.cells]
    codes = [code for domain in domains for code in domain.picture.codes]
    return b"".join(
        (
            VIEW.chunk("provinces", varints([int(domain.province[1:]) for domain in domains])),
            VIEW.chunk("domain_sizes", varints([len(domain.laid) for domain in domains])),
            VIEW.chunk("cell_counts", varints([len(domain.picture.cells) for domain in domains])),
            VIEW.chunk("laid_cards", varints([card.card for card in laid])),
            VIEW.chunk("laid_rotations", varints([card.k for card in laid])),
            VIEW.chunk("laid_rows", zigzags([card.row for card in laid])),
            VIEW.chunk("laid_columns", zigzags([card.col for card in laid])),
            VIEW.chunk("laid_masks", varints([card.mask for card in laid])),
            VIEW.chunk("cell_rows", zigzags([cell.row for cell in cells])),
            VIEW.chunk("cell_columns", zigzags([cell.col for cell in cells])),
            VIEW.chunk("cell_kinds", varints([KINDS[code] for code in codes])),
            VIEW.chunk("cell_cards", varints([slot for domain in domains for slot in domain.picture.slots])),
        )
    )


def _cubes(domains: Iterable[DomainView]) -> bytes:
    cells = [cell for domain in domains for cell in domain.cubes]
    return b"".join(
        (
            VIEW.chunk("cube_counts", varints([len(domain.cubes) for domain in domains])),
            VIEW.chunk("cube_rows", zigzags([cell.row for cell in cells])),
            VIEW.chunk("cube_columns", zigzags([cell.col for cell in cells])),
        )
    )


def _scores(view: View) -> bytes:
    return b"".join(
        VIEW.chunk("scores", pb.HonshuScore(**score._asdict()).SerializeToString()) for score in view.scores
    )


class _Card(Protocol):
    @property
    def card(self) -> int: ...


class _Cell(Protocol):
    @property
    def row(self) -> int: ...
    @property
    def col(self) -> int: ...


class _Play(_Card, Protocol):
    @property
    def cube(self) -> _Cell | None: ...


class _Override(Protocol):
    @property
    def cubes(self) -> tuple[object, ...]: ...


class _Columns(Protocol):
    @property
    def k(self) -> bytes: ...
    @property
    def row(self) -> bytes: ...
    @property
    def col(self) -> bytes: ...
    @property
    def mask(self) -> bytes: ...


class _Placements(Protocol):
    def columns(self) -> _Columns: ...


def _plays(options: Sequence[Option], view: View) -> bytes:
    """Every card stands for as many options as the first one: alone, and with each cube (H-4.3)."""
    plays = cast(Sequence[_Play], options)
    cubes = [play.cube for play in plays if play.card == plays[0].card and play.cube is not None]
    return b"".join(
        (
            ASK.chunk("play_cards", varints([play.card for play in plays[:: len(cubes) + 1]])),
            ASK.chunk("play_cube_rows", zigzags([cube.row for cube in cubes])),
            ASK.chunk("play_cube_columns", zigzags([cube.col for cube in cubes])),
        )
    )


def _cards(field: str) -> Callable[[Sequence[Option], View], bytes]:
    def write(options: Sequence[Option], view: View) -> bytes:
        return ASK.chunk(field, varints([option.card for option in cast(Sequence[_Card], options)]))

    return write


def _overrides(options: Sequence[Option], view: View) -> bytes:
    """Pairs of the own cubes by their numbers; to decline is the first option and has no entry (H-6.4)."""
    if view.seat is None:
        raise RulesBug("the public is asked for an override")
    number: dict[object, int] = {cube: index for index, cube in enumerate(view.domains[view.seat].cubes)}
    pairs = [option.cubes for option in cast(Sequence[_Override], options)[1:]]
    return ASK.chunk("override_first", varints([number[first] for first, _ in pairs])) + ASK.chunk(
        "override_second", varints([number[second] for _, second in pairs])
    )


def _pair(options: Sequence[Option], view: View) -> bytes:
    return b""


def _placements(options: Sequence[Option], view: View) -> bytes:
    """All placements in four lists; no option is built."""
    columns = cast(_Placements, options).columns()
    return b"".join(
        (
            ASK.chunk("place_rotations", columns.k),
            ASK.chunk("place_rows", columns.row.translate(CENTRED)),
            ASK.chunk("place_columns", columns.col.translate(CENTRED)),
            ASK.chunk("place_masks", columns.mask),
        )
    )


OPTIONS: dict[str, Callable[[Sequence[Option], View], bytes]] = {
    "play": _plays,
    "play2": _plays,
    "pick": _cards("picks"),
    "keep": _cards("keeps"),
    "override": _overrides,
    "pair": _pair,
    "place": _placements,
}


def describe(info: play_pb2.GameInfo) -> None:
    """Write the card faces."""
    tables: dict[str, Any] = components.read("referee.games.honshu").tables
    cards = sorted(tables["map_cards"], key=lambda card: int(card["number"]))
    provinces = sorted(tables["provinces"], key=lambda province: int(province["id"]))
    faces = info.honshu
    faces.card_cells.extend(_face(card["cells"] for card in cards))
    faces.province_a_cells.extend(_face(province["a"] for province in provinces))
    faces.province_b_cells.extend(_face(province["b"] for province in provinces))


def _face(faces: Iterable[list[list[str]]]) -> list[pb.HonshuKind]:
    return [KINDS[code] for rows in faces for row in rows for code in row]
