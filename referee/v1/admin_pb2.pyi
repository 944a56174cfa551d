from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EventState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_STATE_UNSPECIFIED: _ClassVar[EventState]
    EVENT_STATE_WAITING: _ClassVar[EventState]
    EVENT_STATE_RUNNING: _ClassVar[EventState]
    EVENT_STATE_OVER: _ClassVar[EventState]
EVENT_STATE_UNSPECIFIED: EventState
EVENT_STATE_WAITING: EventState
EVENT_STATE_RUNNING: EventState
EVENT_STATE_OVER: EventState

class GetEventRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: EventStatus
    def __init__(self, event: _Optional[_Union[EventStatus, _Mapping]] = ...) -> None: ...

class StartEventRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StartEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: EventStatus
    def __init__(self, event: _Optional[_Union[EventStatus, _Mapping]] = ...) -> None: ...

class PauseEventRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PauseEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: EventStatus
    def __init__(self, event: _Optional[_Union[EventStatus, _Mapping]] = ...) -> None: ...

class ResumeEventRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResumeEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: EventStatus
    def __init__(self, event: _Optional[_Union[EventStatus, _Mapping]] = ...) -> None: ...

class WithdrawEntrantRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class WithdrawEntrantResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: EventStatus
    def __init__(self, event: _Optional[_Union[EventStatus, _Mapping]] = ...) -> None: ...

class EventStatus(_message.Message):
    __slots__ = ("name", "game", "seats", "format", "state", "paused", "start", "round", "rounds", "entrants", "tables", "byes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    BYES_FIELD_NUMBER: _ClassVar[int]
    name: str
    game: str
    seats: int
    format: str
    state: EventState
    paused: bool
    start: str
    round: int
    rounds: int
    entrants: _containers.RepeatedCompositeFieldContainer[EventEntrant]
    tables: _containers.RepeatedCompositeFieldContainer[EventTable]
    byes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., game: _Optional[str] = ..., seats: _Optional[int] = ..., format: _Optional[str] = ..., state: _Optional[_Union[EventState, str]] = ..., paused: _Optional[bool] = ..., start: _Optional[str] = ..., round: _Optional[int] = ..., rounds: _Optional[int] = ..., entrants: _Optional[_Iterable[_Union[EventEntrant, _Mapping]]] = ..., tables: _Optional[_Iterable[_Union[EventTable, _Mapping]]] = ..., byes: _Optional[_Iterable[str]] = ...) -> None: ...

class EventEntrant(_message.Message):
    __slots__ = ("name", "seed", "present", "checked_in", "points", "out")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    CHECKED_IN_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    OUT_FIELD_NUMBER: _ClassVar[int]
    name: str
    seed: int
    present: bool
    checked_in: bool
    points: float
    out: str
    def __init__(self, name: _Optional[str] = ..., seed: _Optional[int] = ..., present: _Optional[bool] = ..., checked_in: _Optional[bool] = ..., points: _Optional[float] = ..., out: _Optional[str] = ...) -> None: ...

class EventTable(_message.Message):
    __slots__ = ("bots", "games", "games_over")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    GAMES_OVER_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedScalarFieldContainer[str]
    games: int
    games_over: int
    def __init__(self, bots: _Optional[_Iterable[str]] = ..., games: _Optional[int] = ..., games_over: _Optional[int] = ...) -> None: ...
