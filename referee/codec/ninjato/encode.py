"""Ninjato on the wire: see `proto/referee/v1/ninjato.proto` for what each field means.

Options are few and come again and again, so each is serialised once and for all. Of a view most fields stay the same
from one ask to the next, so an `Encoder`, made for one match, keeps each field with its bytes and writes only those
that are no longer equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from referee.codec.protobuf_bytes import Fields, varints, zigzags
from referee.games.ninjato.view import COMPONENT_TABLES, View
from referee.kernel.errors import RulesBug
from referee.kernel.frames import Frame
from referee.kernel.game import Option
from referee.v1 import ninjato_pb2 as pb
from referee.v1 import play_pb2

ASK = Fields(pb.NinjatoAsk)
VIEW = Fields(pb.NinjatoView)
QUESTION = Fields(pb.NinjatoQuestion)

_Write: TypeAlias = Callable[[Any], bytes]
"""Serialises the value of one field of a view; it differs from field to field what that value is."""
_Fill: TypeAlias = Callable[[pb.NinjatoOption, Any], None]
"""Writes what follows the verb of an option; it differs from verb to verb what that is."""


def _number(name: str) -> _Write:
    def write(value: int | None) -> bytes:
        return b"" if value is None else VIEW.number(name, value)

    return write


def _numbers(name: str) -> _Write:
    def write(values: Sequence[int] | None) -> bytes:
        return b"" if values is None else VIEW.chunk(name, varints(values))

    return write


def _signed(name: str) -> _Write:
    def write(values: Sequence[int]) -> bytes:
        return VIEW.chunk(name, zigzags(values))

    return write


def _rows(name: str) -> _Write:
    """Lists of one length, one after the other."""

    def write(rows: Iterable[Sequence[int]]) -> bytes:
        return VIEW.chunk(name, varints(list(chain.from_iterable(rows))))

    return write


def _ragged(sizes: str, name: str) -> _Write:
    """Lists of different lengths: the lengths, then the lists one after the other."""

    def write(rows: Sequence[Sequence[int]]) -> bytes:
        lengths = VIEW.chunk(sizes, varints([len(row) for row in rows]))
        return lengths + VIEW.chunk(name, varints(list(chain.from_iterable(rows))))

    return write


def _doubts(seats: Sequence[Sequence[tuple[int, int]]]) -> bytes:
    doubts = [doubt for own in seats for doubt in own]
    return (
        VIEW.chunk("doubt_sizes", varints([len(own) for own in seats]))
        + VIEW.chunk("doubt_cards", varints([card + 1 for card, _ in doubts]))
        + VIEW.chunk("doubt_fresh", varints([fresh for _, fresh in doubts]))
    )


def _raid(rest: Sequence[Any]) -> bytes:
    house, mode, light, red, opponent, card, standing = rest
    parts = [
        QUESTION.number("house", house),
        QUESTION.number("mode", mode),
        QUESTION.chunk("loot_light", varints(light)),
        QUESTION.chunk("loot_red", varints(red)),
    ]
    if opponent:
        parts.append(QUESTION.number("opponent", opponent))
        parts.append(QUESTION.number("card", card))
        parts.append(QUESTION.number("standing", standing))
    return b"".join(parts)


def _phase(rest: Sequence[Any]) -> bytes:
    step, disguised, left = rest
    return (
        QUESTION.number("step", step)
        + QUESTION.chunk("disguised", varints(disguised))
        + QUESTION.chunk("rewards_left", varints(left))
    )


def _bare(rest: Sequence[Any]) -> bytes:
    """A kind that says all."""
    return b""


QUESTIONS: dict[str, Callable[[Sequence[Any]], bytes]] = {
    "place": _bare,
    "dojo_pick": lambda rest: QUESTION.number("left", rest[0]),
    "dojo_discard": _bare,
    "sensei_take": _bare,
    "sensei_pay": lambda rest: QUESTION.number("skill", rest[0]),
    "envoy_take": _bare,
    "rumor_take": _bare,
    "pay": lambda rest: QUESTION.number(rest[0], rest[1]),
    **dict.fromkeys(("fight", "banzai", "keep", "clan_token"), _raid),
    **dict.fromkeys(("disguise", "clan_reward", "rumor_free"), _phase),
}
"""What follows kind and seat in a frame, by kind."""


def _frame(frame: Frame | None) -> bytes:
    """The open question."""
    if frame is None:
        return b""
    kind, seat, *rest = frame
    head = QUESTION.chunk("kind", kind.encode()) + QUESTION.number("seat", seat)
    return VIEW.chunk("question", head + QUESTIONS[kind](rest))


_LISTS = ("order", "placed", "hand", "drawn", "honor", "hand_sizes", "fresh", "tokens", "supply", "face_up", "pool")
_PILES = ("dojo_discard", "guard_discard", "elite_discard", "treasure_discard", "retired", "shuffles")
_FIELDS: dict[str, _Write] = {
    **{name: _numbers(name) for name in (*_LISTS, *_PILES, "sensei", "palace", "pavilion")},
    **{name: _number(name) for name in ("seat", "round")},
    **{name: _number(name) for name in ("dojo_deck", "guard_deck", "elite_deck", "bag", "envoy_deck", "rumor_deck")},
    **{name: _rows(name) for name in ("known", "treasures", "ready", "used", "light", "red")},
    "envoys": _ragged("envoy_sizes", "envoys"),
    "rumors": _ragged("rumor_sizes", "rumors"),
    "trophies": _ragged("trophy_sizes", "trophies"),
    "sentinels": _signed("sentinels"),
    "doubts": _doubts,
    "frame": _frame,
}
WRITERS = tuple(_FIELDS[name] for name in View._fields)
"""How each field of a view is written, in their order."""


class Encoder:
    """Writes the asks of one match. It gives the same bytes whatever it was called for before."""

    __slots__ = ("_parts", "_values")

    def __init__(self) -> None:
        self._values: list[object] = [None] * len(WRITERS)
        self._parts = [b""] * len(WRITERS)

    def __call__(self, kind: str, options: Sequence[Option], view: View) -> bytes:
        """A `NinjatoAsk`, serialised."""
        return ASK.chunk("view", self.view(view)) + b"".join(map(_option, options))

    def view(self, view: View) -> bytes:
        """A `NinjatoView`, serialised."""
        values, parts = self._values, self._parts
        for at, value in enumerate(view):
            if value != values[at]:
                parts[at] = WRITERS[at](value)
                values[at] = value
        return b"".join(parts)


def _place(message: pb.NinjatoOption, option: Any) -> None:
    plain = ("dojo", "sensei", "palace", "pavilion")
    message.space = plain.index(option.space) if option.space in plain else 4 + 2 * option.house + option.mode


def _pick(message: pb.NinjatoOption, option: Any) -> None:
    if option.value:
        message.card = option.value
    else:
        message.verb = pb.NINJATO_VERB_DRAW


def _card(message: pb.NinjatoOption, option: Any) -> None:
    message.card = option.value


def _skill(message: pb.NinjatoOption, option: Any) -> None:
    message.skill = option.skill


def _envoy(message: pb.NinjatoOption, option: Any) -> None:
    if option.envoy >= 0:
        message.envoy = option.envoy


def _rumor(message: pb.NinjatoOption, option: Any) -> None:
    message.rumor = option.rumor


def _pay(message: pb.NinjatoOption, option: Any) -> None:
    message.treasures.extend(option.treasures)
    message.honor = option.honor


def _play(message: pb.NinjatoOption, option: Any) -> None:
    message.part, message.base, message.supports = option.part, option.base, option.supports
    message.tiles.extend(option.tiles)
    message.value = option.value


def _swap(message: pb.NinjatoOption, option: Any) -> None:
    message.loot, message.loot_red = option.loot, bool(option.loot_red)
    message.house_treasure, message.house_red = option.house, bool(option.house_red)


def _keep(message: pb.NinjatoOption, option: Any) -> None:
    message.treasure = option.treasure


def _token(message: pb.NinjatoOption, option: Any) -> None:
    message.clan, message.honor = option.clan, option.value


def _reward(message: pb.NinjatoOption, option: Any) -> None:
    if option.what == "rumor":
        message.verb = pb.NINJATO_VERB_CHOOSE_RUMOR


def _nothing(message: pb.NinjatoOption, option: Any) -> None:
    """A verb that says all."""


VERBS: dict[str, tuple[pb.NinjatoVerb, _Fill]] = {
    "place": (pb.NINJATO_VERB_PLACE, _place),
    "pick": (pb.NINJATO_VERB_PICK, _pick),
    "discard": (pb.NINJATO_VERB_DISCARD, _card),
    "learn": (pb.NINJATO_VERB_LEARN, _skill),
    "spend": (pb.NINJATO_VERB_SPEND, _card),
    "take_envoy": (pb.NINJATO_VERB_TAKE_ENVOY, _envoy),
    "take_rumor": (pb.NINJATO_VERB_TAKE_RUMOR, _rumor),
    "pay": (pb.NINJATO_VERB_PAY, _pay),
    "play": (pb.NINJATO_VERB_PLAY, _play),
    "switch": (pb.NINJATO_VERB_SWITCH, _nothing),
    "swap": (pb.NINJATO_VERB_SWAP, _swap),
    "refresh": (pb.NINJATO_VERB_REFRESH, _skill),
    "give_up": (pb.NINJATO_VERB_GIVE_UP, _nothing),
    "leave": (pb.NINJATO_VERB_LEAVE, _nothing),
    "banzai": (pb.NINJATO_VERB_BANZAI, _nothing),
    "keep": (pb.NINJATO_VERB_KEEP, _keep),
    "put_token": (pb.NINJATO_VERB_PUT_TOKEN, _token),
    "disguise": (pb.NINJATO_VERB_DISGUISE, _envoy),
    "reward": (pb.NINJATO_VERB_TAKE_HONOR, _reward),
}
"""The verb of an option on the wire, and what follows it, by its verb in the game."""


@cache
def _option(option: Option) -> bytes:
    """An option as it stands in an ask; there are some thousand in all."""
    verb = option[0] if isinstance(option, tuple) else None
    if verb not in VERBS:
        raise RulesBug("an option of Ninjato has no form on the wire")
    number, fill = VERBS[verb]
    message = pb.NinjatoOption(verb=number)
    fill(message, option)
    return ASK.chunk("options", message.SerializeToString())


def describe(info: play_pb2.GameInfo) -> None:
    """Write what all cards and tiles show."""
    message = info.ninjato
    message.treasures.extend([treasure.id for treasure in COMPONENT_TABLES.treasures])
    message.treasure_honor.extend([treasure.honor for treasure in COMPONENT_TABLES.treasures])
    message.treasure_copies.extend([treasure.copies for treasure in COMPONENT_TABLES.treasures])
    message.dojo_copies.extend(COMPONENT_TABLES.dojo_copies)
    for value, alarm, copies in COMPONENT_TABLES.guards:
        message.guards.add(value=value, alarm=alarm, copies=copies)
    for elite in COMPONENT_TABLES.elites:
        force, stealth = zip(*elite.parts, strict=True)
        message.elites.add(id=elite.id, force=force, stealth=stealth, honor=elite.honor, copies=elite.copies)
    for skill in COMPONENT_TABLES.skills:
        added = message.skills.add(
            id=skill.id, way=COMPONENT_TABLES.ways[skill.way], price=skill.price, effect=skill.effect
        )
        added.amounts.extend(skill.amounts)
        added.copies = skill.copies
    for envoy in COMPONENT_TABLES.envoys:
        card = message.envoys.add(id=envoy.id, clan=envoy.clan, age=envoy.age, mask=envoy.mask)
        for form in envoy.demand.forms:
            _price(card.prices.add(), form, envoy.demand.distinct)
    for rumor in COMPONENT_TABLES.rumors:
        (form,) = rumor.demand.forms
        _price(
            message.rumors.add(id=rumor.id, type=COMPONENT_TABLES.rumor_types[rumor.type]).price,
            form,
            rumor.demand.distinct,
        )
    message.clans.extend(COMPONENT_TABLES.clans)
    message.token_clans.extend([token.clan for token in COMPONENT_TABLES.tokens])
    message.token_honor.extend([token.value for token in COMPONENT_TABLES.tokens])


def _price(message: pb.NinjatoPrice, form: Sequence[tuple[int, tuple[int, ...]]], distinct: bool) -> None:
    message.sizes.extend([size for size, _ in form])
    message.treasures.extend([allowed[0] if len(allowed) == 1 else -1 for _, allowed in form])
    message.distinct = distinct
