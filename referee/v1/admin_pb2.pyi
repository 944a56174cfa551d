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

class MetricKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    METRIC_KIND_UNSPECIFIED: _ClassVar[MetricKind]
    METRIC_KIND_COUNTER: _ClassVar[MetricKind]
    METRIC_KIND_GAUGE: _ClassVar[MetricKind]

class PeopleSeatKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PEOPLE_SEAT_KIND_UNSPECIFIED: _ClassVar[PeopleSeatKind]
    PEOPLE_SEAT_KIND_PERSON: _ClassVar[PeopleSeatKind]
    PEOPLE_SEAT_KIND_HOUSE: _ClassVar[PeopleSeatKind]
    PEOPLE_SEAT_KIND_CONNECTED: _ClassVar[PeopleSeatKind]

class PeopleTableState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PEOPLE_TABLE_STATE_UNSPECIFIED: _ClassVar[PeopleTableState]
    PEOPLE_TABLE_STATE_WAITING: _ClassVar[PeopleTableState]
    PEOPLE_TABLE_STATE_RUNNING: _ClassVar[PeopleTableState]
    PEOPLE_TABLE_STATE_OVER: _ClassVar[PeopleTableState]
    PEOPLE_TABLE_STATE_CLOSED: _ClassVar[PeopleTableState]
EVENT_STATE_UNSPECIFIED: EventState
EVENT_STATE_WAITING: EventState
EVENT_STATE_RUNNING: EventState
EVENT_STATE_OVER: EventState
METRIC_KIND_UNSPECIFIED: MetricKind
METRIC_KIND_COUNTER: MetricKind
METRIC_KIND_GAUGE: MetricKind
PEOPLE_SEAT_KIND_UNSPECIFIED: PeopleSeatKind
PEOPLE_SEAT_KIND_PERSON: PeopleSeatKind
PEOPLE_SEAT_KIND_HOUSE: PeopleSeatKind
PEOPLE_SEAT_KIND_CONNECTED: PeopleSeatKind
PEOPLE_TABLE_STATE_UNSPECIFIED: PeopleTableState
PEOPLE_TABLE_STATE_WAITING: PeopleTableState
PEOPLE_TABLE_STATE_RUNNING: PeopleTableState
PEOPLE_TABLE_STATE_OVER: PeopleTableState
PEOPLE_TABLE_STATE_CLOSED: PeopleTableState

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

class GetStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("version", "season", "uptime_seconds", "bots", "waiting", "away", "streams", "tables", "finished", "draining", "open", "pools", "stood_still_seconds", "storage_trouble", "storage_bytes", "bans")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    UPTIME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    AWAY_FIELD_NUMBER: _ClassVar[int]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    POOLS_FIELD_NUMBER: _ClassVar[int]
    STOOD_STILL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    STORAGE_TROUBLE_FIELD_NUMBER: _ClassVar[int]
    STORAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    BANS_FIELD_NUMBER: _ClassVar[int]
    version: str
    season: str
    uptime_seconds: float
    bots: int
    waiting: int
    away: int
    streams: int
    tables: int
    finished: int
    draining: bool
    open: bool
    pools: _containers.RepeatedCompositeFieldContainer[PoolStatus]
    stood_still_seconds: float
    storage_trouble: str
    storage_bytes: int
    bans: _containers.RepeatedCompositeFieldContainer[Ban]
    def __init__(self, version: _Optional[str] = ..., season: _Optional[str] = ..., uptime_seconds: _Optional[float] = ..., bots: _Optional[int] = ..., waiting: _Optional[int] = ..., away: _Optional[int] = ..., streams: _Optional[int] = ..., tables: _Optional[int] = ..., finished: _Optional[int] = ..., draining: _Optional[bool] = ..., open: _Optional[bool] = ..., pools: _Optional[_Iterable[_Union[PoolStatus, _Mapping]]] = ..., stood_still_seconds: _Optional[float] = ..., storage_trouble: _Optional[str] = ..., storage_bytes: _Optional[int] = ..., bans: _Optional[_Iterable[_Union[Ban, _Mapping]]] = ...) -> None: ...

class PoolStatus(_message.Message):
    __slots__ = ("name", "paused", "tables", "bots", "rated")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    name: str
    paused: bool
    tables: int
    bots: int
    rated: bool
    def __init__(self, name: _Optional[str] = ..., paused: _Optional[bool] = ..., tables: _Optional[int] = ..., bots: _Optional[int] = ..., rated: _Optional[bool] = ...) -> None: ...

class Ban(_message.Message):
    __slots__ = ("bot", "until", "reason")
    BOT_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    bot: str
    until: str
    reason: str
    def __init__(self, bot: _Optional[str] = ..., until: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ListTablesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTablesResponse(_message.Message):
    __slots__ = ("tables",)
    TABLES_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[OpenTable]
    def __init__(self, tables: _Optional[_Iterable[_Union[OpenTable, _Mapping]]] = ...) -> None: ...

class OpenTable(_message.Message):
    __slots__ = ("match_id", "game", "bots", "started", "steps", "awaited", "forfeited", "seconds", "rated")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    AWAITED_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    bots: _containers.RepeatedScalarFieldContainer[str]
    started: bool
    steps: int
    awaited: _containers.RepeatedScalarFieldContainer[int]
    forfeited: _containers.RepeatedScalarFieldContainer[int]
    seconds: float
    rated: bool
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., bots: _Optional[_Iterable[str]] = ..., started: _Optional[bool] = ..., steps: _Optional[int] = ..., awaited: _Optional[_Iterable[int]] = ..., forfeited: _Optional[_Iterable[int]] = ..., seconds: _Optional[float] = ..., rated: _Optional[bool] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("name", "present", "address", "software", "proven", "matches", "capacity", "round_trip_us", "ban", "pseudonym", "owner", "played", "faults")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    SOFTWARE_FIELD_NUMBER: _ClassVar[int]
    PROVEN_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    ROUND_TRIP_US_FIELD_NUMBER: _ClassVar[int]
    BAN_FIELD_NUMBER: _ClassVar[int]
    PSEUDONYM_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    present: bool
    address: str
    software: str
    proven: bool
    matches: _containers.RepeatedScalarFieldContainer[str]
    capacity: int
    round_trip_us: int
    ban: Ban
    pseudonym: str
    owner: str
    played: int
    faults: int
    def __init__(self, name: _Optional[str] = ..., present: _Optional[bool] = ..., address: _Optional[str] = ..., software: _Optional[str] = ..., proven: _Optional[bool] = ..., matches: _Optional[_Iterable[str]] = ..., capacity: _Optional[int] = ..., round_trip_us: _Optional[int] = ..., ban: _Optional[_Union[Ban, _Mapping]] = ..., pseudonym: _Optional[str] = ..., owner: _Optional[str] = ..., played: _Optional[int] = ..., faults: _Optional[int] = ...) -> None: ...

class GetMetricsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetMetricsResponse(_message.Message):
    __slots__ = ("metrics",)
    METRICS_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedCompositeFieldContainer[Metric]
    def __init__(self, metrics: _Optional[_Iterable[_Union[Metric, _Mapping]]] = ...) -> None: ...

class Metric(_message.Message):
    __slots__ = ("name", "help", "kind", "labels", "value")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    HELP_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    help: str
    kind: MetricKind
    labels: _containers.ScalarMap[str, str]
    value: float
    def __init__(self, name: _Optional[str] = ..., help: _Optional[str] = ..., kind: _Optional[_Union[MetricKind, str]] = ..., labels: _Optional[_Mapping[str, str]] = ..., value: _Optional[float] = ...) -> None: ...

class ListActsRequest(_message.Message):
    __slots__ = ("limit",)
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    limit: int
    def __init__(self, limit: _Optional[int] = ...) -> None: ...

class ListActsResponse(_message.Message):
    __slots__ = ("acts",)
    ACTS_FIELD_NUMBER: _ClassVar[int]
    acts: _containers.RepeatedCompositeFieldContainer[Act]
    def __init__(self, acts: _Optional[_Iterable[_Union[Act, _Mapping]]] = ...) -> None: ...

class Act(_message.Message):
    __slots__ = ("moment", "actor", "action", "subject", "detail")
    MOMENT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    moment: str
    actor: str
    action: str
    subject: str
    detail: str
    def __init__(self, moment: _Optional[str] = ..., actor: _Optional[str] = ..., action: _Optional[str] = ..., subject: _Optional[str] = ..., detail: _Optional[str] = ...) -> None: ...

class KickBotRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class KickBotResponse(_message.Message):
    __slots__ = ("forfeited",)
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    forfeited: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, forfeited: _Optional[_Iterable[str]] = ...) -> None: ...

class BanBotRequest(_message.Message):
    __slots__ = ("name", "until", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    until: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., until: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class BanBotResponse(_message.Message):
    __slots__ = ("ban", "forfeited")
    BAN_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    ban: Ban
    forfeited: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ban: _Optional[_Union[Ban, _Mapping]] = ..., forfeited: _Optional[_Iterable[str]] = ...) -> None: ...

class UnbanBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class UnbanBotResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PausePoolsRequest(_message.Message):
    __slots__ = ("pool", "reason")
    POOL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    pool: str
    reason: str
    def __init__(self, pool: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class PausePoolsResponse(_message.Message):
    __slots__ = ("pools",)
    POOLS_FIELD_NUMBER: _ClassVar[int]
    pools: _containers.RepeatedCompositeFieldContainer[PoolStatus]
    def __init__(self, pools: _Optional[_Iterable[_Union[PoolStatus, _Mapping]]] = ...) -> None: ...

class ResumePoolsRequest(_message.Message):
    __slots__ = ("pool",)
    POOL_FIELD_NUMBER: _ClassVar[int]
    pool: str
    def __init__(self, pool: _Optional[str] = ...) -> None: ...

class ResumePoolsResponse(_message.Message):
    __slots__ = ("pools",)
    POOLS_FIELD_NUMBER: _ClassVar[int]
    pools: _containers.RepeatedCompositeFieldContainer[PoolStatus]
    def __init__(self, pools: _Optional[_Iterable[_Union[PoolStatus, _Mapping]]] = ...) -> None: ...

class DrainRequest(_message.Message):
    __slots__ = ("within_seconds", "reason")
    WITHIN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    within_seconds: float
    reason: str
    def __init__(self, within_seconds: _Optional[float] = ..., reason: _Optional[str] = ...) -> None: ...

class DrainResponse(_message.Message):
    __slots__ = ("tables",)
    TABLES_FIELD_NUMBER: _ClassVar[int]
    tables: int
    def __init__(self, tables: _Optional[int] = ...) -> None: ...

class AbortMatchRequest(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class AbortMatchResponse(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class VoidMatchRequest(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class VoidMatchResponse(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class RequeueMatchRequest(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RequeueMatchResponse(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class CloseAdmissionRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CloseAdmissionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class OpenAdmissionRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class OpenAdmissionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class HideBotRequest(_message.Message):
    __slots__ = ("name", "pseudonym")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PSEUDONYM_FIELD_NUMBER: _ClassVar[int]
    name: str
    pseudonym: str
    def __init__(self, name: _Optional[str] = ..., pseudonym: _Optional[str] = ...) -> None: ...

class HideBotResponse(_message.Message):
    __slots__ = ("pseudonym",)
    PSEUDONYM_FIELD_NUMBER: _ClassVar[int]
    pseudonym: str
    def __init__(self, pseudonym: _Optional[str] = ...) -> None: ...

class UnhideBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class UnhideBotResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetPeopleRulesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetPeopleRulesResponse(_message.Message):
    __slots__ = ("tables", "address_tables", "open", "opponents", "wait_us", "idle_us")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_TABLES_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    OPPONENTS_FIELD_NUMBER: _ClassVar[int]
    WAIT_US_FIELD_NUMBER: _ClassVar[int]
    IDLE_US_FIELD_NUMBER: _ClassVar[int]
    tables: int
    address_tables: int
    open: int
    opponents: _containers.RepeatedCompositeFieldContainer[PeopleOpponent]
    wait_us: int
    idle_us: int
    def __init__(self, tables: _Optional[int] = ..., address_tables: _Optional[int] = ..., open: _Optional[int] = ..., opponents: _Optional[_Iterable[_Union[PeopleOpponent, _Mapping]]] = ..., wait_us: _Optional[int] = ..., idle_us: _Optional[int] = ...) -> None: ...

class PeopleOpponent(_message.Message):
    __slots__ = ("name", "kind", "games")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: PeopleSeatKind
    games: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[PeopleSeatKind, str]] = ..., games: _Optional[_Iterable[str]] = ...) -> None: ...

class PeopleSeat(_message.Message):
    __slots__ = ("kind", "name")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    kind: PeopleSeatKind
    name: str
    def __init__(self, kind: _Optional[_Union[PeopleSeatKind, str]] = ..., name: _Optional[str] = ...) -> None: ...

class OpenPeopleTableRequest(_message.Message):
    __slots__ = ("game", "variant", "clock", "seats", "address")
    class VariantEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    game: str
    variant: _containers.ScalarMap[str, str]
    clock: str
    seats: _containers.RepeatedCompositeFieldContainer[PeopleSeat]
    address: str
    def __init__(self, game: _Optional[str] = ..., variant: _Optional[_Mapping[str, str]] = ..., clock: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[PeopleSeat, _Mapping]]] = ..., address: _Optional[str] = ...) -> None: ...

class OpenPeopleTableResponse(_message.Message):
    __slots__ = ("table", "invitations")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    table: PeopleTable
    invitations: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, table: _Optional[_Union[PeopleTable, _Mapping]] = ..., invitations: _Optional[_Iterable[str]] = ...) -> None: ...

class JoinPeopleTableRequest(_message.Message):
    __slots__ = ("invitation", "name")
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    invitation: str
    name: str
    def __init__(self, invitation: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class JoinPeopleTableResponse(_message.Message):
    __slots__ = ("match_id", "seat", "token", "name")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    token: str
    name: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., token: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class GetPeopleTableRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetPeopleTableResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: PeopleTable
    def __init__(self, table: _Optional[_Union[PeopleTable, _Mapping]] = ...) -> None: ...

class ClosePeopleTableRequest(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ClosePeopleTableResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PeopleTable(_message.Message):
    __slots__ = ("match_id", "game", "variant", "clock", "seats", "state", "message")
    class VariantEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    variant: _containers.ScalarMap[str, str]
    clock: str
    seats: _containers.RepeatedCompositeFieldContainer[PeopleSeatStatus]
    state: PeopleTableState
    message: str
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., variant: _Optional[_Mapping[str, str]] = ..., clock: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[PeopleSeatStatus, _Mapping]]] = ..., state: _Optional[_Union[PeopleTableState, str]] = ..., message: _Optional[str] = ...) -> None: ...

class PeopleSeatStatus(_message.Message):
    __slots__ = ("kind", "name", "present")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    kind: PeopleSeatKind
    name: str
    present: bool
    def __init__(self, kind: _Optional[_Union[PeopleSeatKind, str]] = ..., name: _Optional[str] = ..., present: _Optional[bool] = ...) -> None: ...
