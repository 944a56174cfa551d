from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Verb(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERB_UNSPECIFIED: _ClassVar[Verb]
    VERB_CHOSE: _ClassVar[Verb]
    VERB_DREW: _ClassVar[Verb]
    VERB_REVEALED: _ClassVar[Verb]
    VERB_ROLLED: _ClassVar[Verb]
    VERB_GAINED: _ClassVar[Verb]
    VERB_PAID: _ClassVar[Verb]
    VERB_MOVED: _ClassVar[Verb]
    VERB_SCORED: _ClassVar[Verb]
    VERB_PHASE: _ClassVar[Verb]
    VERB_ORDER: _ClassVar[Verb]

class Owner(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OWNER_UNSPECIFIED: _ClassVar[Owner]
    OWNER_BOT: _ClassVar[Owner]
    OWNER_NETWORK: _ClassVar[Owner]
    OWNER_REFEREE: _ClassVar[Owner]
    OWNER_OPPONENT: _ClassVar[Owner]
    OWNER_ORGANISER: _ClassVar[Owner]

class EndingKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_KIND_UNSPECIFIED: _ClassVar[EndingKind]
    ENDING_KIND_FINISHED: _ClassVar[EndingKind]
    ENDING_KIND_FORFEITED: _ClassVar[EndingKind]
    ENDING_KIND_ABORTED: _ClassVar[EndingKind]
    ENDING_KIND_NEVER_READY: _ClassVar[EndingKind]
    ENDING_KIND_VOIDED: _ClassVar[EndingKind]
VERB_UNSPECIFIED: Verb
VERB_CHOSE: Verb
VERB_DREW: Verb
VERB_REVEALED: Verb
VERB_ROLLED: Verb
VERB_GAINED: Verb
VERB_PAID: Verb
VERB_MOVED: Verb
VERB_SCORED: Verb
VERB_PHASE: Verb
VERB_ORDER: Verb
OWNER_UNSPECIFIED: Owner
OWNER_BOT: Owner
OWNER_NETWORK: Owner
OWNER_REFEREE: Owner
OWNER_OPPONENT: Owner
OWNER_ORGANISER: Owner
ENDING_KIND_UNSPECIFIED: EndingKind
ENDING_KIND_FINISHED: EndingKind
ENDING_KIND_FORFEITED: EndingKind
ENDING_KIND_ABORTED: EndingKind
ENDING_KIND_NEVER_READY: EndingKind
ENDING_KIND_VOIDED: EndingKind

class Event(_message.Message):
    __slots__ = ("verb", "seat", "subject", "amount", "numbers", "words")
    VERB_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    verb: Verb
    seat: int
    subject: str
    amount: int
    numbers: _containers.RepeatedScalarFieldContainer[int]
    words: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, verb: _Optional[_Union[Verb, str]] = ..., seat: _Optional[int] = ..., subject: _Optional[str] = ..., amount: _Optional[int] = ..., numbers: _Optional[_Iterable[int]] = ..., words: _Optional[_Iterable[str]] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("bank_us", "increment_us", "cap_us", "text")
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_US_FIELD_NUMBER: _ClassVar[int]
    CAP_US_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    bank_us: int
    increment_us: int
    cap_us: int
    text: str
    def __init__(self, bank_us: _Optional[int] = ..., increment_us: _Optional[int] = ..., cap_us: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("places", "points", "reason", "automata")
    PLACES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTOMATA_FIELD_NUMBER: _ClassVar[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    reason: str
    automata: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, places: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., reason: _Optional[str] = ..., automata: _Optional[_Iterable[str]] = ...) -> None: ...

class Ending(_message.Message):
    __slots__ = ("kind", "faults", "owner", "message")
    KIND_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    kind: EndingKind
    faults: int
    owner: Owner
    message: str
    def __init__(self, kind: _Optional[_Union[EndingKind, str]] = ..., faults: _Optional[int] = ..., owner: _Optional[_Union[Owner, str]] = ..., message: _Optional[str] = ...) -> None: ...

class Setting(_message.Message):
    __slots__ = ("name", "values", "default_value", "meaning", "seat_counts")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    values: _containers.RepeatedScalarFieldContainer[str]
    default_value: str
    meaning: str
    seat_counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, name: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ..., default_value: _Optional[str] = ..., meaning: _Optional[str] = ..., seat_counts: _Optional[_Iterable[int]] = ...) -> None: ...
