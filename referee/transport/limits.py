"""Bounds on one bot, address or token, so that none can exhaust the referee or disturb other bots.

A bot may send one message for each ask, seat and ping that the bot was sent, at any speed, and some more: the token
bucket of the stream (`Bucket`) counts the rest. A bot that only answers is never slowed down, and a flooding bot is cut
off within milliseconds.

The bounds for one address hold for streams without a good token: any number of bots with tokens may share an address
behind a router. Unix sockets have no address, and so none of these bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.match.clock import SECOND

PORTION = 16 * 1024
"""Bytes of a message that count as one message; a larger message counts as several."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for every stream and bot."""

    message_bytes: int = 512 * 1024
    """Largest message from a bot in bytes: answers with notes for the largest number of tables."""
    messages_per_second: int = 100
    """Messages a second from a bot, besides one for each item that the bot was sent."""
    message_burst: int = 500
    """Such messages at once."""
    note_bytes: int = 1024
    """Longest note on an answer in bytes; the rest is cut off."""
    tables: int = 256
    """Tables of one bot at a time."""
    name_characters: int = 64
    ping_interval: int = 5 * SECOND
    """Microseconds between two pings (heartbeats) of a stream."""
    silence: int = 60 * SECOND
    """Microseconds without a message after which a stream is closed."""
    greeting: int = 10 * SECOND
    """Most microseconds from the opening of a stream to its hello."""
    unreadable: int = 8
    """Messages of a stream that cannot be read, after which the stream is closed."""
    outbox: int = 4096
    """Most items that wait to be sent on one stream; one more and the stream is closed (back-pressure)."""
    bundle: int = 64
    """Most items in one message to a bot."""
    hello_bytes: int = 16 * 1024
    """Largest first message of a stream in bytes, which carries the hello."""
    offers: int = 32
    """Most offers in one hello."""
    request_bytes: int = 4 * 1024
    """Largest request of Describe, health and reflection in bytes."""
    bots: int = 2048
    """Most bots without a token that are remembered: connected, or away with a seat or an unread result."""
    address_bots: int = 1536
    """Most such bots of one address; the other places are kept for bots from other addresses."""
    idle: int = 10 * SECOND
    """Microseconds after which a bot without a token that never answered makes room for another bot."""
    streams: int = 4096
    """Most open streams without a good token, with or without a hello."""
    address_streams: int = 2048
    """Most such streams of one address."""
    token_streams: int = 8
    """Most open streams with the same token."""
    strangers: int = 2048
    """Most open streams without a good token and without a hello; one more and `Doors.surplus` closes one."""
    silent_strangers: int = 256
    """Most such streams that were opened a second or more ago."""
    address_burst: int = 2048
    """Streams that one address may open at once."""
    address_streams_per_second: int = 50
    """Streams a second that one address may open over a longer time."""
    call_burst: int = 200
    """Requests of Describe, health and reflection at once, for each address or token."""
    calls_per_second: int = 20
    """Such requests a second over a longer time, for each address or token."""
    calls: int = 64
    """Most open streams of health and reflection for each address or token."""
    followers: int = 1024
    """Most open streams of FollowTable, those over unix sockets not counted."""
    address_followers: int = 64
    """Most such streams of one address."""
    linger: int = 600 * SECOND
    """Microseconds for which a bot that is away without a running match is remembered."""
    arrivals_per_minute: int = 60
    """Streams a minute with which one bot may connect."""


class Bucket:
    """A token bucket: the bucket holds at most `burst` tokens and gains `per_second`."""

    __slots__ = ("_burst", "_level", "_rate", "_since")

    def __init__(self, per_second: float, burst: int, at: int) -> None:
        self._rate = per_second / SECOND
        self._burst = float(burst)
        self._level = self._burst
        self._since = at

    def take(self, at: int, tokens: int = 1) -> bool:
        """Take tokens at this moment; False, and none is taken, if the bucket has too few."""
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
        """Microseconds from the last `take` until the bucket has so many tokens."""
        missing = tokens - self._level
        return 0 if missing <= 0 else int(missing / self._rate) + 1

    def give(self, tokens: int) -> None:
        """Add tokens, up to the burst."""
        self._level = min(self._level + tokens, self._burst)
