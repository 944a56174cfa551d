from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HonshuKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HONSHU_KIND_UNSPECIFIED: _ClassVar[HonshuKind]
    HONSHU_KIND_FOREST: _ClassVar[HonshuKind]
    HONSHU_KIND_TOWN: _ClassVar[HonshuKind]
    HONSHU_KIND_LAKE: _ClassVar[HonshuKind]
    HONSHU_KIND_FIELD: _ClassVar[HonshuKind]
    HONSHU_KIND_PRODUCTION_BLUE: _ClassVar[HonshuKind]
    HONSHU_KIND_PRODUCTION_BROWN: _ClassVar[HonshuKind]
    HONSHU_KIND_PRODUCTION_GREY: _ClassVar[HonshuKind]
    HONSHU_KIND_PRODUCTION_YELLOW: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_BLUE_2: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_BLUE_3: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_BLUE_4: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_BROWN_2: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_BROWN_3: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_BROWN_4: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_GREY_2: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_GREY_3: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_GREY_4: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_YELLOW_2: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_YELLOW_3: _ClassVar[HonshuKind]
    HONSHU_KIND_FACTORY_YELLOW_4: _ClassVar[HonshuKind]

class HonshuColour(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HONSHU_COLOUR_UNSPECIFIED: _ClassVar[HonshuColour]
    HONSHU_COLOUR_BLUE: _ClassVar[HonshuColour]
    HONSHU_COLOUR_BROWN: _ClassVar[HonshuColour]
    HONSHU_COLOUR_GREY: _ClassVar[HonshuColour]
    HONSHU_COLOUR_YELLOW: _ClassVar[HonshuColour]

class HonshuPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HONSHU_PHASE_UNSPECIFIED: _ClassVar[HonshuPhase]
    HONSHU_PHASE_PLAY: _ClassVar[HonshuPhase]
    HONSHU_PHASE_PICK: _ClassVar[HonshuPhase]
    HONSHU_PHASE_PLAY2: _ClassVar[HonshuPhase]
    HONSHU_PHASE_OVERRIDE: _ClassVar[HonshuPhase]
    HONSHU_PHASE_PAIR: _ClassVar[HonshuPhase]
    HONSHU_PHASE_KEEP: _ClassVar[HonshuPhase]
    HONSHU_PHASE_PLACE: _ClassVar[HonshuPhase]
    HONSHU_PHASE_OVER: _ClassVar[HonshuPhase]
HONSHU_KIND_UNSPECIFIED: HonshuKind
HONSHU_KIND_FOREST: HonshuKind
HONSHU_KIND_TOWN: HonshuKind
HONSHU_KIND_LAKE: HonshuKind
HONSHU_KIND_FIELD: HonshuKind
HONSHU_KIND_PRODUCTION_BLUE: HonshuKind
HONSHU_KIND_PRODUCTION_BROWN: HonshuKind
HONSHU_KIND_PRODUCTION_GREY: HonshuKind
HONSHU_KIND_PRODUCTION_YELLOW: HonshuKind
HONSHU_KIND_FACTORY_BLUE_2: HonshuKind
HONSHU_KIND_FACTORY_BLUE_3: HonshuKind
HONSHU_KIND_FACTORY_BLUE_4: HonshuKind
HONSHU_KIND_FACTORY_BROWN_2: HonshuKind
HONSHU_KIND_FACTORY_BROWN_3: HonshuKind
HONSHU_KIND_FACTORY_BROWN_4: HonshuKind
HONSHU_KIND_FACTORY_GREY_2: HonshuKind
HONSHU_KIND_FACTORY_GREY_3: HonshuKind
HONSHU_KIND_FACTORY_GREY_4: HonshuKind
HONSHU_KIND_FACTORY_YELLOW_2: HonshuKind
HONSHU_KIND_FACTORY_YELLOW_3: HonshuKind
HONSHU_KIND_FACTORY_YELLOW_4: HonshuKind
HONSHU_COLOUR_UNSPECIFIED: HonshuColour
HONSHU_COLOUR_BLUE: HonshuColour
HONSHU_COLOUR_BROWN: HonshuColour
HONSHU_COLOUR_GREY: HonshuColour
HONSHU_COLOUR_YELLOW: HonshuColour
HONSHU_PHASE_UNSPECIFIED: HonshuPhase
HONSHU_PHASE_PLAY: HonshuPhase
HONSHU_PHASE_PICK: HonshuPhase
HONSHU_PHASE_PLAY2: HonshuPhase
HONSHU_PHASE_OVERRIDE: HonshuPhase
HONSHU_PHASE_PAIR: HonshuPhase
HONSHU_PHASE_KEEP: HonshuPhase
HONSHU_PHASE_PLACE: HonshuPhase
HONSHU_PHASE_OVER: HonshuPhase

class HonshuComponents(_message.Message):
    __slots__ = ("card_cells", "province_a_cells", "province_b_cells")
    CARD_CELLS_FIELD_NUMBER: _ClassVar[int]
    PROVINCE_A_CELLS_FIELD_NUMBER: _ClassVar[int]
    PROVINCE_B_CELLS_FIELD_NUMBER: _ClassVar[int]
    card_cells: _containers.RepeatedScalarFieldContainer[HonshuKind]
    province_a_cells: _containers.RepeatedScalarFieldContainer[HonshuKind]
    province_b_cells: _containers.RepeatedScalarFieldContainer[HonshuKind]
    def __init__(self, card_cells: _Optional[_Iterable[_Union[HonshuKind, str]]] = ..., province_a_cells: _Optional[_Iterable[_Union[HonshuKind, str]]] = ..., province_b_cells: _Optional[_Iterable[_Union[HonshuKind, str]]] = ...) -> None: ...

class HonshuAsk(_message.Message):
    __slots__ = ("view", "play_cards", "play_cube_rows", "play_cube_columns", "picks", "keeps", "override_first", "override_second", "place_rotations", "place_rows", "place_columns", "place_masks")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    PLAY_CARDS_FIELD_NUMBER: _ClassVar[int]
    PLAY_CUBE_ROWS_FIELD_NUMBER: _ClassVar[int]
    PLAY_CUBE_COLUMNS_FIELD_NUMBER: _ClassVar[int]
    PICKS_FIELD_NUMBER: _ClassVar[int]
    KEEPS_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_FIRST_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_SECOND_FIELD_NUMBER: _ClassVar[int]
    PLACE_ROTATIONS_FIELD_NUMBER: _ClassVar[int]
    PLACE_ROWS_FIELD_NUMBER: _ClassVar[int]
    PLACE_COLUMNS_FIELD_NUMBER: _ClassVar[int]
    PLACE_MASKS_FIELD_NUMBER: _ClassVar[int]
    view: HonshuView
    play_cards: _containers.RepeatedScalarFieldContainer[int]
    play_cube_rows: _containers.RepeatedScalarFieldContainer[int]
    play_cube_columns: _containers.RepeatedScalarFieldContainer[int]
    picks: _containers.RepeatedScalarFieldContainer[int]
    keeps: _containers.RepeatedScalarFieldContainer[int]
    override_first: _containers.RepeatedScalarFieldContainer[int]
    override_second: _containers.RepeatedScalarFieldContainer[int]
    place_rotations: bytes
    place_rows: _containers.RepeatedScalarFieldContainer[int]
    place_columns: _containers.RepeatedScalarFieldContainer[int]
    place_masks: bytes
    def __init__(self, view: _Optional[_Union[HonshuView, _Mapping]] = ..., play_cards: _Optional[_Iterable[int]] = ..., play_cube_rows: _Optional[_Iterable[int]] = ..., play_cube_columns: _Optional[_Iterable[int]] = ..., picks: _Optional[_Iterable[int]] = ..., keeps: _Optional[_Iterable[int]] = ..., override_first: _Optional[_Iterable[int]] = ..., override_second: _Optional[_Iterable[int]] = ..., place_rotations: _Optional[bytes] = ..., place_rows: _Optional[_Iterable[int]] = ..., place_columns: _Optional[_Iterable[int]] = ..., place_masks: _Optional[bytes] = ...) -> None: ...

class HonshuScore(_message.Message):
    __slots__ = ("forest", "town", "factory", "lake", "bonus", "fields")
    FOREST_FIELD_NUMBER: _ClassVar[int]
    TOWN_FIELD_NUMBER: _ClassVar[int]
    FACTORY_FIELD_NUMBER: _ClassVar[int]
    LAKE_FIELD_NUMBER: _ClassVar[int]
    BONUS_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    forest: int
    town: int
    factory: int
    lake: int
    bonus: int
    fields: int
    def __init__(self, forest: _Optional[int] = ..., town: _Optional[int] = ..., factory: _Optional[int] = ..., lake: _Optional[int] = ..., bonus: _Optional[int] = ..., fields: _Optional[int] = ...) -> None: ...

class HonshuView(_message.Message):
    __slots__ = ("seat", "hand", "passed_to", "passed_cards", "phase", "round", "order", "hand_sizes", "pile_count", "supply", "side_b", "scoring_card", "scoring_card_drawn", "flat", "equals_replace", "trick_seats", "trick_cards", "trick_cubes", "face_up", "revealed", "offers", "discards", "taken", "provinces", "domain_sizes", "laid_cards", "laid_rotations", "laid_rows", "laid_columns", "laid_masks", "cell_counts", "cell_rows", "cell_columns", "cell_kinds", "cell_cards", "cube_counts", "cube_rows", "cube_columns", "scores", "factories_3_4_5")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    PASSED_TO_FIELD_NUMBER: _ClassVar[int]
    PASSED_CARDS_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    PILE_COUNT_FIELD_NUMBER: _ClassVar[int]
    SUPPLY_FIELD_NUMBER: _ClassVar[int]
    SIDE_B_FIELD_NUMBER: _ClassVar[int]
    SCORING_CARD_FIELD_NUMBER: _ClassVar[int]
    SCORING_CARD_DRAWN_FIELD_NUMBER: _ClassVar[int]
    FLAT_FIELD_NUMBER: _ClassVar[int]
    EQUALS_REPLACE_FIELD_NUMBER: _ClassVar[int]
    TRICK_SEATS_FIELD_NUMBER: _ClassVar[int]
    TRICK_CARDS_FIELD_NUMBER: _ClassVar[int]
    TRICK_CUBES_FIELD_NUMBER: _ClassVar[int]
    FACE_UP_FIELD_NUMBER: _ClassVar[int]
    REVEALED_FIELD_NUMBER: _ClassVar[int]
    OFFERS_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    PROVINCES_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_SIZES_FIELD_NUMBER: _ClassVar[int]
    LAID_CARDS_FIELD_NUMBER: _ClassVar[int]
    LAID_ROTATIONS_FIELD_NUMBER: _ClassVar[int]
    LAID_ROWS_FIELD_NUMBER: _ClassVar[int]
    LAID_COLUMNS_FIELD_NUMBER: _ClassVar[int]
    LAID_MASKS_FIELD_NUMBER: _ClassVar[int]
    CELL_COUNTS_FIELD_NUMBER: _ClassVar[int]
    CELL_ROWS_FIELD_NUMBER: _ClassVar[int]
    CELL_COLUMNS_FIELD_NUMBER: _ClassVar[int]
    CELL_KINDS_FIELD_NUMBER: _ClassVar[int]
    CELL_CARDS_FIELD_NUMBER: _ClassVar[int]
    CUBE_COUNTS_FIELD_NUMBER: _ClassVar[int]
    CUBE_ROWS_FIELD_NUMBER: _ClassVar[int]
    CUBE_COLUMNS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    FACTORIES_3_4_5_FIELD_NUMBER: _ClassVar[int]
    seat: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    passed_to: int
    passed_cards: _containers.RepeatedScalarFieldContainer[int]
    phase: HonshuPhase
    round: int
    order: _containers.RepeatedScalarFieldContainer[int]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    pile_count: int
    supply: _containers.RepeatedScalarFieldContainer[int]
    side_b: bool
    scoring_card: int
    scoring_card_drawn: bool
    flat: bool
    equals_replace: bool
    trick_seats: _containers.RepeatedScalarFieldContainer[int]
    trick_cards: _containers.RepeatedScalarFieldContainer[int]
    trick_cubes: _containers.RepeatedScalarFieldContainer[HonshuColour]
    face_up: _containers.RepeatedScalarFieldContainer[int]
    revealed: _containers.RepeatedScalarFieldContainer[int]
    offers: _containers.RepeatedScalarFieldContainer[int]
    discards: _containers.RepeatedScalarFieldContainer[int]
    taken: _containers.RepeatedScalarFieldContainer[int]
    provinces: _containers.RepeatedScalarFieldContainer[int]
    domain_sizes: _containers.RepeatedScalarFieldContainer[int]
    laid_cards: _containers.RepeatedScalarFieldContainer[int]
    laid_rotations: _containers.RepeatedScalarFieldContainer[int]
    laid_rows: _containers.RepeatedScalarFieldContainer[int]
    laid_columns: _containers.RepeatedScalarFieldContainer[int]
    laid_masks: _containers.RepeatedScalarFieldContainer[int]
    cell_counts: _containers.RepeatedScalarFieldContainer[int]
    cell_rows: _containers.RepeatedScalarFieldContainer[int]
    cell_columns: _containers.RepeatedScalarFieldContainer[int]
    cell_kinds: _containers.RepeatedScalarFieldContainer[HonshuKind]
    cell_cards: _containers.RepeatedScalarFieldContainer[int]
    cube_counts: _containers.RepeatedScalarFieldContainer[int]
    cube_rows: _containers.RepeatedScalarFieldContainer[int]
    cube_columns: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedCompositeFieldContainer[HonshuScore]
    factories_3_4_5: bool
    def __init__(self, seat: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., passed_to: _Optional[int] = ..., passed_cards: _Optional[_Iterable[int]] = ..., phase: _Optional[_Union[HonshuPhase, str]] = ..., round: _Optional[int] = ..., order: _Optional[_Iterable[int]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., pile_count: _Optional[int] = ..., supply: _Optional[_Iterable[int]] = ..., side_b: _Optional[bool] = ..., scoring_card: _Optional[int] = ..., scoring_card_drawn: _Optional[bool] = ..., flat: _Optional[bool] = ..., equals_replace: _Optional[bool] = ..., trick_seats: _Optional[_Iterable[int]] = ..., trick_cards: _Optional[_Iterable[int]] = ..., trick_cubes: _Optional[_Iterable[_Union[HonshuColour, str]]] = ..., face_up: _Optional[_Iterable[int]] = ..., revealed: _Optional[_Iterable[int]] = ..., offers: _Optional[_Iterable[int]] = ..., discards: _Optional[_Iterable[int]] = ..., taken: _Optional[_Iterable[int]] = ..., provinces: _Optional[_Iterable[int]] = ..., domain_sizes: _Optional[_Iterable[int]] = ..., laid_cards: _Optional[_Iterable[int]] = ..., laid_rotations: _Optional[_Iterable[int]] = ..., laid_rows: _Optional[_Iterable[int]] = ..., laid_columns: _Optional[_Iterable[int]] = ..., laid_masks: _Optional[_Iterable[int]] = ..., cell_counts: _Optional[_Iterable[int]] = ..., cell_rows: _Optional[_Iterable[int]] = ..., cell_columns: _Optional[_Iterable[int]] = ..., cell_kinds: _Optional[_Iterable[_Union[HonshuKind, str]]] = ..., cell_cards: _Optional[_Iterable[int]] = ..., cube_counts: _Optional[_Iterable[int]] = ..., cube_rows: _Optional[_Iterable[int]] = ..., cube_columns: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[_Union[HonshuScore, _Mapping]]] = ..., factories_3_4_5: _Optional[bool] = ...) -> None: ...
