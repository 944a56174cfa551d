"""What the referee accepts from one bot, address or token, so that none can exhaust it or disturb the others.

A bot may send one message for each thing that it was sent, however fast it plays, and some more: `Bucket` counts the
"some more". A bot that only answers is never slowed down, and a flooder is cut off within milliseconds.

The bounds for one address hold for streams without a good token: bots with tokens may share an address behind a router
in any number. Unix sockets have no address, and so none of these bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.match.clock import SECOND

PORTION = 16 * 1024
"""Bytes of a message that count as one message; a larger one counts as several."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for every stream and bot."""

    message_bytes: int = 512 * 1024
    """Largest message from a bot: answers with notes for as many tables as it may have."""
    messages_per_second: int = 100
    """Messages from a bot besides one for each thing it was sent, over a longer time."""
    message_burst: int = 500
    """The same, at once."""
    note_bytes: int = 1024
    """Longest note on an answer; the rest is cut off."""
    tables: int = 256
    """Tables of one bot at a time."""
    name_characters: int = 64
    ping_interval: int = 5 * SECOND
    silence: int = 60 * SECOND
    """A stream without any message for so long is closed."""
    greeting: int = 10 * SECOND
    """Time from the opening of a stream to its hello."""
    unreadable: int = 8
    """Messages that cannot be read, after which a stream is closed."""
    outbox: int = 4096
    """Things that wait to be sent on one stream; one more and the stream is closed."""
    bundle: int = 64
    """Things in one message to a bot."""
    hello_bytes: int = 16 * 1024
    """Largest first message of a stream, which carries the hello."""
    offers: int = 32
    """Offers in one hello."""
    request_bytes: int = 4 * 1024
    """Largest request of Describe, health and reflection."""
    bots: int = 2048
    """Bots without a token that are remembered: connected, or away with a seat or a result to come back for."""
    address_bots: int = 1536
    """Those of one address: the other places are kept for newcomers from elsewhere."""
    idle: int = 10 * SECOND
    """A bot without a token that is here for so long, and never answered, leaves when its place is wanted."""
    streams: int = 4096
    """Open streams without a good token, greeted or not."""
    address_streams: int = 2048
    """Those of one address."""
    token_streams: int = 8
    """Open streams with the same token."""
    strangers: int = 2048
    """Open streams without a good token that have not said hello; one more and the oldest of an address goes."""
    silent_strangers: int = 256
    """The same for those among them that were opened a second or more ago."""
    address_burst: int = 2048
    """Streams that one address may open at once."""
    address_streams_per_second: int = 50
    """The same over a longer time."""
    call_burst: int = 200
    """Requests of Describe, health and reflection at once, for each address or token."""
    calls_per_second: int = 20
    """The same over a longer time."""
    calls: int = 64
    """Open streams of health and reflection for each address or token."""
    linger: int = 600 * SECOND
    """How long a bot that is away without a running match is remembered."""
    arrivals_per_minute: int = 60
    """How often one bot may connect again."""


class Bucket:
    """A token bucket: `take` may be called at the rate, and in bursts, that it was made for."""

    __slots__ = ("_burst", "_level", "_rate", "_since")

    def __init__(self, per_second: float, burst: int, at: int) -> None:
        self._rate = per_second / SECOND
        self._burst = float(burst)
        self._level = self._burst
        self._since = at

    def take(self, at: int, tokens: int = 1) -> bool:
        """Use tokens at this moment; False if there are not enough."""
        level = self._level + (at - self._since) * self._rate
        if level > self._burst:
            level = self._burst
        self._since = at
        if level < tokens:
            self._level = level
            return False
        self._level = level - tokens
        return True

    def wait(self, tokens: int = 1) -> int:
        """Microseconds from the last `take` until there are so many tokens."""
        missing = tokens - self._level
        return 0 if missing <= 0 else int(missing / self._rate) + 1

    def give(self, tokens: int) -> None:
        """Add tokens; above its burst the bucket runs over."""
        self._level = min(self._level + tokens, self._burst)
