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

class FaultCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_CODE_UNSPECIFIED: _ClassVar[FaultCode]
    FAULT_CODE_ILLEGAL: _ClassVar[FaultCode]
    FAULT_CODE_LATE: _ClassVar[FaultCode]
    FAULT_CODE_MALFORMED: _ClassVar[FaultCode]
    FAULT_CODE_GONE: _ClassVar[FaultCode]
    FAULT_CODE_CRASHED: _ClassVar[FaultCode]
    FAULT_CODE_FORFEITED: _ClassVar[FaultCode]
    FAULT_CODE_VOIDED: _ClassVar[FaultCode]
    FAULT_CODE_PAUSED: _ClassVar[FaultCode]
    FAULT_CODE_SET_ASIDE: _ClassVar[FaultCode]
    FAULT_CODE_DUPLICATE: _ClassVar[FaultCode]
    FAULT_CODE_STALE: _ClassVar[FaultCode]
    FAULT_CODE_UNKNOWN_ASK: _ClassVar[FaultCode]
    FAULT_CODE_UNKNOWN_MATCH: _ClassVar[FaultCode]
    FAULT_CODE_NOT_YOUR_SEAT: _ClassVar[FaultCode]
    FAULT_CODE_OUT_OF_ORDER: _ClassVar[FaultCode]
    FAULT_CODE_BAD_HELLO: _ClassVar[FaultCode]
    FAULT_CODE_VERSION: _ClassVar[FaultCode]
    FAULT_CODE_UNAUTHENTICATED: _ClassVar[FaultCode]
    FAULT_CODE_NAME_TAKEN: _ClassVar[FaultCode]
    FAULT_CODE_UNKNOWN_RESUME: _ClassVar[FaultCode]
    FAULT_CODE_TAKEN_OVER: _ClassVar[FaultCode]
    FAULT_CODE_NO_GAME: _ClassVar[FaultCode]
    FAULT_CODE_OVERSIZED: _ClassVar[FaultCode]
    FAULT_CODE_RATE: _ClassVar[FaultCode]
    FAULT_CODE_BACKLOG: _ClassVar[FaultCode]
    FAULT_CODE_SILENT: _ClassVar[FaultCode]
    FAULT_CODE_SHUTDOWN: _ClassVar[FaultCode]
    FAULT_CODE_FULL: _ClassVar[FaultCode]
    FAULT_CODE_RESTARTING: _ClassVar[FaultCode]
    FAULT_CODE_REVOKED: _ClassVar[FaultCode]
    FAULT_CODE_KICKED: _ClassVar[FaultCode]
    FAULT_CODE_REDIRECTED: _ClassVar[FaultCode]
FAULT_CODE_UNSPECIFIED: FaultCode
FAULT_CODE_ILLEGAL: FaultCode
FAULT_CODE_LATE: FaultCode
FAULT_CODE_MALFORMED: FaultCode
FAULT_CODE_GONE: FaultCode
FAULT_CODE_CRASHED: FaultCode
FAULT_CODE_FORFEITED: FaultCode
FAULT_CODE_VOIDED: FaultCode
FAULT_CODE_PAUSED: FaultCode
FAULT_CODE_SET_ASIDE: FaultCode
FAULT_CODE_DUPLICATE: FaultCode
FAULT_CODE_STALE: FaultCode
FAULT_CODE_UNKNOWN_ASK: FaultCode
FAULT_CODE_UNKNOWN_MATCH: FaultCode
FAULT_CODE_NOT_YOUR_SEAT: FaultCode
FAULT_CODE_OUT_OF_ORDER: FaultCode
FAULT_CODE_BAD_HELLO: FaultCode
FAULT_CODE_VERSION: FaultCode
FAULT_CODE_UNAUTHENTICATED: FaultCode
FAULT_CODE_NAME_TAKEN: FaultCode
FAULT_CODE_UNKNOWN_RESUME: FaultCode
FAULT_CODE_TAKEN_OVER: FaultCode
FAULT_CODE_NO_GAME: FaultCode
FAULT_CODE_OVERSIZED: FaultCode
FAULT_CODE_RATE: FaultCode
FAULT_CODE_BACKLOG: FaultCode
FAULT_CODE_SILENT: FaultCode
FAULT_CODE_SHUTDOWN: FaultCode
FAULT_CODE_FULL: FaultCode
FAULT_CODE_RESTARTING: FaultCode
FAULT_CODE_REVOKED: FaultCode
FAULT_CODE_KICKED: FaultCode
FAULT_CODE_REDIRECTED: FaultCode

class DescribeRequest(_message.Message):
    __slots__ = ("games", "components")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedScalarFieldContainer[str]
    components: bool
    def __init__(self, games: _Optional[_Iterable[str]] = ..., components: _Optional[bool] = ...) -> None: ...

class DescribeResponse(_message.Message):
    __slots__ = ("protocol_version", "referee_version", "token_needed", "games", "limits")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    REFEREE_VERSION_FIELD_NUMBER: _ClassVar[int]
    TOKEN_NEEDED_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    referee_version: str
    token_needed: bool
    games: _containers.RepeatedCompositeFieldContainer[GameInfo]
    limits: Limits
    def __init__(self, protocol_version: _Optional[int] = ..., referee_version: _Optional[str] = ..., token_needed: _Optional[bool] = ..., games: _Optional[_Iterable[_Union[GameInfo, _Mapping]]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class GameInfo(_message.Message):
    __slots__ = ("name", "title", "rules_version", "components_digest", "seat_counts", "settings", "max_decisions", "max_options", "hidden", "components_toml", "edo_yashiki", "ninjato", "honshu", "white_castle")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNTS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    MAX_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_TOML_FIELD_NUMBER: _ClassVar[int]
    EDO_YASHIKI_FIELD_NUMBER: _ClassVar[int]
    NINJATO_FIELD_NUMBER: _ClassVar[int]
    HONSHU_FIELD_NUMBER: _ClassVar[int]
    WHITE_CASTLE_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    rules_version: int
    components_digest: str
    seat_counts: _containers.RepeatedScalarFieldContainer[int]
    settings: _containers.RepeatedCompositeFieldContainer[_common_pb2.Setting]
    max_decisions: int
    max_options: int
    hidden: _containers.RepeatedScalarFieldContainer[str]
    components_toml: str
    edo_yashiki: _edo_yashiki_pb2.EdoYashikiComponents
    ninjato: _ninjato_pb2.NinjatoComponents
    honshu: _honshu_pb2.HonshuComponents
    white_castle: _white_castle_pb2.WhiteCastleComponents
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., rules_version: _Optional[int] = ..., components_digest: _Optional[str] = ..., seat_counts: _Optional[_Iterable[int]] = ..., settings: _Optional[_Iterable[_Union[_common_pb2.Setting, _Mapping]]] = ..., max_decisions: _Optional[int] = ..., max_options: _Optional[int] = ..., hidden: _Optional[_Iterable[str]] = ..., components_toml: _Optional[str] = ..., edo_yashiki: _Optional[_Union[_edo_yashiki_pb2.EdoYashikiComponents, _Mapping]] = ..., ninjato: _Optional[_Union[_ninjato_pb2.NinjatoComponents, _Mapping]] = ..., honshu: _Optional[_Union[_honshu_pb2.HonshuComponents, _Mapping]] = ..., white_castle: _Optional[_Union[_white_castle_pb2.WhiteCastleComponents, _Mapping]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("message_bytes", "messages_per_second", "message_burst", "note_bytes", "tables", "name_characters", "ping_interval_us", "silence_us", "unreadable_messages")
    MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_BURST_FIELD_NUMBER: _ClassVar[int]
    NOTE_BYTES_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    NAME_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    PING_INTERVAL_US_FIELD_NUMBER: _ClassVar[int]
    SILENCE_US_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    message_bytes: int
    messages_per_second: int
    message_burst: int
    note_bytes: int
    tables: int
    name_characters: int
    ping_interval_us: int
    silence_us: int
    unreadable_messages: int
    def __init__(self, message_bytes: _Optional[int] = ..., messages_per_second: _Optional[int] = ..., message_burst: _Optional[int] = ..., note_bytes: _Optional[int] = ..., tables: _Optional[int] = ..., name_characters: _Optional[int] = ..., ping_interval_us: _Optional[int] = ..., silence_us: _Optional[int] = ..., unreadable_messages: _Optional[int] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("hello", "ready", "answers", "pong", "availability", "failures")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    AVAILABILITY_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    ready: _containers.RepeatedCompositeFieldContainer[Ready]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    pong: Pong
    availability: Availability
    failures: _containers.RepeatedCompositeFieldContainer[Failure]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., ready: _Optional[_Iterable[_Union[Ready, _Mapping]]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ..., availability: _Optional[_Union[Availability, _Mapping]] = ..., failures: _Optional[_Iterable[_Union[Failure, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_version", "name", "software", "offers", "tables", "resume_token", "events", "plays_people", "views")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SOFTWARE_FIELD_NUMBER: _ClassVar[int]
    OFFERS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_PEOPLE_FIELD_NUMBER: _ClassVar[int]
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    name: str
    software: str
    offers: _containers.RepeatedCompositeFieldContainer[Offer]
    tables: int
    resume_token: str
    events: bool
    plays_people: bool
    views: bool
    def __init__(self, protocol_version: _Optional[int] = ..., name: _Optional[str] = ..., software: _Optional[str] = ..., offers: _Optional[_Iterable[_Union[Offer, _Mapping]]] = ..., tables: _Optional[int] = ..., resume_token: _Optional[str] = ..., events: _Optional[bool] = ..., plays_people: _Optional[bool] = ..., views: _Optional[bool] = ...) -> None: ...

class Offer(_message.Message):
    __slots__ = ("game", "seat_counts", "settings")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNTS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    game: str
    seat_counts: _containers.RepeatedScalarFieldContainer[int]
    settings: _containers.RepeatedCompositeFieldContainer[AcceptedSetting]
    def __init__(self, game: _Optional[str] = ..., seat_counts: _Optional[_Iterable[int]] = ..., settings: _Optional[_Iterable[_Union[AcceptedSetting, _Mapping]]] = ...) -> None: ...

class AcceptedSetting(_message.Message):
    __slots__ = ("name", "values")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    name: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class Ready(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("match_id", "ask", "option", "seat", "note")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    OPTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    ask: int
    option: int
    seat: int
    note: str
    def __init__(self, match_id: _Optional[str] = ..., ask: _Optional[int] = ..., option: _Optional[int] = ..., seat: _Optional[int] = ..., note: _Optional[str] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Failure(_message.Message):
    __slots__ = ("match_id", "seat", "ask", "message")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    ask: int
    message: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., ask: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class Availability(_message.Message):
    __slots__ = ("tables",)
    TABLES_FIELD_NUMBER: _ClassVar[int]
    tables: int
    def __init__(self, tables: _Optional[int] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "seated", "told", "asks", "over", "faults", "ping")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    SEATED_FIELD_NUMBER: _ClassVar[int]
    TOLD_FIELD_NUMBER: _ClassVar[int]
    ASKS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    seated: _containers.RepeatedCompositeFieldContainer[Seated]
    told: _containers.RepeatedCompositeFieldContainer[Told]
    asks: _containers.RepeatedCompositeFieldContainer[Ask]
    over: _containers.RepeatedCompositeFieldContainer[Over]
    faults: _containers.RepeatedCompositeFieldContainer[Fault]
    ping: Ping
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., seated: _Optional[_Iterable[_Union[Seated, _Mapping]]] = ..., told: _Optional[_Iterable[_Union[Told, _Mapping]]] = ..., asks: _Optional[_Iterable[_Union[Ask, _Mapping]]] = ..., over: _Optional[_Iterable[_Union[Over, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[Fault, _Mapping]]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol_version", "referee_version", "name", "resume_token", "resumed", "limits", "season")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    REFEREE_VERSION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    referee_version: str
    name: str
    resume_token: str
    resumed: bool
    limits: Limits
    season: str
    def __init__(self, protocol_version: _Optional[int] = ..., referee_version: _Optional[str] = ..., name: _Optional[str] = ..., resume_token: _Optional[str] = ..., resumed: _Optional[bool] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., season: _Optional[str] = ...) -> None: ...

class Seated(_message.Message):
    __slots__ = ("match_id", "game", "seat", "players", "variant", "clock", "start_budget_us", "tolerated_faults", "development", "commitment", "rules_version", "components_digest", "is_ready", "rated")
    class VariantEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    START_BUDGET_US_FIELD_NUMBER: _ClassVar[int]
    TOLERATED_FAULTS_FIELD_NUMBER: _ClassVar[int]
    DEVELOPMENT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    IS_READY_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    seat: int
    players: _containers.RepeatedScalarFieldContainer[str]
    variant: _containers.ScalarMap[str, str]
    clock: _common_pb2.Clock
    start_budget_us: int
    tolerated_faults: int
    development: bool
    commitment: str
    rules_version: int
    components_digest: str
    is_ready: bool
    rated: bool
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., seat: _Optional[int] = ..., players: _Optional[_Iterable[str]] = ..., variant: _Optional[_Mapping[str, str]] = ..., clock: _Optional[_Union[_common_pb2.Clock, _Mapping]] = ..., start_budget_us: _Optional[int] = ..., tolerated_faults: _Optional[int] = ..., development: _Optional[bool] = ..., commitment: _Optional[str] = ..., rules_version: _Optional[int] = ..., components_digest: _Optional[str] = ..., is_ready: _Optional[bool] = ..., rated: _Optional[bool] = ...) -> None: ...

class Told(_message.Message):
    __slots__ = ("match_id", "seat", "events", "number", "awaited", "bank_us", "edo_yashiki", "ninjato", "honshu", "white_castle")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    AWAITED_FIELD_NUMBER: _ClassVar[int]
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    EDO_YASHIKI_FIELD_NUMBER: _ClassVar[int]
    NINJATO_FIELD_NUMBER: _ClassVar[int]
    HONSHU_FIELD_NUMBER: _ClassVar[int]
    WHITE_CASTLE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    events: _containers.RepeatedCompositeFieldContainer[_common_pb2.Event]
    number: int
    awaited: _containers.RepeatedScalarFieldContainer[int]
    bank_us: _containers.RepeatedScalarFieldContainer[int]
    edo_yashiki: _edo_yashiki_pb2.EdoYashikiAsk
    ninjato: _ninjato_pb2.NinjatoAsk
    honshu: _honshu_pb2.HonshuAsk
    white_castle: _white_castle_pb2.WhiteCastleAsk
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_common_pb2.Event, _Mapping]]] = ..., number: _Optional[int] = ..., awaited: _Optional[_Iterable[int]] = ..., bank_us: _Optional[_Iterable[int]] = ..., edo_yashiki: _Optional[_Union[_edo_yashiki_pb2.EdoYashikiAsk, _Mapping]] = ..., ninjato: _Optional[_Union[_ninjato_pb2.NinjatoAsk, _Mapping]] = ..., honshu: _Optional[_Union[_honshu_pb2.HonshuAsk, _Mapping]] = ..., white_castle: _Optional[_Union[_white_castle_pb2.WhiteCastleAsk, _Mapping]] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("match_id", "ask", "seat", "option_count", "kind", "bank_us", "budget_us", "charged_us", "network_us", "queued_us", "events", "edo_yashiki", "ninjato", "honshu", "white_castle")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OPTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    BUDGET_US_FIELD_NUMBER: _ClassVar[int]
    CHARGED_US_FIELD_NUMBER: _ClassVar[int]
    NETWORK_US_FIELD_NUMBER: _ClassVar[int]
    QUEUED_US_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    EDO_YASHIKI_FIELD_NUMBER: _ClassVar[int]
    NINJATO_FIELD_NUMBER: _ClassVar[int]
    HONSHU_FIELD_NUMBER: _ClassVar[int]
    WHITE_CASTLE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    ask: int
    seat: int
    option_count: int
    kind: str
    bank_us: int
    budget_us: int
    charged_us: int
    network_us: int
    queued_us: int
    events: _containers.RepeatedCompositeFieldContainer[_common_pb2.Event]
    edo_yashiki: _edo_yashiki_pb2.EdoYashikiAsk
    ninjato: _ninjato_pb2.NinjatoAsk
    honshu: _honshu_pb2.HonshuAsk
    white_castle: _white_castle_pb2.WhiteCastleAsk
    def __init__(self, match_id: _Optional[str] = ..., ask: _Optional[int] = ..., seat: _Optional[int] = ..., option_count: _Optional[int] = ..., kind: _Optional[str] = ..., bank_us: _Optional[int] = ..., budget_us: _Optional[int] = ..., charged_us: _Optional[int] = ..., network_us: _Optional[int] = ..., queued_us: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_common_pb2.Event, _Mapping]]] = ..., edo_yashiki: _Optional[_Union[_edo_yashiki_pb2.EdoYashikiAsk, _Mapping]] = ..., ninjato: _Optional[_Union[_ninjato_pb2.NinjatoAsk, _Mapping]] = ..., honshu: _Optional[_Union[_honshu_pb2.HonshuAsk, _Mapping]] = ..., white_castle: _Optional[_Union[_white_castle_pb2.WhiteCastleAsk, _Mapping]] = ...) -> None: ...

class Over(_message.Message):
    __slots__ = ("match_id", "seat", "result", "endings", "rated", "secret", "record_hash", "ratings")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    ENDINGS_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    RECORD_HASH_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    result: _common_pb2.Result
    endings: _containers.RepeatedCompositeFieldContainer[_common_pb2.Ending]
    rated: bool
    secret: bytes
    record_hash: str
    ratings: _containers.RepeatedCompositeFieldContainer[SeatRating]
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., result: _Optional[_Union[_common_pb2.Result, _Mapping]] = ..., endings: _Optional[_Iterable[_Union[_common_pb2.Ending, _Mapping]]] = ..., rated: _Optional[bool] = ..., secret: _Optional[bytes] = ..., record_hash: _Optional[str] = ..., ratings: _Optional[_Iterable[_Union[SeatRating, _Mapping]]] = ...) -> None: ...

class SeatRating(_message.Message):
    __slots__ = ("rating_before", "rating_after", "deviation", "games", "rank")
    RATING_BEFORE_FIELD_NUMBER: _ClassVar[int]
    RATING_AFTER_FIELD_NUMBER: _ClassVar[int]
    DEVIATION_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    rating_before: float
    rating_after: float
    deviation: float
    games: int
    rank: int
    def __init__(self, rating_before: _Optional[float] = ..., rating_after: _Optional[float] = ..., deviation: _Optional[float] = ..., games: _Optional[int] = ..., rank: _Optional[int] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("code", "match_id", "seat", "ask", "message", "counted", "closes_stream", "address", "retry_after_us")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    COUNTED_FIELD_NUMBER: _ClassVar[int]
    CLOSES_STREAM_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    code: FaultCode
    match_id: str
    seat: int
    ask: int
    message: str
    counted: bool
    closes_stream: bool
    address: str
    retry_after_us: int
    def __init__(self, code: _Optional[_Union[FaultCode, str]] = ..., match_id: _Optional[str] = ..., seat: _Optional[int] = ..., ask: _Optional[int] = ..., message: _Optional[str] = ..., counted: _Optional[bool] = ..., closes_stream: _Optional[bool] = ..., address: _Optional[str] = ..., retry_after_us: _Optional[int] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("nonce", "round_trip_us")
    NONCE_FIELD_NUMBER: _ClassVar[int]
    ROUND_TRIP_US_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    round_trip_us: int
    def __init__(self, nonce: _Optional[int] = ..., round_trip_us: _Optional[int] = ...) -> None: ...
