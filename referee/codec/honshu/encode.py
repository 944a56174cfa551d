"""Honshu on the wire: see `proto/referee/v1/honshu.proto` for what each field means.

Nearly all of a view is public, hence the same for all seats of a match, and most of that is the domains, which change
once in a round. So an `Encoder`, made for one match, keeps both serialised and puts an ask together from them.
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
"""The fields of a view that are the same for all seats: all but whose it is and the hands that it knows."""
DOMAIN = (
    "laid_cards",
    "laid_rotations",
    "laid_rows",
    "laid_columns",
    "laid_masks",
    "cell_rows",
    "cell_columns",
    "cell_kinds",
    "cell_cards",
)
"""The lists that hold the cards and the visible cells of all domains, one after the other."""
CENTRED = b"".join(zigzag(number - 32) for number in range(64)).ljust(256, b"\0")
"""Coordinates come from the game as bytes, 32 added; on the wire each is a byte too."""


class Encoder:
    """Writes the asks of one match. It gives the same bytes whatever it was called for before."""

    __slots__ = ("_domains", "_laid", "_lists", "_public", "_shared")

    def __init__(self) -> None:
        self._laid: list[tuple[object, ...]] = []
        self._lists: list[tuple[bytes, ...]] = []
        self._domains = b""
        self._shared: tuple[object, ...] = ()
        self._public = b""

    def __call__(self, kind: str, options: Sequence[Option], view: View) -> bytes:
        """A `HonshuAsk`, serialised."""
        return ASK.chunk("view", self.view(view)) + OPTIONS[kind](options, view)

    def view(self, view: View) -> bytes:
        """A `HonshuView`, serialised."""
        shared = cast(tuple[object, ...], view[PUBLIC])
        if shared != self._shared:  # quick, because equal parts are mostly the same objects
            self._public = self._everybodys(view)
            self._shared = shared
        return self._public if view.seat is None else self._public + _own(view, view.seat)

    def _everybodys(self, view: View) -> bytes:
        """What is the same for all seats."""
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
                self._lands(view.domains),
                _cubes(view.domains),
                _scores(view),
            )
        )

    def _lands(self, domains: tuple[DomainView, ...]) -> bytes:
        """Cards and visible cells of all domains; only those that changed since last time are written anew."""
        laid = [domain.laid for domain in domains]
        names = [domain.province for domain in domains]
        known: list[tuple[object, ...]] = [(name, *cards) for name, cards in zip(names, laid, strict=True)]
        if known != self._laid:
            old = dict(zip(self._laid, self._lists, strict=True))
            self._lists = [old.get(key) or _land(domain) for key, domain in zip(known, domains, strict=True)]
            self._laid = known
            joined = (b"".join(lists) for lists in zip(*self._lists, strict=True))
            self._domains = b"".join(
                (
                    VIEW.chunk("provinces", varints([int(name[1:]) for name in names])),
                    VIEW.chunk("domain_sizes", varints([len(cards) for cards in laid])),
                    VIEW.chunk("cell_counts", varints([len(domain.picture.cells) for domain in domains])),
                    *map(VIEW.chunk, DOMAIN, joined),
                )
            )
        return self._domains


def _own(view: View, seat: int) -> bytes:
    """What a seat has for itself: its hand, and the one that it passed on."""
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
    )
    return b"".join(VIEW.number(name, value) for name, value in numbers if value)


def _land(domain: DomainView) -> tuple[bytes, ...]:
    """The lists of one domain, in the order of DOMAIN."""
    cards, rotations, rows, columns, masks = zip(*domain.laid, strict=True) if domain.laid else ((),) * 5
    picture = domain.picture
    return (
        varints(cards),
        varints(rotations),
        zigzags(rows),
        zigzags(columns),
        varints(masks),
        zigzags([cell.row for cell in picture.cells]),
        zigzags([cell.col for cell in picture.cells]),
        varints([KINDS[code] for code in picture.codes]),
        varints(picture.slots),
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
    """All placements in four lists, without building a single one."""
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
