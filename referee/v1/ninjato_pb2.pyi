from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NinjatoVerb(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NINJATO_VERB_UNSPECIFIED: _ClassVar[NinjatoVerb]
    NINJATO_VERB_PLACE: _ClassVar[NinjatoVerb]
    NINJATO_VERB_PICK: _ClassVar[NinjatoVerb]
    NINJATO_VERB_DRAW: _ClassVar[NinjatoVerb]
    NINJATO_VERB_DISCARD: _ClassVar[NinjatoVerb]
    NINJATO_VERB_LEARN: _ClassVar[NinjatoVerb]
    NINJATO_VERB_SPEND: _ClassVar[NinjatoVerb]
    NINJATO_VERB_TAKE_ENVOY: _ClassVar[NinjatoVerb]
    NINJATO_VERB_TAKE_RUMOR: _ClassVar[NinjatoVerb]
    NINJATO_VERB_PAY: _ClassVar[NinjatoVerb]
    NINJATO_VERB_PLAY: _ClassVar[NinjatoVerb]
    NINJATO_VERB_SWITCH: _ClassVar[NinjatoVerb]
    NINJATO_VERB_SWAP: _ClassVar[NinjatoVerb]
    NINJATO_VERB_REFRESH: _ClassVar[NinjatoVerb]
    NINJATO_VERB_GIVE_UP: _ClassVar[NinjatoVerb]
    NINJATO_VERB_LEAVE: _ClassVar[NinjatoVerb]
    NINJATO_VERB_BANZAI: _ClassVar[NinjatoVerb]
    NINJATO_VERB_KEEP: _ClassVar[NinjatoVerb]
    NINJATO_VERB_PUT_TOKEN: _ClassVar[NinjatoVerb]
    NINJATO_VERB_DISGUISE: _ClassVar[NinjatoVerb]
    NINJATO_VERB_TAKE_HONOR: _ClassVar[NinjatoVerb]
    NINJATO_VERB_CHOOSE_RUMOR: _ClassVar[NinjatoVerb]

class NinjatoOpponent(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NINJATO_OPPONENT_UNSPECIFIED: _ClassVar[NinjatoOpponent]
    NINJATO_OPPONENT_SENTINEL: _ClassVar[NinjatoOpponent]
    NINJATO_OPPONENT_GUARD: _ClassVar[NinjatoOpponent]
    NINJATO_OPPONENT_ELITE: _ClassVar[NinjatoOpponent]
NINJATO_VERB_UNSPECIFIED: NinjatoVerb
NINJATO_VERB_PLACE: NinjatoVerb
NINJATO_VERB_PICK: NinjatoVerb
NINJATO_VERB_DRAW: NinjatoVerb
NINJATO_VERB_DISCARD: NinjatoVerb
NINJATO_VERB_LEARN: NinjatoVerb
NINJATO_VERB_SPEND: NinjatoVerb
NINJATO_VERB_TAKE_ENVOY: NinjatoVerb
NINJATO_VERB_TAKE_RUMOR: NinjatoVerb
NINJATO_VERB_PAY: NinjatoVerb
NINJATO_VERB_PLAY: NinjatoVerb
NINJATO_VERB_SWITCH: NinjatoVerb
NINJATO_VERB_SWAP: NinjatoVerb
NINJATO_VERB_REFRESH: NinjatoVerb
NINJATO_VERB_GIVE_UP: NinjatoVerb
NINJATO_VERB_LEAVE: NinjatoVerb
NINJATO_VERB_BANZAI: NinjatoVerb
NINJATO_VERB_KEEP: NinjatoVerb
NINJATO_VERB_PUT_TOKEN: NinjatoVerb
NINJATO_VERB_DISGUISE: NinjatoVerb
NINJATO_VERB_TAKE_HONOR: NinjatoVerb
NINJATO_VERB_CHOOSE_RUMOR: NinjatoVerb
NINJATO_OPPONENT_UNSPECIFIED: NinjatoOpponent
NINJATO_OPPONENT_SENTINEL: NinjatoOpponent
NINJATO_OPPONENT_GUARD: NinjatoOpponent
NINJATO_OPPONENT_ELITE: NinjatoOpponent

class NinjatoComponents(_message.Message):
    __slots__ = ("treasures", "treasure_honor", "treasure_copies", "dojo_copies", "guards", "elites", "skills", "envoys", "rumors", "clans", "token_clans", "token_honor")
    TREASURES_FIELD_NUMBER: _ClassVar[int]
    TREASURE_HONOR_FIELD_NUMBER: _ClassVar[int]
    TREASURE_COPIES_FIELD_NUMBER: _ClassVar[int]
    DOJO_COPIES_FIELD_NUMBER: _ClassVar[int]
    GUARDS_FIELD_NUMBER: _ClassVar[int]
    ELITES_FIELD_NUMBER: _ClassVar[int]
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    ENVOYS_FIELD_NUMBER: _ClassVar[int]
    RUMORS_FIELD_NUMBER: _ClassVar[int]
    CLANS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_CLANS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_HONOR_FIELD_NUMBER: _ClassVar[int]
    treasures: _containers.RepeatedScalarFieldContainer[str]
    treasure_honor: _containers.RepeatedScalarFieldContainer[int]
    treasure_copies: _containers.RepeatedScalarFieldContainer[int]
    dojo_copies: _containers.RepeatedScalarFieldContainer[int]
    guards: _containers.RepeatedCompositeFieldContainer[NinjatoGuard]
    elites: _containers.RepeatedCompositeFieldContainer[NinjatoElite]
    skills: _containers.RepeatedCompositeFieldContainer[NinjatoSkill]
    envoys: _containers.RepeatedCompositeFieldContainer[NinjatoEnvoy]
    rumors: _containers.RepeatedCompositeFieldContainer[NinjatoRumor]
    clans: _containers.RepeatedScalarFieldContainer[str]
    token_clans: _containers.RepeatedScalarFieldContainer[int]
    token_honor: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, treasures: _Optional[_Iterable[str]] = ..., treasure_honor: _Optional[_Iterable[int]] = ..., treasure_copies: _Optional[_Iterable[int]] = ..., dojo_copies: _Optional[_Iterable[int]] = ..., guards: _Optional[_Iterable[_Union[NinjatoGuard, _Mapping]]] = ..., elites: _Optional[_Iterable[_Union[NinjatoElite, _Mapping]]] = ..., skills: _Optional[_Iterable[_Union[NinjatoSkill, _Mapping]]] = ..., envoys: _Optional[_Iterable[_Union[NinjatoEnvoy, _Mapping]]] = ..., rumors: _Optional[_Iterable[_Union[NinjatoRumor, _Mapping]]] = ..., clans: _Optional[_Iterable[str]] = ..., token_clans: _Optional[_Iterable[int]] = ..., token_honor: _Optional[_Iterable[int]] = ...) -> None: ...

class NinjatoGuard(_message.Message):
    __slots__ = ("value", "alarm", "copies")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ALARM_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    value: int
    alarm: bool
    copies: int
    def __init__(self, value: _Optional[int] = ..., alarm: _Optional[bool] = ..., copies: _Optional[int] = ...) -> None: ...

class NinjatoElite(_message.Message):
    __slots__ = ("id", "force", "stealth", "honor", "copies")
    ID_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    STEALTH_FIELD_NUMBER: _ClassVar[int]
    HONOR_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    id: str
    force: _containers.RepeatedScalarFieldContainer[int]
    stealth: _containers.RepeatedScalarFieldContainer[int]
    honor: int
    copies: int
    def __init__(self, id: _Optional[str] = ..., force: _Optional[_Iterable[int]] = ..., stealth: _Optional[_Iterable[int]] = ..., honor: _Optional[int] = ..., copies: _Optional[int] = ...) -> None: ...

class NinjatoSkill(_message.Message):
    __slots__ = ("id", "way", "price", "effect", "amounts", "copies")
    ID_FIELD_NUMBER: _ClassVar[int]
    WAY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    EFFECT_FIELD_NUMBER: _ClassVar[int]
    AMOUNTS_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    id: str
    way: str
    price: int
    effect: str
    amounts: _containers.RepeatedScalarFieldContainer[int]
    copies: int
    def __init__(self, id: _Optional[str] = ..., way: _Optional[str] = ..., price: _Optional[int] = ..., effect: _Optional[str] = ..., amounts: _Optional[_Iterable[int]] = ..., copies: _Optional[int] = ...) -> None: ...

class NinjatoEnvoy(_message.Message):
    __slots__ = ("id", "clan", "age", "mask", "prices")
    ID_FIELD_NUMBER: _ClassVar[int]
    CLAN_FIELD_NUMBER: _ClassVar[int]
    AGE_FIELD_NUMBER: _ClassVar[int]
    MASK_FIELD_NUMBER: _ClassVar[int]
    PRICES_FIELD_NUMBER: _ClassVar[int]
    id: str
    clan: int
    age: int
    mask: bool
    prices: _containers.RepeatedCompositeFieldContainer[NinjatoPrice]
    def __init__(self, id: _Optional[str] = ..., clan: _Optional[int] = ..., age: _Optional[int] = ..., mask: _Optional[bool] = ..., prices: _Optional[_Iterable[_Union[NinjatoPrice, _Mapping]]] = ...) -> None: ...

class NinjatoRumor(_message.Message):
    __slots__ = ("id", "type", "price")
    ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    id: str
    type: str
    price: NinjatoPrice
    def __init__(self, id: _Optional[str] = ..., type: _Optional[str] = ..., price: _Optional[_Union[NinjatoPrice, _Mapping]] = ...) -> None: ...

class NinjatoPrice(_message.Message):
    __slots__ = ("sizes", "treasures", "distinct")
    SIZES_FIELD_NUMBER: _ClassVar[int]
    TREASURES_FIELD_NUMBER: _ClassVar[int]
    DISTINCT_FIELD_NUMBER: _ClassVar[int]
    sizes: _containers.RepeatedScalarFieldContainer[int]
    treasures: _containers.RepeatedScalarFieldContainer[int]
    distinct: bool
    def __init__(self, sizes: _Optional[_Iterable[int]] = ..., treasures: _Optional[_Iterable[int]] = ..., distinct: _Optional[bool] = ...) -> None: ...

class NinjatoAsk(_message.Message):
    __slots__ = ("view", "options")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    view: NinjatoView
    options: _containers.RepeatedCompositeFieldContainer[NinjatoOption]
    def __init__(self, view: _Optional[_Union[NinjatoView, _Mapping]] = ..., options: _Optional[_Iterable[_Union[NinjatoOption, _Mapping]]] = ...) -> None: ...

class NinjatoOption(_message.Message):
    __slots__ = ("verb", "space", "card", "skill", "envoy", "rumor", "treasures", "honor", "part", "base", "supports", "tiles", "value", "treasure", "loot", "loot_red", "house_treasure", "house_red", "clan")
    VERB_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    SKILL_FIELD_NUMBER: _ClassVar[int]
    ENVOY_FIELD_NUMBER: _ClassVar[int]
    RUMOR_FIELD_NUMBER: _ClassVar[int]
    TREASURES_FIELD_NUMBER: _ClassVar[int]
    HONOR_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    SUPPORTS_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    TREASURE_FIELD_NUMBER: _ClassVar[int]
    LOOT_FIELD_NUMBER: _ClassVar[int]
    LOOT_RED_FIELD_NUMBER: _ClassVar[int]
    HOUSE_TREASURE_FIELD_NUMBER: _ClassVar[int]
    HOUSE_RED_FIELD_NUMBER: _ClassVar[int]
    CLAN_FIELD_NUMBER: _ClassVar[int]
    verb: NinjatoVerb
    space: int
    card: int
    skill: int
    envoy: int
    rumor: int
    treasures: _containers.RepeatedScalarFieldContainer[int]
    honor: int
    part: int
    base: int
    supports: int
    tiles: _containers.RepeatedScalarFieldContainer[int]
    value: int
    treasure: int
    loot: int
    loot_red: bool
    house_treasure: int
    house_red: bool
    clan: int
    def __init__(self, verb: _Optional[_Union[NinjatoVerb, str]] = ..., space: _Optional[int] = ..., card: _Optional[int] = ..., skill: _Optional[int] = ..., envoy: _Optional[int] = ..., rumor: _Optional[int] = ..., treasures: _Optional[_Iterable[int]] = ..., honor: _Optional[int] = ..., part: _Optional[int] = ..., base: _Optional[int] = ..., supports: _Optional[int] = ..., tiles: _Optional[_Iterable[int]] = ..., value: _Optional[int] = ..., treasure: _Optional[int] = ..., loot: _Optional[int] = ..., loot_red: _Optional[bool] = ..., house_treasure: _Optional[int] = ..., house_red: _Optional[bool] = ..., clan: _Optional[int] = ...) -> None: ...

class NinjatoView(_message.Message):
    __slots__ = ("seat", "round", "order", "placed", "question", "hand", "drawn", "honor", "hand_sizes", "known", "fresh", "doubt_sizes", "doubt_cards", "doubt_fresh", "treasures", "ready", "used", "envoy_sizes", "envoys", "rumor_sizes", "rumors", "trophy_sizes", "trophies", "light", "red", "sentinels", "tokens", "supply", "face_up", "pool", "sensei", "palace", "pavilion", "dojo_deck", "guard_deck", "elite_deck", "bag", "envoy_deck", "rumor_deck", "dojo_discard", "guard_discard", "elite_discard", "treasure_discard", "retired", "shuffles")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    PLACED_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    HONOR_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    FRESH_FIELD_NUMBER: _ClassVar[int]
    DOUBT_SIZES_FIELD_NUMBER: _ClassVar[int]
    DOUBT_CARDS_FIELD_NUMBER: _ClassVar[int]
    DOUBT_FRESH_FIELD_NUMBER: _ClassVar[int]
    TREASURES_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    ENVOY_SIZES_FIELD_NUMBER: _ClassVar[int]
    ENVOYS_FIELD_NUMBER: _ClassVar[int]
    RUMOR_SIZES_FIELD_NUMBER: _ClassVar[int]
    RUMORS_FIELD_NUMBER: _ClassVar[int]
    TROPHY_SIZES_FIELD_NUMBER: _ClassVar[int]
    TROPHIES_FIELD_NUMBER: _ClassVar[int]
    LIGHT_FIELD_NUMBER: _ClassVar[int]
    RED_FIELD_NUMBER: _ClassVar[int]
    SENTINELS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SUPPLY_FIELD_NUMBER: _ClassVar[int]
    FACE_UP_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    SENSEI_FIELD_NUMBER: _ClassVar[int]
    PALACE_FIELD_NUMBER: _ClassVar[int]
    PAVILION_FIELD_NUMBER: _ClassVar[int]
    DOJO_DECK_FIELD_NUMBER: _ClassVar[int]
    GUARD_DECK_FIELD_NUMBER: _ClassVar[int]
    ELITE_DECK_FIELD_NUMBER: _ClassVar[int]
    BAG_FIELD_NUMBER: _ClassVar[int]
    ENVOY_DECK_FIELD_NUMBER: _ClassVar[int]
    RUMOR_DECK_FIELD_NUMBER: _ClassVar[int]
    DOJO_DISCARD_FIELD_NUMBER: _ClassVar[int]
    GUARD_DISCARD_FIELD_NUMBER: _ClassVar[int]
    ELITE_DISCARD_FIELD_NUMBER: _ClassVar[int]
    TREASURE_DISCARD_FIELD_NUMBER: _ClassVar[int]
    RETIRED_FIELD_NUMBER: _ClassVar[int]
    SHUFFLES_FIELD_NUMBER: _ClassVar[int]
    seat: int
    round: int
    order: _containers.RepeatedScalarFieldContainer[int]
    placed: _containers.RepeatedScalarFieldContainer[int]
    question: NinjatoQuestion
    hand: _containers.RepeatedScalarFieldContainer[int]
    drawn: _containers.RepeatedScalarFieldContainer[int]
    honor: _containers.RepeatedScalarFieldContainer[int]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    known: _containers.RepeatedScalarFieldContainer[int]
    fresh: _containers.RepeatedScalarFieldContainer[int]
    doubt_sizes: _containers.RepeatedScalarFieldContainer[int]
    doubt_cards: _containers.RepeatedScalarFieldContainer[int]
    doubt_fresh: _containers.RepeatedScalarFieldContainer[int]
    treasures: _containers.RepeatedScalarFieldContainer[int]
    ready: _containers.RepeatedScalarFieldContainer[int]
    used: _containers.RepeatedScalarFieldContainer[int]
    envoy_sizes: _containers.RepeatedScalarFieldContainer[int]
    envoys: _containers.RepeatedScalarFieldContainer[int]
    rumor_sizes: _containers.RepeatedScalarFieldContainer[int]
    rumors: _containers.RepeatedScalarFieldContainer[int]
    trophy_sizes: _containers.RepeatedScalarFieldContainer[int]
    trophies: _containers.RepeatedScalarFieldContainer[int]
    light: _containers.RepeatedScalarFieldContainer[int]
    red: _containers.RepeatedScalarFieldContainer[int]
    sentinels: _containers.RepeatedScalarFieldContainer[int]
    tokens: _containers.RepeatedScalarFieldContainer[int]
    supply: _containers.RepeatedScalarFieldContainer[int]
    face_up: _containers.RepeatedScalarFieldContainer[int]
    pool: _containers.RepeatedScalarFieldContainer[int]
    sensei: _containers.RepeatedScalarFieldContainer[int]
    palace: _containers.RepeatedScalarFieldContainer[int]
    pavilion: _containers.RepeatedScalarFieldContainer[int]
    dojo_deck: int
    guard_deck: int
    elite_deck: int
    bag: int
    envoy_deck: int
    rumor_deck: int
    dojo_discard: _containers.RepeatedScalarFieldContainer[int]
    guard_discard: _containers.RepeatedScalarFieldContainer[int]
    elite_discard: _containers.RepeatedScalarFieldContainer[int]
    treasure_discard: _containers.RepeatedScalarFieldContainer[int]
    retired: _containers.RepeatedScalarFieldContainer[int]
    shuffles: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., round: _Optional[int] = ..., order: _Optional[_Iterable[int]] = ..., placed: _Optional[_Iterable[int]] = ..., question: _Optional[_Union[NinjatoQuestion, _Mapping]] = ..., hand: _Optional[_Iterable[int]] = ..., drawn: _Optional[_Iterable[int]] = ..., honor: _Optional[_Iterable[int]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., known: _Optional[_Iterable[int]] = ..., fresh: _Optional[_Iterable[int]] = ..., doubt_sizes: _Optional[_Iterable[int]] = ..., doubt_cards: _Optional[_Iterable[int]] = ..., doubt_fresh: _Optional[_Iterable[int]] = ..., treasures: _Optional[_Iterable[int]] = ..., ready: _Optional[_Iterable[int]] = ..., used: _Optional[_Iterable[int]] = ..., envoy_sizes: _Optional[_Iterable[int]] = ..., envoys: _Optional[_Iterable[int]] = ..., rumor_sizes: _Optional[_Iterable[int]] = ..., rumors: _Optional[_Iterable[int]] = ..., trophy_sizes: _Optional[_Iterable[int]] = ..., trophies: _Optional[_Iterable[int]] = ..., light: _Optional[_Iterable[int]] = ..., red: _Optional[_Iterable[int]] = ..., sentinels: _Optional[_Iterable[int]] = ..., tokens: _Optional[_Iterable[int]] = ..., supply: _Optional[_Iterable[int]] = ..., face_up: _Optional[_Iterable[int]] = ..., pool: _Optional[_Iterable[int]] = ..., sensei: _Optional[_Iterable[int]] = ..., palace: _Optional[_Iterable[int]] = ..., pavilion: _Optional[_Iterable[int]] = ..., dojo_deck: _Optional[int] = ..., guard_deck: _Optional[int] = ..., elite_deck: _Optional[int] = ..., bag: _Optional[int] = ..., envoy_deck: _Optional[int] = ..., rumor_deck: _Optional[int] = ..., dojo_discard: _Optional[_Iterable[int]] = ..., guard_discard: _Optional[_Iterable[int]] = ..., elite_discard: _Optional[_Iterable[int]] = ..., treasure_discard: _Optional[_Iterable[int]] = ..., retired: _Optional[_Iterable[int]] = ..., shuffles: _Optional[_Iterable[int]] = ...) -> None: ...

class NinjatoQuestion(_message.Message):
    __slots__ = ("kind", "seat", "left", "skill", "envoy", "rumor", "house", "mode", "loot_light", "loot_red", "opponent", "card", "standing", "step", "disguised", "rewards_left")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    SKILL_FIELD_NUMBER: _ClassVar[int]
    ENVOY_FIELD_NUMBER: _ClassVar[int]
    RUMOR_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    LOOT_LIGHT_FIELD_NUMBER: _ClassVar[int]
    LOOT_RED_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    STANDING_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    DISGUISED_FIELD_NUMBER: _ClassVar[int]
    REWARDS_LEFT_FIELD_NUMBER: _ClassVar[int]
    kind: str
    seat: int
    left: int
    skill: int
    envoy: int
    rumor: int
    house: int
    mode: int
    loot_light: _containers.RepeatedScalarFieldContainer[int]
    loot_red: _containers.RepeatedScalarFieldContainer[int]
    opponent: NinjatoOpponent
    card: int
    standing: int
    step: int
    disguised: _containers.RepeatedScalarFieldContainer[int]
    rewards_left: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[str] = ..., seat: _Optional[int] = ..., left: _Optional[int] = ..., skill: _Optional[int] = ..., envoy: _Optional[int] = ..., rumor: _Optional[int] = ..., house: _Optional[int] = ..., mode: _Optional[int] = ..., loot_light: _Optional[_Iterable[int]] = ..., loot_red: _Optional[_Iterable[int]] = ..., opponent: _Optional[_Union[NinjatoOpponent, str]] = ..., card: _Optional[int] = ..., standing: _Optional[int] = ..., step: _Optional[int] = ..., disguised: _Optional[_Iterable[int]] = ..., rewards_left: _Optional[_Iterable[int]] = ...) -> None: ...
