from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WhiteCastleColour(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHITE_CASTLE_COLOUR_UNSPECIFIED: _ClassVar[WhiteCastleColour]
    WHITE_CASTLE_COLOUR_CORAL: _ClassVar[WhiteCastleColour]
    WHITE_CASTLE_COLOUR_BLACK: _ClassVar[WhiteCastleColour]
    WHITE_CASTLE_COLOUR_WHITE: _ClassVar[WhiteCastleColour]

class WhiteCastleEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHITE_CASTLE_END_UNSPECIFIED: _ClassVar[WhiteCastleEnd]
    WHITE_CASTLE_END_LEFT: _ClassVar[WhiteCastleEnd]
    WHITE_CASTLE_END_RIGHT: _ClassVar[WhiteCastleEnd]

class WhiteCastleSpace(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHITE_CASTLE_SPACE_UNSPECIFIED: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_STEWARD_1: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_STEWARD_2: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_STEWARD_3: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_DIPLOMAT_1: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_DIPLOMAT_2: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_OUTSIDE_1: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_OUTSIDE_2: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_WELL: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_DOMAIN_CORAL: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_DOMAIN_BLACK: _ClassVar[WhiteCastleSpace]
    WHITE_CASTLE_SPACE_DOMAIN_WHITE: _ClassVar[WhiteCastleSpace]

class WhiteCastleVerb(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHITE_CASTLE_VERB_UNSPECIFIED: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_EXCHANGE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_SKIP: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_PAY: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_STOP: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_DONE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_CONTINUE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_SEALS: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_INFLUENCE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_PAIR: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_DIE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_SPACE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_ACT: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_MAIN: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_GARDEN: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_YARD: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_AUDIENCE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_CLIMB: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_LIGHT: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_SLOT: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_ROW: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_DOMAIN: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_RESOURCE: _ClassVar[WhiteCastleVerb]
    WHITE_CASTLE_VERB_ROOM: _ClassVar[WhiteCastleVerb]

class WhiteCastleGood(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHITE_CASTLE_GOOD_UNSPECIFIED: _ClassVar[WhiteCastleGood]
    WHITE_CASTLE_GOOD_FOOD: _ClassVar[WhiteCastleGood]
    WHITE_CASTLE_GOOD_IRON: _ClassVar[WhiteCastleGood]
    WHITE_CASTLE_GOOD_PEARL: _ClassVar[WhiteCastleGood]
    WHITE_CASTLE_GOOD_COIN: _ClassVar[WhiteCastleGood]
    WHITE_CASTLE_GOOD_VP: _ClassVar[WhiteCastleGood]
    WHITE_CASTLE_GOOD_SEAL: _ClassVar[WhiteCastleGood]

class WhiteCastleMember(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHITE_CASTLE_MEMBER_UNSPECIFIED: _ClassVar[WhiteCastleMember]
    WHITE_CASTLE_MEMBER_COURTIER: _ClassVar[WhiteCastleMember]
    WHITE_CASTLE_MEMBER_GARDENER: _ClassVar[WhiteCastleMember]
    WHITE_CASTLE_MEMBER_WARRIOR: _ClassVar[WhiteCastleMember]
WHITE_CASTLE_COLOUR_UNSPECIFIED: WhiteCastleColour
WHITE_CASTLE_COLOUR_CORAL: WhiteCastleColour
WHITE_CASTLE_COLOUR_BLACK: WhiteCastleColour
WHITE_CASTLE_COLOUR_WHITE: WhiteCastleColour
WHITE_CASTLE_END_UNSPECIFIED: WhiteCastleEnd
WHITE_CASTLE_END_LEFT: WhiteCastleEnd
WHITE_CASTLE_END_RIGHT: WhiteCastleEnd
WHITE_CASTLE_SPACE_UNSPECIFIED: WhiteCastleSpace
WHITE_CASTLE_SPACE_STEWARD_1: WhiteCastleSpace
WHITE_CASTLE_SPACE_STEWARD_2: WhiteCastleSpace
WHITE_CASTLE_SPACE_STEWARD_3: WhiteCastleSpace
WHITE_CASTLE_SPACE_DIPLOMAT_1: WhiteCastleSpace
WHITE_CASTLE_SPACE_DIPLOMAT_2: WhiteCastleSpace
WHITE_CASTLE_SPACE_OUTSIDE_1: WhiteCastleSpace
WHITE_CASTLE_SPACE_OUTSIDE_2: WhiteCastleSpace
WHITE_CASTLE_SPACE_WELL: WhiteCastleSpace
WHITE_CASTLE_SPACE_DOMAIN_CORAL: WhiteCastleSpace
WHITE_CASTLE_SPACE_DOMAIN_BLACK: WhiteCastleSpace
WHITE_CASTLE_SPACE_DOMAIN_WHITE: WhiteCastleSpace
WHITE_CASTLE_VERB_UNSPECIFIED: WhiteCastleVerb
WHITE_CASTLE_VERB_EXCHANGE: WhiteCastleVerb
WHITE_CASTLE_VERB_SKIP: WhiteCastleVerb
WHITE_CASTLE_VERB_PAY: WhiteCastleVerb
WHITE_CASTLE_VERB_STOP: WhiteCastleVerb
WHITE_CASTLE_VERB_DONE: WhiteCastleVerb
WHITE_CASTLE_VERB_CONTINUE: WhiteCastleVerb
WHITE_CASTLE_VERB_SEALS: WhiteCastleVerb
WHITE_CASTLE_VERB_INFLUENCE: WhiteCastleVerb
WHITE_CASTLE_VERB_PAIR: WhiteCastleVerb
WHITE_CASTLE_VERB_DIE: WhiteCastleVerb
WHITE_CASTLE_VERB_SPACE: WhiteCastleVerb
WHITE_CASTLE_VERB_ACT: WhiteCastleVerb
WHITE_CASTLE_VERB_MAIN: WhiteCastleVerb
WHITE_CASTLE_VERB_GARDEN: WhiteCastleVerb
WHITE_CASTLE_VERB_YARD: WhiteCastleVerb
WHITE_CASTLE_VERB_AUDIENCE: WhiteCastleVerb
WHITE_CASTLE_VERB_CLIMB: WhiteCastleVerb
WHITE_CASTLE_VERB_LIGHT: WhiteCastleVerb
WHITE_CASTLE_VERB_SLOT: WhiteCastleVerb
WHITE_CASTLE_VERB_ROW: WhiteCastleVerb
WHITE_CASTLE_VERB_DOMAIN: WhiteCastleVerb
WHITE_CASTLE_VERB_RESOURCE: WhiteCastleVerb
WHITE_CASTLE_VERB_ROOM: WhiteCastleVerb
WHITE_CASTLE_GOOD_UNSPECIFIED: WhiteCastleGood
WHITE_CASTLE_GOOD_FOOD: WhiteCastleGood
WHITE_CASTLE_GOOD_IRON: WhiteCastleGood
WHITE_CASTLE_GOOD_PEARL: WhiteCastleGood
WHITE_CASTLE_GOOD_COIN: WhiteCastleGood
WHITE_CASTLE_GOOD_VP: WhiteCastleGood
WHITE_CASTLE_GOOD_SEAL: WhiteCastleGood
WHITE_CASTLE_MEMBER_UNSPECIFIED: WhiteCastleMember
WHITE_CASTLE_MEMBER_COURTIER: WhiteCastleMember
WHITE_CASTLE_MEMBER_GARDENER: WhiteCastleMember
WHITE_CASTLE_MEMBER_WARRIOR: WhiteCastleMember

class WhiteCastleComponents(_message.Message):
    __slots__ = ("cards", "gardens", "yard_tiles", "die_tiles", "daimyos", "solo_cards", "die_spaces", "yards", "effects", "tile_rooms", "tile_rows")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    GARDENS_FIELD_NUMBER: _ClassVar[int]
    YARD_TILES_FIELD_NUMBER: _ClassVar[int]
    DIE_TILES_FIELD_NUMBER: _ClassVar[int]
    DAIMYOS_FIELD_NUMBER: _ClassVar[int]
    SOLO_CARDS_FIELD_NUMBER: _ClassVar[int]
    DIE_SPACES_FIELD_NUMBER: _ClassVar[int]
    YARDS_FIELD_NUMBER: _ClassVar[int]
    EFFECTS_FIELD_NUMBER: _ClassVar[int]
    TILE_ROOMS_FIELD_NUMBER: _ClassVar[int]
    TILE_ROWS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[str]
    gardens: _containers.RepeatedScalarFieldContainer[str]
    yard_tiles: _containers.RepeatedScalarFieldContainer[str]
    die_tiles: _containers.RepeatedScalarFieldContainer[str]
    daimyos: _containers.RepeatedScalarFieldContainer[str]
    solo_cards: _containers.RepeatedScalarFieldContainer[str]
    die_spaces: _containers.RepeatedScalarFieldContainer[str]
    yards: _containers.RepeatedScalarFieldContainer[str]
    effects: _containers.RepeatedScalarFieldContainer[str]
    tile_rooms: _containers.RepeatedScalarFieldContainer[WhiteCastleSpace]
    tile_rows: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[str]] = ..., gardens: _Optional[_Iterable[str]] = ..., yard_tiles: _Optional[_Iterable[str]] = ..., die_tiles: _Optional[_Iterable[str]] = ..., daimyos: _Optional[_Iterable[str]] = ..., solo_cards: _Optional[_Iterable[str]] = ..., die_spaces: _Optional[_Iterable[str]] = ..., yards: _Optional[_Iterable[str]] = ..., effects: _Optional[_Iterable[str]] = ..., tile_rooms: _Optional[_Iterable[_Union[WhiteCastleSpace, str]]] = ..., tile_rows: _Optional[_Iterable[int]] = ...) -> None: ...

class WhiteCastleAsk(_message.Message):
    __slots__ = ("view", "options")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    view: WhiteCastleView
    options: _containers.RepeatedCompositeFieldContainer[WhiteCastleOption]
    def __init__(self, view: _Optional[_Union[WhiteCastleView, _Mapping]] = ..., options: _Optional[_Iterable[_Union[WhiteCastleOption, _Mapping]]] = ...) -> None: ...

class WhiteCastleOption(_message.Message):
    __slots__ = ("verb", "text", "colour", "end", "space", "index", "member", "garden", "yard", "floor", "floors", "row", "good")
    VERB_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    GARDEN_FIELD_NUMBER: _ClassVar[int]
    YARD_FIELD_NUMBER: _ClassVar[int]
    FLOOR_FIELD_NUMBER: _ClassVar[int]
    FLOORS_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    GOOD_FIELD_NUMBER: _ClassVar[int]
    verb: WhiteCastleVerb
    text: str
    colour: WhiteCastleColour
    end: WhiteCastleEnd
    space: WhiteCastleSpace
    index: int
    member: WhiteCastleMember
    garden: int
    yard: int
    floor: int
    floors: int
    row: int
    good: WhiteCastleGood
    def __init__(self, verb: _Optional[_Union[WhiteCastleVerb, str]] = ..., text: _Optional[str] = ..., colour: _Optional[_Union[WhiteCastleColour, str]] = ..., end: _Optional[_Union[WhiteCastleEnd, str]] = ..., space: _Optional[_Union[WhiteCastleSpace, str]] = ..., index: _Optional[int] = ..., member: _Optional[_Union[WhiteCastleMember, str]] = ..., garden: _Optional[int] = ..., yard: _Optional[int] = ..., floor: _Optional[int] = ..., floors: _Optional[int] = ..., row: _Optional[int] = ..., good: _Optional[_Union[WhiteCastleGood, str]] = ...) -> None: ...

class WhiteCastleView(_message.Message):
    __slots__ = ("seat", "seats", "round", "order", "track", "tile_colours", "well_tiles", "daimyo", "gardens", "yard_tiles", "bridge_left", "bridge_right", "centre_sizes", "centre_dice", "space_sizes", "space_colours", "space_values", "castle", "steward_deck", "diplomat_deck", "favours", "clans", "offer_resources", "offer_actions", "gone", "solo", "stack", "last_seat", "last_kind", "last_text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    TRACK_FIELD_NUMBER: _ClassVar[int]
    TILE_COLOURS_FIELD_NUMBER: _ClassVar[int]
    WELL_TILES_FIELD_NUMBER: _ClassVar[int]
    DAIMYO_FIELD_NUMBER: _ClassVar[int]
    GARDENS_FIELD_NUMBER: _ClassVar[int]
    YARD_TILES_FIELD_NUMBER: _ClassVar[int]
    BRIDGE_LEFT_FIELD_NUMBER: _ClassVar[int]
    BRIDGE_RIGHT_FIELD_NUMBER: _ClassVar[int]
    CENTRE_SIZES_FIELD_NUMBER: _ClassVar[int]
    CENTRE_DICE_FIELD_NUMBER: _ClassVar[int]
    SPACE_SIZES_FIELD_NUMBER: _ClassVar[int]
    SPACE_COLOURS_FIELD_NUMBER: _ClassVar[int]
    SPACE_VALUES_FIELD_NUMBER: _ClassVar[int]
    CASTLE_FIELD_NUMBER: _ClassVar[int]
    STEWARD_DECK_FIELD_NUMBER: _ClassVar[int]
    DIPLOMAT_DECK_FIELD_NUMBER: _ClassVar[int]
    FAVOURS_FIELD_NUMBER: _ClassVar[int]
    CLANS_FIELD_NUMBER: _ClassVar[int]
    OFFER_RESOURCES_FIELD_NUMBER: _ClassVar[int]
    OFFER_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    GONE_FIELD_NUMBER: _ClassVar[int]
    SOLO_FIELD_NUMBER: _ClassVar[int]
    STACK_FIELD_NUMBER: _ClassVar[int]
    LAST_SEAT_FIELD_NUMBER: _ClassVar[int]
    LAST_KIND_FIELD_NUMBER: _ClassVar[int]
    LAST_TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    seats: int
    round: int
    order: _containers.RepeatedScalarFieldContainer[int]
    track: _containers.RepeatedScalarFieldContainer[int]
    tile_colours: _containers.RepeatedScalarFieldContainer[WhiteCastleColour]
    well_tiles: _containers.RepeatedScalarFieldContainer[int]
    daimyo: int
    gardens: _containers.RepeatedScalarFieldContainer[int]
    yard_tiles: _containers.RepeatedScalarFieldContainer[int]
    bridge_left: _containers.RepeatedScalarFieldContainer[int]
    bridge_right: _containers.RepeatedScalarFieldContainer[int]
    centre_sizes: _containers.RepeatedScalarFieldContainer[int]
    centre_dice: _containers.RepeatedScalarFieldContainer[int]
    space_sizes: _containers.RepeatedScalarFieldContainer[int]
    space_colours: _containers.RepeatedScalarFieldContainer[WhiteCastleColour]
    space_values: _containers.RepeatedScalarFieldContainer[int]
    castle: _containers.RepeatedScalarFieldContainer[int]
    steward_deck: _containers.RepeatedScalarFieldContainer[int]
    diplomat_deck: _containers.RepeatedScalarFieldContainer[int]
    favours: _containers.RepeatedScalarFieldContainer[int]
    clans: _containers.RepeatedCompositeFieldContainer[WhiteCastleClan]
    offer_resources: _containers.RepeatedScalarFieldContainer[int]
    offer_actions: _containers.RepeatedScalarFieldContainer[int]
    gone: _containers.RepeatedScalarFieldContainer[int]
    solo: WhiteCastleSolo
    stack: _containers.RepeatedCompositeFieldContainer[WhiteCastleFrame]
    last_seat: int
    last_kind: str
    last_text: str
    def __init__(self, seat: _Optional[int] = ..., seats: _Optional[int] = ..., round: _Optional[int] = ..., order: _Optional[_Iterable[int]] = ..., track: _Optional[_Iterable[int]] = ..., tile_colours: _Optional[_Iterable[_Union[WhiteCastleColour, str]]] = ..., well_tiles: _Optional[_Iterable[int]] = ..., daimyo: _Optional[int] = ..., gardens: _Optional[_Iterable[int]] = ..., yard_tiles: _Optional[_Iterable[int]] = ..., bridge_left: _Optional[_Iterable[int]] = ..., bridge_right: _Optional[_Iterable[int]] = ..., centre_sizes: _Optional[_Iterable[int]] = ..., centre_dice: _Optional[_Iterable[int]] = ..., space_sizes: _Optional[_Iterable[int]] = ..., space_colours: _Optional[_Iterable[_Union[WhiteCastleColour, str]]] = ..., space_values: _Optional[_Iterable[int]] = ..., castle: _Optional[_Iterable[int]] = ..., steward_deck: _Optional[_Iterable[int]] = ..., diplomat_deck: _Optional[_Iterable[int]] = ..., favours: _Optional[_Iterable[int]] = ..., clans: _Optional[_Iterable[_Union[WhiteCastleClan, _Mapping]]] = ..., offer_resources: _Optional[_Iterable[int]] = ..., offer_actions: _Optional[_Iterable[int]] = ..., gone: _Optional[_Iterable[int]] = ..., solo: _Optional[_Union[WhiteCastleSolo, _Mapping]] = ..., stack: _Optional[_Iterable[_Union[WhiteCastleFrame, _Mapping]]] = ..., last_seat: _Optional[int] = ..., last_kind: _Optional[str] = ..., last_text: _Optional[str] = ...) -> None: ...

class WhiteCastleClan(_message.Message):
    __slots__ = ("goods", "home", "court", "yards", "dice", "gardens", "time", "action", "lantern")
    GOODS_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    COURT_FIELD_NUMBER: _ClassVar[int]
    YARDS_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    GARDENS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    LANTERN_FIELD_NUMBER: _ClassVar[int]
    goods: _containers.RepeatedScalarFieldContainer[int]
    home: _containers.RepeatedScalarFieldContainer[int]
    court: _containers.RepeatedScalarFieldContainer[int]
    yards: _containers.RepeatedScalarFieldContainer[int]
    dice: _containers.RepeatedScalarFieldContainer[int]
    gardens: _containers.RepeatedScalarFieldContainer[int]
    time: int
    action: int
    lantern: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, goods: _Optional[_Iterable[int]] = ..., home: _Optional[_Iterable[int]] = ..., court: _Optional[_Iterable[int]] = ..., yards: _Optional[_Iterable[int]] = ..., dice: _Optional[_Iterable[int]] = ..., gardens: _Optional[_Iterable[int]] = ..., time: _Optional[int] = ..., action: _Optional[int] = ..., lantern: _Optional[_Iterable[int]] = ...) -> None: ...

class WhiteCastleSolo(_message.Message):
    __slots__ = ("top", "unknown", "cycled", "row", "turn_sizes", "turn_cards")
    TOP_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    CYCLED_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    TURN_SIZES_FIELD_NUMBER: _ClassVar[int]
    TURN_CARDS_FIELD_NUMBER: _ClassVar[int]
    top: int
    unknown: _containers.RepeatedScalarFieldContainer[int]
    cycled: _containers.RepeatedScalarFieldContainer[int]
    row: _containers.RepeatedScalarFieldContainer[int]
    turn_sizes: _containers.RepeatedScalarFieldContainer[int]
    turn_cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, top: _Optional[int] = ..., unknown: _Optional[_Iterable[int]] = ..., cycled: _Optional[_Iterable[int]] = ..., row: _Optional[_Iterable[int]] = ..., turn_sizes: _Optional[_Iterable[int]] = ..., turn_cards: _Optional[_Iterable[int]] = ...) -> None: ...

class WhiteCastleFrame(_message.Message):
    __slots__ = ("kind", "numbers")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    kind: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...
