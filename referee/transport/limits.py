"""What the referee accepts from one bot, so that none can exhaust it or disturb the others.

A bot may send one message for each thing that it was sent, however fast it plays, and some more: `Bucket` counts the
"some more". Nobody who only answers is ever slowed down, and a flooder is cut off within milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

PORTION = 16 * 1024
"""Bytes of a message that count as one message; a larger one counts as several."""
SECOND = 1_000_000
"""Microseconds in a second; all times here are whole microseconds."""


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
    bots: int = 1024
    """Bots that are remembered: connected, or away with a seat or a result to come back for."""
    streams: int = 2048
    """Open streams, greeted or not."""
    strangers: int = 256
    """Those among them that have not said hello; one more and the oldest of them is closed."""
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

    def give(self, tokens: int) -> None:
        """Add tokens; above its burst the bucket runs over."""
        self._level = min(self._level + tokens, self._burst)
