from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EdoYashikiKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EDO_YASHIKI_KIND_UNSPECIFIED: _ClassVar[EdoYashikiKind]
    EDO_YASHIKI_KIND_FLOOR: _ClassVar[EdoYashikiKind]
    EDO_YASHIKI_KIND_TATAMI: _ClassVar[EdoYashikiKind]
    EDO_YASHIKI_KIND_POND: _ClassVar[EdoYashikiKind]
    EDO_YASHIKI_KIND_GARDEN: _ClassVar[EdoYashikiKind]

class EdoYashikiPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EDO_YASHIKI_PHASE_UNSPECIFIED: _ClassVar[EdoYashikiPhase]
    EDO_YASHIKI_PHASE_DRAFT: _ClassVar[EdoYashikiPhase]
    EDO_YASHIKI_PHASE_PLACE: _ClassVar[EdoYashikiPhase]
    EDO_YASHIKI_PHASE_SCORE: _ClassVar[EdoYashikiPhase]
    EDO_YASHIKI_PHASE_END: _ClassVar[EdoYashikiPhase]
EDO_YASHIKI_KIND_UNSPECIFIED: EdoYashikiKind
EDO_YASHIKI_KIND_FLOOR: EdoYashikiKind
EDO_YASHIKI_KIND_TATAMI: EdoYashikiKind
EDO_YASHIKI_KIND_POND: EdoYashikiKind
EDO_YASHIKI_KIND_GARDEN: EdoYashikiKind
EDO_YASHIKI_PHASE_UNSPECIFIED: EdoYashikiPhase
EDO_YASHIKI_PHASE_DRAFT: EdoYashikiPhase
EDO_YASHIKI_PHASE_PLACE: EdoYashikiPhase
EDO_YASHIKI_PHASE_SCORE: EdoYashikiPhase
EDO_YASHIKI_PHASE_END: EdoYashikiPhase

class EdoYashikiComponents(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedCompositeFieldContainer[EdoYashikiCard]
    def __init__(self, cards: _Optional[_Iterable[_Union[EdoYashikiCard, _Mapping]]] = ...) -> None: ...

class EdoYashikiCard(_message.Message):
    __slots__ = ("number", "cells")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    number: int
    cells: _containers.RepeatedScalarFieldContainer[EdoYashikiKind]
    def __init__(self, number: _Optional[int] = ..., cells: _Optional[_Iterable[_Union[EdoYashikiKind, str]]] = ...) -> None: ...

class EdoYashikiAsk(_message.Message):
    __slots__ = ("view", "rankings", "picks", "anchor_x", "anchor_y", "orientations", "lines")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    RANKINGS_FIELD_NUMBER: _ClassVar[int]
    PICKS_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_X_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_Y_FIELD_NUMBER: _ClassVar[int]
    ORIENTATIONS_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    view: EdoYashikiView
    rankings: bytes
    picks: _containers.RepeatedScalarFieldContainer[int]
    anchor_x: _containers.RepeatedScalarFieldContainer[int]
    anchor_y: _containers.RepeatedScalarFieldContainer[int]
    orientations: int
    lines: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, view: _Optional[_Union[EdoYashikiView, _Mapping]] = ..., rankings: _Optional[bytes] = ..., picks: _Optional[_Iterable[int]] = ..., anchor_x: _Optional[_Iterable[int]] = ..., anchor_y: _Optional[_Iterable[int]] = ..., orientations: _Optional[int] = ..., lines: _Optional[_Iterable[int]] = ...) -> None: ...

class EdoYashikiView(_message.Message):
    __slots__ = ("seat", "phase", "round", "first_player", "specialists", "in_turn", "deck_count", "scores", "tokens", "row", "taken", "priority", "reach_pass", "reach_seat", "reach_row", "house_sizes", "house_cards", "house_x", "house_y", "house_turned", "line_x", "line_y", "line_vertical", "line_length", "line_kind", "lines_scored")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    FIRST_PLAYER_FIELD_NUMBER: _ClassVar[int]
    SPECIALISTS_FIELD_NUMBER: _ClassVar[int]
    IN_TURN_FIELD_NUMBER: _ClassVar[int]
    DECK_COUNT_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    REACH_PASS_FIELD_NUMBER: _ClassVar[int]
    REACH_SEAT_FIELD_NUMBER: _ClassVar[int]
    REACH_ROW_FIELD_NUMBER: _ClassVar[int]
    HOUSE_SIZES_FIELD_NUMBER: _ClassVar[int]
    HOUSE_CARDS_FIELD_NUMBER: _ClassVar[int]
    HOUSE_X_FIELD_NUMBER: _ClassVar[int]
    HOUSE_Y_FIELD_NUMBER: _ClassVar[int]
    HOUSE_TURNED_FIELD_NUMBER: _ClassVar[int]
    LINE_X_FIELD_NUMBER: _ClassVar[int]
    LINE_Y_FIELD_NUMBER: _ClassVar[int]
    LINE_VERTICAL_FIELD_NUMBER: _ClassVar[int]
    LINE_LENGTH_FIELD_NUMBER: _ClassVar[int]
    LINE_KIND_FIELD_NUMBER: _ClassVar[int]
    LINES_SCORED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    phase: EdoYashikiPhase
    round: int
    first_player: int
    specialists: bool
    in_turn: bool
    deck_count: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    tokens: _containers.RepeatedScalarFieldContainer[int]
    row: _containers.RepeatedScalarFieldContainer[int]
    taken: _containers.RepeatedScalarFieldContainer[int]
    priority: _containers.RepeatedScalarFieldContainer[int]
    reach_pass: _containers.RepeatedScalarFieldContainer[int]
    reach_seat: _containers.RepeatedScalarFieldContainer[int]
    reach_row: _containers.RepeatedScalarFieldContainer[int]
    house_sizes: _containers.RepeatedScalarFieldContainer[int]
    house_cards: _containers.RepeatedScalarFieldContainer[int]
    house_x: _containers.RepeatedScalarFieldContainer[int]
    house_y: _containers.RepeatedScalarFieldContainer[int]
    house_turned: _containers.RepeatedScalarFieldContainer[bool]
    line_x: _containers.RepeatedScalarFieldContainer[int]
    line_y: _containers.RepeatedScalarFieldContainer[int]
    line_vertical: _containers.RepeatedScalarFieldContainer[bool]
    line_length: _containers.RepeatedScalarFieldContainer[int]
    line_kind: _containers.RepeatedScalarFieldContainer[EdoYashikiKind]
    lines_scored: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., phase: _Optional[_Union[EdoYashikiPhase, str]] = ..., round: _Optional[int] = ..., first_player: _Optional[int] = ..., specialists: _Optional[bool] = ..., in_turn: _Optional[bool] = ..., deck_count: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., tokens: _Optional[_Iterable[int]] = ..., row: _Optional[_Iterable[int]] = ..., taken: _Optional[_Iterable[int]] = ..., priority: _Optional[_Iterable[int]] = ..., reach_pass: _Optional[_Iterable[int]] = ..., reach_seat: _Optional[_Iterable[int]] = ..., reach_row: _Optional[_Iterable[int]] = ..., house_sizes: _Optional[_Iterable[int]] = ..., house_cards: _Optional[_Iterable[int]] = ..., house_x: _Optional[_Iterable[int]] = ..., house_y: _Optional[_Iterable[int]] = ..., house_turned: _Optional[_Iterable[bool]] = ..., line_x: _Optional[_Iterable[int]] = ..., line_y: _Optional[_Iterable[int]] = ..., line_vertical: _Optional[_Iterable[bool]] = ..., line_length: _Optional[_Iterable[int]] = ..., line_kind: _Optional[_Iterable[_Union[EdoYashikiKind, str]]] = ..., lines_scored: _Optional[_Iterable[int]] = ...) -> None: ...
