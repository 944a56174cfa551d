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

class EdoYashikiDraft(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EDO_YASHIKI_DRAFT_UNSPECIFIED: _ClassVar[EdoYashikiDraft]
    EDO_YASHIKI_DRAFT_SEALED: _ClassVar[EdoYashikiDraft]
    EDO_YASHIKI_DRAFT_TURN_ORDER: _ClassVar[EdoYashikiDraft]
    EDO_YASHIKI_DRAFT_REFLEX: _ClassVar[EdoYashikiDraft]
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
EDO_YASHIKI_DRAFT_UNSPECIFIED: EdoYashikiDraft
EDO_YASHIKI_DRAFT_SEALED: EdoYashikiDraft
EDO_YASHIKI_DRAFT_TURN_ORDER: EdoYashikiDraft
EDO_YASHIKI_DRAFT_REFLEX: EdoYashikiDraft

class EdoYashikiComponents(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedCompositeFieldContainer[EdoYashikiCard]
    def __init__(self, cards: _Optional[_Iterable[_Union[EdoYashikiCard, _Mapping]]] = ...) -> None: ...

class EdoYashikiCard(_message.Message):
    __slots__ = ("name", "cells")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    name: str
    cells: _containers.RepeatedScalarFieldContainer[EdoYashikiKind]
    def __init__(self, name: _Optional[str] = ..., cells: _Optional[_Iterable[_Union[EdoYashikiKind, str]]] = ...) -> None: ...

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
    __slots__ = ("seat", "phase", "round", "first_player", "specialists", "draft", "deck_count", "scores", "tokens", "row", "taken", "history_rows", "history_taken", "history_priority", "history_passes", "history_reaches", "house_sizes", "house_cards", "house_x", "house_y", "house_turned", "line_x", "line_y", "line_vertical", "line_length", "line_kind", "lines_scored", "chain_tokens", "chain_ended", "history_scored_counts", "history_scored_lines", "hidden_anchors_free", "history_arrivals")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    FIRST_PLAYER_FIELD_NUMBER: _ClassVar[int]
    SPECIALISTS_FIELD_NUMBER: _ClassVar[int]
    DRAFT_FIELD_NUMBER: _ClassVar[int]
    DECK_COUNT_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    HISTORY_ROWS_FIELD_NUMBER: _ClassVar[int]
    HISTORY_TAKEN_FIELD_NUMBER: _ClassVar[int]
    HISTORY_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    HISTORY_PASSES_FIELD_NUMBER: _ClassVar[int]
    HISTORY_REACHES_FIELD_NUMBER: _ClassVar[int]
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
    CHAIN_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CHAIN_ENDED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_SCORED_COUNTS_FIELD_NUMBER: _ClassVar[int]
    HISTORY_SCORED_LINES_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_ANCHORS_FREE_FIELD_NUMBER: _ClassVar[int]
    HISTORY_ARRIVALS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    phase: EdoYashikiPhase
    round: int
    first_player: int
    specialists: bool
    draft: EdoYashikiDraft
    deck_count: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    tokens: _containers.RepeatedScalarFieldContainer[int]
    row: _containers.RepeatedScalarFieldContainer[int]
    taken: _containers.RepeatedScalarFieldContainer[int]
    history_rows: _containers.RepeatedScalarFieldContainer[int]
    history_taken: _containers.RepeatedScalarFieldContainer[int]
    history_priority: _containers.RepeatedScalarFieldContainer[int]
    history_passes: _containers.RepeatedScalarFieldContainer[int]
    history_reaches: _containers.RepeatedScalarFieldContainer[int]
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
    chain_tokens: int
    chain_ended: bool
    history_scored_counts: _containers.RepeatedScalarFieldContainer[int]
    history_scored_lines: _containers.RepeatedScalarFieldContainer[int]
    hidden_anchors_free: bool
    history_arrivals: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., phase: _Optional[_Union[EdoYashikiPhase, str]] = ..., round: _Optional[int] = ..., first_player: _Optional[int] = ..., specialists: _Optional[bool] = ..., draft: _Optional[_Union[EdoYashikiDraft, str]] = ..., deck_count: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., tokens: _Optional[_Iterable[int]] = ..., row: _Optional[_Iterable[int]] = ..., taken: _Optional[_Iterable[int]] = ..., history_rows: _Optional[_Iterable[int]] = ..., history_taken: _Optional[_Iterable[int]] = ..., history_priority: _Optional[_Iterable[int]] = ..., history_passes: _Optional[_Iterable[int]] = ..., history_reaches: _Optional[_Iterable[int]] = ..., house_sizes: _Optional[_Iterable[int]] = ..., house_cards: _Optional[_Iterable[int]] = ..., house_x: _Optional[_Iterable[int]] = ..., house_y: _Optional[_Iterable[int]] = ..., house_turned: _Optional[_Iterable[bool]] = ..., line_x: _Optional[_Iterable[int]] = ..., line_y: _Optional[_Iterable[int]] = ..., line_vertical: _Optional[_Iterable[bool]] = ..., line_length: _Optional[_Iterable[int]] = ..., line_kind: _Optional[_Iterable[_Union[EdoYashikiKind, str]]] = ..., lines_scored: _Optional[_Iterable[int]] = ..., chain_tokens: _Optional[int] = ..., chain_ended: _Optional[bool] = ..., history_scored_counts: _Optional[_Iterable[int]] = ..., history_scored_lines: _Optional[_Iterable[int]] = ..., hidden_anchors_free: _Optional[bool] = ..., history_arrivals: _Optional[_Iterable[int]] = ...) -> None: ...
