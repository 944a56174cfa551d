"""How a match looks on the wire: the outputs of the match layer, written as protobuf.

The functions fill messages that are part of a bundle already. Asks, which are nearly all of the traffic, are put
together as bytes; the game's own module in `referee.codec` writes the view and the options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

import referee
from referee.codec import encoding
from referee.codec.protobuf_bytes import Fields, varint
from referee.kernel.game import Event, Result, Seat, Verb
from referee.match.clock import TimeControl
from referee.match.outputs import Asked, Seen, Settled, Verdict
from referee.match.policy import Ending, EndingKind, FaultKind, Owner
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.limits import Limits
from referee.v1 import common_pb2 as common
from referee.v1 import play_pb2 as pb

PROTOCOL_VERSION = 1
HIDDEN = "..."
"""The text that replaces a token in a bot's text."""

ASK = Fields(pb.Ask)
ASKS = Fields(pb.PlayResponse).prefix("asks")
BANK, BUDGET = ASK.tag("bank_us"), ASK.tag("budget_us")
CHARGED, NETWORK, QUEUED = ASK.tag("charged_us"), ASK.tag("network_us"), ASK.tag("queued_us")

VERBS = {
    Verb.CHOSE: common.VERB_CHOSE,
    Verb.DREW: common.VERB_DREW,
    Verb.REVEALED: common.VERB_REVEALED,
    Verb.ROLLED: common.VERB_ROLLED,
    Verb.GAINED: common.VERB_GAINED,
    Verb.PAID: common.VERB_PAID,
    Verb.MOVED: common.VERB_MOVED,
    Verb.SCORED: common.VERB_SCORED,
    Verb.PHASE: common.VERB_PHASE,
    Verb.ORDER: common.VERB_ORDER,
}
FAULTS = {
    FaultKind.ILLEGAL: pb.FAULT_CODE_ILLEGAL,
    FaultKind.LATE: pb.FAULT_CODE_LATE,
    FaultKind.MALFORMED: pb.FAULT_CODE_MALFORMED,
    FaultKind.GONE: pb.FAULT_CODE_GONE,
    FaultKind.CRASHED: pb.FAULT_CODE_CRASHED,
    FaultKind.REMOVED: pb.FAULT_CODE_KICKED,
}
REFUSALS = {
    Verdict.DUPLICATE: (pb.FAULT_CODE_DUPLICATE, "ask {ask} is answered already"),
    Verdict.STALE: (pb.FAULT_CODE_STALE, "ask {ask} is over"),
    Verdict.UNKNOWN: (pb.FAULT_CODE_UNKNOWN_ASK, "ask {ask} was never asked"),
}
OWNERS = {
    None: common.OWNER_UNSPECIFIED,
    Owner.BOT: common.OWNER_BOT,
    Owner.NETWORK: common.OWNER_NETWORK,
    Owner.REFEREE: common.OWNER_REFEREE,
    Owner.OPPONENT: common.OWNER_OPPONENT,
    Owner.ORGANISER: common.OWNER_ORGANISER,
}
ENDINGS = {
    EndingKind.FINISHED: common.ENDING_KIND_FINISHED,
    EndingKind.FORFEITED: common.ENDING_KIND_FORFEITED,
    EndingKind.ABORTED: common.ENDING_KIND_ABORTED,
    EndingKind.NEVER_READY: common.ENDING_KIND_NEVER_READY,
}


def fill_seated(
    message: pb.Seated,
    terms: Terms,
    seat: Seat,
    is_ready: bool,
    rated: bool = True,
    shown: Callable[[str], str] = str,
) -> None:
    """Fill the offer of a seat. `shown` returns the name under which other bots see a bot."""
    message.match_id = terms.match
    message.game = terms.game
    message.seat = seat
    own = terms.players[seat]
    message.players.extend([name if name == own else shown(name) for name in terms.players])
    message.variant.update(terms.variant)
    fill_clock(message.clock, terms.clock)
    message.start_budget_us = terms.policy.start
    message.tolerated_faults = terms.policy.faults
    message.development = terms.policy.development
    message.commitment = terms.commitment
    message.rules_version = terms.rules_version
    message.components_digest = terms.components
    message.is_ready = is_ready
    message.rated = rated


def fill_clock(message: common.Clock, clock: TimeControl) -> None:
    """Fill a time control; without one the message stays absent."""
    if not clock.unlimited:
        message.bank_us = clock.bank
        message.increment_us = clock.increment
        message.cap_us = clock.cap
        message.text = str(clock)


def other_version(theirs: int) -> str:
    """What a bot is told that speaks another version of the protocol."""
    remedy = (
        "update the bot" if theirs < PROTOCOL_VERSION else "use a bot kit made for this referee, or a newer referee"
    )
    return (
        f"the bot speaks protocol version {theirs}, this referee ({referee.__version__}) speaks {PROTOCOL_VERSION}: "
        f"{remedy}"
    )


class Asker:
    """Serialises the asks of one match for all its seats."""

    __slots__ = ("_encode", "_match", "_prefix")

    def __init__(self, terms: Terms) -> None:
        self._encode = encoding.of(terms.game).encoder()
        self._match = ASK.chunk("match_id", terms.match.encode()) + ASK.tag("ask")
        self._prefix = ASK.prefix(terms.game)

    def __call__(self, asked: Asked) -> bytes:
        """The bytes of an ask in a bundle: the fields are written by hand, in the order of their numbers."""
        seat, ask, kind, options, view, events, left, _, budget, timing, _ = asked
        parts = [self._match, varint(ask), _question(seat, len(options), kind)]
        if left is not None and budget is not None:
            bank = varint(left)
            parts += (BANK, bank, BUDGET, bank if budget == left else varint(budget))
        if timing is not None:
            charged, network, queued = timing
            if charged:
                parts += (CHARGED, varint(charged))
            if network:
                parts += (NETWORK, varint(network))
            if queued:
                parts += (QUEUED, varint(queued))
        if events:
            parts.append(_events(events))
        game = self._encode(kind, options, view)
        parts += (self._prefix, varint(len(game)))
        head = b"".join(parts)
        return b"".join((ASKS, varint(len(head) + len(game)), head, game))


@lru_cache(maxsize=1 << 14)
def _question(seat: Seat, options: int, kind: str) -> bytes:
    """The fields seat, option_count and kind of an ask."""
    whose = ASK.number("seat", seat) if seat else b""
    return whose + ASK.number("option_count", options) + ASK.chunk("kind", kind.encode())


def _events(events: Iterable[Event]) -> bytes:
    message = pb.Ask()
    fill_events(message.events, events)
    return message.SerializeToString()


def fill_events(target: RepeatedCompositeFieldContainer[common.Event], events: Iterable[Event]) -> None:
    """Fill events that the receiver may know."""
    for event in events:
        message = target.add()
        message.verb = VERBS[event.verb]
        message.seat = event.seat
        message.subject = event.subject
        message.amount = event.amount
        if event.items:
            numbers = [item for item in event.items if isinstance(item, int)]
            if len(numbers) == len(event.items):
                message.numbers.extend(numbers)
            else:
                message.words.extend(map(str, event.items))


def seen(match: str, game: str, output: Seen) -> pb.Told:
    """A position as a seat sees it."""
    shown = output.shown
    message = pb.Told(match_id=match, seat=output.seat, number=shown.number, bank_us=shown.left)
    message.awaited.extend([seat for seat, _ in shown.pending])
    fill_events(message.events, shown.events)
    if shown.view is not None:
        getattr(message, game).ParseFromString(encoding.public(game)(shown.view))
    return message


def fill_over(
    message: pb.Over, match: str, seat: Seat, final: Final, settled: Settled | None = None, rated: bool = True
) -> None:
    """Fill the end of a match with its secret. `rated`: whether the table counts for ratings."""
    message.match_id = match
    message.seat = seat
    if final.result is not None:
        fill_result(message.result, final.result)
    fill_endings(message.endings, final.endings)
    message.rated = rated and final.rated
    message.secret = bytes.fromhex(final.secret)
    settled = settled or Settled()
    message.record_hash = settled.record_hash
    for rating in settled.ratings:
        message.ratings.add(
            rating_before=rating.before,
            rating_after=rating.after,
            deviation=rating.deviation,
            games=rating.games,
            rank=rating.rank,
        )


def fill_result(message: common.Result, result: Result) -> None:
    """Fill the result of a game."""
    message.places.extend(result.places)
    message.points.extend(result.points)
    message.reason = result.reason
    message.automata.extend(result.automata)


def fill_endings(
    target: RepeatedCompositeFieldContainer[common.Ending], endings: Sequence[Ending], *, texts: bool = True
) -> None:
    """Fill how the match ended for each seat; `texts` False leaves the texts out, which may name bots."""
    for ending in endings:
        message = target.add()
        message.kind = ENDINGS[ending.kind]
        message.faults = ending.faults
        message.owner = OWNERS[ending.owner]
        if texts:
            message.message = ending.message


def fill_limits(message: pb.Limits, limits: Limits) -> None:
    """Fill the limits that bots are told."""
    message.message_bytes = limits.message_bytes
    message.messages_per_second = limits.messages_per_second
    message.message_burst = limits.message_burst
    message.note_bytes = limits.note_bytes
    message.tables = limits.tables
    message.name_characters = limits.name_characters
    message.ping_interval_us = limits.ping_interval
    message.silence_us = limits.silence
    message.unreadable_messages = limits.unreadable


def cut(text: str, limit: int, hidden: Iterable[str] = ()) -> str:
    """A bot's text, cut to `limit` bytes of UTF-8; every text of `hidden` is replaced by `HIDDEN`."""
    for secret in hidden:
        if secret:
            text = text.replace(secret, HIDDEN)
    if len(text) * 4 <= limit:
        return text
    return text.encode()[:limit].decode(errors="ignore")
