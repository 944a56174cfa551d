"""A bot whose notes are as long and as foreign as a bot may make them."""

from __future__ import annotations

from kumite import AnyAsk, Bot

NOTE = "<script>alert(1)</script> \u202eright to left\u202c " + "漢" * 64 + " " + "x" * 16_384


class Noting(Bot):
    """Plays the first option and attaches a note that the referee cuts to its limit."""

    def decide(self, ask: AnyAsk) -> object:
        """The first option."""
        ask.note(NOTE)
        return ask.options[0]
