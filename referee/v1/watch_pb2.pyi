from referee.v1 import common_pb2 as _common_pb2
from referee.v1 import edo_yashiki_pb2 as _edo_yashiki_pb2
from referee.v1 import honshu_pb2 as _honshu_pb2
from referee.v1 import ninjato_pb2 as _ninjato_pb2
from referee.v1 import white_castle_pb2 as _white_castle_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_FINISHED: _ClassVar[MatchState]
    MATCH_STATE_VOID: _ClassVar[MatchState]
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_FINISHED: MatchState
MATCH_STATE_VOID: MatchState

class WatchServiceListTablesRequest(_message.Message):
    __slots__ = ("game", "first", "count")
    GAME_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    game: str
    first: int
    count: int
    def __init__(self, game: _Optional[str] = ..., first: _Optional[int] = ..., count: _Optional[int] = ...) -> None: ...

class WatchServiceListTablesResponse(_message.Message):
    __slots__ = ("tables", "total")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[LiveTable]
    total: int
    def __init__(self, tables: _Optional[_Iterable[_Union[LiveTable, _Mapping]]] = ..., total: _Optional[int] = ...) -> None: ...

class LiveTable(_message.Message):
    __slots__ = ("match_id", "game", "players", "variant", "clock", "rated", "pool", "number", "awaited", "bank_us", "followers")
    class VariantEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    AWAITED_FIELD_NUMBER: _ClassVar[int]
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    FOLLOWERS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    players: _containers.RepeatedScalarFieldContainer[str]
    variant: _containers.ScalarMap[str, str]
    clock: _common_pb2.Clock
    rated: bool
    pool: int
    number: int
    awaited: _containers.RepeatedScalarFieldContainer[int]
    bank_us: _containers.RepeatedScalarFieldContainer[int]
    followers: int
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., players: _Optional[_Iterable[str]] = ..., variant: _Optional[_Mapping[str, str]] = ..., clock: _Optional[_Union[_common_pb2.Clock, _Mapping]] = ..., rated: _Optional[bool] = ..., pool: _Optional[int] = ..., number: _Optional[int] = ..., awaited: _Optional[_Iterable[int]] = ..., bank_us: _Optional[_Iterable[int]] = ..., followers: _Optional[int] = ...) -> None: ...

class FollowTableRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class FollowTableResponse(_message.Message):
    __slots__ = ("number", "snapshot", "table", "events", "awaited", "kinds", "bank_us", "end", "edo_yashiki", "ninjato", "honshu", "white_castle")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    AWAITED_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    EDO_YASHIKI_FIELD_NUMBER: _ClassVar[int]
    NINJATO_FIELD_NUMBER: _ClassVar[int]
    HONSHU_FIELD_NUMBER: _ClassVar[int]
    WHITE_CASTLE_FIELD_NUMBER: _ClassVar[int]
    number: int
    snapshot: bool
    table: LiveTable
    events: _containers.RepeatedCompositeFieldContainer[_common_pb2.Event]
    awaited: _containers.RepeatedScalarFieldContainer[int]
    kinds: _containers.RepeatedScalarFieldContainer[str]
    bank_us: _containers.RepeatedScalarFieldContainer[int]
    end: TableEnd
    edo_yashiki: _edo_yashiki_pb2.EdoYashikiAsk
    ninjato: _ninjato_pb2.NinjatoAsk
    honshu: _honshu_pb2.HonshuAsk
    white_castle: _white_castle_pb2.WhiteCastleAsk
    def __init__(self, number: _Optional[int] = ..., snapshot: _Optional[bool] = ..., table: _Optional[_Union[LiveTable, _Mapping]] = ..., events: _Optional[_Iterable[_Union[_common_pb2.Event, _Mapping]]] = ..., awaited: _Optional[_Iterable[int]] = ..., kinds: _Optional[_Iterable[str]] = ..., bank_us: _Optional[_Iterable[int]] = ..., end: _Optional[_Union[TableEnd, _Mapping]] = ..., edo_yashiki: _Optional[_Union[_edo_yashiki_pb2.EdoYashikiAsk, _Mapping]] = ..., ninjato: _Optional[_Union[_ninjato_pb2.NinjatoAsk, _Mapping]] = ..., honshu: _Optional[_Union[_honshu_pb2.HonshuAsk, _Mapping]] = ..., white_castle: _Optional[_Union[_white_castle_pb2.WhiteCastleAsk, _Mapping]] = ...) -> None: ...

class TableEnd(_message.Message):
    __slots__ = ("result", "endings", "rated", "record_hash")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    ENDINGS_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    RECORD_HASH_FIELD_NUMBER: _ClassVar[int]
    result: _common_pb2.Result
    endings: _containers.RepeatedCompositeFieldContainer[_common_pb2.Ending]
    rated: bool
    record_hash: str
    def __init__(self, result: _Optional[_Union[_common_pb2.Result, _Mapping]] = ..., endings: _Optional[_Iterable[_Union[_common_pb2.Ending, _Mapping]]] = ..., rated: _Optional[bool] = ..., record_hash: _Optional[str] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("pool",)
    POOL_FIELD_NUMBER: _ClassVar[int]
    pool: int
    def __init__(self, pool: _Optional[int] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("pools",)
    POOLS_FIELD_NUMBER: _ClassVar[int]
    pools: _containers.RepeatedCompositeFieldContainer[WatchedPool]
    def __init__(self, pools: _Optional[_Iterable[_Union[WatchedPool, _Mapping]]] = ...) -> None: ...

class WatchedPool(_message.Message):
    __slots__ = ("pool", "season", "game", "seats", "variant", "clock", "rated", "stale", "standings")
    class VariantEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    POOL_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    pool: int
    season: str
    game: str
    seats: int
    variant: _containers.ScalarMap[str, str]
    clock: str
    rated: bool
    stale: bool
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    def __init__(self, pool: _Optional[int] = ..., season: _Optional[str] = ..., game: _Optional[str] = ..., seats: _Optional[int] = ..., variant: _Optional[_Mapping[str, str]] = ..., clock: _Optional[str] = ..., rated: _Optional[bool] = ..., stale: _Optional[bool] = ..., standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("player", "rating", "low", "high", "games", "points", "wins", "draws", "losses", "faults", "island", "exact")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    ISLAND_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    player: str
    rating: float
    low: float
    high: float
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    faults: int
    island: int
    exact: bool
    def __init__(self, player: _Optional[str] = ..., rating: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., games: _Optional[int] = ..., points: _Optional[float] = ..., wins: _Optional[int] = ..., draws: _Optional[int] = ..., losses: _Optional[int] = ..., faults: _Optional[int] = ..., island: _Optional[int] = ..., exact: _Optional[bool] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("bot", "against", "game", "pool", "faults", "first", "count")
    BOT_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    against: str
    game: str
    pool: int
    faults: bool
    first: int
    count: int
    def __init__(self, bot: _Optional[str] = ..., against: _Optional[str] = ..., game: _Optional[str] = ..., pool: _Optional[int] = ..., faults: _Optional[bool] = ..., first: _Optional[int] = ..., count: _Optional[int] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "total")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[WatchedMatch]
    total: int
    def __init__(self, matches: _Optional[_Iterable[_Union[WatchedMatch, _Mapping]]] = ..., total: _Optional[int] = ...) -> None: ...

class WatchedMatch(_message.Message):
    __slots__ = ("match_id", "state", "game", "variant", "clock", "season", "pool", "rated", "started", "duration_us", "readable", "seats")
    class VariantEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    DURATION_US_FIELD_NUMBER: _ClassVar[int]
    READABLE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    state: MatchState
    game: str
    variant: _containers.ScalarMap[str, str]
    clock: str
    season: str
    pool: int
    rated: bool
    started: str
    duration_us: int
    readable: bool
    seats: _containers.RepeatedCompositeFieldContainer[WatchedSeat]
    def __init__(self, match_id: _Optional[str] = ..., state: _Optional[_Union[MatchState, str]] = ..., game: _Optional[str] = ..., variant: _Optional[_Mapping[str, str]] = ..., clock: _Optional[str] = ..., season: _Optional[str] = ..., pool: _Optional[int] = ..., rated: _Optional[bool] = ..., started: _Optional[str] = ..., duration_us: _Optional[int] = ..., readable: _Optional[bool] = ..., seats: _Optional[_Iterable[_Union[WatchedSeat, _Mapping]]] = ...) -> None: ...

class WatchedSeat(_message.Message):
    __slots__ = ("player", "place", "points", "faults")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    player: str
    place: int
    points: int
    faults: int
    def __init__(self, player: _Optional[str] = ..., place: _Optional[int] = ..., points: _Optional[int] = ..., faults: _Optional[int] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("record",)
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: bytes
    def __init__(self, record: _Optional[bytes] = ...) -> None: ...
