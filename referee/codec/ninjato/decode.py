"""Ninjato from the wire: `proto/referee/v1/ninjato.proto` says what each field means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from referee.games.ninjato import options as game
from referee.games.ninjato.components import DOJO_VALUES, SKILLS, TREASURES
from referee.games.ninjato.options import PutToken
from referee.games.ninjato.state import NO_OPPONENT, RAID_KINDS, SCORING_KINDS, Doubt, Raid, Scoring
from referee.games.ninjato.view import View
from referee.kernel.errors import UnknownName
from referee.kernel.frames import Frame
from referee.kernel.game import Option
from referee.kernel.tuples import pieces
from referee.v1 import ninjato_pb2 as pb
from referee.v1 import play_pb2

_OPTIONS: dict[int, Callable[[pb.NinjatoOption], Option]] = {
    pb.NINJATO_VERB_PLACE: lambda option: game.PLACES[option.space],
    pb.NINJATO_VERB_PICK: lambda option: game.PICKS[option.card],
    pb.NINJATO_VERB_DRAW: lambda option: game.DECK,
    pb.NINJATO_VERB_DISCARD: lambda option: game.DISCARDS[option.card - 1],
    pb.NINJATO_VERB_LEARN: lambda option: game.LEARNS[option.skill],
    pb.NINJATO_VERB_SPEND: lambda option: game.SPENDS[option.card - 1],
    pb.NINJATO_VERB_TAKE_ENVOY: lambda option: game.ENVOY_TAKES[option.envoy],
    pb.NINJATO_VERB_TAKE_RUMOR: lambda option: game.RUMOR_TAKES[option.rumor],
    pb.NINJATO_VERB_PAY: lambda option: game.payment("pay", tuple(option.treasures), option.honor),
    pb.NINJATO_VERB_PLAY: lambda option: game.play(
        "play", option.part, option.base, option.supports, tuple(option.tiles), option.value
    ),
    pb.NINJATO_VERB_SWITCH: lambda option: game.SWITCH,
    pb.NINJATO_VERB_SWAP: lambda option: game.swap(
        "swap", option.loot, int(option.loot_red), option.house_treasure, int(option.house_red)
    ),
    pb.NINJATO_VERB_REFRESH: lambda option: game.REFRESHES[option.skill],
    pb.NINJATO_VERB_GIVE_UP: lambda option: game.GIVE_UP,
    pb.NINJATO_VERB_LEAVE: lambda option: game.LEAVE,
    pb.NINJATO_VERB_BANZAI: lambda option: game.BANZAI,
    pb.NINJATO_VERB_KEEP: lambda option: game.KEEPS[option.treasure],
    pb.NINJATO_VERB_PUT_TOKEN: lambda option: PutToken("put_token", option.clan, option.honor),
    pb.NINJATO_VERB_DISGUISE: lambda option: (
        game.DISGUISES[option.envoy] if option.HasField("envoy") else game.NO_DISGUISE
    ),
    pb.NINJATO_VERB_TAKE_HONOR: lambda option: game.HONOR,
    pb.NINJATO_VERB_CHOOSE_RUMOR: lambda option: game.RUMOR,
}
"""The option that a message stands for, by its verb."""


def options(ask: play_pb2.Ask) -> Sequence[Option]:
    """The options of an ask."""
    found = []
    for option in ask.ninjato.options:
        if option.verb not in _OPTIONS:
            raise UnknownName.of("verb of Ninjato", str(option.verb), map(str, _OPTIONS))
        found.append(_OPTIONS[option.verb](option))
    return found


def view(ask: play_pb2.Ask) -> View:
    """The view of an ask."""
    return decode_view(ask.ninjato.view)


def decode_view(message: pb.NinjatoView) -> View:
    """The view that a message holds, of a seat or of the public."""
    dojo, guards, elites, treasures = message.shuffles
    cards, kinds, skills = len(DOJO_VALUES), len(TREASURES), len(SKILLS)
    return View(
        message.seat if message.HasField("seat") else None,
        message.round,
        tuple(message.order),
        tuple(message.placed),
        _frame(message.question) if message.HasField("question") else None,
        tuple(message.hand) or None,
        tuple(message.drawn) or None,
        tuple(message.honor),
        tuple(message.hand_sizes),
        _rows(message.known, cards),
        tuple(message.fresh),
        tuple(_doubts(message)),
        _rows(message.treasures, kinds),
        _rows(message.ready, skills),
        _rows(message.used, skills),
        tuple(pieces(message.envoy_sizes, message.envoys)),
        tuple(pieces(message.rumor_sizes, message.rumors)),
        tuple(pieces(message.trophy_sizes, message.trophies)),
        _rows(message.light, kinds),
        _rows(message.red, kinds),
        tuple(message.sentinels),
        tuple(message.tokens),
        tuple(message.supply),
        tuple(message.face_up),
        tuple(message.pool),
        tuple(message.sensei),
        tuple(message.palace),
        tuple(message.pavilion),
        message.dojo_deck,
        message.guard_deck,
        message.elite_deck,
        message.bag,
        message.envoy_deck,
        message.rumor_deck,
        tuple(message.dojo_discard),
        tuple(message.guard_discard),
        tuple(message.elite_discard),
        tuple(message.treasure_discard),
        tuple(message.retired),
        (dojo, guards, elites, treasures),
    )


def _rows(values: Sequence[int], width: int) -> tuple[tuple[int, ...], ...]:
    """A list cut into rows of one width."""
    return tuple([tuple(values[at : at + width]) for at in range(0, len(values), width)])


def _doubts(message: pb.NinjatoView) -> Iterator[tuple[Doubt, ...]]:
    cards = pieces(message.doubt_sizes, message.doubt_cards)
    fresh = pieces(message.doubt_sizes, message.doubt_fresh)
    for values, counts in zip(cards, fresh, strict=True):
        yield tuple([(value - 1, count) for value, count in zip(values, counts, strict=True)])


def _frame(message: pb.NinjatoQuestion) -> Frame:
    """The open question as the frame that the game keeps."""
    kind, seat = message.kind, message.seat
    if kind in RAID_KINDS:
        light, red = tuple(message.loot_light), tuple(message.loot_red)
        card = -1 if message.opponent == NO_OPPONENT else message.card
        return Raid(kind, seat, message.house, message.mode, light, red, message.opponent, card, message.standing)
    if kind in SCORING_KINDS:
        return Scoring(kind, seat, message.step, tuple(message.disguised), tuple(message.rewards_left))
    if kind == "dojo_pick":
        return (kind, seat, message.left)
    if kind == "sensei_pay":
        return (kind, seat, message.skill)
    if kind == "pay":
        return (
            (kind, seat, "envoy", message.envoy) if message.HasField("envoy") else (kind, seat, "rumor", message.rumor)
        )
    return (kind, seat)
